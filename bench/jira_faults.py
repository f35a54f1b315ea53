"""Every fault of a Jira site at every request of a sync: no ticket may be lost, and the words must be true.

The table is `REQUESTS` x `FAULTS` x `MODES` for each kind of site. Each case runs through the real sync into a real
store, against the simulator over HTTP; after it the fault is taken away and the tree must become what the site has.
"""

from __future__ import annotations

import multiprocessing
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from connectors.base import ConnectorError
from connectors.jira.config import JiraConfig
from connectors.jira.connector import JiraConnector
from connectors.jira.exchange import Timing
from ingestion.sources import Sources
from ingestion.sync import sync
from jira_simulator import Clock, Site, Switches, running
from tree.workspace import open_workspace

Personality = Literal["cloud", "dc"]
Mode = Literal["poll", "hint", "full look", "rolling"]

PERSONALITIES: tuple[Personality, ...] = ("cloud", "dc")
MODES: tuple[Mode, ...] = ("poll", "hint", "full look", "rolling")
EMAIL, TOKEN = "ann@example.com", "fault-matrix-token"
QUICK = Timing(connect=5, read=20, whole=20, batch=20, short=0.3, pauses=(0.005, 0.005))
HASTY = Timing(connect=2, read=0.3, whole=0.5, batch=2.0, short=0.3, pauses=(0.005, 0.005))  # where nothing is answered
MOST_SECONDS = 15.0  # of one case; what it takes with the longest waits of HASTY, and room for a busy machine
CROWD = 120  # tickets more than Jira hands out at once
ROLLING_SECONDS = 700  # after which everything is due to be read again

# each request of a sync, as members of a fault of the simulator, for Cloud and for Data Center
REQUESTS: dict[str, dict[Personality, dict[str, Any]]] = {
    "everything": {"cloud": {"path": "*"}, "dc": {"path": "*"}},
    "who we are": {"cloud": {"path": "*/myself"}, "dc": {"path": "*/myself"}},
    "what the server is": {"cloud": {"path": "*/serverInfo"}, "dc": {"path": "*/serverInfo"}},
    "projects": {"cloud": {"path": "*/project/search"}, "dc": {"path": "*/api/2/project"}},
    "one project": {"cloud": {"path": "*/project/1????"}, "dc": {"path": "*/project/1????"}},
    "fields": {"cloud": {"path": "*/api/3/field"}, "dc": {"path": "*/api/2/field"}},
    "all ids": {
        "cloud": {"path": "*/search/jql", "contains": "ORDER BY created"},
        "dc": {"path": "*/search", "contains": "ORDER BY created"},
    },
    "later pages of ids": {
        "cloud": {"path": "*/search/jql", "contains": "nextPageToken"},
        "dc": {"path": "*/search", "contains": "ORDER BY created", "skip": 1},
    },
    "times of updates": {
        "cloud": {"path": "*/search/jql", "contains": "updated >"},
        "dc": {"path": "*/search", "contains": "updated >"},
    },
    "levels": {
        "cloud": {"path": "*/search/jql", "contains": "level IS NOT EMPTY"},
        "dc": {"path": "*/search", "contains": "level IS NOT EMPTY"},
    },
    "tickets": {"cloud": {"path": "*/issue/bulkfetch"}, "dc": {"path": "*/search", "contains": "id in"}},
    "the second batch of tickets": {
        "cloud": {"path": "*/issue/bulkfetch", "skip": 1},
        "dc": {"path": "*/search", "contains": "id in", "skip": 1},
    },
    "single tickets": {"cloud": {"path": "*/issue/1????"}, "dc": {"path": "*/issue/1????"}},
    "histories": {"cloud": {"path": "*/changelog/bulkfetch"}},
    "comments": {"cloud": {"path": "*/comment"}, "dc": {"path": "*/comment"}},
    "work logs": {"cloud": {"path": "*/worklog"}, "dc": {"path": "*/worklog"}},
    "remote links": {"cloud": {"path": "*/remotelink"}, "dc": {"path": "*/remotelink"}},
    "files": {"cloud": {"path": "*/attachment/content/*"}, "dc": {"path": "*/secure/attachment/*"}},
}
TICKETS = ("everything", "tickets")  # requests for many tickets: what is wrong with them is never a failure of each


