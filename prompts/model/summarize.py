"""Decision "summarize": the records of a branch's children become the branch's record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from prompts.model.material import cut_fairly, one_line, record_lines, room_for
from prompts.model.prompt import FENCED, Prompt, ReplyForm, content_version, fenced
from prompts.model.quotes import Text
from prompts.model.read import LONGEST_SUMMARY, MOST_ITEMS, within
from prompts.model.types import known_types, type_names
from prompts.records import Child, Quote, SummaryRecord
from prompts.usage import Usage

SYSTEM = f"""You sum up a branch of a tree of a team's documents from the records of its children.

A child is a leaf (a passage of a document), a branch (a folder, document or heading) or a run (neighbours in order). \
People find their way by your record alone: it must let them tell which questions are answered below this branch and \
which are not. Say what is there, child by child where they differ, in the names the children use. Claim nothing that \
stands in no child's record. {FENCED}

Reply with one JSON object:
- "summary": what is below the branch, in 2 to 5 sentences and at most 110 words. Do not begin with "This branch".
- "content_types": 1 to 5 of the types listed below, by name, most telling first.
- "quotes": the ids of up to 5 lines that say most, such as "2.1".
- "critical_actions": the ids of the lines with what somebody must do or must not forget, if any; at most 8, most \
important first.
- "decisions": the ids of the lines with the decisions that matter most, if any; at most 8.
- "events": the ids of the lines with the most noteworthy events, if any; at most 8.
- "about": up to 14 names and key phrases, spelt as in the records, what several children share first.
A list is empty where there is nothing to put in it. Write in the language of most records.

Types: {type_names()}."""

MOST_QUOTES, MOST_ABOUT = 5, 16


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


def build_prompt(title: str, children: Sequence[Child], context: int, usage: Usage) -> Request:
    blocks: list[str] = []
    quotes: dict[str, Quote] = {}
    for at, child in enumerate(children):
        mine = dict(_quotes(at, child))
        quotes |= {key: quote for key, (_, quote) in mine.items()}
        size = "" if child.kind == "leaf" else f", {child.leaves} {'leaf' if child.leaves == 1 else 'leaves'}"
        head = [f"[{at + 1}] {one_line(child.title) or '(no title)'} ({child.kind}{size})"]
        head += [line for line in record_lines(child.record) if line.startswith(("summary:", "types:", "about:"))]
        blocks.append("\n".join((*head, *(f"{key} {role}: {quote.says or quote.text}" for key, (role, quote) in mine.items()))))
    cut = cut_fairly(blocks, room_for(context, SYSTEM) * 9 // 10)
    usage.lose("shortened", cut.shortened)
    text = "\n\n".join(cut.texts)
    user = fenced(f"Branch: {one_line(title) or '(no title)'}\n\n{text}")
    return Request({key: quote for key, quote in quotes.items() if f"\n{key} " in text}, text, Prompt("summarize", SYSTEM, user))


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
        summary=within(branch.summary, LONGEST_SUMMARY, usage),
        quotes=by_id(branch.quotes, MOST_QUOTES),
        content_types=types,
        critical_actions=by_id(branch.critical_actions, MOST_ITEMS),
        decisions=by_id(branch.decisions, MOST_ITEMS),
        events=by_id(branch.events, MOST_ITEMS),
        about=tuple(standing[:MOST_ABOUT]),
    )
