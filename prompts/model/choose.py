"""Decision "choose": the parts of a question, and which ways to go from here for it, or to answer from here, or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from prompts.model.material import (
    cut_fairly,
    cut_to,
    listed,
    notes_text,
    one_line,
    record_lines,
    room_for,
    tokens_in,
    without_repeated,
)
from prompts.model.prompt import FENCED, JSON_ALONE, Prompt, ReplyForm, asked, content_version
from prompts.records import Choice, Chosen, Notes, Option, Question
from prompts.usage import Usage

SYSTEM = f"""You choose where to look for the answer to a question in a tree of a team's documents.

A source (a folder, PDFs, a ticket project) has branches (folders, documents, headings, or runs of neighbours), a branch \
has branches or leaves, a leaf is a passage that can be read. Each option shows what is known of everything below it: \
"evidence" (the lines below it that search found nearest to the question), "below" (the titles of its children), a \
summary, content types, what it is about, critical actions, decisions, events; what there is nothing of is left out. \
Options of several levels may be shown at once: "in …" is the way to one that lies deeper. A record leaves much out, so \
evidence counts for an option even where its summary does not speak of the matter. {FENCED}

Choose the options that are likely to lead to the answer or to a part of it: several where the question asks for \
several things or where you cannot tell, at most 5, none where none is likely. Notes say what is known, found and read \
already: choose what leads to the parts that are still open. An option "chosen before" was not read yet. \
Relative dates of the question count from its day.

