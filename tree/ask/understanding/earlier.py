"""A turn of the chat before a question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn of the chat before a question."""

    question: str
    cited: tuple[str, ...] = ()  # places its answer rests on, the first first
    answer: str = ""
    leaves: tuple[str, ...] = ()  # keys of the texts that were cited there, in the same order
