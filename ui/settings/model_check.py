"""Testing a model before anybody meets it in a chat: what was checked, how it went, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ingestion.words import counted
from prompts.model import ModelSettings
from prompts.model.probe import Finding, Probe, listed, probe
from prompts.model.trial import AnswerLimits, Trial, Tried, about_seconds
from prompts.stop import Stop
from ui.shared.background_task import QUICK_SECONDS, BackgroundTask, StopOnClose, result_of, start, started
from ui.shared.markup import escaped

STEPS = {"address": "Address", "model": "Model", "context": "Context size"}
DECISIONS = {
    "choose": "Chooses",
    "judge": "Judges",
    "quote": "Quotes exactly",
    "write": "Writes with sources",
    "none": "Says none",
}
MARKS = {
    "good": ":green[:material/check_circle:]",
    "doubtful": ":orange[:material/help:]",
    "bad": ":red[:material/error:]",
    "passed": ":green[:material/check_circle:]",
    "failed": ":red[:material/cancel:]",
    "not asked": ":gray[:material/do_not_disturb_on:]",
}
WAYS = {"schema": "by a JSON schema", "tool": "as a tool", "json": "in JSON mode", "plain": "as plain text"}
SAVED = "model_tested"  # in the session: the last test of the model that is saved
LISTED = "model_listed"  # in the session: the models that were listed, by provider
Tested = list[tuple[ModelSettings, Probe]]  # the model, and its fallback where it has one


def begin(name: str, settings: ModelSettings) -> None:
    """Starts a test under a name in the session: everything is checked, with five decisions of each model."""
    _begin(name, settings, probe)


def begin_listing(name: str, settings: ModelSettings) -> None:
    """Only lists the models of the provider."""
    _begin(name, settings.model_copy(update={"fallback": None}), lambda one, stop: listed(one))


def _begin(name: str, settings: ModelSettings, check: Callable[[ModelSettings, Stop], Probe]) -> None:
    both = [settings, *([settings.fallback] if settings.fallback else [])]

    def test(task: BackgroundTask[Tested]) -> Tested:
        stop = task.closes_on_cancel(StopOnClose()).stop
        return [(one, check(one, stop)) for one in both]

    start(name, settings, test)
    if (begun := started(name)) is not None:
        begun.task.ended.wait(QUICK_SECONDS)


def models_at(provider: str) -> Sequence[str]:
    """The names of the models that a provider listed last."""
    listed_by: dict[str, Sequence[str]] = st.session_state.get(LISTED, {})
    return listed_by.get(provider, ())


def reported_context(name: str, provider: str) -> int | None:
    """How many tokens the model takes that was tested last under this name, if the server said so."""
    tested = started(name)
    if tested is None or not tested.task.result:
        return None
    settings, found = tested.task.result[0]
    return found.context_tokens if settings.provider == provider else None


def about(name: str) -> ModelSettings | None:
    """What the test or listing under this name was begun for."""
    begun = started(name)
    return begun.about if begun is not None and isinstance(begun.about, ModelSettings) else None


def is_running(name: str, settings: ModelSettings) -> bool:
    """Whether these settings are being tested under this name."""
    begun = started(name)
    return begun is not None and begun.about == settings and not begun.task.ended.is_set()


def has_failed(name: str, settings: ModelSettings) -> bool:
    """Whether the last test under this name was of these settings and found that they cannot be used."""
    return any(not found.can_be_used for _, found in _tested(name, settings))


def trial_of(name: str, settings: ModelSettings) -> Trial | None:
    """How the model did in the last test under this name, if that was of these settings and came so far."""
    return next((found.trial for _, found in _tested(name, settings)[:1] if found.can_be_used), None)


def keep(name: str, settings: ModelSettings, found: Probe) -> None:
    """Has a test that was made elsewhere stand under this name, as if it had been begun there."""
    start(name, settings, lambda task: [(settings, found)])
    if (begun := started(name)) is not None:
        begun.task.ended.wait()


def _tested(name: str, settings: ModelSettings) -> Tested:
    begun = started(name)
    return (begun.task.result if begun is not None and begun.about == settings else None) or []


def results(name: str, settings: ModelSettings, key: str, question_seconds: float) -> None:
    """The findings of what was begun under this name, if it was about these settings; a question may take `question_seconds`."""
    tested: Tested | None = result_of(name, settings, f"Asking {settings.host} …", key)
    if not tested:
        return
    with st.container(border=True, key=f"{key}_findings"):
        for one, found in tested:
            findings(one, found, AnswerLimits(question_seconds, one.timeout))
    settings_tried, first = tested[0]
    if first.models:
        st.session_state.setdefault(LISTED, {})[settings_tried.provider] = first.models


def findings(settings: ModelSettings, found: Probe, limits: AnswerLimits) -> None:
    if found.trial is not None or not found.can_be_used:
        st.markdown(verdict(settings, found, limits))
    elif found.models:
        st.markdown(f"**{escaped(settings.host)} has {counted(len(found.models), 'model')}.** Choose one above.")
    else:
        st.markdown(f"**{escaped(settings.host)} lists no models.** Type the name above.")
    st.markdown("  \n".join(_line(finding) for finding in found.findings))
    if found.trial is not None:
        decisions(found.trial)


def decisions(trial: Trial) -> None:
    """Each of the five: whether it passed, its seconds and tokens; and what they say of an answer."""
    st.markdown("  \n".join(_decision(one) for one in trial.decisions))
    asked = f", asked for {WAYS[trial.output_mode]}" if trial.output_mode in WAYS else ""
    answer = f" An answer takes {about_seconds(trial.answer_seconds)}." if trial.answer_seconds is not None else ""
    st.caption(f"Five decisions on a made-up text: {trial.seconds:.1f} s, {trial.tokens:,} tokens{asked}.{answer}")


def context(words: str) -> None:
    """What follows where a prompt may be only short, as a test says it."""
    st.markdown(_line(Finding("context", "doubtful", words)))


def verdict(settings: ModelSettings, found: Probe, limits: AnswerLimits) -> str:
    """What the test says of the model, as Markdown."""
    if not found.can_be_used:
        return f"**{escaped(settings.label)} cannot be used.**"
    if found.trial is not None and not found.trial.fits(limits):
        return f"**{escaped(settings.label)} is {found.trial.verdict(limits)} for answers.** {escaped(found.trial.why_unfit(limits))}"
    return f"**{escaped(settings.label)} works.**"


def used_anyway(label: str, trial: Trial | None, limits: AnswerLimits) -> str:
    """What is said when somebody insists on a model."""
    return f"{label} is used although it is {trial.verdict(limits) if trial else 'unfit'} for answers."


def _line(finding: Finding) -> str:
    return f"{MARKS[finding.state]} **{STEPS[finding.step]}**: {escaped(finding.words)}"


def _decision(tried: Tried) -> str:
    took = f" :gray[{tried.seconds:.1f} s · {counted(tried.tokens, 'token')}]" if tried.state != "not asked" else ""
    return f"{MARKS[tried.state]} **{DECISIONS[tried.name]}**: {escaped(tried.words)}{took}"
