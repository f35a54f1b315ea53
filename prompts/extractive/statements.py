"""Statements that answer a question outright, found in one leaf by rules strict enough to be believed.

A question-and-answer section whose heading is the question; a term with what it means; a procedure whose own title says
the question; a sentence that has the person, number, date or reason asked for beside the thing asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, NamedTuple

from prompts.extractive.asked_values import LIGHT, has_asked_value, word_of
from prompts.extractive.candidates import ALL_WORDS, FEWEST_WORDS, LeafQuestion, candidates
from prompts.extractive.definitions import (
    PRESENT,
    leads_to_what_it_is,
    lists_functions,
    only_names_it,
    says_no_meaning,
    says_what_it_is,
)
from prompts.extractive.facts import spans as fact_spans
from prompts.extractive.forms import (
    asks_what_happens,
    conditions_in,
    is_of_repeating,
    may_be_all,
    named_in,
    share_of_clause,
    share_of_condition,
    thing_that_does,
    without_conditions,
)
from prompts.extractive.led_lists import headed_lists, led_lists
from prompts.extractive.near_misses import tells_of_its_page
from prompts.extractive.no_answers import begins_elsewhere, cannot_lead, sends_elsewhere
from prompts.extractive.pages import fitting
from prompts.extractive.passages import Passage, in_sentences, items_below
from prompts.extractive.procedures import goes_on_below, share_of
from prompts.extractive.refusals.words import FEWEST_PLAIN, LONGEST_LABEL
from prompts.extractive.relations import is_same_condition, turns
from prompts.extractive.rivals import COMPARED
from prompts.extractive.sentence_rules import AS_ASKED, Rule, refusing, said_alike, strength_of
from prompts.extractive.vague import asks_of_no_thing
from prompts.extractive.ways import ways
from prompts.language import terms
from prompts.question import PUTTING, QuestionAnalysis, Word, analyse
from prompts.records import LeafText, LogicUnit
from prompts.regex import regex

Kind = Literal["faq", "definition", "procedure", "sentence"]

SAME_QUESTION = 0.72  # of the words of question and heading, both ways, for a heading to be the question
LONGEST_ANSWER = 420  # characters of a section that is told; the rest can be opened
MOST_STATED = 3
FEWEST_TYPED = 4  # words of what was typed, for a heading that says the same to be meant
VALUED = frozenset(("faq", "sentence", "definition"))  # kinds of statement that must have the number that is asked for
OF_LIST = 0.92  # how sure a list is that a line with all words of the question leads up to
SAID_BEFORE = 2  # sentences, for what "this" in a condition is
_POINTS_BACK = regex(r"\W*(?:even )?(?:this|that|it|they|these|those)\b", re.IGNORECASE)
_CIRCUMSTANCE = regex(  # a sentence that begins with when or where something is so, leads up to what it is for
    r"\W*(?:sometimes|often|usually|normally|occasionally|if|when|while|although|because|since|as|in (?:some|many|most|such)|many|most|some)\b",
    re.IGNORECASE,
)
_GOES_ON = regex(r"(?:This|These|They|It|Such)\b(?! (?:page|document|guide|section|chapter)\b)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A span of a leaf that answers the question, and how sure that is, from 0 to 1."""

    kind: Kind
    start: int
    end: int
    strength: float


class Refusal(NamedTuple):
    """A sentence that has all words of the question and a value of the kind it asks for, and the first rule that refuses it."""

    passage: Passage
    rule: Rule


def statements(
    question: str,
    asked: QuestionAnalysis,
    carrying: Sequence[Word],
    unknown: frozenset[str],
    leaf: LeafText,
    found: Sequence[Passage],
) -> list[Statement]:
    """The best of them first, at most MOST_STATED; empty where the leaf does not answer the question outright."""
    words = [word for word in carrying if word.whole not in PUTTING]
    if not words:
        return []
    doing = carrying if asked.kind == "how_to" else words
    low = question.casefold()
    made = [
        *_faq(question, words, leaf),
        *_below_same(question, leaf, found),
        *_definition(low, asked, leaf, found),
        *_procedures(asked, doing, leaf),
        *_consequences(low, words, leaf, found),
        *_below_name(question, leaf, found),
    ]
    needed = _needed(words)
    if not any(is_unknown(word, unknown) for word in needed):
        spans = (*led_lists(low, asked, needed, leaf, found), *headed_lists(low, needed, leaf, found))
        made += (Statement("sentence", *span, OF_LIST) for span in spans)
        made += (Statement("sentence", *span) for span in ways(low, asked, needed, leaf, found))
        made += _sentences(question, asked, words, leaf, found)
    never = {one.start for one in found if cannot_lead(question, one.text, one.kind)}
    told = [one for one in made if one.kind not in VALUED or has_asked_value(question, leaf.text[one.start : one.end])]
    told = [one for one in told if one.start not in never]
    return sorted(told, key=lambda one: -one.strength)[:MOST_STATED]


