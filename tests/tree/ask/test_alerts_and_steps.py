"""An alert is told with what it means; a step that leads to a procedure with that; each step by itself with what is said for when it fails."""

from __future__ import annotations

import re

import pytest

from prompts.model import compose
from tests.ingestion.workspaces import Following
from tests.prompts.model.conftest import reader_of
from tests.prompts.model.provider import Provider, serving

FILES = {
    "alerts/LowPumpCount.md": "# LowPumpCount\n\n## Meaning\n\nFewer than three pumps are running.\n\n## Diagnosis\n\n"
    "Look at the board of the pump room.\n\n## Mitigation\n\nFirst of all keep calm.\n\n1. Start another pump, see [the pump](../pumps/start.md).\n"
    "2. Wait for the lamp.\n\nIf the lamp stays dark, call the workshop.\n",
    "alerts/SealLeaks.md": "# SealLeaks\n\n## Meaning\n\nWater stands below a seal.\n\n## Diagnosis\n\nTODO\n\n## Mitigation\n\n"
    "See [LowPumpCount]({{< ref \"./LowPumpCount.md\" >}}).\n",
    "pumps/start.md": "# Start a pump\n\n## Prerequisites\n\n- The key, see [keys](keys.md).\n\n## Steps\n\n1. Open the sea cock.\n"
    "   If it is stuck, use the long lever.\n2. Press the green button.\n3. Wait for the lamp.\n\n"
    "## If it goes wrong\n\nBefore step 2 nothing has happened. After step 2 press the red button.\n",
    "pumps/keys.md": "# Keys\n\nThe keys hang in the office of the harbour master.\n",
    "pumps/sms.md": "# Messages do not arrive\n\n## When\n\nAlarm `pump_sms_lost` (five in a minute).\n\n## Do this\n\n"
    "1. Look at the sender.\n2. Switch to the other one.\n",
} | {f"notes/{number}.md": f"# Note {number}\n\nThe hall was swept on day {number}.\n" for number in range(9)}  # fmt: skip


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("docs"))
    for path, text in FILES.items():
        following.write(path, text)
    following.sync()
    yield following
    following.workspace.close()


def _in_order(text: str, *words: str) -> None:
    assert all(word in text for word in words), text
    places = [text.index(word) for word in words]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "question", ["LowPumpCount", "Alert LowPumpCount is firing, what now?", "LowPumpCount fires", "how do i fix LowPumpCount"]
)
def test_an_alert_is_told_with_what_it_means_and_what_to_do(docs, question: str) -> None:
    answer = docs.ask(question)
    _in_order(
        answer.text,
        "Fewer than three pumps",
        "Look at the board",
        "keep calm",
        "1. Start another pump",
        "2. Wait for the lamp",
        "If the lamp stays",
    )
    assert answer.verdict == "complete"


def test_the_page_of_a_name_that_is_nearly_the_same_is_not_told(docs) -> None:
    for name in ("LowReadyPumpCount", "LowPumpsReadyCount"):
        answer = docs.ask(f"What do I do when {name} fires?")
        assert answer.verdict != "complete" and "1. " not in answer.text


def test_a_page_that_says_when_it_is_to_be_used_is_found_by_that(docs) -> None:
    answer = docs.ask("What do I do when pump_sms_lost fires?")
    _in_order(answer.text, "five in a minute", "1. Look at the sender", "2. Switch")
    assert answer.verdict == "complete"


def test_a_step_that_leads_to_a_procedure_is_told_with_that_and_its_citation(docs) -> None:
    answer = docs.ask("LowPumpCount")
    _in_order(
        answer.text,
        "1. Start another pump",
        "Start a pump",
        "1. Open the sea cock",
        "3. Wait for the lamp",
        "2. Wait for the lamp",
    )
    assert [citation.document_id for citation in answer.citations] == ["alerts/LowPumpCount.md", "pumps/start.md"]
    assert "1. Open the sea cock. If it is stuck, use the long lever. [2]" in answer.text


def test_where_nothing_is_written_nothing_is_told_and_what_is_linked_is(docs) -> None:
    answer = docs.ask("SealLeaks: what should I do?")
    _in_order(answer.text, "Water stands below", "See LowPumpCount", "Start another pump")
    assert "TODO" not in answer.text and "ref" not in answer.text


