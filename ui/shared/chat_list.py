"""One's own chats in the sidebar of every page, and a new one."""

from __future__ import annotations

import streamlit as st

from ui.server.tools import Tools
from ui.shared import pages
from ui.shared.markup import escaped
from ui.shared.shortcuts import NEW_CHAT

SEARCHED = 6  # chats from which on they can be searched
SHOWN = 10  # chats
SOURCE = "in"  # in the address: the source that is asked


def draw(tools: Tools, current: str | None) -> None:
    """`current` is the id of the open chat."""
    with st.sidebar:
        if st.button("New chat", icon=":material/edit_square:", width="stretch", key="new-chat", shortcut=NEW_CHAT):
            st.switch_page(pages.chat(), query_params=_source_kept(tools))
        shown = st.session_state.setdefault("chats-shown", SHOWN)
        wanted = st.session_state.get("chats-search") or ""
        chats = tools.chats.rows.recent(tools.principal.person_id, shown + 1, wanted)
        if not chats and not wanted:
            return
        st.caption("Chats")
        if wanted or len(chats) >= SEARCHED:
            st.text_input("Search your chats", key="chats-search", type="search", live="300ms", placeholder="Search your chats", label_visibility="collapsed")  # fmt: skip
        if not chats:
            st.caption("No chat says that.")
        with st.container(key="history", gap=None):
            for chat in chats[:shown]:
                if st.button(
                    (":material/keep: " if chat.pinned else "") + _short(chat.title),
                    key=f"chat-{chat.id}",
                    type="secondary" if chat.id == current else "tertiary",
                    width="stretch",
                    help=escaped(chat.title) if len(chat.title) > 34 else None,
                ):
                    st.switch_page(pages.chat(), query_params={"c": chat.id})
            if len(chats) > shown and st.button("More", icon=":material/expand_more:", type="tertiary", key="more-chats"):
                st.session_state["chats-shown"] = shown + 3 * SHOWN
                st.rerun()


def _source_kept(tools: Tools) -> dict[str, str]:
    """Who has chosen a source to ask goes on with it, but for the files of one chat."""
    source = st.query_params.get(SOURCE, "")
    is_known = any(source == known.id for known in tools.visible_sources() if known.chat_id is None)
    return {SOURCE: source} if is_known else {}


def _short(title: str) -> str:
    return escaped(title if len(title) <= 36 else f"{title[:35].rstrip()}…")
