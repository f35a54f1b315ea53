"""The questions that the app suggests for the sample workspace and its Jira."""

from __future__ import annotations

from pathlib import Path

from bench.answers import sample_workspace
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.workspace import Workspace
from ui.chat.suggestion_cache import SuggestionCache
from ui.server.answering.question import earlier_of
from ui.server.scope import QuestionScope
from ui.server.suggesting.asked_next import follow_ups
from ui.server.suggesting.suggestions import ALL_SOURCES, candidates, suggestions


def test_every_suggested_question_is_answered(tmp_path: Path) -> None:
    workspace = sample_workspace(tmp_path / "home")
    folder, jira = workspace.store.sources.askable()
    for scope in (ALL_SOURCES, QuestionScope(source=folder.id), QuestionScope(source=jira.id)):
        found = suggestions(workspace, OPERATOR, scope, seconds=60)
        assert len(found) >= 3, scope
        for question in found:
            *_, answer = ask(workspace, question, sources=scope.sources, places=scope.places, principal=OPERATOR)
            assert isinstance(answer, Answer) and answer.verdict == "complete", question
    offered = list(candidates(workspace, OPERATOR, ALL_SOURCES))
    assert {"Which bugs are open?", "Who owns Lantern?", "Can I change my booking?"} <= set(offered)
    assert follow_ups_of(workspace, "Which bugs are open?")[0] == "Which of them are high priority?"
    assert follow_ups_of(workspace, "What was decided about retries?")
    task = SuggestionCache().find(workspace, OPERATOR, ALL_SOURCES, (folder.id, jira.id))
    assert task.ended.wait(60) and task.result
    workspace.close()


def follow_ups_of(workspace: Workspace, question: str) -> list[str]:
    """Each is answered in the chat."""
    *_, answer = ask(workspace, question, principal=OPERATOR)
    earlier = [earlier_of(question, answer.as_json())]
    found = follow_ups(workspace, OPERATOR, ALL_SOURCES, answer.as_json(), earlier)
    for after in found:
        *_, answer = ask(workspace, after, principal=OPERATOR, earlier=earlier)
        assert answer.verdict == "complete" and answer.citations, after
    assert len(found) <= 3 and question not in found
    return found
