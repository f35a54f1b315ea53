"""A type that a model names in its own way comes back as one of the taxonomy."""

from __future__ import annotations

import pytest

from prompts.model.types import known_types, type_id, type_names
from prompts.taxonomy import UNCLASSIFIED, taxonomy


@pytest.mark.parametrize(
    ("said", "id_"),
    [
        ("Runbook", "runbook"), ("runbooks", "runbook"), ("RUNBOOK (operations)", "runbook"), ("how to guide", "how_to"), ("How-To", "how_to"),
        ("meeting minutes and notes", "meeting_notes"), ("Meeting-notes", "meeting_notes"), ("meetng notes", "meeting_notes"), ("post mortem", "postmortem"),
        ("Post-mortem", "postmortem"), ("decision_record", "decision_record"), ("RFC", "rfc"), ("enhancement proposal", "rfc"),
        ("Contract", "contract"), ("poem", None), ("", None), ("!!", None),
    ],
)  # fmt: skip
def test_a_name_is_brought_back(said: str, id_: str | None) -> None:
    assert type_id(said) == id_


def test_every_type_is_named_in_the_prompt_and_understood_by_its_name() -> None:
    for kind in taxonomy().types:
        assert kind.name in type_names() and type_id(kind.name) == type_id(kind.id) == kind.id


def test_what_no_type_comes_near_to_is_counted() -> None:
    assert known_types(["Runbook", "poem", "runbooks"]) == (("runbook",), 1)
    assert known_types(["poem"]) == ((UNCLASSIFIED,), 1)
