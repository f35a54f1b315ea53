"""Upgrades, end to end: a real provider over HTTP counts what it is asked, and nothing is ever asked twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from pydantic import SecretStr

from ingestion.progress import estimate, progress
from ingestion.sources import Sources
from ingestion.sync import lock_of
from ingestion.upgrade import Patience, Upgrader
from ingestion.worker import Worker
from prompts.model import ModelReader, ModelSettings, Prices
from prompts.model.client import Client
from prompts.model.output_modes import OutputModes
from prompts.model.read import SYSTEM as READ
from prompts.model.read_several import SYSTEM as SEVERAL
from prompts.model.retrying_client import RetryingClient, RetryPolicy
from tests.ingestion.workspaces import Following
from tests.prompts.model.provider import KEY, MODEL, Manner, Provider, error, serving
from tests.prompts.model.sensible import reply_to
from tree.retrieve.index import Index, SearchScope
from tree.store.chats import Chats
from tree.store.forgetting import forget_source
from tree.store.language_model import labels_of
from tree.store.locks import held
from tree.workspace import open_workspace

ROOT = Path(__file__).parents[2]
AT_ONCE = RetryPolicy(waits=(), rests=())
SHORT = Patience(first=0.05, longest=0.05, barred=600.0, look_share=1_000)


class Fake(Provider):
    """Whose summaries tell that they are the model's, and which can be held up."""

    def __init__(self) -> None:
        super().__init__(said=self.reply)
        self.going = threading.Event()
        self.going.set()
        self.free = 0  # as many are answered while the others are held up
        self.one = threading.Lock()

    def reply(self, system: str, user: str) -> dict:
        with self.one:
            self.free -= 1
            is_held = self.free < 0
        if is_held:
            self.going.wait(30)
        found = reply_to(system, user)
        more = {"decisions": [{"quote": "Pump 1 is kept.", "says": ""}]} if "Pump 1 is kept." in user and READ in system else {}
        return {**found, **more, "summary": f"Model: {found['summary']}"}

    @property
    def asked(self) -> list[str]:
        """What was sent, without the keys of its fences."""
        return ["\n".join(line for line in one.prompt.splitlines() if not line.startswith("MATERIAL")) for one in self.received]

    def new(self) -> Counter[str]:
        """Requests since the last look, by decision."""
        found = Counter("read" if READ in one.prompt else "summarize" for one in self.received)
        self.received.clear()
        return found


class Upgrading(Following):
    """A followed folder of notes, and a model that reads it."""

    def __init__(self, root: Path, provider: Provider) -> None:
        super().__init__(root)
        self.settings = ModelSettings(
            provider="openai-compatible", model=MODEL, base_url=provider.url, api_key=KEY, context_tokens=32_000
        )
        self.workspace.model.change(settings=self.settings, paused=False)

    def note(self, number: int, more: str = "") -> None:
        text = f"# Pump {number}\n\nPump {number} stands in hall {number % 4} and is checked daily.{more}\n"
        self.write(f"hall{number % 4}/pump{number}.md", text)

    def notes(self, number: int) -> None:
        for one in range(number):
            self.note(one)
        self.sync()

    def upgrader(self, **options) -> Upgrader:
        return Upgrader(self.workspace, reader=quick(), patience=SHORT, **options)

    def upgrade(self) -> None:
        self.upgrader().run_out()

    def nodes(self) -> list:
        return [node for node in self.workspace.store.nodes.of_source(self.source.id) if node.kind != "pass"]

    def by_model(self) -> int:
        """How many live records tell that the model wrote them."""
        nodes = self.nodes()
        records = self.workspace.store.records.by_hash(node.record for node in nodes)
        return sum(records[node.record].summary.startswith("Model: ") for node in nodes)


def quick() -> Callable[[ModelSettings], ModelReader]:
    """Readers with a client of their own, that do not wait."""
    output_modes = OutputModes()
    return lambda settings: ModelReader(settings, open_client=cache(lambda one: RetryingClient(one, AT_ONCE, output_modes)))


