"""The process of the worker beside the app: started again, heard, killed, and its log."""

from __future__ import annotations

import errno
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tree.store.models import Source
from ui.server.tools import Tools
from ui.server.worker_process import WorkerProcess

PATIENCE = 40  # seconds; a busy machine starts a process slowly


def test_a_worker_that_dies_is_started_again_and_ends_with_us(home: Path, tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.server.worker_process.FIRST_WAIT", 0.05)
    worker = WorkerProcess(home)
    worker.start()
    try:
        first = _child(worker)
        first.kill()
        second = _child(worker, first)
    finally:
        worker.stop()
    assert second.poll() is not None
    assert "started again" in (home / "worker.log").read_text()


def test_a_worker_that_hangs_is_killed_and_another_goes_on(
    home: Path, tools: Tools, source: Source, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.server.worker_process.FIRST_WAIT", 0.05)
    worker = WorkerProcess(home, look_seconds=0.25)
    worker.start()
    try:
        _until(lambda: worker._is_heard, "it was heard")
        first = _child(worker)
        assert worker.is_alive and worker.restarts == 0
        first.send_signal(signal.SIGSTOP)
        _until(lambda: not worker.is_alive, "its silence was noticed")
        folder.joinpath("new.md").write_text("# New\n\nThe quagga stands in the yard.\n", "utf-8")
        _child(worker, first)
        _until(lambda: "new.md" in tools.workspace.store.documents.ids(source.id), "the next one had read the new file")
        assert first.poll() == -signal.SIGKILL
    finally:
        worker.stop()
    assert "it hangs, and is killed" in (home / "worker.log").read_text()


def test_a_full_disk_under_the_log_of_the_worker_is_one_line(
    home: Path, tools: Tools, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    worker = WorkerProcess(home)
    worker._write("one")
    with monkeypatch.context() as patched:
        patched.setattr(worker._log.stream, "write", full)
        worker._write("two")
        worker._write("three")
    worker._write("four")
    worker._log.close()
    assert [record.message for record in caplog.records] == ["worker.log cannot be written: [Errno 28] No space left on device"]
    assert "Traceback" not in capsys.readouterr().err
    assert (home / "worker.log").read_text().split() == ["one", "four"]


def _child(worker: WorkerProcess, not_: object = None) -> subprocess.Popen[bytes]:
    _until(lambda: worker._child not in (None, not_), "there was a worker")
    assert worker._child is not None
    return worker._child


def _until(condition: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"waited {PATIENCE} s in vain until {what}"
        time.sleep(0.05)
