"""Lists the files of a folder that belong to a source: what is there, not hidden, not ignored, never through a link."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from connectors.base import ConfigurationError
from connectors.patterns import Patterns

IGNORE_FILE = ".knowledgeignore"
NEVER = (  # what programs leave lying around while a file is open
    "~$*", "*.tmp", "*.swp", "*.swo", "*~", "*.part", "*.crdownload", ".~lock.*", "Thumbs.db", "desktop.ini", ".DS_Store", "Icon\r",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the source."""

    id: str
    path: str
    status: os.stat_result


@dataclass(frozen=True, slots=True)
class Closed:
    """A folder that is there and cannot be listed now (its id ends in a slash), or a file that cannot be looked at."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Flawed:
    """An ignore file with lines that are passed over."""

    id: str
    reason: str


Item = Found | Closed | Flawed
NOT_ALLOWED = "The app is not allowed to look into this folder. Change its permissions, or name it in a .knowledgeignore."
TOO_LONG = "The path of this folder is longer than the system opens. Move it higher up, or shorten the names above it."
NO_ANSWER = "This cannot be looked into now ({reason}). It is tried again by itself."
MOST_IGNORE_BYTES, MOST_IGNORE_LINES = 100_000, 2_000


def why_closed(error: OSError) -> str:
    """Why something cannot be looked into, and what to do."""
    if isinstance(error, PermissionError):
        return NOT_ALLOWED
    return TOO_LONG if error.errno == errno.ENAMETOOLONG else NO_ANSWER.format(reason=(error.strerror or "no answer").lower())


class Disk:
    """What a listing asks of the system. A test passes in one that fails, or does not answer."""

    def entries(self, path: str) -> list[os.DirEntry[str]]:
        with os.scandir(path) as scan:
            return list(scan)

    def status(self, path: str) -> os.stat_result:
        """Of the path itself, not of what a link points at."""
        return os.lstat(path)

    def beginning(self, path: str, most: int) -> bytes:
        """Of a file that is to be read for its rules; of a pipe or a device, which might never end, nothing."""
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            return file.read(most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""


DISK = Disk()


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one ignore file or setting, relative to the folder `base` (empty, or ending in a slash)."""

    base: str
    patterns: Patterns
    flaws: str = ""  # in words: lines that are passed over

    def decide(self, relative: str) -> bool | None:
        """Ignored, taken back in by a `!` pattern, or not mentioned."""
        return self.patterns.decide(relative[len(self.base) :])


def configured(lines: Sequence[str], where: str, below: bool = False) -> Patterns:
    """Patterns of a setting. Raises ConfigurationError for one that does not parse."""
    patterns = Patterns(lines, below)
    for line, why in patterns.bad:
        raise ConfigurationError(f"The pattern “{line}” in {where} is not valid: {why}. Correct it in the settings.")
    return patterns


