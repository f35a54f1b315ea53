"""Model servers on this machine are found by their list of models; nothing else is asked, and nobody elsewhere."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from prompts.model.discovery import PLACES_VARIABLE, SECONDS, FoundKey, FoundServer, find_keys, find_servers
from tests.prompts.model.provider import MODEL, Manner, Provider, serving


def at(*places: str) -> dict[str, str]:
    return {PLACES_VARIABLE: ", ".join(places)}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


@contextmanager
def speaking(*pieces: bytes, pause: float = 0.0) -> Iterator[str]:
    """An address where somebody says these pieces to each who comes, and then nothing more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def serve() -> None:
            try:
                client, _ = server.accept()
                with client:
                    for piece in pieces:
                        client.sendall(piece)
                        ended.wait(pause)
                    ended.wait(5)
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        ended.set()


def test_a_server_is_found_with_the_models_that_write(provider) -> None:
    provider.models = [
        {"id": "nomic-embed-text"},
        {"id": MODEL},
        {"id": "Large-Instruct"},
        {"id": "bge-m3"},
        {"name": "nameless"},
    ]
    [found] = find_servers(at(f"openai-compatible={provider.url}/"))
    assert found == FoundServer("openai-compatible", provider.url, (MODEL, "Large-Instruct"))
    assert (found.settings.label, found.settings.address) == (f"openai-compatible:{MODEL}", provider.url)
    assert provider.received == [], "no model was asked anything"


def test_of_several_places_all_are_told_in_their_order(provider) -> None:
    with serving(Provider()) as other:
        found = find_servers(
            at(f"ollama={other.url}", "openai-compatible=http://127.0.0.1:9/v1", f"openai-compatible={provider.url}")
        )
    assert [(one.provider, one.address) for one in found] == [("ollama", other.url), ("openai-compatible", provider.url)]


@pytest.mark.parametrize(
    "address",
    ["http://example.com/v1", "http://10.0.0.1/v1", "http://127.0.0.1.example.com/v1", "file:///etc", "", "http://[::1"],
)
def test_only_this_machine_is_asked(address) -> None:
    began = time.monotonic()
    assert find_servers(at(f"openai-compatible={address}")) == ()
    assert time.monotonic() - began < SECONDS


@pytest.mark.parametrize(
    "manner",
    [Manner(raw=b"<html>A router</html>"), Manner(raw=b'{"data": 7}'), Manner(raw=b'["a"]'), Manner(raw=b"[" * 100_000),
     Manner(raw=b'{"data": [{"id": 5}, 3, {"id": ""}]}'), Manner(raw=b'{"data": [{"id": "' + b"x" * 2_000_000 + b'"}]}')],
)  # fmt: skip
def test_another_program_at_the_port_is_no_model_server(provider, manner) -> None:
    provider.behave(manner)
    assert find_servers(at(f"openai-compatible={provider.url}")) == ()


def test_a_port_that_only_listens_or_trickles_is_given_up() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"
    began = time.monotonic()
    with speaking() as silent, speaking(head, *[b" "] * 50, pause=SECONDS / 4) as slow:
        assert find_servers(at(f"openai-compatible={silent}", f"openai-compatible={slow}")) == ()
    assert time.monotonic() - began < 10 * SECONDS


def test_nothing_is_looked_for_where_no_place_is_named() -> None:
    assert find_servers(at()) == ()


def test_a_key_in_the_environment_is_told_by_its_name_alone() -> None:
    environment = {"OPENAI_API_KEY": "sk-secret", "GOOGLE_API_KEY": "g", "AZURE_OPENAI_API_KEY": "a", "ANTHROPIC_API_KEY": ""}
    assert find_keys(environment) == (FoundKey("openai", "OPENAI_API_KEY"), FoundKey("google", "GOOGLE_API_KEY"))
    assert "secret" not in repr(find_keys(environment))


@pytest.mark.parametrize(
    ("entry", "billions"),
    [
        ({"id": "any", "meta": {"n_params": 268_098_176}}, 0.268),
        ({"id": "qwen2.5-7b-instruct"}, 7.0),
        ({"id": "gemma-3-270m"}, 0.27),
        ({"id": "llama3.1:8b"}, 8.0),
        ({"id": "gpt-oss"}, None),
        ({"id": "phi-3.5-mini-4bit"}, None),
    ],
)
def test_the_size_of_a_model_is_what_the_server_or_its_name_says(provider: Provider, entry: dict, billions: float | None) -> None:
    provider.models = [entry]
    [found] = find_servers({PLACES_VARIABLE: f"openai-compatible={provider.url}"})
    assert found.billions(found.models[0]) == (None if billions is None else pytest.approx(billions, rel=0.01))


def test_ollama_tells_the_size_in_a_list_of_its_own(provider: Provider) -> None:
    provider.models = [{"id": "llama3.1:latest"}]
    provider.extra = {"/api/tags": {"models": [{"name": "llama3.1:latest", "details": {"parameter_size": "8.0B"}}]}}
    [found] = find_servers({PLACES_VARIABLE: f"ollama={provider.url}"})
    assert found.billions("llama3.1:latest") == 8.0


CLOUD = {"name": "gpt-oss:120b-cloud", "remote_model": "gpt-oss:120b", "remote_host": "https://ollama.com:443", "details": {}}


def test_a_model_that_ollama_passes_on_is_told_from_those_that_run_here(provider: Provider) -> None:
    provider.models = [{"id": name} for name in ("gpt-oss:120b-cloud", "copy-of-it", "llama3.1:latest", "glm-4.6:cloud")]
    copy = CLOUD | {"name": "copy-of-it", "remote_host": "https://models.example.com"}
    provider.extra = {"/api/tags": {"models": [CLOUD, copy, {"name": "llama3.1:latest", "details": {"parameter_size": "8.0B"}}]}}
    [found] = find_servers(at(f"ollama={provider.url}"))
    assert found.models == ("llama3.1:latest", "gpt-oss:120b-cloud", "copy-of-it", "glm-4.6:cloud"), (
        "those that run here come first"
    )
    assert found.settings.model == "llama3.1:latest"
    assert [found.remote_host(name) for name in found.models] == ["", "ollama.com", "models.example.com", "ollama.com"]


def test_a_server_whose_models_all_run_elsewhere_comes_last(provider: Provider) -> None:
    with serving(Provider()) as other:
        other.models = [{"id": "gpt-oss:120b-cloud"}]
        found = find_servers(at(f"ollama={other.url}", f"openai-compatible={provider.url}"))
    assert [one.address for one in found] == [provider.url, other.url]


def test_only_ollama_has_cloud_models(provider: Provider) -> None:
    provider.models = [{"id": "write:cloud"}]
    [found] = find_servers(at(f"openai-compatible={provider.url}"))
    assert found.remote_host("write:cloud") == ""
