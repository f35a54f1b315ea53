"""A workspace in a temporary folder with one watched folder, driven through the front door."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from copy import copy
from pathlib import Path

import sqlalchemy as sa
from sqlmodel import col

from ingestion.sources import Sources
from ingestion.sync import Synced, sync, verify
from prompts.records import Reader
from tests.reading import open_folder
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.store.models import Source, table_of
from tree.workspace import open_workspace


class Following:
    """A folder and the tree that follows it."""

    def __init__(self, root: Path, kind: str = "folder", folder: str = "docs", reader: Reader | None = None, **config) -> None:
        self.folder = root / folder
        self.folder.mkdir(exist_ok=True)
        self.workspace = open_workspace(root / "home", reader)
        self.sources = Sources(self.workspace.database)
        self._added = self.sources.add(kind, folder.capitalize(), {"path": str(self.folder), **config})

    def closed(self) -> Following:
        """To be copied from now on."""
        self.workspace.close()
        return self

    def copied(self, root: Path) -> Following:
        """Another one with the same files and the same tree, to be changed by one test: to build it again takes five times as long.
        This one is closed."""
        other = copy(self)
        other.folder = shutil.copytree(self.folder, root / self.folder.name)
        other.workspace = open_workspace(shutil.copytree(self.workspace.home, root / "home"))
        other.sources = Sources(other.workspace.database)
        moved = self._added.config | {"path": str(other.folder)}
        with other.workspace.database.write() as connection:
            connection.execute(sa.update(table_of(Source)).where(col(Source.id) == self._added.id).values(config=moved))
        return other

    @property
    def source(self) -> Source:
        return self.sources.get(self._added.id)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def sync(self, *hints: str, **options) -> Synced:
        if self.source.kind == "folder" and "connector" not in options:
            options["connector"] = open_folder(**self.source.config)
        return sync(self.workspace, self.sources, self.source, set(hints) or None, **options)

    def ask(self, question: str, **options) -> Answer:
        return next(event for event in ask(self.workspace, question, principal=OPERATOR, **options) if isinstance(event, Answer))

    def titles(self) -> set[str]:
        return self.workspace.store.documents.ids(self.source.id)

    def holds(self) -> bool:
        """Whether the live tree is the one its documents make."""
        return verify(self.workspace, self.source).is_equal

    def everything_live(self) -> str:
        """All words that the live tree, its records and the search index hold."""
        nodes = self.workspace.store.nodes.of_source(self.source.id)
        records = self.workspace.store.records.by_hash(node.record for node in nodes)
        leaves = self.workspace.store.leaves.by_key(node.leaf for node in nodes if node.leaf)
        parts = [*(node.title for node in nodes), *map(str, records.values()), *(leaf.text for leaf in leaves.values())]
        return "\n".join([*parts, self.indexed()])

    def indexed(self) -> str:
        """All words in the search index."""
        self.workspace.index.catch_up()
        with closing(sqlite3.connect(self.workspace.index.path)) as connection:
            tables = ("words", "entry", "name", "fact", "subject", "item")
            return "\n".join(str(row) for table in tables for row in connection.execute(f"SELECT * FROM {table}"))
