"""Which words of a question each passage of a leaf has, and which stand around it or above it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prompts.extractive.asked_values import LIGHT
from prompts.extractive.entry_titles import entry_titles
from prompts.extractive.passages import Passage, header_rows, headers_of_rows
from prompts.extractive.procedures import scopes_of, without_ranges
from prompts.extractive.reasons import verbs_of_choice
from prompts.language import terms, words
from prompts.question import PUTTING, QuestionAnalysis, Word, words_in
from prompts.records import LeafText
from prompts.regex import regex
from prompts.shorter_questions import words_beside, words_of_time

LIGHT_WORD = 0.4  # what a word weighs with which things are asked for, or by which it is only said when
BESIDE = 0.5  # the same, of a word that stands only in what leads up to a question


_NUMBER = regex(r"\A\W*\d{1,2}(?:\.\d{1,2}){0,3}[.)]? (?=[^\W\d][\w'’-]* \w)")
_OF_ALL = frozenset(terms("altogether ones"))  # words that say of no thing which one it is


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that a sentence is held against."""

    text: str
    analysis: QuestionAnalysis
    words: tuple[Word, ...]  # without those by which it is put
    numbers: Mapping[int, int]  # of these words by those that they have among all
    weights: tuple[float, ...]
    terms: tuple[str, ...]
    kind: re.Pattern[str] | None  # what a thing of the kind asked for looks like
    counted: re.Pattern[str] | None


def asked_for(
    text: str, analysis: QuestionAnalysis, carrying: Sequence[Word], kind: re.Pattern[str] | None, counted: re.Pattern[str] | None
) -> Asked:
    kept = [at for at, word in enumerate(carrying) if word.whole not in PUTTING | _OF_ALL] or list(range(len(carrying)))
    words = tuple(carrying[at] for at in kept)
    numbers = {at: number for number, at in enumerate(kept)}
    light, beside = LIGHT | words_of_time(text), words_beside(text)
    if analysis.kind == "why":
        light |= verbs_of_choice(text)
    weights = tuple(
        word.weight * (LIGHT_WORD if word.whole in light else BESIDE if word.whole in beside else 1.0) for word in words
    )
    return Asked(text, analysis, words, numbers, weights, tuple(terms(text)), kind, counted)


@dataclass(frozen=True, slots=True)
class Survey:
    """Which words of a question each passage of a leaf has, and which stand around it or above it."""

    asked: Asked
    leaf: LeafText
    found: Sequence[Passage]
    own: Sequence[set[int]]
    beside: Sequence[set[int]]  # in the sentences before and after
    above: Sequence[set[int]]  # in the headings that it stands under
    around: Sequence[set[int]]  # in itself, beside it, and in the headings that it stands under
    title: set[int]  # in the headings of the leaf itself
    headed: Sequence[float]  # how much of the heading right above it the question says, from 0 to 1
    headers: frozenset[int]  # the passages that are the header of a table


def survey(asked: Asked, leaf: LeafText, found: Sequence[Passage], had: Sequence[frozenset[int]]) -> Survey:
    """`had`: which of all words that carry the question each passage has."""
    own = [{asked.numbers[at] for at in some if at in asked.numbers} for some in had]
    outer = words_in(asked.words, set(terms(" ".join(without_ranges(leaf.heading)))))
    heading_terms = {heading: set(terms(heading)) for heading in {passage.heading for passage in found}}
    headings = {heading: outer | words_in(asked.words, there) for heading, there in heading_terms.items()}
    said = {*asked.terms, *(other for word in asked.words for other in word.others)}
    shares = {heading: share_said(heading, said) for heading in heading_terms}
    headers, titles = headers_of_rows(leaf, found), entry_titles(leaf, found)
    beside = [own[headers[at]] if at in headers else _beside(own, found, titles, at) for at in range(len(found))]
    scopes = [
        (start, end, words_in(asked.words, set(terms(" ".join(without_ranges(path)))))) for start, end, path in scopes_of(leaf)
    ]
    titled = {title: words_in(asked.words, set(terms(title))) for title in set(titles)}
    above = [
        headings[passage.heading].union(titled[title], *(there for start, end, there in scopes if start <= passage.start < end))
        for passage, title in zip(found, titles, strict=True)
    ]
    around = [mine.union(near, over) for mine, near, over in zip(own, beside, above, strict=True)]
    headed = [shares[passage.heading] for passage in found]
    return Survey(asked, leaf, found, own, beside, above, around, outer, headed, header_rows(found, headers))


def share_said(heading: str, said: set[str]) -> float:
    """How many words of a heading a question says, from 0 to 1; of one that is made of several, RETRY_CODES, itself or all of these. The
    number of a heading of several words, "6 Pen test", is none of them."""
    there = words(_NUMBER.sub("", heading))
    return sum(one[0] in said or (len(one) > 1 and said.issuperset(one[1:])) for one in there) / max(1, len(there))


def _beside(own: Sequence[set[int]], found: Sequence[Passage], titles: Sequence[str], at: int) -> set[int]:
    """Those in the sentences before and after; not in those of another entry, by its title."""
    is_after = bool(at) and found[at - 1].kind != "heading" and titles[at - 1] == titles[at]
    is_before = at + 1 < len(found) and titles[at + 1] == titles[at]
    return (own[at - 1] if is_after else set()) | (own[at + 1] if is_before else set())


def share(weights: Sequence[float], which: set[int]) -> float:
    return weigh(weights, which) / (sum(weights) or 1.0)


def weigh(weights: Sequence[float], which: set[int]) -> float:
    return sum(map(weights.__getitem__, which))
