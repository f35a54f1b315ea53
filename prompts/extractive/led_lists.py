"""Lists that a line or a heading with all words of a question leads up to: "The differences between A and B are:"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prompts.extractive.passages import Passage, items_below
from prompts.extractive.procedures import scopes_of, without_ranges
from prompts.extractive.relations import turns, without_targets
from prompts.language import terms
from prompts.question import QuestionAnalysis, Word
from prompts.records import LeafText
from prompts.regex import regex

KINDS = frozenset(("list", "compare", "open"))  # of questions that a list may answer
FEWEST_WORDS, FEWEST_COMPARED = 3, 2  # of the question in the line
FEWEST_ITEMS = 2
LONGEST_LEAD, LONGEST_LIST = 200, 1_400  # characters
MOST_ELSE = 5  # further words in the line

_ASKS_LIST = regex(r"\W*(?:who|what|which) (?:are|were) (?:the|all|our|your) |\W*list (?:the|all|our) ")
_LISTS = regex(r"\b(?:which|what|list|name|differences?|differs?)\b", re.IGNORECASE)
_DIFFERS = regex(r"\b(?:differ\w*|unlike|in contrast|compared?)\b", re.IGNORECASE)
_WITHOUT = regex(r"\b(?:not|never|no longer|for example|such as|e\.g|instead of|rather than|except|unlike)\b", re.IGNORECASE)


def led_lists(
    low: str, asked: QuestionAnalysis, needed: Sequence[Word], leaf: LeafText, found: Sequence[Passage]
) -> Iterator[tuple[int, int]]:
    """The spans of such lines with their lists, what the line leaves out in the headings above. `low` is the question in small letters."""
    is_comparing = asked.kind == "compare"
    least = FEWEST_COMPARED if is_comparing else FEWEST_WORDS
    if asked.kind not in KINDS or len(needed) < least or not _LISTS.search(low):
        return
    page = terms(" ".join(without_ranges(leaf.heading)))
    for at, lead in enumerate(found):
        if lead.kind not in ("text", "item") or not lead.text.endswith(":") or len(lead.text) > LONGEST_LEAD:
            continue
        items = items_below(leaf, found, at)
        said = without_targets(lead.text)
        there = terms(said)
        around = {*there, *terms(lead.heading), *page}
        own = sum(word.is_in(set(there)) for word in needed)
        is_asked = own >= least and all(word.is_in(around) for word in needed) and len(there) <= len(needed) + MOST_ELSE
        if is_comparing and not _DIFFERS.search(said):
            continue
        if not is_asked or len(items) < FEWEST_ITEMS or items[-1].end - lead.start > LONGEST_LIST:
            continue
        if turns(low, said) and bool(_WITHOUT.search(said)) == bool(_WITHOUT.search(low)):
            yield lead.start, items[-1].end


def headed_lists(low: str, needed: Sequence[Word], leaf: LeafText, found: Sequence[Passage]) -> Iterator[tuple[int, int]]:
    """The spans of lists right below a heading that the question says, with the rest of it in the headings above: "Members"
    below "The crane team" for "Who are the members of the crane team?"."""
    if len(needed) < FEWEST_COMPARED or not _ASKS_LIST.match(low):
        return
    asked = set(terms(low))
    for at, head in enumerate(found):
        items = items_below(leaf, found, at) if head.kind == "heading" else []
        if len(items) < FEWEST_ITEMS or not asked.issuperset(head.terms) or items[-1].end - items[0].start > LONGEST_LIST:
            continue
        path = next((one.headings for one in scopes_of(leaf) if one.start <= items[0].start < one.end), leaf.heading)
        there = set(terms(" ".join(without_ranges(path))))
        if all(word.is_in(there) for word in needed) and turns(low, " ".join(path)):
            yield items[0].start, items[-1].end
