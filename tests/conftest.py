"""What holds for all tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _main_module() -> Iterator[None]:
    """A page under test makes itself the main module, which multiprocessing would then run in every child of later tests."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
