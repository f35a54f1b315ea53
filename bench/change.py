"""What a change costs: reader decisions and prompt characters, beside the fewest that any tree could do with."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import sqlalchemy as sa

from bench.page import change_page
from bench.report import store_run
from bench.synthetic import Texts
from prompts.records import (
    NO_NOTES,
    Child,
    Chosen,
    Cited,
    Evidence,
    LeafAnswer,
    LeafText,
    Notes,
    Option,
    Question,
    Reader,
    Reading,
    SummaryRecord,
)
from tree.build.builder import build
from tree.store.database import Database
from tree.store.leaves import Container, Leaf, LeafDocument
from tree.store.models import Source, table_of
from tree.store.publishing import publish
from tree.store.shape import FANOUT
from tree.store.store import Store

CHARACTERS = 600  # of a leaf's text
SUMMARY = 400  # characters of a record
FOLDER = 20  # files in a folder of the natural hierarchy, and folders in a folder
STEP = 10_000  # leaves published at once while a tree is first built

# calls to a model for the same work by published systems, counted by reading and running their code
PEERS = (
    ("LlamaIndex TreeIndex", "400 documents: 6 calls to insert one; edits and deletes impossible"),
    ("RAPTOR", "200 documents: every change rebuilds, 307 calls"),
    ("nano-graphrag", "400 documents: 291 calls to insert one"),
    ("LightRAG", "3 calls to insert one, 6 to change one"),
    ("Microsoft GraphRAG", "200 documents: 11 calls to insert one; edits and deletes ignored"),
)


class CountingReader(Reader):
    """Writes records of a usual length that depend on everything read, and counts what it is asked."""

    name = "counting"
    version = "1"

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.characters = 0

    def read(self, leaf: LeafText) -> Reading:
        self.calls["read"] += 1
        self.characters += len(leaf.text) + sum(map(len, leaf.heading))
        return Reading(SummaryRecord(summary=leaf.text[:SUMMARY]), leaf.units)

    def summarize(self, title: str, children: Sequence[Child]) -> SummaryRecord:
        self.calls["summarize"] += 1
        self.characters += len(title) + sum(len(child.title) + len(child.record.summary) for child in children)
        share = SUMMARY // len(children)
        mark = format(crc32("\0".join(child.record.summary for child in children).encode()), "x")
        return SummaryRecord(summary=f"{mark} " + " ".join(child.record.summary[:share] for child in children))

    def choose(self, question: Question, options: Sequence[Option], notes: Notes = NO_NOTES) -> Chosen:
        raise NotImplementedError

    def answer(self, question: Question, leaf: LeafText, notes: Notes = NO_NOTES) -> LeafAnswer:
        raise NotImplementedError

    def compose(self, question: Question, evidence: Sequence[Evidence], notes: Notes = NO_NOTES) -> Iterator[Cited]:
        raise NotImplementedError


def run(options: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = []
    for leaves in options.leaves:
        for natural in (False, True):
            with TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
                rows += measure(Path(home), leaves, natural, options.seed, options.tries)
            print(f"{leaves} leaves, {'folders' if natural else 'no hierarchy'}: done", file=sys.stderr)
    report = {"rows": rows, "peers": PEERS, "seed": options.seed}
    print(table(rows))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "change.json").write_text(json.dumps(report, indent=1))
        (options.out / "change.html").write_text(change_page(report), encoding="utf-8")
        store_run(options.out, "change", report)
    return 0


# ---------------------------------------------------------------- a tree that counts


class CountedTree:
    """A tree of one-leaf files; `do` applies a batch and returns what it cost."""

    def __init__(self, home: Path, leaves: int, natural: bool, seed: int) -> None:
        self.database = Database(home)
        self.store = Store(self.database)
        self.reader = CountingReader()
        self.texts = Texts(seed)
        self.chance = Random(seed)
        self.natural = natural
        self.edits = 0
        self.paths = sorted(self.path(number) for number in range(leaves))
        with self.database.write() as connection:
            connection.execute(sa.insert(table_of(Source)).values(id="s", name="S", kind="folder", config={}, created_at=0))

    def path(self, number: int) -> str:
        """Names in no particular order, as people give them."""
        name = f"{'-'.join(self.texts.title(number).lower().split())}-{number}.md"
        return f"area {number // FOLDER**2}/topic {number // FOLDER}/{name}" if self.natural else name

    def document(self, path: str, text_number: int) -> LeafDocument:
        *folders, name = path.split("/")
        text = self.texts.text(text_number, CHARACTERS)
        containers = tuple(Container(folder, folder) for folder in folders)
        return LeafDocument(path, name, containers, (Leaf("text", name, text, (), (name,)),), f"{text_number}")

    def edited(self, path: str) -> LeafDocument:
        self.edits += 1
        return self.document(path, 10_000_000 + self.edits)

    def do(self, documents: Sequence[LeafDocument], gone: Sequence[str] = ()) -> Counter[str]:
        before, characters = self.reader.calls.copy(), self.reader.characters
        change, _ = build(self.store, "s", "S", self.store.versions.newest(), self.reader, documents, gone)
        publish(self.store.database, change)
        return (self.reader.calls - before) + Counter(characters=self.reader.characters - characters)

    def depth_of(self, path: str) -> int:
        place = f"s/{path}"
        return len(self.store.nodes.path(place)) - 1

    def levels(self) -> list[int]:
        """How many branches there are at each height, from the bottom up."""
        heights = Counter(node.height for node in self.store.nodes.of_source("s") if node.height and node.kind != "pass")
        return [heights[height] for height in sorted(heights)]


@dataclass(frozen=True, slots=True)
class Cost:
    reads: float
    summaries: float
    worst: int
    characters: float


def measure(home: Path, leaves: int, natural: bool, seed: int, tries: int) -> list[dict[str, Any]]:
    tree = CountedTree(home, leaves, natural, seed)
    built: Counter[str] = Counter()
    for start in range(0, leaves, STEP):
        built += tree.do([tree.document(path, start + at) for at, path in enumerate(tree.paths[start : start + STEP])])
    root = tree.store.nodes.get("s/")
    depth, levels = root.height if root else 0, tree.levels()
    about = {"leaves": leaves, "natural": natural, "depth": depth}
    rows = [
        about
        | _row(
            "build",
            Cost(built["read"], built["summarize"], built["summarize"], built["characters"]),
            math.ceil((leaves - 1) / (FANOUT - 1)),
        )
    ]
    for name, change in _single_changes(tree).items():
        costs, bounds = zip(*(change() for _ in range(tries)), strict=True)
        rows.append(about | _row(name, _mean(costs), sum(bounds) / len(bounds)))
    for count in (10, 50):
        if count > leaves // 2:
            continue
        some = tree.chance.sample(tree.paths, count)
        cost = tree.do([tree.edited(path) for path in some])
        rows.append(about | _row(f"{count} edits in one batch", _mean([cost]), scattered(levels, count)))
        single = [tree.do([tree.edited(path)]) for path in some]
        total = sum(single, Counter())
        rows.append(about | _row(f"{count} edits one by one", _mean([total]), count * depth if not natural else None))
    half = tree.chance.sample(tree.paths, leaves // 2)
    rows.append(about | _row("half deleted", _mean([tree.do([], half)]), None))
    tree.database.close()
    return rows


def _single_changes(tree: CountedTree) -> dict[str, Callable[[], tuple[Counter[str], float]]]:
    """Each makes one change somewhere, and gives its cost with the number of ancestors that must tell of it."""

    def edit() -> tuple[Counter[str], float]:
        path = tree.chance.choice(tree.paths)
        return tree.do([tree.edited(path)]), tree.depth_of(path)

    def insert() -> tuple[Counter[str], float]:
        tree.edits += 1
        path = tree.path(20_000_000 + tree.edits)
        if tree.natural:  # into a folder that is there
            path = f"{tree.chance.choice(tree.paths).rpartition('/')[0]}/{path.rpartition('/')[2]}"
        tree.paths.append(path)
        cost = tree.do([tree.edited(path)])
        return cost, tree.depth_of(path)

    def delete() -> tuple[Counter[str], float]:
        path = tree.paths.pop(tree.chance.randrange(len(tree.paths)))
        depth = tree.depth_of(path)
        return tree.do([], [path]), depth

    def move() -> tuple[Counter[str], float]:
        old = tree.paths.pop(tree.chance.randrange(len(tree.paths)))
        number = next(iter(tree.store.documents.by_id("s", [old]).values())).fingerprint
        folder = tree.chance.choice(tree.paths).rpartition("/")[0] if tree.natural else ""
        path = f"{folder}/{old.rpartition('/')[2]}" if folder else f"moved-{tree.chance.randrange(10**6)}-{old}"
        depth = tree.depth_of(old)
        tree.paths.append(path)
        cost = tree.do([tree.document(path, int(number))], [old] if path != old else [])
        return cost, max(depth, tree.depth_of(path))

    def touch() -> tuple[Counter[str], float]:
        path = tree.chance.choice(tree.paths)
        number = next(iter(tree.store.documents.by_id("s", [path]).values())).fingerprint
        return tree.do([tree.document(path, int(number))]), 0

    return {"edit": edit, "insert": insert, "delete": delete, "move": move, "touch": touch}


def scattered(levels: Sequence[int], changes: int) -> float:
    """The branches above so many leaves drawn at random: sum over levels l of (n/f^l)(1-(1-f^l/n)^k)."""
    return sum(branches * (1 - (1 - 1 / branches) ** changes) for branches in levels)


def _mean(costs: Sequence[Counter[str]]) -> Cost:
    number = len(costs)
    return Cost(
        sum(cost["read"] for cost in costs) / number,
        sum(cost["summarize"] for cost in costs) / number,
        max(cost["summarize"] for cost in costs),
        sum(cost["characters"] for cost in costs) / number,
    )


def _row(name: str, cost: Cost, bound: float | None) -> dict[str, Any]:
    return {
        "change": name,
        "reads": cost.reads,
        "summaries": cost.summaries,
        "worst": cost.worst,
        "characters": round(cost.characters),
        "bound": bound,
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    head = f"{'leaves':>7} {'hierarchy':<10}{'depth':>6}  {'change':<22}{'reads':>9}{'summaries':>11}{'worst':>7}{'at least':>10}{'ratio':>7}{'prompt characters':>19}"
    lines = [head, "-" * len(head)]
    for row in rows:
        bound = row["bound"]
        least = "–" if bound is None else f"{bound:.1f}"
        ratio = f"{row['summaries'] / bound:.2f}" if bound else "–"
        lines.append(
            f"{row['leaves']:>7} {'folders' if row['natural'] else 'none':<10}{row['depth']:>6}  {row['change']:<22}{row['reads']:>9.1f}"
            f"{row['summaries']:>11.1f}{row['worst']:>7}{least:>10}{ratio:>7}{row['characters']:>19,}"
        )
    return "\n".join(lines)
