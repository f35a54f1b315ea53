"""Decision "answer": what one leaf says to a question, in its own words, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from prompts.model.material import cut_to, listed, one_line, place_of, room_for, tokens_in
from prompts.model.prompt import FENCED, Prompt, ReplyForm, content_version, fenced
from prompts.model.quotes import Text
from prompts.records import LeafAnswer, LeafText, Question, Quote, Verdict
from prompts.usage import Usage

SYSTEM = f"""You read one passage of a team's documents and judge what it says to a question.

First take the question apart into its aspects: each thing, person, time, number, reason or condition it asks for. Then \
judge, by the passage alone and not by what you know:
- complete: the passage, together with the notes on what was read before it, answers all aspects.
- partial: it answers at least one aspect, or a part of one, and leaves others open.
- none: it answers no aspect. Being about the same subject is not an answer.
Linked units are shown to understand the passage by; quotes come from the passage alone. {FENCED}

Reply with one JSON object:
- "aspects": each {{"aspect": in a few words, "answered": true where the passage or the notes answer it, else false}}.
- "verdict": "complete", "partial" or "none".
- "quotes": the words that answer, copied exactly, with the conditions and exceptions that belong to them: 1 to 6 \
sentences, rows or lines, each by itself; for a procedure every step in order, at most 12. Empty where the verdict is none.
- "note": one or two sentences for whoever reads on: what the passage says to the question, and what is still open.
- "follow_up": where partial, one question that would find what is missing; else ""."""

MOST_QUOTES, LONGEST_NOTE = 12, 400
MOST_TOKENS = 2_600  # a leaf of 5,000 characters, its linked units and the notes
SCORES: dict[Verdict, float] = {"complete": 1.0, "partial": 0.5, "none": 0.0}


class Aspect(ReplyForm):
    aspect: str
    answered: bool


class Judgement(ReplyForm):
    aspects: list[Aspect] = Field(default_factory=list)
    verdict: Literal["complete", "partial", "none"]
    quotes: list[str] = Field(default_factory=list)
    note: str = ""
    follow_up: str = ""

    @field_validator("verdict", mode="before")
    @classmethod
    def _bare(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


VERSION = content_version(SYSTEM, Judgement, str(MOST_TOKENS))


@dataclass(frozen=True, slots=True)
class Request:
    leaf: LeafText
    text: Text
    prompt: Prompt

    def problem(self, judgement: Judgement) -> str | None:
        """What to tell a model that answers with nothing that stands in the passage."""
        if judgement.verdict == "none" or any(self.text.find_all(judgement.quotes)):
            return None
        return "not one of the quotes stands in the passage. Copy them exactly, or make the verdict none."


def build_prompt(question: Question, leaf: LeafText, notes: Sequence[str], context: int, usage: Usage) -> Request:
    room = room_for(context, SYSTEM + question.text, MOST_TOKENS)
    text = cut_to(leaf.text, room)
    spare = room - tokens_in(text)
    beside = "\n\n".join(filter(None, (listed("notes on what was read before:", notes), _linked(leaf))))
    shown = cut_to(beside, spare) if spare > 20 else ""
    usage.lose("shortened", (text != leaf.text) + (shown != beside))
    material = fenced("\n\n".join(filter(None, (place_of(leaf), text, shown))))
    return Request(leaf, Text(leaf.text), Prompt("answer", SYSTEM, f"Question: {question.text}\n\n{material}"))


def _linked(leaf: LeafText) -> str:
    return "\n".join(f"linked unit, {one_line(one.title)} › {one_line(one.header)}:\n{one.text}" for one in leaf.linked)


def parse_reply(judgement: Judgement, request: Request, usage: Usage) -> LeafAnswer:
    found: dict[tuple[int, int], Quote] = {}
    for quote in request.text.find_all(judgement.quotes):
        if quote is None:
            usage.lose("lost_quotes")
        else:
            found.setdefault((quote.start, quote.end), quote)
    verdict = _verdict(judgement) if found else "none"
    answered = sum(one.answered for one in judgement.aspects)
    coverage = SCORES[verdict] if verdict != "partial" or not judgement.aspects else answered / len(judgement.aspects)
    return LeafAnswer(
        verdict,
        tuple(found.values())[:MOST_QUOTES] if verdict != "none" else (),
        round(min(max(coverage, 0.1), 0.9), 4) if verdict == "partial" else SCORES[verdict],
        one_line(judgement.note)[:LONGEST_NOTE],
        one_line(judgement.follow_up)[:LONGEST_NOTE] if verdict == "partial" else "",
    )


def _verdict(judgement: Judgement) -> Verdict:
    """Complete only where every aspect is answered, whatever the verdict says."""
    if judgement.verdict == "complete" and not all(one.answered for one in judgement.aspects):
        return "partial" if any(one.answered for one in judgement.aspects) else "none"
    return judgement.verdict
