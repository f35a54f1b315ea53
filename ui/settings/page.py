"""Settings: the language model a team brings, what it does in the background, its usage, search by meaning, aliases of names."""

from __future__ import annotations

import os

import streamlit as st
from pydantic import ValidationError

from prompts.model import ModelSettings
from prompts.model.probe import little_context
from prompts.model.settings import KEY_VARIABLE, KEY_VARIABLES, MODEL_VARIABLE, NEEDS_KEY
from tree.store.database import StoreError
from tree.store.language_model import LanguageModel, ModelChoice
from ui.server.administration import Administration
from ui.server.tools import Tools
from ui.settings import alias_tab, found, local_model, meaning_tab, model_check, model_form, upgrade_card, usage
from ui.settings.model_fields import in_words, missing_package
from ui.shared import notices
from ui.shared.dialogs import dialog
from ui.shared.markup import escaped

OFF = "model_off"  # in the session: somebody asked to turn it off
TESTED = model_check.SAVED
CARD = "model_card"  # where is said what went wrong


def page(tools: Tools) -> None:
    """Draws the page."""
    st.title("Settings")
    notices.draw()
    model = tools.workspace.model
    choice, is_given = _choice(model)
    about, meant, said, used = st.tabs(
        ["Language model", "Meaning", "Aliases", "Usage"], key="settings_tab", on_change="rerun", bind="query-params"
    )
    if used.open:
        with used:
            usage.usage_tab(tools, choice)
    elif meant.open:
        with meant:
            meaning_tab.meaning_tab(tools)
    elif said.open:
        with said:
            alias_tab.alias_tab(tools)
    else:
        with about:
            _model(tools, choice, is_given)
    if st.session_state.pop(OFF, False) and choice.settings is not None:
        dialog("Turn the model off?", icon=":material/power_settings_new:")(_confirm_off)(tools.admin, choice.settings)


def _choice(model: LanguageModel) -> tuple[ModelChoice, bool]:
    """What is set, and whether the environment names the model; an error with either is drawn."""
    try:
        return model.choice(), model.is_from_environment
    except ValidationError as error:
        words = (
            f"{MODEL_VARIABLE} is “{os.environ.get(MODEL_VARIABLE, '')}”, which does not name a model: {in_words(error)} "
            "Write it as provider:model, for example openai:gpt-5-mini, then start the app again."
        )
        st.error(escaped(words), icon=":material/error:")
        return ModelChoice(), True
    except StoreError as error:
        st.error(escaped(f"{error} Enter the model's key again below, or turn the model off."), icon=":material/error:")
        return model.described(), False


def _model(tools: Tools, choice: ModelChoice, is_given: bool) -> None:
    if choice.settings is None:
        if not is_given:
            _without()
            found.offers(tools, choice)
            local_model.section(tools, choice)
            model_form.form(tools.admin, choice)
        return
    _card(tools, choice, choice.settings, is_given)
    upgrade_card.upgrades_section(tools, choice, choice.settings)
    with st.expander("What it is used for" if is_given else "Change the model", icon=":material/edit:", key="model_change"):
        model_form.use_form(tools.admin, choice) if is_given else model_form.form(tools.admin, choice)
    if not is_given:
        local_model.section(tools, choice)


def _without() -> None:
    st.markdown(
        "**No language model is set, and none is needed.** Questions are answered with quotes from the documents. A model that you "
        "bring writes summaries and answers in its own words, each sentence with the passages that support it."
    )
    st.caption(
        ":material/outbound: Questions, and the passages that are read for them, are sent to the address below. With a model on your "
        "own machine they stay there."
    )


# ---------------------------------------------------------------- the model that is set


