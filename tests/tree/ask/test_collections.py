"""Rows of tables and files that state things of themselves: counted and listed exactly, or left to the walk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.ask import Earlier

VEHICLES = """id,vehicle,driver,status,bought,depot
V-1,Crane lorry,Maren Oduya,in use,2026-03-02,Oster
V-2,Pump car,Tomas Reyl,in use,2026-04-11,Oster
V-3,Salt spreader,Maren Oduya,scrapped,2024-11-30,Hove
V-4,Sweeper,,in repair,2026-04-28,Hove
V-5,Tanker,Ines Falk,in use,2025-04-05,
"""
BERTHS = """# Harbour

## Berths

| Berth | Length | Keeper |
| --- | --- | --- |
| North | 80 | Ines Falk |
| South | 120 | Tomas Reyl |
| Inner | 80 | Ines Falk |
"""
TEAMS = """# Crews

| Crew | Person |
| --- | --- |
| Quay | Maren Oduya |
|  | Ines Falk |
| Shore | Tomas Reyl |
"""
OUTAGES = {
    "2026-03-pump.md": "---\nstatus: resolved\nowner: Maren Oduya\ndate: 2026-03-04\ntags: [water, night]\n---\n# Pump stops\n\nIt stopped.\n",
    "2026-04-crane.md": "# Crane stuck\n\nStatus: open | Owner: Tomas Reyl\nDate: 2026-04-09\nTags: harbour, night\n\nIt is stuck.\n",
    "2026-04-gate.md": "# Gate open\n\n- **Status:** open\n- **Date:** 2026-04-21\n\nStatus: this line is prose of the report.\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("site"))
    following.write("lists/vehicles.csv", VEHICLES)
    following.write("harbour.md", BERTHS)
    following.write("crews.md", TEAMS)
    for name, text in OUTAGES.items():
        following.write(f"outages/{name}", text)
    following.sync()
    yield following
    following.workspace.close()


def test_mails_are_listed_and_counted_with_their_day_as_other_dates_are_shown(docs: Following) -> None:
    for name, sent in (
        ("crane", "Tue, 03 Nov 2026 09:12:00 +0000"), ("lamps", "3 Nov 2026 17:30 GMT"), ("berth", "Wed, 4 Nov 2026 10:00:00 +0100")
    ):  # fmt: skip
        docs.write(f"mails/{name}.eml", f"From: Ida <ida@yard.example>\nDate: {sent}\nSubject: The {name}\n\nIt is {name}.\n")
    text = answered(docs, "list mails by date").text
    assert "| 3 November 2026 | 2 |\n| 4 November 2026 | 1 |" in text
    assert "**The crane** (date: 3 November 2026)" in text and "0000" not in text


ROWS = (
    ("Which rows of vehicles.csv are Maren's?", "2 of 5 rows", ["V-1", "V-3"]),
    ("How many vehicles are in use?", "3 of 5 vehicles", ["V-1", "V-2", "V-5"]),
    ("Which vehicles are not in use?", "2 of 5 vehicles", ["V-3", "V-4"]),
    ("Which vehicles have no driver?", "1 of 5 vehicles", ["V-4"]),
    ("Which vehicles of the depot Oster are driven by Maren Oduya?", "1 of 5 vehicles", ["V-1"]),
    ("List the vehicles in Oster or Hove", "4 of 5 vehicles", ["V-1", "V-2", "V-3", "V-4"]),
    ("Which vehicles were bought in April 2026?", "2 of 5 vehicles", ["V-2", "V-4"]),
    ("Which vehicles were bought before 2026?", "2 of 5 vehicles", ["V-3", "V-5"]),
    ("Which vehicles were bought after 10 April 2026?", "2 of 5 vehicles", ["V-2", "V-4"]),
    ("Which vehicles are in use and not in Oster?", "1 of 5 vehicles", ["V-5"]),
    ("Which vehicles are in vehicles.csv?", "5 vehicles", ["V-1", "V-2", "V-3", "V-4", "V-5"]),
    ("Which berths does Ines Falk keep?", "2 of 3 berths", ["North", "Inner"]),
)


@pytest.mark.parametrize(("question", "lead", "rows"), ROWS)
def test_rows_are_told_exactly(site, question, lead, rows) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(f"**{lead}")
    told = [line.split("|")[1].strip().replace("\\", "") for line in answer.text.splitlines() if line.startswith("| ")]
    assert told[2:] == rows  # below the header and its rule
    assert answer.citations


@pytest.mark.parametrize(
    ("question", "lead", "titles"),
    [
        ("Which outages are open?", "2 of 3 outages", ["Crane stuck", "Gate open"]),
        ("Which outages are not open?", "1 of 3 outages", ["Pump stops"]),
        ("Which outages have no owner?", "1 of 3 outages", ["Gate open"]),
        ("How many outages were there in April 2026?", "2 of 3 outages", ["Crane stuck", "Gate open"]),
        ("Which outages are tagged night?", "2 of 3 outages", ["Pump stops", "Crane stuck"]),
        ("Which outages does Maren own?", "1 of 3 outages", ["Pump stops"]),
    ],
)
def test_files_are_told_by_what_they_say_of_themselves(site, question, lead, titles) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(f"**{lead} in outages**")
    assert [line[4:].partition("**")[0] for line in answer.text.splitlines() if line.startswith("- **")] == titles


def test_what_is_counted_by_groups_is_told_as_a_table_and_drawn(site) -> None:
    answer = site.ask("How many vehicles are there per driver?")
    assert "| Maren Oduya | 2 |" in answer.text and "| none | 1 |" in answer.text
    assert answer.chart is not None and answer.chart.label == "driver"
    assert site.ask("Which driver has the most vehicles?").text.startswith("**Maren Oduya** with 2 of 5 vehicles")


def test_a_row_below_a_merged_cell_counts(site) -> None:
    assert site.ask("How many rows does crews.md have?").text.startswith("**3 rows")


SHIPS = """# Boats

