"""How fast is what is known exactly: names, one question of each kind, and publishing a change, over many made-up tickets.

The tickets come through a real sync, from a connector that states their fields, links and history as Jira's does.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from connectors.base import Batch, Check, Checkpoint, Container, Document, Fact, Reference, Section
from ingestion.sources import Sources
from ingestion.sync import sync
from tree.ask.direct.fact_answer import told_from_facts
from tree.ask.facts.told_facts import FactCitations
from tree.retrieve.index import SearchScope
from tree.retrieve.names import Names
from tree.workspace import Workspace, open_workspace

TODAY = date(2026, 6, 30)
STATES = {"To Do": "To Do", "In Progress": "In Progress", "In Review": "In Progress", "Done": "Done"}
TYPES = ("Bug", "Story", "Task", "Spike")
PRIORITIES = ("Low", "Medium", "High", "Highest")
COMPONENTS = tuple(
    f"{first} {last}" for first in ("Gate", "Ferry", "Berth", "Crew", "Tide") for last in ("Reader", "Planner", "Store", "Board")
)
VERSIONS = tuple(f"{major}.{minor}" for major in range(1, 5) for minor in range(5))
FIRST = "Alva Bram Cato Dora Enno Fenna Gero Hilke Iven Jorid Katja Lasse Mirte Noor Okke Pia Runa Sverre Tjark Wiebke".split()
LAST = "Aldersen Brekke Carsjens Dirksen Eilers Folkerts Gronholt Harmsen Ihnken Janshen".split()
PEOPLE = tuple(f"{first} {last}" for first in FIRST for last in LAST)
QUESTIONS = {
    "list, one condition": "Which tickets are assigned to Dora Eilers?",
    "list, two conditions": "Which open bugs are in the component Gate Reader?",
    "count": "How many bugs are open?",
    "all, counted": "How many tickets are there?",
    "groups": "How many tickets per status?",
    "who has the most": "Who has the most open bugs?",
    "negation": "Which bugs are not in status Done?",
    "absence": "Which tickets are without a component?",
    "in a month": "Which tickets were created in May 2026?",
    "overdue": "Which bugs are overdue?",
    "blocked": "Which tickets are blocked?",
    "attribute": "Who is assigned to GWY-77?",
    "chain": "Who is assigned to what blocks GWY-77?",
    "history": "What was the status of GWY-77 before?",
    "no fact": "Why does the gate reader lose its connection at night?",
    "8,000 characters": "GWY-77 1 2 3 " * 615,
}


@dataclass
class Tickets:
    """A connector that yields so many tickets, made from a seed; a changed one has another status."""

    number: int
    seed: int = 1
    changed: dict[int, int] = field(default_factory=dict)  # how often a ticket was changed

    def check(self) -> Check:
        return Check(f"{self.number} tickets", self.number)

    def fetch(self, checkpoint: Checkpoint, hints: Collection[str] | None = None) -> Iterator[Batch]:
        numbers = range(1, self.number + 1) if hints is None else sorted(map(int, hints))
        some: list[Document] = []
        for number in numbers:
            some.append(self.document(number))
            if len(some) == 500:
                yield Batch(tuple(some))
                some = []
        yield Batch(tuple(some))

    def census(self) -> Iterator[str]:
        return (str(number) for number in range(1, self.number + 1))

    def close(self) -> None:
        pass

    def document(self, number: int) -> Document:
        chance = Random(self.seed * 1_000_003 + number)
        said = self._said(number, chance)
        key, title = f"GWY-{number}", f"GWY-{number} {chance.choice(COMPONENTS)} loses message {chance.randrange(10_000)}"
        facts, history = self._facts(Reference("ticket", key, title), said, chance)
        lines = [f"- {name.title()}: {value}" for name, value in said if name != "category"]
        text = "\n".join([*lines, "", f"The message {chance.randrange(100_000)} does not arrive when the tide turns."])
        sections = (Section(text), Section("\n".join(f"- {line}" for line in history)))
        path = (Container("GWY", "Gangway"), Container(f"q{number // 2_000}", f"Quarter {number // 2_000}"))
        return Document(
            str(number),
            title,
            path,
            sections,
            f"{self.seed} {self.changed.get(number, 0)}",
            kind="ticket",
            aliases=(key,),
            facts=facts,
        )

    def _said(self, number: int, chance: Random) -> list[tuple[str, str]]:
        status = list(STATES)[(chance.randrange(len(STATES)) + self.changed.get(number, 0)) % len(STATES)]
        created = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randrange(1_300_000))
        updated = created + timedelta(minutes=chance.randrange(1_000, 50_000))
        said = [
            ("key", f"GWY-{number}"), ("type", chance.choice(TYPES)), ("status", status), ("category", STATES[status]),
            ("priority", chance.choice(PRIORITIES)), ("assignee", chance.choice((*PEOPLE, ""))), ("reporter", chance.choice(PEOPLE)),
            ("created", created.isoformat()), ("updated", updated.isoformat()), ("project", "Gangway"),
            ("resolved", updated.isoformat() if status == "Done" else ""),
            ("due", (created + timedelta(days=40)).date().isoformat() if chance.random() < 0.3 else ""),
            *(("component", one) for one in chance.sample(COMPONENTS, chance.choice((0, 1, 1, 2)))),
            ("fix version", chance.choice((*VERSIONS, ""))), ("sprint", f"Sprint {chance.randrange(1, 60)}"),
            ("label", chance.choice(("night", "harbour", ""))),
        ]  # fmt: skip
        return [(name, value) for name, value in said if value]

    def _facts(self, subject: Reference, said: Iterable[tuple[str, str]], chance: Random) -> tuple[tuple[Fact, ...], list[str]]:
        named = {
            "assignee": "person",
            "reporter": "person",
            "component": "component",
            "fix version": "version",
            "sprint": "sprint",
            "label": "label",
            "project": "project",
        }
        facts = [
            Fact(
                subject,
                name,
                value,
                Reference(named[name], value, value) if name in named else None,
                quote=f"- {name.title()}: {value}",
            )
            for name, value in said
        ]
        other = f"GWY-{chance.randrange(1, self.number + 1)}"
        if chance.random() < 0.3:
            wording = chance.choice(("blocks", "is blocked by", "relates to"))
            facts.append(Fact(subject, wording, other, Reference("ticket", other, other)))
        history, since = [], dict(said)["created"]
        for state in chance.sample(list(STATES), 2):
            until = (datetime.fromisoformat(since) + timedelta(days=1 + chance.randrange(9))).isoformat()
            history.append(f"{until} status: {state}")
            facts.append(Fact(subject, "status", state, None, since, until, f"- {history[-1]}"))
            since = until
        return tuple(facts), history


def run(options: argparse.Namespace) -> int:
    with TemporaryDirectory(prefix="knowledge-tree-facts-") as made:
        report = measured(options.home or Path(made), options.tickets, options.repeat)
    print(table(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "facts.json").write_text(json.dumps(report, indent=1))
    return 0


def _follow(workspace: Workspace, sources: Sources, source_id: str, number: int, tickets: Tickets) -> None:
    """A changed ticket comes in, and the index with it."""
    sync(workspace, sources, sources.get(source_id), {str(number)}, connector=tickets)
    workspace.index.catch_up()


def measured(home: Path, number: int, repeat: int) -> dict[str, Any]:
    """All figures: seconds, milliseconds and megabytes as their names say."""
    workspace, tickets = open_workspace(home), Tickets(number)
    try:
        sources = Sources(workspace.database)
        known = [source for source in sources.all() if source.name == "Tickets"]
        source = known[0] if known else sources.add("folder", "Tickets", {"path": str(home)})
        synced = _seconds(lambda: sync(workspace, sources, source, connector=tickets)) if not known else 0.0
        built = _seconds(workspace.index.catch_up)
        scope = SearchScope((source.id,))
        names, seconds, megabytes = _names(workspace, scope)
        times = {kind: _asked(workspace, scope, names, question, repeat) for kind, question in QUESTIONS.items()}
        changes = []
        for at in range(repeat):
            tickets.changed[at + 1] = tickets.changed.get(at + 1, 0) + 1
            changes.append(_seconds(partial(_follow, workspace, sources, source.id, at + 1, tickets)))
        size = sum(path.stat().st_size for path in home.glob("*.db*") if "index" in path.name or "search" in path.name)
        return {
            "tickets": number, "sync_seconds": round(synced, 1), "index_seconds": round(built, 1), "names_seconds": round(seconds, 2),
            "names_megabytes": round(megabytes, 1), "question_ms": times, "change_ms": round(1_000 * statistics.median(changes), 1),
            "index_megabytes": round(size / 1e6, 1), "files": {path.name: round(path.stat().st_size / 1e6, 1) for path in sorted(home.iterdir()) if path.is_file()},
        }  # fmt: skip
    finally:
        workspace.close()


def _names(workspace: Workspace, scope: SearchScope) -> tuple[Names, float, float]:
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    names = workspace.index.names(scope)
    seconds = time.perf_counter() - began
    return names, seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_024


def _asked(workspace: Workspace, scope: SearchScope, names: Names, question: str, repeat: int) -> dict[str, Any]:
    """Median time of an answer, and how it begins."""
    facts, cited = workspace.index.facts(scope), FactCitations(workspace.store, workspace.index.version())
    answers: list[Any] = []
    times = [_seconds(lambda: answers.append(told_from_facts(question, names, facts, cited, TODAY))) for _ in range(repeat)]
    lead = "".join(line.text for line in answers[0].lines)[:60] if answers[0] else "left to the walk"
    return {"ms": round(1_000 * statistics.median(times), 1), "answer": lead.splitlines()[0]}


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def table(report: Mapping[str, Any]) -> str:
    lines = [
        f"{report['tickets']:,} tickets: sync {report['sync_seconds']} s, index {report['index_seconds']} s and {report['index_megabytes']} MB",
        f"names: {report['names_seconds']} s, {report['names_megabytes']} MB; a changed ticket is published and indexed in {report['change_ms']} ms",
    ]
    lines += [f"  {kind:<22}{one['ms']:>8} ms  {one['answer']}" for kind, one in report["question_ms"].items()]
    return "\n".join(lines)
