"""A text that is written anew line by line: whatever becomes of a line stands at its place."""

from __future__ import annotations

from collections.abc import Sequence


class Rewritten:
    """`made` is what there is of it so far; `verbatim` are the numbers of lines in it that are left as they are."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.made: list[str] = []
        self.verbatim: set[int] = set()

    def _is_blank(self, number: int) -> bool:
        """Whether there is nothing in a line, or no such line."""
        return not 0 <= number < len(self.lines) or not self.lines[number].strip()

    def _pad(self, end: int) -> None:
        """Nothing is made of the lines up to this one."""
        self.made += [""] * (end - len(self.made))


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())
