"""Sources: what the tree is made from, how each of them stands, and how another one is added."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from connectors.base import Check, ConnectorError
from connectors.folder import FolderConfig
from ingestion.connection import open_connector
from tree.database import StoreError
from tree.models import Source, Tombstone
from ui import pages, source_view, uploads
from ui.markup import escaped
from ui.tools import SAMPLE, SAMPLE_NAME, Tools

BUSY_SECONDS, CALM_SECONDS = 1, 5  # between two looks at how the sources stand
CHECK_SECONDS = 15  # that somebody waits for a test
ROWS = 25  # of a table at once
NEW_UPLOAD = "A new source"
SAID, DIALOG, TESTED, LOOKED = "sources_said", "sources_dialog", "sources_tested", "sources_looked"  # in the session


def page(tools: Tools) -> None:
    st.title("Sources")
    _say_what_happened()
    sources = tools.sources.all()
    has_sample = any(source.config.get("path") == str(SAMPLE) for source in sources)
    if sources:
        with st.expander("Add a source", icon=":material/add:", key="adding"):
            _add(tools)
        busy = _is_any_busy(sources)
        st.fragment(_cards, run_every=BUSY_SECONDS if busy else CALM_SECONDS)(tools, busy, [source.id for source in sources])
        if not has_sample:
            _offer_sample(tools, is_first=False)
    else:
        st.markdown(
            "Nothing is connected yet. Add a folder or some PDFs below, and you can ask about them as soon as the first are read."
        )
        _offer_sample(tools, is_first=True)
        st.subheader("Add a source")
        _add(tools)
    _open_dialog(tools)


def _say_what_happened() -> None:
    """What a click led to is told at the top of the next page, once."""
    for tone, words in st.session_state.pop(SAID, []):
        (st.success if tone == "good" else st.error)(
            escaped(words), icon=":material/check_circle:" if tone == "good" else ":material/error:"
        )


def _say(words: str, tone: str = "good") -> None:
    st.session_state.setdefault(SAID, []).append((tone, words))


def _is_any_busy(sources: Sequence[Source]) -> bool:
    return any(source_view.is_busy(source) for source in sources)


# ---------------------------------------------------------------- the sources there are


def _cards(tools: Tools, was_busy: bool, shown: list[str]) -> None:
    """Draws itself again and again, faster while something is going on."""
    sources = tools.sources.all()
    for source in sources:
        _card(tools, source)
    if _is_any_busy(sources) != was_busy or [source.id for source in sources] != shown:
        st.rerun()


def _card(tools: Tools, source: Source) -> None:
    now = time.time()
    withheld = tools.sources.withheld(source.id)
    state = source_view.told(source, now, _time_left(source, now), len(withheld))
    with st.container(border=True, key=f"source_{source.id}"):
        kind, icon = _kind(tools, source)
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
            st.markdown(f"#### {icon} {escaped(source.name)}", width="content")
            st.badge(state.label, icon=state.icon, color=state.tone)
        st.caption(f"{kind} · {_place(tools, source)}")
        st.markdown(escaped(state.sentence))
        if state.share is not None:
            st.progress(state.share)
        if state.to_do:
            _advise(state)
        found = source_view.counts(tools.workspace.store, source)
        changed = f" · last change {source_view.ago(now - source.changed_at)}" if source.changed_at else ""
        st.caption(source_view.counts_in_words(found) + changed)
        _withheld(tools, source, withheld)
        _unreadable(tools, source, found["partly"])
        _actions(tools, source)


def _kind(tools: Tools, source: Source) -> tuple[str, str]:
    if uploads.is_upload(tools.workspace.home, source):
        return "Uploaded files", ":material/upload_file:"
    return source_view.KINDS.get(source.kind, (source.kind, ":material/database:"))


def _place(tools: Tools, source: Source) -> str:
    if uploads.is_upload(tools.workspace.home, source):
        return "kept by this app"
    if source.config.get("path") == str(SAMPLE):
        return "comes with this app"
    return escaped(str(source.config.get("path", "")))


def _advise(state: source_view.Told) -> None:
    if state.tone == "red":
        st.error(escaped(state.to_do))
    elif state.tone == "orange":
        st.warning(escaped(state.to_do))
    else:
        st.caption(escaped(state.to_do))


def _time_left(source: Source, now: float) -> float | None:
    """Going by the progress that this page has seen."""
    looked: dict[str, tuple[float, int]] = st.session_state.setdefault(LOOKED, {})
    if source.state != "syncing":
        looked.pop(source.id, None)
        return None
    if source.id not in looked or looked[source.id][1] > source.done:
        looked[source.id] = (now, source.done)
    return source_view.time_left(source, looked[source.id], now)


def _actions(tools: Tools, source: Source) -> None:
    with st.container(horizontal=True, gap="small"):
        waits = source.requested_at is not None or source.state == "syncing"
        st.button(
            "Sync now", icon=":material/sync:", key=f"sync_{source.id}", disabled=source.paused or waits,
            help="Looks at everything in it now. Changes are noticed by themselves as well.", on_click=_try, args=(tools.sources.request_sync, source.id),
        )  # fmt: skip
        words, icon = ("Resume", ":material/play_arrow:") if source.paused else ("Pause", ":material/pause:")
        st.button(
            words, icon=icon, key=f"pause_{source.id}", on_click=_try, args=(tools.sources.pause, source.id, not source.paused)
        )
        if st.button("Settings", icon=":material/tune:", key=f"settings_{source.id}"):
            _ask_for("settings", source)
        if st.button("Remove", icon=":material/delete:", key=f"remove_{source.id}"):
            _ask_for("remove", source)
        if source_view.counts(tools.workspace.store, source)["documents"]:
            st.page_link(pages.tree(), label="See its tree", icon=":material/account_tree:", query_params={"at": f"{source.id}/"})


def _try(action: Callable[..., object], *arguments: object) -> None:
    try:
        action(*arguments)
    except StoreError as error:
        _say(str(error), "bad")


def _ask_for(what: str, source: Source) -> None:
    st.session_state[DIALOG] = (what, source.id)
    st.rerun()


# ---------------------------------------------------------------- what could not be read


def _unreadable(tools: Tools, source: Source, partly: int) -> None:
    number = tools.workspace.store.count_failures([source.id])
    if number:
        with st.expander(
            source_view.counted(number, "document could not be read", "documents could not be read"),
            icon=":material/report:", key=f"failures_{source.id}", on_change="rerun",
        ) as box:  # fmt: skip
            if box.open:
                failures = tools.sources.failures(source.id)
                st.caption("They are not in the tree and no answer uses them. Each is read again by itself when it changes.")
                st.html(source_view.failures_table(_page_of(failures, f"failures_page_{source.id}")))
                _again(tools, source, [failure.document_id for failure in failures], f"again_{source.id}")
    if partly:
        with st.expander(
            source_view.counted(partly, "document was read only in part", "documents were read only in part"),
            icon=":material/rule:", key=f"partly_{source.id}", on_change="rerun",
        ) as box:  # fmt: skip
            if box.open:
                documents = tools.workspace.store.documents_with_problems(source.id)
                st.caption("What could be read of them is in the tree. This is what is missing.")
                st.html(source_view.problems_table(_page_of(documents, f"partly_page_{source.id}")))
                _again(tools, source, [document["id"] for document in documents], f"again_partly_{source.id}")


def _again(tools: Tools, source: Source, ids: list[str], key: str) -> None:
    st.button(
        "Try again",
        icon=":material/refresh:",
        key=key,
        disabled=source.paused,
        on_click=_try,
        args=(tools.sources.read_again, source.id, ids),
    )


def _page_of(rows: Sequence[Any], key: str) -> Sequence[Any]:
    """The rows to show, with a control for the others where there are many."""
    if len(rows) <= ROWS:
        return rows
    number = st.pagination(-(-len(rows) // ROWS), key=key)
    return rows[(number - 1) * ROWS : number * ROWS]


def _natural(text: str) -> list[tuple[int, str]]:
    """Sorts page-2 before page-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,18})", text)]


