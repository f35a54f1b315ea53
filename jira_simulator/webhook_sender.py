"""Sends webhooks: signed, with retries on the site's clock, and as badly as its faults say.

A thread of its own sends them one after the other, so a receiver that hangs holds up nobody but other webhooks.
"""

from __future__ import annotations

import fnmatch
import hashlib
import heapq
import hmac
import json
import threading
import urllib.error
import urllib.request
import uuid
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.parse import JqlError, parse
from jira_simulator.model.store import Event, SiteStore
from jira_simulator.model.visibility import Caller
from jira_simulator.payloads.webhook_bodies import payload

AGAIN = (408, 409, 425, 429)
What = Literal[
    "drop", "duplicate", "hold", "wrong signature", "no signature", "altered body", "padded body", "empty body", "unknown event"
]
PADDING = 10 * 1024 * 1024


@dataclass(frozen=True)
class Webhook:
    """`events` may hold patterns; `jql` limits it to tickets (not evaluated for other events)."""

    id: str
    url: str
    events: tuple[str, ...] = ("*",)
    secret: str | None = None
    jql: str = ""
    exclude_body: bool = False
    enabled: bool = True
    name: str = "simulator"


@dataclass
class WebhookFault:
    """`hold` keeps a message back until `held` later ones are sent, so that it arrives out of order."""

    what: What
    event: str = "*"
    skip: int = 0
    count: int | None = 1
    held: int = 1
    met: int = 0

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> WebhookFault:
        if unknown := set(data) - {each.name for each in fields(cls)}:
            raise ValueError(
                f"A webhook fault has no {', '.join(sorted(unknown))}; it has: {', '.join(f.name for f in fields(cls))}."
            )
        return cls(**data)


@dataclass(frozen=True)
class Delivery:
    """One message on its way to one receiver; `attempt` counts from 0."""

    hook: Webhook
    event: str
    body: bytes
    signature: str | None
    identifier: str
    flow: str
    attempt: int = 0


@dataclass(frozen=True)
class Sent:
    """What became of one attempt. `status` 0: no answer came."""

    at: datetime
    url: str
    event: str
    identifier: str
    attempt: int
    status: int


@dataclass
class _Held:
    delivery: Delivery
    left: int


