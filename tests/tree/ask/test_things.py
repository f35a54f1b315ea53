"""What is known of one thing by its name, and of two side by side."""

from __future__ import annotations

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.reading import open_folder
from tests.tree.ask.ticket_rows import Tickets, open_site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = open_site(tmp_path_factory.mktemp("site"))
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Tell me about Turnstile", "**Turnstile**: a component; Team Quay; lead Solveig Marsh; 2 tickets, 2 open"),
        ("overview of Team Quay", "**Team Quay**: a team; owns Turnstile; 2 tickets, 2 open"),
        ("What is GWY-3?", "**GWY-3 Gate opens twice**: a bug; To Do; Tomas Reyl"),
        ("gwy-3", "**GWY-3 Gate opens twice**: a bug; To Do; Tomas Reyl"),
        ("Team Quay", "**Team Quay**: a team; owns Turnstile; 2 tickets, 2 open"),
        ("what is GWY-3 about?", "**GWY-3 Gate opens twice**: a bug; To Do; Tomas Reyl"),
        ("What do we know about Tomas Reyl?", "**Tomas Reyl**: a person; 2 tickets, 2 open"),
        ("describe the component Tide Store", "**Tide Store**: a component; Team Shore; lead Petra Lund; 2 tickets, 1 open"),
    ],
)
def test_what_is_known_of_a_thing_is_told_with_its_tickets(site, question, lead) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete" and answer.citations
    assert answer.text.replace("\\", "").startswith(lead), answer.text


@pytest.mark.parametrize("question", ["component of GWY-3", "component gwy-3"])
def test_a_kind_beside_a_ticket_asks_for_what_the_ticket_has_of_it(site, question) -> None:
    assert "**Turnstile**, component of GWY-3" in site.ask(question).text.replace("\\", "")


@pytest.mark.parametrize("question", ["Tell me about high", "Tell me about the gate in Turnstile"])
def test_what_is_no_thing_is_left_to_the_walk(site, question) -> None:
    assert "register" not in [step.kind for step in site.ask(question).trail]


def test_that_somebody_has_tickets_does_not_say_who_that_is(site) -> None:
    answer = site.ask("who is Tomas Reyl?")
    assert answer.verdict == "partial" and answer.text.startswith("**Tomas Reyl**: a person; 2 tickets, 2 open")


def test_two_things_are_put_side_by_side(site) -> None:
    text = site.ask("compare GWY-1 and GWY-3").text.replace("\\", "")
    assert text.startswith("**GWY-1 Gate scanner freezes and GWY-3 Gate opens twice** side by side:")
    assert "| Status | In Progress [1] | To Do [2] |" in text
    assert "| Component (the same) | Turnstile [1] | Turnstile [2] |" in text


def test_what_is_stated_of_both_stands_in_the_order_in_which_it_is_stated(tmp_path) -> None:
    following = Following(tmp_path)
    heads = ("Kiosk", "Height", "Width", "Weight", "Depth", "Volume", "Power", "Age")
    rows = (
        ("Alder 4", "1 m", "2 m", "3 kg", "4 m", "5 l", "6 W", "7"),
        ("Birch 9", "8 m", "9 m", "10 kg", "11 m", "12 l", "13 W", "14"),
    )
    table = [heads, ("---",) * len(heads), *rows]
    following.write("kiosks.md", "# Kiosks\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in table) + "\n")
    following.sync()
    text = following.ask("difference between Alder 4 and Birch 9").text
    following.workspace.close()
    said = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("|")][2:]
    assert said == [head for head in heads if head != "Kiosk"]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What is the difference between Turnstile and Tide Store?", "| Open tickets | 2 | 1 |"),
        ("Team Quay versus Team Shore", "| Tickets | 2 | 2 |"),
        ("Compare Maren Oduya with Tomas Reyl", "| Open tickets | 1 | 2 |"),
    ],
)
def test_their_tickets_are_counted_side_by_side(site, question, row) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete" and row in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Compare GWY-1 and the old gate",
        "Compare the gates of GWY-1 and GWY-3",
        "What is the difference between GWY-1 and GWY-99?",
    ],
)
def test_a_comparison_that_says_more_is_left_to_the_walk(site, question) -> None:
    assert "register" not in [step.kind for step in site.ask(question).trail]


def test_a_name_of_two_is_shown_not_guessed(tmp_path) -> None:
    site = open_site(tmp_path)
    row = ("GWY-6", "Lamp is dark", "Bug", "To Do", "Maren Falk", "Low", "Turnstile", "2026-06-08", "")
    site.sync(connector=Tickets([*site.tickets.rows, row]))
    answer = site.ask("Tell me about Maren")
    assert answer.verdict == "partial"
    assert "Maren Falk: a person; 1 ticket, 1 open" in answer.text and "Maren Oduya: a person; 2 tickets, 1 open" in answer.text
    site.workspace.close()


def test_nothing_is_told_of_what_the_asker_may_not_see(site) -> None:
    answer = site.ask("Tell me about Turnstile", sources=[site.people.id])
    assert "ticket" not in answer.text


@pytest.mark.parametrize("question", ["GWY-3", "gwy-3?"])
def test_a_key_alone_asks_what_it_is(site, question) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete" and answer.text.replace("\\", "").startswith("**GWY-3 Gate opens twice**: a bug; To Do")


def test_what_somebody_has_to_do_are_also_their_open_tickets(site) -> None:
    site.write("round.md", "# Round, 8 June 2026\n\nPresent: Tomas Reyl, Ines Falk.\n\n## Actions\n- Tomas Reyl: ask the port\n")
    sync(site.workspace, site.sources, site.people, None, connector=open_folder(**site.people.config))
    answer = site.ask("What does Tomas Reyl have to do?")
    text = answer.text.replace("\\", "")
    assert answer.verdict == "partial"
    assert "ask the port" in text.split("Tickets:")[0]
    assert "GWY-3 Gate opens twice" in text and "GWY-5 Show the berth" in text and "[3]" in text


def test_what_somebody_took_on_in_a_meeting_are_no_tickets(site) -> None:
    assert "GWY-3" not in site.ask("Which actions does Tomas Reyl have from the meeting?").text
