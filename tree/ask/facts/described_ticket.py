"""Tickets that a question speaks of in other words than their keys: "the due date of the handset replacement".

What a question says is held against the titles of all tickets, in any order and inflection. The words that name a ticket are then
replaced by its key, so that every form of question over facts understands it; whether one does is for the caller to see, as each
accounts for all words that are left. Where several tickets are called so, all are told and none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain

from prompts.language import STOPWORDS, terms
from prompts.question import one_slip
from prompts.regex import regex
from tree.ask.facts.ticket_words import BY_WORD, SORTS, TICKETS
from tree.retrieve.fact_index import TICKET, FactIndex, StoredFact, folded
from tree.retrieve.names import Names, Token, tokens, word_at

LONGEST = 40  # words of such a question
MOST_MEANT = 4  # tickets that are told side by side
MOST_TITLES = 300  # that are held against a question: those with the most of its words
MOST_HELD_AGAINST = 12  # tickets of which more than the title is looked at
ALIKE = 4  # first letters that two forms of a word have in common
MOST_ENDING = 5  # letters by which two such forms may differ
SHORTEST = 3  # letters of a word with which another is made by a common ending: "pay" and "payment"
LONG_WORD = 5  # letters of a word in which a slip is forgiven
ENOUGH = 2  # words of a title that name a ticket; one does if it is half of the title, or the question says that it is a ticket
_NOUNS = SORTS | {"thing", "item", "work"}
_ARTICLES = frozenset("the our that this a an".split())
_JOINING = frozenset("of the a an for on in at to from with and by into s our".split())
_ENDINGS = frozenset("ment er or ing al ance ence ure age ation ition ion y".split())
_PREPOSITIONS = frozenset(
    "of for on in at to from with by after before above below behind between during into over under until".split()
)
_ABOUT = frozenset("about on for called named of with regarding".split())
_BESIDE = (
    "component",
    "label",
    "epic",
    "parent",
    "sprint",
    "fix version",
)  # relations that tell tickets apart beside their titles
# Words without which a question is hardly after what is known of a ticket: who has it, how it stands, when it is due, what it waits for.
_CUES = frozenset(
    """assigned assign assignee assignees working works responsible handles handling charge owns owner status priority due deadline overdue late delayed
    postponed moved pushed shifted slipped rescheduled changed often times originally original initially blocks block blocked blocking holding
    holds held waiting depends depend sprint reporter reported raised filed closed resolved finished done fixed completed open started
    tickets issues subtasks sub-tasks children put new news update updates latest newest happening progress developments
    planned scheduled supposed meant should first""".split()
)
# Of these only tickets have something; a place may be worked in, and a book may be late, that the title of a ticket names in passing.
_OF_TICKETS = frozenset(
    """assigned assign assignee assignees priority due deadline overdue blocks block blocked blocking holding waiting depends depend sprint
    reporter filed tickets issues subtasks sub-tasks children""".split()
)
_OF_PLACES_TOO = frozenset("responsible handles handling working works charge owns owner".split())
_NEWS = frozenset("news update updates latest newest happening progress developments".split())
LEAST, HALF, MOST = 0.35, 0.5, 2 / 3  # of a title, for it to be named: with a word of tickets, without, with one of places
_HAVING = frozenset("has had have".split())  # a cue where the question says that it speaks of a ticket
_MOVED = frozenset("before first original move moved change changed put push pushed shift shifted go gone went".split())
_PLACED = frozenset(("epic", "parent"))
_WORKING_ON = regex(r"\bwork(?:s|ing)? on\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described:
    """Words [first, last) of a question that describe tickets; of more than one none is meant for certain."""

    question: str
    start: int
    end: int
    words: str  # as the question writes them
    keys: tuple[str, ...]
    is_certain: bool
    is_called_ticket: bool  # by the question: "the lamp story"
    share: float = 1.0  # of the words of the title that the question says
    is_head: bool = False  # all that stands before the first preposition of the title is said

    def put(self, key: str) -> str:
        """The question with a key for these words."""
        return f"{self.question[: self.start]}{key}{self.question[self.end :]}"


@dataclass(frozen=True, slots=True)
class _Titled:
    key: str
    words: frozenset[str]  # of the title, as terms
    matched: frozenset[int]  # words of the question that are among them
    parts: tuple[frozenset[str], ...]  # the terms of each word of the title
    head: int  # how many of these stand before its first preposition: "Night mode" of "Night mode for the fan"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, with the terms of those of its words that may name something."""

    text: str
    found: Sequence[Token]
    content: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def low(self, at: int) -> str:
        return word_at(self.found, at)

    def inside(self, first: int, last: int) -> frozenset[int]:
        return frozenset(at for at in range(first, last) if at in self.content)


