"""What happens between two pages of somebody's walk through search results."""

from __future__ import annotations

from collections.abc import Callable


class PageHooks:
    """Actions that wait for a walk to ask for its next page; each happens once."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, Callable[[], object]]] = []

    def after_page(self, page: int, do: Callable[[], object]) -> None:
        """`do` runs when the page after that one is asked for, before it is put together. Pages count from 1."""
        self._waiting.append((page, do))

    def between_pages(self, page: int) -> None:
        due = [each for each in self._waiting if each[0] == page]
        self._waiting = [each for each in self._waiting if each[0] != page]
        for _, do in due:
            do()