@dataclass(frozen=True, slots=True)
class FaultKind:
    """What a request is met with, and what is true to say of it."""

    members: Mapping[str, Any]
    words: str  # a regular expression
    hangs: bool = False


STRANGE = r"instead of data|something else|does not say (who|what)|bytes for a file"
FAULTS: dict[str, FaultKind] = {
    "login page": FaultKind({"kind": "html login"}, rf"web page|{STRANGE}"),
    "empty": FaultKind({"kind": "empty"}, rf"empty answer|{STRANGE}"),
    "half": FaultKind({"kind": "half json"}, rf"half an answer|not in the form|{STRANGE}"),
    "cut off": FaultKind({"kind": "truncate"}, rf"half an answer|not in the form|{STRANGE}|cannot be reached"),
    "null": FaultKind({"status": 200, "body": "null"}, STRANGE),
    "wrong type": FaultKind({"kind": "wrong json"}, STRANGE),
    "wrong fields": FaultKind({"status": 200, "body": {"values": None, "issues": [{"id": None}], "id": {}, "total": "x"}}, STRANGE),
    "401": FaultKind({"status": 401}, r"refused"),
    "403": FaultKind({"status": 403}, r"answered 403"),
    "404": FaultKind({"status": 404, "body": "<html>Not found</html>"}, r"404|does not hand out"),
    "429": FaultKind({"status": 429, "headers": {"Retry-After": "600"}}, r"limits how often|slow down"),
    "429 until 2099": FaultKind({"status": 429, "headers": {"Retry-After": "Tue, 01 Jan 2099 00:00:00 GMT"}}, r"limits how often"),
    "500": FaultKind({"status": 500}, r"\(500\)"),
    "502": FaultKind({"status": 502, "body": "<html>Bad gateway</html>"}, r"\(502\)"),
    "reset": FaultKind({"kind": "reset"}, r"cannot be reached"),
    "hang": FaultKind({"kind": "hang"}, r"too long", hangs=True),
    "redirect": FaultKind({"status": 302, "headers": {"Location": "https://sso.example.com/login"}}, r"another page|sso.example.com cannot be reached"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    personality: Personality
    request: str
    fault: str
    mode: Mode

    def __str__(self) -> str:
        return f"{self.personality}, {self.request}, {self.fault}, {self.mode}"


def all_cases(personalities: Collection[Personality] = PERSONALITIES) -> list[Case]:
    return [
        Case(personality, request, fault, mode)
        for personality in personalities
        for request, where in REQUESTS.items()
        if personality in where
        for fault in FAULTS
        for mode in MODES
    ]


EVERY = 13  # of the pairs of a request and a fault one is tried on every submission


def some_cases(personality: Personality) -> list[Case]:
    """A part in which each request, each fault and each mode is met, and a request or a fault never twice in one mode."""
    requests = [request for request, where in REQUESTS.items() if personality in where]
    found = []
    for row, request in enumerate(requests):
        for column, fault in enumerate(FAULTS):
            number = row * 5 + column * 3 + PERSONALITIES.index(personality)
            if number % EVERY == 0:
                found.append(Case(personality, request, fault, MODES[(number // EVERY + row) % len(MODES)]))
    return found


class FaultBench:
    """A site with something for each request to fetch, and a source that follows it."""

    def __init__(self, personality: Personality, home: Path, url: str, site: Site) -> None:
        self.site = site
        self.workspace = open_workspace(home)
        self.sources = Sources(self.workspace.database)
        settings: dict[str, Any] = {"url": url, "email": EMAIL, "projects": ["GANG", "PORT"]}
        settings["auth"] = "token" if personality == "cloud" else "pat"
        self.config = JiraConfig.model_validate(settings)
        self.id = self.sources.add("jira", "Jira", settings, {"token": TOKEN}).id
        self.connector = JiraConnector(self.config, TOKEN, QUICK, lambda: site.clock.true().timestamp())
        self.outcomes: Counter[str] = Counter()
        self._number = 0

    def close(self) -> None:
        self.connector.close()

    # ------------------------------------------------------------ one case

    def run(self, case: Case) -> list[str]:
        """What is wrong after this case; empty where all is well."""
        hints = self.work(case)
        before, there = self.documents(), self.there()
        fault = FAULTS[case.fault]
        self.set_timing(HASTY if fault.hangs else QUICK)
        met = self.site.faults.set(**{**REQUESTS[case.request][case.personality], **fault.members})
        if case.request == "what the server is":
            self.connector.client._is_cloud = None  # as after a start of the app
        began, error = time.monotonic(), self.attempt(case.mode, hints)
        seconds = time.monotonic() - began
        failures = self.sources.failures(self.id)
        self.site.faults.clear()
        self.set_timing(QUICK)
        self.outcomes["not met" if not met.met else "told" if error else "some kept" if failures else "no harm"] += 1
        wrong = list(self.judged(case, error, [failure.reason for failure in failures], seconds))
        if case.request in TICKETS and met.met and any(failure.document_id.isdigit() for failure in failures):
            wrong.append(f"a fault of the site was noted as one of {len(failures)} documents")
        if lost := sorted((before & there) - self.documents()):
            wrong.append(f"lost: {', '.join(lost)}")
        return wrong if not met.met and not error and self.documents() == self.there() else [*wrong, *self.recovered()]

    def judged(self, case: Case, error: BaseException | None, reasons: Sequence[str], seconds: float) -> Iterator[str]:
        if error is not None and not isinstance(error, ConnectorError):
            yield f"{type(error).__name__}: {error}"
        if seconds > MOST_SECONDS:
            yield f"took {seconds:.1f} s"
        for said in {*reasons, *([str(error)] if error else [])}:
            if not re.search(FAULTS[case.fault].words, said):
                yield f"said what is not true: {said}"

    def recovered(self) -> Iterator[str]:
        """One look after the fault is over: everything is as at the site, and nothing is marked any more."""
        self.sync(None)
        if lacking := self.there() - self.documents():
            yield f"lacking afterwards: {', '.join(sorted(lacking))}"
        if strange := self.documents() - self.there():
            yield f"still there afterwards: {', '.join(sorted(strange))}"
        if marked := self.sources.failures(self.id):
            yield f"marked afterwards: {', '.join(failure.document_id for failure in marked)}"

    def attempt(self, mode: Mode, hints: Collection[str]) -> BaseException | None:
        try:
            if mode == "poll":
                found = self.connector.watch().poll(0)
                hints = found.paths if found else ()
            if hints or mode not in ("poll", "hint"):
                self.sync(hints if mode in ("poll", "hint") else None)
        except Exception as error:  # noqa: BLE001  (which it was is what is looked at)
            return error
        return None

    def sync(self, hints: Collection[str] | None) -> None:
        sync(self.workspace, self.sources, self.sources.get(self.id), hints, self.connector, drop_window=0)

    def set_timing(self, timing: Timing) -> None:
        self.connector.client.timing = self.connector.client.exchange.timing = timing

    # ------------------------------------------------------------ what is there

    def there(self) -> set[str]:
        """The documents that the site has now."""
        files = {f"{one.id}/attachment-{file.id}" for one in self.site.tickets.values() for file in one.attachments}
        return {*self.site.tickets, *files, *(f"project/{one}" for one in self.site.projects)}

    def documents(self) -> set[str]:
        return self.workspace.store.documents.ids(self.id)

    def differing(self) -> list[str]:
        """Documents that differ from what somebody gets who begins now."""
        connector = JiraConnector(self.config, TOKEN, QUICK, self.connector.clock)
        try:
            fresh = {one.id: one.fingerprint for batch in connector.fetch({}) for one in batch.documents}
        finally:
            connector.close()
        live = self.workspace.store.documents.fingerprints(self.id)
        return sorted(id for id in fresh.keys() | live.keys() if fresh.get(id) != live.get(id))

    # ------------------------------------------------------------ what happens to the site

    def work(self, case: Case) -> list[str]:
        """Changes for the case to find, and their ids; a rolling look finds none, and reads what seems unchanged."""
        self.site.clock.advance(ROLLING_SECONDS if case.mode == "rolling" else 60)
        if case.mode == "rolling":
            return []
        self._number += 1
        large = self.site.edit("GANG-2", summary=f"Lamp {self._number}")
        other = self.site.comment("GANG-4", f"It burns again, {self._number}.", author="Bob Roy") and self.site.find("GANG-4")
        [last] = [one for one in self.site.tickets.values() if one.summary.startswith("Passing")]
        self.site.delete(last)
        new = self.site.create("PORT", f"Passing {self._number}")
        self.site.comment(new, "Please have a look.", author="Bob Roy")
        self.site.attach(new, f"plan-{self._number}.txt", b"The plan of the lamps.", author="Bob Roy")
        return [large.id, other.id, last.id, new.id]


def furnish(site: Site, crowd: int = 0) -> None:
    """Tickets that need each kind of request: many histories, comments and work logs, remote links, files; `crowd` more."""
    site.add_user("Ann Lee", email=EMAIL)
    site.add_user("Bob Roy", email="bob@example.com")
    site.add_token("Ann Lee", TOKEN, "pat" if site.personality == "dc" else "api")
    site.add_project("GANG", "Gangway", description="How people board.")
    site.add_project("PORT", "Port", type_key="service_desk")  # whose comments Data Center hands out in a request of its own
    epic = site.create("GANG", "Boarding by night", issuetype="Epic")
    large = site.create("GANG", "Lamp", description="The lamp is out.", epic=epic)
    for number in range(50):
        site.edit(large, priority=("High", "Low")[number % 2])
    for number in range(110):
        site.comment(large, f"Bulb {number} is ordered.", author="Ann Lee")
    for _ in range(25):
        site.log_work(large, 3_600, "Bob Roy", "Climbed up.")
    site.remote_link(large, "https://wiki.example.com/lamps", "All lamps")
    site.attach(large, "plan.txt", b"The plan of the lamps.", author="Bob Roy")
    for number in range(9):
        site.create("GANG", f"Rail {number}", issuetype="Sub-task", parent=large)
    for number in range(8):
        site.create("PORT", f"Crane {number}", epic=epic if number % 2 else None)
    site.link("GANG-3", "blocks", "PORT-1")
    for number in range(crowd):
        site.create("GANG", f"Plank {number}")
    site.create("PORT", "Passing 0")


@contextmanager
def opened(personality: Personality, home: Path, crowd: int = 0) -> Iterator[FaultBench]:
    """A site and a source that is in step with it; with a crowd, a site whose pages are as long as Jira's."""
    switches = Switches() if crowd else Switches(cloud_page_cap=10, dc_max_results=10)
    site = Site(personality, clock=Clock("2026-03-02T09:00:00+00:00"), switches=switches)
    furnish(site, crowd)
    with running(site) as url:
        bench = FaultBench(personality, home, url, site)
        try:
            bench.sync(None)
            yield bench
        finally:
            bench.close()


# ---------------------------------------------------------------- all of it, for `python -m bench jira --faults`


@dataclass(frozen=True, slots=True)
class Report:
    cases: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()
    slowest: float = 0.0


def run_all(jobs: int, say: Callable[[str], None] = print) -> Report:
    """Runs the whole table, in so many processes at once."""
    parts = [[Case(p, r, f, m) for f in FAULTS for m in MODES] for p in PERSONALITIES for r in REQUESTS if p in REQUESTS[r]]
    total = Report()
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for part, report in pool.imap_unordered(_run_part, parts):
            outcomes = Counter(total.outcomes) + Counter(report.outcomes)
            total = replace(
                total, cases=total.cases + report.cases, outcomes=outcomes, wrong=(*total.wrong, *report.wrong),
                slowest=max(total.slowest, report.slowest),
            )  # fmt: skip
            say(f"{part}: {report.cases} cases, {len(report.wrong)} wrong, the slowest {report.slowest:.1f} s")
            for one in report.wrong:
                say(f"  {one}")
    say(f"{total.cases:,} cases, {len(total.wrong)} wrong; {', '.join(f'{n} {name}' for name, n in total.outcomes.items())}")
    return total


def _run_part(cases: Sequence[Case]) -> tuple[str, Report]:
    wrong: list[str] = []
    slowest = 0.0
    personality, request = cases[0].personality, cases[0].request
    crowd = CROWD if personality == "dc" and request == "the second batch of tickets" else 0
    with tempfile.TemporaryDirectory(prefix="knowledge-tree-faults-") as home, opened(personality, Path(home), crowd) as bench:
        for case in cases:
            began = time.monotonic()
            wrong += [f"{case}: {one}" for one in bench.run(case)]
            slowest = max(slowest, time.monotonic() - began)
        wrong += [f"{personality}, {request}: {id} differs from a fresh look" for id in bench.differing()]
        return f"{personality}, {request}", Report(len(cases), bench.outcomes, tuple(wrong), slowest)
