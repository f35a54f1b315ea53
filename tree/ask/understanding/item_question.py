"""What a question asks of decisions, actions and events: of which sort, about what, when, by whom and in which branch.

As with facts, it is understood in this way only if every word of it is accounted for: a word that is neither put by the
question nor a time, a person or a branch is its topic, and a word of negation leaves it to the walk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from prompts.coming_times import find_coming
from prompts.language import terms
from prompts.other_languages import QuestionLanguage, inflections, language_of
from prompts.regex import regex
from prompts.timespans import Span, find_span
from tree.ask.facts.branches import Places, find_branch
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS
from tree.retrieve.names import Names, Token, tokens, word_at
from tree.retrieve.record_item import Sort

_LIST = r"^(?:(?:please |can you |could you )?(?:which|what|how many|list|show|give|tell|name|find|count|are there|were there|is there|was there|have there|any|all|our|the|open|latest|recent|newest|last|noteworthy|important|critical|key|every)\b|(?:decisions|action items|actions|to-?dos|todos|events)\b)"
_PATTERNS: tuple[tuple[Sort, re.Pattern[str]], ...] = (
    ("decision", regex(r"^(?:so )?(?:what|which things?) (?:else )?(?:was|were|has been|have been|got|is|are) (?:\w+ly )?(?:decided|agreed|approved)\b(?: (?:on|upon))?")),
    ("decision", regex(r"^(?:what|which things?) (?:else )?(?:did|have|has|had)(?= .{1,60}\b(?:decide|agree|approve)d?\b)")),
    ("decision", regex(r"^(?:what|which) (?!things?\b|tickets?\b|issues?\b|bugs?\b|stor(?:y|ies)\b|epics?\b|tasks?\b|actions?\b|decisions?\b)(?:[\w'-]+ ){1,4}(?:was|were|has been|have been|got) (?:\w+ly )?(?:decided|agreed|settled|chosen|selected|picked)\b(?: (?:on|upon))?")),
    ("decision", regex(r"^(?:did|have|has)(?= (?:we|they|the \w+|anybody|anyone|somebody) (?:already |ever )?(?:decide|agree)d? )")),
    ("decision", regex(rf"{_LIST}(?: [\w'-]+){{0,6}}? ?\b(?:decisions)\b(?! (?:log|record|maker|making|tree|support|table)s?\b)|^decisions\b")),
    ("decision", regex(r"^(?:the |what(?:'s| is| was) the )?(?:latest|last|newest|most recent) decision\b")),
    ("decision", regex(r"^(?:what (?:is|was|are|were)|is there|was there|do we have|show me|tell me) (?:the|our|a|any)(?: latest| newest| last| recent)? decision (?=(?:on|about|regarding|concerning|for|by|of|from|in)\b)")),
    ("action", regex(rf"{_LIST}(?: [\w'-]+){{0,5}}? ?\b(?:action items?|actions|to-?dos|todos|next steps|follow-?ups)\b|^(?:open |all |our )?(?:action items?|actions|to-?dos|todos|next steps|follow-?ups)\b")),
    ("action", regex(r"^what (?:still |else )?(?:has|have|needs?|remains|is left|is|must|should) (?:still )?(?:to )?be done\b(?! (?:when|if|to|in order|while|with)\b)")),
    ("action", regex(r"^what (?:still )?(?:does|do|must|should|has|is|did)(?= .{1,50}\b(?:(?:have|need|got|going|supposed) to do|to do|promised?(?: to do)?|must do|should do|take on)\b)")),
    ("action", regex(r"^what (?:must|should|shall) (?!(?:i|we|you|one|they|it|people|users|admins|the|an?)\b)(?=.{1,40}\bdo\W*\Z)")),
    ("event", regex(r"^what (?:else )?(?:has |have |had |all )?(?:happened|occurred|went on|took place)\b(?! (?:to|when|if|after|before|because|with)\b)")),
    ("event", regex(rf"{_LIST}(?: [\w'-]+){{0,4}}? ?\b(?:events)\b|^(?:noteworthy )?events\b")),
)  # fmt: skip
# Such questions in German, as they are asked in English.
_GERMAN = tuple(
    (regex(pattern, re.IGNORECASE), english)
    for pattern, english in (
        (r"\A\W*was (?:wurde|haben wir|hat (?:man|der \w+|die \w+)) (?P<rest>.{0,80}?)\s*(?:beschlossen|entschieden|vereinbart)\W*\Z", "What was decided {}?"),
        (r"\A\W*(?:welche|was für) (?:Beschlüsse|Entscheidungen|Vereinbarungen) (?:gibt es|gab es|wurden)\b(?P<rest>.{0,80}?)\s*(?:getroffen|gefasst)?\W*\Z", "Which decisions are there {}?"),
        (r"\A\W*(?:alle |die )?(?:Beschlüsse|Entscheidungen)\b(?P<rest> (?:vom|von|der|des|im|aus|zu|zum|zur)\b.{0,80}?)\W*\Z", "Which decisions are there {}?"),
        (r"\A\W*(?:welche|was für) (?:Aufgaben|Maßnahmen|To-?dos) (?:hat|haben) (?P<who>[\w .'-]{2,60}?)\W*\Z", "Which actions does {} have?"),
        (r"\A\W*was muss (?P<who>[A-ZÄÖÜ][\w .'-]{1,60}?) (?:noch )?(?:tun|machen|erledigen)\W*\Z", "What must {} do?"),
        (r"\A\W*(?:welche|was für) (?:(?P<open>offenen?) )?(?:Aufgaben|Maßnahmen|To-?dos) (?:gibt es|stehen an|sind offen)\W*\Z", "Which actions are there?"),
    )
)  # fmt: skip
_GERMAN_ABOUT = regex(
    r"(?:\b(?:zu|zum|zur|über|bei|beim|wegen|für|hinsichtlich)(?: (?:der|die|das|den|dem|des|einer?|einem))?\b ?)", re.IGNORECASE
)
_ANY = frozenset("come comes came out result resulted follow following meeting meetings minutes settled exist".split())
OF_MINUTES = frozenset(terms(" ".join(_ANY)))  # in a title they say nothing of what was decided
# Words by which such a question is put, beside those of any question.
_PUT: Mapping[Sort, frozenset[str]] = {
    "decision": frozenset(
        """decision decisions decide decided agree agreed approve approved chosen selected picked settled made make taken take reached recorded record noted taken
        anything something things thing been concerning regarding upon already team group everybody people together""".split()
    ),
    "action": frozenset(
        """action actions item items to-do to-dos todo todos next steps step follow-up follow-ups followups do done be must should need needs
        needed agreed decided left remain remains remaining promised promise supposed going got take taken assigned assign critical required before by
        concerning regarding anything something""".split()
    ),
    "event": frozenset(
        """event events happened occurred went place took noteworthy important recorded anything something else concerning regarding key
        during""".split()
    ),
}  # fmt: skip
_LATEST = frozenset("latest newest recent last recently most".split())
_OPEN = frozenset("open pending outstanding unfinished undone still left remain remains remaining".split())
_PAST = frozenset("superseded replaced withdrawn".split())
_DONE = frozenset("completed closed finished".split())
_LISTED_ACTIONS = frozenset("action actions task tasks todo todos items points".split())  # "which actions are done", has done
_TO_BE_DONE = frozenset("be to get gets need needs must should".split())
_TURNING = frozenset(
    "only both either never ever after until between more most fewer few less again than over above below unless instead hardly "
    "always just first longer next per rather such while because why when where who how if whether".split()
)
_BEFORE_PEOPLE = frozenset("by of for from did does do has have had must should with".split())
_BEFORE_ONE = frozenset("by did does has have must should".split())
_WEEKDAYS = regex(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b", re.IGNORECASE)
_AFTER = regex(r"\b(?:after|following|out of) (?=(?:the|our|this|that) )", re.IGNORECASE)  # "what must Jane do after the board"
_TO_DO = regex(
    r"\A(?!(?:.{0,60}\b)?(?:did|had|was|were)\b).{0,200}\b(?:to do|must|should|(?:ha(?:s|ve)|needs?) to|be done|to-?dos?|next steps|is left|remains?)\b"
)
_TAKE = frozenset("take takes took taken".split())
_TAKEN = frozenset("home away back along".split())  # "which actions did they take home"
_OVERDUE = frozenset(("overdue",))
_COUNTING = ("how many", "count ", "number of")
LONGEST = 240  # characters of such a question


@dataclass(frozen=True, slots=True)
class ItemQuestion:
    """For decisions, actions or events that satisfy all of these; what is empty is not asked for."""

    sort: Sort
    topic: tuple[str, ...] = ()  # terms
    topic_words: str = ""  # as written
    besides: frozenset[str] = (
        frozenset()
    )  # terms that say little in minutes, "meeting", and of a weekday: they tell one point from another
    span: Span | None = None
    people: frozenset[str] = frozenset()  # full names, folded
    person: str = ""  # as written
    places: tuple[str, ...] = ()
    branch: str = ""  # as written
    state: str = ""  # open, done, overdue; superseded, in force
    is_latest: bool = False
    is_due: bool = False  # the time is that by which an action is due, and not when it was noted
    is_count: bool = False  # "how many"
    alike: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # other forms of the terms of the topic, in another language
    is_to_do: bool = False  # what is to be done is asked for, and not what there was to do


@dataclass(slots=True)
class _Reading:
    found: list[Token]
    used: set[int] = field(default_factory=set)

    def word(self, at: int) -> str:
        return word_at(self.found, at)

    def take(self, first: int, last: int) -> None:
        self.used.update(range(first, last))


def _in_english(text: str) -> str:
    for pattern, english in _GERMAN:
        if (match := pattern.match(text)) is not None:
            said = match.groupdict()
            rest = said.get("who") or _GERMAN_ABOUT.sub("about ", (said.get("rest") or "").strip(), count=1)
            return " ".join(english.format(rest).split()).replace(" ?", "?")
    return text


def read_item_question(text: str, names: Names, places: Places, today: date) -> ItemQuestion | None:
    """None where it asks for something else, or says more than this can."""
    language = language_of(text)
    text = _in_english(text)
    if find_span(text, today) is None:
        text = _AFTER.sub("from ", text)
    low = " ".join(text.casefold().split())
    sort = next((sort for sort, pattern in _PATTERNS if pattern.search(low)), None) if len(low) <= LONGEST else None
    if sort is None:
        return None
    reading = _Reading(tokens(text))
    is_ahead = sort == "action" and any(token.folded == "due" for token in reading.found)
    span = _take_span(reading, text, today, is_ahead)
    branch, below = _take_branch(reading, places)
    person, people = _take_person(reading, names)
    words = {at: reading.word(at) for at in range(len(reading.found)) if at not in reading.used}
    compound = {at for at, word in words.items() if word in _ANY and _is_topic(words.get(at + 1, ""), sort)}  # "meeting times"
    words = {at: word for at, word in words.items() if not (word in _TAKEN and words.get(at - 1, "") in _TAKE)}
    state = _state(sort, set(words.values()))
    is_latest = bool(_LATEST & set(words.values()))
    is_due = sort == "action" and span is not None and "due" in words.values()
    put = (
        (_PAST | {"force"} if state in ("superseded", "in force") else frozenset())
        | _PUT[sort]
        | FILLERS
        | _ANY
        | (_OPEN | _DONE | _OVERDUE if sort == "action" else frozenset())
        | (frozenset(("due",)) if is_due else frozenset())
        | _LATEST
    )
    left = {at: word for at, word in words.items() if word not in put or at in compound}
    if set(words.values()) & NEGATIONS or set(left.values()) & _TURNING or (sort != "action" and "before" in left.values()):
        return None
    topic = {at: term[0] for at, word in left.items() if (term := terms(reading.found[at].text))}
    parts = [term for at in topic if "." in reading.found[at].text for term in terms(reading.found[at].text)[1:2]]
    weekday = _WEEKDAYS.findall(text[span.start : span.end]) if span is not None else []
    besides = frozenset(terms(" ".join((*(word for word in words.values() if word in _ANY), *weekday))))
    if sort == "event" and not (span or below or ("event" in low and topic)):
        return None  # what happened at all is a story, not a list
    if sort == "action" and person == "" and not topic and "be done" in low and span is None and not below:
        return None
    said = " ".join(reading.found[at].text for at in sorted(topic))
    alike = {term: _other_forms(reading.found[at].text, language) for at, term in topic.items()} if language is not None else {}
    terms_ = tuple(dict.fromkeys((*topic.values(), *parts)))
    return ItemQuestion(
        sort,
        terms_,
        said,
        besides,
        span,
        people,
        person,
        below,
        branch,
        state,
        is_latest,
        is_due,
        low.startswith(_COUNTING),
        alike,
        is_to_do=sort == "action" and _TO_DO.search(low) is not None,
    )


def _other_forms(word: str, language: QuestionLanguage) -> tuple[str, ...]:
    """The terms of the forms that a word may have in a text of its language."""
    return tuple(dict.fromkeys(term for form in inflections(word, language) for term in terms(form)))


def _is_topic(word: str, sort: Sort) -> bool:
    return bool(word) and bool(terms(word)) and word not in _PUT[sort] | FILLERS | _ANY | _LATEST | _OPEN | _DONE | _PAST


def _state(sort: Sort, words: set[str]) -> str:
    if sort == "decision":
        return "superseded" if words & _PAST else "in force" if {"in", "force"} <= words else ""
    if sort == "action" and words & _OVERDUE:
        return "overdue"
    is_done = "done" in words and bool(words & _LISTED_ACTIONS) and not words & _TO_BE_DONE
    return "open" if words & _OPEN and sort == "action" else "done" if words & _DONE or (is_done and sort == "action") else ""


def _take_span(reading: _Reading, text: str, today: date, is_ahead: bool) -> Span | None:
    """`is_ahead` of a time that lies ahead: what is due in December is so in the next one."""
    span = (find_coming(text, today) if is_ahead else None) or find_span(text, today)
    if span is not None:
        reading.used |= {at for at, token in enumerate(reading.found) if token.start < span.end and token.end > span.start}
    return span


def _take_branch(reading: _Reading, places: Places) -> tuple[str, tuple[str, ...]]:
    branch = find_branch(reading.found, reading.used, places)
    if branch is None:
        return "", ()
    reading.take(branch.first, branch.last)
    return branch.words, branch.places


def _take_person(reading: _Reading, names: Names) -> tuple[str, frozenset[str]]:
    """A person as written, and who that may be: by a name that facts know, else by the form of a name behind a word such as "by"."""
    for mention in names.find(reading.found):
        inside = range(mention.first, mention.last)
        if "person" in mention.objects and not any(at in reading.used for at in inside):
            reading.take(mention.first, mention.last)
            return mention.text, mention.names
    for at in range(1, len(reading.found)):
        last = next((end for end in (at + 2, at + 1) if _is_written_as_name(reading, at, end)), None)
        if last is not None:
            name = reading.found[at:last]
            reading.take(at, last)
            return " ".join(token.text for token in name), frozenset((" ".join(token.folded for token in name),))
    return "", frozenset()


def _is_written_as_name(reading: _Reading, first: int, last: int) -> bool:
    """Two words with capitals behind a word such as "of", or one that is asked to have done something: "did Rod decide"."""
    if last > len(reading.found) or reading.used & set(range(first, last)):
        return False
    before = _BEFORE_PEOPLE if last - first > 1 else _BEFORE_ONE
    return reading.word(first - 1) in before and all(map(_is_capitalised, reading.found[first:last]))


def _is_capitalised(token: Token) -> bool:
    return token.text[:1].isupper() and not token.text.isupper() and token.text.replace("-", "").replace("'", "").isalpha()
