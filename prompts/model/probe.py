"""The "Test" button: is the address there, does it know the model, how long may a prompt be, is it fit for five decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2  # the HTTP library of the openai package; nothing else is installed for these few requests

from prompts.model.failures import explained, without_keys
from prompts.model.settings import LARGE_CONTEXT, LEAST_SETTABLE, ModelSettings, host_in
from prompts.model.trial import AnswerLimits, Trial, try_decisions
from prompts.stop import Stop

SECONDS = 8.0
MOST_NAMED = 12
LEAST_CONTEXT = 8_000
AZURE_VERSION = "2024-10-21"
_CONTEXT_FIELDS = (
    "loaded_context_length", "max_model_len", "context_length", "max_context_length", "inputTokenLimit", "max_input_tokens", "context_window",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, in words."""

    step: Literal["address", "model", "context"]
    state: Literal["good", "doubtful", "bad"]
    words: str


@dataclass(frozen=True, slots=True)
class Probe:
    findings: tuple[Finding, ...]
    models: tuple[str, ...] = ()
    context_tokens: int | None = None  # what the server says
    trial: Trial | None = None  # None where it did not come to that, or only the models were listed

    @property
    def can_be_used(self) -> bool:
        """Whether there is anything to be asked."""
        reached = all(finding.state != "bad" for finding in self.findings)
        return reached and (self.trial is None or self.trial.server_failure is None)

    def fits(self, limits: AnswerLimits) -> bool:
        """Whether questions should be answered with it: never without a trial."""
        return self.can_be_used and self.trial is not None and self.trial.fits(limits)


def probe(settings: ModelSettings, stop: Stop | None = None) -> Probe:
    """Never raises for what a server does. Takes some seconds for the address, and the timeout for each of five decisions, of
    which it asks no more after two without a usable reply. Raises ModelCallCancelled when stopped."""
    look = _Probing(settings)
    findings = list(look.address())
    trial = None
    if all(finding.state != "bad" for finding in findings):
        findings += look.context()
        trial = try_decisions(settings, stop)
    return Probe(tuple(findings), tuple(look.models), look.context_tokens, trial)


def little_context(settings: ModelSettings, reported: int | None = None) -> str:
    """What follows where a prompt may be only short; empty where there is room. `reported` is what the server says it takes."""
    if min(settings.context, reported or settings.context) >= LEAST_CONTEXT:
        return ""
    words = "That is little: long passages and branches will be shortened."
    if settings.provider == "ollama":
        words += " Ollama cuts prompts without saying so; set num_ctx in a Modelfile and the same number here."
    return words


def with_reported_context(settings: ModelSettings) -> ModelSettings:
    """The settings with as much context as the server says that it has; as they are where it does not say, or is not there."""
    look = _Probing(settings)
    if any(finding.state == "bad" for finding in look.address()):
        return settings
    list(look.context())
    if look.context_tokens is None or look.context_tokens < LEAST_SETTABLE:
        return settings
    return settings.model_copy(update={"context_tokens": min(look.context_tokens, LARGE_CONTEXT)})


def listed(settings: ModelSettings) -> Probe:
    """Which models the address has, whatever model is set. Nothing is asked of any of them."""
    look = _Probing(settings)
    findings = list(look.address())
    if look.models:
        findings = [finding for finding in findings if finding.step == "address"]  # not whether it has the model that is set
    return Probe(tuple(findings), tuple(look.models))


