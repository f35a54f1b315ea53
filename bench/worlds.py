"""The worlds whose random histories the truth bench follows: a real folder, and tickets on a Jira simulator.

Every document holds a word of its own for each state it was in, so that what must be found, and what must be nowhere
any more, is known at any moment.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from connectors.base import Connector
from connectors.folder import FolderConfig, FolderConnector
from connectors.sandbox import Sandbox
from jira_simulator import Clock, Site, running

T = TypeVar("T")

SIZES = (3, 8, 20, 40)  # documents a world begins with, one of these
MANY = 11  # documents: more than the drop guard lets go without asking
FOLDERS = ("", "plans/", "plans/2026/", "minutes/", "minutes/old/", "notes and more/")
ENDINGS = (".md", ".md", ".txt", ".csv", ".json")
WORDS = "harbour ferry ticket crew engine winter repair schedule budget safety radar mooring tide deck cabin anchor".split()  # noqa: SIM905


def canary(number: int) -> str:
    """A word that no text has, unlike any other of its kind, so that no correction of spelling leads to another."""
    chance = Random(number)
    return "".join(chance.choices("bcfhjklmnpqrtvwxz", k=11))


class World(Protocol):
    """Something outside that changes. `words` maps the ids of the documents the app may read now to their words.

    `unreadable` are documents that are there and cannot be read now: the tree has them as it last read them, if it has.
    """

    kind: str  # of its source
    words: dict[str, str]

    @property
    def unreadable(self) -> set[str]: ...

    @property
    def gone(self) -> set[str]:
        """Every word that was once somewhere and is nowhere now."""

    def has_word(self, document_id: str) -> bool:
        """Whether a document is one of those with a word; a project's own page is none."""

    def change(self) -> str:
        """One random change, by name."""

    def config(self) -> tuple[dict[str, Any], dict[str, str]]:
        """The settings and the secrets of its source."""

    def connector(self) -> Connector | None:
        """One to use again and again in this process; None to have each sync open its own."""

    def away(self) -> AbstractContextManager[None]:
        """While this lasts nothing can be reached; a sync must say so, and take nothing for deleted."""

    def close(self) -> None: ...


@dataclass(slots=True)
class Made:
    """How many words there are so far; worlds that share texts share their words as well."""

    count: int = 0

    def words(self) -> set[str]:
        return {canary(number) for number in range(self.count)}


class Canaries:
    """The words of a world."""

    lengths: tuple[int, ...] = (1, 2, 4, 40)  # paragraphs of a document, one of these

    def __init__(self, chance: Random, numbers: Made | None = None) -> None:
        self.chance = chance
        self.words: dict[str, str] = {}
        self.numbers = numbers or Made()

    @property
    def made(self) -> int:
        return self.numbers.count

    @property
    def unreadable(self) -> set[str]:
        return set()

    @property
    def gone(self) -> set[str]:
        return self.numbers.words() - set(self.words.values())

    def next_word(self) -> str:
        self.numbers.count += 1
        return canary(self.numbers.count - 1)

    def sentence(self) -> str:
        return " ".join(self.chance.choices(WORDS, k=9)).capitalize() + "."

    def paragraphs(self, word: str) -> list[str]:
        """Text of random length with the word somewhere in it."""
        made = [" ".join(self.sentence() for _ in range(4)) for _ in range(self.chance.choice(self.lengths))]
        made.insert(self.chance.randrange(len(made) + 1), f"We decided to call it {word} from now on.")
        return made

    def any(self) -> str:
        return self.chance.choice(sorted(self.words))

    def some(self) -> list[str]:
        """So many at once that an admin has to be asked."""
        return self.chance.sample(sorted(self.words), self.chance.randint(MANY, len(self.words)))

    def pick(self, changes: list[Callable[[], None]]) -> str:
        chosen = self.chance.choice(changes)
        chosen()
        return chosen.__name__.replace("_", " ")


