"""One request to the REST interface: who asks, what for, and the frame (headers, envelopes, log) of every answer."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import email.utils
import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from jira_simulator.jql.parse import JqlError
from jira_simulator.model.records import Project, Ticket, Token, User
from jira_simulator.model.visibility import Caller, Credentials, has_permission, sees_project, sees_ticket
from jira_simulator.payloads.payloads import Payloads
from jira_simulator.rest.errors import RestError, envelope, from_jql, no_endpoint, refusal
from jira_simulator.site import Site

JSON_TYPE = "application/json;charset=UTF-8"
NEEDS_SIGN_IN = ("/myself", "/worklog/deleted", "/changelog/bulkfetch")
VERSIONS = {"cloud": ("2", "3", "latest"), "dc": ("2", "latest")}
MEMBER_TYPES: dict[type, frozenset[str]] = {  # of bodies; null stands for "not given" everywhere
    str: frozenset(
        "name key description jql emailAddress displayName startDate endDate completeDate goal globalId relationship timeSpent "
        "started lead leadAccountId leadUserName accountId summary releaseDate inward outward nextPageToken state "
        "searcherKey color rankBeforeIssue rankAfterIssue projectTypeKey".split()
    ),
    list: frozenset(
        "ids queries issues properties projectPermissions globalPermissions issueUpdates permissions issueIds jqls changelogIds".split()
    ),
    dict: frozenset("fields update transition object application visibility location inwardIssue outwardIssue".split()),
    int: frozenset("originBoardId timeSpentSeconds projectId rankCustomFieldId".split()),
}
FREE_BODIES = ("/properties/", "/watchers")  # where any JSON may be sent
LISTED_FIELDS = ("/search", "/search/jql", "/bulkfetch")  # where `fields` and `properties` are names
CONNECT = {"error": "Failed to parse Connect Session Auth Token"}


@dataclass(frozen=True)
class Call:
    """What a handler gets. `path` are the parameters of the route, `body` the JSON that was sent."""

    site: Site
    caller: Caller
    payloads: Payloads
    method: str
    url_path: str
    path: dict[str, Any]
    query: Any
    body: Any = None
    headers: Any = None
    paging: str = ""  # the paging fault that this request meets
    raw: bytes = b""  # the body as it came

    def one(self, name: str, default: Any = None) -> Any:
        """A parameter of the query, or of the body where there is one."""
        if isinstance(self.body, dict):
            return self.body.get(name, default)
        return self.query.get(name, default)

    def many(self, name: str) -> list[str] | None:
        """A parameter that is a list: repeated, with commas, or a JSON list."""
        if isinstance(self.body, dict):
            value = self.body.get(name)
            if not isinstance(value, str | list | None):
                raise self.refuse(400, "payload")
            listed = value.split(",") if isinstance(value, str) else value
            return None if listed is None else [str(each).strip() for each in listed]
        values = self.query.getlist(name)
        return [part.strip() for value in values for part in value.split(",")] if values else None

    def number(self, name: str, default: int) -> int:
        value = self.one(name, default)
        try:
            return default if value is None else int(value)
        except (TypeError, ValueError):
            raise self.refuse(400, "payload") from None

    def refuse(self, status: int, code: str, *details: object) -> RestError:
        return refusal(status, code, *details, language=self.site.switches.language)

    def ticket(self, reference: str) -> Ticket:
        """The ticket, if it is there and the caller sees it. Raises the one 404 that does not tell which."""
        try:
            ticket = self.site.find(reference)
        except LookupError:
            raise self.refuse(404, "no issue") from None
        if not sees_ticket(self.site, self.caller, ticket):
            raise self.refuse(404, "no issue")
        return ticket

    # ------------------------------------------------------------ for those that write

    @property
    def data(self) -> dict[str, Any]:
        """The body, which has to be a JSON object."""
        if not isinstance(self.body, dict):
            raise self.refuse(400, "payload")
        return self.body

    def only(self, *names: str) -> dict[str, Any]:
        """The body, which may have no other members."""
        if set(self.data) - set(names):
            raise self.refuse(400, "payload")
        return self.data

    def signed_in(self) -> User:
        """Who is signed in. Raises 401 for anonymous."""
        if self.caller.user is None:
            words = "You are not authenticated. Authentication required to perform this operation."
            raise RestError(401, envelope(words), challenge(self.site))
        return self.caller.user

    def can(self, permission: str, project: Project | None = None) -> bool:
        return has_permission(self.site, self.caller, permission, project)

    def visible(self) -> list[Ticket]:
        """Every issue that the caller sees."""
        return [each for each in self.site.tickets.values() if sees_ticket(self.site, self.caller, each)]

    def require(self, permission: str, project: Project | None = None) -> User:
        """The caller, if they have that permission. Raises 401 for anonymous and 403 for others."""
        user = self.signed_in()
        if not self.can(permission, project):
            raise self.refuse(403, "forbidden")
        return user

    def require_on(self, ticket: Ticket, permission: str) -> User:
        """The same for the project of an issue."""
        return self.require(permission, self.site.projects[ticket.project])

    def project(self, reference: Any) -> Project:
        """The project with that id, key or former key, if the caller sees it. Raises a 404 that does not tell which."""
        wanted = str(reference)
        for each in self.site.projects.values():
            if wanted.upper() in (each.id, each.key.upper(), *each.old_keys) and sees_project(self.site, self.caller, each):
                return each
        raise self.refuse(404, "no project", wanted)

    def person(self, given: Any) -> User | None:
        """The user that a body or a query names: by account id on Cloud, by name or key on Data Center. None: nobody there."""
        if isinstance(given, dict):
            given = given.get("accountId" if self.payloads.cloud else "name") or given.get("id") or given.get("key")
        if not isinstance(given, str):
            return None
        for each in self.site.users.values():
            if given == each.account_id if self.payloads.cloud else given in (each.name, each.key):
                return each
        return None

    def flag(self, name: str) -> bool:
        return str(self.query.get(name, "false")).lower() == "true"

    def listed(self, found: Sequence[Any], most: int = 50, cap: int = 1000) -> tuple[int, int, list[Any]]:
        """Where the page starts, how long it may be, and what is on it."""
        start, most = max(self.number("startAt", 0), 0), min(max(self.number("maxResults", most), 0), cap)
        return start, most, list(found[start : start + most])

    def page(
        self, found: Sequence[Any], shape: Callable[[Any], Any], path: str, most: int = 50, cap: int = 1000
    ) -> dict[str, Any]:
        """A page with `values`, as the newer parts of the interface have it."""
        start, most, items = self.listed(found, most, cap)
        address, total = self.payloads.url(path), len(found)
        answer = {"self": f"{address}?maxResults={most}&startAt={start}", "maxResults": most, "startAt": start, "total": total,
                  "isLast": start + most >= total}  # fmt: skip
        if not answer["isLast"]:
            answer["nextPage"] = f"{address}?maxResults={most}&startAt={start + most}"
        return {**answer, "values": [shape(each) for each in items]}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with a status of its own. `body` None: without one."""

    status: int
    body: Any = None


