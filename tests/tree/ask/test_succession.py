"""What replaced what, and when: from what documents say of their own standing, also of "it" in a chat."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from ui.server.answering.question import earlier_of

PAPER = "# 0004: Watch rota: paper\n\n- Date: 2 March 2026\n- Status: **superseded by [0007](0007.md)** on 5 May 2026\n\n## Decision\n\nThe watch rota hangs in the galley.\n"
BOARD = "# 0007: Watch rota: tide board\n\n- Date: 5 May 2026\n- Status: in force; live since the refit on Monday 1 June 2026\n- Supersedes: [0004](0004.md)\n\n## Decision\n\nThe watch rota stands on the tide board.\n"


@pytest.fixture
def rota(docs: Following) -> Following:
    docs.write("decisions/0004.md", PAPER)
    docs.write("decisions/0007.md", BOARD)
    docs.write("notes.md", "# Notes of 30 May 2026\n\nWe switch tomorrow at ten. The paper rota goes into a drawer.\n")
    return docs


@pytest.mark.parametrize(
    "question", ["What replaced the paper?", "Which rota superseded 0004?", "What did we replace the paper with?"]
)
def test_what_took_the_place_of_something_leads(rota: Following, question: str) -> None:
    answer = answered(rota, question)
    assert answer.verdict == "complete" and answer.text.startswith("**0007: Watch rota: tide board**")
    assert "5 May 2026" in answer.text


def test_what_was_given_up_for_something_leads(rota: Following) -> None:
    for question in ("What did the tide board replace?", "Which rota did we give up for the tide board?"):
        answer = answered(rota, question)
        assert answer.verdict == "complete" and answer.text.startswith("**0004: Watch rota: paper**"), question


def test_the_day_since_which_it_is_in_use_is_not_the_day_of_the_decision(rota: Following) -> None:
    for question in ("When did we switch to the tide board?", "When did we give up the paper?"):
        answer = answered(rota, question)
        assert answer.verdict == "complete" and answer.text.startswith("**1 June 2026**"), question
    assert answered(rota, "When was 0004 superseded?").text.startswith("**5 May 2026**")


def test_a_day_of_the_decision_alone_does_not_say_when_somebody_switched(rota: Following) -> None:
    rota.write("decisions/0007.md", BOARD.replace("; live since the refit on Monday 1 June 2026", ""))
    answer = answered(rota, "When did we switch to the tide board?")
    assert answer.verdict == "partial" and answer.text.startswith("**5 May 2026**: then 0004")


def test_it_is_what_the_chat_was_told_last(rota: Following) -> None:
    first = answered(rota, "What replaced the paper?")
    then = answered(rota, "When did we switch to it?", [earlier_of("What replaced the paper?", first.as_json())])
    assert then.verdict == "complete" and then.text.startswith("**1 June 2026**")


def test_of_the_old_one_it_is_shown_and_not_called_answered(rota: Following) -> None:
    first = answered(rota, "What did the tide board replace?")
    then = answered(rota, "When did we switch to it?", [earlier_of("What did the tide board replace?", first.as_json())])
    assert then.verdict == "partial" and then.text.startswith("**1 June 2026**")


def test_what_nothing_says_was_replaced_is_not_told(rota: Following) -> None:
    for question in ("What replaced the galley?", "What replaced the rota?", "When did we switch to the drawer?"):
        assert not answered(rota, question).text.startswith("**00"), question
    rota.write("decisions/0004.md", PAPER.replace("superseded by [0007](0007.md)", "in force"))
    rota.write("decisions/0007.md", BOARD.replace("- Supersedes: [0004](0004.md)\n", ""))
    assert answered(rota, "What replaced the paper?").verdict != "complete"