def until(is_so: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never came to that"
        threading.Event().wait(0.02)


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Imports the provider's library before the first test, and not within its time."""
    Client(ModelSettings(provider="ollama", model=MODEL)).open()


@pytest.fixture
def provider() -> Iterator[Fake]:
    with serving(Fake()) as started:
        yield started
        started.going.set()


@pytest.fixture
def docs(tmp_path, provider) -> Iterator[Upgrading]:
    made = Upgrading(tmp_path, provider)
    yield made
    made.workspace.close()


# ---------------------------------------------------------------- what is asked


def test_every_leaf_and_branch_is_read_once_and_an_edit_costs_its_path(docs, provider) -> None:
    docs.notes(30)
    before = docs.workspace.store.nodes.get(f"{docs.source.id}/").hash
    assert progress(docs.workspace).pending == len(docs.nodes())
    expected = estimate(docs.workspace)
    assert (expected.leaves, expected.calls) == (30, len(docs.nodes()))

    docs.upgrade()
    assert provider.new() == {"read": 30, "summarize": len(docs.nodes()) - 30}
    assert docs.by_model() == len(docs.nodes()) and docs.holds()
    assert docs.workspace.store.nodes.get(f"{docs.source.id}/").hash == before
    done = progress(docs.workspace)
    assert (done.state, done.pending, done.upgraded, done.given_up) == ("done", 0, len(docs.nodes()), 0)
    assert estimate(docs.workspace).calls == 0

    docs.upgrade()
    assert provider.new() == {}

    docs.note(7, more=" Its seal was replaced.")
    docs.sync()
    above = len(docs.workspace.store.nodes.path(f"{docs.source.id}/hall3/pump7.md")) - 1
    assert docs.by_model() == len(docs.nodes()) - 1 - above and docs.holds()
    docs.upgrade()
    assert provider.new() == {"read": 1, "summarize": above}
    assert docs.by_model() == len(docs.nodes()) and docs.holds()


def test_what_a_model_lists_of_a_passage_is_told_though_its_text_stays(docs) -> None:
    docs.note(1, " Pump 1 is kept.")
    docs.sync()
    scope = SearchScope((docs.source.id,))
    docs.workspace.index.catch_up()
    assert not any("Pump 1 is kept." in str(row) for row in docs.workspace.index.items(scope).everything())
    docs.upgrade()
    docs.workspace.index.catch_up()
    fresh = Index(docs.workspace.store, None)
    fresh.load(scope.sources, docs.workspace.index.version())
    held = docs.workspace.index.items(scope).everything()
    assert held == fresh.items(scope).everything() and any("Pump 1 is kept." in str(row) for row in held)


def test_a_record_that_does_not_change_stops_the_wave(docs, provider) -> None:
    provider.said = lambda system, user: {"summary": "Model: a pump."}
    docs.notes(12)
    docs.upgrade()
    provider.received.clear()
    docs.note(3, more=" Its seal was replaced.")
    docs.sync()
    docs.upgrade()
    assert provider.new() == {"read": 1}
    assert docs.by_model() == len(docs.nodes()) and docs.holds()


def test_an_upgrade_is_not_told_as_a_change_of_the_source(docs) -> None:
    docs.notes(4)
    source, newest = docs.source, docs.workspace.store.versions.with_changes()[0]
    docs.upgrade()
    assert docs.source.published > source.published
    assert docs.source.changed_at == source.changed_at
    assert docs.workspace.store.versions.with_changes()[0] == newest


def test_another_model_reads_anew_and_the_first_is_not_paid_twice(docs, provider) -> None:
    docs.notes(6)
    docs.upgrade()
    first = provider.new()
    other = docs.settings.model_copy(update={"model": "other-model"})
    docs.workspace.model.change(settings=other)
    assert progress(docs.workspace).upgraded == 0
    docs.upgrade()
    assert provider.new() == first
    docs.workspace.model.change(settings=docs.settings)
    docs.upgrade()
    assert provider.new() == {} and progress(docs.workspace).pending == 0
    assert docs.holds()


def test_what_was_cited_and_what_changed_comes_first(docs) -> None:
    docs.notes(12)
    store, labels = docs.workspace.store, labels_of(docs.settings)
    upgrades = docs.upgrader().upgrades
    cited = f"{docs.source.id}/hall1/pump5.md"
    assert upgrades.unread.waiting(docs.source.id, labels, 3, {cited: 2})[0] == cited
    docs.note(9, more=" Its seal was replaced.")
    docs.sync()
    assert upgrades.unread.waiting(docs.source.id, labels, 3, {})[0] == f"{docs.source.id}/hall1/pump9.md"
    assert all(store.nodes.get(place).kind == "leaf" for place in upgrades.unread.waiting(docs.source.id, labels, 100, {}))


def test_what_a_sync_brings_is_asked_before_the_rest_of_a_long_queue(docs, provider) -> None:
    docs.notes(20)
    provider.going.clear()
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    thread.start()
    until(lambda: len(provider.received) == docs.settings.concurrency)
    docs.note(99, more=" It is new.")
    docs.sync()
    provider.going.set()
    until(lambda: progress(docs.workspace).state == "done")
    upgrader.stopping.set()
    thread.join(10)
    asked = provider.asked
    place = next(number for number, one in enumerate(asked) if "Pump 99 stands" in one)
    assert place < 4 * docs.settings.concurrency and len(asked) == len(set(asked)) and docs.holds()


def test_upgrades_keep_to_the_limit_over_all_processes_and_leave_a_question_its_slot(docs, provider) -> None:
    docs.notes(4)
    docs.workspace.model.change(settings=docs.settings.model_copy(update={"total_concurrency": 2}))
    docs.upgrade()
    assert provider.most_at_once == 1 and docs.by_model() == len(docs.nodes()) and docs.holds()


def test_a_citation_counts_for_the_place_and_all_above_it(docs) -> None:
    docs.notes(6)
    root, place = f"{docs.source.id}/", f"{docs.source.id}/hall1/pump5.md"
    chats = Chats(docs.workspace.database)
    for _ in range(2):
        chats.running.finish(
            chats.running.begin("Which pump?", owner="ada").id, "done", {"verdict": "complete", "citations": [{"place": place}]}
        )
    chats.running.begin("Is anybody there?", owner="ada")
    cited = docs.upgrader().upgrades.cited()
    assert cited[place] == cited[root] == 2 and cited[f"{docs.source.id}/hall2/pump2.md"] == 0


def test_the_worker_upgrades_what_it_has_synced(docs, provider) -> None:
    docs.note(1)
    worker = Worker(docs.workspace, docs.sources)
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    until(lambda: docs.by_model() == 2)
    docs.note(2)
    until(lambda: len(docs.nodes()) == docs.by_model() == 3)
    worker.stopping.set()
    thread.join(15)
    assert not thread.is_alive() and docs.holds()


# ---------------------------------------------------------------- several leaves in one call


SECTION = "Pump {0} of quay {0} is checked by hand on each shift, and the lamp above it has to be green before it starts. "


def handbook(docs: Upgrading, sections: int = 12) -> int:
    """Ten notes, by which the model is known to be quick, then a document of small leaves; returns the number of these."""
    docs.notes(10)
    docs.upgrade()
    texts = (f"## Chapter {one}\n\n{SECTION.format(one) * 14}\n" for one in range(sections))
    docs.write("handbook.md", "# Handbook\n\n" + "\n".join(texts))
    docs.sync()
    return sum(node.kind == "leaf" and "handbook" in node.place for node in docs.nodes())


def several(provider: Fake) -> list[str]:
    """The prompts of calls for several leaves."""
    return [one.prompt for one in provider.received if SEVERAL in one.prompt]


def test_small_leaves_of_a_document_are_read_in_one_call_and_counted_each(docs, provider) -> None:
    leaves = handbook(docs)
    provider.received.clear()
    provider.said = reply_to
    docs.upgrade()
    alone = sum(READ in one.prompt for one in provider.received)
    assert leaves >= 6 and len(several(provider)) >= 2 and len(several(provider)) + alone <= leaves / 2
    assert not progress(docs.workspace).pending and docs.holds()
    [spent] = docs.workspace.model.spent()
    assert spent.count > len(docs.nodes()) > spent.calls, "the root was made twice"
    mean = docs.workspace.model.mean_upgrade(docs.settings.label)
    assert mean is not None and mean.calls == spent.calls / spent.count


def test_what_a_call_for_several_does_not_bring_is_read_alone(docs, provider) -> None:
    leaves = handbook(docs)

    def said(system: str, user: str) -> dict:
        found = reply_to(system, user)
        return {"passages": found["passages"][1:]} if system == SEVERAL else found

    provider.received.clear()
    provider.said = said
    docs.upgrade()
    alone = sum(READ in one.prompt for one in provider.received)
    together = several(provider)
    assert (
        together and alone >= len(together) and alone + sum(one.count("\npassage ") for one in together) - len(together) == leaves
    )
    assert not progress(docs.workspace).pending and not progress(docs.workspace).given_up and docs.holds()


def test_a_model_that_fails_at_several_twice_is_given_them_alone(docs, provider) -> None:
    leaves = handbook(docs)
    provider.received.clear()
    provider.said = lambda system, user: {"passages": []} if system == SEVERAL else reply_to(system, user)
    docs.upgrade()
    assert 2 <= len(several(provider)) <= 1 + docs.settings.concurrency
    assert sum(READ in one.prompt for one in provider.received) == leaves
    assert not progress(docs.workspace).pending and not progress(docs.workspace).given_up


def test_a_refusal_of_a_call_for_several_is_held_against_none_of_them(docs, provider) -> None:
    leaves = handbook(docs)
    filtered = error(400, "The response was filtered", "content_filter")
    provider.received.clear()
    provider.behave(Manner(refuse=lambda body: filtered if body["messages"][0]["content"] == SEVERAL else None))
    provider.said = reply_to
    docs.upgrade()
    assert several(provider) and sum(READ in one.prompt for one in provider.received) == leaves
    assert not progress(docs.workspace).pending and not progress(docs.workspace).given_up


def test_a_model_that_needs_much_of_its_timeout_for_one_leaf_is_given_them_alone(docs, provider) -> None:
    docs.workspace.model.change(settings=docs.settings.model_copy(update={"timeout": 3.0}))

    def slow(system: str, user: str) -> dict:
        time.sleep(0.6)
        return reply_to(system, user)

    provider.said = slow
    handbook(docs, 4)
    docs.upgrade()
    assert not several(provider) and not progress(docs.workspace).pending


# ---------------------------------------------------------------- nothing is asked twice


def test_a_killed_process_has_paid_only_for_what_was_in_flight(docs, provider) -> None:
    docs.notes(12)
    provider.free = 6
    provider.going.clear()

    def answered() -> int:
        return sum(one.calls for one in docs.workspace.model.spent())

    command = [sys.executable, "-m", "ingestion", "upgrade", "--home", str(docs.workspace.home)]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: len(provider.received) == 6 + docs.settings.concurrency and answered() == 6, 60)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    provider.going.set()
    assert docs.holds()

    docs.upgrade()
    times = Counter(provider.asked)
    assert len(times) == len(docs.nodes())
    assert sum(times.values()) - len(times) == docs.settings.concurrency and max(times.values()) == 2
    assert answered() == len(docs.nodes())  # those in flight were asked again, and nothing else was
    assert docs.by_model() == len(docs.nodes()) and docs.holds()


