"""Of passages that may help, those that were said later before those that they may have replaced: comments of a ticket, minutes under
the same topic, states that have come to be, editions of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from prompts.extractive.asked_forms import asks_time_of_day
from prompts.extractive.asked_values import AMOUNT, DATE, NUMBER_OF_WHAT, people_in, value_in
from prompts.extractive.dates import Day
from prompts.extractive.editions import Edition, edition_of
from prompts.extractive.later_entries import newest_entry, says_change, topic_at, topic_of_entry
from prompts.extractive.passages import written_by
from prompts.extractive.procedures import share_of
from prompts.extractive.rendering import Point, place_above
from prompts.extractive.rivals import COMPARED, dated, is_said_then
from prompts.extractive.section_days import without_chat_head
from prompts.extractive.standing import asks_of_then
from prompts.extractive.tenses import TASK
from prompts.extractive.tickets import TYPE
from prompts.language import terms
from prompts.months import MONTH
from prompts.question import Kind, QuestionAnalysis, Word
from prompts.regex import regex

SAME_TOPIC = 3.0  # of worth that the best of a leaf may be behind, in which the same topic is looked for
OLDER = 1.2  # what a passage is worth less of a document of which there is a newer edition
_OF_NO_VALUE = frozenset(("yes_no", "where"))  # kinds of question that no day and no number answers
_OF_AMOUNTS = frozenset(("open", "count", "definition"))  # the same, that an amount may answer
SAME_MATTER = 4.0  # of worth that what says a change may be behind the best
SAME_THING = 0.6  # of the words of a question in one passage, by their weight, for another to be of the same
SAME_FOR_SURE = 0.8  # the same, where nothing that it says can be held against the other: a day, a number
_WEEKDAY = regex(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b", re.IGNORECASE)
_CLOCK = regex(r"\b\d{1,2}:\d\d\b")
_SETTLES = regex(  # from when on it is so, or that it was decided
    rf"\b(?:decided|decision|agreed|approved|accepted|(?:from|as of|starting|starts?|beginning|until|on) (?:today|tomorrow|now on|(?:next|this) (?:week|month|year)|(?:the )?\d{{1,2}}(?:st|nd|rd|th|\.)?\b|(?:{MONTH})\b|[a-z]+day\b)"
    r"|takes? over|moves?|moved|moving|goes? (?:back|to|up|down)|no longer|not any ?more|instead|changed?|new|final(?:ly)?|raised?|lowered|from now on|postponed|will be|is now|are now|plan(?:ned)?)\b",
    re.IGNORECASE,
)
_SAYS_WHICH = regex(r"(?<!\d)20\d\d(?!\d)|\b(?:version|edition|v) ?\d", re.IGNORECASE)


def newest_state(ranked: list[Point], asked: tuple[Word, Sequence[Word]]) -> list[Point]:
    """What says of the thing that it is so, and is newer than the best passage, before that; the newest first."""
    state, others = asked
    lead = dated(ranked[0].leaf, ranked[0].quote, "yes_no")
    newer: list[tuple[Day, Point]] = []
    for point in ranked[1:] if lead is not None else []:
        there = set(terms(point.quote.text))
        day = dated(point.leaf, point.quote, "yes_no")
        if (
            day is not None
            and lead is not None
            and day > lead
            and state.is_in(there)
            and any(word.is_in(there) for word in others)
        ):
            newer.append((day, point))
    if not newer:
        return ranked
    first = max(newer, key=lambda one: one[0])[1]
    return _put_first(first, ranked)


def newest_of_ticket(ranked: list[Point]) -> list[Point]:
    """What the newest comment says before the best passage, where that gives a day, or an amount, that an older comment of the same
    ticket says or its description, and the newest gives another."""
    lead, *others = ranked
    mine, form = next(
        ((values, form) for form in (DATE, NUMBER_OF_WHAT) if (values := set(form.findall(_best_of(lead))))), (set[str](), None)
    )
    if form is None or not lead.leaf.stated(TYPE):
        return ranked
    written = _written(lead)
    newer = [
        point
        for point in others
        if point.leaf is lead.leaf and _written(point) > written and not mine.issuperset(form.findall(point.quote.text))
    ]
    if not newer:
        return ranked
    first = max(newer, key=_written)
    return _put_first(first, ranked)


def newest_of_topic(ranked: list[Point], question: str) -> list[Point]:
    """What later minutes say under the topic of the best passage before that, "Christmas party": there it may have changed."""
    first = newest_entry(ranked[0], _leaves_near(ranked), question)
    if first is None and (topic := topic_at(ranked[0].leaf, ranked[0].best[0])) and topic <= set(terms(question)):
        first = newest_entry(
            ranked[0], ranked, question
        )  # the question names the whole topic: it may be said there in few of its words
    if first is None:
        return ranked
    begins, ends = first.best
    same = next((one for one in ranked if one.leaf is first.leaf and begins <= one.best[0] < ends), first)
    return _put_first(same, ranked)


def newest_change(ranked: list[Point], asked: QuestionAnalysis, question: str, carrying: Sequence[Word]) -> list[Point]:
    """What was decided, or announced, later than the best passage and gives another day, number or name of the same, before that: a
    manual is not always written anew."""
    near = [point for point in ranked[1:] if point.worth >= ranked[0].worth - SAME_MATTER]
    changed = later_change(ranked[0], near, asked, question, carrying)
    return _put_first(changed, ranked) if changed is not None else ranked


def later_change(
    lead: Point, points: Iterable[Point], asked: QuestionAnalysis, question: str, carrying: Sequence[Word]
) -> Point | None:
    """The newest of some passages that was decided, or announced, later than another and gives another value of the same."""
    best = _best_of(lead) or lead.quote.text
    day, told = dated(lead.leaf, lead.quote, "when"), _values(best, asked.kind)
    is_amount = asked.kind in _OF_AMOUNTS and AMOUNT.search(best) is not None
    known = [word for word in carrying if word.is_in(_terms_around(lead))]
    if lead.kind == "row" or not known or (not told and asked.kind not in _OF_NO_VALUE):
        return None
    later: list[tuple[Day, Point]] = []
    topic = topic_at(lead.leaf, lead.best[0]) & {word.whole for word in known}
    for point in points:
        if topic and _is_of_another_topic(point, known):
            continue  # below "Christmas", the next "help desk" is another day of it and not another rule
        if is_amount and AMOUNT.search(point.quote.text) is None:
            continue  # who swaps which night changes nothing of what a night is paid
        when = dated(point.leaf, point.quote, "when") if may_change(question, asked, known, point) else None
        if when is not None and (day is None or when > day) and _is_otherwise(question, asked, point.quote.text, told):
            later.append((when, point))
    return max(later, key=lambda one: one[0])[1] if later else None


def _is_of_another_topic(point: Point, known: Sequence[Word]) -> bool:
    """Whether the heading or the beginning of an entry says that it is of something else than these words name, and its sentence does not
    tell of a change."""
    entry = topic_of_entry(point.leaf, point.best[0])
    return bool(entry) and not any(word.is_in(entry) for word in known) and not says_change(_best_of(point))


def may_change(question: str, asked: QuestionAnalysis, known: Sequence[Word], point: Point) -> bool:
    """Whether a passage of minutes, a chat or a mail speaks of what these words name, and says that something was decided or changed,
    with what is asked for."""
    said = point.quote.text
    if _SETTLES.search(said) is None or TASK.match(said) is not None or not is_said_then(point.leaf, point.quote.start):
        return False
    around = _terms_around(point)
    least = SAME_FOR_SURE if asked.kind in _OF_NO_VALUE else SAME_THING
    is_of_it = share_of(known, around) >= least and max(known, key=lambda word: word.weight).is_in(around)
    numbers = [word for word in known if any(map(str.isdigit, word.whole))]
    if numbers and all(word.is_in(around) for word in numbers) and says_change(said):
        is_of_it = True  # "4.4 goes to January" need not say of what it is 4.4
    return is_of_it and (asked.kind not in COMPARED or value_in(question, asked, without_chat_head(said)) is not None)


def _is_otherwise(question: str, asked: QuestionAnalysis, said: str, told: Sequence[str]) -> bool:
    """Whether a text has a value that is not told."""
    if asked.kind in _OF_NO_VALUE:
        return True
    values = set(_values(said, asked.kind))
    is_day_told = asked.kind == "when" and any(map(DATE.fullmatch, values.intersection(told)))
    if is_day_told and not asks_time_of_day(question):  # "on 10 December at 18:00" gives no other day
        sorts = [form for form in (DATE, _WEEKDAY, _CLOCK) if any(map(form.fullmatch, told))]
        values = {value for value in values if any(form.fullmatch(value) for form in sorts)}
    return not values.issubset(told) if asked.kind != "who" else bool(values) and values.isdisjoint(told)


def _terms_around(point: Point) -> set[str]:
    return set(terms(f"{place_above(point.leaf, point.quote.start)} {point.quote.text}"))


def _values(text: str, kind: Kind) -> Sequence[str]:
    """The days of the week and of months, the times and the numbers of a text, in its order; of a question for somebody the names."""
    text = without_chat_head(text)
    if kind == "who":
        return sorted(people_in(text))
    found = (match for form in (DATE, _WEEKDAY, _CLOCK, NUMBER_OF_WHAT) for match in form.finditer(text))
    return [match.group().casefold() for match in sorted(found, key=lambda one: one.start())]


def _leaves_near(ranked: Sequence[Point]) -> list[Point]:
    """The best point of each leaf that has one hardly worse than the best of all."""
    best: dict[int, Point] = {}
    for point in ranked:
        if point.worth >= ranked[0].worth - SAME_TOPIC:
            best.setdefault(id(point.leaf), point)
    return [*best.values()]


def of_older_editions(points: Sequence[Point], question: str) -> dict[int, Edition]:
    """The leaves (by `id`) of these points that are of an older edition of a document than another of them, "Price list 2025" beside that
    of 2026, with the edition; none where the question says which, or asks how it was."""
    if _SAYS_WHICH.search(question) or asks_of_then(question):
        return {}
    editions = {id(point.leaf): edition_of(point.leaf.title) for point in points}
    known = list({one for one in editions.values() if one is not None})
    return {id_: own for id_, own in editions.items() if own is not None and any(own.is_before(other) for other in known)}


def _put_first(first: Point, ranked: Sequence[Point]) -> list[Point]:
    return [replace(first, worth=ranked[0].worth), *(point for point in ranked if point is not first)]


def _best_of(point: Point) -> str:
    return point.leaf.text[slice(*point.best)]


def _written(point: Point) -> str:
    """When the comment was written that a point is of; empty for a description."""
    author = written_by(point.leaf, point.best[0])
    return author[1] if author is not None else ""
