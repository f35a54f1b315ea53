"""A client that repeats a request until a usable reply is there: output modes, retries, limits, pauses after a failure."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import Literal, NamedTuple, TypeVar

from pydantic import ValidationError

from prompts.errors import ErrorKind, ModelError
from prompts.model.call_slots import CallSlots, slot_held
from prompts.model.client import Client, RejectedReply, Reply
from prompts.model.failures import explained, is_busy
from prompts.model.loop import background
from prompts.model.material import tokens_in
from prompts.model.output_modes import OutputMode, OutputModes
from prompts.model.prompt import Prompt, ReplyForm
from prompts.model.reply_repair import ThinkFilter, parse_json_reply
from prompts.model.settings import ModelSettings
from prompts.stop import Stop
from prompts.usage import Tally

F = TypeVar("F", bound=ReplyForm)
T = TypeVar("T")
Problem = Callable[[F], str | None]

MOST_CALLS = 12  # of one decision, those that a busy provider refuses included
MOST_REPLIES = 4  # paid for one decision; after that somebody else makes it
LONGEST_COMPLAINT = 600


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long a busy provider is waited for, in seconds. Beyond `longest`, the fallback decides."""

    waits: tuple[float, ...] = (0.5, 2.0)
    longest: float = 8.0
    # how long a provider that failed is left alone, so that a walk does not wait for it at every step
    rests: tuple[tuple[ErrorKind, float], ...] = (
        ("auth", 30.0), ("quota", 120.0), ("config", 30.0), ("network", 15.0), ("timeout", 30.0),
    )  # fmt: skip

    def pause_after(self, error: ModelError, tries: int) -> float | None:
        """How long to wait before the next try; None where there is to be none."""
        if not is_busy(error) or tries >= len(self.waits):
            return None
        pause = self.waits[tries] if error.retry_after is None else error.retry_after
        return pause if pause <= self.longest else None


class StreamEnd(NamedTuple):
    """The last piece of a stream. `is_cut`: it broke off before its end."""

    is_cut: bool


_OUTPUT_MODES = OutputModes()