def test_two_processes_at_once_share_the_work(docs, provider) -> None:
    docs.notes(14)
    other = open_workspace(docs.workspace.home)
    second = Upgrader(other, reader=quick(), patience=SHORT)
    thread = threading.Thread(target=second.run_out)
    thread.start()
    docs.upgrade()
    thread.join(30)
    other.close()
    assert max(Counter(provider.asked).values()) == 1 and len(provider.asked) == len(docs.nodes())
    assert docs.by_model() == len(docs.nodes()) and docs.holds()


def test_a_process_that_lives_is_not_taken_for_dead_when_its_leases_have_run_out(docs, provider) -> None:
    docs.notes(3)
    provider.going.clear()
    threads = [threading.Thread(target=docs.upgrader().run_out)]
    threads[0].start()
    until(lambda: len(provider.received) == 3)
    with docs.workspace.database.write() as connection:
        assert connection.exec_driver_sql("UPDATE claim SET until = 0").rowcount == 3

    def are_held() -> bool:
        with docs.workspace.database.read() as connection:
            return connection.exec_driver_sql("SELECT min(until) FROM claim").scalar_one() > time.time()

    other = open_workspace(docs.workspace.home)
    threads.append(threading.Thread(target=Upgrader(other, reader=quick(), patience=SHORT).run_out))
    threads[1].start()
    until(are_held)
    assert len(provider.received) == 3
    provider.going.set()
    for thread in threads:
        thread.join(45)
    other.close()
    assert len(provider.asked) == len(set(provider.asked)) == docs.by_model() == len(docs.nodes())


