"""What other servers tell us of their own accord: a hint that something changed, never the change itself."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from connectors import webhooks_of
from connectors.base import Webhooks
from ingestion.sources import Sources
from tree.store.database import StoreError
from tree.store.errors import words_for
from tree.store.models import Source

REMEMBERED = 10_000  # deliveries, to know one that is sent again
SECRET = "webhook_secret"  # its name among a source's secrets
SIGNATURE = "x-hub-signature"  # the header that has it
MANY_HINTS = 500  # of one source waiting at once: then looking at everything is less work


@dataclass(frozen=True, slots=True)
class Reply:
    """What to answer: an HTTP status, and words for whoever set the webhook up."""

    status: int
    words: str


UNSIGNED = Reply(401, "The signature does not fit. Enter the secret shown under Sources at the other side.")


class _Expected(NamedTuple):
    """A source that takes webhooks, what understands them, and the secret that they are signed with."""

    source: Source
    webhooks: Webhooks
    secret: str


class WebhookReceiver:
    """Takes deliveries of webhooks. Answers at once; the worker does what there is to do."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._seen: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def refusal(self, source_id: str, headers: Mapping[str, str]) -> Reply | None:
        """Why a delivery is turned away whatever its body is, which then need not be read; `headers` as for `receive`."""
        expected = self._expected(source_id, headers)
        return expected if isinstance(expected, Reply) else None

    def receive(self, source_id: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """`headers` with small letters. Only what is signed with the source's secret is listened to."""
        expected = self._expected(source_id, headers)
        if isinstance(expected, Reply):
            return expected
        if not expected.webhooks.verify(expected.secret, body, headers.get(SIGNATURE)):
            return UNSIGNED
        notice = expected.webhooks.read(body, headers)
        if self._is_known(source_id, notice.identifier):
            return Reply(200, "Known already.")
        try:
            self._pass_on(expected.source, notice.ids, notice.rescan)
        except StoreError as error:
            return Reply(503, words_for(error))
        self._remember(source_id, notice.identifier)
        return Reply(200, "Thank you.")

    def _expected(self, source_id: str, headers: Mapping[str, str]) -> _Expected | Reply:
        try:
            source = next((source for source in self.sources.all() if source.id == source_id), None)
            secret = self.sources.secrets(source).get(SECRET) if source else None
        except StoreError as error:
            return Reply(503, words_for(error))
        if source is None:
            return Reply(404, "There is no such source.")
        webhooks = webhooks_of(source.kind)
        if webhooks is None or not secret:
            return Reply(404, "This source takes no webhooks. Create a secret for it under Sources first.")
        return _Expected(source, webhooks, str(secret)) if headers.get(SIGNATURE) else UNSIGNED

    def _pass_on(self, source: Source, ids: tuple[str, ...], rescan: bool) -> None:
        self.sources.heard(source.id)
        if rescan or len(self.sources.hints(source.id)) + len(ids) > MANY_HINTS:
            self.sources.request_sync(source.id)
        elif ids:
            self.sources.hint(source.id, ids)

    def _is_known(self, source_id: str, identifier: str) -> bool:
        """Whether it came before: a delivery that is not answered in time is sent again."""
        with self._lock:
            return (source_id, identifier) in self._seen

    def _remember(self, source_id: str, identifier: str) -> None:
        if not identifier:
            return
        with self._lock:
            self._seen[source_id, identifier] = None
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
