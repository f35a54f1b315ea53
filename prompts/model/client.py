"""The one file that talks to providers: one client for one model at one address, whatever its dialect.

pydantic-ai was picked because it alone has every dialect, typed errors, schemas as strict servers want them, and
usage with prices (compared in July to November 2026 with litellm, any-llm, instructor and the openai package). Of it
only the thin `Model.request` layer is used. Imported when first asked, never at the start: that takes over a second.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import ValidationError

from prompts.model.asking import Form, Prompt, reply_schema
from prompts.model.errors import ErrorKind, ModelError
from prompts.model.failures import explained, is_busy
from prompts.model.loop import Stop, background
from prompts.model.material import tokens_in
from prompts.model.rungs import Rung, Rungs
from prompts.model.salvage import ThinkFilter, salvaged_json
from prompts.model.settings import ModelSettings
from prompts.model.usage import Tally

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

F = TypeVar("F", bound=Form)
T = TypeVar("T")
Problem = Callable[[F], str | None]

MOST_REPLIES = 4  # paid for one decision; after that somebody else makes it
LONGEST_FEEDBACK = 600
_NO_MODEL_SERVER = "{host} answered, but not as a model server does{detail}; check the address, most end in /v1."
UNMATCHED = ("\0think", "\0/think")  # thoughts are taken out here: the library loses text where a tag is cut in two


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a busy provider is waited for, in seconds. Beyond `longest`, somebody else decides."""

    waits: tuple[float, ...] = (0.5, 2.0)
    longest: float = 8.0
    # how long a provider that failed is left alone, so that a walk does not wait for it at every step
    rests: tuple[tuple[ErrorKind, float], ...] = (
        ("auth", 30.0), ("quota", 120.0), ("config", 30.0), ("network", 15.0), ("timeout", 30.0),
    )  # fmt: skip


class Ended(NamedTuple):
    """The last piece of a stream. `is_cut`: it broke off before its end."""

    is_cut: bool


_RUNGS = Rungs()


def client_of(settings: ModelSettings) -> Client:
    """Clients are shared: one limit of requests at once, one memory of what works."""
    with _SHARING:
        return _shared(settings)


_SHARING = Lock()


@lru_cache(maxsize=32)
def _shared(settings: ModelSettings) -> Client:
    return Client(settings)


os.register_at_fork(after_in_child=_shared.cache_clear)  # a client belongs to the loop of its process


