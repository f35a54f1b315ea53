"""The table of pages: each is named as "module:function", and imported when it is drawn.

So pages link to each other without knowing each other: `st.switch_page(pages.tree(), query_params=...)`. They have no
icons of Streamlit's, for which the browser would ask an outside host; ui/shell.py draws them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.server.tools import tools


class Page(NamedTuple):
    """A page of the app. `function` is called with the `Tools`."""

    title: str
    function: str  # "module:function"
    is_default: bool = False


PAGES = {  # by the path in the address
    "chat": Page("Chat", "ui.chat.page:page", is_default=True),
    "tree": Page("Tree", "ui.explorer.page:page"),
    "sources": Page("Sources", "ui.sources.page:page"),
    "settings": Page("Settings", "ui.settings.page:page"),
}


def all_pages() -> list[StreamlitPage]:
    """In the order of the navigation."""
    return [_page(path) for path in PAGES]


def chat() -> StreamlitPage:
    return _page("chat")


def tree() -> StreamlitPage:
    return _page("tree")


def sources() -> StreamlitPage:
    return _page("sources")


def settings() -> StreamlitPage:
    return _page("settings")


def _page(path: str) -> StreamlitPage:
    entry = PAGES[path]
    return st.Page(_drawing(entry.function), title=entry.title, url_path=path, default=entry.is_default)


def _drawing(function: str) -> Callable[[], None]:
    def draw() -> None:
        module, _, name = function.partition(":")
        getattr(import_module(module), name)(tools())

    return draw
