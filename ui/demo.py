"""`python -m ui.demo`: a simulated Jira that goes through a working day at speed, and the app that follows it.

The Jira is the simulator with the sample project. Everything lies in a temporary folder and is gone at the end.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # until all is loaded (`tree.garbage.loaded`)

import argparse
import datetime as dt
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ingestion.sources import Sources
from ingestion.webhooks import SECRET
from jira_simulator import Site, Step, load_sample, load_script, perform, running
from tree.accounts.accounts import open_accounts
from tree.garbage import loaded
from tree.store.chats import Chats
from tree.store.models import Source
from tree.workspace import workspace
from ui.server.service import ENDS_WITH_INPUT
from ui.server.tools import SAMPLE, SAMPLE_NAME
from ui.server.worker_process import CODE

NAME = "Gangway tickets"
QUESTIONS = (
    "What is the workaround for THR-03?",
    "Who is the second person for Almanac?",
    "What did the hauliers ask for?",
)
POLL_SECONDS = 10  # beside the webhook, which is quicker
START_SECONDS, READ_SECONDS, SHUTDOWN_SECONDS = 60, 120, 20
CHECK_SECONDS = 0.2  # between two looks at what somebody else is to do


class DemoError(Exception):
    """The demonstration cannot go on; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        _refuse_taken(options.host, options.port)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _interrupt_once)
        with tempfile.TemporaryDirectory(prefix="knowledge-tree-demo-", ignore_cleanup_errors=True) as folder:
            _demonstrate(Path(folder), options)
    except DemoError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nThe demo is over. Its files are deleted.", flush=True)
    return 0


def _interrupt_once(*_: object) -> None:
    """Whoever is impatient and interrupts again must not keep us from putting things away."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ui.demo",
        description="A simulated Jira that goes through a working day at speed, and the app that follows it.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="where the app listens (default: this machine only)")
    parser.add_argument("--port", type=int, default=8501, help="of the app; default: 8501")
    parser.add_argument(
        "--pause", type=float, default=60, metavar="SECONDS", help="the day begins with the first question, or after this (60)"
    )
    parser.add_argument("--step", type=float, default=2, metavar="SECONDS", help="between two things that happen (2)")
    return parser


def _refuse_taken(host: str, port: int) -> None:
    """Said at once, and before another app at that port could be taken for ours."""
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        raise DemoError(f"Port {port} is not available. Name another: make demo PORT={port + 1}") from error


def _demonstrate(home: Path, options: argparse.Namespace) -> None:
    site, token = _jira()
    with running(site) as address, workspace(home) as opened:
        sources = Sources(opened.database)
        source, secret = _add_sources(sources, site, address, token)
        accounts = open_accounts(opened.database)
        person = accounts.people.add("demo@example.org", "Demo", is_admin=True)
        _say("Starting the app …")
        with _app(home, options) as app:
            _wait(app, lambda: _answers(app.url), START_SECONDS, "The app did not start.")
            site.webhooks.register(f"{app.url}/hooks/jira/{source.id}", secret=secret)
            _say(f"Reading {len(site.tickets)} tickets and the sample folder …")
            _wait(app, lambda: _is_synced(sources), READ_SECONDS, "Not everything could be read.")
            _welcome(f"{app.url}/link/{accounts.links.for_sign_in(person.id)}", address)
            _wait(app, lambda: bool(Chats(opened.database).rows.recent(person.id, 1)), options.pause)
            _play_day(site, app, options.step)
            _say(
                "\nThe day is over. Continue on your own: every change reaches the answers within seconds.\n"
                f'  curl -X POST {address}/simulator/do -d \'{{"do": "comment", "ticket": "GWY-296", "by": "Rafael Quispe", '
                '"text": "Workaround for THR-03: leave it in the cradle until nine."}\'\n'
                "Ctrl+C ends it."
            )
            _wait(app, lambda: False)


# ---------------------------------------------------------------- the Jira


def _jira() -> tuple[Site, str]:
    """The sample project as it stands in the morning, which is now."""
    site = load_sample(Site("cloud"), SAMPLE / "jira")
    site.clock.set(dt.datetime.now(dt.UTC))
    site.clock.speed = 1
    token = secrets.token_urlsafe(24)
    site.add_token(next(iter(site.users.values())), token)
    return site, token


def _play_day(site: Site, app: App, seconds: float) -> None:
    """The working day, at a pace at which one can watch it."""
    _say("\nThe day begins.")
    for step in load_script(SAMPLE / "jira"):
        _wait(app, lambda: False, seconds)
        perform(site, step)
        _say(f"  {step['at']:%H:%M}  {_line(step)}")


def _line(step: Step) -> str:
    return f"{step.get('ticket') or step.get('key') or '':8} {step.get('why') or step['do']}"


# ---------------------------------------------------------------- the app


class App:
    """The app's process. `url` is where it answers."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], log: Path) -> None:
        self.url = url
        self.process = process
        self.log = log

    def check(self) -> None:
        if self.process.poll() is not None:
            said = self.log.read_text("utf-8", "replace").strip().splitlines()[-3:]
            raise DemoError("\n".join(["The app ended unexpectedly.", *said]))


