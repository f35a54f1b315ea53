"""The trail: the ordered steps of one question, with everything a person needs to follow them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pydantic import TypeAdapter

from prompts.records import LeafAnswer, Option, Standing, Verdict, with_quote
from tree.store.places import source_of

# "chat": the question was understood with the chat before it. "follow_up": what was read left something open, and the
# question in the step's title is looked for next; it has no place and no options, the "choose" after it has.
# "meaning": it could not be looked for by meaning, though that is turned on. "register": all tickets were gone through. "names": what the names in the question stand for. Answers are kept with these words, so they stay.
StepKind = Literal["named", "choose", "read", "back", "link", "overview", "register", "chat", "follow_up", "names", "meaning"]
LONGEST_SUMMARY = 280  # characters of a summary that a trail keeps


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option as the trail keeps it. `scent` is from 0 to 1."""

    place: str
    title: str
    kind: str
    summary: str
    scent: float
    evidence: str
    content_types: tuple[str, ...] = ()
    path: tuple[str, ...] = ()  # titles between the branch and it, where several levels were shown at once
    why: str = ""  # it was chosen; empty where it was not, or where only the step's reason is known


@dataclass(frozen=True, slots=True)
class Heard:
    """What a leaf that was read says, for a walk that is stopped and taken up again."""

    answer: LeafAnswer
    score: float  # how promising the leaf was, from 0 to 1
    is_linked: bool = False  # something read before led there
    parts: tuple[str, ...] = ()  # what the question was taken apart into


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trail. `place` and `hash` name the node it is at; both are empty for "All sources"."""

    kind: StepKind
    place: str
    hash: str
    title: str
    path: tuple[str, ...] = ()  # titles from the source down to here
    options: tuple[ShownOption, ...] = ()
    chosen: tuple[str, ...] = ()  # places of options, best first
    reason: str = ""
    verdict: Verdict | None = None  # of a leaf that was read: what it adds
    node_kind: str = ""
    standing: Standing | None = None  # of the question after this step, where a model has judged it
    near_miss: str = ""  # of a leaf that was read: why its best sentence, though it has all that is asked for, is not the answer
    quote: str = ""  # what the reason repeats of a document or of the chat
    heard: Heard | None = None  # of a leaf that was read; no part of the trail that is kept with an answer

    @property
    def reason_in_full(self) -> str:
        return with_quote(self.reason, self.quote)


_step = TypeAdapter(Step)


def shown_option(option: Option, why: str = "") -> ShownOption:
    record = option.record
    summary = (
        record.summary if len(record.summary) <= LONGEST_SUMMARY else f"{record.summary[:LONGEST_SUMMARY].rsplit(' ', 1)[0]} …"
    )
    return ShownOption(
        option.place, option.title, option.kind, summary, round(option.scent, 3), " … ".join(option.evidence.split("\n")),
        record.content_types[:3],
        option.path, why,
    )  # fmt: skip


def step_json(step: Step) -> dict[str, Any]:
    """A step without tuples, as it is stored and sent: its reason in full, and in "said" without what it quotes."""
    options = [{**asdict(one), "content_types": list(one.content_types), "path": list(one.path)} for one in step.options]
    told = asdict(replace(step, heard=None)) | {"path": list(step.path), "options": options, "chosen": list(step.chosen)}
    told |= {"reason": step.reason_in_full, "said": step.reason}
    return {name: value for name, value in told.items() if name != "heard"}


def read_step(told: Mapping[str, Any]) -> Step:
    """The step that `step_json` has told; those of before have their reason with what it quotes."""
    return _step.validate_python({**told, "reason": told.get("said", told["reason"])})


def sources_named(steps: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids of the sources of all that these steps, as JSON, were at or had to choose from."""
    named = (place for step in steps for place in (step["place"], *(option["place"] for option in step["options"])))
    return {source_of(place) for place in named if place}
