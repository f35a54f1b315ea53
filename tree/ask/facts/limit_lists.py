"""The line of a list of limits that an amount falls into: "- up to 600 EUR: head of workshop", "10 to 24 ........ 9 %"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive.passages import quote
from prompts.language import terms
from prompts.question import Word
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.facts.amounts import Amount
from tree.ask.facts.likely_rows import is_said
from tree.ask.facts.limits import FEWEST_LIMITS, beside_amount, holding, limit_of
from tree.ask.snapshot.snapshot_view import OpenedLeaf

LEAST_SHARE = 0.5  # of the weight of a question that is said above the list or in it
MOST_LINES, LONGEST_LINE = 30, 300
_LINE = regex(
    r"(?m)^[ \t]{0,8}(?:[-*+•] {1,3})?(?P<limit>[^\n:.…|]{1,40}?)(?: ?: ?| ?\.{2,} ?| ?…+ ?| [-–—] | ?(?:->|→|=) ?| {3,}|\t+)(?P<value>[^\s.:][^\n]{0,240})$"
)
_BREAK = regex(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class LimitLine:
    """The line, as it stands in its leaf: the limit, and what is said of it."""

    opened: OpenedLeaf
    said: Quote
    limit: str
    value: str
    total: int  # lines of the list


def find_limit_line(amount: Amount, carrying: Sequence[Word], leaves: Iterable[OpenedLeaf]) -> LimitLine | None:
    """None where no list of limits, or several, stand below its words."""
    words = beside_amount(carrying)
    weight = sum(word.weight for word in words)
    if amount is None or not weight:
        return None
    found: list[LimitLine] = []
    for opened in leaves:
        for above, lines in _lists(opened.leaf.text):
            said = (*opened.leaf.heading, above, *(value for _, _, _, value in lines))
            called = set(terms(" ".join(said)))
            if sum(word.weight for word in words if is_said(word, called)) < LEAST_SHARE * weight:
                continue
            at = holding({str(number): limit for number, (_, _, limit, _) in enumerate(lines)}, amount)
            if at is not None:
                start, end, limit, value = lines[int(at)]
                found.append(LimitLine(opened, quote(opened.leaf.text, start, end), limit, value, len(lines)))
    return found[0] if len({(one.limit, one.value) for one in found}) == 1 else None


_Lines = list[tuple[int, int, str, str]]  # where each stands, its limit, and what is said of it


def _lists(text: str) -> Iterator[tuple[str, _Lines]]:
    """Each list of limits with the line above it, and the heading above that."""
    lines: _Lines = []
    end = 0
    for match in _LINE.finditer(text):
        if lines and text[end : match.start()].strip("\n") != "":
            yield from _whole(text, lines)
            lines = []
        if limit_of(match["limit"]) is not None:
            lines.append((match.start("limit"), match.end(), match["limit"].strip(), match["value"].strip()))
            end = match.end()
        elif lines:
            yield from _whole(text, lines)
            lines = []
    yield from _whole(text, lines)


def _whole(text: str, lines: _Lines) -> Iterator[tuple[str, _Lines]]:
    if FEWEST_LIMITS <= len(lines) <= MOST_LINES:
        before = text[: lines[0][0]].rstrip(" \t-*+•\n")
        above = _BREAK.split(before)[-1]
        heading = next((line for line in reversed(before.split("\n")) if line.startswith("#")), "")
        yield f"{above[-LONGEST_LINE:]} {heading}", lines
