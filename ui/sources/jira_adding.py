"""Adding a Jira site: sign in, choose projects, check what that selects, add it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from connectors.base import Check, ConfigurationError
from ingestion.connection import open_connector
from ingestion.words import counted
from tree.store.database import StoreError
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.background_task import BackgroundTask, result_of, start, started
from ui.shared.markup import escaped
from ui.shared.urls import is_unencrypted
from ui.sources import jira_view
from ui.sources.audience import TO_DO, audience_fields
from ui.sources.fields import ADDED
from ui.sources.jira_view import Access

EVERYTHING = "project is not EMPTY"  # a scope for looking at which projects there are, before one is chosen
ROUND = "jira_round"  # in the session; another round is an empty form, in the browser too
SIGN_IN, PREVIEW = "jira_sign_in", "jira_preview"  # in the session: background tasks


class SignedIn(NamedTuple):
    """Who a token belongs to, and the projects it may see."""

    account: str
    projects: tuple[tuple[str, str], ...]  # key, name


def add(tools: Tools) -> None:
    st.caption(
        "The tickets of a Jira site, Cloud or Data Center: descriptions, comments, links, history and attached files. Changes "
        "are read as they happen. Nothing is written to Jira."
    )
    key = f"jira{st.session_state.setdefault(ROUND, 0)}"
    # a form: Enter signs in, and a token that is left with Tab is not lost, as it is outside of forms
    with st.form(f"{key}_access", border=False):
        access = _access(key)
        is_asked = st.form_submit_button("Sign in", icon=":material/network_check:", key=f"{key}_check")
    if is_unencrypted(access.url):
        st.warning(
            "Over http:// the token can be read in transit. Use https:// if Jira supports it.", icon=":material/lock_open:"
        )
    if is_asked:
        start(SIGN_IN, access, lambda task: sign_in(tools.workspace.home, access, task))
    signed_in = result_of(SIGN_IN, access, f"Asking {_host(access.url)} …", f"{key}_signing_in")
    if isinstance(signed_in, SignedIn):
        _choose(tools, key, access, signed_in)


def _access(key: str) -> Access:
    url = st.text_input(
        "Address of Jira", key=f"{key}_url", placeholder="https://team.atlassian.net", autocomplete="off",
        help="As in the browser. On your own server the path belongs to it, if there is one: https://host/jira",
    ).strip()  # fmt: skip
    auth = jira_view.kind_field(key)
    return Access(url, auth, jira_view.email_field(key), jira_view.token_field(key, "Token"))


def _host(url: str) -> str:
    return urlsplit(url if "://" in url else f"https://{url}").netloc or "Jira"


def sign_in(home: Path, access: Access, task: BackgroundTask[Any]) -> SignedIn:
    """Signs in and lists the projects. Raises ConnectorError."""
    if not access.url:
        raise ConfigurationError("Enter the address of Jira first.")
    if access.auth == "token" and not access.email:
        raise ConfigurationError("An API token needs the e-mail address of the account it was made for.")
    if not access.token:
        raise ConfigurationError("Paste the token first. Above it says where to create one.")
    config = jira_view.checked(access.config | {"jql": EVERYTHING})
    with closing(task.closes_on_cancel(open_connector(home, "jira", config, access.secrets))) as connector:
        return SignedIn(connector.client.sign_in().name, tuple(connector.projects()))  # type: ignore[attr-defined]  # a JiraConnector


# ---------------------------------------------------------------- what is read of it


def _choose(tools: Tools, key: str, access: Access, signed_in: SignedIn) -> None:
    number = counted(len(signed_in.projects), "project")
    if not signed_in.projects:
        st.warning(
            f"Signed in as {escaped(signed_in.account)}, but this account can see no project. Have it added to one in Jira, then sign in again.",
            icon=":material/visibility_off:",
        )
        return
    st.success(f"Signed in as **{escaped(signed_in.account)}**, who can see {number}.", icon=":material/check_circle:")
    only = [signed_in.projects[0][0]] if len(signed_in.projects) == 1 else []
    scope = jira_view.scope_fields(key, signed_in.projects, {"projects": only})
    with st.expander("What is read of them", icon=":material/tune:"):
        options = jira_view.option_fields(key, {})
    named = st.text_input("Name", key=f"{key}_name", placeholder=_name(access, scope), max_chars=80, autocomplete="off")
    audience = audience_fields(tools, key)
    config = access.config | scope | options
    to_do = " ".join(filter(None, (_preview(tools, key, access, config), TO_DO if audience == [] else "")))
    # not by a callback: that would be handed what stood in the fields one run before, and another audience with it
    is_added = st.button("Add", icon=":material/add:", type="primary", key=f"{key}_add", disabled=bool(to_do))
    if to_do:
        st.caption(f":material/info: {to_do}")  # in sight: a button that is disabled takes no focus that would show a hint
    if is_added:
        _add(tools, named.strip() or _name(access, scope), config, access, audience)
        st.rerun()
    notices.draw_at(SIGN_IN)


def _name(access: Access, scope: Mapping[str, Any]) -> str:
    return " ".join([_host(access.url).removesuffix(".atlassian.net"), *scope["projects"][:3]])


def _preview(tools: Tools, key: str, access: Access, config: Mapping[str, Any]) -> str:
    """Shows how many tickets that is, and which; starts again whenever something else is chosen. Returns what is to be done before
    they can be added; nothing where they can be."""
    if not config["projects"] and not config["jql"]:
        return "Choose projects or write a filter first."
    about = (access, repr(config))
    counting = started(PREVIEW)
    if counting is None or counting.about != about:
        start(PREVIEW, about, lambda task: check_tickets(tools.workspace.home, config, access, task))
        counting = started(PREVIEW)
    check = result_of(PREVIEW, about, "Counting the tickets …", f"{key}_counting")
    if not isinstance(check, Check):
        if counting is not None and counting.task.ended.is_set():
            st.button("Try again", icon=":material/refresh:", key=f"{key}_again", on_click=_forget_preview)
            return "The tickets have to be counted first: change what is chosen, or try again."
        return "Wait until the tickets are counted."
    if not check.documents:
        st.warning("It selects no ticket yet. You can add it all the same.", icon=":material/inbox:")
        return ""
    st.markdown(escaped(check.message))
    if check.sample:
        st.caption("Last changed:\n" + "\n".join(f"- {escaped(title)}" for title in check.sample))
    return ""


def _forget_preview() -> None:
    st.session_state.pop(PREVIEW, None)


def check_tickets(home: Path, config: Mapping[str, Any], access: Access, task: BackgroundTask[Any]) -> Check:
    """How many tickets these settings select, and some of them. Raises ConnectorError."""
    with closing(task.closes_on_cancel(open_connector(home, "jira", jira_view.checked(config), access.secrets))) as connector:
        return connector.check()


def _add(tools: Tools, name: str, config: Mapping[str, Any], access: Access, audience: Sequence[str] | None) -> None:
    try:
        source = tools.admin.add_source("jira", name, jira_view.checked(config), access.secrets, audience)
    except (StoreError, ConfigurationError) as error:
        notices.say(str(error), "bad", at=SIGN_IN)
        return
    notices.say(f"“{source.name}” is added and syncing now. You can ask as soon as the first tickets are read.")
    for name in (SIGN_IN, PREVIEW):
        st.session_state.pop(name, None)
    st.session_state[ROUND] += 1
    st.session_state[ADDED] = "jira"
