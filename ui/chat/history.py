"""The chats of before, in the sidebar, and what can be done with the one that is open."""

from __future__ import annotations

import streamlit as st

from tree.store.models import Chat
from ui.shared import pages
from ui.shared.tools import Tools

SHOWN = 10  # chats; how the sources stand is below them and should be in sight


def sidebar(tools: Tools, current: str | None) -> None:
    with st.sidebar:
        if st.button("New chat", icon=":material/edit_square:", width="stretch", key="new-chat"):
            st.switch_page(pages.chat(), query_params={})
        shown = st.session_state.setdefault("chats-shown", SHOWN)
        chats = tools.chats.recent(shown + 1)
        if not chats:
            return
        st.caption("Chats")
        with st.container(key="history", gap=None):
            for chat in chats[:shown]:
                kind = "secondary" if chat.id == current else "tertiary"
                if st.button(
                    _short(chat.title),
                    key=f"chat-{chat.id}",
                    type=kind,
                    width="stretch",
                    help=_plain(chat.title) if len(chat.title) > 34 else None,
                ):
                    st.switch_page(pages.chat(), query_params={"c": chat.id})
            if len(chats) > shown and st.button("More", icon=":material/expand_more:", type="tertiary", key="more-chats"):
                st.session_state["chats-shown"] = shown + 3 * SHOWN
                st.rerun()


def header(tools: Tools, chat: Chat) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="chat-header"):
        with st.container(width="stretch"):
            st.caption(_plain(chat.title))
        chosen = st.menu_button("This chat", ["Rename", "Delete"], type="tertiary", key="chat-menu")
    if chosen == "Rename":
        _rename(tools, chat)
    elif chosen == "Delete":
        _delete(tools, chat)


@st.dialog("Rename this chat")
def _rename(tools: Tools, chat: Chat) -> None:
    with st.form("rename", border=False):
        title = st.text_input("Name", chat.title, max_chars=200)
        if st.form_submit_button("Rename", type="primary"):
            tools.chats.rename(chat.id, title)
            st.rerun()


@st.dialog("Delete this chat?")
def _delete(tools: Tools, chat: Chat) -> None:
    st.markdown("Its questions and answers are deleted for everybody. The documents stay as they are.")
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", icon=":material/delete:"):
            for turn in tools.chats.turns(chat.id, limit=1_000):
                tools.runs.stop(turn.id)
            tools.chats.delete(chat.id)
            st.switch_page(pages.chat(), query_params={})
        if st.button("Keep it"):
            st.rerun()


def _plain(title: str) -> str:
    from ui.shared.markup import escaped

    return escaped(title)


def _short(title: str) -> str:
    return _plain(title if len(title) <= 36 else f"{title[:35].rstrip()}…")
