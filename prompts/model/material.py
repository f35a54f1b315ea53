"""Documents and records as a prompt shows them: numbered lines, record by record, cut fairly to the room there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prompts.records import LeafText, Notes, SummaryRecord
from prompts.regex import regex
from prompts.sentences import sentences_by_kind
from prompts.taxonomy import UNCLASSIFIED, name_of
from prompts.text_lines import line_start

REPLY_SHARE, LARGEST_REPLY = 0.25, 2_000  # of the context, in tokens, that is left for the reply
FRAME_TOKENS = 120  # what a chat format and a schema add
LEAST_ROOM = 300  # tokens of material below which a prompt makes no sense


def tokens_in(text: str) -> int:
    """About how many tokens a text has, rather too many: servers cut silently what is over their limit."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return int(plain * 0.28 + (len(text) - plain) * 0.8) + 1 if text else 0


def room_for(context: int, fixed: str, most: int | None = None) -> int:
    """Tokens of material that fit beside the fixed words of a prompt and the reply."""
    reply = min(LARGEST_REPLY, int(context * REPLY_SHARE))
    room = max(LEAST_ROOM, context - reply - FRAME_TOKENS - tokens_in(fixed))
    return min(room, most) if most is not None else room


class Cut(NamedTuple):
    texts: list[str]
    shortened: int


def cut_fairly(texts: Sequence[str], room: int) -> Cut:
    """Each text whole where all fit; else all cut at one common length, so that the short ones stay whole."""
    sizes = [tokens_in(text) for text in texts]
    if sum(sizes) <= room:
        return Cut(list(texts), 0)
    left, limit = room, 0
    for rank, size in enumerate(sorted(sizes)):
        limit = left // (len(sizes) - rank)
        if size > limit:
            break
        left -= size
    made = [text if size <= limit else cut_to(text, limit) for text, size in zip(texts, sizes, strict=True)]
    return Cut(made, sum(one != other for one, other in zip(made, texts, strict=True)))