class Client:
    def __init__(self, settings: ModelSettings, patience: Patience | None = None, rungs: Rungs = _RUNGS) -> None:
        self.settings = settings
        self.patience = patience or Patience()
        self.rungs = rungs
        self._place = (settings.address, settings.model)
        self._opening = Lock()
        self._model: Model | None = None
        self._limit: asyncio.Semaphore | None = None
        self._resting: tuple[float, ModelError] | None = None
        self._timeouts = 0  # one after the other: a single one may be a long passage

    def ask(
        self, prompt: Prompt, form: type[F], tally: Tally, stop: Stop | None = None, problem: Problem[F] = lambda found: None
    ) -> F:
        """One decision in the form asked for. Raises ModelError, or Stopped; `tally` is filled in either way.

        `problem` says what is wrong with a reply that has the form; the model is told once.
        """
        self._check_awake()
        self._open()
        try:
            found = background().run(self._ask(prompt, form, tally, problem), stop=stop)
        except ModelError as error:
            raise self._noted(error) from None
        self._awake()
        return found

    def stream(self, prompt: Prompt, tally: Tally, stop: Stop | None = None) -> Iterator[str | Ended]:
        """Text as it is written, without thoughts, then `Ended`. Leaving the iterator disconnects."""
        self._check_awake()
        self._open()
        try:
            yield from background().stream(self._stream(prompt, tally), stop)
        except ModelError as error:
            raise self._noted(error) from None
        self._awake()

    # ---- resting: a provider that fails for long is not asked again for every decision of a walk

    def _check_awake(self) -> None:
        if self._resting is not None and time.monotonic() < self._resting[0]:
            error = self._resting[1]
            raise ModelError(error.kind, error.message, detail=error.detail, retry_after=self._resting[0] - time.monotonic())

    def _awake(self) -> None:
        self._resting, self._timeouts = None, 0

    def _noted(self, error: ModelError) -> ModelError:
        rest = dict(self.patience.rests).get(error.kind, 0.0)
        if error.kind == "rate":
            rest = min(error.retry_after or 0.0, 60.0)
        self._timeouts = self._timeouts + 1 if error.kind == "timeout" else 0
        if self._timeouts == 1:
            rest = 0.0
        if rest:
            self._resting = (time.monotonic() + rest, error)
        return error

    # ---- one decision

    async def _ask(self, prompt: Prompt, form: type[F], tally: Tally, problem: Problem[F]) -> F:
        async with self._at_once():
            try:
                async with asyncio.timeout(self.settings.timeout):  # not counting the wait for others
                    return await self._down_the_ladder(prompt, form, tally, problem)
            except TimeoutError:
                raise explained("timeout", self.settings) from None

    async def _down_the_ladder(self, prompt: Prompt, form: type[F], tally: Tally, problem: Problem[F]) -> F:
        failure: ModelError | None = None
        for rung in self.rungs.ladder(*self._place):
            try:
                found = await self._ask_on(rung, prompt, form, tally, problem)
            except ModelError as error:
                if error.kind == "rejected":
                    self.rungs.refused(*self._place, rung)
                elif error.kind == "invalid_output":
                    self.rungs.missed(*self._place, rung)
                else:
                    raise
                failure = error
                if tally.replies >= MOST_REPLIES:
                    break
            else:
                self.rungs.worked(*self._place, rung)
                return found
        if failure is None:
            raise RuntimeError("the ladder has no rung")
        raise failure

    async def _ask_on(self, rung: Rung, prompt: Prompt, form: type[F], tally: Tally, problem: Problem[F]) -> F:
        """Asks once, and once more with what was wrong where the reply cannot be used."""
        messages = _messages(prompt)
        for is_last in (False, True):
            response = await self._patiently(lambda: self._request(rung, prompt, form, messages, tally))  # noqa: B023
            said = _said(response)
            try:
                found = form.model_validate(salvaged_json(said))
                wrong = problem(found)
            except ValidationError as error:
                wrong = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'reply'}: {e['msg']}" for e in error.errors()[:5])
            except ValueError as error:
                wrong = str(error)
            if not wrong:
                return found
            if response.finish_reason == "length":
                raise explained("truncated", self.settings)
            if is_last or tally.replies >= MOST_REPLIES:
                raise explained("invalid_output", self.settings, detail=wrong)
            messages = [*messages, *_feedback(said, wrong)]
        raise AssertionError("unreachable")

    async def _request(
        self, rung: Rung, prompt: Prompt, form: type[Form], messages: Sequence[ModelMessage], tally: Tally
    ) -> ModelResponse:
        model = self._opened()
        tally.calls += 1
        tally.rung = rung
        with _errors_explained(self.settings):
            response = await model.request(list(messages), self._request_settings(), _parameters(rung, prompt, form))
        tally.replies += 1
        _count(tally, self.settings, prompt, _said(response), response)
        if response.finish_reason == "content_filter":
            raise explained("refused", self.settings)
        return response

    async def _patiently(self, send: Callable[[], Awaitable[T]]) -> T:
        """Again after a short wait while the provider is only busy, or for as long as it asks, within bounds."""
        for wait in (*self.patience.waits, None):
            try:
                return await send()
            except ModelError as error:
                pause = wait if error.retry_after is None else error.retry_after
                if wait is None or pause is None or pause > self.patience.longest or not is_busy(error):
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    # ---- one stream

    async def _stream(self, prompt: Prompt, tally: Tally) -> AsyncGenerator[str | Ended, None]:
        async with self._at_once():
            async for piece in self._stream_patiently(prompt, tally):
                yield piece

    async def _stream_patiently(self, prompt: Prompt, tally: Tally) -> AsyncGenerator[str | Ended, None]:
        for wait in (*self.patience.waits, None):
            begun = False
            try:
                async for piece in self._stream_once(prompt, tally):
                    begun = True
                    yield piece
                return
            except ModelError as error:
                pause = wait if error.retry_after is None else error.retry_after
                if begun or wait is None or pause is None or pause > self.patience.longest or not is_busy(error):
                    raise
            await asyncio.sleep(pause)

    async def _stream_once(self, prompt: Prompt, tally: Tally) -> AsyncGenerator[str | Ended, None]:
        thoughts, written = ThinkFilter(), []
        model = self._opened()
        tally.calls += 1
        tally.rung = "stream"
        with _errors_explained(self.settings):
            async with model.request_stream(
                _messages(prompt), self._request_settings(), _parameters("plain", prompt, None)
            ) as response:
                tally.replies += 1
                try:
                    async for text in _texts(response, self.settings.timeout):
                        written.append(text)
                        if shown := thoughts.feed(text):
                            yield shown
                finally:
                    whole = response.get()
                    _count(tally, self.settings, prompt, "".join(written), whole)
                if rest := thoughts.rest():
                    yield rest
                if whole.finish_reason == "content_filter":
                    raise explained("refused", self.settings)
                # without a reason from the provider itself the connection just broke off: the library calls that "stop"
                told = (response.provider_details or {}).get("finish_reason")
                if not "".join(written).strip() and told:
                    raise explained("invalid_output", self.settings, detail="The reply is empty.")
                yield Ended(is_cut=not told or whole.finish_reason == "length")

    # ---- the model behind it

    def _open(self) -> None:
        """In the thread that asks: importing takes seconds, and must neither count as waiting nor hold up the loop."""
        with self._opening:
            if self._model is None:
                with _errors_explained(self.settings):
                    self._model = _open(self.settings)

    def _opened(self) -> Model:
        if self._model is None:
            raise RuntimeError("the model is opened before it is asked")
        return self._model

    @asynccontextmanager
    async def _at_once(self) -> AsyncIterator[None]:
        if self._limit is None:
            self._limit = asyncio.Semaphore(self.settings.concurrency)
        async with self._limit:
            yield

    def _request_settings(self) -> Any:
        # the SDK's own retries wait in silence for as long as a provider likes
        settings: dict[str, Any] = {"timeout": self.settings.timeout, "max_retries": 0}
        if self.settings.max_tokens:
            settings["max_tokens"] = self.settings.max_tokens
        return settings