Reply with one JSON object:
- "parts": what has to be found to answer the question, each in a few words that can be understood alone. One for most \
questions, at most 4. Empty where the notes have the parts.
- "choices": best first, each {{"option": its number, "likelihood": 0 to 10 that what is sought is below it, "reason": \
at most 20 words naming what in its record or evidence speaks for it}}.
- "answer_here": true only where the question is about the branch "here" as a whole, such as what is in it or a summary \
of it; else false.
- "unclear": "" for any question that can be looked for, however broad, short or badly spelt. Only where nobody could \
tell what is asked, because it points at something that neither it nor the notes name ("this", "it"), or is no question: \
one sentence to the person who asked that says what is missing. Then choose nothing.
- "readings": where unclear, up to 3 whole questions that the person may mean, with names from the options; else empty."""

MOST_CHOICES, LONGEST_REASON = 5, 240
MOST_PARTS, LONGEST_PART = 4, 120
MOST_READINGS, LONGEST_READING = 3, 200
MOST_OPTIONS, FEWEST_OPTIONS = 30, 6
LEAST_TELLING = 60  # tokens of an option, below which little more than its title is left
MOST_TOKENS = 2_800  # of material: two choices, two passages and the writing must stay within 16,000
BARE = 25  # tokens of an option to which no word of the question leads: its title, the way to it, what begins below it
HERE_TOKENS = 40  # of the branch that is chosen in


class Way(ReplyForm):
    option: int
    likelihood: float = Field(ge=0)
    reason: str = ""


class Ways(ReplyForm):
    parts: list[str] = Field(default_factory=list)
    choices: list[Way]
    answer_here: bool = False
    unclear: str = ""
    readings: list[str] = Field(default_factory=list)


VERSION = content_version(SYSTEM, Ways, str(MOST_TOKENS))


@dataclass(frozen=True, slots=True)
class Request:
    options: Sequence[Option]
    question: Question
    prompt: Prompt


def build_prompt(question: Question, options: Sequence[Option], notes: Notes, context: int, usage: Usage) -> Request:
    """Notes and the way are shown whole; the options share what room is left."""
    before = notes_text(notes)
    room = room_for(context, SYSTEM + question.text, MOST_TOKENS) - tokens_in(before)
    shown, listed = options_text(question, options, room, LEAST_TELLING, usage)
    material = "\n".join(filter(None, (before, listed)))
    return Request(shown, question, Prompt("choose", SYSTEM, f"{asked(question, material)}\n{JSON_ALONE}"))


def options_text(question: Question, options: Sequence[Option], room: int, least: int, usage: Usage) -> tuple[list[Option], str]:
    """The most promising options, as many as have room for at least so many tokens each, and what a prompt shows of them
    and of the way to them: a block for each, numbered from 1."""
    way = "\n".join(filter(None, _walked(question)))
    room = max(room - tokens_in(way), FEWEST_OPTIONS * least)
    ordered = list(_fitting(sorted(options, key=lambda option: -option.scent)[:MOST_OPTIONS], room, least))
    usage.lose("left_out", len(options) - len(ordered))
    blocks = [_block(at, option) for at, option in enumerate(ordered, 1)]
    if sum(map(tokens_in, blocks)) > room and ordered[0].scent > 0:
        blocks = [block if option.scent > 0 else cut_to(block, BARE) for block, option in zip(blocks, ordered, strict=True)]
    cut = cut_fairly(blocks, room)
    usage.lose("shortened", cut.shortened)
    return ordered, "\n\n".join(filter(None, (way, *cut.texts)))


def _fitting(options: Sequence[Option], room: int, least: int) -> Iterator[Option]:
    """As many as have room; those to which no word of the question leads need little of it."""
    for number, option in enumerate(options):
        room -= least if option.scent > 0 else BARE
        if number >= FEWEST_OPTIONS and room < 0:
            return
        yield option


def _walked(question: Question) -> Iterator[str]:
    """The way to the branch that is chosen in, and that branch in one line: it is on the way of every prompt of a walk."""
    if (here := question.here) is not None:
        yield listed("walked so far:", here.walked)
        said = f": {one_line(here.record.summary)}" if here.record.summary else ""
        yield cut_to(f"[here] {one_line(here.title)}{said}", HERE_TOKENS)


def _block(number: int, option: Option) -> str:
    way = f" in {' › '.join(map(one_line, option.path))}" if option.path else ""
    lines = [f"[{number}] {one_line(option.title) or '(no title)'} ({option.kind}){way}"]
    lines += [option.note] if option.note else []
    evidence = [one_line(line) for line in option.evidence.split("\n") if line.strip()]
    lines += [f"evidence: {line}" for line in evidence]
    lines += [f"below: {'; '.join(map(one_line, option.below))}"] if option.below else []
    return "\n".join((*lines, *_said_once(record_lines(option.record), evidence)))


def _said_once(lines: Iterable[str], evidence: Sequence[str]) -> Iterator[str]:
    """The lines of a record, the summary without what is told as evidence: of a short passage that is all of it."""
    for line in lines:
        name, _, said = line.partition(": ")
        if name == "summary":
            said = without_repeated(said, evidence)
        if any(map(str.isalnum, said)):
            yield f"{name}: {said}"


def parse_reply(ways: Ways, request: Request, usage: Usage) -> Chosen:
    found: dict[str, Choice] = {}
    here = request.question.here
    if ways.answer_here and here is not None:
        found[here.place] = Choice(here.place, 1.0, f"“{one_line(here.title)}” itself answers this.")
    for way in ways.choices:
        if not 0 < way.option <= len(request.options):
            usage.lose("unknown_ids")
            continue
        option = request.options[way.option - 1]
        reason = one_line(way.reason)[:LONGEST_REASON] or f"“{one_line(option.title)}” is likely to say it."
        if way.likelihood > 0:
            found.setdefault(option.place, Choice(option.place, min(way.likelihood, 10.0) / 10, reason))
    chosen = tuple(sorted(found.values(), key=lambda choice: -choice.score)[:MOST_CHOICES])
    parts = _lines(ways.parts, MOST_PARTS, LONGEST_PART)
    if chosen or not ways.unclear.strip():
        return Chosen(chosen, parts)
    readings = _lines(ways.readings, MOST_READINGS, LONGEST_READING)
    return Chosen((), parts, one_line(ways.unclear)[:LONGEST_REASON], readings)


def _lines(said: Sequence[str], most: int, longest: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line[:longest] for line in map(one_line, said) if line))[:most]
