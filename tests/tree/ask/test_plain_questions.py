"""Plain questions to registers, team pages, glossaries and rotas: each word of theirs counts, and what no row says is not made up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

TEAMS = """# Who does what

| Area | Lead | Deputy | In this job since | Ext. |
|---|---|---|---|---|
| Dock | Ines Falk | Bo Marsh | 1 April 2024 | 10 |
| Winter berths | Maren Oduya | Tomas Reyl | 1 March 2025 | 45 |
| Slipway | Tomas Reyl | Ines Falk | May 2017 | 30 |

## Other functions
- Keeper of the logbook: Maren
- Website: Bo Marsh

Winter berths were with Ada Quill from 2018 to 28 February 2025.
"""
CONTRACTS = """type,partner,since,until,berths,eur_per_year,notice,contact,remark
customer,Norby,2017-09-01,2028-08-31,112,178000,6 months,Elin Haar,first customer
customer,Selmer,2019-04-01,2029-03-31,74,121000,3 months,Pia Nord,
customer,Vardal,2021-01-01,2026-12-31,63,71500,3 months,Jon Ek,renewal signed
supplier,Ropery,2022-01-01,2027-12-31,0,900,1 month,Nils Om,
"""
SUPPLIERS = """no,name,supplies,contact,min_order_eur,second source,rating
1,Sail Yard,sails,Greta Lind,250,Loft Works,B
2,Loft Works,sails,-,90,Sail Yard,A
3,Paint Hus,paint,Odd Berg,40,,B
"""
GLOSSARY = """# Words

**Golden berth** - one of three berths where the depth is measured: A1, B4, C2.

**Wolf** – a knot that slips.
"""
SHOPS = """no,shop,opened,weekdays,sunday,plan
1041,Quay Street,1996-09-02,08:00-18:00,09:00-12:00,Silver
1042,Mill Lane,2001-05-07,08:00-18:00,-,Silver
1043,North Gate,2011-03-01,09:00-17:00,-,Gold
"""
BOATS = """id,device,place,room,price_eur
B1,radio,Heron van,basin 2,140
B2,lamp X,Otter van,basin 3,20
B3,radio,Otter van,basin 3,150
"""
TRAININGS = """training,date,remark
First aid,2025-03-12,REPEAT SOON
Fire,2025-10-08,REPEAT SOON asked Bo
Crane,2026-02-01,
"""
PRICES = """# Splicing ropes

## Prices
- Old ropes: yes, but ask me first, they take twice as long and splicing one costs 80 EUR.
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("yard"))
    monday = datetime.now(UTC).date() - timedelta(days=datetime.now(UTC).weekday())
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1, 2)]
    names = ("Ines", "Bo", "Maren", "Tomas")
    rows = [f"| {of.day} {of:%b} | {who} | |" for of, who in zip(weeks, names, strict=True)]
    until = weeks[1] + timedelta(days=4)
    rota = [
        "# Rota",
        "",
        "| from Monday | first | note |",
        "|---|---|---|",
        *rows,
        "",
        f"The next rota is made until {until.day} {until:%B}.",
    ]
    following.write("oncall/rota.md", "\n".join(rota) + "\n")
    following.write("org/teams.md", TEAMS)
    following.write("registers/contracts.csv", CONTRACTS)
    following.write("registers/suppliers.csv", SUPPLIERS)
    following.write("registers/shops.csv", SHOPS)
    following.write("registers/devices.csv", BOATS)
    following.write("registers/trainings.csv", TRAININGS)
    following.write("handbook/words.md", GLOSSARY)
    following.write("handbook/splicing.md", PRICES)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("since when is maren responsible for the winter berths?", "1 March 2025"),
        ("who is responsible for the winter berths?", "Maren Oduya"),
        ("wer ist für winter berths zuständig?", "Maren Oduya"),
        ("who is keeper of the logbook?", "Maren"),
        ("how many berths does Selmer have?", "74"),
        ("until when does the contract with Selmer run?", "31 March 2029"),
        ("since when is Norby a customer?", "1 September 2017"),
        ("how much does Norby pay per year?", "178000"),
        ("wie lange ist die Kündigungsfrist von Norby?", "6 months"),
        ("what is the minimum order at Sail Yard?", "250"),
        ("who is our contact at Sail Yard?", "Greta Lind"),
        ("which plan has shop 1041?", "**Silver**"),
        ("which trainings are repeat soon?", "**2 of 3"),
        ("until when is the contract with Selmer?", "31 March 2029"),
        ("which ones are the golden berths?", "A1, B4, C2"),
        ("what on earth is a wolf?", "a knot that slips"),
        ("who is on call this week?", "Bo"),
        ("wer hat diese Woche Bereitschaft?", "Bo"),
        ("qui est d'astreinte cette semaine ?", "Bo"),
    ],
)
def test_what_a_row_says_is_answered(yard, question: str, told: str) -> None:
    answer = answered(yard, question)
    assert answer.verdict == "complete" and told in answer.text.replace("\\", ""), answer.text


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("who is our contact at Loft Works?", "Greta Lind"),  # she is that of whoever Loft Works stands in for
        ("how much does splicing a rope cost?", "80 EUR"),  # of old ones alone
    ],
)
def test_what_is_said_of_another_is_no_answer(yard, question: str, other: str) -> None:
    answer = answered(yard, question)
    assert answer.verdict != "complete", answer.text


