"""Dialogs over pages that draw themselves again: what changes beneath an open dialog does not close it.

Streamlit closes a dialog whenever the page is drawn without it, with what somebody has typed. So whatever draws the page again
by itself asks `draw_again`, which leaves it while a dialog is open; the page is drawn when the dialog is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

IS_OPEN = "dialog_is_open"  # in the session: opened since the page was drawn last, and not closed

P = ParamSpec("P")


def page_begins() -> None:
    """Whatever was open is closed when the page is drawn."""
    st.session_state[IS_OPEN] = False


def dialog(title: str, **options: Any) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """As `st.dialog`. The page is drawn again when somebody closes it."""

    def decorated(draw: Callable[P, None]) -> Callable[P, None]:
        opened = st.dialog(title, on_dismiss="rerun", **options)(draw)

        @wraps(draw)
        def open_(*args: P.args, **named: P.kwargs) -> None:
            st.session_state[IS_OPEN] = True
            opened(*args, **named)

        return open_

    return decorated


def draw_again() -> None:
    """Draws the page again, unless somebody has a dialog open."""
    if not st.session_state.get(IS_OPEN):
        st.rerun()
