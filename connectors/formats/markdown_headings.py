"""Finds the headings of a Markdown text line by line, where a look at each line is enough to be sure.

Most texts need nothing more, and it takes a tenth of the time that all rules of CommonMark take. Of those rules only
what decides about a heading is followed: what it can stand inside, and where that ends. Whether a line goes on lazily
with the text of a list or of a quotation is not followed; where that would make a difference there is no answer.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it.rules_block.html_block import HTML_SEQUENCES

INDENTED = 4  # columns from which a line is code, or goes on with the one before
SPACE = " \t"
UNDERLINE = re.compile(r"(=+|-+)[ \t]*\Z")
RULE = re.compile(r"([*_-])[ \t]*(?:\1[ \t]*){2,}\Z")
ATX = re.compile(r"(#{1,6})(?:[ \t]+(.*))?\Z", re.DOTALL)
FENCE = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
MARKER = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=([ \t]+)|\Z)")
CLOSING = re.compile(r"(?:(?<=[ \t])|\A)#+\Z")


class Marked(NamedTuple):
    """A heading that stands in no list and no quotation, its words with their marks; line `end` is the first behind it."""

    level: int
    content: str
    start: int
    end: int


class Unsure(Exception):
    """Only the full rules can tell."""


def scan(lines: list[str]) -> list[Marked]:
    """The headings in order. Raises Unsure."""
    return _Scan(lines).run()


class _Scan:
    """What is open above the line that is looked at."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Marked] = []
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.paragraph = -1  # the line at which one begins that stands in nothing else
        self.within = 0  # column from which a line belongs to the open item of a list
        self.may_be_closed = False  # whether that item is open at all is not known
        self.lazy = False  # the line before belongs to a list or a quotation, so that text may go on with it
        self.is_doubtful = False  # the text before may stand in a list or quotation, or in nothing

    def run(self) -> list[Marked]:
        number, lines = 0, self.lines
        while number < len(lines):
            line = lines[number]
            bare = line.lstrip(SPACE)
            if not bare:
                self.paragraph, self.lazy, self.is_doubtful = -1, False, False
                number += 1
                continue
            indent = len(line) - len(bare)
            if indent and "\t" in line[:indent]:
                indent = len(line[:indent].expandtabs(4))
            if self.within and indent >= self.within:
                if self.may_be_closed and indent < INDENTED and bare[0] in "#<`~=-":
                    raise Unsure
                self.lazy = True
                number += 1
            elif indent >= INDENTED:
                self._go_on()
                number += 1
            elif bare[0].isalpha():
                self._text(number, bare)
                number += 1
            else:
                number = self._marked(number, indent, bare)
        return self.found

    def _go_on(self) -> None:
        """A line so far to the right that it can only go on with a text, or be code."""
        self.is_doubtful |= self.lazy
        if not (self.is_doubtful or self.paragraph >= 0):
            self._begin_anew()

    def _text(self, number: int, bare: str) -> None:
        if self.lazy or self.is_doubtful:
            self.may_be_closed = self.is_doubtful = True
        elif self.paragraph < 0:
            self._begin_anew()
            if bare[0] == "[" and ("]:" in bare or "]" not in bare):  # perhaps the address of a link, which is no text
                self.is_doubtful = True
            else:
                self.paragraph = number

    def _marked(self, number: int, indent: int, bare: str) -> int:
        """A line that may begin something; returns where to go on."""
        first = bare[0]
        if first in "=-" and (mark := UNDERLINE.match(bare)):
            if self.paragraph >= 0:
                content = "\n".join(self.lines[self.paragraph : number]).strip()
                self.found.append(Marked(1 if first == "=" else 2, content, self.paragraph, number + 1))
                self._begin_anew()
                return number + 1
            if self.is_doubtful or (self.lazy and self.may_be_closed):
                raise Unsure
        if first == "#" and (mark := ATX.match(bare)):
            self._begin_anew()
            words = (mark[2] or "").rstrip(SPACE)
            self.found.append(Marked(len(mark[1]), CLOSING.sub("", words).strip(), number, number + 1))
        elif first in "`~" and (mark := FENCE.match(bare)):
            self._begin_anew()
            return self._after_fence(number, mark[0])
        elif first == ">":
            self._begin_anew()
            self.lazy = True
        elif first in "*_-" and RULE.match(bare):
            self._begin_anew()
        elif mark := MARKER.match(bare):
            self._item(number, indent, bare, mark)
        elif first == "<":
            return self._html(number, bare)
        else:
            self._text(number, bare)
        return number + 1

    def _after_fence(self, number: int, fence: str) -> int:
        for later in range(number + 1, len(self.lines)):
            line = self.lines[later]
            bare = line.strip(SPACE)
            if (
                bare.startswith(fence)
                and not bare.strip(fence[0])
                and len(line.expandtabs(4)) - len(line.lstrip(SPACE)) < INDENTED
            ):
                return later + 1
        return len(self.lines)

    def _item(self, number: int, indent: int, bare: str, mark: re.Match[str]) -> None:
        is_empty = not bare[mark.end() :].strip(SPACE)
        interrupts = not is_empty and mark[1] in (None, "1")
        if self.paragraph >= 0 and not interrupts:
            return
        is_doubtful = self.is_doubtful and not interrupts
        space = 1
        if not is_empty:
            after = indent + mark.end()
            space = len((" " * after + mark[2]).expandtabs(4)) - after
        self._begin_anew()
        self.within = indent + mark.end() + (space if space <= 4 else 1)
        self.may_be_closed, self.lazy, self.is_doubtful = is_doubtful or is_empty, True, is_doubtful

    def _html(self, number: int, bare: str) -> int:
        kind = next((kind for kind in HTML_SEQUENCES if kind[0].search(bare)), None)
        if kind is None:
            self._text(number, bare)
            return number + 1
        _, ends, interrupts = kind
        if not interrupts:
            if self.lazy or self.is_doubtful:
                raise Unsure
            if self.paragraph >= 0:
                return number + 1
        self._begin_anew()
        while not ends.search(bare):
            number += 1
            if number == len(self.lines):
                return number
            bare = self.lines[number].lstrip(SPACE)
        return number + 1
