"""How far a leaf deals with a question: which of its words stand together, and whether that is enough to show it at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from prompts.extractive.asked_forms import asks_for_form, has_asked_form
from prompts.extractive.asked_values import LIGHT, asks_for_hours, says_hours, value_in
from prompts.extractive.dates import day_meant, is_of_another_meeting, is_of_another_year, years_asked
from prompts.extractive.facts import UNASKED, spans
from prompts.extractive.forms import has_sign
from prompts.extractive.kinds import SPEAKER, counted_in, defines, expected_in
from prompts.extractive.passages import Passage, headers_of_rows, written_by
from prompts.extractive.survey import Asked, Survey, share
from prompts.language import terms
from prompts.question import QuestionAnalysis, Word, words_in
from prompts.records import LeafText
from prompts.regex import regex

_MANY = 8.0  # words that tell as much as more of them
_PAIRS = 4  # of neighbouring words that tell as much as more of them
_BESIDE = 0.6  # what a word is worth that stands in the sentence before or in the heading
# What a leaf has of a question, as far as it tells questions that the text answers from others: a logistic regression over
# questions of forty kinds of text, each judged by the others, rounded.
COVERED, AROUND, VALUE, HEADED, MISSED, NAMING = 1.75, 2.4, 0.95, 1.5, 0.6, 0.18
NEEDED, NEEDED_OF_KIND, FEWER_FOR_STEPS = (
    2.85,
    1.1,
    0.3,
)  # of evidence, for a leaf to be shown; more of it for a question with a kind
DEFINED = (
    0.7  # of what a definition is asked of, together in one place: "parental leave policy" is not parental leave, nor a policy
)
MANY_NAMED = 10  # words of a question that name what it is about
FEWEST_IN_LABEL, LONGEST_LABEL = 2, 60  # words, and characters, of a label that is all in a question
LEAST_OWN = 0.15  # of the question in a passage itself, for what stands around it to count
LEAST_BESIDE = 0.3  # of the question around a passage, for what that has to be told of it
MOST_OF_TITLE = 0.5  # of the question in the title of a text, which is then about it, so that any word in a passage will do
IN_ITS_WORDS, FEWEST_IN_OTHER_WORDS = (
    0.6,
    3,
)  # of a question in a sentence that says the rest in other words; words of such a question
TYPED = frozenset(("who", "when", "where", "count"))  # kinds of question whose answer can be told by its form
_CODE_NAME = regex(
    r"(?<![\w./-])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]{2,30}[A-Z][A-Za-z0-9]{2,40}|--[a-z][\w-]{2,40}|[A-Z]{1,4}\d{3,5}|(?:[A-Z][a-z0-9]{1,30}){3,8})(?![\w/-])"
)
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
    had = [words_in(carrying, p.distinct) for p in found]
    expected = expected_in(asked.kind, question_text)
    phrases = [phrase.casefold() for phrase in (*asked.phrases, *asked.keys)]
    counted = counted_in(question_text)
    unasked = spans(leaf.text)
    rated = []
    headers = headers_of_rows(leaf, found)
    for at, passage in enumerate(found):
        near = set(outer)
        if at in headers:
            near |= had[headers[at]]
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
    wholes = frozenset(word.whole for word in carrying)
    there: set[tuple[str, str]] = set()
    for r in rated:
        if len(wholes & r.passage.distinct) < 2:
            continue
        words = r.passage.terms
        there.update(zip(words, words[1:], strict=False))
        there.update(zip(words, words[2:], strict=False))
    return min(1.0, len(pairs & there) / min(_PAIRS, len(pairs)))


# ---------------------------------------------------------------- whether it is enough


@dataclass(frozen=True, slots=True)
class Held:
    """The most that one passage of a leaf has of a question, as shares of its weight from 0 to 1."""

    around: float  # with its neighbours and headings
    value: float  # the same, where it has what is asked for
    headed: float  # of a heading, how much of it the question says
    missed: float  # the weight of the heaviest word that no passage has, beside the heaviest of all
    words: int  # that name what is asked about
    is_typed: bool  # whether something is asked for that can be told by its form


def held_together(surveyed: Survey) -> Held:
    asked = surveyed.asked
    is_typed = asked.analysis.kind in TYPED
    around = value = 0.0
    least = LEAST_OWN if share(asked.weights, surveyed.title) < MOST_OF_TITLE else 0.0
    years = years_asked(surveyed.asked.text)
    titles = (*reversed(surveyed.leaf.heading), surveyed.leaf.name, *reversed(surveyed.leaf.inside))
    for passage, mine, near in zip(surveyed.found, surveyed.own, surveyed.around, strict=True):
        if is_of_another_year(years, passage.text, (passage.heading, *titles)):
            continue
        share_near = share(asked.weights, near)
        if share(asked.weights, mine) > least or passage.kind == "heading":
            around = max(around, share_near)
        if is_typed and share_near > value and passage.kind != "heading":
            said = SPEAKER.sub("", passage.text, count=1)
            has = value_in(asked.text, asked.analysis, said) is not None or _tells_day(surveyed, passage)
            value = share_near if has else value
    naming = sum(word.whole not in LIGHT for word in asked.words) or len(asked.words)
    had = set[int]().union(*surveyed.around)
    missed = max((weight for at, weight in enumerate(asked.weights) if at not in had), default=0.0)
    return Held(around, value, max(surveyed.headed, default=0.0), missed / max(asked.weights), naming, is_typed)


def _tells_day(surveyed: Survey, passage: Passage) -> bool:
    """Whether it says "yesterday", by somebody of whom it is known when they wrote it."""
    author = written_by(surveyed.leaf, passage.start) if surveyed.asked.analysis.kind == "when" else None
    return author is not None and day_meant(passage.text, author[1]) is not None


def _is_torn(asked: Asked, held: Held) -> bool:
    """Whether what a definition is asked of stands nowhere together; a name such as `queue_depth` is one thing, whatever else is asked."""
    is_of_thing = asked.analysis.kind == "definition" and not asked.text.casefold().startswith("what do")
    has_name = any("_" in word.whole for word in asked.words)
    return is_of_thing and held.words > 1 and held.around < DEFINED and not has_name


def lacks_form(question: str, *told: str) -> bool:
    """Whether it is asked for a phone number, an e-mail address or a number plate, and nothing that is told could be one."""
    return asks_for_form(question) and not any(has_asked_form(question, one) for one in told)


def _lacks_form(surveyed: Survey) -> bool:
    """The same, of the passages beside what it is asked of."""
    if not asks_for_form(surveyed.asked.text):
        return False
    weights, told = surveyed.asked.weights, zip(surveyed.found, surveyed.around, strict=True)
    title = " ".join(surveyed.leaf.heading[-1:])  # "Rates in euros", above numbers
    beside = (f"{title} {passage.heading} {passage.text}" for passage, around in told if share(weights, around) >= LEAST_BESIDE)
    return lacks_form(surveyed.asked.text, *beside)


def _says_asked_hours(surveyed: Survey) -> bool:
    """Whether a passage says from when to when something is open, where that is asked, and shares a word of what it is asked of."""
    if not asks_for_hours(surveyed.asked.text):
        return False
    own = zip(surveyed.found, surveyed.own, strict=True)
    return any(says_hours(passage.text) and share(surveyed.asked.weights, mine) >= LEAST_BESIDE for passage, mine in own)


@lru_cache(16)
def code_names(question: str) -> tuple[str, ...]:
    """The names in a question that nobody uses in passing, as they are written: `task_acks_late`, maxRetries, E207, TargetIsDown."""
    return tuple(_CODE_NAME.findall(question))


def is_said_in_other_words(surveyed: Survey, wider: Survey) -> bool:
    """Whether one passage says all of a question, most of it in the words of the question; `wider` has all that say the same."""
    weights, named = surveyed.asked.weights, len(surveyed.asked.words)
    return named >= FEWEST_IN_OTHER_WORDS and any(
        share(weights, own) >= IN_ITS_WORDS and len(all_) == named
        for own, all_, passage in zip(surveyed.own, wider.own, surveyed.found, strict=True)
        if passage.kind != "heading"
    )


def _is_labelled(asked: Asked, passage: Passage) -> bool:
    """Whether a line has for its label words that the question has all of: "Panorama at night: from 40 persons"."""
    label, colon, said = passage.text.partition(":")
    if not colon or passage.kind not in ("text", "item") or len(label) > LONGEST_LABEL or not said[:1].isspace():
        return False
    words = frozenset(terms(label))
    return len(words) >= FEWEST_IN_LABEL and words <= {word.whole for word in asked.words}


def is_supported(surveyed: Survey, coverage: float) -> bool:
    """Whether what a leaf says is near enough to the question to be shown.

    Not so where the words that name what is asked about stand apart from each other; of a long question less has to be there.
    """
    there = f"{' '.join(surveyed.leaf.heading)}\n{surveyed.leaf.text}"
    if any(has_sign(name, there) for name in code_names(surveyed.asked.text)):
        return True  # there is little else that such a name could be asked about
    if any(_is_labelled(surveyed.asked, passage) for passage in surveyed.found):
        return True
    titles = (*surveyed.leaf.heading, surveyed.leaf.name)
    if _lacks_form(surveyed) or is_of_another_meeting(surveyed.asked.text, titles, surveyed.leaf.text):
        return False
    if _says_asked_hours(surveyed):
        return True
    held = held_together(surveyed)
    if _is_torn(surveyed.asked, held):
        return False
    evidence = COVERED * coverage + AROUND * held.around + HEADED * held.headed - MISSED * held.missed
    evidence += NAMING * min(held.words, MANY_NAMED)
    needed = NEEDED
    if held.is_typed:
        evidence += VALUE * held.value
        needed += NEEDED_OF_KIND
    if surveyed.asked.analysis.kind == "how_to":  # who asks for steps says what is wrong, too, which they need not
        needed -= FEWER_FOR_STEPS
    return evidence >= needed
