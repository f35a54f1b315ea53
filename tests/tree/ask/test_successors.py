"""Whoever has a role by a table stands below what says later that somebody else has taken it over; who is a deputy is not whose."""

from __future__ import annotations

import pytest

from prompts.extractive.successors import Role, is_succeeded
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

CREWS = "# Crews\n\nUpdated 2 November 2026\n\n| Crew | Lead | Deputy |\n|---|---|---|\n| Winch | Jon Aske | Cora Vale |\n| Mast | Ida Holm | Per Lund |\n"
LEAD = Role((), "Lead", frozenset(("winch",)))


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("Winch: Cora Vale takes over as lead from Jon Aske at once.", True),
        ("Winch: Cora takes over from Jon.", True),
        ("Zoe Tarn is the new lead of Winch.", True),
        ("Zoe leads Winch now.", True),
        ("From 1 December Zoe leads Winch instead of Jon.", True),
        ("[2026-11-24 09:00] Jon Aske: Zoe is lead of winch now, I hand it over", True),
        ("Winch goes from Jon Aske to Zoe Tarn.", True),
        ("Winch: Zoe takes over the stand-ups from Jon.", False),
        ("Winch: Zoe from Aske now leads the demo.", False),
        ("Jon is now on leave, ask Zoe about Winch.", False),
        ("Zoe leads the demo of the Winch now.", False),
        ("Jon Aske leads Winch now.", False),
        ("[2026-11-24 09:00] Winch Cat: Zoe is the new lead", False),
    ],
)
def test_what_says_that_somebody_else_has_it(said: str, is_so: bool) -> None:
    assert is_succeeded("Jon Aske", said, LEAD) == is_so


def test_what_says_who_had_it_before_is_no_news_of_who_has_it() -> None:
    assert not is_succeeded("Team Quay, since 1 June 2026 (before: Team Chart)", "Winch moves from Team Chart to Team Quay", LEAD)


def test_whoever_takes_over_stands_above_whom_the_table_names(docs: Following) -> None:
    docs.write("crews.md", CREWS)
    docs.write(
        "round.md",
        "# Yard round 24 November 2026\n\n- Winch: Cora Vale takes over as lead from Jon Aske at once.\n- Mast: Zoe Tarn is the new lead.\n",
    )
    winch = answered(docs, "Who leads Winch?")
    assert winch.text.index("Cora Vale takes over") < winch.text.index("Until 24 November 2026: **Jon Aske**"), winch.text
    mast = answered(docs, "Who leads Mast?")
    assert mast.verdict == "partial" and mast.text.index("Zoe Tarn") < mast.text.index("Ida Holm"), mast.text
    deputy = answered(docs, "Who is the deputy of Winch?")
    assert deputy.verdict == "complete" and "Cora Vale" in deputy.text


@pytest.mark.parametrize("question", ["Who covers for Ida?", "Who stands in for Ida Holm?", "Who is the deputy of Mast?"])
def test_a_new_deputy_in_a_chat_stands_above_the_one_of_the_table(docs: Following, question: str) -> None:
    docs.write("crews.md", CREWS)
    docs.write("chat.txt", "[2026-11-24 09:00] Ida Holm: Cora is my deputy now, Per leaves Mast\n")
    told = answered(docs, question)
    assert told.text.index("Cora is my deputy") < told.text.index("Until 24 November 2026: **Per Lund**"), told.text


def test_who_is_a_deputy_is_not_who_has_one(docs: Following) -> None:
    docs.write("chat.txt", "[2026-11-24 09:00] Ida Holm: Cora is my deputy now, Per leaves Mast\n")
    assert answered(docs, "Who covers for Cora?").verdict != "complete"


def test_what_else_somebody_takes_over_changes_no_lead(docs: Following) -> None:
    docs.write("crews.md", CREWS)
    docs.write(
        "chat.txt",
        "[2026-11-24 09:00] Bo Reed: Winch: Zoe takes over the demo from Jon tomorrow\n"
        "[2026-11-24 09:01] Bo Reed: Zoe leads the demo of Mast now\n",
    )
    assert answered(docs, "Who leads Winch?").verdict == answered(docs, "Who leads Mast?").verdict == "complete"