def find_described(text: str, names: Names, facts: FactIndex) -> list[Described]:
    """What of a question may name tickets, the most words first; nothing where it gives a key or asks for nothing that tickets have."""
    found = tokens(text)
    if not 2 <= len(found) <= LONGEST or any("ticket" in one.kinds for one in names.find(found)):
        return []
    low = {token.text.casefold() for token in found}
    if not (low & _CUES or (low & _HAVING and low & SORTS)):
        return []
    asked = _Asked(text, found, {at: own for at, token in enumerate(found) if (own := _content(token))})
    titled = _titled(asked, facts)
    described = [_described(asked, first, last, titled, facts) for first, last in _spans(asked, titled)]
    described += [_called(asked, first, last, titled, facts) for first, last in _bounded(asked)]
    known = [one for one in described if one is not None]
    known = [one for one in (_weighed(one, low) for one in known) if one is not None]
    return sorted(known, key=lambda one: (-len(terms(one.words)), not one.is_certain))


def _weighed(one: Described, low: Set[str]) -> Described | None:
    """How sure it is that a title is named by so much of it, by what is asked; None where something else is spoken of more likely."""
    if one.is_called_ticket:
        return one
    if low & _OF_TICKETS or _WORKING_ON.search(one.question):
        return one if one.share > LEAST or one.is_head else replace(one, is_certain=False)
    least = MOST if low & _OF_PLACES_TOO else HALF
    if one.share < least:
        return replace(one, is_certain=False) if low & _NEWS else None  # its news are told under its title, as a guess
    return one


def ticket_called(title: str, facts: FactIndex, sort: str = "") -> str:
    """The key of the one ticket whose title has all of these words; of several the one that has no others. With a `sort`, the one
    of that type. Empty where there is none, or any of them may be meant."""
    found = tokens(title)
    asked = _Asked(title, found, {at: own for at, token in enumerate(found) if (own := _content(token))})
    wanted = asked.inside(0, len(found))
    fitting = [one for one in _titled(asked, facts) if wanted and wanted <= one.matched]
    fitting = [one for one in fitting if not sort or sort in _types([one.key], facts).get(one.key, ())]
    exact = [one for one in fitting if _is_all(one, asked, wanted)]
    chosen = exact or fitting
    return chosen[0].key if len(chosen) == 1 else ""


def _content(token: Token) -> frozenset[str]:
    low = token.text.casefold()
    return frozenset() if low in _NOUNS or low in STOPWORDS else frozenset(terms(token.text))


def _titled(asked: _Asked, facts: FactIndex) -> list[_Titled]:
    """The tickets that have a word of the question in their title."""
    beginnings = [begin for at in asked.content if (begin := _beginning(asked.found[at].folded))]
    known = []
    for key, title in facts.tickets_titled(beginnings, MOST_TITLES).items():
        found = tokens(title.removeprefix(key))
        first = next((at for at, token in enumerate(found) if token.text.casefold() in _PREPOSITIONS), len(found))
        own_terms = [frozenset(terms(token.text)) for token in found]
        parts, head = tuple(filter(None, own_terms)), sum(map(bool, own_terms[:first]))
        words = frozenset(chain.from_iterable(parts))
        matched = frozenset(at for at, own in asked.content.items() if all(_stands_in(term, words) for term in own))
        if matched:
            known.append(_Titled(key, words, matched, parts, head))
    return known


def _beginning(word: str) -> str:
    """The letters by which a title is looked up: those that inflection leaves as they are."""
    first = word.split(" ")[0]
    return first[:ALIKE] if first.isascii() else ""


