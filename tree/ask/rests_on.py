"""What an answer that was kept (`Answer.as_json`) rests on, for whoever decides who may see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def rests_on(answer: Mapping[str, Any], everything: Collection[str]) -> frozenset[str]:
    """The ids of its sources. An answer that does not say, as those of earlier releases, is taken to rest on `everything`: it may
    have counted over what it does not cite."""
    return frozenset(answer.get("rests_on", everything))