def test_a_sync_under_way_is_not_disturbed_and_finds_what_was_read(docs, provider) -> None:
    docs.notes(4)
    leaves, published = 4, docs.source.published
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    with held(lock_of(docs.workspace, docs.source.id)):
        thread.start()
        until(lambda: sum(one.calls for one in docs.workspace.model.spent()) == leaves)
        assert docs.source.published == published and docs.by_model() == 0
    until(lambda: progress(docs.workspace).state == "done")
    upgrader.stopping.set()
    thread.join(10)
    assert len(provider.asked) == len(docs.nodes()) == docs.by_model()


# ---------------------------------------------------------------- limits and failures


def test_a_spent_budget_waits_and_a_higher_one_goes_on(docs, provider) -> None:
    docs.notes(10)
    docs.workspace.model.change(daily_tokens=3_000)
    docs.upgrade()
    stands = progress(docs.workspace)
    assert stands.state == "waiting" and "budget of 3,000 tokens" in stands.sentence and stands.until > time.time()
    assert 0 < len(provider.received) <= 3 + docs.settings.concurrency and docs.holds()

    docs.workspace.model.change(daily_tokens=None, source_tokens={docs.source.id: 3_000})
    docs.upgrade()
    [of_source] = progress(docs.workspace).sources
    assert of_source.state == "waiting" and "This source's budget" in of_source.sentence

    docs.workspace.model.change(source_tokens={})
    docs.upgrade()
    assert len(provider.asked) == len(set(provider.asked)) == len(docs.nodes())
    assert sum(one.calls for one in docs.workspace.model.spent()) == len(docs.nodes())


