"""Decisions and promises in chats: said in passing, by many people, in a channel that is named above the turns."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

CHAT = """#friday-round  6 Mar 2026 (from home)

[09:00] Ada: morning all, quick round
[09:01] Ben: the mast is painted, two coats
[09:02] Cleo: pier gate is stuck again
[09:03] Ada: I call the smith today
[09:04] Dov: tickets at 412
[09:05] Eve: the kiosk needs a helper over Easter
[09:06] Ada: ok decided then: we hire a student for the kiosk for three weeks
[09:07] Finn: agreed
[09:08] Gus: has anybody seen the long rope?
[09:09] Hal: next one 13 march, bye
"""
OLDER = """# Friday round, 27 February 2026

Present: Ada, Ben, Cleo.

- Decided: the pier opens on 1 April.
"""


@pytest.fixture
def round_(docs: Following) -> Following:
    docs.write("round/2026-03-06-chat.txt", CHAT)
    docs.write("round/2026-02-27.md", OLDER)
    return docs


@pytest.mark.parametrize(
    "question",
    [
        "what did the friday round decide on 6 march",
        "What was decided about the kiosk?",
        "what was agreed on 6 March 2026?",
    ],
)
def test_what_somebody_says_was_decided_is_a_decision(round_: Following, question: str) -> None:
    answer = answered(round_, question)
    assert "we hire a student for the kiosk" in answer.text
    assert "No decision is on record" not in answer.text


def test_what_was_decided_on_another_day_stays_apart(round_: Following) -> None:
    answer = answered(round_, "what did the friday round decide on 27 february")
    assert "opens on 1 April" in answer.text
    assert "student" not in answer.text


@pytest.mark.parametrize("turn", ["is that decided then: yes or no?", "decided: ok", "I would have decided: no kiosk at all?"])
def test_what_asks_or_says_nothing_is_none(docs: Following, turn: str) -> None:
    docs.write(
        "round/2026-03-06-chat.txt", CHAT.replace("ok decided then: we hire a student for the kiosk for three weeks", turn)
    )
    assert turn not in answered(docs, "what was decided on 6 march 2026").text


def test_what_somebody_says_they_do_today_is_their_action(round_: Following) -> None:
    assert "I call the smith today" in answered(round_, "what does Ada have to do?").text
