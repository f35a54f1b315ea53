"""Aliases in a question: what people say is replaced by the name that it stands for, before anything else is understood."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ahocorasick_rs import AhoCorasick

from prompts.language import plural
from tree.retrieve.alias_list import Alias, AliasError, read_aliases, with_alias
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Mention, Token, tokens
from tree.store.database import StoreError, explained

NAMES = ("aliases.yaml", "aliases.yml", "aliases.csv")  # in the data folder; the first that is there counts


@dataclass(frozen=True, slots=True)
class Expanded:
    """A question with names for aliases, and which were replaced."""

    text: str
    used: tuple[Alias, ...] = ()


class Aliases:
    """Finds aliases in one pass; longest first, word borders, case and accents folded."""

    def __init__(self, known: Sequence[Alias] = (), problem: str = "") -> None:
        self.known = tuple(known)
        self.problem = problem  # why the list of the data folder is not used
        self._by_alias = {folded(one.alias): one for one in known}
        # several of a common noun: "mast lights" where the list has "mast light"
        nouns = {
            alias: one
            for alias, one in self._by_alias.items()
            if len(alias) > 3 and alias[-1:].isalpha() and one.name[-1:].islower()
        }
        self._several = {plural(alias): one for alias, one in nouns.items() if plural(alias) not in self._by_alias}
        # a name is looked for as well: an alias within it is none
        self._patterns = list(dict.fromkeys((*self._by_alias, *self._several, *(folded(one.name) for one in known))))
        self._automaton = AhoCorasick([f" {pattern} " for pattern in self._patterns]) if known else None

    def expand(
        self,
        text: str,
        mentions: Callable[[list[Token]], Sequence[Mention]] = lambda _: (),
        is_used: Callable[[Alias], bool] = lambda _: True,
    ) -> Expanded:
        """`mentions` finds the names that are known besides: an alias within a longer one of those is none. `is_used` says
        whether what an alias stands for is there at all."""
        if self._automaton is None:
            return Expanded(text)
        found = tokens(text)
        longer = [(one.first, one.last) for one in mentions(found)]
        used: list[Alias] = []
        for first, last, pattern in reversed(self._found(found)):
            is_within = any(start <= first and last <= end and last - first < end - start for start, end in longer)
            alias = self._by_alias.get(pattern) or self._several.get(pattern)
            if alias is not None and not is_within and is_used(alias):
                name = plural(alias.name) if pattern in self._several and alias.name.islower() else alias.name
                text = f"{text[: found[first].start]}{name}{text[found[last - 1].end :]}"
                used.append(alias)
        return Expanded(text, tuple(dict.fromkeys(reversed(used))))

    def _found(self, found: Sequence[Token]) -> list[tuple[int, int, str]]:
        """(first token, token after the last, what is there), none within another."""
        assert self._automaton is not None
        line, numbers = "", {}
        for number, token in enumerate(found):
            numbers[len(line)] = number
            line += f" {token.folded}"
        numbers[len(line)] = len(found)
        spans = [
            (numbers[start], numbers[end - 1], self._patterns[pattern])
            for pattern, start, end in self._automaton.find_matches_as_indexes(f"{line} ", overlapping=True)
            if start in numbers and end - 1 in numbers
        ]
        kept: list[tuple[int, int, str]] = []
        for first, last, pattern in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
            if all(last <= other or after <= first for other, after, _ in kept):
                kept.append((first, last, pattern))
        return sorted(kept)


# ---------------------------------------------------------------- the file in the data folder

_read: dict[Path, tuple[tuple[int, int, int], Aliases]] = {}
_lock = threading.Lock()


def aliases_file(home: Path) -> Path | None:
    """The list in a data folder; None where there is none."""
    return next((path for name in NAMES if (path := home / name).is_file()), None)


def load_aliases(home: Path) -> Aliases:
    """The aliases of a data folder, read again when the file changes; none, with the problem, where it cannot be used."""
    path = aliases_file(home)
    if path is None:
        return Aliases()
    try:
        state = path.stat()
        mark = (state.st_mtime_ns, state.st_size, state.st_ino)
        with _lock:
            kept = _read.get(path)
        if kept is not None and kept[0] == mark:
            return kept[1]
        loaded = _loaded(path)
    except OSError as error:
        return Aliases(problem=f"{path.name} cannot be read: {error.strerror or error}.")
    with _lock:
        _read[path] = mark, loaded
    return loaded


def _loaded(path: Path) -> Aliases:
    try:
        return Aliases(read_aliases(path.read_bytes(), path.name))
    except AliasError as error:
        return Aliases(problem=f"{path.name}: {error}")


def save_aliases(home: Path, file_name: str, data: bytes) -> int:
    """Puts a list in the place of the one that is there; returns how many aliases it has. Raises AliasError, StoreError."""
    known = read_aliases(data, file_name)
    name = "aliases.yaml" if file_name.casefold().endswith((".yaml", ".yml")) else "aliases.csv"
    part = home / f".{name}.{os.getpid()}.part"
    with explained(home / name):
        try:
            part.write_bytes(data)
            part.replace(home / name)
        finally:
            part.unlink(missing_ok=True)
        for other in NAMES:
            if other != name:
                (home / other).unlink(missing_ok=True)
    return len(known)


def add_alias(home: Path, alias: str, name: str) -> int:
    """Adds one to the list that is there; returns how many aliases it has then. Raises AliasError, StoreError."""
    path = aliases_file(home)
    try:
        before = path.read_bytes() if path is not None else b""
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}.") from error
    return save_aliases(home, path.name if path is not None else "aliases.csv", with_alias(before, path, alias, name))


def remove_aliases(home: Path) -> None:
    """Raises StoreError where that cannot be done."""
    for name in NAMES:
        try:
            (home / name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{home / name} cannot be deleted: {error.strerror or error}.") from error
