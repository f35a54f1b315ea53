"""The dialogs of a group: who is in it, and the confirmation that it is deleted."""

from __future__ import annotations

import streamlit as st

from ingestion.words import counted
from prompts.language import visible
from tree.store.models import Source
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped

ROWS = 25  # people at once


def members(tools: Tools, group_id: str) -> None:
    """Who is in it, with somebody added or removed."""
    name = tools.accounts.people.groups().get(group_id)
    if name is None:
        st.info("There is no such group any more.")
        return
    st.markdown(f"**{escaped(name)}**")
    notices.draw(in_dialog=True)
    labels, ids = tools.accounts.people.labels(), tools.accounts.people.members(group_id)
    with st.form("members", border=False, clear_on_submit=True):
        st.multiselect(
            "Add people", [id_ for id_ in labels if id_ not in ids], key="members_added",
            format_func=lambda id_: visible(labels.get(id_, "")), placeholder="Type a name or an e-mail address",
            filter_mode="contains", select_all=False,
        )  # fmt: skip
        st.form_submit_button("Add", icon=":material/group_add:", key="members_add", on_click=_add, args=(tools, group_id, name))
    _list(tools, group_id, ids)


def _add(tools: Tools, group_id: str, name: str) -> None:
    added = st.session_state["members_added"]
    if added and notices.attempt(tools.admin.change_members, group_id, added):
        notices.say(f"{counted(len(added), 'person is', 'people are')} in “{name}” now.")


def _list(tools: Tools, group_id: str, ids: frozenset[str]) -> None:
    people = sorted(tools.accounts.people.several(ids), key=lambda person: (person.name.casefold(), person.email))
    st.caption(f"{counted(len(people), 'person is', 'people are')} in it." if people else "Nobody is in it yet.")
    pages, claimed = -(-len(people) // ROWS), tools.accounts.people.claimed_members(group_id)
    page = min(st.session_state.get("members_page", 1), max(1, pages))
    for person in people[(page - 1) * ROWS : page * ROWS]:
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            mark = "" if person.is_active else " :gray-badge[Deactivated]"
            st.markdown(f"{escaped(person.name)} · {escaped(person.email)}{mark}", width="stretch")
            if person.id in claimed:
                st.caption("by your identity provider", width="content")
                continue
            st.button(
                "Remove", key=f"member_{person.id}", type="tertiary", icon=":material/person_remove:",
                on_click=notices.on_click, args=(tools.admin.change_members, group_id, (), (person.id,)),
            )  # fmt: skip
    if pages > 1:
        st.pagination(pages, key="members_page")


# ---------------------------------------------------------------- renaming


def rename(tools: Tools, group_id: str) -> None:
    """Another name for it; who is in it and what it may see stay."""
    before = tools.accounts.people.groups().get(group_id, "")
    if tools.accounts.people.claimed_members(group_id):
        st.caption("Your identity provider names this group: rename it there too, or its people leave it when they sign in next.")
    with st.form("rename_group", border=False):
        st.text_input("Name", before, key="group_new_name", max_chars=100, autocomplete="off")
        is_sent = st.form_submit_button(
            "Rename", type="primary", key="group_rename", on_click=_rename, args=(tools, group_id, before)
        )
    if is_sent and before == st.session_state["group_new_name"].strip():
        st.rerun()
    notices.draw(in_dialog=True)


def _rename(tools: Tools, group_id: str, before: str) -> None:
    name = " ".join(st.session_state["group_new_name"].split())
    if notices.attempt(tools.admin.rename_group, group_id, name):
        st.session_state["group_new_name"] = name
        notices.say(f"The group “{before}” is called “{name}” now.")


# ---------------------------------------------------------------- deleting


def confirm_deletion(tools: Tools, group_id: str) -> None:
    """Says what is lost with it."""
    name = tools.accounts.people.groups().get(group_id, "")
    number = len(tools.accounts.people.members(group_id))
    st.markdown(f"**{escaped(name)}** has {counted(number, 'person', 'people')}. Their accounts stay." if number else f"Nobody is in **{escaped(name)}**.")  # fmt: skip
    if only := only_for(tools, group_id):
        sources = ", ".join(f"**{escaped(source.name)}**" for source in only)
        st.warning(
            f"Only this group may see {sources}. Nobody may then, until an admin says who, under *Sources › Settings*.",
            icon=":material/group_off:",
        )
    with st.container(horizontal=True):
        if st.button(
            "Delete", type="primary", icon=":material/delete:", key="group_delete_confirmed", on_click=_delete, args=(tools, group_id, name),
        ):  # fmt: skip
            st.rerun()
        if st.button("Cancel", key="group_delete_cancelled"):
            st.rerun()


def only_for(tools: Tools, group_id: str) -> list[Source]:
    """The sources that are for this group and no other that there is."""
    others = tools.accounts.people.groups().keys() - {group_id}
    return [
        source
        for source in tools.sources.all()
        if source.audience is not None and group_id in source.audience and others.isdisjoint(source.audience)
    ]


def _delete(tools: Tools, group_id: str, name: str) -> None:
    if notices.attempt(tools.admin.delete_group, group_id):
        notices.say(f"The group “{name}” is deleted.")