class RetryingClient:
    """One model. Shared by all threads, so that the limit of requests at once holds for all of them."""

    def __init__(
        self, settings: ModelSettings, retry_policy: RetryPolicy | None = None, output_modes: OutputModes = _OUTPUT_MODES
    ) -> None:
        self.settings = settings
        self.retry_policy = retry_policy or RetryPolicy()
        self.output_modes = output_modes
        self._client = Client(settings)
        self._place = (settings.address, settings.model)
        self._limit: asyncio.Semaphore | None = None
        self._resting: tuple[float, ModelError] | None = None
        self._timeouts = 0  # one after the other: a single one may be a long passage

    def open(self) -> None:
        """Imports the provider's library, which otherwise counts into the first decision. Raises ModelError."""
        self._client.open()

    def complete(
        self,
        prompt: Prompt,
        form: type[F],
        tally: Tally,
        stop: Stop | None = None,
        problem: Problem[F] = lambda found: None,
        seconds: float | None = None,
        most_calls: int = MOST_CALLS,
        slots: CallSlots | None = None,
    ) -> F:
        """One decision in the form asked for. Raises ModelError, or ModelCallCancelled; `tally` is filled in either way.

        `problem` says what is wrong with a reply that has the form; the model is told once. `seconds` is the time for all of
        it, where that is less than the timeout of the settings; after `most_calls` requests nothing is repeated. `slots` limits
        what all processes ask at once; a wait for one is part of `seconds`.
        """
        with self._watched():
            return background().run(self._complete(prompt, form, tally, problem, seconds, most_calls, slots), stop=stop)

    def stream(
        self,
        prompt: Prompt,
        tally: Tally,
        stop: Stop | None = None,
        seconds: float | None = None,
        most_calls: int = MOST_CALLS,
        slots: CallSlots | None = None,
    ) -> Iterator[str | StreamEnd]:
        """Text as it is written, without thoughts, then `StreamEnd`; all of it within `seconds`. Leaving the iterator disconnects."""
        with self._watched():
            yield from background().stream(self._stream(prompt, tally, seconds, most_calls, slots), stop)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """A provider that fails for long is not asked again for every decision of a walk."""
        if self._resting is not None and (left := self._resting[0] - time.monotonic()) > 0:
            error = self._resting[1]
            raise ModelError(error.kind, error.message, detail=error.detail, retry_after=left)
        try:
            self._client.open()
            yield
        except ModelError as error:
            self._rest_after(error)
            raise
        self._resting, self._timeouts = None, 0

    def _rest_after(self, error: ModelError) -> None:
        rest = dict(self.retry_policy.rests).get(error.kind, 0.0)
        if error.kind == "rate":
            rest = min(error.retry_after or 0.0, 60.0)
        self._timeouts = self._timeouts + 1 if error.kind == "timeout" else 0
        if rest and self._timeouts != 1:
            self._resting = (time.monotonic() + rest, error)

    # ---- one decision

    async def _complete(
        self,
        prompt: Prompt,
        form: type[F],
        tally: Tally,
        problem: Problem[F],
        seconds: float | None,
        most: int,
        slots: CallSlots | None,
    ) -> F:
        now = asyncio.get_running_loop().time
        ends = None if seconds is None else now() + seconds
        async with self._at_once(), slot_held(slots, ends):
            limit = self.settings.timeout if ends is None else min(ends - now(), self.settings.timeout)
            try:
                async with asyncio.timeout(limit):  # not counting the wait for others, but where a question has no more time
                    return await self._try_output_modes(prompt, form, tally, problem, most)
            except TimeoutError:
                raise explained("timeout", self.settings, sentence=_late(seconds, self.settings)) from None

    async def _try_output_modes(self, prompt: Prompt, form: type[F], tally: Tally, problem: Problem[F], most: int) -> F:
        failures: list[tuple[OutputMode, ModelError]] = []
        for mode in self.output_modes.modes_to_try(*self._place):
            try:
                found = await self._complete_in(mode, prompt, form, tally, problem, most)
            except ModelError as error:
                failures.append((mode, error))
                is_spent = tally.replies >= MOST_REPLIES or tally.calls >= most
                if error.kind not in ("rejected", "invalid_output") or is_spent:
                    break
                if error.kind == "invalid_output" and self.output_modes.has_worked(*self._place, mode):
                    self.output_modes.missed(*self._place, mode)
                    break
            else:
                self._learn(mode, failures)
                return found
        raise failures[-1][1] from None

    def _learn(self, worked: OutputMode, failures: list[tuple[OutputMode, ModelError]]) -> None:
        """Only where something worked: what fails in every mode says nothing about them."""
        self.output_modes.worked(*self._place, worked)
        for mode, error in failures:
            learn = self.output_modes.refused if error.kind == "rejected" else self.output_modes.missed
            learn(*self._place, mode)

    async def _complete_in(
        self, mode: OutputMode, prompt: Prompt, form: type[F], tally: Tally, problem: Problem[F], most: int
    ) -> F:
        """Asks once, and once more with what was wrong where the reply cannot be used."""
        before: list[RejectedReply] = []
        while True:
            reply = await self._with_retries(lambda: self._request(mode, prompt, form, before, tally), tally, most)
            found, wrong = _parsed(reply.text, form, problem)
            if found is not None:
                return found
            if not reply.is_whole:
                raise explained("truncated", self.settings)
            if before or tally.replies >= MOST_REPLIES or tally.calls >= most:
                raise explained("invalid_output", self.settings, detail=wrong)
            before.append(RejectedReply(reply.text, wrong[:LONGEST_COMPLAINT]))

    async def _request(
        self, mode: OutputMode, prompt: Prompt, form: type[ReplyForm], before: list[RejectedReply], tally: Tally
    ) -> Reply:
        unsent = self._send(tally, prompt, mode)
        try:
            reply = await self._client.request(mode, prompt, form, before)
        except ModelError as error:
            if not error.is_lost:
                tally.become(unsent)
            raise
        tally.become(self._counted(unsent, prompt, reply))
        if reply.is_refused:
            raise explained("refused", self.settings)
        return reply

    async def _with_retries(self, send: Callable[[], Awaitable[T]], tally: Tally, most: int) -> T:
        tries = 0
        while True:
            try:
                return await send()
            except ModelError as error:
                if tally.calls >= most or (pause := self.retry_policy.pause_after(error, tries)) is None:
                    raise
            tries += 1
            await asyncio.sleep(pause)

    # ---- one stream

    async def _stream(
        self, prompt: Prompt, tally: Tally, seconds: float | None, most: int, slots: CallSlots | None
    ) -> AsyncGenerator[str | StreamEnd, None]:
        tries, begun = 0, False
        ends = None if seconds is None else asyncio.get_running_loop().time() + seconds
        async with self._at_once(), slot_held(slots, ends):
            while True:
                try:
                    async for piece in _until(ends, self._stream_once(prompt, tally)):
                        begun = True
                        yield piece
                    return
                except TimeoutError:
                    raise explained("timeout", self.settings, sentence=_late(seconds, self.settings)) from None
                except ModelError as error:
                    if begun or tally.calls >= most or (pause := self.retry_policy.pause_after(error, tries)) is None:
                        raise
                tries += 1
                await asyncio.sleep(pause)

    async def _stream_once(self, prompt: Prompt, tally: Tally) -> AsyncGenerator[str | StreamEnd, None]:
        thoughts, written = ThinkFilter(), ""
        end: Reply | None = None
        unsent = self._send(tally, prompt, "stream")
        try:
            async for piece in self._client.stream(prompt):
                if isinstance(piece, Reply):
                    end = piece
                    continue
                written += piece  # and so paid for, however it ends
                tally.become(self._counted(unsent, prompt, Reply(written, is_whole=False, is_refused=False)))
                if shown := thoughts.feed(piece):
                    yield shown
        except ModelError as error:
            if not written and not error.is_lost:
                tally.become(unsent)
            raise
        if end is not None:
            tally.become(self._counted(unsent, prompt, end))
        if rest := thoughts.rest():
            yield rest
        if end is not None and end.is_refused:
            raise explained("refused", self.settings)
        if end is not None and end.is_whole and not written.strip():
            raise explained("invalid_output", self.settings, detail="The reply is empty.")
        yield StreamEnd(is_cut=end is None or not end.is_whole)

    # ---- how much

    @asynccontextmanager
    async def _at_once(self) -> AsyncIterator[None]:
        if self._limit is None:
            self._limit = asyncio.Semaphore(self.settings.concurrency)
        async with self._limit:
            yield

    def _send(self, tally: Tally, prompt: Prompt, mode: OutputMode | Literal["stream"]) -> Tally:
        """Counts a request from the moment it goes out: whoever stops, or waits no longer, pays for it all the same.

        Returns what is true where it never gets there, or is refused.
        """
        unsent = replace(tally, calls=tally.calls + 1, output_mode=mode)
        tally.become(self._counted(unsent, prompt, None))
        return unsent

    def _counted(self, before: Tally, prompt: Prompt, reply: Reply | None) -> Tally:
        """The tally with one more reply, or with a request that has none. Where the server does not count, we estimate."""
        measured = reply is not None and reply.input_tokens > 0
        given = reply.input_tokens if reply and measured else tokens_in(prompt.system + prompt.user)
        made = 0 if reply is None else reply.output_tokens if measured else tokens_in(reply.text)
        cached = reply.cached_tokens if reply else 0
        prices = self.settings.prices
        cost = prices.cost(given, made, cached) if prices else reply.price if reply else None
        is_known = cost is not None and (before.cost is not None or not before.input_tokens)
        return replace(
            before,
            replies=before.replies + (reply is not None),
            input_tokens=before.input_tokens + given,
            output_tokens=before.output_tokens + made,
            cached_tokens=before.cached_tokens + cached,
            unmeasured=before.unmeasured + (not measured),
            cost=(before.cost or 0.0) + (cost or 0.0) if is_known else None,
            model=(reply.model if reply else "") or self.settings.model,
        )


