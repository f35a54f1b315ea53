"""What goes wrong with a data folder or a tree, and what it means in words."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

FOR_MEMBERS = (
    "Nothing can be kept on the server at the moment: its disk is full, or cannot be read or written. Nothing was half-written. "
    "Tell an admin, who is told more, and try again later."
)

BUSY_FOR_MEMBERS = (
    "The database was busy for too long: another program is writing to it. Nothing was half-written. Try again; if it stays so, "
    "tell an admin, who is told more."
)


UNREACHABLE_FOR_MEMBERS = (
    "The database cannot be reached at the moment. Nothing was half-written. It is tried again; if it stays so, tell an admin, who is "
    "told more."
)


class StoreError(Exception):
    """The data folder cannot be used as it is; the message says what to do."""

    @property
    def for_members(self) -> str:
        """What is said of it to those who cannot mend it."""
        return str(self)


class FolderTrouble(StoreError):
    """Of the data folder or a file in it, by its path: that is for those who look after the server."""

    @property
    def for_members(self) -> str:
        return FOR_MEMBERS


class Busy(StoreError):
    """Somebody else has been writing for so long that this was given up. Nothing is wrong, and it may be over in a moment."""

    @property
    def for_members(self) -> str:
        return BUSY_FOR_MEMBERS


class MovedAway(StoreError):
    """Everything has gone to another database: whoever went on here would write what nobody looks at."""


class StaleBase(Exception):
    """What the work started from is no longer so: somebody else published this tree, or deleted what the change refers to.

    Start again from what there is now.
    """


class Unreachable(StoreError):
    """The database server cannot be reached now. It is nobody's fault here, and may be over in a moment."""

    @property
    def for_members(self) -> str:
        return UNREACHABLE_FOR_MEMBERS


class SourceRemoved(StoreError):
    """The source was removed while it was being worked on: nothing of it may be written any more."""


class Vanished(StoreError):
    """What a pinned version held has been deleted since: its source was removed, or the version was forgotten."""


class Overtaken(Exception):
    """What a pinned version holds was changed since, and the search index with it. Start again from what there is now."""


class DamagedTree(StoreError):
    """Live rows of a tree refer to records or texts that are not there; `repair` in ingestion makes them again."""


def words_for(error: Exception, is_admin: bool = False) -> str:
    """What is said of it to whoever looks: where something is on the server is for admins, and for the log."""
    return error.for_members if isinstance(error, StoreError) and not is_admin else str(error)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what the operating system and SQLite say into one sentence about the data folder."""
    try:
        yield
    except (sa.exc.OperationalError, sa.exc.DatabaseError, sqlite3.Error, OSError) as error:
        if _is_locked(error):
            raise Busy(f"Another program has held {path.name} for too long. Close it and try again.") from error
        sentence = _sentence(error, path)
        if sentence is None:
            raise
        raise FolderTrouble(sentence) from error


def _is_locked(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.EBUSY
    text = str(getattr(error, "orig", error)).lower()
    return "locked" in text or "busy" in text


def _sentence(error: Exception, path: Path) -> str | None:
    text = str(getattr(error, "orig", error)).lower()
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.EIO) or "disk i/o error" in text:
        return (
            f"{path} could not be read or written: a limit on the size of files or a quota is reached, or the disk fails. "
            "Nothing was half-written; raise the limit, or check the disk, and try again."
        )
    if "full" in text or "no space left" in text or "quota" in text:
        return f"The disk that holds {path.parent} is full. Nothing was half-written; free some space and try again."
    if any(
        words in text
        for words in (
            "readonly",
            "read-only",
            "permission denied",
            "unable to open",
            "not a directory",
            "file exists",
            "no such file",
        )
    ):
        return not_writable(path.parent)
    if any(words in text for words in ("malformed", "not a database")):
        return f"{path} is damaged. Put a backup in its place, or move it away to start again and sync every source."
    return None


def not_writable(folder: Path) -> str:
    """With the number of the user who we are: in a container it has no name, and is not the one who looks at the folder."""
    by = f" by user {os.geteuid()}" if hasattr(os, "geteuid") else ""
    return f"{folder} cannot be written to{by}. Mend its permissions, or choose another folder."
