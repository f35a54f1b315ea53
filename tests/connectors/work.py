"""What tests have the children of a sandbox do. Apart from the tests, because a child imports the file it is in."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from connectors.base import Limited
from connectors.formats import parse_bytes
from connectors.formats.parsed import Options, Parsed


def double(number: int) -> int:
    return 2 * number


def process(_: int) -> int:
    return os.getpid()


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def fail(_: int) -> int:
    raise KeyError("no such thing")


def chatter(number: int) -> int:
    print("noise", number)
    os.write(1, b"more noise")
    return number


def interrupt(_: int) -> int:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)
    return 0


def grow(_: int) -> int:
    return len(bytearray(500_000_000))


def breaks(name: str, data: bytes, options: Options) -> Parsed:
    """Reads files, but for three that nobody can."""
    if name == "slow.md":
        time.sleep(60)
    if name == "greedy.md":
        return Parsed("x", (), "x" * 10_000_000_000)
    if name == "deadly.md":
        os._exit(1)
    return parse_bytes(name, data, options)


def recorded(name: str, data: bytes, options: Options) -> Parsed:
    """Reads files, and notes each in the one that its text names."""
    with open(data.decode().strip(), "a", encoding="utf-8") as record:
        record.write(f"{name}\n")
    return parse_bytes(name, data, options)


def killed_once(marker: str) -> str:
    """Killed as the kernel kills for memory, the first time."""
    if marker and not os.path.exists(marker):
        with open(marker, "w", encoding="utf-8"):
            os.kill(os.getpid(), signal.SIGKILL)
    return marker


def killed(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def killed_by(name: str, data: bytes, options: Options) -> Parsed:
    """Reads files; the one that says so has its reader killed."""
    if data.startswith(b"deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    if data.startswith(b"greedy"):
        return Parsed("x", (), "x" * 10_000_000_000)
    return parse_bytes(name, data, options)


class Command:
    """What a reader that was taken over would answer: to make it again is to run a command."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (self.words,)


def commands(name: str, data: bytes, options: Options) -> Parsed:
    """Reads files; in place of one that holds a command comes the command itself."""
    read = parse_bytes(name, data, options)
    return Parsed("x", (), Command(data.decode())) if data.startswith(b"touch ") else read  # type: ignore[arg-type]


class Odd(Exception):
    """An error as libraries have them, that cannot be made anew of its message."""

    def __init__(self, place: str, number: int) -> None:
        super().__init__(f"{place}: {number}")


def limited(until: float) -> None:
    raise Limited("Wait.", until)


def odd(number: int) -> None:
    raise Odd("here", number)


def sleeps(name: str, data: bytes, options: Options) -> Parsed:
    """A reader that does not come to an end."""
    time.sleep(30)
    raise AssertionError
