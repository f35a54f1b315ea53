"""Patterns as in a .gitignore file (gitignore(5)), matched in time linear in the path, whoever wrote them.

RE2 does the matching, because it does not backtrack: pathspec and fnmatch make expressions for Python's `re`, where a
pattern of 17 characters takes hours on a name of 250. pathspec's own RE2 backend was looked at and is not used: it cannot
take names that are not valid Unicode, and its sets say “no match” when they run out of memory. wcmatch is `re` as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

import re2

LONGEST_LINE = 1_000  # characters; no path that a pattern is written for is longer
TOGETHER = 50  # patterns in one expression
_POSIX = frozenset("alnum alpha blank cntrl digit graph lower print punct space upper xdigit".split())  # noqa: SIM905


class BadPattern(ValueError):
    """A line that is no pattern; the message says why."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line. `expression` matches a path whose last character is a slash where it is a folder."""

    expression: str
    is_negated: bool


class _Expression(Protocol):
    def search(self, text: str) -> object | None: ...


class Patterns:
    """Lines of which the last that matches decides. `below`: a pattern that names a folder means all that is in it too.

    Raises nothing: lines that are no patterns are passed over and stand in `bad`, as (line, why).
    """

    def __init__(self, lines: Iterable[str], below: bool = False) -> None:
        self.bad: list[tuple[str, str]] = []
        found: list[Pattern] = []
        for line in lines:
            try:
                if pattern := translated(line, below):
                    _compiled([pattern.expression])
                    found.append(pattern)
            except BadPattern as error:
                self.bad.append((line, str(error)))
        self._groups = [
            (is_negated, _compiled([pattern.expression for pattern in some]))
            for is_negated, same in groupby(found, key=lambda pattern: pattern.is_negated)
            for some in _in_parts(list(same), TOGETHER)
        ][::-1]

    def decide(self, path: str) -> bool | None:
        """Whether the last line that matches this relative path takes it in; None where none matches."""
        name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for is_negated, expression in self._groups:
            if expression.search(name):
                return not is_negated
        return None


def _in_parts(items: Sequence[Pattern], size: int) -> Iterable[Sequence[Pattern]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _compiled(expressions: Sequence[str]) -> _Expression:
    options = re2.Options()
    options.log_errors, options.never_capture, options.dot_nl = False, True, True
    options.max_mem = 64 << 20
    try:
        made: _Expression = re2.compile("|".join(f"(?:{expression})" for expression in expressions), options)
        return made
    except re2.error as error:
        raise BadPattern("it is too long or means nothing") from error


# ---------------------------------------------------------------- from a line to an expression


def translated(line: str, below: bool = False) -> Pattern | None:
    """The pattern of a line; None for a blank line or a comment. Raises BadPattern."""
    text = _without_trailing_spaces(line)
    if not text or text.startswith("#"):
        return None
    if len(text) > LONGEST_LINE:
        raise BadPattern(f"it is longer than {LONGEST_LINE:,} characters")
    is_negated = text.startswith("!")
    text = text[1:] if is_negated else text
    if text == "/":
        return None  # git takes it for nothing
    is_folder = text.endswith("/")
    text = text[:-1] if is_folder else text
    if not text:
        raise BadPattern("there is nothing behind the “!”")
    steps = text.lstrip("/").split("/") if "/" in text else ["**", text]
    end = "/" if is_folder else "(?:/|$)" if below else "/?"
    return Pattern(f"^{_path(steps)}{end}" + ("" if below else "$"), is_negated)


def _without_trailing_spaces(line: str) -> str:
    text = line.rstrip("\r\n")
    bare = text.rstrip(" \t")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(text) > len(bare) else bare


def _path(steps: Sequence[str]) -> str:
    """Steps between slashes; `**` stands for any number of folders, behind the last slash for all that is inside."""
    written, last = "", len(steps) - 1
    for number, step in enumerate(steps):
        if step == "**" and number == last:
            written += "[^/].*" if number else ".*"
        elif step == "**":
            written += "(?:.*/)?"
        else:
            written += _step(step) + ("/" if number < last else "")
    return written


def _step(step: str) -> str:
    if not step.strip("*"):
        return "[^/]+"
    written, at = "", 0
    while at < len(step):
        character = step[at]
        at += 1
        if character == "*":
            if not written.endswith("[^/]*"):
                written += "[^/]*"
        elif character == "?":
            written += "[^/]"
        elif character == "[":
            inside, at = _class(step, at)
            written += inside
        elif character == "\\":
            if at == len(step):
                raise BadPattern("there is nothing behind its last “\\”")
            written += _literal(step[at])
            at += 1
        else:
            written += _literal(character)
    return written


def _class(step: str, at: int) -> tuple[str, int]:
    """A set of characters in brackets, which begins at `at`, and where it ends."""
    is_not = step[at : at + 1] in ("!", "^")
    at += is_not
    members, first = "", True
    while True:
        if at >= len(step):
            raise BadPattern("its “[” has no “]”")
        character = step[at]
        if character == "]" and not first:
            break
        first = False
        if character == "[" and step[at + 1 : at + 2] == ":" and (end := step.find(":]", at + 2)) > 0:
            if step[at + 2 : end] not in _POSIX:
                raise BadPattern(f"there is no set of characters called “{step[at + 2 : end]}”")
            members, at = members + step[at : end + 2], end + 2
            continue
        if character == "\\" and at + 1 < len(step):
            at += 1
            character = step[at]
        at += 1
        is_range = character == "-" and members and step[at : at + 1] not in ("]", "")
        members += "-" if is_range else _literal(character)
    return (f"[^/{members}]" if is_not else f"[{members}]"), at + 1


def _literal(character: str) -> str:
    return str(re2.escape(character))
