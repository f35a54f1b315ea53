"""The groups: who may see a source is said by groups, so here is how many are in each and what it may see."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from ingestion.words import counted
from ui.admin import dialogs
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped

ADD = "group_add"  # where is said what went wrong


def groups_tab(tools: Tools) -> None:
    st.caption("A source is for everybody who is signed in, or for groups: choose them in the settings of the source.")
    _add(tools)
    names = tools.accounts.people.groups()
    if not names:
        st.markdown("No groups yet. Everybody who is signed in sees every source.")
    people = Counter(group_id for theirs in tools.accounts.people.memberships().values() for group_id in theirs)
    for group_id, name in names.items():
        _row(tools, group_id, name, people[group_id])


def _add(tools: Tools) -> None:
    with st.form("group", border=False, clear_on_submit=True), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("New group", key="group_name", max_chars=100, autocomplete="off", placeholder="Finance", width=320)
        st.form_submit_button("Add", icon=":material/add:", type="primary", key="group_add", on_click=_on_add, args=(tools,))
    notices.draw_at(ADD)


def _on_add(tools: Tools) -> None:
    name = " ".join(st.session_state["group_name"].split())
    if notices.attempt(tools.admin.add_group, name, at=ADD):
        notices.say(f"The group “{name}” is added.")


def _row(tools: Tools, group_id: str, name: str, people: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"group_{group_id}"):
        sees = [source.name for source in tools.sources.all() if source.audience is not None and group_id in source.audience]
        said = f"sees {escaped(', '.join(sees))}" if sees else "no source is for it"
        st.markdown(f"**{escaped(name)}**  \n:gray[:small[{counted(people, 'person', 'people')} · {said}]]", width="stretch")
        with st.container(horizontal=True, width="content", gap="small", horizontal_alignment="right"):
            if st.button("People", key=f"members_{group_id}", type="tertiary", icon=":material/group:"):
                dialogs.request("members", group_id)
            if st.button("Rename", key=f"rename_{group_id}", type="tertiary", icon=":material/edit:"):
                dialogs.request("rename", group_id)
            if st.button("Delete", key=f"delete_{group_id}", type="tertiary", icon=":material/delete:"):
                dialogs.request("delete", group_id)
