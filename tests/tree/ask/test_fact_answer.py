"""Questions for a set of tickets: answered with all of them, counted, or left to the walk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from connectors.base import Batch, Document, Fact, Reference, Section
from tests.ingestion.workspaces import Following

TICKETS = (
    ("GWY-1", "Gate scanner freezes", "Bug", "In Progress", "Maren Oduya", ""),
    ("GWY-2", "Wrong tide table", "Bug", "Done", "Maren Oduya", "2026-03-01"),
    ("GWY-3", "Show the berth", "Story", "To Do", "Tomas Reyl", ""),
    ("GWY-4", "Paint the pier", "Task", "To Do", "", ""),
)


class Tickets:
    """A connector that yields the tickets above."""

    def fetch(self, checkpoint, hints=None):
        yield Batch(tuple(self._document(number, *ticket) for number, ticket in enumerate(TICKETS)))

    def _document(self, number, key, title, kind, status, assignee, resolved):
        said = {"key": key, "type": kind, "status": status, "assignee": assignee, "resolved": resolved, "reporter": "Ines Falk"}
        said = {name: value for name, value in said.items() if value} | {"updated": f"2026-03-0{number + 1}"}
        subject = Reference("ticket", key, f"{key} {title}")
        facts = tuple(
            Fact(subject, name, value, _person(name, value), quote=f"- {name.title()}: {value}") for name, value in said.items()
        )
        dated = f"- Resolved: {resolved}\n" if resolved else ""
        text = f"- Type: {kind}\n- Status: {status}\n- Assignee: {assignee or 'nobody'}\n{dated}\nThe pier needs it."
        return Document(str(number), f"{key} {title}", (), (Section(text),), title, kind="ticket", aliases=(key,), facts=facts)

    def census(self):
        return (str(number) for number in range(len(TICKETS)))

    def close(self):
        pass


def _person(relation: str, name: str) -> Reference | None:
    return Reference("person", name, name) if relation in ("assignee", "reporter") else None


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("site"))
    following.sync(connector=Tickets())
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("Which bugs are open?", ["GWY-1"]),
        ("What is Maren working on?", ["GWY-1"]),
        ("Which tickets are assigned to Maren Oduya?", ["GWY-2", "GWY-1"]),
        ("List all tickets in status To Do", ["GWY-4", "GWY-3"]),
        ("Which tickets are unassigned?", ["GWY-4"]),
        ("How many bugs are resolved?", ["GWY-2"]),
        ("Which stories did Ines Falk report?", ["GWY-3"]),
    ],
)
def test_all_tickets_that_fulfil_it_are_told_the_last_updated_first(site, question, keys) -> None:
    answer = site.ask(question)
    assert answer.verdict == "complete"
    assert answer.text.startswith(f"**{len(keys)} of 4 tickets**")
    assert [citation.title.split()[0] for citation in answer.citations] == keys
    assert answer.trail[0].kind == "register"


def test_a_citation_quotes_the_fact_it_was_chosen_for(site) -> None:
    [citation] = site.ask("What is Maren working on?").citations
    assert [passage.text for passage in citation.passages] == ["- Assignee: Maren Oduya"]


def test_a_date_that_was_asked_by_is_told_and_quoted(site) -> None:
    answer = site.ask("Which tickets were resolved in March 2026?")
    assert "- GWY\\-2 Wrong tide table (Done, Maren Oduya, resolved 1 March 2026) [1]" in answer.text
    assert [passage.text for passage in answer.citations[0].passages] == ["- Resolved: 2026-03-01"]


def test_whether_all_are_so_is_told_with_the_exceptions(site) -> None:
    answer = site.ask("Are all bugs done?")
    assert answer.verdict == "complete" and answer.text.startswith("**No: 1 of the 2 bugs** (open):")
    assert [citation.title.split()[0] for citation in answer.citations] == ["GWY-1"]
    assert site.ask("Are all stories unresolved?").text == "**Yes: the 1 story** (open)."


def test_none_is_an_answer_too(site) -> None:
    answer = site.ask("How many tickets are in review?")
    assert (answer.verdict, answer.citations) == ("complete", ())
    assert answer.text == "**None of 4 tickets** (status in review)."


@pytest.mark.parametrize(
    "question",
    [
        "Which bug made the gate scanner freeze?",
        "What is Maren working on in GWY-1?",
        "Which tickets need the pier?",
        "Why is it open?",
        "How many bugs are open? " * 17,
    ],
)
def test_a_question_that_says_more_is_left_to_the_walk(site, question) -> None:
    assert all(step.kind != "register" for step in site.ask(question).trail)


@pytest.mark.parametrize(
    ("question", "label", "names", "values"),
    [
        ("Tickets per status", "status", ("Done", "In Progress", "To Do"), (1, 1, 2)),
        ("Show me a chart of open tickets by type", "type", ("Bug", "Story", "Task"), (1, 1, 1)),
        ("Who has the most tickets?", "assignee", ("Maren Oduya", "Tomas Reyl", "nobody"), (2, 1, 1)),
        ("Number of tickets for each assignee", "assignee", ("Maren Oduya", "Tomas Reyl", "nobody"), (2, 1, 1)),
    ],
)
def test_what_is_counted_by_groups_can_be_drawn(site, question, label, names, values) -> None:
    chart = site.ask(question).chart
    assert chart is not None and chart.label == label
    assert dict(zip(chart.names, chart.series[0].values, strict=True)) == dict(zip(names, values, strict=True))


def test_a_list_has_no_chart(site) -> None:
    assert site.ask("Which bugs are open?").chart is None


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("What did Oduua say about the harbour?", ["What did Oduya say about the harbour?"]),
        ("why is Marren unhappy with Reyll?", ["why is Maren unhappy with Reyl?"]),
        ("Why does the gate scanner freeze at night?", []),
        ("What is a zyzzyva?", []),
    ],
)
def test_a_word_that_occurs_nowhere_is_offered_as_the_name_one_edit_from_it(site, question, offered) -> None:
    answer = site.ask(question)
    assert answer.verdict != "complete"
    assert [other.question for other in answer.did_you_mean] == offered


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("what about the scaner that freezes", ["what about the scanner that freezes"]),
        ("is the telemetry on", []),  # nothing is near it
        ("what is zwq", []),  # too short for a slip
    ],
)
def test_a_slip_in_any_word_is_offered_where_nothing_answers(site, question, offered) -> None:
    answer = site.ask(question)
    assert answer.verdict != "complete" and [other.question for other in answer.did_you_mean] == offered


def test_what_is_answered_is_not_corrected(site) -> None:
    assert site.ask("Which tickets are assigned to Maren Oduya?").did_you_mean == ()


class Related(Tickets):
    """GWY-2 is a part of GWY-1, and has GWY-3 as a part of it."""

    def _document(self, number, key, title, kind, status, assignee, resolved):
        document = super()._document(number, key, title, kind, status, assignee, resolved)
        subject = Reference("ticket", key, f"{key} {title}")
        parts = {"GWY-1": ("GWY-2", "Wrong tide table"), "GWY-2": ("GWY-3", "Show the berth")}
        wholes = {"GWY-2": ("GWY-1", "Gate scanner freezes"), "GWY-3": ("GWY-2", "Wrong tide table")}
        related = [
            Fact(subject, relation, " ".join(known[key]), Reference("ticket", known[key][0], " ".join(known[key])), quote=title)
            for relation, known in (("sub-task", parts), ("parent", wholes))
            if key in known
        ]
        return replace(document, facts=(*document.facts, *related))


def test_what_a_ticket_is_a_part_of_is_never_a_part_of_it(tmp_path) -> None:
    following = Following(tmp_path)
    following.sync(connector=Related())
    for question in ("Which ticket is GWY-2 a sub-task of?", "what is gwy-2 a subtask of"):
        answer = following.ask(question)
        assert answer.verdict == "complete" and answer.text.startswith("**GWY\\-1 Gate scanner"), answer.text
    assert following.ask("Which ticket is GWY-1 a sub-task of?").verdict != "complete"  # of none
    assert following.ask("Which ticket is GWY-2 not a sub-task of?").verdict != "complete"
    assert following.ask("Who filed GWY-2?").text.startswith("**Ines Falk**")
    following.workspace.close()
