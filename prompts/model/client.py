"""The one file that knows a provider's library: requests and streams of one model at one address, in our own terms.

pydantic-ai was picked because it alone has every dialect, typed errors, schemas as strict servers want them, and usage
with prices (compared with litellm, any-llm, instructor and the openai package in November 2026). Of it only the thin
`Model.request` layer is used. It is imported when a model is first asked, never before: that takes over a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from prompts.errors import ErrorKind
from prompts.model.failures import explained
from prompts.model.material import FRAME_TOKENS, tokens_in
from prompts.model.output_modes import OutputMode
from prompts.model.prompt import Prompt, ReplyForm, reply_schema
from prompts.model.settings import ModelSettings, Provider
from prompts.usage import Decision

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

NO_MODEL_SERVER = "{host} answered, but not as a model server does{detail}; check the address, most end in /v1."
# What the library trips over in a reply that has not the form of the protocol: no choices, braces nested without end.
NOT_FORESEEN = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
UNMATCHED = ("\0think", "\0/think")  # thoughts are taken out elsewhere: the library loses text where a tag is cut in two
# Tokens of a reply, and of what a model may think before it: one that writes on and on is ended by them.
REPLY_TOKENS: Mapping[Decision, int] = {
    "read": 3_000, "summarize": 1_500, "choose": 800, "answer": 1_600, "look": 2_400, "compose": 2_000, "rewrite": 300,
}  # fmt: skip
THOUGHT_TOKENS = 8_000
# Anthropic's models think only where they are asked to; some of Google's take no larger limit than 8,192.
THOUGHT_TOKENS_OF: Mapping[Provider, int] = {"anthropic": 0, "google": 4_000}
LEAST_REPLY = 256  # however full the context is
FLOOD = 10  # characters for each token of its limit that a reply may have: a server may keep to no limit


class RejectedReply(NamedTuple):
    """A reply that could not be used, and what was wrong with it."""

    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `is_whole`: the provider itself said that this is the end of it."""

    text: str
    is_whole: bool
    is_refused: bool  # by the model, or by a filter before or behind it
    input_tokens: int = 0  # where the server does not count
    output_tokens: int = 0
    cached_tokens: int = 0
    model: str = ""
    price: float | None = None  # by the provider's price list, where it has one


class Client:
    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._opening = Lock()
        self._model: Model | None = None

    def open(self) -> None:
        """To be called in the thread that asks: the import must neither count as waiting nor hold up the loop."""
        with self._opening:
            if self._model is None:
                with _errors_explained(self.settings):
                    self._model = _opened(self.settings)

    async def request(
        self, mode: OutputMode, prompt: Prompt, form: type[ReplyForm], before: Sequence[RejectedReply] = ()
    ) -> Reply:
        """One request. Raises ModelError."""
        with _errors_explained(self.settings):
            response = await self._ready().request(
                _messages(prompt, before), self._limits(prompt, before), _parameters(mode, prompt, form)
            )
        text, most = _text_of(response), self._most_characters(prompt, before)
        return self._as_reply(text[:most], response, is_whole=response.finish_reason != "length" and len(text) <= most)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Reply, None]:
        """Pieces of text, then what it took. Raises ModelError, also when nothing comes for too long."""
        written: list[str] = []
        with _errors_explained(self.settings):
            parameters = _parameters("plain", prompt, None)
            async with self._ready().request_stream(_messages(prompt), self._limits(prompt), parameters) as response:
                async for text in _texts(response, self.settings.timeout, self._most_characters(prompt)):
                    written.append(text)
                    yield text
                whole = response.get()
        # where the provider gave no reason to end, the connection only broke off: the library calls that "stop"
        told = (response.provider_details or {}).get("finish_reason")
        yield self._as_reply("".join(written), whole, is_whole=bool(told) and whole.finish_reason != "length")

    def _ready(self) -> Model:
        if self._model is None:
            raise RuntimeError("a client is opened before it is asked")
        return self._model

    def _limits(self, prompt: Prompt, before: Sequence[RejectedReply] = ()) -> Any:
        # the SDK's own retries wait in silence for as long as a provider likes
        return {"timeout": self.settings.timeout, "max_retries": 0, "max_tokens": reply_limit(self.settings, prompt, before)}

    def _most_characters(self, prompt: Prompt, before: Sequence[RejectedReply] = ()) -> int:
        return FLOOD * reply_limit(self.settings, prompt, before)

    def _as_reply(self, text: str, response: ModelResponse, is_whole: bool) -> Reply:
        usage = response.usage
        return Reply(
            text,
            is_whole,
            is_refused=response.finish_reason == "content_filter",
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cache_read_tokens,
            model=response.model_name or self.settings.model,
            price=_price(self.settings, response),
        )


def reply_limit(settings: ModelSettings, prompt: Prompt, before: Sequence[RejectedReply] = ()) -> int:
    """Tokens that a reply may have: as set, or by the decision, and no more than the context still takes: servers refuse that."""
    thoughts = THOUGHT_TOKENS_OF.get(settings.provider, THOUGHT_TOKENS)
    wanted = settings.max_tokens or REPLY_TOKENS[prompt.decision] + thoughts
    shown = tokens_in(prompt.system) + tokens_in(prompt.user) + sum(tokens_in(one.text + one.problem) for one in before)
    return min(wanted, max(LEAST_REPLY, settings.context - shown - FRAME_TOKENS))


