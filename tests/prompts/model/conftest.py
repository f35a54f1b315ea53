"""A provider and a reader of it, for each test its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from prompts.model import ModelReader, ModelSettings
from prompts.model.client import Client
from prompts.model.output_modes import OutputModes
from prompts.model.retrying_client import RetryingClient, RetryPolicy
from tests.prompts.model.provider import KEY, MODEL, Provider, serving

QUICK = RetryPolicy(waits=(0.0, 0.0), longest=8.0, rests=())


@pytest.fixture(scope="session", autouse=True)
def library() -> None:
    """Imports the provider's library before the first test, and not within its time."""
    Client(ModelSettings(provider="ollama", model=MODEL)).open()


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


@pytest.fixture
def model(provider: Provider) -> Callable[..., ModelReader]:
    """Makes readers of the provider; settings by name."""

    def make(**fields: Any) -> ModelReader:
        return reader_of(provider.url, **fields)

    return make


def reader_of(url: str, policy: RetryPolicy = QUICK, **fields: Any) -> ModelReader:
    settings = ModelSettings.model_validate(
        {
            "provider": "openai-compatible",
            "model": MODEL,
            "base_url": url,
            "api_key": KEY,
            "timeout": 20.0,
            "context_tokens": 32_000,
        }
        | fields
    )
    output_modes = OutputModes()
    return ModelReader(settings, open_client=cache(lambda one: RetryingClient(one, policy, output_modes)))
