"""The real app on a free port with a data folder of its own, and a Chromium found on this machine to look at it.

`KNOWLEDGE_TREE_BROWSER` names the browser; with `KNOWLEDGE_TREE_REQUIRE_BROWSER=1` its absence is a failure.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ingestion.sources import Sources
from ingestion.sync import sync
from tests.ui.conftest import DOCUMENTS
from tests.ui.people import ADMIN
from tree.accounts.accounts import open_accounts
from tree.accounts.sessions import cookie_name
from tree.workspace import workspace

ROOT = Path(__file__).parents[2]
# The shell first: the same engine without the windows, for half of the processor.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
START_SECONDS = 60
WAIT = 30_000  # milliseconds a page may take on a busy machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ours = Path(__file__).parent
    for item in items:
        if ours in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass
class App:
    """A started app. `folder` is the one it has read, if any; `token` is the session of an admin, empty where there is none."""

    url: str
    home: Path
    folder: Path
    process: subprocess.Popen[bytes]
    token: str

    @property
    def printed(self) -> str:
        """What the app has said so far where it was started."""
        return (self.home.parent / "app.log").read_text(encoding="utf-8", errors="replace")

    def cookie(self, token: str) -> dict[str, str]:
        return {"name": cookie_name(str(self.home), is_secure=False), "value": token, "url": self.url}


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    found = os.environ.get("KNOWLEDGE_TREE_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        if not found:
            raise LookupError("no Chromium found")
        from playwright.sync_api import sync_playwright
    except (LookupError, ImportError) as error:
        message = f"{error}: install Debian's package `chromium-headless-shell` or `chromium`, or name a browser in KNOWLEDGE_TREE_BROWSER, and `pip install playwright`"
        if os.environ.get("KNOWLEDGE_TREE_REQUIRE_BROWSER") == "1":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def idle(browser) -> list:
    """Pages that wait for the next test. One that has shown the app before shows it for a third of the processor: its scripts
    are compiled already."""
    return []


@pytest.fixture
def open_page(browser, idle) -> Iterator[Callable]:
    """Opens pages; at the end of the test none of them may have asked another host for anything, or had an error on its console."""
    outside, errors = [], []
    pages: list[_Page] = []

    def opened(
        app: App, path: str = "/", *, width: int = 1280, height: int = 900, dark: bool = False, token: str | None = None,
        is_refused: bool = False, alone: bool = False,
    ):  # fmt: skip
        """As the admin, or with the session of somebody else; with "" as a stranger. `is_refused`: what the page asks for is
        refused in this test, which a browser writes on the console. `alone`: no test has it after this one, which listens to it
        or changes what it may do."""
        page = browser.new_context().new_page() if alone or not idle else idle.pop()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        if (of := app.token if token is None else token) != "":
            page.context.add_cookies([app.cookie(of)])
        page.set_default_timeout(WAIT)
        listening = {
            "request": lambda asked: outside.append(asked.url) if not asked.url.startswith((app.url, "data:", "blob:")) else None,
            "websocket": lambda opened: outside.append(opened.url) if not opened.url.startswith(app.url.replace("http", "ws")) else None,
            "pageerror": lambda error: errors.append(str(error)),
            "console": lambda said: errors.append(said.text) if _is_error(said, page.url) and not is_refused else None,
        }  # fmt: skip
        for event, listener in listening.items():
            page.on(event, listener)
        pages.append(_Page(page, app, listening, alone))
        page.goto(app.url + path)
        if of != "":
            settled(page)
        return page

    yield opened
    for one in pages:
        if one.is_left_clean():
            idle.append(one.page)
        else:
            one.page.context.close()
    assert outside == []
    assert errors == []


@dataclass
class _Page:
    """A page that a test has opened."""

    page: Any
    app: App
    listening: dict[str, Callable]
    alone: bool

    def is_left_clean(self) -> bool:
        """Takes from it all that this test has left: what it shows and keeps, who is signed in, who listens. Returns whether
        another test may have it, for which its app must still be there."""
        from playwright.sync_api import Error

        page = self.page
        if self.alone or page.is_closed():
            return False
        for event, listener in self.listening.items():
            page.remove_listener(event, listener)
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.unroute_all()
        page.context.clear_permissions()
        try:
            page.goto(f"{self.app.url}/_stcore/health")  # of the same origin, and nothing runs in it
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
        except Error:
            return False
        page.context.clear_cookies()
        page.mouse.move(0, 0)
        return True


def _is_error(said, address: str) -> bool:
    """On the console, warnings too; that a page which a test asked for is refused is none."""
    return said.type in ("error", "warning") and said.location["url"] != address


def settled(page) -> None:
    """Waits until the page's script has run."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]")


def ask(page, question: str) -> None:
    from playwright.sync_api import expect

    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    # Enter does nothing while a file is still on its way.
    expect(page.get_by_role("button", name="Send message")).to_be_enabled()
    box.press("Enter")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _admin(home: Path) -> str:
    with workspace(home) as opened:
        accounts = open_accounts(opened.database)
        person = accounts.people.with_email(ADMIN) or accounts.people.add(ADMIN, "Ada", is_admin=True)
        return accounts.sessions.start(person.id)


def _start(home: Path, folder: Path, script: Path, environment: dict[str, str], token: str) -> App:
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    log = (home.parent / "app.log").open("wb")
    settings = os.environ | {"KNOWLEDGE_TREE_HOME": str(home), "PYTHONPATH": str(ROOT)} | environment
    process = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return App(url, home, folder, process, token)
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
    process.kill()
    raise RuntimeError(f"The app did not start: {(home.parent / 'app.log').read_text(errors='replace')[-2000:]}")


def _stop(app: App) -> None:
    app.process.terminate()
    try:
        app.process.wait(20)
    except subprocess.TimeoutExpired:
        app.process.kill()


@contextmanager
def _apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., App]]:
    """Starts apps, which end with the block: on a small folder that has been read, or with nothing yet; with an admin, or
    with nobody yet."""
    started: list[App] = []

    def start(
        *,
        empty: bool = False,
        admin: bool = True,
        script: Path = ROOT / "app.py",
        documents: dict[str, str] = DOCUMENTS,
        **environment: str,
    ) -> App:
        root = tmp_path_factory.mktemp("app")
        home, folder = root / "home", root / "team"
        if not empty:
            for name, text in documents.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, "utf-8")
            with workspace(home) as opened:
                sources = Sources(opened.database)
                sync(opened, sources, sources.add("folder", "Team", {"path": str(folder)}))
        app = _start(home, folder, script, environment, _admin(home) if admin else "")
        started.append(app)
        return app

    yield start
    for app in started:
        _stop(app)


@pytest.fixture(scope="module")
def start_app(tmp_path_factory) -> Iterator[Callable[..., App]]:
    """Starts apps for several tests of a file, with which they end."""
    with _apps(tmp_path_factory) as start:
        yield start


@pytest.fixture
def start_own_app(tmp_path_factory) -> Iterator[Callable[..., App]]:
    """Starts apps for one test, with which they end: one that goes on costs the tests after it."""
    with _apps(tmp_path_factory) as start:
        yield start


@pytest.fixture(scope="module")
def app(start_app) -> App:
    """One app for all tests of a file that leave its documents as they are."""
    return start_app()
