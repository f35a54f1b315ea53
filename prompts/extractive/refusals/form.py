"""Sentences that are none: code, fields, questions, lines that lead up to others, what stands in an example."""

from __future__ import annotations

import re

from prompts.extractive.candidates import Candidate
from prompts.extractive.near_misses import is_of_example, tells_of_its_page
from prompts.extractive.standing import asks_of_draft, is_draft
from prompts.months import DAY_OF_MONTH
from prompts.regex import regex

MOST_CODE = 2


_CODE = regex(r"[=<>{}\\]|\(\"|\bAND\b|(?<=\s)--?[a-z]|://| \| |\$\(|\$[A-Z]")  # marks of queries and code
_IN_TICKS = regex(r"(?:\{[\w:-]{1,30}\})?`[^`\n]*`|:::\{[\w-]{1,30}\}|\]\([^()\s]*\)|<?https?://\S+")


def is_front_matter(one: Candidate) -> bool:
    return one.passage.start < one.question.front_matter


def is_of_its_page(one: Candidate) -> bool:
    return tells_of_its_page(one.question.low, one.passage.text)


def is_no_sentence(one: Candidate) -> bool:
    kind = one.passage.kind
    return not (kind in ("text", "item") or (kind == "heading" and one.question.kind == "count"))


def is_field(one: Candidate) -> bool:
    return any(first <= one.passage.start < last for first, last in one.question.facts)


_ASKS = regex(  # in a chat, without a mark: "[09:31] Nuala: what do I tell them"
    r"\W*(?:\d{1,2}:\d\d\W+)?[\w .'’-]{1,30}: (?:what|who|when|where|why|how|which) (?:do|does|did|are|should|shall|can|could|would|will) \w+ \w",
    re.IGNORECASE,
)


def asks_or_leads_up(one: Candidate) -> bool:
    return one.passage.text.endswith(("?", ":")) or _ASKS.match(one.passage.text) is not None


_CONCLUDES = regex(r"\W*(?:[A-Z][\w.'’-]{0,30}: )?(?:So|Thus|Hence|Therefore|Otherwise|Instead)\b,? ")


def draws_conclusion(one: Candidate) -> bool:
    """ "So it covers 391 boats": of what, is said before it."""
    return _CONCLUDES.match(one.written) is not None


def is_code(one: Candidate) -> bool:
    return len(_CODE.findall(_IN_TICKS.sub("", one.passage.text))) >= MOST_CODE


_MESSAGE = regex(
    rf"\[(?:\d{{1,4}}[./-]\d{{1,2}}(?:[./-]\d{{2,4}})?\.?|{DAY_OF_MONTH}),? \d{{1,2}}[:.]\d\d(?::\d\d)?\]"
)  # when a line of a chat was written


def is_several_messages(one: Candidate) -> bool:
    """Lines of a chat that follow each other are of different people and things."""
    return len(_MESSAGE.findall(one.written)) > 1


def is_part_of_example(one: Candidate) -> bool:
    return is_of_example(one.question.low, one.question.found, one.at)


def stands_in_draft(one: Candidate) -> bool:
    leaf = one.question.leaf
    return is_draft(leaf) and not asks_of_draft(one.question.low)
