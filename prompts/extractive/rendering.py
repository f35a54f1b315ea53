"""How quotes look in an answer: Markdown that shows their words as the document shows them, and nothing in it comes alive."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prompts.extractive.dates import Day, day_meant, days
from prompts.extractive.markdown import as_cells, as_code, as_text
from prompts.extractive.passages import RULE, indent_of, written_by
from prompts.extractive.relations import without_targets
from prompts.extractive.section_days import mail_day
from prompts.extractive.standing import is_superseded
from prompts.question import Kind
from prompts.records import Cited, LeafText, Quote
from prompts.regex import regex
from prompts.sentences import BEGINNING, RANGE, BlockKind, blocks
from prompts.text_lines import line_start

DEEPEST = 7  # below all headings of Markdown: a setting or a function that is described
_BELOW = " \u203a "
LONGEST_NAME = 400  # characters at the beginning of a leaf in which the words are that it is called by
_WORD = regex(r"\w+")
_Block = tuple[int, int, BlockKind]
_NUMBER = regex(r"(?:\A|\s)\(?(\d{1,3})[.)]\s{1,8}\Z")
_MARKER = regex(r"\A[ \t]*(?:[-*+\u2022]|\(?\d{1,3}[.)]|[Ss]tep \d{1,3}[.:)]?)[ \t]+(?:\[[ xX]\][ \t]+)?")


@dataclass(frozen=True, slots=True)
class Point:
    """One quote of a leaf, with the number it is cited by, what it is worth to the question and when it was said."""

    number: int
    leaf: LeafText
    quote: Quote
    worth: float
    day: Day | None = None
    best: tuple[int, int] = (0, 0)  # where in the leaf its best sentence stands

    @property
    def kind(self) -> BlockKind:
        """Of the block that it begins in."""
        return next((kind for first, last, kind in blocks(self.leaf.text) if first <= self.quote.start < last), "text")

    @property
    def place(self) -> str:
        return place_of(self.leaf)


def place_of(leaf: LeafText) -> str:
    """The headings of a leaf."""
    return _BELOW.join(_headings(leaf))


def _headings(leaf: LeafText) -> list[str]:
    """Those above a leaf, without one that only begins the one before (the first leaf of a document is called like it), and without
    the words by which a leaf is called that has no heading of its own: those with which it opens."""
    parts = list(dict.fromkeys(part for part in leaf.heading if part))
    if len(parts) > 1 and _opens(leaf.text, parts[-1]):
        parts = parts[:-1]
    return parts[:1] + [part for above, part in pairwise(parts) if not above.startswith(part.rstrip("\u2026"))]


def _opens(text: str, name: str) -> bool:
    """Whether a text begins with the words of a name, and not as a heading."""
    opening = without_targets(text[:LONGEST_NAME]).lstrip()
    said = _WORD.findall(name.casefold())
    return not opening.startswith("#") and _WORD.findall(opening.casefold())[: len(said)] == said


def shown(point: Point) -> Iterator[Cited]:
    yield Cited(_by(point))
    yield Cited(marked(body_of(point.leaf, point.quote, ""), point.number), point.number, point.quote)


def in_section(points: Sequence[Point], kind: Kind = "open") -> Iterator[Cited]:
    """Passages of one section, the first that is given before the others, which follow in the order of the section, and their
    place below them; of what is to be done all in that order. The best sentence of the first is in bold; where a day is asked for, the
    day that "yesterday" means stands before each."""
    best, *others = points
    ordered = [best, *sorted(others, key=lambda point: point.quote.start)]
    if kind == "how_to":
        ordered.sort(key=lambda point: point.quote.start)
    for point in ordered:
        gap = "" if point is ordered[0] else "\n\n"
        yield Cited(gap + (_day_meant(point) if kind == "when" else "") + _by(point), point.number)
        body = _highlighted(point) if point is best else body_of(point.leaf, point.quote, "")
        where = place_above(point.leaf, point.quote.start) if point is ordered[-1] else ""
        over = " (marked as superseded)" if where and is_superseded(point.leaf, point.quote.start) else ""
        place = f"  \n*{as_text(where)}*{_sent(point)}{over}" if where else ""
        yield Cited(f"{marked(body, point.number)}{place}", point.number, point.quote)


def _highlighted(point: Point) -> str:
    """A passage with its best sentence in bold, where it has others."""
    said, best, leaf = point.quote, point.best, point.leaf
    parts = [(said.start, best[0]), best, (best[1], said.end)]
    is_prose = point.kind == "text" and "\n\n" not in leaf.text[said.start : said.end]
    if not is_prose or any(leaf.text.count("`", first, last) % 2 for first, last in parts):
        return body_of(leaf, said, "")
    before, main, after = (as_text(leaf.text[first:last]) if last > first else "" for first, last in parts)
    return " ".join(filter(None, (before, f"**{main}**" if before or after else main, after))) + dots_after(leaf, said)


def place_above(leaf: LeafText, start: int) -> str:
    """The headings that a passage stands under. A leaf that goes from one section to another is called by both: the passage
    stands in one of them, or in a section between them."""
    outer, inner = _headings(leaf), _headings_above(leaf.text, start)
    first, *others = outer[-1].split(RANGE) if outer else [""]
    if others and (inner or first == BEGINNING):
        outer = outer[:-1]
    elif others:
        outer = [*outer[:-1], first]
    return _BELOW.join(dict.fromkeys((*outer, *inner)))


def _headings_above(text: str, start: int) -> list[str]:
    """The headings in a text that what stands at `start` is below of, the outermost first."""
    above: list[tuple[int, str]] = []
    for first, last, kind in blocks(text):
        if last > start:
            break
        if kind == "heading" and _is_at_margin(text, first):
            level = text.count("#", line_start(text, first), first) or DEEPEST
            above = [*(one for one in above if one[0] < level), (level, text[first:last].rstrip("# "))]
    return [title for _, title in above]


def _is_at_margin(text: str, start: int) -> bool:
    """Whether a line begins at the margin: an indented "# ..." is a comment in code rather than a heading."""
    line = line_start(text, start)
    return not text[line : line + 1].isspace()


def _day_meant(point: Point) -> str:
    author, said = written_by(point.leaf, point.best[0]), point.leaf.text[slice(*point.best)]
    found = day_meant(said, author[1]) if author is not None and not days(said) else None  # not where it says a day itself
    return f"**{found[0].in_words}** (“{found[1]}”): " if found is not None else ""


def _sent(point: Point) -> str:
    """The day of the mail that a passage is from: what it says of "Thursday" or "next week" is reckoned from there."""
    day = mail_day(point.leaf.text, point.quote.start)
    return f", sent {day.in_words}" if day is not None else ""


def _by(point: Point) -> str:
    author = written_by(point.leaf, point.quote.start)
    return f"{as_text(author[0])} wrote on {author[1]}: " if author is not None else ""


def listed(points: Sequence[Point], is_dated: bool = False) -> Iterator[Cited]:
    """As a list; rows of one table as a table. `is_dated`: with when each was said, where that is known."""
    at = 0
    while at < len(points):
        rows = [p for p in points[at:] if p.kind == "row" and p.leaf is points[at].leaf] if points[at].kind == "row" else []
        if len(rows) > 1 and len({len(as_cells(p.quote.text)) for p in rows}) == 1:
            yield from _table(rows)
            at += len(rows)
            continue
        point = points[at]
        if point.kind == "code":
            yield Cited(f"\n\n{marked(body_of(point.leaf, point.quote, ''), point.number)}\n", point.number, point.quote)
            at += 1
            continue
        author = written_by(point.leaf, point.quote.start)
        said_on = f" ({point.day.in_words})" if is_dated and point.day is not None else ""
        by = f" ({as_text(author[0])}, {author[1]})" if author else said_on
        yield Cited(f"\n- {marked(body_of(point.leaf, point.quote, '  '), point.number)}{by}", point.number, point.quote)
        at += 1


def _table(rows: Sequence[Point]) -> Iterator[Cited]:
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


def row_in_words(leaf: LeafText, said: Quote) -> str:
    """The cells of a row of a table after the names of their columns; empty where what is quoted begins in no row."""
    found = next(((first, last) for first, last, kind in blocks(leaf.text) if kind == "row" and first <= said.start < last), None)
    if found is None:
        return ""
    return _row(as_cells(leaf.text[slice(*found)]), _header_cells(leaf, blocks(leaf.text), said.start))


def marked(body: str, number: int) -> str:
    if not body.endswith("```"):
        return f"{body} [{number}]"
    before = body.rstrip("`")
    indent = before[len(before.rstrip(" ")) :]
    return f"{body}\n\n{indent}[{number}]"


def body_of(leaf: LeafText, said: Quote, indent: str) -> str:
    """A quote as Markdown: text escaped, code in a block, a row of a table as its cells."""
    inside = _with_whole_code(leaf.text, [
        (max(start, said.start), min(end, said.end), kind) for start, end, kind in blocks(leaf.text) if start < said.end and end > said.start
    ])  # fmt: skip
    parts: list[str] = []
    if any(kind != "heading" for _, _, kind in inside):
        inside = [block for block in inside if block[2] != "heading"]
    is_list = not indent and len(inside) > 1 and all(kind == "item" for _, _, kind in inside)
    margin = min((indent_of(leaf.text, start) for start, _, kind in inside if kind == "item"), default=0)
    for start, end, kind in inside:
        text = leaf.text[start:end]
        if kind == "code":
            lines = as_code(_dedented(leaf.text, start, end)).split("\n")
            parts.append(("\n\n" if parts else "") + "\n".join(indent + line for line in lines))
        elif kind == "row":
            parts.append(_row(as_cells(text), _header_cells(leaf, blocks(leaf.text), start)))
        elif parts and kind == "text" and text.startswith("**") and text.endswith("**"):  # the name of a case
            parts.append(f"\n\n{indent}**{as_text(text)}**")
        elif is_list or (parts and kind == "item"):
            parts.append(f"\n{indent}{_mark(leaf.text, start, margin)} {as_text(text)}")
        else:
            parts.append(
                (" " if parts and not parts[-1].endswith("```") else f"\n{indent}" if parts else "")
                + as_text(_MARKER.sub("", text, count=1) if not parts else text)
            )
    if not parts:
        return as_text(said)
    more = "\n- \u2026" if parts[-1].startswith("\n") and _goes_on(leaf, inside[-1], said.end) else dots_after(leaf, said)
    return "".join(parts).lstrip("\n " if inside[0][2] != "code" else "\n") + more


def _mark(text: str, start: int, margin: int) -> str:
    """What stands before an item: its number, where it has one, as far in as it is in the list."""
    number = _NUMBER.search(text, line_start(text, start), start)
    return f"{' ' * 3 * bool(indent_of(text, start) > margin)}{f'{number[1]}.' if number else '-'}"


def _goes_on(leaf: LeafText, last: _Block, end: int) -> bool:
    """Whether a list has another item behind the last one that is quoted."""
    if last[2] != "item":
        return False
    after = next((one for one in blocks(leaf.text) if one[0] >= end), None)
    return after is not None and after[2] == "item" and indent_of(leaf.text, after[0]) >= indent_of(leaf.text, last[0])


def _with_whole_code(text: str, found: Sequence[_Block]) -> list[_Block]:
    """Pieces of one block of code, with nothing but empty lines between them, put together again."""
    made: list[_Block] = []
    for start, end, kind in found:
        if made and kind == made[-1][2] == "code" and not text[made[-1][1] : start].strip():
            made[-1] = (made[-1][0], end, kind)
        else:
            made.append((start, end, kind))
    return made


def _dedented(text: str, start: int, end: int) -> str:
    """Lines of code without the margin they share; the first begins where its line does."""
    line = line_start(text, start)
    first = text[line:start] if not text[line:start].strip() else ""
    return textwrap.dedent(first + text[start:end])


def dots_after(leaf: LeafText, said: Quote) -> str:
    """Three dots where the quote stops within a sentence."""
    words = said.text.rstrip("*_~")  # a sentence in bold ends before its marks
    if not words or words[-1] in ".!?:;|)]}`\"'\u3002\uff01\uff1f":
        return ""
    after = leaf.text[said.end : said.end + 2]
    if after[:1].isalnum() and words[-1].isalnum():
        return "\u2026"  # within a word
    return " \u2026" if after and (after[0] in ",;" or (after[0] == " " and after[1:].strip() and after[1] not in "|")) else ""


def _header_cells(leaf: LeafText, found: Sequence[tuple[int, int, BlockKind]], start: int) -> list[str]:
    """The cells of the header of the table that has a row at `start`; none of a table without one, or of the header itself."""
    header: tuple[int, int] | None = None
    for (first, last, kind), (after, _, following) in pairwise((*found, (len(leaf.text), len(leaf.text), "text"))):
        if kind != "row":
            header = None
        elif first <= start < last:
            return as_cells(leaf.text[slice(*header)]) if header else []
        elif header is None and following == "row" and RULE.match(leaf.text, last, after):
            header = (first, last)
    return []
