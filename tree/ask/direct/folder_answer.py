"""Folders and files by their paths: how many files a folder has, which folder a file is in, and the branch that a path names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.language import singular
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.facts.told_facts import listed
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.store.documents import DocumentHead, StoredDocument
from tree.store.nodes import Node
from tree.store.places import is_below, is_inside_document, unescape

SHOWN = 20  # files told one by one
LISTED = 500  # files that are told apart
MOST_FOLDERS = 8  # that have one name
_COUNT = regex(
    r"\A\W*(?:how many (?P<noun>files|documents|docs|pdfs)|(?:count|number of) (?:the |all )?(?P<counted>files|documents|docs|pdfs))"
    r"(?: are| do we have| does| do| is)?(?: there)?(?: in| inside| below| under)? (?:the )?(?:folder |directory )?"
    r"(?P<folder>[\w./-][\w./ -]{0,118}?)(?: folder| directory)?(?: have| has| contain| hold)?[?.!\s]*\Z",
    re.IGNORECASE,
)
_WHERE_WORDS = frozenset(
    """where which what in is the a file document folder directory path find can i do we stored located kept lie lies has holds contains
    does it belong to of located s""".split()
)
_BESIDE = frozenset(("readme", "table", "xlsx"))  # kinds of documents that are no runbook in a folder "runbooks"
_PLACED = frozenset(("where", "folder", "directory", "path"))


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder by its place and by its path in its source."""

    place: str
    path: str
    tops: tuple[str, ...]  # what of it is asked about: itself, or the branches in it that were chosen


