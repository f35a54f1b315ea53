"""The worker and a connector that can tell of changes, be asked to wait, hang, and be closed in the middle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from connectors.base import AccessLost, Batch, Cancelled, ConnectorError, CredentialsError, Document, Limited, Section
from ingestion.worker import Worker
from tests.ingestion.workspaces import Following

PATIENCE = 20  # seconds


@dataclass
class Site:
    """Something like a Jira site, as a connector and its watch see it."""

    texts: dict[str, str] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    error: ConnectorError | None = None  # what every call meets
    hangs: str = ""  # the call that is never answered
    asked: list[str] = field(default_factory=list)

    def meet(self, call: str, closed: threading.Event) -> None:
        self.asked.append(call)
        if self.error is not None:
            raise self.error
        if self.hangs == call:
            closed.wait(PATIENCE)
        if closed.is_set():
            raise Cancelled


class SiteConnector:
    rescan_seconds = 3600.0

    def __init__(self, site: Site) -> None:
        self.site = site
        self.closed = threading.Event()

    def fetch(self, checkpoint, hints=None) -> Iterator[Batch]:
        self.site.meet("fetch" if hints is None else f"fetch {','.join(sorted(hints))}", self.closed)
        ids = list(self.site.texts) if hints is None else hints
        gone = tuple(id_ for id_ in ids if id_ not in self.site.texts)
        documents = tuple(self._document(id_) for id_ in ids if id_ in self.site.texts)
        yield Batch(documents, gone=gone)

    def _document(self, id_: str) -> Document:
        text = self.site.texts[id_]
        return Document(id_, f"Ticket {id_}", (), (Section(text),), fingerprint=text)

    def census(self) -> Iterator[str]:
        self.site.meet("census", self.closed)
        yield from self.site.texts

    def watch(self) -> SiteConnector:
        return self

    def poll(self, timeout=None) -> SimpleNamespace:
        self.closed.wait(timeout)
        self.site.meet("poll", self.closed)
        paths, self.site.changed = self.site.changed, set()
        return SimpleNamespace(paths=paths, rescan=False, lost=False)

    def close(self) -> None:
        self.closed.set()


class Followed(Following):
    """A site followed by a worker in this process."""

    def __init__(self, root) -> None:
        super().__init__(root)
        self.site = Site({"1": "The ferry leaves at nine.", "2": "The pier is closed."})
        self.told: list[tuple[str, int]] = []  # what the worker was done with: the source, how many documents it read
        self.worker = Worker(
            self.workspace,
            self.sources,
            connecting=lambda *_: SiteConnector(self.site),
            synced=lambda source, done: self.told.append((source.name, done.put)),
        )
        self.thread = threading.Thread(target=self.worker.run)
        self.thread.start()

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"in vain; the site was asked: {self.site.asked[-20:]}"
            time.sleep(0.02)


@pytest.fixture
def followed(tmp_path):
    followed = Followed(tmp_path)
    followed.until(lambda: followed.source.state == "ready")
    yield followed
    followed.worker.stopping.set()
    followed.thread.join(PATIENCE)
    followed.workspace.close()


def test_a_poll_without_changes_says_that_the_tree_is_in_step(followed) -> None:
    before = followed.source.synced_at
    followed.until(lambda: followed.source.synced_at > before)
    assert followed.site.asked.count("fetch") == 1


def test_what_a_poll_names_is_read_and_nothing_else(followed) -> None:
    followed.site.texts["1"] = "The ferry leaves at ten."
    followed.site.changed = {"1"}
    followed.until(lambda: "at ten" in followed.everything_live())
    assert "fetch 1" in followed.site.asked
    followed.until(lambda: 1 in (read for _, read in followed.told))
    assert {name for name, _ in followed.told} == {followed.source.name}


def test_a_hint_from_elsewhere_is_followed_once(followed) -> None:
    followed.site.texts["2"] = "The pier is open."
    followed.sources.hint(followed.source.id, ["2"])
    followed.until(lambda: "pier is open" in followed.everything_live())
    followed.until(lambda: not followed.sources.hints(followed.source.id))
    assert followed.site.asked.count("fetch 2") == 1


def test_a_hinted_ticket_that_is_gone_leaves_the_tree(followed) -> None:
    del followed.site.texts["2"]
    followed.sources.hint(followed.source.id, ["2"])
    followed.until(lambda: followed.titles() == {"1"})
    assert [stone.title for stone in followed.sources.tombstones(followed.source.id)] == ["Ticket 2"]


def test_a_hint_survives_a_failure(followed) -> None:
    followed.site.error = AccessLost("The site is away.")
    followed.site.texts["1"] = "The ferry leaves at noon."
    followed.sources.hint(followed.source.id, ["1"])
    followed.until(lambda: followed.source.state == "lost")
    followed.site.error = None
    followed.until(lambda: "at noon" in followed.everything_live())


def test_a_dead_token_found_by_a_poll_turns_the_source_red_and_removes_nothing(followed) -> None:
    followed.site.error = CredentialsError("Make a new token.")
    followed.until(lambda: followed.source.state == "failed")
    assert followed.source.message == "Make a new token."
    assert followed.titles() == {"1", "2"}


def test_nobody_is_asked_before_the_time_that_was_given(followed) -> None:
    until = time.time() + 1.5
    followed.site.error = Limited("Jira asks us to wait.", until)
    followed.until(lambda: followed.source.state == "limited")
    assert followed.source.wait_until == until
    followed.site.error = None
    followed.site.asked.clear()
    followed.until(lambda: bool(followed.site.asked))
    assert time.time() >= until
    followed.until(lambda: followed.source.state == "ready" and followed.source.wait_until is None)


def test_sync_now_wakes_a_source_that_was_asked_to_wait(followed) -> None:
    followed.site.error = Limited("Jira asks us to wait.", time.time() + 3_600)
    followed.until(lambda: followed.source.state == "limited")
    followed.sources.request_sync(followed.source.id)
    followed.site.error = None
    followed.until(lambda: followed.source.state == "ready" and followed.source.wait_until is None)


def test_a_sync_that_hangs_ends_within_a_second_when_its_source_is_paused(followed) -> None:
    followed.site.hangs = "fetch"
    followed.sources.request_sync(followed.source.id)
    followed.until(lambda: followed.source.state == "syncing")
    asked_at = time.monotonic()
    followed.sources.pause(followed.source.id, True)
    followed.until(lambda: followed.source.state == "stopped")
    assert time.monotonic() - asked_at < PATIENCE / 4
    followed.site.hangs = ""
    followed.sources.pause(followed.source.id, False)
    followed.until(lambda: followed.source.state == "ready")


def test_a_poll_that_hangs_keeps_nobody_from_stopping(followed) -> None:
    followed.site.hangs = "poll"
    followed.site.asked.clear()
    followed.until(lambda: bool(followed.site.asked))
    stopped_at = time.monotonic()
    followed.worker.stopping.set()
    followed.thread.join(PATIENCE)
    assert time.monotonic() - stopped_at < PATIENCE / 4
