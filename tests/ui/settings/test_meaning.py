"""The tab Meaning of the settings: a model is tried, what it takes is shown, vectors are made, and it is turned off."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ingestion.embedder import Embedder
from ingestion.sources import Sources
from ingestion.sync import sync
from prompts.engine.catalogue import EMBEDDINGS, HOST_VARIABLE
from prompts.engine.spec import PACKAGE, is_installed
from prompts.model.settings import KEY_VARIABLES
from tests.prompts.engine.model_host import FILE, REPOSITORY, ModelHost
from tests.prompts.engine.test_process import until
from tests.prompts.model.embedding_server import KEY, MODEL, EmbeddingServer, embedding
from tests.reading import open_folder
from tests.ui.chat.test_page import opened as opened_chat
from tests.ui.settings.test_page import PATIENCE, everything, page, said
from tree.local_model import models_folder
from ui.server.engine import downloads
from ui.server.tools import Tools
from ui.settings import model_download
from ui.settings.meaning_tab import KEY as KEY_OF_WIDGETS
from ui.settings.meaning_tab import TRIED, TRIED_FILE

AT = "meaning0_openai-compatible"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    for name in sum(KEY_VARIABLES.values(), ()):
        monkeypatch.delenv(name, raising=False)
    with embedding() as started:
        started.wants_key = True
        yield started


def tab() -> AppTest:
    app = page()
    app.query_params["settings_tab"] = "Meaning"
    return app.run()


def used(app: AppTest, server: EmbeddingServer, key: str = KEY) -> AppTest:
    app.selectbox(key="meaning0_provider").set_value("openai-compatible").run()
    app.text_input(key=f"{AT}_address").set_value(server.url)
    app.text_input(key=f"{AT}_key").set_value(key)
    app.text_input(key=f"{AT}_model").set_value(MODEL)
    app.button(key="meaning0_use").click().run()
    if TRIED in app.session_state:
        assert app.session_state[TRIED].task.ended.wait(PATIENCE)
        app.run()
    return app


def test_a_model_is_tried_started_switched_and_turned_off(tools: Tools, server: EmbeddingServer, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nThe text of note {number}.\n")
    source = tools.admin.add_source("folder", "Notes", {"path": str(tmp_path)})
    sync(tools.workspace, Sources(tools.workspace.database), source, connector=open_folder(path=str(tmp_path)))
    app = tab()
    assert "Passages are found by their words." in said(app)
    app = used(app, server)
    assert f"openai-compatible:{MODEL} works: vectors of 64 numbers." in said(app) and KEY not in everything(app)
    assert "3 passages are left: about" in said(app).replace("*", ""), "what it takes is told before anything is made"
    assert len(server.texts) == 9, "only the test's own texts were sent"
    Embedder(tools.workspace).run_out()
    assert len(server.texts) == 9
    app.button(key="meaning_go").click().run()
    assert Embedder(tools.workspace).run_out() == ""
    app = tab()
    assert "Up to date" in said(app) and "meaning_go" not in {button.key for button in app.button}
    app.toggle(key="meaning_on_True").set_value(False).run()
    assert not tools.workspace.meaning.model.choice().is_on
    audit = [line.action for line in tools.accounts.audit.entries()]
    assert "search by meaning saved" in audit and "search by meaning changed" in audit
    app.button(key="meaning_forget").click().run()
    assert "all vectors are deleted" in said(app) and tools.workspace.meaning.model.choice().settings is None


def test_a_server_that_refuses_is_not_saved(tools: Tools, server: EmbeddingServer) -> None:
    app = used(tab(), server, key="sk-wrong-0123456789")
    assert "refused the key" in said(app) and "sk-wrong" not in said(app)
    assert tools.workspace.meaning.model.choice().settings is None


def test_a_model_whose_vectors_mean_nothing_is_not_saved(
    tools: Tools, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "vector", lambda text: [float(len(text)), 1.0])
    app = used(tab(), server)
    assert "do not tell meaning apart" in said(app) and tools.workspace.meaning.model.choice().settings is None


def test_what_the_making_waits_for_is_shown(tools: Tools, server: EmbeddingServer, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nText.\n")
    source = tools.admin.add_source("folder", "Notes", {"path": str(tmp_path)})
    sync(tools.workspace, Sources(tools.workspace.database), source, connector=open_folder(path=str(tmp_path)))
    used(tab(), server)
    tools.admin.change_meaning(paused=False)
    server.manner = "is busy"
    Embedder(tools.workspace).run_out()
    assert "takes no more requests right now" in said(tab()) and "Waiting" in said(tab())


def asked_for(name: str) -> AppTest:
    app = tab()
    app.text_input(key="meaning_own_name").set_value(name).run()
    app.button(key="meaning_own_look_up").click().run()
    assert app.session_state[model_download.looked_up(KEY_OF_WIDGETS)].task.ended.wait(PATIENCE)
    return app.run()


@pytest.mark.skipif(not is_installed(), reason="the engine is not installed: make local")
def test_a_model_is_fetched_and_tried_by_one_click(tools: Tools, host: ModelHost) -> None:
    app = tab()
    assert all(
        any(one.title in option and one.licence in option for option in app.selectbox(key="meaning_own_choice").options)
        for one in EMBEDDINGS
    )
    app = asked_for(f"{REPOSITORY}/{FILE}")
    assert host.sha256 in said(app) and "Licence: apache-2.0" in said(app)
    assert not models_folder(tools.workspace.home).exists(), "nothing is fetched before somebody confirms"
    app.button(key="meaning_own_download").click().run()
    until(lambda: downloads.current is None or downloads.current.state != "running")
    app.run()
    assert app.session_state[TRIED_FILE].task.ended.wait(PATIENCE)
    assert "which is not known; versions 2 and 3 are" in said(app.run()), "it is four letters and noise"
    assert (models_folder(tools.workspace.home) / FILE).exists() and tools.workspace.meaning.model.choice().settings is None
    assert not app.button(key="meaning_file_use").disabled


@pytest.mark.skipif(not is_installed(), reason="the engine is not installed: make local")
def test_without_a_network_the_form_says_what_to_do(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOST_VARIABLE, "http://127.0.0.1:9")
    assert "copy a .gguf file to this machine" in said(asked_for(EMBEDDINGS[0].name))


def test_without_the_engine_it_says_how_to_install_it(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    app = tab()
    assert "Run make local, then start the app again." in said(app).replace("`", "")
    assert "meaning_own_look_up" not in {button.key for button in app.button} and app.selectbox(key="meaning0_provider")


@pytest.mark.skipif(not is_installed(), reason="the engine is not installed: make local")
def test_the_first_page_says_what_it_brings_until_a_model_is_set(tools: Tools, server: EmbeddingServer) -> None:
    assert "set-up-meaning" in {button.key for button in opened_chat().button}
    used(tab(), server)
    assert "set-up-meaning" not in {button.key for button in opened_chat().button}
