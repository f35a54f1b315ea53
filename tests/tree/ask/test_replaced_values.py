"""A value that a document states is told below the sentence that says what has taken its place."""

from __future__ import annotations

import pytest

from prompts.extractive.replaced_values import is_replaced
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

PLAN = "# Moving plan\n\n*Kit Marlo, 4 January 2026*\n\n| Boat | Opening | Seats | Fare |\n|---|---|---|---|\n| P3 Plover | 14 May 2026 | 40 | 1,250 |\n| D4 Dunlin | 6 August 2026 | 60 | 990 |\n"


@pytest.mark.parametrize(
    ("question", "change", "told"),
    [
        ("When is the opening of P3?", "**P3** moves from 14 May to **11 June 2026**, the yard is late.", "11 June 2026"),
        ("What is the opening of P3?", "P3 opened on 2 June and not on 14 May: the rail was missing.", "2 June"),
        ("What is the fare of the Plover?", "- Plover: fare 1,400 instead of 1,250", "1,400"),
        ("How many seats does the Plover have?", "The Plover was cut from 40 to 36 seats.", "36"),
        ("fare of the Plover", "The fare of the Plover: 1,250 -> 1,500 by order of the board.", "1,500"),
    ],
)
def test_what_took_its_place_leads(docs: Following, question: str, change: str, told: str) -> None:
    docs.write("plan.md", PLAN)
    docs.write("changes.md", f"# What changed (3 March 2026)\n\nAfter the meeting of the board.\n\n{change}\n\nAll else stays.\n")
    answer = answered(docs, question)
    assert answer.verdict == "complete" and told in answer.text.split("Until 3 March 2026: ")[0], answer.text
    assert "Until 3 March 2026: " in answer.text


def test_a_table_that_is_newer_than_the_change_stands(docs: Following) -> None:
    docs.write("plan.md", PLAN.replace("4 January 2026", "9 April 2026"))
    docs.write("changes.md", "# What changed (3 March 2026)\n\nThe fare of the Plover is 1,100 instead of 1,250.\n")
    answer = answered(docs, "What is the fare of the Plover?")
    assert answer.verdict == "complete" and "1,250" in answer.text and "1,100" not in answer.text


def test_where_no_day_tells_which_was_last_nothing_is_called_answered(docs: Following) -> None:
    docs.write("plan.md", PLAN.replace("*Kit Marlo, 4 January 2026*\n\n", ""))
    docs.write("changes.md", "# What changed\n\nThe fare of the Plover is 1,100 instead of 1,250.\n")
    answer = answered(docs, "What is the fare of the Plover?")
    assert answer.verdict == "partial" and "1,250" in answer.text and "1,100" in answer.text


def test_a_change_that_says_the_same_or_is_of_another_thing_changes_nothing(docs: Following) -> None:
    docs.write("plan.md", PLAN)
    docs.write(
        "changes.md", "# What changed (3 March 2026)\n\nPlover: fare 1,250 instead of 1,100.\n\nDunlin: fare 1,250 and not 990.\n"
    )
    answer = answered(docs, "What is the fare of the Plover?")
    assert answer.verdict == "complete" and answer.text.startswith("**1,250**")


def test_two_undated_pages_that_say_otherwise_are_a_contradiction(docs: Following) -> None:
    docs.write(
        "spare-vests.txt", "Spare vests for the piers\n\nNorth: 7 in the chest. Ostwick: 6, in the shed, key with the warden.\n"
    )
    docs.write("ostwick.md", "# Notes about Ostwick\n\n- The gate sticks.\n- There are 4 spare vests at Ostwick, in the loft.\n")
    answer = answered(docs, "How many spare vests are there in Ostwick?")
    assert answer.verdict == "partial" and answer.text.startswith("Statements differ:")
    assert "6, in the shed" in answer.text and "4 spare vests" in answer.text
    docs.write("ostwick.md", "# Notes about Ostwick\n\n- The gate sticks.\n- There are 6 spare vests at Ostwick, in the loft.\n")
    assert answered(docs, "How many spare vests are there in Ostwick?").verdict == "complete"


@pytest.mark.parametrize(
    "said",
    [
        "The pier is open from 14 May to 3 June.",
        "Plover 1,250, Dunlin 990.",
        "It now costs 1,250 and no longer 990.",
        "Raised from 990 to 1,250.",
    ],
)
def test_a_span_a_list_or_the_new_value_itself_is_no_replacement(said: str) -> None:
    assert not is_replaced("1,250", said) and not is_replaced("14 May 2026", said)


