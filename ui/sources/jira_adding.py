"""Adding a Jira site: sign in, see what the token sees, choose what is read, look at it before it is added."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from connectors.base import Check, ConfigurationError
from ingestion.connection import open_connector
from tree.store.database import StoreError
from ui.shared import notices
from ui.shared.background_work import Errand, answer, send
from ui.shared.markup import escaped
from ui.shared.tools import Tools
from ui.sources import jira_view
from ui.sources.jira_view import Access

EVERYTHING = "project is not EMPTY"  # a scope for looking at which projects there are, before one is chosen
ROUND = "jira_round"  # in the session; another round is an empty form, in the browser too
ASKED, LOOKED = "jira_asked", "jira_looked"  # in the session: errands, with what they were sent for


class Seen(NamedTuple):
    """What a token sees of a site."""

    account: str
    projects: tuple[tuple[str, str], ...]  # key, name


def add(tools: Tools) -> None:
    st.caption(
        "The tickets of a Jira site, Cloud or Data Center: descriptions, comments, links, history and attached files. They are "
        "followed as they change. Jira itself is only read."
    )
    key = f"jira{st.session_state.setdefault(ROUND, 0)}"
    # a form: Enter checks, and a token that is left with Tab is not lost, as it is outside of forms
    with st.form(f"{key}_access", border=False):
        access = _access(key)
        is_asked = st.form_submit_button("Check", icon=":material/network_check:", key=f"{key}_check")
    if jira_view.is_open_line(access.url):
        st.warning("Over http:// the token can be read on its way. Use https:// if Jira can.", icon=":material/lock_open:")
    if is_asked:
        send(ASKED, access, lambda errand: see(tools.workspace.home, access, errand))
    seen = answer(ASKED, access, f"Asking {_host(access.url)} …", f"{key}_seeing")
    if isinstance(seen, Seen):
        _choose(tools, key, access, seen)


def _access(key: str) -> Access:
    url = st.text_input(
        "Address of Jira", key=f"{key}_url", placeholder="https://team.atlassian.net", autocomplete="off",
        help="As in the browser. On your own server the path belongs to it, if there is one: https://host/jira",
    ).strip()  # fmt: skip
    auth = jira_view.kind_field(key)
    return Access(url, auth, jira_view.email_field(key), jira_view.token_field(key, "Token"))


def _host(url: str) -> str:
    return urlsplit(url if "://" in url else f"https://{url}").netloc or "Jira"


def see(home: Path, access: Access, errand: Errand[Any]) -> Seen:
    """Signs in and looks which projects there are. Raises ConnectorError."""
    if not access.url:
        raise ConfigurationError("Type the address of Jira first.")
    if access.auth == "token" and not access.email:
        raise ConfigurationError("An API token needs the e-mail address of the account it was made for.")
    if not access.token:
        raise ConfigurationError("Paste the token first. Where it is made is said above.")
    config = jira_view.checked(access.config | {"jql": EVERYTHING})
    with closing(errand.holding(open_connector(home, "jira", config, access.secrets))) as connector:
        return Seen(connector.client.sign_in().name, tuple(connector.projects()))  # type: ignore[attr-defined]


# ---------------------------------------------------------------- what is read of it


def _choose(tools: Tools, key: str, access: Access, seen: Seen) -> None:
    number = f"{len(seen.projects):,} {'project' if len(seen.projects) == 1 else 'projects'}"
    if not seen.projects:
        st.warning(
            f"Signed in as {escaped(seen.account)}, and this account sees no project. Have it added to one in Jira, then check again.",
            icon=":material/visibility_off:",
        )
        return
    st.success(f"Signed in as **{escaped(seen.account)}**, who sees {number}.", icon=":material/check_circle:")
    only = [seen.projects[0][0]] if len(seen.projects) == 1 else []
    scope = jira_view.scope_fields(key, seen.projects, {"projects": only})
    with st.expander("What is read of them", icon=":material/tune:"):
        options = jira_view.option_fields(key, {})
    named = st.text_input("Name", key=f"{key}_name", placeholder=_name(access, scope), max_chars=80, autocomplete="off")
    config = access.config | scope | options
    is_seen = _preview(tools, key, access, config)
    st.button(
        "Add", icon=":material/add:", type="primary", key=f"{key}_add", disabled=not is_seen,
        help=None if is_seen else "Choose projects or write a filter first; then you see what is in it.",
        on_click=_add, args=(tools, named.strip() or _name(access, scope), config, access),
    )  # fmt: skip


def _name(access: Access, scope: Mapping[str, Any]) -> str:
    return " ".join([_host(access.url).removesuffix(".atlassian.net"), *scope["projects"][:3]])


def _preview(tools: Tools, key: str, access: Access, config: Mapping[str, Any]) -> bool:
    """Shows how many tickets that is, and which; begins anew whenever something else is chosen."""
    if not config["projects"] and not config["jql"]:
        return False
    about = (access, repr(config))
    sent = st.session_state.get(LOOKED)
    if sent is None or sent.about != about:
        send(LOOKED, about, lambda errand: look(tools.workspace.home, config, access, errand))
    check = answer(LOOKED, about, "Counting the tickets …", f"{key}_looking")
    if not isinstance(check, Check):
        if st.session_state[LOOKED].errand.ended.is_set():
            st.button("Look again", icon=":material/refresh:", key=f"{key}_again", on_click=st.session_state.pop, args=(LOOKED,))
        return False
    if not check.documents:
        st.warning("There is no ticket in it yet. You can add it all the same.", icon=":material/inbox:")
        return True
    st.markdown(escaped(check.message.partition(". ")[2] or check.message))
    if check.sample:
        st.caption("Changed last:\n" + "\n".join(f"- {escaped(title)}" for title in check.sample))
    return True


def look(home: Path, config: Mapping[str, Any], access: Access, errand: Errand[Any]) -> Check:
    with closing(errand.holding(open_connector(home, "jira", jira_view.checked(config), access.secrets))) as connector:
        return connector.check()


def _add(tools: Tools, name: str, config: Mapping[str, Any], access: Access) -> None:
    try:
        source = tools.sources.add("jira", name, jira_view.checked(config), access.secrets)
    except (StoreError, ConfigurationError) as error:
        notices.say(str(error), "bad")
        return
    notices.say(f"“{source.name}” is added. It is being read now; you can ask as soon as the first tickets are in.")
    for sent in (ASKED, LOOKED):
        st.session_state.pop(sent, None)
    st.session_state[ROUND] += 1
