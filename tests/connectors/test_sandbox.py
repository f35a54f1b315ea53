"""The sandbox: results in order of work, one input blamed for what it broke, nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.base import AccessLost, Limited
from connectors.sandbox import IDLE_SECONDS, MOST_IDLE, Limits, Sandbox, Stopped, idle_children
from tests.connectors.work import chatter, double, fail, grow, interrupt, killed, killed_once, limited, odd, process, sleep

ROOT = Path(__file__).parents[2]


def test_every_input_gets_its_result() -> None:
    with Sandbox() as sandbox:
        assert dict(sandbox.map(double, range(500))) == {number: 2 * number for number in range(500)}


def test_children_are_kept_between_runs_and_end_with_close() -> None:
    with Sandbox(workers=1) as sandbox:
        first = sandbox.run(process, 0)
        assert sandbox.run(process, 0) == first != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


def test_of_children_that_nobody_has_needed_for_a_while_only_the_last_few_stay() -> None:
    sandboxes = [Sandbox(workers=1) for _ in range(MOST_IDLE + 3)]
    before = [sandbox.run(process, 0) for sandbox in sandboxes]
    idle_children.end_some(time.monotonic() + IDLE_SECONDS / 2)
    assert [sandbox.run(process, 0) for sandbox in sandboxes] == before
    idle_children.end_some(time.monotonic() + IDLE_SECONDS + 1)
    kept = [now == then for now, then in zip([sandbox.run(process, 0) for sandbox in sandboxes], before, strict=True)]
    assert kept == [False] * 3 + [True] * MOST_IDLE
    for sandbox in sandboxes:
        sandbox.close()


def test_a_large_parent_does_not_make_its_children_look_large() -> None:
    ballast = bytearray(600_000_000)
    ballast[::4096] = b"x" * len(ballast[::4096])
    with Sandbox(workers=1) as sandbox:
        first = sandbox.run(process, 0)
        assert sandbox.run(process, 0) == first
    assert ballast


def test_work_is_shared_between_the_workers() -> None:
    with Sandbox(workers=2) as sandbox:
        assert len({pid for _, pid in sandbox.map(process, range(200))}) == 2


def test_of_inputs_that_take_long_few_are_handed_to_a_child_ahead() -> None:
    begun: list[float] = []

    def inputs() -> Iterator[float]:
        for _ in range(20):
            begun.append(0.6)
            yield 0.6

    with Sandbox(workers=1) as sandbox:
        results = sandbox.map(sleep, inputs())
        for _ in range(3):
            next(results)
        results.close()
    assert len(begun) <= 5


def test_an_input_over_time_is_stopped_and_the_others_are_done() -> None:
    with Sandbox(workers=1, limits=Limits(seconds=1)) as sandbox:
        results = dict(sandbox.map(sleep, [0.0, 30.0, 0.01]))
    assert isinstance(results[30.0], Stopped) and results[30.0].why == "time"
    assert results[0.0] == 0.0 and results[0.01] == 0.01


def test_a_slow_reader_of_results_is_not_taken_for_a_slow_input() -> None:
    with Sandbox(workers=1, limits=Limits(seconds=1)) as sandbox:
        for _, result in sandbox.map(double, range(4)):
            assert not isinstance(result, Stopped)
            time.sleep(0.6)


def test_an_error_of_the_function_is_raised_here() -> None:
    with Sandbox() as sandbox, pytest.raises(KeyError):
        sandbox.run(fail, 1)


def test_an_error_comes_with_what_it_says_or_as_its_words_alone() -> None:
    with Sandbox(workers=1) as sandbox:
        with pytest.raises(Limited) as raised:
            sandbox.run(limited, 17.5)
        assert (str(raised.value), raised.value.until) == ("Wait.", 17.5)
        with pytest.raises(RuntimeError, match="Odd: here: 3"):
            sandbox.run(odd, 3)
        assert sandbox.run(double, 4) == 8


def test_what_a_function_prints_disturbs_nothing() -> None:
    with Sandbox() as sandbox:
        assert dict(sandbox.map(chatter, range(5))) == {number: number for number in range(5)}


def test_a_run_given_up_in_the_middle_leaves_the_sandbox_usable() -> None:
    with Sandbox() as sandbox:
        next(results := sandbox.map(double, range(1_000)))
        results.close()
        assert sandbox.run(double, 4) == 8


def test_several_threads_can_use_it_at_once() -> None:
    found: dict[int, dict[int, object]] = {}
    with Sandbox() as sandbox:

        def work(offset: int) -> None:
            found[offset] = dict(sandbox.map(double, range(offset, offset + 100)))

        threads = [threading.Thread(target=work, args=(offset,)) for offset in (0, 1_000, 2_000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(found[offset] == {n: 2 * n for n in range(offset, offset + 100)} for offset in (0, 1_000, 2_000))


def test_an_interruption_from_outside_is_nobodys_fault() -> None:
    with Sandbox() as sandbox, pytest.raises(AccessLost):
        sandbox.run(interrupt, 1)


def test_a_child_that_cannot_start_blames_no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.sandbox.BOOT", "raise SystemExit(1)")
    with Sandbox() as sandbox, pytest.raises(AccessLost):
        sandbox.run(double, 1)


@pytest.mark.parametrize("left", range(5))
def test_where_no_child_can_be_started_that_is_said_and_nothing_stays_open(left: int) -> None:
    """With so few file descriptors left: for the pipe, or for what starting a program takes."""
    program = f"""
