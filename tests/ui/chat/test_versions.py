"""A branch that a walk did not take is asked in on request; both answers are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.store.models import Source, Turn
from ui.chat.turn_actions import look_in
from ui.server.scope import QuestionScope
from ui.server.tools import Tools
from ui.shared.trail import options_left

QUESTION = "When does the harbour office open?"
FILES = {
    "north/office.md": "# North office\n\nThe harbour office opens at seven.\n",
    "north/pier.md": "# Pier\n\nThe pier of the harbour is long.\n",
    "south/office.md": "# South office\n\nThe harbour office opens at nine in the south.\n",
    "south/pump.md": "# Pump\n\nThe pump is blue.\n",
    "west/gate.md": "# Gate\n\nNothing is said of it here.\n",
    "west/lamp.md": "# Lamp\n\nIt is green.\n",
} | {f"quay/{number}.md": f"# Quay {number}\n\nThe office of quay {number} is in the harbour.\n" for number in range(12)}


@pytest.fixture
def harbour(tools: Tools, tmp_path: Path) -> Source:
    return add_folder(tools, tmp_path / "harbour", FILES, "Harbour")


def asked(tools: Tools, scope: QuestionScope = QuestionScope()) -> Turn:
    turn = tools.answers.start(QUESTION, scope, tools.principal.person_id)
    return ended(tools, turn)


def ended(tools: Tools, turn: Turn) -> Turn:
    assert tools.answers.of(turn.id).ended.wait(20)
    return tools.chats.turns.get(turn.id)


def looked(tools: Tools, turn: Turn, place: str) -> Turn:
    assert tools.answers.start_in(place, turn.id, tools.principal.person_id) is not None
    return ended(tools, turn)


def cited(turn: Turn) -> set[str]:
    return {citation["document_id"].partition("/")[0] for citation in turn.answer["citations"]}


def test_an_option_that_was_not_taken_is_taken_on_request(tools: Tools, harbour: Source) -> None:
    turn = asked(tools)
    south = looked(tools, turn, f"{harbour.id}/south/")
    assert cited(south) == {"south"} and "nine" in south.answer["answer"]
    assert [(one.number, one.scope) for one in tools.chats.turns.versions([turn.id])[turn.id]] == [
        (1, ""),
        (2, f"at:{harbour.id}/south/"),
    ]
    assert south.shown == 2 and south.scope == "", "the question itself is asked where it was"
    tools.chats.turns.show_version(turn.id, 1, tools.principal.person_id)
    assert tools.chats.turns.get(turn.id).answer == turn.answer


def test_asking_again_replaces_the_version_that_is_shown_alone(tools: Tools, harbour: Source) -> None:
    turn = asked(tools)
    looked(tools, turn, f"{harbour.id}/south/")
    tools.answers.start_again(turn.id, tools.principal.person_id)
    again = ended(tools, turn)
    assert cited(again) == {"south"} and again.shown == 2 and len(tools.chats.turns.versions([turn.id])[turn.id]) == 2
    tools.chats.turns.show_version(turn.id, 1, tools.principal.person_id)
    assert tools.chats.turns.get(turn.id).answer["answer"] == turn.answer["answer"]


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_an_answer_that_never_came_leaves_the_one_before(tools: Tools, harbour: Source, end: str) -> None:
    turn = asked(tools)
    tools.chats.running.ask_again(turn.id, tools.principal.person_id)
    tools.chats.running.interrupt_running() if end == "killed" else tools.chats.running.finish(turn.id, end, version_in="at:x")
    assert tools.chats.turns.get(turn.id).answer == turn.answer and tools.chats.turns.versions([turn.id]) == {}


def test_only_what_the_trail_offered_is_looked_in(tools: Tools, harbour: Source) -> None:
    turn = asked(tools)
    look_in(tools, turn, f"{harbour.id}/nowhere/")
    taken = next(step["place"] for step in turn.answer["trail"] if step["kind"] == "read")
    look_in(tools, turn, taken)
    assert tools.chats.turns.get(turn.id) == turn
    left = options_left(turn.answer["trail"])
    assert left and taken not in left
    look_in(tools, turn, min(left))
    assert ended(tools, turn).shown == 2


def test_nobody_looks_further_in_somebody_elses_chat(tools: Tools, harbour: Source) -> None:
    turn, other = asked(tools), tools_of(MEMBER).principal.person_id
    assert tools.answers.start_in(f"{harbour.id}/south/", turn.id, other) is None
    looked(tools, turn, f"{harbour.id}/south/")
    kept = tools.chats.turns.get(turn.id)
    tools.chats.turns.show_version(turn.id, 1, other)
    assert tools.chats.turns.get(turn.id) == kept


def test_a_branch_of_a_source_that_is_no_longer_theirs_is_not_looked_in(tools: Tools, harbour: Source) -> None:
    member = tools_of(MEMBER)
    turn = asked(member)
    tools.admin.set_audience(harbour.id, [])
    answer = looked(member, turn, f"{harbour.id}/south/").answer
    assert not answer["citations"] and not answer["trail"] and "nine" not in answer["answer"]


def test_versions_go_with_their_chat_and_are_few(tools: Tools, harbour: Source) -> None:
    turn = asked(tools)
    for _ in range(13):
        looked(tools, turn, f"{harbour.id}/south/")
    numbers = [one.number for one in tools.chats.turns.versions([turn.id])[turn.id]]
    assert len(numbers) == 12 and numbers[0] == 1 and numbers[-1] == 14
    branch = tools.chats.rows.branch(asked_after(tools, turn).id, tools.principal.person_id)
    [copied] = tools.chats.turns.of_chat(branch)
    assert (copied.shown, copied.scope) == (0, f"at:{harbour.id}/south/")
    tools.chats.rows.delete(turn.chat_id, tools.principal.person_id)
    assert tools.chats.turns.versions([turn.id]) == {}


def asked_after(tools: Tools, turn: Turn) -> Turn:
    return ended(tools, tools.answers.start("And in the south?", QuestionScope(), tools.principal.person_id, turn.chat_id))
