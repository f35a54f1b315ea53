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

from ui.server.tools import Tools
from ui.shared.following import count_unread


class Page(NamedTuple):
    """A page of the app. `function` is called with the `Tools` of whoever looks at it."""

    title: str
    function: str  # "module:function"
    is_default: bool = False
    for_admins: bool = False
    is_hidden: bool = False  # from the navigation

    @property
    def module(self) -> str:
        return self.function.partition(":")[0]


PAGES = {  # by the path in the address
    "chat": Page("Chat", "ui.chat.page:page", is_default=True),
    "tree": Page("Tree", "ui.explorer.page:page"),
    "activity": Page("Activity", "ui.activity.page:page"),
    "following": Page("Following", "ui.following.page:page"),
    "sources": Page("Sources", "ui.sources.page:page", for_admins=True),
    "settings": Page("Settings", "ui.settings.page:page", for_admins=True),
    "admin": Page("Admin", "ui.admin.page:page", for_admins=True),
    "help": Page("Help", "ui.help.page:page"),
    "account": Page("Account", "ui.account.page:page", is_hidden=True),
}


def load() -> None:
    """Imports every page."""
    for entry in PAGES.values():
        import_module(entry.module)


def all_pages(tools: Tools) -> list[StreamlitPage]:
    """In the order of the navigation, which shows those that whoever looks may open; the others say why they may not."""
    return [_page(path, tools, count_unread(tools) if path == "following" else 0) for path in PAGES]


def chat() -> StreamlitPage:
    return _page("chat")


def tree() -> StreamlitPage:
    return _page("tree")


def activity() -> StreamlitPage:
    return _page("activity")


def sources() -> StreamlitPage:
    return _page("sources")


def settings() -> StreamlitPage:
    return _page("settings")


def account() -> StreamlitPage:
    return _page("account")


def _page(path: str, tools: Tools | None = None, unread: int = 0) -> StreamlitPage:
    """Without `tools` only to lead to it."""
    entry = PAGES[path]
    is_hidden = entry.is_hidden or (entry.for_admins and tools is not None and not tools.principal.is_admin)
    return st.Page(_drawing(entry, tools), title=f"{entry.title} ({unread})" if unread else entry.title, url_path=path, default=entry.is_default,
                   visibility="hidden" if is_hidden else "visible")  # fmt: skip


def _drawing(entry: Page, tools: Tools | None) -> Callable[[], None]:
    def draw() -> None:
        if tools is None:
            return
        if entry.for_admins:
            tools.admin.check()
        getattr(import_module(entry.module), entry.function.rpartition(":")[2])(tools)

    return draw
