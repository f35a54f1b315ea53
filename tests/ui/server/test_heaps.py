"""Threads share the heaps of the C library."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from ui.server.heaps import MOST, VARIABLE

HEAPS_OF_THREADS = """
import ctypes, sys, threading
from ui.server.heaps import share_heaps

if sys.argv[1:]:
    share_heaps()
all_there, kept = threading.Barrier(8), []

def allocate():
    all_there.wait()
    kept.append([bytes(1_000) for _ in range(1_000)])
    all_there.wait()

threads = [threading.Thread(target=allocate) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
library = ctypes.CDLL(None)
library.malloc_info(0, ctypes.c_void_p.in_dll(library, "stdout"))
library.fflush(None)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="heaps of threads are glibc's")
def test_threads_share_a_few_heaps() -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}

    def heaps(*arguments: str) -> int:
        command = [sys.executable, "-c", HEAPS_OF_THREADS, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.count("<heap nr=")

    assert heaps() > MOST, "each thread has one by itself"
    assert heaps("shared") <= MOST
