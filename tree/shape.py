"""The shape of a tree: how the ordered children of a container are grouped, decided by their places alone.

A container of more than FANOUT children gets levels of *runs* in between. A run closes after 5 to 10 children, at a
border that a hash of the child's place decides, never what is in it (content-defined chunking as in rsync, restic or
prolly trees). Each run is decided by the children from its first one on, looking at most 15 ahead. So the shape is a
function of the set of children, and a change moves only the borders near it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import TypeVar

FANOUT = 10  # the most children a node has
LEAST = 5  # the fewest a run has
BORDER_SHARE = 51  # of 256: one child in five is a border

T = TypeVar("T")


def runs(items: Iterable[T], is_border: Callable[[T], bool]) -> Iterator[list[T]]:
    """Groups more than FANOUT ordered items into runs of LEAST to FANOUT; lazily, so a caller can stop early."""
    source = iter(items)
    ahead: deque[T] = deque()

    def look() -> int:
        while len(ahead) < FANOUT + LEAST and (item := next(source, ahead)) is not ahead:
            ahead.append(item)  # type: ignore[arg-type]
        return len(ahead)

    while remaining := look():
        yield [ahead.popleft() for _ in range(_length(ahead, remaining, is_border))]


def _length(ahead: deque[T], remaining: int, is_border: Callable[[T], bool]) -> int:
    if remaining <= FANOUT:
        return remaining
    if remaining < FANOUT + LEAST:
        return (remaining + 1) // 2  # two runs share the end, so that none falls short
    for length in range(LEAST, FANOUT):
        if is_border(ahead[length - 1]):
            return length
    return FANOUT


def is_border(container: str, level: int, slot: str) -> bool:
    """Whether a run of `container` may close after the child `slot`."""
    return blake2b(f"{container}\0{level}\0{slot}".encode(), digest_size=1).digest()[0] < BORDER_SHARE


# ---------------------------------------------------------------- names

_ESCAPED = {character: f"%{ord(character):02X}" for character in "%/#|"} | {chr(n): f"%{n:02X}" for n in range(32)}
_ESCAPES = str.maketrans(_ESCAPED)
_DIGITS = re.compile(r"\d{1,18}")


def root_place(source_id: str) -> str:
    """A container's place ends with a slash, a document's does not."""
    return f"{source_id}/"


def below(place: str, slot: str) -> str:
    """The place of something inside a document."""
    return f"{place}{'/' if '#' in place else '#'}{slot}"


def run_place(container: str, level: int, first_slot: str) -> str:
    return f"{container}|{level}|{first_slot}"


def escape(name: str) -> str:
    """A name as a step of a place: without the characters that places are made with."""
    return name.encode("utf-8", "backslashreplace").decode().translate(_ESCAPES) or "%"


def natural_order(name: str, slot: str) -> str:
    """A key that sorts names as people do (9 before 10, capitals beside small letters), never two alike."""
    return f"{_DIGITS.sub(lambda digits: digits.group().zfill(18), name.casefold())}\0{slot}"
