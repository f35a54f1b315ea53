"""The tab Aliases: what people say for a name, as a list that is uploaded, shown and dropped."""

from __future__ import annotations

import streamlit as st

from ingestion.words import counted
from tree.retrieve.alias_list import LONGEST, MOST_BYTES, AliasError
from tree.retrieve.aliases import Aliases, load_aliases
from tree.store.database import StoreError
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped

SAID, MEANT = "said", "meant"  # parameters of the address
REMOVE = "aliases_remove"  # the button, and where is said what went wrong with it
ROUND = "aliases_round"  # in the session: a new uploader after each list that was taken
EXAMPLE = "alias,name\nthe gate app,Turnstile\nthe Quay people,Team Quay\n"


def alias_tab(tools: Tools) -> None:
    """Draws the list that is used, and how to give another one."""
    home = tools.workspace.home
    aliases = load_aliases(home)
    if aliases.problem:
        st.error(escaped(f"The list of aliases is not used. {aliases.problem}"), icon=":material/error:")
    _known(aliases)
    if not aliases.problem:
        _one_more(tools)
    _upload(tools)
    if aliases.known or aliases.problem:
        st.button("Use no aliases", icon=":material/delete:", key=REMOVE, on_click=_remove, args=(tools,))
        notices.draw_at(REMOVE)


def _known(aliases: Aliases) -> None:
    if not aliases.known:
        st.markdown(
            "**There are no aliases.** Where people say “the gate app” and the documents say “Turnstile”, a list tells which is which."
        )
        return
    verb = "is" if len(aliases.known) == 1 else "are"
    st.markdown(f"**{counted(len(aliases.known), 'alias', 'aliases')}** {verb} used for every question.")
    columns = {"People say": [one.alias for one in aliases.known], "It stands for": [one.name for one in aliases.known]}
    st.dataframe(columns, key="aliases_table", hide_index=True, alt="What people say, and what it stands for")


def _one_more(tools: Tools) -> None:
    """Both fields may be in the address: the page of questions that were not found proposes some."""
    with st.form("alias", clear_on_submit=True), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        alias = st.text_input("People say", st.query_params.get(SAID, ""), max_chars=LONGEST, placeholder="the gate app")
        name = st.text_input("It stands for", st.query_params.get(MEANT, ""), max_chars=LONGEST, placeholder="Turnstile")
        if not st.form_submit_button("Add", icon=":material/add:"):
            return
    try:
        tools.admin.add_alias(alias, name)
    except (AliasError, StoreError) as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    for parameter in (SAID, MEANT):
        st.query_params.pop(parameter, None)
    notices.say(f"“{alias.strip()}” stands for “{name.strip()}” from the next question on.")
    st.rerun()


def _upload(tools: Tools) -> None:
    round_ = st.session_state.setdefault(ROUND, 0)
    file = st.file_uploader(
        "A list of aliases (YAML or CSV)",
        type=["csv", "yaml", "yml"],
        key=f"aliases_file_{round_}",
        max_upload_size=MOST_BYTES // 1_000_000,
        help="CSV with the columns “alias” and “name”, or YAML with one “alias: name” on each line. It takes the place of the one before.",
    )
    st.download_button(
        "An example", EXAMPLE, "aliases.csv", "text/csv", icon=":material/download:", key="aliases_example", type="tertiary"
    )
    if file is None:
        return
    try:
        number = tools.admin.save_aliases(file.name, file.getvalue())
    except (AliasError, StoreError) as error:
        st.error(escaped(f"{file.name}: {error} The list from before is still used."), icon=":material/error:")
        return
    st.session_state[ROUND] = round_ + 1
    verb = "is" if number == 1 else "are"
    notices.say(f"{counted(number, 'alias', 'aliases')} {verb} used from the next question on.")
    st.rerun()


def _remove(tools: Tools) -> None:
    if notices.attempt(tools.admin.remove_aliases, at=REMOVE):
        notices.say("No aliases are used any more.")