# ---------------------------------------------------------------- a folder


@dataclass(frozen=True, slots=True)
class Lost:
    """A file that may come back as it was."""

    path: str
    content: bytes
    word: str


def _renamed(files: Mapping[str, T], old: str, new: str) -> dict[str, T]:
    """What is held by path, after the folder `old` was called `new`."""
    return {new + path[len(old) :] if path.startswith(f"{old}/") else path: held for path, held in files.items()}


class FolderWorld(Canaries):
    """Real files."""

    kind = "folder"
    endings: tuple[str, ...] = ENDINGS

    def __init__(
        self,
        place: Path,
        chance: Random,
        sandbox: Sandbox | None = None,
        numbers: Made | None = None,
        sizes: Sequence[int] = SIZES,
        name: str = "folder",
    ) -> None:
        super().__init__(chance, numbers)
        self.root = place / name
        self.hidden: dict[str, str] = {}  # path: word, of files that a dot hides
        self.closed: dict[str, str] = {}  # of files that may not be read
        self.spoilt: dict[str, Lost] = {}  # files whose bytes are nonsense for a while
        self.emptied: set[str] = set()  # words of files that somebody emptied
        self.bin: list[Lost] = []
        self._sandbox = sandbox
        self._connector: FolderConnector | None = None
        self.root.mkdir(parents=True)
        self.can_close = self._can_close()
        for _ in range(chance.choice(sizes)):
            self.create()

    def _can_close(self) -> bool:
        """Nothing is closed to root, unless that right was taken from it."""
        file = self.root.with_name("closed")
        file.touch(mode=0)
        try:
            return not os.access(file, os.R_OK)
        finally:
            file.unlink()

    def config(self) -> tuple[dict[str, Any], dict[str, str]]:
        return {"path": str(self.root)}, {}

    def has_word(self, document_id: str) -> bool:
        return True

    @property
    def unreadable(self) -> set[str]:
        return {*self.closed, *self.spoilt}

    def connector(self) -> Connector:
        self._connector = self._connector or FolderConnector(FolderConfig(path=self.root), sandbox=self._sandbox)
        return self._connector

    def close(self) -> None:
        for path in self.closed:
            (self.root / path).chmod(0o600)
        if self._connector and self._sandbox is None:
            self._connector.close()

    @contextmanager
    def away(self) -> Iterator[None]:
        """A drive that is not connected: its folder is not there, or is there and empty."""
        aside = self.root.with_name(f"{self.root.name} aside")
        self.root.rename(aside)
        leaves_mount_point = self.chance.random() < 0.5
        if leaves_mount_point:
            self.root.mkdir()
        try:
            yield
        finally:
            if leaves_mount_point:
                self.root.rmdir()
            aside.rename(self.root)

    def change(self) -> str:
        changes: list[Callable[[], None]] = [self.create, self.create]
        if self.words:
            changes += [self.edit, self.edit, self.rename, self.move, self.delete, self.touch, self.hide]
        if len(self.words) > 3 and not self.unreadable:  # several that fail at once are a fault of the folder
            changes += [self.spoil, *([self.close_a_file] if self.can_close else [])]
        if len(self.words) > 3 and len(self.emptied) < 3:
            changes.append(self.empty)
        if self.spoilt:
            changes += [self.mend, self.mend]
        if self.bin:
            changes.append(self.restore)
        if self.hidden:
            changes.append(self.show)
        if self.closed:
            changes.append(self.open_a_file)
        if len(self.words) > 3:
            changes.append(self.move_a_folder)
        if len(self.words) >= MANY:
            changes += [self.delete_many, self.move_many]
        if len(self.bin) >= MANY:
            changes += [self.restore_many, self.restore_many]
        return self.pick(changes)

    def create(self) -> None:
        self._write(self._free_path())

    def edit(self) -> None:
        self._write(self.any())

    def touch(self) -> None:
        os.utime(self.root / self.any())

    def rename(self) -> None:
        old = self.any()
        folder = old.rpartition("/")[0]
        self._to(old, (f"{folder}/" if folder else "") + self._name() + Path(old).suffix)

    def move(self) -> None:
        self._to(self.any(), self._free_path())

    def move_many(self) -> None:
        for path in self.some():
            self._to(path, self._free_path())

    def move_a_folder(self) -> None:
        """A whole folder under another name."""
        folders = [path.partition("/")[0] for path in self.words if "/" in path]
        if not folders:
            return
        old = self.chance.choice(folders)
        new = next(
            name for name in iter(lambda: f"moved {self.chance.randrange(10_000)}", None) if not (self.root / name).exists()
        )
        (self.root / old).rename(self.root / new)
        self.words, self.hidden = _renamed(self.words, old, new), _renamed(self.hidden, old, new)
        self.closed, self.spoilt = _renamed(self.closed, old, new), _renamed(self.spoilt, old, new)

    def delete(self) -> None:
        self._delete(self.any())

    def delete_many(self) -> None:
        for path in self.some():
            self._delete(path)

    def restore(self) -> None:
        self._restore(self.bin.pop(self.chance.randrange(len(self.bin))))

    def restore_many(self) -> None:
        lost, self.bin = self.bin, []
        for file in lost:
            self._restore(file)

    def hide(self) -> None:
        """A name that begins with a dot is out of sight."""
        path = self.any()
        folder, slash, name = path.rpartition("/")
        (self.root / path).rename(self.root / f"{folder}{slash}.{name}")
        self.hidden[path] = self.words.pop(path)

    def show(self) -> None:
        path = self.chance.choice(sorted(self.hidden))
        folder, slash, name = path.rpartition("/")
        word = self.hidden.pop(path)
        if not (self.root / path).exists():
            (self.root / f"{folder}{slash}.{name}").rename(self.root / path)
            self.words[path] = word

    def close_a_file(self) -> None:
        path = self.any()
        (self.root / path).chmod(0)
        self.closed[path] = self.words.pop(path)

    def open_a_file(self) -> None:
        path = self.chance.choice(sorted(self.closed))
        (self.root / path).chmod(0o600)
        self.words[path] = self.closed.pop(path)

    def spoil(self) -> None:
        """A file that is nonsense until somebody puts it back: half written, or on a disk that fails."""
        path = self.any()
        self.spoilt[path] = Lost(path, (self.root / path).read_bytes(), self.words.pop(path))
        (self.root / path).write_bytes(b"\0\1\2\xff" * 500)

    def mend(self) -> None:
        path = self.chance.choice(sorted(self.spoilt))
        lost = self.spoilt.pop(path)
        (self.root / path).write_bytes(lost.content)
        self.words[path] = lost.word

    def empty(self) -> None:
        """Somebody saves a file with nothing in it."""
        path = self.any()
        self.emptied.add(self.words.pop(path))
        (self.root / path).write_bytes(b"")

    def _delete(self, path: str) -> None:
        self.bin.append(Lost(path, (self.root / path).read_bytes(), self.words.pop(path)))
        (self.root / path).unlink()

    def _restore(self, lost: Lost) -> None:
        target = self.root / lost.path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(lost.content)
            self.words[lost.path] = lost.word

    def _name(self) -> str:
        return f"{self.chance.choice(WORDS)} {self.made}{self.chance.randrange(100_000)}"

    def _free_path(self) -> str:
        return self.chance.choice(FOLDERS) + self._name() + self.chance.choice(self.endings)

    def _to(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)
        self.words[new] = self.words.pop(old)

    def _write(self, path: str) -> None:
        word = self.next_word()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(self._bytes(path, word))
        self.words[path] = word

    def _bytes(self, path: str, word: str) -> bytes:
        return self._content(path, word).encode()

    def _content(self, path: str, word: str) -> str:
        paragraphs = self.paragraphs(word)
        if path.endswith(".json"):
            return json.dumps({"text": paragraphs})
        if path.endswith(".csv"):
            return "name,words\n" + "\n".join(f"{at},{text}" for at, text in enumerate(paragraphs))
        if path.endswith(".md"):
            paragraphs = [f"## {self.chance.choice(WORDS).title()} {at}\n\n{text}" for at, text in enumerate(paragraphs)]
        return "\n\n".join(paragraphs)


