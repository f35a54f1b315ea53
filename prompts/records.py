"""The records a reader writes and the material it is given: the schemas of the five decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from prompts.stop import Stop
from prompts.usage import Usage

# ---------------------------------------------------------------- what is stored


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Quote(Frozen):
    """Words taken from a text, and where they stand.

    In a leaf's record `start` and `end` count characters of the leaf's text; `text` are the words there, without markup and
    on one line; a line of a ticket's history is put as a sentence. In a branch's record the quote was taken from the record of child number `child` (from 0).
    `says` is a paraphrase, when a model wrote one; empty otherwise.
    """

    text: str
    start: int = 0
    end: int = 0
    child: int | None = None
    says: str = ""


class SummaryRecord(Frozen):
    """What a node says of what is below it. An extractive summary is its quotes joined."""

    summary: str = ""
    quotes: tuple[Quote, ...] = ()
    content_types: tuple[str, ...] = ()  # ids of the taxonomy, most telling first
    critical_actions: tuple[Quote, ...] = ()
    decisions: tuple[Quote, ...] = ()
    events: tuple[Quote, ...] = ()  # noteworthy events
    about: tuple[str, ...] = ()  # what it is about: names and key phrases, most telling first


UnitKind = Literal["step", "term", "faq", "decision", "issue", "event", "reference", "passage"]


class Link(Frozen):
    """A linker: where a unit leads. `to` is a unit number of the same leaf, a name, a path or an address."""

    kind: Literal["next", "file", "key", "heading", "url"]
    to: str


class LogicUnit(Frozen):
    """THREAD's retrieval unit (arXiv 2406.13372): the body is the span [start, end) of the leaf's text."""

    kind: UnitKind
    header: str  # the task or subject it is about
    start: int
    end: int
    prerequisites: tuple[str, ...] = ()  # what must hold first, in the text's own words
    links: tuple[Link, ...] = ()
    step: int | None = None  # its number, from 1, when it is a step of a procedure


class Property(NamedTuple):
    """Something that a document says of itself as a whole: its author, date, status, owner; of a ticket its type."""

    name: str  # as people read it: "Owner", "Last reviewed"
    value: str


# ---------------------------------------------------------------- what a reader is given and gives


class Linked(NamedTuple):
    """A logic unit of another leaf that this one leads to."""

    title: str  # of the leaf it stands in
    header: str
    text: str


@dataclass(frozen=True, slots=True)
class LeafText:
    """One leaf as `read` and `answer` see it."""

    text: str
    heading: tuple[str, ...]  # document title, then headings
    units: tuple[LogicUnit, ...] = ()
    kind: str = "file"  # the document's kind
    linked: tuple[Linked, ...] = ()  # to understand it by; a quote is taken from `text` only
    properties: tuple[Property, ...] = ()  # of the document
    name: str = ""  # of its file, without extension: what people call it besides its title
    inside: tuple[str, ...] = ()  # the source and the folders, or what else its document lies in

    @property
    def title(self) -> str:
        """Of the document; empty where it has none."""
        return self.heading[0] if self.heading else ""

    @property
    def header(self) -> str:
        """All that stands above the text: titles, and what the document says of itself."""
        return " ".join((*self.heading, *(f"{name} {value}" for name, value in self.properties)))

    def stated(self, name: str) -> str:
        """What the document says of itself under this name; empty where it says nothing."""
        return next((value for one, value in self.properties if one == name), "")


@dataclass(frozen=True, slots=True)
class Reading:
    record: SummaryRecord
    units: tuple[LogicUnit, ...]


@dataclass(frozen=True, slots=True)
class Child:
    """One child as `summarize` sees it."""

    title: str
    kind: str  # leaf, branch, run
    record: SummaryRecord
    leaves: int = 1  # how many leaves are below it


@dataclass(frozen=True, slots=True)
class Here:
    """The branch whose children are chosen from. A reader may choose its place: "answer from here"."""

    place: str
    title: str
    record: SummaryRecord
    walked: tuple[str, ...] = ()  # the branches opened on the way, from the source down, each with why


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what the search index knows of its words.

    `weights` maps each content term (as `prompts.language.terms` makes them) to its inverse document frequency in
    the text asked about; a term that occurs nowhere, one of `unknown`, has the highest weight.
    """

    text: str
    weights: Mapping[str, float] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    history: tuple[str, ...] = ()  # the chat before it, oldest first: what was asked and what was answered
    here: Here | None = None  # where in the walk it is asked
    leaning: frozenset[str] = frozenset()  # terms of the question before it, one of which has to stand with what answers it
    day: date | None = None  # that it is asked on, or that what it looks at is of
    short: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # abbreviations (terms) for words of it, by each of these
    full: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the words (terms) that an abbreviation in it stands for


