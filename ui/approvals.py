"""“They are really gone”: withheld documents are removed by a process of their own, as from the command line."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

from ui.service import CODE

_lock = threading.Lock()
_running: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}  # with what it says when it fails


def approve(home: Path, source_id: str) -> None:
    """Begins to remove the withheld documents; asking twice begins once."""
    with _lock:
        if source_id in _running and _running[source_id][0].poll() is None:
            return
        command = [sys.executable, "-m", "ingestion", "approve", source_id, "--home", str(home)]
        errors = tempfile.TemporaryFile()  # noqa: SIM115  # read when the process has ended
        process = subprocess.Popen(command, cwd=CODE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        _running[source_id] = process, errors


def is_running(source_id: str) -> bool:
    with _lock:
        return source_id in _running and _running[source_id][0].poll() is None


def refusal(source_id: str) -> str:
    """Why the last removal did not work, told once; empty when it did or is still going on."""
    with _lock:
        if source_id not in _running or _running[source_id][0].poll() is None:
            return ""
        process, errors = _running.pop(source_id)
    with errors:
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip().splitlines()
    return (said[-1] if said else "It ended without a word.") if process.returncode else ""
