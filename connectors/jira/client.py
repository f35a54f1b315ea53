"""Asks Jira, Cloud or Data Center, for exactly what the connector needs, in as few requests as Jira allows.

The `jira` library is used for its sessions, authentication and addresses. Its searches are not: they stop at the first
short page, repeat a repeated page for ever, and give None where a server does not call itself Cloud.
"""

from __future__ import annotations

import json
import math
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

from connectors.base import AccessLost, ConfigurationError, ConnectorError, CredentialsError
from connectors.jira.config import JiraConfig
from connectors.jira.exchange import AGAIN, FRESH, Broken, Exchange, NotFound, NotJira, Refused, Timing, TooLate, Unrecognised

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
MISSING = 20  # tickets missing from one answer that are each asked for by themselves
PARTS = 4  # that a batch which does not arrive is asked for in
MOST_LATE = 2  # requests for several tickets that did not answer in time; the rest of the batch is asked for one by one
PATIENT = Timing()
KNOWN_CLOUD = ".atlassian.net"
STRANGE = "Jira gave something else than what it was asked for. Check whether a proxy stands in between."
FOR_ALL = ("myself", "serverInfo")  # asked before it is known whether this is Cloud
SAYS_JIRA = frozenset(("version", "versionNumbers", "deploymentType"))  # what Jira says of itself, some of it at least
USER_AGENT = "KnowledgeTree/0.1 (Jira connector)"


@dataclass(frozen=True, slots=True)
class Account:
    """Who the token is."""

    id: str
    name: str
    zone: str


