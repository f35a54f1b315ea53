"""Files that are dropped into the question box: kept with the chat, asked about alone, seen by nobody else."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from tree.ask.ask import check_question
from tree.store.chat_rows import new_chat
from tree.store.models import Chat
from ui.server.chat_files import ChatFile
from ui.server.tools import Tools
from ui.shared.markup import escaped

NAMED = 5  # files; the others are counted


def keep(tools: Tools, question: str, files: Sequence[ChatFile], chat: Chat | None) -> tuple[Chat, str, str]:
    """Keeps the files with this chat of whoever asks, or a new one, which is there with its first question; what is asked then,
    and the id of the source that they are. Raises AskError and StoreError."""
    question = question.strip() or (f"What is in {files[0].name}?" if len(files) == 1 else "What is in these files?")
    check_question(question, chat is not None)
    kept_in = chat if chat is not None else new_chat(question, tools.principal.person_id)
    source = tools.chat_files.add(kept_in, files)
    return kept_in, question, source.id


def draw(tools: Tools) -> None:
    """A line that names the files of a chat to its owner, and what could not be read of them."""
    source = tools.chat_source()
    if source is None:
        return
    names = [escaped(name) for name in tools.chat_files.names(source)]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    st.caption(f":material/attach_file: {', '.join(names[:NAMED])}{more}. Only you can ask about them, and only in this chat.")
    for failure in tools.sources.failures(source.id):
        st.warning(escaped(f"“{failure.title}” could not be read: {failure.reason}"), icon=":material/error:")