def test_what_is_in_flight_at_a_pause_or_a_new_price_is_kept(docs, provider) -> None:
    docs.notes(9)
    provider.going.clear()
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    thread.start()
    until(lambda: len(provider.received) == docs.settings.concurrency)
    docs.workspace.model.change(settings=docs.settings.model_copy(update={"prices": Prices(input=1, output=1), "concurrency": 5}))
    until(lambda: len(provider.received) == 5)
    docs.workspace.model.change(paused=True)
    until(lambda: upgrader.upgrades.state()[0]["is_paused"])
    provider.going.set()
    until(lambda: docs.by_model() == 5)
    assert progress(docs.workspace).state == "paused" and len(provider.received) == 5 and docs.holds()
    docs.workspace.model.change(paused=False)
    until(lambda: progress(docs.workspace).state == "done")
    upgrader.stopping.set()
    thread.join(10)
    assert len(provider.asked) == len(set(provider.asked)) == docs.by_model() == len(docs.nodes())


def test_switching_off_gives_up_what_is_in_flight_and_a_goodbye_waits_for_it(docs, provider) -> None:
    docs.notes(5)
    provider.behave("is slow")
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    thread.start()
    assert provider.arrived.wait(20)
    docs.workspace.model.change(upgrades=False)
    assert provider.left.wait(5)
    until(lambda: not upgrader.upgrades.leases.owners(), 5)
    assert docs.by_model() == 0
    provider.behave("ok")
    provider.received.clear()
    provider.going.clear()
    docs.workspace.model.change(upgrades=True)
    until(lambda: len(provider.received) == docs.settings.concurrency)
    upgrader.stopping.set()
    provider.going.set()
    thread.join(10)
    assert docs.by_model() == docs.settings.concurrency and docs.holds()


def test_a_provider_that_fails_is_waited_for(docs, provider) -> None:
    docs.notes(5)
    provider.behave("fails", times=3)
    docs.upgrade()
    assert docs.by_model() == len(docs.nodes())


def test_a_refused_key_stops_everything_until_the_settings_change(docs, provider) -> None:
    docs.notes(5)
    provider.behave("refuses the key")
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    thread.start()
    until(lambda: progress(docs.workspace).state == "waiting")
    stands = progress(docs.workspace)
    assert "refused the key" in stands.sentence and stands.until > time.time() + 300
    assert len(provider.received) <= docs.settings.concurrency
    provider.behave("ok")
    docs.workspace.model.change(settings=docs.settings.model_copy(update={"api_key": SecretStr("sk-another-0123456789")}))
    until(lambda: progress(docs.workspace).state == "done")
    upgrader.stopping.set()
    thread.join(10)


def test_a_model_that_never_replies_in_form_is_not_paid_for_a_whole_tree(docs, provider) -> None:
    docs.notes(20)
    provider.behave("writes prose only")
    docs.upgrade()
    stands = progress(docs.workspace)
    assert stands.state == "waiting" and "records one after the other could not be made" in stands.sentence
    assert 10 <= stands.given_up <= 10 + docs.settings.concurrency and docs.by_model() == 0


