"""A PostgreSQL database at a URL: all that is of PostgreSQL alone. Several data folders, on several machines, may share it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url

from tree.store import migrations, moving
from tree.store.errors import Busy, StoreError, Unreachable
from tree.store.home import make_folder
from tree.store.locks import Locks
from tree.store.pool import Pool

try:
    import psycopg
    from psycopg.types.json import set_json_dumps, set_json_loads
    from psycopg.types.string import StrDumperUnknown, TextLoader
except ModuleNotFoundError as error:
    raise StoreError("PostgreSQL needs its driver: run pip install 'psycopg[binary]', or make postgres.") from error

from tree.store.advisory_locks import AdvisoryLocks, key_of
from tree.store.reach import Reach, Server, reason

VARIABLE = "KNOWLEDGE_TREE_DATABASE"
CONNECTIONS = 5  # that are kept open for the next who reads; while more are needed, more are made
IDLE_SECONDS = 5.0  # a connection that nobody used for so long may be dead: the server was started again, or a firewall cut it
CONNECT_SECONDS = 10
BUSY_SECONDS = 30.0  # that a command waits for others
SILENT_SECONDS = (
    10  # of a server from which nothing comes for so long, not even that it has received something, nothing is waited for
)
UNREACHED = "Nothing was half-written. Try again in a minute; if it stays so, check the server and the network to it."
UPGRADE_LOCK = 7_163_340_127_411_093_001  # any number that no other program takes
SERVER_SETTINGS = {
    # of a machine that was cut off the server knows within twenty seconds, so that what it held is free again, and others who write
    # need not give up; later than that machine itself, which is alone with what it holds until then
    "tcp_keepalives_idle": "8",
    "tcp_keepalives_interval": "4",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "20000",  # where something was under way to it, the system would try for a quarter of an hour
    "work_mem": "64MB",  # what no row needs any more is found with a table of hashes, which has to fit
    "jit": "off",
}
KEEPALIVES = {
    "keepalives_idle": 4, "keepalives_interval": 3, "keepalives_count": 3, "tcp_user_timeout": 1_000 * SILENT_SECONDS
}  # fmt: skip
SESSION = "SELECT pg_backend_pid()"
NO_SESSIONS = (
    "The pooler between hands sessions on after each transaction, and locks go with them. Set it to sessions (PgBouncer: "
    f"pool_mode = session), or name the server itself in {VARIABLE}."
)
# Alone until the end of the transaction: whoever else writes waits for this row. Its number says how often anything was written.
ALONE = (
    f"SET LOCAL idle_in_transaction_session_timeout = '120s'; UPDATE write_count SET number = number + 1 RETURNING {moving.STATE}"
)

AT_ONCE = "SELECT number FROM write_count FOR UPDATE NOWAIT"  # fails where somebody else is alone


class PostgresServer:
    """Writers stand in line, as on SQLite: what a transaction reads holds until it has written, and version numbers rise in
    the order of commits. Readers see one snapshot each."""

    def __init__(self, url: str, home: Path, busy_seconds: float) -> None:
        self._url = _checked(url)
        self.identity = _identity(self._url)
        make_folder(home)
        self.server: Server | None = _server(self._url, busy_seconds)
        reach = Reach(self.server)
        connect = _connecting(reach)
        with self.explained():
            self._standing = moving.Standing(self.identity)
            self.writing: Engine = _engine(self._url, connect, reach, self._standing)
            self.reading: Engine = self.writing.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True, is_alone=False
            )
            self._connect = connect
            self._watching: psycopg.Connection[Any] | None = self._watched()
            try:
                _upgrade(self.writing, self._watching)
                self._standing.see(*_state(self._watching))
            except StoreError:
                self.writing.dispose()
                self._end_watching()
                raise
        self._advisory = AdvisoryLocks(connect, self.explained)
        self.locks: Locks = self._advisory

    @contextmanager
    def explained(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, psycopg.Error) as error:
            told = self._told(error)
            if told is None:
                raise
            raise told from error

    def commit_number(self) -> int:
        for is_last in (False, True):
            try:
                if self._watching is None:
                    self._watching = self._watched()
                [number, *state] = self._watching.execute(f"SELECT number, {moving.STATE} FROM write_count").fetchall()[0]
                self._standing.see(*state[:2])
                return int(number)
            except psycopg.OperationalError:
                self._end_watching()
                if is_last:
                    raise
        raise AssertionError

    def check_there(self) -> None:
        """Whatever is wrong is said by the first statement."""

    def size(self) -> int:
        with self.explained(), self.reading.begin() as connection:
            return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())

    def wipe(self) -> bool:
        """Writes every table anew. What the server keeps besides, its log and its backups, is the server's."""
        with self.explained(), self._connect() as connection:
            connection.autocommit = True
            connection.execute("VACUUM FULL")
        return True

    def close(self) -> None:
        self.writing.dispose()
        self._advisory.close()
        self._end_watching()

    def _watched(self) -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] = self._connect()
        connection.autocommit = True
        return connection

    def _end_watching(self) -> None:
        if self._watching is not None:
            self._watching.close()
            self._watching = None

    def _told(self, error: Exception) -> StoreError | None:
        cause = getattr(error, "orig", error)
        state = getattr(cause, "sqlstate", None) or ""
        said = reason(cause)
        if state in ("55P03", "40001", "40P01"):
            return Busy(f"Another program has held the database {self.identity} for too long. Try again.")
        if state.startswith("53"):
            return StoreError(
                f"The database server of {self.identity} has no room left: {said}. Nothing was half-written; try again then."
            )
        if state in ("28P01", "28000", "3D000", "42501", "25006"):
            return StoreError(
                f"The database {self.identity} cannot be used: {said}. Correct {VARIABLE}, or the rights on the server."
            )
        if state == "54000":
            return StoreError(f"A name is too long for PostgreSQL: {said}. Shorten the path of the document.")
        is_lost = isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated
        if is_lost or state.startswith(("08", "57P")) or (isinstance(cause, psycopg.OperationalError) and not state):
            return Unreachable(f"The database {self.identity} cannot be reached: {said}. {UNREACHED}")
        return None


