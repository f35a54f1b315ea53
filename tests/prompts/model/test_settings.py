"""Settings say what is wrong with them, keep their key to themselves, and never send it elsewhere."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from prompts.model import ModelSettings
from prompts.model.settings import Provider


def made(provider: Provider = "openai-compatible", model: str = "m", **fields: object) -> ModelSettings:
    given = {"base_url": "http://models.example:8000"} if provider in ("azure", "openai-compatible") else {}
    return ModelSettings.model_validate({"provider": provider, "model": model, **given, **fields})


def test_a_key_is_not_shown() -> None:
    settings = made(api_key="sk-secret-123456")
    assert "secret" not in repr(settings) + str(settings) + settings.model_dump_json()
    assert settings.key({}) == "sk-secret-123456"


def test_a_key_comes_from_the_settings_or_from_the_providers_own_variable() -> None:
    there = {"OPENAI_API_KEY": "a", "ANTHROPIC_API_KEY": "b", "GOOGLE_API_KEY": "c"}
    assert [made(name).key(there) for name in ("openai", "anthropic", "google", "ollama", "openai-compatible")] == ["a", "b", "c", "", ""]  # fmt: skip
    assert made("openai", api_key="mine").key(there) == "mine"


@pytest.mark.parametrize(
    ("given", "address"),
    [("http://h:1234", "http://h:1234/v1"), ("http://h:1234/", "http://h:1234/v1"), (" http://h/api/v1/ ", "http://h/api/v1"), ("https://h/openai", "https://h/openai")],
)  # fmt: skip
def test_an_address_is_completed(given: str, address: str) -> None:
    assert made(base_url=given).address == address


@pytest.mark.parametrize("address", ["http://me:hush@h:9/v1", "http://h:9/v1?key=hush"])
def test_a_secret_in_an_address_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(ValidationError, match="out of the address") as refused:
        made(base_url=address)
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("fields", [{"base_url": ""}, {"base_url": "h:1234"}, {"base_url": "ftp://h"}, {"model": " "}, {"timeout": 0},
                                    {"context_tokens": 10}, {"tempreture": 1}])  # fmt: skip
def test_what_cannot_work_is_refused(fields: dict) -> None:
    with pytest.raises(ValidationError):
        made(**fields)


def test_settings_come_from_the_environment() -> None:
    there = {
        "KNOWLEDGE_TREE_MODEL": "ollama:qwen3:8b", "KNOWLEDGE_TREE_MODEL_URL": "http://gpu:11434", "KNOWLEDGE_TREE_MODEL_CONTEXT": "16384",
        "KNOWLEDGE_TREE_MODEL_REQUESTS": "6",
    }  # fmt: skip
    settings = ModelSettings.from_environment(there)
    assert settings is not None
    assert (settings.label, settings.address, settings.context) == ("ollama:qwen3:8b", "http://gpu:11434/v1", 16_384)
    assert settings.total_concurrency == 6
    assert ModelSettings.from_environment({}) is None


def test_the_same_settings_are_the_same() -> None:
    assert made(fallback=made("ollama")) == made(fallback=made("ollama"))
    assert len({made(), made(), made(model="n")}) == 2


@pytest.mark.parametrize(
    ("provider", "model", "host"),
    [("ollama", "gpt-oss:120b-cloud", "ollama.com"), ("ollama", "glm-4.6:cloud", "ollama.com"), ("ollama", "llama3.1", ""),
     ("ollama", "cloud-writer:7b", ""), ("openai-compatible", "gpt-oss:120b-cloud", "")],
)  # fmt: skip
def test_what_ollama_passes_on_leaves_this_machine(provider: Provider, model: str, host: str) -> None:
    settings = made(provider, model, base_url="http://127.0.0.1:11434")
    assert settings.passed_on_to == host and settings.is_on_this_machine is (host == "")
