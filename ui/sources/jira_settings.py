"""The settings of a Jira source: what is read of it and how often, its token, its webhook."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import streamlit as st

from connectors.base import ConnectorError
from ingestion.connection import open_connector
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.background_task import BackgroundTask
from ui.shared.markup import escaped
from ui.sources import jira_view, jira_webhook
from ui.sources.audience import audience_section
from ui.sources.jira_adding import EVERYTHING

LISTED = "jira_listed"  # in the session: the projects a source's token sees, as background tasks by source
WAIT_SECONDS = 1.0  # the keys of projects can be typed without their names
POLLS: dict[float, str] = {
    5: "5 seconds",
    15: "15 seconds",
    30: "30 seconds",
    60: "a minute",
    300: "5 minutes",
    900: "15 minutes",
}
RESCANS: dict[float, str] = {900: "15 minutes", 3_600: "an hour", 21_600: "6 hours", 86_400: "a day"}


def settings(tools: Tools, source: Source) -> None:
    """The dialog of a Jira source."""
    source = tools.sources.get(source.id)
    st.markdown(f"**{escaped(source.name)}** · {escaped(jira_view.scope_in_words(source.config))}")
    reading, audience, token, webhook = st.tabs(["What is read", "Who may see it", "Token", "Webhook"])
    with reading:
        _reading(tools, source)
    with audience:
        audience_section(tools, source)
    with token:
        _token(tools, source)
    with webhook:
        jira_webhook.section(tools, source)


# ---------------------------------------------------------------- what is read, and how often


def _reading(tools: Tools, source: Source) -> None:
    task = _listing(tools, source)
    with st.form("jira_settings", border=False):
        changes = jira_view.scope_fields("jira_settings", task.result or (), source.config)
        if task.state == "failed":
            st.caption(f":material/info: The projects cannot be listed now: {escaped(task.message)}")
        changes["poll_seconds"] = _every("Poll for changes every", POLLS, source.config.get("poll_seconds", 30))
        changes["rescan_seconds"] = _every("Full rescan every", RESCANS, source.config.get("rescan_seconds", 900))
        changes |= jira_view.option_fields("jira_settings", source.config)
        if st.form_submit_button("Save and sync", type="primary"):
            _save(
                tools, source, changes, None, f"The settings of “{source.name}” are saved. The source is syncing with them now."
            )


def _listing(tools: Tools, source: Source) -> BackgroundTask[list[tuple[str, str]]]:
    tasks: dict[str, BackgroundTask[list[tuple[str, str]]]] = st.session_state.setdefault(LISTED, {})
    if source.id not in tasks or tasks[source.id].state in ("failed", "cancelled"):
        tasks[source.id] = BackgroundTask(lambda task: _projects(tools, source, task))
    tasks[source.id].ended.wait(WAIT_SECONDS)
    return tasks[source.id]


def _projects(tools: Tools, source: Source, task: BackgroundTask[Any]) -> list[tuple[str, str]]:
    config = {**source.config, "projects": [], "jql": EVERYTHING}
    opened = open_connector(tools.workspace.home, source.kind, config, tools.sources.secrets(source))
    with closing(task.closes_on_cancel(opened)) as connector:
        projects: list[tuple[str, str]] = connector.projects()  # type: ignore[attr-defined]  # a JiraConnector
        return projects


def _every(label: str, choices: Mapping[float, str], now: float) -> float:
    known = {**choices, now: choices.get(now, f"{now:g} seconds")}
    return st.selectbox(label, sorted(known), sorted(known).index(now), format_func=known.__getitem__)


# ---------------------------------------------------------------- the token


def _token(tools: Tools, source: Source) -> None:
    st.caption("A token is saved. It is encrypted with a key outside the database and is never shown.")
    with st.form("jira_new", border=False):
        auth = jira_view.kind_field("jira_new", str(source.config.get("auth", "token")))
        email = jira_view.email_field("jira_new", str(source.config.get("email", "")))
        token = jira_view.token_field("jira_new", "New token")
        is_sent = st.form_submit_button("Save and sync", type="primary", key="jira_new_save")
    if is_sent:
        if not token:
            st.error("Paste the new token first.", icon=":material/error:")
            return
        try:
            secrets = tools.sources.secrets(source)
        except StoreError:
            secrets = {}  # what cannot be read any more is replaced
        words = f"The new token of “{source.name}” is saved. It is tested now; the card below shows the result."
        _save(tools, source, {"auth": auth, "email": email if auth != "pat" else ""}, {**secrets, "token": token}, words)


def _save(tools: Tools, source: Source, changes: Mapping[str, Any], secrets: Mapping[str, Any] | None, words: str) -> None:
    """Saves what the connector takes, and leaves the dialog; otherwise says what is wrong."""
    try:
        config = jira_view.checked({**source.config, **changes})
        used = tools.sources.secrets(source) if secrets is None else secrets
        with closing(open_connector(tools.workspace.home, source.kind, config, used)):
            tools.admin.configure_source(source.id, config, secrets)
    except (ConnectorError, StoreError) as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    st.session_state.get(LISTED, {}).pop(source.id, None)
    notices.say(words)
    st.rerun()