def _stands_in(term: str, words: Set[str]) -> bool:
    return term in words or any(_is_same(term, word) for word in words)


def _is_same(one: str, other: str) -> bool:
    """Whether two terms are forms of one word: "replac" and "replacment", or one slip of the pen apart."""
    if not (one.isalpha() and other.isalpha()):
        return False
    short, long = sorted((one, other), key=len)
    if len(short) >= LONG_WORD and one_slip(short, long):
        return True
    if not long.startswith(short):
        return False
    ending = long[len(short) :]
    return ending in _ENDINGS and len(short) >= SHORTEST or len(short) > ALIKE and len(ending) <= MOST_ENDING


# ---------------------------------------------------------------- where it is described


def _spans(asked: _Asked, titled: Iterable[_Titled]) -> list[tuple[int, int]]:
    """Where words of one title stand together, with nothing but small words between them; also without the words at their ends by
    which things are asked for: "moved" in "how often was the label printer moved"."""
    spans: set[tuple[int, int]] = set()
    for one in titled:
        for run in _runs(asked, one.matched):
            spans |= set(_shortened(asked, run))
    return sorted(spans, key=lambda span: (-len(asked.inside(*span)), span))


def _runs(asked: _Asked, matched: frozenset[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for at in sorted(matched):
        if run and not all(asked.low(between) in _JOINING | _NOUNS for between in range(run[-1] + 1, at)):
            yield run
            run = []
        run.append(at)
    if run:
        yield run


def _shortened(asked: _Asked, run: Sequence[int]) -> Iterator[tuple[int, int]]:
    begins = [0, *(at + 1 for at in range(len(run) - 1) if all(_is_of_asking(asked.low(one)) for one in run[: at + 1]))]
    ends = [len(run), *(at for at in range(1, len(run)) if all(_is_of_asking(asked.low(one)) for one in run[at:]))]
    yield from ((run[first], run[last - 1] + 1) for first in begins for last in ends if first < last)


def _is_of_asking(word: str) -> bool:
    return word in BY_WORD or word in _CUES or word in _MOVED or word in TICKETS


def _bounded(asked: _Asked) -> Iterator[tuple[int, int]]:
    """Words that the question says are those of a ticket: between an article and "story", or behind "the epic about"."""
    for at in range(len(asked.found)):
        if asked.low(at) not in SORTS:
            continue
        first = at
        while first and (first - 1 in asked.content or asked.low(first - 1) in _JOINING - _ARTICLES):
            first -= 1
        if first < at and asked.low(first - 1) in _ARTICLES:
            yield first, at
        if asked.low(at + 1) in _ABOUT:
            first = last = at + 2 + (asked.low(at + 2) in _ARTICLES)
            while last in asked.content or asked.low(last) in _JOINING:
                last += 1
            if inside := asked.inside(first, last):
                yield first, max(inside) + 1


# ---------------------------------------------------------------- which tickets are


def _described(asked: _Asked, first: int, last: int, titled: Sequence[_Titled], facts: FactIndex) -> Described | None:
    inside = asked.inside(first, last)
    fitting = [one for one in titled if inside <= one.matched]
    return _meant(asked, first, last, fitting, facts)


def _called(asked: _Asked, first: int, last: int, titled: Sequence[_Titled], facts: FactIndex) -> Described | None:
    """Of what is called a ticket, the words that its title lacks may be those of its epic, its component or its labels."""
    inside = asked.inside(first, last)
    if not inside or any(inside <= one.matched and _has_sort(asked, first, last, one, facts) for one in titled):
        return None  # then the titles say which it is
    near = sorted((one for one in titled if inside & one.matched), key=lambda one: -len(inside & one.matched))[:MOST_HELD_AGAINST]
    beside = _beside([one.key for one in near], facts)
    fitting = [
        one
        for one in near
        if all(_stands_in(term, beside.get(one.key, frozenset())) for at in inside - one.matched for term in asked.content[at])
    ]
    return _meant(asked, first, last, fitting, facts)


def _has_sort(asked: _Asked, first: int, last: int, one: _Titled, facts: FactIndex) -> bool:
    sort = _sort_said(asked, *_whole(asked, first, last))
    return not sort or sort in _types([one.key], facts).get(one.key, ())


def _beside(keys: Sequence[str], facts: FactIndex) -> dict[str, frozenset[str]]:
    """What is stated of some tickets beside their titles, as terms."""
    stated = [one for one in _of_tickets(keys, facts) if folded(one.fact.relation) in _BESIDE]
    return {
        key: frozenset(term for one in stated if one.fact.subject.id == key for term in terms(one.fact.value)) for key in keys
    }


def _types(keys: Sequence[str], facts: FactIndex) -> dict[str, list[str]]:
    return {one.fact.subject.id: [folded(one.fact.value)] for one in _of_tickets(keys, facts) if one.fact.relation == "type"}


def _of_tickets(keys: Sequence[str], facts: FactIndex) -> list[StoredFact]:
    return [one for one in facts.about(map(folded, keys)) if one.fact.subject.kind == TICKET and not one.fact.until]


def _meant(asked: _Asked, first: int, last: int, fitting: Sequence[_Titled], facts: FactIndex) -> Described | None:
    """Of the tickets that fit, the one of the type that is said; that has no other words; of which the question says most."""
    if not fitting or len(fitting) > 4 * MOST_HELD_AGAINST:
        return None
    inside = asked.inside(first, last)
    begin, end = _whole(asked, first, last)
    sort, is_called = _sort_said(asked, begin, end), any(asked.low(at) in SORTS for at in range(begin, end))
    if sort:
        types = _types([one.key for one in fitting], facts)
        fitting = [one for one in fitting if sort in types.get(one.key, ())] or fitting
    best = [one for one in fitting if _is_all(one, asked, inside)] or fitting
    most = max(len(one.matched) for one in best)
    best = [one for one in best if len(one.matched) == most]
    spelt = max(_spelt(one, asked) for one in best)
    best = [one for one in best if _spelt(one, asked) == spelt]
    if len(best) > MOST_MEANT:
        return None
    [one, *others] = best
    said = _said(one, asked, inside | one.matched)
    share = sum(part <= said for part in one.parts) / len(one.parts)
    is_head = one.head >= ENOUGH and all(part <= said for part in one.parts[: one.head])
    is_enough = most >= ENOUGH or is_called or share >= 1 / 2
    text = asked.text[asked.found[first].start : asked.found[last - 1].end]
    start, stop = asked.found[begin].start, asked.found[end - 1].end
    return Described(
        asked.text, start, stop, text, tuple(one.key for one in best), is_enough and not others, is_called, share, is_head
    )  # fmt: skip


def _whole(asked: _Asked, first: int, last: int) -> tuple[int, int]:
    """With the words around it that only say that it is a ticket: "the epic about the", "story"."""
    if asked.low(first - 1) in _ARTICLES:
        first -= 1
    if asked.low(first - 1) in _ABOUT and asked.low(first - 2) in SORTS:
        first -= 2
    elif asked.low(first - 1) in _NOUNS:
        first -= 1
    if asked.low(first - 1) in _ARTICLES:
        first -= 1
    while asked.low(last) in _NOUNS:
        last += 1
    return first, last


def _sort_said(asked: _Asked, first: int, last: int) -> str:
    """The type that the question says the ticket has; any ticket may be called a task or an issue."""
    said = (asked.low(at) for at in range(first, last))
    return next((word for word in said if word in SORTS - TICKETS - {"task"}), "")


def _is_all(one: _Titled, asked: _Asked, inside: frozenset[int]) -> bool:
    """Whether the title has no other words."""
    return len(_said(one, asked, inside)) == len(one.words)


def _spelt(one: _Titled, asked: _Asked) -> int:
    """How many words of the question stand in the title just so, and not in a form that is alike."""
    return sum(asked.content[at] <= one.words for at in one.matched)


def _said(one: _Titled, asked: _Asked, inside: frozenset[int]) -> set[str]:
    """The words of the title that the question says."""
    said = {term for at in inside for term in asked.content[at]}
    return {word for word in one.words if word in said or any(_is_same(word, term) for term in said)}