def _withheld(tools: Tools, source: Source, missing: Sequence[Tombstone]) -> None:
    if not missing:
        return
    with st.container(border=True, key=f"withheld_{source.id}"):
        number = source_view.counted(len(missing), "document", "documents")
        st.markdown(f":material/help: **{number} went missing at once.**")
        st.markdown(
            "So many at once look like a fault: a drive that is not connected, a folder that was renamed, a pattern in the settings. "
            "Nothing is answered from them. If they come back, they count again by themselves."
        )
        with st.expander("Which ones", key=f"which_{source.id}", on_change="rerun") as box:
            if box.open:
                names = sorted(((gone.document_id, gone.title) for gone in missing), key=lambda name: _natural(name[0]))
                st.html(source_view.names_table(_page_of(names, f"which_page_{source.id}")))
        with st.container(horizontal=True, gap="small"):
            st.button(
                "They are really gone", icon=":material/delete_sweep:", key=f"approve_{source.id}",
                on_click=_try, args=(tools.sources.decide, source.id),
            )  # fmt: skip
            st.button(
                "Look again", icon=":material/refresh:", key=f"look_{source.id}",
                on_click=_try, args=(tools.sources.request_sync, source.id),
            )  # fmt: skip


# ---------------------------------------------------------------- dialogs


