"""Sources as they are configured and how each of them stands: checkpoints, failures, tombstones, requests, hints."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping
from secrets import token_hex
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from connectors.base import AccessLost, ConnectorError, Failure, Limited, Presence
from ingestion.tasks.waking import waking
from tree.store.database import Database, StoreError
from tree.store.document_rows import count_live, read_live_ids
from tree.store.models import UNREACHABLE, CheckpointRow, FailureRow, HintRow, Source, Tombstone, table_of
from tree.store.secrets import Vault
from tree.store.source_rows import source_of
from tree.store.statements import in_parts

FEW = 50  # documents to look at, for which the checkpoint is not read in full

_source = table_of(Source)
_checkpoint = table_of(CheckpointRow)
_failure = table_of(FailureRow)
_tombstone = table_of(Tombstone)
_hint = table_of(HintRow)


class Missing(NamedTuple):
    """A document that the tree has and its source no longer shows."""

    id: str
    title: str
    presence: Presence
    fingerprint: str


class Sources:
    """The table of sources and what hangs on each of them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.vault = Vault(database.home)
        self._wake = waking(database)

    # ---- configuration

    def add(
        self,
        kind: str,
        name: str,
        config: Mapping[str, Any],
        secrets: Mapping[str, Any] | None = None,
        audience: Iterable[str] | None = None,
        chat_id: str | None = None,
    ) -> Source:
        """`audience` as in `set_audience`; `chat_id` where it holds the files of a chat. Raises StoreError when the name is taken
        or empty."""
        name = " ".join(name.split())
        if not name:
            raise StoreError("A source needs a name.")
        now = time.time()
        id_ = _new_id(now)
        row = {
            "id": id_,
            "name": name,
            "kind": kind,
            "config": dict(config),
            "secret": self.vault.seal(secrets or {}),
            "created_at": now,
            "requested_at": now,
            "audience": _kept(audience),
            "chat_id": chat_id,
        }
        try:
            with self.database.write() as connection:
                connection.execute(sa.insert(_source).values(row))
        except sa.exc.IntegrityError as error:
            raise StoreError(f"There is already a source called “{name}”. Choose another name.") from error
        self._wake()
        return self.get(id_)

    def all(self) -> list[Source]:
        """Those of the team, in the order they were added; those being removed are left out. Looked up only where anything was
        written since."""
        return self._looked_up(None)

    def of_chat(self, chat_id: str) -> list[Source]:
        """The files of a chat: one source, or none. Looked up as seldom: a page asks many times while it is drawn."""
        return self._looked_up(chat_id)

    def _looked_up(self, chat_id: str | None) -> list[Source]:
        return list(self.database.unchanged(("sources", chat_id), lambda: self._look_up(chat_id)))

    def _look_up(self, chat_id: str | None) -> list[Source]:
        with self.database.read() as connection:
            return _chosen(connection, _source.c.chat_id == chat_id)

    def of_chats(self, *, to_be_read: bool = False) -> list[Source]:
        """The files of all chats; with `to_be_read` those that are not read yet, also because an attempt failed."""
        again = sa.exists().where(_failure.c.source_id == _source.c.id, _failure.c.again.is_(True))
        waits = sa.or_(_source.c.requested_at.is_not(None), _source.c.state.not_in(("ready", "stopped")), again)
        with self.database.read() as connection:
            return _chosen(connection, _source.c.chat_id.is_not(None), waits if to_be_read else sa.true())

    def get(self, source_id: str) -> Source:
        source = self.find(source_id)
        if source is None:
            raise StoreError("There is no such source any more.")
        return source

    def find(self, source_id: str) -> Source | None:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_source).where(_source.c.id == source_id)).first()
        return source_of(row) if row is not None else None

    def named(self, name: str) -> Source:
        """By name, small letters and capitals alike, or by id."""
        for source in self.all():
            if source.name.casefold() == name.casefold() or source.id == name:
                return source
        known = ", ".join(f"“{source.name}”" for source in self.all()) or "none yet"
        raise StoreError(f"There is no source called “{name}”. There is: {known}.")

    def secrets(self, source: Source) -> dict[str, Any]:
        return self.vault.open(source.secret)

    def configure(self, source_id: str, config: Mapping[str, Any], secrets: Mapping[str, Any] | None = None) -> None:
        """Changes a source's settings and asks for a sync; secrets are kept as they are unless given."""
        values: dict[str, Any] = {"config": dict(config), "requested_at": time.time(), "wait_until": None}
        if secrets is not None:
            values["secret"] = self.vault.seal(secrets)
        self._update(source_id, **values)
        self._wake()

    def set_audience(self, source_id: str, audience: Iterable[str] | None) -> None:
        """For whom it is: ids of groups, or None for everybody who is signed in."""
        self._update(source_id, audience=_kept(audience))

    # ---- what people ask for, what the worker does

    def request_sync(self, source_id: str) -> None:
        self._update(source_id, requested_at=time.time())
        self._wake()

    def pause(self, source_id: str, paused: bool) -> None:
        self._update(source_id, paused=paused, **({} if paused else {"requested_at": time.time()}))
        self._wake()

    def mark_removing(self, source_id: str) -> None:
        """Takes a source from every screen and answer at once; the worker then deletes what it left."""
        name = f"{self.get(source_id).name} (removed {uuid.uuid4().hex[:6]})"
        self._update(source_id, removing=True, name=name)
        self._wake()

    def ids(self) -> set[str]:
        """Of all, those of chats and those being removed too."""
        with self.database.read() as connection:
            return set(connection.scalars(sa.select(_source.c.id)))

    def removing(self) -> list[str]:
        with self.database.read() as connection:
            return list(connection.scalars(sa.select(_source.c.id).where(_source.c.removing.is_(True))))

    def delete(self, source_id: str) -> None:
        with self.database.write() as connection:
            for table in (_checkpoint, _failure, _tombstone, _hint):
                connection.execute(sa.delete(table).where(table.c.source_id == source_id))
            connection.execute(sa.delete(_source).where(_source.c.id == source_id))

    def waits(self, source: Source) -> None:
        """It is to be read for the first time, and others are before it; nothing happens where its state is another by now."""
        waiting = sa.update(_source).where(_source.c.id == source.id, _source.c.state == source.state).values(state="waiting")
        with self.database.write() as connection:
            connection.execute(waiting)

    def started(self, source_id: str, is_full: bool = True) -> None:
        """Only a look at everything (`is_full`) is what somebody has asked for who asked for a sync.

        How far one was that goes on after it waited stays known; so does why the sync before could not read the source, until the
        source answers: trying again does not reach it yet.
        """
        answered = {"requested_at": None} if is_full else {}
        goes_on = _source.c.state == "waiting"
        done, total = sa.case((goes_on, _source.c.done), else_=0), sa.case((goes_on, _source.c.total), else_=None)
        could_not = _source.c.state.in_((*UNREACHABLE, "syncing"))
        message = sa.case((could_not, _source.c.message), else_="")
        self._update(source_id, state="syncing", wait_until=None, done=done, total=total, message=message, **answered)

    def progressed(self, source_id: str, done: int, total: int | None) -> None:
        """The source has answered."""
        self._update(source_id, done=done, total=total, message="")

    def ended(self, source_id: str, state: str, message: str = "") -> None:
        """`ready` means the tree is now what the source is; `lost` and `failed` say why it is not; `waiting` has others go before."""
        values: dict[str, Any] = {"state": state, "message": message}
        if state == "ready":
            values["synced_at"] = now = time.time()
            is_first = sa.and_(_source.c.synced_at.is_(None), _source.c.first_read_at.is_(None))
            values["first_read_at"] = sa.case((is_first, now), else_=_source.c.first_read_at)
        self._update(source_id, **values)

    def failed(self, source_id: str, error: ConnectorError | StoreError) -> None:
        """Notes why the source as a whole could not be read."""
        state = "lost" if isinstance(error, AccessLost) else "limited" if isinstance(error, Limited) else "failed"
        wait_until = error.until if isinstance(error, Limited) else None
        self._update(source_id, state=state, message=str(error), wait_until=wait_until)

    def nothing_new(self, source_id: str) -> None:
        """The source was asked just now, and nothing in it has changed."""
        self._update(source_id, synced_at=time.time())

    def _update(self, source_id: str, **values: Any) -> None:
        with self.database.write() as connection:
            connection.execute(sa.update(_source).where(_source.c.id == source_id).values(**values))

    # ---- checkpoints, failures, hints, tombstones

    def checkpoint(self, source_id: str, looked_at: int | None = None) -> Mapping[str, str]:
        """All of it in memory, unless only so few documents are to be looked at that this would be most of the work."""
        stored = StoredCheckpoint(self.database, source_id)
        return stored if looked_at is not None and looked_at <= FEW else dict(stored.items())

    def read_again(self, source_id: str, ids: Iterable[str]) -> None:
        """Has these documents read anew at the next sync, and asks for it."""
        with self.database.write() as connection:
            set_checkpoint(connection, source_id, dict.fromkeys(ids))
        self.request_sync(source_id)

    def failures(self, source_id: str) -> list[FailureRow]:
        with self.database.read() as connection:
            query = sa.select(_failure).where(_failure.c.source_id == source_id).order_by(_failure.c.kind, _failure.c.title)
            return [FailureRow(**row._mapping) for row in connection.execute(query)]

    def stale(self, source_id: str) -> list[FailureRow]:
        """The failures of documents that the tree still has as they were last read."""
        return list(self.database.unchanged(("stale", source_id), lambda: self._look_up_stale(source_id)))

    def _look_up_stale(self, source_id: str) -> list[FailureRow]:
        query = sa.select(_failure).where(_failure.c.source_id == source_id, _failure.c.read_at.is_not(None))
        with self.database.read() as connection:
            return [FailureRow(**row._mapping) for row in connection.execute(query)]

    def count_gone(self, source_id: str, presence: Presence, since: float) -> int:
        """How many documents left the tree with this presence since a moment (seconds since 1970)."""
        lately = sa.and_(_tombstone.c.source_id == source_id, _tombstone.c.since >= since, _tombstone.c.verdict == presence)
        with self.database.read() as connection:
            return connection.scalar(sa.select(sa.func.count()).where(lately)) or 0

    def forget_stamps(self, source_id: str, ids: Iterable[str]) -> None:
        """Has these documents read anew whenever they are looked at next."""
        with self.database.write() as connection:
            set_checkpoint(connection, source_id, dict.fromkeys(ids))

    def failures_to_try_again(self, source_id: str) -> list[str]:
        query = sa.select(_failure.c.document_id).where(_failure.c.source_id == source_id, _failure.c.again.is_(True))
        with self.database.read() as connection:
            return list(connection.scalars(query))

    def heard(self, source_id: str) -> None:
        """A webhook of the source has just come in."""
        self._update(source_id, heard_at=time.time())

    def hint(self, source_id: str, ids: Collection[str]) -> None:
        """Somebody says that these documents have changed; the worker looks at them in a moment."""
        now = time.time()
        with self.database.write() as connection:
            if connection.scalar(sa.select(_source.c.id).where(_source.c.id == source_id, _source.c.removing.is_(False))) is None:
                return  # removed meanwhile: nothing of it is written any more
            for id_ in dict.fromkeys(ids):
                connection.execute(sa.delete(_hint).where(_hint.c.source_id == source_id, _hint.c.document_id == id_))
                connection.execute(sa.insert(_hint).values(source_id=source_id, document_id=id_, at=now))
        self._wake()

    def hints(self, source_id: str) -> dict[str, float]:
        """Documents said to have changed, and when that was said."""
        with self.database.read() as connection:
            query = sa.select(_hint.c.document_id, _hint.c.at).where(_hint.c.source_id == source_id)
            return dict(connection.execute(query).tuples().all())

    def hinted(self) -> set[str]:
        """The ids of sources of which there are hints."""
        with self.database.read() as connection:
            return set(connection.scalars(sa.select(_hint.c.source_id).distinct()))

    def drop_hints(self, source_id: str, hints: Mapping[str, float]) -> None:
        """Forgets these hints, unless they were given again since."""
        with self.database.write() as connection:
            for id_, at in hints.items():
                same = sa.and_(_hint.c.source_id == source_id, _hint.c.document_id == id_, _hint.c.at == at)
                connection.execute(sa.delete(_hint).where(same))

    def tombstones(self, source_id: str) -> list[Tombstone]:
        """What went missing lately, the newest first."""
        query = sa.select(_tombstone).where(_tombstone.c.source_id == source_id).order_by(_tombstone.c.since.desc())
        with self.database.read() as connection:
            return [Tombstone(**row._mapping) for row in connection.execute(query)]

    def awaiting_approval(self, source_id: str) -> list[Tombstone]:
        """What went missing at once, and waits for an admin to say whether it is really gone.

        Documents that became empty at once are among them (`emptied`); these are still in the tree.
        """
        emptied = [
            Tombstone(source_id=source_id, document_id=row.document_id, title=row.title, fingerprint="", verdict="emptied",
                      since=row.since, awaiting_approval=True)
            for row in self.stale(source_id)
            if row.kind == "empty" and not row.approved
        ]  # fmt: skip
        return [*(tombstone for tombstone in self.tombstones(source_id) if tombstone.awaiting_approval), *emptied]

    def approve(self, source_id: str) -> int:
        """What went missing at once is really gone: returns of how many documents that was said.

        Those that became empty at once leave the tree with the next sync, which is asked for.
        """
        awaiting_approval = sa.and_(_tombstone.c.source_id == source_id, _tombstone.c.awaiting_approval)
        emptied = sa.and_(_failure.c.source_id == source_id, _failure.c.kind == "empty", _failure.c.read_at.is_not(None))
        with self.database.write() as connection:
            decided = connection.execute(sa.update(_tombstone).where(awaiting_approval).values(awaiting_approval=False)).rowcount
            waiting = sa.update(_failure).where(emptied, _failure.c.approved.is_(False))
            to_go = connection.execute(waiting.values(approved=True)).rowcount
        if to_go:
            self.request_sync(source_id)
        return decided + to_go

    def forget_tombstones(self, moment: float | None) -> None:
        """Deletes those older than `moment` on which nobody has to decide, with None all such; and what is left of sources
        that were removed."""
        with self.database.write() as connection:
            settled = sa.delete(_tombstone).where(_tombstone.c.awaiting_approval.is_(False))
            connection.execute(settled if moment is None else settled.where(_tombstone.c.since < moment))
            for table in (_checkpoint, _failure, _tombstone, _hint):
                connection.execute(sa.delete(table).where(table.c.source_id.not_in(sa.select(_source.c.id))))


