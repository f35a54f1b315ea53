"""Whatever is in sources that somebody may not see makes no difference to anything that they are told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prompts.language import terms
from tests.tree.ask.worlds import HIDDEN, VISIBLE, Step, World, turn
from tree.retrieve.index import SearchScope, as_name

THINGS = ("pump", "gate", "winch", "crane", "turbine", "berth")
SECRETS = ("zeppelin", "turbina", "gates", "merger")
PEOPLE = ("Maren Oduya", "Tomas Reyl", "Ines Falk")
TEAMS = ("Team Quay", "Team Shore", "team quay")
STATES = ("To Do", "In Progress", "Done", "TO DO", "done")
ALIASES = "WPM: winch\nFALCON: zeppelin\nquay folk: Team Quay\n"

words = st.lists(st.sampled_from((*THINGS, "leaks", "shut", "at night", "owner", "every week")), min_size=2, max_size=6).map(
    " ".join
)


@st.composite
def texts(draw: st.DrawFn, hidden: bool) -> str:
    things = (*THINGS, *SECRETS) if hidden else THINGS
    thing, other = draw(st.sampled_from(things)), draw(st.sampled_from(things))
    person, team, state = draw(st.sampled_from(PEOPLE)), draw(st.sampled_from(TEAMS)), draw(st.sampled_from(STATES))
    said = draw(words)
    kind = draw(st.sampled_from(("note", "table", "steps", "terms", "decision", "long")))
    match kind:
        case "note":
            return f"# The {thing}\n\nOwner: {person}\nStatus: {state}\n\nThe {thing} stands beside the {other}. It {said}.\n"
        case "table":
            rows = "\n".join(
                f"| {one} | {person} | {state} | {number} |" for number, one in enumerate((thing, other, *THINGS[:2]))
            )
            return f"# {thing.capitalize()} list\n\n| Component | Lead | Status | Number |\n| --- | --- | --- | --- |\n{rows}\n"
        case "steps":
            return f"# How to stop the {thing}\n\n1. Open the {other}.\n2. Turn the {thing} off.\n3. Tell {team}: {said}.\n"
        case "terms":
            return f"# Glossary\n\n**{thing.capitalize()}**: what the {other} hangs on; {said}.\n\n**SLA**: what {team} keeps.\n"
        case "decision":
            return f"# Meeting about the {thing}\n\nDecided on 3 May 2026 to replace the {thing} with the {other}. {person} will {said} by 9 May 2026.\n"
    parts = "\n\n".join(
        f"## {one.capitalize()} part\n\n" + f"The {one} of {team} {said}. " * 60 for one in (thing, other, "crane")
    )
    return f"# Handbook of the {thing}\n\n{parts}\n"


@st.composite
def rows(draw: st.DrawFn, number: int, key: str) -> tuple[str, ...]:
    done = draw(st.booleans())
    return (
        f"{key}-{number}", f"The {draw(st.sampled_from(THINGS))} {draw(words)}", draw(st.sampled_from(("Bug", "Story"))),
        "Done" if done else draw(st.sampled_from(STATES)), draw(st.sampled_from((*PEOPLE, ""))), draw(st.sampled_from(("High", "high", "Low"))),
        draw(st.sampled_from(("", "Turnstile", "Tide Store"))), f"2026-05-{number + 10}", "2026-06-01" if done else "",
    )  # fmt: skip


@st.composite
def steps(draw: st.DrawFn, sources: Sequence[str]) -> Step:
    source, number = draw(st.sampled_from(sources)), draw(st.integers(0, 5))
    action = draw(st.sampled_from(("put", "put", "put", "put", "delete", "fail", "mend")))
    if action != "put":
        return Step(source, action, number)
    if source in ("t1", "h2"):
        return Step(
            source, "put", number, row=draw(rows(number, draw(st.sampled_from(("GWY", "OPS"))) if source == "h2" else "GWY"))
        )
    return Step(source, "put", number, text=draw(texts(source == "h1")))


QUESTIONS = (
    "Where is the pump?", "Who owns the winch?", "What is a turbine?", "Tell me about Team Quay", "What is zeppelin?",
    "What is the turbina?", "Who leads the craen?", "How do I stop the gate?", "Which files mention the crane?",
    "Which files mention the zeppelin?", "How many tickets are there per status?", "Which bugs are open?", "What is GWY-1 about?",
    "What is OPS-1 about?", "Who has the most open tickets?", "What was decided about the pump?", "What changed today?",
    "What is in area-1?", "Summarise everything", "compare GWY-1 and GWY-2", "What is in note-2.md?", "Where is note-4.md?",
    "How many files are in area-0?", "Which components are done?", "Is the WPM shut at night?", "What about FALCON?",
    "Who are the quay folk?", "Which tickets have priority high?", "gate berth crane pump owner every week", "What does SLA mean?",
    "Which files have status done?", "What is the number of the gate?", "Who is Ines Falk?",
)  # fmt: skip
CHATS = (
    ("Which bugs are open?", "and of Tomas Reyl?"), ("Who owns the winch?", "and the gate?"), ("Where is the crane?", "When is it shut?"),
)  # fmt: skip


def _compare(worlds: Sequence[World], told: Callable[[World], Any], what: str) -> Any:
    alone, beside = map(told, worlds)
    assert alone == beside, what
    return alone


def _everything_is_equal(worlds: Sequence[World], questions: Sequence[str], moments: Sequence[Sequence[float]]) -> None:
    scope = SearchScope(VISIBLE)
    for question in questions:
        _compare(worlds, lambda world: world.answered(question), question)
        said = terms(question)
        _compare(worlds, lambda world: world.workspace.index.search(said, scope, 3), f"search {said}")
        _compare(worlds, lambda world: world.workspace.index.weights(said, scope), f"weights {said}")
    for before, after in CHATS:
        first = worlds[0].answered(before)
        hidden = ("h1/area-1/note-1.md", "h2/1")
        chat = [turn(before, first, hidden)]
        _compare(worlds, lambda world: world.answered(after, earlier=chat), f"{before} {after}")
    for place in ("m1/area-1/", "h1/area-1/", "h2/"):
        _compare(worlds, lambda world: world.answered("What is in it? The pump?", places=[place]), place)
    for alone, beside in zip(*moments, strict=True):
        as_of = iter((alone, beside))
        _compare(worlds, lambda world: world.answered("Where is the crane?", as_of=next(as_of)), f"as of {alone}")
    for name in ("note-1.md", "the pump", "GWY-1", "OPS-1"):
        _compare(worlds, lambda world: world.workspace.index.named([as_name(name)], scope), name)
    for part in ("note", "p", "o", "gwy"):
        _compare(worlds, lambda world: world.workspace.index.containing(part, scope, 3), part)
    _compare(worlds, lambda world: world.workspace.index.mean_length(scope), "length")


@given(data=st.data())
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
def test_a_source_that_somebody_may_not_see_makes_no_difference_to_them(data: st.DataObject) -> None:
    visible = data.draw(st.lists(steps(VISIBLE), min_size=3, max_size=9), label="visible")
    others = [data.draw(st.lists(steps(HIDDEN), max_size=3), label=f"before {number}") for number in range(len(visible) + 1)]
    disturbed = data.draw(st.sets(st.integers(0, len(visible))), label="the index is lost before")
    forgotten = data.draw(st.none() | st.integers(0, len(visible)), label="old versions are forgotten before")
    questions = data.draw(st.lists(st.sampled_from(QUESTIONS), min_size=8, max_size=12, unique=True), label="questions")
    with TemporaryDirectory() as folder:
        worlds = [World(Path(folder) / "alone", VISIBLE), World(Path(folder) / "beside", [*HIDDEN, *VISIBLE])]
        moments: tuple[list[float], list[float]] = ([], [])
        try:
            for world in worlds:
                (world.workspace.home / "aliases.yaml").write_text(ALIASES)
            for number, hidden in enumerate(others):
                for step in hidden:
                    worlds[1].take(step)
                if number in disturbed:
                    worlds[1].lose_index()
                if number == forgotten:
                    for world in worlds:
                        world.workspace.store.forget_before(None)
                for world, times in zip(worlds, moments, strict=True):
                    if number < len(visible):
                        world.take(visible[number])
                    times.append(time.time())
            _everything_is_equal(worlds, questions, moments)
        finally:
            for world in worlds:
                world.close()
