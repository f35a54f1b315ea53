"""Every bad manner a server has, over real HTTP: what can be answered is answered, what cannot is said in a sentence."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Barrier, Thread

import pytest

from prompts.model import ModelCallCancelled, ModelError, Prices, Stop
from prompts.model.retrying_client import RetryPolicy
from prompts.records import Option, SummaryRecord
from tests.prompts.model.conftest import reader_of
from tests.prompts.model.provider import KEY, MANNERS, Provider
from tests.prompts.model.texts import LEAF, evidence, options, question

ANSWER = "Refunds above 500 EUR need two approvals."

SOLVED = {
    "ok": ["schema"],
    "thinks in a field of its own": ["schema"],
    "tells no usage": ["schema"],
    "fences its JSON": ["schema"],
    "thinks aloud": ["schema"],
    "thinks, talks and fences": ["schema"],
    "talks around its JSON": ["schema"],
    "leaves a trailing comma": ["schema"],
    "puts the reply among its thoughts": ["schema"],
    "refuses schemas": ["schema", "tool"],
    "refuses tools": ["schema"],
    "refuses schemas and tools": ["schema", "tool", "json"],
    "refuses all but text": ["schema", "tool", "json", "plain"],
    "refuses a temperature": ["schema"],
}


@pytest.mark.parametrize("manner", SOLVED)
def test_a_reply_is_understood_however_it_comes(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    reader = model().strict()
    answered = reader.answer(question(), LEAF)
    assert answered.verdict == "complete" and answered.quotes[0].text == ANSWER
    assert [request.way for request in provider.received] == SOLVED[manner]
    assert not reader.usage.notes


@pytest.mark.parametrize("manner", SOLVED)
def test_what_worked_is_remembered(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    reader = model().strict()
    for _ in range(3):
        reader.answer(question(), LEAF)
    assert len(provider.received) == len(SOLVED[manner]) + 2, "what a server refuses is tried once"


def test_a_model_is_told_what_was_wrong_with_its_reply(provider: Provider, model) -> None:
    provider.behave("invents a verdict", times=1)
    assert model().strict().answer(question(), LEAF).verdict == "complete"
    first, second = provider.received
    assert first.way == second.way == "schema"
    assert "question" in second.body["messages"][-1]["content"] and "mostly" in second.body["messages"][-2]["content"]


def test_a_request_that_is_refused_in_every_way_teaches_nothing(provider: Provider, model) -> None:
    reader = model().strict()
    provider.behave("refuses everything", times=4)
    with pytest.raises(ModelError, match="refused the request"):
        reader.answer(question(), LEAF)
    reader.answer(question(), LEAF)
    assert [request.way for request in provider.received] == ["schema", "tool", "json", "plain", "schema"]


def test_one_bad_reply_does_not_give_up_a_way_of_asking_for_good(provider: Provider, model) -> None:
    reader = model().strict()
    provider.behave("writes prose only", times=2)
    reader.answer(question(), LEAF)
    reader.answer(question(), LEAF)
    assert [request.way for request in provider.received] == ["schema", "schema", "tool", "schema"]


FAILED = {
    "writes prose only": ("invalid_output", "did not reply in the form"),
    "breaks its JSON off": ("truncated", "raise the maximum tokens of one reply"),
    "declines": ("refused", "ask in other words"),
    "filters": ("refused", "ask in other words"),
    "refuses the key": ("auth", "refused the key"),
    "has no credit": ("quota", "add credit"),
    "finds it too long": ("context", "set the context size"),
    "finds it too long, as llama.cpp": ("context", "set the context size"),
    "quotes what does not stand there": ("invalid_output", "did not reply in the form"),
    "writes on and on": ("truncated", "raise the maximum tokens of one reply"),
    "does not know the model": ("config", "press Test to list"),
    "is behind a login": ("config", "check the address"),
    "sends no choices": ("config", "check the address"),
    "sends braces without end": ("config", "check the address"),
    "writes far more than it may": ("truncated", "choose a model that keeps to the form"),
    "nests its JSON without end": ("invalid_output", "did not reply in the form"),
    "is busy": ("rate", "wait a little"),
    "is busy for long": ("rate", "wait a little"),
    "fails": ("network", "check the address"),
    "hangs up within a reply": ("network", "check the address"),
}


@pytest.mark.parametrize("manner", FAILED)
def test_what_cannot_be_answered_is_said_in_a_sentence_that_says_what_to_do(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    kind, words = FAILED[manner]
    with pytest.raises(ModelError) as caught:
        model().strict().answer(question(), LEAF)
    assert caught.value.kind == kind
    assert words in str(caught.value)
    assert KEY not in str(caught.value) + caught.value.detail + repr(caught.value.__cause__)
    assert caught.value.__suppress_context__, "a traceback must not show the provider's own error, which may hold a key"


@pytest.mark.parametrize("manner", ["declines", "filters"])
def test_a_refusal_is_counted_as_paid_for(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    reader = model()
    reader.answer(question(), LEAF)
    assert reader.usage.input_tokens > 300 and reader.usage.spent[0].failure == "refused"


@pytest.mark.parametrize(("manner", "timeout"), [("is slow", 0.3), ("trickles", 2.0), ("hangs up within a reply", 20.0)])
def test_a_request_whose_reply_never_came_is_counted_by_its_prompt(
    provider: Provider, model, manner: str, timeout: float
) -> None:
    provider.behave(manner)
    reader = model(timeout=timeout, prices=Prices(input=2.0, output=10.0))
    reader.answer(question(), LEAF)
    (spent,) = reader.usage.spent
    assert spent.calls == len(provider.received) and spent.input_tokens > 300 * spent.calls and spent.output_tokens == 0
    assert spent.cost == reader.usage.cost == pytest.approx(spent.input_tokens * 2 / 1e6)


def test_the_price_of_a_reply_that_never_came_is_unknown_without_prices(provider: Provider, model) -> None:
    provider.behave("hangs up within a reply", times=1)
    reader = model()
    reader.answer(question(), LEAF)
    assert reader.usage.calls == 2 and reader.usage.input_tokens > 600 and reader.usage.cost is None


@pytest.mark.parametrize("manner", ["refuses the key", "fails", "finds it too long"])
def test_what_a_provider_refuses_has_cost_nothing(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    reader = model()
    reader.answer(question(), LEAF)
    assert reader.usage.calls == len(provider.received) and reader.usage.tokens == 0


def test_nobody_pays_for_a_server_that_is_not_there(model) -> None:
    reader = model(base_url="http://127.0.0.1:9/v1")
    reader.answer(question(), LEAF)
    assert reader.usage.without_model and reader.usage.tokens == 0


def test_a_question_that_is_stopped_counts_what_was_sent_and_written(provider: Provider, model) -> None:
    provider.behave("stalls within a stream")
    reader = model(timeout=20).for_query()
    pieces = reader.compose(question(), [evidence()])
    written = next(pieces).text
    pieces.close()
    assert written and reader.usage.input_tokens > 100 and reader.usage.output_tokens > 0


@pytest.mark.parametrize(("manner", "requests"), [("has no credit", 1), ("refuses the key", 1), ("finds it too long", 1),
                                                  ("is busy for long", 1), ("is busy", 3), ("fails", 3), ("writes prose only", 4)])  # fmt: skip
def test_only_what_may_pass_is_tried_again(provider: Provider, model, manner: str, requests: int) -> None:
    provider.behave(manner)
    with pytest.raises(ModelError):
        model().strict().answer(question(), LEAF)
    assert len(provider.received) == requests


@pytest.mark.parametrize("manner", ["is busy", "fails"])
def test_a_busy_provider_is_waited_for(provider: Provider, model, manner: str) -> None:
    provider.behave(manner, times=2)
    assert model().strict().answer(question(), LEAF).verdict == "complete"
    assert len(provider.received) == 3


def test_how_long_to_wait_is_passed_on(provider: Provider, model) -> None:
    provider.behave("is busy for long")
    with pytest.raises(ModelError) as caught:
        model().strict().answer(question(), LEAF)
    assert caught.value.retry_after == 45


def test_a_slow_provider_is_left_in_time(provider: Provider, model) -> None:
    provider.behave("is slow")
    with pytest.raises(ModelError) as caught:
        model(timeout=0.3).strict().answer(question(), LEAF)
    assert caught.value.kind == "timeout" and "0.3 seconds" in str(caught.value)
    assert provider.left.wait(5), "the server must see the client go"
    assert len(provider.received) == 1


def test_an_address_where_nobody_listens_says_so() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        with pytest.raises(ModelError) as caught:
            reader_of(address).strict().answer(question(), LEAF)
    assert caught.value.kind == "network" and "cannot be reached" in str(caught.value)


def test_a_provider_that_fails_rests_before_it_is_asked_again(provider: Provider) -> None:
    reader = reader_of(provider.url, RetryPolicy(waits=(), rests=(("auth", 60.0),)))
    provider.behave("refuses the key")
    for _ in range(5):
        assert reader.choose(question(), options()).ways, "the reader without a model takes over"
    assert len(provider.received) == 1
    assert len(reader.usage.notes) == 1 and reader.usage.without_model["choose"] == 5


def test_a_provider_that_hangs_is_waited_for_twice_and_no_more(provider: Provider) -> None:
    reader = reader_of(provider.url, RetryPolicy(waits=(), rests=(("timeout", 60.0),)), timeout=0.2)
    provider.behave("is slow")
    for _ in range(5):
        assert reader.choose(question(), options()).ways
    assert len(provider.received) == 2


def test_a_missing_key_is_asked_for_before_anything_is_sent(model) -> None:
    for provider, variable in (("anthropic", "ANTHROPIC_API_KEY"), ("google", "GEMINI_API_KEY")):
        if not model(provider=provider, api_key="").settings.key():
            with pytest.raises(ModelError) as caught:
                model(provider=provider, api_key="").strict().answer(question(), LEAF)
            assert caught.value.kind == "auth" and variable in str(caught.value)


def test_a_prompt_that_a_server_cuts_is_noticed(provider: Provider, model) -> None:
    provider.behave("cuts long prompts")
    reader = model(provider="ollama")
    long = LEAF.text + " The pump is checked by hand on every shift." * 180
    reader.answer(question(), type(LEAF)(long, LEAF.heading))
    assert "has read only about 1,000 of" in reader.usage.notes[0] and "num_ctx" in reader.usage.notes[0]


def test_a_packages_absence_says_what_to_install(model) -> None:
    pytest.importorskip("pydantic_ai")
    for provider, package in (("anthropic", "anthropic"), ("google", "google.genai")):
        try:
            __import__(package)
        except ImportError:
            with pytest.raises(ModelError) as caught:
                model(provider=provider).strict().answer(question(), LEAF)
            assert caught.value.kind == "config" and f'pip install "pydantic-ai-slim[{provider}]"' in str(caught.value)


@pytest.mark.parametrize("provider_name", ["openai", "azure", "ollama", "openai-compatible"])
def test_each_dialect_of_the_chat_format_reaches_the_server(provider: Provider, provider_name: str) -> None:
    if provider_name == "azure":
        provider.url = provider.url.removesuffix("/v1")
    reader = reader_of(provider.url, provider=provider_name, api_version="2024-10-21").strict()
    assert reader.answer(question(), LEAF).verdict == "complete"
    request = provider.received[0]
    assert KEY in (request.headers.get("authorization", "") + request.headers.get("api-key", ""))
    assert "temperature" not in request.body and "seed" not in request.body


def test_the_limit_of_a_reply_goes_by_the_name_the_server_knows(provider: Provider, model) -> None:
    model(max_tokens=500).strict().answer(question(), LEAF)
    model(max_tokens=500, provider="openai").strict().answer(question(), LEAF)
    assert provider.received[0].body["max_tokens"] == 500
    assert provider.received[1].body["max_completion_tokens"] == 500


# ---------------------------------------------------------------- several at once


def _at_once(number: int, work) -> list[BaseException]:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as problem:  # noqa: BLE001 - handed to the test
            failures.append(problem)

    threads = [Thread(target=run) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads), "a deadlock"
    return failures


def test_threads_share_a_reader(provider: Provider, model) -> None:
    reader = model(concurrency=8).strict()
    provider.gate = Barrier(8)  # nothing is answered before all eight are there
    assert not _at_once(8, lambda: reader.answer(question(), LEAF))
    assert provider.most_at_once == 8 and reader.usage.calls == 8


def test_no_more_requests_at_once_than_allowed(provider: Provider, model) -> None:
    reader = model(concurrency=2).strict()
    assert not _at_once(8, lambda: reader.answer(question(), LEAF))
    assert len(provider.received) == 8 and provider.most_at_once <= 2


def test_waiting_for_a_place_does_not_count_as_waiting_for_the_model(provider: Provider, model) -> None:
    provider.behave("is slow", times=1)
    reader = model(concurrency=1, timeout=1.5).strict()
    failures = _at_once(2, lambda: reader.answer(question(), LEAF))
    assert [str(failure) for failure in failures] == [
        f"{reader.settings.label} did not answer within 1.5 seconds; allow it more time, or choose a faster model."
    ]
    assert len(provider.received) == 2, "the second waited longer than that for its place, and was answered"


def test_stop_ends_what_is_under_way_and_what_comes_after(provider: Provider, model) -> None:
    provider.behave("is slow")
    stop = Stop()
    reader = model(timeout=30).for_query(stop=stop)
    failures: list[BaseException] = []

    def ask() -> None:
        failures.extend(_at_once(1, lambda: reader.answer(question(), LEAF)))

    thread = Thread(target=ask)
    thread.start()
    assert provider.arrived.wait(10)
    stop.set()
    thread.join(10)
    assert [type(failure) for failure in failures] == [ModelCallCancelled]
    assert provider.left.wait(5)
    with pytest.raises(ModelCallCancelled):
        reader.choose(question(), options())
    assert len(provider.received) == 1


# ---------------------------------------------------------------- streams


def test_an_answer_streams_from_its_first_words(provider: Provider, model) -> None:
    provider.behave("stalls within a stream")
    pieces = model(timeout=20).compose(question(), [evidence()])
    assert next(pieces).text.startswith("Ref"), "while the server still writes"
    pieces.close()
    assert provider.left.wait(5), "leaving disconnects"


def test_a_whole_stream_is_not_taken_for_a_cut_one(provider: Provider, model) -> None:
    reader = model()
    text = "".join(piece.text for piece in reader.compose(question(), [evidence()]))
    assert text == "Refunds above 500 EUR need two approvals. [1]"
    assert not reader.usage.cut and not reader.usage.notes
    assert reader.usage.spent[0].output_mode == "stream" and reader.usage.input_tokens > 100


@pytest.mark.parametrize(
    ("manner", "timeout"),
    [
        ("breaks a stream off", 20.0),
        ("hangs up within a stream", 20.0),
        ("fails within a stream", 20.0),
        ("floods a stream", 20.0),
        ("floods a stream with thoughts", 20.0),
        ("floods a stream at once", 20.0),
        ("stalls within a stream", 1.5),
    ],
)
def test_a_stream_that_breaks_off_is_said_to_have(provider: Provider, model, manner: str, timeout: float) -> None:
    provider.behave(manner)
    reader = model(timeout=timeout)
    text = "".join(piece.text for piece in reader.compose(question(), [evidence()]))
    assert text.startswith("Refunds above") and "breaks off here" in text
    assert reader.usage.cut and "ask again" in reader.usage.notes[0]


def test_a_stream_that_breaks_off_before_its_first_word_is_asked_for_again(provider: Provider, model) -> None:
    provider.behave("breaks a stream off at once", times=1)
    reader = model()
    assert "two approvals" in "".join(piece.text for piece in reader.compose(question(), [evidence()]))
    assert not reader.usage.cut and reader.usage.calls == 2


@pytest.mark.parametrize("manner", ["refuses the key", "is busy for long", "fails", "is behind a login", "sends no choices"])
def test_without_a_stream_the_answer_is_made_of_quotes(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    reader = model()
    text = "".join(piece.text for piece in reader.compose(question(), [evidence()]))
    assert text.startswith(ANSWER)
    assert "without the model" in reader.usage.notes[0] and reader.usage.without_model["compose"] == 1


@pytest.mark.parametrize("manner", ["thinks aloud in pieces", "thinks in a field of its own"])
def test_thoughts_do_not_leak_into_an_answer(provider: Provider, model, manner: str) -> None:
    provider.behave(manner)
    text = "".join(piece.text for piece in model().compose(question(), [evidence()]))
    assert text == "Refunds above 500 EUR need two approvals. [1]"


def test_what_comes_behind_a_whole_form_is_left_alone(provider: Provider, model) -> None:
    provider.behave("says the same again and again")
    assert model().strict().answer(question(), LEAF).quotes and len(provider.received) == 1


def test_an_option_that_was_not_shown_is_dropped_and_counted(provider: Provider, model) -> None:
    provider.behave("names what it was not shown")
    reader = model().strict()
    assert reader.choose(question(), [Option("a", "A", "leaf", SummaryRecord(summary="Refunds."))]).ways == ()
    assert reader.usage.losses["unknown_ids"] == 1


def test_every_manner_is_tested() -> None:
    source = Path(__file__).read_text("utf-8")
    assert len(MANNERS) >= 28
    assert all(f'"{manner}"' in source for manner in MANNERS)