def _new_id(now: float) -> str:
    """Ids sort as sources were added: places begin with them, so what is equally good is told in the same order wherever the same
    sources are added again. An "s" first, for the ids of earlier releases are eight random hexadecimal digits."""
    return f"s{int(now * 1_000_000):013x}{token_hex(2)}"


class StoredCheckpoint(Mapping[str, str]):
    """A checkpoint of which only what is asked for is read: a look at a few documents need not know of all."""

    def __init__(self, database: Database, source_id: str) -> None:
        self._database = database
        self._own = _checkpoint.c.source_id == source_id

    def __getitem__(self, key: str) -> str:
        with self._database.read() as connection:
            value: str | None = connection.scalar(sa.select(_checkpoint.c.value).where(self._own, _checkpoint.c.key == key))
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[str]:
        yield from self.beginning("")

    def items(self) -> ItemsView[str, str]:
        with self._database.read() as connection:
            rows = connection.execute(sa.select(_checkpoint.c.key, _checkpoint.c.value).where(self._own))
            return dict(rows.tuples().all()).items()

    def __len__(self) -> int:
        with self._database.read() as connection:
            return connection.scalar(sa.select(sa.func.count()).where(self._own)) or 0

    def beginning(self, start: str) -> list[str]:
        """The keys that begin like this, in order."""
        keys = sa.select(_checkpoint.c.key).where(self._own, _checkpoint.c.key >= start).order_by(_checkpoint.c.key)
        if start:
            keys = keys.where(_checkpoint.c.key < start[:-1] + chr(ord(start[-1]) + 1))
        with self._database.read() as connection:
            return list(connection.scalars(keys))


