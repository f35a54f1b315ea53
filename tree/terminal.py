"""What the command lines print: names from outside steer no terminal."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from typing import TextIO

from prompts.language import visible


@contextlib.contextmanager
def visible_output() -> Iterator[None]:
    """While it lasts, control characters and marks of direction are printed as escapes, to both outputs."""
    with contextlib.redirect_stdout(_Visible(sys.stdout)), contextlib.redirect_stderr(_Visible(sys.stderr)):
        yield


class _Visible(io.TextIOBase):
    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(visible(text))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()
