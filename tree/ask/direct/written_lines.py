"""Lines that were said on a day: of a chat, of a mail, of a comment, of minutes, and not of a manual; and answers with such lines above."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.extractive.passages import Passage, passages, quote, written_by
from prompts.extractive.section_days import CHAT_HEAD, chat_day, told_on
from prompts.records import LeafText, Quote
from prompts.regex import regex
from prompts.text_lines import line_end, line_start
from prompts.timespans import day_of
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot_view import OpenedLeaf

LONGEST_LINE = 600  # characters
MOST_TOLD = 4
_SENDER = regex(r"^(?:From|Von|De) ?: (?P<name>[^\n]{2,80})$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line, of whom and when: of a chat the whole of it, else a sentence."""

    opened: OpenedLeaf
    quote: Quote
    said: str  # without what it begins with in a chat: when it was written is not what it says
    speaker: str  # the names, as written, of whoever says it; empty where that is not known
    written: date | None


def written_lines(opened: OpenedLeaf) -> Iterator[WrittenLine]:
    """The lines and sentences of a text, tables and headings left out, with the day of each where it has one."""
    leaf, told = opened.text, set[int]()
    for passage in passages(leaf):
        begins, ends = _span_of(leaf, passage)
        if passage.kind not in ("text", "item") or begins in told or ends - begins > LONGEST_LINE:
            continue
        told.add(begins)
        head = CHAT_HEAD.match(leaf.text, begins)
        said = leaf.text[head.end() if head is not None else begins : ends]
        speaker = f"{_author(leaf, begins)} {head.group() if head is not None else ''}".strip()
        yield WrittenLine(opened, quote(leaf.text, begins, ends), said, speaker, _written_on(leaf, begins))


def with_lines_above(told: DirectAnswer, found: Sequence[WrittenLine], lead: str, rest: str) -> DirectAnswer:
    """An answer below what speaks against it, the newest first, and then no more than a part of one; as it is where nothing does."""
    if not found:
        return told
    newest = sorted(found, key=lambda one: one.written or date.min, reverse=True)[:MOST_TOLD]
    numbers = {one.node.place: one.number for one in told.lines if one.node is not None and one.number is not None}
    last = max((one.number or 0 for one in told.lines), default=0)
    lines = [Line(f"{lead}\n")]
    for one in newest:
        node = one.opened.node
        number = numbers.setdefault(node.place, last + 1)
        last = max(last, number)
        lines.append(Line(f"\n- {as_text(one.quote)} [{number}]", number, node, one.opened.leaf, one.quote))
    return replace(told, lines=(*lines, Line(f"\n\n{rest}\n\n"), *told.lines), verdict="partial")


def _span_of(leaf: LeafText, passage: Passage) -> tuple[int, int]:
    if chat_day(leaf.text, passage.start) is None:
        return passage.start, passage.end
    return line_start(leaf.text, passage.start), line_end(leaf.text, passage.start)


def _written_on(leaf: LeafText, at: int) -> date | None:
    by = written_by(leaf, at)
    parsed = told_on(leaf.text, at) or next(iter(days(by[1] if by is not None else leaf.stated("Date"))), None)
    parsed = parsed or next((day for heading in leaf.heading for day in days(heading)), None)
    return day_of(parsed.year, parsed.month, parsed.day or 1) if parsed is not None and parsed.month else None


def _author(leaf: LeafText, at: int) -> str:
    """The writer of a comment, or the sender of a mail, of several in one text of the last one above."""
    by = written_by(leaf, at)
    sender = next(reversed([*_SENDER.finditer(leaf.text, 0, at)]), None)
    return f"{sender['name'] if sender is not None else leaf.stated('From')} {by[0] if by is not None else ''}"
