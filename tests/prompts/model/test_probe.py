"""The Test button says in words what stands between an admin and a model."""

from __future__ import annotations

import socket

import pytest

from prompts.model import ModelSettings
from prompts.model.probe import Probe, probe
from prompts.model.trial import AnswerLimits
from tests.prompts.model.provider import KEY, MODEL, Provider

LIMITS = AnswerLimits(question=85.0, reply=60.0)


def settings(url: str, **fields: object) -> ModelSettings:
    given = {"provider": "openai-compatible", "model": MODEL, "base_url": url, "api_key": KEY, "timeout": 5.0}
    return ModelSettings.model_validate(given | fields)


def states(found: Probe) -> dict[str, str]:
    return {finding.step: finding.state for finding in found.findings}


def words(found: Probe) -> str:
    decided = found.trial.decisions if found.trial else ()
    return " ".join(one.words for one in (*found.findings, *decided))


def test_a_model_that_works_is_found_good(provider: Provider) -> None:
    found = probe(settings(provider.url))
    assert found.fits(LIMITS) and set(states(found).values()) == {"good"}
    assert found.models == (MODEL,) and found.context_tokens == 32_768
    assert "32,768" in words(found) and KEY not in words(found)
    trial = found.trial
    assert trial is not None and trial.passed == 5 and trial.output_mode == "schema"
    assert len(provider.received) == 5 and trial.tokens > 1_000 and trial.seconds_for(1_000, 100) > 0


def test_a_server_named_without_a_path_is_found(provider: Provider) -> None:
    assert probe(settings(provider.url.removesuffix("/v1"))).fits(LIMITS)


def test_the_way_of_asking_that_a_server_takes_is_named(provider: Provider) -> None:
    provider.behave("refuses schemas")
    assert probe(settings(provider.url)).trial.output_mode == "tool"


def test_a_model_that_is_not_there_is_missed_and_the_others_are_named(provider: Provider) -> None:
    found = probe(settings(provider.url, model="gpt-nonsense"))
    assert not found.fits(LIMITS) and f"It has: {MODEL}." in words(found)
    assert not provider.received, "nothing is paid for a model that is not there"


@pytest.mark.parametrize(
    ("manner", "says"),
    [
        ("refuses the key", "refused the key"),
        ("is behind a login", "a web page"),
        ("sends braces without end", "check the address"),
        ("has no credit", "add credit"),
    ],
)
def test_what_is_wrong_with_a_server_is_said(provider: Provider, manner: str, says: str) -> None:
    provider.behave(manner)
    found = probe(settings(provider.url))
    assert not found.fits(LIMITS) and says in words(found) and KEY not in words(found)


def test_a_missing_key_is_asked_for(provider: Provider) -> None:
    provider.behave("refuses the key")
    assert "wants a key" in words(probe(settings(provider.url, api_key="")))


def test_an_address_where_nobody_listens_is_said_to_be_one() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        found = probe(settings(f"http://127.0.0.1:{nobody.getsockname()[1]}"))
    assert states(found) == {"address": "bad"} and "start the server, or correct the address" in words(found)


def test_a_context_larger_than_the_servers_is_warned_of(provider: Provider) -> None:
    found = probe(settings(provider.url, context_tokens=100_000))
    assert states(found)["context"] == "bad" and "set the context size to 32,768" in words(found)


def test_a_server_that_does_not_tell_its_context_is_said_not_to(provider: Provider) -> None:
    provider.models = [{"id": MODEL}]
    found = probe(settings(provider.url))
    assert found.context_tokens is None and "8,192 tokens are assumed" in words(found) and found.fits(LIMITS)


@pytest.mark.parametrize(
    ("path", "reply"),
    [("/api/v0/models", {"data": [{"id": MODEL, "loaded_context_length": 12_345}]}), ("/props", {"default_generation_settings": {"n_ctx": 12_345}})],
)  # fmt: skip
def test_the_context_is_looked_for_where_each_server_tells_it(provider: Provider, path: str, reply: dict) -> None:
    provider.models, provider.extra = [{"id": MODEL}], {path: reply}
    assert probe(settings(provider.url)).context_tokens == 12_345


def test_ollamas_real_context_is_found_and_explained(provider: Provider) -> None:
    provider.models = [{"id": f"{MODEL}:latest"}]
    provider.extra = {"/api/show": {"parameters": "stop x\nnum_ctx 6144", "model_info": {"llama.context_length": 131_072}}}
    found = probe(settings(provider.url, provider="ollama"))
    assert found.context_tokens == 6_144 and "num_ctx" in words(found) and found.fits(LIMITS)


def test_a_model_that_ollama_passes_on_is_said_to_be_elsewhere(provider: Provider) -> None:
    """Also under a name that does not tell it; its context is that of the model, for which num_ctx does nothing."""
    provider.models = [{"id": MODEL}]
    remote = {"remote_host": "https://ollama.com:443", "model_info": {"gptoss.context_length": 131_072}, "parameters": ""}
    provider.extra = {"/api/show": remote}
    found = probe(settings(provider.url, provider="ollama", context_tokens=64_000))
    assert "This model runs at ollama.com, not on this machine" in words(found) and "num_ctx" not in words(found)
    assert found.context_tokens == 131_072
    provider.extra = {"/api/show": {"parameters": "num_ctx 8192"}}
    assert "runs at" not in words(probe(settings(provider.url, provider="ollama")))
