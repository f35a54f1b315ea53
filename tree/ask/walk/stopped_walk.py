"""A walk that was stopped, taken up again: what it read and chose, as far as that still holds in the snapshot of now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import ReadLeaf, SnapshotView
from tree.ask.snapshot.trail import Heard, Step, StepKind, read_step, step_json
from tree.store.nodes import Node

OF_A_WALK: frozenset[StepKind] = frozenset(("named", "choose", "read", "back", "link", "follow_up"))  # the others are told anew
_heard = TypeAdapter(Heard)


class StoppedWalk(NamedTuple):
    """`steps` as `step_to_keep` made them; `asked_at` is when the first of them could have been taken, in seconds since 1970."""

    steps: Sequence[Mapping[str, Any]]
    asked_at: float


@dataclass(frozen=True, slots=True)
class TakenUp:
    """What a walk begins with. `nodes` are those that its steps name, as they are now."""

    steps: tuple[Step, ...] = ()
    read: tuple[ReadLeaf, ...] = ()
    nodes: Mapping[str, Node] = field(default_factory=dict)  # by place

    @property
    def parts(self) -> tuple[str, ...]:
        """What the question was taken apart into."""
        return next((step.heard.parts for step in self.steps if step.heard is not None and step.heard.parts), ())

    def chosen(self) -> Iterator[tuple[Node, str]]:
        """What was chosen, the first first, and why."""
        for step in self.steps:
            why = {option.place: option.why for option in step.options}
            for place in step.chosen:
                yield self.nodes[place], why.get(place) or step.reason_in_full

    def told(self, step: Step) -> bool:
        """Whether a step is among these already."""
        return step.kind in ("named", "choose") and any(_what(step) == _what(one) for one in self.steps)


NOTHING = TakenUp()


def has_read(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Whether there is anything that a walk could be taken up with."""
    return any(step.get("heard") for step in steps)


def step_to_keep(step: Step) -> dict[str, Any]:
    """A step as JSON, with what the leaf that was read in it says: after a stop it need not be read again."""
    return step_json(step) | ({"heard": _heard.dump_python(step.heard, mode="json")} if step.heard is not None else {})


def take_up(stopped: StoppedWalk | None, snapshot: Snapshot, view: SnapshotView, units_of_record: bool) -> TakenUp:
    """Nothing is taken up of what has changed since, is gone, or is of a source that this person may see no more. From the first
    leaf on of which that is so, all are read again: they were judged beside it."""
    if stopped is None:
        return NOTHING
    steps = [read_step(one) for one in stopped.steps if one["kind"] in OF_A_WALK]
    now = _nodes(steps, snapshot, snapshot.version)
    then = _nodes(
        steps, snapshot, min(snapshot.version, snapshot.store.versions.newest_by(stopped.asked_at, snapshot.scope.sources))
    )
    unchanged = {place for place, node in now.items() if place in then and then[place].hash == node.hash}
    kept = [holding for step in _before_what_changed(steps, now) if (holding := _holding(step, now, unchanged)) is not None]
    kept = [replace(step, path=view.path(now[step.place])) if step.place else step for step in kept]
    read = {step.place: _read(view, now[step.place], step.heard, units_of_record) for step in kept if step.heard is not None}
    return TakenUp(tuple(kept), tuple(read.values()), {place: now[place] for place in _named(kept)})


def _named(steps: Iterable[Step]) -> set[str]:
    """The places of all that these steps were at or had to choose from."""
    return {place for step in steps for place in (step.place, *(option.place for option in step.options)) if place}


def _nodes(steps: Iterable[Step], snapshot: Snapshot, version: int) -> dict[str, Node]:
    """What the steps name, in a version of the sources that are asked."""
    found = snapshot.store.nodes.at(_named(steps), version)
    return {place: node for place, node in found.items() if node.source_id in snapshot.sources}


def _before_what_changed(steps: Sequence[Step], now: Mapping[str, Node]) -> Sequence[Step]:
    """The steps before the leaves that were judged at once with the first that is not what it was, or was judged by no model."""
    end = 0
    for at, step in enumerate(steps, 1):
        node = now.get(step.place)
        if step.kind == "read" and (step.heard is None or node is None or node.hash != step.hash):
            return steps[:end]
        is_last_at_once = at == len(steps) or steps[at].kind != "read"
        if step.kind == "read" and is_last_at_once:
            end = at
    return steps


def _holding(step: Step, now: Mapping[str, Node], unchanged: Set[str]) -> Step | None:
    """What of a step still holds; without reasons that may be told of what does not."""
    if step.place and (step.place not in now or now[step.place].title != step.title):
        return None
    options = tuple(option for option in step.options if option.place in unchanged)
    if options == step.options:
        return step
    options = tuple(replace(option, why="") for option in options)
    chosen = tuple(place for place in step.chosen if place in unchanged)
    return replace(step, options=options, chosen=chosen, reason="", quote="") if options else None


def _read(view: SnapshotView, node: Node, heard: Heard, units_of_record: bool) -> ReadLeaf:
    opened = view.open_leaf(node, units_of_record)
    return ReadLeaf(node, opened.leaf, opened.text, heard.answer, heard.score, view.path(node), heard.is_linked)


def _what(step: Step) -> tuple[str, str, tuple[str, ...]]:
    return step.kind, step.place, tuple(option.place for option in step.options)
