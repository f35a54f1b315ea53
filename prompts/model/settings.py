"""Which model answers, where it is, and what it may take: typed settings, read at the edge and handed over."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

Provider = Literal["openai", "azure", "anthropic", "google", "ollama", "openai-compatible"]

DEFAULT_URLS: dict[Provider, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "ollama": "http://localhost:11434/v1",
}
KEY_VARIABLES: dict[Provider, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "azure": ("AZURE_OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "ollama": (),
    "openai-compatible": (),  # a key for OpenAI must never go to another address
}
NEEDS_KEY: frozenset[Provider] = frozenset({"openai", "azure", "anthropic", "google"})
# Where the server does not tell. Ollama cuts prompts without a word at its own default of 4,096.
CONTEXT_TOKENS: dict[Provider, int] = {"ollama": 4_096, "openai-compatible": 8_192}
CLOUD_HOST = "ollama.com"  # runs the models that Ollama passes on
LARGE_CONTEXT = 64_000
LEAST_SETTABLE = 2_048  # tokens of context
MODEL_VARIABLE, URL_VARIABLE, KEY_VARIABLE = "KNOWLEDGE_TREE_MODEL", "KNOWLEDGE_TREE_MODEL_URL", "KNOWLEDGE_TREE_MODEL_KEY"
CONTEXT_VARIABLE, TOTAL_VARIABLE = "KNOWLEDGE_TREE_MODEL_CONTEXT", "KNOWLEDGE_TREE_MODEL_REQUESTS"


class Prices(BaseModel):
    """What a million tokens cost, in the currency the team counts in."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)  # it may be a key

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)  # input the provider had seen before; as `input` where unset

    def cost(self, input_tokens: int, output_tokens: int, cached_tokens: int) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, input_tokens - cached_tokens)
        return (fresh * self.input + cached_tokens * cached + output_tokens * self.output) / 1_000_000


class ModelSettings(BaseModel):
    """One model at one address. Hashable: the same settings share one client."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)  # it may be a key

    provider: Provider
    model: str = Field(min_length=1, max_length=200)
    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    api_version: str = ""  # Azure only
    timeout: float = Field(default=60.0, ge=0.1, le=900)  # seconds for one decision; for a stream: until the next word
    max_tokens: int | None = Field(default=None, ge=64)  # of one reply
    context_tokens: int | None = Field(default=None, ge=LEAST_SETTABLE)
    concurrency: int = Field(default=4, ge=1, le=64)  # requests of one process at once
    total_concurrency: int | None = Field(default=None, ge=1, le=1_000)  # of all processes on one database; None is no limit
    prices: Prices | None = None
    fallback: ModelSettings | None = None  # asked when this one fails

    @field_validator("model", "base_url", "api_version", mode="before")
    @classmethod
    def _stripped(cls, value: object) -> object:
        return value.strip() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _complete(self) -> ModelSettings:
        if self.provider in ("azure", "openai-compatible") and not self.base_url:
            raise ValueError(f"Enter the address of the {self.provider} server.")
        if self.base_url and (urlsplit(self.base_url).scheme not in ("http", "https") or not urlsplit(self.base_url).hostname):
            raise ValueError("The address must begin with http:// or https:// and name a server.")
        parts = urlsplit(self.base_url)
        if parts.username or parts.password or parts.query:  # it is kept and shown as it is
            raise ValueError(
                "Leave user, password and everything from the question mark on out of the address; a key has its own field."
            )
        return self

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> ModelSettings | None:
        """From KNOWLEDGE_TREE_MODEL=provider:model and its companions; None where that is not set."""
        named = environment.get(MODEL_VARIABLE, "").strip()
        if not named:
            return None
        provider, _, model = named.partition(":")
        fields = {"base_url": environment.get(URL_VARIABLE, ""), "api_key": environment.get(KEY_VARIABLE, "")}
        if context := environment.get(CONTEXT_VARIABLE, ""):
            fields["context_tokens"] = context
        if total := environment.get(TOTAL_VARIABLE, ""):
            fields["total_concurrency"] = total
        return cls.model_validate({"provider": provider, "model": model, **fields})

    @property
    def address(self) -> str:
        """Where requests go. A server named without a path gets the `/v1` that all of them serve under."""
        if not self.base_url:
            return DEFAULT_URLS[self.provider]
        parts = urlsplit(self.base_url)
        if self.provider in ("ollama", "openai-compatible") and parts.path in ("", "/"):
            parts = parts._replace(path="/v1")
        return urlunsplit(parts).rstrip("/")

    @property
    def host(self) -> str:
        """The address as people may see it: without user, password or query."""
        parts = urlsplit(self.address)
        netloc = parts.hostname or ""
        return urlunsplit((parts.scheme, f"{netloc}:{parts.port}" if parts.port else netloc, parts.path, "", ""))

    @property
    def is_on_this_machine(self) -> bool:
        """Whether nothing that is sent to it leaves this machine, as far as its name tells."""
        return is_loopback(self.address) and not self.passed_on_to

    @property
    def passed_on_to(self) -> str:
        """The host to which the server passes on what it is sent; empty where it does not."""
        return CLOUD_HOST if self.provider == "ollama" and is_cloud_model(self.model) else ""

    @property
    def context(self) -> int:
        return self.context_tokens or CONTEXT_TOKENS.get(self.provider, LARGE_CONTEXT)

    @property
    def label(self) -> str:
        return f"{self.provider}:{self.model}"

    def key(self, environment: Mapping[str, str] = os.environ) -> str:
        """The key from the settings, else from the provider's variable; empty without one."""
        if given := self.api_key.get_secret_value():
            return given
        return next((environment[name] for name in KEY_VARIABLES[self.provider] if environment.get(name)), "")


def is_cloud_model(name: str) -> bool:
    """Whether Ollama passes this model on: "gpt-oss:120b-cloud", "glm-4.6:cloud"."""
    tag = name.rpartition(":")[2]
    return tag == "cloud" or tag.endswith("-cloud")


def host_in(address: str) -> str:
    """The host of a web address; empty where there is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def is_loopback(address: str) -> bool:
    """Whether a web address is one of this machine."""
    try:
        host = urlsplit(address).hostname or ""
        return address.startswith(("http://", "https://")) and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False
