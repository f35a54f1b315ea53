"""A database moved between the file of a data folder and PostgreSQL, and held against what it was."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import tree.accounts.models  # noqa: F401  (its tables are copied too)
from ingestion.sync import verify
from tree.store.copying import copy_all
from tree.store.database import Database, StoreError
from tree.store.home import MOVED
from tree.store.sqlite import copy_database
from tree.store.store import Store
from tree.workspace import Workspace, database_url, open_database, open_workspace

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

    Afterwards it is where `to` says: where it was, it is no longer opened by mistake. Raises StoreError.
    """
    if to == FILE:
        return _to_file(home)
    if database_url() is None and not (home / DATABASE).is_file():
        raise StoreError(f"{home} is not a data folder: there is no {DATABASE} in it. Name the right one with --home.")
    with closing(open_workspace(home)) as source, closing(open_workspace(home, url=to)) as target:
        if source.database.identity == target.database.identity:
            raise StoreError(f"The database is at {to} already.")
        if database_url() is not None:
            return _copied(source, target)
        with source.database.write():  # nobody else writes until it has gone: what came in between would be lost
            moved = _copied(source, target)
            (home / MOVED).write_text(f"{moved.identity}\n", encoding="utf-8")
    return moved


def _to_file(home: Path) -> Moved:
    if database_url() is None:
        raise StoreError("The database is in the data folder already.")
    if (home / DATABASE).exists() and not (home / MOVED).exists():
        raise StoreError(f"{home / DATABASE} is there already. Move it away first.")
    draft = home / DRAFT
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with closing(open_workspace(home)) as source:
            target = Database(draft)
            try:
                moved = _copied(
                    source, Workspace(draft, target, Store(target), source.index, source.reader, source.model, source.meaning)
                )
            finally:
                target.close()
        for suffix in ("", "-wal", "-shm"):
            (home / f"{DATABASE}{suffix}").unlink(missing_ok=True)
        (draft / DATABASE).rename(home / DATABASE)
        (home / MOVED).unlink(missing_ok=True)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Moved(str(home / DATABASE), moved.rows, moved.trees)


def _copied(source: Workspace, target: Workspace) -> Moved:
    rows = copy_all(source.database, target.database)
    roots, made = ({root.source_id: root.hash for root in opened.store.nodes.roots().values()} for opened in (source, target))
    for each in target.store.sources.askable():
        if not verify(target, each).is_equal:
            raise StoreError(f"The tree of “{each.name}” at {target.database.identity} is not what its documents make.")
    changed = [id_ for id_, hash_ in made.items() if roots.get(id_) != hash_]
    if changed and source.store.versions.newest() == target.store.versions.newest():
        raise StoreError(f"The trees at {target.database.identity} are not those at {source.database.identity}.")
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