@dataclass(frozen=True, slots=True)
class Option:
    place: str
    title: str
    kind: str
    record: SummaryRecord
    scent: float = 0.0  # best evidence below it, 0 to 1, from the search index
    evidence: str = ""  # the line that evidence is
    path: tuple[str, ...] = ()  # titles between the branch and it, where several levels are shown at once
    below: tuple[str, ...] = ()  # titles of its children, as far as they were looked up
    note: str = ""  # what the walk knows of it: that it was chosen before and not read


class Choice(NamedTuple):
    place: str
    score: float  # 0 to 1; comparable between calls of one walk
    reason: str
    quote: str = ""  # what the reason repeats of a document

    @property
    def reason_in_full(self) -> str:
        return with_quote(self.reason, self.quote)


def with_quote(reason: str, quote: str) -> str:
    """A reason with what it quotes: "Mentions restore: “Restore it from the last dump.”"."""
    return f"{reason}: “{quote}”" if quote else reason


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen of the options, best first, and how the question was understood."""

    ways: tuple[Choice, ...] = ()
    parts: tuple[str, ...] = ()  # what has to be found to answer it; empty where nobody took it apart
    unclear: str = ""  # what is missing to understand it, where nothing was chosen for that
    readings: tuple[str, ...] = ()  # questions that it may mean, where it is unclear


Verdict = Literal["complete", "partial", "none"]  # what one leaf, or an answer, says to a question
Standing = Literal["open", "answered", "premise is wrong", "cannot be understood"]  # how the question stands by all that was read


class NotedFact(NamedTuple):
    """Something found on the way that the answer, or the next search, needs: "director of the film" and "Jane Doe"."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Notes:
    """What is known before a decision. It is small by what goes into it, and no prompt cuts it."""

    known: tuple[str, ...] = ()  # what the names in the question stand for
    parts: tuple[str, ...] = ()  # what has to be found; part 1 is the first
    answered: frozenset[int] = frozenset()  # numbers of the parts that are answered
    facts: tuple[NotedFact, ...] = ()  # in the order in which they were found
    read: tuple[str, ...] = ()  # a line for each passage that was read
    searched: str = ""  # what is looked for now in place of the question
    unread: tuple[str, ...] = ()  # titles of what seemed likely and was left unread, because the budget was used up

    @property
    def open(self) -> tuple[str, ...]:
        """The parts that are not answered."""
        return tuple(part for number, part in enumerate(self.parts, 1) if number not in self.answered)


