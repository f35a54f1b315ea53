"""Which dialog of the page is asked for."""

from __future__ import annotations

import streamlit as st

from ui.admin.links import forget_link

REQUESTED = "admin_dialog"  # in the session


def request(what: str, about: str = "") -> None:
    """Opens a dialog of ui/admin/page.py; `about` is the id of a person or a group."""
    forget_link()
    st.session_state[REQUESTED] = (what, about)
    st.rerun()


def requested() -> tuple[str, str]:
    found: tuple[str, str] = st.session_state.pop(REQUESTED, ("", ""))
    return found
