"""Units in the making, and how blocks become units of a useful size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ingestion.chunking.blocks import WHOLE_CODE, Block
from prompts.records import UnitKind
from prompts.sentences import sentences

LARGEST = 900  # characters of a unit that can be divided


@dataclass(slots=True)
class UnitDraft:
    """A unit in the making."""

    kind: UnitKind
    start: int
    end: int
    header: str
    step: int | None = None
    procedure: int = 0  # which steps belong together
    prerequisites: list[str] = field(default_factory=list)


def passages(text: str, found: Sequence[Block], kind: UnitKind, header: str, most: int = LARGEST) -> Iterator[UnitDraft]:
    """Blocks in units of a useful size; a longer block is divided at rows, lines or sentences."""
    if not found:
        return
    total = found[-1].end - found[0].start
    even = total / -(-total // most)
    start = end = -1
    before: Block | None = None
    for block in found:
        for low, high in _divided(text, block, most):
            is_led = before is not None and _leads_to_code(text, before, block) and high - start <= WHOLE_CODE
            if start >= 0 and not is_led and (high - start > most or end - start >= even):
                yield UnitDraft(kind, start, end, header)
                start = -1
            if start < 0:
                start = low
            end = high
        before = block
    if start >= 0:
        yield UnitDraft(kind, start, end, header)


def _leads_to_code(text: str, before: Block, block: Block) -> bool:
    """Whether code stands right behind the paragraph that introduces it."""
    return block.kind == "code" and before.kind == "paragraph" and not text[before.end : block.start].strip()


def _divided(text: str, block: Block, most: int) -> list[tuple[int, int]]:
    if block.end - block.start <= (max(most, WHOLE_CODE) if block.kind == "code" else most):
        return [(block.start, block.end)]
    body = text[block.start : block.end]
    if block.kind in ("code", "table"):
        spans = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", body)]
    else:
        spans = sentences(body)
    merged: list[tuple[int, int]] = []
    size = -(-len(body) // -(-len(body) // most))  # as even as can be
    start = 0
    for low, high in spans:
        if high - start > size and low > start and not body[start:low].isspace():
            merged.append((block.start + start, block.start + len(body[:low].rstrip())))
            start = low
    merged.append((block.start + start, block.end))
    return merged


def grouped(found: Sequence[Block], begins: Callable[[Block], bool]) -> Iterator[tuple[bool, list[Block]]]:
    """Blocks in groups that each begin with one for which `begins` holds; the first group may not."""
    group: list[Block] = []
    opened = False
    for block in found:
        if begins(block):
            if group:
                yield opened, group
            group, opened = [block], True
        else:
            group.append(block)
    if group:
        yield opened, group
