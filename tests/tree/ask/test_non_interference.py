"""Whatever is in sources that somebody may not see makes no difference to anything that they are told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prompts.language import terms
from tests.databases import LEFT_OUT, SERVER, new_database
from tests.tree.ask.worlds import HIDDEN, SOMEBODY, VISIBLE, Step, World, turn
from tree.ask.ask import Earlier
from tree.ask.snapshot.snapshot import open_snapshot
from tree.browse.nodes import newest_shown
from tree.browse.search import search_tree
from tree.retrieve.index import SearchScope
from tree.retrieve.index_entries import as_name
from tree.store.forgetting import forget_before
from ui.explorer import filters
from ui.explorer import view as tree_view
from ui.explorer.filters import SORTS, Filter
from ui.server.scope import QuestionScope
from ui.server.suggesting.asked_next import candidates as after
from ui.server.suggesting.suggestions import candidates

THINGS = ("pump", "gate", "winch", "crane", "turbine", "berth")
SECRETS = ("zeppelin", "turbina", "gates", "merger")
PEOPLE = ("Maren Oduya", "Tomas Reyl", "Ines Falk")
TEAMS = ("Team Quay", "Team Shore", "team quay")
STATES = ("To Do", "In Progress", "Done", "TO DO", "done")
CHAT = "# Chat\n\nExport 2026-05-02 to 2026-05-09\n[2026-05-08 09:00] Per: A-{number} is done, {said}\n"
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
    kind = draw(st.sampled_from(("note", "table", "steps", "terms", "decision", "long", "actions", "chat")))
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
        case "actions":
            rows = "\n".join(f"| A-{number} | {said} | {person} | 2026-06-{number + 10} |" for number in range(3))
            return f"# Open actions\n\nState: 2026-05-01\n\n| No | What | Who | Due |\n| --- | --- | --- | --- |\n{rows}\n"
        case "chat":
            return CHAT.format(number=draw(st.integers(0, 2)), said=f"{said} by {person}")
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


ALWAYS = ("How many tickets are there per status?", "Who leads the craen?", "What changed today?", "What about FALCON?")
QUESTIONS = (
    "Which teams are there?", "Which versions are there?", "How many notes do we have?", "Who is on call this week?",
    "Where is the pump?", "Who owns the winch?", "What is a turbine?", "Tell me about Team Quay", "What is zeppelin?",
    "What is the turbina?", "How do I stop the gate?", "Which files mention the crane?",
    "Which files mention the zeppelin?", "Which bugs are open?", "What is GWY-1 about?",
    "What is OPS-1 about?", "Who has the most open tickets?", "What was decided about the pump?", 
    "What is in area-1?", "Summarise everything", "compare GWY-1 and GWY-2", "What is in note-2.md?", "Where is note-4.md?",
    "How many files are in area-0?", "Which components are done?", "Is the WPM shut at night?", 
    "Who are the quay folk?", "Which tickets have priority high?", "gate berth crane pump owner every week", "What does SLA mean?",
    "Which files have status done?", "What is the number of the gate?", "Who is Ines Falk?",
    "When is A-1 due?", "Which actions are open?", "Where is the pump, and what is a zeppelin?", "What is a turbine and who owns it?",
)  # fmt: skip
HIDDEN_PLACES = ("h1/area-1/note-1.md", "h2/1")  # that an answer cited when its reader saw them
CHATS = (
    ("Which bugs are open?", "and of Tomas Reyl?"), ("Who owns the winch?", "and the gate?"), ("Where is the crane?", "When is it shut?"),
)  # fmt: skip


def _told(
    world: World, questions: Sequence[str], chats: Sequence[tuple[str, Earlier]], moments: Sequence[float]
) -> dict[str, Any]:
    """All that somebody is told who sees the visible sources, by what they ask for."""
    index, scope = world.workspace.index, SearchScope(VISIBLE)
    told: dict[str, Any] = {question: world.answered(question) for question in questions}
    for question in questions:
        told[f"search {question}"] = index.search(terms(question), scope, 3)
        told[f"weights {question}"] = index.weights(terms(question), scope)
    for question, earlier in chats:
        told[f"{earlier.question} {question}"] = world.answered(question, earlier=[earlier])
    for place in ("m1/area-1/", "h1/area-1/", "h2/"):
        told[f"in {place}"] = world.answered("What is in it? The pump?", places=[place])
    for number, moment in enumerate(moments):
        told[f"as of {number}"] = world.answered("Where is the crane?", as_of=moment)
    told |= {f"named {name}": index.named([as_name(name)], scope) for name in ("note-1.md", "the pump", "GWY-1", "OPS-1")}
    told |= {f"containing {part}": index.containing(part, scope, 3) for part in ("note", "p", "o", "gwy")}
    snapshot = open_snapshot(world.workspace, SOMEBODY)
    answers = [told[question][-1] for question in questions]
    told["next"] = [list(after(snapshot, answer)) for answer in answers if answer["citations"]]
    return told | {"length": index.mean_length(scope)} | _shown(world)


def _shown(world: World) -> dict[str, Any]:
    """What pages and routes make for them."""
    workspace, principal, every = world.workspace, SOMEBODY, Filter(sorts=SORTS)
    return {
        "version": newest_shown(workspace, principal),
        "levels": tree_view.levels(workspace, principal, ["", "m1/", "t1/", "h1/", "h2/"]),
        "found": [search_tree(workspace, principal, text) for text in ("pump", "the gate", "zeppelin", "GWY", "note")],
        "narrowed": [
            filters.narrowed(workspace, principal, one) for one in (Filter(), every, Filter(sorts=("decision",), text="pump"))
        ],
        "suggested": list(candidates(workspace, principal, QuestionScope())),
    }


LARGE = settings(  # worlds take seconds to make
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@given(data=st.data())
@settings(LARGE, max_examples=10)
def test_a_source_that_somebody_may_not_see_makes_no_difference_to_them(data: st.DataObject) -> None:
    _hold_a_hidden_source_apart(data, (None, None))


@pytest.mark.skipif(not SERVER, reason=LEFT_OUT)
@given(data=st.data())
@settings(LARGE, max_examples=2)
def test_nor_does_it_on_postgresql(data: st.DataObject) -> None:
    with new_database() as alone, new_database() as beside:
        _hold_a_hidden_source_apart(data, (alone, beside))


@pytest.mark.parametrize(("source", "is_told"), [("m1", True), ("h1", False)])
def test_what_is_said_later_of_a_row_is_told_of_sources_alone_that_somebody_may_see(
    tmp_path: Path, source: str, is_told: bool
) -> None:
    rows = "| No | What | Who | Due |\n| --- | --- | --- | --- |\n| A-1 | oil the pump | Ines Falk | 2026-06-11 |\n"
    world = World(tmp_path, ("m1", "h1"))
    world.take(Step("m1", "put", 0, text=f"# Open actions\n\nState: 2026-05-01\n\n{rows}"))
    world.take(Step(source, "put", 1, text=CHAT.format(number=1, said="the crane too")))
    for question in ("When is A-1 due?", "Which actions are due in June 2026?"):
        answer = world.answered(question)[-1]
        assert "11 June 2026" in answer["answer"] or "2026\\-06\\-11" in answer["answer"], answer
        assert ("crane too" in answer["answer"]) is is_told, answer
        assert (answer["verdict"] == "complete") is not is_told, answer
    world.close()


def _hold_a_hidden_source_apart(data: st.DataObject, urls: tuple[str | None, str | None]) -> None:
    visible = data.draw(st.lists(steps(VISIBLE), min_size=3, max_size=9), label="visible")
    others = [data.draw(st.lists(steps(HIDDEN), max_size=3), label=f"before {number}") for number in range(len(visible) + 1)]
    disturbed = data.draw(st.sets(st.integers(0, len(visible))), label="the index is lost before")
    forgotten = data.draw(st.none() | st.integers(0, len(visible)), label="old versions are forgotten before")
    questions = [
        *ALWAYS,
        *data.draw(st.lists(st.sampled_from(QUESTIONS), min_size=5, max_size=8, unique=True), label="questions"),
    ]
    with TemporaryDirectory() as folder:
        worlds = [
            World(Path(folder) / "alone", VISIBLE, urls[0]),
            World(Path(folder) / "beside", [*HIDDEN, *VISIBLE], urls[1]),
        ]
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
                        forget_before(world.workspace.database, None)
                for world, times in zip(worlds, moments, strict=True):
                    if number < len(visible):
                        world.take(visible[number])
                    times.append(time.time())
            chats = [(after, turn(before, worlds[0].answered(before), HIDDEN_PLACES)) for before, after in CHATS]
            alone, beside = (_told(world, questions, chats, times) for world, times in zip(worlds, moments, strict=True))
            for asked in alone:
                assert alone[asked] == beside[asked], asked
        finally:
            for world in worlds:
                world.close()