def _open_dialog(tools: Tools) -> None:
    """Opened by the page and not by a card, which draws itself again and would close it."""
    what, source_id = st.session_state.pop(DIALOG, ("", ""))
    source = next((source for source in tools.sources.all() if source.id == source_id), None)
    if source is None:
        return
    if what == "remove":
        st.dialog("Remove this source?", icon=":material/delete:")(_confirm_removal)(tools, source)
    elif what == "settings":
        st.dialog("Settings", position="right", width="medium", icon=":material/tune:")(_settings)(tools, source)


def _confirm_removal(tools: Tools, source: Source) -> None:
    found = source_view.counts(tools.workspace.store, source)
    read = source_view.counted(found["documents"], "document", "documents")
    st.markdown(
        f"**{escaped(source.name)}** leaves the tree, with everything that was read from it: {read}, with summaries and earlier versions."
    )
    if uploads.is_upload(tools.workspace.home, source):
        st.markdown("The uploaded files are deleted too, because this app holds the only copy it knows of.")
    else:
        st.markdown("The files themselves stay where they are.")
    st.markdown("Answers given before stay in your chats, but their citations no longer open. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button(
            "Remove", type="primary", icon=":material/delete:", key="remove_confirmed", on_click=_remove, args=(tools, source)
        ):
            st.rerun()
        if st.button("Keep it", key="remove_cancelled"):
            st.rerun()


def _remove(tools: Tools, source: Source) -> None:
    try:
        tools.sources.mark_removing(source.id)
    except StoreError as error:
        _say(str(error), "bad")
        return
    uploads.delete(tools.workspace.home, source)
    _say(f"“{source.name}” is removed. What was read from it is being deleted.")


def _settings(tools: Tools, source: Source) -> None:
    st.markdown(f"**{escaped(source.name)}** · {_place(tools, source)}")
    saved = _passwords(tools, source)
    with st.form("settings", border=False):
        changes = _pattern_fields("settings", source.config, source.kind)
        hidden = st.checkbox("Read hidden files too (names that begin with a dot)", bool(source.config.get("hidden", False)))
        largest = st.number_input(
            "Largest file to read, in megabytes",
            1.0,
            2_000.0,
            float(source.config.get("max_file_megabytes", 100)),
            50.0,
            format="%.0f",
        )
        changes |= {"hidden": hidden, "max_file_megabytes": largest}
        if "polling" in FolderConfig.model_fields:
            changes["polling"] = _polling_field(source)
        secrets: Mapping[str, str] | None = None
        forget, password = False, ""
        if source.kind == "pdf":
            changes |= _recognition_fields("settings", source.config)
            words = (
                f"{source_view.counted(len(saved), 'password is', 'passwords are')} saved; they are never shown." if saved else ""
            )
            password = st.text_input("Another password for locked PDFs", type="password", autocomplete="off", help=words or None)
            if saved:
                forget = st.checkbox(f"Forget the {source_view.counted(len(saved), 'saved password', 'saved passwords')}")
        if st.form_submit_button("Save and sync", type="primary"):
            if password or forget:
                secrets = {"passwords": "\n".join([*([] if forget else saved), *([password] if password else [])])}
            if (error := _configure(tools, source, changes, secrets)) is None:
                _say(f"The settings of “{source.name}” are saved. It is read with them now.")
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
        name: value for name, value in {**source.config, **changes}.items() if name in source.config or value != _default(name)
    }
    try:
        _close(open_connector(tools.workspace.home, source.kind, config, secrets))
        tools.sources.configure(source.id, config, secrets)
    except (ConnectorError, StoreError) as error:
        return str(error)
    return None


def _default(name: str) -> object:
    field = FolderConfig.model_fields.get(name)
    default = field.default if field else None
    return list(default) if isinstance(default, tuple) else default if field else {"ocr": False, "ocr_language": ""}.get(name)


def _polling_field(source: Source) -> object:
    choices: dict[object, str] = {
        "auto": "By themselves: the system reports them, network drives are looked through",
        True: "Look through it again and again (for drives that report nothing)",
        False: "Only what the system reports",
    }
    now = source.config.get("polling", "auto")
    return st.selectbox(
        "How changes are noticed",
        list(choices),
        list(choices).index(now) if now in choices else 0,
        format_func=choices.__getitem__,
    )


