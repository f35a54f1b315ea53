"""Questions on tickets that were exported as files: what is asked of a Jira, asked of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from bench.judging import Gold
from bench.made.made_set import MadeSet
from bench.made.raw_tickets import RawTicket, RawTickets
from bench.made.tickets import TicketQuestions
from bench.sets import QuestionSet, plant
from tree.workspace import Workspace

CORPUS = "fluid_tickets/corpus.jsonl"
HEADS = {"type": "type", "status": "status", "resolution": "resolution", "priority": "priority", "reporter": "reporter", "assignee": "assignee",
         "components": "component", "fix versions": "fix version"}  # fmt: skip
_KEY = re.compile(r"[A-Z][A-Z0-9]*-\d+\Z")


def ticket_file_sets(data: Path, limit: int, seed: int) -> Iterator[MadeSet]:
    path = next(iter(sorted(data.rglob(CORPUS))), None)
    if path is not None:
        questions = TicketQuestions(read_corpus(path), Random(seed), limit)
        golds: list[Gold] = [*questions.simple(), *questions.one_condition(), *questions.counts(), *questions.absent()]
        yield MadeSet("tickets as files", tuple(golds), partial(_open, path.parent))


def read_corpus(path: Path) -> RawTickets:
    tickets: dict[str, RawTicket] = {}
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if _KEY.match(row["id"]):
                tickets[row["id"]] = _ticket(row["id"], row["text"].partition("\n\n")[0])
    return RawTickets(tickets)


def _ticket(key: str, head: str) -> RawTicket:
    """From lines such as "Type: Bug | Status: Open"."""
    stated = dict(part.partition(": ")[::2] for line in head.splitlines() for part in line.split(" | ") if ": " in part)
    low = {name.strip().casefold(): value.strip() for name, value in stated.items()}
    said = {ours: tuple(one.strip() for one in low[name].split(",")) for name, ours in HEADS.items() if low.get(name, "-") != "-"}
    created = datetime.fromisoformat(low["created"]).replace(tzinfo=UTC) if low.get("created") else None
    return RawTicket(key, said, created)


def _open(folder: Path, home: Path) -> Workspace:
    return plant(QuestionSet(folder.name, folder, ()), home).workspace
