"""A sentence is not called the answer where a newer line, or a row of a table, says otherwise in the words of the question."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

MARCH = "# Harbour round, 3 March 2026\n\n- Decision: the old crane is taken down on 1 June 2026.\n- Budget for the regatta: 4,000 euros, approved by Ida.\n"
APRIL = "# Harbour round, 7 April 2026\n\n- Old crane: the fence is ordered. Decision: taken down on 1 August 2026 and not 1 June.\n- Regatta on 5 July, six clubs. Budget raised to 5,500 euros.\n- Next round in May.\n"


@pytest.mark.parametrize(
    ("question", "newer", "older"),
    [
        ("when is the old crane taken down", "1 August 2026", "1 June 2026"),
        ("what is the budget of the regatta", "5,500 euros", "4,000 euros"),
    ],
)
def test_a_newer_line_that_says_it_in_two_sentences_stands_first(docs: Following, question: str, newer: str, older: str) -> None:
    docs.write("minutes/2026-03-03.md", MARCH)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and older in answer.text, answer.text
    docs.write("minutes/2026-04-07.md", APRIL)
    answer = answered(docs, question)
    assert answer.verdict == "partial" and answer.text.index(newer) < answer.text.index(older), answer.text
    assert answer.text.index("(7 April 2026)") < answer.text.index("(3 March 2026)"), "each with when it was said"


def test_an_older_line_says_nothing_against_a_newer_one(docs: Following) -> None:
    docs.write("minutes/2026-03-03.md", "# Harbour round, 3 March 2026\n\n- Old crane: taken down on 1 August 2026, says Per.\n")
    docs.write("minutes/2026-04-07.md", "# Harbour round, 7 April 2026\n\n- The old crane is taken down on 1 June 2026.\n")
    answer = answered(docs, "when is the old crane taken down")
    assert "1 June 2026" in answer.text.split("\n")[0] and answer.verdict == "complete", answer.text


@pytest.mark.parametrize(("said", "has_older"), [("10 December at 18:00", False), ("11 December at 18:00", True)])
def test_a_later_mail_that_adds_the_hour_to_the_same_day_says_nothing_against_it(
    docs: Following, said: str, has_older: bool
) -> None:
    docs.write(
        "2026-11-19.md", "# Meeting, 19 November 2026\n\n- The summer party moves to 10 December; the boathouse is booked.\n"
    )
    mail = f"From: Dora <dora@x.example>\nDate: Fri, 20 Nov 2026 15:00:00 +0100\nSubject: Summer party: new date\n\nDear all,\nthe party is on {said}.\n"
    docs.write("party.eml", mail)
    answer = answered(docs, "When is the summer party?")
    assert answer.verdict == "complete" and said.split(" at")[0] in answer.text.split("\n")[0], answer.text
    assert ("Until 20 November 2026" in answer.text) is has_older and "differ" not in answer.text, answer.text
    assert "at 18:00" in answered(docs, "What time is the summer party?").text.split("10 December;")[0]


def test_a_day_to_which_something_moves_is_no_time_of_the_day(docs: Following) -> None:
    docs.write(
        "2026-11-19.md", "# Meeting, 19 November 2026\n\n- The summer party moves to 10 December; the boathouse is booked.\n"
    )
    assert answered(docs, "When is the summer party?").verdict == "complete"
    assert answered(docs, "What time is the summer party?").verdict != "complete"


def test_a_row_with_as_many_of_the_words_speaks_against_a_sentence_that_leaves_some_to_its_heading(docs: Following) -> None:
    docs.write("boats.md", "# Boats\n\n## Access\n\nThe slipway lamps go through the winch, and turns end after 45 minutes.\n")
    assert answered(docs, "how long does slipway lamp access last").verdict == "complete"
    table = "| Place | Approver | Ends |\n|---|---|---|\n| Slipway lamp | Ida | after 90 days |\n| Mast | Per | after 30 days |\n"
    docs.write("access.md", f"# Getting access\n\n{table}")
    answer = answered(docs, "how long does slipway lamp access last")
    assert answer.verdict == "partial" and "90 days" in answer.text, answer.text


def test_a_later_update_of_the_same_page_speaks_against_an_earlier_one(docs: Following) -> None:
    page = "# Slipway\n\nOpening planned 30 November 2026.\n\nUpdate 12 November: the rails are late. Opening moved to 15 December.\n"
    docs.write("slipway.md", page)
    assert answered(docs, "when does the slipway open").verdict == "complete"
    docs.write("slipway.md", f"{page}Update 23 November: ground is frozen. Opening not before March 2027.\n")
    answer = answered(docs, "when does the slipway open")
    assert answer.verdict == "partial" and answer.text.index("March 2027") < answer.text.index("15 December"), answer.text


def test_a_new_appointment_takes_the_place_of_the_day_in_a_table(docs: Following) -> None:
    docs.write(
        "boats.md",
        "# Boats\n\n2 March 2026\n\n| What | Heron | Otter |\n|---|---|---|\n| Inspection | 2 June 2026 | 9 June 2026 |\n| Tar | 1 May 2026 | 3 May 2026 |\n",
    )
    docs.write(
        "heron.md",
        "# Inspection of the Heron\n\n## Ida Holm, 2026-05-17\n\nThe yard is on strike. New appointment 19 June, same place.\n",
    )
    answer = answered(docs, "when does the heron go to inspection")
    assert "19 June" in answer.text.split("\n")[0] and "2 June 2026" in answer.text, answer.text


@pytest.mark.parametrize("question", ["how long do we keep recordings of yard calls", "how long do we keep yard calls"])
def test_a_thing_of_the_same_department_is_another(docs: Following, question: str) -> None:
    docs.write(
        "kept.md",
        "# How long\n\n| Data | Kept |\n|---|---|\n| yard tickets | 3 years |\n| photos | 1 year |\n| bills | 10 years |\n",
    )
    assert answered(docs, "how long do we keep yard tickets").verdict == "complete"
    assert answered(docs, question).verdict != "complete"


def test_to_go_live_is_no_go_or_no_go(docs: Following) -> None:
    docs.write(
        "plan.md", "# Go-live plan Otter Quay\n\n## Steps\n\n- Go or no-go: Thursday before, by phone\n- Rehearsal: 4 May\n"
    )
    assert answered(docs, "when does otter quay go live").verdict != "complete"


def test_what_each_of_several_pays_is_not_what_their_plan_costs(docs: Following) -> None:
    rows = "C-1,Otter Quay,Lane,229\nC-2,Seal Bay,Lane,618\nC-3,Heron Point,Olympic,900\n"
    docs.write("contracts.csv", f"contract,club,plan,fee per month EUR\n{rows}")
    assert answered(docs, "what does the lane plan cost").verdict != "complete"
    assert "900" in answered(docs, "fee per month of C-3").text


def test_another_phone_number_under_the_same_name_is_told_beside_it(docs: Following) -> None:
    docs.write(
        "people.md",
        "# Who is who\n\nOffice on Mondays.\n\nEvening duty phone: 0171 555 0214, carried by whoever is in the rota.\n",
    )
    asked = "whats the number of the evening duty phone"
    answer = answered(docs, asked)
    assert "0171 555 0214" in answer.text
    docs.write(
        "tickets/102.md",
        "# DOCK-102 New phone for evening duty\n\nIn the drawer from today, number 0171 555 0366. Old one off soon.\n",
    )
    answer = answered(docs, asked)
    assert answer.verdict == "partial" and "0366" in answer.text and "0214" in answer.text


def test_a_price_that_holds_since_a_day_speaks_against_one_of_no_day(docs: Following) -> None:
    docs.write("faq.md", "# FAQ of the yard\n\n## What is the allowance for the night watch?\n\nEUR 180 a week.\n")
    assert answered(docs, "what is the allowance for the night watch?").verdict == "complete"
    page = "# Night watch and working time\n\n- Since 1 January 2026: **EUR 220 a week** for the first, EUR 90 for the second.\n"
    docs.write("work.md", page.replace("a week", "a month"))
    assert answered(docs, "what is the allowance for the night watch?").verdict == "complete", "of another span of time"
    docs.write("work.md", page)
    answer = answered(docs, "what is the allowance for the night watch?")
    assert answer.verdict == "partial" and "EUR 220" in answer.text and "EUR 180" in answer.text, answer.text


@pytest.mark.parametrize(
    "line",
    [
        "## Tools\n\nKarel Novak leaves at 15:10, and Rosa takes the chair.",
        "## Tools\n\n- pump F-16 and F-26: replaced on 4 May 2026",
    ],
)
def test_a_part_of_a_number_is_not_the_number(docs: Following, line: str) -> None:
    docs.write("2026-06-18-round.md", f"# Round of 18 June 2026\n\n{line}\n\n- replacement of F-06 and F-14: two new ones\n")
    answer = answered(docs, "when will F-06 be replaced")
    assert answer.verdict != "complete", answer.text


def test_another_time_of_the_same_thing_says_nothing_against_a_date(docs: Following) -> None:
    docs.write(
        "tickets/93.md",
        "# DOCK-93 Replace winch F-06\n\n## Comments\n\n### Ida Holm, 2026-11-13\n\nWinch F-06 is replaced on 18 December 2026.\n",
    )
    docs.write(
        "winches.md",
        "# Winches\n\n| winch | last oiled | remark |\n|---|---|---|\n| F-05 | 2026-02-10 | |\n| F-06 | 2026-02-17 | loud, to be replaced |\n",
    )
    answer = answered(docs, "when will winch F-06 be replaced")
    assert answer.verdict == "complete" and "18 December 2026" in answer.text, answer.text


PAGE = "# Yard office\n\nThe round is at 9:30 every day.\n\nBen Marsh has the key of the barrier.\n\nThe office opens at 8:00.\n\nThe fee for guests is 60 euros a day.\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("At what time is the round?", "the round is at 10:00 every day from now on"),
        ("At what time is the round?", "round at 9 from tomorrow"),
        ("When does the office open?", "the office opens at 9 am from today"),
        ("Who has the key of the barrier?", "Zoe Tarn has the key of the barrier now"),
        ("Who has the key of the barrier?", "I have the key of the barrier"),
        ("How much is the fee for guests?", "fee for guests goes up to 70 euros a day"),
    ],
)
def test_what_somebody_says_on_a_day_stands_beside_a_page_of_no_day(docs: Following, question: str, said: str) -> None:
    docs.write("office.md", PAGE)
    assert answered(docs, question).verdict == "complete"
    docs.write("chat.txt", f"[2026-11-20 09:12] Ida Holm: {said}\n")
    answer = answered(docs, question)
    assert answer.verdict == "partial" and answer.text.startswith("Statements differ:"), answer.text
    assert said in answer.text.replace("\\", "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("At what time is the round?", "after the round there is cake at 11:00"),
        ("At what time is the round?", "is the round at 10:00 today?"),
        ("At what time is the round?", "the round is at 9.30 am, do come"),
        ("When does the office open?", "the office opens at 8, see you"),
    ],
)
def test_what_is_of_something_else_or_says_the_same_does_not(docs: Following, question: str, said: str) -> None:
    docs.write("office.md", PAGE)
    docs.write("chat.txt", f"[2026-11-20 09:12] Ida Holm: {said}\n")
    answer = answered(docs, question)
    assert answer.verdict == "complete", answer.text


def test_what_another_page_of_no_day_says_of_another_place_does_not(docs: Following) -> None:
    docs.write(
        "places.md", "# Places\n\n## Quay\n\nThe quay office opens at 8:00.\n\n## Mole\n\nThe mole office opens at 8:30.\n"
    )
    docs.write("chat.txt", "[2026-11-20 09:00] Ida Holm: the mole office opens at 9:00 from Monday\n")
    assert answered(docs, "When does the quay office open?").verdict == "complete"
    assert answered(docs, "When does the mole office open?").verdict == "partial"
