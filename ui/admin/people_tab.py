"""The people: found by name, e-mail or group, a page at a time, and the invitations that nobody has used yet."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

from ingestion.words import ago, counted
from tree.accounts.models import Person
from tree.accounts.people import Kind
from ui.admin import dialogs
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.admins import for_admins
from ui.shared.markup import escaped
from ui.shared.tables import to_first_page

ROWS = 25
PAGE = "people_page"  # in the session
KINDS: dict[str, Kind] = {"All": "everybody", "Admins": "admins", "Deactivated": "deactivated"}


def people_tab(tools: Tools) -> None:
    st.fragment(for_admins)(_people, tools)
    _invitations(tools)


def _people(tools: Tools) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = st.text_input(
            "Search people", key="people_search", type="search", live="300ms", label_visibility="collapsed",
            placeholder="Search by name, e-mail or group", autocomplete="off", width=320, on_change=to_first_page, args=(PAGE,),
        )  # fmt: skip
        kind = st.segmented_control(
            "Which people", list(KINDS), default="All", required=True, key="people_kind", label_visibility="collapsed",
            on_change=to_first_page, args=(PAGE,),
        )  # fmt: skip
        if st.button("Invite", icon=":material/person_add:", type="primary", key="invite"):
            dialogs.request("invite")
    asked = (words or "", KINDS[kind or "All"])
    page = st.session_state.get(PAGE, 1)
    found = tools.accounts.people.search(*asked, (page - 1) * ROWS, ROWS)
    if not found.people and page > 1:  # there are fewer than a moment ago
        to_first_page(PAGE)
        found = tools.accounts.people.search(*asked, 0, ROWS)
    said = counted(found.total, "person", "people")
    st.caption(said if found.total else "Nobody is found by these words." if words else "Nobody.")
    names, members = tools.accounts.people.groups(), tools.accounts.people.memberships()
    seen = tools.accounts.sessions.seen(person.id for person in found.people)
    for person in found.people:
        groups = [name for id_, name in names.items() if id_ in members.get(person.id, ())]
        _row(tools, person, groups, seen)
    if found.total > ROWS:
        st.pagination(-(-found.total // ROWS), key=PAGE)


def _row(tools: Tools, person: Person, groups: list[str], seen: Mapping[str, float]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=f"person_{person.id}"):
        marks = (":blue-badge[Admin]" if person.is_admin else "", "" if person.is_active else ":gray-badge[Deactivated]")
        own = " (you)" if person.id == tools.principal.person_id else ""
        head = " ".join(filter(None, (f"**{escaped(person.name)}**{own}", *marks)))
        rest = " · ".join(
            filter(None, (escaped(person.email), escaped(", ".join(groups)), seen_in_words(person, seen.get(person.id))))
        )
        st.markdown(f"{head}  \n:gray[:small[{rest}]]", width="stretch")
        if st.button("Manage", key=f"manage_{person.id}", type="tertiary", icon=":material/tune:", help=f"Groups, rights and password of {escaped(person.name)}"):  # fmt: skip
            dialogs.request("person", person.id)


def seen_in_words(person: Person, seen_at: float | None) -> str:
    """`seen_at` is of a browser that is signed in."""
    if seen_at is not None:
        return f"seen {ago(time.time() - seen_at)}"
    return f"signed in {ago(time.time() - person.signed_in_at)}" if person.signed_in_at else "never signed in"


# ---------------------------------------------------------------- invitations


def _invitations(tools: Tools) -> None:
    links, names = tools.accounts.links.invitations(), tools.accounts.people.groups()
    if not links:
        return
    with st.expander(f"{counted(len(links), 'invitation')} not used yet", icon=":material/mail:", key="invitations", on_change="rerun") as box:  # fmt: skip
        if not box.open:
            return
        for link in links:
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                groups = ", ".join(names[id_] for id_ in link.groups if id_ in names)
                parts = ("as an admin" if link.is_admin else "", escaped(groups), f"made {ago(time.time() - link.created_at)}")
                st.markdown(
                    f"{escaped(link.email or link.name)}  \n:gray[:small[{' · '.join(filter(None, parts))}]]", width="stretch"
                )
                st.button(
                    "Withdraw", key=f"withdraw_{link.id}", type="tertiary", icon=":material/cancel:",
                    on_click=notices.on_click, args=(tools.admin.withdraw_invitation, link.id), kwargs={"at": link.id},
                )  # fmt: skip
            notices.draw_at(link.id)
