"""Files that a person dropped into a chat: a source of that chat alone, which nobody else sees, not even an admin."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ingestion.sources import Sources
from prompts.regex import regex
from tree.store.chat_rows import ChatRows
from tree.store.database import StoreError
from tree.store.models import Chat, Source
from ui.server import uploads

MEGABYTES = 50  # of one file
MOST = 20  # files of one chat
READ_SECONDS = 300.0  # how long a question waits for its files to be read
LEFT_SECONDS = 3600.0  # after which files without a chat were left by an app that was killed: no upload takes so long
NAME = "Files of this chat"
FOLDER = regex(r"chat-[0-9a-f]{8}-\w+")


class ChatFile(uploads.Upload, Protocol):
    size: int


class ChatFiles:
    """Whoever calls this has seen to it that the chat is theirs."""

    def __init__(self, home: Path, sources: Sources, chats: ChatRows) -> None:
        self.home = home
        self._sources = sources
        self._chats = chats

    def of(self, chat: Chat) -> Source | None:
        return next(iter(self._sources.of_chat(chat.files_chat)), None)

    def add(self, chat: Chat, files: Sequence[ChatFile]) -> Source:
        """Keeps the files and has them read; one that has the name of an earlier one replaces it. Raises StoreError."""
        for file in files:
            if file.size > MEGABYTES << 20:
                raise StoreError(f"“{file.name}” is larger than {MEGABYTES} megabytes. Ask an admin to add it as a source.")
        if (source := self.of(chat)) is None:
            self._check_number(files)
            self.discard_left()
            try:
                return self._begin(chat, files)
            except StoreError:
                if (source := self.of(chat)) is None:
                    raise  # otherwise the chat got its first files in another tab at the same moment
        self._check_number(files, self.names(source))
        uploads.save(Path(source.config["path"]), files)
        self._sources.request_sync(source.id)
        return source

    @staticmethod
    def _check_number(files: Sequence[ChatFile], there: Sequence[str] = ()) -> None:
        if len({*there, *(uploads.safe_name(file.name) for file in files)}) > MOST:
            raise StoreError(
                f"A chat takes {MOST} files. Start another chat for the others, or ask an admin to add them as a source."
            )

    def _begin(self, chat: Chat, files: Sequence[ChatFile]) -> Source:
        folder = uploads.make_folder(self.home, f"chat-{chat.files_chat[:8]}")
        try:
            uploads.save(folder, files)
            config = {"path": str(folder), "polling": False}
            # the name is taken where the chat has files already: so there is one source for each chat
            return self._sources.add("folder", f"{NAME} ({chat.files_chat})", config, chat_id=chat.files_chat)
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
        """Whether the worker has still to read files of this chat, as far as they can be read."""
        return any(
            source.requested_at is not None or source.state in ("new", "syncing") for source in self._sources.of_chat(files_chat)
        )

    def forget(self, chat: Chat) -> None:
        """Deletes the files of a chat that was deleted, with all that was read from them, unless a branch of it has them too."""
        source = self.of(chat)
        if source is not None and not self._chats.has_files_of(chat.files_chat):
            self._sources.mark_removing(source.id)
            uploads.delete(self.home, source)

    def discard_left(self, now: float | None = None) -> None:
        """Deletes what an app left that was killed while a chat got its first files: a folder that no source reads, and files of
        which there is no chat. Nothing that is younger than an hour, which may still be on its way."""
        before = (time.time() if now is None else now) - LEFT_SECONDS
        of_chats = self._sources.of_chats()
        for source in of_chats:
            if source.created_at < before and source.chat_id and not self._chats.has_files_of(source.chat_id):
                self._sources.mark_removing(source.id)
                uploads.delete(self.home, source)
        read = {Path(source.config.get("path", "")).name for source in (*of_chats, *self._sources.all())}
        for folder in uploads.uploads_folder(self.home).glob("chat-*"):
            if FOLDER.fullmatch(folder.name) and folder.name not in read and uploads.changed_at(folder) < before:
                uploads.discard(folder)
