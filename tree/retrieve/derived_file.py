"""What the SQLite files share that are made out of the database: the search index and the vectors. One that is damaged is thrown
away, for it can be made anew; one process at a time does that, and never to a file that another has made meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from tree.store.database import StoreError, explained

BUSY_SECONDS = 30.0  # to wait for a lock that is held for moments only

_DAMAGE = (
    "malformed",
    "not a database",
    "no such table",
    "no such column",
    "no such index",
    "no such module",
    "vtable",
    "fts5:",
    "corrupt",
)


def is_damage(error: Exception) -> bool:
    """Whether this says that the file itself cannot be right."""
    return isinstance(error, sqlite3.DatabaseError) and any(word in str(error).lower() for word in _DAMAGE)


@contextmanager
def making(path: Path) -> Iterator[None]:
    """One at a time makes the file or throws it away."""
    try:
        with explained(path), FileLock(f"{path}.lock", timeout=BUSY_SECONDS):
            yield
    except Timeout as error:
        raise StoreError(f"Another program has held {path}.lock for too long. Close it and try again.") from error


def throw_away(path: Path, identity: int | None) -> None:
    """Removes the file that was found damaged: the one of this identity; with none whichever is there."""
    with making(path):
        if identity is None or identity == identity_of(path):  # nobody else has replaced it meanwhile
            remove(path)


def identity_of(path: Path) -> int | None:
    """Of the file that is at this path now; None where none is."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
