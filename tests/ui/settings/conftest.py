"""A host of model files on this machine, in place of the one that models are downloaded from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from prompts.engine.catalogue import HOST_VARIABLE
from tests.prompts.engine.model_host import ModelHost, serving
from ui.server.engine import downloads


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelHost]:
    with serving(ModelHost()) as started:
        monkeypatch.setenv(HOST_VARIABLE, started.url)
        yield started
    downloads.forget()
