"""What a team asks of a small folder in its first hour: each of these was answered wrongly once, and called answered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tests.tree.ask.conftest import answered
from tests.tree.ask.ticket_rows import open_site
from tests.tree.retrieve.fact_tables import indexed
from tree.ask.ask import Earlier
from tree.ask.snapshot.answer import Answer
from tree.ask.understanding.item_question import read_item_question
from tree.retrieve.names import Names

STOCK = "product,size,price EUR,kind,in stock\nTar,5 l,13.90,care,120\nTar,10 l,25.50,care,0\nRope,10 m,11.20,gear,35\nOars,pair,89.00,gear,0\n"
CLUBS = "club,town,kind,boats per month,since\nOtter Quay,Kiel,club,85,2021-03-01\nSeal Bay,Kiel,school,140,2019-06-15\nHeron Point,Husum,club,60,2022-01-10\n"
ROTA = "week,day,shift,person,station\n49,Monday,early,Ida Holm,Crane 1\n49,Monday,late,Per Lund,Gate\n50,Monday,early,Bo Reed,Crane 1\n50,Monday,late,Ida Holm,Gate\n"
FIRST = """# Round of 16 November 2026

## Decisions
- We buy a second winch from Kestrel for 4,200 €.
- The price of tar goes up to 14.90 € per 5 l from 1 December 2026.

## Action items
- [ ] Per: order a sensor for the crane by 20 November
- [ ] Ida: call Otter Quay about the overdue invoice by 18 November
- [x] Bo: book the hall by 17 November
"""
SECOND = """# Round of 23 November 2026

## Decisions
- We do not buy the winch from Kestrel after all; Per repairs the old one.
- The shop moves to the new quay on 5 January 2027. Ida is responsible.

## Action items
- [ ] Ida: tell clubs about the new price of tar by 27 November 2099
"""
OLD = "# Crew handbook (2023, superseded)\n\nThis version was valid until 31 December 2024.\n\n## Leave\n\nLeave has to be asked for two weeks before. The crew has 25 days of paid leave a year.\n"
NEW = "# Crew handbook\n\n## Leave\n\nThe crew has 28 days of paid leave a year. Ask Ida Holm for leave at least three weeks before.\n"
CRANE = """# Runbook: Crane 2 stops

## Symptoms
The red lamp is lit and the display shows E-17.

## Steps
1. Press STOP and close the valve.
2. Wait ten minutes.
3. Press RESET for five seconds.