async def _until(ends: float | None, pieces: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """The pieces; TimeoutError when one has not come by then (a time of the loop)."""
    async with aclosing(pieces):
        while True:
            async with asyncio.timeout_at(ends):
                try:
                    piece = await anext(pieces)
                except StopAsyncIteration:
                    return
            yield piece


def _late(seconds: float | None, settings: ModelSettings) -> str:
    """What is said of a timeout where a question had less time left than the settings allow."""
    if seconds is None or seconds >= settings.timeout:
        return ""
    return (
        "{label} did not answer in the time that was left for this question; give questions more time, or choose a faster model."
    )


def _parsed(reply: str, form: type[F], problem: Problem[F]) -> tuple[F | None, str]:
    """The reply in its form, or None and what is wrong with it."""
    try:
        found = form.model_validate(parse_json_reply(reply))
    except ValidationError as error:
        return None, "; ".join(f"{'.'.join(map(str, e['loc'])) or 'reply'}: {e['msg']}" for e in error.errors()[:5])
    except ValueError as error:
        return None, str(error)
    wrong = problem(found)
    return (None, wrong) if wrong else (found, "")


# ---------------------------------------------------------------- one for each model of this process

_SHARING = Lock()


def shared_client(settings: ModelSettings) -> RetryingClient:
    with _SHARING:
        return _shared(settings)


@lru_cache(maxsize=32)
def _shared(settings: ModelSettings) -> RetryingClient:
    return RetryingClient(settings)


os.register_at_fork(after_in_child=_shared.cache_clear)  # a client belongs to the loop of its process
