"""Decision "look": what several passages say to a question, how it stands then, and where to look next, in one reply.

It is "answer" for each passage and "choose" for the options beside them; either alone is asked by its own, shorter prompt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat

from pydantic import Field, field_validator

from prompts.excerpt import LONG, excerpt
from prompts.language import terms
from prompts.model import answer, choose
from prompts.model.answer import Fact, Judgement
from prompts.model.choose import Way, Ways
from prompts.model.material import cut_fairly, cut_to, inside, notes_text, place_of, room_for, tokens_in
from prompts.model.prompt import FENCED, JSON_ALONE, Prompt, ReplyForm, asked, bare, content_version
from prompts.model.quotes import Text
from prompts.records import LeafText, Looked, Notes, Option, Question, Standing
from prompts.usage import Usage

EXAMPLE = (
    '{"parts": ["who runs the night desk", "that person\'s telephone"], "passages": [{"passage": 1, "note": "Ana Roy runs it.", '
    '"quotes": ["The night desk is run by Ana Roy, except in May."], "answers": [1]}, {"passage": 2, "note": "", "quotes": [], '
    '"answers": []}], "facts": [{"name": "night desk", "value": "Ana Roy"}], "question": "open", "follow_up": "What is the '
    'telephone of Ana Roy?", "choices": [{"option": 3, "likelihood": 8, "reason": "evidence: staff and extensions"}], '
    '"unclear": []}'
)
SYSTEM = f"""You look for the answer to a question in a team's documents. The material has what is known already, options \
(places that can be opened next) and passages to read now.

Judge each passage by its own words and the notes, not by what you know; being about the same subject is no answer. The line \
"passage 1: …" is its header: titles, in brackets what its document says of itself; count "yesterday" from the date there, \
in the question from its day. " …" stands for what is left out. Of an option, "evidence" are the lines nearest to the \
question, "below" its children, "in …" the way to it. {FENCED}

Reply with one JSON object:
- "parts": what has to be found, each in a few words that can be understood alone: one for most questions, at most 4. \
Empty where the notes have them.
- "passages": one entry for each. "note": in at most 30 words what it says to the question, with "probably" where that only \
follows; "" if nothing. "quotes": the words that say it, copied exactly from the passage or its header, never from a linked \
unit: sentences, rows or lines, each by itself, with their conditions and exceptions; every step of a procedure in order; a \
block of code as one; of a long one the first and the last words with " … " between; both where statements contradict each \
other; none where it says nothing new. "answers": the numbers of the parts that it answers, alone or with the others and the notes.
- "facts": up to 4 names, numbers or dates that the answer or the next search needs.
- "question": "answered" where every part is now; "premise is wrong" where the quotes show that something it takes for \
granted is not so; else "open".
- "follow_up": where open, one question that finds what is missing, with the names found so far instead of "he" or "it".
- "choices": where open, up to 5 options likely to have it, best first, "likelihood" 0 to 10, "reason" of at most 20 words. \
Option 0 only where the question is about the branch "here" as a whole.
- "unclear": empty for any question that can be looked for, however short or badly spelt. Only where nobody could tell what \
"this" or "it" stands for, or it is no question: one sentence to the person who asked that says what is missing, then up \
to 3 questions that they may mean.

