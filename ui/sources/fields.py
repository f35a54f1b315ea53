"""What can be set of a folder or of PDFs: the same fields where one is added and in its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from connectors.folder import FolderConfig
from tree.store.models import Source

ADDED = "sources_added"  # in the session: the kind of source that was added by the click before
FORM = "adding"  # and whether the form for another one is open


def begin_anew() -> None:
    """To be called before the form is drawn: once a source was added it is closed and empty, and the new source is in sight.

    What is only taken out of the session, the browser would send again.
    """
    if (kind := st.session_state.pop(ADDED, None)) is None:
        return
    st.session_state[FORM] = False
    for field in (f"{kind}_path", f"{kind}_name"):
        if field in st.session_state:
            st.session_state[field] = ""


def pattern_fields(key: str, config: Mapping[str, Any], kind: str) -> dict[str, list[str]]:
    help_text = "One pattern per line, as in a .gitignore file: *.md · drafts/ · /reports/**/*.pdf"
    # a PDF source reads PDFs whatever is said here, so its own patterns are not shown
    included = config.get("include", [])
    fields: dict[str, list[str]] = {}
    if kind != "pdf":
        text = st.text_area(
            "Include", "\n".join(included), placeholder="everything", help=help_text, key=f"{key}_include", height=80
        )
        fields["include"] = _lines(text)
    excluded = config.get("exclude", default("exclude"))
    fields["exclude"] = _lines(
        st.text_area("Exclude", "\n".join(excluded), placeholder="nothing", help=help_text, key=f"{key}_exclude", height=80)
    )
    return fields


def published_field(key: str, config: Mapping[str, Any]) -> str:
    written = st.text_input(
        "Web address of the files", str(config.get("published_at", "")), placeholder="https://docs.example.org/{page}/", key=f"{key}_published_at",
        autocomplete="off", help="Where the files can be opened in a browser, if they can: citations lead there, and links to such addresses are followed. "
        "{path} stands for a file's path, {page} for the path without its ending; without either, the path is appended.",
    )  # fmt: skip
    return (written or "").strip()


def recognition_fields(key: str, config: Mapping[str, Any]) -> dict[str, Any]:
    on = st.checkbox(
        "Recognise the text of scanned pages (slow; needs tesseract on this machine)",
        bool(config.get("ocr", False)),
        key=f"{key}_ocr",
    )
    language = st.text_input(
        "Language of the scanned pages", str(config.get("ocr_language", "")), placeholder="eng, deu+fra …", key=f"{key}_language",
        help="A language code of tesseract. Empty: the default of tesseract.",
    )  # fmt: skip
    return {"ocr": on, "ocr_language": (language or "").strip()}


def polling_field(source: Source) -> object:
    choices: dict[object, str] = {
        "auto": "Automatically: events of the operating system, polling on network drives",
        True: "Polling (for drives that report no events)",
        False: "Events only",
    }
    now = source.config.get("polling", "auto")
    return st.selectbox(
        "How changes are detected",
        list(choices),
        list(choices).index(now) if now in choices else 0,
        format_func=choices.__getitem__,
    )


def default(name: str) -> object:
    field = FolderConfig.model_fields.get(name)
    default = field.default if field else None
    return list(default) if isinstance(default, tuple) else default if field else {"ocr": False, "ocr_language": ""}.get(name)


def _lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]
