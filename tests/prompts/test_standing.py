"""Whether a document still holds."""

from __future__ import annotations

import pytest

from prompts.extractive.standing import asks_of_then, holds_no_more, is_superseded
from prompts.records import LeafText
from tests.ingestion.workspaces import Following

TEXT = "# Travel\n\nUp to 90 euro a night.\n"


@pytest.mark.parametrize(
    ("folder", "name", "text", "over"),
    [
        ("old", "travel-2024", TEXT, True),
        ("Old versions", "travel", TEXT, True),
        ("_superseded", "travel", TEXT, True),
        ("veraltet", "reisen", TEXT, True),
        ("policies", "travel_old", TEXT, True),
        ("policies", "travel (superseded)", TEXT, True),
        ("policies", "travel", "# Travel\n\n(kept for old claims. Superseded, see version 3)\n\nUp to 90 euro.\n", True),
        ("policies", "travel", "# Travel\n\n> **Superseded.** Replaced on 1 May 2026 by the next one.\n\nUp to 90 euro.\n", True),
        ("policies", "travel", "# Travel\n\n> **Note (BA):** replaced by `travel-2026.md`.\n\nUp to 90 euro.\n", True),
        ("policies", "travel", "# Travel\n\nThis table is superseded, the office has the new one.\n\nUp to 90 euro.\n", True),
        ("policies", "travel_OLD_2025", TEXT, True),
        ("policies", "travel", "# Travel\n\n> note Ida: do NOT use any more, see the new one\n\nUp to 90 euro.\n", True),
        ("policies", "travel", "# Travel\n\nKept for reference.\n\nUp to 90 euro.\n", True),
        (
            "policies",
            "travel",
            "# Travel\n\n!! OLD – replaced on 1 March 2026. Kept for the two claims only. !!\n\nUp to 90 euro.\n",
            True,
        ),
        ("policies", "OLD_travel_2022", TEXT, True),
        ("policies", "old-town-visits", TEXT, False),
        ("policies", "travel", "# Travel\n\nOLD boats travel free. Up to 90 euro.\n", False),
        ("policies", "lift", "# Lift\n\nDo not use the lift any more, it is broken.\n\nUp to 90 euro.\n", False),
        ("policies", "pump", "# Pump\n\nBroken: replaced by Ida in May.\n\nUp to 90 euro.\n", False),
        ("policies", "travel", TEXT, False),
        ("Old Town", "travel", TEXT, False),
        ("old people's home", "visits", TEXT, False),
        ("policies", "household", TEXT, False),
        ("archive", "minutes-2026-05", TEXT, False),  # what was decided then may hold
    ],
)
def test_what_lies_among_old_documents_holds_no_more(folder: str, name: str, text: str, over: bool) -> None:
    leaf = LeafText(text, ("Travel",), name=name, inside=("Docs", folder))
    assert is_superseded(leaf, text.index("Up to")) is over


@pytest.mark.parametrize(
    ("question", "then"),
    [
        ("What did the old policy say?", True),
        ("What is in the previous version?", True),
        ("What was the limit before?", True),
        ("what is the limit before 2026", True),
        ("Do we have to visit people before they take a cat?", False),
        ("How old is the policy?", False),
        ("What is the policy on hotels?", False),
    ],
)
def test_an_old_version_is_asked_for(question: str, then: bool) -> None:
    assert asks_of_then(question) is then


def test_of_two_versions_the_one_that_holds_leads(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "policies/old/travel-2024.md", "# Travel rules, 2024\n\n## Hotel\n\nHotel rooms may cost up to 90 euro a night.\n"
    )
    following.write(
        "policies/travel.md", "# Travel\n\n## Nights away\n\nA room costs at most 130 euro a night, hotel or guest house.\n"
    )
    following.write("policies/gifts.md", "# Gifts\n\nA gift may cost up to 20 euro.\n")
    following.sync()
    assert following.ask("How much may hotel rooms cost a night?").text.startswith("A room costs at most 130 euro a night")
    told = following.ask("hotel rooms").text
    assert "130 euro" in told and "90 euro" not in told
    old = following.ask("What did the old rules say of hotel rooms?").text
    assert old.find("90 euro") >= 0 and "(marked as superseded)" in old
    following.workspace.close()


