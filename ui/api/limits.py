"""How much the programs of one person, and all of them together, may ask at once."""

from __future__ import annotations

import math

import anyio

from tree.accounts.principal import Principal
from ui.server.rate_limit import RateLimit

MOST_BYTES = 100_000  # of a request
AT_ONCE = 4  # questions of programs answered at the same time; those of people have threads of their own

asking = anyio.CapacityLimiter(AT_ONCE)
questions = RateLimit(120, 60)  # of one person's programs in a minute


class TooMany(Exception):
    """Too many questions; the message says how long to wait."""


def count_question(principal: Principal, address: str) -> None:
    """Raises TooMany where this person's programs have asked too many."""
    if wait := questions.wait(principal.person_id or address):
        raise TooMany(f"Too many questions. Wait {math.ceil(wait)} seconds.")