# ---------------------------------------------------------------- its errors


@contextmanager
def _errors_explained(settings: ModelSettings) -> Iterator[None]:
    """The library's errors as ours. Nothing of the original is chained: it may show headers."""
    from pydantic_ai import exceptions as theirs

    try:
        yield
    except TimeoutError:
        raise explained("timeout", settings, is_lost=True) from None
    except ImportError:
        extra = {"anthropic": "anthropic", "google": "google"}.get(settings.provider, "openai")
        sentence = f'{settings.provider} needs one more package; run: pip install "pydantic-ai-slim[{extra}]", then start again.'
        raise explained("config", settings, sentence=sentence) from None
    except theirs.UserError as error:
        kind: ErrorKind = "rejected" if "not supported" in error.message else "config"
        raise explained(kind, settings, detail=error.message) from None
    except theirs.UnexpectedModelBehavior as error:
        if "expected JSON" in error.message:
            raise explained("config", settings, sentence=NO_MODEL_SERVER) from None
        kind = "refused" if isinstance(error, theirs.ContentFilterError) else "invalid_output"
        raise explained(kind, settings, detail=error.message) from None
    except theirs.ModelNotFoundError as error:
        sentence = "{host} does not know the model “{label}” or the address{detail}; press Test to list what it has."
        raise explained("config", settings, detail=_provider_words(error), sentence=sentence) from None
    except theirs.ModelAPIError as error:
        kind = next((kind for type_, kind in _kinds() if isinstance(error, type_)), "config")
        if getattr(error, "status_code", 0) == 413 or (kind == "rejected" and _is_overflow(_provider_words(error))):
            kind = "context"
        if kind == "config":
            raise explained(kind, settings, detail=_provider_words(error), sentence=NO_MODEL_SERVER) from None
        lost = _is_lost(error)
        raise explained(kind, settings, detail=_provider_words(error), retry_after=error.retry_after, is_lost=lost) from None
    except NOT_FORESEEN:
        raise explained("config", settings, sentence=NO_MODEL_SERVER) from None


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


def _is_overflow(said: str) -> bool:
    """Whether a refusal means that the prompt is too long, as llama.cpp says it without a code of its own."""
    return "exceed" in said and "context" in said


def _is_lost(error: Any) -> bool:
    """Whether the request went out, as far as anybody knows, and the connection ended without a word of the server."""
    from pydantic_ai import exceptions as theirs

    if isinstance(error, theirs.ModelConnectionError):
        return error.phase not in ("pool", "connect")
    return isinstance(error, theirs.ModelRequestTimeout)


def _provider_words(error: Any) -> str:
    """What the provider itself said, without the library's framing."""
    body = error.body
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(name):
            body = body[name]
    return body if isinstance(body, str) and "<" not in body else ""


# ---------------------------------------------------------------- its models


def _opened(settings: ModelSettings) -> Model:
    """Raises ImportError where the dialect's package is missing."""
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
    )  # what a server really supports is found out by trying; see output_modes
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


# ---------------------------------------------------------------- its messages


def _messages(prompt: Prompt, before: Sequence[RejectedReply] = ()) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    user = prompt.user.encode("utf-8", "replace").decode()  # halves of characters, as broken PDFs have them, cannot be sent
    messages: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(user)])]
    for text, problem in before:
        again = f"That reply cannot be used: {problem} Reply again, with the JSON object alone."
        messages += [ModelResponse(parts=[TextPart(text or "{}")]), ModelRequest(parts=[UserPromptPart(again)])]
    return messages


def _parameters(mode: OutputMode, prompt: Prompt, form: type[ReplyForm] | None) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if mode == "plain" or form is None:
        return ModelRequestParameters()
    schema = reply_schema(form)
    if mode == "tool":
        tool = ToolDefinition(
            name=prompt.decision, parameters_json_schema=schema, description="Hand in the reply.", kind="output", strict=True
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    asked = OutputObjectDefinition(schema, name=prompt.decision, strict=True)
    return ModelRequestParameters(
        output_mode="native" if mode == "schema" else "prompted", output_object=asked, prompted_output_template=False
    )


def _text_of(response: ModelResponse) -> str:
    """The reply as text: a tool's arguments, or text, or what a server took for thoughts where it sent nothing else."""
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart) and part.content.strip()]
    thoughts = [part.content for part in response.parts if isinstance(part, ThinkingPart)]
    return "\n".join(calls[:1] or texts or thoughts)


async def _texts(response: Any, timeout: float, most: int) -> AsyncIterator[str]:
    """The text of a stream, thoughts left out: `most` characters of both. Raises TimeoutError when nothing comes for too long."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta, ThinkingPart, ThinkingPartDelta

    events = aiter(response)
    while most > 0:
        async with asyncio.timeout(timeout):
            event = await anext(events, None)
        match event:
            case None:
                return
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
                yield text[:most]
                most -= len(text)
            case PartStartEvent(part=ThinkingPart(content=text)) | PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)):
                most -= len(text or "")


def _price(settings: ModelSettings, response: ModelResponse) -> float | None:
    """What the provider's price list says, for a provider's own address only."""
    if settings.base_url or settings.provider in ("ollama", "openai-compatible"):
        return None
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):  # a model without a price
        return None
