"""Steps below a heading that asks what to do or says when it is to be done: "How do I ...?", "If the test fails".

Such an entry is one unit of its leaf, or none, so its items are found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prompts.question import analyse
from prompts.records import LogicUnit
from prompts.regex import regex

FEWEST_STEPS = 2
LONGEST_NAME = 70  # characters of a step by which it is called
_ITEM = regex(r"^(?P<indent>[ \t]{0,3})(?:(?P<number>\d{1,2})[.)]|[-*+•])[ \t]+(?=\S)")
_CASE = regex(r"[ \t]*[-*+•][ \t]+(?:(?:\*\*|__)[^*_\n]{2,80}(?:\*\*|__)|[^.:\n]{2,40}:[ \t])")  # "**No light**: change the lamp"
_GOES_ON = regex(r"^[ \t]+\S")  # a line that belongs to the item above it
_CONDITION = regex(
    r"\W*(?:\d{1,2}(?:\.\d{1,2})*[.)]? +)?(?:if|in case|falls|wenn|si|when(?! (?:to|do|does|did|is|are|was|can|could|should|must|will)\b)) ",
    re.IGNORECASE,
)
_FENCE = ("```", "~~~")


class Item(NamedTuple):
    """An item of a list, [start, end); its number, where it has one."""

    start: int
    end: int
    number: int | None


def says_to_do(heading: str) -> bool:
    """Whether what stands below a heading is to be done: it asks how, or says when."""
    return is_condition(heading) or analyse(heading).kind == "how_to"


def is_condition(heading: str) -> bool:
    """Whether a heading says when what stands below it is to be done: "If the test fails"."""
    return _CONDITION.match(heading) is not None


def listed_steps(text: str, start: int, end: int, heading: str, units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """The items of a section [start, end) as steps, where its heading says that they are to be done and none is a step by itself."""
    if not says_to_do(heading) or any(unit.kind == "step" and start <= unit.start < end for unit in units):
        return []
    found = _one_list(text, list(items(text, start, end)))
    if len(found) < FEWEST_STEPS:
        return []
    return [
        LogicUnit(
            kind="step",
            header=f"{heading}: {_named(text[one.start : one.end])}",
            start=one.start,
            end=one.end,
            step=one.number if found[0].number is not None else at,
        )
        for at, one in enumerate(found, 1)
    ]


def items(text: str, start: int, end: int) -> Iterator[Item]:
    """The outermost items of the lists in [start, end), each with the lines that go on with it."""
    at, begun, last, number, is_code = start, -1, start, None, False
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = text[at:stop]
        is_code ^= line.lstrip().startswith(_FENCE)
        match = None if is_code else _ITEM.match(line)
        if begun >= 0 and (match is not None or (line.strip() and not is_code and not _belongs(text, last, at, line))):
            yield Item(begun, last, number)
            begun = -1
        if match is not None:
            begun, number = at, int(match["number"]) if match["number"] else None
        if line.strip():
            last = stop
        at = stop + 1
    if begun >= 0:
        yield Item(begun, last, number)


def _belongs(text: str, last: int, at: int, line: str) -> bool:
    """Whether a line that is no item goes on with the item that ends at `last`: right below it, or moved in."""
    return _GOES_ON.match(line) is not None or "\n\n" not in text[last:at]


def _one_list(text: str, found: Sequence[Item]) -> list[Item]:
    """The numbered items from 1 on, where there are any; else all, unless each says of another case what is to be done."""
    numbered: list[Item] = []
    for one in found:
        if one.number == len(numbered) + 1:
            numbered.append(one)
    if len(numbered) >= FEWEST_STEPS:
        return numbered
    bare = [one for one in found if one.number is None]
    return bare if sum(_CASE.match(text, one.start, one.end) is not None for one in bare) * 2 < len(bare) else []


def _named(step: str) -> str:
    line = step.partition("\n")[0]
    bare = line[match.end() :] if (match := _ITEM.match(line)) else line
    return bare.partition(". ")[0][:LONGEST_NAME]
