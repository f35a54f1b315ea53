"""Questions over the history of a ticket, held against histories made by the test."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest

from connectors.base import Batch, Document, Reference, Section
from connectors.base import Fact as ConnectorFact
from connectors.jira.facts import FieldChange, past
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.ask.facts.ticket_history import find_history
from tree.retrieve.names import Names
from tree.store.leaves import Entity, Fact

TODAY = date(2026, 6, 15)
STATES = ("To Do", "In Progress", "In Review", "Done")
CREATED = datetime(2026, 1, 5, 9, tzinfo=UTC)


def _changes(chance: Random, number: int) -> list[FieldChange]:
    at, state, found = CREATED, "To Do", []
    for _ in range(number):
        at += timedelta(days=chance.randrange(1, 20))
        after = chance.choice([one for one in STATES if one != state])
        found.append(FieldChange(at.isoformat(), "status", state, after, f"- {at} status: {state} -> {after}"))
        state = after
    return found


def _facts(changes: list[FieldChange]) -> list[Fact]:
    subject = Reference("ticket", "GWY-7", "GWY-7 Gate")
    last = changes[-1]
    held = [Fact(Entity(*fact.subject), fact.relation, fact.value, 0, 0, None, fact.since, fact.until, "ticket")
            for fact in past(subject, CREATED.isoformat(), changes)]  # fmt: skip
    return [*ticket("GWY-7", ("status", last.after, "", last.at)), *held]


@pytest.mark.parametrize("seed", range(200))
def test_what_a_history_says_is_told(seed: int) -> None:
    chance = Random(seed)
    changes = _changes(chance, chance.randrange(1, 7))
    facts = indexed({"s/7": _facts(changes)})
    names = Names(facts)

    before = find_history("What was the status of GWY-7 before?", names, facts, TODAY)
    assert before is not None and before.values[0].fact.value == changes[-1].before
    first = find_history("What was the first status of GWY-7?", names, facts, TODAY)
    assert first is not None and first.values[0].fact.value == "To Do"
    often = find_history("How often did the status of GWY-7 change?", names, facts, TODAY)
    assert often is not None and often.times == len(changes)
    since = find_history("Since when is GWY-7 in its status?", names, facts, TODAY)
    assert since is None or since.values[0].fact.since == changes[-1].at

    day = (CREATED + timedelta(days=chance.randrange(1, 100))).date()
    on = find_history(f"What was the status of GWY-7 on {day.isoformat()}?", names, facts, TODAY)
    truth = [change.after for change in changes if change.at[:10] <= day.isoformat()]
    assert on is not None and on.values[0].fact.value == (truth[-1] if truth else "To Do")


def test_nothing_is_told_of_a_day_before_the_ticket_was_there() -> None:
    facts = indexed({"s/7": _facts(_changes(Random(1), 3))})
    assert find_history("What was the status of GWY-7 on 2025-12-31?", Names(facts), facts, TODAY) is None


def test_a_clock_that_goes_back_makes_no_interval_that_ends_before_it_begins() -> None:
    later, earlier = "2026-05-02T10:00:00+00:00", "2026-05-01T10:00:00+00:00"
    changes = [FieldChange(later, "status", "To Do", "Done", "a"), FieldChange(earlier, "status", "Done", "To Do", "b")]
    held = list(past(Reference("ticket", "GWY-7", "GWY-7"), CREATED.isoformat(), changes))
    assert [(fact.value, fact.since <= fact.until) for fact in held] == [("To Do", True), ("Done", True)]


def test_a_component_that_was_taken_away_held_from_when_it_was_set() -> None:
    changes = [FieldChange("2026-02-01", "component", "", "Gate", "a"), FieldChange("2026-02-03", "component", "", "Berth", "b"),
               FieldChange("2026-03-01", "component", "Gate", "", "c")]  # fmt: skip
    [fact] = past(Reference("ticket", "GWY-7", "GWY-7"), CREATED.isoformat(), changes)
    assert (fact.relation, fact.value, fact.since, fact.until, fact.quote) == (
        "component",
        "Gate",
        "2026-02-01",
        "2026-03-01",
        "c",
    )


@pytest.mark.parametrize(
    "question", ["What was not the status of GWY-7 before?", "Why was GWY-7 in review before?", "What was it before?"]
)
def test_a_question_that_says_more_is_declined(question: str) -> None:
    facts = indexed({"s/7": _facts(_changes(Random(1), 3))})
    assert find_history(question, Names(facts), facts, TODAY) is None


def _told(question: str, *held: tuple[str, str, str]) -> tuple[list[str], int | None] | None:
    """Values and days that a question comes to, where these states were held: state, since, until."""
    subject = Entity("ticket", "GWY-7", "GWY-7 Gate")
    stated = [Fact(subject, "status", state, 0, 0, None, since, until, "ticket") for state, since, until in held]
    facts = indexed({"s/7": [*ticket("GWY-7"), *stated]})
    found = find_history(question, Names(facts), facts, TODAY)
    return None if found is None else ([one.fact.value for one in found.values], found.span.days if found.span else None)


HELD = (
    ("Open", "2026-01-05T09:00:00+00:00", "2026-01-12T10:00:00+00:00"),
    ("Resolved", "2026-01-12T10:00:00+00:00", "2026-02-01T10:00:00+00:00"),
    ("In Test", "2026-02-01T10:00:00+00:00", ""),
)


def test_a_state_that_no_ticket_has_any_more_is_known_from_the_history() -> None:
    assert _told("How long was GWY-7 Open?", *HELD) == (["Open"], 7)
    assert _told("How long was GWY-7 resolved?", *HELD) == (["Resolved"], 20)
    assert _told("When did GWY-7 become Open?", *HELD) == (["Open"], None)


def test_a_state_that_the_ticket_never_had_is_not_taken_for_the_one_it_has() -> None:
    assert _told("How long was GWY-7 closed?", *HELD) is None


def test_what_was_before_a_state_is_the_one_before_that() -> None:
    assert _told("What was the status of GWY-7 before Resolved?", *HELD) == (["Open"], None)
    assert _told("What was the status of GWY-7 before?", *HELD) == (["Resolved"], None)
    assert _told("What was the status of GWY-7 before Open?", *HELD) is None


class _OneTicket:
    """A connector of one ticket with a history."""

    def __init__(self, changes: list[FieldChange]) -> None:
        self.changes = changes

    def fetch(self, checkpoint, hints=None):
        subject = Reference("ticket", "GWY-7", "GWY-7 Gate")
        lines = [
            f"- {change.at[:10]} {change.at[11:16]} UTC status: {change.before} -> {change.after}" for change in self.changes
        ]
        told = [replace(change, line=line) for change, line in zip(self.changes, lines, strict=True)]
        status = ConnectorFact(subject, "status", self.changes[-1].after, None, self.changes[-1].at, "", "- Status: now")
        text = "\n".join(["- Key: GWY-7", "- Status: now", "", "## History", "", *lines])
        key = ConnectorFact(subject, "key", "GWY-7", None, "", "", "- Key: GWY-7")
        facts = (key, status, *past(subject, CREATED.isoformat(), told))
        yield Batch((Document("7", "GWY-7 Gate", (), (Section(text),), "1", kind="ticket", aliases=("GWY-7",), facts=facts),))

    def census(self):
        return ("7",)


@pytest.mark.parametrize("is_back", [False, True])
def test_that_a_clock_was_put_back_is_told_and_the_answer_is_not_called_certain(docs: Following, is_back: bool) -> None:
    first, second = "2026-05-01T10:00:00+00:00", "2026-05-02T10:00:00+00:00"
    times = (second, first) if is_back else (first, second)
    changes = [FieldChange(times[0], "status", "To Do", "Done", ""), FieldChange(times[1], "status", "Done", "In Review", "")]
    sync(docs.workspace, docs.sources, docs.source, connector=_OneTicket(changes))
    answer = docs.ask("What was the status of GWY-7 before?")
    assert answer.text.startswith("**Done**")
    assert ("history go back" in answer.text) is is_back and (answer.verdict == "complete") is not is_back
