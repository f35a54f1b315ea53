"""A data folder opened: the database, the store, the search index and what reads that go together."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from platformdirs import user_data_path

from prompts.extractive import ExtractiveReader
from prompts.records import Reader
from tree.retrieve.index import Index
from tree.retrieve.meaning import Meaning
from tree.retrieve.vectors import Vectors
from tree.store.database import Database, StoreError
from tree.store.embedding_model import EmbeddingModel
from tree.store.language_model import LanguageModel
from tree.store.store import Store

HOME_VARIABLE = "KNOWLEDGE_TREE_HOME"
DATABASE_VARIABLE = "KNOWLEDGE_TREE_DATABASE"


@dataclass(frozen=True, slots=True)
class Workspace:
    home: Path
    database: Database
    store: Store
    index: Index
    reader: Reader  # makes the records of a change at once, and answers where there is no model
    model: LanguageModel
    meaning: Meaning

    def close(self) -> None:
        self.index.close()
        self.database.close()


def home_folder(given: str | Path | None = None) -> Path:
    """The data folder: as given, else from the environment, else one per user."""
    chosen = given or os.environ.get(HOME_VARIABLE) or user_data_path("knowledge-tree", appauthor=False)
    try:
        return Path(chosen).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a user that is not known, links in a circle, a character of no file
        raise StoreError(
            f"{str(chosen)!r} cannot be the data folder: {str(error).rstrip('.')}. Choose another one with --home."
        ) from error


def database_url() -> str | None:
    """Where the environment says that the database is; None where it is in the data folder."""
    return os.environ.get(DATABASE_VARIABLE) or None


def open_database(home: Path, url: str | None = None) -> Database:
    """At this URL, else where the environment says, else in the data folder."""
    return Database(home, url=url or database_url())


def open_workspace(home: str | Path | None = None, reader: Reader | None = None, url: str | None = None) -> Workspace:
    """With the database as in `open_database`. Raises StoreError when it or the data folder cannot be used."""
    folder = home_folder(home)
    database = open_database(folder, url)
    store = Store(database)
    vectors = Vectors(folder / "vectors.db")
    index = Index(store, folder / "search.db", vectors=vectors)
    meaning = Meaning(EmbeddingModel(database), vectors)
    return Workspace(folder, database, store, index, reader or ExtractiveReader(), LanguageModel(database), meaning)


class OneLineParser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message[:1].upper()}{message[1:]}. See: {self.prog} --help\n")


@contextmanager
def workspace(home: str | Path | None = None) -> Iterator[Workspace]:
    opened = open_workspace(home)
    try:
        yield opened
    finally:
        opened.close()
