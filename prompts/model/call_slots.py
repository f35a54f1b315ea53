"""The limit on requests that all processes make together: a request waits for a free slot, and holds it until it has ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from prompts.errors import ModelError

LOOK_SECONDS = 0.05  # between two looks for a free slot by a question; a person waits for it
BACKGROUND_LOOK_SECONDS = 0.25


class CallSlot(Protocol):
    def release(self) -> None: ...


class CallSlots(Protocol):
    """So many requests at once, whoever makes them. A slot is free again when its holder dies."""

    number: int

    def take(self) -> CallSlot | None:
        """A free slot at once; None where all are taken. May be called, and slots released, from any thread."""


@asynccontextmanager
async def slot_held(slots: CallSlots | None, ends: float | None) -> AsyncIterator[None]:
    """While inside, a slot is held. Waits until `ends`, a time of the loop, then raises ModelError; with None as long as it takes."""
    if slots is None:
        yield
        return
    loop = asyncio.get_running_loop()
    while (slot := await _taken(slots)) is None:
        if ends is not None and loop.time() >= ends:
            sentence = (
                f"The {slots.number} requests that may be made of the model at once, over all processes, were taken for too long."
            )
            raise ModelError("budget", sentence)
        await asyncio.sleep(BACKGROUND_LOOK_SECONDS if ends is None else LOOK_SECONDS)
    try:
        yield
    finally:
        await asyncio.shield(asyncio.to_thread(slot.release))


async def _taken(slots: CallSlots) -> CallSlot | None:
    """In a thread, for it may ask a server. A slot that comes when nobody waits for it any more is given back."""
    taking = asyncio.ensure_future(asyncio.to_thread(slots.take))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        taking.add_done_callback(_give_back)
        raise


def _give_back(taking: asyncio.Task[CallSlot | None]) -> None:
    if not taking.cancelled() and taking.exception() is None and (slot := taking.result()) is not None:
        slot.release()
