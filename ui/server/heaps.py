"""How the C library keeps memory that was freed."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress

MOST = 2  # the interpreter lets one thread allocate at a time anyway
M_ARENA_MAX = -8  # malloc.h of glibc
VARIABLE = "MALLOC_ARENA_MAX"  # in the environment: glibc reads it by itself


def share_heaps() -> None:
    """To be called before there are many threads. By itself glibc gives eight of them for each processor a heap of their own, and
    what is free in one is of no use to the others: 41 MB of the process of the pages after 1,400 questions, with this 20 MB."""
    if sys.platform == "linux" and VARIABLE not in os.environ:
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, MOST)
