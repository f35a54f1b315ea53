"""Which dialog is asked for, and what holds for each part of the page that draws itself without the page around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import streamlit as st

from tree.store.database import StoreError
from ui.admin.links import forget_link
from ui.server.tools import Tools
from ui.shared.markup import escaped

REQUESTED = "admin_dialog"  # in the session
P = ParamSpec("P")


def request(what: str, about: str = "") -> None:
    """Opens a dialog of ui/admin/page.py; `about` is the id of a person or a group."""
    forget_link()
    st.session_state[REQUESTED] = (what, about)
    st.rerun()


def requested() -> tuple[str, str]:
    found: tuple[str, str] = st.session_state.pop(REQUESTED, ("", ""))
    return found


def for_admins(draw: Callable[Concatenate[Tools, P], None], tools: Tools, *arguments: P.args, **named: P.kwargs) -> None:
    """Draws for somebody who is still an admin: dialogs and lists draw themselves anew long after the page has looked."""
    try:
        tools.admin.check()
        draw(tools, *arguments, **named)
    except StoreError as error:
        st.error(escaped(str(error)), icon=":material/error:")
