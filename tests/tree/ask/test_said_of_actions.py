"""An action stands above what is said of it later in its own words: that it is done, or somebody else's."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

REGISTER = """# Actions

Updated 20 November 2026

| No | What | Who | Due | State |
|---|---|---|---|---|
| A-01 | Order the oars | Ida Holm | 30 November 2036 | open |
| A-02 | Renew the licence | Bo Reed | 25 November 2026 | open |
| A-03 | Paint the fence | Per Lund | 2 December 2036 | open |
"""
CHAT = (
    "[2026-11-24 09:00] Bo Reed: licence is renewed, done\n[2026-11-24 09:02] Ida Holm: Zoe takes over the oars from me\n"
    "[2026-11-24 09:03] Per Lund: the fence is ugly\n"
)


@pytest.mark.parametrize(
    ("question", "later"),
    [
        ("What does Bo still have to do?", "licence is renewed"),
        ("Which actions are overdue?", "licence is renewed"),
        ("What does Ida have to do?", "Zoe takes over the oars"),
        ("Who has to order the oars?", "Zoe takes over the oars"),
        ("Is A-02 done?", "licence is renewed"),
        ("Which actions are due in November 2026?", "licence is renewed"),
        ("Which actions are due before December 2026?", "licence is renewed"),
    ],
)
def test_what_is_said_later_in_its_words_stands_beside_it(docs: Following, question: str, later: str) -> None:
    docs.write("actions.md", REGISTER)
    docs.write("chat.txt", CHAT)
    told = answered(docs, question)
    assert told.verdict == "partial" and later in told.text and "Said later" in told.text, told.text


@pytest.mark.parametrize(
    "said",
    [
        "[2026-11-24 09:00] Bo Reed: who has the key of the licence?",
        "[2026-11-24 09:00] Bo Reed: the licence is dear",
        "[2026-11-24 09:00] Bo Reed: licence server is up, all done",
        "[2026-11-10 09:00] Bo Reed: licence is renewed, done",
    ],
)
def test_what_is_asked_or_was_said_before_changes_nothing(docs: Following, said: str) -> None:
    docs.write("actions.md", REGISTER)
    docs.write("chat.txt", f"{said}\n")
    told = answered(docs, "What does Bo still have to do?")
    assert told.verdict == "complete" and "Said later" not in told.text, told.text


def test_the_same_action_in_later_minutes_is_no_news_of_it(docs: Following) -> None:
    docs.write(
        "a.md",
        "# Round 5 November 2026\n\n## Actions\n\n- Ida Holm: order the oars by 30 November 2036\n- Bo Reed: renew the licence\n",
    )
    docs.write("b.md", "# Round 19 November 2026\n\n## Actions\n\n- Ida Holm: order the oars by 30 November 2036\n")
    docs.write("c.md", "# Round 24 November 2026\n\n- Licence: renewed by Bo.\n")
    assert "Said later" not in answered(docs, "What does Ida have to do?").text
    assert "Said later: Licence: renewed by Bo." in answered(docs, "What does Bo have to do?").text


def test_later_minutes_of_the_same_file_say_what_became_of_it(docs: Following) -> None:
    docs.write(
        "rounds.md",
        "# Rounds\n\n## 5 November 2026\n\nActions:\n\n- Ida Holm: order the oars by 30 November 2036\n\n## 19 November 2026\n\nThe oars are ordered.\n",
    )
    told = answered(docs, "What does Ida have to do?")
    assert told.verdict == "partial" and "Said later: The oars are ordered." in told.text, told.text


def test_a_table_that_is_no_register_of_actions_is_told_as_it_is(docs: Following) -> None:
    docs.write(
        "levels.md",
        "# Levels\n\n| Level | What | How many | Who |\n|---|---|---|---|\n| 1 | Each winch alone | 12 | Bo Reed |\n| 2 | All winches | 4 | Ida Holm |\n",
    )
    docs.write("chat.txt", "[2026-11-24 09:00] Per Lund: done it myself, the winch alone\n")
    assert "Said later" not in answered(docs, "Who is level 1?").text
