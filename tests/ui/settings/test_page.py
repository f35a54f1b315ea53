"""The page of settings: a model is chosen, tried, saved and turned off there, against a provider that answers over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from prompts.model import ModelSettings, Usage
from prompts.model import Spent as Decided
from prompts.model.settings import CONTEXT_VARIABLE, KEY_VARIABLE, KEY_VARIABLES, MODEL_VARIABLE, URL_VARIABLE
from tests.prompts.model.provider import MANNERS, MODEL, Provider, serving
from tests.ui.opened import words
from tree.store.language_model import LanguageModel, ModelChoice
from tree.store.models import Source
from ui.server.tools import Tools
from ui.settings import model_form
from ui.settings import page as settings_page

KEY = "sk-secret-of-the-team-0815"
AT = "model0_openai-compatible"
PATIENCE = 30  # seconds


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the environment of whoever runs the tests."""
    for name in (MODEL_VARIABLE, URL_VARIABLE, KEY_VARIABLE, CONTEXT_VARIABLE, *sum(KEY_VARIABLES.values(), ())):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


def page() -> AppTest:
    def script() -> None:
        from tests.ui.people import tools_of
        from ui.settings import page as settings_page

        settings_page.page(tools_of())

    return AppTest.from_function(script, default_timeout=30).run()


def said(app: AppTest) -> str:
    """All words of the page as a reader sees them."""
    assert not app.exception
    return (words(app) + "\n".join(each.value for each in app.info)).replace("\\", "").replace("\u2060", "")


def everything(app: AppTest) -> str:
    """What the browser got of the page, and what the server remembers of it."""
    return f"{[getattr(element, 'proto', '') for element in app.main]} {app.session_state!r}"


def filled(app: AppTest, provider: Provider, model: str = MODEL, key: str = KEY) -> AppTest:
    app.selectbox(key="model0_provider").set_value("openai-compatible").run()
    app.text_input(key=f"{AT}_address").set_value(provider.url)
    app.text_input(key=f"{AT}_key").set_value(key)
    app.text_input(key=f"{AT}_model").set_value(model)
    return app


def pressed(app: AppTest, button: str, task: str = model_form.TESTED) -> AppTest:
    """The page when what the button began is over."""
    app.button(key=button).click().run()
    assert app.session_state[task].task.ended.wait(PATIENCE)
    return app.run()


def saved_by(app: AppTest, button: str) -> AppTest:
    """The page when a model that was not tested before is tested, and saved if it can be."""
    app.button(key=button).click().run()
    if model_form.TESTED in app.session_state:
        assert app.session_state[model_form.TESTED].task.ended.wait(PATIENCE)
        app.run()
    return app


def badges(app: AppTest) -> str:
    return "\n".join(each.value for each in app.markdown if "-badge[" in each.value)


def warned(app: AppTest) -> str:
    return "\n".join(each.value for each in app.warning).replace("\\", "")


def settings(provider: Provider, **fields: object) -> ModelSettings:
    values = {"provider": "openai-compatible", "model": MODEL, "base_url": provider.url, "api_key": KEY, **fields}
    return ModelSettings.model_validate(values)


# ---------------------------------------------------------------- choosing


def test_without_a_model_the_page_says_that_none_is_needed(tools: Tools) -> None:
    assert "No language model is set, and none is needed" in said(page())


def test_a_model_is_tried_then_saved_and_its_key_is_never_shown(tools: Tools, provider: Provider) -> None:
    app = pressed(filled(page(), provider), "model0_test")
    assert f"openai-compatible:{MODEL} works" in said(app) and "It has test-model" in said(app)
    assert tools.workspace.model.choice().settings is None
    app.button(key=f"{AT}_take_context").click().run()
    app.button(key="model0_save").click().run()
    assert "is saved. Questions are answered with it from now on" in said(app) and "a key is saved" in said(app)
    saved = tools.workspace.model.choice()
    assert saved.settings is not None and saved.settings.context_tokens == 32_768
    assert saved.settings.api_key.get_secret_value() == KEY
    assert saved.paused, "what the background work takes is shown before somebody has it begin"
    assert KEY not in everything(app.run()) and KEY not in everything(page())