def _card(tools: Tools, choice: ModelChoice, settings: ModelSettings, is_given: bool) -> None:
    with st.container(border=True, key="model_card"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
            st.markdown(f"#### :material/neurology: {escaped(settings.model)}", width="content")
            _badge(choice, settings)
        passed_on = f" · passed on to {settings.passed_on_to}" if settings.passed_on_to else ""
        st.caption(f"{escaped(settings.label)} · {escaped(settings.host)}{passed_on}")
        st.markdown(_used_for(choice))
        if warning := _warning(choice, settings):
            st.warning(escaped(warning), icon=":material/warning:")
        st.caption(" · ".join(filter(None, (_key_words(settings, is_given), _fallback_words(settings), _limit_words(choice)))))
        if choice.engine is not None:
            local_model.running(tools, choice.engine)
        if is_given:
            st.info(
                f"{MODEL_VARIABLE} of the environment names this model; it can only be changed there.", icon=":material/lock:"
            )
        if missing := missing_package(settings.provider):
            st.error(missing, icon=":material/deployed_code_update:")
        with st.container(horizontal=True, gap="small"):
            if st.button("Test", icon=":material/network_check:", key="model_test"):
                model_check.begin(TESTED, settings)
            if choice.held_back and choice.is_unfit and choice.answers and st.button(
                "Use it anyway", icon=":material/warning:", key="model_use_anyway"
            ):  # fmt: skip
                notices.attempt(lambda: tools.admin.change_model(held_back=False), at=CARD)
                st.rerun()
            if not is_given and st.button("Turn off", icon=":material/power_settings_new:", key="model_turn_off"):
                st.session_state[OFF] = True
                st.rerun()
        _last_test(choice, settings)
        _note_trial(tools, choice, settings, is_given)
        notices.draw_at(CARD)


def _badge(choice: ModelChoice, settings: ModelSettings) -> None:
    if choice.is_unfit and choice.trial is not None:
        verdict = choice.trial.verdict(choice.limits_of(settings))
        st.badge(f"{verdict.capitalize()} for answers", icon=":material/warning:", color="orange")
    elif choice.is_untested and choice.answers:
        st.badge("Not tested yet", icon=":material/help:", color="orange")
    elif choice.answers or choice.upgrades:
        st.badge("In use", color="green")
    else:
        st.badge("Not used", color="gray")


def _warning(choice: ModelChoice, settings: ModelSettings) -> str:
    """Why it is not known, or not true, that questions should be answered with it; empty where they should."""
    if choice.is_unfit and choice.trial is not None:
        limits = choice.limits_of(settings)
        why = choice.trial.why_unfit(limits)
        held = " Questions are answered without it." if choice.held_back and choice.answers else ""
        return f"Its test says that it is {choice.trial.verdict(limits)} for answers. {why}{held}"
    if choice.is_untested and choice.answers and choice.held_back:
        return "It was not tested yet, so questions are answered without it. Press Test: if it passes, it answers from then on."
    if choice.is_untested and choice.answers:
        return "It was not tested yet: whether its answers are right, and come in time, is not known. Press Test."
    return ""


def _last_test(choice: ModelChoice, settings: ModelSettings) -> None:
    """What was found by the test of this session, else by the one that is kept."""
    if model_check.about(TESTED) == settings:
        model_check.results(TESTED, settings, "model_tested", choice.question_seconds)
        return
    if words := little_context(settings):
        model_check.context(f"{settings.context:,} tokens are used. {words}")
    if choice.trial is not None and choice.trial.decisions:
        label = f"Its test: {choice.trial.passed} of {len(choice.trial.decisions)} decisions passed"
        with st.expander(label, icon=":material/network_check:", key="model_last_test"):
            model_check.decisions(choice.trial)


def _note_trial(tools: Tools, choice: ModelChoice, settings: ModelSettings, is_given: bool) -> None:
    """A new test of what is set takes the place of the one before: the card says how it went, and what reading takes. A model
    that was held back until it passes one is used then."""
    trial = model_check.trial_of(TESTED, settings)
    if trial is None or trial == choice.last_trial:
        return
    is_released = choice.held_back and not is_given and trial.fits(choice.limits_of(settings))
    changed = {"last_trial": trial} | ({"held_back": False} if is_released else {})
    if notices.attempt(lambda: tools.admin.change_model(**changed), at=CARD):
        if is_released and choice.answers:
            notices.say(f"{settings.label} works. Questions are answered with it from now on.")
        st.rerun()


def _used_for(choice: ModelChoice) -> str:
    uses = [
        words
        for is_used, words in (
            (choice.answers_questions, "answers questions"),
            (choice.upgrades, "improves summaries in the background"),
        )
        if is_used
    ]
    return f"It {' and '.join(uses)}." if uses else "It is not used now, neither for questions nor for summaries."


def _key_words(settings: ModelSettings, is_given: bool) -> str:
    if settings.api_key.get_secret_value() and is_given:
        return f":material/key: key from {KEY_VARIABLE}"
    if settings.api_key.get_secret_value():
        return ":material/key: a key is saved"
    variable = next((name for name in KEY_VARIABLES[settings.provider] if os.environ.get(name)), "")
    if variable:
        return f":material/key: key from {variable}"
    return ":material/key_off: no key" if settings.provider in NEEDS_KEY else ""


def _fallback_words(settings: ModelSettings) -> str:
    return f"fallback {escaped(settings.fallback.label)}" if settings.fallback else "no fallback"


def _limit_words(choice: ModelChoice) -> str:
    return f"{choice.daily_tokens:,} tokens a day" if choice.daily_tokens is not None else "no daily limit"


def _confirm_off(admin: Administration, settings: ModelSettings) -> None:
    st.markdown(
        f"**{escaped(settings.label)}** is not used any more, and its key is deleted here. Summaries that it wrote stay until the "
        "text below them changes."
    )
    with st.container(horizontal=True):
        if st.button(
            "Turn off", type="primary", icon=":material/power_settings_new:", key="model_off_confirmed",
            on_click=notices.on_click, args=(_turn_off, admin), kwargs={"at": CARD},
        ):  # fmt: skip
            st.rerun()
        if st.button("Cancel", key="model_off_cancelled"):
            st.rerun()


def _turn_off(admin: Administration) -> None:
    admin.change_model(settings=None, paused=False)
    notices.say("The model is turned off. Questions are answered without one from now on.")
