"""Where the line around a place of a text begins and ends; places are in characters, as everywhere here."""

from __future__ import annotations


def line_start(text: str, at: int, first: int = 0) -> int:
    """Where the line begins that a place is in, not before `first`. A line feed is of the line that it ends."""
    return text.rfind("\n", first, at) + 1 or first


def line_end(text: str, at: int) -> int:
    """Where the line ends that a place is in, before its line feed."""
    end = text.find("\n", at)
    return end if end >= 0 else len(text)