## Ships

| Ship | Seats | Crossing | Price | Built | Beam | Fuel | Berths until May |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Ada | 420 | 35 min | EUR 1,500 | 2019-04-01 | 4.4 m | oil | 3 |
| Bee | 1,610 | 1 h 50 | EUR 900 | 2021-02-11 | 4.4 m | about 8 | 5 |
| Cod | 96 | 2 h 40 | EUR 12,000 | 2003-11-30 | 3.1 m | gas | 9 |
| Dab | | 55 min | EUR 900 | 2020-01-01 | 2.0 m | 7 to 9 | 9 |
| **Total** | 2126 | | | | | | |
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("harbour"))
    following.write("boats.md", SHIPS)
    following.sync()
    yield following
    following.workspace.close()


COMPARED = (
    ("Which ships have more than 96 seats?", "2 of 4 ships", ["Ada", "Bee"]),
    ("Which ships have at least 96 seats?", "3 of 4 ships", ["Ada", "Bee", "Cod"]),
    ("Which ships have 420 or more seats?", "2 of 4 ships", ["Ada", "Bee"]),
    ("How many ships have fewer than 1,000 seats?", "2 of 4 ships", ["Ada", "Cod"]),
    ("Which ships have up to ninety-six seats and a crossing longer than 1 hour?", "", []),
    ("Which ships have a crossing longer than 1 hour?", "2 of 4 ships", ["Bee", "Cod"]),
    ("Which ships have a price above 1,000 euros?", "2 of 4 ships", ["Ada", "Cod"]),
    ("Which ships have a beam under 4 m?", "2 of 4 ships", ["Cod", "Dab"]),
    ("Which ship has the most seats?", "Bee** (most Seats): 1,610, of 4 ships", ["Bee"]),
    ("Which ship has the fewest seats?", "Cod** (fewest Seats): 96", ["Cod"]),
    ("Which ship has the longest crossing?", "Cod** (longest Crossing): 2 h 40", ["Cod"]),
    ("Which ship has the lowest price?", "2 of 4 ships", ["Bee", "Dab"]),
    ("Which is the oldest ship?", "Cod** (oldest): 30 November 2003", ["Cod"]),
    ("Which ship was built last?", "Bee** (built last)", ["Bee"]),
)


@pytest.mark.parametrize(("question", "lead", "rows"), COMPARED)
def test_numbers_are_compared_over_all_rows(harbour, question, lead, rows) -> None:
    answer = harbour.ask(question)
    assert (answer.verdict == "complete") == bool(rows)
    assert not rows or answer.text.startswith(f"**{lead}"), answer.text
    told = [line.split("|")[1].strip() for line in answer.text.splitlines() if line.startswith("| ")]
    assert told[2:] == rows


@pytest.mark.parametrize(
    "question",
    [
        "Which ships have more than 5 fuel?",  # not every cell is a number
        "Which ship has the most fuel?",
        "Which ships have a beam over 4?",  # of what?
        "Which ships have more than 4 berths?",  # only those of another time are stated
        "Which ships have more than 96 seats and 5 decks?",
        "Which ships have more than 96 seats or a price above 1,000 euros?",
        "Which ships have a price above 1.000 euros?",  # one, or a thousand
        "Which ships do not have more than 96 seats?",
        "Which ship has the second most seats?",
        "Which ship is the largest?",
        "Which ships have more than 96 passengers on Sundays?",
        "Who built the most ships?",
    ],
)
def test_a_comparison_that_is_not_certain_is_left_to_the_walk(harbour, question) -> None:
    assert all(step.kind != "register" for step in harbour.ask(question).trail)


@pytest.mark.parametrize(
    ("question", "row"),
    [("Which ferry is on AS?", "two"), ("which ferry is on route as", "two"), ("Which ferry is on AT?", "")],
)
def test_a_small_word_may_be_a_name(tmp_path, question, row) -> None:
    following = Following(tmp_path)
    following.write(
        "lines.md", "# Harbour\n\n## Ferries\n\n| Ferry | Route |\n| --- | --- |\n| one | LH |\n| two | AS |\n| three | AH |\n"
    )
    following.sync()
    answer = following.ask(question)
    assert (answer.verdict == "complete") == bool(row), answer.text
    assert not row or (answer.text.startswith("**1 of 3") and "| two |" in answer.text)
    following.workspace.close()