def test_what_the_model_declines_is_listed_and_the_branches_above_go_on(docs, provider) -> None:
    docs.notes(5)
    filtered = error(400, "The response was filtered", "content_filter")
    provider.behave(
        Manner(
            refuse=lambda body: filtered if "Pump 3 stands" in str(body) and READ in str(body["messages"][0]["content"]) else None
        )
    )
    docs.upgrade()
    [given_up] = progress(docs.workspace).sources[0].given_up
    assert given_up.place.endswith("pump3.md") and given_up.title == "Pump 3" and given_up.reason
    assert docs.by_model() == len(docs.nodes()) - 1 and docs.holds()
    asked = len(provider.received)
    docs.upgrade()
    assert len(provider.received) == asked
    docs.note(3, more=" It is green.")  # another text: it is tried
    docs.sync()
    provider.behave("ok")
    docs.upgrade()
    assert docs.by_model() == len(docs.nodes()) and not progress(docs.workspace).given_up


def test_the_same_text_in_two_places_is_read_once_and_declined_once(docs, provider) -> None:
    for folder in ("a", "b"):
        docs.write(f"{folder}/licence.md", "# Licence\n\nThis may be used by all who keep this sentence.\n")
        docs.write(f"{folder}/terms.md", "# Terms\n\nEverything is delivered within a week.\n")
    filtered = error(400, "The response was filtered", "content_filter")
    provider.behave(
        Manner(refuse=lambda body: filtered if "Licence" in str(body) and READ in body["messages"][0]["content"] else None)
    )
    docs.sync()
    docs.upgrade()
    given_up = progress(docs.workspace).sources[0].given_up
    assert [one.place.split("/", 1)[1] for one in given_up] == ["a/licence.md", "b/licence.md"]
    assert sum(READ in one.prompt and "delivered" in one.prompt for one in provider.received) == 1
    assert docs.by_model() == len(docs.nodes()) - 2 and docs.holds()


def test_what_always_takes_too_long_is_given_up_and_tried_again_with_other_settings(docs, provider) -> None:
    slow = threading.Event()

    def said(system: str, user: str) -> dict:
        if "Pump 1 stands" in user and system == READ:
            slow.wait(20)
        return provider.reply(system, user)

    provider.said = said
    docs.workspace.model.change(settings=docs.settings.model_copy(update={"timeout": 0.7}))
    docs.notes(3)
    docs.upgrade()
    [given_up] = progress(docs.workspace).sources[0].given_up
    assert given_up.title == "Pump 1" and "within 0.7 seconds" in given_up.reason
    assert progress(docs.workspace).pending == 0
    slow.set()
    docs.workspace.model.change(settings=docs.settings)
    docs.upgrade()
    assert docs.by_model() == len(docs.nodes()) and docs.holds()


# ---------------------------------------------------------------- what leaves, leaves


def test_a_removed_document_is_in_no_record_though_the_model_answers_later(docs, provider) -> None:
    docs.notes(4)
    docs.write("hall0/zanzibar.md", "# Zanzibar\n\nThe zanzibar valve must be opened.\n")
    docs.sync()
    provider.going.clear()
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    thread.start()
    until(lambda: any("zanzibar" in one for one in provider.asked))
    (docs.folder / "hall0" / "zanzibar.md").unlink()
    docs.sync()
    assert "zanzibar" not in docs.everything_live().lower() and docs.holds()
    provider.going.set()
    until(lambda: progress(docs.workspace).state == "done")
    upgrader.stopping.set()
    thread.join(10)
    assert "zanzibar" not in docs.everything_live().lower() and docs.holds()


def test_nothing_is_kept_of_a_source_that_was_removed_meanwhile(docs, provider) -> None:
    docs.notes(4)
    provider.going.clear()
    upgrader = docs.upgrader()
    thread = threading.Thread(target=upgrader.run, daemon=True)
    thread.start()
    assert provider.arrived.wait(20)
    source = docs.source
    docs.sources.mark_removing(source.id)
    forget_source(docs.workspace.database, source.id)
    docs.sources.delete(source.id)
    provider.going.set()
    until(lambda: not upgrader.upgrades.leases.owners())
    upgrader.stopping.set()
    thread.join(10)
    with docs.workspace.database.read() as connection:
        for table in ("reading", "record", "claim", "leaf", "node"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0, table
    assert Sources(docs.workspace.database).all() == []