def _pattern_fields(key: str, config: Mapping[str, Any], kind: str) -> dict[str, list[str]]:
    help_text = "One pattern per line, as in a .gitignore file: *.md · drafts/ · /reports/**/*.pdf"
    # a PDF source reads PDFs whatever is said here, so its own patterns are not shown
    included = config.get("include", [])
    fields: dict[str, list[str]] = {}
    if kind != "pdf":
        text = st.text_area(
            "Read only", "\n".join(included), placeholder="everything", help=help_text, key=f"{key}_include", height=80
        )
        fields["include"] = _lines(text)
    excluded = config.get("exclude", _default("exclude"))
    fields["exclude"] = _lines(
        st.text_area("Leave out", "\n".join(excluded), placeholder="nothing", help=help_text, key=f"{key}_exclude", height=80)
    )
    return fields


def _lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def _recognition_fields(key: str, config: Mapping[str, Any]) -> dict[str, Any]:
    on = st.checkbox(
        "Recognise the text of scanned pages (slow; needs tesseract on this machine)",
        bool(config.get("ocr", False)),
        key=f"{key}_ocr",
    )
    language = st.text_input(
        "Their language", str(config.get("ocr_language", "")), placeholder="eng, deu+fra …", key=f"{key}_language",
        help="As tesseract names languages. Empty: what tesseract takes by itself.",
    )  # fmt: skip
    return {"ocr": on, "ocr_language": (language or "").strip()}


# ---------------------------------------------------------------- adding


def _offer_sample(tools: Tools, is_first: bool) -> None:
    if not SAMPLE.is_dir():
        return
    with st.container(border=True):
        lead = "**No documents at hand?** " if is_first else ""
        st.markdown(f"{lead}The sample workspace is half a year of a small team's decisions, minutes, runbooks and PDFs.")
        st.button(
            "Try the sample workspace", icon=":material/science:", type="primary" if is_first else "secondary", key="sample",
            on_click=_add_source, args=(tools, "folder", SAMPLE_NAME, {"path": str(SAMPLE)}, {}),
        )  # fmt: skip


def _add(tools: Tools) -> None:
    folder, pdfs, upload = st.tabs(["Folder", "PDFs", "Upload files"])
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
    with upload:
        _add_uploads(tools)


def _add_by_path(tools: Tools, kind: str) -> None:
    label = "Path of the folder" if kind == "folder" else "Path of the PDF, or of a folder with PDFs"
    written = st.text_input(
        label, key=f"{kind}_path", placeholder="/home/you/documents" if kind == "folder" else "/home/you/papers", autocomplete="off",
        help="On the machine this app runs on. ~ is your home folder there.",
    )  # fmt: skip
    path = read_path(written or "")
    name = st.text_input("Name", key=f"{kind}_name", placeholder=path.name if path else "the name of the folder", max_chars=80)
    config: dict[str, Any] = {"path": str(path)} if path else {}
    secrets: dict[str, str] = {}
    with st.expander("Patterns and more" if kind == "folder" else "Passwords, scanned pages and more", icon=":material/tune:"):
        if kind == "pdf":
            password = st.text_input(
                "Password for locked PDFs",
                type="password",
                key="pdf_password",
                autocomplete="off",
                help="You can add more of them in the settings later. Saved encrypted, never shown.",
            )
            secrets = {"passwords": password} if password else {}
            config |= {name: value for name, value in _recognition_fields("pdf", {}).items() if value}
        patterns = _pattern_fields(kind, {}, kind)
        config |= {name: value for name, value in patterns.items() if value != _default(name)}
        if st.checkbox("Read hidden files too (names that begin with a dot)", key=f"{kind}_hidden"):
            config["hidden"] = True
    with st.container(horizontal=True):
        is_tested = st.button("Test", icon=":material/network_check:", key=f"{kind}_test")
        is_added = st.button("Add", icon=":material/add:", type="primary", key=f"{kind}_add")
    snapshot = (kind, repr(sorted(config.items())), bool(secrets))
    if is_tested or is_added:
        with st.spinner("Looking at it …"):
            verdict = _test(tools, kind, written or "", config, secrets)
        st.session_state[TESTED] = (snapshot, verdict)
        if is_added and not isinstance(verdict, str) and path is not None:
            _add_source(tools, kind, (name or "").strip() or path.name or str(path), config, secrets)
            st.session_state.pop(TESTED)
            st.rerun()
    tested, verdict = st.session_state.get(TESTED, (None, None))
    if tested == snapshot:
        _show_verdict(verdict)


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
    """What the connector sees, a sentence when it cannot be added, None when looking takes too long."""
    if not written.strip():
        return "Type the path first."
    if "path" not in config:
        return "Give the whole path, from the top: it begins with / (or with ~ for your home folder)."
    path = Path(config["path"])
    for source in tools.sources.all():
        if source.kind == kind and source.config.get("path") == str(path):
            return f"This path is already the source “{source.name}”."
    return _check(tools.workspace.home, kind, config, secrets)


