"""The worker beside the app: its process, which is started again should it die or hang, and its log."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from tree import logs

CODE = Path(__file__).resolve().parents[2]
LOG_BYTES = 1_000_000  # of worker.log; one older part is kept beside it
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # seconds before a worker that died is started again
STEADY_SECONDS = 60  # after a worker that ran for so long, the next wait is short again
SHUTDOWN_SECONDS = 12
LAST_LINES_SECONDS = 2.0  # of one that ended: a process that it started may hold its log open
LOOK_SECONDS = 5.0  # between two looks whether it was heard
# Looks, not seconds: a machine that slept has missed one of them. Half as many, and it counts as not running.
SILENT_LOOKS = 12

log = logging.getLogger("knowledge-tree")


class WorkerProcess:
    """Runs `python -m ingestion.worker` as a child and starts it again should it die; one that hangs is killed.

    Its standard input stays open as long as we live: when it closes, however we ended, the child ends too.
    """

    def __init__(self, home: Path, environment: Mapping[str, str] | None = None, look_seconds: float = LOOK_SECONDS) -> None:
        """`environment` is what the child sees besides our own."""
        self.home = home
        self._look_seconds = look_seconds
        self._is_heard = False  # since it was started, which may take long
        self._silent_looks = 0  # one after the other
        self._environment = {**os.environ, **(environment or {})}
        self.restarts = 0  # after it died
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="worker", daemon=True)
        self._log = _WorkerLog(home / "worker.log", maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", errors="replace")

    def start(self) -> None:
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it runs and does not hang."""
        return (child := self._child) is not None and child.poll() is None and 2 * self._silent_looks < SILENT_LOOKS

    def stop(self) -> None:
        self._stopping.set()
        if (child := self._child) is not None and child.stdin is not None:
            child.stdin.close()
        self._thread.join(SHUTDOWN_SECONDS)
        if (child := self._child) is not None and child.poll() is None:
            child.kill()
            child.wait()
        self._log.close()

    def _keep(self) -> None:
        wait = FIRST_WAIT
        while not self._stopping.is_set():
            lived = self._run_once()
            if self._stopping.is_set():
                return
            self.restarts += 1
            wait = FIRST_WAIT if lived > STEADY_SECONDS else min(LONGEST_WAIT, wait * 2)
            self._write(f"The worker is started again in {wait:.0f} s.")
            self._stopping.wait(wait)

    def _run_once(self) -> float:
        began = time.monotonic()
        command = [sys.executable, "-m", "ingestion.worker", "--heartbeat", "--home", str(self.home)]
        try:
            child = subprocess.Popen(
                command, cwd=CODE, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._write(f"The worker could not be started: {error}")
            return 0.0
        self._child = child
        if self._stopping.is_set() and child.stdin is not None:
            child.stdin.close()
        self._is_heard, self._silent_looks = False, 0
        copying = threading.Thread(target=self._copy, args=(child.stderr,), name="worker.log", daemon=True)
        copying.start()
        threading.Thread(target=self._listen, args=(child.stdout,), name="worker heartbeat", daemon=True).start()
        self._wait(child)
        copying.join(LAST_LINES_SECONDS)
        return time.monotonic() - began

    def _wait(self, child: subprocess.Popen[bytes]) -> None:
        """Until it ends, by itself or because it was not heard any more."""
        while True:
            try:
                child.wait(self._look_seconds)
            except subprocess.TimeoutExpired:
                self._silent_looks += self._is_heard
                if self._silent_looks > SILENT_LOOKS:
                    self._write(
                        f"The worker has not been heard for {SILENT_LOOKS * self._look_seconds:.0f} s: it hangs, and is killed."
                    )
                    child.kill()
            else:
                if not self._stopping.is_set():
                    self._write(f"The worker ended by itself, with status {child.returncode}.")
                return

    def _listen(self, beats: IO[bytes] | None) -> None:
        for _ in beats or ():
            self._is_heard, self._silent_looks = True, 0

    def _copy(self, lines: IO[bytes] | None) -> None:
        for line in lines or ():
            self._write(line.decode("utf-8", "replace").rstrip()[:4_000])

    def _write(self, line: str) -> None:
        if logs.is_json():  # whoever collects lines reads them all in one place
            print(
                line if line.startswith("{") else json.dumps({"logger": "worker", "message": line}), file=sys.stderr, flush=True
            )
        self._log.handle(logging.LogRecord("worker", logging.INFO, "", 0, line, None, None))


class _WorkerLog(RotatingFileHandler):
    """Where it cannot be written, as on a full disk, that is said in one line, and once until it can be again."""

    _is_failing = False

    def emit(self, record: logging.LogRecord) -> None:
        self._has_failed = False
        super().emit(record)
        self._is_failing = self._has_failed

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not self._is_failing:
            log.error("worker.log cannot be written: %s", sys.exception())
        self._has_failed = True