def test_a_header_of_which_only_the_first_cell_is_filled_is_no_caption(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("buoys.csv", "buoy,,\nAlpha,11,red\nBravo,7,red\nCarol,3,green\n")
    following.write("gauges.csv", "Gauges of the port,,\ngauge,height,colour\nDelta,11,red\nEcho,7,red\n")
    following.sync()
    assert following.ask("How many rows does gauges.csv have?").text.startswith("**2 rows")
    answer = following.ask("How many rows does buoys.csv have?")
    assert answer.verdict != "complete" or answer.text.startswith("**3 rows"), answer.text
    following.workspace.close()


def test_groups_of_a_size_are_told(site) -> None:
    assert site.ask("Which drivers have more than one vehicle?").text.startswith(
        "**Maren Oduya** with more than one of 5 vehicles"
    )
    assert site.ask("Which drivers have at least 4 vehicles?").text.startswith("**None**: no driver has at least 4 of 5 vehicles")


def test_a_column_of_yes_and_no_says_what_a_row_is(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "| Gate | yes | 31/12/2025 |\n| Tide | no | 2026-05-02 |\n| Berth | yes | TBD |\n"
    following.write("tasks.md", f"# Tasks\n\n| Task | Done | Due |\n| --- | --- | --- |\n{rows}")
    following.sync()
    assert following.ask("Which tasks are done?").text.startswith("**2 of 3 tasks")
    assert following.ask("Which tasks are not done?").text.startswith("**1 of 3 tasks")
    unsure = following.ask("Which tasks are due before May 2026?")  # it may be that a date is not read
    assert all(step.kind != "register" for step in unsure.trail)
    following.workspace.close()


def test_whoever_stands_anywhere_in_a_cell_counts(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "| Gate | Maren Oduya, Ines Falk |\n| Tide | Ines Falk |\n| Berth | Tomas Reyl; Maren Oduya |\n"
    following.write("parts.md", f"# Parts\n\n| Part | Keepers |\n| --- | --- |\n{rows}")
    following.sync()
    assert following.ask("Which parts does Maren Oduya keep?").text.startswith("**2 of 3 parts")
    assert following.ask("Which parts have the keeper Ines Falk?").text.startswith("**2 of 3 parts")
    assert following.ask("Which parts do not have the keeper Ines Falk?").text.startswith("**1 of 3 parts")
    following.workspace.close()


@pytest.mark.parametrize(
    "question",
    [
        "Which purple vehicles are in use?",
        "Which vehicles are rarely in use?",
        "Which vehicles are in use on Sundays?",
        "Which vehicles did Maren not drive last winter?",
        "Why are vehicles in repair?",
        "Which vehicles have more wheels?",
        "Which vehicles are in use at once?",
        "Which vehicles are in use by many?",
        "Which vehicles do as many drive in Oster?",
        "Which files were dated 2019?",
    ],
)
def test_a_condition_that_is_not_understood_never_disappears(site, question) -> None:
    assert all(step.kind != "register" for step in site.ask(question).trail)


@pytest.mark.parametrize(
    ("question", "taken_for"),
    [
        ("Which vehicles are scrapped by Maren Oduya?", "status scrapped, driver Maren Oduya"),
        ("Which vehicles have the status broken?", "status in repair"),
    ],
)
def test_what_is_only_guessed_is_told_as_what_it_was_taken_for(site, question, taken_for) -> None:
    answer = site.ask(question)
    assert answer.verdict == "partial" and taken_for in answer.text


NARROWING = (
    (["Which vehicles are in use?", "which of them are in Oster?"], "2 of 3 vehicles of vehicles.csv \\(status in use\\)"),
    (["Which vehicles are in use?", "how many of them does Maren drive?"], "1 of 3 vehicles of vehicles.csv"),
    (["Which vehicles are in use?", "and how many were bought in 2026?"], "2 of 3 vehicles of vehicles.csv"),
    (["Which vehicles are in vehicles.csv?", "how many of them are in use?", "which of those are scrapped?"], "1 of 5 vehicles"),
    (["Which berths does Ines Falk keep?", "how many of these have a length of 80?"], "2 of 2 berths"),
    (["Which outages are tagged night?", "which of them are open?"], "1 of 2 outages in outages"),
)


@pytest.mark.parametrize(("questions", "lead"), NARROWING)
def test_a_follow_up_narrows_rows_and_files(site, questions, lead) -> None:
    answer = site.ask(questions[-1], earlier=[Earlier(question) for question in questions[:-1]])
    assert answer.verdict == "complete" and answer.text.startswith(f"**{lead}"), answer.text


@pytest.mark.parametrize(
    "question", ["which of them float?", "which of them are not blue?", "how many of them hardly ever leak?"]
)
def test_a_follow_up_on_rows_that_is_not_understood_is_left_to_the_walk(site, question) -> None:
    assert site.ask(question, earlier=[Earlier("Which vehicles are in use?")]).verdict != "complete"


@pytest.mark.parametrize("earlier", [[], ["What is a berth?"], ["Why did the pump stop?"]])
def test_of_them_is_answered_only_of_a_set(site, earlier) -> None:
    answer = site.ask("which of them are scrapped?", earlier=[Earlier(question) for question in earlier])
    assert answer.verdict != "complete"


def test_of_two_tables_that_may_be_meant_each_is_told_and_neither_is_chosen(tmp_path) -> None:
    following = Following(tmp_path)
    for year, row in (("2025", "Alva | open"), ("2026", "Bram | closed")):
        following.write(f"{year}.md", f"# Year {year}\n\n| Boat | State |\n| --- | --- |\n| {row} |\n| Fenna | open |\n")
    following.sync()
    answer = following.ask("Which boats are open?")
    assert answer.verdict == "partial"
    assert "**2 of 2 boats of 2025.md" in answer.text and "**1 of 2 boats of 2026.md" in answer.text
    one = following.ask("Which boats of 2026.md are open?")
    assert (one.verdict, one.text.startswith("**1 of 2 boats of 2026.md")) == ("complete", True)
    following.workspace.close()


def test_a_row_that_changes_or_goes_is_told_as_it_is_now(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("vehicles.csv", VEHICLES)
    following.sync()
    assert following.ask("How many vehicles are in use?").text.startswith("**3 of 5")
    following.write("vehicles.csv", VEHICLES.replace("V-5,Tanker,Ines Falk,in use,2025-04-05,\n", ""))
    following.sync()
    assert following.ask("How many vehicles are in use?").text.startswith("**2 of 4")
    following.workspace.close()


def test_tickets_that_were_exported_as_files_are_tickets(tmp_path) -> None:
    following = Following(tmp_path)
    for number, status, person, components in (
        (1, "Open", "Maren Oduya", "Gate, Tide Store"), (2, "Done", "Maren Oduya", "Gate"), (3, "Open", "-", "-"),
    ):  # fmt: skip
        head = f"Type: Bug | Status: {status}\nAssignee: {person} | Created: 2026-04-0{number}\nComponents: {components}"
        following.write(f"export/BUOY-{number}.md", f"# BUOY-{number} The lamp is dark\n\n{head}\n\nIt is dark since noon.\n")
    following.sync()
    for question, lead in (
        ("Which tickets are assigned to Maren Oduya?", "**2 of 3 tickets**"),
        ("How many bugs are in the component Gate?", "**2 of 3 tickets**"),
        ("Which tickets are in the component Tide Store?", "**1 of 3 tickets**"),
        ("Which tickets have no component?", "**1 of 3 tickets**"),
        ("Which open bugs have no assignee?", "**1 of 3 tickets**"),
    ):
        answer = following.ask(question)
        assert (answer.verdict, answer.text[: len(lead)]) == ("complete", lead), question
    following.workspace.close()


def test_rows_with_long_texts_are_counted_as_a_table(tmp_path) -> None:
    docs = Following(tmp_path)
    long = "The hatch was looked at after the storm; its seal was worn, and a new one was cut from the roll. " * 8
    states = ["done", "open", "waiting"] * 7
    rows = "\n".join(f'J-{n},{state},{("Ana", "Bo")[n % 2]},"Job {n}: {long}"' for n, state in enumerate(states, 1))
    docs.write("jobs.csv", f"id,status,person,report\n{rows}\n")
    docs.sync()
    assert docs.ask("How many rows in jobs.csv are done?").text.startswith("**7 of 21 rows of jobs.csv**")
    answer = docs.ask("Which jobs of Bo are open?")
    assert answer.verdict == "complete" and answer.text.startswith("**3 of 21 jobs of jobs.csv**")
    assert docs.ask("What is the status of J-14?").text.startswith("**open**")
    assert docs.everything_live().count("Job 14: The hatch") >= 1  # and each row is there with its text
    docs.workspace.close()


def test_whoever_sells_a_tool_does_not_use_it(tmp_path) -> None:
    docs = Following(tmp_path)
    docs.write(
        "tools.md",
        "# Tools\n\n| Tool | Vendor | Language |\n|---|---|---|\n| RigPlan | Aske | C++ |\n| TorqueLog | Nordlys | Rust |\n"
        "| ChartBoard | Nordlys | C++ |\n\n# Teams\n\n| Team | Tool |\n|---|---|\n| Rigging | RigPlan |\n| Engine | TorqueLog |\n",
    )
    docs.sync()
    assert docs.ask("Which tool does Nordlys use?").verdict != "complete"
    assert docs.ask("Which tool does Rigging use?").text.startswith("**RigPlan**")
    assert docs.ask("Which tools are from Nordlys?").text.startswith("**2 of 3 tools")
    docs.workspace.close()


@pytest.mark.parametrize(
    "question", ("Which call inserts many rows at once?", "Which call inserts several rows?", "Which call inserts rows?")
)
def test_a_verb_is_no_name_of_a_row_and_what_it_does_to_many_is_no_filler(tmp_path, question) -> None:
    docs = Following(tmp_path)
    docs.write(
        "calls.md",
        "# Calls\n\n| Call | On a list | On a map |\n| --- | --- | --- |\n| insert | yes | no |\n| remove | yes | yes |\n",
    )
    docs.sync()
    assert docs.ask(question).verdict != "complete"
    assert docs.ask("How many calls are there?").text.startswith("**2 calls")
    docs.workspace.close()


def test_a_table_that_only_its_heading_calls_so_may_not_be_all_there_is(tmp_path):
    following = Following(tmp_path)
    following.write(
        "fit.md",
        "# Fitting out\n\n## Winch types\n\n| Extra | What |\n| --- | --- |\n| slow | turns slowly |\n| quick | turns quickly |\n",
    )
    following.write("tugs.md", "# Fleet\n\n## Tugs\n\n| Name | Built |\n| --- | --- |\n| Ida | 1990 |\n| Otto | 2001 |\n")
    following.sync()
    try:
        listed, named = following.ask("Which winch types are there?"), following.ask("Which tugs are there?")
    finally:
        following.workspace.close()
    assert listed.verdict == "partial" and "turns slowly" in listed.text
    assert named.verdict == "complete" and "Otto" in named.text


BOATS = "Hull,Boat,Yard,Owner,State,Yearly EUR,Bought\nK-1,Skiff,Oster,Ines Falk,in use,900,2024-02-01\nK-2,Tug,Hove,,in dock,1250,2025-02-01\nK-3,Skiff,Hove,Ines Falk,in dock,300,2026-02-01\nK-4,Ferry,Oster,Tomas Reyl,in use,4100,2026-03-01\n"
REPAIRS = "Job,Town,State,Amount EUR\nR-1,Oster,open,120\nR-2,Hove,closed,80\nR-3,Oster,open,45.50\n"


@pytest.mark.parametrize(
    ("question", "head", "listed"),
    [
        ("Which boats are in dock?", "2 of 4 boats", ["K-2", "K-3"]),
        ("boats without an owner", "1 of 4 boats", ["K-2"]),
        ("Which owner has the most boats?", "Ines Falk", []),
        ("most expensive boat", "K-4", ["4100"]),
        ("What is the dearest boat?", "K-4", ["4100"]),
        ("Which boat is the cheapest?", "K-3", ["300"]),
        ("dock jobs", "3 jobs", ["R-1", "R-2", "R-3"]),
        ("Which dock jobs are open?", "2 of 3", ["R-1", "R-3"]),
        ("Which town has the most dock jobs?", "Oster", []),
        ("total amount of open jobs", "165.50", ["R-1", "R-3"]),
        ("What is the total amount of all jobs?", "245.50", ["R-1", "R-2", "R-3"]),
    ],
)
def test_registers_are_asked_for_by_the_names_of_their_files_and_folders(docs, question, head, listed) -> None:
    docs.write("boat-register.csv", BOATS)
    docs.write("dock/jobs.csv", REPAIRS)
    answer = answered(docs, question)
    assert answer.verdict == "complete" and head in answer.text.partition("\n")[0].replace("\\", ""), answer.text
    text = answer.text.replace("\\", "")
    assert all(one in text for one in listed)
    others = {"K-1", "K-2", "K-3", "K-4", "R-1", "R-2", "R-3"} - {*listed, head}
    assert not listed or not any(one in text for one in others)


def test_a_count_for_each_state_is_not_that_of_one_ticket(docs) -> None:
    docs.write(
        "dock.md",
        "# QAY-1 Extend the lease of the dock\n\n- Type: Task\n- Status: Open\n- Assignee: Ines Falk\n- Priority: High\n",
    )
    assert answered(docs, "leases per status").verdict != "complete"


PUMPS = """station,pump,type,built,owner,serviced
PS-1,1,Reyl 40,2016,Ana,2026-03-11
PS-1,2,Reyl 22,2011,Ben,2026-03-12
PS-2,1,Reyl 40,1998,Ana,2026-05-20
PS-2,2,Reyl 40,2021,Ana,2026-05-21
PS-3,1,Reyl 22,2005,Ben,2026-08-02
PS-3,2,Reyl 22,2004,,2026-08-05
"""


@pytest.fixture(scope="module")
def pumps(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("pumps"))
    following.write("pumps.csv", PUMPS)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    (
        ("Which pumps were built before 2000?", ["PS\\-2 | 1 |"]),
        ("Which pumps were built in 2004?", ["PS\\-3 | 2 |"]),
        ("How many pumps were built between 2004 and 2011?", ["3 of 6 pumps", "PS\\-1 | 2 |", "PS\\-3 | 1 |", "PS\\-3 | 2 |"]),
        ("Which pumps have no owner?", ["1 of 6 pumps", "PS\\-3 | 2 |"]),
        ("Who owns the most pumps?", ["**Ana** with 3 of 6"]),  # a first name is a person in a column of owners
        ("Which pumps does Ben own?", ["2 of 6 pumps", "PS\\-1 | 2 |", "PS\\-3 | 1 |"]),
        ("When was PS-1 serviced?", ["11 March 2026", "pump: 1", "12 March 2026", "pump: 2"]),
    ),
)
def test_rows_of_one_name_are_told_apart(pumps, question, told) -> None:
    """Stations have several pumps, and no year or date names one, though no two of them are alike."""
    answer = pumps.ask(question)
    assert answer.verdict == "complete"
    assert [one for one in told if one not in answer.text] == [], answer.text


def test_a_month_of_which_only_the_year_is_known_is_left_to_the_walk(pumps) -> None:
    assert "None of 6" not in pumps.ask("Which pumps were built in March 2004?").text


def test_a_time_is_of_the_date_that_is_spoken_of_and_lies_where_the_dates_do(tmp_path) -> None:
    """A survey is no day on which a boat is at Hove; and where all surveys of a month lie ahead, those are meant."""
    following = Following(tmp_path)
    this = datetime.now(UTC).date().replace(day=4)
    ahead, before = this + timedelta(days=70), this - timedelta(days=100)
    rows = f"H-1,Grey Heron,Oster,afloat,{ahead}\nH-2,Marsh Tern,Hove,ashore,{ahead + timedelta(days=60)}\nH-3,Old Dunlin,Hove,sold,{before}\n"
    following.write("boats.csv", f"hull,boat,berth,state,survey\n{rows}")
    following.sync()
    for day in (ahead, before):
        told = following.ask(f"Which boats have a survey in {day:%B}?").text
        assert "**1 of 3 boats" in told and str(day) in told.replace("\\", "")
    for question in ("Which boats were sold last year?", "Which boats were at Hove last year?"):
        assert following.ask(question).verdict != "complete"
    following.workspace.close()


def test_a_table_is_one_whatever_column_tells_the_rows_of_a_part_of_it_apart(tmp_path) -> None:
    """In its first leaves the places differ, in the last ones only what is said of them does."""
    following = Following(tmp_path)
    long = "said at length, so that the rows of this register fill several leaves, one after the other, " * 2
    rows = [f"Place {number if number < 60 else 60},{'open' if number % 3 else 'shut'},{long}{number}" for number in range(150)]
    following.write("gates.csv", "\n".join(("place,state,said", *rows)) + "\n")
    following.sync()
    assert "50 of 150 gates" in following.ask("How many gates are shut?").text
    following.workspace.close()


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    """Loans, some of them back: more than are told one by one."""
    following = Following(tmp_path_factory.mktemp("loans"))
    today = datetime.now(UTC).date()
    rows = [
        f"L-{number},{('lamp', 'drill', 'lamp', 'ladder')[number % 4]},{'Hove' if number % 3 else 'Oster'},{'returned' if number % 5 == 0 else 'out'},"
        f"{today + timedelta(days=30 - number * 2)},{number if number % 10 else ''}"
        for number in range(30)
    ]
    following.write("loans.csv", "\n".join(("no,tool,berth,state,due,fee eur", *rows)) + "\n")
    following.sync()
    yield following
    following.workspace.close()


OVERDUE = [number for number in range(30) if 30 - number * 2 < 0 and number % 5]


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("Which loans are overdue?", f"**{len(OVERDUE)} of 30 loans of loans.csv** (due before today, not state returned)"),
        ("overdue loans at Oster", f"**{len([one for one in OVERDUE if one % 3 == 0])} of 30 loans"),
        (
            "What did all the loans cost together?",
            f"**{sum(range(30)) - 30}** in all, fee eur of all 30 rows of loans.csv (3 of these say none)",
        ),
        ("Which tool do we see most often?", "**lamp** with 15 of 30"),
        ("most common tool among our loans", "**lamp** with 15 of 30"),
        ("How many loans came from Hove?", "**20 of 30 loans"),
    ],
)
def test_registers_are_asked_in_the_words_of_a_chat(loans, question, head) -> None:
    answer = loans.ask(question)
    assert answer.verdict == "complete" and answer.text.replace("\\", "").startswith(head), answer.text


@pytest.mark.parametrize(
    "question", ["Which berth gets a broken ladder most often?", "What did all the lost loans cost together?"]
)
def test_what_else_is_said_of_rows_is_not_dropped(loans, question) -> None:
    assert loans.ask(question).verdict != "complete"


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("lamp-stock", "lamps"),
        ("loan-and-hire-contracts", "contracts"),
        ("risks-and-actions", "risks"),
        ("risks-and-controls", "controls"),
    ],
)
def test_rows_are_called_as_the_name_of_their_file_says(tmp_path, name, noun) -> None:
    following = Following(tmp_path)
    following.write(f"{name}.csv", "tag,sort,state\nA-1,hire,open\nA-2,loan,open\nA-3,loan,closed\n")
    following.sync()
    assert following.ask(f"How many {noun} are open?").text.startswith(f"**2 of 3 {noun}")
    following.workspace.close()