Example, with one part found and one open:
{EXAMPLE}"""

PASSAGE_TOKENS = 2_600  # notes, passages and linked units
OPTION_TOKENS = 800
SHOWN = (LONG, 1_000, 800, 600)  # characters of a long passage, by its rank: the first were chosen, or are nearest by their words
LEAST_OPTION = 55  # tokens: its title, the way to it and a line of evidence
LEAST_PASSAGE = 150  # tokens of each passage, whatever there are of notes
LINKED_TOKENS = 400  # of all passages
OPTIONS, PASSAGES = "Options to choose from:", "Passages to read:"


class Said(ReplyForm):
    passage: int
    note: str = ""
    quotes: list[str] = Field(default_factory=list)
    answers: list[int] = Field(default_factory=list)


class Findings(ReplyForm):
    parts: list[str] = Field(default_factory=list)
    passages: list[Said]
    facts: list[Fact] = Field(default_factory=list)
    question: Standing = "open"
    follow_up: str = ""
    choices: list[Way] = Field(default_factory=list)
    unclear: list[str] = Field(default_factory=list)

    _bare = field_validator("question", mode="before")(bare)

    @field_validator("unclear", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """Some write the one sentence, or "", without a list around it."""
        return [value] if isinstance(value, str) else value


VERSION = content_version(SYSTEM, Findings, str(PASSAGE_TOKENS), str(OPTION_TOKENS), str(SHOWN))


@dataclass(frozen=True, slots=True)
class Request:
    """What was shown. `passages` and `options` are as the reply numbers them, from 1."""

    passages: Sequence[answer.Request]
    options: choose.Request
    notes: Notes
    prompt: Prompt

    def problem(self, findings: Findings) -> str | None:
        """What to tell a model that quotes nothing that stands in the passages."""
        said = [quote for one in findings.passages for quote in one.quotes]
        if not said or any(one.find(quote) for one in self.passages for quote in said):
            return None
        return "not one of the quotes stands in the passages. Copy them exactly, or leave them out."


def build_prompt(
    question: Question, passages: Sequence[LeafText], options: Sequence[Option], notes: Notes, context: int, usage: Usage
) -> Request:
    """Notes and the way are shown whole; the passages have the room that there is, and the options a part of it."""
    before = notes_text(notes)
    whole = room_for(context, SYSTEM + question.text, PASSAGE_TOKENS + OPTION_TOKENS)
    shown, listed = choose.options_text(
        question, options, whole * OPTION_TOKENS // (PASSAGE_TOKENS + OPTION_TOKENS), LEAST_OPTION, usage
    )
    room = max(LEAST_PASSAGE * len(passages), whole - tokens_in(listed) - tokens_in(before))
    weights = _weights(question, notes)
    shown_of = zip(passages, chain(SHOWN, repeat(SHOWN[-1])), strict=False)
    cut = cut_fairly([excerpt(leaf.text, weights, most) for leaf, most in shown_of], min(room, PASSAGE_TOKENS))
    usage.lose("shortened", sum(text != leaf.text for text, leaf in zip(cut.texts, passages, strict=True)))
    spare = min(LINKED_TOKENS, min(room, PASSAGE_TOKENS) - sum(map(tokens_in, cut.texts)))
    blocks = list[str]()
    for number, (leaf, text) in enumerate(zip(passages, cut.texts, strict=True), 1):
        shown_already = [other.text for other in passages if other is not leaf]
        units = [unit for unit in leaf.linked if not any(unit.text.removesuffix(" …") in other for other in shown_already)]
        linked = cut_to(answer.linked_text(units), spare) if units and spare > answer.LEAST_LINKED else ""
        spare -= tokens_in(linked)
        blocks.append("\n\n".join(filter(None, (f"passage {number}: {place_of(leaf)}{inside(leaf)}", text, linked))))
    material = "\n\n".join(filter(None, (before, OPTIONS if shown else "", listed, PASSAGES, *blocks)))
    prompt = Prompt("look", SYSTEM, f"{asked(question, material)}\n{JSON_ALONE}")
    read = [answer.Request(leaf, Text(leaf.text), Text(place_of(leaf)), notes, prompt) for leaf in passages]
    return Request(read, choose.Request(shown, question, prompt), notes, prompt)


def _weights(question: Question, notes: Notes) -> dict[str, float]:
    """Of the terms that a passage may speak to: those of the question, and of what is looked for next."""
    known = dict(question.weights)
    middle = sum(known.values()) / len(known) if known else 1.0
    return dict.fromkeys(terms(notes.searched or question.text), middle) | known


def parse_reply(findings: Findings, request: Request, usage: Usage) -> Looked:
    ways = Ways(
        parts=[] if request.notes.parts or request.notes.read else findings.parts, choices=[way for way in findings.choices if way.option],
        answer_here=any(way.option == 0 and way.likelihood > 0 for way in findings.choices),
        unclear=findings.unclear[0] if findings.unclear else "", readings=findings.unclear[1:],
    )  # fmt: skip
    chosen = choose.parse_reply(ways, request.options, usage)
    parts = chosen.parts if len(chosen.parts) > 1 else ()  # a question of one part is a part itself
    notes = replace(request.notes, parts=request.notes.parts or parts)
    judgements = list(_judgements(findings, request, notes))
    answers = tuple(
        answer.parse_reply(judgement, replace(passage, notes=notes), usage)
        for judgement, passage in zip(judgements, request.passages, strict=True)
    )
    is_told = any(one.verdict != "none" for one in answers)
    return Looked(answers, replace(chosen, unclear="", readings=()) if is_told else chosen)


def _judgements(findings: Findings, request: Request, notes: Notes) -> Iterator[Judgement]:
    """The reply as one for each passage: a quote belongs to the passage it stands in, whatever number it came with."""
    said = {one.passage: one for one in findings.passages}
    quotes: list[list[str]] = [[] for _ in request.passages]
    for one in findings.passages:
        for quote in one.quotes:
            order = sorted(range(len(quotes)), key=lambda at: at + 1 != one.passage)
            quotes[next((at for at in order if request.passages[at].find(quote)), order[0])].append(quote)
    missing = _first_open(findings, notes) if findings.question == "open" else 0
    is_named = any(one.answers and quotes[one.passage - 1] for one in findings.passages if 0 < one.passage <= len(quotes))
    for number, mine in enumerate(quotes, 1):
        told = said.get(number, Said(passage=number))
        standing: Standing = findings.question
        if standing == "answered" and is_named and not told.answers:  # it is another passage that answers
            standing = "open"
        yield Judgement(
            adds="adds" if mine else "nothing", quotes=mine, answers=told.answers, facts=findings.facts, note=told.note,
            question=standing, missing=missing, follow_up=findings.follow_up,
        )  # fmt: skip


def _first_open(findings: Findings, notes: Notes) -> int:
    """The number of the first part that nothing answers yet; 0 where there are none."""
    answered = notes.answered.union(*(one.answers for one in findings.passages))
    return next((number for number in range(1, len(notes.parts) + 1) if number not in answered), 0)