def test_a_definition_is_told_without_the_dash_before_it(yard) -> None:
    assert "**Golden berth**: one of three" in answered(yard, "what is a golden berth?").text


@pytest.mark.parametrize(
    "question",
    [
        "which shops are open on Sunday?",  # no day on which one was opened
        "how many vans do we have?",  # not what lies in them
        "where does Bo Marsh work?",
        "how much does basin 2 cost?",  # not what stands there
        "what is the price of the x-ray at basin 2?",  # a word of two parts has to be there as a whole
        "how many trainings were there in 2019?",  # the register begins later
    ],
)
def test_a_word_that_a_register_has_elsewhere_makes_no_answer(yard, question: str) -> None:
    assert answered(yard, question).verdict != "complete", answered(yard, question).text


def test_a_letter_is_no_article(yard) -> None:
    for question, names in (
        ("which suppliers have an A rating?", {"Loft Works"}),
        ("Which suppliers have rating B?", {"Sail Yard", "Paint Hus"}),
        ("Which suppliers do not have rating B?", {"Loft Works"}),
    ):
        answer = answered(yard, question)
        told = {line.split("|")[1].strip() for line in answer.text.splitlines() if line.startswith("| ")} - {"name", "---"}
        assert (answer.verdict, told) == ("complete", names), answer.text


INVOICES = "# Invoices\n\n| Invoice | Paid | Sum |\n|---|---|---|\n| I-1 | 2026-02 | 10 |\n| I-2 | 2026-04 | 20 |\n| I-3 | 2026-05 | 30 |\n"


@pytest.mark.parametrize(
    ("time", "number"), [("in May 2026", 1), ("since April 2026", 2), ("in February 2026", 1), ("before March 2026", 1)]
)
def test_a_cell_that_is_a_month_lies_in_a_time(docs: Following, time: str, number: int) -> None:
    docs.write("invoices.md", INVOICES)
    answer = answered(docs, f"Which invoices were paid {time}?")
    assert answer.verdict == "complete" and answer.text.startswith(f"**{number} of 3 "), answer.text


@pytest.mark.parametrize("time", ["since 20 April 2026", "on 12 May 2026"])
def test_a_month_of_which_only_a_part_is_asked_for_tells_nothing_for_sure(docs: Following, time: str) -> None:
    docs.write("invoices.md", INVOICES)
    assert answered(docs, f"Which invoices were paid {time}?").verdict != "complete"


SERVICES = "service,team,tier,runbook\nslotter,Quay,1,slotter.md\ngate,Quay,2,\nlamp,Pier,1,\nwinch,Pier,3,winch.md\n"


@pytest.mark.parametrize(
    ("question", "number", "named"),
    [
        ("which tier 1 services have no runbook", 1, "lamp"),
        ("tier 1 services", 2, "slotter"),
        ("which services are in tier 3?", 1, "winch"),
        ("how many services have a tier of 2", 1, "gate"),
    ],
)
def test_a_number_behind_its_column_is_a_condition(docs: Following, question: str, number: int, named: str) -> None:
    docs.write("services.csv", SERVICES)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(f"**{number} of 4 ") and f"| {named} |" in answer.text


def test_what_is_to_be_done_and_where_something_is_asks_for_no_rows(docs: Following) -> None:
    docs.write("services.csv", SERVICES)
    docs.write("gate.md", "# When the gate is down\n\nThe paper cards are in the yellow box at pier 2.\n")
    answer = answered(docs, "the gate is down, what do we do and where are the cards?")
    assert "yellow box" in answer.text and " of 4 " not in answer.text
