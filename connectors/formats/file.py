"""Reads one file from disk inside a sandbox: opened safely, hashed, and parsed only if it is not what it was."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from connectors.base import Locator, Problem, Section
from connectors.formats import parse_bytes
from connectors.formats.parsed import Options, Parsed, Unreadable
from connectors.formats.sniff import is_text_by_line
from connectors.packing import pack_by_values

Parse = Callable[[str, bytes, Options], Parsed]
CLOCK_SECONDS = 2  # the coarsest clock of a file system: FAT counts in steps of two seconds
UNSETTLED = "~"  # before the state of a file read so soon after it changed that a second change might not show
DIGEST_CHARACTERS = 16
CHANGING = Problem("unreadable", "This file was being written while it was read. It will be tried again.")


@dataclass(frozen=True, slots=True)
class Task:
    """A file to read. If the digest of its content begins with `known`, it is not parsed."""

    id: str
    path: str
    options: Options
    known: str = ""
    parse: Parse = parse_bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    status: Literal["read", "same", "failed", "vanished", "closed", "later"]
    state: str = ""  # of the file when it was read, as `state_of` writes it
    digest: str = ""
    size: int = 0
    modified: float = 0.0
    parsed: Parsed | None = None
    problem: Problem | None = None


pack_by_values(Task, Options, Outcome, Parsed, Section, Locator)


def state_of(status: os.stat_result) -> str:
    """What changes whenever a file's content does. The time of change (ctime) sees edits that keep the modified time."""
    return f"{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_size}:{status.st_ino}"


class Read(NamedTuple):
    """What stood in a file, with its state before and after that was read."""

    before: os.stat_result
    data: bytes
    after: os.stat_result

    @property
    def has_changed(self) -> bool:
        return state_of(self.before) != state_of(self.after)


def examine(task: Task, reading: Callable[[str, int], Read] | None = None) -> Outcome:
    """Reads the file; again if it changed meanwhile, and at last, of a text that only grows, what stands in it already."""
    outcome = Outcome("later", problem=CHANGING)
    for is_last in (False, False, True):
        outcome = _examine(task, reading or read_file, may_grow=is_last)
        if outcome.problem != CHANGING:
            break
    return outcome


def _examine(task: Task, reading: Callable[[str, int], Read], may_grow: bool) -> Outcome:
    limit = task.options.max_file_bytes
    try:
        read = reading(task.path, limit)
        if may_grow and read.has_changed:
            read = _standing(os.path.basename(task.path), read, reading(task.path, limit))
    except (FileNotFoundError, NotADirectoryError):
        return Outcome("vanished")
    except PermissionError:
        return Outcome("closed")
    except OSError as error:
        if error.errno == errno.ELOOP:  # a symbolic link has taken its place
            return Outcome("vanished")
        return Outcome("later", problem=Problem("unreadable", f"This file could not be read now ({error.strerror})."))
    if read.has_changed:
        return Outcome("later", problem=CHANGING)
    _, data, after = read
    digest = hashlib.sha256(data).hexdigest()
    settled = abs(time.time() - after.st_mtime) > CLOCK_SECONDS
    state = state_of(after) if settled else UNSETTLED + state_of(after)
    found = Outcome("same", state, digest, after.st_size, after.st_mtime)
    if task.known and digest.startswith(task.known):
        return found
    try:
        return replace(found, status="read", parsed=_parse(task, data, after.st_size))
    except Unreadable as unreadable:
        return replace(found, status="failed", problem=unreadable.problem)


def _parse(task: Task, data: bytes, size: int) -> Parsed:
    """The content; of a file above the limit the beginning, where its format is lines of text."""
    name = os.path.basename(task.path)
    if size <= task.options.max_file_bytes:
        return task.parse(name, data, task.options)
    megabytes = f"{task.options.max_file_bytes / 1_000_000:g} MB"
    if not is_text_by_line(name, data):
        raise Unreadable("too large", f"This file is larger than {megabytes}, the limit set for this source.")
    parsed = task.parse(name, data[: data.rfind(b"\n") + 1 or len(data)], task.options)
    problem = Problem("limit", f"Only the first {megabytes} of this file were read, the limit set for this source.")
    return replace(parsed, problems=(*parsed.problems, problem))


def _standing(name: str, first: Read, second: Read) -> Read:
    """The whole lines of the first reading, if the second has them as well and more behind them; else it as it is."""
    has_grown = first.before.st_ino == second.before.st_ino and first.before.st_size < second.after.st_size
    data = first.data[: first.before.st_size]
    lines = data[: data.rfind(b"\n") + 1]
    if not (lines and has_grown and second.data.startswith(data) and is_text_by_line(name, lines)):
        return first
    return Read(first.before, lines, first.before)


def read_file(path: str, limit: int) -> Read:
    """At most `limit` bytes of a file. Raises OSError; FileNotFoundError also for what is no file."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise FileNotFoundError(path)
        data = file.read(limit)
        return Read(before, data, os.fstat(descriptor))