FAQ = "# FAQ\n{written}\n**How long is a berth code valid?**\n72 hours. After that the berth is free again.\n"
GUILD = "# Harbour guild, 5 October 2026\n\n## 2. Lifetime of the berth code\n\n**Decided: 96 hours for all guests, instead of 72.** Sundays count.\n"


def test_a_decision_below_a_heading_replaces_what_an_answer_says(docs: Following) -> None:
    docs.write("faq.md", FAQ.format(written=""))
    docs.write("guild.md", GUILD)
    answer = answered(docs, "how long is a berth code valid?")
    assert answer.verdict == "partial" and answer.text.index("96 hours") < answer.text.index("72 hours. After"), answer.text


@pytest.mark.parametrize(
    ("written", "leads"), [("\nLast updated: 2026-03-01\n", "96 hours"), ("\nLast updated: 2026-11-01\n", "72 hours")]
)
def test_the_newer_of_the_two_leads(docs: Following, written: str, leads: str) -> None:
    docs.write("faq.md", FAQ.format(written=written))
    docs.write("guild.md", GUILD)
    answer = answered(docs, "how long is a berth code valid?")
    assert leads in answer.text.split("Until 5 October 2026: ")[0]
    assert answer.verdict == "complete" and ("Until 5 October 2026: 72" in answer.text) is (leads == "96 hours")


def test_what_replaced_the_value_of_somebody_else_does_not_lead(docs: Following) -> None:
    docs.write("a.md", "# Yard, 1 March 2026\n\nVisitors may park in the yard for 12 hours.\n")
    docs.write("b.md", "# Yard, 1 October 2026\n\nStaff may park in the yard for 24 hours instead of 12.\n")
    text = answered(docs, "how many hours may visitors park in the yard?").text
    assert text.index("Visitors may park") < text.find("Staff may park") or "Staff" not in text
    assert "Until" not in text


@pytest.mark.parametrize("struck", ["~~Sat 5 Dec 4 pm~~ -> Sat 12 Dec, in the hall", "Sat 12 Dec ~~5 Dec~~, in the hall"])
def test_what_is_struck_through_in_a_note_is_replaced(docs: Following, struck: str) -> None:
    docs.write("faq.md", "# Questions people ask\n\n**When is the lamp parade?** Saturday 5 December 2026, 4 pm.\n")
    docs.write("note.md", f"# Lamp parade, working note\n\nWhere and when: {struck}.\n")
    answer = answered(docs, "When is the lamp parade?")
    assert answer.verdict == "partial" and 0 < answer.text.find("12 Dec") < answer.text.find("Saturday 5 December")


def test_a_day_that_is_not_struck_through_is_not_replaced() -> None:
    assert is_replaced("5 December", "~~5 Dec~~ -> 12 Dec")
    assert not is_replaced("12 December", "~~5 Dec~~ -> 12 Dec")
    assert not is_replaced("12 December", "~~5 Dec~~ 12 Dec ~~13 Dec~~")
    assert not is_replaced("5 December", "~~5 Dec~~")  # it names no other


@pytest.mark.parametrize(
    "question",
    ("What does the confocal microscope cost internal users an hour now?", "confocal microscope an hour for internal users now"),
)
def test_what_held_until_a_day_that_is_over_does_not_lead_where_it_is_asked_how_things_are(
    docs: Following, question: str
) -> None:
    docs.write(
        "fees.md",
        "# Fees of the instruments\n\nSigned on 2 July 2026.\n\n## Other things\n\nConfocal microscope until 31 July 2026: £28 an hour for internal users.\n\nNights cost half.\n",
    )
    docs.write(
        "minutes.md",
        "# Meeting of users, 10 March 2026\n\n## Fees\n\n- confocal microscope from £28 to £32 an hour for internal users\n",
    )
    told = answered(docs, question).text
    assert "£32" in told and told.index("£32") < told.index("until 31 July"), told


def test_a_change_to_what_is_stated_confirms_it(docs: Following) -> None:
    docs.write(
        "policy.md", "# How long we keep what\n\nLast reviewed 1 June 2026\n\n- Audit log (who looked at what): 24 months.\n"
    )
    docs.write("changelog.md", "# Changelog\n\n## 2 June 2026\n\n- Audit log is kept for 24 months from now on instead of 12\n")
    answer = answered(docs, "How long is the audit log kept?")
    assert answer.verdict == "complete" and "differ" not in answer.text and "24" in answer.text, answer.text
    docs.write("changelog.md", "# Changelog\n\n## 2 June 2026\n\n- Audit log is kept for 12 months from now on instead of 24\n")
    assert "12 months" in answered(docs, "How long is the audit log kept?").text
