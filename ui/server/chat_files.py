"""Files that a person dropped into a chat: a source of that chat alone, which nobody else sees, not even an admin."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ingestion.sources import Sources
from prompts.model import Stop
from tree.store.chats import Chats
from tree.store.database import StoreError
from tree.store.models import Chat, Source
from ui.server import uploads

MEGABYTES = 50  # of one file
MOST = 20  # files of one chat
READ_SECONDS = 300.0  # how long a question waits for its files to be read
LOOK_SECONDS = 0.1
NAME = "Files of this chat"


class ChatFile(uploads.Upload, Protocol):
    size: int


class ChatFiles:
    """Whoever calls this has seen to it that the chat is theirs."""

    def __init__(self, home: Path, sources: Sources, chats: Chats) -> None:
        self.home = home
        self._sources = sources
        self._chats = chats

    def of(self, chat: Chat) -> Source | None:
        return next(iter(self._sources.of_chat(chat.files_chat)), None)

    def add(self, chat: Chat, files: Sequence[ChatFile]) -> Source:
        """Keeps the files and has them read; one that has the name of an earlier one replaces it. Raises StoreError."""
        source = self.of(chat)
        there = set(self.names(source)) if source else set()
        if len(there | {uploads.safe_name(file.name) for file in files}) > MOST:
            raise StoreError(
                f"A chat takes {MOST} files. Start another chat for the others, or ask an admin to add them as a source."
            )
        for file in files:
            if file.size > MEGABYTES << 20:
                raise StoreError(f"“{file.name}” is larger than {MEGABYTES} megabytes. Ask an admin to add it as a source.")
        if source is not None:
            uploads.save(Path(source.config["path"]), files)
            self._sources.request_sync(source.id)
            return source
        folder = uploads.make_folder(self.home, f"chat-{chat.files_chat[:8]}")
        try:
            uploads.save(folder, files)
            config = {"path": str(folder), "polling": False}
            return self._sources.add("folder", f"{NAME} ({chat.files_chat[:8]})", config, chat_id=chat.files_chat)
        except StoreError:
            uploads.discard(folder)
            raise

    def names(self, source: Source) -> list[str]:
        """Of the files, without those that are being written."""
        try:
            return sorted(path.name for path in Path(source.config["path"]).iterdir() if not path.name.startswith("."))
        except OSError:
            return []

    def are_unread(self, files_chat: str) -> bool:
        return any(
            source.requested_at is not None or source.state in ("new", "syncing") for source in self._sources.of_chat(files_chat)
        )

    def wait(self, files_chat: str, stop: Stop, seconds: float = READ_SECONDS) -> None:
        """Until the worker has read the files of this chat, as far as they can be read."""
        until = time.monotonic() + seconds
        while self.are_unread(files_chat) and not stop.is_set and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)

    def forget(self, chat: Chat) -> None:
        """Deletes the files of a chat that was deleted, with all that was read from them, unless a branch of it has them too."""
        source = self.of(chat)
        if source is not None and not self._chats.has_files_of(chat.files_chat):
            self._sources.mark_removing(source.id)
            uploads.delete(self.home, source)