@dataclass
class Webhooks:
    """The webhooks of a site. `start` begins to send, `stop` ends it, `wait` waits until nothing is due."""

    site: SiteStore
    hooks: dict[str, Webhook] = field(default_factory=dict)
    faults: list[WebhookFault] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._changed = threading.Condition()
        self._due: deque[Delivery] = deque()
        self._later: list[tuple[datetime, int, Delivery]] = []
        self._held: list[_Held] = []
        self._busy = False
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._count = 0
        self.site.clock.on_change(self._wake)

    # ------------------------------------------------------------ for those who use it

    def register(self, url: str, events: Iterable[str] = ("*",), secret: str | None = None, **more: Any) -> Webhook:
        hook = Webhook(self.site.next_id("webhook", 1), url, tuple(events), secret, **more)
        self.hooks[hook.id] = hook
        return hook

    def unregister(self, hook_id: str) -> None:
        del self.hooks[hook_id]

    def fault(self, what: What, **members: Any) -> WebhookFault:
        """`webhooks.fault("duplicate", event="comment_*", count=3)`."""
        added = WebhookFault(what, **members)
        self.faults.append(added)
        return added

    def hear(self, event: Event) -> None:
        """Something happened on the site: every webhook that asked for it gets a message."""
        hooks = [each for each in self.hooks.values() if self._wants(each, event)]
        if not hooks:
            return
        body = json.dumps(payload(self.site, event), ensure_ascii=False).encode()
        for hook in hooks:
            self._count += 1
            identifier = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.site.cloud_id}/{self._count}"))
            self._post(hook, event, b"" if hook.exclude_body else body, identifier)

    def send(
        self, hook: Webhook, event: str, body: bytes, signature: str | None = None, identifier: str = "", flow: str = "Primary"
    ) -> None:
        """Sends any bytes as a message of that event: for what no site would send."""
        self._enqueue([Delivery(hook, event, body, signature, identifier or str(uuid.uuid4()), flow)])

    def start(self) -> None:
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="simulator-webhooks", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread and self._thread.is_alive():
            self._thread.join(timeout=self.site.switches.webhook_timeout_seconds + 1)
        self._thread = None

    def wait(self, timeout: float = 10) -> bool:
        """Waits until everything that is due has been sent; what is held back or to be tried again later does not count."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._due or self._busy or self._is_retry_due()), timeout)

    # ------------------------------------------------------------ making a message

    def _wants(self, hook: Webhook, event: Event) -> bool:
        if not hook.enabled or not any(fnmatch.fnmatchcase(event.name, each) for each in hook.events):
            return False
        return not (hook.jql and event.ticket) or self._is_meant(hook, event)

    def _is_meant(self, hook: Webhook, event: Event) -> bool:
        admin = Caller(next(iter(self.site.users.values()), None))
        try:
            return event.ticket is not None and Evaluator(self.site, admin).test(parse(hook.jql))(event.ticket)
        except JqlError:
            return False  # a filter that no longer parses (its project was renamed) lets nothing through

    def _post(self, hook: Webhook, event: Event, body: bytes, identifier: str) -> None:
        delivery = Delivery(
            hook, event.name, body, signed(hook.secret, body), identifier, "Secondary" if event.secondary else "Primary"
        )
        fault = self._met(event.name)
        match fault.what if fault else "":
            case "drop":
                ready = []
            case "duplicate":
                ready = [delivery, delivery]
            case "hold":
                assert fault is not None
                self._held.append(_Held(delivery, fault.held))
                return
            case "wrong signature":
                ready = [replace(delivery, signature=signed("not the secret", body))]
            case "no signature":
                ready = [replace(delivery, signature=None)]
            case "altered body":
                ready = [replace(delivery, body=body.replace(b'"', b' "', 1))]
            case "padded body":
                padded = body[:-1] + b', "padding": "' + b"x" * PADDING + b'"}'
                ready = [replace(delivery, body=padded, signature=signed(hook.secret, padded))]
            case "empty body":
                ready = [replace(delivery, body=b"", signature=signed(hook.secret, b""))]
            case "unknown event":
                strange = body.replace(event.name.encode(), b"jira:something_unheard_of", 1)
                ready = [replace(delivery, body=strange, signature=signed(hook.secret, strange))]
            case _:
                ready = [delivery]
        self._enqueue(ready)

    def _met(self, event: str) -> WebhookFault | None:
        for fault in self.faults:
            if (fault.count is None or fault.met < fault.count) and fnmatch.fnmatchcase(event, fault.event):
                if fault.skip:
                    fault.skip -= 1
                    continue
                fault.met += 1
                return fault
        return None

    # ------------------------------------------------------------ sending

    def _enqueue(self, deliveries: list[Delivery]) -> None:
        with self._changed:
            for delivery in deliveries:
                self._due.append(delivery)
                for held in self._held:
                    held.left -= 1
                self._due.extend(each.delivery for each in self._held if each.left <= 0)
                self._held = [each for each in self._held if each.left > 0]
            self._changed.notify_all()

    def _run(self) -> None:
        while (delivery := self._take()) is not None:
            status = _attempt(delivery, self.site.switches.webhook_timeout_seconds)
            with self._changed:
                self.sent.append(
                    Sent(self.site.clock.now(), delivery.hook.url, delivery.event, delivery.identifier, delivery.attempt, status)
                )
                self._plan_again(delivery, status)
                self._busy = False
                self._changed.notify_all()

    def _take(self) -> Delivery | None:
        with self._changed:
            while not self._stopping:
                while self._is_retry_due():
                    self._due.append(heapq.heappop(self._later)[2])
                if self._due:
                    self._busy = True
                    return self._due.popleft()
                wait = self.site.clock.real_seconds_until(self._later[0][0]) if self._later else None
                self._changed.wait(wait)
            return None

    def _plan_again(self, delivery: Delivery, status: int) -> None:
        switches = self.site.switches
        retries = switches.webhook_retries if self.site.personality == "cloud" or switches.dc_webhooks_retry else 0
        if (status and status < 500 and status not in AGAIN) or delivery.attempt >= retries:
            return
        first, last = switches.webhook_retry_minutes
        minutes = first + (last - first) * delivery.attempt / max(1, retries - 1)
        when = self.site.clock.true() + timedelta(minutes=minutes)
        heapq.heappush(self._later, (when, len(self.sent), replace(delivery, attempt=delivery.attempt + 1)))

    def _is_retry_due(self) -> bool:
        return bool(self._later) and self._later[0][0] <= self.site.clock.true()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


def signed(secret: str | None, body: bytes) -> str | None:
    """Over the raw bytes, as in https://datatracker.ietf.org/doc/html/draft-ietf-websub."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}" if secret else None


def shown(hook: Webhook) -> dict[str, Any]:
    """Without its secret."""
    return {**asdict(hook), "secret": None, "signed": hook.secret is not None}


def _attempt(delivery: Delivery, timeout: float) -> int:
    headers = {"Content-Type": "application/json; charset=UTF-8", "User-Agent": "Atlassian HttpClient simulator",
               "X-Atlassian-Webhook-Identifier": delivery.identifier, "X-Atlassian-Webhook-Flow": delivery.flow}  # fmt: skip
    if delivery.attempt:
        headers["X-Atlassian-Webhook-Retry"] = str(delivery.attempt)
    if delivery.signature:
        headers["X-Hub-Signature"] = delivery.signature
    request = urllib.request.Request(delivery.hook.url, data=delivery.body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0  # no answer: it is tried again like a 5xx
