"""Writes the answer: the best sentence first, then what supports it, made of quotes and a few fixed words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prompts.extractive.answer import _EXPECTED, _defines, counted_in, fit_of
from prompts.extractive.dates import Day, stated_on
from prompts.extractive.facts import UNASKED, spans
from prompts.extractive.markdown import as_cells, as_code, as_text
from prompts.extractive.passages import quote, shortened, written_by
from prompts.extractive.statements import procedures
from prompts.language import BlockKind, blocks, terms
from prompts.question import QuestionAnalysis, Word, analyse, weigh
from prompts.records import Cited, Evidence, LeafText, LogicUnit, Question, Quote

NOTHING = "I found nothing in the sources that answers this."
CLOSEST = "The closest I found:"
PASSAGES = "Passages that may help:"
BEFORE = "Before you start:"
OLDER = "An older statement"
DIFFER = "Statements differ:"

NEAR = 0.15  # of strength, for another statement to be weighed against the best
_MOST_POINTS = 5
_MOST_LIST_POINTS = 8
_MOST_PLACES = 3
_MOST_STEPS = 20
_LONGEST_HINT = 240
_WORTH, _WORTH_LISTED = 0.48, 0.42  # of the lead's score, for a point to be shown beside it; where many are asked for
_WORTH_BESIDE_FACT = 0.7
_SCENTED = 0.3  # what the scent of a leaf counts beside how well its procedure fits
_RIVAL = 0.8  # of the lead's score, for a dated statement to be weighed against it
_FULL_NAME = re.compile(
    r"\b(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)[A-Z][a-z\u00e0-\u017f]+ (?:[a-z]{2,3} )?[A-Z][\w\u00e0-\u017f-]+"
)
_CREATED = re.compile(r"^- Created: (\d{4}-\d\d-\d\d)", re.MULTILINE)
_MARKER = re.compile(r"\A[ \t]*(?:[-*+\u2022]|\(?\d{1,3}[.)]|[Ss]tep \d{1,3}[.:)]?)[ \t]+(?:\[[ xX]\][ \t]+)?")


@dataclass(slots=True)
class _Point:
    """One quote, with what it is worth to the question."""

    number: int
    leaf: LeafText
    quote: Quote
    kind: BlockKind
    score: float
    has: frozenset[int]
    day: Day | None

    @property
    def place(self) -> str:
        """Its headings, without one that only begins the one before: the first leaf of a document is called like it."""
        parts = list(dict.fromkeys(part for part in self.leaf.heading if part))
        kept = parts[:1] + [part for above, part in pairwise(parts) if not above.startswith(part.rstrip("\u2026"))]
        return " \u203a ".join(kept)


def compose(question: Question, evidence: Sequence[Evidence]) -> Iterator[Cited]:
    asked = analyse(question.text)
    carrying = weigh(question)
    speaking = [e for e in evidence if e.answer.verdict != "none" and e.answer.quotes]
    if not speaking:
        yield from _nothing(carrying, asked, evidence)
        return
    if stated := [e for e in speaking if e.answer.is_stated]:
        yield from _stated(stated)
        return
    direct = [e for e in speaking if e.answer.verdict == "complete"]
    if asked.kind == "how_to" and direct and (procedure := _procedure(carrying, direct)):
        yield from _how_to(procedure)
    elif direct:
        yield from _outright(asked, carrying, direct)
    elif asked.kind == "how_to" and (procedure := _procedure(carrying, speaking)):
        yield Cited(f"{PASSAGES}\n\n")
        yield Cited(f"**{as_text(_Point(0, procedure[0].leaf, procedure[0].quote, 'text', 0, frozenset(), None).place)}**\n\n")
        yield from _how_to(procedure)
    else:
        yield Cited(f"{PASSAGES}\n")
        yield from _passages(_points(asked, carrying, speaking, question.text))


def _outright(asked: QuestionAnalysis, carrying: list[Word], direct: Sequence[Evidence]) -> Iterator[Cited]:
    """The statement that answers; where a newer one says otherwise, that, and the older as such."""
    ranked = sorted(direct, key=lambda e: (-round(e.answer.strength, 1), -e.score))
    points = [_point(e, carrying) for e in ranked]
    best = max(point.score for point in points)
    rivals = [point for point in points if point.score >= best - NEAR]
    lead, older = _newest(rivals)
    if older is not None and (lead.day is None or older.day is None):
        yield Cited(f"{DIFFER}\n")
        yield from _listed([lead, older])
        return
    yield from _shown(lead)
    if older is not None:
        yield Cited(f"\n\n{OLDER}, of {older.day}: ")
        yield from _shown(older)


def _point(e: Evidence, carrying: list[Word]) -> _Point:
    said = e.answer.quotes[0]
    mine = set(terms(said.text))
    has = frozenset(at for at, word in enumerate(carrying) if word.whole in mine)
    day = stated_on(said.text, e.leaf.heading)
    author = written_by(e.leaf, said.start)
    if author is not None:  # a comment, dated by its own heading
        day = stated_on("", (author[1],)) or day
    if day is None and (made := _CREATED.search(e.leaf.text)) is not None:  # the description of a ticket
        day = stated_on(made[1], ())
    return _Point(e.number, e.leaf, said, _kind_at(_kinds(e.leaf), said.start), e.answer.strength, has, day)


def _newest(rivals: list[_Point]) -> tuple[_Point, _Point | None]:
    """The lead, and another statement that gives other values: an older one, or one of which no date says which holds."""
    lead = rivals[0]
    others = [point for point in rivals[1:] if _differs(point, lead) and point.leaf.heading != lead.leaf.heading]
    if not others:
        return lead, None
    dated = [point for point in [lead, *others] if point.day is not None]
    if lead.day is None or len(dated) < 2:
        return lead, others[0]
    newest = max(dated, key=lambda point: point.day or Day(0, 0))
    older = max((point for point in dated if point is not newest), key=lambda point: point.day or Day(0, 0))
    return (newest, older) if newest.day != older.day else (lead, None)


def _passages(points: list[_Point]) -> Iterator[Cited]:
    """The best passages with their places, and nothing said around them."""
    places: dict[str, list[_Point]] = {}
    for point in [point for point in points if point.score >= _WORTH_LISTED * points[0].score][:_MOST_POINTS]:
        places.setdefault(point.place, []).append(point)
    for place, mine in places.items():
        yield Cited(f"\n\n**{as_text(place)}**\n" if place else "\n")
        yield from _listed(sorted(mine, key=lambda point: (point.number, point.quote.start)))


# ---------------------------------------------------------------- the points


def _points(asked: QuestionAnalysis, carrying: list[Word], speaking: Sequence[Evidence], question_text: str) -> list[_Point]:
    """All quotes with their worth, best first, none twice."""
    total = sum(word.weight for word in carrying) or 1.0
    expected, counted = _EXPECTED.get(asked.kind), counted_in(question_text)
    best = max((e.score for e in speaking), default=1.0) or 1.0
    found: list[_Point] = []
    for e in speaking:
        code = _kinds(e.leaf)
        outer = set(terms(" ".join(e.leaf.heading)))
        unasked = spans(e.leaf.text)
        for rank, said in enumerate(e.answer.quotes):
            mine = set(terms(said.text))
            kind = _kind_at(code, said.start)
            header = set(terms(" ".join(_header_cells(e.leaf, code, said.start)))) if kind == "row" else set()
            has = frozenset(at for at, word in enumerate(carrying) if word.whole in mine or word.whole in header)
            near = [at for at, word in enumerate(carrying) if at not in has and word.whole in outer]
            score = (sum(carrying[at].weight for at in has) + 0.4 * sum(carrying[at].weight for at in near)) / total
            score += 0.12 / (1 + rank) + 0.15 * e.score / best + 0.1 * e.answer.coverage
            telling = expected is not None and expected.search(said.text) is not None
            if telling:
                score += 0.15
            if counted is not None and counted.search(said.text):
                score += 0.3
            if asked.kind == "who" and _FULL_NAME.search(said.text):
                score += 0.2
            if asked.kind == "definition" and _defines(asked.subject, said.text):
                score += 0.4
            if said.text.endswith("?"):
                score -= 0.25
            if any(first <= said.start < last for first, last in unasked):
                score -= UNASKED
            if not telling:
                score *= min(1.0, 0.45 + len(said.text) / 110)
            found.append(_Point(e.number, e.leaf, said, kind, score, has, stated_on(said.text, e.leaf.heading)))
    found.sort(key=lambda point: (-point.score, point.number, point.quote.start))
    return _unrepeated(found)


def _kinds(leaf: LeafText) -> list[tuple[int, int, BlockKind]]:
    return blocks(leaf.text)


def _kind_at(found: list[tuple[int, int, BlockKind]], start: int) -> BlockKind:
    return next((kind for first, last, kind in found if first <= start < last), "text")


def _header_cells(leaf: LeafText, found: list[tuple[int, int, BlockKind]], start: int) -> list[str]:
    """The cells of the first row of the table that has a row at `start`; none when that is the first row itself."""
    header: tuple[int, int] | None = None
    for first, last, kind in found:
        if kind != "row":
            header = None
        elif header is None:
            header = (first, last)
        if first <= start < last:
            return as_cells(leaf.text[slice(*header)]) if header and header[0] != first else []
    return []


def _unrepeated(points: list[_Point]) -> list[_Point]:
    kept: list[tuple[set[str], _Point]] = []
    for point in points:
        mine = set(terms(point.quote.text))
        repeats = any(len(mine & other) > 0.8 * max(1, min(len(mine), len(other))) for other, _ in kept if other and mine)
        if not repeats or point.kind == "row":
            kept.append((mine, point))
    return [point for _, point in kept]


# ---------------------------------------------------------------- ways of telling


def _stated(stated: Sequence[Evidence]) -> Iterator[Cited]:
    """Named facts, each below the name of the thing it is a fact of."""
    for at, e in enumerate(stated[:_MOST_PLACES]):
        yield Cited(("\n\n" if at else "") + f"**{as_text(e.leaf.heading[0])}**\n")
        for said in e.answer.quotes:
            yield Cited("\n- ")
            yield Cited(f"{as_text(said)} [{e.number}]", e.number, said)


_VALUES = re.compile(r"\d[\d.,:]*|\b[A-Z][a-z]+\b")


def _differs(one: _Point, other: _Point) -> bool:
    """Do two statements give different numbers or names?"""
    return bool(set(_VALUES.findall(one.quote.text)) ^ set(_VALUES.findall(other.quote.text)))


def _nothing(carrying: list[Word], asked: QuestionAnalysis, evidence: Sequence[Evidence]) -> Iterator[Cited]:
    yield Cited(NOTHING)
    near = [e for e in evidence if e.answer.quotes]
    if near:
        yield Cited(f"\n\n{CLOSEST}\n")
        for e in near[:_MOST_PLACES]:
            said = next((q for q in e.answer.quotes if "\n" not in e.leaf.text[q.start : q.end]), e.answer.quotes[0])
            said = quote(e.leaf.text, *shortened(e.leaf.text, said.start, said.end, _LONGEST_HINT))
            place = " \u203a ".join(dict.fromkeys(e.leaf.heading))
            yield Cited(f"\n- **{as_text(place)}**: " if place else "\n- ")
            yield Cited(f"{as_text(said)}{_more(e.leaf, said)} [{e.number}]", e.number, said)


# ---------------------------------------------------------------- procedures


@dataclass(slots=True)
class _Step:
    number: int
    leaf: LeafText
    unit: LogicUnit
    quote: Quote


def _procedure(carrying: list[Word], speaking: Sequence[Evidence]) -> list[_Step]:
    """The steps of the best evidence that has any, with those that follow them in other leaves that were read."""
    by_evidence = [(e, _steps(e)) for e in sorted(speaking, key=lambda e: -_fit(carrying, e))]
    first = next(((e, steps) for e, steps in by_evidence if steps), None)
    if first is None:
        return []
    start, steps = first
    title = start.leaf.heading[:1]
    near = [e for e, _ in by_evidence if e is not start and e.leaf.heading[:1] == title]
    while onward := next((more for e in near for more in [_onward(e, steps[-1])] if more), None):
        steps += onward
    unique: dict[str, _Step] = {}
    for step in steps:
        unique.setdefault(step.quote.text, step)
    return list(unique.values())[:_MOST_STEPS]


def _fit(carrying: list[Word], e: Evidence) -> float:
    """How well the procedure in a leaf fits, and how promising the leaf was."""
    return max((fit_of(units, carrying, e.leaf) for units in procedures(e.leaf)), default=0.0) + _SCENTED * e.score


def _onward(e: Evidence, last: _Step) -> list[_Step]:
    """The steps of another leaf of the document that take up where the last one stops."""
    if last.unit.step is None or e.leaf is last.leaf or not last.unit.links:
        return []
    for units in procedures(e.leaf):
        if units[0].step == last.unit.step + 1:
            return [_Step(e.number, e.leaf, unit, quote(e.leaf.text, unit.start, unit.end)) for unit in units]
    return []


def _steps(e: Evidence) -> list[_Step]:
    units = {unit.start: unit for unit in e.leaf.units if unit.kind == "step"}
    steps = [_Step(e.number, e.leaf, units[q.start], q) for q in e.answer.quotes if q.start in units]
    # numbered lines without a word, such as the numbers of footnotes, are no procedure
    return steps if any(any(map(str.isalpha, _body(step.leaf, step.quote, ""))) for step in steps) else []


def _how_to(steps: list[_Step]) -> Iterator[Cited]:
    """What is needed first, and the steps in order; nothing between them."""
    needed = dict.fromkeys((need, step.number) for step in steps for need in step.unit.prerequisites)
    if needed:
        yield Cited(f"{BEFORE}\n")
        for need, number in needed:
            yield Cited(f"\n- {as_text(need)} [{number}]", number)
        yield Cited("\n\n")
    for at, step in enumerate(steps, 1):
        marker = f"{at}. "
        body = _body(step.leaf, step.quote, " " * len(marker))
        yield Cited(
            f"\n{marker}{_marked(body, step.number)}" if at > 1 else f"{marker}{_marked(body, step.number)}",
            step.number,
            step.quote,
        )


# ---------------------------------------------------------------- how a quote looks


def _shown(point: _Point) -> Iterator[Cited]:
    if (author := written_by(point.leaf, point.quote.start)) is not None:
        yield Cited(f"{as_text(author[0])} wrote on {author[1]}: ")
    yield Cited(_marked(_body(point.leaf, point.quote, ""), point.number), point.number, point.quote)


def _listed(points: list[_Point]) -> Iterator[Cited]:
    """As a list; rows of one table as a table."""
    at = 0
    while at < len(points):
        rows = [p for p in points[at:] if p.kind == "row" and p.leaf is points[at].leaf] if points[at].kind == "row" else []
        if len(rows) > 1 and len({len(as_cells(p.quote.text)) for p in rows}) == 1:
            yield from _table(rows)
            at += len(rows)
            continue
        point = points[at]
        if point.kind == "code":
            yield Cited(f"\n\n{_marked(_body(point.leaf, point.quote, ''), point.number)}\n", point.number, point.quote)
            at += 1
            continue
        author = written_by(point.leaf, point.quote.start)
        by = f" ({as_text(author[0])}, {author[1]})" if author else ""
        yield Cited(f"\n- {_marked(_body(point.leaf, point.quote, '  '), point.number)}{by}", point.number, point.quote)
        at += 1


def _table(rows: list[_Point]) -> Iterator[Cited]:
    for at, point in enumerate(rows):
        cells = as_cells(point.quote.text)
        yield Cited(f"\n| {' | '.join(cells)} | [{point.number}] |", point.number, point.quote)
        if at == 0:
            yield Cited(f"\n|{' --- |' * (len(cells) + 1)}")
    yield Cited("\n")


def _row(cells: list[str], header: list[str]) -> str:
    """One row by itself: each cell after the name of its column, where the table has names."""
    # two columns are most often a list of things and what they are, whose first row is no header
    if len(header) != len(cells) or len(cells) < 3 or not all(header[1:]):
        return " \u00b7 ".join(cell for cell in cells if cell)
    return " \u00b7 ".join(f"{name}: {cell}" if name else cell for name, cell in zip(header, cells, strict=True) if cell)


def _marked(body: str, number: int) -> str:
    if not body.endswith("```"):
        return f"{body} [{number}]"
    before = body.rstrip("`")
    indent = before[len(before.rstrip(" ")) :]
    return f"{body}\n\n{indent}[{number}]"


def _body(leaf: LeafText, said: Quote, indent: str) -> str:
    """A quote as Markdown: text escaped, code in a block, a row of a table as its cells."""
    inside = [(max(start, said.start), min(end, said.end), kind) for start, end, kind in blocks(leaf.text)
              if start < said.end and end > said.start]  # fmt: skip
    parts: list[str] = []
    if any(kind != "heading" for _, _, kind in inside):
        inside = [block for block in inside if block[2] != "heading"]
    for start, end, kind in inside:
        text = leaf.text[start:end]
        if kind == "code":
            lines = as_code(_dedented(leaf.text, start, end)).split("\n")
            parts.append(("\n\n" if parts else "") + "\n".join(indent + line for line in lines))
        elif kind == "row":
            parts.append(_row(as_cells(text), _header_cells(leaf, blocks(leaf.text), start)))
        elif parts and kind == "item":
            parts.append(f"\n{indent}- {as_text(text)}")
        else:
            parts.append(
                (" " if parts and not parts[-1].endswith("```") else f"\n{indent}" if parts else "")
                + as_text(_MARKER.sub("", text, count=1) if not parts else text)
            )
    if not parts:
        return as_text(said)
    return "".join(parts).lstrip("\n " if inside[0][2] != "code" else "\n") + _more(leaf, said)


def _dedented(text: str, start: int, end: int) -> str:
    """Lines of code without the margin they share; the first begins where its line does."""
    line = text.rfind("\n", 0, start) + 1
    first = text[line:start] if not text[line:start].strip() else ""
    return textwrap.dedent(first + text[start:end])


def _more(leaf: LeafText, said: Quote) -> str:
    """Three dots where the quote stops within a sentence."""
    if not said.text or said.text[-1] in ".!?:;|)]}`\"'\u3002\uff01\uff1f":
        return ""
    after = leaf.text[said.end : said.end + 2]
    return " \u2026" if after and (after[0] in ",;" or (after[0] == " " and after[1:].strip() and after[1] not in "|")) else ""
