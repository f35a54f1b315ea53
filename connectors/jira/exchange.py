"""One exchange with Jira after the other: each can be cancelled at any moment, and whatever goes wrong has a name.

Here is the only place where the `jira` library's and requests' exceptions are caught. Nothing of an answer's body or
headers goes into a message, because tickets and credentials stand in them; only what Jira says about a filter does.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import requests
from jira.exceptions import JIRAError

from connectors.base import AccessLost, Cancelled, ConfigurationError, ConnectorError, CredentialsError, Limited

Result = TypeVar("Result")

REFUSED = ("AUTHENTICATED_FAILED", "AUTHENTICATION_DENIED")  # not AUTHORISATION_FAILED, which is a mere lack of rights
# of answers of Jira, Data Center or Cloud: headers, and words in the body of a refusal
HEADERS = (
    "X-Seraph-LoginReason X-Authentication-Denied-Reason X-AREQUESTID X-ANODEID X-AUSERNAME X-AAccountId Atl-TraceId".split()
)
WORDS = ('"errorMessages"', "Client must be authenticated to access this resource")
FRESH = 2  # tries of what timed out or came in pieces
LONGEST_WAIT = 3_600.0  # seconds: Jira counts its limits by the hour at most, so a later time is a mistake of a clock or a proxy
WORDS_OF_JIRA = 200  # characters that are passed on
UNKNOWN_WAIT = 2.0  # seconds, when Jira asks for less and does not say how long
DAY_SECONDS = 86_400
AGAIN = "Nothing was removed; the app tries again by itself."


@dataclass(frozen=True, slots=True)
class Timing:
    """How long is waited for what, in seconds."""

    connect: float = 5
    read: float = 30  # for the next piece of an answer
    whole: float = 120  # for all of an answer, however slowly it trickles
    batch: float = 180  # for one batch of tickets, in however many parts it has to be asked for
    short: float = 5  # a pause that Jira asks for and that is made at once; for a longer one the sync ends
    pauses: tuple[float, ...] = (0.5, 1, 2)  # before an exchange that failed is tried again


class NotFound(AccessLost):
    """Jira itself answered 404, in its own form: it does not exist, or is not for us."""


class Refused(ConfigurationError):
    """Jira answered 400: it does not understand what it is asked. `said` are its own words, in its own language."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said


class Broken(AccessLost):
    """An answer that came in pieces, too late, or as something that is not JSON. A smaller question may help."""


class TooLate(Broken):
    """No answer within the time there is for one."""


class NotJira(Broken):
    """A 404 that is not from Jira but from a proxy or another server: it says nothing about what exists."""


class Unrecognised(CredentialsError):
    """A 401 with nothing in it that Jira puts into its own: a proxy or another server may have said so."""


class _Again(Exception):
    """Worth another try; `error` is what it is if that fails too."""

    def __init__(self, error: ConnectorError, wait: float | None = None) -> None:
        super().__init__()
        self.error = error
        self.wait = wait  # asked for by Jira


