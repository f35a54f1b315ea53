"""Packs things for another process, by their values where that is twice as fast, and unpacks what one hands back.

A child process reads what strangers wrote, and may do anything by the time it answers. So of its answers only plain values
are made, things of the classes that were named here, and errors.
"""

from __future__ import annotations

import copyreg
import io
import math
import pickle
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from operator import attrgetter
from typing import Any, NamedTuple

from connectors.base import Cancelled, Check, ConnectorError, Container, Problem

ERRORS = ("connectors", "builtins")  # the packages of the errors that a child may raise here

_named: dict[tuple[str, str], type] = {}


class Answer(NamedTuple):
    """What a child hands back of one input: a result or an error, the most memory it has held, and how long it took."""

    result: Any
    megabytes: int
    seconds: float


def pack_by_values(*classes: type) -> None:
    """From now on `pickle` makes things of these dataclasses anew from their values, all of them, in order."""
    for one in classes:
        copyreg.pickle(one, _reducer(one))
    take_back(*classes)


def take_back(*classes: type) -> None:
    """From now on things of these classes are taken from a child. Only for classes that do nothing but hold values."""
    _named.update({(one.__module__, one.__qualname__): one for one in classes})


take_back(Check, Container, Problem)


def pack(answer: Answer) -> bytes:
    return pickle.dumps(tuple(answer), pickle.HIGHEST_PROTOCOL)


def pack_error(answer: Answer) -> bytes:
    """Of an error; one that would not be taken becomes one that is, with the same words."""
    try:
        packed = pack(answer)
        unpack(packed)
    except Exception:  # noqa: BLE001  (whatever a library's error does when it is packed: what it said goes on)
        error = answer.result
        packed = pack(answer._replace(result=RuntimeError(f"{type(error).__name__}: {error}")))
    return packed


def unpack(packed: bytes) -> Answer:
    """Raises pickle.UnpicklingError for all that is no answer of a child, or holds what is not taken from one."""
    try:
        result, megabytes, seconds = _Unpickler(io.BytesIO(packed)).load()
        if not isinstance(megabytes, int) or not isinstance(seconds, float) or not 0 <= seconds < math.inf:
            raise pickle.UnpicklingError("figures that are none")
        return Answer(result, megabytes, seconds)
    except pickle.UnpicklingError:
        raise
    except Exception as error:  # noqa: BLE001  (bytes that are no pickle raise nearly anything)
        raise pickle.UnpicklingError(f"{type(error).__name__}: {error}") from error


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        found = _named.get((module, name)) or _error(module, name)
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is not taken from a child process")
        return found


def _error(module: str, name: str) -> type | None:
    """An error of a connector or of Python itself, by its name."""
    package = module.partition(".")[0]
    if package not in ERRORS or "." in name:
        return None
    found = getattr(import_module(module), name, None)
    wanted = Exception if package == "builtins" else (ConnectorError, Cancelled)
    return found if isinstance(found, type) and issubclass(found, wanted) else None


def _reducer(one: type) -> Callable[[object], tuple[type, tuple[object, ...]]]:
    values = attrgetter(*(field.name for field in fields(one)))
    return lambda thing: (one, values(thing))
