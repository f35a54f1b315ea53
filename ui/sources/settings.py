"""The dialogs of a source: its settings, and the confirmation of its removal."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import streamlit as st

from connectors.base import ConnectorError
from connectors.folder import FolderConfig
from ingestion.connection import open_connector
from ingestion.words import counted
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server import uploads
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped
from ui.sources.audience import audience_section
from ui.sources.card import place_in_words
from ui.sources.counts import counts
from ui.sources.fields import default, pattern_fields, polling_field, published_field, recognition_fields


def settings(tools: Tools, source: Source) -> None:
    """The dialog of a folder or of PDFs."""
    st.markdown(f"**{escaped(source.name)}** · {place_in_words(tools, source)}")
    reading, audience = st.tabs(["What is read", "Who may see it"])
    with reading:
        _reading(tools, source)
    with audience:
        audience_section(tools, source)


def _reading(tools: Tools, source: Source) -> None:
    saved = _passwords(tools, source)
    with st.form("settings", border=False):
        changes: dict[str, Any] = dict(pattern_fields("settings", source.config, source.kind))
        hidden = st.checkbox("Read hidden files too (names that begin with a dot)", bool(source.config.get("hidden", False)))
        largest = st.number_input(
            "Largest file to read, in megabytes",
            1.0,
            2_000.0,
            float(source.config.get("max_file_megabytes", 100)),
            50.0,
            format="%.0f",
        )
        changes |= {"hidden": hidden, "max_file_megabytes": largest, "published_at": published_field("settings", source.config)}
        if "polling" in FolderConfig.model_fields:
            changes["polling"] = polling_field(source)
        secrets: Mapping[str, str] | None = None
        forget, password = False, ""
        if source.kind == "pdf":
            changes |= recognition_fields("settings", source.config)
            words = f"{counted(len(saved), 'password is', 'passwords are')} saved; they are never shown." if saved else ""
            password = st.text_input("Another password for locked PDFs", type="password", autocomplete="off", help=words or None)
            if saved:
                forget = st.checkbox(f"Delete the {counted(len(saved), 'saved password', 'saved passwords')}")
        if st.form_submit_button("Save and sync", type="primary"):
            if password or forget:
                secrets = {"passwords": "\n".join([*([] if forget else saved), *([password] if password else [])])}
            if (error := _configure(tools, source, changes, secrets)) is None:
                notices.say(f"The settings of “{source.name}” are saved. The source is syncing with them now.")
                st.rerun()
            st.error(escaped(error))


def _passwords(tools: Tools, source: Source) -> list[str]:
    if source.kind != "pdf" or not source.secret:
        return []
    try:
        return [line for line in str(tools.sources.secrets(source).get("passwords", "")).split("\n") if line]
    except StoreError as error:
        st.error(escaped(str(error)))
        return []


def _configure(tools: Tools, source: Source, changes: Mapping[str, Any], secrets: Mapping[str, str] | None) -> str | None:
    """Saves settings that a connector takes; otherwise says what is wrong with them."""
    config = {
        name: value for name, value in {**source.config, **changes}.items() if name in source.config or value != default(name)
    }
    try:
        with closing(open_connector(tools.workspace.home, source.kind, config, secrets)):
            tools.admin.configure_source(source.id, config, secrets)
    except (ConnectorError, StoreError) as error:
        return str(error)
    return None


def confirm_removal(tools: Tools, source: Source) -> None:
    found = counts(tools.workspace.store, source)
    read = counted(found["documents"], "document", "documents")
    st.markdown(
        f"**{escaped(source.name)}** is removed from the tree with everything that was read from it: {read}, with summaries and earlier versions."
    )
    if uploads.is_upload(tools.workspace.home, source):
        st.markdown("The uploaded files are deleted too.")
    elif source.kind == "jira":
        st.markdown("Jira itself stays as it is. The token is deleted here; revoke it in Jira too if nothing else uses it.")
    else:
        st.markdown("The files themselves stay where they are.")
    st.markdown(
        "The questions asked about it stay in the chats; answers that rest on it are no longer shown. This cannot be undone."
    )
    with st.container(horizontal=True):
        if st.button(
            "Remove", type="primary", icon=":material/delete:", key="remove_confirmed", on_click=_remove, args=(tools, source)
        ):
            st.rerun()
        if st.button("Cancel", key="remove_cancelled"):
            st.rerun()


def _remove(tools: Tools, source: Source) -> None:
    try:
        tools.admin.remove_source(source.id)
    except StoreError as error:
        notices.say(str(error), "bad", at=source.id)
        return
    uploads.delete(tools.workspace.home, source)
    notices.say(f"“{source.name}” is removed. What was read from it is being deleted.")