def _checked(url: str) -> URL:
    try:
        found = make_url(url)
    except sa.exc.ArgumentError:
        found = None
    if found is None or found.drivername not in ("postgresql", "postgresql+psycopg") or not found.database:
        raise StoreError(f"{VARIABLE} has to be like postgresql+psycopg://USER:PASSWORD@HOST/DATABASE.")
    return found.set(drivername="postgresql+psycopg")


def _server(url: URL, busy_seconds: float) -> Server:
    given = url.translate_connect_args(username="user", database="dbname")
    arguments = {"connect_timeout": CONNECT_SECONDS, **KEEPALIVES, **url.query, **given, "client_encoding": "utf-8"}
    return Server(arguments, SERVER_SETTINGS | {"lock_timeout": str(int(busy_seconds * 1_000))})


def _connecting(reach: Reach) -> Callable[[], Any]:
    def connect() -> psycopg.Connection[Any]:
        connection = reach.connect()
        for type_ in ("text", "varchar"):
            connection.adapters.register_loader(type_, _Text)
        connection.adapters.register_dumper(str, _Str)
        set_json_dumps(_as_json, connection)
        set_json_loads(_from_json, connection)
        return connection

    return connect


def _state(connection: psycopg.Connection[Any]) -> moving.Row:
    [(moved_to, moved_at, filled_from)] = connection.execute(f"SELECT {moving.STATE} FROM write_count").fetchall()
    return moved_to, moved_at, filled_from


def take_back(url: str) -> bool:
    """Has a database that was moved from here used again, as it was then. Returns whether it had been."""
    with _by_itself(url) as connection:
        return bool(connection.execute("UPDATE write_count SET moved_to = '' WHERE moved_to <> ''").rowcount)


def empty_unfinished(url: str) -> None:
    """Deletes what a move that was stopped has left here. Raises StoreError where it goes on, or has come to its end."""
    with _by_itself(url) as connection:
        [[is_over]] = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (key_of(moving.MOVE_LOCK),)).fetchall()
        if not is_over:  # before its row is asked for, which the other may hold for long
            raise StoreError(moving.UNDER_WAY)
        [[filled_from]] = connection.execute("SELECT filled_from FROM write_count FOR UPDATE").fetchall()
        if not filled_from:
            raise StoreError(moving.UNDER_WAY)
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN ('migration', 'write_count')"
        ).fetchall()
        names = psycopg.sql.SQL(", ").join(psycopg.sql.Identifier(name) for (name,) in tables)
        connection.execute(psycopg.sql.SQL("TRUNCATE {}").format(names))
        connection.execute("UPDATE write_count SET filled_from = ''")


