"""A model inside the app, on the page: looked up at a host, confirmed, fetched, tried; and how the one in use stands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from prompts.engine.catalogue import HOST_VARIABLE
from prompts.engine.process import EngineState
from prompts.engine.spec import EngineSpec
from prompts.engine.state import write_state
from prompts.model.probe import probe
from tests.prompts.engine.model_host import FILE, REPOSITORY, ModelHost
from tests.prompts.engine.test_process import until
from tests.prompts.model.provider import KEY, MODEL, Provider, serving
from tests.ui.settings.test_page import PATIENCE, page, said
from tree.local_model import TriedFile, models_folder, settings_of
from tree.store.language_model import ModelChoice
from ui.server.engine import downloads
from ui.server.tools import Tools
from ui.settings import local_model, model_check, model_download
from ui.shared.background_task import BackgroundTask, Started

pytest.importorskip("xllamacpp", reason="the engine is not installed: make local")
SPEC = EngineSpec(file="/models/tiny.gguf", port=8_790)


def looked_up(name: str):
    app = page()
    app.text_input(key="local_name").set_value(name).run()
    app.button(key="local_look_up").click().run()
    assert app.session_state[model_download.looked_up(local_model.KEY)].task.ended.wait(PATIENCE)
    return app.run()


def test_what_would_be_downloaded_is_shown_before_it_is(tools: Tools, host: ModelHost) -> None:
    app = looked_up(f"{REPOSITORY}/{FILE}")
    words = said(app)
    assert host.sha256 in words and "Licence: apache-2.0" in words and f"from {host.url}" in words
    assert not models_folder(tools.workspace.home).exists(), "nothing is fetched before somebody confirms"
    app.button(key="local_download").click().run()
    until(lambda: downloads.current is not None and downloads.current.state != "running")
    app.run()
    assert f"{FILE} is here, and its checksum is right" in said(app)
    assert (models_folder(tools.workspace.home) / FILE).read_bytes() == host.content
    assert any("model download begun" in line for line in tools.admin.export_audit().splitlines())
    app.button(key="local_try").click().run()  # it is four letters and noise
    assert app.session_state[local_model.TRIED].task.ended.wait(PATIENCE)
    assert "which is not known; versions 2 and 3 are" in said(app.run()) and tools.workspace.model.choice().settings is None


def test_a_host_that_cannot_be_reached_is_told(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOST_VARIABLE, "http://127.0.0.1:9")
    assert "cannot be reached from here" in said(looked_up(f"{REPOSITORY}/{FILE}"))
    assert "names no model" in said(looked_up("tiny"))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (EngineState("ready", pid=os.getpid()), "The app runs this model; it is running, holding "),
        (EngineState("starting"), "it is being loaded."),
        (EngineState("waiting", "Port 8790 is taken.", 3), "It was started again 3 times. Port 8790 is taken."),
    ],
)
def test_how_the_model_in_use_stands_is_shown(tools: Tools, state: EngineState, words: str) -> None:
    tools.workspace.model.save(ModelChoice(settings=settings_of(SPEC, "key-of-the-engine"), last_engine=SPEC))
    write_state(tools.workspace.home, state)
    app = page()
    warned = "\n".join(each.value for each in app.warning).replace("\\", "")
    assert words in said(app) + warned and "key-of-the-engine" not in said(app)


def test_a_file_that_is_none_is_told(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("notes")
    app = page()
    app.text_input(key="local_path").set_value(str(tmp_path / "notes.gguf")).run()
    app.button(key="local_try").click().run()
    assert app.session_state[local_model.TRIED].task.ended.wait(PATIENCE)
    assert "is no GGUF file" in said(app.run())


def test_what_the_test_of_a_file_found_stays_on_the_page_when_it_is_used(tools: Tools) -> None:
    with serving(Provider()) as provider:
        settings = settings_of(SPEC, KEY).model_copy(update={"model": MODEL, "base_url": provider.url})
        found = probe(settings)
    app = page()
    tried = TriedFile(SPEC, settings, found, None)
    app.session_state[local_model.TRIED] = Started("tiny.gguf", BackgroundTask(lambda task: tried))
    told = said(app.run()).replace("*", "")
    assert tools.workspace.model.choice().answers_questions and "works. Questions are answered with it" in told
    assert [told.count(f"{each}: It ") for each in model_check.DECISIONS.values()] == [1] * 5 and told.count(" tokens]") >= 5
