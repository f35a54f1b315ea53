"""Actions, decisions and events are found by how they are said, and by the heading they stand under."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.records import LeafText, SummaryRecord

READER = ExtractiveReader()


def read(text: str, *heading: str) -> SummaryRecord:
    return READER.read(LeafText(text, heading or ("Notes",))).record


def actions(text: str, *heading: str) -> list[str]:
    return [quote.text for quote in read(text, *heading).critical_actions]


def decisions(text: str, *heading: str) -> list[str]:
    return [quote.text for quote in read(text, *heading).decisions]


def events(text: str, *heading: str) -> list[str]:
    return [quote.text for quote in read(text, *heading).events]


@pytest.mark.parametrize(
    "text",
    [
        "Backups must be tested every month.",
        "Do not restart the primary during a failover.",
        "TODO: move the certificates before May.",
        "Ana will send the report by Friday.",
        "Make sure that the replica has caught up.",
        "Operators should rotate the keys each quarter.",
    ],
)
def test_what_asks_for_something_is_an_action(text: str):
    assert actions(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Must we restart the primary?",
        "You do not have to restart the primary.",
        "The cause must have been a full disk.",
        "I think somebody should perhaps look at it.",
        "The sky is blue over the data centre.",
        "Please refer to the upgrade guide for more.",
    ],
)
def test_what_asks_for_nothing_is_none(text: str):
    assert actions(text) == []


def test_bullets_under_a_heading_of_steps_are_actions():
    text = "- Drain the broken node first.\n- Restart the kubelet on it."
    assert actions(text, "Node down", "Mitigation") == ["Drain the broken node first.", "Restart the kubelet on it."]
    assert actions("- Drainage of the field is slow.\n- Rain is expected on it.", "Node down", "Mitigation") == []


def test_a_label_in_the_text_is_a_heading():
    assert actions("**Actions:**\n\n- Ben to ask the vendor for a quote.") == ["Ben to ask the vendor for a quote."]


@pytest.mark.parametrize(
    "text",
    [
        "We decided to keep SQLite.",
        "The board approved the budget.",
        "Decision: use one queue per team.",
        "It was agreed that releases happen on Tuesdays.",
        "Won't fix, the module goes away.",
        "It was **RESOLVED** to replace the mast.",
        "Resolved: the offer of the yard is accepted.",
        "Resolved to buy two lamps for the quay.",
        "The motion was put to the vote and failed.",
        "We go with one list for all gates.",
        "The committee voted 4–1 for the northern yard.",
        "The boat trip was turned down.",
        "It was agreed that the gate is to stay open.",
    ],
)
def test_what_was_settled_is_a_decision(text: str):
    assert decisions(text) == [text.replace("**", "")]


@pytest.mark.parametrize(
    "text",
    [
        "It has not been decided yet.",
        "Did we decide to keep SQLite?",
        "The change must be approved by two people.",
        "Whether the proposal is accepted depends on the cost.",
        "The team wants to reach consensus on this.",
        "Agreed! thanks to everybody for the cake.",
        "Members agreed that parking is a nuisance at weekends.",
        "The conversation was resolved.",
        "This cannot land until a decision was made.",
        "Not yet consensus on the name of the gate.",
        "If we decide to pay for it, finance is asked first.",
        "TSC consensus on Async storage API in core",
        "resolved: https://registry.example/lamp-1.0.tgz",
        "It follows how we decided on the lamps.",
    ],
)
def test_what_is_still_open_is_no_decision(text: str):
    assert decisions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "On 2026-03-01 the payment service failed for two hours.",
        "Merged to master.",
        "Deployed to production with one warning.",
        "The cluster was upgraded yesterday.",
    ],
)
def test_what_happened_is_an_event(text: str):
    assert events(text) == [text]


@pytest.mark.parametrize(
    "text", ["If the service failed, restart it.", "It may be released in 2027.", "Has the service failed today?"]
)
def test_what_may_happen_is_no_event(text: str):
    assert events(text) == []


def test_source_code_has_none_of_them():
    record = READER.read(LeafText("```python\n# TODO: this must be fixed\nx = 1\n```", ("x.py",), kind="python")).record
    assert record.critical_actions == record.decisions == record.events == ()


def test_points_of_an_agenda_are_no_actions():
    text = "# Meeting\n\n## Agenda\n\n- Decide on the new roof\n- Approve the budget for the hall\n"
    assert actions(text, "Meeting") == []
    assert actions(text.replace("Agenda", "Actions"), "Meeting") != []