def test_past_its_date_is_overdue(loans) -> None:
    assert loans.ask("Which loans are past their due date?").text.startswith(f"**{len(OVERDUE)} of 30 loans")


CONTRACTS = "no,partner,kind,status,until\nC-1,Oster Lamps,hire,running,{ahead}\nC-2,Hove Sails,service,running,{ahead}\nC-3,Reyl,hire,running,{before}\n"


@pytest.mark.parametrize(
    ("question", "head", "rows"),
    [
        ("Which hire contracts are not over yet?", "1 of 3 contracts", ["C-1"]),
        ("Which contracts are over?", "1 of 3 contracts", ["C-3"]),
        ("How many hire contracts do we have?", "2 of 3 contracts", ["C-1", "C-3"]),
        ("Which contracts run out {month}?", "2 of 3 contracts", ["C-1", "C-2"]),
        ("Which contracts end {month}?", "2 of 3 contracts", ["C-1", "C-2"]),
    ],
)
def test_what_a_register_is_called_by_may_be_a_condition_and_an_end_is_a_date(tmp_path, question, head, rows) -> None:
    """Of "service-and-hire-contracts.csv" the hire contracts are some."""
    following = Following(tmp_path)
    this = datetime.now(UTC).date().replace(day=4)
    ahead, before = this + timedelta(days=70), this - timedelta(days=100)
    following.write("service-and-hire-contracts.csv", CONTRACTS.format(ahead=ahead, before=before))
    following.sync()
    text = following.ask(question.format(month=f"in {ahead:%B %Y}")).text.replace("\\", "")
    assert text.startswith(f"**{head}") and [one for one in ("C-1", "C-2", "C-3") if f"| {one} |" in text] == rows
    following.workspace.close()