## Never
Never press RESET with the valve open.
"""
POWER = "\n# Runbook: Power cut\n\n## Steps\n1. Pull the emergency lever.\n2. Switch the main breaker off.\n3. Call the grid operator.\n"


@pytest.mark.parametrize(
    ("question", "lead", "told", "left_out"),
    [
        ("Which products are out of stock?", "**2 of 4 products", ("10 l", "Oars"), ("Rope", "5 l")),
        ("How many products are out of stock?", "**2 of 4 products", ("Oars",), ("Rope",)),
        ("Which products are in stock?", "**2 of 4 products", ("5 l", "Rope"), ("Oars",)),
        ("how much is the tar?", "- **13.90**", ("25.50",), ()),
    ],
)
def test_what_is_in_stock_and_what_it_costs(
    docs: Following, question: str, lead: str, told: Sequence[str], left_out: Sequence[str]
) -> None:
    docs.write("stock.csv", STOCK)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith(lead), answer.text
    assert all(one in answer.text for one in told) and not any(one in answer.text for one in left_out), answer.text


@pytest.mark.parametrize("question", ("Which articles are out of stock?", "How many articles are out of stock?"))
def test_a_column_of_stock_may_say_on_which_day_it_was_counted(docs: Following, question: str) -> None:
    docs.write(
        "price-list.csv",
        "Item no,Article,Kind,Stock 1 Nov 2026\nS1,Tea towel,cloth,74\nS2,Plush dog,toy,0\nS3,Gin miniature,drink,0\nS4,Mug,pot,58\n",
    )
    answer = answered(docs, question)
    assert answer.verdict == "complete" and answer.text.startswith("**2 of 4 articles"), answer.text
    assert "Plush dog" in answer.text and "Mug" not in answer.text


def test_a_predicate_that_no_column_tells_lists_not_everything(docs: Following) -> None:
    docs.write("lamps.csv", "lamp,on stage\nred,left corner\nblue,right corner\n")
    assert answered(docs, "which lamps are not on stage").verdict != "complete"


def test_a_question_in_full_is_not_narrowed_by_the_one_before(docs: Following) -> None:
    docs.write("stock.csv", STOCK)
    answer = answered(docs, "Which products are out of stock?", [_turn(answered(docs, "how much is the tar?"))])
    assert answer.text.startswith("**2 of 4 products"), answer.text


def test_somebody_else_is_not_the_row_before(docs: Following) -> None:
    docs.write("people.csv", "name,role,phone\nIda Holm,head of the yard,201\nPer Lund,rigger,202\n")
    before = answered(docs, "what is Ida's phone number")
    assert "201" in before.text
    assert "Ida Holm" not in answered(docs, "who is the director?", [_turn(before)]).text


def test_what_is_called_per_month_is_a_column_and_no_grouping(docs: Following) -> None:
    docs.write("clubs.csv", CLUBS)
    answer = answered(docs, "Which clubs take more than 80 boats per month?")
    assert answer.chart is None and answer.text.startswith("**2 of 3 clubs"), answer.text
    assert answered(docs, "sum of boats per month of all clubs").text.startswith("**285** in all")
    assert answered(docs, "plot clubs per town").chart is not None


@pytest.mark.parametrize("question", ["did we buy the winch?", "Are we buying the winch from Kestrel?"])
def test_what_was_taken_back_is_not_told_alone(docs: Following, question: str) -> None:
    docs.write("rounds/2026-11-16.md", FIRST)
    assert "4,200" in answered(docs, question).text
    docs.write("rounds/2026-11-23.md", SECOND)
    answer = answered(docs, question)
    told = answer.text.find("4,200")
    assert "do not buy" in answer.text and (told < 0 or answer.text.index("do not buy") < told), answer.text


def test_a_decision_that_a_comment_takes_back_is_told_below_it(docs: Following) -> None:
    docs.write("rounds/2026-11-16.md", FIRST)
    assert answered(docs, "what was decided about the winch").verdict == "complete"
    docs.write(
        "tickets/7.md",
        "# DOCK-7 Second winch\n\n## Comments\n\n### Ida Holm, 2026-11-25\n\nThe decision of 16 November about the winch no longer counts.\n",
    )
    answer = answered(docs, "what was decided about the winch")
    assert answer.verdict == "partial" and answer.text.index("no longer counts") < answer.text.index("4,200"), answer.text


def test_who_has_to_tell_of_something_by_when_is_not_when_it_is_so(docs: Following) -> None:
    docs.write("rounds/2026-11-16.md", FIRST)
    docs.write("rounds/2026-11-23.md", SECOND)
    assert answered(docs, "when is the price of tar going down?").verdict != "complete"
    answer = answered(docs, "when does the price of tar go up?")
    assert answer.verdict == "complete" and "1 December 2026" in answer.text and "Until" not in answer.text, answer.text


@pytest.mark.parametrize(
    "question", ["how long before do I have to ask for leave?", "How many days of paid leave does the crew have?"]
)
def test_a_superseded_handbook_is_not_told_of_now(docs: Following, question: str) -> None:
    docs.write("old.md", OLD)
    docs.write("handbook.md", NEW)
    answer = answered(docs, question)
    first = next(line for line in answer.text.split("\n") if line.strip() and not line.startswith("Passages"))
    assert "two weeks" not in first and "25 days" not in first, answer.text


def test_overdue_are_actions_that_are_open_and_were_due(docs: Following) -> None:
    docs.write("rounds/2026-11-16.md", FIRST.replace("2026", "2025"))
    docs.write("rounds/2026-11-23.md", SECOND)
    answer = answered(docs, "which action items are overdue?")
    assert answer.verdict == "complete" and answer.text.startswith("**2 actions**"), answer.text
    assert "sensor" in answer.text and "invoice" in answer.text


@pytest.mark.parametrize(("week", "person"), [("49", "Ida Holm"), ("50", "Bo Reed")])
def test_a_row_of_another_week_is_none_of_this(docs: Following, week: str, person: str) -> None:
    docs.write("rota.csv", ROTA)
    answer = answered(docs, f"who is on crane 1 on monday in week {week}?")
    [other] = {"Ida Holm", "Bo Reed"} - {person}
    told = answer.text.partition("More passages:")[0]
    assert person in told and other not in told, answer.text


def test_nobody_is_a_weekday(docs: Following) -> None:
    docs.write("rota.csv", ROTA)
    assert "a person; Monday" not in answered(docs, "who is Bo Reed").text


@pytest.mark.parametrize(
    "question",
    [
        "E-17",
        "error code E-17",
        "what is E-17",
        "what does error E-17 mean on the crane?",
        "crane 2 says E-17",
        "E-17 on crane 2, what do I do?",
        "what should I do if crane 2 stops?",
    ],
)
def test_an_error_code_gives_all_steps_of_its_runbook_and_its_warning(docs: Following, question: str) -> None:
    docs.write("runbooks.md", CRANE + POWER)
    answer = answered(docs, question)
    lines = [line for line in answer.text.split("\n") if line[:1].isdigit()]
    assert [line.partition(" [")[0] for line in lines] == [
        "1. Press STOP and close the valve.", "2. Wait ten minutes.", "3. Press RESET for five seconds."
    ], answer.text  # fmt: skip
    assert "display shows E\\-17" in answer.text and "Never press RESET" in answer.text and "lever" not in answer.text


@pytest.mark.parametrize("question", ["what does error E-18 mean", "the printer shows E-17"])
def test_an_error_of_another_code_or_another_thing_is_not_answered(docs: Following, question: str) -> None:
    docs.write("runbooks.md", CRANE + POWER)
    assert answered(docs, question).verdict != "complete"


def test_a_warning_of_another_runbook_on_the_page_is_not_told(docs: Following) -> None:
    docs.write("runbooks.md", CRANE + POWER)
    answer = answered(docs, "what are the steps for a power cut")
    assert answer.text.startswith("1. Pull the emergency lever") and "RESET" not in answer.text, answer.text


def test_the_second_half_of_a_question_is_of_the_first(docs: Following) -> None:
    docs.write("rounds/2026-11-23.md", SECOND)
    docs.write("clubs.csv", "club,responsible\nOtter Quay,Per Lund\n")
    answer = answered(docs, "when does the shop move and who is responsible?")
    assert "5 January 2027" in answer.text and "Ida is responsible." in answer.text and "Per Lund" not in answer.text, answer.text


@pytest.mark.parametrize("question", ["What do you know?", "Which sources are there?", "list all sources"])
def test_what_there_is_to_ask_about_is_told_with_examples(docs: Following, question: str) -> None:
    docs.write("ferry.md", "# Ferry\n\nThe ferry leaves at nine.\n")
    assert answered(docs, question).text.startswith("Ask me about **Docs**.")


def test_thanks_are_no_call_for_help(docs: Following) -> None:
    docs.write("stock.csv", STOCK)
    assert answered(docs, "thanks!").text == "You are welcome. Ask on whenever you like."


@pytest.mark.parametrize("question", ["step 2?", "and what was the last step again?", "so step two"])
def test_of_a_step_the_question_before_is_asked_again(docs: Following, question: str) -> None:
    docs.write("printer.md", "# Restart the printer\n\n1. Open the flap.\n2. Hold the green button.\n3. Close the flap.\n")
    before = answered(docs, "How do I restart the printer?")
    assert before.verdict == "complete" and answered(docs, question, [_turn(before)]).text == before.text
    assert answered(docs, question).verdict == "none"


@pytest.mark.parametrize("day", ["24 December", "Dec 26th", "2026-12-25", "24.12.2026"])
def test_christmas_is_found_by_its_date(docs: Following, day: str) -> None:
    docs.write(
        "hours.md", f"# Opening times\n\nThe office is open from Monday to Friday. It stays closed from {day} to 1 January.\n"
    )
    docs.write("parcels.md", "# Parcels\n\nThe parcels office closes at noon on 24 January.\n")
    told = answered(docs, "When is the office closed over Christmas?")
    assert told.verdict == "partial" and day in told.text.replace("\\", "").split("More passages")[0]


def _turn(answer: Answer) -> Earlier:
    places, leaves = tuple(one.place for one in answer.citations), tuple(one.leaf for one in answer.citations)
    return Earlier(answer.question, places, answer.text, leaves)


MONDAY = date.today() + timedelta(days=7 - date.today().weekday())  # of next week


def _day(days: int) -> str:
    return (MONDAY + timedelta(days=days)).isoformat()


ABSENCES = (
    f"kind,name,from,to,what,cover\nabsence,Ida Holm,{_day(0)},{_day(4)},leave,Per Lund\nabsence,Bo Reed,{_day(3)},{_day(3)},sick,\n"
    f"duty,Per Lund,{_day(0)},{_day(4)},kitchen,\nabsence,Ida Holm,{_day(21)},{_day(32)},leave,Bo Reed\n"
)


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("who is off next week", ["Ida Holm", "Bo Reed"]),
        (f"who is on leave on {MONDAY:%d %B %Y}?", ["Ida Holm"]),
        (f"who is away next monday {MONDAY:%d %B}".lower(), ["Ida Holm"]),
        ("when is Ida away", ["Ida Holm", "Ida Holm"]),
        ("who covers for ida", ["Per Lund"]),
        (f"who covers for ida on {MONDAY + timedelta(days=22):%d %B %Y}", ["Bo Reed"]),
    ],
)
def test_who_is_away_and_who_covers(docs: Following, question: str, people: list[str]) -> None:
    docs.write("absences.csv", ABSENCES)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and re.findall(r"\*\*(.+?)\*\*", answer.text) == people, answer.text


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("absence,Zoe Frost,2026-02-30,2026-03-02,leave,", "Zoe Frost: 2026"),
        (f"absence,Zoe Frost,{_day(-9)},until spring,sick,", "to until spring"),
        (f"course,Zoe Frost,{_day(1)},{_day(2)},first aid,", "(course)"),
    ],
)
def test_a_row_that_is_not_plainly_an_absence_is_told_and_not_claimed(docs: Following, row: str, said: str) -> None:
    docs.write("absences.csv", f"{ABSENCES}{row}\n")
    answer = answered(docs, "who is off next week")
    assert answer.verdict == "partial" and "**Ida Holm**" in answer.text and said in answer.text, answer.text


def test_of_somebody_whose_days_cannot_be_read_these_are_told_as_they_stand(docs: Following) -> None:
    docs.write("absences.csv", f"{ABSENCES}absence,Zoe Frost,3.12.26,4/12,leave,\n")
    answer = answered(docs, "when is Zoe off")
    assert answer.verdict == "partial" and answer.text.startswith("Whose days cannot be read:"), answer.text


@pytest.mark.parametrize("question", ["who is off on 4 May 2099", "who covers for Per", "when is Zoe away"])
def test_of_who_is_not_on_the_list_nothing_is_said(docs: Following, question: str) -> None:
    docs.write("absences.csv", ABSENCES)
    assert answered(docs, question).verdict != "complete"


def test_what_is_overdue_without_tickets_is_asked_of_the_register_or_the_actions(docs: Following) -> None:
    docs.write(
        "deadlines.csv",
        "no,what,due,state\nD-1,permit,2020-05-04,open\nD-2,survey,2020-06-04,done\nD-3,renewal,2099-05-04,open\n",
    )
    answer = answered(docs, "what is overdue")
    assert answer.verdict == "complete" and "D\\-1" in answer.text and "D\\-3" not in answer.text and "D\\-2" not in answer.text
    (docs.folder / "deadlines.csv").unlink()
    docs.write("rounds/2025-11-16.md", FIRST.replace("2026", "2025"))
    answer = answered(docs, "whats overdue?")
    assert answer.verdict == "complete" and answer.text.startswith("**2 actions**"), answer.text


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Which actions are due in December?", date(2026, 12, 1), date(2026, 12, 31)),
        ("Which actions are due this week?", date(2026, 11, 30), date(2026, 12, 6)),
        ("Which actions were due last month?", date(2026, 10, 1), date(2026, 10, 31)),
        ("Which actions are from December?", date(2025, 12, 1), date(2025, 12, 31)),
    ],
)
def test_what_is_due_is_looked_for_ahead(question: str, first: date, last: date) -> None:
    asked = read_item_question(question, Names(indexed({})), lambda _: {}, date(2026, 11, 30))
    assert asked is not None and asked.span is not None and (asked.span.first, asked.span.last) == (first, last)


@pytest.mark.parametrize("question", ["what is overdue", "is anything overdue?"])
def test_what_is_overdue_beside_tickets_is_asked_of_the_actions_too(tmp_path, question: str) -> None:
    site = open_site(tmp_path)
    sources = [site.source.id, site.people.id]
    assert site.ask(question, sources=sources).text.startswith("**None of 5 tickets**")
    site.write("rounds/2025-11-16.md", FIRST.replace("2026", "2025"))
    sync(site.workspace, site.sources, site.people, None, connector=open_folder(**site.people.config))
    answer = site.ask(question, sources=sources)
    assert answer.verdict == "partial" and "None of 5 tickets" in answer.text and "order a sensor" in answer.text, answer.text
    site.workspace.close()


def test_a_later_decision_that_takes_one_back_is_told_with_it_in_whatever_words(docs: Following) -> None:
    docs.write(
        "rounds/2026-09-14.md",
        "# Round of 14 September 2026\n\n## Decisions\n\n- We switch from Logbook to Papyra on 1 January 2027.\n",
    )
    assert answered(docs, "did we decide to switch to papyra").verdict == "complete"
    docs.write(
        "rounds/2026-11-16.md",
        "# Round of 16 November 2026\n\n## Decisions\n\n- Papyra: the decision of September is cancelled, we stay with Logbook.\n",
    )
    answer = answered(docs, "did we decide to switch to papyra")
    assert answer.text.index("is cancelled") < answer.text.index("We switch"), answer.text


PRINTER = "# IT how-to\n\nRead first, then call.\n\n## Printer shows E21\n\nE21 means: the fuser is too hot.\n\n1. Switch the printer off.\n2. Wait ten minutes.\n\n## Scanning\n\n1. Put the pages in.\n2. Choose Folder.\n"


@pytest.mark.parametrize("question", ["printer shows E21", "E21", "our printer shows E21 again"])
def test_a_code_in_a_heading_gives_the_steps_below_it(docs: Following, question: str) -> None:
    docs.write("it.md", PRINTER)
    answer = answered(docs, question)
    assert "1. Switch the printer off." in answer.text and "2. Wait ten minutes." in answer.text, answer.text
    assert "Put the pages in" not in answer.text.partition("More passages")[0], answer.text


def test_what_a_code_means_is_told_by_its_meaning(docs: Following) -> None:
    docs.write("it.md", PRINTER)
    assert "the fuser is too hot" in answered(docs, "what does E21 mean").text
    assert answered(docs, "printer shows E34").verdict != "complete"
