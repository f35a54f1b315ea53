"""Lists the files of a folder that belong to a source: what is there, not hidden, not ignored, never through a link."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
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
    """A folder that is there and may not be listed."""

    id: str


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one ignore file or setting, relative to the folder `base` (empty, or ending in a slash)."""

    base: str
    patterns: Patterns

    def verdict(self, relative: str) -> bool | None:
        """Ignored, taken back in by a `!` pattern, or not mentioned."""
        return self.patterns.verdict(relative[len(self.base) :])


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

    @cached_property
    def _first_rules(self) -> tuple[Rules, ...]:
        return (Rules("", configured((*NEVER, *self.exclude), "the exclude patterns")),)

    @cached_property
    def _wanted(self) -> Patterns | None:
        return configured(self.include, "the include patterns", below=True) if self.include else None

    def all(self) -> Iterator[Found | Closed]:
        """Every file, a folder's own files before those of its subfolders, by name. Raises OSError for the root."""
        os.listdir(self.root)
        return self._below("", self._first_rules)

    def at(self, relative: str) -> Iterator[Found | Closed]:
        """The file with this relative path, or everything below this folder; nothing if it is not of the source."""
        rules, base = self._first_rules, ""
        parts = relative.split("/") if relative else []
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            return
        for part in parts[:-1]:
            rules = self._with_ignore_file(base, rules)
            base += part + "/"
            if not self._is_folder(base) or not self._enters(base, part, rules):
                return
        if not parts:
            yield from self._below("", rules)
            return
        rules = self._with_ignore_file(base, rules)
        try:
            status = os.lstat(self._path(relative))
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                yield Closed(encode_id(base.rstrip("/")))
            return
        if stat.S_ISDIR(status.st_mode):
            if self._enters(relative + "/", parts[-1], rules):
                yield from self._below(relative + "/", rules)
        elif stat.S_ISREG(status.st_mode) and self._takes(relative, parts[-1], rules):
            yield Found(encode_id(relative), self._path(relative), status)

    def _below(self, base: str, rules: tuple[Rules, ...]) -> Iterator[Found | Closed]:
        waiting = [(base, rules)]
        while waiting:
            base, rules = waiting.pop()
            try:
                with os.scandir(self._path(base)) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                yield Closed(encode_id(base.rstrip("/")))
                continue
            if any(entry.name == IGNORE_FILE for entry in entries):
                rules = self._with_ignore_file(base, rules)
            yield from self._files(base, entries, rules)
            folders = [
                (f"{base}{entry.name}/", rules)
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and self._enters(f"{base}{entry.name}/", entry.name, rules)
            ]
            waiting.extend(reversed(folders))

    def _files(self, base: str, entries: list[os.DirEntry[str]], rules: tuple[Rules, ...]) -> Iterator[Found]:
        for entry in entries:
            relative = base + entry.name
            if not entry.is_file(follow_symlinks=False) or not self._takes(relative, entry.name, rules):
                continue
            with contextlib.suppress(FileNotFoundError):
                yield Found(encode_id(relative), entry.path, entry.stat(follow_symlinks=False))

    def _enters(self, relative: str, name: str, rules: tuple[Rules, ...]) -> bool:
        if relative.rstrip("/") in self.skipped:
            return False
        return (self.hidden or not name.startswith(".")) and not _ignored(relative, rules)

    def _takes(self, relative: str, name: str, rules: tuple[Rules, ...]) -> bool:
        if name == IGNORE_FILE or (name.startswith(".") and not self.hidden):
            return False
        wanted = self._wanted is None or bool(self._wanted.verdict(relative))
        return wanted and not _ignored(relative, rules)

    def _with_ignore_file(self, base: str, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        try:
            with open(self._path(base + IGNORE_FILE), encoding="utf-8", errors="replace") as file:
                lines = file.read(1_000_000).splitlines()
        except OSError:
            return rules
        return (*rules, Rules(base, Patterns(lines)))

    def _is_folder(self, relative: str) -> bool:
        try:
            return stat.S_ISDIR(os.lstat(self._path(relative.rstrip("/"))).st_mode)
        except (OSError, ValueError):
            return False

    def _path(self, relative: str) -> str:
        return os.path.join(self.root, relative)


def _ignored(relative: str, rules: tuple[Rules, ...]) -> bool:
    """The innermost rule that mentions it decides, as in git."""
    for rule in reversed(rules):
        verdict = rule.verdict(relative)
        if verdict is not None:
            return verdict
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
