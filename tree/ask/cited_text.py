"""Text with the numbers of its citations, as it is put together line by line, and which passage is behind each number."""

from __future__ import annotations

from collections.abc import Sequence

from tree.ask.snapshot.answer import MarkAt
from tree.ask.snapshot.direct_answer import Line, renumbered


class CitedText:
    """`pieces` are its text, `marks` where the numbers stand in it."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.marks: list[MarkAt] = []
        self.length = 0  # in characters

    def __str__(self) -> str:
        return "".join(self.pieces)

    def add(self, line: Line, number: int | None = None, passage: int | None = None) -> str:
        """Adds the text of a line with the `number` of its citation in this text, and returns it; `passage` is the place of what it
        quotes among what is quoted of that citation.

        A line that quotes and does not show its number gives one more passage to the number that stands before it.
        """
        text = renumbered(line.text, line.number, number)
        if number is not None:
            self._mark(number, text.rfind(f"[{number}]"), () if passage is None else (passage,))
        self.pieces.append(text)
        self.length += len(text)
        return text

    def _mark(self, number: int, at: int, passages: tuple[int, ...]) -> None:
        if at >= 0:
            self.marks.append(MarkAt(number, self.length + at, passages))
            return
        before = next((place for place in reversed(range(len(self.marks))) if self.marks[place].number == number), None)
        if before is not None and passages:
            known = self.marks[before].passages
            self.marks[before] = self.marks[before]._replace(passages=tuple(dict.fromkeys((*known, *passages))))


def stripped(text: str, marks: Sequence[MarkAt]) -> tuple[str, tuple[MarkAt, ...]]:
    """A text without space around it, and where the numbers stand in that."""
    left = len(text) - len(text.lstrip())
    return text.strip(), tuple(one._replace(start=one.start - left) for one in marks)
