"""What somebody may see of a turn: their own of before they lost access to a source, or a colleague's who sees more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tree.ask.rests_on import rests_on
from tree.ask.snapshot.trail import sources_named
from tree.store.models import Turn
from ui.server.tools import Tools

HIDDEN = "This answer rests on a source that you may not see."
REMOVED = "This answer rested on a source that has been removed since."
LEFT_OUT = "The search is not shown: it also looked at sources that you may not see."
LEFT_OUT_REMOVED = "The search is not shown: it also looked at a source that has been removed since."


def visible_turn(turn: Turn, visible: Collection[str], everything: Collection[str]) -> Turn:
    """The turn as far as it is made of the sources with these ids; itself where that is all of it.

    `everything` are the ids of all sources: an answer that does not say what it rests on, as those of earlier releases,
    is taken to rest on each of them.
    """
    answer = turn.answer
    if answer is None:
        if sources_named(turn.steps) <= set(visible):
            return turn
        return Turn(**{**turn.model_dump(), "steps": []})
    if not turn.steps and set(answer.get("sources", everything)) <= set(visible):
        return turn
    return Turn(**{**turn.model_dump(), "answer": visible_answer(answer, visible, everything), "steps": []})


def visible_answer(answer: Mapping[str, Any], visible: Collection[str], everything: Collection[str]) -> dict[str, Any]:
    asked_of = answer.get("sources", everything)
    if set(asked_of) <= set(visible):
        return dict(answer)
    unseen = set(everything) - set(visible)  # a source that is in neither is gone for everybody
    around: dict[str, Any] = {
        "trail": [],
        "closest": [],
        "coverage": {},
        "did_you_mean": [],
        "unread": [],
        "unreachable": [],
        "notes": [LEFT_OUT_REMOVED if unseen.isdisjoint(asked_of) else LEFT_OUT],
    }
    rests = rests_on(answer, everything)
    if rests <= set(visible):
        return {**answer, **around}
    return {
        **answer,
        **around,
        "answer": REMOVED if unseen.isdisjoint(rests) else HIDDEN,
        "asides": [],
        "marks": [],
        "verdict": "none",
        "citations": [],
        "chart": None,
        "steps": [],
        "notes": [],
        "usage": {},
        "hidden": True,
    }


def visible_turns(tools: Tools, turns: Sequence[Turn]) -> list[Turn]:
    """The turns as far as whoever looks may see them now."""
    everything = {source.id for source in tools.sources.all()}
    visible = {source.id for source in tools.visible_sources()}
    return [visible_turn(turn, visible, everything) for turn in turns]