NO_CONTENT = Reply(204)
Handler = Callable[[Call], Any]


def endpoint(site: Site, handler: Handler) -> Callable[[Request], Any]:
    """A handler as a Starlette endpoint. It runs whole under the site's lock, so that it sees one state."""

    async def answer(request: Request) -> Response:
        raw = await request.body()
        with site.lock:
            return _answer(site, handler, request, raw)

    return answer


def _answer(site: Site, handler: Handler, request: Request, raw: bytes) -> Response:
    gateway = "cloud_id" in request.path_params
    caller = identify(site, request.headers.get("authorization", ""), gateway)
    chosen = request.path_params.get("version") or "latest"
    payloads = Payloads(site, caller, "2" if chosen == "2" or site.personality == "dc" else "3")
    try:
        if gateway and request.path_params["cloud_id"] != site.cloud_id:
            raise RestError(404, {"code": 404, "message": "No site with this cloud id."})
        if chosen not in VERSIONS[site.personality]:
            raise no_endpoint(request.method, request.url.path)
        refuse_credentials(site, caller, request)
        call = Call(
            site, caller, payloads, request.method, request.url.path, request.path_params, request.query_params,
            _json(site, raw, request), request.headers, request.scope.get("simulator.paging", ""), raw,
        )  # fmt: skip
        request.scope["simulator.body"] = call.body
        return framed(site, caller, handler(call))
    except JqlError as error:
        return framed(site, caller, from_jql(error, site.switches.language))
    except RestError as error:
        return framed(site, caller, error)


def identify(site: Site, authorization: str, gateway: bool = False) -> Caller:
    """Who the credentials stand for. Sent and not believed is `refused`, not an error: what follows depends on the address."""
    if not authorization:
        return Caller(gateway=gateway)
    kind, _, rest = authorization.partition(" ")
    credentials: Credentials = "basic" if kind.lower() == "basic" else "bearer"
    user = _by_basic(site, rest, gateway) if credentials == "basic" else _by_bearer(site, rest.strip(), gateway)
    return Caller(user, credentials, user is None, gateway)


def _by_basic(site: Site, encoded: str, gateway: bool) -> User | None:
    """Address and API token; through the gateway also a scoped token. Data Center: name and password or PAT."""
    try:
        name, _, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    token = site.tokens.get(secret)
    if token is None or not is_believed(site, token) or (gateway and site.switches.gateway_auth == "bearer"):
        return None
    if (token.kind == "pat" and site.personality == "cloud") or (token.kind == "scoped" and not gateway):
        return None
    user = site.users[token.account]
    return user if name in (user.email, user.name) else None


