"""Pictures of every page: the demo is started and played to its end, then looked at with a browser. `docs/screens.md` shows them.

Each page is taken in light, in dark and at the width of a telephone. Colours are reduced to a palette: a picture of a page
has few, and the repository keeps each version for ever.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.server import ROOT, free_port

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT = 60_000  # milliseconds that a page may take
START_SECONDS, DAY_SECONDS = 180, 240
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
COLOURS = 128
QUESTIONS = {  # by the name of the picture; the ticket of the first one changes during the day
    "changed": "What is the workaround for THR-03?",
    "table": "Which ferries do we have and how many cars does each take?",
    "chart": "Plot the budget",
    "answer": "How do I publish a timetable?",
}


class Look(NamedTuple):
    """How pages are looked at: `width` and `height` in pixels of CSS."""

    name: str
    width: int
    height: int
    is_dark: bool


PAGES = ("", "tree", "activity", "following", "sources", "settings", "admin", "help", "account")  # their paths
LOOKS = (Look("light", 1280, 860, False), Look("dark", 1280, 860, True), Look("phone", 390, 844, False))


def run(options: argparse.Namespace) -> int:
    into: Path = options.into
    into.mkdir(parents=True, exist_ok=True)
    with _demo() as (link, lines), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_browser(), args=["--no-sandbox", "--disable-gpu"])
        url = link.split("/link/")[0]
        with _page(browser, LOOKS[0]) as page:
            page.goto(link)
            _keep(page, into / "sign-in-light.png")
            page.get_by_role("button", name="Open Knowledge Tree").click()
            page.wait_for_selector(SETTLED)
            cookies = page.context.cookies()
            chats = {name: _ask(page, url, question) for name, question in QUESTIONS.items()}
        _wait_for(lines, re.compile("The day is over"), DAY_SECONDS)
        for look in LOOKS:
            with _page(browser, look, cookies) as page:
                for name in PAGES:
                    _open(page, f"{url}/{name}")
                    _keep(page, into / f"{name or 'welcome'}-{look.name}.png")
                for name, address in chats.items():
                    _open(page, address)
                    expect(page.locator(".verdict").last).to_be_visible()
                    _keep(page, into / f"{name}-{look.name}.png")
                page.locator(".text .cite").first.click()
                expect(page.locator(".document mark").first).to_be_visible()
                _keep(page, into / f"source-{look.name}.png")
        browser.close()
    return 0


@contextmanager
def _page(browser: Browser, look: Look, cookies: Sequence[Any] = ()) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height}, color_scheme="dark" if look.is_dark else "light"
    )
    context.set_default_timeout(WAIT)
    context.add_cookies(cookies)
    yield context.new_page()
    context.close()


def _ask(page: Page, url: str, question: str) -> str:
    """The address of a new chat with this question."""
    _open(page, url)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    expect(page.locator(".verdict")).to_be_visible()
    return page.url


def _open(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(SETTLED)


def _keep(page: Page, path: Path) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(700)  # what moves comes to rest
    picture = Image.open(BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1000} kB", flush=True)


# ---------------------------------------------------------------- the demo


@contextmanager
def _demo() -> Iterator[tuple[str, Queue[str]]]:
    """`python -m ui.demo`: the link that signs in, and the lines it prints."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "ui.demo", "--port", str(port), "--step", "0.3"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    lines: Queue[str] = Queue()
    assert process.stdout is not None
    Thread(target=_take, args=(process.stdout, lines), daemon=True).start()
    try:
        yield _wait_for(lines, re.compile(r"http://\S+/link/\S+"), START_SECONDS), lines
    finally:
        process.terminate()
        process.wait(60)


def _take(printed: IO[str], lines: Queue[str]) -> None:
    for line in printed:
        lines.put(line)


def _wait_for(lines: Queue[str], wanted: re.Pattern[str], seconds: float) -> str:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            found = wanted.search(lines.get(timeout=left))
        except Empty:
            break
        if found:
            return found[0]
    raise RuntimeError(f"The demo did not say {wanted.pattern!r} within {seconds} seconds. Run it by hand: python -m ui.demo")


# ---------------------------------------------------------------- the browser


def _browser() -> str:
    found = os.environ.get("KNOWLEDGE_TREE_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise RuntimeError("No Chromium found. Install Debian's package `chromium`, or name a browser in KNOWLEDGE_TREE_BROWSER.")
    return found
