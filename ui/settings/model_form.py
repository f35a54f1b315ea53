"""Choosing a model: its fields, a test of what was entered, and saving it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from prompts.model import ModelSettings
from prompts.model.settings import CONTEXT_TOKENS, LARGE_CONTEXT
from prompts.model.trial import AnswerLimits, Trial
from tree.store.database import StoreError
from tree.store.language_model import ModelChoice, trial_of
from ui.server.administration import Administration
from ui.settings import model_check
from ui.settings.model_fields import (
    UNNAMED,
    NotUsable,
    as_settings,
    fallback_fields,
    limit_fields,
    missing_package,
    place_fields,
    use_fields,
)
from ui.shared import notices
from ui.shared.background_task import started
from ui.shared.found_models import PROVIDERS
from ui.shared.markup import escaped
from ui.shared.urls import is_unencrypted

ROUND = "model_round"  # in the session; another round is an empty form, in the browser too
TESTED = "model_form_tested"  # in the session: the last test or listing
WANTED = "model_form_wanted"  # in the session: what is to be saved once its test says that it is fit, and what it is used for


def form(admin: Administration, choice: ModelChoice) -> None:
    key = f"model{st.session_state.setdefault(ROUND, 0)}"
    saved = choice.settings
    provider = st.selectbox(
        "Provider", list(PROVIDERS), list(PROVIDERS).index(saved.provider) if saved else 0, key=f"{key}_provider",
        format_func=PROVIDERS.__getitem__,
    )  # fmt: skip
    if missing := missing_package(provider):
        st.warning(missing, icon=":material/deployed_code_update:")
    # a form: a key that is left with Tab is not lost, as it is outside of forms
    with st.form(f"{key}_form", border=False):
        at = f"{key}_{provider}"
        here = saved if saved and saved.provider == provider else None
        models = model_check.models_at(provider)
        fields = place_fields(at, provider, here, models)
        use = use_fields(key, choice)
        with st.expander("Limits and prices", icon=":material/tune:"):
            fields |= limit_fields(at, here)
        with st.expander("Fallback", icon=":material/alt_route:"):
            fields["fallback"] = fallback_fields(at, saved)
        with st.container(horizontal=True, gap="small"):
            is_tested = st.form_submit_button("Test", icon=":material/network_check:", key=f"{key}_test")
            is_saved = st.form_submit_button(
                "Save", icon=":material/save:", type="primary", key=f"{key}_save", help="A model that was not tested yet is tested first."
            )  # fmt: skip
            is_listed = st.form_submit_button("List models", type="tertiary", key=f"{key}_list")
    if is_unencrypted(fields["base_url"]):
        words = "Over http:// the key and the questions can be read in transit. Use https:// if the server supports it."
        st.warning(words, icon=":material/lock_open:")
    if is_tested or is_listed or is_saved:
        st.session_state.pop(WANTED, None)
    try:
        if is_tested:
            model_check.begin(TESTED, as_settings(fields, saved))
        elif is_listed:
            model_check.begin_listing(TESTED, as_settings({**fields, "model": UNNAMED, "fallback": None}, saved))
        elif is_saved:
            _begin_saving(admin, choice, as_settings(fields, saved), use)
    except NotUsable as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    if (tested := model_check.about(TESTED)) is not None and tested.provider == provider:
        model_check.results(TESTED, tested, f"{key}_tested", use["question_seconds"])
        _finish_saving(admin, choice, tested)
        _offer_anyway(admin, choice, tested, use)
    _offer_context(
        at,
        fields["context_tokens"] or CONTEXT_TOKENS.get(provider, LARGE_CONTEXT),
        model_check.reported_context(TESTED, provider),
    )
    if model_check.models_at(provider) != models:
        _carry(at, fields["model"])
        st.rerun()  # the field of the model can now show a list


def _offer_context(at: str, now: int, reported: int | None) -> None:
    """What the server says it takes, where that is more than would be used of it."""
    if reported is not None and reported > now:
        words = f"Use all {reported:,} tokens of context"
        st.button(words, icon=":material/straighten:", key=f"{at}_take_context", on_click=_take_context, args=(at, reported))


def _take_context(at: str, reported: int) -> None:
    st.session_state[f"{at}_context"] = reported


def _carry(at: str, named: str) -> None:
    """The name goes along when a list takes the place of the field it was typed into, or the other way round."""
    for other in (f"{at}_model", f"{at}_model_listed"):
        if other not in st.session_state and named:
            st.session_state[other] = named


def _offer_anyway(admin: Administration, choice: ModelChoice, tested: ModelSettings, use: Mapping[str, Any]) -> None:
    """A model that its test found unfit is saved by this button alone."""
    trial = model_check.trial_of(TESTED, tested)
    if trial is None or trial.fits(AnswerLimits(use["question_seconds"], tested.timeout)):
        return
    if st.button("Use it anyway", icon=":material/warning:", key="model_anyway"):
        _save(admin, choice, tested, use, trial, is_unfit_agreed=True)


def _begin_saving(admin: Administration, choice: ModelChoice, settings: ModelSettings, use: Mapping[str, Any]) -> None:
    """Saves what is known to be fit, what is not to answer, and what was just told to fail; tests anything else first."""
    trial = model_check.trial_of(TESTED, settings) or trial_of(settings, choice.last_trial)
    is_fit = trial is not None and trial.fits(AnswerLimits(use["question_seconds"], settings.timeout))
    # with this model it was agreed before
    is_agreed = choice.is_unfit and not choice.held_back and trial == choice.trial
    if is_fit or is_agreed or not use["answers"] or model_check.has_failed(TESTED, settings):
        _save(admin, choice, settings, use, trial, is_unfit_agreed=is_agreed)
        return
    st.session_state[WANTED] = (settings, use)
    if model_check.trial_of(TESTED, settings) is None and not model_check.is_running(TESTED, settings):
        model_check.begin(TESTED, settings)


def _finish_saving(admin: Administration, choice: ModelChoice, tested: ModelSettings) -> None:
    """Saves what was tested for that, or says why it is not saved."""
    settings, use = st.session_state.get(WANTED, (None, None))
    if settings != tested or use is None:
        return
    trial = model_check.trial_of(TESTED, settings)
    if trial is not None and trial.fits(AnswerLimits(use["question_seconds"], settings.timeout)):
        _save(admin, choice, settings, use, trial)
    elif trial is not None:
        words = f"{settings.label} was not saved. Choose another model, or press “Use it anyway” below."
        st.error(escaped(words), icon=":material/error:")
    elif model_check.has_failed(TESTED, settings):
        words = f"{settings.label} was not saved: its test failed. To keep it for later all the same, press Save again."
        st.error(escaped(words), icon=":material/error:")


def _save(
    admin: Administration, choice: ModelChoice, settings: ModelSettings, use: Mapping[str, Any], trial: Trial | None,
    *, is_unfit_agreed: bool = False,
) -> None:  # fmt: skip
    is_another = choice.settings is None or choice.settings.label != settings.label
    # what another model would cost is shown first; somebody then has it begin
    paused = choice.paused or is_another
    changed = choice.model_copy(
        update={**use, "settings": settings, "paused": paused, "last_trial": trial or choice.last_trial, "held_back": False}
    )
    if not is_unfit_agreed and (changed.is_untested or changed.is_unfit):
        changed = changed.model_copy(update={"held_back": True})
    try:
        admin.save_model(changed)
    except StoreError as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return
    failed = model_check.has_failed(TESTED, settings)
    if (begun := started(TESTED)) is not None and begun.about == settings:
        st.session_state[model_check.SAVED] = begun  # its results stay on the page
    st.session_state.pop(TESTED, None)
    st.session_state.pop(WANTED, None)
    st.session_state[ROUND] += 1
    if changed.is_unfit and changed.answers_questions:
        notices.say(model_check.used_anyway(settings.label, trial, changed.limits_of(settings)), "bad")
    elif failed and changed.held_back:
        notices.say(
            f"{settings.label} is saved, but its test failed. Questions are answered without it until a test passes.", "bad"
        )
    elif failed:
        notices.say(f"{settings.label} is saved, but its test failed: until it works, everything works without it.", "bad")
    else:
        notices.say(_saved_words(settings, use))
    st.rerun()


def _saved_words(settings: ModelSettings, use: Mapping[str, Any]) -> str:
    if use["answers"]:
        return f"{settings.label} is saved. Questions are answered with it from now on."
    if use["upgrades"]:
        return f"{settings.label} is saved. Questions are answered without it; summaries can be improved with it."
    return f"{settings.label} is saved. It is not used yet, neither for questions nor for summaries."


def use_form(admin: Administration, choice: ModelChoice) -> None:
    """What can be set of a model that the environment names."""
    with st.form("model_use", border=False):
        use = use_fields("model_use", choice)
        if st.form_submit_button("Save", type="primary", icon=":material/save:", key="model_use_save"):
            if notices.attempt(lambda: admin.change_model(**use), at="model_use"):
                notices.say("Saved. It applies from the next question on.")
            st.rerun()
    notices.draw_at("model_use")