class Exchange:
    """Sends requests, one at a time. `close` may be called from any thread and ends the one under way."""

    def __init__(self, host: str, token: str, renew: str, timing: Timing, clock: Callable[[], float]) -> None:
        self.host = host
        self.token = token  # in words: whose it is
        self.renew = renew
        self.timing = timing
        self.clock = clock
        self.requests = 0
        self.ahead = 0.0  # seconds that the clock of Jira is ahead of ours, by its last answer
        self._changed = threading.Condition()
        self._closed = False

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def ask(self, send: Callable[[], requests.Response], fresh: int = FRESH) -> Any:
        """The decoded answer. `fresh`: tries of what times out or comes broken. Raises ConnectorError, NotFound or Cancelled."""
        return self.insist(lambda: self._decoded(self.judged(self.sent(send))), fresh)

    def insist(self, attempt: Callable[[], Result], fresh: int = FRESH) -> Result:
        """Tries until it works or there is no point in trying on."""
        for number in range(1, len(self.timing.pauses) + 2):
            try:
                return attempt()
            except _Again as again:
                tries = fresh if isinstance(again.error, Broken) else len(self.timing.pauses) + 1
                if number >= tries:
                    raise self._given_up(again) from None
                wait = self.timing.pauses[number - 1] if again.wait is None else again.wait
                if wait > self.timing.short:
                    raise self._given_up(again) from None
                self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def sleep(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed, timeout=seconds)
        self._refuse_closed()

    def run(self, work: Callable[[], Result], seconds: float | None) -> Result:
        """The result of something that may hang: it is waited for until it is done, takes too long, or we are closed.

        What hangs is left behind in a thread of its own, because a socket cannot be woken up from outside.
        """
        self._refuse_closed()
        results: list[Result] = []
        errors: list[BaseException] = []

        def target() -> None:
            try:
                results.append(work())
            except BaseException as error:  # noqa: BLE001  (raised again below, in the thread that asked)
                errors.append(error)
            with self._changed:
                self._changed.notify_all()

        threading.Thread(target=target, name="jira exchange", daemon=True).start()
        with self._changed:
            done = self._changed.wait_for(lambda: results or errors or self._closed, timeout=seconds)
        self._refuse_closed()
        if not done:
            raise requests.ReadTimeout("the answer trickled on for too long")
        if errors:
            raise errors[0]
        return results[0]

    def judged(self, response: requests.Response) -> requests.Response:
        """The answer, if it is one. Raises what it means otherwise."""
        if "Date" in response.headers:
            self.ahead = self._now_of(response) - self.clock()
        self._refuse_dead_token(response)
        status = response.status_code
        if status in (429, 503) and (status == 429 or "Retry-After" in response.headers):
            wait = self._wait_asked_for(response)
            raise _Again(self._busy(status), wait) from None
        if status >= 500:
            raise _Again(self._busy(status)) from None
        if status == 404 and not _is_from_jira(response):
            raise _Again(
                NotJira(
                    f"{self.host} answered 404, and not in the form that Jira has for it. Check the address and whether a proxy "
                    "stands in between.",
                    AGAIN,
                )
            )
        if status == 404:
            raise NotFound(
                f"{self.host} does not have what was asked for (404). Check the address and the rights of the account."
            )
        if status in (301, 302, 303, 307, 308):
            raise self._redirected(response)
        if status == 400:
            said = _said(response)
            raise Refused(f"Jira does not accept the question: {said or 'it does not say why'}.", said)
        if status >= 400:
            raise AccessLost(
                f"{self.host} answered {status} to a request. Check that the account may use Jira and that the address is right."
            )
        return response

    # ------------------------------------------------------------ sending

    def sent(self, send: Callable[[], Result], elsewhere: str = "") -> Result | requests.Response:
        """What sending gives, or the answer that the library takes for an error. What goes wrong on the way is told as ours, or tried again by `insist`.

        `elsewhere`: the host that is asked, where it is not Jira itself.
        """
        self.requests += 1
        host = elsewhere or self.host
        try:
            return self.run(send, self.timing.whole)
        except JIRAError as error:  # an answer all the same
            if error.response is None:
                raise _Again(self._strange("nothing", host)) from None
            return error.response
        except requests.exceptions.SSLError as error:
            if "certificate" not in str(error).casefold():
                raise AccessLost(
                    f"No secure connection to {host} can be made. Where Jira is served without TLS, begin its address with http://."
                ) from None
            raise AccessLost(
                f"The certificate of {host} is not trusted here. Ask who runs it for its CA certificate "
                "and name it in REQUESTS_CA_BUNDLE."
            ) from None
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, requests.exceptions.MissingSchema):
            raise ConfigurationError(f"The address {host} is not right. Write it as in the browser.") from None
        except (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError):
            raise _Again(self._strange("half an answer", host)) from None
        except requests.Timeout:
            raise _Again(TooLate(f"{host} takes too long to answer.", AGAIN)) from None
        except (requests.RequestException, OSError):
            message = f"{host} cannot be reached. Check the network and the address."
            raise _Again(AccessLost(message, "The app tries again by itself.")) from None

    def _decoded(self, response: requests.Response) -> Any:
        if not response.content.strip():
            raise _Again(self._strange("an empty answer"))
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError):
            page = response.content.lstrip()[:1] == b"<" or "html" in response.headers.get("Content-Type", "")
            raise _Again(self._strange("a web page" if page else "half an answer")) from None

    def _refuse_closed(self) -> None:
        if self._closed:
            raise Cancelled

    # ------------------------------------------------------------ what an answer means

    def _refuse_dead_token(self, response: requests.Response) -> None:
        """A dead token is answered 200 as to somebody who has not signed in; only this header tells."""
        reason = response.headers.get("X-Seraph-LoginReason", "")
        denied = response.headers.get("X-Authentication-Denied-Reason", "")
        if "CAPTCHA" in denied.upper():
            raise CredentialsError(
                f"{self.host} asks for a captcha after too many failed attempts with {self.token}. Sign in to Jira once "
                "in a browser with this account, then try again."
            )
        if response.status_code == 403 and "Connect Session Auth Token" in response.text[:500]:
            raise CredentialsError(
                f"{self.host} is Jira Cloud, which takes no personal access tokens. Choose e-mail and API token for this source."
            )
        if response.status_code == 401 or any(word in reason for word in REFUSED):
            error = CredentialsError if _has_marks_of_jira(response) else Unrecognised
            raise error(f"Jira refused {self.token}: it has expired, was revoked or is not right. {self.renew}")

    def _redirected(self, response: requests.Response) -> ConnectorError:
        target = response.headers.get("Location", "")
        if target.startswith("https://") and target.split("/")[2].split(":")[0] == self.host.split(":")[0] and "/rest/" in target:
            return ConfigurationError(f"{self.host} wants to be asked by https. Write the address with https://.")
        return CredentialsError(
            f"{self.host} sends us to another page, most likely to sign in. Check the address, and {self.token}. {self.renew}"
        )

    def _wait_asked_for(self, response: requests.Response) -> float | None:
        """Seconds from now, at most LONGEST_WAIT; None when Jira does not say.

        Retry-After is a number or a date by the clock of Jira.
        """
        value = response.headers.get("Retry-After", "").strip()
        try:
            seconds = float(value)
        except ValueError:
            date = _instant(value or response.headers.get("X-RateLimit-Reset", ""))
            seconds = math.nan if date is None else date - self._now_of(response)
        return None if math.isnan(seconds) else min(max(0.0, seconds), LONGEST_WAIT)

    def _now_of(self, response: requests.Response) -> float:
        now = _instant(response.headers.get("Date", ""))
        return self.clock() if now is None else now

    def _given_up(self, again: _Again) -> ConnectorError:
        if again.wait is None:
            return again.error
        until = self.clock() + max(again.wait, UNKNOWN_WAIT)
        return Limited(
            f"{self.host} limits how often it may be asked: limited until {time_of(until, self.clock())}. "
            "What was read is kept, and the sync goes on by itself then.",
            until,
        )

    def _busy(self, status: int) -> AccessLost:
        what = "asks us to slow down" if status == 429 else f"answers with an error ({status})"
        return AccessLost(f"{self.host} {what}.", AGAIN)

    def _strange(self, what: str, host: str = "") -> Broken:
        return Broken(
            f"{host or self.host} gave {what} instead of data. Check the address and whether a login page or a proxy stands in "
            "between.",
            AGAIN,
        )


