"""One person: their groups, whether they are an admin, a new password, their sessions, whether they may sign in."""

from __future__ import annotations

import time

import streamlit as st

from ingestion.words import ago, counted
from prompts.language import visible
from tree.accounts.links import RESET_SECONDS
from tree.accounts.models import Person
from ui.admin.links import keep_link, link_of, show_link
from ui.admin.people_tab import seen_in_words
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped


def person(tools: Tools, person_id: str) -> None:
    """The dialog."""
    found = tools.accounts.people.get(person_id)
    if found is None:
        st.info("There is no such person any more.")
        return
    sessions = tools.accounts.sessions.of(person_id)
    _head(found, sessions[0].seen_at if sessions else None)
    notices.draw(in_dialog=True)
    _groups(tools, found)
    st.subheader("Password and sign-in", anchor=False)
    if found.is_active:
        _password(tools, found)
    browsers = counted(len(sessions), "browser")
    st.button(
        "Sign out everywhere", icon=":material/logout:", key="person_sign_out", disabled=not sessions,
        help=f"Signed in with {browsers}." if sessions else "Not signed in now.", on_click=_sign_out, args=(tools, found),
    )  # fmt: skip
    st.subheader("Rights", anchor=False)
    _rights(tools, found)


def _head(found: Person, seen_at: float | None) -> None:
    marks = (":blue-badge[Admin]" if found.is_admin else "", "" if found.is_active else ":gray-badge[Deactivated]")
    st.markdown(" ".join(filter(None, (f"**{escaped(found.name)}** · {escaped(found.email)}", *marks))))
    st.caption(f"{seen_in_words(found, seen_at).capitalize()} · here since {ago(time.time() - found.created_at)}")


def _groups(tools: Tools, found: Person) -> None:
    people = tools.accounts.people
    theirs, claimed, every = people.groups_of(found.id), people.claimed_groups_of(found.id), people.groups()
    if said := ", ".join(name for id_, name in every.items() if id_ in claimed):
        st.caption(f"In {escaped(said)}, as your identity provider says. That can only be changed there.")
    names = {id_: name for id_, name in every.items() if id_ not in claimed}
    if not names:
        return
    with st.form("person_groups", border=False):
        key = f"groups_of_{found.id}"
        st.multiselect(
            "Groups", list(names), [id_ for id_ in names if id_ in theirs], key=key,
            format_func=lambda id_: visible(names.get(id_, "")), placeholder="No group",
        )  # fmt: skip
        st.form_submit_button("Save groups", key="person_groups_save", on_click=_set_groups, args=(tools, found, key))


def _password(tools: Tools, found: Person) -> None:
    if link := link_of(found.id):
        st.markdown("With this link they choose a new password. It signs them out everywhere else and ends their API tokens.")
        show_link(link, RESET_SECONDS)
    else:
        st.button("New password link", icon=":material/key:", key="person_reset", on_click=_reset, args=(tools, found))


def _rights(tools: Tools, found: Person) -> None:
    with st.container(horizontal=True):
        if found.is_active:
            words, icon = ("Remove as admin", ":material/remove_moderator:") if found.is_admin else ("Make admin", ":material/add_moderator:")  # fmt: skip
            st.button(words, icon=icon, key="person_admin", on_click=_set_admin, args=(tools, found))
            st.button("Deactivate", icon=":material/person_off:", key="person_active", on_click=_set_active, args=(tools, found))
        else:
            st.button("Activate", icon=":material/person_check:", key="person_active", on_click=_set_active, args=(tools, found))
    if found.is_active:
        st.caption(
            "Admins manage sources, people and the model. Somebody who is deactivated is signed out at once; their chats stay."
        )
    else:
        st.caption("Once activated they sign in with their password as before.")


# ---------------------------------------------------------------- what the buttons do


def _set_groups(tools: Tools, found: Person, key: str) -> None:
    if notices.attempt(tools.admin.set_groups, found.id, st.session_state[key]):
        notices.say("The groups are saved. They hold from the next question on.")


def _reset(tools: Tools, found: Person) -> None:
    made: list[str] = []
    if notices.attempt(lambda: made.append(tools.admin.reset_password(found.id))):
        keep_link(found.id, made[0])


def _sign_out(tools: Tools, found: Person) -> None:
    if notices.attempt(tools.admin.end_sessions, found.id):
        notices.say(f"{found.name} is signed out everywhere.")


def _set_admin(tools: Tools, found: Person) -> None:
    if notices.attempt(tools.admin.set_admin, found.id, not found.is_admin):
        notices.say(f"{found.name} is {'an admin now' if not found.is_admin else 'no admin any more'}.")


def _set_active(tools: Tools, found: Person) -> None:
    if notices.attempt(tools.admin.set_active, found.id, not found.is_active):
        notices.say(
            f"{found.name} can sign in again."
            if not found.is_active
            else f"{found.name} is signed out and cannot sign in any more."
        )