@dataclass(frozen=True)
class Listing:
    """A folder seen through its patterns."""

    root: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False
    skipped: frozenset[str] = frozenset()  # relative paths of folders that are never entered
    disk: Disk = DISK
    refuse_closed: Callable[[], None] = lambda: None  # raises when the listing is not wanted any more

    @cached_property
    def _first_rules(self) -> tuple[Rules, ...]:
        return (Rules("", configured((*NEVER, *self.exclude), "the exclude patterns")),)

    @cached_property
    def _wanted(self) -> Patterns | None:
        return configured(self.include, "the include patterns", below=True) if self.include else None

    def all(self) -> Iterator[Item]:
        """Every file, a folder's own files before those of its subfolders, by name. Raises OSError for the root."""
        self.disk.entries(self.root)
        return self._below("", self._first_rules)

    def at(self, relative: str) -> Iterator[Item]:
        """The file with this relative path, or everything below this folder; nothing if it is not of the source."""
        rules, base, above = self._first_rules, "", ""
        parts = relative.split("/") if relative else []
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            return
        try:
            for part in parts[:-1]:
                rules = self._with_ignore_file(base, rules)
                above, base = base, f"{base}{part}/"
                if not self._is_folder(base) or not self._enters(base, part, rules):
                    return
            above = base
            if not parts:
                yield from self._below("", rules)
                return
            rules = self._with_ignore_file(base, rules)
            status = self.disk.status(self._path(relative))
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                yield Closed(encode_id(above), why_closed(error))
            return
        if stat.S_ISDIR(status.st_mode):
            if self._enters(relative + "/", parts[-1], rules):
                yield from self._below(relative + "/", rules)
        elif stat.S_ISREG(status.st_mode) and self._takes(relative, parts[-1], rules):
            yield Found(encode_id(relative), self._path(relative), status)

    def _below(self, base: str, rules: tuple[Rules, ...]) -> Iterator[Item]:
        waiting = [(base, rules)]
        while waiting:
            self.refuse_closed()
            base, rules = waiting.pop()
            try:
                entries = sorted(self.disk.entries(self._path(base)), key=lambda entry: entry.name)
                if any(entry.name == IGNORE_FILE for entry in entries):
                    rules = self._with_ignore_file(base, rules)
                    yield from self._flaws(base, rules)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                yield Closed(encode_id(base), why_closed(error))
                continue
            folders = []
            for entry in entries:
                self.refuse_closed()
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if self._enters(f"{base}{entry.name}/", entry.name, rules):
                            folders.append((f"{base}{entry.name}/", rules))
                    elif entry.is_file(follow_symlinks=False) and self._takes(base + entry.name, entry.name, rules):
                        yield Found(encode_id(base + entry.name), entry.path, entry.stat(follow_symlinks=False))
                except FileNotFoundError:
                    continue
                except OSError as error:
                    yield Closed(encode_id(base + entry.name), why_closed(error))
            waiting.extend(reversed(folders))

    def _flaws(self, base: str, rules: tuple[Rules, ...]) -> Iterator[Flawed]:
        """What is wrong with the ignore file of a folder, whose rules are the last."""
        if rules and rules[-1].base == base and (flaws := rules[-1].flaws):
            yield Flawed(encode_id(base) + IGNORE_FILE, flaws)

    def _enters(self, relative: str, name: str, rules: tuple[Rules, ...]) -> bool:
        if relative.rstrip("/") in self.skipped:
            return False
        return (self.hidden or not name.startswith(".")) and not _ignored(relative, rules)

    def _takes(self, relative: str, name: str, rules: tuple[Rules, ...]) -> bool:
        if name == IGNORE_FILE or (name.startswith(".") and not self.hidden):
            return False
        wanted = self._wanted is None or bool(self._wanted.decide(relative))
        return wanted and not _ignored(relative, rules)

    def _with_ignore_file(self, base: str, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Raises OSError for an ignore file that cannot be read: nobody knows then what is the source's in that folder."""
        try:
            data = self.disk.beginning(self._path(base + IGNORE_FILE), MOST_IGNORE_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return rules
        lines = data[:MOST_IGNORE_BYTES].decode("utf-8", "replace").splitlines()
        patterns = Patterns(lines[:MOST_IGNORE_LINES])
        flaws = [f"The line “{line[:40]}” is passed over: {why}." for line, why in patterns.bad[:3]]
        if len(patterns.bad) > len(flaws):
            flaws.append(f"So are {len(patterns.bad) - len(flaws)} more.")
        if len(lines) > MOST_IGNORE_LINES or len(data) > MOST_IGNORE_BYTES:
            flaws.append(f"Only its first {MOST_IGNORE_LINES:,} lines and {MOST_IGNORE_BYTES:,} bytes are heeded.")
        return (*rules, Rules(base, patterns, " ".join(flaws)))

    def _is_folder(self, relative: str) -> bool:
        return stat.S_ISDIR(self.disk.status(self._path(relative.rstrip("/"))).st_mode)

    def _path(self, relative: str) -> str:
        return os.path.join(self.root, relative)


def _ignored(relative: str, rules: tuple[Rules, ...]) -> bool:
    """The innermost rule that mentions it decides, as in git."""
    for rule in reversed(rules):
        decision = rule.decide(relative)
        if decision is not None:
            return decision
    return False


# ---------------------------------------------------------------- ids

ESCAPE = "\ufffd"


def encode_id(relative: str) -> str:
    """A relative path as an id that is valid Unicode: a byte that is not, 0xE9 say, becomes U+FFFD and `e9`."""
    if relative.isascii():
        return relative
    escaped = relative.replace(ESCAPE, "".join(f"{ESCAPE}{byte:02x}" for byte in ESCAPE.encode()))
    return re.sub("[\udc80-\udcff]", lambda match: f"{ESCAPE}{ord(match[0]) - 0xDC00:02x}", escaped)


def decode_id(id: str) -> str:
    """The relative path, as the file system functions of Python take it."""
    if ESCAPE not in id:
        return id
    escaped = re.sub(f"{ESCAPE}([0-9a-f]{{2}})", lambda match: chr(0xDC00 + int(match[1], 16)), id)
    return os.fsdecode(os.fsencode(escaped))  # bytes that together are valid Unicode become one character again
