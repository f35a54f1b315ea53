"""Finds the logic units of leaves: steps, terms, questions, decisions, issues, events, reference and passages.

The unit is that of THREAD (arXiv 2406.13372): header, body, prerequisites and linkers. Here structure and headings
decide what is what; nothing is guessed from the meaning of a sentence beyond a few fixed openings.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ingestion.chunking.blocks import Block
from ingestion.chunking.heading_scopes import HeadingScope, heading_scopes
from ingestion.chunking.leaf_text import LeafContent
from ingestion.chunking.links import links
from ingestion.chunking.naming import clipped, opening
from ingestion.chunking.plain_units import LARGEST_ANSWER, answers, events, plain_units, terms
from ingestion.chunking.procedure_steps import LONGEST_PREREQUISITE, cues, numbered_items, step_blocks
from ingestion.chunking.topics import gives_orders
from ingestion.chunking.unit_drafts import UnitDraft, passages
from prompts.records import Link, LogicUnit
from prompts.regex import regex
from prompts.sentences import COUNTED, sentences

MOST_LINKS = 24
MOST_PREREQUISITES = 12

_HOW = regex(r"\W*how\b", re.IGNORECASE)  # of a heading that asks for steps


def logic_units(contents: Sequence[LeafContent], titles: Sequence[str]) -> list[tuple[LogicUnit, ...]]:
    """The units of each leaf of a document. They come together because a procedure may go on on the next one."""
    finder = _Finder()
    drafts = [finder.leaf(leaf) for leaf in contents]
    onward = [_onward(here, there, title) for here, there, title in zip(drafts, drafts[1:], titles[1:], strict=False)]
    return [_finished(leaf, found, link) for leaf, found, link in zip(contents, drafts, [*onward, None], strict=False)]


def _onward(here: list[UnitDraft], there: list[UnitDraft], title: str) -> Link | None:
    """How the last step of a leaf leads to the first of the next, where the procedure goes on there."""
    if here and there and here[-1].step and there[0].step and here[-1].procedure == there[0].procedure:
        return Link(kind="heading", to=title)
    return None


def _finished(leaf: LeafContent, drafts: list[UnitDraft], onward: Link | None) -> tuple[LogicUnit, ...]:
    starts = [draft.start for draft in drafts]
    led: list[dict[Link, None]] = [{} for _ in drafts]
    for number, (one, other) in enumerate(zip(drafts, drafts[1:], strict=False)):
        if one.step and other.step and one.procedure == other.procedure:
            led[number][Link(kind="next", to=str(number + 1))] = None
    last_steps = {draft.procedure: number for number, draft in enumerate(drafts) if draft.step}
    for number, draft in enumerate(drafts):  # steps with something else in between
        later = last_steps.get(draft.procedure, -1) if draft.step else -1
        if later > number and not led[number]:
            following = next(n for n in range(number + 1, later + 1) if drafts[n].step and drafts[n].procedure == draft.procedure)
            led[number][Link(kind="next", to=str(following))] = None
    if onward and drafts:
        led[-1][onward] = None
    for at, link in links(leaf.text):
        number = bisect_left(starts, at + 1) - 1
        if number >= 0 and len(led[number]) < MOST_LINKS:
            led[number][link] = None
    return tuple(
        LogicUnit(
            kind=draft.kind, header=draft.header, start=draft.start, end=draft.end, step=draft.step,
            prerequisites=tuple(draft.prerequisites[:MOST_PREREQUISITES]), links=tuple(found),
        )
        for draft, found in zip(drafts, led, strict=True)
    )  # fmt: skip


class _Finder:
    """Goes through a document's leaves and remembers the open procedure and what it needs first."""

    def __init__(self) -> None:
        self.procedure = 0
        self.count = 0  # steps of the open procedure
        self.is_begun = False  # whether it has a step
        self.headings: tuple[str, ...] = ()  # of the open procedure
        self.needed: list[str] = []  # what the procedures below a heading need first
        self.needed_below: tuple[str, ...] = ()

    def leaf(self, leaf: LeafContent) -> list[UnitDraft]:
        found: list[UnitDraft] = []
        for scope in heading_scopes(leaf):
            drafts = list(self.scope(leaf.text, scope))
            if not drafts and scope.lead >= 0:  # headings at the end with nothing below them
                drafts = [UnitDraft("passage", scope.lead, len(leaf.text.rstrip()), scope.title)]
            elif drafts and scope.lead >= 0:
                drafts[0].start = scope.lead
            found += drafts
        return found

    def scope(self, text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
        """The units under one heading."""
        if not scope.blocks:
            return
        if scope.step is not None:
            yield self._heading_step(text, scope)
            return
        match scope.topic:
            case "prerequisites":
                self._need(text, scope)
                yield from passages(text, scope.blocks, "passage", scope.title)
            case "question" if not (_HOW.match(scope.title) and len(numbered_items(scope.blocks)) > 1):
                yield from passages(text, scope.blocks, "faq", scope.title, LARGEST_ANSWER)
            case "faq":
                yield from answers(text, scope)
            case "glossary":
                yield from terms(text, scope)
            case "event":
                yield from events(text, scope)
            case "issue" | "reference":
                yield from passages(text, scope.blocks, scope.topic, scope.title)
            case "decision" if not (numbered_items(scope.blocks) and scope.title.casefold().startswith("resol")):
                yield from passages(text, scope.blocks, "decision", scope.title)
            case _:
                yield from self._mixed(text, scope)

    # ------------------------------------------------------------ procedures

    def _begin(self, headings: tuple[str, ...]) -> None:
        self.procedure += 1
        self.count = 0
        self.is_begun = False
        self.headings = headings

    def _step(self, draft: UnitDraft, number: int | None) -> UnitDraft:
        is_first, self.is_begun = not self.is_begun, True
        self.count = number if number else self.count + 1
        draft.step, draft.procedure = self.count, self.procedure
        if is_first and self.needed and self.headings[: len(self.needed_below)] == self.needed_below:
            draft.prerequisites = [*self.needed, *draft.prerequisites]
        return draft

    def _heading_step(self, text: str, scope: HeadingScope) -> UnitDraft:
        above = scope.headings[:-1]
        if self.headings != above or scope.step != self.count + 1:
            self._begin(above)
        draft = UnitDraft("step", scope.blocks[0].start, scope.blocks[-1].end, scope.title)
        draft.prerequisites += cues(text, draft.start, draft.end, own=True)
        return self._step(draft, scope.step)

    def _need(self, text: str, scope: HeadingScope) -> None:
        needed = []
        for block in scope.blocks:
            if block.kind == "item":
                needed.append(" ".join(text[block.start : block.end].split()).lstrip("-*+•0123456789.) "))
            elif block.kind == "paragraph" and not text[block.start : block.end].rstrip().endswith(":"):
                spans = sentences(text[block.start : block.end])
                needed += [" ".join(text[block.start + low : block.start + high].split()) for low, high in spans]
        self.needed = [clipped(one, LONGEST_PREREQUISITE) for one in needed if one][:MOST_PREREQUISITES]
        self.needed_below = scope.headings[:-1]

    def _mixed(self, text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
        """Text where anything may come: steps where there are lists of them, else what each block looks like."""
        procedure = scope.topic == "procedure"
        goes_on = scope.lead < 0 and self.headings == scope.headings and scope.blocks[0].number == self.count + 1
        steps = step_blocks(text, scope.blocks, procedure or goes_on, procedure and any(map(gives_orders, scope.headings[1:])))
        if steps and (self.headings != scope.headings or scope.lead >= 0):
            self._begin(scope.headings)
            self.count = -1
        plain: list[Block] = []
        at = 0
        ended = -1  # where the last step did
        while at < len(scope.blocks):
            if at not in steps:
                plain.append(scope.blocks[at])
                at += 1
                continue
            number, after = steps[at]
            needed = []
            if plain:
                if self.count <= 0:
                    needed = [
                        cue for block in plain[-3:] if block.kind == "paragraph" for cue in cues(text, block.start, block.end)
                    ]
                yield from plain_units(text, plain, scope)
                plain = []
            if self.count < 0:
                self.count = 0
            elif number == 1 and self.count and at != ended:  # a list may be numbered 1, 1, 1
                self._begin(scope.headings)
            first, last = scope.blocks[at], scope.blocks[after - 1]
            if number is not None and number <= self.count:
                number = None
            marker = COUNTED.match(text, first.start)
            begin = marker.end() if marker is not None else first.start
            words = opening(text[begin : min(last.end, begin + 300)])
            header = words if words.startswith(scope.title) else f"{scope.title}: {words}" if scope.title else words
            draft = UnitDraft("step", first.start, last.end, clipped(header, 160))
            draft.prerequisites += [*needed, *cues(text, first.start, last.end, own=True)]
            yield self._step(draft, number)
            at = ended = after
        yield from plain_units(text, plain, scope)