def _add_sources(sources: Sources, site: Site, address: str, token: str) -> tuple[Source, str]:
    """Both sources, as the page of sources would add them."""
    secret = secrets.token_urlsafe(24)
    account = next(iter(site.users.values()))
    config = {
        "url": address, "auth": "token", "email": account.email, "projects": [project.key for project in site.projects.values()],
        "poll_seconds": POLL_SECONDS,
    }  # fmt: skip
    source = sources.add("jira", NAME, config, {"token": token, SECRET: secret})
    sources.add("folder", SAMPLE_NAME, {"path": str(SAMPLE)})
    return source, secret


@contextmanager
def _app(home: Path, options: argparse.Namespace) -> Iterator[App]:
    log = home / "app.log"
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.address",
        options.host,
        "--server.port",
        str(options.port),
    ]
    with log.open("wb") as lines:
        # in a group of its own: Ctrl+C reaches only us, and we end it in order; were we killed, its standard input ends
        process = subprocess.Popen(
            command, cwd=CODE, env=os.environ | {"KNOWLEDGE_TREE_HOME": str(home), ENDS_WITH_INPUT: "1"},
            stdin=subprocess.PIPE, stdout=lines, stderr=lines, start_new_session=True,
        )  # fmt: skip
        try:
            host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(options.host, options.host)
            yield App(f"http://{host}:{options.port}", process, log)
        finally:
            process.terminate()
            try:
                process.wait(SHUTDOWN_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
    except OSError:
        return False
    return True


def _is_synced(sources: Sources) -> bool:
    for source in sources.all():
        if source.state in ("failed", "lost"):
            raise DemoError(f"{source.name}: {source.message}")
    return all(source.state == "ready" for source in sources.all())


def _wait(app: App, is_so: Callable[[], bool], seconds: float | None = None, otherwise: str = "") -> None:
    """Until it is so, or for that long; raises DemoError with the words for the latter, if there are any."""
    until = None if seconds is None else time.monotonic() + seconds
    pause = threading.Event()
    while not is_so():
        app.check()
        left = CHECK_SECONDS if until is None else min(CHECK_SECONDS, until - time.monotonic())
        if left <= 0:
            if otherwise:
                raise DemoError(otherwise)
            return
        pause.wait(left)


# ---------------------------------------------------------------- words


def _welcome(url: str, address: str) -> None:
    questions = "\n".join(f"  {number}. {question}" for number, question in enumerate(QUESTIONS, 1))
    _say(
        f"\nKnowledge Tree: {url}\nThe simulated Jira: {address}\n\nOpen the first and ask:\n{questions}\n\n"
        "With your first question, or in a minute, a working day begins in that Jira. Leave the chat open: the status line shows "
        "what changes, and answers whose tickets changed are marked. Ask again then.\nCtrl+C ends it and deletes its files."
    )


def _say(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    loaded()
    sys.exit(main())
