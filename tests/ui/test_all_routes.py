"""What a module of the app can answer, the server answers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from ui.routes import all_routes

ROOT = Path(__file__).parents[2]
WITH_ROUTES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "ui").rglob("*.py")
    if "\ndef routes(" in path.read_text("utf-8")
)


@pytest.mark.parametrize("module", WITH_ROUTES)
def test_no_route_is_forgotten(module: str) -> None:
    paths = [route.path for route in import_module(module).routes()]
    assert paths and set(paths) <= {route.path for route in all_routes()}