def refusals(
    question: str,
    asked: QuestionAnalysis,
    carrying: Sequence[Word],
    unknown: frozenset[str],
    leaf: LeafText,
    found: Sequence[Passage],
    places: Iterable[int] | None = None,
) -> Iterator[Refusal]:
    """Why sentences that seem to answer a question are not called its answer; `places` are numbers of those that are looked at."""
    needed = _needed([word for word in carrying if word.whole not in PUTTING])
    if not needed or any(is_unknown(word, unknown) for word in needed):
        return
    for one in candidates(LeafQuestion(question, asked, needed, leaf, found), places):
        if one.value is not None and (rule := refusing(one)) is not None:
            yield Refusal(one.passage, rule)


def _needed(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.whole not in LIGHT]


def is_unknown(word: Word, unknown: frozenset[str]) -> bool:
    return word.whole in unknown and not word.others and not any(part not in unknown for part in word.parts)


# ---------------------------------------------------------------- headings that are the question


def _faq(question: str, words: Sequence[Word], leaf: LeafText) -> Iterator[Statement]:
    """Sections under a heading that asks the same."""
    put, asks_to_do = word_of(question), analyse(question).kind == "how_to"
    for unit in leaf.units:
        if unit.kind != "faq" or not unit.header.rstrip().endswith("?"):
            continue
        same = _plain(unit.header) == _plain(question)
        other = word_of(unit.header)
        if not same and other and put and _family(other) != _family(put):
            continue
        if not same and not put and asks_to_do and analyse(unit.header).kind in COMPARED:
            continue  # what to do is not how much it may cost
        strength = 1.0 if same else _likeness(words, unit.header)
        header = frozenset(terms(unit.header))
        if not same and not put and not asks_to_do and not all(word.is_in(header) for word in words):
            continue  # "a dealer has a damaged pack" asks for more than what one is
        if strength >= SAME_QUESTION:
            start, end = _body(leaf, unit)
            is_told = (same or may_be_all(question, leaf.text[start:end])) and not begins_elsewhere(leaf.text[start:end])
            if is_told and not sends_elsewhere(question, leaf.text[start:end]):
                yield Statement("faq", start, end, strength)


