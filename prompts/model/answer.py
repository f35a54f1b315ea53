"""Decision "answer": what one leaf adds to what is known, in its own words, and how the question stands then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from prompts.model.material import LONGEST_NOTE, cut_to, inside, notes_text, one_line, place_of, room_for, tokens_in
from prompts.model.prompt import FENCED, JSON_ALONE, Prompt, ReplyForm, asked, bare, content_version
from prompts.model.quotes import Text
from prompts.records import LeafAnswer, LeafText, Linked, NotedFact, Notes, Question, Quote, Standing, Verdict
from prompts.usage import Usage

SYSTEM = f"""You read one passage of a team's documents and judge what it says to a question, by the passage and the notes \
alone and not by what you know.

The question has numbered parts; where the notes list none, it is one part itself. A part is answered where the passage, \
alone or together with the notes, gives what it asks for. Being about the same subject is not an answer. The line above \
the passage is its header: titles, and in brackets what its document says of itself. Count relative dates ("yesterday", \
"next week") from the date in the header, those of the question from its day. Linked units are shown to understand the passage by. {FENCED}

Reply with one JSON object:
- "adds": "adds" where the passage says something towards a part that the notes do not have yet, else "nothing".
- "quotes": the words that say it, copied exactly, with the conditions and exceptions that belong to them: 1 to 6 \
sentences, rows or lines, each by itself; for a procedure every step in order; a block of code or commands as \
one quote, with its line breaks and indentation; of a \
long one the first and the last words with " … " between. They come from the passage, or from its header where a title, a date or \
an author says it, never from a linked unit. Where statements contradict each other, quote both. Empty where it adds nothing.
- "answers": the numbers of the parts that are answered by it, alone or together with the notes.
- "facts": up to 4 {{"name": what it is of, in a few words, "value": the name, number or date}} that the passage gives \
and that the answer or the next search needs.
- "note": at most 40 words for whoever reads on: what the passage says to the question. What only follows from it is said \
with "probably".
- "question": how the question stands by the notes and the passage together: "answered" where every part is; "premise is \
wrong" where the quotes show that something it takes for granted is not so; "cannot be understood" where nobody could \
tell what it asks; else "open".
- "missing": where open, the number of the part to look for next; else 0.
- "follow_up": where open, one question that would find that part, with the names found so far instead of "he", "it" or \
"the film"; else ""."""

MOST_QUOTES, LONGEST_SAID, MOST_FACTS = 24, 400, 4  # a procedure has many steps
MOST_TOKENS = 2_800  # a leaf of 5,000 characters, its linked units and the notes
LEAST_LEAF = 200  # tokens of the passage, whatever there are of notes
LEAST_LINKED = 20  # tokens of a linked unit, below which it says nothing


class Fact(ReplyForm):
    name: str
    value: str


class Judgement(ReplyForm):
    adds: Literal["nothing", "adds"]
    quotes: list[str] = Field(default_factory=list)
    answers: list[int] = Field(default_factory=list)
    facts: list[Fact] = Field(default_factory=list)
    note: str = ""
    question: Standing = "open"
    missing: int = 0
    follow_up: str = ""

    _bare = field_validator("adds", "question", mode="before")(bare)


VERSION = content_version(SYSTEM, Judgement, str(MOST_TOKENS))


@dataclass(frozen=True, slots=True)
class Request:
    leaf: LeafText
    text: Text
    header: Text
    notes: Notes
    prompt: Prompt

    def problem(self, judgement: Judgement) -> str | None:
        """What to tell a model that answers with nothing that stands in the passage."""
        if judgement.adds == "nothing" or any(map(self.find, judgement.quotes)):
            return None
        return "not one of the quotes stands in the passage. Copy them exactly, or say that it adds nothing."

    def find(self, said: str) -> Quote | None:
        """Where the words stand: a span of the passage, or an empty one for the header above it."""
        if (found := self.text.find(said)) is not None:
            return found
        header = self.header.find(said)
        return None if header is None else Quote(text=header.text)


def build_prompt(question: Question, leaf: LeafText, notes: Notes, context: int, usage: Usage) -> Request:
    """Notes are shown whole; then the passage has the room that there is, and linked units what it leaves."""
    before, header = notes_text(notes), place_of(leaf)
    room = max(LEAST_LEAF, room_for(context, SYSTEM + question.text, MOST_TOKENS) - tokens_in(before))
    text = cut_to(leaf.text, room)
    spare = room - tokens_in(text)
    linked = linked_text(leaf.linked)
    shown = cut_to(linked, spare) if spare > LEAST_LINKED else ""
    usage.lose("shortened", (text != leaf.text) + (shown != linked))
    material = "\n\n".join(filter(None, (before, f"passage: {header}{inside(leaf)}", text, shown)))
    prompt = Prompt("answer", SYSTEM, f"{asked(question, material)}\n{JSON_ALONE}")
    return Request(leaf, Text(leaf.text), Text(header), notes, prompt)


def linked_text(units: Iterable[Linked]) -> str:
    """Units of other leaves that one leads to, each with the way to it."""
    return "\n".join(f"linked unit, {_way_to(one)}:\n{one.text}" for one in units)


def _way_to(unit: Linked) -> str:
    return " › ".join(dict.fromkeys(one_line(part) for part in (*unit.title.split(" › "), unit.header) if part.strip()))


def parse_reply(judgement: Judgement, request: Request, usage: Usage) -> LeafAnswer:
    found: dict[tuple[int, int, str], Quote] = {}
    for quote in map(request.find, judgement.quotes if judgement.adds == "adds" else ()):
        if quote is None:
            usage.lose("lost_quotes")
        else:
            found.setdefault((quote.start, quote.end, "" if quote.end else quote.text), quote)
    adds = bool(found)
    answered = _answered(judgement, request.notes) if adds else frozenset()
    standing = _standing(judgement, request.notes, answered, adds)
    parts = max(1, len(request.notes.parts))
    verdict: Verdict = "none" if not adds else "complete" if standing in ("answered", "premise is wrong") else "partial"
    share = min(max(len(answered) / parts if request.notes.parts else 0.5, 0.1), 0.9)
    is_open = standing == "open"
    return LeafAnswer(
        verdict,
        tuple(sorted(list(found.values())[:MOST_QUOTES], key=lambda one: not one.end)),  # of the header last
        {"none": 0.0, "partial": round(share, 4), "complete": 1.0}[verdict],
        one_line(judgement.note)[:LONGEST_NOTE],
        one_line(judgement.follow_up)[:LONGEST_SAID] if is_open or standing == "cannot be understood" else "",
        standing=standing,
        answers=answered,
        missing=judgement.missing if is_open and 0 < judgement.missing <= parts else 0,
        facts=tuple(_facts(judgement, request)) if adds else (),
    )


def _answered(judgement: Judgement, notes: Notes) -> frozenset[int]:
    """The parts it names; all, where it says that the question is answered and names none."""
    every = frozenset(range(1, max(1, len(notes.parts)) + 1))
    named = frozenset(judgement.answers) & every if notes.parts else frozenset()
    if judgement.question == "answered":
        return named or every
    return named - {judgement.missing}


def _standing(judgement: Judgement, notes: Notes, answered: frozenset[int], adds: bool) -> Standing:
    """Answered where every part is, by this passage or before; nothing follows from a passage that is not quoted."""
    if judgement.question in ("answered", "open"):
        return "answered" if adds and len(answered | notes.answered) >= max(1, len(notes.parts)) else "open"
    return judgement.question if adds or judgement.question == "cannot be understood" else "open"


def _facts(judgement: Judgement, request: Request) -> Iterator[NotedFact]:
    """Those whose value stands in the passage or its header."""
    for fact in judgement.facts[:MOST_FACTS]:
        name, value = one_line(fact.name), one_line(fact.value)
        if name and value and (request.text.has_words(value) or request.header.has_words(value)):
            yield NotedFact(name, value)
