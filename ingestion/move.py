"""A database moved between the file of a data folder and PostgreSQL, and held against what it was."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname

import tree.accounts.models  # noqa: F401  (its tables are copied too)
from ingestion.sync import verify
from tree.store.copying import copy_all
from tree.store.database import Database, StoreError
from tree.store.errors import MovedAway
from tree.store.home import MOVED
from tree.store.locks import Taken, held
from tree.store.moving import MOVE_LOCK, UNDER_WAY, Unfinished, note_filled_from, note_moved, stay_alone
from tree.store.sqlite import copy_database
from tree.store.store import Store
from tree.workspace import DATABASE_VARIABLE, Workspace, database_url, open_database, open_workspace

FILE = "file"  # in place of a URL: the file in the data folder
DATABASE = "knowledge.db"
DRAFT = ".moving"  # below the data folder, until all of it was checked


@dataclass(frozen=True, slots=True)
class Moved:
    identity: str  # of where it is now
    rows: int
    trees: int


def move(home: Path, to: str) -> Moved:
    """Copies the database of this data folder to a URL, or back to the file, and rebuilds every tree there from its documents.

    Whoever else writes to it waits meanwhile. Afterwards it is where `to` says: where it was, whoever opens it or writes to it is told.
    Raises StoreError.
    """
    if to == FILE:
        return _to_file(home)
    if database_url() is None and not (home / DATABASE).is_file():
        raise StoreError(f"{home} is not a data folder: there is no {DATABASE} in it. Name the right one with --home.")
    with closing(open_workspace(home)) as source, closing(_opened_target(home, to)) as target:
        if source.database.identity == target.database.identity:
            raise StoreError(f"The database is at {target.database.identity} already.")
        try:
            with held(target.database.locks.lock(MOVE_LOCK)):
                return _to_server(home, source, target)
        except Taken as error:
            raise StoreError(UNDER_WAY) from error


def _to_server(home: Path, source: Workspace, target: Workspace) -> Moved:
    with source.database.write() as writing:
        stay_alone(writing)  # what came in between would be lost
        moved = _copied(source, target)
        if database_url() is None:
            (home / MOVED).write_text(f"{moved.identity}\n", encoding="utf-8")
        else:
            note_moved(writing, moved.identity)
    return moved


def take_back(home: Path) -> str:
    """Where the database of this folder was moved away, it is used again as it was then. Returns where it is. Raises StoreError."""
    url = database_url()
    if url is None:
        if not (home / MOVED).exists():
            raise StoreError(f"{home / DATABASE} was not moved.")
        (home / MOVED).unlink()
        return str(home / DATABASE)
    from tree.store.postgresql import take_back  # its driver is an extra, which most do without

    if not take_back(url):
        raise StoreError(f"The database in {DATABASE_VARIABLE} was not moved.")
    with closing(open_database(home)) as database:
        return database.identity


def _opened_target(home: Path, url: str) -> Workspace:
    """What an earlier move has left there when it was stopped is deleted first."""
    try:
        return open_workspace(home, url=url)
    except MovedAway as error:
        raise StoreError(f"{error} To move to the same server again, name an empty database.") from error
    except Unfinished:
        from tree.store.postgresql import empty_unfinished

        empty_unfinished(url)
    return open_workspace(home, url=url)


def _to_file(home: Path) -> Moved:
    if database_url() is None:
        raise StoreError("The database is in the data folder already.")
    draft = home / DRAFT
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with closing(open_workspace(home)) as source:
            if (home / DATABASE).exists() and not (home / MOVED).exists():
                raise StoreError(f"{home / DATABASE} is there already. Move it away first.")
            with source.database.write() as writing:
                stay_alone(writing)
                moved = _to_draft(source, draft)
                _put_in_place(home, draft, source.database.identity)
                note_moved(writing, f"{home / DATABASE} on {gethostname()}")
        (home / MOVED).unlink()
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Moved(str(home / DATABASE), moved.rows, moved.trees)


def _to_draft(source: Workspace, draft: Path) -> Moved:
    with closing(Database(draft)) as target:
        return _copied(source, Workspace(draft, target, Store(target), source.index, source.reader, source.model, source.meaning))


def _put_in_place(home: Path, draft: Path, before: str) -> None:
    """Still not to be opened: until the server knows that it has gone, there is one database to write to, and never two."""
    if not (home / MOVED).exists():
        (home / MOVED).write_text(f"{before}\n", encoding="utf-8")
    for suffix in ("", "-wal", "-shm"):
        (home / f"{DATABASE}{suffix}").unlink(missing_ok=True)
    (draft / DATABASE).rename(home / DATABASE)


def _copied(source: Workspace, target: Workspace) -> Moved:
    with target.database.together(), target.database.write() as writing:
        rows = copy_all(source.database, target.database)
        note_filled_from(writing, source.database.identity)
    roots, made = ({root.source_id: root.hash for root in opened.store.nodes.roots().values()} for opened in (source, target))
    for each in target.store.sources.askable():
        if not verify(target, each).is_equal:
            raise StoreError(f"The tree of “{each.name}” at {target.database.identity} is not what its documents make.")
    changed = [id_ for id_, hash_ in made.items() if roots.get(id_) != hash_]
    if changed:
        raise StoreError(f"The trees at {target.database.identity} are not those at {source.database.identity}.")
    with target.database.write() as writing:
        note_filled_from(writing, "")
    return Moved(target.database.identity, sum(rows.values()), len(made))


def copy_to_file(home: Path, target: Path) -> None:
    """The database of a data folder, wherever it is kept, as it is at this moment, in one new SQLite file."""
    if database_url() is None:
        copy_database(home, target)
        return
    draft = target.with_name(f"{target.name}.folder")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with closing(open_database(home)) as source, closing(Database(draft)) as copied:
            copy_all(source, copied)
        copy_database(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