def test_what_things_have_does_not_call_them(tmp_path) -> None:
    """Rows below "Berths and their lamps" are berths: how many lamps there are is no number of rows."""
    following = Following(tmp_path)
    following.write(
        "quay.md", "# Quay\n\n## Berths and their lamps\n\n| Berth | Lamps |\n| --- | --- |\n| North | 12 |\n| South | 9 |\n"
    )
    following.sync()
    assert "2 lamps" not in following.ask("How many lamps do we have?").text
    assert following.ask("How many berths have 12 lamps?").text.startswith("**1 of 2 berths")
    following.workspace.close()


def test_what_belongs_to_a_crew_is_not_told_by_its_owner(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "O-1,Tank crew,Rosa Umar\nO-2,Quay crew,Ines Falk\nO-3,Tank crew,Rosa Umar\n"
    following.write("orders.csv", f"order,crew,owner\n{rows}")
    following.sync()
    assert following.ask("Which orders belong to Tank crew?").text.startswith("**2 of 3 orders")
    assert following.ask("Which orders belong to Ines Falk?").text.startswith("**1 of 3 orders")
    following.workspace.close()


QUAYS = """berth,name,quay,rings,state,looked after by,rent EUR a year
B-1,Fish Market,North,6,free,Ida Holm,300
B-2,Old Ferry,North,4,taken,Ida Holm,750
B-3,Ferry Steps,South,5,free,Per Lund,120
B-4,Quay House,South,3,free,,90
"""
ORDERS = """order,ordered,what,supplier,amount EUR,state
O-1,{year}-01-14,rope,Tarn & Beck,1200.00,paid
O-2,{year}-02-10,paint,Hove Colours,300.00,ordered
O-3,{before}-11-20,sails,Tarn & Beck,800.00,ordered
"""


@pytest.fixture(scope="module")
def quays(tmp_path_factory):
    following, year = Following(tmp_path_factory.mktemp("quays")), datetime.now(UTC).year
    following.write("registers/berths.csv", QUAYS)
    following.write(f"registers/orders-{year}.csv", ORDERS.format(year=year, before=year - 1))
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("How many berths per quay?", "4 berths of berths.csv"),
        ("Which berth costs us the highest rent?", "B-2"),
        ("Which berth has the highest number of rings?", "B-1"),
        ("Which berths cost us the most?", "B-2"),
        ("Which berth costs least?", "B-4"),
        ("Berths without anybody looking after them", "1 of 4 berths"),
        ("Which berths have nobody looking after them?", "1 of 4 berths"),
        ("Which free berths does Ida look after?", "1 of 4 berths"),
        ("How many rings do we have in North altogether?", "10 in all, rings of 2 of 4 rows"),
        ("How many rings do we have in total?", "18 in all, rings of all 4 rows"),
        ("How many berths do we have altogether?", "4 berths of berths.csv"),
        ("What did we order from Tarn & Beck this year in total?", "1,200 in all, amount EUR of 1 of 3 rows"),
        ("How much did we pay to Tarn & Beck altogether?", "2,000 in all, amount EUR of 2 of 3 rows"),
        ("Which orders are over 1000 euros?", "1 of 3 orders"),
    ],
)
def test_sums_and_owners_of_a_register_are_asked_for_as_people_do(quays, question, head) -> None:
    """What the berths are called is no name of a person, and a year in the name of a file does not hide what it lists."""
    answer = quays.ask(question)
    assert answer.verdict == "complete" and answer.text.replace("\\", "").replace("*", "").startswith(head), answer.text