def _chosen(connection: Connection, *conditions: sa.ColumnElement[bool]) -> list[Source]:
    """Sources in the order they were added, without those being removed."""
    rows = connection.execute(
        sa.select(_source).where(_source.c.removing.is_(False), *conditions).order_by(_source.c.created_at, _source.c.id)
    )
    return [source_of(row) for row in rows]


def _kept(audience: Iterable[str] | None) -> list[str] | None:
    return None if audience is None else sorted(set(audience))


def counted_failures(failures: Iterable[FailureRow]) -> dict[str, int]:
    return dict(Counter(failure.kind for failure in failures))


# ---------------------------------------------------------------- written together with a publish


def set_checkpoint(connection: Connection, source_id: str, updates: Mapping[str, str | None]) -> None:
    for some in in_parts(updates):
        connection.execute(sa.delete(_checkpoint).where(_checkpoint.c.source_id == source_id, _checkpoint.c.key.in_(some)))
    rows = [{"source_id": source_id, "key": key, "value": value} for key, value in updates.items() if value is not None]
    if rows:
        connection.execute(sa.insert(_checkpoint), rows)


def set_failures(connection: Connection, source_id: str, failures: Collection[Failure], now: float) -> None:
    """Notes what could not be read; of what the tree has nevertheless, as of when. Comes after the publish beside it."""
    kept = read_live_ids(connection, source_id, [failure.id for failure in failures])
    synced_at = connection.scalar(sa.select(_source.c.synced_at).where(_source.c.id == source_id)) if kept else None
    columns = (_failure.c.since, _failure.c.tries, _failure.c.read_at, _failure.c.approved, _failure.c.kind)
    for failure in failures:
        where = sa.and_(_failure.c.source_id == source_id, _failure.c.document_id == failure.id)
        before = connection.execute(sa.select(*columns).where(where)).first()
        read_at = (before.read_at if before else None) or synced_at or now
        connection.execute(sa.delete(_failure).where(where))
        row = {
            "source_id": source_id,
            "document_id": failure.id,
            "title": failure.title,
            "kind": failure.problem.kind,
            "reason": failure.problem.reason,
            "since": before.since if before else now,
            "tried_at": now,
            "tries": before.tries + 1 if before else 1,
            "again": failure.again,
            "read_at": read_at if failure.id in kept else None,
            "approved": bool(before and before.approved and before.kind == failure.problem.kind),
        }
        connection.execute(sa.insert(_failure).values(row))


