"""Decision "choose": which ways to go from here for a question, or to answer from here, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from prompts.model.material import cut_fairly, cut_to, listed, one_line, record_lines, room_for, tokens_in
from prompts.model.prompt import FENCED, Prompt, ReplyForm, content_version, fenced
from prompts.records import Choice, Option, Question
from prompts.usage import Usage

SYSTEM = f"""You choose where to look for the answer to a question in a tree of a team's documents.

A source (a folder, PDFs, a ticket project) has branches (folders, documents, headings, or runs of neighbours), a branch \
has branches or leaves, a leaf is a passage that can be read. Each option shows what is known of everything below it: a \
summary, content types, what it is about, critical actions, decisions, events; what there is nothing of is left out. \
Options of several levels may be shown at once: "in …" is the way to one that lies deeper. \
"evidence" is the line below the option that search found nearest to the question. A record leaves much out, so \
evidence counts for an option even where its summary does not speak of the matter. {FENCED}

Choose the options that are likely to lead to the answer or to a part of it: several where the question asks for \
several things or where you cannot tell, at most 5, none where none is likely. Notes say what was read already; choose \
what fills the gaps they leave.

Reply with one JSON object:
- "choices": best first, each {{"option": its number, "likelihood": 0 to 10 that what is sought is below it, "reason": \
at most 20 words naming what in its record or evidence speaks for it}}.
- "answer_here": true only where the question is about the branch "here" as a whole, such as what is in it or a summary \
of it, and the record of "here" answers it; else false."""

MOST_CHOICES, LONGEST_REASON = 5, 240
MOST_OPTIONS, FEWEST_OPTIONS = 30, 6
LEAST_TELLING = 60  # tokens of an option, below which little more than its title is left
MOST_TOKENS = 3_800  # of material: a rewritten question, one choice, an answer and its writing must stay within 12,000


class Way(ReplyForm):
    option: int
    likelihood: float = Field(ge=0)
    reason: str = ""


class Ways(ReplyForm):
    choices: list[Way]
    answer_here: bool = False


VERSION = content_version(SYSTEM, Ways, str(MOST_TOKENS))


@dataclass(frozen=True, slots=True)
class Request:
    options: Sequence[Option]
    question: Question
    prompt: Prompt


def build_prompt(question: Question, options: Sequence[Option], notes: Sequence[str], context: int, usage: Usage) -> Request:
    room = room_for(context, SYSTEM + question.text, MOST_TOKENS)
    number = min(MOST_OPTIONS, max(FEWEST_OPTIONS, room // LEAST_TELLING))
    ordered = sorted(options, key=lambda option: -option.scent)[:number]
    usage.lose("left_out", len(options) - len(ordered))
    before = cut_to("\n\n".join(filter(None, (_walked(question), listed("notes:", notes)))), room // 4)
    blocks = [_block(at, option) for at, option in enumerate(ordered, 1)]
    cut = cut_fairly(blocks, room - tokens_in(before))
    usage.lose("shortened", cut.shortened)
    material = fenced("\n\n".join(filter(None, (before, *cut.texts))))
    return Request(ordered, question, Prompt("choose", SYSTEM, f"Question: {question.text}\n\n{material}"))


def _walked(question: Question) -> str:
    here = question.here
    if here is None:
        return ""
    lines = listed("walked so far:", here.walked)
    return "\n".join(filter(None, (lines, f"[here] {one_line(here.title)}", *record_lines(here.record))))


def _block(number: int, option: Option) -> str:
    inside = f" in {' › '.join(map(one_line, option.path))}" if option.path else ""
    evidence = [f"evidence: {one_line(option.evidence)}"] if option.evidence else []
    head = f"[{number}] {one_line(option.title) or '(no title)'} ({option.kind}){inside}"
    return "\n".join((head, *evidence, *record_lines(option.record)))


def parse_reply(ways: Ways, request: Request, usage: Usage) -> list[Choice]:
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
    return sorted(found.values(), key=lambda choice: -choice.score)[:MOST_CHOICES]
