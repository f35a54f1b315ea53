"""Of lists of actions what holds is told: of this year's list and not of the one before, with its own state, and without what is done."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

_HEAD = "| Action | Owner | Due | Status |\n|---|---|---|---|\n"
OLD = f"# Action list 2025\n\nSuperseded by the action list 2026.\n\n{_HEAD}| Oil the winch | Ana Sol | 1 May 2025 | open |\n| Sell the punt | Ben Marsh | 2 May 2025 | open |\n"
NEW = f"# Action list 2026\n\n{_HEAD}| Oil the winch | Ana Sol | 1 May 2026 | done |\n| Mend the net | Ana Sol | 1 June 2026 | open |\n"


@pytest.fixture
def lists(docs: Following) -> Following:
    docs.write("actions-2025.md", OLD)
    docs.write("actions-2026.md", NEW)
    return docs


@pytest.mark.parametrize(
    "question", ["What has Ana to do?", "What must Ana Sol do?", "todos of Ana", "Which actions of Ana are open?"]
)
def test_what_is_done_is_not_to_be_done(lists: Following, question: str) -> None:
    answer = answered(lists, question)
    assert answer.verdict == "complete" and "Mend the net" in answer.text and "winch" not in answer.text, answer.text


def test_nothing_of_a_superseded_list_stands_beside_one_that_holds(lists: Following) -> None:
    answer = answered(lists, "Which actions does Ana have?")
    assert answer.verdict == "complete" and answer.text.startswith("**2 actions**"), answer.text
    assert "1 May 2026" in answer.text and "(Ana Sol; done;" in answer.text and "2025" not in answer.text


def test_what_only_a_superseded_list_has_is_told_as_that(lists: Following) -> None:
    answer = answered(lists, "What has Ben to do?")
    assert answer.verdict == "partial" and "another has taken the place of" in answer.text and "punt" in answer.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana Sol | 1 May 2026 | open", "Ana Sol | 1 May 2026 | done"),
        ("Ana Sol | 1 May 2026 | open", "Ana Sol | 1 July 2026 | open"),
        ("Ana Sol | 1 May 2026 | open", "Ben Marsh | 1 May 2026 | open"),
    ],
)
def test_actions_that_differ_are_not_taken_for_one(docs: Following, one: str, other: str) -> None:
    docs.write("a.md", f"# Action list A\n\n{_HEAD}| Oil the winch | {one} |\n")
    docs.write("b.md", f"# Action list B\n\n{_HEAD}| Oil the winch | {other} |\n")
    assert answered(docs, "Which actions are there about the winch?").text.startswith("**2 actions**")


def test_the_same_action_in_two_lists_is_told_once(docs: Following) -> None:
    for name in ("a", "b"):
        docs.write(f"{name}.md", f"# Action list {name}\n\n{_HEAD}| Oil the winch | Ana Sol | 1 May 2026 | open |\n")
    assert answered(docs, "Which actions are there about the winch?").text.startswith("**1 action**")


def test_where_all_is_done_that_is_said(docs: Following) -> None:
    docs.write("a.md", f"# Action list\n\n{_HEAD}| Oil the winch | Ana Sol | 1 May 2026 | done |\n")
    answer = answered(docs, "What has Ana to do?")
    assert answer.verdict == "partial" and "all of it is done" in answer.text, answer.text


def test_what_is_due_again_is_not_done_by_what_was_done_before(docs: Following) -> None:
    docs.write("a.md", f"# Action list A\n\n{_HEAD}| Oil the big winch | Ana Sol | 1 May 2025 | done |\n")
    docs.write("b.md", f"# Action list B\n\n{_HEAD}| Oil the big winch | Ana Sol | 1 May 2026 | open |\n")
    answer = answered(docs, "Which actions of Ana are open?")
    assert answer.verdict == "complete" and "1 May 2026" in answer.text and "2025" not in answer.text, answer.text
    assert "1 May 2026" in answered(docs, "What has Ana to do?").text
