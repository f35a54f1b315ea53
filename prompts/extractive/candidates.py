"""Sentences that have all words of a question, themselves or in the headings above them, with what the rules ask of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from prompts.extractive.asked_values import FIRST_PERSON, LIGHT, value_in
from prompts.extractive.facts import spans as fact_spans
from prompts.extractive.identity import identity_at
from prompts.extractive.neighbours import without_references
from prompts.extractive.passages import Passage, front_matter, written_by
from prompts.extractive.procedures import scopes_of, share_of, without_ranges
from prompts.extractive.relations import role_asked, without_targets
from prompts.extractive.tenses import is_asked_of_now, says_what_moved
from prompts.language import terms
from prompts.question import Kind, QuestionAnalysis, Word
from prompts.records import LeafText
from prompts.regex import regex

ALL_WORDS = 0.9  # of the question's weight in a sentence and its headings, for the sentence to answer it
FEWEST_WORDS = 2  # of the question, for a sentence that is found by them to be meant
# Questions for a number or a yes, which many a sentence has: only a short one with every word answers them. What else is asked with
# "what", "which" or "how" no single sentence answers for sure: of 8 in documentation that nobody had tuned on, 5 were beside the point.
PLAIN = frozenset(("open", "yes_no"))
OF_A_THING = frozenset(("open", "list", "definition"))  # questions after a thing, which a sentence that begins with it may tell
TYPED = frozenset(("who", "when", "where", "count"))  # questions whose answer has a form

_STAMP = regex(
    r"\A\W*(?:\[[^\]\n]{0,16}\d{1,4}[./-]\d{1,2}[^\]\n]{0,16}\]|\[[^\]\n]{3,24} \d{1,2}:\d\d(?::\d\d)?\]|\d{1,2}:\d\d(?::\d\d)?\b)"
)  # when a line of a chat was written is no number of things
_NUMBERED = regex(r"\A\W*\d[\d.]{0,8}[.):]?\s+(?=\S)")  # "6. Keeping logs" has no number of logs
_INCLUDING = regex(r"\b(?:including|excluding|regarding|according|concerning)\b", re.IGNORECASE)  # no verbs there
_COMPOUND = (
    regex(  # "config-file-specified names" says nothing of the file, nor `logs-dir` of logs, nor `GATE_CLOSED 12` of closing
        r"\b[a-z]{2,20}(?:-[a-z]{2,20}){2,4}\b|`[\w./ ]{1,40}[-_][\w./ -]{1,40}`"
    )
)
_DOINGS = regex(r"\b([a-z]{2,20}ing)s\b")  # things that are called by what is done: settings, bookings
_IN_STATE = regex(
    r"\b(?:is|are|was|were) (?:there )?(?:in|on|at|out of|off|under) (use|work|time|date|place|hand|stock|store|order|service|number|list|call|duty)\W*\Z"
)
_OF_TYPE = regex(r"\W*(?:what|which) [a-z-]+ (type|kind|sort|format|version|number|name|size|colour|color|level|status|mode)\b")


@dataclass(frozen=True)
class LeafQuestion:
    """A question as it is put to one leaf. What only some rules look at is made when the first of them does."""

    text: str  # as it was typed
    analysis: QuestionAnalysis
    needed: Sequence[Word]  # without those by which things are asked for; not empty
    leaf: LeafText
    found: Sequence[Passage]  # the sentences of the leaf

    @property
    def kind(self) -> Kind:
        return self.analysis.kind

    @cached_property
    def low(self) -> str:
        """The question in small letters."""
        return self.text.casefold()

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(self.low))

    @cached_property
    def is_of_now(self) -> bool:
        return is_asked_of_now(self.text)

    @cached_property
    def title_terms(self) -> set[str]:
        """The terms of the document's title and of the headings that the leaf stands under."""
        return set(terms(" ".join(without_ranges(self.leaf.heading))))

    @cached_property
    def is_title(self) -> bool:
        """Whether all its words stand there."""
        return len(self.needed) >= FEWEST_WORDS and share_of(self.needed, self.title_terms) >= 1.0

    @cached_property
    def telling(self) -> frozenset[str]:
        """Words with which things are asked for that here say something: "how many panes are in use", "which issue type"."""
        return frozenset(match[1] for match in (_IN_STATE.search(self.low), _OF_TYPE.match(self.low)) if match is not None)

    @cached_property
    def doings(self) -> tuple[str, ...]:
        return tuple(match[1] for match in _DOINGS.finditer(self.low))

    @cached_property
    def role(self) -> frozenset[str]:
        return role_asked(self.low) - LIGHT

    @cached_property
    def front_matter(self) -> int:
        return front_matter(self.leaf.text)

    @cached_property
    def facts(self) -> tuple[tuple[int, int], ...]:
        return fact_spans(self.leaf.text)