def _check(home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, str]) -> Check | str | None:
    """Counting a whole disk can take minutes: nobody waits longer than a few seconds for it."""
    found: list[Check | str] = []

    def look() -> None:
        try:
            connector = open_connector(home, kind, config, secrets)
            try:
                found.append(connector.check())
            finally:
                _close(connector)
        except (ConnectorError, OSError) as error:
            found.append(str(error))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(CHECK_SECONDS)
    return found[0] if found else None


def _close(connector: object) -> None:
    if hasattr(connector, "close"):
        connector.close()


def _show_verdict(verdict: Check | str | None) -> None:
    if isinstance(verdict, str):
        st.error(escaped(verdict), icon=":material/error:")
    elif verdict is None:
        st.warning(
            "There is so much in it that counting takes long. You can add it all the same; a pattern makes it smaller.",
            icon=":material/hourglass_top:",
        )
    elif verdict.documents == 0:
        st.warning(
            f"{escaped(verdict.message)} There is nothing to read yet; what is put there later is read then.",
            icon=":material/folder_off:",
        )
    else:
        st.success(escaped(verdict.message), icon=":material/check_circle:")
        if verdict.sample:
            st.caption("For example: " + escaped(" · ".join(verdict.sample)))


def _add_source(tools: Tools, kind: str, name: str, config: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
    try:
        source = tools.sources.add(kind, name, config, secrets)
    except StoreError as error:
        _say(str(error), "bad")
        return
    _say(f"“{source.name}” is added. It is being read now; you can ask as soon as the first documents are in.")
    for field in ("path", "name"):
        st.session_state.pop(f"{kind}_{field}", None)


def _add_uploads(tools: Tools) -> None:
    home = tools.workspace.home
    existing = {source.name: source for source in tools.sources.all() if uploads.is_upload(home, source)}
    st.caption(
        f"The app keeps a copy of them in its data folder. At most {uploads.MEGABYTES} megabytes for each file; for more, or for a whole "
        "folder that goes on changing, give its path instead."
    )
    round_ = st.session_state.setdefault("upload_round", 0)  # another key is an empty uploader
    files = st.file_uploader(
        "Files and PDFs",
        accept_multiple_files=True,
        max_upload_size=uploads.MEGABYTES,
        key=f"upload_{round_}",
        label_visibility="collapsed",
    )
    target = st.selectbox("Into", [NEW_UPLOAD, *existing], key="upload_into") if existing else NEW_UPLOAD
    name = ""
    if target == NEW_UPLOAD:
        name = st.text_input("Name", key="upload_name", placeholder="Uploaded files", max_chars=80)
    else:
        st.caption("A file of the same name replaces the earlier one.")
    if st.button("Add these files", icon=":material/add:", type="primary", key="upload", disabled=not files):
        if _upload(tools, existing.get(target), name.strip() or _free_name(tools), files or []):
            st.session_state["upload_round"] = round_ + 1
        st.rerun()


def _free_name(tools: Tools) -> str:
    taken = {source.name for source in tools.sources.all()}
    return next(
        name for number in range(1, 10_000) if (name := "Uploaded files" + (f" {number}" if number > 1 else "")) not in taken
    )


def _upload(tools: Tools, source: Source | None, name: str, files: Sequence[Any]) -> bool:
    home = tools.workspace.home
    folder = None
    try:
        if source is None:
            if any(known.name.casefold() == name.casefold() for known in tools.sources.all()):
                raise StoreError(f"There is already a source called “{name}”. Choose another name.")
            folder = uploads.make_folder(home, name)
            saved = uploads.save(folder, files)
            source = tools.sources.add("folder", name, {"path": str(folder)})
        else:
            saved = uploads.save(Path(source.config["path"]), files)
            tools.sources.request_sync(source.id)
    except StoreError as error:
        if folder is not None:
            uploads.discard(folder)
        _say(str(error), "bad")
        return False
    _say(f"{source_view.counted(len(saved), 'file is', 'files are')} uploaded to “{source.name}” and being read now.")
    return True