# ---------------------------------------------------------------- a Jira

EMAIL, TOKEN = "reader@example.com", "simulator-token"
PROJECTS = ("HAR", "FER")
MINUTES = 3  # that pass between two changes


class JiraWorld(Canaries):
    """Tickets of two projects on a simulator that runs in this process and is asked over the network."""

    kind = "jira"

    def __init__(self, chance: Random, numbers: Made | None = None, sizes: Sequence[int] = SIZES) -> None:
        super().__init__(chance, numbers)
        self.site = Site(clock=Clock())
        self.site.add_token(self.site.add_user("Bench Reader", email=EMAIL), TOKEN)
        for key in PROJECTS:
            self.site.add_project(key, key.title())
        for _ in range(chance.choice(sizes)):
            self.create()
        self._running = running(self.site)
        self.address = self._running.__enter__()

    def config(self) -> tuple[dict[str, Any], dict[str, str]]:
        return {"url": self.address, "email": EMAIL, "projects": list(PROJECTS)}, {"token": TOKEN}

    def has_word(self, document_id: str) -> bool:
        return not document_id.startswith("project/")

    def connector(self) -> None:
        return None

    def close(self) -> None:
        self._running.__exit__(None, None, None)

    @contextmanager
    def away(self) -> Iterator[None]:
        """A token that has died, or a site that is down."""
        fault: Mapping[str, Any] = self.chance.choice(({"status": 401}, {"status": 503}, {"status": 404}))
        self.site.faults.set(name="away", path="*", **fault)
        try:
            yield
        finally:
            self.site.faults.clear("away")

    def change(self) -> str:
        changes: list[Callable[[], None]] = [self.create, self.create]
        if self.words:
            changes += [self.edit, self.edit, self.comment, self.move, self.delete, self.status]
        if len(self.words) >= MANY:
            changes.append(self.delete_many)
        self.site.clock.advance(60 * MINUTES)
        return self.pick(changes)

    def create(self) -> None:
        word = self.next_word()
        ticket = self.site.create(self.chance.choice(PROJECTS), self.sentence(), description="\n\n".join(self.paragraphs(word)))
        self.words[ticket.id] = word

    def edit(self) -> None:
        """Its word is another one now, in the description or in a comment."""
        id_ = self.any()
        for comment in self.site.tickets[id_].comments:
            self.site.delete_comment(comment.id)
        self.words[id_] = self.next_word()
        self.site.edit(id_, description="\n\n".join(self.paragraphs(self.words[id_])))

    def comment(self) -> None:
        id_ = self.any()
        for comment in self.site.tickets[id_].comments:
            self.site.delete_comment(comment.id)
        self.words[id_] = self.next_word()
        self.site.edit(id_, description=self.sentence())
        self.site.comment(id_, "\n\n".join(self.paragraphs(self.words[id_])))

    def status(self) -> None:
        """A change of a field alone."""
        self.site.edit(self.any(), labels=[self.chance.choice(WORDS)])

    def move(self) -> None:
        id_ = self.any()
        here = self.site.projects[self.site.tickets[id_].project].key
        self.site.move(id_, next(key for key in PROJECTS if key != here))

    def delete(self) -> None:
        self._delete(self.any())

    def delete_many(self) -> None:
        for id_ in self.some():
            self._delete(id_)

    def _delete(self, id_: str) -> None:
        self.site.delete(id_)
        del self.words[id_]
