"""A link that was made just now: shown until its dialog is closed, and never again."""

from __future__ import annotations

import streamlit as st

from ui.shared.address import app_address
from ui.shared.urls import is_this_machine

MADE = "admin_link"  # in the session: what it is for, and its token


def keep_link(about: str, token: str) -> None:
    """`about` says for whom it is: another dialog does not show it."""
    st.session_state[MADE] = (about, token)


def forget_link() -> None:
    st.session_state.pop(MADE, None)


def link_of(about: str) -> str:
    """The whole address; empty where none was made."""
    made_for, token = st.session_state.get(MADE, ("", ""))
    return f"{app_address(st.context.url or '')}/link/{token}" if token and made_for == about else ""


def show_link(link: str, seconds: float) -> None:
    st.code(link, language=None, wrap_lines=True)
    days = round(seconds / 86_400)
    st.caption(
        f"It works once, for {'a day' if days == 1 else f'{days} days'}. Copy it now and send it yourself: it is not shown again, "
        "and the app sends no e-mail."
    )
    if is_this_machine(link):
        st.caption(
            ":material/info: This address works on this machine alone. For others, open the app by its name in the network first."
        )