NO_NOTES = Notes()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One to three sentences to show: the best of them with what stands around it."""

    quote: Quote
    best: tuple[int, int]  # where the best sentence stands in the leaf's text
    worth: float  # to the question, on a scale that holds across leaves


@dataclass(frozen=True, slots=True)
class LeafAnswer:
    """What one leaf says to the question. `coverage` is the share of the question it deals with, 0 to 1.

    `verdict` is of the leaf, "none" where it adds nothing to what was read before; `standing` is of the question. A quote
    with an empty span is of the header above the leaf.
    """

    verdict: Verdict
    quotes: tuple[Quote, ...]
    coverage: float
    reason: str = ""
    follow_up: str = ""
    is_stated: bool = False  # a named fact ("Status: Done") says outright what was asked, and nothing else is needed
    is_fallback: bool = False  # judged by counting words, in place of a model that failed
    strength: float = 0.0  # of the statement that answers outright, where the verdict is complete: 0 to 1
    excerpts: tuple[Excerpt, ...] = ()  # to be shown where nothing answers outright, the best first
    near_miss: str = ""  # why the best of them, though it has all that is asked for, is not called the answer
    standing: Standing = "open"  # by this leaf and the notes; counting words cannot tell it
    answers: frozenset[int] = frozenset()  # numbers of the parts that it answers
    missing: int = 0  # the number of the part that `follow_up` would find
    facts: tuple[NotedFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of reading passages and choosing among options in one go."""

    answers: tuple[LeafAnswer, ...] = ()  # of each passage, in order
    chosen: Chosen = Chosen()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something read that speaks to the question. `number` is the citation number to use."""

    number: int
    leaf: LeafText
    answer: LeafAnswer
    score: float
    linked: bool = False  # read because something read before led here
    begins: tuple[int, int] = (0, 0)  # page and line of its document at which it begins, as far as they are known
    is_meant: bool = False  # of what a follow-up points at: "why does it happen?"
    document: str = ""  # the id of its document in its source: the path of a file


# what a text says of itself: that it has passages that may help, that it breaks off, that more follow
Aside = Literal["partial", "cut", "more"]


class Cited(NamedTuple):
    """A piece of the answer as it is written: text to show, and the quote behind it where there is one."""

    text: str
    number: int | None = None
    quote: Quote | None = None
    unsupported: bool = False  # the mark behind a sentence that rests on no quote
    is_gap: bool = False  # what was written just now says that a part of the question stays open
    aside: Aside | None = None  # where it says no more than this of the answer, which a page tells beside it


class Reader(Protocol):
    """The five decisions, and what a question may ask of a reader besides.

    A reader without a model inherits the defaults: it is the same for every question, takes a question as it stands,
    chooses level by level and does not sum up.
    """

    @property
    def name(self) -> str:
        """Part of the key of everything it makes, as is `version`."""
        ...

    @property
    def version(self) -> str: ...

    def read(self, leaf: LeafText) -> Reading: ...

    def summarize(self, title: str, children: Sequence[Child]) -> SummaryRecord: ...

    def choose(self, question: Question, options: Sequence[Option], notes: Notes = NO_NOTES) -> Chosen: ...

    def answer(self, question: Question, leaf: LeafText, notes: Notes = NO_NOTES) -> LeafAnswer: ...

    def compose(self, question: Question, evidence: Sequence[Evidence], notes: Notes = NO_NOTES) -> Iterator[Cited]: ...

    # ---- of one question

    def look(
        self, question: Question, passages: Sequence[LeafText], options: Sequence[Option], notes: Notes = NO_NOTES
    ) -> Looked:
        """`answer` for each passage, and `choose`, in one go: one decision for a reader for which asking is dear."""
        answers = tuple(self.answer(question, leaf, notes) for leaf in passages)
        return Looked(answers, self.choose(question, options, notes) if options else Chosen())

    @property
    def model_label(self) -> str:
        """The model it asks, as provider:model; empty where it asks none."""
        return ""

    @property
    def takes_outlines(self) -> bool:
        """Whether it chooses among several levels shown at once, and is asked as seldom as will do."""
        return False

    def for_query(self, usage: Usage, stop: Stop) -> Reader:
        """The reader for one question: it counts what that takes in `usage`, and gives up when `stop` is set."""
        return self

    def rewrite(self, question: Question) -> str:
        """The question with what the chat before it lets it leave out; as it stands where it cannot be rewritten."""
        return question.text

    def sum_up(self, question: Question, evidence: Sequence[Evidence]) -> Iterator[Cited]:
        """An answer made of the quotes of a branch's record; nothing where it cannot be made, and they are listed instead."""
        return iter(())
