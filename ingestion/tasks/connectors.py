"""The connectors of one worker: one that was used lately is used again, with the child processes that it has."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from connectors.base import ConfigurationError, Connector, Remembering, Watched
from ingestion.sources import Sources
from tree.store.models import Source

IDLE_SECONDS = 60.0  # after which one is closed that nobody has used
REMEMBERED_SECONDS = 3_600.0  # for which what it knew is kept for the next one of its source
RESCAN_SECONDS = 300.0  # for a connector that does not say it

Connecting = Callable[[Path, str, Mapping[str, Any], Mapping[str, Any]], Connector]  # home, kind, config, secrets
Settings = tuple[Any, Any]


class Traits(NamedTuple):
    """What is known of a source's connector before anything is asked of it."""

    is_watched: bool
    rescan_seconds: float


class _Idle(NamedTuple):
    settings: Settings
    connector: Connector
    since: float  # monotonic


class OpenConnectors:
    def __init__(self, sources: Sources, connecting: Connecting) -> None:
        self.sources, self.connecting = sources, connecting
        self._idle: dict[str, _Idle] = {}
        self._closed: dict[str, _Idle] = {}  # those that others remember
        self._traits: dict[str, tuple[Settings, Traits]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def of(self, source: Source) -> Iterator[Connector]:
        """For one who is alone with this source. One that fails is not used again. Raises ConfigurationError."""
        settings = (source.config, source.secret)
        with self._lock:
            idle, closed = self._idle.pop(source.id, None), self._closed.pop(source.id, None)
        if idle is not None and idle.settings != settings:
            idle.connector.close()
            idle = None
        connector = idle.connector if idle is not None else self.make(source)
        if closed is not None and closed.settings == settings and isinstance(connector, Remembering):
            connector.remember(closed.connector)
        is_kept = False
        try:
            yield connector
            is_kept = True
        finally:
            if is_kept:
                with self._lock:
                    self._idle[source.id] = _Idle(settings, connector, time.monotonic())
            else:
                connector.close()

    def make(self, source: Source) -> Connector:
        """A new one, to be closed by whoever asked for it. Raises ConfigurationError."""
        return self.connecting(self.sources.database.home, source.kind, source.config, self.sources.secrets(source))

    def traits(self, source: Source) -> Traits:
        settings = (source.config, source.secret)
        known = self._traits.get(source.id)
        if known is None or known[0] != settings:
            known = self._traits[source.id] = settings, self._look(source)
        return known[1]

    def _look(self, source: Source) -> Traits:
        try:
            connector = self.make(source)
        except ConfigurationError:  # the sync says so
            return Traits(False, RESCAN_SECONDS)
        try:
            return Traits(isinstance(connector, Watched), float(getattr(connector, "rescan_seconds", RESCAN_SECONDS)))
        finally:
            connector.close()

    def close_idle(self, seconds: float = IDLE_SECONDS) -> None:
        """Closes those that nobody has used for so long."""
        now = time.monotonic()
        before, forgotten = now - seconds, now - REMEMBERED_SECONDS
        with self._lock:
            self._closed = {source_id: closed for source_id, closed in self._closed.items() if closed.since > forgotten}
            old = {source_id: idle for source_id, idle in self._idle.items() if idle.since <= before}
            for source_id, idle in old.items():
                del self._idle[source_id]
                if isinstance(idle.connector, Remembering):
                    self._closed[source_id] = idle
        for idle in old.values():
            idle.connector.close()
