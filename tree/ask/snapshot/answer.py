"""What an answer is: its text, the passages its numbers point at, the trail that led there, and what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from prompts.records import Aside, Verdict
from tree.ask.snapshot.chart import Chart, chart_json
from tree.ask.snapshot.corrections import Correction
from tree.ask.snapshot.nearby import Unread
from tree.ask.snapshot.snapshot import Unreachable
from tree.ask.snapshot.trail import Step, step_json
from tree.store.leaves import Leaf, Piece

VERDICT_WORDS: Mapping[Verdict, str] = {"complete": "Answered", "partial": "Passages that may help", "none": "Not found"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A quoted span of a leaf: [start, end) of its text, in characters, and where that stands in the document."""

    text: str
    start: int
    end: int
    locator: str = ""
    page: int | None = None
    line: int | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """What one number in an answer points at: a leaf, and the passages quoted from it."""

    number: int
    source: str
    source_id: str
    document_id: str
    title: str
    path: tuple[str, ...]
    kind: str  # of the document
    facts: Mapping[str, str]  # what its source says of it: a ticket's key, status, assignee ...
    url: str
    place: str
    leaf: str  # key of the cited text: what stood there when it was cited
    passages: tuple[Passage, ...]
    note: str = ""  # what the person should know of it: that it cannot be read now, and what it was last known to say

    def as_json(self) -> dict[str, Any]:
        first = self.passages[0]
        return {**asdict(self), "url": first.url or self.url, "locator": first.locator, "quote": first.text}


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the answer's text as it is written, Markdown."""

    text: str


class MarkAt(NamedTuple):
    """Where `[number]` begins in a text, in characters, and which passages of its citation what stands before it was taken from: their
    places in `Citation.passages`, from 0; none where it is said of the leaf as a whole."""

    number: int
    start: int
    passages: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"number": self.number, "start": self.start, "passages": list(self.passages)}


class AsideAt(NamedTuple):
    """[start, end) of the text of an answer, in characters, which says no more than `says`: a page that tells this beside the answer
    leaves it out."""

    says: Aside
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StepText:
    """A step of the procedure that an answer tells, by itself, Markdown with the numbers of its citations."""

    title: str  # of the procedure
    number: int  # from 1; 0: what is needed first
    text: str
    failing: tuple[str, ...] = ()  # what the documents say for when it fails
    marks: tuple[MarkAt, ...] = ()  # in `text`
    failing_marks: tuple[tuple[MarkAt, ...], ...] = ()  # in each of `failing`

    def as_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "number": self.number,
            "text": self.text,
            "failing": list(self.failing),
            "marks": [one.as_json() for one in self.marks],
            "failing_marks": [[one.as_json() for one in marks] for marks in self.failing_marks],
        }


