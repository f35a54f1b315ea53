"""Asks Jira, Cloud or Data Center, for exactly what the connector needs, in as few requests as Jira allows.

The `jira` library is used for its sessions, authentication and addresses. Its searches are not: they stop at the first
short page, repeat a repeated page for ever, and give None where a server does not call itself Cloud.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from itertools import islice
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import requests
from jira import JIRA
from jira.client import TokenAuth

from connectors.base import AccessLost, ConfigurationError, CredentialsError
from connectors.jira.config import JiraConfig
from connectors.jira.exchange import Broken, Exchange, NotFound, Refused, Timing

Json = dict[str, Any]

PAGE = 100  # tickets read in full at once: Jira's own limit
IDS_PAGE = 5_000  # honoured by Cloud where only ids are asked for; others clamp it, which is seen
TIMES_PAGE = 1_000  # of tickets with nothing but the time of their last update
OVERLAP = 10  # tickets that a page of Data Center repeats, so that what is deleted between two pages hides nothing
EMPTY_PAGES = 3  # without anything new, after which a listing is taken to be over
COMMENTS_PAGE = 100
HISTORIES = 40  # of one ticket when many are read at once; Cloud leaves out the older ones without a word
HISTORY_PAGE = 1_000
RECONCILE = 50  # tickets that a search can be told to look at as they are now
SINGLY = 10  # tickets that Data Center is asked for one by one, rather than by a search whose index may be behind
PATIENT = Timing()
KNOWN_CLOUD = ".atlassian.net"
STRANGE = "Jira gave something else than what it was asked for. Nothing was removed; the app tries again by itself."
FOR_ALL = ("myself", "serverInfo")  # asked before it is known whether this is Cloud


@dataclass(frozen=True, slots=True)
class Account:
    """Who the token is."""

    id: str
    name: str
    zone: str


@dataclass(slots=True)
class Found:
    """What became of the tickets that were asked for: those in none of the three do not exist, or not for us."""

    issues: dict[str, Json] = field(default_factory=dict)  # by numeric id
    broken: dict[str, str] = field(default_factory=dict)  # what was asked for, with the reason in words

    def add(self, issues: Iterable[Json]) -> None:
        self.issues.update((str(issue["id"]), issue) for issue in issues)


class Client:
    """One site seen with one token."""

    def __init__(self, config: JiraConfig, token: str, timing: Timing = PATIENT, clock: Callable[[], float] = time.time) -> None:
        self.config = config
        self.timing = timing
        self.exchange = Exchange(config.host, config.token_words(), config.renew(), timing, clock)
        self._token = token
        self._library: JIRA | None = None
        self._is_cloud: bool | None = None
        self._account: Account | None = None

    def close(self) -> None:
        """Ends whatever is under way, from any thread."""
        self.exchange.close()

    # ------------------------------------------------------------ who, where

    def sign_in(self) -> Account:
        """Who we are, asked for anew: the one answer that a dead token never gets. Raises CredentialsError."""
        try:
            found = self._get("myself")
        except CredentialsError:
            if self.config.auth != "scoped" or not self._bearer_instead():
                raise
            found = self._get("myself")
        except NotFound:
            raise ConfigurationError(
                f"There is no Jira at {self.config.url}. Check the address; a context path such as /jira belongs to it."
            ) from None
        found = _mapping(found)
        account = Account(
            str(found.get("accountId") or found.get("key") or found.get("name") or ""),
            str(found.get("displayName") or found.get("name") or "somebody"),
            str(found.get("timeZone") or ""),
        )
        if not account.id:
            raise AccessLost(f"{self.config.host} does not say who we are. Check that the address is that of a Jira.")
        if self._account and self._account.id != account.id:
            self._account = None
            raise AccessLost("The account behind the token changed during the sync. It is started again by itself.")
        self._account = account
        return account

    @property
    def is_cloud(self) -> bool:
        """Cloud and Data Center have different searches and different texts."""
        if self._is_cloud is None:
            try:
                about = _mapping(self._get("serverInfo"))
            except NotFound:
                raise ConfigurationError(
                    f"There is no Jira at {self.config.url}. Check the address; a context path such as /jira belongs to it."
                ) from None
            if not about.keys() & {"version", "versionNumbers", "deploymentType"}:
                raise Broken(STRANGE)
            numbers = about.get("versionNumbers")
            modern = isinstance(numbers, list) and bool(numbers) and isinstance(numbers[0], int) and numbers[0] >= 1000
            called = str(about.get("deploymentType") or "")
            host = urlsplit(self.config.url).hostname or ""
            self._is_cloud = called == "Cloud" or (not called and (modern or host.endswith(KNOWN_CLOUD)))
        return self._is_cloud

    def fields(self) -> list[Json]:
        """All fields, with their names and kinds."""
        return _all_mappings(self._get("field"))

    def projects(self) -> dict[str, Json]:
        """The projects that the token may see, by id: being among them is the test for access."""
        if not self.is_cloud:
            return {str(project["id"]): project for project in _all_mappings(self._get("project"))}
        found: dict[str, Json] = {}
        while True:
            page = _mapping(self._get("project/search", startAt=len(found), maxResults=100, orderBy="key"))
            values = [value for value in _listed(page, "values") if str(value.get("id")) not in found]
            found.update((str(value["id"]), value) for value in values)
            if not values or page.get("isLast") is True or len(found) >= _number(page.get("total"), 0):
                return found

    def project(self, id: str) -> Json:
        """One project with its description, lead, components and versions. Raises NotFound."""
        return _mapping(self._get(f"project/{quote(id)}"))

    # ------------------------------------------------------------ searching

    def walk(self, jql: str, fields: Sequence[str], page: int = TIMES_PAGE) -> Iterator[list[Json]]:
        """The tickets that a filter names, page by page. A ticket may come twice, and one may be missing."""
        return self._walk_cloud(jql, fields, page) if self.is_cloud else self._walk_server(jql, fields, page)

    def _walk_cloud(self, jql: str, fields: Sequence[str], size: int) -> Iterator[list[Json]]:
        for last_attempt in (False, True):  # a token that expired or came twice: once more from the beginning
            token, tokens, found, empty = "", set(), set(), 0
            while True:
                body = {"jql": jql, "fields": list(fields), "maxResults": size} | ({"nextPageToken": token} if token else {})
                try:
                    page = _mapping(self._post("search/jql", body))
                except Refused:
                    if not token or last_attempt:
                        raise
                    break
                issues = _issues(page)
                yield issues
                empty = 0 if any(str(issue["id"]) not in found for issue in issues) else empty + 1
                found.update(str(issue["id"]) for issue in issues)
                token = str(page.get("nextPageToken") or "")
                if not token or empty >= EMPTY_PAGES:
                    return
                if token in tokens:
                    break
                tokens.add(token)
        raise AccessLost(f"{self.config.host} gives the same page of tickets again and again. The app tries again by itself.")

    def _walk_server(self, jql: str, fields: Sequence[str], size: int) -> Iterator[list[Json]]:
        start = 0
        while True:
            page = _mapping(self._post("search", {"jql": jql, "fields": list(fields), "startAt": start, "maxResults": size}))
            issues = _issues(page)
            yield issues
            # a page that a right or a plugin shortened is no last page, nor is one smaller than it says of itself
            step = max(1, len(issues) or min(size, _number(page.get("maxResults"), size)))
            if start + step >= _number(page.get("total"), 0):
                return
            start += step - min(OVERLAP, step // 10)

    def count(self, jql: str) -> int:
        """How many tickets a filter names, more or less."""
        if self.is_cloud:
            return _number(_mapping(self._post("search/approximate-count", {"jql": jql})).get("count"), 0)
        return _number(_mapping(self._post("search", {"jql": jql, "fields": ["summary"], "maxResults": 0})).get("total"), 0)

    def sample(self, jql: str, number: int, fields: Sequence[str] = ("summary",)) -> list[Json]:
        """The first few tickets of a filter."""
        body = {"jql": jql, "fields": list(fields), "maxResults": number}
        return _issues(_mapping(self._post("search/jql" if self.is_cloud else "search", body)))[:number]

    def matching(self, jql: str, ids: Collection[str]) -> set[str]:
        """Which of these tickets a filter names now, without the delay of the search index where Jira can do that."""
        found: set[str] = set()
        for some in chunks(sorted(ids, key=int), RECONCILE):
            narrowed = f"({jql}) AND id in ({', '.join(some)})"
            if self.is_cloud:
                body = {
                    "jql": narrowed,
                    "fields": ["id"],
                    "maxResults": 2 * RECONCILE,
                    "reconcileIssues": [int(id) for id in some],
                }
                found.update(str(issue["id"]) for issue in _issues(_mapping(self._post("search/jql", body))))
            else:
                found.update(str(issue["id"]) for page in self._walk_server(narrowed, ["id"], PAGE) for issue in page)
        return found & set(ids)

    # ------------------------------------------------------------ tickets in full

    def issues(self, ids: Collection[str], fields: Sequence[str] = ("*all",), histories: bool = True) -> Found:
        """These tickets (ids or keys) as they are now, with their whole history if asked for."""
        found = Found()
        for some in chunks(ids, PAGE):
            self._read(some, fields, histories, found)
        if histories and self.is_cloud:
            self._complete_histories(found.issues)
        return found

    def _read(self, ids: list[str], fields: Sequence[str], histories: bool, found: Found) -> None:
        try:
            if self.is_cloud:
                self._bulk(ids, fields, histories, found)
            else:
                self._one_by_one_or_search(ids, fields, histories, found)
        except Broken as error:  # Jira cuts answers off that are too large: two smaller ones arrive
            if len(ids) == 1:
                found.broken[ids[0]] = str(error)
                return
            middle = len(ids) // 2
            self._read(ids[:middle], fields, histories, found)
            self._read(ids[middle:], fields, histories, found)

    def _bulk(self, ids: list[str], fields: Sequence[str], histories: bool, found: Found) -> None:
        body = {"issueIdsOrKeys": ids, "fields": list(fields), "expand": ["changelog"] if histories else []}
        answer = _mapping(self._post("issue/bulkfetch", body))
        found.add(_issues(answer))
        for error in _mappings(answer.get("issueErrors")):
            id = str(error.get("id") or "")
            if id and id not in found.issues and not self._single(id, fields, histories, found):
                found.broken[id] = "Jira could not give this ticket just now. It is tried again by itself."

    def _one_by_one_or_search(self, ids: list[str], fields: Sequence[str], histories: bool, found: Found) -> None:
        """Data Center has no bulk request. A search knows deleted tickets and misses new ones for a moment."""
        wanted = dict.fromkeys(ids)
        if len(ids) > SINGLY:
            numbers = ", ".join(id for id in ids if id.isdigit())
            body: Json = {"jql": f"id in ({numbers})", "fields": list(fields), "maxResults": len(ids), "validateQuery": False}
            try:
                page = _mapping(self._post("search", body | ({"expand": ["changelog"]} if histories else {})))
            except Refused:  # where one of them is gone and validateQuery is not known
                page = {}
            found.add(_issues(page))
        for id in wanted:
            if id not in found.issues:
                self._single(id, fields, histories, found)

    def _single(self, id: str, fields: Sequence[str], histories: bool, found: Found) -> bool:
        expand = {"expand": "changelog"} if histories else {}
        try:
            found.add([_mapping(self._get(f"issue/{quote(id)}", fields=",".join(fields), **expand))])
        except NotFound:
            return False
        except Broken as error:
            found.broken[id] = str(error)
        return True

    def exists(self, id: str) -> bool:
        """Whether there is such a ticket for us, asked for by itself."""
        try:
            self._get(f"issue/{quote(id)}", fields="summary")
        except NotFound:
            return False
        return True

    def _complete_histories(self, issues: Mapping[str, Json]) -> None:
        """Adds the older part of long histories to the tickets."""
        short = [id for id, issue in issues.items() if _is_short(_mapping(issue.get("changelog")))]
        for some in chunks(short, PAGE):
            whole: dict[str, dict[str, Json]] = {id: {} for id in some}
            for log in self._histories(some):
                entries = whole.setdefault(str(log.get("issueId")), {})
                entries.update((str(entry.get("id")), entry) for entry in _mappings(log.get("changeHistories")))
            for id in some:
                known = {str(entry.get("id")): entry for entry in _mappings(issues[id]["changelog"].get("histories"))}
                issues[id]["changelog"] = {"histories": list((whole[id] | known).values())}

    def _histories(self, ids: list[str]) -> Iterator[Json]:
        token, tokens = "", set()
        while token not in tokens:
            tokens.add(token)
            body = {"issueIdsOrKeys": ids, "maxResults": HISTORY_PAGE} | ({"nextPageToken": token} if token else {})
            page = _mapping(self._post("changelog/bulkfetch", body))
            yield from _listed(page, "issueChangeLogs")
            token = str(page.get("nextPageToken") or "")
            if not token:
                return

    def comments(self, id: str) -> list[Json]:
        """All comments of a ticket that we may see."""
        return self._all(f"issue/{quote(id)}/comment", "comments", orderBy="created")

    def worklogs(self, id: str) -> list[Json]:
        return self._all(f"issue/{quote(id)}/worklog", "worklogs")

    def remote_links(self, id: str) -> list[Json]:
        return _all_mappings(self._get(f"issue/{quote(id)}/remotelink"))

    def _all(self, path: str, name: str, **query: Any) -> list[Json]:
        found: dict[str, Json] = {}
        start = 0
        while True:
            page = _mapping(self._get(path, startAt=start, maxResults=COMMENTS_PAGE, **query))
            entries = _listed(page, name)
            found.update((str(entry.get("id")), entry) for entry in entries)
            start += len(entries)
            if not entries or start >= _number(page.get("total"), 0):
                return list(found.values())

    # ------------------------------------------------------------ files

    def download(self, id: str, name: str, limit: int) -> bytes:
        """The content of an attachment, at most `limit` bytes of it. Raises NotFound.

        Cloud may send us to another host for it: that one is asked without our credentials.
        """
        library = self._open()
        base = library.server_url
        if self.is_cloud:
            url = f"{base}/rest/api/3/attachment/content/{quote(id)}?redirect=false"
        else:
            url = f"{base}/secure/attachment/{quote(id)}/{quote(name, safe='')}"
        return self.exchange.insist(lambda: self._downloaded(url, limit))

    def _downloaded(self, url: str, limit: int) -> bytes:
        own = requests.Session()
        own.auth = self._open()._session.auth
        content, target = self._streamed(own, url, limit)
        if not target:
            return content
        target = urljoin(url, target)
        if urlsplit(target).scheme not in {"https", urlsplit(url).scheme}:
            raise NotFound("a file is not fetched over an open line")
        content, target = self._streamed(own if _same_host(url, target) else _stranger(), target, limit)
        if target:
            raise NotFound("the file is nowhere to be found")
        return content

    def _streamed(self, session: requests.Session, url: str, limit: int) -> tuple[bytes, str]:
        """The beginning of what is at an address, or where it says that it is."""

        def send() -> tuple[requests.Response, bytes]:
            with session.get(url, stream=True, timeout=self._timeout, allow_redirects=False) as response:
                if response.status_code != 200:
                    response.content  # noqa: B018  (read while the connection is open)
                    return response, b""
                pieces, size = [], 0
                for piece in response.iter_content(65_536):
                    pieces.append(piece)
                    size += len(piece)
                    if size > limit:
                        break
                return response, b"".join(pieces)

        response, content = self.exchange.sent(send)
        if response.is_redirect:
            return b"", response.headers["Location"]
        if session.auth is _no_auth and 400 <= response.status_code < 500:  # says nothing about our token
            raise NotFound("the host that keeps the file does not give it out")
        self.exchange.judged(response)
        return content, ""

    # ------------------------------------------------------------ the library, kept safe

    @property
    def _timeout(self) -> tuple[float, float]:
        return self.timing.connect, self.timing.read

    def _open(self) -> JIRA:
        """The library's client: it asks nothing when it is made, repeats nothing by itself and logs nothing."""
        if self._library is None:
            config = self.config
            if config.auth == "pat" or not config.email:
                auth: Json = {"token_auth": self._token}
            else:
                auth = {"basic_auth": (config.email.encode(), self._token.encode())}
            self._library = JIRA(
                self._gateway() if config.auth == "scoped" else config.url,
                options={"check_update": False},
                get_server_info=False,
                max_retries=0,
                timeout=self._timeout,
                logging=False,  # it would write whole answers, with tickets and headers, into the log
                **auth,
            )
            # a session cookie would keep us signed in after the token is dead
            self._library._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        return self._library

    def _gateway(self) -> str:
        """Where scoped tokens are taken for this site. Asked for without a token."""
        stranger = _stranger()
        url = f"{self.config.url}/_edge/tenant_info"
        try:
            found = self.exchange.ask(lambda: stranger.get(url, timeout=self._timeout, allow_redirects=False))
        except NotFound:
            raise ConfigurationError(
                f"{self.config.host} is no Jira Cloud site: scoped tokens are for Jira Cloud only. Choose another way to sign in."
            ) from None
        cloud = str(_mapping(found).get("cloudId") or "")
        if not cloud:
            raise AccessLost(f"{self.config.host} does not say what its cloud id is. Check the address.")
        return f"{self.config.gateway}/ex/jira/{quote(cloud)}"

    def _bearer_instead(self) -> bool:
        """Scoped tokens are taken with an e-mail address by some sites and as a bearer token by others."""
        session = self._open()._session
        if isinstance(session.auth, TokenAuth):
            return False
        session.auth = TokenAuth(self._token)
        return True

    def _get(self, path: str, **query: Any) -> Any:
        return self._ask("GET", path, query=query)

    def _post(self, path: str, body: Json) -> Any:
        return self._ask("POST", path, body=body)

    def _ask(self, method: str, path: str, query: Json | None = None, body: Json | None = None) -> Any:
        session = self._open()._session
        version = "2" if path in FOR_ALL or not self.is_cloud else "3"  # the text of a ticket is in ADF in version 3 only
        url = f"{self._open().server_url}/rest/api/{version}/{path}"
        data = None if body is None else json.dumps(body)
        return self.exchange.ask(lambda: session.request(method, url, params=query, data=data, allow_redirects=False))


def _stranger() -> requests.Session:
    """A session without our token, and without what .netrc has for the host; proxies are as for everything."""
    session = requests.Session()
    session.auth = _no_auth
    return session


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def chunks(items: Iterable[str], size: int) -> Iterator[list[str]]:
    iterator = iter(items)
    while some := list(islice(iterator, size)):
        yield some


def _same_host(one: str, other: str) -> bool:
    return urlsplit(one)[:2] == urlsplit(other)[:2]


def _is_short(changelog: Mapping[str, Any]) -> bool:
    """Whether older entries were left out of a history."""
    there = len(_mappings(changelog.get("histories")))
    total = changelog.get("total")
    return there < total if isinstance(total, int) else there >= HISTORIES


def _issues(page: Mapping[str, Any]) -> list[Json]:
    return [issue for issue in _listed(page, "issues") if str(issue.get("id", "")).isdigit()]


def _listed(page: Mapping[str, Any], name: str) -> list[Json]:
    """What a page lists. A page without a list is no empty page: Broken."""
    return _all_mappings(page.get(name))


def _all_mappings(value: Any) -> list[Json]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise Broken(STRANGE)
    return value


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _number(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
