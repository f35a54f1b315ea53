"""Rows of registers asked for in the words of a colleague: a state in another form, a kind of thing, an amount of money."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.ask import Earlier

TOOLS = """tool,kind,state,keeper,depot
T-1,Belt sander,in repair,Maren Oduya,Oster
T-2,Disc sander,in use,Tomas Reyl,Oster
T-3,Belt sander,in use,Maren Oduya,Hove
T-4,Chop saw,waiting for blade,Tomas Reyl,Hove
T-5,Chop saw,in repair,Maren Oduya,Hove
T-6,Jig saw,scrapped,,Oster
"""
RENTALS = """# Renting our rooms to others

| Room | Price an evening (GBP) | Seats |
| --- | --- | --- |
| Long loft | 90 | 40 |
| Cellar | 35 | 12 |
| Net store | not for rent | 5 |
| Sail room | 60 | 20 |
"""
CLAIMS = """Claim,Reason,Owner,Status,Amount EUR
K-1,Cracked hull,Ines Falk,open,900
K-2,Lost anchor,Tomas Reyl,closed,120
K-3,Cracked hull,Ines Falk,closed,2400
K-4,Torn sail,Maren Oduya,open,310
K-5,Cracked hull,Tomas Reyl,open,1500
"""


DEPOTS = """Depot,Run by,Space,Rating,Rent EUR
Halvorsen Quay,Ines Falk,400,A,900
Brook Landing,Tomas Reyl,250,B,700
Old Slip,Maren Oduya,100,C,700
"""
RISKS = """id,risk,opened,impact
Q-1,Members leave for the ferry when it opens in spring,2026-07-08,high
Q-2,Ice in the basin,2026-01-11,low
"""
ENGINES = """# Engines we can get

| Article | Make | From | Delivery | Price EUR | Rent a week EUR | Offer until |
| --- | --- | --- | --- | --- | --- | --- |
| E-1 | Outboard Brisk 4 | Falk & Sons | 3 weeks | 1,450 | 90 | 2027-02-01 |
| E-2 | Outboard Brisk 9 | Falk & Sons | 5 weeks | 2,300 | 130 | 2027-03-01 |
| E-3 | Inboard Tarn 20 | Reyl Motors | 8 weeks | 9,800 | 400 | 2027-06-15 |
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("yard"))
    following.write("stock/tool-register.csv", TOOLS)
    following.write("rooms/renting.md", RENTALS)
    following.write("office/claims.csv", CLAIMS)
    following.write("shop/engines.md", ENGINES)
    following.write("office/risks.csv", RISKS)
    following.write("office/depots.csv", DEPOTS)
    following.sync()
    yield following
    following.workspace.close()


ROWS = (
    ("which tools are being repaired at the moment", "2 of 6", ["T-1", "T-5"]),
    ("tools under repair", "2 of 6", ["T-1", "T-5"]),
    ("which tools are waiting for a blade?", "1 of 6", ["T-4"]),
    ("how many sanders do we have", "3 of 6", ["T-1", "T-2", "T-3"]),
    ("which saws are in repair", "1 of 6", ["T-5"]),
    ("how many belt sanders are in use", "1 of 6", ["T-3"]),
    ("which belt sanders are in the register?", "2 of 6", ["T-1", "T-3"]),
    ("how many cracked hulls have we had", "3 of 5", ["K-1", "K-3", "K-5"]),
    ("claims over 1000 euros", "2 of 5", ["K-3", "K-5"]),
    ("which claims are under 400 euros?", "2 of 5", ["K-2", "K-4"]),
    ("which place can we rent for under 70 quid an evening", "2 of 4", ["Cellar", "Sail room"]),
    ("what can one rent for less than 50 pounds an evening?", "1 of 4", ["Cellar"]),
)


@pytest.mark.parametrize(("question", "lead", "rows"), ROWS)
def test_rows_are_found_by_the_words_of_a_colleague(yard, question, lead, rows) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(f"**{lead}")
    told = [line.split("|")[1].strip().replace("\\", "") for line in answer.text.splitlines() if line.startswith("| ")]
    assert told[2:] == rows


def test_who_has_most_of_them_is_read_with_the_register_that_is_named(yard) -> None:
    answer = yard.ask("who looks after most tools in the register?")
    assert answer.verdict == "complete"
    assert answer.text.startswith("**Maren Oduya** with 3 of 6 tools")


@pytest.mark.parametrize(
    "question",
    ["who's handling K-4?", "whos handling K-4", "who deals with K-4", "who is in charge of K-4", "who looks after K-4?"],
)
def test_who_handles_a_row_is_its_owner(yard, question) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith("**Maren Oduya**, owner of K")


@pytest.mark.parametrize(
    "question",
    [
        "which tools were repaired last year?",  # what was repaired is in repair no more
        "which tools have been repaired",
        "how many painters do we have",
        "which saws are borrowed",
        "what is the latest news on that?",
        "which boat can we rent for under 70 quid a week",
    ],
)
def test_words_that_no_row_has_lead_to_no_list(yard, question) -> None:
    assert yard.ask(question).verdict != "complete"


