"""What only admins are shown: parts of a page that draw themselves long after the page has looked whether somebody is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import streamlit as st

from tree.store.database import StoreError
from ui.server.tools import Tools
from ui.shared.markup import escaped

P = ParamSpec("P")


def for_admins(draw: Callable[Concatenate[Tools, P], None], tools: Tools, *arguments: P.args, **named: P.kwargs) -> None:
    """Draws a fragment or a dialog for somebody who is still an admin; says so to whoever is none any more."""
    try:
        tools.admin.check()
        draw(tools, *arguments, **named)
    except StoreError as error:
        st.error(escaped(str(error)), icon=":material/error:")
