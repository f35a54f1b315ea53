"""Decision "compose": the answer, written as it is thought, every sentence with the quotes it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from prompts.model.citing import NOT_FOUND, Citations
from prompts.model.material import cut_fairly, one_line, place_of, room_for
from prompts.model.prompt import FENCED, Prompt, content_version, fenced
from prompts.records import Evidence, Question, Quote
from prompts.usage import Usage

SYSTEM = f"""You write the answer to a question from quotes that were taken from a team's documents.

- Begin with the answer itself. Be as short as it allows: a sentence or two for a fact, a numbered list for a procedure, \
in the language of the question, as Markdown without headings, links or images.
- Say nothing that the quotes do not say. End every sentence, and every item of a list, with the ids of the quotes it \
rests on, such as [1a] or [1a, 2c]. A sentence without an id is shown as unsupported.
- Keep names, numbers, commands and conditions as they are quoted. Where quotes contradict each other, give the newer \
one, and say that an older one differs.
- Where the quotes leave a part of the question open, end with one line that begins with "{NOT_FOUND}" and says which.
{FENCED}"""

MOST_TOKENS = 2_000
MOST_QUOTES = len(ascii_lowercase)

VERSION = content_version(SYSTEM, None, str(MOST_TOKENS))


@dataclass(frozen=True, slots=True)
class Request:
    citations: Citations
    prompt: Prompt


def build_prompt(question: Question, evidence: Sequence[Evidence], context: int, usage: Usage) -> Request:
    blocks: list[str] = []
    known: dict[str, tuple[int, Quote]] = {}
    for one in evidence:
        quotes = dict(_quotes(one))
        known |= {key: (one.number, quote) for key, quote in quotes.items()}
        note = [f"note ({one.answer.verdict}): {one_line(one.answer.reason)}"] if one.answer.reason else []
        said = (f"{key}: {_lines(one.leaf.text[quote.start : quote.end])}" for key, quote in quotes.items())
        blocks.append("\n".join((f"[{one.number}] {place_of(one.leaf)}", *note, *said)))
    cut = cut_fairly(blocks, room_for(context, SYSTEM + question.text, MOST_TOKENS))
    usage.lose("shortened", cut.shortened)
    text = "\n\n".join(cut.texts)
    shown = {key: cited for key, cited in known.items() if f"\n{key}: " in text}
    prompt = Prompt("compose", SYSTEM, f"Question: {question.text}\n\n{fenced(text)}")
    return Request(Citations(shown, usage, text), prompt)


def _lines(text: str) -> str:
    """A quote with its lines, which matter in code; those after the first are set in."""
    return "\n   ".join(line.rstrip() for line in text.splitlines() if line.strip())


def _quotes(evidence: Evidence) -> Iterator[tuple[str, Quote]]:
    for letter, quote in zip(ascii_lowercase, evidence.answer.quotes, strict=False):
        yield f"{evidence.number}{letter}", quote
