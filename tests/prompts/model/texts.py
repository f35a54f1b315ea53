"""The passage and the questions that the tests of the model reader ask about."""

from __future__ import annotations

from prompts.language import terms
from prompts.records import Evidence, LeafAnswer, LeafText, LogicUnit, Option, Question, Quote, SummaryRecord

LEAF = LeafText(
    "Refunds above 500 EUR need two approvals. They are granted by the finance lead. Smaller refunds need none.\n\n"
    "We decided on 2026-02-10 to keep the limit at 500 EUR.",
    ("Refund policy", "Limits"),
    (LogicUnit(kind="term", header="Refund", start=0, end=41),),
)
RUNBOOK = LeafText(
    "# Restart the gate\n\nYou need the gate key.\n\n1. Stop the gate.\n2. Wait for the lamp.\n3. Start it as gate.md says, see PAY-231.\n",
    ("Runbooks", "Restart the gate"),
)


def question(text: str = "How many approvals do refunds above 500 EUR need?", **fields: object) -> Question:
    return Question(text, dict.fromkeys(terms(text), 3.0), **fields)


def record(*said: str, about: tuple[str, ...] = ()) -> SummaryRecord:
    quotes = tuple(Quote(text=text, start=0, end=len(text)) for text in said)
    return SummaryRecord(summary=" ".join(said), quotes=quotes, content_types=("how_to",), about=about)


def options() -> list[Option]:
    return [
        Option("place-a", "Lunch", "branch", record("Soup."), 0.1, "Soup on Monday"),
        Option("place-b", "Money", "branch", record("Refunds."), 0.9, "Refunds above 500 EUR need two approvals"),
    ]


def quoted(leaf: LeafText, *said: str) -> LeafAnswer:
    quotes = tuple(Quote(text=text, start=leaf.text.index(text), end=leaf.text.index(text) + len(text)) for text in said)
    return LeafAnswer("complete", quotes, 1.0, "It says so.")


def evidence(*said: str, number: int = 1, leaf: LeafText = LEAF) -> Evidence:
    return Evidence(number, leaf, quoted(leaf, *(said or ("Refunds above 500 EUR need two approvals.",))), 1.0)