# ---------------------------------------------------------------- the library, in a few places


@contextmanager
def _errors_explained(settings: ModelSettings) -> Iterator[None]:
    """The library's errors as ours. Nothing of the original is chained: it may show headers."""
    from pydantic_ai import exceptions as theirs

    try:
        yield
    except TimeoutError:
        raise explained("timeout", settings) from None
    except ImportError:
        extra = {"anthropic": "anthropic", "google": "google"}.get(settings.provider, "openai")
        sentence = f'{settings.provider} needs one more package; run: pip install "pydantic-ai-slim[{extra}]", then start again.'
        raise explained("config", settings, sentence=sentence) from None
    except theirs.UserError as error:
        kind: ErrorKind = "rejected" if "not supported" in error.message else "config"
        raise explained(kind, settings, detail=error.message) from None
    except theirs.UnexpectedModelBehavior as error:
        if "expected JSON" in error.message:
            raise explained("config", settings, sentence=_NO_MODEL_SERVER) from None
        kind = "refused" if isinstance(error, theirs.ContentFilterError) else "invalid_output"
        raise explained(kind, settings, detail=error.message) from None
    except theirs.ModelNotFoundError as error:
        sentence = "{host} does not know the model “{label}” or the address{detail}; press Test to list what it has."
        raise explained("config", settings, detail=_provider_words(error), sentence=sentence) from None
    except theirs.ModelAPIError as error:
        kind = next((kind for type_, kind in _kinds() if isinstance(error, type_)), "config")
        if getattr(error, "status_code", 0) == 413:
            kind = "context"
        if kind == "config":
            raise explained(kind, settings, detail=_provider_words(error), sentence=_NO_MODEL_SERVER) from None
        raise explained(kind, settings, detail=_provider_words(error), retry_after=error.retry_after) from None


@cache
def _kinds() -> tuple[tuple[type[Exception], ErrorKind], ...]:
    """Narrow before wide."""
    from pydantic_ai import exceptions as theirs

    return (
        (theirs.ModelAuthenticationError, "auth"),
        (theirs.ModelQuotaExceededError, "quota"),
        (theirs.ModelRateLimitError, "rate"),
        (theirs.ModelContextWindowExceededError, "context"),
        (theirs.ModelRequestRejectedError, "rejected"),
        (theirs.ModelTimeoutError, "timeout"),
        (theirs.ModelRequestTimeout, "timeout"),
        (theirs.ModelConnectionError, "network"),
        (theirs.ModelUnavailableError, "network"),
        (theirs.ModelServerError, "network"),
    )


