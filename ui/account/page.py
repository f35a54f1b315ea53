"""One's own account: the password, the browsers that are signed in, and tokens for other programs."""

from __future__ import annotations

import time

import streamlit as st

from ingestion.words import ago
from prompts.language import visible
from tree.accounts.models import Person
from tree.accounts.people import AccountError
from tree.store.database import StoreError
from tree.store.errors import words_for
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped

MADE = "account_token"  # in the session: a token that was made just now, for the one time that it is shown
HOLDS = {"30 days": 30, "90 days": 90, "a year": 365, "until it is deleted": None}


def page(tools: Tools) -> None:
    """Draws the page."""
    person = tools.accounts.people.get(tools.principal.person_id)
    if person is None:
        return
    st.title("Account")
    notices.draw()
    st.markdown(f"**{escaped(person.name)}** · {escaped(person.email)}")
    st.caption(("Admin. " if person.is_admin else "") + _groups_in_words(tools))
    _sessions(tools)
    _tokens(tools)
    if person.password is not None:
        _password(tools, person)


def _groups_in_words(tools: Tools) -> str:
    groups = tools.accounts.people.groups()
    own = [groups[id_] for id_ in groups if id_ in tools.principal.groups]
    if not own:
        return "In no group."
    return f"In the {'group' if len(own) == 1 else 'groups'} {escaped(', '.join(own))}."


# ---------------------------------------------------------------- browsers


def _sessions(tools: Tools) -> None:
    now, own = time.time(), tools.visitor.session_id
    st.subheader("Signed in", anchor=False)
    sessions = tools.accounts.sessions.of(tools.principal.person_id)
    for session in sessions:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            words = "this browser" if session.id == own else f"seen {ago(now - session.seen_at)}"
            where = f" · {escaped(session.address)}" if session.address else ""
            st.markdown(f"{escaped(_browser(session.agent))} · {words}{where}", width="content")
            if session.id != own:
                st.button("Sign out", key=f"end-{session.id}", icon=":material/logout:", on_click=_end, args=(tools, session.id))
    if len(sessions) > 1:
        st.button("Sign out everywhere else", key="end-others", icon=":material/logout:", on_click=_end_others, args=(tools,))


def _end(tools: Tools, session_id: str) -> None:
    if tools.account.end_session(session_id):
        notices.say("That browser is signed out.")


def _end_others(tools: Tools) -> None:
    tools.account.end_other_sessions()
    notices.say("All other browsers are signed out.")


def _browser(agent: str) -> str:
    """A browser and its system in words, as far as it says so."""
    name = next((name for mark, name in (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari")) if mark in agent), "A browser")  # fmt: skip
    system = next((name for mark, name in (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"), ("Linux", "Linux")) if mark in agent), "")  # fmt: skip
    return f"{name} on {system}" if system else name


# ---------------------------------------------------------------- tokens


def _tokens(tools: Tools) -> None:
    st.subheader("API tokens", anchor=False)
    st.caption("Another program that has a token may ask and search as you may. It changes nothing, and is never an admin.")
    if made := st.session_state.pop(MADE, ""):
        st.code(made, language=None, wrap_lines=True)
        st.warning("Copy it now: it is not shown again.", icon=":material/content_copy:")
    now, names = time.time(), {source.id: source.name for source in tools.visible_sources()}
    for token in tools.accounts.tokens.of(tools.principal.person_id):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            of = "all your sources" if token.sources is None else ", ".join(names.get(id_, "another source") for id_ in token.sources) or "no source"  # fmt: skip
            used = f"used {ago(now - token.used_at)}" if token.used_at else "never used"
            ends = "" if token.expires_at is None else " · too old" if token.expires_at < now else f" · for {_days(token.expires_at - now)}"  # fmt: skip
            st.markdown(f"**{escaped(token.name)}** · {escaped(of)} · {used}{ends}", width="content")
            st.button("Delete", key=f"token-{token.id}", icon=":material/delete:", on_click=_delete_token, args=(tools, token.id))
    with st.expander("New token", icon=":material/add:"), st.form("token", border=False, clear_on_submit=True):
        name = st.text_input("What will use it", max_chars=60, placeholder="The release script")
        chosen = st.multiselect(
            "Sources", list(names), format_func=lambda id_: visible(names[id_]), placeholder="All your sources"
        )
        holds = st.selectbox("It holds for", list(HOLDS), 1)
        if st.form_submit_button("Create", type="primary"):
            days = HOLDS[holds]
            try:
                made = tools.account.add_token(name, chosen or None, days * 86_400 if days else None)
            except AccountError as error:
                st.error(str(error), icon=":material/error:")
                return
            st.session_state[MADE] = made
            st.rerun()


def _delete_token(tools: Tools, token_id: str) -> None:
    tools.account.delete_token(token_id)
    notices.say("The token is deleted. Whatever used it is refused from now on.")


def _days(seconds: float) -> str:
    days = max(1, round(seconds / 86_400))
    return "1 more day" if days == 1 else f"{days} more days"


# ---------------------------------------------------------------- the password


def _password(tools: Tools, person: Person) -> None:
    st.subheader("Password", anchor=False)
    with st.expander("Change the password", icon=":material/key:"), st.form("password", border=False, clear_on_submit=True):
        old = st.text_input("Password now", type="password", autocomplete="current-password", max_chars=200)
        new = st.text_input("New password", type="password", autocomplete="new-password", max_chars=200)
        st.caption("You are signed out in all other browsers then, and your API tokens end.")
        if not st.form_submit_button("Change", type="primary"):
            return
        try:
            tools.account.change_password(old, new)
        except StoreError as error:
            st.error(escaped(words_for(error, tools.principal.is_admin)), icon=":material/error:")
            return
        notices.say("The password is changed.")
        st.rerun()