import os, resource
from connectors.base import AccessLost
from connectors.sandbox import Sandbox
from tests.connectors.work import double
sandbox, before = Sandbox(workers=1), len(os.listdir("/proc/self/fd"))
limits = resource.getrlimit(resource.RLIMIT_NOFILE)
first = os.dup(0)
os.close(first)
resource.setrlimit(resource.RLIMIT_NOFILE, (first + {left}, limits[1]))
try:
    print(sandbox.run(double, 4))
except AccessLost as error:
    print(error)
resource.setrlimit(resource.RLIMIT_NOFILE, limits)
sandbox.close()
print(len(os.listdir("/proc/self/fd")) - before)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    said, opened = done.stdout.splitlines()
    assert said == "The program that reads files could not be started. Check free memory, then try again. (Too many open files)"
    assert opened == "0"


def test_a_child_that_needed_much_memory_is_replaced() -> None:
    with Sandbox(workers=1) as sandbox:
        first = sandbox.run(process, 0)
        sandbox.run(grow, 0)
        assert sandbox.run(process, 0) != first


def test_an_input_whose_child_was_killed_is_tried_again_alone(tmp_path: Path) -> None:
    marker = str(tmp_path / "killed")
    with Sandbox(workers=2) as sandbox:
        assert [result for _, result in sandbox.map(killed_once, ["", marker, ""])] == ["", "", marker]


def test_an_input_whose_child_is_always_killed_is_told_from_one_that_crashes_it() -> None:
    with Sandbox(workers=1) as sandbox:
        result = sandbox.run(killed, 1)
    assert isinstance(result, Stopped) and result.why == "killed" and result.may_pass
    assert "memory" in result.reason and "damaged" not in result.reason


def test_the_main_program_is_not_run_again_in_the_child(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text(
        "from connectors.sandbox import Sandbox\nprint('page')\nwith Sandbox() as sandbox:\n    print(sandbox.run(abs, -3))\n"
    )
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(root)}, check=True
    )
    assert run.stdout == "page\n3\n"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see other processes")
def test_children_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "app.py"
    script.write_text(
        "import os, time\nfrom connectors.sandbox import Sandbox\nfrom tests.connectors.work import process\n"
        "sandbox = Sandbox(workers=1)\nprint(sandbox.run(process, 0), flush=True)\ntime.sleep(60)\n"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    ) as app:
        child = int(app.stdout.readline())  # type: ignore[union-attr]
        app.kill()
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def is_running(pid: int) -> bool:
    """Not counting one that has ended and waits to be collected by the init process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_inputs_and_results_larger_than_a_pipe_holds_do_not_wait_for_each_other() -> None:
    large = [bytes([number]) * 1_000_000 for number in range(12)]
    with Sandbox(1, at_once=1) as sandbox:
        assert [result for _, result in sandbox.map(bytes.upper, large)] == [text.upper() for text in large]
