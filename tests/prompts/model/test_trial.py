"""A model is tried with five decisions: what it cannot do is told, and one that cannot hold the form is unfit."""

from __future__ import annotations

import re

import pytest

from prompts.errors import ModelCallCancelled
from prompts.model import ModelSettings, compose
from prompts.model.trial import AnswerLimits, Trial, try_decisions
from prompts.stop import Stop
from tests.prompts.model.provider import KEY, MODEL, Manner, Provider
from tests.prompts.model.sensible import reply_to
from tree.store.language_model import trial_of


def tried(provider: Provider, **fields: object) -> Trial:
    given = {"provider": "openai-compatible", "model": MODEL, "base_url": provider.url, "api_key": KEY, "timeout": 5.0}
    return try_decisions(ModelSettings.model_validate(given | fields))


def states(trial: Trial) -> dict[str, str]:
    return {one.name: one.state for one in trial.decisions}


ALL = dict.fromkeys(("choose", "judge", "quote", "write", "none"), "passed")


@pytest.mark.parametrize("manner", ["ok", "thinks aloud", "fences its JSON", "refuses schemas and tools", "tells no usage"])
def test_a_model_that_does_what_is_asked_is_fit(provider: Provider, manner: str) -> None:
    provider.behave(manner)
    trial = tried(provider)
    assert trial.is_able and states(trial) == ALL, trial
    assert all(one.tokens > 0 for one in trial.decisions) and trial.seconds_for(2_000, 300) > trial.seconds_for(2_000, 100)


@pytest.mark.parametrize(
    ("manner", "calls"),
    [("writes prose only", 8), ("breaks its JSON off", 2), ("invents a verdict", 8), ("declines", 2), ("filters", 2)],
)
def test_a_model_that_cannot_hold_the_form_is_unfit_and_costs_little(provider: Provider, manner: str, calls: int) -> None:
    provider.behave(manner)
    trial = tried(provider)
    assert not trial.is_able and not trial.holds_form and trial.server_failure is None
    assert len(provider.received) <= calls and list(states(trial).values())[-1] == "not asked"


def test_a_model_that_is_too_slow_is_unfit_after_two_waits(provider: Provider) -> None:
    provider.behave(Manner(waits=True))
    trial = tried(provider, timeout=0.3)
    assert "replies took longer than the timeout" in trial.why_unfit(AnswerLimits(question=85, reply=0.3))
    assert not trial.is_able and [one.failure for one in trial.decisions].count("timeout") == 2


def test_a_model_too_slow_for_a_question_is_told_so_with_what_to_do(provider: Provider) -> None:
    """It does everything right, and an answer would come when the time for it is over."""
    provider.behave(Manner(tokens_per_second=2_000))
    trial = tried(provider)
    assert trial.is_able and 2 < trial.answer_seconds < 8  # 5,450 tokens take 2.7 s
    for limits, words in (
        (AnswerLimits(question=1, reply=60), r"Answers would take about \d s, and a question may take 1 s"),
        (AnswerLimits(question=85, reply=1), r"One reply would take about \d s, and the timeout for one reply is 1 s"),
    ):
        assert trial.verdict(limits) == "too slow" and not trial.fits(limits)
        assert re.fullmatch(f"{words}: choose a smaller model, or raise the limit in Settings\\.", trial.why_unfit(limits))
    tight = trial.answer_seconds * 1.01  # an answer would come in time, but for what is kept for writing it
    assert "One reply would take about" in trial.why_unfit(AnswerLimits(question=tight, reply=60))
    assert trial.fits(AnswerLimits(question=85, reply=60)) and trial.why_unfit(AnswerLimits(question=85, reply=60)) == ""


def test_what_a_model_thinks_before_it_replies_is_a_part_of_an_answer(provider: Provider) -> None:
    trial = tried(provider)
    provider.behave(Manner(wrap=lambda text: f"<think>{'So. ' * 2_000}</think>{text}"))
    thinks = tried(provider)
    assert sum(one.written for one in thinks.decisions) > 10 * sum(one.written for one in trial.decisions)
    as_fast = {"seconds_of_a_token": 0.001}
    assert thinks.model_copy(update=as_fast).answer_seconds > 2 * trial.model_copy(update=as_fast).answer_seconds


def test_the_time_in_which_a_server_loads_the_model_does_not_make_it_slow(provider: Provider) -> None:
    provider.behave(Manner(tokens_per_second=500), times=1)
    assert tried(provider).answer_seconds < 2


def test_a_model_that_is_asked_at_another_address_was_not_tested(provider: Provider) -> None:
    trial = tried(provider)
    here = ModelSettings(provider="openai-compatible", model=MODEL, base_url=provider.url)
    assert trial_of(here, trial) == trial
    assert trial_of(here.model_copy(update={"base_url": "http://127.0.0.1:9/v1"}), trial) is None
    assert trial_of(here, trial.model_copy(update={"address": ""})) is not None, "of a trial that was kept before"


@pytest.mark.parametrize("manner", ["refuses the key", "has no credit", "fails"])
def test_a_server_that_cannot_be_asked_says_nothing_about_the_model(provider: Provider, manner: str) -> None:
    provider.behave(manner)
    trial = tried(provider)
    assert trial.server_failure is not None and list(states(trial).values()) == ["failed", *["not asked"] * 4]


def test_each_decision_is_judged_by_what_it_says(provider: Provider) -> None:
    """In form, and wrong each time."""
    wrong = {
        "choices": lambda fields: {**fields, "choices": [{"option": 3, "likelihood": 2, "reason": ""}, *fields["choices"]]},
        "verdict": lambda fields: {
            **fields,
            "adds": "adds",
            "question": "open",
            "quotes": ["The spare impeller is in locker 12."],
        },
    }

    def said(system: str, user: str) -> dict | str:
        if system == compose.SYSTEM:
            return "Call the duty engineer on extension 4417."  # and no id
        reply = reply_to(system, user)
        if "passages" in reply:
            return reply | {"passages": [{"passage": 1, "quotes": ["The spare impeller is in locker 12."]}], "question": "open"}
        if "choices" in reply:
            best = reply["choices"][0]["option"]
            return {**reply, "choices": [{"option": best % 4 + 1, "likelihood": 9, "reason": ""}]}
        if "bookings" in user:
            return reply | {"quotes": [*reply["quotes"], "pg_restore --all"]}
        return wrong["verdict"](reply)

    provider.said = said
    trial = tried(provider)
    assert states(trial) == dict.fromkeys(ALL, "failed") and trial.holds_form and not trial.is_able
    words = {one.name: one.words for one in trial.decisions}
    assert "a wrong one of four" in words["choose"] and "do not stand in the passage" in words["quote"]
    assert "without naming their source" in words["write"] and "something else for an answer" in words["none"]


def test_a_test_that_is_stopped_ends(provider: Provider) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(ModelCallCancelled):
        try_decisions(ModelSettings(provider="openai-compatible", model=MODEL, base_url=provider.url), stop)


def test_every_reply_has_a_limit_of_tokens(provider: Provider) -> None:
    tried(provider)
    assert all(0 < one.body["max_tokens"] < 32_768 for one in provider.received)
    provider.received.clear()
    tried(provider, max_tokens=100)
    assert {one.body["max_tokens"] for one in provider.received} == {100}


def test_the_limit_of_a_reply_leaves_room_for_the_prompt(provider: Provider) -> None:
    tried(provider, context_tokens=2_048)
    assert all(256 <= one.body["max_tokens"] < 2_048 for one in provider.received)