def answer_by_path(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "how many files are in …" and "which folder is … in"; None for any other question."""
    if asked := _COUNT.match(understanding.text):
        folders = find_folders(snapshot, asked["folder"])
        return _counted(snapshot, folders, (asked["noun"] or asked["counted"]).casefold()) if folders else None
    files = [file for file in understanding.analysis.files if " " not in file]
    if len(files) == 1 and _asks_where(understanding.text, files[0]):
        return _placed(snapshot, files[0])
    return None


def find_folders(snapshot: Snapshot, name: str) -> list[Folder]:
    """Folders whose path is this, or ends with it; none where too many are called so."""
    wanted = [step.casefold() for step in name.strip().strip("/").split("/")]
    found = []
    for place in snapshot.store.nodes.folder_places(list(snapshot.sources), snapshot.version):
        steps = [unescape(step) for step in place.split("/")[1:-1]]
        if [step.casefold() for step in steps[-len(wanted) :]] == wanted and (tops := _asked_about(snapshot, place)):
            found.append(Folder(place, "/".join(steps), tops))
    exact = [one for one in found if one.path.casefold() == "/".join(wanted)]
    return (exact or found) if len(exact or found) <= MOST_FOLDERS else []


def _asked_about(snapshot: Snapshot, folder: str) -> tuple[str, ...]:
    if snapshot.scope.includes(folder):
        return (folder,)
    return tuple(top for top in snapshot.scope.places if is_below(top, folder) and not is_inside_document(top))


def folder_node(snapshot: Snapshot, name: str) -> Node | None:
    """The branch of the one folder that a path names."""
    folders = find_folders(snapshot, name)
    return snapshot.store.nodes.get(folders[0].place, snapshot.version) if len(folders) == 1 else None


# ---------------------------------------------------------------- how many files


def _counted(snapshot: Snapshot, folders: Sequence[Folder], noun: str) -> DirectAnswer | None:
    ending, but_kind = ".pdf" if noun == "pdfs" else "", "" if noun.startswith("doc") else "ticket"
    step = Step(
        "register", folders[0].place, "", folders[0].path, reason=f"Every document below “{folders[0].path}” was counted."
    )
    lines: list[Line] = []
    number = 0
    for folder in folders:
        count, files = snapshot.store.documents.below(folder.tops, snapshot.version, ending, but_kind, SHOWN)
        said = f"**{count} {noun if count != 1 else singular(noun)}** {'are' if count != 1 else 'is'} in {as_text(folder.path)}"
        lines.append(Line(("\n\n" if lines else "") + said))
        for line in _listed(snapshot, folder, files, count, number):
            number += line.number is not None
            lines.append(line)
    return DirectAnswer(step, tuple(lines))


def _listed(snapshot: Snapshot, folder: Folder, files: Sequence[DocumentHead], count: int, before: int) -> Iterator[Line]:
    if files:
        yield Line(":\n")
    for number, document in enumerate(files, before + 1):
        line = _first_line(snapshot, document, f"\n- {as_text(document.id.removeprefix(f'{folder.path}/'))} [{number}]", number)
        yield line or Line(f"\n- {as_text(document.id)}")
    if count > len(files):
        yield Line(f"\n\n… and {count - len(files)} more.")


def _first_line(snapshot: Snapshot, document: DocumentHead | StoredDocument, text: str, number: int) -> Line | None:
    """Cites the beginning of a document."""
    node = next(
        (one for one in snapshot.store.nodes.of_document(document.source_id, document.id, snapshot.version) if one.leaf), None
    )
    leaf = snapshot.store.leaves.get(node.leaf or "") if node else None
    if node is None or leaf is None:
        return None
    end = len(leaf.text.lstrip().split("\n", 1)[0]) + len(leaf.text) - len(leaf.text.lstrip())
    return Line(text, number, node, leaf, Quote(text=" ".join(leaf.text[:end].split()), start=0, end=end))


def list_titles(snapshot: Snapshot, folders: Sequence[Folder], noun: str) -> DirectAnswer | None:
    """The documents of folders that are called by what they are, "runbooks", by their titles; of several folders, of each. What
    lies in a folder below is told apart, what introduces the folder or is a table is named beside it."""
    found = [_Listed(snapshot, folder, len(folders) > 1) for folder in folders]
    found = [one for one in found if one.number]
    if not found:
        return None
    total = sum(one.number for one in found)
    many = as_text(noun if total != 1 else singular(noun))
    lines = [Line(f"**{total} {many}** in {listed([one.called for one in found])}:\n")]
    number = 0
    for one in found:
        if len(folders) > 1:
            lines.append(Line(f"\n\n{one.called}:\n"))
        for line in one.lines(number):
            number = line.number or number
            lines.append(line)
    step = Step("register", folders[0].place, "", folders[0].path, reason=f"What is called “{folders[0].path}” was listed.")
    return DirectAnswer(step, tuple(lines), is_list=True)


def list_all(snapshot: Snapshot, noun: str) -> DirectAnswer | None:
    """Every document but tickets, by title, source by source; None where there is none."""
    listings = [snapshot.store.documents.below((top.place,), snapshot.version, "", "ticket", SHOWN) for top in snapshot.tops]
    total, number = sum(count for count, _ in listings), 0
    if not total:
        return None
    lines = [Line(f"**{total} {as_text(noun if total != 1 else singular(noun))}**:\n")]
    for top, (count, files) in zip(snapshot.tops, listings, strict=True):
        if len(listings) > 1 and count:
            lines.append(Line(f"\n\n{as_text(top.title)}, {count} of them:\n"))
        for one in files:
            told = _first_line(snapshot, one, f"\n- {as_text(one.title)} [{number + 1}]", number + 1)
            number += told is not None
            lines.append(told or Line(f"\n- {as_text(one.title)}"))
        if count > len(files):
            lines.append(Line(f"\n\n… and {count - len(files)} more."))
    step = Step("register", "", "", "All documents", reason="Every document was counted.")
    return DirectAnswer(step, tuple(lines), is_list=True)


class _Listed:
    """What lies in a folder: `number` documents of the kind that it is called by."""

    def __init__(self, snapshot: Snapshot, folder: Folder, is_one_of_several: bool) -> None:
        count, files = snapshot.store.documents.below(folder.tops, snapshot.version, "", "ticket", LISTED)
        self._snapshot = snapshot
        self._beside = [one for one in files if one.kind in _BESIDE]
        self._more = count - len(files)
        self._groups: dict[str, list[DocumentHead]] = {"": []}  # by the folder below in which they lie
        for one in files:
            if one not in self._beside:
                below = one.id.removeprefix(f"{folder.path}/").rpartition("/")[0]
                self._groups.setdefault(below, []).append(one)
        self.number = count - len(self._beside)
        self.called = as_text(_place_of(snapshot, folder, is_one_of_several))

    def lines(self, before: int) -> Iterator[Line]:
        """`before` citations stand above."""
        number = before
        for below, files in self._groups.items():
            if below and files:
                yield Line(f"\n\nIn {as_text(below)}, {len(files)} of them:\n")
            for one in files[:SHOWN]:
                told = _first_line(self._snapshot, one, f"\n- {as_text(one.title)} [{number + 1}]", number + 1)
                number += told is not None
                yield told or Line(f"\n- {as_text(one.title)}")
            if len(files) > SHOWN:
                yield Line(f"\n\n… and {len(files) - SHOWN} more.")
        if self._more:
            yield Line(f"\n\n… and {self._more} more.")
        if self._beside:
            names = [as_text(one.id.rpartition("/")[2]) for one in self._beside]
            yield Line(f"\n\nNot counted: {listed(names[:SHOWN])}.")


def _place_of(snapshot: Snapshot, folder: Folder, is_one_of_several: bool) -> str:
    """Its path, with its source where others are called so."""
    source = snapshot.sources[folder.place.partition("/")[0]].name
    return f"{source} › {folder.path}" if is_one_of_several else folder.path


# ---------------------------------------------------------------- which folder


def _asks_where(text: str, file: str) -> bool:
    words = re.findall(r"\w+", text.replace(file, " ").casefold())
    return not _PLACED.isdisjoint(words) and _WHERE_WORDS.issuperset(words)


def _placed(snapshot: Snapshot, file: str) -> DirectAnswer | None:
    """The folders of all documents that are called so."""
    name = file.rpartition("/")[2]
    found = [
        one
        for one in snapshot.store.documents.called(list(snapshot.sources), name, snapshot.version)
        if snapshot.scope.includes(one.place) and one.id.casefold().endswith(file.casefold())
    ]
    if not 0 < len(found) <= MOST_FOLDERS:
        return None
    step = Step("register", found[0].place, "", found[0].title, reason=f"“{name}” is the name of a document.")
    lines = []
    for number, document in enumerate(sorted(found, key=lambda one: one.place), 1):
        folder = document.id.rpartition("/")[0] or snapshot.sources[document.source_id].name
        said = f"**{as_text(folder)}** holds {as_text(name)} [{number}]"
        line = _first_line(snapshot, document, ("\n- " if len(found) > 1 else "") + said, number)
        lines += [line] if line else []
    return DirectAnswer(step, tuple(lines)) if lines else None
