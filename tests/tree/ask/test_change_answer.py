"""What changed: documents from the versions that are kept, each with the day it was known here and the passage that is new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from connectors.base import Batch, Document, Fact, Reference, Section
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.direct.change_answer import _bound
from tree.ask.understanding.change_question import ChangeQuestion
from tree.browse.activity import FIRST_READ, find_activity
from tree.store.changes import FirstRead

DAY = 86_400


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    """A folder that was read ten days ago."""
    following = Following(tmp_path)
    following.write("runbooks/pump.md", "# Pump\n\nOpen the valve.\n\n## Stop\n\nClose it again.\n")
    following.write("runbooks/gate.md", "# Gate\n\nPull the lever.\n")
    following.write("people.md", "# People\n\nMaren Oduya owns the pump.\n")
    following.sync()
    _age(following, 10)
    yield following
    following.workspace.close()


def _age(docs: Following, days: float) -> None:
    """Everything that was published so far was published so many days ago."""
    with docs.workspace.database.write() as connection:
        connection.exec_driver_sql(f"UPDATE version SET published_at = published_at - {days * DAY}")
        connection.exec_driver_sql(f"UPDATE source SET created_at = created_at - {days * DAY}")


def _lines(text: str) -> list[str]:
    return [line.partition("**: ")[2] for line in text.replace("\\", "").split("\n") if line.startswith("- ")]


def test_added_changed_moved_and_removed_documents_are_told_and_the_new_passage_is_cited(docs: Following) -> None:
    docs.write("runbooks/pump.md", "# Pump\n\nOpen the valve.\n\n## Stop\n\nClose it with the red key.\n")
    docs.write("runbooks/lamp.md", "# Lamp\n\nTurn the switch.\n")
    (docs.folder / "people.md").unlink()
    (docs.folder / "runbooks/gate.md").rename(docs.folder / "gate.md")
    docs.sync()
    told = docs.ask("What changed today?")
    assert told.verdict == "complete" and told.text.startswith("**4 changes** on ")
    assert sorted(line.partition(" [")[0] for line in _lines(told.text)) == [
        "Gate was moved", "Lamp was added", "People was removed", "Pump was changed (Stop): “Close it with the red key.”",
    ]  # fmt: skip
    assert any("red key" in passage.text for citation in told.citations for passage in citation.passages)
    assert "Maren" not in told.text and not any("Maren" in str(citation) for citation in told.citations)


def test_what_a_page_says_now_is_told_and_never_what_it_said_before(docs: Following) -> None:
    long = [f"Rule {at} is that hall {at} is swept by whoever locks it in the evening." for at in range(9)]
    docs.write("people.md", "# People\n\nTomas Reyl owns the pump. " + " ".join(long) + "\n")
    docs.sync()
    [line] = _lines(docs.ask("What changed today?").text)
    assert line.startswith("People was changed: “Tomas Reyl owns the pump. Rule 0 is") and " …” [1]" in line and len(line) < 320
    docs.write("people.md", "# People\n\nTomas Reyl owns the pump.\n")
    docs.sync()
    assert _lines(docs.ask("What changed today?").text) == ["People was changed: “Tomas Reyl owns the pump.” [1]"]


def test_a_branch_narrows_it(docs: Following) -> None:
    docs.write("runbooks/pump.md", "# Pump\n\nOpen both valves.\n")
    docs.write("people.md", "# People\n\nTomas Reyl owns the pump.\n")
    docs.sync()
    assert [line.partition(" [")[0] for line in _lines(docs.ask("What changed today in runbooks?").text)] == [
        "Pump was changed (Stop): “Open both valves.”"
    ]
    assert [line.partition(" [")[0] for line in _lines(docs.ask("Which documents were added today?").text)] == []


def test_a_source_narrows_it_by_its_name_and_its_kind(docs: Following) -> None:
    docs.write("people.md", "# People\n\nTomas Reyl owns the pump.\n")
    docs.sync()
    other = docs.sources.add("folder", "Archive", {"path": str(docs.folder)})
    for question in ("What changed today in Archive?", f"what changed today in {docs.source.name}?"):
        assert docs.ask(question).text.startswith(("**No changes** in Archive", f"**1 change** in {docs.source.name}"))
    assert other.name == "Archive"


def test_what_came_and_went_in_between_is_no_change(docs: Following) -> None:
    docs.write("draft.md", "# Draft\n\nNothing yet.\n")
    docs.sync()
    (docs.folder / "draft.md").unlink()
    docs.sync()
    told = docs.ask("What changed today?")
    assert told.text.startswith("**No changes**") and told.verdict == "complete" and "Draft" not in told.text


def test_changes_are_of_their_day(docs: Following) -> None:
    docs.write("people.md", "# People\n\nTomas Reyl owns the pump.\n")
    docs.sync()
    _age(docs, 3)
    assert docs.ask("What changed today?").text.startswith("**No changes**")
    assert docs.ask("What changed in the last 5 days?").text.startswith("**1 change**")


def test_a_source_that_is_new_is_told_as_that(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write("a.md", "# A\n\nOne.\n")
    following.sync()
    told = following.ask("What changed today?")
    assert "was added on" in told.text and "1 document was read for the first time" in told.text and told.verdict == "partial"
    following.workspace.close()


def test_what_changed_since_a_new_source_was_read_is_counted(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write("a.md", "# A\n\nOne.\n\n## Care\n\nOil it.\n")
    following.write("c.md", "# C\n\nThree.\n")
    following.sync()
    following.write("a.md", "# A\n\nOne.\n\n## Care\n\nGrease it.\n")
    following.write("b.md", "# B\n\nTwo.\n")
    (following.folder / "c.md").unlink()
    following.sync()
    told = following.ask("What changed today?")
    assert told.verdict == "complete" and told.text.startswith("**3 changes** on ") and "since the sources were read" in told.text
    assert {line.partition(" [")[0] for line in _lines(told.text)} == {
        "A was changed (Care): “Grease it.”",
        "B was added",
        "C was removed",
    }
    assert "2 documents were read for the first time" in told.text
    [passage] = next(one for one in told.citations if one.title == "A").passages
    assert passage.text == "Grease it."
    assert following.ask("What changed in the last 5 days?").verdict == "partial"  # before today nothing is known
    today = datetime.now(UTC).date()
    found = find_activity(following.workspace, OPERATOR, today - timedelta(days=1), today, UTC)
    assert sorted(one.how for one in found.entries) == ["added", "changed", FIRST_READ, "removed"]
    following.workspace.close()


@pytest.mark.parametrize("question", ("What changed in release 2.0?", "What has not changed today?", "Why was the pump changed?"))
def test_other_questions_are_left_alone(docs: Following, question: str) -> None:
    assert "changes**" not in docs.ask(question).text


def test_the_page_of_activity_counts_what_the_answer_counts(docs: Following) -> None:
    docs.write("runbooks/pump.md", "# Pump\n\nOpen both valves.\n")
    docs.write("runbooks/lamp.md", "# Lamp\n\nTurn the switch.\n")
    (docs.folder / "people.md").unlink()
    docs.sync()
    today = datetime.now(UTC).date()
    entries = find_activity(docs.workspace, OPERATOR, today, today, UTC).entries
    assert docs.ask("What changed today?").text.startswith(f"**{sum(one.how != FIRST_READ for one in entries)} changes** on ")


def test_days_begin_and_end_at_midnight_of_whoever_asks(docs: Following) -> None:
    """Half past eleven in the evening in UTC: in Auckland it was the next day already."""
    docs.write("people.md", "# People\n\nTomas Reyl owns the pump.\n")
    docs.sync()
    evening = (datetime.now(UTC) - timedelta(days=3)).replace(hour=23, minute=30)
    with docs.workspace.database.write() as connection:
        newest = "(SELECT max(number) FROM version)"
        connection.exec_driver_sql(f"UPDATE version SET published_at = {evening.timestamp()} WHERE number = {newest}")
    there = evening.astimezone(ZoneInfo("Pacific/Auckland"))
    days = [f"{moment:%-d %B %Y}" for moment in (evening, there)]
    here, later = (docs.ask(f"What changed on {day}?").text for day in days)
    assert (
        here.startswith(f"**1 change** on {days[0]}") and f"{days[0]}, 23:30 UTC" in here and later.startswith("**No changes**")
    )
    here, later = (docs.ask(f"What changed on {day}?", zone=there.tzinfo).text for day in days)
    assert here.startswith("**No changes**") and f"{days[1]}, {there:%H:%M %Z}" in later and days[0] != days[1]


class _TwoTickets:
    """A connector of two linked tickets, one of which has comments and work that was logged."""

    def fetch(self, checkpoint, hints=None):
        today = datetime.now(UTC).date()
        old = today - timedelta(days=40)
        comments = (
            f"### Ada Wren, {old} 08:00 UTC\n\nThe hinge squeaks.\n\n### Jo Lind, {today} 00:00 UTC\n\nOiled the hinge. It is quiet.\n\n"
            f"## Work log\n\n### Ada Wren, {today} 00:00 UTC\n\n2h: Took it apart.\n"
        )
        history = "## History\n\n- {day} 00:00 UTC This issue {link}, by Ada Wren\n"
        first = f"## Comments\n\n{comments}\n{history.format(day=today, link='blocks GWY-8')}"
        yield Batch(
            (
                _ticket("7", "GWY-7 Gate", first),
                _ticket("8", "GWY-8 Fence", history.format(day=today, link="is blocked by GWY-7")),
            )
        )

    def census(self):
        return ("7", "8")


def _ticket(id_: str, title: str, text: str) -> Document:
    key = title.split()[0]
    fact = Fact(Reference("ticket", key, title), "key", key, None, "", "", f"- Key: {key}")
    return Document(id_, title, (), (Section(f"- Key: {key}\n\n{text}"),), "1", kind="ticket", aliases=(key,), facts=(fact,))


def test_comments_are_changes_and_a_link_is_one(docs: Following) -> None:
    sync(docs.workspace, docs.sources, docs.source, connector=_TwoTickets())
    told = docs.ask("What changed today?")
    lines = [line.partition(" [")[0] for line in _lines(told.text) if line.startswith("GWY-")]
    assert [line for line in lines if "commented" in line] == ["GWY-7 Gate: Jo Lind commented: Oiled the hinge. It is quiet."]
    assert len([line for line in lines if "This issue" in line]) == 1 and "squeaks" not in told.text and "apart" not in told.text
    assert any(passage.text == "Oiled the hinge. It is quiet." for one in told.citations for passage in one.passages)


class _NewTicket:
    """A ticket that was created today, and one of old; read for the first time."""

    def fetch(self, checkpoint, hints=None):
        yield Batch(
            (
                self._made("7", "GWY-7 Gate", f"{datetime.now(UTC):%Y-%m-%d}T00:00:01+00:00"),
                self._made("8", "GWY-8 Fence", "2026-01-02"),
            )
        )

    def _made(self, id_: str, title: str, created: str) -> Document:
        document = _ticket(id_, title, f"- Created: {created}")
        fact = Fact(document.facts[0].subject, "created", created, quote=f"- Created: {created}")
        return replace(document, facts=(*document.facts, fact))

    def census(self):
        return ("7", "8")


def test_a_ticket_that_was_created_before_its_source_was_read_is_a_change(tmp_path: Path) -> None:
    following = Following(tmp_path)
    sync(following.workspace, following.sources, following.source, connector=_NewTicket())
    told = following.ask("What changed in the tickets since yesterday?").text
    assert "GWY\\-7 Gate was created [" in told and "Fence was created" not in told
    following.workspace.close()


def test_a_ticket_that_is_told_as_new_is_not_told_twice(docs: Following) -> None:
    sync(docs.workspace, docs.sources, docs.source, connector=_NewTicket())
    told = docs.ask("What changed in the tickets since yesterday?").text
    assert "GWY\\-7 Gate was added [" in told and "was created" not in told


@pytest.mark.parametrize(("moments", "said"), [((0, 30), " (09:00 UTC)"), ((0, 3600), "")])
def test_the_moment_from_which_on_changes_are_known_is_told_where_it_is_one(moments: tuple[int, ...], said: str) -> None:
    nine = datetime(2026, 11, 30, 9, tzinfo=UTC)
    fresh = {str(after): FirstRead(nine.timestamp() + after, ()) for after in moments}
    sources = {id_: SimpleNamespace(first_read_at=read.moment) for id_, read in fresh.items()}
    found = SimpleNamespace(fresh=fresh, snapshot=SimpleNamespace(sources=sources, zone=UTC))
    question = ChangeQuestion(nine.date(), nine.date(), "on 30 November 2026")
    assert _bound(question, found) == f", since the sources were read first{said}"
