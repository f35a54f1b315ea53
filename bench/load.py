"""A whole team at once: many people with open chats, some of whom ask without a pause, while documents change.

Each person has a session and a chat of their own, and groups that may see some of the sources. Viewers click now and then;
their reruns are timed. Askers send a question, wait until it is answered, and send the next; each answer waits between its
steps as it would for a language model. At the end every question that was sent must be kept with its answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import numpy as np

from bench.report import store_run
from bench.server import PATIENCE, Page, Server, Session, opened
from bench.speed import write_files
from bench.synthetic import Texts
from ingestion.sources import Sources
from ingestion.sync import sync
from tree.accounts.accounts import Accounts, open_accounts
from tree.ask.ask import Answer, ask
from tree.store.chats import Chats
from tree.store.models import Turn
from tree.workspace import Workspace, workspace

GROUPS = ("North", "South")
TURNS = 4  # of a chat that somebody has open
CHAT_TURNS = 8  # an asker begins a new chat after so many
EDIT_SECONDS = 5.0  # between two changed documents
LOOK_SECONDS = 0.2  # between two looks whether an answer is there
MEMORY_SECONDS = 15.0
WARM_SHARE = 0.2  # of the time, after which memory is held against


def run(options: argparse.Namespace) -> int:
    os.environ["STEP_SECONDS"] = str(options.step_seconds)
    with TemporaryDirectory(prefix="knowledge-tree-load-", ignore_cleanup_errors=True) as place:
        report = Team(Path(place), options).work()
    print(told(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "load.json").write_text(json.dumps(report, indent=1))
        store_run(options.out, "load", report)
    return 1 if report["lost"] else 0


def told(report: dict[str, Any]) -> str:
    return (
        f"{report['sessions']} sessions, {report['askers']} of them asking, {report['minutes']:.0f} minutes, {report['edits']} edits: "
        f"rerun {report['rerun_p50']:.0f} ms (half), {report['rerun_p95']:.0f} ms (all but one in twenty); {report['answered']} questions "
        f"answered, {report['lost']} lost, {report['running']:.1f} under way at a time; {report['processor'] * 100:.0f} % of a processor for the pages, {report['answering'] * 100:.0f} % for the answers; memory {report['memory_first'] / 1e6:.0f} MB "
        f"after a fifth of the time, {report['memory_last'] / 1e6:.0f} MB at the end"
    )


class Team:
    """The data folder, its people, and what they do. All times in seconds."""

    def __init__(self, place: Path, options: argparse.Namespace) -> None:
        self.options = options
        self.home = place / "home"
        self.folders = [place / name for name in ("all", *GROUPS)]
        self.chance = Random(options.seed)
        self.texts = Texts(options.seed)
        self.reruns: list[float] = []
        self.memory: list[int] = []
        self.running: list[int] = []
        self.sent: list[str] = []  # questions
        self.lost: list[str] = []
        self.edits = 0
        self.processor = self.answering = 0.0  # shares of one, of the pages and of the answering processes

    def work(self) -> dict[str, Any]:
        with workspace(self.home) as opened_folder:
            people = self._prepare(opened_folder)
            with Server(self.home, "bench/slow_app.py") as server:
                worked, began = server.processor_seconds(), time.monotonic()
                with ThreadPoolExecutor(1) as alone:  # a loop of its own, also where whoever calls has one
                    alone.submit(asyncio.run, self._live(opened_folder, server, people)).result()
                took = time.monotonic() - began
                self.processor, self.answering = (
                    (now - then) / took for now, then in zip(server.processor_seconds(), worked, strict=True)
                )
        milliseconds = [1000 * one for one in self.reruns]
        warm = self.memory[int(len(self.memory) * WARM_SHARE) :]
        return {
            "sessions": self.options.sessions, "askers": self.options.askers, "minutes": self.options.minutes, "edits": self.edits,
            "step_seconds": self.options.step_seconds, "clicks": len(milliseconds), "rerun_p50": statistics.median(milliseconds),
            "rerun_p95": float(np.percentile(milliseconds, 95)), "answered": len(self.sent) - len(self.lost), "lost": len(self.lost), "why_lost": self.lost,
            "running": statistics.fmean(self.running), "processor": self.processor, "answering": self.answering, "memory_first": warm[0], "memory_last": warm[-1], "memory": self.memory,
        }  # fmt: skip

    # ---- what there is before anybody comes

    def _prepare(self, opened_folder: Workspace) -> list[tuple[str, str, str]]:
        """Three sources, two of which only a group may see, and people with chats: person, session token, chat."""
        accounts, sources = open_accounts(opened_folder.database), Sources(opened_folder.database)
        groups = [accounts.people.add_group(name) for name in GROUPS]
        for number, (folder, group) in enumerate(zip(self.folders, [None, *groups], strict=True)):
            write_files(folder, self.options.leaves // len(self.folders), self.options.seed + number)
            source = sources.add("folder", folder.name, {"path": str(folder)})
            if group is not None:
                sources.set_audience(source.id, [group])
            sync(opened_folder, sources, source)
        people = []
        for number in range(self.options.sessions):
            group = groups[number % len(groups)]
            person = accounts.people.add(f"person{number}@example.org", f"Person {number}", groups=[group])
            people.append((person.id, accounts.sessions.start(person.id), self._chat(opened_folder, accounts, person.id)))
        return people

    def _chat(self, opened_folder: Workspace, accounts: Accounts, person: str) -> str:
        chats, chat = Chats(opened_folder.database), None
        for _ in range(TURNS):
            turn = chats.running.begin(question := self._question(), "", chat, owner=person)
            principal = accounts.people.principal(person)
            assert principal is not None
            *_, answer = ask(opened_folder, question, principal=principal)
            assert isinstance(answer, Answer)
            chats.running.finish(turn.id, "done", answer.as_json())
            chat = turn.chat_id
        return chat or ""

    def _question(self) -> str:
        return self.texts.question(self.chance.randrange(self.options.leaves // len(self.folders)))

    # ---- what they do

    async def _live(self, opened_folder: Workspace, server: Server, people: Sequence[tuple[str, str, str]]) -> None:
        pages = [Page("chat", f"c={chat}") for _, _, chat in people]
        async with opened(server, pages, [server.headers_of(token) for _, token, _ in people]) as sessions:
            until = time.monotonic() + 60 * self.options.minutes
            chats = Chats(opened_folder.database)
            askers, viewers = sessions[: self.options.askers], sessions[self.options.askers :]
            everybody = [
                self._ask_on(chats, *pair, until) for pair in zip(askers, (person for person, _, _ in people), strict=False)
            ]
            await asyncio.gather(
                *everybody, *(self._click(session, until) for session in viewers), self._edit(until), self._weigh(server, until)
            )

    async def _click(self, session: Session, until: float) -> None:
        while time.monotonic() < until:
            await asyncio.sleep(self.chance.expovariate(1 / self.options.click_seconds))
            self.reruns.append(await session.rerun())

    async def _ask_on(self, chats: Chats, session: Session, person: str, until: float) -> None:
        number = 0
        while time.monotonic() < until:
            if number % CHAT_TURNS == 0:
                session.page = session.page._replace(query="")
                await session.rerun()
            question = f"{self._question()} {number}"
            await session.rerun(question)
            turn = await self._answered(chats, person, question)
            self.sent.append(question)
            if turn is None or turn.state != "done" or not turn.answer:
                self.lost.append(f"{person}: {question}: {turn.state if turn else 'not kept'}")
            number += 1

    async def _answered(self, chats: Chats, person: str, question: str) -> Turn | None:
        """The turn of a question that was sent, once it has ended; None where it is not kept or does not end."""
        found, until = None, time.monotonic() + PATIENCE
        while (found is None or found.state == "running") and time.monotonic() < until:
            last = [chats.turns.of_chat(chat.id, 1)[0] for chat in chats.rows.recent(person, 1)]
            found = next((turn for turn in last if turn.question == question), None)
            await asyncio.sleep(LOOK_SECONDS)
        return found

    async def _edit(self, until: float) -> None:
        files = [sorted(folder.rglob("*.md")) for folder in self.folders]
        while time.monotonic() + EDIT_SECONDS < until:
            await asyncio.sleep(EDIT_SECONDS)
            file = self.chance.choice(self.chance.choice(files))
            file.write_text(f"{file.read_text(encoding='utf-8')}\n\nChange {self.edits} was made here.\n", encoding="utf-8")
            self.edits += 1

    async def _weigh(self, server: Server, until: float) -> None:
        while time.monotonic() < until:
            self.memory.append(server.memory()["app_memory"])
            print(f"{len(self.sent):5,} questions, {self.memory[-1] / 1e6:.0f} MB", file=sys.stderr, flush=True)
            async with asyncio.timeout(60):
                self.running.append(await asyncio.to_thread(_running, server))
            await asyncio.sleep(min(MEMORY_SECONDS, max(0.0, until - time.monotonic())))


def _running(server: Server) -> int:
    """Answers that are under way, as the app itself counts them."""
    text = httpx.get(f"http://{server.address}/metrics", headers=server.headers, timeout=60).raise_for_status().text
    [line] = [line for line in text.splitlines() if line.startswith("knowledge_tree_questions_unfinished ")]
    return int(float(line.split()[-1]))
