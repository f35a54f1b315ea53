"""Decision "compose": the answer, written as it is thought, every sentence with the quotes it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from prompts.model.citing import NOT_FOUND, Citations
from prompts.model.material import cut_fairly, notes_text, one_line, place_of, room_for, tokens_in
from prompts.model.prompt import FENCED, Prompt, asked, content_version
from prompts.records import Evidence, LeafAnswer, Notes, Question, Quote
from prompts.regex import regex
from prompts.text_lines import line_end
from prompts.usage import Usage

SYSTEM = f"""You write the answer to a question from quotes that were taken from a team's documents.

- Begin with the answer itself. Be as short as it allows: a sentence or two for a fact, a numbered list for a procedure, \
in the language of the question, as Markdown without headings, links or images. Where the question can be answered with \
yes or no, begin with that word, or with what it depends on.
- Say nothing that the quotes do not say. End every sentence, and every item of a list, with the ids of the quotes it \
rests on, such as [1a] or [1a, 2c]. The id that ends in "t" is the title of a passage, with what its document says of \
itself. A sentence without an id is shown as unsupported.
- A procedure is told in this order: what the alert or error means, what is needed first, then one numbered item for each \
quoted step, in the order of the passage, with its conditions ("if …, then …"). No step is added, put together or left out.
- What follows from the quotes and is said by none of them begins with "Probably", with the ids it follows from.
- Keep names, numbers, commands and conditions as they are quoted; code stays in one block, with its line breaks. Say a \
relative date ("yesterday") as the date it is, counted from the date in the title. What was over by the day \
of the question is told as past, with its date.
- Where quotes contradict each other, give the newer one, and say that an older one differs, with the ids of both. \
Where a note says that the premise is wrong, begin with what is so instead.
- Where the quotes leave a part of the question open, end with one line that begins with "{NOT_FOUND}" and says which, \
and whether it may stand in what the notes list as not read.
{FENCED}"""

MOST_TOKENS = 2_000
TITLE = "t"  # the letter of a title; quotes have the others
_RULE = regex(r"\|(?:\s*:?-+:?\s*\|)+")  # between the names of columns and the rows
LETTERS = ascii_lowercase.replace(TITLE, "")

VERSION = content_version(SYSTEM, None, str(MOST_TOKENS))


@dataclass(frozen=True, slots=True)
class Request:
    citations: Citations
    prompt: Prompt


def build_prompt(question: Question, evidence: Sequence[Evidence], notes: Notes, context: int, usage: Usage) -> Request:
    blocks: list[str] = []
    known: dict[str, tuple[int, Quote]] = {}
    for one in evidence:
        header = place_of(one.leaf)
        quotes = dict(_quotes(one))
        title = f"{one.number}{TITLE}"
        known |= {key: (one.number, quote) for key, quote in quotes.items()} | {title: (one.number, Quote(text=header))}
        blocks.append("\n".join((f"{title}: {header}", *_note(one.answer, quotes), *_shown(one.leaf.text, quotes))))
    before = notes_text(Notes(parts=notes.parts, answered=notes.answered, unread=notes.unread))
    cut = cut_fairly(blocks, room_for(context, SYSTEM + question.text, MOST_TOKENS) - tokens_in(before))
    usage.lose("shortened", cut.shortened)
    text = "\n\n".join(filter(None, (before, *cut.texts)))
    shown = {key: cited for key, cited in known.items() if f"\n{key}: " in f"\n{text}"}
    prompt = Prompt("compose", SYSTEM, asked(question, text))
    return Request(Citations(shown, usage, text), prompt)


def _shown(text: str, quotes: Mapping[str, Quote]) -> Iterator[str]:
    """The quotes behind their ids, a row of a table below the names of its columns."""
    before = ""
    for key, quote in quotes.items():
        columns = _columns(text, quote.start)
        if columns and columns != before:
            yield f"columns: {columns}"
        before = columns
        yield f"{key}: {_lines(text[quote.start : quote.end])}"


def _columns(text: str, start: int) -> str:
    """The first row of the table that a place lies in; nothing where it lies in none."""
    rows = list[str]()
    for line in reversed(text[: line_end(text, start)].split("\n")):
        if not line.lstrip().startswith("|"):
            break
        rows.append(line.strip())
    return rows[-1] if len(rows) > 2 and _RULE.fullmatch(rows[-2]) else ""


def _note(answer: LeafAnswer, quotes: Mapping[str, Quote]) -> Iterator[str]:
    """How a passage was judged, and what was noted of it where that is not its quotes, one or several, once more."""
    said, state = one_line(answer.reason), _state(answer)
    if said and said.rstrip(" ,.…") in one_line(" ".join(quote.text for quote in quotes.values())):
        yield f"note: {state}"
    elif said:
        yield f"note ({state}): {said}"


def _state(answer: LeafAnswer) -> str:
    """What a passage does for the question, in the words of the decision "answer"."""
    return answer.standing if answer.standing == "premise is wrong" else {"complete": "answers it"}.get(answer.verdict, "adds")


def _lines(text: str) -> str:
    """A quote with its lines, which matter in code; those after the first are set in."""
    return "\n   ".join(line.rstrip() for line in text.splitlines() if line.strip())


def _quotes(evidence: Evidence) -> Iterator[tuple[str, Quote]]:
    for letter, quote in zip(LETTERS, (quote for quote in evidence.answer.quotes if quote.end), strict=False):
        yield f"{evidence.number}{letter}", quote