@pytest.mark.parametrize(("columns", "is_told"), [("last_checked,next_due", True), ("last_checked,height", False)])
def test_what_is_to_come_is_no_matter_of_when_it_was_done_last(tmp_path, columns, is_told) -> None:
    following, ahead = Following(tmp_path), datetime.now(UTC).date().replace(day=3) + timedelta(days=70)
    last = ahead.isoformat() if is_told else "12"
    following.write(
        "lamps.csv",
        f"lamp,{columns}\nL-1,2025-01-10,{last}\nL-2,2025-02-10,{last}\nL-3,2025-03-10,{'2031-01-01' if is_told else 9}\n",
    )
    following.sync()
    answer = following.ask(f"Which lamps are to be checked in {ahead:%B %Y}?")
    assert answer.text.startswith("**2 of 3 lamps") if is_told else answer.verdict != "complete"


def test_a_code_that_occurs_nowhere_is_not_answered_with_another(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "prices.md",
        "# Prices of scales\n\n| Model | Price EUR |\n|---|---|\n| QZ-6 | 900 |\n| QZ-8 | 950 |\n\nThe price of the QZ-6 holds until May.\n",
    )
    following.sync()
    assert following.ask("What is the price of the QZ-12?").text == "Nothing in Docs is called QZ\\-12."
    assert "900" in following.ask("What is the price of the QZ-6?").text


