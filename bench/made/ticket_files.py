"""Questions on tickets that were exported as files: what is asked of a Jira, asked of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from bench.judging import Gold
from bench.made.made_set import MadeSet
from bench.made.raw_tickets import MONTHS, RawTicket, RawTickets
from bench.made.tickets import MOST_TICKETS, TicketQuestions
from bench.sets import QuestionSet, plant
from tree.workspace import Workspace

CORPUS = "fluid_tickets/corpus.jsonl"
HEADS = {"type": "type", "status": "status", "resolution": "resolution", "priority": "priority", "reporter": "reporter", "assignee": "assignee",
         "components": "component", "fix versions": "fix version"}  # fmt: skip
_STATE = re.compile(r"\b(?:open|closed) tickets\b|\bnot done\b")
_KEY = re.compile(r"[A-Z][A-Z0-9]*-\d+\Z")


def ticket_file_sets(data: Path, limit: int, seed: int) -> Iterator[MadeSet]:
    path = next(iter(sorted(data.rglob(CORPUS))), None)
    if path is not None:
        questions = FileQuestions(read_corpus(path), Random(seed), limit)
        golds: list[Gold] = [*questions.simple(), *questions.one_condition(), *questions.counts(), *questions.absent()]
        more = (
            questions.two_conditions,
            questions.either,
            questions.negated,
            questions.most,
            questions.paraphrases,
            questions.on_days,
        )
        golds += [gold for kind in more for gold in kind() if not _STATE.search(gold.question)]
        yield MadeSet("tickets as files", tuple(golds), partial(_open, path.parent))


class FileQuestions(TicketQuestions):
    """The same questions; a file states days, not moments, and no category of its state."""

    def on_days(self) -> Iterator[Gold]:
        dated, left = [ticket.created for ticket in self.raw.tickets.values() if ticket.created], self.limit
        for _ in range(20 * self.limit):
            stated = self.chance.choice(dated)
            said, test = self._on_day(stated)
            keys = self.raw.having(test)
            if 0 < len(keys) <= MOST_TICKETS:
                yield self._list("Which tickets were {c}?", "tickets", said, keys, "in a time")
                left -= 1
            if not left:
                return

    def _on_day(self, day: datetime) -> tuple[str, Callable[[RawTicket], bool]]:
        month, year = f"{MONTHS[day.month - 1]} {day.year}", (day.year, day.month)
        of_day = f"{day.day} {month}"
        return self.chance.choice(
            (
                (f"created in {month}", lambda one: one.created is not None and (one.created.year, one.created.month) == year),
                (f"created before {of_day}", lambda one: one.created is not None and one.created < day),
                (f"created after {of_day}", lambda one: one.created is not None and one.created > day),
                (f"created on {of_day}", lambda one: one.created == day),
            )
        )


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
