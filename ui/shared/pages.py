"""The pages by name, for the navigation and for links between them: `st.switch_page(pages.tree(), query_params=...)`.

They have no icons of Streamlit's: of those the browser asks an outside host for a favicon. ui/shell.py draws them.
"""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.shared.tools import tools


def chat() -> StreamlitPage:
    return st.Page(_chat, title="Chat", url_path="chat", default=True)


def tree() -> StreamlitPage:
    return st.Page(_tree, title="Tree", url_path="tree")


def sources() -> StreamlitPage:
    return st.Page(_sources, title="Sources", url_path="sources")


def settings() -> StreamlitPage:
    return st.Page(_settings, title="Settings", url_path="settings")


def _chat() -> None:
    from ui.chat import page as chat_page

    chat_page.page(tools())


def _tree() -> None:
    from ui.explorer import page as tree_page

    tree_page.page(tools())


def _sources() -> None:
    from ui.sources import page as sources_page

    sources_page.page(tools())


def _settings() -> None:
    from ui.settings import page as settings_page

    settings_page.page(tools())
