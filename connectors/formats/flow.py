"""Gathers headings and blocks as a converter meets them, and gives them back as sections of Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from connectors.base import Locator, Problem, Section

SECTION_CHARACTERS = 12_000  # blocks without a heading between them are closed into a section near here
BULLETS = "•◦▪‣●○■"  # typed by hand, where a list was meant


class Flow:
    """The sections of one document, chapter, slide or mail, in the order of its text."""

    def __init__(self, locator: Locator = Locator()) -> None:
        self._base = locator
        self._path: list[tuple[int, str]] = []
        self._blocks: list[str] = []
        self._size = 0
        self._headed = False
        self._sections: list[Section] = []
        self.problems: list[Problem] = []  # what the converter left out

    def heading(self, level: int, title: str) -> None:
        title = " ".join(title.replace("\u200b", "").split())
        if not title:
            return
        self._close()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, title))
        self._headed = True

    def block(self, text: str) -> None:
        """A paragraph, a list, a table, a fence."""
        text = text.strip("\n").rstrip()
        if not text.strip() or text.strip() in BULLETS:
            return
        if text[0] in BULLETS and text[1:2].isspace():
            text = f"- {text[1:].strip()}"
        if self._size + len(text) > SECTION_CHARACTERS and self._blocks:
            self._close()
        self._blocks.append(text)
        self._size += len(text)

    def sections(self) -> tuple[Section, ...]:
        self._close()
        return tuple(self._sections)

    def _close(self) -> None:
        if self._blocks or self._headed:
            heading = (*self._base.heading, *(title for _, title in self._path))
            self._sections.append(Section("\n\n".join(self._blocks), replace(self._base, heading=heading)))
        self._blocks, self._size, self._headed = [], 0, False

    @property
    def first_heading(self) -> str:
        return next(iter(self._all_headings()), "")

    def _all_headings(self) -> Iterator[str]:
        for section in self.sections():
            yield from section.locator.heading[len(self._base.heading) :]


def struck(text: str) -> str:
    """Text that is crossed out in its document, marked as in Markdown, line by line; the space around it stays outside."""
    lines = (line.replace("~~", "") for line in text.split("\n"))
    return "\n".join(line.replace(said, f"~~{said}~~", 1) if (said := line.strip()) else line for line in lines)
