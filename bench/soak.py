"""An hour of the real app: three sources change, two people ask, and `kill -9` ends the app every minute.

The app is started as a user starts it (`streamlit run app.py`), sources are added and questions are asked on the command
line. Now and then all is left in peace until every source is in step; then everything must be there (bench.several_checks).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.processes import Report, Reports, citations_that_do_not_stand, shown
from bench.report import store_run
from bench.server import Server
from bench.several_checks import Checked, Entry
from bench.several_worlds import SeveralTickets, SeveralWorld
from bench.truth import Wrong
from bench.worlds import canary
from ingestion.__main__ import TOKEN_VARIABLE
from tree.store.models import Source

ROOT = Path(__file__).parent.parent
CHANGE_SECONDS = 1.5  # between two changes, on average
ASK_SECONDS = 3.0  # between two questions of one person, on average
PEOPLE = 2
CHECK_MINUTES = 5  # everything is held against the sources every so many minutes
PEACE_SECONDS = 180
COMMAND_SECONDS = 180
QUESTIONS = ("What did we decide to call {}?", "What is {}?", "What do the notes say about the harbour ferry?")


def run(options: argparse.Namespace) -> int:
    with TemporaryDirectory(prefix="knowledge-tree-soak-", ignore_cleanup_errors=True) as place:
        soak = Soak(Path(place), Random(options.seed))
        try:
            failure = soak.live(options.minutes, options.kill_seconds)
        finally:
            soak.close()
    report = {"seed": options.seed, "minutes": soak.minutes, "events": dict(sorted(soak.events.items())), "failure": failure}
    print(told(report))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "soak.json").write_text(json.dumps(report, indent=1))
        store_run(options.out, "soak", report)
    return 1 if failure else 0


def told(report: dict[str, Any]) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in report["events"].items())
    return f"{len(report['minutes'])} minutes from seed {report['seed']}: {counts}; {report['failure'] or 'nothing was lost'}"


class Soak(Checked):
    """The app, its sources, the people who ask, and the minute hand."""

    def __init__(self, place: Path, chance: Random) -> None:
        super().__init__(place, chance)
        self.events: Counter[str] = Counter()
        self.minutes: list[dict[str, Any]] = []
        self.reports = Reports(place / "reports.jsonl")
        self.stopping = threading.Event()
        self.dead_words: set[str] = set()
        self.server = Server(self.home)
        self.people = [threading.Thread(target=self._ask_on, args=(Random(chance.random()),)) for _ in range(PEOPLE)]

    def close(self) -> None:
        self.stopping.set()
        for person in self.people:
            if person.is_alive():
                person.join(COMMAND_SECONDS)
        self.server.__exit__()
        super().close()

    def live(self, minutes: float, kill_seconds: float) -> str:
        """Returns what went wrong; empty when nothing did."""
        began = time.monotonic()
        try:
            self.server.__enter__()
            for number, world in enumerate((self.worlds[0], self.worlds[2], self.worlds[3]), 1):
                self._add(world, f"Source {number}")
            for person in self.people:
                person.start()
            while time.monotonic() - began < 60 * minutes:
                self._minute(kill_seconds)
                if len(self.minutes) % CHECK_MINUTES == 0:
                    self._hold_against_the_sources()
            self._hold_against_the_sources()
            self._check_log()
        except Exception as error:  # noqa: BLE001 whatever goes wrong is what this is here to find
            return f"{type(error).__name__}: {error}"
        return ""

    def _add(self, world: SeveralWorld, name: str) -> None:
        config, secrets = world.config()
        if isinstance(world, SeveralTickets):
            projects = [part for key in config["projects"] for part in ("--project", key)]
            where = ["jira", config["url"], "--email", config["email"], "--poll", "2", *projects]
        else:
            where = [world.kind, config["path"]]
        self._command("ingestion", "add", *where, "--name", name, variables={TOKEN_VARIABLE: secrets.get("token", "")})
        self.entries[self.sources.named(name).id] = Entry(world, name, {})

    def _command(self, package: str, *arguments: str, variables: dict[str, str] | None = None) -> str:
        """What a command prints. Raises Wrong when it fails."""
        done = subprocess.run(
            [sys.executable, "-m", package, "--home", str(self.home), *arguments],
            cwd=ROOT, env={**os.environ, **(variables or {})}, capture_output=True, text=True, timeout=COMMAND_SECONDS,
        )  # fmt: skip
        if done.returncode:
            raise Wrong(f"{package} {' '.join(arguments[:2])} ended with {done.returncode}: {done.stderr.strip()[-1500:]}")
        return done.stdout

    # ---- one minute

    def _minute(self, kill_seconds: float) -> None:
        before, began = Counter(self.events), time.monotonic()
        while (left := kill_seconds - (time.monotonic() - began)) > 0:
            self._change()
            self._look_round()
            time.sleep(min(left, self.chance.uniform(0, 2 * CHANGE_SECONDS)))
        self.server.process.kill()
        self.server.process.wait()
        self.events["kills"] += 1
        self.check_references()
        killed = time.monotonic()
        self.server = Server(self.home)
        self.server.__enter__()
        self._tell(before, time.monotonic() - killed)

    def _tell(self, before: Counter[str], seconds: float) -> None:
        minute = {name: count - before[name] for name, count in sorted(self.events.items()) if count > before[name]}
        self.minutes.append(minute | {"seconds until the app was back": round(seconds, 1)})
        words = ", ".join(f"{count} {name}" for name, count in minute.items())
        print(f"minute {len(self.minutes)}: {words}; back after {seconds:.1f} s", file=sys.stderr, flush=True)

    def _change(self) -> None:
        world = self.chance.choice([entry.world for entry in self.entries.values()])
        world.change()
        self.events["changes"] += 1
        if self.chance.random() < 0.1 and world.words:
            self.chance.choice([entry.world for entry in self.entries.values()]).copy_in(*world.copy_out())
            self.events["changes"] += 1

    def _look_round(self) -> None:
        for report in self.reports.since():
            if report.kind != "answered":
                raise Wrong(f"{report.who}: {report.error} {report.text}")
            self.events["questions answered"] += 1

    # ---- two people

    def _ask_on(self, chance: Random) -> None:
        while not self.stopping.is_set():
            question = chance.choice(QUESTIONS).format(canary(chance.randrange(max(1, self.numbers.count))))
            dead = set(self.dead_words)
            try:
                answer = json.loads(self._command("tree", "ask", question, "--json"))
                wrong = citations_that_do_not_stand(self.workspace.store, answer)
                wrong += [f"{word} was gone before it was asked, and is shown" for word in sorted(dead) if word in shown(answer)]
                for text in wrong:
                    self.reports.add(Report("somebody", "fault", "a wrong answer", f"{question}: {text}"))
                self.reports.add(Report("somebody", "answered"))
            except Exception as error:  # noqa: BLE001 no question may fail
                self.reports.failed("somebody", error)
            self.stopping.wait(chance.uniform(0, 2 * ASK_SECONDS))

    # ---- what must be so

    def _hold_against_the_sources(self) -> None:
        for world in self.worlds:
            world.mend_all()
        for id_ in self.entries:
            self.sources.request_sync(id_)
        deadline = time.monotonic() + PEACE_SECONDS
        while waiting := [source for id_ in self.entries if not _is_in_step(source := self.sources.get(id_))]:
            if time.monotonic() > deadline:
                raise Wrong(f"not in step after {PEACE_SECONDS} s: {', '.join(map(_state, waiting))}")
            for source in waiting:
                self.sources.approve(source.id)
            self._look_round()
            time.sleep(0.2)
        for entry in self.entries.values():
            entry.known = {}
        self.check()
        self.dead_words |= self.dead()
        self.events["times everything was held against the sources"] += 1

    def _check_log(self) -> None:
        for path in sorted(self.home.glob("worker.log*")):
            if "Traceback" in (text := path.read_text(errors="replace")):
                raise Wrong(f"{path.name} tells of a fault: {text[text.index('Traceback') :][:1500]}")


def _is_in_step(source: Source) -> bool:
    return source.requested_at is None and source.state == "ready"


def _state(source: Source) -> str:
    return f"{source.name} is {source.state} ({source.message})"
