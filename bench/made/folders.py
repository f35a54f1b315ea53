"""Questions on folders: how many files one has, where a file is, what is in one, which files mention a word."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from bench.judging import Gold
from bench.made.file_sets import Files, files_of, open_files, titles_of
from bench.made.made_set import MadeSet

SOURCES = {"swe_qa": "swe_qa/corpus.jsonl", "lsst": "lsst*.tar.gz", "mesos": "*mesos*.tar.gz"}
FEW, MANY = 2, 8  # files that mention a word, for it to be asked for
MOST_CHILDREN = 10
_NAME = re.compile(r"\b(?:[a-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)\b")  # snake_case, CamelCase


def folder_sets(data: Path, limit: int, seed: int) -> Iterator[MadeSet]:
    for name, pattern in SOURCES.items():
        path = next(iter(sorted(data.rglob(pattern))), None)
        if path is not None:
            files = files_of(path)
            yield MadeSet(
                f"folders, {name}", tuple(FolderQuestions(files, Random(seed), limit).all()), partial(open_files, name, files)
            )


@dataclass
class FolderQuestions:
    """Draws questions; each kind has at most `limit` of them."""

    files: Files
    chance: Random
    limit: int

    def all(self) -> Iterator[Gold]:
        for kind in (self.counts, self.places, self.overviews, self.mentions):
            yield from self.chance.sample(golds := list(kind()), min(self.limit, len(golds)))

    def _folders(self) -> dict[str, list[str]]:
        """Folders with the files anywhere below each; those whose path is one of a kind."""
        below: dict[str, list[str]] = defaultdict(list)
        for path in self.files:
            parts = path.split("/")[:-1]
            for depth in range(1, len(parts) + 1):
                below["/".join(parts[:depth])].append(path)
        return dict(below)

    def counts(self) -> Iterator[Gold]:
        for folder, paths in self._folders().items():
            asked = self.chance.choice(
                ("How many files are in {f}?", "how many documents are in the folder {f}", "How many files does {f} have?")
            )
            yield Gold(asked.format(f=folder), "count", lead=(str(len(paths)),))

    def places(self) -> Iterator[Gold]:
        names = Counter(path.rpartition("/")[2] for path in self.files)
        for path in self.files:
            folder, _, name = path.rpartition("/")
            if folder and names[name] == 1:
                asked = self.chance.choice(("Which folder is {n} in?", "In which folder is the file {n}?", "where is {n}"))
                yield Gold(asked.format(n=name), "which folder", lead=(folder, folder.rpartition("/")[2]))

    def overviews(self) -> Iterator[Gold]:
        for folder, paths in self._folders().items():
            inside: dict[str, tuple[str, ...]] = {}
            for path in paths:
                rest = path.removeprefix(f"{folder}/")
                child = rest.partition("/")[0]
                inside[child] = titles_of(path, self.files[path]) if child == rest else (child,)
            if 1 < len(inside) <= MOST_CHILDREN:
                asked = self.chance.choice(("What is in the folder {f}?", "what does {f} contain", "give me an overview of {f}"))
                yield Gold(asked.format(f=folder), "overview", each=tuple(inside.values()))

    def mentions(self) -> Iterator[Gold]:
        mentioned: dict[str, set[str]] = defaultdict(set)
        for path, text in self.files.items():
            for word in set(_NAME.findall(text)):
                mentioned[word].add(path)
        for word, paths in sorted(mentioned.items()):
            if FEW <= len(paths) <= MANY and len(word) > 9:
                each = tuple(titles_of(path, self.files[path]) for path in sorted(paths))
                yield Gold(f"Which files mention {word}?", "mention", lead=(str(len(paths)),), each=each)
