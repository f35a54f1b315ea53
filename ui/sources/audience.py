"""Who may see a source: everybody who is signed in, or the people of some groups."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import streamlit as st

from prompts.language import visible
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped

EVERYBODY, GROUPS = "Everybody who is signed in", "Only these groups"
TO_DO = "Choose a group that may see it, or everybody."


def audience_fields(
    tools: Tools, key: str, audience: Collection[str] | None = None, label: Literal["visible", "collapsed"] = "visible"
) -> list[str] | None:
    """What is chosen: ids of groups, or None for everybody. An empty list is no choice yet: nothing is saved with it."""
    names = tools.accounts.people.groups()
    if not names and audience is None:
        st.caption(":material/group: Everybody who is signed in may see it. To narrow that, make a group under *Admin › Groups*.")
        return None
    who = st.radio(
        "Who may see it",
        [EVERYBODY, GROUPS],
        index=0 if audience is None else 1,
        key=f"{key}_audience",
        horizontal=True,
        label_visibility=label,
    )
    if who == EVERYBODY:
        return None
    return st.multiselect(
        "Groups that may see it", list(names), [id_ for id_ in names if id_ in (audience or ())], key=f"{key}_groups",
        format_func=lambda id_: visible(names.get(id_, "")), placeholder="Choose groups", label_visibility="collapsed",
    )  # fmt: skip


def audience_section(tools: Tools, source: Source) -> None:
    """The part of the settings of a source that says for whom it is."""
    source = tools.sources.get(source.id)
    chosen = audience_fields(tools, f"settings_{source.id}", source.audience, "collapsed")
    if chosen is not None and not may_see(tools, chosen):
        st.caption(f":material/info: {NOT_YOURS}")
    st.caption("It holds from the next question on, for answers that were given before too.")
    if not st.button("Save", type="primary", key="audience_save"):
        return
    if chosen == []:
        st.error(TO_DO, icon=":material/error:")
        return
    try:
        tools.admin.set_audience(source.id, chosen)
    except StoreError as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    who = "everybody who is signed in" if chosen is None else in_words(chosen, tools.accounts.people.groups())
    notices.say(f"“{source.name}” may now be seen by {who}.")
    st.rerun()


NOT_YOURS = "You manage it, but you are in none of its groups: your own answers do not use it."
NOBODYS = "Nobody may see it: its groups were deleted. Say who may under *Settings*."


def audience_line(tools: Tools, source: Source) -> None:
    """What its card says of who may see it; nothing where everybody may."""
    if source.audience is None:
        return
    names = tools.accounts.people.groups()
    if not any(id_ in names for id_ in source.audience):
        st.caption(f":material/group_off: {NOBODYS}")
        return
    own = "" if tools.principal.may_see(source) else f" {NOT_YOURS}"
    st.caption(f":material/group: Only {escaped(in_words(source.audience, names))} may see it.{own}")


def may_see(tools: Tools, audience: Collection[str]) -> bool:
    return not tools.principal.groups.isdisjoint(audience)


def in_words(audience: Collection[str], names: Mapping[str, str]) -> str:
    found = [name for id_, name in names.items() if id_ in audience]
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
