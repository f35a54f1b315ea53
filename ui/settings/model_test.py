"""Testing a model before anybody meets it in a chat: what was checked, how it went, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ingestion.words import counted
from prompts.model import ModelSettings
from prompts.model.probe import Finding, Probe, listed, probe
from ui.shared.background_task import QUICK_SECONDS, result_of, start, started
from ui.shared.markup import escaped

STEPS = {"address": "Address", "model": "Model", "context": "Context size", "decision": "Test question"}
MARKS = {
    "good": ":green[:material/check_circle:]",
    "doubtful": ":orange[:material/help:]",
    "bad": ":red[:material/error:]",
}
LISTED = "model_listed"  # in the session: the models that were listed, by provider
Tested = list[tuple[ModelSettings, Probe]]  # the model, and its fallback where it has one


def begin(name: str, settings: ModelSettings) -> None:
    """Starts a test under a name in the session: everything is checked, with one small request to each model."""
    _begin(name, settings, probe)


def begin_listing(name: str, settings: ModelSettings) -> None:
    """Only lists the models of the provider."""
    _begin(name, settings.model_copy(update={"fallback": None}), listed)


def _begin(name: str, settings: ModelSettings, check: Callable[[ModelSettings], Probe]) -> None:
    both = [settings, *([settings.fallback] if settings.fallback else [])]
    start(name, settings, lambda task: [(one, check(one)) for one in both])
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


def has_failed(name: str, settings: ModelSettings) -> bool:
    """Whether the last test under this name was of these settings and found that they cannot be used."""
    begun = started(name)
    tested: Tested = (begun.task.result if begun is not None and begun.about == settings else None) or []
    return any(not found.is_good for _, found in tested)


def results(name: str, settings: ModelSettings, key: str) -> None:
    """The findings of what was begun under this name, if it was about these settings."""
    tested: Tested | None = result_of(name, settings, f"Asking {settings.host} …", key)
    if not tested:
        return
    with st.container(border=True, key=f"{key}_findings"):
        for one, found in tested:
            _findings(one, found)
    settings_tried, first = tested[0]
    if first.models:
        st.session_state.setdefault(LISTED, {})[settings_tried.provider] = first.models


def _findings(settings: ModelSettings, found: Probe) -> None:
    if any(finding.step == "decision" for finding in found.findings) or not found.is_good:
        verdict = "works" if found.is_good else "cannot be used"
        st.markdown(f"**{escaped(settings.label)} {verdict}.**")
    elif found.models:
        st.markdown(f"**{escaped(settings.host)} has {counted(len(found.models), 'model')}.** Choose one above.")
    else:
        st.markdown(f"**{escaped(settings.host)} lists no models.** Type the name above.")
    st.markdown("  \n".join(_line(finding) for finding in found.findings))


def _line(finding: Finding) -> str:
    return f"{MARKS[finding.state]} **{STEPS[finding.step]}**: {escaped(finding.words)}"
