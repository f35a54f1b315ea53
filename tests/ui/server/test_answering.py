"""Questions answered in processes of their own: the same answers, with the same rights, stopped, killed, ended with the app."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prompts.stop import Stop
from tests.ui.people import MEMBER, tools_of
from tree.ask.ask import AskError
from tree.store.database import StoreError
from tree.store.errors import Busy, DamagedTree, FolderTrouble, SourceRemoved, Unreachable, Vanished
from tree.store.models import Source
from ui.chat.suggestion_cache import SuggestionCache
from ui.server.answering.jobs import ASK, FOLLOW_UP
from ui.server.answering.processes import CODE, VARIABLE, AnsweringProcesses, ProcessEnded, most_wanted
from ui.server.answering.question import answer_question, earlier_of
from ui.server.background_answers import DIED, BackgroundAnswer, BackgroundAnswers
from ui.server.scope import QuestionScope
from ui.server.suggesting.apart import tried_apart
from ui.server.suggesting.asked_next import follow_ups
from ui.server.suggesting.suggestions import ALL_SOURCES
from ui.server.suggesting.tried import questions_of
from ui.server.tools import Tools

QUESTION = "How do I restore the orders database?"
SECONDS = 60
GATED = "tests.ui.server.gated_ask:gated"


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether it runs; one that has ended, and that nobody has taken note of yet, does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GATE", str(tmp_path / "gate"))
    return tmp_path / "gate"


@pytest.fixture
def processes(tools: Tools, source: Source, gate: Path) -> Iterator[AnsweringProcesses]:
    """That are used from the first question on, of which the first is ready."""
    opened = AnsweringProcesses(tools.workspace.home, GATED, most=1, few=0)
    assert not opened.are_wanted(1)
    until(lambda: opened.are_wanted(1))
    yield opened
    opened.close()


@pytest.fixture
def runs(tools: Tools, processes: AnsweringProcesses) -> BackgroundAnswers:
    return BackgroundAnswers(tools.workspace, tools.chats, processes=processes)


def asked(runs: BackgroundAnswers, tools: Tools, question: str = QUESTION, chat: str | None = None) -> BackgroundAnswer:
    turn = runs.start(question, QuestionScope(), tools.principal.person_id, chat)
    run = runs.of(turn.id)
    assert run is not None
    return run


def test_it_is_the_same_answer_with_the_rights_and_the_chat_of_whoever_asks(
    tools: Tools, source: Source, runs: BackgroundAnswers, gate: Path
) -> None:
    [pid] = runs.processes.pids
    first = asked(runs, tools)
    steps = first.steps
    gate.touch()
    assert first.ended.wait(SECONDS) and first.state == "done"
    turn = tools.chats.turns.get(first.turn_id)
    here = dict(answer_question(tools.workspace, turn.id, QUESTION, "", tools.principal.person_id, stop=Stop()))["answer"]
    here = json.loads(json.dumps(here))
    answer = turn.answer
    assert {**answer, "usage": 0, "as_of": 0} == {**here, "usage": 0, "as_of": 0}
    assert [{**step, "heard": None} for step in steps] == [{**step, "heard": None} for step in here["trail"]]
    second = asked(runs, tools, "And why?", turn.chat_id)
    assert second.ended.wait(SECONDS) and tools.chats.turns.get(second.turn_id).answer["trail"][0]["kind"] == "chat"

    found = follow_ups(tools.workspace, tools.principal, ALL_SOURCES, answer, [earlier_of(QUESTION, answer)])
    told = {"asker": tools.principal.person_id, "sources": [source.id], "turn": turn.id, "answer": answer}
    assert tried_apart(runs.processes, FOLLOW_UP, told, Stop()) == [], "something else was asked meanwhile"
    told["turn"] = second.turn_id
    assert questions_of(tried_apart(runs.processes, FOLLOW_UP, told, Stop())) == found
    here, there = (
        SuggestionCache().find(tools.workspace, tools.principal, ALL_SOURCES, [source.id], apart)
        for apart in (None, runs.processes)
    )
    assert here.ended.wait(SECONDS) and there.ended.wait(SECONDS) and here.result == there.result != []

    tools.admin.set_audience(source.id, [])
    member = tools_of(MEMBER)
    third = asked(runs, member)
    assert third.ended.wait(SECONDS)
    nothing = tools.chats.turns.get(third.turn_id).answer
    assert nothing["verdict"] == "none" and nothing["sources"] == []
    told["asker"] = member.principal.person_id
    assert tried_apart(runs.processes, FOLLOW_UP, told, Stop()) == []
    assert runs.processes.pids == [pid]


def test_a_question_is_stopped_in_its_process(tools: Tools, runs: BackgroundAnswers) -> None:
    run = asked(runs, tools)
    until(lambda: run.steps)
    runs.stop(run.turn_id)
    assert run.ended.wait(SECONDS) and run.state == "stopped"
    kept = tools.chats.turns.get(run.turn_id)
    assert kept.state == "stopped" and len(kept.steps) == 1 and kept.answer is None


def test_a_question_whose_process_is_killed_is_asked_once_more(tools: Tools, runs: BackgroundAnswers, gate: Path) -> None:
    others = [asked(runs, tools, f"{QUESTION} {number}") for number in range(3)]
    told = [run.steps for run in others]
    until(lambda: all(told))
    [pid] = runs.processes.pids
    os.kill(pid, signal.SIGKILL)
    until(lambda: runs.processes.pids not in ([], [pid]))
    gate.touch()
    assert all(run.ended.wait(SECONDS) and run.state == "done" for run in others)
    trails = [[{**step, "heard": None} for step in tools.chats.turns.get(run.turn_id).answer["trail"]] for run in others]
    assert [[{**step, "heard": None} for step in steps] for steps in told] == trails, "no step is told twice"
    assert len(runs.processes.pids) == 1


def test_what_a_process_refuses_is_an_error_of_the_same_kind(tools: Tools, source: Source) -> None:
    opened = AnsweringProcesses(tools.workspace.home, "tests.ui.server.refusing_ask:refusing", most=1, few=0)
    kinds = (AskError, StoreError, Busy, DamagedTree, FolderTrouble, SourceRemoved, Unreachable, Vanished)
    for name, kind in {**{kind.__name__: kind for kind in kinds}, "OfAnotherKind": Busy}.items():
        arguments = {"turn": "", "question": name, "scope": "", "asker": tools.principal.person_id}
        with pytest.raises((AskError, StoreError)) as refused:
            list(opened.told(ASK, arguments, Stop()))
        assert type(refused.value) is kind and str(refused.value) == f"{name} in /srv/tree."
    opened.close()


BREAKS_OFF = """
import json, os, sys, time
sys.stdout.write('{"ready":true}' + chr(10))
sys.stdout.flush()
id_ = json.loads(sys.stdin.readline())["id"]
sys.stdout.write('{"id":%d,"told":["step",{"text":"' % id_ + "a" * 100_000)
sys.stdout.flush()
"""
KILLED = BREAKS_OFF + "os.kill(os.getpid(), 9)"  # as by a system that is out of memory
GOES_ON = BREAKS_OFF + "print(flush=True); time.sleep(600)"


@pytest.mark.parametrize("program", [KILLED, GOES_ON], ids=["killed", "goes on"])
def test_a_process_that_breaks_off_in_the_middle_of_a_line_keeps_nobody_waiting(tmp_path: Path, program: str) -> None:
    opened = AnsweringProcesses(tmp_path, most=1, few=0, command=(sys.executable, "-c", program))
    told: list[object] = []

    def ask() -> None:
        try:
            for one in opened.told(ASK, {}, Stop()):
                told.append(one)
        except ProcessEnded:
            told.append("ended")

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(SECONDS)
    assert told == [("restart", None), "ended"], "each of the two tries is given up"
    assert opened.pids == []
    opened.close()


def test_one_that_kills_its_process_twice_is_told(tools: Tools, runs: BackgroundAnswers) -> None:
    run = asked(runs, tools)
    killed: set[int] = set()
    while not run.ended.is_set() and len(killed) < 3:
        until(lambda: run.ended.is_set() or run.steps and set(runs.processes.pids) - killed)
        for pid in set(runs.processes.pids) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        until(lambda: run.ended.is_set() or not run.steps)
    assert (run.state, run.message, len(killed)) == ("failed", DIED, 2)
    assert tools.chats.turns.get(run.turn_id).state == "failed"


def test_closing_leaves_no_process_and_marks_what_is_unfinished(tools: Tools, runs: BackgroundAnswers) -> None:
    run = asked(runs, tools)
    until(lambda: run.steps)
    [pid] = runs.processes.pids
    runs.close()
    assert not lives(pid)
    assert tools.chats.turns.get(run.turn_id).state == "interrupted"
    assert not runs.processes.are_wanted(10)


STARTS = """
import sys, time
from pathlib import Path
from ui.server.answering.processes import AnsweringProcesses
opened = AnsweringProcesses(Path(sys.argv[1]), most=1, few=0)
while not opened.are_wanted(1):
    time.sleep(0.02)
print(opened.pids[0], flush=True)
time.sleep(600)
"""


def test_an_app_that_is_killed_leaves_no_process(tools: Tools, source: Source) -> None:
    app = subprocess.Popen([sys.executable, "-c", STARTS, str(tools.workspace.home)], cwd=CODE, stdout=subprocess.PIPE)
    pid = int(app.stdout.readline())
    assert lives(pid)
    app.kill()
    app.wait()
    app.stdout.close()
    until(lambda: not lives(pid))


def test_few_questions_take_no_process(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = AnsweringProcesses(tools.workspace.home, most=4)
    assert not opened.are_wanted(2) and opened.pids == []
    assert not AnsweringProcesses(tools.workspace.home, most=0).are_wanted(50)
    monkeypatch.setenv(VARIABLE, "0")
    assert most_wanted() == 0
    monkeypatch.setenv(VARIABLE, "many")
    with pytest.raises(StoreError, match="give the number"):
        most_wanted()
