"""No more requests to the model at once than allowed, whichever process makes them: with a real server, and processes that are killed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from prompts.model import ModelSettings
from prompts.model.budget import QuestionBudget
from tests.prompts.model.provider import KEY, MODEL, Provider, serving
from tests.prompts.model.texts import LEAF, question
from tree.store.language_model import ModelChoice
from tree.workspace import Workspace, open_workspace

ROOT = Path(__file__).parents[3]
ASKING = """
import sys
from concurrent.futures import ThreadPoolExecutor
from tests.prompts.model.texts import LEAF, question
from tree.workspace import open_workspace
number = int(sys.argv[2])
reader = open_workspace(sys.argv[1]).model.reader()
reader.open_client(reader.settings).open()
print("asks", flush=True)
with ThreadPoolExecutor(number) as pool:
    for answer in [pool.submit(reader.answer, question(), LEAF) for _ in range(number)]:
        print("without the model" if answer.result().is_fallback else "answered", flush=True)
"""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


@pytest.fixture
def opened(tmp_path, each_database, provider) -> Iterator[Workspace]:
    workspace = open_workspace(tmp_path)
    settings = ModelSettings(
        provider="openai-compatible", model=MODEL, base_url=provider.url, api_key=SecretStr(KEY), context_tokens=32_000,
        concurrency=8, total_concurrency=2,
    )  # fmt: skip
    workspace.model.save(ModelChoice(settings=settings))
    yield workspace
    workspace.close()


@pytest.fixture
def start(opened) -> Iterator[Callable[[int], subprocess.Popen[str]]]:
    """Starts a process that asks so many questions at once; returns when it begins."""
    started: list[subprocess.Popen[str]] = []

    def one(number: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", ASKING, str(opened.home), str(number)]
        started.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout.readline() == "asks\n"
        return started[-1]

    yield one
    for process in started:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_processes_share_the_limit_and_one_that_is_killed_frees_its_slots(start, provider) -> None:
    provider.behave("is slow", times=2)  # whatever comes after these two would be answered at once
    killed = start(3)
    until(lambda: provider.at_once == 2)
    waiting = start(3)
    time.sleep(0.3)
    assert len(provider.received) == 2, "one question of the first process and three of the second wait"
    killed.kill()
    assert waiting.communicate(timeout=20)[0] == "answered\n" * 3
    assert len(provider.received) == 5


def test_a_question_that_waits_too_long_goes_on_without_the_model(opened, provider) -> None:
    reader = opened.model.reader()
    reader = replace(reader, budget=QuestionBudget.begin(12, 40_000, 0.3))
    held = [reader.slots.take(), reader.slots.take()]
    assert reader.answer(question(), LEAF).is_fallback and provider.received == []
    [note] = reader.usage.notes
    assert note.startswith("The 2 requests that may be made of the model at once, over all processes, were taken for too long.")
    for slot in held:
        slot.release()
    assert not opened.model.reader().answer(question(), LEAF).is_fallback and provider.most_at_once == 1


def test_the_background_leaves_one_slot_to_questions(opened) -> None:
    settings = opened.model.choice().settings
    background, questions = (opened.model.slots(settings, is_for_question) for is_for_question in (False, True))
    first = background.take()
    assert first is not None and background.take() is None
    kept = questions.take()
    assert kept is not None and questions.take() is None
    first.release()
    assert questions.take() is not None and background.take() is None


def test_a_single_slot_is_for_both(opened) -> None:
    settings = opened.model.choice().settings.model_copy(update={"total_concurrency": 1})
    slot = opened.model.slots(settings, is_for_question=False).take()
    assert slot is not None and opened.model.slots(settings, is_for_question=True).take() is None
    assert opened.model.slots(settings.model_copy(update={"total_concurrency": None}), is_for_question=True) is None