@dataclass(slots=True)
class _Probing:
    settings: ModelSettings
    models: list[str] = field(default_factory=list)
    context_tokens: int | None = None
    passed_on_to: str = ""  # the host where the model runs, where the server only passes on what it is sent

    def address(self) -> Iterator[Finding]:
        settings = self.settings
        try:
            listing = self._get(_listing_url(settings))
        except httpx2.HTTPError as error:
            yield Finding("address", "bad", _unreachable(settings, error))
            return
        if listing.status_code in (401, 403):
            yield Finding("address", "bad", explained("auth", settings).message)
            return
        body = _json(listing)
        if body is None and "html" in listing.headers.get("content-type", ""):
            words = (
                f"{settings.host} answers with a web page: a proxy, a login, or the wrong address. Most model servers end in /v1."
            )
            yield Finding("address", "bad", words)
            return
        yield Finding("address", "good", f"{settings.host} answers.")
        if listing.status_code >= 400 or body is None:
            yield Finding("model", "doubtful", "It does not list its models, so the name can only be tried.")
            return
        entries = list(_entries(body))
        self.models = sorted(filter(None, (_name(entry) for entry in entries)))
        mine = next((entry for entry in entries if _same(_name(entry), settings.model)), None)
        if mine is not None:
            self.context_tokens = _context_in(mine)
            yield Finding("model", "good", f"It has {settings.model}.")
        elif settings.provider == "azure":
            yield Finding("model", "doubtful", "Azure goes by the name of the deployment, which it does not list here.")
        else:
            named = ", ".join(self.models[:MOST_NAMED]) or "none"
            more = f" and {len(self.models) - MOST_NAMED} more" if len(self.models) > MOST_NAMED else ""
            yield Finding("model", "bad", f"It does not have {settings.model}. It has: {named}{more}.")

    def context(self) -> Iterator[Finding]:
        if self.context_tokens is None:
            self.context_tokens = self._context_elsewhere()
        if self.passed_on_to:
            words = f"This model runs at {self.passed_on_to}, not on this machine: questions, and the passages read for them, are sent there."
            yield Finding("address", "doubtful", words)
        told, set_to = self.context_tokens, self.settings.context
        if told is None:
            yield Finding(
                "context", "doubtful", f"The server does not say how long a prompt may be; {set_to:,} tokens are assumed."
            )
        elif set_to > told:
            words = f"The server takes {told:,} tokens and the settings say {set_to:,}; set the context size to {told:,}."
            yield Finding("context", "bad", words)
        else:
            yield Finding("context", "good", f"The server takes {told:,} tokens; {set_to:,} are used.")
        if words := little_context(self.settings, told):
            yield Finding("context", "doubtful", words)

    def _context_elsewhere(self) -> int | None:
        """Servers that tell it at an address of their own: Ollama, LM Studio, llama.cpp."""
        root = self.settings.address.removesuffix("/v1")
        try:
            if self.settings.provider == "ollama":
                shown = _json(self._post(f"{root}/api/show", {"model": self.settings.model})) or {}
                told = shown.get("remote_host")
                self.passed_on_to = (host_in(told) if isinstance(told, str) else "") or self.settings.passed_on_to
                return _remote_context(shown) if self.passed_on_to else _num_ctx(shown)
            if self.settings.provider == "openai-compatible":
                listed = _json(self._get(f"{root}/api/v0/models")) or {}
                mine = next((entry for entry in _entries(listed) if _same(_name(entry), self.settings.model)), {})
                props = _json(self._get(f"{root}/props")) or {}
                told = _context_in(mine) or props.get("default_generation_settings", {}).get("n_ctx")
                return told if isinstance(told, int) else None
        except httpx2.HTTPError:
            return None  # it has no such address: the sentence says that it does not tell
        return None

    def _get(self, url: str) -> httpx2.Response:
        with httpx2.Client(timeout=SECONDS) as client:
            return client.get(url, headers=_headers(self.settings))

    def _post(self, url: str, body: Mapping[str, str]) -> httpx2.Response:
        with httpx2.Client(timeout=SECONDS) as client:
            return client.post(url, json=dict(body), headers=_headers(self.settings))


# ---------------------------------------------------------------- dialects


def _listing_url(settings: ModelSettings) -> str:
    match settings.provider:
        case "anthropic":
            return f"{settings.address}/v1/models?limit=100"
        case "google":
            return f"{settings.address}/v1beta/models?pageSize=200"
        case "azure":
            return f"{settings.address}/openai/models?api-version={settings.api_version or AZURE_VERSION}"
        case _:
            return f"{settings.address}/models"


def _headers(settings: ModelSettings) -> dict[str, str]:
    key = settings.key()
    if not key:
        return {}
    match settings.provider:
        case "anthropic":
            return {"x-api-key": key, "anthropic-version": "2023-06-01"}
        case "google":
            return {"x-goog-api-key": key}
        case "azure":
            return {"api-key": key}
        case _:
            return {"Authorization": f"Bearer {key}"}


def _unreachable(settings: ModelSettings, error: httpx2.HTTPError) -> str:
    if isinstance(error, httpx2.TimeoutException):
        return (
            f"{settings.host} did not answer within {SECONDS:g} seconds; check the address, and that no firewall stands between."
        )
    said = without_keys(str(error), settings).rstrip(".")
    if "certificate" in said.lower():
        return f"The certificate of {settings.host} is not trusted here ({said}); install your organisation's certificate."
    start = "start Ollama" if settings.provider == "ollama" else "start the server, or correct the address"
    return f"Nothing answers at {settings.host} ({said or type(error).__name__}); {start}."


def _json(response: httpx2.Response) -> Any:
    if response.status_code >= 400:
        return None
    try:
        return response.json()
    except (ValueError, RecursionError):
        return None


def _entries(body: Any) -> Iterable[Mapping[str, Any]]:
    found = body if isinstance(body, list) else (body.get("data") or body.get("models") or []) if isinstance(body, dict) else []
    return [entry for entry in found if isinstance(entry, dict)]


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry.get("id") or entry.get("name") or "").removeprefix("models/")


def _same(listed: str, asked: str) -> bool:
    return listed == asked or listed.removesuffix(":latest") == asked.removesuffix(":latest")


def _context_in(entry: Mapping[str, Any]) -> int | None:
    places = (entry, entry.get("meta") or {}, entry.get("top_provider") or {})
    told = (place.get(name) for name in (*_CONTEXT_FIELDS, "n_ctx") for place in places if isinstance(place, dict))
    return next((size for size in told if isinstance(size, int) and size > 0), None)


def _remote_context(shown: Mapping[str, Any]) -> int | None:
    """Of a model that Ollama passes on: all that the model takes."""
    facts = shown.get("model_info")
    sizes = (size for name, size in facts.items() if name.endswith(".context_length")) if isinstance(facts, dict) else ()
    return next((size for size in sizes if isinstance(size, int) and size > 0), None)


def _num_ctx(shown: Mapping[str, Any]) -> int | None:
    """What Ollama really uses: num_ctx of the Modelfile; what the model could take says nothing about it."""
    for line in str(shown.get("parameters", "")).splitlines():
        name, _, value = line.partition(" ")
        if name == "num_ctx" and value.strip().isdigit():
            return int(value)
    return None
