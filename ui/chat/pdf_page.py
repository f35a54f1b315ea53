"""A page of a PDF as a picture with the cited passages marked, drawn in a child process: no PDF may end the app."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from connectors.formats.pdf import Rendered, render_page
from connectors.sandbox import Limits, Sandbox

_sandbox = Sandbox(workers=1, limits=Limits(seconds=20, megabytes=1_500))


class Wanted(NamedTuple):
    path: str
    page: int
    quote: str
    passwords: tuple[str, ...] = ()
    current: str = ""


def draw(path: Path, page: int, quote: str, passwords: tuple[str, ...] = (), current: str = "") -> Rendered | None:
    """None when it cannot be drawn."""
    done = _sandbox.run(_draw, Wanted(str(path), page, quote, passwords, current))
    return done if isinstance(done, Rendered) else None


def _draw(wanted: Wanted) -> Rendered | str:
    try:
        return render_page(wanted.path, wanted.page, wanted.quote, 1.6, wanted.passwords, wanted.current)
    except Exception as error:  # noqa: BLE001 - in the child: whatever is wrong with the file, the text is shown without it
        return str(error)
