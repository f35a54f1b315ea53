"""The title of the open chat, with its menu."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import streamlit as st

from tree.store.models import Chat
from ui.server.tools import Tools
from ui.shared import pages
from ui.shared.dialogs import dialog
from ui.shared.markup import escaped
from ui.shared.zone import viewers_zone


def header(tools: Tools, chat: Chat) -> None:
    """The title of the open chat, with its menu."""
    with st.container(horizontal=True, vertical_alignment="center", key="chat-header"):
        with st.container(width="stretch"):
            st.caption(_plain(chat.title))
        chosen = st.menu_button(
            "This chat",
            ["Rename", "Unpin" if chat.pinned else "Pin", "Share", "Export", "Delete"],
            type="tertiary",
            key="chat-menu",
        )
    if chosen == "Rename":
        _rename(tools, chat)
    elif chosen in ("Pin", "Unpin"):
        tools.chats.rows.pin(chat.id, chosen == "Pin", tools.principal.person_id)
        st.rerun()
    elif chosen == "Export":
        _export(chat)
    elif chosen == "Share":
        _share(tools, chat)
    elif chosen == "Delete":
        _delete(tools, chat)


def shared_header(tools: Tools, chat: Chat) -> None:
    """The title of a colleague's chat."""
    owner = tools.accounts.people.get(chat.owner)
    st.caption(f"{_plain(chat.title)} · shared by {escaped(owner.name) if owner else 'somebody'}")
    st.caption("Ask below to start a chat of your own.")


@dialog("Export this chat")
def _export(chat: Chat) -> None:
    st.markdown("With its answers and their sources, as you may see them now.")
    with st.container(horizontal=True):
        zone = urlencode({"zone": str(viewers_zone())})
        st.link_button("Markdown", f"/chats/{chat.id}.md?{zone}", icon=":material/download:")
        st.link_button("Print, or save as PDF", f"/chats/{chat.id}/print?{zone}", icon=":material/print:")


@dialog("Share this chat")
def _share(tools: Tools, chat: Chat) -> None:
    owner = tools.principal.person_id
    chat = tools.chats.rows.get(chat.id, owner) or chat  # it may have been shared since the dialog was opened
    if chat.shared:
        st.markdown("Colleagues who have this link can read the chat:")
        st.code(_link(chat), language=None, wrap_lines=True)
        if st.button("Stop sharing", icon=":material/link_off:"):
            tools.chats.rows.share(chat.id, False, owner)
            st.rerun()
        return
    st.markdown(
        "Colleagues who have its link can read it then, and what you ask in it later. Each sees only what they may see: "
        "what rests on other sources is left out."
    )
    if st.button("Share", type="primary", icon=":material/share:"):
        tools.chats.rows.share(chat.id, True, owner)
        st.rerun(scope="fragment")


def _link(chat: Chat) -> str:
    seen = urlsplit(st.context.url or "")
    return f"{seen.scheme}://{seen.netloc}{seen.path or '/'}?c={chat.id}"


@dialog("Rename this chat")
def _rename(tools: Tools, chat: Chat) -> None:
    with st.form("rename", border=False):
        title = st.text_input("Name", chat.title, max_chars=200)
        if st.form_submit_button("Rename", type="primary"):
            tools.chats.rows.rename(chat.id, title, tools.principal.person_id)
            st.rerun()


@dialog("Delete this chat?")
def _delete(tools: Tools, chat: Chat) -> None:
    st.markdown(
        "Its questions, answers and files are deleted, also for those you shared it with. The documents stay as they are."
    )
    with st.container(horizontal=True):
        if st.button("Delete", type="primary", icon=":material/delete:"):
            for turn in tools.chats.turns.of_chat(chat.id, limit=1_000):
                tools.answers.stop(turn.id)
            tools.chats.rows.delete(chat.id, tools.principal.person_id)
            tools.chat_files.forget(chat)
            st.switch_page(pages.chat(), query_params={})
        if st.button("Cancel"):
            st.rerun()


def _plain(title: str) -> str:
    return escaped(title)