@dataclass(frozen=True, slots=True)
class Restart:
    """What was yielded before is void and comes anew: it rests on something that was deleted meanwhile, or on nothing."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The whole of it: also what is stored with a chat and printed by `--json`."""

    question: str
    text: str
    verdict: Verdict
    citations: tuple[Citation, ...] = ()
    trail: tuple[Step, ...] = ()
    versions: Mapping[str, int] = field(default_factory=dict)  # of each source by id: how many it had had
    as_of: str | None = None  # when what was read was last known to be what the sources hold, ISO 8601 in UTC
    coverage: Mapping[str, int] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)  # seconds, which model, and what it took
    notes: tuple[str, ...] = ()  # what the person should know about this answer: stale sources, withheld documents
    asides: tuple[AsideAt, ...] = ()  # in order
    marks: tuple[MarkAt, ...] = ()  # in order
    closest: tuple[Mapping[str, str], ...] = ()  # where to look when nothing answers it
    cut: bool = False  # it broke off while it was written: asking again may bring the rest
    chart: Chart | None = None  # of the numbers in the text
    did_you_mean: tuple[Correction, ...] = ()  # the question spelt otherwise, where it is not answered
    sources: tuple[str, ...] = ()  # ids of all that it was asked of: the trail, the notes and the counts may mention any
    rests_on: tuple[str, ...] = ()  # ids of those that its text is made of
    unread: tuple[Unread, ...] = ()  # what could not be read beside what was read
    unreachable: tuple[Unreachable, ...] = ()  # sources that were asked as they were read before
    steps: tuple[StepText, ...] = ()  # of the procedure that it tells, to be gone through one by one
    is_help: bool = False  # what can be asked here, told to a greeting: it says nothing of the sources

    def as_json(self) -> dict[str, Any]:
        """Without tuples, so that it is the same before and after it was stored."""
        return {
            "question": self.question,
            "answer": self.text,
            "verdict": self.verdict,
            "citations": [citation.as_json() for citation in self.citations],
            "trail": [step_json(step) for step in self.trail],
            "version": sum(self.versions.values()),
            "versions": dict(self.versions),
            "as_of": self.as_of,
            "coverage": dict(self.coverage),
            "usage": dict(self.usage),
            "notes": list(self.notes),
            "asides": [one._asdict() for one in self.asides],
            "marks": [one.as_json() for one in self.marks],
            "closest": [dict(place) for place in self.closest],
            "cut": self.cut,
            "chart": chart_json(self.chart),
            "did_you_mean": [correction.as_json() for correction in self.did_you_mean],
            "sources": list(self.sources),
            "rests_on": list(self.rests_on),
            "unread": [one._asdict() for one in self.unread],
            "unreachable": [one._asdict() for one in self.unreachable],
            "steps": [one.as_json() for one in self.steps],
            "is_help": self.is_help,
        }


Event = Step | TextPiece | Restart | Answer


def passage(leaf: Leaf, start: int, end: int) -> Passage:
    """The span [start, end) of a leaf with its page, lines and label, without white space around it."""
    piece = next((piece for piece in leaf.pieces if piece.start <= start < piece.end), Piece(0, len(leaf.text)))
    line = None
    label = piece.label
    if piece.first_line is not None:
        line = piece.first_line + leaf.text.count("\n", piece.start, start)
        last = line + leaf.text.count("\n", start, max(start, end - 1))
        label = ", ".join(filter(None, (label, f"line {line}" if line == last else f"lines {line}–{last}")))
    return Passage(leaf.text[start:end].strip(), start, end, label, piece.page, line, piece.url)


BEHIND = "\u2063"  # in a text that is to be drawn, between a number and the passages behind it: nobody sees or types it


def with_passages(text: str, marks: Sequence[Mapping[str, Any]]) -> str:
    """The text with the passages behind each number in its brackets, for `ui/shared/markup.py`; `marks` as JSON, in order."""
    for one in reversed(marks):
        text = _with_passages(text, one)
    return text


def _with_passages(text: str, mark: Mapping[str, Any]) -> str:
    end = mark["start"] + len(f"[{mark['number']}")
    return f"{text[:end]}{BEHIND}{','.join(map(str, mark['passages']))}{text[end:]}"


def without_asides(answer: Mapping[str, Any], cut: str | None = None, *, has_passages: bool = False) -> str:
    """The text of an answer, as JSON, without a first line that only says its verdict, for where the verdict is shown beside it; with
    `cut` instead of each note that it breaks off, and as `with_passages` makes it where it is to be drawn."""
    text = str(answer["answer"])
    asides = answer["asides"] if "asides" in answer else _asides_of_before(answer)
    marks = answer.get("marks", ()) if has_passages else ()  # an answer that was kept when they were not noted has none
    for one in sorted((*asides, *marks), key=lambda one: -int(one["start"])):  # from the end: no place before it moves
        if "says" not in one:
            text = _with_passages(text, one)
        elif one["says"] == "cut" and cut is not None:
            text = text[: one["start"]] + cut + text[one["end"] :]
        elif one["says"] == answer["verdict"] and not one["start"]:
            text = text[one["end"] :].lstrip("\n")
    return text


def _asides_of_before(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of an answer that was kept when they were not noted: its first line alone is known."""
    label = f"{VERDICT_WORDS[answer['verdict']]}:"
    return [AsideAt(answer["verdict"], 0, len(label))._asdict()] if answer["answer"].startswith(label) else []
