"""Units of all that is no procedure: questions with their answers, terms, events, decisions, reference and passages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ingestion.chunking.blocks import WHOLE_CODE, Block, announces_code
from ingestion.chunking.heading_scopes import HeadingScope
from ingestion.chunking.naming import clipped, opening
from ingestion.chunking.topics import is_version, topic_of
from ingestion.chunking.unit_drafts import LARGEST, UnitDraft, grouped, passages
from prompts.months import MONTH
from prompts.records import UnitKind
from prompts.regex import regex

LARGEST_ANSWER = 1_500  # the answer to a question stays whole up to here
LONGEST_TITLE = 300  # characters of a heading that are searched for a date

_DATE = regex(
    rf"(?:[-*+•>|#\s]|\d{{1,3}}[.)]\s)*[*_`\[(]{{0,4}}(?=[^\W_])"
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}\b|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? {MONTH}\.?,? \d{{4}}\b"
    rf"|{MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b)"
)
_TIME = regex(r"(?:[-*+•>|\s]|\d{1,3}[.)]\s)*[*_`\[(~T+]{0,4}\d{1,2}:\d{2}\b")
_DECISION = regex(
    r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,3}(?:Decisions?[*_]{0,3}:|Decided[*_]{0,3}:|Resolution[*_]{0,3}:|RESOLVED\b|Agreed[*_]{0,3}:"
    r"|We (?:have )?decided\b|It was (?:decided|agreed|resolved)\b|The (?:team|TSC|committee|group|board) (?:decided|agreed|resolved)\b|We agreed (?:to|that|on)\b)"
)
_ASKED = regex(r"[ \t]*(?:[-*+][ \t]+)?[*_#]{0,3}Q(?:uestion)?[ \t]?\d{0,3}[*_]{0,3}[:.)][*_]{0,3}[ \t]*\S")
_BOLD_QUESTION = regex(r"[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{2,3}[^*\n]{3,200}\?[*_]{2,3}")
_BOLD_TERM = regex(
    r"[ \t]*(?:[-*+•][ \t]+)?(?:\*\*|__)([^*\n]{1,60}?):?(?:\*\*|__)[ \t]*(?::|—|–|-(?=\s)|(?<=:\*\*)|(?<=:__))[ \t]*\S"
)
_TERM = regex(
    r"[ \t]*(?:[-*+•][ \t]+)?[*_`\"“]{0,3}([^\s*_`:|\"“][^*`:|\n]{0,60}?)[*_`\"”]{0,3}[ \t]*(?::(?=\s)|[ \t][—–-][ \t])[*_`]{0,3}[ \t]*\S"
)
# bold openings that name no term
_LABEL_WORDS = """note notes warning tip important caution impact severity status owner date author authors priority example
    examples todo summary action actions description type version source attendees present absent"""
_LABELS = frozenset(_LABEL_WORDS.split())
_FLAG = regex(r"[ \t]*[-*+•][ \t]+[*_]{0,2}``?[^`<\n]{1,80}``?(?!_)")
_ANSWER = regex(r"[ \t]*[*_]{0,3}A(?:nswer)?[ \t]?\d{0,3}[*_]{0,3}[:.)]")


def plain_units(text: str, found: list[Block], scope: HeadingScope) -> Iterator[UnitDraft]:
    """Blocks that are no steps, each run of one kind by itself."""
    if not found:
        return
    kinds = [_kind(text, block, scope) for block in found]
    _keep_runs(kinds, "event", 2)
    _keep_runs(kinds, "term", 3)
    for number in range(len(found)):
        if found[number].kind == "item" and kinds[number] == "reference":  # one alone is a mention
            beside = [n for n in (number - 1, number + 1) if 0 <= n < len(found)]
            if not any(found[n].kind == "item" and _FLAG.match(text, found[n].start, found[n].end) for n in beside):
                kinds[number] = "passage"
        elif (
            number
            and kinds[number - 1 : number + 1] == ["faq", "passage"]
            and (found[number].kind == "item" or _ANSWER.match(text, found[number].start, found[number].end))
        ):
            kinds[number] = "faq"
    for number in range(1, len(found)):  # code or a list goes with the line that announces it
        if kinds[number] == "passage" or (
            kinds[number] == "reference"
            and found[number].end - found[number - 1].start <= (WHOLE_CODE if found[number].kind == "code" else LARGEST)
        ):
            before = found[number - 1]
            announced = text.endswith(":", before.start, before.end) or announces_code(text, before.start, before.end)
            announced = announced or (found[number].kind == "code" and before.kind == "paragraph")
            if announced and kinds[number - 1] in ("passage", "decision"):
                kinds[number] = kinds[number - 1]
    first = 0
    for number in range(1, len(found) + 1):
        if number == len(found) or kinds[number] != kinds[first]:
            yield from _of_kind(text, found[first:number], kinds[first], scope)
            first = number


def _of_kind(text: str, found: list[Block], kind: UnitKind, scope: HeadingScope) -> Iterator[UnitDraft]:
    if kind == "faq":
        yield from answers(text, replace(scope, blocks=found))
    elif kind == "term":
        yield from terms(text, replace(scope, blocks=found))
    elif kind == "event":
        yield from events(text, replace(scope, blocks=found))
    else:
        yield from passages(text, found, kind, scope.title)


def _kind(text: str, block: Block, scope: HeadingScope) -> UnitKind:
    if block.kind in ("code", "table"):
        return "reference"
    if _DATE.match(text, block.start, block.end):
        return "event"
    if _ASKED.match(text, block.start, block.end):
        return "faq"
    if _DECISION.match(text, block.start, block.end):
        return "decision"
    term = _BOLD_TERM.match(text, block.start, block.end)
    if term and term[1].casefold().strip() not in _LABELS:
        return "term"
    if block.kind == "item" and _FLAG.match(text, block.start, block.end):
        return "reference"
    return "passage"


def _keep_runs(kinds: list[UnitKind], kind: UnitKind, least: int) -> None:
    """Turns what looks like `kind` back into a passage where it stands alone."""
    first = 0
    for number in range(1, len(kinds) + 1):
        if number == len(kinds) or kinds[number] != kinds[first]:
            if kinds[first] == kind and number - first < least:
                kinds[first:number] = ["passage"] * (number - first)
            first = number


def answers(text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
    """Questions each with its answer; what stands before the first is a passage."""
    groups = grouped(scope.blocks, lambda block: _question(text, block, scope.topic == "faq"))
    for asked, group in groups:
        if asked:
            header = opening(text[group[0].start : group[0].end]).removeprefix("Q:").strip()
            yield from passages(text, group, "faq", header or scope.title, LARGEST_ANSWER)
        else:
            yield from passages(text, group, "passage", scope.title)


def _question(text: str, block: Block, expected: bool) -> bool:
    if block.kind not in ("paragraph", "item"):
        return False
    if _ASKED.match(text, block.start, block.end):
        return True
    if not expected:
        return False
    if _BOLD_QUESTION.match(text, block.start, block.end):
        return True
    end = text.find("\n", block.start, min(block.end, block.start + 300))
    first = text[block.start : end if end >= 0 else min(block.end, block.start + 300)]
    return first.rstrip(" *_").endswith("?") and (block.kind == "item" or end < 0)


def events(text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
    """Entries each with its date; under a heading with a date, everything."""
    timed = scope.topic == "event"
    titled = timed and bool(_DATE.search(scope.title[:LONGEST_TITLE]) or is_version(scope.title))

    def begins(block: Block) -> bool:
        if block.kind in ("code", "table"):
            return timed and block.kind == "table"
        return bool(_DATE.match(text, block.start, block.end) or timed and _TIME.match(text, block.start, block.end))

    for dated, group in grouped(scope.blocks, begins):
        if dated and group[0].kind == "table":
            yield from _rows(text, group[0], "event", scope.title)
            group = group[1:]
        kind: UnitKind = "event" if dated or titled or (timed and group[0].kind == "item") else "passage"
        yield from passages(text, group, kind, scope.title)


def terms(text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
    """Entries of a glossary, each with the term as its header."""
    for entry, group in grouped(scope.blocks, lambda block: _term(text, block) is not None):
        if entry:
            yield from passages(text, group, "term", _term(text, group[0]) or scope.title)
            continue
        for block in group:
            if block.kind == "table":
                yield from _rows(text, block, "term", "")
            else:
                own = len(scope.headings) > 1 and topic_of(scope.title) != "glossary"
                yield from passages(text, [block], "term" if own else "passage", scope.title)


def _term(text: str, block: Block) -> str | None:
    if block.kind not in ("paragraph", "item"):
        return None
    match = _BOLD_TERM.match(text, block.start, block.end) or _TERM.match(text, block.start, block.end)
    if match:
        return match[1].strip()
    lines = text[block.start : min(block.end, block.start + 400)].split("\n", 2)
    if len(lines) > 1 and lines[1][:1] in " \t:" and len(lines[0]) <= 80 and not lines[0].rstrip().endswith((".", ":", ",")):
        return lines[0].strip(" *_`") or None
    return None


def _rows(text: str, block: Block, kind: UnitKind, header: str) -> Iterator[UnitDraft]:
    """A unit for each row of a table; the rows that name the columns go with the first."""
    start = at = block.start
    number = 0
    while at < block.end:
        stop = text.find("\n", at, block.end)
        stop = block.end if stop < 0 else stop
        bare = text[at:stop].strip()
        number += 1
        if bare and bare.strip("|+-=: ") and (number > 2 or start == at and number > 1):
            cell = next((cell.strip(" *_`") for cell in bare.strip("|").split("|") if cell.strip(" *_`")), "")
            yield UnitDraft(kind, start, stop, clipped(header or cell or "Row", 80))
            start = stop + 1
        at = stop + 1
    if text[start : block.end].strip():
        yield UnitDraft(kind, start, block.end, header or "Table")