def test_what_a_document_stated_that_holds_no_more_stands_below_what_holds(tmp_path) -> None:
    following = Following(tmp_path)
    table = "| Course | Fee | Contact |\n|---|---|---|\n| Pottery | {} | {} |\n| Welding | 230 euro | Jon Arp |\n"
    following.write("old/fees-2024.md", "# Fees 2024\n\n" + table.format("120 euro", "Rita Sol"))
    following.write("fees.md", "# Fees\n\n" + table.format("140 euro", "Nils Vane"))
    following.write("rules.md", "# Desk rules\n\nOwner: Mia Lund\n\nThe desk closes at 19:30.\n")
    following.write("rules-2023.md", "# Desk rules (superseded)\n\nOwner: Rita Sol\n\nThe desk closes at 18:00.\n")
    following.write("old/keys.md", "# Keys\n\n| Key | Room |\n|---|---|\n| K1 | Attic |\n| K2 | Cellar |\n")
    following.sync()
    fee = following.ask("How much is pottery?")
    assert fee.verdict == "complete" and fee.text.startswith("**140 euro**") and "Superseded: **120 euro**" in fee.text
    assert following.ask("who is the contact for pottery?").text.startswith("**Nils Vane**")
    assert following.ask("who owns the desk rules?").text.startswith("**Mia Lund**")
    assert following.ask("what was the fee for pottery in 2024?").text.startswith("**120 euro**")
    alone = following.ask("Which room is key K2 for?")
    assert alone.verdict == "partial" and "Cellar" in alone.text and "marked as superseded" in alone.text
    following.workspace.close()


def test_what_a_later_part_of_such_a_document_says_is_not_called_the_answer(tmp_path) -> None:
    following = Following(tmp_path)
    parts = "".join(f"## Part {at}\n\n{'Something is said here of trains and hotels at length. ' * 18}\n\n" for at in range(14))
    table = "## Allowances\n\n| Trip | Allowance |\n|---|---|\n| day trip | 20 EUR |\n| night trip | 45 EUR |\n"
    following.write("travel.md", f"# Travel rules\n\nThis document is superseded by Travel rules 2026.\n\n{parts}{table}")
    following.write(
        "expenses.md",
        "# Expenses\n\n> This page is outdated. Do not use.\n\n| Item | Limit |\n|---|---|\n| Lunch | 15 EUR |\n| Dinner | 35 EUR |\n",
    )
    following.sync()
    for question, told in (
        ("What is the allowance for a night trip?", "45 EUR"),
        ("Which items have a limit above 20 EUR?", "35 EUR"),
    ):
        answer = following.ask(question)
        assert answer.verdict == "partial" and told in answer.text and "marked as superseded" in answer.text
    following.workspace.close()


@pytest.mark.parametrize(
    ("remark", "is_doubted"),
    [
        ("[HB: the board has changed the rate, see the June minutes.]", True),
        ("*(Thursday slot: will move, see the mails.)*", True),
        ("(changed from 250)", False),
        ("[the June minutes](minutes.md)", False),
    ],
)
def test_a_remark_in_brackets_doubts_the_line(remark: str, is_doubted: bool) -> None:
    assert holds_no_more(LeafText(f"# Money\n\nThe rate is 25p a mile. {remark}\n", ("Money",)), 9) is is_doubted


def test_minutes_that_replace_a_value_stand_above_the_page_that_has_it(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("handbook.md", "# Handbook\n\n## Money\n\nVolunteers get mileage for trips. The rate is 25p a mile.\n")
    following.write(
        "minutes.md",
        "# Minutes 11 June 2026\n\n1. **Volunteer expenses.** Mileage has been 25p since 2019. *Decided:* 30p a mile from 1 July 2026.\n"
        "2. **Hall.** The rent has been 25 euro since 2020. *Decided:* 40 euro.\n",
    )
    following.sync()
    told = following.ask("mileage rate for volunteers")
    assert told.text.partition("More passages")[0].find("30p a mile") >= 0 and told.verdict != "complete"
    following.workspace.close()