def test_how_many_of_those_is_asked_of_the_first_part(yard) -> None:
    answer = yard.ask("how many claims about cracked hull are there and how many of those are open?")
    assert answer.verdict == "complete"
    assert "**3 of 5 claims" in answer.text
    assert "**2 of 3 claims" in answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how long is the delivery of a tarn inboard?", "8 weeks"),
        ("wie lange ist die lieferzeit für einen brisk 9?", "5 weeks"),
        ("what does the brisk 4 cost?", "1,450"),
        ("what is the rent of a tarn 20 a week", "400"),
        ("when does the offer of reyl motors end?", "15 June 2027"),
        ("what does the tarn inboard from reyl cost", "9,800"),
    ],
)
def test_a_cell_is_told_of_the_row_that_words_of_its_cells_describe(yard, question, value) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(f"**{value}**")


@pytest.mark.parametrize(
    "question",
    [
        "what does an outboard cost?",  # there are two
        "what does the brisk 7 cost?",
        "how long is the delivery of a tarn outboard?",
        "what does the tarn inboard cost a month",
        "when does the warranty of reyl motors end?",
        "what does falk earn a week?",
        "when does the ferry open?",  # a word of what a row says of something else
    ],
)
def test_words_that_fit_no_row_or_several_tell_no_cell(yard, question) -> None:
    assert yard.ask(question).verdict != "complete"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("is the long loft dearer than the cellar?", "Yes: **Long loft**, 55 more"),
        ("is the cellar more expensive than the sail room", "No: **Sail room**, 25 more"),
        ("which is cheaper, the sail room or the long loft?", "**Sail room**, 30 less"),
        ("cellar or sail room, which one is cheaper and by how much?", "**Cellar**, 25 less"),
        ("how much more does the long loft cost than the sail room?", "**Long loft**, 30 more"),
        ("does the sail room cost less than the cellar?", "No: **Cellar**, 25 less"),
    ],
)
def test_two_rows_are_compared_by_their_price(yard, question, lead) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(lead)


@pytest.mark.parametrize(
    "question",
    [
        "is the net store dearer than the cellar?",  # it has no price
        "is the long loft dearer than the boat house?",
        "which is cheaper, a sander or a saw?",
        "is the cellar darker than the long loft?",
    ],
)
def test_what_has_no_price_is_not_compared_by_it(yard, question) -> None:
    assert yard.ask(question).verdict != "complete"


@pytest.mark.parametrize("question", ["compare halvorsen and brook", "difference between Halvorsen Quay and brook?"])
def test_rows_are_compared_by_one_word_of_their_names(yard, question) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.casefold().startswith("**halvorsen quay and brook landing** side by side")


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("who has more claims, ines or maren?", "**Ines** with 2"),
        ("who has more open claims, ines or tomas", "**The same**: 1 each"),
        ("who has fewer claims, Ines Falk or Maren Oduya", "**Maren Oduya** with 1"),
    ],
)
def test_who_of_two_has_more_is_counted_for_both(yard, question, lead) -> None:
    answer = yard.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(lead)


def test_of_somebody_unknown_nothing_is_counted(yard) -> None:
    assert yard.ask("who has more claims, ines or ottokar?").verdict != "complete"


@pytest.mark.parametrize("question", ["and how much money is that?", "how much is that in total", "and what is the total?"])
def test_the_money_of_a_set_before_is_added_up(yard, question) -> None:
    before = "which claims are open?"
    answer = answered(yard, question, earlier=[Earlier(before)])
    assert answer.verdict == "complete"
    assert answer.text.startswith("**2,710** in all, Amount EUR of all 3 claims")


def test_the_row_of_a_misspelt_part_of_a_name_is_shown_and_not_called_answered(yard) -> None:
    answer = yard.ask("who is halvorson run by?")
    assert answer.verdict == "partial"
    assert answer.text.startswith("Nothing has the name “halvorson”. If halvorsen is meant") and "**Ines Falk**" in answer.text


def test_of_what_a_column_says_yes_or_no_those_with_no_are_left_out(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "| Engine | Reverse gear |\n| --- | --- |\n| Brisk | Yes |\n| Tarn | No |\n| Quill | Yes |\n"
    following.write("engines.md", f"# Engines\n\n{rows}")
    following.sync()
    told = answered(following, "Which engines have a reverse gear?").text
    assert "2 of 3 engines" in told and "Tarn" not in told, told
    following.workspace.close()


def test_words_that_a_description_begins_with_are_no_kinds(tmp_path) -> None:
    following = Following(tmp_path)
    rows = (
        "".join(f"| {name} | Values of {name} for the crane |\n" for name in ("Brisk", "Tarn", "Quill"))
        + "| Holm | Values of Quill for the crane |\n"
    )
    following.write("names.md", f"# Names\n\n| Name | Description |\n| --- | --- |\n{rows}")
    following.sync()
    assert answered(following, "What values can the crane have?").verdict != "complete"
    following.workspace.close()
