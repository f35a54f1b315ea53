"""The worlds of a history with several sources: two folders, PDFs and a Jira, whose texts are partly the same."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bench.worlds import FolderWorld, JiraWorld, Made

SIZES = (1, 3, 5, 12)  # documents each begins with
LENGTHS = (1, 1, 1, 2, 2, 2, 4, 4, 4, 40)  # paragraphs: most documents are short, so that histories are
PDF_LINE = 90  # characters
UNREADABLE = "unreadable.json"  # absolute path of a file: what happens to whoever reads it

# what a server may do to a request, and how many of them in a row
SITE_FAULTS: tuple[Mapping[str, Any], ...] = (
    {"kind": "html login"}, {"kind": "empty"}, {"kind": "half json"}, {"kind": "wrong json"}, {"kind": "truncate"},
    {"kind": "reset"}, {"kind": "hang"}, {"body": {}}, {"body": []}, {"status": 200, "body": "null"},
    {"status": 401}, {"status": 403}, {"status": 404}, {"status": 404, "body": "<html>no such page</html>"},
    {"status": 429, "headers": {"Retry-After": "1"}}, {"status": 500}, {"status": 502, "body": "<html>bad gateway</html>"},
    {"status": 503},
)  # fmt: skip
FILE_FAULTS = ("closed", "busy", "killed")


class SeveralFolder(FolderWorld):
    """Files that are copied to other sources, and that cannot be read for a while."""

    lengths = LENGTHS

    def __init__(self, place: Path, chance: Random, numbers: Made, name: str, sizes: Sequence[int] = SIZES) -> None:
        self.texts: dict[str, list[str]] = {}  # of a word
        self.came_back: set[str] = set()  # files that were away since all was last in step: they may be read again, or not yet
        self.place = place
        super().__init__(place, chance, None, numbers, sizes, name)

    @property
    def returning(self) -> set[str]:
        """Words that may come back."""
        return {lost.word for lost in (*self.bin, *self.spoilt.values())} | {*self.hidden.values(), *self.closed.values()}

    def standing(self) -> dict[str, str]:
        """What the tree must hold, once it has been read: also of files that cannot be read now."""
        held = self.words | self.closed | {path: lost.word for path, lost in self.spoilt.items()}
        return {path: word for path, word in held.items() if path not in self.came_back}

    def change(self) -> str:
        before = self.words.keys() | self.closed.keys() | self.spoilt.keys()
        what = super().change()
        self.came_back |= self.words.keys() - before
        return what

    def mend_all(self) -> None:
        """Every file can be read again."""
        while self.spoilt:
            self.mend()
        while self.closed:
            self.open_a_file()

    def paragraphs(self, word: str) -> list[str]:
        return self.texts.setdefault(word, super().paragraphs(word))

    def copy_out(self) -> tuple[str, list[str]]:
        word = self.words[self.any()]
        return word, self.texts[word]

    def copy_in(self, word: str, paragraphs: list[str]) -> None:
        self.texts[word] = paragraphs
        path = self._free_path()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(self._bytes(path, word))
        self.words[path] = word

    @contextmanager
    def empty_files(self) -> Iterator[None]:
        """Every file has no bytes for a while, as on a full or a broken drive."""
        contents = {path: (self.root / path).read_bytes() for path in self.words}
        for path in contents:
            (self.root / path).write_bytes(b"")
        try:
            yield
        finally:
            for path, content in contents.items():
                (self.root / path).write_bytes(content)

    @contextmanager
    def unreadable_files(self) -> Iterator[None]:
        """Some files have changed and cannot be read."""
        paths = [str(self.root / path) for path in self.chance.sample(sorted(self.words), min(3, len(self.words)))]
        note = self.place / UNREADABLE
        before = json.loads(note.read_text()) if note.exists() else {}
        _write(note, before | {path: self.chance.choice(FILE_FAULTS) for path in paths})
        for path in paths:
            os.utime(path)
        try:
            yield
        finally:
            _write(note, {path: how for path, how in json.loads(note.read_text()).items() if path not in paths})
            for path in paths:
                os.utime(path)


class SeveralPdfs(SeveralFolder):
    """PDFs of one page."""

    kind = "pdf"
    endings = (".pdf",)

    def empty(self) -> None:
        """A PDF without bytes is no PDF: nobody has edited it to nothing."""
        self.spoil()

    def _bytes(self, path: str, word: str) -> bytes:
        return pdf(self.paragraphs(word)[:6] + [f"We decided to call it {word} from now on."])


class SeveralTickets(JiraWorld):
    """Tickets that are copied to and from folders, and a site with faults."""

    lengths = LENGTHS

    def __init__(self, chance: Random, numbers: Made, sizes: Sequence[int] = SIZES) -> None:
        self.texts: dict[str, list[str]] = {}
        self.hidden: dict[str, str] = {}  # tickets that we may not see any more, with their words
        self.came_back: set[str] = set()  # tickets that were away since all was last in step
        super().__init__(chance, numbers, sizes)

    @property
    def returning(self) -> set[str]:
        return set(self.hidden.values())

    def change(self) -> str:
        if self.words and self.chance.random() < 0.1:
            return self.pick([self.hide])
        return self.pick([self.show]) if self.hidden and self.chance.random() < 0.3 else super().change()

    def hide(self) -> None:
        """The right to see a ticket is taken away."""
        id_ = self.any()
        self.site.hide(self.site.tickets[id_])
        self.hidden[id_] = self.words.pop(id_)

    def show(self) -> None:
        id_ = self.chance.choice(sorted(self.hidden))
        self.site.restore(self.site.tickets[id_])
        self.words[id_] = self.hidden.pop(id_)
        self.came_back.add(id_)

    def standing(self) -> dict[str, str]:
        return {id_: word for id_, word in self.words.items() if id_ not in self.came_back}

    def mend_all(self) -> None:
        """Nothing of a ticket is broken by itself."""

    def config(self) -> tuple[dict[str, Any], dict[str, str]]:
        config, secrets = super().config()
        return config | {"poll_seconds": 1.0, "rescan_seconds": 5.0}, secrets

    def paragraphs(self, word: str) -> list[str]:
        return self.texts.setdefault(word, super().paragraphs(word))

    def copy_out(self) -> tuple[str, list[str]]:
        word = self.words[self.any()]
        return word, self.texts[word]

    def copy_in(self, word: str, paragraphs: list[str]) -> None:
        self.texts[word] = paragraphs
        self.site.clock.advance(60)
        ticket = self.site.create(self.chance.choice(("HAR", "FER")), self.sentence(), description="\n\n".join(paragraphs))
        self.words[ticket.id] = word

    @contextmanager
    def faulty(self, fault: Mapping[str, Any]) -> Iterator[None]:
        """Some requests, from a random one on, meet this fault."""
        skip, count = self.chance.randrange(12), self.chance.choice((1, 1, 2, None))
        self.site.faults.set(name="faulty", path="*", skip=skip, count=count, **fault)
        try:
            yield
        finally:
            self.site.faults.clear("faulty")


SeveralWorld = SeveralFolder | SeveralTickets


def pdf(paragraphs: list[str]) -> bytes:
    """A PDF with these paragraphs on its pages (PDF 32000-1, 7.5): only what a reader needs."""
    lines = [line for paragraph in paragraphs for line in (*_lines(paragraph), "")]
    pages = [lines[at : at + 55] for at in range(0, len(lines), 55)] or [[]]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in page)
        stream = f"BT /F1 9 Tf 12 TL 50 790 Td {shown} ET".encode()
        resources = "<< /Font << /F1 3 0 R >> >>"
        head = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources {resources} /Contents {5 + 2 * number} 0 R >>"
        objects += [head.encode(), b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)]
    return _file(objects)


def _lines(paragraph: str) -> Iterator[str]:
    line = ""
    for word in paragraph.split():
        if len(line) + len(word) > PDF_LINE:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line


def _file(objects: list[bytes]) -> bytes:
    written, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(written))
    return written + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def _write(path: Path, value: object) -> None:
    """In one step, so that a reader finds all of it or what was there before."""
    made = path.with_suffix(".made")
    made.write_text(json.dumps(value))
    made.replace(path)
