"""A model on this machine is offered on the first page and on Settings, and used after one click, if it can be used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ingestion.model_speed import has_graphics_card
from ingestion.progress import estimate
from ingestion.sources import Sources
from ingestion.sync import sync
from prompts.model import ModelSettings
from prompts.model.discovery import PLACES_VARIABLE
from prompts.model.settings import KEY_VARIABLES
from prompts.model.trial import Trial
from tests.prompts.model.provider import MANNERS, MODEL, Provider, serving
from tests.ui.chat.test_page import opened as opened_chat
from tests.ui.settings.test_page import PATIENCE, page, said
from ui.server.tools import SAMPLE, SAMPLE_NAME, Tools
from ui.settings import model_check
from ui.shared.found_models import FOUND, SAMPLE_RECORDS, SAMPLE_TOKENS, reading_time


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in sum(KEY_VARIABLES.values(), ()):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A server where one is looked for."""
    with serving(Provider()) as started:
        monkeypatch.setenv(PLACES_VARIABLE, f"openai-compatible={started.url}")
        yield started


def used(app: AppTest, number: int = 0) -> AppTest:
    """The page when the test that the click began is over and what comes of it is drawn."""
    app.button(key=f"model_found_use_{number}").click().run()
    if FOUND in app.session_state:
        assert app.session_state[FOUND].task.ended.wait(PATIENCE)
        app.run()
    return app


def keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button}


def test_one_click_tries_a_model_and_uses_it(tools: Tools, provider: Provider) -> None:
    app = page()
    assert f"Use {MODEL} on this machine" in said(app).replace("*", "") and "Nothing leaves this machine" in said(app)
    assert "to read the sample is known after its test" in said(app), "nothing is known of its speed, and nothing claimed"
    assert provider.received == []
    app = used(app)
    assert f"openai-compatible:{MODEL} works. Questions are answered with it from now on. Less than a minute to read" in said(app)
    saved = tools.workspace.model.choice()
    assert saved.settings is not None and (saved.settings.model, saved.settings.context_tokens) == (MODEL, 32_768)
    assert saved.trial is not None and not saved.is_unfit
    assert saved.answers and saved.paused, "what the background work takes is shown before somebody has it begin"
    assert "model_found_use_0" not in keys(page())


def test_what_the_test_found_stays_on_the_page_when_the_model_is_used(tools: Tools, provider: Provider) -> None:
    """With what is doubtful about it: this server reads only short prompts."""
    provider.models = [{"id": MODEL, "max_model_len": 4_096}]
    app = used(page())
    told = said(app).replace("*", "")
    assert tools.workspace.model.choice().answers_questions and "works." in told
    assert [told.count(f"{each}: It ") for each in model_check.DECISIONS.values()] == [1] * 5 and told.count(" tokens]") >= 5
    assert "Context size: That is little: long passages and branches will be shortened" in told
    told = said(page()).replace("*", "")
    assert "Context size: 4,096 tokens are used. That is little" in told, "in another session too"
    assert "Chooses: It chose the right one" in told


def test_a_model_that_is_too_slow_is_not_used_by_one_click(tools: Tools, provider: Provider) -> None:
    tools.workspace.model.change(question_seconds=5.0)
    app = page()
    provider.behave(replace(MANNERS["ok"], tokens_per_second=1_100))
    app = used(app)
    told = said(app).replace("*", "")
    assert "is too slow for answers. Answers would take about" in told and "a question may take 5 s" in told
    assert "It is not used. Choose another" in told and tools.workspace.model.choice().settings is None


def test_a_model_that_cannot_be_used_is_not_saved(tools: Tools, provider: Provider) -> None:
    app = page()
    provider.behave("refuses the key")
    app = used(app)
    assert "cannot be used." in said(app) and "It is not used. Choose another" in said(app)
    assert tools.workspace.model.choice().settings is None and "model_found_anyway" not in keys(app)


def test_an_unfit_model_is_saved_only_where_somebody_insists_and_is_shown_as_unfit(tools: Tools, provider: Provider) -> None:
    app = page()
    provider.behave("writes prose only")
    app = used(app)
    assert "is unfit for answers. It passed 0 of 5 decisions. It does not keep to the form" in said(app).replace("*", "")
    assert tools.workspace.model.choice().settings is None
    app.button(key="model_found_anyway").click().run()
    saved = tools.workspace.model.choice()
    assert saved.is_unfit and saved.settings is not None and "is used although it is unfit for answers" in said(app)
    assert "Its test says that it is unfit for answers. It passed 0 of 5" in said(page())


