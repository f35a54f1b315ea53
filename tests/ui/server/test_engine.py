"""The app runs the model that is set and no other, one at a time; downloads go on whichever page is open."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from prompts.engine.catalogue import Model
from prompts.engine.download import DownloadCancelled, DownloadError, Remote
from prompts.engine.process import EngineProcess
from prompts.engine.spec import EngineSpec
from prompts.engine.state import WRITING_ENGINE, read_state
from tests.prompts.engine.test_process import READY, is_alive, until
from tree.engine_keeper import EngineKeeper
from tree.local_model import settings_of
from tree.store.database import StoreError
from tree.store.language_model import ModelChoice
from tree.workspace import Workspace, open_workspace
from ui.server.engine import Downloads

SPEC = EngineSpec(file="/models/tiny.gguf", port=8_790)
REMOTE = Remote(Model("team/tiny", "tiny.gguf"), "http://host/tiny.gguf", 100, "0" * 64, "mit")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = open_workspace(tmp_path / "home")
    yield opened
    opened.close()


def playing(spec: EngineSpec, key: str, folder: Path) -> EngineProcess:
    return EngineProcess(spec, key, folder, (sys.executable, "-c", READY + "sys.stdin.read()")).start()


@pytest.fixture
def keeper(workspace: Workspace) -> Iterator[EngineKeeper]:
    made = EngineKeeper(workspace, playing)
    made.start()
    yield made
    made.stop()


def choose(workspace: Workspace, spec: EngineSpec, key: str = "key") -> None:
    workspace.model.save(ModelChoice(settings=settings_of(spec, key), last_engine=spec))


def is_ready(workspace: Workspace) -> bool:
    return read_state(workspace.home).name == "ready"


def test_the_process_follows_what_is_set(workspace: Workspace, keeper: EngineKeeper) -> None:
    assert read_state(workspace.home).name == "stopped"
    choose(workspace, SPEC)
    until(lambda: is_ready(workspace))
    first = read_state(workspace.home).pid
    assert workspace.model.not_running(workspace.model.choice()) == ""
    choose(workspace, SPEC.model_copy(update={"context_tokens": 4_096}))
    until(lambda: is_ready(workspace) and read_state(workspace.home).pid not in (first, None))
    assert first is not None and not is_alive(first)
    second = read_state(workspace.home).pid
    workspace.model.change(settings=None)
    until(lambda: read_state(workspace.home).name == "stopped")
    assert second is not None and not is_alive(second)


def test_it_ends_with_the_app_and_questions_say_why_it_is_not_asked(workspace: Workspace) -> None:
    keeper = EngineKeeper(workspace, playing)
    keeper.start()
    choose(workspace, SPEC)
    until(lambda: is_ready(workspace))
    pid = read_state(workspace.home).pid
    keeper.stop()
    assert pid is not None and not is_alive(pid)
    reader = workspace.model.reader()
    assert reader is not None and "Start the app" in reader.forbidden()


def test_only_one_program_runs_the_model_of_a_data_folder(workspace: Workspace, keeper: EngineKeeper) -> None:
    choose(workspace, SPEC)
    until(lambda: is_ready(workspace))
    first = read_state(workspace.home).pid
    started: list[EngineSpec] = []

    def start(spec: EngineSpec, key: str, folder: Path) -> EngineProcess:
        started.append(spec)
        return playing(spec, key, folder)

    other = EngineKeeper(workspace, start)
    other.start()
    threading.Event().wait(0.3)
    assert not started and read_state(workspace.home).pid == first
    keeper.stop()
    until(lambda: bool(started) and is_ready(workspace))
    other.stop()


def test_how_it_stands_is_told_as_soon_as_the_disk_takes_it(workspace: Workspace, keeper: EngineKeeper) -> None:
    in_the_way = workspace.home / f"{WRITING_ENGINE}.new"
    in_the_way.mkdir()  # nothing can be written, as on a full disk
    choose(workspace, SPEC)
    threading.Event().wait(2.5)
    assert read_state(workspace.home).name == "stopped"
    in_the_way.rmdir()
    until(lambda: is_ready(workspace))
    in_the_way.mkdir()
    keeper.stop()
    other = EngineKeeper(workspace, playing)
    in_the_way.rmdir()
    other.start()
    until(lambda: is_ready(workspace))
    other.stop()


def test_a_model_elsewhere_is_not_run_here(workspace: Workspace, keeper: EngineKeeper) -> None:
    choice = ModelChoice(settings=settings_of(SPEC, "key"), last_engine=SPEC.model_copy(update={"port": 8_791}))
    assert choice.engine is None, "the address is another program's"
    workspace.model.save(choice)
    assert workspace.model.not_running(workspace.model.choice()) == ""


@pytest.mark.parametrize(
    ("ends", "state", "words"),
    [
        (DownloadError("The disk is full."), "failed", "The disk is full."),
        (DownloadCancelled(), "cancelled", "kept, to go on from there"),
        (ZeroDivisionError(), "failed", "the log has the details"),
        (None, "done", ""),
    ],
)
def test_a_download_ends_in_words(tmp_path: Path, ends: Exception | None, state: str, words: str) -> None:
    def fetch(remote: Remote, folder: Path, progress, is_cancelled) -> Path:
        progress(50, 100)
        if ends is not None:
            raise ends
        return folder / "tiny.gguf"

    downloads = Downloads(fetch)
    downloads.begin(REMOTE, tmp_path)
    until(lambda: downloads.current is not None and downloads.current.state != "running")
    assert downloads.current is not None and downloads.current.state == state and words in downloads.current.message
    downloads.forget()
    assert downloads.current is None


def test_one_download_runs_at_a_time_and_can_be_cancelled(tmp_path: Path) -> None:
    begun = threading.Event()

    def fetch(remote: Remote, folder: Path, progress, is_cancelled) -> Path:
        progress(25, 100)
        begun.set()
        until(is_cancelled)
        raise DownloadCancelled

    downloads = Downloads(fetch)
    downloads.begin(REMOTE, tmp_path)
    assert begun.wait(10) and downloads.current is not None and downloads.current.share == 0.25
    with pytest.raises(StoreError, match=r"tiny\.gguf is being downloaded; wait for it, or cancel it first"):
        downloads.begin(REMOTE, tmp_path)
    downloads.forget()
    assert downloads.current is not None, "one that runs is not forgotten"
    downloads.cancel()
    until(lambda: downloads.current is not None and downloads.current.state == "cancelled")
