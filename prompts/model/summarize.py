"""Decision "summarize": the records of a branch's children become the branch's record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from prompts.model.material import cut_fairly, one_line, record_lines, room_for, without_repeated
from prompts.model.prompt import FENCED, JSON_ALONE, Prompt, ReplyForm, content_version, fenced
from prompts.model.quotes import Text
from prompts.model.read import MOST_ITEMS, within
from prompts.model.types import known_types
from prompts.records import Child, Quote, SummaryRecord
from prompts.usage import Usage

SYSTEM = f"""You sum up a branch of a tree of a team's documents from the records of its children: leaves (passages), branches \
(folders, documents, headings) and runs (neighbours in order, without a name of their own).

People find their way by your record and by the titles of the children, which are shown beside it: it must let them tell \
which questions are answered below this branch and which are not. Say what is there, child by child where they differ, in \
the names the children use. Claim nothing that stands in no child's record. {FENCED}

Reply with one JSON object:
- "summary": 2 sentences or more, and at most as many words as the message says. Do not begin with "This branch".
- "content_types": 1 to 5 of the children's types, most telling first.
- "quotes": the ids of up to 5 lines that say most, such as "2.1".
- "critical_actions", "decisions", "events": the ids of up to 8 lines each, most important first: what somebody must do or \
must not forget; what was decided; what happened.
- "about": names and key phrases, as many as the message says, spelt as in the records, what several children share first.
A list is empty where there is nothing to put in it. Write in the language of most records."""

MOST_QUOTES = 5
LEAST_WORDS, WORDS_A_CHILD, WORDS_A_LEAF, MOST_WORDS = 60, 10, 1, 220  # of a summary
LEAST_ABOUT, MOST_ABOUT = 8, 28  # one more for a child, and one for four leaves
LONGEST_LINE = 240  # characters shown of a line that is chosen by its id
LETTERS_A_WORD = 8  # with the space behind it: names are long


class Branch(ReplyForm):
    summary: str = Field(min_length=1)
    content_types: list[str] = Field(default_factory=list)
    quotes: list[str] = Field(default_factory=list)
    critical_actions: list[str] = Field(default_factory=list)
    decisions: list[str] = Field(default_factory=list)
    events: list[str] = Field(default_factory=list)
    about: list[str] = Field(default_factory=list)


VERSION = content_version(SYSTEM, Branch)


@dataclass(frozen=True, slots=True)
class Request:
    """The children as the prompt shows them: what the ids of a reply mean."""

    quotes: dict[str, Quote]
    said: str
    prompt: Prompt
    words: int  # that the summary may have
    about: int


def build_prompt(title: str, children: Sequence[Child], context: int, usage: Usage) -> Request:
    blocks: list[str] = []
    quotes: dict[str, Quote] = {}
    for at, child in enumerate(children):
        mine = dict(_quotes(at, child))
        quotes |= {key: quote for key, (_, quote) in mine.items()}
        size = "" if child.kind == "leaf" else f", {child.leaves} {'leaf' if child.leaves == 1 else 'leaves'}"
        kind = "branch" if child.kind == "pass" else child.kind  # a pass stands for the one branch below it
        head = [f"[{at + 1}] {one_line(child.title) or '(no title)'} ({kind}{size})"]
        lines = [f"{key} {role}: {_shown(quote)}" for key, (role, quote) in mine.items()]
        blocks.append("\n".join((*head, *_told(child.record, [_shown(quote) for _, quote in mine.values()]), *lines)))
    cut = cut_fairly(blocks, room_for(context, SYSTEM) * 9 // 10)
    usage.lose("shortened", cut.shortened)
    text = "\n\n".join(cut.texts)
    leaves = sum(child.leaves for child in children)
    words = min(MOST_WORDS, LEAST_WORDS + WORDS_A_CHILD * len(children) + WORDS_A_LEAF * leaves)
    about = min(MOST_ABOUT, LEAST_ABOUT + len(children) + leaves // 4)
    limits = f'"summary": at most {words} words. "about": up to {about}.'
    material = fenced(f"Branch: {one_line(title) or '(no title)'}\n\n{text}")
    shown = {key: quote for key, quote in quotes.items() if f"\n{key} " in text}
    return Request(shown, text, Prompt("summarize", SYSTEM, f"{limits}\n\n{material}\n\n{JSON_ALONE}"), words, about)


def _told(record: SummaryRecord, lines: Sequence[str]) -> Iterator[str]:
    """The record of a child without the sentences of its summary that are shown as `lines`."""
    summary = without_repeated(one_line(record.summary), lines)
    told = record_lines(record.model_copy(update={"summary": summary}))
    yield from (line for line in told if line.startswith(("summary:", "types:", "about:")))


def _shown(quote: Quote) -> str:
    """What is shown of a line: enough to choose it by."""
    said = quote.says or quote.text
    return said if len(said) <= LONGEST_LINE else f"{said[:LONGEST_LINE].rsplit(' ', 1)[0]} …"


def _quotes(at: int, child: Child) -> Iterator[tuple[str, tuple[str, Quote]]]:
    """The quotes of a child, each once, with an id and the role it has there."""
    record = child.record
    roles = (
        ("action", record.critical_actions), ("decision", record.decisions), ("event", record.events), ("said", record.quotes),
    )  # fmt: skip
    seen: set[str] = set()
    number = 0
    for role, quotes in roles:
        for quote in quotes:
            if quote.text in seen:
                continue
            seen.add(quote.text)
            number += 1
            taken = Quote(text=one_line(quote.text), child=at, says=one_line(quote.says))
            yield f"{at + 1}.{number}", (role, taken)


def parse_reply(branch: Branch, request: Request, usage: Usage) -> SummaryRecord:
    types, unknown = known_types(branch.content_types)
    usage.lose("unknown_types", unknown)
    text = Text(request.said)
    about = [one for one in dict.fromkeys(map(str.strip, branch.about)) if one]
    standing = [one for one in about if text.has_words(one)]
    usage.lose("lost_quotes", len(about) - len(standing))

    def by_id(ids: Sequence[str], most: int) -> tuple[Quote, ...]:
        known = [request.quotes[one.strip(" []")] for one in dict.fromkeys(ids) if one.strip(" []") in request.quotes]
        usage.lose("unknown_ids", len(set(ids)) - len(known))
        return tuple(known[:most])

    return SummaryRecord(
        summary=within(branch.summary, request.words * LETTERS_A_WORD, usage),
        quotes=by_id(branch.quotes, MOST_QUOTES),
        content_types=types,
        critical_actions=by_id(branch.critical_actions, MOST_ITEMS),
        decisions=by_id(branch.decisions, MOST_ITEMS),
        events=by_id(branch.events, MOST_ITEMS),
        about=tuple(standing[: request.about]),
    )
