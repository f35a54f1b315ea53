"""Decision "read": one leaf becomes a summary record and logic units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from prompts.model.material import Line, lines_of, numbered, one_line, place_of, room_for
from prompts.model.prompt import FENCED, JSON_ALONE, Prompt, ReplyForm, content_version, fenced
from prompts.model.quotes import Text
from prompts.model.types import known_types, type_names
from prompts.records import LeafText, Link, LogicUnit, Quote, Reading, SummaryRecord, UnitKind
from prompts.regex import regex
from prompts.usage import Usage

FIELDS = f"""- "summary": what it says, in 1 to 4 sentences and at most 90 words, with the names, numbers and dates people will ask for. \
Do not begin with "This passage".
- "content_types": 1 to 3 of the types below, most telling first.
- "quotes": 1 to 4 sentences that say most, copied exactly.
- "critical_actions": what somebody must do or must not forget: each {{"quote": the exact words, at most 40, "says": the \
same so that it can be understood alone, only where the quote cannot be, else ""}}.
- "decisions", "events": what was decided; noteworthy events with their dates; in the same form.
- "about": up to 10 names and key phrases, spelt as there, most telling first.
- "units": empty where the units by layout below the lines are right. Where the sense says otherwise, all units anew, in \
order, no line in two of them, each:
  - "kind": step (of a procedure), term (a definition), faq (a question with its answer), decision, issue (a problem, \
with its cause or cure), event, reference (code, commands, tables, settings), passage (anything else).
  - "header": its subject, at most 12 words.
  - "first", "last": the numbers of its first and last line. Never copy its text.
  - "needs": the numbers of lines that say what must hold before it.
  - "leads_to": files, keys, headings or addresses that it sends the reader to, as written.
A list is empty where there is nothing to put in it. Write in the language of the passage.

Types: {type_names()}."""
SYSTEM = f"""You read one passage of a team's documents and write the record by which it will be found again: what is in \
it, not what it is like. Its lines are numbered. {FENCED}