def cut_to(text: str, tokens: int) -> str:
    """The beginning of a text that has about so many tokens, up to the end of a line or word, with a sign of it."""
    size = tokens_in(text)
    if size <= tokens:
        return text
    longest = max(0, int(len(text) * max(0, tokens - 2) / size))
    line, word = text.rfind("\n", longest // 2, longest), text.rfind(" ", longest // 2, longest)
    cut = line if line > 0 else word if word > 0 else longest
    return f"{text[:cut].rstrip()} …"


# ---------------------------------------------------------------- a leaf in numbered lines


@dataclass(frozen=True, slots=True)
class Line:
    """What one number of a prompt stands for: a sentence, a row, a line of code; its span with its marker."""

    start: int
    end: int
    shown: str


def lines_of(text: str) -> list[Line]:
    found: list[Line] = []
    before = 0
    for start, end, kind in sentences_by_kind(text):
        spans = list(_physical(text, start, end)) if kind == "code" else [(start, end)]
        for low, high in spans:
            begins = max(line_start(text, low), before)
            marked = begins + len(text[begins:low]) - len(text[begins:low].lstrip())
            indent = text[begins:marked] if begins != before or not before else ""
            shown = text[marked:high]
            if kind != "code":  # a sentence may go on in the next line, however that is set in
                shown = " ".join(line.strip(" \t") for line in shown.split("\n"))
            found.append(Line(marked, high, indent[-12:].replace("\n", "") + shown.replace("\r", "")))
            before = high
    return found


def _physical(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        if text[at:stop].strip():
            yield at, stop
        at = stop + 1


def numbered(lines: Sequence[Line], text: str, room: int) -> tuple[str, int]:
    """The lines that fit, each behind its number, paragraphs apart; and how many there are."""
    shown: list[str] = []
    for at, line in enumerate(lines):
        one = f"{at + 1}| {line.shown}"
        if at and "\n\n" in text[lines[at - 1].end : line.start]:
            one = f"\n{one}"
        room -= tokens_in(one) + 1
        if room < 0:
            return "\n".join(shown), at
        shown.append(one)
    return "\n".join(shown), len(lines)


def place_of(leaf: LeafText) -> str:
    """The titles above a leaf, and what its document says of itself; not the title that is only how its text begins."""
    parts = dict.fromkeys(one_line(part) for part in leaf.heading if part.strip())
    *above, last = parts or ("",)
    if above and last.endswith("…") and one_line(leaf.text).startswith(last[:-1].rstrip()):
        del parts[last]
    titles = " › ".join(part for part in parts if not _is_cut_of(part, parts)) or "(no title)"
    said = "; ".join(one_line(f"{name}: {value}") for name, value in leaf.properties)
    return f"{titles} [{said}]" if said else titles


def inside(leaf: LeafText) -> str:
    """Where the document of a leaf lies, behind its header: not a part of it that can be quoted."""
    above = [one_line(part) for part in leaf.inside if part.strip() and part not in leaf.heading]
    return f" (in {' › '.join(above)})" if above else ""


def _is_cut_of(part: str, parts: Iterable[str]) -> bool:
    """Whether it is the beginning of another one, cut with an ellipsis."""
    return part.endswith("…") and any(one != part and one.startswith(part[:-1].rstrip()) for one in parts)


# ---------------------------------------------------------------- a record


def record_lines(record: SummaryRecord) -> Iterator[str]:
    """A record as lines, what tells most first; fields that are empty are left out."""
    if record.summary:
        yield f"summary: {one_line(record.summary)}"
    if types := [name_of(kind) for kind in record.content_types if kind != UNCLASSIFIED]:
        yield f"types: {', '.join(types)}"
    if record.about:
        yield f"about: {', '.join(map(one_line, record.about))}"
    for name, quotes in (
        ("critical actions", record.critical_actions),
        ("decisions", record.decisions),
        ("events", record.events),
    ):
        said = [one_line(quote.says or quote.text) for quote in quotes]
        said = [one for one in dict.fromkeys(said) if one not in record.summary]
        if said:
            yield f"{name}: {' | '.join(said)}"


LEAST_REPEATED = 25  # characters
_GAPS = regex(r"…(?: …)+")


def without_repeated(summary: str, lines: Iterable[str]) -> str:
    """A summary without what is shown beside it word for word; empty where that is all of it. A few words of it stay, which
    may stand in another sentence."""
    for line in lines:
        if len(line) >= LEAST_REPEATED:
            summary = summary.replace(line.removesuffix(" …"), "…")
    summary = _GAPS.sub("…", summary)
    return summary if any(map(str.isalnum, summary)) else ""


# ---------------------------------------------------------------- what is known before


LONGEST_KNOWN, LONGEST_PART, LONGEST_FACT, LONGEST_NOTE = 240, 120, 160, 300  # characters of a line
MOST_FACTS = 12  # the last ones found


def notes_text(notes: Notes) -> str:
    """All that is known, in short lines; whoever makes room for it leaves the rest to other material."""
    state = [
        f"{part[:LONGEST_PART]} ({'answered' if at in notes.answered else 'open'})" for at, part in enumerate(notes.parts, 1)
    ]
    blocks = (
        numbered_list("parts of the question:", state),
        listed("names in the question:", [one[:LONGEST_KNOWN] for one in notes.known]),
        listed("found so far:", [f"{fact.name} = {fact.value}"[:LONGEST_FACT] for fact in notes.facts[-MOST_FACTS:]]),
        listed("read so far:", [one[:LONGEST_NOTE] for one in notes.read]),
        f"looked for next: {one_line(notes.searched)}" if notes.searched else "",
        listed("likely and not read, for want of room:", [one[:LONGEST_PART] for one in notes.unread]),
    )
    return "\n".join(filter(None, blocks))


def numbered_list(title: str, lines: Sequence[str]) -> str:
    return "\n".join((title, *(f"{at}. {one_line(line)}" for at, line in enumerate(lines, 1)))) if lines else ""


def one_line(text: str) -> str:
    return " ".join(text.split())


def listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join((title, *(f"- {one_line(line)}" for line in lines))) if lines else ""
