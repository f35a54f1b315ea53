"""The process of a model is kept alive and never left behind; here it is played by small programs, see test_real_engine.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompts.engine.process import CODE, LOG_NAME, EngineProcess, EngineState
from prompts.engine.spec import EngineError, EngineSpec, free_port
from prompts.engine.state import read_state, why_not, write_state

READY = 'import sys, json; sys.stdin.readline(); print(json.dumps({"state": "ready", "address": ""}), flush=True); '
SPEC = EngineSpec(file="/models/tiny.gguf", port=8_790)
PATIENCE = 30.0


def playing(program: str, folder: Path) -> EngineProcess:
    return EngineProcess(SPEC, "key", folder, (sys.executable, "-c", program)).start()


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_process_is_ready_when_it_says_so_and_ends_when_stopped(tmp_path: Path) -> None:
    process = playing(READY + "sys.stdin.read()", tmp_path)
    process.wait_ready(PATIENCE)
    pid = process.state.pid
    assert pid is not None and process.state.memory
    process.stop()
    assert process.state.name == "stopped" and not is_alive(pid)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is full")
def test_a_full_disk_loses_lines_of_the_log_and_nothing_else(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / LOG_NAME).symlink_to("/dev/full")
    process = playing("import sys; print('loading', file=sys.stderr, flush=True); " + READY + "sys.stdin.read()", tmp_path)
    process.wait_ready(PATIENCE)
    process.stop()
    assert process.state.name == "stopped" and capfd.readouterr().err == ""


def test_the_process_gets_its_model_and_key_over_its_input_alone(tmp_path: Path) -> None:
    process = playing(
        "import sys, json; said = json.loads(sys.stdin.readline()); "
        'print(json.dumps({"state": "failed", "sentence": said["spec"]["file"] + " " + said["key"] + " " + " ".join(sys.argv)}), flush=True)',
        tmp_path,
    )
    with pytest.raises(EngineError, match=r"/models/tiny\.gguf key -c"):
        process.wait_ready(PATIENCE)
    process.stop()


def test_one_that_dies_is_started_again_and_what_happened_is_said(tmp_path: Path) -> None:
    process = playing(READY + "sys.stdin.read()", tmp_path)
    process.wait_ready(PATIENCE)
    first = process.state.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    until(lambda: process.state.name == "waiting")
    assert "most likely for want of memory" in process.state.sentence and process.state.restarts == 1
    until(lambda: process.state.name == "ready")
    assert process.state.pid != first and process.state.restarts == 1
    process.stop()


@pytest.mark.parametrize("half", ['{"state": "fai', '["ready"]\\n', "\\xff\\n"])
def test_one_that_is_killed_in_the_middle_of_a_line_is_started_again(tmp_path: Path, half: str) -> None:
    killed = f"import os; sys.stdout.buffer.write({half!r}.encode('latin-1')); sys.stdout.flush(); os.kill(os.getpid(), 9)"
    process = playing(READY + killed, tmp_path)
    until(lambda: process.state.restarts >= 2)
    process.stop()
    assert process.state.name == "stopped"


def test_one_that_goes_on_after_what_is_no_message_is_ended(tmp_path: Path) -> None:
    process = playing(READY + "print('loading', flush=True); sys.stdin.read()", tmp_path)
    until(lambda: process.state.restarts >= 1)
    process.stop()


def test_one_that_always_dies_is_tried_less_and_less_often(tmp_path: Path) -> None:
    process = playing(f"open({str(tmp_path / 'starts')!r}, 'a').write('x'); raise SystemExit(3)", tmp_path)
    with pytest.raises(EngineError, match=r"ended by itself while it was loaded \(status 3\).*engine\.log"):
        process.wait_ready(PATIENCE)
    until(lambda: process.state.restarts >= 2)
    time.sleep(0.5)
    process.stop()
    assert len((tmp_path / "starts").read_text()) <= 3, "it waits longer each time"


class LateSpec(EngineSpec):
    """Is written to the process only when that has ended."""

    def model_dump(self, **options: Any) -> dict[str, Any]:
        time.sleep(0.5)
        return super().model_dump(**options)


def test_one_that_ends_before_it_has_read_what_it_is_given_is_started_again(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "raise SystemExit(3)")
    process = EngineProcess(LateSpec(file="/models/tiny.gguf", port=8_790), "key", tmp_path, command).start()
    until(lambda: process.state.restarts >= 2)
    process.stop()


def test_what_a_process_prints_is_in_the_log(tmp_path: Path) -> None:
    process = playing("import sys; sys.stderr.write('loading weights\\n'); raise SystemExit(1)", tmp_path)
    until(lambda: process.state.name == "waiting")
    process.stop()
    assert "loading weights" in (tmp_path / "engine.log").read_text()


def test_it_does_not_outlive_whoever_started_it_however_that_ended(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from prompts.engine.process import EngineProcess; from prompts.engine.spec import EngineSpec; "
        f"process = EngineProcess(EngineSpec(file='/m.gguf', port=8790), 'key', Path({str(tmp_path)!r}), "
        f"(sys.executable, '-c', {READY + 'sys.stdin.read()'!r})).start(); process.wait_ready(30); print(process.state.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=CODE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_alive(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not is_alive(pid))


def test_others_are_told_how_it_stands_while_whoever_runs_it_lives(tmp_path: Path) -> None:
    assert "python -m tree model run" in why_not(tmp_path)
    write_state(tmp_path, EngineState("starting"))
    assert "being loaded; ask again in a moment" in why_not(tmp_path)
    write_state(tmp_path, EngineState("ready", pid=os.getpid()))
    assert why_not(tmp_path) == "" and read_state(tmp_path).memory
    write_state(tmp_path, EngineState("waiting", "Port 8790 is taken."))
    assert why_not(tmp_path) == "Port 8790 is taken."
    writer = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from prompts.engine.state import *; write_state(__import__('pathlib').Path({str(tmp_path)!r}), EngineState('ready'))",
        ],
        cwd=CODE,
        check=True,
    )
    assert writer.returncode == 0 and read_state(tmp_path).name == "stopped"


def test_two_models_that_were_chosen_while_neither_ran_do_not_want_the_same_port() -> None:
    assert free_port() != free_port(embeddings=True)
