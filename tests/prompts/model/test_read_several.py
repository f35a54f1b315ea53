"""Several small leaves read in one call: each gets a record of its own, and what is wrong with one loses none of the others."""

from __future__ import annotations

from typing import Any

from prompts.model import ModelError, read, read_several
from prompts.model.material import tokens_in
from prompts.model.reader import VERSIONS
from prompts.records import LeafText
from tests.prompts.model.provider import Provider
from tests.prompts.model.texts import LEAF, RUNBOOK

SEAL = LeafText("The seal of pump 7 was replaced in May. It is made of rubber.", ("Pumps", "Seals"))


def entry(number: int, summary: str, **fields: Any) -> dict[str, Any]:
    return {"passage": number, "summary": summary, **fields}


def says(provider: Provider, *entries: object) -> None:
    provider.said = lambda system, user: {"passages": list(entries)}


def test_each_leaf_of_a_call_gets_its_own_record_and_units(provider: Provider, model) -> None:
    reader = model()
    together = reader.read_several([LEAF, RUNBOOK, SEAL])
    [asked] = provider.received
    assert "passage 2: Runbooks › Restart the gate (a file)\n\n1| # Restart the gate" in asked.prompt
    assert together == [reader.read(leaf) for leaf in (LEAF, RUNBOOK, SEAL)]


def test_lines_count_from_one_in_each_passage(provider: Provider, model) -> None:
    unit = {"kind": "term", "header": "Seal", "first": 2, "last": 2, "needs": [], "leads_to": []}
    says(provider, entry(2, "A seal.", quotes=["It is made of rubber."], units=[unit]), entry(1, "Refunds."))
    first, second = model().read_several([LEAF, SEAL])
    assert first.record.summary == "Refunds." and second.record.quotes[0].text == "It is made of rubber."
    assert [SEAL.text[one.start : one.end] for one in second.units] == ["It is made of rubber."]


def test_an_entry_that_is_missing_double_or_malformed_loses_none_of_the_others(provider: Provider, model) -> None:
    says(provider, entry(1, "Refunds."), entry(2, "A gate."), entry(2, "A gate again."), entry(3, ""), "four", entry(9, "No."))
    found = model().read_several([LEAF, RUNBOOK, SEAL, SEAL])
    assert [one and one.record.summary for one in found] == ["Refunds.", None, None, None]
    assert len(provider.received) == 1, "what is missing is asked for alone, by whoever asked"


def test_a_record_that_tells_of_another_passage_is_none(provider: Provider, model) -> None:
    """When that passage is deleted, this record would still tell of it."""
    says(provider, entry(1, "Refunds need two approvals, and pump 7 has a seal."), entry(2, "The gate is restarted by a key."))
    assert [one is None for one in model().read_several([LEAF, SEAL])] == [True, False]
    says(provider, entry(1, "Refunds need approvals. It is replaced, of rubber, with seals."), entry(2, "The seal was replaced."))
    assert [one is None for one in model().read_several([LEAF, SEAL])] == [True, False], "many words, though no name"


def test_only_few_small_leaves_fit_together() -> None:
    large = LeafText(LEAF.text * 30, LEAF.heading)
    assert read_several.fit_together([LEAF] * read_several.MOST_LEAVES, 32_000)
    assert not read_several.fit_together([LEAF] * (read_several.MOST_LEAVES + 1), 32_000)
    assert not read_several.fit_together([LEAF, large], 32_000)
    half = LeafText(LEAF.text * 14, LEAF.heading)
    assert read_several.fit_together([half, half], 32_000) and not read_several.fit_together([half, half], 4_096)


def test_records_of_both_prompts_are_kept_under_one_version(provider: Provider, model) -> None:
    assert VERSIONS["read"] == read_several.VERSION != read.VERSION


def test_a_call_for_several_takes_less_than_one_for_each(provider: Provider, model) -> None:
    reader = model()
    reader.read_several([LEAF, RUNBOOK, SEAL])
    together = reader.usage.input_tokens
    for leaf in (LEAF, RUNBOOK, SEAL):
        reader.read(leaf)
    assert together < (reader.usage.input_tokens - together) / 2
    assert tokens_in(read_several.SYSTEM) < 900


def test_a_failure_of_the_call_rises(provider: Provider, model) -> None:
    provider.behave("writes prose only")
    try:
        model().strict().read_several([LEAF, SEAL])
    except ModelError as error:
        assert error.kind == "invalid_output"
    else:
        raise AssertionError("it has to rise")