def _provider_words(error: Any) -> str:
    """What the provider itself said, without the library's framing."""
    body = error.body
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    return body if isinstance(body, str) and "<" not in body else ""


def _open(settings: ModelSettings) -> Model:
    """Raises ImportError with what to install."""
    key = settings.key()
    if not key and settings.provider in ("anthropic", "google"):
        raise explained("auth", settings)
    match settings.provider:
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(settings.model, provider=AnthropicProvider(api_key=key, base_url=settings.base_url or None))
        case "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(settings.model, provider=GoogleProvider(api_key=key, base_url=settings.base_url or None))
        case provider:
            return _open_openai(settings, provider, key)


def _open_openai(settings: ModelSettings, provider: str, key: str) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.azure import AzureProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    profile = OpenAIModelProfile(
        thinking_tags=UNMATCHED, supports_json_schema_output=True, supports_json_object_output=True, supports_tools=True
    )  # what a server really supports is found out by asking; see rungs
    if provider == "openai":
        return OpenAIChatModel(
            settings.model, provider=OpenAIProvider(base_url=settings.address, api_key=key or "no-key"), profile=profile
        )
    if provider == "azure":
        opened = AzureProvider(azure_endpoint=settings.address, api_key=key or "no-key", api_version=settings.api_version or None)
        return OpenAIChatModel(settings.model, provider=opened, profile=profile)
    # servers other than OpenAI's know the limit of a reply by its older name
    profile = OpenAIModelProfile(**profile, openai_chat_supports_max_completion_tokens=False)
    compatible = OpenAICompatibleProvider(provider, base_url=settings.address, api_key=key or None)
    return OpenAIChatModel(settings.model, provider=compatible, profile=profile)


def _messages(prompt: Prompt) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart

    return [ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])]


def _feedback(said: str, problem: str) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    words = f"That reply cannot be used: {problem[:LONGEST_FEEDBACK]} Reply again, with the JSON object alone."
    return [ModelResponse(parts=[TextPart(said or "{}")]), ModelRequest(parts=[UserPromptPart(words)])]


def _parameters(rung: Rung, prompt: Prompt, form: type[Form] | None) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if rung == "plain" or form is None:
        return ModelRequestParameters()
    schema = reply_schema(form)
    if rung == "tool":
        tool = ToolDefinition(
            name=prompt.decision, parameters_json_schema=schema, description="Hand in the reply.", kind="output", strict=True
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    asked = OutputObjectDefinition(schema, name=prompt.decision, strict=True)
    mode = "native" if rung == "schema" else "prompted"
    return ModelRequestParameters(output_mode=mode, output_object=asked, prompted_output_template=False)


def _said(response: ModelResponse) -> str:
    """The reply as text: a tool's arguments, or text, or what a server took for thoughts where it sent nothing else."""
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart) and part.content.strip()]
    thoughts = [part.content for part in response.parts if isinstance(part, ThinkingPart)]
    return "\n".join(calls[:1] or texts or thoughts)


async def _texts(response: Any, timeout: float) -> AsyncIterator[str]:
    """The text of a stream, thoughts left out. Raises TimeoutError when nothing comes for too long."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    events = aiter(response)
    while True:
        async with asyncio.timeout(timeout):
            event = await anext(events, None)
        match event:
            case None:
                return
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
                yield text


def _count(tally: Tally, settings: ModelSettings, prompt: Prompt, said: str, response: ModelResponse) -> None:
    usage = response.usage
    measured = usage.input_tokens > 0
    given = usage.input_tokens if measured else tokens_in(prompt.system + prompt.user)
    made = usage.output_tokens if measured else tokens_in(said)
    tally.unmeasured += not measured
    tally.input_tokens += given
    tally.output_tokens += made
    tally.cached_tokens += usage.cache_read_tokens
    tally.model = response.model_name or settings.model
    cost = settings.prices.cost(given, made, usage.cache_read_tokens) if settings.prices else _price(settings, response)
    tally.cost = None if cost is None or (tally.cost is None and tally.replies > 1) else (tally.cost or 0.0) + cost


def _price(settings: ModelSettings, response: ModelResponse) -> float | None:
    """What the provider's price list says, for a provider's own address only."""
    if settings.base_url or settings.provider in ("ollama", "openai-compatible"):
        return None
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):  # a model without a price
        return None
