"""What is noted of a fault of ours; children hand it back."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """Why something of ours has no result: an error by its name, and where it happened."""

    name: str
    trace: str
