"""Adding a source: the sample, a folder, PDFs, uploaded files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from connectors.base import Check, ConnectorError
from ingestion.connection import check_aside
from ingestion.words import counted
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server import uploads
from ui.server.tools import SAMPLE, SAMPLE_NAME, Tools
from ui.shared import notices
from ui.shared.markup import escaped
from ui.sources import jira_adding
from ui.sources.audience import TO_DO, audience_fields
from ui.sources.fields import ADDED, default, pattern_fields, published_field, recognition_fields

TEST_SECONDS = 15  # that somebody waits for a test
NEW_UPLOAD = "A new source"
TESTED = "sources_tested"  # in the session


def add(tools: Tools) -> None:
    folder, pdfs, jira, upload = st.tabs(["Folder", "PDFs", "Jira", "Upload files"])
    with folder:
        st.caption(
            "Every document in it and below is read: Markdown, Word, PDF, web pages, tables, mail, code and more. It is watched for changes."
        )
        _add_by_path(tools, "folder")
    with pdfs:
        st.caption(
            "A single PDF, or all PDFs in a folder and below. Here you can give passwords and have scanned pages recognised."
        )
        _add_by_path(tools, "pdf")
    with jira:
        jira_adding.add(tools)
    with upload:
        _add_uploads(tools)


def offer_sample(tools: Tools, is_first: bool) -> None:
    if not SAMPLE.is_dir():
        return
    with st.container(border=True):
        lead = "**No documents at hand?** " if is_first else ""
        st.markdown(f"{lead}The sample workspace is half a year of a small team's decisions, minutes, runbooks and PDFs.")
        st.button(
            "Try the sample workspace", icon=":material/science:", type="primary" if is_first else "secondary", key="sample",
            on_click=_add_source, args=(tools, "sample", "folder", SAMPLE_NAME, {"path": str(SAMPLE)}, {}),
        )  # fmt: skip
        notices.draw_at("sample")


def _add_by_path(tools: Tools, kind: str) -> None:
    label = "Path of the folder" if kind == "folder" else "Path of the PDF, or of a folder with PDFs"
    written = st.text_input(
        label, key=f"{kind}_path", placeholder="/home/you/documents" if kind == "folder" else "/home/you/papers", autocomplete="off",
        help="On the machine this app runs on. ~ is your home folder there.",
    )  # fmt: skip
    path = read_path(written or "")
    name = st.text_input("Name", key=f"{kind}_name", placeholder=path.name if path else "the name of the folder", max_chars=80)
    audience = audience_fields(tools, kind)
    config: dict[str, Any] = {"path": str(path)} if path else {}
    secrets: dict[str, str] = {}
    with st.expander("Patterns and more" if kind == "folder" else "Passwords, scanned pages and more", icon=":material/tune:"):
        if kind == "pdf":
            password = st.text_input(
                "Password for locked PDFs",
                type="password",
                key="pdf_password",
                autocomplete="off",
                live="300ms",  # outside a form, what is left with Tab would not be sent otherwise
                help="You can add more of them in the settings later. Saved encrypted, never shown.",
            )
            secrets = {"passwords": password} if password else {}
            config |= {name: value for name, value in recognition_fields("pdf", {}).items() if value}
        patterns = pattern_fields(kind, {}, kind)
        config |= {name: value for name, value in patterns.items() if value != default(name)}
        if st.checkbox("Read hidden files too (names that begin with a dot)", key=f"{kind}_hidden"):
            config["hidden"] = True
        if published_at := published_field(kind, {}):
            config["published_at"] = published_at
    with st.container(horizontal=True):
        is_tested = st.button("Test", icon=":material/network_check:", key=f"{kind}_test")
        is_added = st.button("Add", icon=":material/add:", type="primary", key=f"{kind}_add")
    snapshot = (kind, repr(sorted(config.items())), bool(secrets))
    if is_tested or is_added:
        with st.spinner("Checking …"):
            finding = TO_DO if audience == [] and is_added else _test(tools, kind, written or "", config, secrets)
        st.session_state[TESTED] = (snapshot, finding)
        if is_added and not isinstance(finding, str) and path is not None:
            _add_source(tools, f"{kind}_add", kind, (name or "").strip() or path.name or str(path), config, secrets, audience)
            st.session_state.pop(TESTED)
            st.rerun()
    notices.draw_at(f"{kind}_add")
    tested, finding = st.session_state.get(TESTED, (None, None))
    if tested == snapshot:
        _show_finding(finding)


def read_path(written: str) -> Path | None:
    """The whole path that somebody means; None for one that is empty or not whole."""
    written = written.strip().strip("\"'").strip()
    if not written or "\0" in written:
        return None
    try:
        path = Path(written).expanduser()
    except RuntimeError:
        return None
    return Path(*path.resolve().parts) if path.is_absolute() else None


def _test(tools: Tools, kind: str, written: str, config: Mapping[str, Any], secrets: Mapping[str, str]) -> Check | str | None:
    """What the connector finds, a sentence when it cannot be added, None when counting takes too long."""
    if not written.strip():
        return "Enter the path first."
    if "path" not in config:
        return "Enter the full path: it begins with / (or with ~ for your home folder)."
    path = Path(config["path"])
    for source in tools.sources.all():
        if source.kind == kind and source.config.get("path") == str(path):
            return f"This path is already the source “{source.name}”."
    try:
        return check_aside(tools.workspace.home, kind, config, secrets, TEST_SECONDS)
    except (ConnectorError, OSError) as error:
        return str(error)


def _show_finding(finding: Check | str | None) -> None:
    if isinstance(finding, str):
        st.error(escaped(finding), icon=":material/error:")
    elif finding is None:
        st.warning(
            "It holds so many files that counting them takes long. You can add it all the same, or exclude some with a pattern.",
            icon=":material/hourglass_top:",
        )
    elif finding.documents == 0:
        st.warning(
            f"{escaped(finding.message)} There is nothing to read yet. Documents are read as soon as they are put there.",
            icon=":material/folder_off:",
        )
    else:
        if finding.warning:
            st.warning(escaped(finding.warning), icon=":material/gpp_maybe:")
        st.success(escaped(finding.message), icon=":material/check_circle:")
        if finding.sample:
            st.caption("For example: " + escaped(" · ".join(finding.sample)))


def _add_source(tools: Tools, at: str, kind: str, name: str, config: Mapping[str, Any], secrets: Mapping[str, str],
                audience: Sequence[str] | None = None) -> None:  # fmt: skip
    """`at` is the place of what was clicked."""
    try:
        source = tools.admin.add_source(kind, name, config, secrets, audience)
    except StoreError as error:
        notices.say(str(error), "bad", at=at)
        return
    notices.say(f"“{source.name}” is added and syncing now. You can ask as soon as the first documents are read.")
    st.session_state[ADDED] = kind


def _add_uploads(tools: Tools) -> None:
    home = tools.workspace.home
    existing = {source.name: source for source in tools.sources.all() if uploads.is_upload(home, source)}
    st.caption(
        f"The app keeps a copy of them in its data folder, at most {uploads.MEGABYTES} megabytes for each file. For larger files, or for "
        "a folder that changes, add its path instead."
    )
    round_ = st.session_state.setdefault("upload_round", 0)  # another key is an empty uploader
    files = st.file_uploader(
        "Files and PDFs",
        accept_multiple_files=True,
        max_upload_size=uploads.MEGABYTES,
        key=f"upload_{round_}",
        label_visibility="collapsed",
    )
    target = st.selectbox("Add to", [NEW_UPLOAD, *existing], key="upload_into") if existing else NEW_UPLOAD
    name, audience = "", None
    if target == NEW_UPLOAD:
        name = st.text_input("Name", key="upload_name", placeholder="Uploaded files", max_chars=80)
        audience = audience_fields(tools, "upload")
    else:
        st.caption("A file of the same name replaces the earlier one.")
    if st.button("Add these files", icon=":material/add:", type="primary", key="upload", disabled=not files):
        if audience == []:
            st.error(TO_DO, icon=":material/error:")
            return
        if _upload(tools, existing.get(target), name.strip() or _free_name(tools), files or [], audience):
            st.session_state["upload_round"] = round_ + 1
        st.rerun()
    notices.draw_at("upload")


def _free_name(tools: Tools) -> str:
    taken = {source.name for source in tools.sources.all()}
    return next(
        name for number in range(1, 10_000) if (name := "Uploaded files" + (f" {number}" if number > 1 else "")) not in taken
    )


def _upload(tools: Tools, source: Source | None, name: str, files: Sequence[Any], audience: Sequence[str] | None) -> bool:
    home = tools.workspace.home
    folder = None
    try:
        tools.admin.check()  # before anything is written
        if source is None:
            if any(known.name.casefold() == name.casefold() for known in tools.sources.all()):
                raise StoreError(f"There is already a source called “{name}”. Choose another name.")
            folder = uploads.make_folder(home, name)
            saved = uploads.save(folder, files)
            source = tools.admin.add_source("folder", name, {"path": str(folder)}, None, audience)
        else:
            saved = uploads.save(Path(source.config["path"]), files)
            tools.admin.request_sync(source.id)
    except StoreError as error:
        if folder is not None:
            uploads.discard(folder)
        notices.say(str(error), "bad", at="upload")
        return False
    st.session_state[ADDED] = "upload"
    notices.say(f"{counted(len(saved), 'file is', 'files are')} uploaded to “{source.name}”, which is syncing now.")
    return True
