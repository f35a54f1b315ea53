"""A model's file is fetched: chosen from a list or named, looked up at the host, confirmed, and drawn while it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from prompts.engine.catalogue import Model, host, named
from prompts.engine.download import Remote, look_up
from prompts.engine.memory import sized
from ui.server.engine import Download, downloads
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.admins import for_admins
from ui.shared.background_task import result_of, start
from ui.shared.dialogs import draw_again
from ui.shared.markup import escaped

REFRESH_SECONDS = 1.0
AWAITED = "model_awaited"  # in the session: the checksum of what this person has confirmed


def looked_up(key: str) -> str:
    """Where in the session stands what was asked of the host."""
    return f"{key}_looked_up"


def fetch(
    tools: Tools, key: str, models: Sequence[Model], first: Model, told: Callable[[Model], str], then: str = ""
) -> Path | None:
    """Draws how a model of a list, `first` chosen, or another of its kind is fetched.

    `then` is what the button says that the caller does with the file; it is returned once, when what this person has confirmed
    has arrived.
    """
    current = downloads.current
    if current is not None and current.remote.model.embeddings != first.embeddings:
        current = None
    if current is not None and current.state == "running":
        st.fragment(for_admins, run_every=REFRESH_SECONDS)(_progress, tools, key)
        return None
    if then and current is not None and current.state == "done" and st.session_state.get(AWAITED) == current.remote.sha256:
        del st.session_state[AWAITED]
        downloads.forget()
        return current.path
    if current is not None:
        _ended(current)
    by_title = {model.title: model for model in models}
    listed = st.selectbox(
        "Model", list(by_title), list(by_title).index(first.title), key=f"{key}_choice",
        format_func=lambda title: told(by_title[title]) if title in by_title else title,
    )  # fmt: skip
    typed = st.text_input("Or another", key=f"{key}_name", placeholder="owner/repository/file.gguf", autocomplete="off")
    chosen = typed.strip() or listed
    if st.button("Look it up", icon=":material/travel_explore:", key=f"{key}_look_up"):
        start(looked_up(key), chosen, lambda task: look_up(named(chosen, models), host()))
    notices.draw_at(looked_up(key))
    remote: Remote | None = result_of(looked_up(key), chosen, f"Asking {host()} …", f"{key}_looking")
    if remote is not None:
        _confirm(tools, key, remote, then)
    return None


def _confirm(tools: Tools, key: str, remote: Remote, then: str) -> None:
    with st.container(border=True, key=f"{key}_remote"):
        st.markdown(
            f"**{escaped(remote.file_name)}** from {escaped(remote.address)}  \n"
            f"Size: {sized(remote.size)} · Licence: {escaped(remote.licence)}  \n"
            f"SHA-256: `{remote.sha256}`"
        )
        words = f"Download {sized(remote.size)}{then}"
        if st.button(words, icon=":material/download:", type="primary", key=f"{key}_download"):
            st.session_state.pop(looked_up(key), None)
            st.session_state[AWAITED] = remote.sha256
            downloads.forget()
            notices.attempt(lambda: tools.admin.download_model(remote), at=looked_up(key))
            st.rerun()


def _progress(tools: Tools, key: str) -> None:
    current = downloads.current
    if current is None or current.state != "running":
        draw_again()
        return
    words = f"{escaped(current.remote.file_name)}: {sized(current.here)} of {sized(current.remote.size)}"
    st.progress(current.share, text=words)
    st.button("Cancel", icon=":material/close:", key=f"{key}_cancel", on_click=downloads.cancel)


def _ended(current: Download) -> None:
    if current.state == "done" and current.path is not None:
        st.success(
            f"{escaped(current.path.name)} is here, and its checksum is right. Try it below.", icon=":material/check_circle:"
        )
    elif current.state == "failed":
        st.error(escaped(current.message), icon=":material/error:")
    else:
        st.caption(escaped(current.message))