@dataclass(slots=True)
class Found:
    """What became of the tickets that were asked for. Of those in none of the three, Jira has said nothing."""

    issues: dict[str, Json] = field(default_factory=dict)  # by numeric id
    broken: dict[str, str] = field(default_factory=dict)  # what was asked for, with the reason in words
    absent: set[str] = field(default_factory=set)  # what was asked for by itself, and Jira has in its own words not got

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
        self.witness = ""  # id of a ticket that was read before: where it can be read, the site is well

    def close(self) -> None:
        """Ends whatever is under way, from any thread."""
        self.exchange.close()

    # ------------------------------------------------------------ who, where

    def sign_in(self) -> Account:
        """Who we are, asked for anew: the one answer that a dead token never gets. Raises CredentialsError."""
        try:
            found = self._myself()
        except Unrecognised as refused:
            raise self._refused_by(refused) from None
        except (NotFound, NotJira):
            raise self._no_jira() from None
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

    def _myself(self) -> Any:
        try:
            return self._get("myself")
        except CredentialsError:
            if self.config.auth != "scoped" or not self._bearer_instead():
                raise
            return self._get("myself")

    def _refused_by(self, refused: Unrecognised) -> ConnectorError:
        """What it means that the token was refused, and not in the way Jira does: asked who it is without a token, Jira says so."""
        if self.config.auth == "scoped":  # it has said that it is a Cloud site before it was given the token
            return refused
        anonymous = _anonymous_session()
        url = f"{self.config.url}/rest/api/2/serverInfo"
        try:
            about = _mapping(self.exchange.ask(lambda: anonymous.get(url, timeout=self._timeout, allow_redirects=False), fresh=1))
        except ConnectorError as error:
            says_otherwise = isinstance(error, Broken) and not isinstance(error, TooLate)
            return self._other_than_jira() if says_otherwise else self._perhaps_jira()
        return refused if about.keys() & SAYS_JIRA else self._other_than_jira()

    def _other_than_jira(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self.config.url} does not look like a Jira: it refuses the token, and does not say of itself what Jira says. Check the "
            "address: a context path such as /jira belongs to it. Check too whether a proxy stands in between."
        )

    def _perhaps_jira(self) -> CredentialsError:
        return CredentialsError(
            f"{self.config.host} answered 401, and not in the form that Jira has for it. Either there is no Jira at this address, or a proxy "
            f"in front of it wants a password of its own, or {self.config.token_words()} is not right. Check the address first. "
            f"{self.config.renew()}"
        )

    def _no_jira(self) -> ConfigurationError:
        return ConfigurationError(
            f"There is no Jira at {self.config.url} just now (404). Check the address: a context path such as /jira belongs to it. "
            "Nothing was removed."
        )

    @property
    def is_cloud(self) -> bool:
        """Cloud and Data Center have different searches and different texts."""
        if self._is_cloud is None:
            try:
                about = _mapping(self._get("serverInfo"))
            except (NotFound, NotJira):
                raise self._no_jira() from None
            if not about.keys() & SAYS_JIRA:
                raise Broken(STRANGE, AGAIN)
            numbers = about.get("versionNumbers")
            modern = isinstance(numbers, list) and bool(numbers) and isinstance(numbers[0], int) and numbers[0] >= 1000
            called = str(about.get("deploymentType") or "")
            host = urlsplit(self.config.url).hostname or ""
            self._is_cloud = called == "Cloud" or (not called and (modern or host.endswith(KNOWN_CLOUD)))
        return self._is_cloud

    def fields(self) -> list[Json]:
        """All fields, with their names and kinds."""
        found = _all_mappings(self._get("field"))
        if not found:  # every Jira has some; without them all tickets would come out differently
            raise Broken(STRANGE, AGAIN)
        return found

    def projects(self) -> dict[str, Json]:
        """The projects that the token may see, by id: being among them is the test for access."""
        if not self.is_cloud:
            return {str(project["id"]): project for project in _numbered(_all_mappings(self._get("project")))}
        found: dict[str, Json] = {}
        while True:
            page = _mapping(self._get("project/search", startAt=len(found), maxResults=100, orderBy="key"))
            values = [value for value in _numbered(_listed(page, "values")) if str(value["id"]) not in found]
            found.update((str(value["id"]), value) for value in values)
            if not values or page.get("isLast") is True or len(found) >= _number(page.get("total"), 0):
                return found

    def project(self, id: str) -> Json:
        """One project with its description, lead, components and versions. Raises NotFound."""
        found = _mapping(self._get(f"project/{quote(id)}"))
        if not str(found.get("key") or ""):
            raise Broken(STRANGE, AGAIN)
        return _numbered([found])[0]

    def components(self, id: str) -> list[Json]:
        """The components of a project, each with its lead, which the project itself does not tell. Raises NotFound."""
        return _all_mappings(self._get(f"project/{quote(id)}/components"))

    # ------------------------------------------------------------ searching

    def walk(self, jql: str, fields: Sequence[str], page: int = TIMES_PAGE) -> Iterator[list[Json]]:
        """The tickets that a filter names, page by page. A ticket may come twice, and one may be missing."""
        return self._walk_cloud(jql, fields, page) if self.is_cloud else self._walk_server(jql, fields, page)

    def _walk_cloud(self, jql: str, fields: Sequence[str], size: int) -> Iterator[list[Json]]:
        for last_attempt in (False, True):  # a token that expired or came twice: once more from the beginning
            token, empty = "", 0
            tokens: set[str] = set()
            found: set[str] = set()
            while True:
                body = {"jql": jql, "fields": list(fields), "maxResults": size} | ({"nextPageToken": token} if token else {})
                try:
                    page = _mapping(self._post("search/jql", body))
                except Refused:
                    if not token or last_attempt:
                        raise
                    break
                issues = _listed_tickets(page, fields)
                yield issues
                empty = 0 if any(str(issue["id"]) not in found for issue in issues) else empty + 1
                found.update(str(issue["id"]) for issue in issues)
                token = str(page.get("nextPageToken") or "")
                if not token or empty >= EMPTY_PAGES:
                    return
                if token in tokens:
                    break
                tokens.add(token)
        raise AccessLost(f"{self.config.host} gives the same page of tickets again and again.", AGAIN)

    def _walk_server(self, jql: str, fields: Sequence[str], size: int) -> Iterator[list[Json]]:
        start = 0
        while True:
            page = _mapping(self._post("search", {"jql": jql, "fields": list(fields), "startAt": start, "maxResults": size}))
            issues = _listed_tickets(page, fields)
            yield issues
            # a page that a right or a plugin shortened is no last page, nor is one smaller than it says of itself
            step = max(1, len(issues) or min(size, _number(page.get("maxResults"), size)))
            if start + step >= _number(page.get("total"), 0):
                return
            start += step - min(OVERLAP, step // 10)

    def count(self, jql: str) -> int:
        """How many tickets a filter names, more or less."""
        if self.is_cloud:
            found = _mapping(self._post("search/approximate-count", {"jql": jql})).get("count")
        else:
            found = _mapping(self._post("search", {"jql": jql, "fields": ["summary"], "maxResults": 0})).get("total")
        if (number := _number(found, -1)) < 0:
            raise Broken(STRANGE, AGAIN)
        return number

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

    def issues(
        self, ids: Collection[str], fields: Sequence[str] = ("*all",), histories: bool = True, confirm: bool = False
    ) -> Found:
        """These tickets (ids or keys) as they are now, with their whole history if asked for.

        `confirm`: of those that are not among them, some are asked for by themselves. Raises AccessLost where it is the
        site that gives nothing: a ticket is `broken` only as long as others can be read.
        """
        found = Found()
        for some in chunks(ids, PAGE):
            self._read(some, fields, histories, found)
            if confirm:
                missing = [id for id in some if id not in found.issues and id not in found.broken and id not in found.absent]
                self._read(missing[:MISSING], fields, histories, found, singly=True)
        if histories and self.is_cloud:
            self._complete_histories(found.issues)
        return found

    def _read(self, ids: list[str], fields: Sequence[str], histories: bool, found: Found, singly: bool = False) -> None:
        """Reads these together. What does not arrive is asked for in ever smaller parts, as long as others can be read.

        Where smaller parts do not answer in time either, each ticket is asked for by itself: every wait costs as long again.
        """
        late = 0
        ends = time.monotonic() + self.timing.batch
        singly = singly or not (self.is_cloud or len(ids) > SINGLY)
        waiting = [([id], True) for id in ids] if singly else [(ids, not self.is_cloud and len(ids) == 1)]
        while waiting:
            some, singly = waiting.pop(0)
            if time.monotonic() > ends:
                found.broken.update(dict.fromkeys(some, f"{self.config.host} took too long. It is tried again by itself."))
                continue
            try:
                if singly:
                    self._single(some[0], fields, histories, found)
                else:
                    waiting += [([id], True) for id in self._together(some, fields, histories, found)]
            except Broken as error:
                self.blame(error, some)
                late += isinstance(error, TooLate)
                if len(some) == 1:
                    found.broken[some[0]] = str(error)
                elif late >= MOST_LATE:
                    waiting = [([id], True) for part in (some, *(ids for ids, _ in waiting)) for id in part]
                else:
                    parts = chunks(some, math.ceil(len(some) / PARTS))
                    waiting[:0] = [(part, not self.is_cloud and len(part) == 1) for part in parts]

    def _together(self, ids: list[str], fields: Sequence[str], histories: bool, found: Found) -> list[str]:
        """Asks for these in one request, and gives those to be asked for by themselves. Raises Broken."""
        whole, rest = (self._bulk if self.is_cloud else self._searched)(ids, fields, histories)
        found.add(whole)
        if whole:
            self.witness = str(whole[-1]["id"])
        return [id for id in rest if id not in found.issues]

    def _bulk(self, ids: list[str], fields: Sequence[str], histories: bool) -> tuple[list[Json], list[str]]:
        """Cloud gives tickets that do not exist, or not for us, no mention; it names those it had trouble with."""
        body = {"issueIdsOrKeys": ids, "fields": list(fields), "expand": ["changelog"] if histories else []}
        answer = _mapping(self._post("issue/bulkfetch", body, fresh=1 if len(ids) > 1 else FRESH))
        whole, half = _sorted_out(answer, fields)
        errors = [str(error.get("id") or "") for error in _mappings(answer.get("issueErrors"))]
        return whole, [id for id in (*half, *errors) if id]

    def _searched(self, ids: list[str], fields: Sequence[str], histories: bool) -> tuple[list[Json], list[str]]:
        """Data Center has no bulk request. A search knows deleted tickets and misses new ones for a moment."""
        numbers = ", ".join(id for id in ids if id.isdigit())
        body: Json = {"jql": f"id in ({numbers})", "fields": list(fields), "maxResults": len(ids), "validateQuery": False}
        try:
            answer = _mapping(self._post("search", body | ({"expand": ["changelog"]} if histories else {}), fresh=1))
        except Refused:  # where one of them is gone and validateQuery is not known
            return [], ids
        whole, _ = _sorted_out(answer, fields)
        there = {str(issue["id"]) for issue in whole}
        return whole, [id for id in ids if id not in there]

    def _single(self, id: str, fields: Sequence[str], histories: bool, found: Found) -> None:
        expand = {"expand": "changelog"} if histories else {}
        try:
            issue = _mapping(self._get(f"issue/{quote(id)}", fields=",".join(fields), **expand))
        except NotFound:
            found.absent.add(id)
            return
        if not _is_whole(issue, fields):
            raise Broken(STRANGE, AGAIN)
        found.add([issue])
        self.witness = str(issue["id"])

    def blame(self, error: Broken, ids: Sequence[str]) -> None:
        """Raises AccessLost if tickets cannot be read for a fault of the site; returns if it is these tickets alone.

        Another ticket tells, asked for with little in it; where none is known, one of them with little in it.
        """
        witnesses = [self.witness] if self.witness and self.witness not in ids else [*dict.fromkeys((ids[0], ids[-1]))]
        if not any(self._is_given(id) for id in witnesses):
            raise AccessLost(str(error)) from None

    def _is_given(self, id: str) -> bool:
        """Whether Jira answers about a ticket as it should."""
        fields = ("summary",)
        try:
            if self.is_cloud:
                body = {"issueIdsOrKeys": [id], "fields": list(fields), "expand": []}
                return not _sorted_out(_mapping(self._post("issue/bulkfetch", body, fresh=1)), fields)[1]
            return _is_whole(_mapping(self._ask("GET", f"issue/{quote(id)}", query={"fields": "summary"}, fresh=1)), fields)
        except NotFound:
            return True
        except Broken:
            return False

    def absent(self, ids: Sequence[str]) -> set[str]:
        """Which of these Jira says that it has not got, each asked for by itself, as no index delays.

        Of very many, the first few are; the others are taken for absent where all of those are, and two answers miss them.
        """
        found = self.issues(ids[:MISSING], ("project",), histories=False, confirm=True)
        rest = ids[MISSING:]
        if rest and found.absent == set(ids[:MISSING]):
            for some in chunks(rest, PAGE):
                again = self.issues(some, ("project",), histories=False)
                found.absent.update(id for id in some if id not in again.issues and id not in again.broken)
        return found.absent

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
        """All comments of a ticket that we may see, with what a service desk notes on them."""
        return self._all(f"issue/{quote(id)}/comment", "comments", orderBy="created", expand="properties")

    def worklogs(self, id: str) -> list[Json]:
        return self._all(f"issue/{quote(id)}/worklog", "worklogs")

    def remote_links(self, id: str) -> list[Json]:
        """What a ticket is linked to elsewhere; nothing where a site has such links turned off."""
        try:
            return _all_mappings(self._get(f"issue/{quote(id)}/remotelink"))
        except NotFound:
            return []

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
        own = _session()
        own.auth = self._open()._session.auth
        content, target = self._streamed(own, url, limit)
        if not target:
            return content
        target = urljoin(url, target)
        if urlsplit(target).scheme not in {"https", urlsplit(url).scheme}:
            raise NotFound("a file is not fetched over an open line")
        content, target = self._streamed(own if _same_host(url, target) else _anonymous_session(), target, limit)
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

        elsewhere = urlsplit(url).netloc if session.auth is _no_auth else ""
        sent = self.exchange.sent(send, elsewhere)
        response, content = sent if isinstance(sent, tuple) else (sent, b"")
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
                options={"check_update": False, "headers": {"User-Agent": USER_AGENT}},
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
        anonymous = _anonymous_session()
        url = f"{self.config.url}/_edge/tenant_info"
        try:
            found = self.exchange.ask(lambda: anonymous.get(url, timeout=self._timeout, allow_redirects=False))
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

    def _post(self, path: str, body: Json, fresh: int = FRESH) -> Any:
        return self._ask("POST", path, body=body, fresh=fresh)

    def _ask(self, method: str, path: str, query: Json | None = None, body: Json | None = None, fresh: int = FRESH) -> Any:
        session = self._open()._session
        version = "2" if path in FOR_ALL or not self.is_cloud else "3"  # the text of a ticket is in ADF in version 3 only
        url = f"{self._open().server_url}/rest/api/{version}/{path}"
        data = None if body is None else json.dumps(body)
        return self.exchange.ask(lambda: session.request(method, url, params=query, data=data, allow_redirects=False), fresh)


def _anonymous_session() -> requests.Session:
    """A session without our token, and without what .netrc has for the host; proxies are as for everything."""
    session = _session()
    session.auth = _no_auth
    return session


def _session() -> requests.Session:
    session = requests.Session()
    session.headers["User-Agent"] = USER_AGENT
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
    return _numbered(_listed(page, "issues"))


def _listed_tickets(page: Mapping[str, Any], fields: Sequence[str]) -> list[Json]:
    """The tickets of a page, each with the fields that were asked for. Raises Broken."""
    issues = _issues(page)
    if not all(_is_whole(issue, fields) for issue in issues):
        raise Broken(STRANGE, AGAIN)
    return issues


def _sorted_out(page: Mapping[str, Any], fields: Sequence[str]) -> tuple[list[Json], list[str]]:
    """The tickets of a page that have what was asked for, and the ids of those that have not. Broken if none has."""
    issues = _issues(page)
    whole = [issue for issue in issues if _is_whole(issue, fields)]
    if issues and not whole:
        raise Broken(STRANGE, AGAIN)
    return whole, [str(issue["id"]) for issue in issues if not _is_whole(issue, fields)]


def _is_whole(issue: Json, fields: Sequence[str]) -> bool:
    """Whether a ticket is one, with what every ticket has of the fields that were asked for."""
    if not str(issue.get("id") or "").isdigit():
        return False
    given = issue.get("fields")
    if not isinstance(given, dict):
        return list(fields) == ["id"]
    of_every = {"project": str(_mapping(given.get("project")).get("id") or "").isdigit(), "updated": bool(given.get("updated")),
                "summary": "summary" in given}  # fmt: skip
    return all(is_there for name, is_there in of_every.items() if name in fields or "*all" in fields)


def _numbered(things: list[Json]) -> list[Json]:
    """Things that each have a numeric id. Raises Broken."""
    if not all(str(one.get("id") or "").isdigit() for one in things):
        raise Broken(STRANGE, AGAIN)
    return things


def _listed(page: Mapping[str, Any], name: str) -> list[Json]:
    """What a page lists. A page without a list is no empty page: Broken."""
    return _all_mappings(page.get(name))


def _all_mappings(value: Any) -> list[Json]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise Broken(STRANGE, AGAIN)
    return value


def _mapping(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _number(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
