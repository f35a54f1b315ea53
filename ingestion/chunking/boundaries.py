"""Where a long text is cut: at its best boundaries, chosen by what stands around them alone.

A boundary is taken when nothing better, or of equal rank with a smaller hash, stands within REACH on either side. That
is content-defined chunking (as in rsync and FastCDC) without a state that runs along, so an edit moves only the cuts
within REACH of it, wherever in the text it is. Only where that leaves a segment above the limit are weaker boundaries
looked at: list items, then rows, then sentences, then words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple
from zlib import crc32

from prompts.regex import regex
from prompts.sentences import sentences

REACH = 1_500  # makes leaves of about 2,700 characters on average
LEAST = 600  # a cut nearer than this to the end of a segment is taken only where there is no other
CONTEXT = 80  # characters on either side of a boundary that its hash is made of


class Rank(IntEnum):
    """How good a boundary is; smaller is better."""

    HEADING = 0
    BLOCK = 1  # a blank line between two paragraphs
    GLUED = 2  # between a line and the list, code or table it announces
    ITEM = 3
    ROW = 4
    SENTENCE = 5
    WORD = 6


class Boundary(NamedTuple):
    rank: Rank
    hash: int
    at: int


def boundary(text: str, at: int, rank: Rank) -> Boundary:
    around = text[max(at - CONTEXT, 0) : at + CONTEXT]
    return Boundary(rank, crc32(around.encode("utf-8", "surrogatepass")), at)


def cut_text(text: str, boundaries: Sequence[Boundary], limit: int) -> list[tuple[int, int]]:
    """Segments of `text` of at most `limit` characters, in order, together all of it."""
    segments = [(0, len(text))]
    for rank in range(Rank.ROW + 1):
        if all(end - start <= limit for start, end in segments):
            return segments
        usable = [one for one in boundaries if one.rank <= rank]
        margin = 0 if rank <= Rank.BLOCK else LEAST
        segments = [piece for segment in segments for piece in cut_segment(segment, usable, limit, margin)]
    for find in (_sentence_boundaries, _word_boundaries):
        segments = [piece for segment in segments for piece in _finer(text, segment, find, limit)]
    return [piece for segment in segments for piece in _forced(segment, limit)]


def cut_segment(
    segment: tuple[int, int], boundaries: Sequence[Boundary], limit: int, margin: int = 0
) -> Iterator[tuple[int, int]]:
    """A segment above the limit cut at boundaries, which are in the order of the text; some pieces may stay too long.

    No cut is made within `margin` of its ends: rather a weaker boundary later than a leaf of one line.
    """
    start, end = segment
    if end - start <= limit:
        yield segment
        return
    low = bisect_right(boundaries, start, key=_place)
    high = bisect_left(boundaries, end, key=_place)
    inside = boundaries[low:high]
    for at in [*_minima(inside, start + LEAST, end - LEAST), end]:
        yield from _halved(start, at, boundaries, limit, margin)
        start = at


def _place(one: Boundary) -> int:
    return one.at


def _minima(boundaries: Sequence[Boundary], first: int, last: int) -> list[int]:
    """The boundaries that are better than all others within REACH, by way of the nearest better one on either side."""
    considered = [one for one in boundaries if first <= one.at <= last]
    free = [True] * len(considered)
    stack: list[int] = []
    for number, one in enumerate(considered):
        while stack and one < considered[stack[-1]]:
            worse = stack.pop()
            if one.at - considered[worse].at <= REACH:
                free[worse] = False
        if stack and one.at - considered[stack[-1]].at <= REACH:
            free[number] = False
        stack.append(number)
    return [one.at for one, is_free in zip(considered, free, strict=True) if is_free]


def _halved(start: int, end: int, boundaries: Sequence[Boundary], limit: int, margin: int) -> Iterator[tuple[int, int]]:
    """Cuts near the middle until it fits or no boundary is left."""
    waiting = [(start, end)]
    while waiting:
        start, end = waiting.pop()
        low = bisect_right(boundaries, start + margin, key=_place)
        high = bisect_left(boundaries, end - margin, key=_place)
        if end - start <= limit or low >= high:
            yield start, end
            continue
        quarter = (end - start) // 4
        inner_low = bisect_left(boundaries, start + quarter, low, high, key=_place)
        inner_high = bisect_right(boundaries, end - quarter, low, high, key=_place)
        if inner_low < inner_high:
            at = min(boundaries[inner_low:inner_high]).at
        else:
            nearest = (boundaries[max(inner_low - 1, low)].at, boundaries[min(inner_high, high - 1)].at)
            at = min(nearest, key=lambda place: (abs(start + end - 2 * place), place))
        waiting += ((at, end), (start, at))


# ---------------------------------------------------------------- finer boundaries, looked for only where needed

_WORD_START = regex(r"(?<=\s)\S")
_ENDS = frozenset(".!?…。！？:;")
_CLOSERS = "\"'”’)]*_」』）"


def _finer(
    text: str, segment: tuple[int, int], find: Callable[[str, int, int], list[Boundary]], limit: int
) -> Iterator[tuple[int, int]]:
    if segment[1] - segment[0] <= limit:
        yield segment
    else:
        yield from cut_segment(segment, find(text, *segment), limit, LEAST)


def _sentence_boundaries(text: str, start: int, end: int) -> list[Boundary]:
    found = []
    for low, _ in sentences(text[start:end])[1:]:
        at = start + low
        before = text[max(at - 12, start) : at]
        bare = before.rstrip()
        if "\n" in before[len(bare) :]:
            at = start + low - len(before) + before.rindex("\n") + 1
        elif bare.rstrip(_CLOSERS)[-1:] not in _ENDS:
            continue
        found.append(boundary(text, at, Rank.SENTENCE))
    return sorted(set(found), key=_place)


def _word_boundaries(text: str, start: int, end: int) -> list[Boundary]:
    return [boundary(text, match.start(), Rank.WORD) for match in _WORD_START.finditer(text, start + 1, end)]


def _forced(segment: tuple[int, int], limit: int) -> Iterator[tuple[int, int]]:
    start, end = segment
    while end - start > limit:
        yield start, start + limit
        start += limit
    yield start, end
