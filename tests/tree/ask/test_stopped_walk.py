"""A walk with a model that is stopped and goes on: what was read is kept, as far as it still holds and may be seen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingestion.sync import sync
from prompts.model import Stop, answer, choose, look
from tests.ingestion.workspaces import Following
from tests.prompts.model.conftest import reader_of
from tests.prompts.model.provider import Provider, serving
from tests.prompts.model.sensible import reply_to
from tests.reading import open_folder
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.trail import Step, read_step, step_json
from tree.ask.walk.stopped_walk import StoppedWalk, has_read, step_to_keep

QUESTION = "Which colour do the pumps have?"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


@pytest.fixture
def docs(tmp_path: Path, each_database) -> Iterator[Following]:
    following = Following(tmp_path)
    for number in range(6):
        following.write(
            f"area {number % 2}/hall {number}.md", f"# Hall {number}\n\nThe pump of hall {number} has a colour: {number}.\n"
        )
    following.sync()
    yield following
    following.workspace.close()


def said(system: str, user: str) -> Any:
    """A model to which every passage tells a part, and nothing is enough."""
    if system in (answer.SYSTEM, look.SYSTEM):
        made = reply_to(system, user)
        if system == answer.SYSTEM:
            return made | {"question": "open", "adds": "adds"}
        return made | {"question": "open", "follow_up": "", "missing": 0}
    return reply_to(system, user)


def walked(docs: Following, provider: Provider, stopped: StoppedWalk | None = None, until: int = 99, **options: Any) -> list[Any]:
    """The events of a walk, which is stopped after so many leaves were read."""
    stop, events = Stop(), list[Any]()
    reader = reader_of(provider.url, context_tokens=64_000)
    options = {"principal": OPERATOR, "budget": Budget(ahead=1), **options}
    for event in ask(docs.workspace, QUESTION, reader=reader, stop=stop, stopped=stopped, **options):
        events.append(event)
        if len(read_in(events)) >= until:
            stop.set()
    return events


def read_in(events: list[Any]) -> list[str]:
    return [event.title for event in events if isinstance(event, Step) and event.kind == "read"]


def kept(events: list[Any], asked_at: float) -> StoppedWalk:
    return StoppedWalk([step_to_keep(event) for event in events if isinstance(event, Step)], asked_at)


def judged(provider: Provider) -> str:
    """All passages that the model was asked about."""
    judges = (answer.SYSTEM, look.SYSTEM)
    return "\n".join(
        one.prompt.partition("Passages to read:")[2] for one in provider.received if one.body["messages"][0]["content"] in judges
    )


def test_what_was_read_is_kept_and_the_model_is_not_asked_of_it_again(docs: Following, provider: Provider) -> None:
    provider.said = said
    asked_at = time.time()
    before = walked(docs, provider, until=2)
    assert len(read_in(before)) == 2 and not any(isinstance(event, Answer) for event in before)
    provider.received.clear()
    after = walked(docs, provider, kept(before, asked_at))
    steps = [event for event in before if isinstance(event, Step)]
    assert [event for event in after if isinstance(event, Step)][: len(steps)] == steps
    assert len(set(read_in(after))) == len(read_in(after)) > 2, "no leaf is read twice"
    for title in read_in(before):
        assert f"{title.replace('Hall', 'hall')} has a colour" not in judged(provider)
    found = after[-1]
    assert isinstance(found, Answer) and found.coverage["leaves_read"] == len(read_in(after))
    assert all("heard" not in step for step in found.as_json()["trail"])


def test_it_may_be_stopped_and_go_on_again(docs: Following, provider: Provider) -> None:
    provider.said = said
    asked_at = time.time()
    first = walked(docs, provider, until=1)
    second = walked(docs, provider, kept(first, asked_at), until=3)
    third = walked(docs, provider, kept(second, asked_at))
    assert read_in(third)[:3] == read_in(second) and read_in(second)[:1] == read_in(first)
    assert isinstance(third[-1], Answer)


def test_one_that_was_stopped_while_the_answer_was_written_reads_nothing_more(docs: Following, provider: Provider) -> None:
    asked_at = time.time()
    whole = walked(docs, provider)
    assert whole[-1].verdict == "complete"
    before = [event for event in whole if isinstance(event, Step)]
    provider.received.clear()
    after = walked(docs, provider, kept(before, asked_at))
    assert after[-1].text == whole[-1].text and after[-1].trail == whole[-1].trail
    systems = {one.body["messages"][0]["content"] for one in provider.received}
    assert not systems & {answer.SYSTEM, look.SYSTEM, choose.SYSTEM} and len(provider.received) == 1


def test_what_changed_since_is_read_again_and_what_is_gone_is_not_shown(docs: Following, provider: Provider) -> None:
    provider.said = said
    asked_at = time.time()
    before = walked(docs, provider, until=2)
    changed, gone = read_in(before)
    paths = {path.stem.capitalize(): path for path in docs.folder.rglob("*.md")}
    paths[changed].write_text(f"# {changed}\n\nThe pump of this hall has a colour: violet.\n")
    paths[gone].unlink()
    docs.sync()
    provider.received.clear()
    after = walked(docs, provider, kept(before, asked_at))
    assert read_in(after).count(changed) == 1 and "violet" in judged(provider)
    told = str([step_to_keep(event) for event in after if isinstance(event, Step)]) + str(after[-1].as_json())
    assert gone not in told and paths[gone].stem not in told


def test_it_obeys_the_rights_of_the_moment(docs: Following, provider: Provider, tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir()
    (folder / "vault.md").write_text("# Vault\n\nThe pump of the vault has a colour: pumps of zeppelin grey have this colour.\n")
    secret = docs.sources.add("folder", "Secrets", {"path": str(folder)})
    sync(docs.workspace, docs.sources, secret, connector=open_folder(folder))
    provider.said = said
    asked_at = time.time()
    before = walked(docs, provider)
    assert "Vault" in read_in(before)
    narrowed = Principal("somebody", "Somebody").narrowed([docs.source.id])
    after = walked(docs, provider, kept(before, asked_at), principal=narrowed)
    told = str([step_to_keep(event) for event in after if isinstance(event, Step)]) + str(after[-1].as_json())
    assert "Vault" not in told and "zeppelin" not in told and "Secrets" not in told and read_in(after)


def test_without_a_model_it_goes_on_as_well(docs: Following) -> None:
    def walk(stopped: StoppedWalk | None = None, until: int = 99) -> list[Any]:
        stop, events = Stop(), list[Any]()
        for event in ask(docs.workspace, QUESTION, principal=OPERATOR, stop=stop, stopped=stopped):
            events.append(event)
            if len(read_in(events)) >= until:
                stop.set()
        return events

    asked_at = time.time()
    before, whole = walk(until=1), walk()
    after = walk(kept(before, asked_at))
    assert read_in(after)[:1] == read_in(before) and set(read_in(after)) == set(read_in(whole))
    told = [(step.kind, step.place, step.options) for step in after[-1].trail if step.kind == "choose"]
    assert len(set(told)) == len(told), "no choice is told twice"
    assert not has_read([]) and not has_read([step_to_keep(step) for step in before if step.kind == "choose"])


def test_a_step_is_told_with_its_reason_in_full_and_read_again_with_its_quote_apart() -> None:
    step = Step("choose", "s/", "h", "S", reason="Mentions crane", quote="The crane is oiled in May.")
    told = step_json(step)
    assert (told["reason"], told["said"]) == ("Mentions crane: “The crane is oiled in May.”", "Mentions crane")
    assert read_step(told) == step
    of_before = {name: value for name, value in told.items() if name not in ("said", "quote")}
    assert step_json(read_step(of_before))["reason"] == told["reason"]
