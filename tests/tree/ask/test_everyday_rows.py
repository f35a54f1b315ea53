"""Rows of tables that are asked for in everyday words: what is counted, ranked and meant, and what no table says."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

CREWS = """# Crews

| Crew | People | Lead |
| --- | --- | --- |
| Quay | 4 | Maren Oduya |
| Shore | 9 | Ines Falk |
"""
DRILLS = """# Drills

## Goals

| Start of the pump | 20 minutes | 4 May | met |
| --- | --- | --- | --- |
| Loss of water | 3 hours | 9 June | open |
"""
MONTHS = """# Spare parts

## Sluices

| Sluice | 2024 | 2025 | 2026 |
| --- | --- | --- | --- |
| Upper | 3 | 5 | 8 |
| Lower | 2 | 2 | 1 |
"""
HAULIERS = "haulier,yearly turnover EUR,carries\nMoorland,91000,sand\nEider,12000,salt\n"
HUTS = "hut,street,rent_month_eur,landlord\nNorth hut,High Street 7,own property,-\nEast hut,Quay 2,3850,Ida Holm\nWest hut,Quay 9,610,Per Lund\n"
CARTS = "cart,check_due,name\nK-1,2026-12,Ada\nK-2,2027-01,Bee\nK-3,2027-03,Cyn\n"
NOTES = "# Handbook of the harbour\n\n- Next: the ferry Ada, Tuesday 4 August\n\nThe delivery of sand is checked at the gate.\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("site"))
    for name, text in {
        "crews.md": CREWS, "drills.md": DRILLS, "parts.md": MONTHS, "hauliers.csv": HAULIERS, "huts.csv": HUTS, "carts.csv": CARTS, "harbour.md": NOTES,
    }.items():  # fmt: skip
        following.write(name, text)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    "question",
    [
        "which pump do we use",
        "what pumps are there",
        "how many people are in the crew",
        "how many people does the crew have",
        "which haulier is the cheapest",
        "which haulier is the most expensive",
        "what is the crew",
        "which haulier do we work with",
        "when is the next delivery",
    ],
)
def test_what_no_table_says_is_not_told_as_known(site, question) -> None:
    assert site.ask(question).verdict != "complete"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("how many crews are there", "**2 crews"),
        ("how many people are in each crew", "**2 crews"),
        ("which sluices do we have", "**2 sluices"),
        ("which haulier has the highest turnover", "**Moorland**"),
        ("which crews do we have", "**2 crews"),
    ],
)
def test_what_a_table_says_is_still_told(site, question, lead) -> None:
    answer = site.ask(question)
    assert (answer.verdict, answer.text[: len(lead)]) == ("complete", lead)


@pytest.mark.parametrize(
    "question", ["which hut has the highest rent", "which hut costs us the most rent?", "which hut pays the most rent"]
)
def test_a_cell_in_words_is_not_the_highest_and_no_street_is_meant(site, question: str) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete" and answer.text.startswith("**East hut**"), answer.text


def test_of_a_column_with_words_in_it_nobody_knows_the_lowest(site) -> None:
    assert site.ask("which hut has the lowest rent").verdict != "complete", "one that is owned may cost least"


def test_in_what_a_column_is_told_need_not_be_said(site) -> None:
    assert site.ask("what is the rent of East hut").text.startswith("**3850**")


@pytest.mark.parametrize(
    "question",
    [
        "which carts have to go for their check by the end of january 2027",
        "which carts need a check before the end of january 2027?",
        "which carts have a check due by the end of january 2027",
    ],
)
def test_what_has_to_go_for_something_is_by_when_it_is_due(site, question: str) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete" and answer.text.startswith("**2 of 3 carts") and "Cyn" not in answer.text, answer.text


PAYERS = "payer,payment_days,remark\nNorth Bank,10,card payments only\nEast Bank,30,by phone\n"


def test_the_days_in_which_somebody_pays_are_no_price(site) -> None:
    site.write("payers.csv", PAYERS)
    site.sync()
    assert site.ask("what does North Bank take per card payment?").verdict != "complete"
    assert site.ask("what are the payment days of North Bank?").text.startswith("**10**")


@pytest.mark.parametrize("question", ["can i come to the hut on saturday 5 dec", "may we use the hut in may?"])
def test_whether_somebody_may_is_no_list(site, question: str) -> None:
    assert site.ask(question).verdict != "complete"
