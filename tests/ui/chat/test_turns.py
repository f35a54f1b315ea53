"""From a question to what is drawn of its answer, and what time does to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from prompts.model import Stop
from tests.ui.conftest import read_again
from tree.accounts.principal import OPERATOR
from tree.ask.ask import AskError, ask
from tree.ask.snapshot.answer import without_asides
from tree.store.models import Source, Turn
from ui.chat.citation_status import citation_statuses
from ui.chat.drawer import marked
from ui.chat.turns import copied, view
from ui.server.background_answers import BackgroundAnswer, BackgroundAnswers
from ui.server.scope import QuestionScope, parse_scope
from ui.server.suggesting.suggestions import ALL_SOURCES, suggestions
from ui.server.tools import Tools
from ui.shared import trail

QUESTION = "How do I restore the orders database?"


def answered(tools: Tools, question: str = QUESTION, scope: QuestionScope = ALL_SOURCES) -> Turn:
    turn = tools.answers.start(question, scope, tools.principal.person_id)
    run = tools.answers.of(turn.id)
    assert run is not None and run.ended.wait(20)
    kept = tools.chats.turns.get(turn.id)
    assert kept is not None
    return kept


def drawn(tools: Tools, turn: Turn) -> dict[str, Any]:
    assert turn.answer is not None
    return view(turn, None, citation_statuses(tools, turn.answer["citations"]))


def test_a_greeting_is_told_what_can_be_asked_without_a_verdict_or_a_trail(tools: Tools, source: Source) -> None:
    data = drawn(tools, answered(tools, "hello"))
    assert "Ask me about" in data["html"]
    assert not any((data["verdict"], data["verdict_words"], data["short"], data["steps"], data["coverage"], data["as_of"]))


def test_an_answer_is_drawn_with_citations_freshness_and_coverage(tools: Tools, source: Source) -> None:
    data = drawn(tools, answered(tools))
    assert data["verdict_words"] == "Answered"
    assert "snap restore orders" in data["html"] and "data-cite" in data["html"]
    assert data["citations"][0]["state"] == "current" and data["citations"][0]["hint"].startswith("“")
    assert abs(data["as_of"] - time.time()) < 60 and data["version"] > 0
    assert "passages read" in data["coverage"] and data["aged"] == ""
    assert data["summary"].endswith(" s") and "passage" in data["summary"]


def test_a_remembered_trail_is_drawn_like_a_live_one(tools: Tools, source: Source) -> None:
    turn = answered(tools)
    assert turn.answer is not None
    run = BackgroundAnswer(turn.id, turn.question, QuestionScope(), "ada", state="running", steps=turn.answer["trail"])
    running = Turn(**{**turn.model_dump(), "state": "running", "answer": None})
    live, kept = view(running, run, ())["steps"], drawn(tools, turn)["steps"]
    assert view(running, run, ())["running"] and _without_pills(live) == _without_pills(kept)
    assert any(row["pill"] == "looks like the answer" for row in live), "which it turns out to be or not"
    assert any(row["pill"] == "has the answer" for row in kept)


def _without_pills(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row | {"pill": "", "tone": ""} for row in rows]


def test_a_passage_has_the_answer_only_where_the_answer_cites_it(tools: Tools, source: Source) -> None:
    turn = answered(tools)
    assert turn.answer is not None
    cited = next(row for row in drawn(tools, turn)["steps"] if row["pill"] == "has the answer")

    def pills(**changed: Any) -> dict[str, str]:
        told = {**turn.answer, **changed}
        return {row["place"]: row["pill"] for row in trail.rows(told["trail"], answer=told) if row["kind"] == "read"}

    others = [one for one in turn.answer["citations"] if one["place"] != cited["place"]]
    assert pills(citations=others)[cited["place"]] == "not cited"
    assert pills(verdict="partial")[cited["place"]] == "may help"


def test_the_trail_says_why_the_closest_sentence_is_no_answer(tools: Tools, source: Source, folder: Path) -> None:
    (folder / "gate.md").write_text("# Gate\n\nSometimes Ida Holm closed the gate of the quay.\n")
    read_again(tools, source)
    data = drawn(tools, answered(tools, "Who closed the gate of the quay?"))
    assert data["verdict_words"] == "Passages that may help"
    told = [row["reason"] for row in data["steps"] if "Closest sentence" in row["reason"]]
    assert len(told) == 1 and told[0].endswith("Closest sentence: says it of some of them only.")


def test_a_cited_document_that_cannot_be_read_now_is_quoted_and_marked(tools: Tools, source: Source, folder: Path) -> None:
    turn = answered(tools)
    (folder / "runbooks/restore.md").write_bytes(b"\0\1\2\xff" * 500)
    read_again(tools, source)
    data = drawn(tools, turn)
    cited = data["citations"][0]
    assert cited["state"] == "current" and cited["mark"] == "cannot be read now"
    [note] = [note for note in data["notes"] if "Cannot be read now" in note]
    assert "Kept as it was read " in note
    assert data["verdict_words"] == "Answered"


def test_an_edited_passage_is_told_and_no_longer_quoted(tools: Tools, source: Source, folder: Path) -> None:
    turn = answered(tools)
    path = folder / "runbooks/restore.md"
    path.write_text(
        path.read_text()
        .replace("snap restore orders", "snapshotctl load orders")
        .replace("gate stop", "gate halt")
        .replace("Start the", "Launch the")
    )
    read_again(tools, source)
    data = drawn(tools, turn)
    changed = [citation for citation in data["citations"] if citation["state"] == "edited"]
    assert changed and "edited since" in changed[0]["hint"] and "snap restore" not in changed[0]["hint"]
    assert "Ask again" in data["aged"]


def test_an_edit_beside_a_passage_leaves_it_current_and_finds_it_again(tools: Tools, source: Source, folder: Path) -> None:
    turn = answered(tools)
    assert turn.answer is not None
    path = folder / "runbooks/restore.md"
    path.write_text(path.read_text().replace("Before you start", "Mind the gap.\n\nBefore you start"))
    read_again(tools, source)
    citation = next(c for c in turn.answer["citations"] if c["document_id"] == "runbooks/restore.md")
    [status] = citation_statuses(tools, [citation])
    assert status.state == "current" and status.leaf is not None
    assert all(status.leaf.text[p.start : p.end].strip() == p.text for p in status.passages)
    cited = drawn(tools, turn)["citations"]
    assert [c["around"] for c in cited if c["state"] == "current"][0] == "changed elsewhere since"
    assert drawn(tools, turn)["verdict_words"] == "Answered"


def test_nothing_is_said_to_have_changed_that_did_not(tools: Tools, source: Source, folder: Path) -> None:
    turn = answered(tools)
    (folder / "runbooks/other.md").write_text("# Other\n\nSomething else.\n")
    read_again(tools, source)
    assert {citation["around"] for citation in drawn(tools, turn)["citations"]} == {""}


def test_a_removed_document_is_told_and_nothing_of_it_is_shown(tools: Tools, source: Source, folder: Path) -> None:
    turn = answered(tools)
    (folder / "runbooks/restore.md").unlink()
    read_again(tools, source)
    data = drawn(tools, turn)
    [gone] = [citation for citation in data["citations"] if citation["state"] == "removed"]
    assert gone["hint"].endswith("removed since") and gone["locator"] == ""


def test_a_removed_source_leaves_nothing_current(tools: Tools, source: Source) -> None:
    turn = answered(tools)
    tools.sources.mark_removing(source.id)
    assert {citation["state"] for citation in drawn(tools, turn)["citations"]} == {"removed"}


def test_the_cited_words_are_marked_in_the_text_around_them(tools: Tools, source: Source) -> None:
    turn = answered(tools)
    assert turn.answer is not None
    [status, *_] = citation_statuses(tools, turn.answer["citations"])
    assert status.leaf is not None
    parts = marked(status.leaf, [(one.start, one.end) for one in status.passages])
    assert "".join(text for text, _ in parts) == status.leaf.text
    assert {kind for _, kind in parts} == {"same", "cited"}


def test_no_answer_says_so_in_words(tools: Tools, source: Source) -> None:
    data = drawn(tools, answered(tools, "What is the airspeed of a zyzzyva?"))
    assert data["verdict_words"] == "Not found" and data["citations"] == []


def test_a_question_stays_in_its_branch(tools: Tools, source: Source) -> None:
    turn = answered(tools, scope=QuestionScope(place=f"{source.id}/decisions/"))
    assert turn.answer is not None
    assert all(citation["document_id"].startswith("decisions/") for citation in turn.answer["citations"])


def test_what_is_copied_names_its_sources(tools: Tools, source: Source) -> None:
    turn = answered(tools)
    assert turn.answer is not None
    assert "[1] Team › runbooks › Restore the orders database" in copied(turn.answer)


def test_passages_that_may_help_are_called_so_once(tools: Tools, source: Source) -> None:
    turn = answered(tools, "Why do the spare keys hang in the cellar?")
    assert turn.answer is not None and turn.answer["verdict"] == "partial"
    data = drawn(tools, turn)
    assert (data["verdict"], data["verdict_words"]) == ("partial", "Passages that may help")
    assert "may help" not in data["html"] and "spare keys" in data["html"]
    assert data["copy"].startswith("Passages that may help:\n\n") and data["copy"].count("may help") == 1
    of_before = {name: value for name, value in turn.answer.items() if name != "asides"}
    assert without_asides(of_before) == without_asides(turn.answer)


def test_what_is_copied_says_whether_it_is_an_answer(tools: Tools, source: Source) -> None:
    assert drawn(tools, answered(tools))["copy"].startswith("Answered:\n\n")
    assert drawn(tools, answered(tools, "What is the airspeed of a zyzzyva?"))["copy"].startswith("Not found:\n\n")


@pytest.mark.parametrize("scope", [QuestionScope(), QuestionScope(source="ab12"), QuestionScope(place="ab12/a:b/c d/")])
def test_a_scope_survives_being_written(scope: QuestionScope) -> None:
    assert parse_scope(scope.as_text()) == scope


def test_the_trail_in_one_line() -> None:
    step = {"place": "p", "kind": "choose"}
    assert (
        trail.summary([step, {"place": "q", "kind": "read"}], {"seconds": 0.118})
        == "2 steps · 1 choice · 1 passage read · 0.12 s"
    )
    took = {"seconds": 2, "model_calls": 3, "input_tokens": 4_000, "output_tokens": 210, "model": "openai:gpt-x"}
    assert trail.summary([step], took) == "1 step · 1 choice · 3 calls · 4,210 tokens · 2.00 s · with gpt-x"


# ---------------------------------------------------------------- suggestions


def test_suggestions_come_from_the_documents_and_are_answered_by_them(tools: Tools, source: Source) -> None:
    questions = suggestions(tools.workspace, tools.principal)
    assert QUESTION in questions
    assert len(questions) <= 6
    assert all(list(ask(tools.workspace, question, principal=OPERATOR))[-1].verdict == "complete" for question in questions)


def test_an_empty_tree_suggests_nothing(tools: Tools) -> None:
    assert suggestions(tools.workspace, tools.principal) == []


def test_a_header_without_a_word_to_look_for_suggests_nothing(tools: Tools, source: Source) -> None:
    folder = Path(source.config["path"])
    (folder / "why.md").write_text(
        "# Why\n\n## What is this?\n\nIt is that.\n\n## How?\n\n1. So.\n2. And so.\n", encoding="utf-8"
    )
    read_again(tools, source)
    assert all(len(question.split()) > 2 for question in suggestions(tools.workspace, tools.principal))


# ---------------------------------------------------------------- runs


def slow(started: threading.Event, go_on: threading.Event) -> Callable[..., Iterator[Any]]:
    def asking(*arguments: Any, stop: Stop, **options: Any) -> Iterator[Any]:
        for event in ask(*arguments, stop=stop, **options):
            yield event
            started.set()
            while not go_on.wait(0.01):
                if stop.is_set:
                    return

    return asking


@pytest.fixture
def slow_runs(tools: Tools, source: Source) -> Iterator[tuple[BackgroundAnswers, threading.Event, threading.Event]]:
    started, go_on = threading.Event(), threading.Event()
    runs = BackgroundAnswers(tools.workspace, tools.chats, ask=slow(started, go_on))
    yield runs, started, go_on
    go_on.set()
    runs.close()


def test_steps_are_seen_while_it_goes_on_and_the_answer_is_kept(tools: Tools, slow_runs: Any) -> None:
    runs, started, go_on = slow_runs
    turn = runs.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert started.wait(10)
    run = runs.of(turn.id)
    assert view(turn, run, ())["running"] and len(run.steps) == 1
    go_on.set()
    assert run.ended.wait(10)
    assert tools.chats.turns.get(turn.id).state == "done"


def test_a_stopped_question_keeps_the_steps_it_took(tools: Tools, slow_runs: Any) -> None:
    runs, started, _ = slow_runs
    turn = runs.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert started.wait(10)
    runs.stop(turn.id)
    assert runs.of(turn.id).ended.wait(10)
    kept = tools.chats.turns.get(turn.id)
    assert kept.state == "stopped" and len(kept.steps) == 1 and kept.answer is None


def test_closing_marks_what_is_unfinished_as_interrupted(tools: Tools, slow_runs: Any) -> None:
    runs, started, _ = slow_runs
    turns = [
        runs.start(f"{QUESTION} {number}", QuestionScope(), tools.principal.person_id) for number in range(7)
    ]  # more than are answered at once
    assert started.wait(10)
    runs.close()
    assert {tools.chats.turns.get(turn.id).state for turn in turns} == {"interrupted"}


def test_a_fault_is_kept_as_failed_with_words(tools: Tools, source: Source) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[Any]:
        raise RuntimeError("boom")
        yield

    runs = BackgroundAnswers(tools.workspace, tools.chats, ask=broken)
    turn = runs.start(QUESTION, QuestionScope(), tools.principal.person_id)
    assert runs.of(turn.id).ended.wait(10)
    kept = tools.chats.turns.get(turn.id)
    assert kept.state == "failed" and "Ask again" in kept.message and "boom" not in kept.message
    runs.close()


@pytest.mark.parametrize("question", ["", "   ", "x " * 50_000, "?!"])
def test_what_cannot_be_asked_is_refused_and_not_kept(tools: Tools, source: Source, question: str) -> None:
    with pytest.raises(AskError):
        tools.answers.start(question, QuestionScope(), tools.principal.person_id)
    assert tools.chats.rows.recent(tools.principal.person_id) == []
