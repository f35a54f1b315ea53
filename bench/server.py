"""The real app with many open sessions: clients that speak Streamlit's protocol as a browser does, but draw nothing.

A browser tab keeps a websocket open, asks `/api/status` every two seconds, runs the fragments that the page tells it
to run again by themselves, fetches what is added to an answer that is being written, looks every five seconds whether the
page is still as it was drawn, and asks for a rerun at each click. These clients do exactly that, so the server has the
work of as many tabs and this machine not the work of drawing them. A rerun is timed from the request to the message
that the script has ended, with everything the page shows received in between.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from websockets.typing import Subprotocol

from tree.accounts.accounts import open_accounts
from tree.accounts.models import Person
from tree.accounts.sessions import Sessions, cookie_name
from tree.workspace import Workspace, workspace

ROOT = Path(__file__).parent.parent
START_SECONDS = 90
STATUS_SECONDS = 2  # as in ui/shared/frontend/status.js
LIVE_SECONDS = 0.5  # as in turn.js
FOLLOW_SECONDS = 5  # as in follow.js
IDLE_SECONDS = 2.0  # that a connection is kept at rest, well below the 5 after which the server closes it
PATIENCE = 300  # seconds for one rerun, on a machine that has other work
READER = "reader@example.org"
WHOLE = {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR}


class Page(NamedTuple):
    """A page of the app as its address names it."""

    name: str
    query: str = ""


def reader(workspace: Workspace) -> Person:
    """Whoever looks at the pages that are timed."""
    people = open_accounts(workspace.database).people
    return people.with_email(READER) or people.add(READER, "Reader", is_admin=True)


class Server:
    """`streamlit run app.py` over a data folder, with its worker. `headers` are those of somebody who is signed in."""

    def __init__(self, home: Path, script: str = "app.py") -> None:
        self.port = free_port()
        self.home = home
        with workspace(home) as opened_folder:
            self.identity = opened_folder.database.identity
            token = Sessions(opened_folder.database).start(reader(opened_folder).id)
        self.headers = self.headers_of(token)
        command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(self.port)]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "KNOWLEDGE_TREE_HOME": str(home), "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def headers_of(self, token: str) -> dict[str, str]:
        """Of requests of somebody else, whose session this is."""
        return {"Cookie": f"{cookie_name(self.identity, is_secure=False)}={token}"}

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> Server:
        until = time.monotonic() + START_SECONDS
        while True:
            if self.process.poll() is not None:
                raise RuntimeError("The app ended while it started. Run it by hand: streamlit run app.py")
            with suppress(OSError), urllib.request.urlopen(f"http://{self.address}/_stcore/health", timeout=5):
                return self
            if time.monotonic() > until:
                self.process.kill()
                raise TimeoutError(f"The app did not start within {START_SECONDS} seconds.")
            time.sleep(0.05)

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def memory(self) -> dict[str, int]:
        """Resident bytes of the app with its answering processes, and of the worker with its children; nothing where the system
        does not tell."""
        answering = self._answering()
        below = [process for process in descendants(self.process.pid) if process not in answering]
        return {"app_memory": resident([self.process.pid, *answering]), "worker_memory": resident(below)}

    def processor_seconds(self) -> tuple[float, float]:
        """Of the app so far, without its worker: of the process of the pages, and of those that answer."""
        return _processor_seconds(self.process.pid), sum(map(_processor_seconds, self._answering()))

    def _answering(self) -> list[int]:
        return [process for process in descendants(self.process.pid) if b"ui.server.answering" in _command(process)]


def _command(process: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


def _processor_seconds(process: int) -> float:
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def descendants(process: int) -> list[int]:
    """The processes below one, as Linux tells them."""
    found: list[int] = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, listed.read_text().split()):
                found += [child, *descendants(child)]
    return found


def resident(processes: Sequence[int]) -> int:
    """Bytes in memory now, over all of these processes."""
    total = 0
    for process in processes:
        with suppress(OSError):
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
            total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))
    return total


# ---------------------------------------------------------------- one session


@dataclass
class Followed:
    """What a page follows (ui/shared/frontend/follow.js): the component and its fragment, the address, and what was seen there,
    which is empty once the page was asked for."""

    component: str
    fragment: str
    address: str
    seen: str


@dataclass
class Session:
    """One open tab."""

    socket: websockets.ClientConnection
    page: Page
    client: httpx.AsyncClient
    headers: dict[str, str]
    script: str = ""  # the hash of the page's script, which the server tells
    box: str = ""  # the id of the question box, where the page has one
    _drawing: bool = False
    _finished: asyncio.Queue[float] = field(default_factory=asyncio.Queue)
    _fragments: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _followed: Followed | None = None
    _watched: str = ""  # where what is added to an answer is fetched
    _watching: set[asyncio.Task[None]] = field(default_factory=set)

    async def rerun(self, question: str = "") -> float:
        """Seconds that the page takes to be drawn anew; with a question, which is put into the box and sent."""
        while not self._finished.empty():
            self._finished.get_nowait()
        began = time.perf_counter()
        await self._ask(question=question)
        return await asyncio.wait_for(self._finished.get(), PATIENCE) - began

    async def listen(self) -> None:
        """Takes in what the server sends, for as long as the session is open."""
        async for data in self.socket:
            message = ForwardMsg.FromString(data)
            match message.WhichOneof("type"):
                case "new_session":
                    self.script = message.new_session.page_script_hash
                    if not message.metadata.run.fragment_ids:
                        # what is repeated and followed is told anew by the page that is drawn
                        self._stop_fragments()
                        self._followed = None
                    # a fragment that follows at once swallows the word that the page is finished
                    self._end_of_page(not message.metadata.run.fragment_ids)
                case "auto_rerun":
                    again = message.auto_rerun
                    if again.fragment_id not in self._fragments:
                        self._fragments[again.fragment_id] = asyncio.create_task(self._repeat(again.fragment_id, again.interval))
                case "page_info_changed":
                    self.page = self.page._replace(query=message.page_info_changed.query_string)
                case "delta" if message.delta.new_element.HasField("chat_input"):
                    self.box = message.delta.new_element.chat_input.id
                case "delta" if message.delta.new_element.HasField("bidi_component"):
                    self._mounted(message.delta.new_element.bidi_component, message.delta.fragment_id)
                case "script_finished" if message.script_finished in WHOLE:
                    self._end_of_page()

    def _end_of_page(self, begins_anew: bool = False) -> None:
        if self._drawing and not begins_anew:
            self._finished.put_nowait(time.perf_counter())
        self._drawing = begins_anew

    def _mounted(self, component: BidiComponent, fragment: str) -> None:
        """What the browser code of a component begins to do once it is drawn."""
        if component.component_name == "kt_follow":
            told = json.loads(component.json)
            self._followed = Followed(component.id, fragment, told["address"], told["seen"])
        elif component.component_name == "kt_turn":
            live = json.loads(component.json).get("live", "")
            if live and live != self._watched:
                self._watched = live
                self._watching.add(task := asyncio.create_task(self._watch(live)))
                task.add_done_callback(self._watching.discard)
            elif not live and self._watched and component.id.endswith(f"-turn-{self._watched.rpartition('/')[2]}"):
                self._watched = ""

    async def _watch(self, address: str) -> None:
        """The page is drawn again once the answer is there."""
        seen = ""
        while self._watched == address:
            await asyncio.sleep(LIVE_SECONDS)
            told = (await self._fetched(address, seen=seen)).json()
            if told.get("ended") and self._watched == address:
                await self._draw_again()
            seen = told.get("seen", seen)

    async def follow(self) -> None:
        """Draws the page again when what it shows has changed, for as long as the session is open."""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            if (followed := self._followed) is None or not followed.seen:
                continue
            now = (await self._fetched(followed.address, seen=followed.seen)).json()["seen"]
            if self._followed is followed and followed.seen:  # not drawn anew meanwhile
                if now:
                    followed.seen = now
                else:
                    await self._draw_again()

    async def _draw_again(self) -> None:
        """As the component asks for it."""
        if (followed := self._followed) is None or not followed.seen:
            return
        followed.seen = ""
        message = self._message(followed.fragment)
        events = message.rerun_script.widget_states.widgets.add(
            id=f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{followed.component}__events"
        )
        events.json_trigger_value = json.dumps([{"event": "changed", "value": True}])
        await self.socket.send(message.SerializeToString())

    async def look_at_status(self) -> None:
        while True:
            await self._fetched("api/status")
            await asyncio.sleep(STATUS_SECONDS)

    async def _fetched(self, address: str, **told: str) -> httpx.Response:
        try:
            answer = await self.client.get(
                address, params=httpx.URL(address).params.merge(told), headers=self.headers, timeout=PATIENCE
            )
        except (httpx.ReadError, httpx.RemoteProtocolError):  # the server closed a connection at rest: a browser asks again too
            answer = await self.client.get(
                address, params=httpx.URL(address).params.merge(told), headers=self.headers, timeout=PATIENCE
            )
        return answer.raise_for_status()

    async def close(self) -> None:
        self._stop_fragments()
        for task in self._watching:
            task.cancel()
        await self.socket.close()

    async def _ask(self, fragment: str = "", question: str = "") -> None:
        message = self._message(fragment)
        message.rerun_script.is_auto_rerun = bool(fragment)
        if question:
            message.rerun_script.widget_states.widgets.add(id=self.box).chat_input_value.data = question
        await self.socket.send(message.SerializeToString())

    def _message(self, fragment: str) -> BackMsg:
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.page.query
        state.page_script_hash = self.script
        state.fragment_id = fragment
        if not self.script:
            state.page_name = self.page.name
        return message

    async def _repeat(self, fragment: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self._ask(fragment)

    def _stop_fragments(self) -> None:
        for task in self._fragments.values():
            task.cancel()
        self._fragments.clear()


@asynccontextmanager
async def opened(server: Server, pages: Sequence[Page], people: Sequence[dict[str, str]] = ()) -> AsyncIterator[list[Session]]:
    """A session for each page, drawn once, each with a live status line; of the reader, or of people by their headers."""
    sessions: list[Session] = []
    tasks: list[asyncio.Task[None]] = []
    limits = httpx.Limits(max_connections=len(pages), keepalive_expiry=IDLE_SECONDS)
    async with httpx.AsyncClient(base_url=f"http://{server.address}", limits=limits) as client:
        try:
            for page, headers in zip(pages, people or [server.headers] * len(pages), strict=True):
                connected = await websockets.connect(
                    f"ws://{server.address}/_stcore/stream",
                    subprotocols=[Subprotocol("streamlit")],
                    max_size=None,
                    additional_headers=headers,
                )
                session = Session(connected, page, client, headers)
                sessions.append(session)
                tasks += [asyncio.create_task(work) for work in (session.listen(), session.look_at_status(), session.follow())]
                await session.rerun()
            yield sessions
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            for session in sessions:
                await session.close()
            for error in ended:
                if isinstance(error, Exception):
                    raise error


# ---------------------------------------------------------------- what is timed


async def time_alone(server: Server, page: Page, reruns: int) -> list[float]:
    """Reruns of a page while nobody else has one open."""
    async with opened(server, [page]) as [session]:
        return [await session.rerun() for _ in range(reruns)]


async def time_in_turn(server: Server, pages: Sequence[Page], reruns: int) -> tuple[list[float], list[float]]:
    """Reruns of one session after the other while all are open; and then of all of them at the same moment."""
    async with opened(server, pages) as sessions:
        in_turn = [await sessions[number % len(sessions)].rerun() for number in range(reruns)]
        at_once = await asyncio.gather(*(session.rerun() for session in sessions))
        return in_turn, list(at_once)