def test_a_list_of_prices_does_not_say_what_was_spent(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("prices.csv", "service,price EUR,unit\nTravel,130,flat\nHour,172,hour\nCheck,240,device\n")
    following.sync()
    assert following.ask("What did we spend on travel altogether?").verdict != "complete"


WORKS = """work,what,street,opened,cost EUR
W-1,clean sewer,Station Parade,2026-07-06,200
W-2,flush dead ends,Rope Walk,2026-07-08,300
W-3,mend pipe,Hove Lane,2026-07-09,100
"""


@pytest.mark.parametrize(
    "question",
    ["How many stations are there?", "How many stations in total?", "How many people are there?", "What ends in March {year}?"],
)
def test_a_name_that_only_begins_like_a_thing_and_a_folder_of_people_count_nothing(tmp_path, question) -> None:
    following = Following(tmp_path)
    following.write("registers/works.csv", WORKS)
    following.write("people/rota.md", "# Rota\n\nStatus: open\n\nWe take turns.\n")
    following.write("people/who.md", "# Who is who\n\nStatus: open\n\nAda leads.\n")
    following.sync()
    assert following.ask(question.format(year=datetime.now(UTC).year + 1)).verdict != "complete"


COMPLAINTS = """no;date;machine;what
R-1;14.01.{last};Heron 50;paint
R-2;29.01.{year};Limpet 8;brake
R-3;19.03.{year};limpet 3;switch
R-4;05.10.{year};Cormorant;gearbox
R-5;21.10.{year};Limpet 3;plate
R-6;21.11.{year};Limpet Pro;mast
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("how many complaints this year", {"R-2", "R-3", "R-4", "R-5", "R-6"}),
        ("which complaints came in March {year}", {"R-3"}),
        ("how many complaints about the limpet 3 this year", {"R-3", "R-5"}),
        ("how many complaints about limpets", {"R-2", "R-3", "R-5", "R-6"}),
    ],
)
def test_days_in_digits_with_dots_and_families_of_things(docs: Following, question: str, found: set[str]) -> None:
    year = datetime.now(UTC).year
    docs.write("quality/complaints.csv", COMPLAINTS.format(year=year, last=year - 1))
    answer = answered(docs, question.format(year=year))
    assert answer.verdict == "complete", answer.text
    assert {f"R-{number}" for number in range(1, 7) if f"R\\-{number}" in answer.text} == found, answer.text


def test_what_is_overdue_for_something_is_overdue_whoever_does_it(docs: Following) -> None:
    docs.write(
        "lab/instrument-register.csv",
        "id;instrument;last calibration;next due;by\nPH-1;pH meter;2020-01-01;2021-01-01;own\nCR-1;cryoscope;2020-01-01;2021-02-01;Lake Calibration\n"
        "BA-1;balance;2020-01-01;2099-01-01;Lake Calibration\n",
    )
    answer = answered(docs, "which instruments are overdue for calibration")
    assert answer.verdict == "complete" and "PH\\-1" in answer.text and "CR\\-1" in answer.text and "BA\\-1" not in answer.text


def test_a_number_alone_names_no_row(docs: Following) -> None:
    docs.write("kettles/cip.csv", "Step,Agent,Temp,Minutes\n1,Water,40,6\n2,Lye,80,25\n4,Acid,62,15\n")
    assert answered(docs, "what temp will kettle 4 have").verdict != "complete"


def test_a_word_with_a_hyphen_may_end_in_the_name_of_a_folder(docs: Following) -> None:
    for number in range(3):
        docs.write(
            f"mail/reply-{number}.eml", f"From: ana@tarn.example\nTo: bo@tarn.example\nSubject: Kiln {number}\n\nFired at noon.\n"
        )
    assert answered(docs, "What is Ana's new e-mail address at Tarn?").verdict != "complete"