@contextmanager
def _by_itself(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A transaction in a database that nobody may open as it is."""
    checked = _checked(url)
    try:
        with _server(checked, BUSY_SECONDS).connect(psycopg.Connection) as connection:
            yield connection
    except psycopg.Error as error:
        said = str(error).strip().partition("\n")[0].rstrip(".")
        raise StoreError(f"The database {_identity(checked)} cannot be used: {said}. Correct {VARIABLE}.") from error


def _identity(url: URL) -> str:
    return f"{url.host}:{url.port or 5432}/{url.database}"


def _engine(url: URL, connect: Callable[[], Any], reach: Reach, standing: moving.Standing) -> Engine:
    engine = sa.create_engine(
        url,
        creator=connect,
        poolclass=Pool,
        pool_size=CONNECTIONS,
        max_overflow=-1,
        pool_use_lifo=True,
    )

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("is_alone", True):
            if not options.get("waits", True):
                connection.connection.cursor().execute(AT_ONCE)
            cursor = connection.connection.cursor()
            cursor.execute(ALONE)
            cursor.nextset()
            standing.see(*cursor.fetchall()[0][:2])
        else:
            standing.check()

    @sa.event.listens_for(engine, "checkin")
    def _put_back(_connection: object, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    @sa.event.listens_for(engine, "checkout")
    def _take(connection: Any, record: Any, _proxy: object) -> None:
        if reach.is_cut and "used_at" in record.info:
            raise sa.exc.DisconnectionError  # whoever makes a new one is told whether it still is
        if time.monotonic() - record.info.get("used_at", time.monotonic()) > IDLE_SECONDS:
            try:
                connection.execute("SELECT 1")
                connection.rollback()
            except psycopg.Error as error:
                raise sa.exc.DisconnectionError from error  # the pool makes a new one

    return engine


def _upgrade(engine: Engine, other: psycopg.Connection[Any]) -> None:
    """Raises StoreError where `other`, between two transactions, loses its session to one that has begun meanwhile."""
    try:
        session = other.execute(SESSION).fetchall()
        with engine.connect().execution_options(is_alone=False) as connection, connection.begin():
            connection.exec_driver_sql(SESSION)
            if other.execute(SESSION).fetchall() != session:
                raise StoreError(NO_SESSIONS)
            if connection.exec_driver_sql("SHOW server_encoding").scalar_one() != "UTF8":
                raise StoreError("The database has to be one of UTF8: make it with CREATE DATABASE … ENCODING 'UTF8'.")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
            migrations.upgrade(connection)
    except (migrations.NewerDatabase, migrations.UnknownLayout) as error:
        raise StoreError(str(error)) from error


# ---------------------------------------------------------------- text

# PostgreSQL holds no character NUL, which positions have. NUL and U+0001 are kept as two characters each, so that what is kept
# has the order, the beginnings and the parts of what it stands for.
_KEPT = str.maketrans({"\0": "\1\1", "\1": "\1\2"})


def kept(text: str) -> str:
    """A text as PostgreSQL holds it."""
    return text.translate(_KEPT) if "\0" in text or "\1" in text else text


def given(text: str) -> str:
    """What a kept text stands for."""
    return text.replace("\1\1", "\0").replace("\1\2", "\1") if "\1" in text else text


class _Str(StrDumperUnknown):
    def dump(self, obj: str) -> Any:
        return super().dump(kept(obj))


class _Text(TextLoader):
    def load(self, data: Any) -> Any:
        return given(super().load(data))  # type: ignore[arg-type]  # of a database in UTF8 it is text


def _as_json(value: object) -> str:
    text = json.dumps(value)
    return json.dumps(_each_text(value, kept)) if "\\u000" in text else text


def _from_json(text: str | bytes) -> Any:
    value = json.loads(text)
    is_kept = "\\u0001" in text if isinstance(text, str) else b"\\u0001" in text
    return _each_text(value, given) if is_kept else value


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key) if isinstance(key, str) else key: _each_text(one, change) for key, one in value.items()}
    return [_each_text(one, change) for one in value] if isinstance(value, list | tuple) else value
