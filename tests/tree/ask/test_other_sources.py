"""A question that does not say whose is meant is answered from each source that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ingestion.sources import Sources
from ingestion.sync import sync
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import ask
from tree.ask.snapshot.answer import Answer, Event, TextPiece
from tree.ask.snapshot.trail import Step
from tree.store.places import root_place
from tree.workspace import workspace

TODAY = datetime.now(UTC).date()
BEFORE, SOON, LATER = (f"{day.day} {day:%B %Y}" for day in (TODAY - timedelta(18), TODAY + timedelta(14), TODAY + timedelta(17)))
MINUTES = "# {} meeting, {}\n\nPresent: Ada Voss, Bo Lund\n\n{}\n\nNext meeting: {}.\n"
NORTH = MINUTES.format("Crew", BEFORE, "Bikes travel free on every boat. The keel of the Wren is oak.", SOON)
SOUTH = MINUTES.format("Lock", BEFORE, "The lock house opens at nine.", LATER)
WEST = MINUTES.format("Mill", BEFORE, "The wheel turns at dawn.", f"{SOON}, in the old mill")
QUESTION = "When is the next meeting?"
Asked = Callable[..., list[Event]]


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    """A question put to three sources; `only`, names: by somebody who sees these alone."""
    with workspace(tmp_path / "home") as opened:
        sources = Sources(opened.database)
        for name, text in (("North", NORTH), ("South", SOUTH), ("West", WEST)):
            folder = tmp_path / name
            folder.mkdir()
            (folder / "page.md").write_text(text)
            sync(opened, sources, sources.add("folder", name, {"path": str(folder)}))
        ids = {one.name: one.id for one in sources.all()}

        def put(question: str, *only: str, places: tuple[str, ...] = ()) -> list[Event]:
            somebody = Principal("somebody", "Somebody", only=frozenset(ids[name] for name in only)) if only else OPERATOR
            return list(ask(opened, question, principal=somebody, places=tuple(root_place(ids[name]) for name in places)))

        yield put


def answer_of(events: list[Event]) -> Answer:
    answer = events[-1]
    assert isinstance(answer, Answer)
    return answer


def test_each_source_is_told_with_what_it_says(asked: Asked) -> None:
    events = asked(QUESTION)
    answer = answer_of(events)
    assert answer.verdict == "complete" and SOON in answer.text and LATER in answer.text
    assert answer.text.count("**In ") == 2 and "**In South:**" in answer.text and answer.text.startswith("**In ")
    assert {citation.source for citation in answer.citations} >= {"South"} and len(answer.citations) == 2
    assert [citation.number for citation in answer.citations] == [1, 2] and len(answer.rests_on) == 2
    assert "".join(one.text for one in events if isinstance(one, TextPiece)).strip() == answer.text
    assert tuple(one for one in events if isinstance(one, Step)) == answer.trail
    assert len(answer.versions) == len(answer.sources) == 3, "it was asked of all three"


def test_marks_stand_where_their_numbers_do(asked: Asked) -> None:
    answer = answer_of(asked(QUESTION))
    assert len(answer.marks) == 2
    for mark in answer.marks:
        assert answer.text[mark.start :].startswith(f"[{mark.number}]")


def test_what_another_source_says_too_is_told_once(asked: Asked) -> None:
    answer = answer_of(asked(QUESTION, "North", "West"))
    assert answer.verdict == "complete" and answer.text.count(SOON) == 1 and "**In " not in answer.text


def test_nothing_is_told_of_a_source_that_somebody_may_not_see(asked: Asked) -> None:
    answer = answer_of(asked(QUESTION, "South"))
    assert LATER in answer.text and SOON not in str(answer) and "North" not in str(answer)


@pytest.mark.parametrize("question", ["What is the keel of the Wren?", "When does the lock house open?"])
def test_what_one_source_alone_has_is_told_alone(asked: Asked, question: str) -> None:
    answer = answer_of(asked(question))
    assert answer.verdict != "none" and "**In " not in answer.text


def test_where_a_place_is_chosen_no_other_is_asked(asked: Asked) -> None:
    answer = answer_of(asked(QUESTION, places=("South",)))
    assert LATER in answer.text and SOON not in answer.text
