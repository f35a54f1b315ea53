"""Questions that could be asked next: made of what an answer rests on, tried by whoever looks."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.ui.chat.test_page import opened
from tests.ui.conftest import read_again
from tests.ui.opened import add_folder
from tests.ui.people import MEMBER, tools_of
from tree.ask.ask import Answer, ask
from tree.ask.snapshot.snapshot import open_snapshot
from tree.store.models import Source
from ui.server.answering.question import earlier_of
from ui.server.suggesting.asked_next import Candidate, answer_in_chat, asking_for, candidates, follow_ups
from ui.server.suggesting.suggestions import ALL_SOURCES
from ui.server.tools import Tools

QUESTION = "How do I restore the orders database?"
ROTATE = "# Rotate the gate key\n\n## How to rotate the gate key\n\n1. Make a key with `gate key`.\n2. Revoke the old key.\n"
TABLE = "| component | owner | lead | needs |\n| --- | --- | --- | --- |\n| Turnstile | Team Quay | Maren Oduya | Almanac |\n| Almanac | Team Chart | Tomas Reyl | nothing |\n"


@pytest.fixture
def runbooks(tools: Tools, source: Source, folder: Path) -> Source:
    (folder / "runbooks/rotate.md").write_text(ROTATE)
    (folder / "components.md").write_text(f"# Components\n\n{TABLE}")
    read_again(tools, source)
    return tools.sources.get(source.id)


def answer_to(tools: Tools, question: str) -> dict[str, Any]:
    events = ask(tools.workspace, question, principal=tools.principal)
    return next(event for event in events if isinstance(event, Answer)).as_json()


def after(tools: Tools, question: str) -> list[str]:
    answer = answer_to(tools, question)
    return follow_ups(tools.workspace, tools.principal, ALL_SOURCES, answer, [earlier_of(question, answer)])


def test_what_is_beside_the_cited_passage_can_be_asked_next(tools: Tools, runbooks: Source) -> None:
    assert after(tools, QUESTION) == ["How do I rotate the gate key?"]


def test_what_else_is_stated_of_the_thing_can_be_asked_next(tools: Tools, runbooks: Source) -> None:
    assert "Who leads Turnstile?" in after(tools, "Who owns Turnstile?")
    assert not any("needs" in question for question in after(tools, "Who owns Turnstile?")), "no noun"


def test_nothing_is_better_than_something_bad(tools: Tools, source: Source) -> None:
    assert after(tools, "What is drift?") == []


def test_what_was_asked_already_is_not_offered(tools: Tools, runbooks: Source) -> None:
    answer = answer_to(tools, QUESTION)
    asked = [earlier_of(question, answer) for question in ("how do I rotate the gate key", QUESTION)]
    assert follow_ups(tools.workspace, tools.principal, ALL_SOURCES, answer, asked) == []


def test_they_are_made_of_and_tried_in_what_one_may_see(tools: Tools, runbooks: Source, tmp_path: Path) -> None:
    text = "# Restore\n\n## How to restore the orders database\n\n1. Ask the port authority.\n"
    add_folder(tools, tmp_path / "open", {"runbooks/open.md": text}, "Open")
    seen = answer_to(tools, QUESTION)
    tools.admin.set_audience(runbooks.id, [])
    member = tools_of(MEMBER)
    assert "gate key" not in str(list(candidates(open_snapshot(member.workspace, member.principal), seen)))
    assert follow_ups(member.workspace, member.principal, ALL_SOURCES, seen, [earlier_of(QUESTION, seen)]) == []


def test_an_answer_from_elsewhere_does_not_count(tools: Tools, runbooks: Source) -> None:
    answer = answer_to(tools, QUESTION)
    [wanted] = [one for one in candidates(open_snapshot(tools.workspace, tools.principal), answer) if "gate key" in one.question]
    assert wanted.must_cite == {f"{runbooks.id}/runbooks/rotate.md"}
    for places, is_told in ((wanted.must_cite, True), (frozenset((f"{runbooks.id}/glossary.md",)), False)):
        told = answer_in_chat(tools.workspace, tools.principal, ALL_SOURCES, Candidate(wanted.question, places), [])
        assert bool(told) == is_told


def test_a_click_asks_the_next_question(tools: Tools, runbooks: Source) -> None:
    page = opened()
    page.chat_input[0].set_value(QUESTION).run()
    until = time.monotonic() + 20
    while not (offered := [one for one in page.main.button if one.label == "How do I rotate the gate key?"]):
        assert time.monotonic() < until
        page.run()
    offered[0].click().run()
    [chat] = tools.chats.rows.recent(tools.principal.person_id)
    assert [turn.question for turn in tools.chats.turns.of_chat(chat.id)] == [QUESTION, "How do I rotate the gate key?"]


@pytest.mark.parametrize(
    ("label", "question"),
    [
        ("Home port", "What is the home port of Thrale?"),
        ("Owner", "Who owns Thrale?"),
        ("member", "Who is in Thrale?"),
        ("Goes first on", ""),
        ("Played", ""),
        ("One number", ""),
        ("Needs", ""),
    ],
)
def test_only_what_a_noun_names_is_asked_for(label: str, question: str) -> None:
    assert asking_for(label, "Thrale") == question


def test_nothing_is_asked_of_a_list_of_actions_and_no_word_that_nobody_said(tools: Tools, source: Source, folder: Path) -> None:
    (folder / "rounds").mkdir()
    (folder / "rounds/16.md").write_text(
        "# Round of 16 November 2026\n\nPresent: Ida Holm, Per Lund.\n\n## Decisions\n\n- The siren test is on 4 December 2026.\n\n## Action items\n\n- [ ] Per: order a sensor by 20 November\n- [x] Ida: book the hall\n"
    )
    (folder / "rounds/words.md").write_text(
        "# Glossary\n\n- **Weir**: the wall in the river.\n- **Siren**: the horn on the pier.\n"
    )
    read_again(tools, source)
    offered = [
        one.question
        for question in ("When is the siren test?", "which action items are open?")
        for one in candidates(open_snapshot(tools.workspace, tools.principal), answer_to(tools, question))
    ]
    assert not any("ction items" in one for one in offered), offered
    assert "What is Weir?" not in offered and "What is Siren?" in offered, offered
