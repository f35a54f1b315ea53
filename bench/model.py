"""What a model is asked: calls, tokens, round trips and seconds for each question, tokens for reading all, calls for each change."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from bench.figures import mean, percentile
from bench.report import store_run
from bench.sets import load_sets, plant, sampled
from bench.synthetic import Texts
from ingestion.sources import Sources
from ingestion.sync import sync
from ingestion.upgrade import Upgrader
from prompts.model import ModelReader, ModelSettings
from prompts.model.material import tokens_in
from prompts.model.prompt import Prompt
from prompts.model.retrying_client import RetryingClient, shared_client
from prompts.model.settings import MODEL_VARIABLE
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.workspace import Workspace, open_workspace

CHARACTERS = 600  # of a made-up file
COLUMNS = (
    ("model_calls", "calls"), ("rounds", "round trips"), ("input_tokens", "tokens read"), ("output_tokens", "tokens written"),
    ("cached_tokens", "of them cached"), ("share", "share of the corpus, %"), ("leaves", "leaves read"), ("seconds", "seconds"),
)  # fmt: skip


@dataclass
class Asked:
    """What one question took."""

    question: str
    verdict: str
    model_calls: int
    rounds: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    share: float  # of the corpus' tokens, in per cent
    leaves: int
    seconds: float
    cost: float | None
    without_model: dict[str, int] = field(default_factory=dict)
    evidence_read: float | None = None  # of the documents that a set names as evidence, the share read, and cited
    evidence_cited: float | None = None


@dataclass(frozen=True)
class Wanted:
    """A question, and the ids of the documents that a set names as its evidence."""

    text: str
    evidence: frozenset[str] = frozenset()

    def share_of(self, found: Collection[str | None]) -> float | None:
        """The share of the evidence that is among these documents, in per cent; None where a set names none."""
        return 100 * len(self.evidence & set(found)) / len(self.evidence) if self.evidence else None


def run(options: argparse.Namespace) -> int:
    settings = ModelSettings.from_environment()
    if settings is None:
        raise SystemExit(f"No model is set up. Set {MODEL_VARIABLE}=provider:model and the key that the provider wants.")
    if options.reading and options.data is None:
        raise SystemExit("Say what is to be read: --data FOLDER")
    report: dict[str, Any] = {"model": settings.label}
    with TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
        if options.reading:
            report["reading"] = reading(settings, options.data, Path(home) / "reading")
        elif options.data is not None:
            report |= _questions(settings, options, Path(options.homes or home))
        if options.changes:
            report["changes"] = list(changes(settings, Path(home), options.leaves, options.changes, options.seed))
    print(table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "model.json").write_text(json.dumps(report, indent=1))
        store_run(options.out, "model", report)
    return 0


# ---------------------------------------------------------------- what is sent


@dataclass
class Wire:
    """Stands between a reader and its model, and notes what was asked and when it began and ended."""

    asked: Counter[str] = field(default_factory=Counter)
    spans: list[tuple[float, float]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def open_client(self, settings: ModelSettings) -> Any:
        return _Watched(shared_client(settings), self)

    @property
    def rounds(self) -> int:
        """How often one had to wait for the other: the most calls of which each began when the one before was over."""
        rounds, free = 0, float("-inf")
        for began, ended in sorted(self.spans, key=lambda span: span[1]):
            if began >= free:
                rounds, free = rounds + 1, ended
        return rounds

    @contextmanager
    def noted(self, prompt: Prompt) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self.asked[prompt.decision] += 1
                self.spans.append((began, time.perf_counter()))


class _Watched:
    """A client whose calls are noted."""

    def __init__(self, client: RetryingClient, wire: Wire) -> None:
        self.settings = client.settings
        self.client, self.wire = client, wire

    def complete(self, prompt: Prompt, *rest: Any) -> Any:
        with self.wire.noted(prompt):
            return self.client.complete(prompt, *rest)

    def stream(self, prompt: Prompt, *rest: Any) -> Iterator[Any]:
        with self.wire.noted(prompt):
            yield from self.client.stream(prompt, *rest)


# ---------------------------------------------------------------- questions


def _questions(settings: ModelSettings, options: argparse.Namespace, home: Path) -> dict[str, Any]:
    workspace, questions = _planted(options.data, home)
    questions = (_read_questions(options.questions) if options.questions else questions)[: options.limit]
    if not questions:
        raise SystemExit("There are no questions to ask. Give a file with one on each line: --questions FILE")
    corpus = corpus_tokens(workspace)
    rows = []
    for question in questions:
        rows.append(asked(workspace, settings, question, corpus))
        print(f"{rows[-1].model_calls} calls, {rows[-1].verdict}: {question.text[:90]}", file=sys.stderr)
    workspace.close()
    return {"corpus_tokens": corpus, "questions": [asdict(row) for row in rows]}


def asked(workspace: Workspace, settings: ModelSettings, question: Wanted, corpus: int) -> Asked:
    wire = Wire()
    *_, answer = ask(workspace, question.text, reader=ModelReader(settings, open_client=wire.open_client), principal=OPERATOR)
    assert isinstance(answer, Answer)
    usage = answer.usage
    nodes = workspace.store.nodes.at(step.place for step in answer.trail if step.kind == "read")
    read = {node.document_id for node in nodes.values()}
    return Asked(
        question.text, answer.verdict, usage["model_calls"], wire.rounds, usage["input_tokens"], usage["output_tokens"],
        usage["cached_tokens"], 100 * usage["input_tokens"] / corpus, answer.coverage["leaves_read"], usage["seconds"],
        usage["cost"], usage["without_model"],
        question.share_of(read), question.share_of({one.document_id for one in answer.citations}),
    )  # fmt: skip


def corpus_tokens(workspace: Workspace) -> int:
    nodes = [node for source in workspace.store.sources.askable() for node in workspace.store.nodes.of_source(source.id)]
    return sum(tokens_in(text) for text, _ in workspace.store.leaves.texts(node.leaf for node in nodes if node.leaf).values())


def _planted(data: Path, home: Path) -> tuple[Workspace, list[Wanted]]:
    """A question set with its questions, or a folder of files as it is."""
    if (data / "corpus.jsonl").exists():
        [one] = load_sets(data)
        planted = plant(one, home / one.name)
        by_corpus = {corpus: document for document, corpus in one.corpus_ids.items()}
        rows = sampled(one.questions, None)
        return planted.workspace, [Wanted(row.text, frozenset(by_corpus.get(id_, id_) for id_ in row.evidence)) for row in rows]
    workspace = open_workspace(home / data.name)
    sources = Sources(workspace.database)
    known = sources.all() or [sources.add("folder", data.name, {"path": str(data.resolve())})]
    sync(workspace, sources, known[0])
    return workspace, []


def _read_questions(path: Path) -> list[Wanted]:
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return [Wanted(json.loads(line)["question"] if line.startswith("{") else line) for line in lines if line]


# ---------------------------------------------------------------- reading everything


def reading(settings: ModelSettings, data: Path, home: Path) -> dict[str, Any]:
    """What the model takes to read all leaves and branches of a folder or set, beside the tokens of its text."""
    home.mkdir(parents=True)
    workspace, _ = _planted(data, home)
    corpus, wire = corpus_tokens(workspace), Wire()
    workspace.model.change(paused=False)
    Upgrader(workspace, reader=lambda chosen: ModelReader(chosen, open_client=wire.open_client)).run_out()
    spent = workspace.model.spent()
    workspace.close()
    taken, made = sum(one.input_tokens for one in spent), sum(one.output_tokens for one in spent)
    return {
        "corpus_tokens": corpus,
        "input_tokens": taken,
        "output_tokens": made,
        "times": taken / corpus,
        "by": dict(wire.asked),
    }


# ---------------------------------------------------------------- changes


def changes(settings: ModelSettings, home: Path, leaves: int, tries: int, seed: int) -> Iterator[dict[str, Any]]:
    """A folder of made-up files, read by the model, and then changed one file at a time."""
    texts, chance = Texts(seed), Random(seed)
    folder = home / "files"
    folder.mkdir()
    workspace = open_workspace(home / "changes")
    sources = Sources(workspace.database)
    source = sources.add("folder", "Files", {"path": str(folder)})
    numbers = iter(range(1_000_000))

    def write(path: Path) -> None:
        path.write_text(f"# {texts.title(next(numbers))}\n\n{texts.text(next(numbers), CHARACTERS)}\n", encoding="utf-8")

    def insert() -> None:
        write(folder / f"{'-'.join(texts.title(next(numbers)).lower().split())}.md")

    def edit() -> None:
        write(chance.choice(sorted(folder.iterdir())))

    def delete() -> None:
        chance.choice(sorted(folder.iterdir())).unlink()

    def cost(change: Callable[[], None], times: int = 1) -> tuple[Counter[str], int]:
        for _ in range(times):
            change()
        sync(workspace, sources, sources.get(source.id))
        wire = Wire()
        workspace.model.change(paused=False)
        Upgrader(workspace, reader=lambda chosen: ModelReader(chosen, open_client=wire.open_client)).run_out()
        root = workspace.store.nodes.roots().get(source.id)
        return wire.asked, root.height if root else 0

    built, depth = cost(insert, leaves)
    yield {"change": f"first build of {leaves} leaves", "depth": depth, "calls": [sum(built.values())], "by": dict(built)}
    for name, change in (("edit", edit), ("insert", insert), ("delete", delete)):
        costs = [cost(change)[0] for _ in range(tries)]
        yield {
            "change": name,
            "depth": depth,
            "calls": [sum(one.values()) for one in costs],
            "by": dict(sum(costs, Counter())),
        }
    workspace.close()


# ---------------------------------------------------------------- telling


def table(report: dict[str, Any]) -> str:
    return "\n".join(
        (report["model"], *_reading_lines(report), *_question_lines(report), *_change_lines(report.get("changes", ())))
    )


def _reading_lines(report: dict[str, Any]) -> Iterator[str]:
    if found := report.get("reading"):
        calls = ", ".join(f"{number} {decision}" for decision, number in found["by"].items())
        yield (
            f"{found['input_tokens']:,} tokens read for {found['corpus_tokens']:,} of the corpus: {found['times']:.2f} times; "
            f"{found['output_tokens']:,} written; calls: {calls}"
        )


def _question_lines(report: dict[str, Any]) -> Iterator[str]:
    rows = report.get("questions")
    if not rows:
        return
    verdicts = Counter(row["verdict"] for row in rows)
    yield f"{len(rows)} questions over {report['corpus_tokens']:,} tokens; {', '.join(f'{n} {name}' for name, n in verdicts.items())}"
    yield f"{'':24}{'mean':>12}{'median':>12}{'worst':>12}"
    for name, words in COLUMNS:
        values = [row[name] for row in rows]
        yield f"{words:24}{mean(values):12,.2f}{percentile(values, 50):12,.2f}{max(values):12,.2f}"
    for name, words in (("evidence_read", "evidence read, %"), ("evidence_cited", "evidence cited, %")):
        if values := [row[name] for row in rows if row[name] is not None]:
            yield f"{words:24}{mean(values):12,.2f}{percentile(values, 50):12,.2f}"
    if without := sum(sum(row["without_model"].values()) for row in rows):
        yield f"{without} decisions were made without the model."


def _change_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    if rows:
        yield f"{'change':28}{'depth':>7}{'mean calls':>12}{'worst':>7}"
    for row in rows:
        yield f"{row['change']:28}{row['depth']:7}{mean(row['calls']):12.1f}{max(row['calls']):7}"
