"""A process of its own for each measurement, so that the memory of one is not counted for the next."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_processes = multiprocessing.get_context("forkserver")


def in_a_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns there. Raises SystemExit with its message where it fails."""
    results = _processes.SimpleQueue()
    process = _processes.Process(target=_answer, args=(results, dict(os.environ), function, arguments))
    process.start()
    result, problem = results.get()
    process.join()
    if problem:
        raise SystemExit(problem)
    return result


def _answer(results: Any, environment: Mapping[str, str], function: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """With the environment of whoever asks: the server that forks keeps the one of the moment in which it was first needed."""
    os.environ.clear()
    os.environ.update(environment)
    try:
        results.put((function(*arguments), ""))
    except Exception as error:  # noqa: BLE001 it is raised again on the other side
        results.put((None, f"{type(error).__name__}: {error}"))
