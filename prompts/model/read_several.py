"""Decision "read" for several small leaves of one document in one call: each becomes a record of its own, or has to be read alone.

The fixed words of the prompt are longer than many a leaf. What comes back is taken leaf by leaf: an entry that is missing,
has not the form, or says what stands in another passage is no reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError, field_validator

from prompts.language import terms
from prompts.model import read
from prompts.model.material import room_for, tokens_in
from prompts.model.prompt import FENCED, JSON_ALONE, Prompt, ReplyForm, content_version, fenced
from prompts.records import LeafText, Reading
from prompts.usage import Usage

SYSTEM = f"""You read a few passages of one of a team's documents and write for each the record by which it will be found \
again: what is in it, not what it is like. The lines of each are numbered. {FENCED}

Reply with one JSON object {{"passages": [...]}} with one entry for each passage. What stands in another passage does not \
belong in its record. Each entry:
- "passage": its number.
{read.FIELDS}"""

MOST_LEAVES = 4  # of one call: the more, the worse small models keep them apart
LARGEST_LEAF = 1_300  # tokens, about 4,600 characters; a larger one is worth a call of its own
MOST_TOKENS = 3_000  # of the leaves of one call
ROOM_SHARE = 0.5  # of the room of a prompt: each leaf takes a reply as well
FOREIGN_SHARE = 0.1  # of the words of a record that may stand in another passage and not in its own


class Entry(read.Record):
    passage: int


class Records(ReplyForm):
    passages: list[Entry]

    @field_validator("passages", mode="before")
    @classmethod
    def _of_the_form(cls, value: object) -> object:
        """One entry that has not the form loses none of the others."""
        return [one for one in value if _has_form(one)] if isinstance(value, list) else value


def _has_form(value: object) -> bool:
    try:
        Entry.model_validate(value)
    except ValidationError:
        return False
    return True


VERSION = content_version(SYSTEM, Records, read.VERSION)  # of both prompts: their records are kept under one name


@dataclass(frozen=True, slots=True)
class Request:
    leaves: Sequence[read.Request]  # numbered from 1
    prompt: Prompt


def fit_together(leaves: Sequence[LeafText], context: int) -> bool:
    """Whether these are few and small enough to be read in one call."""
    sizes = [tokens_in(leaf.text) for leaf in leaves]
    most = min(MOST_TOKENS, room_for(context, SYSTEM) * ROOM_SHARE)
    return len(leaves) <= MOST_LEAVES and max(sizes) <= LARGEST_LEAF and sum(sizes) <= most


def build_prompt(leaves: Sequence[LeafText], context: int, usage: Usage) -> Request:
    room = room_for(context, SYSTEM) * 9 // 10 // len(leaves)
    found = [read.show(leaf, room, usage) for leaf in leaves]
    material = "\n\n".join(f"passage {number}: {shown}" for number, (shown, _) in enumerate(found, 1))
    prompt = Prompt("read", SYSTEM, f"{fenced(material)}\n\n{JSON_ALONE}")
    return Request([read.Request(leaf, lines, prompt) for leaf, (_, lines) in zip(leaves, found, strict=True)], prompt)


def parse_reply(records: Records, request: Request, usage: Usage) -> list[Reading | None]:
    """The reading of each leaf; None where it has to be read alone."""
    entries: dict[int, list[Entry]] = {}
    for entry in records.passages:
        entries.setdefault(entry.passage, []).append(entry)
    words = [frozenset(terms(f"{one.leaf.header} {one.leaf.text}")) for one in request.leaves]
    found: list[Reading | None] = []
    for at, one in enumerate(request.leaves):
        mine = entries.get(at + 1, [])
        others = frozenset[str]().union(*words[:at], *words[at + 1 :]) - words[at]
        is_usable = len(mine) == 1 and not _tells_of(others, mine[0])
        found.append(read.parse_reply(mine[0], one, usage) if is_usable else None)
    return found


def _tells_of(others: frozenset[str], entry: Entry) -> bool:
    """Whether a record has a name or number, or many words, that stand in other passages only: it would still tell of them when
    they are gone."""
    items = (*entry.critical_actions, *entry.decisions, *entry.events)
    said = " ".join((entry.summary, *(item.says for item in items)))
    named = " ".join(word for word in said.split() if any(sign.isdigit() or sign.isupper() for sign in word))
    found = set(terms(said))
    return bool(others & set(terms(named))) or len(others & found) > max(1, FOREIGN_SHARE * len(found))