def test_models_are_listed_to_choose_from(tools: Tools, provider: Provider) -> None:
    provider.models = [{"id": name} for name in ("small", "large")]
    app = pressed(filled(page(), provider, model=""), "model0_list")
    assert app.selectbox(key=f"{AT}_model_listed").options == ["large", "small"]
    assert provider.received == []


@pytest.mark.parametrize(
    ("manner", "sentence"),
    [
        ("refuses the key", "refused the key for openai-compatible:test-model; make a new one at the provider"),
        ("is behind a login", "answers with a web page"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(tools: Tools, provider: Provider, manner: str, sentence: str) -> None:
    provider.behave(manner)
    app = pressed(filled(page(), provider), "model0_test")
    assert "cannot be used." in said(app) and sentence in said(app)
    assert KEY not in said(app)


def test_a_model_whose_test_failed_is_saved_with_a_warning(tools: Tools, provider: Provider) -> None:
    provider.behave("refuses the key")
    app = pressed(filled(page(), provider), "model0_test")
    app.button(key="model0_save").click().run()
    assert "is saved, but its test failed" in said(app) and "Questions are answered with it" not in said(app)
    assert tools.workspace.model.choice().settings is not None


def test_an_unfit_model_is_saved_only_by_the_button_that_says_so(tools: Tools, provider: Provider) -> None:
    provider.behave("writes prose only")
    app = pressed(filled(page(), provider), "model0_test")
    app.button(key="model0_save").click().run()
    assert (
        "was not saved. Choose another model, or press “Use it anyway”" in said(app)
        and tools.workspace.model.choice().settings is None
    )
    app.button(key="model_anyway").click().run()
    assert "is used although it is unfit for answers" in said(app) and tools.workspace.model.choice().is_unfit
    provider.behave("ok")
    assert "works" in said(pressed(app, "model_test", settings_page.TESTED))
    assert not tools.workspace.model.choice().is_unfit, "a test that goes well takes the mark away"


def test_saving_tests_a_model_that_was_not_tested(tools: Tools, provider: Provider) -> None:
    app = saved_by(filled(page(), provider), "model0_save")
    assert "is saved. Questions are answered with it from now on" in said(app) and "In use" in badges(app)
    choice = tools.workspace.model.choice()
    assert len(provider.received) == 5 and choice.trial is not None and choice.answers_questions
    assert said(app).count("s · ") == 5, "each decision is shown with its seconds and tokens"


def test_saving_an_unfit_model_that_was_not_tested_does_not_use_it(tools: Tools, provider: Provider) -> None:
    provider.behave("writes prose only")
    app = saved_by(filled(page(), provider), "model0_save")
    assert "is unfit for answers. It passed 0 of 5" in said(app).replace("*", "") and "was not saved" in said(app)
    assert tools.workspace.model.choice().settings is None
    app.button(key="model_anyway").click().run()
    assert tools.workspace.model.choice().is_unfit and "Unfit for answers" in badges(app)


def test_a_model_that_only_writes_summaries_is_saved_as_it_is(tools: Tools, provider: Provider) -> None:
    app = filled(page(), provider)
    app.checkbox(key="model0_answers").uncheck()
    app.button(key="model0_save").click().run()
    assert "Questions are answered without it" in said(app) and provider.received == []
    app.checkbox(key="model1_answers").check()
    assert "is saved. Questions are answered with it" in said(saved_by(app, "model1_save")), "tested before it answers"
    assert len(provider.received) == 5


def test_a_model_that_cannot_be_tested_is_saved_by_a_second_click_and_answers_once_it_passes(
    tools: Tools, provider: Provider
) -> None:
    provider.behave("fails")
    app = saved_by(filled(page(), provider), "model0_save")
    assert "was not saved: its test failed" in said(app) and tools.workspace.model.choice().settings is None
    app.button(key="model0_save").click().run()
    assert "Questions are answered without it until a test passes" in said(app) and "Not tested yet" in badges(app)
    assert tools.workspace.model.reader() is None
    app = page()
    assert "so questions are answered without it. Press Test" in warned(app)
    assert "answers questions" not in said(app)
    provider.behave("ok")
    app = pressed(app, "model_test", settings_page.TESTED)
    assert "answers questions" in said(app) and "In use" in badges(app)
    assert tools.workspace.model.reader() is not None


def test_a_saved_model_found_unfit_answers_only_where_somebody_insists(tools: Tools, provider: Provider) -> None:
    tools.workspace.model.save(ModelChoice(settings=settings(provider), held_back=True))
    provider.behave("writes prose only")
    app = pressed(page(), "model_test", settings_page.TESTED)
    assert tools.workspace.model.reader() is None and "Unfit for answers" in badges(app)
    app.button(key="model_use_anyway").click().run()
    assert tools.workspace.model.reader() is not None


def test_a_model_of_before_that_nobody_tested_is_shown_as_that(tools: Tools, provider: Provider) -> None:
    tools.workspace.model.save(ModelChoice(settings=settings(provider)))
    app = page()
    assert "Not tested yet" in badges(app) and "Press Test" in warned(app)
    assert tools.workspace.model.reader() is not None, "it goes on answering"


def test_a_model_that_is_too_slow_is_told_so_until_the_limit_is_raised(tools: Tools, provider: Provider) -> None:
    provider.behave(replace(MANNERS["ok"], tokens_per_second=1_100))
    app = filled(page(), provider)
    app.number_input(key="model0_question_seconds").set_value(5.0)
    app = saved_by(app, "model0_save")
    sentence = r"is too slow for answers\.\W+Answers would take about \d+ s, and a question may take 5 s: choose a smaller model, or raise the limit in Settings"
    assert re.search(sentence, said(app)) and tools.workspace.model.choice().settings is None
    assert "An answer takes about" in said(app)
    app.button(key="model_anyway").click().run()
    assert "Too slow for answers" in badges(app)
    assert "a question may take 5 s" in warned(app)
    asked = len(provider.received)
    app.number_input(key="model1_question_seconds").set_value(85.0)
    app.button(key="model1_save").click().run()
    assert "In use" in badges(app) and not app.warning and len(provider.received) == asked, "what was measured still holds"


def test_the_last_test_stays_on_the_card(tools: Tools, provider: Provider) -> None:
    saved_by(filled(page(), provider), "model0_save")
    app = page()  # in another session
    assert [each.label for each in app.expander if "Its test" in each.label] == ["Its test: 5 of 5 decisions passed"]
    assert said(app).count("s · ") == 5


def test_an_address_where_nobody_answers_is_told(tools: Tools, provider: Provider) -> None:
    provider.url = "http://127.0.0.1:9/v1"
    assert "Nothing answers at http://127.0.0.1:9/v1" in said(pressed(filled(page(), provider), "model0_test"))


def test_what_cannot_be_right_is_not_saved(tools: Tools, provider: Provider) -> None:
    app = filled(page(), provider)
    for field, value, sentence in (
        ("model", "", "Enter the name of the model"),
        ("address", "", "Enter the address"),
        ("address", "vllm", "must begin with http"),
    ):
        before = app.text_input(key=f"{AT}_{field}").value
        app.text_input(key=f"{AT}_{field}").set_value(value)
        app.button(key="model0_save").click().run()
        assert sentence in said(app) and KEY not in said(app)
        app.text_input(key=f"{AT}_{field}").set_value(before)
    assert tools.workspace.model.choice().settings is None


def test_a_missing_package_is_named(tools: Tools) -> None:
    app = page()
    app.selectbox(key="model0_provider").set_value("anthropic").run()
    assert 'pip install "pydantic-ai-slim[anthropic]"' in said(app)


# ---------------------------------------------------------------- a model that is set


def test_a_saved_key_stays_with_its_address(tools: Tools, provider: Provider) -> None:
    tools.workspace.model.save(ModelChoice(settings=settings(provider)))
    app = page()
    app.text_input(key=f"{AT}_address").set_value("http://127.0.0.1:9/v1")
    app.button(key="model0_save").click().run()
    assert f"The saved key is for {provider.url}" in said(app)
    provider.models = [{"id": "another"}]
    app.text_input(key=f"{AT}_address").set_value(provider.url)
    app.text_input(key=f"{AT}_model").set_value("another")
    saved_by(app, "model0_save")
    saved = tools.workspace.model.choice().settings
    assert saved is not None and (saved.model, saved.api_key.get_secret_value()) == ("another", KEY)


def test_turning_it_off_asks_first_and_deletes_the_key(tools: Tools, provider: Provider) -> None:
    tools.workspace.model.save(ModelChoice(settings=settings(provider)))
    app = page()
    app.button(key="model_turn_off").click().run()
    assert "Summaries that it wrote stay until the text below them changes" in said(app)
    app.button(key="model_off_confirmed").click().run()
    assert "The model is turned off" in said(app) and tools.workspace.model.choice().settings is None


def test_a_model_of_the_environment_is_shown_and_its_key_is_not_saved(
    tools: Tools, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ((MODEL_VARIABLE, f"openai-compatible:{MODEL}"), (URL_VARIABLE, provider.url), (KEY_VARIABLE, KEY)):
        monkeypatch.setenv(name, value)
    app = page()
    assert f"key from {KEY_VARIABLE}" in said(app) and "it can only be changed there" in said(app)
    assert "model0_save" not in [button.key for button in app.button]
    app.number_input(key="model_use_daily").set_value(1_000)
    app.button(key="model_use_save").click().run()
    assert tools.workspace.model.choice().daily_tokens == 1_000
    assert "works" in said(pressed(app, "model_test", settings_page.TESTED))
    monkeypatch.delenv(MODEL_VARIABLE)
    assert tools.workspace.model.choice().settings is None
    assert KEY not in everything(app)


def test_an_environment_that_names_no_model_is_told_how_to_write_it(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, "gpt-5-mini")
    assert "Write it as provider:model, for example openai:gpt-5-mini" in said(page())


def test_a_key_that_cannot_be_read_any_more_can_be_entered_again(tools: Tools, provider: Provider) -> None:
    LanguageModel(tools.workspace.database).save(ModelChoice(settings=settings(provider)))
    (tools.workspace.home / "secret.key").unlink()
    app = page()
    assert "Enter the model's key again" in said(app)
    app.text_input(key=f"{AT}_key").set_value(KEY)
    assert "a key is saved" in said(saved_by(app, "model0_save"))


# ---------------------------------------------------------------- in the background


def test_the_work_in_the_background_begins_after_what_it_takes_was_shown(
    tools: Tools, provider: Provider, source: Source
) -> None:
    prices = {"input": 1.0, "output": 4.0}
    tools.workspace.model.save(ModelChoice(settings=settings(provider, prices=prices), paused=True))
    app = page()
    assert "test-model has written no summary yet" in said(app)
    assert "passages and" in said(app) and "tokens" in said(app) and " ct." in said(app)
    app.button(key="upgrades_go").click().run()
    assert not tools.workspace.model.choice().paused
    assert "the app's worker is not running" in said(app)
    app.button(key="upgrades_pause").click().run()
    assert tools.workspace.model.choice().paused


def test_each_source_may_have_a_budget(tools: Tools, provider: Provider, source: Source) -> None:
    tools.workspace.model.save(ModelChoice(settings=settings(provider), paused=True))
    app = page()
    app.number_input(key=f"budget_{source.id}").set_value(5_000)
    app.button(key="source_budgets_save").click().run()
    assert tools.workspace.model.choice().source_tokens == {source.id: 5_000}
    assert provider.received == []


# ---------------------------------------------------------------- what it took


def test_what_was_spent_is_told_by_day_source_and_purpose(tools: Tools, provider: Provider, source: Source) -> None:
    model = tools.workspace.model
    model.save(ModelChoice(settings=settings(provider), daily_tokens=3_000))
    usage = Usage()
    usage.add(Decided("read", "model", 2, 2_000, 500, 0, 1.0, "schema", MODEL, 0.004))
    model.note("question", usage, "openai:a", 1.0)
    model.note("upgrade", usage, "openai:b", 1.0, source.id, hits=7)
    app = page()
    app.session_state["settings_tab"] = "Usage"
    told = said(app.run())
    shown = app.dataframe[0].value
    assert list(zip(shown["Used for"], shown["Model"], strict=True)) == [
        ("Questions", "openai:a"),
        ("Summaries of Team", "openai:b"),
    ]
    assert (
        list(shown["Tokens"]) == [2_500, 2_500]
        and list(shown["Cost"]) == ["0.4 ct", "0.4 ct"]
        and list(shown["Reused"]) == [0, 7]
    )
    assert "budget of 3,000 tokens for today is spent" in told and "everything works without the model" in told
