"""One command starts it, says where it is and how to sign in, and stops when told."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "jira_simulator"]


def test_it_starts_with_the_sample_says_how_to_sign_in_and_stops() -> None:
    started = subprocess.Popen(
        [*COMMAND, "--sample", "sample/jira", "--port", "0", "--play", "--speed", "100000"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        lines: list[str] = []
        assert started.stdout is not None
        for line in started.stdout:
            lines.append(line.rstrip())
            if line.startswith("16:20"):
                break
        said = "\n".join(lines)
        email, token = (re.search(rf"{name}\s+(\S+)", said)[1] for name in ("e-mail", "token"))  # type: ignore[index]
        port = re.search(r"http://127.0.0.1:(\d+)$", lines[0])[1]  # type: ignore[index]
        info = httpx.get(f"http://127.0.0.1:{port}/rest/api/3/myself", auth=(email, token)).json()
        assert info["displayName"] == "Knowledge Tree"
        assert "GWY (81)" in said and "11:25 GWY-297   Leila deletes" in said
        assert httpx.get(f"http://127.0.0.1:{port}/rest/api/3/issue/GWY-297", auth=(email, token)).status_code == 404
    finally:
        started.send_signal(signal.SIGINT)
        assert started.wait(10) == 0
        assert started.stderr is not None and "Traceback" not in started.stderr.read()
        for stream in (started.stdout, started.stderr):
            stream.close()  # type: ignore[union-attr]


def test_one_that_a_shell_has_started_in_the_background_can_be_interrupted() -> None:
    command = shlex.join([*COMMAND, "--port", "0"])
    with subprocess.Popen(["sh", "-c", f"trap '' INT; exec {command}"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        for line in started.stdout:
            if line.startswith("Ctrl+C"):
                break
        started.send_signal(signal.SIGINT)
        assert started.wait(20) == 0


def test_without_options_it_has_a_small_project_of_its_own() -> None:
    with subprocess.Popen([*COMMAND, "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        said = "".join(iter(started.stdout.readline, "Ctrl+C stops it.\n"))
        started.send_signal(signal.SIGINT)
    assert started.returncode == 0 and "LAMP (5), DESK (1)" in said and "clock    2026-03-02 08:00" in said


def test_a_file_that_is_not_there_is_said_in_one_line() -> None:
    done = subprocess.run([*COMMAND, "--load", "nowhere.jsonl.gz"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("It cannot start: ") and done.stderr.count("\n") == 1


def test_an_address_that_is_taken_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run([*COMMAND, "--port", port], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"It cannot listen on 127.0.0.1:{port} (") and done.stderr.count("\n") == 1


def test_the_help_names_every_option_and_shows_how_to_begin() -> None:
    done = subprocess.run([*COMMAND, "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    for words in ("--personality", "--load", "--play", "--speed", "--index-lag", "/simulator/do", "examples:"):
        assert words in done.stdout
