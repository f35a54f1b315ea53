"""Runs what is asynchronous in a loop of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio

T = TypeVar("T")


def run(what: Callable[[], Awaitable[T]]) -> T:
    """In a thread of its own: a browser that other tests of this process drive keeps a loop running in ours."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, what).result()