@dataclass(frozen=True)
class Candidate:
    """A sentence that, with the headings above it, has all words of the question."""

    question: LeafQuestion
    at: int  # its number among the sentences of the leaf
    written: str  # its text without what links lead to
    said: str  # the same without compounds that only contain a word of the question
    terms: frozenset[str]  # of what is said
    share: float  # of the question's weight in it and the headings above it

    @property
    def passage(self) -> Passage:
        return self.question.found[self.at]

    @cached_property
    def value(self) -> int | None:
        """Where what is asked for stands: the person, the day, the reason; None where it has none."""
        asked = self.question
        text = without_references(self.written) if asked.kind == "when" else self.written
        text = _STAMP.sub(lambda match: " " * len(match.group()), text) if asked.kind == "count" else text
        value = value_in(asked.text, asked.analysis, text)
        if value is None and asked.kind in OF_A_THING:
            return self.identity
        is_own = value is None and asked.kind == "who" and FIRST_PERSON.search(self.passage.text) is not None
        return 0 if is_own and written_by(asked.leaf, self.passage.start) else value  # "I": whoever wrote the comment

    @cached_property
    def identity(self) -> int | None:
        """Where it says what the thing is that is asked after, where it begins with that."""
        return identity_at(self.question.low, self.passage.text)

    @property
    def value_at(self) -> int:
        """The same, for rules that come after the one that demands a value."""
        return self.value or 0

    @cached_property
    def own_share(self) -> float:
        """Of the question's weight in the sentence itself."""
        return share_of(self.question.needed, self.terms)

    @cached_property
    def line(self) -> str:
        return " ".join(self.said.split())

    @cached_property
    def with_heading(self) -> str:
        """What it says and the heading above it, in small letters."""
        return f"{self.said} {self.passage.heading}".casefold()

    @cached_property
    def tells_of_move(self) -> bool:
        """Whether it says what has changed of that which the page is about: "we move to the 4th"."""
        asked = self.question
        is_move = asked.is_title and asked.kind in TYPED and says_what_moved(self.said, self.value_at)
        return is_move and (
            asked.kind != "where" or "mov" in self.said.casefold()
        )  # what is set to an address is not moved there


def candidates(asked: LeafQuestion, places: Iterable[int] | None = None) -> Iterator[Candidate]:
    """All of a leaf, or those among the sentences with these numbers. Most sentences are none, so that this test is a cheap one."""
    rarest = max(asked.needed, key=lambda word: word.weight)
    above = [(one.start, one.end, set(terms(" ".join(without_ranges(one.headings))))) for one in scopes_of(asked.leaf)]
    low = asked.low
    headed: dict[str, set[str]] = {}  # the words of a heading
    for at in range(len(asked.found)) if places is None else places:
        passage = asked.found[at]
        written = without_targets(passage.text)
        if passage.kind == "heading":
            written = _NUMBERED.sub("", written)
        written = _INCLUDING.sub(" ", written)
        said = _COMPOUND.sub(lambda match: match.group() if match.group().casefold() in low else " ", written)
        own = passage.distinct if said == passage.text else frozenset(terms(said))
        if passage.heading not in headed:
            headed[passage.heading] = set(terms(" ".join(without_ranges((passage.heading,)))))
        around = own.union(headed[passage.heading], *(there for start, end, there in above if start <= passage.start < end))
        share = share_of(asked.needed, around)
        if share >= ALL_WORDS and rarest.is_in(around):
            yield Candidate(asked, at, written, said, own, share)