Reply with one JSON object:
{FIELDS}"""

MOST_UNITS = 40  # more are rows or entries, which the layout knows best
MOST_ITEMS, MOST_QUOTES, MOST_ABOUT, LONGEST_SUMMARY, LONGEST_NEED = 8, 4, 10, 900, 300


class Item(ReplyForm):
    quote: str
    says: str = ""


class Unit(ReplyForm):
    kind: str
    header: str
    first: int
    last: int
    needs: list[int] = Field(default_factory=list)
    leads_to: list[str] = Field(default_factory=list)


class Record(ReplyForm):
    summary: str = Field(min_length=1)
    content_types: list[str] = Field(default_factory=list)
    quotes: list[str] = Field(default_factory=list)
    critical_actions: list[Item] = Field(default_factory=list)
    decisions: list[Item] = Field(default_factory=list)
    events: list[Item] = Field(default_factory=list)
    about: list[str] = Field(default_factory=list)
    units: list[Unit] = Field(default_factory=list)


VERSION = content_version(SYSTEM, Record)


@dataclass(frozen=True, slots=True)
class Request:
    """The leaf as the prompt shows it: what the numbers of a reply mean."""

    leaf: LeafText
    lines: list[Line]
    prompt: Prompt


def build_prompt(leaf: LeafText, context: int, usage: Usage) -> Request:
    shown, lines = show(leaf, room_for(context, SYSTEM) * 9 // 10, usage)
    return Request(leaf, lines, Prompt("read", SYSTEM, f"{fenced(shown)}\n\n{JSON_ALONE}"))


def show(leaf: LeafText, room: int, usage: Usage) -> tuple[str, list[Line]]:
    """The header of a leaf, those of its lines that have room, and its units by layout; and these lines."""
    lines = lines_of(leaf.text)
    text, fitting = numbered(lines, leaf.text, room)
    usage.lose("left_out", len(lines) - fitting)
    lines = lines[:fitting]
    return f"{place_of(leaf)} (a {leaf.kind})\n\n{text}{_layout(leaf, lines)}", lines


def _layout(leaf: LeafText, lines: Sequence[Line]) -> str:
    """The units that the layout suggests, those of a kind together, with the headers that say what is not shown above."""
    if len(leaf.units) > MOST_UNITS:
        return f"\n\nunits by layout: {len(leaf.units)} rows or entries; they are right"
    above = set(_WORD.findall(" ".join((*leaf.heading, *(line.shown for line in lines)))))
    said: list[str] = []
    before = ""
    for unit in leaf.units:
        if (span := _lines_of(unit, lines)) is None:
            continue
        header = f" ({one_line(unit.header)[:80]})" if not above.issuperset(_WORD.findall(unit.header)) else ""
        numbers = "-".join(map(str, dict.fromkeys(span))) + header
        if unit.kind == before:
            said[-1] += f", {numbers}"
        else:
            said.append(f"{unit.kind} {numbers}")
        before = unit.kind
    return "\n\nunits by layout: " + "; ".join(said) if said else ""


def _lines_of(unit: LogicUnit, lines: Sequence[Line]) -> tuple[int, int] | None:
    """The numbers of the first and last line of a unit."""
    inside = [at for at, line in enumerate(lines, 1) if line.start < unit.end and unit.start < line.end]
    return (inside[0], inside[-1]) if inside else None


# ---------------------------------------------------------------- what came back


def parse_reply(record: Record, request: Request, usage: Usage) -> Reading:
    leaf = request.leaf
    text = Text(leaf.text)
    types, unknown = known_types(record.content_types)
    usage.lose("unknown_types", unknown)
    about = [one for one in dict.fromkeys(map(str.strip, record.about)) if one]
    standing = [one for one in about if text.has_words(one) or any(one in title for title in leaf.heading)]
    usage.lose("lost_quotes", len(about) - len(standing))
    made = SummaryRecord(
        summary=within(record.summary, LONGEST_SUMMARY, usage),
        quotes=_quoted([Item(quote=one) for one in record.quotes], text, usage)[:MOST_QUOTES],
        content_types=types,
        critical_actions=_quoted(record.critical_actions, text, usage),
        decisions=_quoted(record.decisions, text, usage),
        events=_quoted(record.events, text, usage),
        about=tuple(standing[:MOST_ABOUT]),
    )
    return Reading(made, _units(record.units, request, text, usage))


def within(summary: str, longest: int, usage: Usage) -> str:
    """A summary of at most so many characters, up to the end of a sentence or word."""
    said = " ".join(summary.split())
    if len(said) <= longest:
        return said
    usage.lose("cut_summaries")
    cut = max(said.rfind(". ", longest // 2, longest - 1) + 1, 0) or said.rfind(" ", 0, longest - 1)
    return said[:cut] if said[cut - 1] == "." else f"{said[: max(cut, 1)].rstrip()}…"


def _quoted(items: Sequence[Item], text: Text, usage: Usage) -> tuple[Quote, ...]:
    found: dict[tuple[int, int], Quote] = {}
    for item in items:
        quote = text.find(item.quote)
        if quote is None:
            usage.lose("lost_quotes")
        else:
            says = " ".join(item.says.split())[:300]
            found.setdefault((quote.start, quote.end), quote.model_copy(update={"says": says if says != quote.text else ""}))
    return tuple(found.values())[:MOST_ITEMS]


_KINDS: dict[str, UnitKind] = {
    "step": "step", "term": "term", "definition": "term", "faq": "faq", "question": "faq", "decision": "decision", "issue": "issue",
    "problem": "issue", "event": "event", "reference": "reference", "code": "reference", "passage": "passage",
}  # fmt: skip


def _units(units: Sequence[Unit], request: Request, text: Text, usage: Usage) -> tuple[LogicUnit, ...]:
    """The units by their lines; where the layout had the same one, with its exact boundaries, step and links."""
    if len(request.leaf.units) > MOST_UNITS:
        return request.leaf.units
    by_lines = {_lines_of(unit, request.lines): unit for unit in reversed(request.leaf.units)}
    made: list[LogicUnit] = []
    last = 0
    for unit in sorted(units, key=lambda one: (one.first, one.last)):
        if not last < unit.first <= unit.last <= len(request.lines):  # not a line that was shown, or in two units
            usage.lose("unknown_ids")
            continue
        last = unit.last
        made.append(_unit(unit, by_lines.get((unit.first, unit.last)), made[-1] if made else None, request, text, usage))
    return tuple(made) if made else request.leaf.units


def _unit(unit: Unit, drawn: LogicUnit | None, before: LogicUnit | None, request: Request, text: Text, usage: Usage) -> LogicUnit:
    lines = request.lines
    kind = _KINDS.get(unit.kind.strip().lower(), "passage")
    start, end = (drawn.start, drawn.end) if drawn else (lines[unit.first - 1].start, lines[unit.last - 1].end)
    needs = list(drawn.prerequisites) if drawn else []
    for number in unit.needs:
        if not 0 < number <= len(lines):
            usage.lose("unknown_ids")
            continue
        line = lines[number - 1]
        said = " ".join(request.leaf.text[line.start : line.end].split()).lstrip("-*+•# ")[:LONGEST_NEED]
        if said and said not in needs:
            needs.append(said)
    links = list(drawn.links) if drawn else []
    for target in unit.leads_to:
        link = _link(target.strip())
        if not text.has(target):
            usage.lose("unknown_ids")
        elif all(link.to != known.to for known in links):
            links.append(link)
    step = None
    if kind == "step":
        counted = before.step + 1 if before is not None and before.kind == "step" and before.step else 1
        step = drawn.step if drawn and drawn.step else counted
    header = " ".join(unit.header.split())[:160]
    if drawn and drawn.header.startswith(header):  # long ones were shown in part
        header = drawn.header
    return LogicUnit(kind=kind, header=header, start=start, end=end, prerequisites=tuple(needs), links=tuple(links), step=step)


_WORD = regex(r"\w+")
_KEY = regex(r"[A-Z][A-Z0-9]+-\d+\Z")
_FILE = regex(r"[^\s#]+\.[a-z0-9]{1,5}(?:#\S*)?\Z", re.IGNORECASE)


def _link(target: str) -> Link:
    if "://" in target:
        return Link(kind="url", to=target)
    if _KEY.match(target):
        return Link(kind="key", to=target)
    return Link(kind="file" if _FILE.match(target) else "heading", to=target)
