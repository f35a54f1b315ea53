"""Passages that say what is asked about in other words, or of a month by a date: they are shown, and nothing else is."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

HARBOUR = """# Harbour office

- The kiosk on the pier takes coins only from 1 March.
- Ferry boats are painted in the dry dock.
- The gate of the yard shuts at eight.
"""
LOG = """# Log of the pumps

## Ida Marsh, 2026-07-17

The pump stopped again and again because the old valve leaks.

## Ida Marsh, 2026-09-02

The pump was painted.
"""
CONTRACT = """# Brightwater: what the contract says

| Class | Meaning | Answer within |
|---|---|---|
| 1 | Pump house flooded | 30 minutes |
| 2 | One pump stands still | 4 hours |
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("From when does the pier kiosk only accept coins?", "takes coins only from 1 March"),
        ("Why did the pumps stop again in July?", "the old valve leaks"),
        ("How quickly must Brightwater answer when the pump house is flooded?", "30 minutes"),
    ],
)
def test_it_is_shown(docs: Following, question: str, told: str) -> None:
    docs.write("harbour.md", HARBOUR)
    docs.write("log.md", LOG)
    docs.write("contract.md", CONTRACT)
    answer = answered(docs, question)
    assert answer.verdict != "none"
    assert told in answer.text


@pytest.mark.parametrize(
    "question",
    ["Which bank does the harbour accept cheques of?", "Why was the mayor elected in July?", "Who paints the lighthouse?"],
)
def test_what_only_shares_a_word_is_not(docs: Following, question: str) -> None:
    docs.write("harbour.md", HARBOUR)
    docs.write("log.md", LOG)
    assert answered(docs, question).verdict == "none"
