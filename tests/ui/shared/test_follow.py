"""A page that asks to be drawn again by itself, while somebody sends a question."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

ROOT = Path(__file__).parents[3]
START_SECONDS = 60
DRAWN_SECONDS = 20
MOMENT_SECONDS = 0.03  # in which the page has begun to be drawn, and its question box is not there
OPTIONS = {"server.headless": "true", "server.fileWatcherType": "none", "runner.postScriptGC": "false"}


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    return tmp_path / "asked.txt"


@pytest.fixture(params=["followed_page"])
def server(asked: Path, request: pytest.FixtureRequest) -> Iterator[ClientConnection]:
    """A connection to a page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--{name}={value}" for name, value in (OPTIONS | {"server.port": str(port)}).items()]
    command = [sys.executable, "-m", "streamlit", "run", f"tests/ui/shared/{request.param}.py", *options]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "ASKED": str(asked)})
    try:
        with _connection(port) as connection:
            yield connection
    finally:
        process.kill()
        process.wait()


def _connection(port: int) -> ClientConnection:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            return connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=[Subprotocol("streamlit")], max_size=None)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def test_no_question_is_lost_that_is_sent_when_the_page_asks_to_be_drawn_again(server: ClientConnection, asked: Path) -> None:
    server.send(BackMsg(rerun_script={}).SerializeToString())
    elements = drawn(server)
    questions = [f"question {number}" for number in range(25)]
    for question in questions:
        server.send(_sent(elements["chat_input"], question))
        server.send(_drawn_again(elements["bidi_component"]))
        elements |= drawn(server)
    assert asked.read_text().splitlines() == questions


def test_no_question_is_lost_that_stops_the_page_while_it_is_drawn(server: ClientConnection, asked: Path) -> None:
    """The question box comes last: the run that is stopped has not drawn it."""
    server.send(BackMsg(rerun_script={}).SerializeToString())
    elements = drawn(server)
    questions = [f"question {number}" for number in range(25)]
    for question in questions:
        server.send(BackMsg(rerun_script={}).SerializeToString())
        time.sleep(MOMENT_SECONDS)
        server.send(_sent(elements["chat_input"], question))
        elements |= drawn(server)
    assert asked.read_text().splitlines() == questions


@pytest.mark.parametrize("server", ["clicked_page"], indirect=True)
@pytest.mark.parametrize(("name", "said"), [("act", "up"), ("look", "place"), ("cite", {"number": 3})])
def test_no_click_in_an_answer_is_lost_that_stops_while_the_page_is_drawn(
    server: ClientConnection, asked: Path, name: str, said: object
) -> None:
    """The answer comes last: the run that the click began is stopped before it is drawn."""
    server.send(BackMsg(rerun_script={}).SerializeToString())
    answer = drawn(server)["bidi_component"]
    server.send(_triggered(answer, name, said))
    time.sleep(MOMENT_SECONDS)
    server.send(BackMsg(rerun_script={}).SerializeToString())
    drawn(server)
    assert asked.read_text().splitlines() == [json.dumps(said)]


def test_a_dialog_that_somebody_has_open_is_not_closed(server: ClientConnection) -> None:
    server.send(BackMsg(rerun_script={}).SerializeToString())
    elements = drawn(server)
    server.send(_drawn_again(elements["bidi_component"]))
    assert "button" in drawn(server)  # the page was drawn again
    server.send(_clicked(elements["button"]))
    assert "text_input" in (elements := elements | drawn(server))  # of the dialog
    server.send(_drawn_again(elements["bidi_component"]))
    assert "button" not in drawn(server)
    server.send(BackMsg(rerun_script={}).SerializeToString())  # it is closed
    assert "text_input" not in drawn(server)
    server.send(_drawn_again(elements["bidi_component"]))
    assert "button" in drawn(server)


def drawn(server: ClientConnection, quiet_seconds: float = 0.15) -> dict[str, Delta]:
    """What the page has drawn last, by the kind of the element, once it is quiet again."""
    elements: dict[str, Delta] = {}
    is_drawn = False
    while True:
        try:
            message = ForwardMsg.FromString(server.recv(quiet_seconds if is_drawn else DRAWN_SECONDS))
        except TimeoutError:
            return elements
        match message.WhichOneof("type"):
            case "new_session":
                is_drawn = False
            case "delta":
                elements[message.delta.new_element.WhichOneof("type")] = message.delta
            case "script_finished":
                is_drawn = message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN


def _sent(box: Delta, question: str) -> bytes:
    message = BackMsg(rerun_script={})
    message.rerun_script.widget_states.widgets.add(id=box.new_element.chat_input.id).chat_input_value.data = question
    return message.SerializeToString()


def _clicked(button: Delta) -> bytes:
    message = BackMsg(rerun_script={})
    message.rerun_script.widget_states.widgets.add(id=button.new_element.button.id).trigger_value = True
    return message.SerializeToString()


def _drawn_again(follow: Delta) -> bytes:
    """What the browser sends for `setTriggerValue("changed", true)`."""
    return _triggered(follow, "changed", True)


def _triggered(component: Delta, name: str, value: object) -> bytes:
    """What the browser sends for `setTriggerValue(name, value)`."""
    message = BackMsg(rerun_script={"fragment_id": component.fragment_id})
    events = message.rerun_script.widget_states.widgets.add(
        id=f"$$STREAMLIT_INTERNAL_KEY_{component.new_element.bidi_component.id}__events"
    )
    events.json_trigger_value = json.dumps([{"event": name, "value": value}])
    message.rerun_script.widget_states.widgets.add(id=component.new_element.bidi_component.id).json_value = "{}"
    return message.SerializeToString()