def test_how_long_a_model_takes_is_told_by_its_size_and_by_its_test(tools: Tools) -> None:
    settings = ModelSettings(provider="ollama", model="llama3.1")
    by_size = reading_time(tools.workspace, settings, 8.0)
    if not has_graphics_card():
        assert re.fullmatch(
            r"About \d+ (minutes|hours) to read the sample, about \d+ (s|minutes) for an answer, by its size and without a graphics card\.",
            by_size,
        )
    assert "is known after its test" in reading_time(tools.workspace, settings, None)
    slow = Trial(label=settings.label, decisions=(), seconds_of_a_token=0.0015)
    tools.workspace.model.change(last_trial=slow)
    assert reading_time(tools.workspace, settings, 8.0) == "About 11 minutes to read the sample."
    assert "is known after its test" in reading_time(tools.workspace, ModelSettings(provider="ollama", model="other"), None)


def test_what_is_said_of_the_sample_is_about_true(tools: Tools) -> None:
    """The numbers behind “to read the sample” while nothing is read yet."""
    source = tools.admin.add_source("folder", SAMPLE_NAME, {"path": str(SAMPLE)})
    sync(tools.workspace, Sources(tools.workspace.database), source)
    found = estimate(tools.workspace, ModelSettings(provider="ollama", model="llama3.1"))
    assert (found.leaves, found.branches) == pytest.approx(SAMPLE_RECORDS, rel=0.15)
    assert found.input_tokens == pytest.approx(SAMPLE_TOKENS, rel=0.15)


def test_of_several_models_one_is_chosen(tools: Tools, provider: Provider) -> None:
    provider.models = [{"id": "small"}, {"id": MODEL}]
    app = page()
    app.selectbox(key="model_found_choice_0").set_value(MODEL).run()
    used(app)
    settings = tools.workspace.model.choice().settings
    assert settings is not None and settings.model == MODEL


def test_a_key_of_the_environment_chooses_its_provider(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    app = page()
    assert app.selectbox(key="model0_provider").value == "openai"
    app.button(key="model_found_anthropic").click().run()
    assert app.selectbox(key="model0_provider").value == "anthropic" and "sk-secret" not in said(app)


def test_the_first_page_offers_a_key_of_the_environment_where_there_is_no_server(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "use-found-key" not in keys(opened_chat())
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    app = opened_chat()
    assert "ANTHROPIC_API_KEY is set in the environment" in said(app).replace("`", "") and "sk-secret" not in said(app)
    app.button(key="use-found-key").click().run()
    assert app.selectbox(key="model0_provider").value == "anthropic", "Settings begins with it"


def test_the_first_page_offers_it_until_a_model_is_set(home: Path, provider: Provider) -> None:
    assert "use-found-model" in keys(opened_chat())
    used(page())
    assert "use-found-model" not in keys(opened_chat())


def test_without_a_server_nothing_is_offered(home: Path) -> None:
    assert "use-found-model" not in keys(opened_chat()) and not any(str(key).startswith("model_found") for key in keys(page()))


def test_a_model_that_runs_elsewhere_is_not_said_to_stay_here(tools: Tools, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Provider()) as ollama:
        ollama.models = [{"id": "gpt-oss:120b-cloud"}, {"id": "llama3.1:latest"}]
        monkeypatch.setenv(PLACES_VARIABLE, f"ollama={ollama.url}")
        assert "Use llama3.1:latest on this machine" in said(opened_chat()).replace("*", "")
        app = page()
        assert "Nothing leaves this machine" in said(app)
        app.selectbox(key="model_found_choice_0").set_value("gpt-oss:120b-cloud").run()
        told = said(app).replace("*", "")
        assert (
            "Use gpt-oss:120b-cloud (Ollama). It runs at ollama.com: questions, and the passages read for them, are sent there"
            in told
        )
        offered = told.partition("Run a model inside")[0].partition("Use gpt-oss")[2].partition("\n")[0]
        assert "Nothing leaves this machine" not in offered and "on this machine" not in offered
        tools.workspace.model.change(settings=ModelSettings(provider="ollama", model="gpt-oss:120b-cloud"))
        assert "passed on to ollama.com" in said(page()) and "passes them on to ollama.com" in said(opened_chat())


def test_the_first_page_says_that_there_are_more_servers(home: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Settings offers" not in said(opened_chat())
    with serving(Provider()) as other:
        monkeypatch.setenv(PLACES_VARIABLE, f"openai-compatible={provider.url}, openai-compatible={other.url}")
        assert "Settings offers 1 more model server." in said(opened_chat())
        assert {"model_found_use_0", "model_found_use_1"} <= keys(page())


def test_the_first_page_offers_a_model_that_the_app_runs_where_nothing_else_is_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xllamacpp", reason="the engine is not installed: make local")
    app = opened_chat()
    assert "The app can fetch one that fits this machine" in said(app)
    app.button(key="choose-own-model").click().run()
    [section] = [each for each in app.expander if each.label == "Run a model inside the app"]
    assert section.proto.expanded
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    assert "choose-own-model" not in keys(opened_chat())