def test_what_is_needed_first_has_the_citation_of_its_own_document(docs) -> None:
    answer = docs.ask("How do I start a pump?")
    numbers = {citation.document_id: citation.number for citation in answer.citations}
    assert answer.text.startswith(
        f"Before you start:\n\n- The key, see keys. [{numbers['pumps/start.md']}] [{numbers['pumps/keys.md']}]"
    )


def test_the_steps_stand_by_themselves_with_what_is_said_for_when_they_fail(docs) -> None:
    steps = docs.ask("How do I start a pump?").steps
    assert [(one.number, one.text.partition(".")[0]) for one in steps] == [
        (0, "- The key, see keys"), (1, "Open the sea cock"), (2, "Press the green button"), (3, "Wait for the lamp"),
    ]  # fmt: skip
    first, second = steps[1:3]
    assert "use the long lever" in first.failing[0] and "red button" in first.failing[1]
    assert len(second.failing) == 1 and second.failing[0].endswith("[1]")
    assert docs.ask("LowPumpCount").steps[-1].failing[0].startswith("If the lamp stays dark")


def test_an_answer_that_is_no_procedure_has_no_steps(docs) -> None:
    assert docs.ask("Where do the keys hang?").steps == () and docs.ask("How do I sell a pump?").steps == ()


# ---------------------------------------------------------------- with a model


@pytest.fixture
def provider():
    with serving(Provider()) as started:
        yield started


def test_with_a_model_the_steps_are_told_as_they_stand_and_the_model_does_not_write_them(docs, provider) -> None:
    question = "How do I start a pump?"
    with_model = docs.ask(question, reader=reader_of(provider.url, context_tokens=64_000))
    without = docs.ask(question)
    assert with_model.verdict == "complete" and not with_model.usage["without_model"]
    assert not [one for one in provider.received if one.body["messages"][0]["content"] == compose.SYSTEM]
    _in_order(with_model.text, "Before you start:", "1. Open the sea cock", "2. Press the green button", "3. Wait for the lamp")
    assert [one.number for one in with_model.steps] == [one.number for one in without.steps] == [0, 1, 2, 3]
    assert all(re.search(r"\[\d+\]$", line) for line in with_model.text.splitlines() if line.startswith(("1.", "2.", "3.")))


def test_a_model_writes_where_no_procedure_is_called_so_and_is_told_how(docs, provider) -> None:
    docs.ask("Where do the keys of the pumps hang?", reader=reader_of(provider.url, context_tokens=64_000))
    written = [one for one in provider.received if one.body["messages"][0]["content"] == compose.SYSTEM]
    assert written and "No step is added" in compose.SYSTEM


def test_the_page_of_an_alert_is_found_though_it_names_another(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "alerts/pump.md",
        "# Kube Pump Crash Looping\n\n## Meaning\n\nA pump starts again and again, see also KubePumpNotReady.\n\n## Impact\n\nAs of KubePumpNotReady.\n\n"
        "## Mitigation\n\n1. Read the log of the pump.\n2. Turn it off.\n",
    )
    following.write(
        "alerts/other.md", "# Kube Pump Not Ready\n\n## Meaning\n\nA pump waits.\n\n## Mitigation\n\n1. Wait.\n2. Ask.\n"
    )
    following.sync()
    for question in (
        "KubePumpCrashLooping",
        "how do i fix KubePumpCrashLooping",
        "Alert KubePumpCrashLooping is firing, what now?",
    ):
        answer = following.ask(question)
        assert answer.verdict == "complete" and "again and again" in answer.text and "Turn it off" in answer.text, question
    assert following.ask("KubePumpCrashed").verdict != "complete"
    following.workspace.close()


def test_the_page_of_an_alert_that_holds_no_more_is_told_whole_and_not_as_answered(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "alerts/pump.md",
        "# PumpPressureGone [Deprecated]\n\n## Meaning\n\nThis alert fires when the pressure of a pump is gone.\n\n## Diagnosis\n\n1. Read the gauge.\n"
        "2. Listen for a whistle.\n\n## Mitigation\n\nIf the gauge is right, turn the pump off.\n",
    )
    following.sync()
    answer = following.ask("What do I do when PumpPressureGone fires?")
    assert answer.verdict == "partial"
    for said in ("pressure of a pump is gone", "1. Read the gauge", "turn the pump off"):
        assert said in answer.text, answer.text
    following.workspace.close()
