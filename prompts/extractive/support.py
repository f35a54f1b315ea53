"""How far a leaf deals with a question: which of its words stand together, and whether that is enough to show it at all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from prompts.extractive.facts import UNASKED, spans
from prompts.extractive.kinds import EXPECTED, SPEAKER, counted_in, defines
from prompts.extractive.passages import Passage
from prompts.extractive.ranking import Survey
from prompts.language import terms
from prompts.question import QuestionAnalysis, Word, words_in
from prompts.records import LeafText

PARTIAL = 0.45  # of the coverage: calibrated so that nine of ten foreign questions get none
_MANY = 8.0  # words that tell as much as more of them
_PAIRS = 4  # of neighbouring words that tell as much as more of them
_BESIDE = 0.6  # what a word is worth that stands in the sentence before or in the heading
_EXPECTED_BONUS = 0.18
_COUNTED_BONUS = 0.3  # for a number right before what is to be counted


@dataclass(slots=True)
class RatedPassage:
    """A passage, and which words of the question it has."""

    at: int
    passage: Passage
    has: frozenset[int]
    near: frozenset[int]  # in the sentences beside it, or in the heading it stands under
    bonus: float


def rate(
    asked: QuestionAnalysis, carrying: list[Word], leaf: LeafText, found: list[Passage], question_text: str
) -> list[RatedPassage]:
    outer = words_in(carrying, set(terms(" ".join(leaf.heading))))
    had = [words_in(carrying, set(p.terms)) for p in found]
    expected = EXPECTED.get(asked.kind)
    phrases = [phrase.casefold() for phrase in (*asked.phrases, *asked.keys)]
    counted = counted_in(question_text)
    unasked = spans(leaf.text)
    rated = []
    header: int | None = None  # of the table that a row belongs to
    for at, passage in enumerate(found):
        header = (at if header is None else header) if passage.kind == "row" else None
        near = set(outer)
        if header is not None:
            near |= had[header]
        if passage.heading:
            near |= words_in(carrying, set(terms(passage.heading)))
        if at:
            near |= had[at - 1]
        if at + 1 < len(found) and passage.kind == "heading":
            near |= had[at + 1]
        bonus = 0.0
        said = SPEAKER.sub("", passage.text, count=1)
        if expected is not None and expected.search(said):
            bonus += _EXPECTED_BONUS
        if counted is not None and counted.search(said):
            bonus += _COUNTED_BONUS
        lowered = passage.text.casefold()
        bonus += sum(0.15 for phrase in phrases if phrase in lowered)
        if asked.kind == "definition" and defines(asked.subject, said):
            bonus += 0.4
        if passage.text.endswith("?"):
            bonus -= 0.25
        if any(first <= passage.start < last for first, last in unasked):
            bonus -= UNASKED
        rated.append(RatedPassage(at, passage, frozenset(had[at]), frozenset(near - had[at]), bonus))
    return rated


def coverage_of(carrying: list[Word], unknown: frozenset[str], leaf: LeafText, rated: list[RatedPassage]) -> float:
    """How far the leaf deals with the question, 0 to 1.

    Five things that tell a question on this text from a foreign one, weighted after a regression over 18 question
    sets, each judged by the others: the best sentence with what stands beside it, the share of all words, how many
    words and how many neighbouring ones there are at all, and how much of the question the whole text asked about knows.
    """
    there = everywhere(carrying, leaf, rated)
    if not there:
        return 0.0
    total = sum(word.weight for word in carrying) or 1.0
    best = max((weight_of(carrying, r.has) + _BESIDE * weight_of(carrying, r.near) for r in rated), default=0.0) / total
    whole = weight_of(carrying, there) / total
    many = min(1.0, len(there) / max(_MANY, 0.7 * len(carrying)))
    known = 1.0 - sum(word.weight for word in carrying if unknown.issuperset((word.whole, *word.parts))) / total
    said = 0.2 * best + 0.08 * whole + 0.28 * many + 0.24 * _together(carrying, rated, best) + 0.2 * known
    # a short question cannot have many words: it is held against the most that it could have
    return min(1.0, said / (0.72 + 0.28 * min(1.0, len(carrying) / _MANY)))


def everywhere(carrying: list[Word], leaf: LeafText, rated: list[RatedPassage]) -> set[int]:
    return words_in(carrying, set(terms(" ".join(leaf.heading)))) | {at for r in rated for at in r.has}


def weight_of(carrying: list[Word], which: set[int] | frozenset[int]) -> float:
    return sum(carrying[at].weight for at in which)


def _together(carrying: list[Word], rated: list[RatedPassage], alone: float) -> float:
    """How many neighbouring words of the question are neighbours here, or have one word between them; _PAIRS are enough."""
    pairs = set(pairwise(word.whole for word in carrying))
    if not pairs:
        return alone
    there: set[tuple[str, str]] = set()
    for r in rated:
        words = r.passage.terms
        there.update(zip(words, words[1:], strict=False))
        there.update(zip(words, words[2:], strict=False))
    return min(1.0, len(pairs & there) / min(_PAIRS, len(pairs)))


# ---------------------------------------------------------------- whether it is enough


def is_supported(surveyed: Survey, unknown: frozenset[str], coverage: float) -> bool:
    """Whether what a leaf says is near enough to the question to be shown."""
    return coverage >= PARTIAL
