"""`make demo`, as somebody starts it, looks at it, and ends it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tree.accounts.accounts import open_accounts
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.store.chats import Chats
from tree.workspace import Workspace, workspace
from ui.demo import QUESTIONS, main
from ui.server.worker_process import CODE

PATIENCE = 90  # seconds, on a busy machine


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Demo:
    """A demo that has been started. `home` is its data folder, once there is one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{free_port()}"
        command = [sys.executable, "-m", "ui.demo", "--port", self.url.rpartition(":")[2], "--pause", "600", "--step", "0.05"]
        self.process = subprocess.Popen(
            command, cwd=CODE, env=os.environ | {"TMPDIR": str(folder)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )  # fmt: skip
        self.said: list[str] = []

    @property
    def home(self) -> Path:
        return next(self.folder.glob("knowledge-tree-demo-*"))

    def hear(self, words: str) -> None:
        """Reads what it prints until the words come."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if words in line:
                return
        raise AssertionError("".join(self.said))

    def children(self) -> set[int]:
        """The processes that it has started, and theirs."""
        found, parents = set(), {self.process.pid}
        while parents:
            stats = [stat for stat in map(_stat, Path("/proc").glob("[0-9]*/stat")) if stat]
            parents = {pid for pid, parent in stats if parent in parents} - found
            found |= parents
        return found


def _stat(path: Path) -> tuple[int, int] | None:
    try:
        after = path.read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return None
    return int(path.parent.name), int(after[1])


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    started = Demo(tmp_path)
    yield started
    started.process.send_signal(signal.SIGINT)
    started.process.wait(PATIENCE)


def answer(opened: Workspace, question: str) -> Answer:
    return next(event for event in ask(opened, question, principal=OPERATOR) if isinstance(event, Answer))


def keys(answered: Answer) -> set[str]:
    """Of the tickets it rests on."""
    return {citation.facts["key"] for citation in answered.citations if "key" in citation.facts}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux lists them")
def test_answers_follow_the_day_and_nothing_is_left_at_the_end(demo: Demo) -> None:
    demo.hear("Ctrl+C ends it")
    assert all(any(question in line for line in demo.said) for question in QUESTIONS)
    link = next(line.split()[-1] for line in demo.said if "/link/" in line)
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(urllib.request.Request(link, b"", method="POST"), timeout=30).close()
    with browser.open(f"{demo.url}/api/status", timeout=10) as told:
        assert {source["state"] for source in json.load(told)["sources"]} == {"ready"}
    with workspace(demo.home) as opened:
        before = answer(opened, QUESTIONS[0])
        assert "both devices in one hand" in before.text and before.citations[0].facts["key"] == "GWY-296"
        assert "GWY-297" in keys(answer(opened, QUESTIONS[2]))
        [person] = open_accounts(opened.database).people.all()
        Chats(opened.database).running.begin(QUESTIONS[0], owner=person.id)  # the first question begins the day
        demo.hear("The day is over")
        until = time.monotonic() + PATIENCE
        while "strike the one of 21 April" not in answer(opened, QUESTIONS[0]).text or (
            "GWY-297" in keys(answer(opened, QUESTIONS[2]))
        ):
            assert time.monotonic() < until, "The tree has not followed the day."
        told = answer(opened, "What changed today?")
        assert told.verdict == "complete" and "GWY-304" in keys(told) and "was removed" in told.text
    children = demo.children()
    assert len(children) >= 2  # the app and its worker
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(PATIENCE) == 0
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert list(demo.folder.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes as Linux lists them")
def test_a_demo_that_is_killed_leaves_no_process(demo: Demo) -> None:
    demo.hear("Reading")
    children = demo.children()
    demo.process.kill()
    until = time.monotonic() + PATIENCE
    while left := [pid for pid in children if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < until, f"Still there: {left}"
        time.sleep(0.1)


def test_a_port_that_is_taken_is_said_before_anything_is_started(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["--port", port]) == 1
    assert f"Port {port} is not available" in capsys.readouterr().err
