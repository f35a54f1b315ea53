"""A test of a model as lines of the command line."""

from __future__ import annotations

from collections.abc import Iterator

from prompts.model.probe import Probe
from prompts.model.trial import AnswerLimits, Trial, about_seconds

UNTESTED = "It was not tested yet: python -m ingestion model test"
RAISING = "raise the limit with python -m ingestion model set --question-seconds N (for one reply --timeout N)"


def report_lines(found: Probe) -> Iterator[tuple[bool, str]]:
    """What was looked at and each of the five decisions; with each line whether it went wrong."""
    for finding in found.findings:
        yield finding.state == "bad", f"{finding.state}: {finding.words}"
    for tried in found.trial.decisions if found.trial else ():
        took = "" if tried.state == "not asked" else f" ({tried.seconds:.1f} s, {tried.tokens:,} tokens)"
        yield tried.state == "failed", f"{tried.state}: {tried.name}: {tried.words}{took}"


def verdict_line(trial: Trial | None, limits: AnswerLimits) -> str:
    """Whether the model should answer questions, and what to do where it should not."""
    if trial is None:
        return UNTESTED
    if why := trial.why_unfit(limits, RAISING):
        return f"{trial.label} is {trial.verdict(limits)} for answers. {why}"
    answer = f", an answer takes {about_seconds(trial.answer_seconds)}" if trial.answer_seconds is not None else ""
    passed = f"it passed {trial.passed} of {len(trial.decisions)} decisions in {trial.seconds:.1f} s"
    return f"{trial.label} is fit for answers: {passed}{answer}."