def let_go_of(connection: Connection, source_id: str, ids: Collection[str]) -> None:
    """The tree does not have these documents any more; that they cannot be read is still listed."""
    for some in in_parts(ids):
        mine = sa.and_(_failure.c.source_id == source_id, _failure.c.document_id.in_(some))
        connection.execute(sa.update(_failure).where(mine).values(read_at=None, approved=False))


def clear_failures(connection: Connection, source_id: str, ids: Collection[str]) -> None:
    for some in in_parts(ids):
        connection.execute(sa.delete(_failure).where(_failure.c.source_id == source_id, _failure.c.document_id.in_(some)))


def set_tombstones(connection: Connection, source_id: str, missing: Collection[Missing], now: float) -> None:
    clear_tombstones(connection, source_id, [document.id for document in missing])
    rows = [
        {
            "source_id": source_id,
            "document_id": document.id,
            "title": document.title,
            "fingerprint": document.fingerprint,
            "verdict": document.presence,
            "since": now,
            "awaiting_approval": False,
        }
        for document in missing
    ]
    connection.execute(sa.insert(_tombstone), rows)


def clear_tombstones(connection: Connection, source_id: str, ids: Collection[str], fingerprints: Collection[str] = ()) -> None:
    """Those of documents with these ids, or that hold what one with such a fingerprint holds: they are here, or moved."""
    for column, values in ((_tombstone.c.document_id, ids), (_tombstone.c.fingerprint, fingerprints)):
        for some in in_parts(values):
            connection.execute(sa.delete(_tombstone).where(_tombstone.c.source_id == source_id, column.in_(some)))


def ask_about(connection: Connection, source_id: str, since: float, documents: int, share: float) -> None:
    """The drop guard: has an admin asked about all that left since a moment, for whatever reason, if it is more than
    `documents` and more than `share` of what the source had."""
    # until now: where the clock was put back, what left before stands in its future
    lately = sa.and_(_tombstone.c.source_id == source_id, _tombstone.c.since.between(since, time.time()))
    dropped = connection.scalar(sa.select(sa.func.count()).where(lately)) or 0
    left = count_live(connection, source_id)
    if dropped > documents and dropped > share * (dropped + left):
        connection.execute(sa.update(_tombstone).where(lately).values(awaiting_approval=True))