def time_of(moment: float, now: float) -> str:
    """A clock time for people; with its date when it is not within a day."""
    local = time.localtime(moment)
    return time.strftime("%H:%M" if moment - now < DAY_SECONDS else "%Y-%m-%d %H:%M", local)


def _instant(value: str) -> float | None:
    for parse in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = parse(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (TypeError, ValueError, IndexError, OverflowError):
            continue
    return None


def _is_from_jira(response: requests.Response) -> bool:
    """Whether an error has the form that Jira gives to its own: a proxy answers with a page or an object of its own."""
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        return False
    return isinstance(body, Mapping) and bool(body.get("errorMessages") or body.get("errors"))


def _has_marks_of_jira(response: requests.Response) -> bool:
    """Whether a refusal is one of Jira's, by its headers or its body; a proxy may have taken the headers away."""
    headers = response.headers
    if any(name in headers for name in HEADERS) or headers.get("WWW-Authenticate", "").startswith("OAuth realm="):
        return True
    return any(words in response.text[:500] for words in WORDS)


def _said(response: requests.Response) -> str:
    """What Jira says is wrong with a question: in the language of the account, so for people only."""
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(body, Mapping):
        return ""
    words = body.get("errorMessages")
    first = words[0] if isinstance(words, list) and words else body.get("errorMessage") or ""
    return " ".join(str(first).split())[:WORDS_OF_JIRA].rstrip(".")