def _below_same(question: str, leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """What stands below a heading that says just what was typed, whether it is a question or not: "I left something on board"."""
    typed = _plain(question)
    if len(typed.split()) < FEWEST_TYPED:
        return
    same = next((at for at, one in enumerate(found) if one.kind == "heading" and _plain(one.text) == typed), len(found))
    below = list(takewhile(lambda one: one.kind != "heading", found[same + 1 :]))
    told = [one for one in below if one.end - below[0].start <= LONGEST_ANSWER]
    if told and not sends_elsewhere(question, leaf.text[told[0].start : told[-1].end]):
        yield Statement("faq", told[0].start, told[-1].end, 1.0)


def _below_name(question: str, leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """What stands first below a heading that is just the name of which it is asked what it does: a setting, a command."""
    named = thing_that_does(question)
    if not named:
        return
    first = next((one for one in found if one.kind == "text" and named in named_in(one.heading) and not _is_field(one)), None)
    if first is None or not _tells(first) or (_CIRCUMSTANCE.match(first.text) and named not in first.text.casefold()):
        return
    end = _with_more(leaf, found, first)
    if end > first.end or not only_names_it(first.text):
        yield Statement("definition", first.start, end, 0.9)


def _tells(passage: Passage) -> bool:
    """Whether it is a sentence that says something, and not one that leads up to a list."""
    return len(passage.terms) >= FEWEST_PLAIN and passage.text.rstrip("*_`)").endswith((".", "。"))


def _is_field(passage: Passage) -> bool:
    return ": " in passage.text[:LONGEST_LABEL].replace("*", "").replace("_", "")


def _likeness(words: Sequence[Word], header: str) -> float:
    """How far the words of a question and of a heading are the same, both ways."""
    there = [term for term in terms(header) if term not in PUTTING]
    if not there:
        return 0.0
    known = {part for word in words for part in (word.whole, *word.parts)}
    back = sum(term in known for term in there) / len(there)
    return min(share_of(words, set(there)), back)


def _body(leaf: LeafText, unit: LogicUnit) -> tuple[int, int]:
    """The answer below the heading, in whole sentences: as many as LONGEST_ANSWER holds, at least one."""
    start = unit.start
    line_end = leaf.text.find("\n", start, unit.end)
    first = leaf.text[start : line_end if line_end >= 0 else unit.end]
    if first.lstrip("#* ").rstrip("* ").strip() == unit.header.strip() and line_end >= 0:
        start = line_end + 1
    while start < unit.end and leaf.text[start].isspace():
        start += 1
    return start, in_sentences(leaf.text, start, unit.end, LONGEST_ANSWER)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", text.casefold()).split())


def _family(word: str) -> str:
    """Question words that ask for the same kind of thing."""
    if word in ("who", "whom", "whose"):
        return "who"
    if word in ("can", "may", "do", "does", "is", "are", "must", "should"):
        return "yes or no"
    return "what" if word in ("what", "which") else word


# ---------------------------------------------------------------- definitions and procedures


_BE = regex(r"\b(?:is|are|ist|sind|est|sont)\b")
_OF_THE_NEWEST = regex(r"(?:(?:the|our) )?(?:current|latest|newest|present|most recent|actual)\b", re.IGNORECASE)


def _definition(low: str, asked: QuestionAnalysis, leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """A term with what it means, or a sentence that begins with the subject and says what it is."""
    subject = terms(PRESENT.sub("", asked.subject)) if asked.kind == "definition" else []
    if not subject or asks_of_no_thing(low):
        return
    facts = fact_spans(leaf.text)
    is_of_newest = _OF_THE_NEWEST.match(asked.subject) is not None  # which one that is, and not what such a thing is
    for unit in leaf.units:
        if unit.kind == "term" and terms(unit.header) == subject and not is_of_newest:
            start, end = _body(leaf, unit)
            if not says_no_meaning(unit.header, leaf.text[start:end]):
                yield Statement("definition", start, end, 0.95)
    for at, passage in enumerate(found):
        if passage.kind in ("text", "heading") and leads_to_what_it_is(subject, passage.text):
            items = items_below(leaf, found, at)
            if items and items[-1].end - passage.start <= LONGEST_ANSWER:
                yield Statement("definition", passage.start, items[-1].end, 0.85)
        if any(first <= passage.start < last for first, last in facts) or lists_functions(passage.text):
            continue  # "Status: Done" says what a ticket's is
        if is_of_newest and _BE.search(passage.text) is None:
            continue
        if passage.kind in ("text", "item") and not passage.text.endswith("?") and says_what_it_is(subject, passage.text):
            end = _with_more(leaf, found, passage)
            yield Statement("definition", passage.start, end, 0.85 + AS_ASKED * said_alike(low, passage.text))


def _with_more(leaf: LeafText, found: Sequence[Passage], passage: Passage) -> int:
    """The end of a definition with the sentence after it in its paragraph that goes on about it: "This strategy allows ..."."""
    after = next((one for one in found if one.start >= passage.end), None)
    if (
        after is None
        or after.kind != passage.kind
        or "\n\n" in leaf.text[passage.end : after.start]
        or not (_GOES_ON.match(after.text) or only_names_it(passage.text))
    ):
        return passage.end
    return after.end if after.end - passage.start <= LONGEST_ANSWER and not after.text.endswith((":", "?")) else passage.end


def _procedures(asked: QuestionAnalysis, words: Sequence[Word], leaf: LeafText) -> Iterator[Statement]:
    """Steps below a title that says the question."""
    fit = fitting(words, leaf) if asked.kind == "how_to" else None
    if fit is not None and (fit.is_whole or not goes_on_below(fit.procedures[-1], leaf)):
        yield Statement("procedure", fit.procedures[0].parts[0].start, fit.procedures[-1].parts[-1].end, fit.strength)


# ---------------------------------------------------------------- sentences


def _sentences(
    question: str, asked: QuestionAnalysis, words: Sequence[Word], leaf: LeafText, found: Sequence[Passage]
) -> Iterator[Statement]:
    """Sentences with the kind of thing asked for beside everything the question names, that no rule refuses."""
    needed = _needed(words)
    if not needed:
        return
    for one in candidates(LeafQuestion(question, asked, needed, leaf, found)):
        if refusing(one) is None:
            yield Statement("sentence", one.passage.start, one.passage.end, strength_of(one))


def _consequences(low: str, words: Sequence[Word], leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """What a sentence says follows from just the condition that is asked about: "If fetching fails, the task is not started"."""
    needed = _needed(words)
    if len(needed) < FEWEST_WORDS or not asks_what_happens(low):
        return
    outer = set(terms(" ".join(leaf.heading)))
    rest = [word for word in needed if not word.is_in(outer)] or needed  # what the page is about need not be said again
    for at, passage in enumerate(found):
        if passage.kind not in ("text", "item") or passage.text.endswith(("?", ":")) or not turns(low, passage.text):
            continue
        if tells_of_its_page(low, passage.text) or sends_elsewhere(low, without_conditions(passage.text)):
            continue
        if not is_of_repeating(low, passage.text):
            continue
        same = [clause for clause in conditions_in(passage.text) if is_same_condition(low, clause)]
        if any(_POINTS_BACK.match(clause) for clause in same):
            before = set[str]().union(*(one.distinct for one in found[max(0, at - SAID_BEFORE) : at]))
            if not any(word.is_in(before) for word in needed if not any(word.is_in(set(terms(clause))) for clause in same)):
                continue  # "if this fails" in a page on restoring is of its own step
        if (
            any(share_of_clause(rest, clause) >= ALL_WORDS for clause in same)
            and share_of(needed, passage.distinct | outer) >= ALL_WORDS
        ):
            own = share_of_condition(needed, passage.text)
            yield Statement("sentence", passage.start, passage.end, 0.6 + 0.3 * own)