def _by_bearer(site: Site, secret: str, gateway: bool) -> User | None:
    """Data Center: a PAT. Cloud: a scoped token, through the gateway only."""
    token = site.tokens.get(secret)
    if token is None or not is_believed(site, token):
        return None
    if site.personality == "cloud" and not (gateway and site.switches.gateway_auth != "basic"):
        return None
    return site.users[token.account] if token.kind == ("pat" if site.personality == "dc" else "scoped") else None


def is_believed(site: Site, token: Token) -> bool:
    return token.alive and (token.expires is None or site.clock.true() < token.expires)


def refuse_credentials(site: Site, caller: Caller, request: Request) -> None:
    """A dead token is served as anonymous on Cloud; only some addresses, the gateway and Data Center say 401."""
    if site.personality == "dc":
        if caller.refused:
            raise RestError(
                401, envelope("You are not authenticated. Authentication required to perform this operation."), failed(site)
            )
        if caller.user is None and request.url.path.endswith(NEEDS_SIGN_IN):
            raise RestError(
                401, envelope("You are not authenticated. Authentication required to perform this operation."), challenge(site)
            )
        return
    if caller.gateway and caller.user is None:
        raise RestError(401, {"code": 401, "message": "Unauthorized"}, {"WWW-Authenticate": "Bearer"})
    if caller.credentials == "bearer" and not caller.gateway:
        raise RestError(403, CONNECT)
    if caller.user is None and request.url.path.endswith(NEEDS_SIGN_IN):
        headers = {**challenge(site), "content-type": "text/plain;charset=UTF-8"}
        raise RestError(401, "Client must be authenticated to access this resource.", headers)


def challenge(site: Site) -> dict[str, str]:
    return {"WWW-Authenticate": f'OAuth realm="{quote(site.url + site.context, safe="")}"'}


def failed(site: Site) -> dict[str, str]:
    return {**challenge(site), "X-Seraph-LoginReason": "AUTHENTICATED_FAILED"}


def framed(site: Site, caller: Caller, answer: Any) -> Response:
    """Status, body and the headers that every answer has."""
    status, body, extra = 200, answer, {}
    if isinstance(answer, Reply):
        status, body = answer.status, answer.body
        if body is None:
            body = Response(status_code=status)
    elif isinstance(answer, RestError):
        status, body, extra = answer.status, answer.body, answer.headers
    headers = {**frame(site, caller), **{name.lower(): value for name, value in extra.items()}}
    if isinstance(body, Response):
        for name, value in headers.items():
            body.headers.setdefault(name, value)
        return body
    kind = headers.pop("content-type", JSON_TYPE)
    content = body if isinstance(body, str) and status != 200 else json.dumps(body, ensure_ascii=False)
    return Response(content.encode("utf-8", "replace"), status, headers, media_type=kind)


def frame(site: Site, caller: Caller) -> dict[str, str]:
    headers = {"date": email.utils.format_datetime(site.clock.now().astimezone(dt.UTC), usegmt=True)}
    headers |= {"x-arequestid": uuid.uuid4().hex}
    if caller.refused:
        headers["x-seraph-loginreason"] = "AUTHENTICATED_FAILED"
    if site.personality == "dc":
        return {**headers, **({"x-ausername": caller.user.name} if caller.user else {"x-ausername": "anonymous"})}
    headers["atl-traceid"] = uuid.uuid4().hex
    if caller.user:
        headers["x-aaccountid"] = caller.user.account_id
        if site.switches.rate_limit_headers:
            headers |= {"ratelimit": '"jira-burst-based";r=349;t=1', "ratelimit-policy": '"jira-burst-based";q=100;w=1',
                        "x-ratelimit-limit": "350", "x-ratelimit-remaining": "349"}  # fmt: skip
    return headers


def page(items: list[Any], start: int, most: int) -> list[Any]:
    return items[max(start, 0) : max(start, 0) + most]


def split(values: Iterable[str] | None, default: Iterable[str]) -> list[str]:
    return [part for value in values for part in value.split(",")] if values else list(default)


def _json(site: Site, raw: bytes, request: Request) -> Any:
    if not raw or request.headers.get("content-type", "").startswith("multipart/"):
        return None
    try:
        body = json.loads(raw)
    except ValueError:
        raise refusal(400, "payload", language=site.switches.language) from None
    path = request.url.path
    if (
        isinstance(body, dict)
        and not any(each in path for each in FREE_BODIES)
        and not _is_typed(body, path.endswith(LISTED_FIELDS))
    ):
        raise refusal(400, "payload", language=site.switches.language)
    return body


def _is_typed(body: dict[str, Any], fields_are_names: bool) -> bool:
    """Whether the members that every part of the interface means alike have the type they must have."""
    for kind, names in MEMBER_TYPES.items():
        for name in names & body.keys():
            value = body[name]
            if fields_are_names and name in ("fields", "properties") or value is None:
                continue
            if kind is int and (isinstance(value, bool) or not str(value).isdecimal()):
                return False
            if kind is not int and not isinstance(value, kind):
                return False
    return True
