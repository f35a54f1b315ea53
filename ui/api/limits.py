"""How much the programs of one person may ask; how many questions are answered at once is in ui/server/program_answers.py."""

from __future__ import annotations

import math

from tree.accounts.principal import Principal
from ui.server.program_answers import MOST_OF_ONE
from ui.server.rate_limit import RateLimit
from ui.server.tools import tools

MOST_BYTES = 100_000  # of a request

questions = RateLimit(120, 60)  # of one person's programs in a minute


class TooMany(Exception):
    """Too many questions; the message says what to wait for."""


def count_question(principal: Principal, address: str) -> None:
    """Raises TooMany where this person's programs have asked too many, or wait for too many answers."""
    if wait := questions.wait(principal.person_id or address):
        raise TooMany(f"Too many questions. Wait {math.ceil(wait)} seconds.")
    if (number := tools().programs.count(principal.person_id)) >= MOST_OF_ONE:
        raise TooMany(f"Too many questions: {number} of yours are not answered yet. Wait for some of them.")
