"""What the app says when it cannot start: one line, and an exit status that is not 0."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(home: Path, port: int, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), *options]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"KNOWLEDGE_TREE_HOME": str(home)}, capture_output=True, text=True, timeout=60
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_data_folder_that_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = start(tmp_path / "file" / "home", free_port())
    assert ended.returncode != 0
    assert ended.stderr.startswith("Knowledge Tree cannot start: ") and len(ended.stderr.strip().splitlines()) == 1


def test_a_path_to_be_served_below_is_refused_with_what_to_do(tmp_path: Path) -> None:
    ended = start(tmp_path / "home", free_port(), "--server.baseUrlPath", "/tree/")
    assert ended.returncode != 0 and not (tmp_path / "home").exists()
    assert (
        ended.stderr.startswith("Knowledge Tree cannot start: server.baseUrlPath is “tree”")
        and "a host name of its own" in ended.stderr
    )
    assert len(ended.stderr.strip().splitlines()) == 1


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = start(tmp_path / "home", port)
    assert ended.returncode != 0
    assert f"Port {port} is not available" in ended.stderr and len(ended.stderr.strip().splitlines()) == 1
