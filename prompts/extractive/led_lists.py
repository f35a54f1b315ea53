"""Lists that a line with all words of a question leads up to: "The differences between A and B are:"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from prompts.extractive.passages import Passage
from prompts.extractive.relations import turns, without_targets
from prompts.language import terms
from prompts.question import QuestionAnalysis, Word

KINDS = frozenset(("list", "compare", "open"))  # of questions that a list may answer
FEWEST_WORDS, FEWEST_COMPARED = 3, 2  # of the question in the line
FEWEST_ITEMS = 2
LONGEST_LEAD, LONGEST_LIST = 200, 1_400  # characters
MOST_ELSE = 5  # further words in the line

_LISTS = re.compile(r"\b(?:which|what|list|name|differences?|differs?)\b", re.IGNORECASE)
_DIFFERS = re.compile(r"\b(?:differ\w*|unlike|in contrast|compared?)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:not|never|no longer|for example|such as|e\.g|instead of|rather than|except|unlike)\b", re.IGNORECASE)


def led_lists(low: str, asked: QuestionAnalysis, needed: Sequence[Word], found: Sequence[Passage]) -> Iterator[tuple[int, int]]:
    """The spans of such lines with their lists. `low` is the question in small letters."""
    is_comparing = asked.kind == "compare"
    if asked.kind not in KINDS or len(needed) < (FEWEST_COMPARED if is_comparing else FEWEST_WORDS) or not _LISTS.search(low):
        return
    for at, lead in enumerate(found):
        if lead.kind not in ("text", "item") or not lead.text.endswith(":") or len(lead.text) > LONGEST_LEAD:
            continue
        items = list(takewhile(lambda one: one.kind == "item", found[at + 1 :]))
        said = without_targets(lead.text)
        there = terms(said)
        is_asked = all(word.is_in(set(there)) for word in needed) and len(there) <= len(needed) + MOST_ELSE
        if is_comparing and not _DIFFERS.search(said):
            continue
        if not is_asked or len(items) < FEWEST_ITEMS or items[-1].end - lead.start > LONGEST_LIST:
            continue
        if turns(low, said) and bool(_WITHOUT.search(said)) == bool(_WITHOUT.search(low)):
            yield lead.start, items[-1].end
