"""Search: Cloud's walk by tokens, Data Center's by numbers, and what goes with them."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.parse import JqlError, Order, clauses, parse
from jira_simulator.model.records import Ticket
from jira_simulator.model.visibility import sees_ticket
from jira_simulator.rest.errors import REMOVED, RestError, envelope
from jira_simulator.rest.request import Call, split

MEMBERS = {"jql", "nextPageToken", "maxResults", "fields", "expand", "properties", "fieldsByKeys", "failFast", "reconcileIssues"}
DC_MEMBERS = {"jql", "startAt", "maxResults", "fields", "expand", "validateQuery", "properties", "fieldsByKeys"}
MOST_RECONCILED = 50
MOST_HISTORIES = 40
TOKEN_LIFE = dt.timedelta(days=7)
IDS_ONLY = {"id", "key"}


@dataclass(frozen=True, slots=True)
class Found:
    """Tickets in order, each with what it was sorted by."""

    tickets: list[Ticket]
    keys: list[list[list[Any]]]
    order: tuple[Order, ...]


def search_cloud(call: Call) -> Any:
    """GET or POST /search/jql."""
    if isinstance(call.body, dict):
        if set(call.body) - MEMBERS:
            raise call.refuse(400, "payload")
        if "reconcileIssues" in call.body and call.body["reconcileIssues"] is None:
            raise RestError(500, envelope("Internal server error"))
    most = call.number("maxResults", 50)
    if not 1 <= most <= 5000:
        raise call.refuse(400, "max results")
    fields = split(call.many("fields"), ["id"])
    if not set(fields) <= IDS_ONLY:
        most = min(most, call.site.switches.cloud_page_cap)
    if call.paging == "clamp":
        most = min(most, 50)
    reconcile = call.many("reconcileIssues") or []
    if len(reconcile) > MOST_RECONCILED:
        raise call.refuse(400, "reconcile")
    jql = call.one("jql") or ""
    fingerprint = hashlib.sha256(json.dumps([jql, sorted(reconcile)]).encode()).hexdigest()[:16]
    token = call.one("nextPageToken")
    place = _read_token(call, token, fingerprint) if token else None
    call.site.page_hooks.between_pages(place["page"] if place else 0)
    found = _found(call, jql, frozenset(reconcile), bounded=True)
    start = _after(found, place["key"]) if place else 0
    return _cloud_page(call, found, start, most, fields, fingerprint, place, token)


def _cloud_page(
    call: Call, found: Found, start: int, most: int, fields: list[str], fingerprint: str, place: Any, token: str | None
) -> dict[str, Any]:
    number = place["page"] + 1 if place else 1
    if call.paging == "empty page":
        return {"issues": [], "isLast": False, "nextPageToken": token or _token(call, fingerprint, [], 1)}
    if call.paging == "short page":
        most = max(1, most - 1)
    end = min(start + most, len(found.tickets))
    expand = split(call.many("expand"), [])
    shown = [call.payloads.ticket(each, fields, expand, MOST_HISTORIES) for each in found.tickets[start:end]]
    answer: dict[str, Any] = {"issues": shown, "isLast": end >= len(found.tickets)}
    following = _token(call, fingerprint, found.keys[end - 1] if end else [], number)
    if not answer["isLast"]:
        answer["nextPageToken"] = following
    if call.paging == "same token":
        answer |= {"isLast": False, "nextPageToken": token or following}
    elif call.paging == "last with token":
        answer |= {"isLast": True, "nextPageToken": following}
    if "names" in expand:
        answer["names"] = {each: call.site.fields[each].name for each in call.payloads.wanted_fields(fields)}
    return answer


def search_dc(call: Call) -> Any:
    """GET or POST /search with startAt and total."""
    if isinstance(call.body, dict) and set(call.body) - DC_MEMBERS:
        raise call.refuse(400, "payload")
    start = max(call.number("startAt", 0), 0)
    most = min(max(call.number("maxResults", 50), 0), call.site.switches.dc_max_results)
    if call.paging == "clamp":
        most = min(most, 50)
    call.site.page_hooks.between_pages(start // most if most else 0)
    found = _found(call, call.one("jql") or "", frozenset(), bounded=False)
    fields = split(call.many("fields"), ["*navigable"])
    expand = split(call.many("expand"), [])
    tickets = found.tickets[start : start + most]
    if call.paging == "short page":
        tickets = tickets[:-1]
    shift = {"total shrinks": -1, "total grows": 1}.get(call.paging, 0) * 5
    answer = {
        "expand": "schema,names", "startAt": start, "maxResults": most, "total": max(0, len(found.tickets) + shift),
        "issues": [call.payloads.ticket(each, fields, expand) for each in tickets],
    }  # fmt: skip
    if "names" in expand:
        answer["names"] = {each: call.site.fields[each].name for each in call.payloads.wanted_fields(fields)}
    return answer


def removed(call: Call) -> Any:
    raise RestError(410, envelope(REMOVED))


def approximate_count(call: Call) -> Any:
    return {"count": len(_found(call, call.one("jql") or "", frozenset(), bounded=True).tickets)}


def bulk_fetch(call: Call) -> Any:
    """POST /issue/bulkfetch: always fresh; what is not there or not for this caller is left out without a word."""
    wanted = call.many("issueIdsOrKeys")
    if wanted is None or set(call.body) - {"issueIdsOrKeys", "fields", "expand", "fieldsByKeys", "properties"}:
        raise call.refuse(400, "payload")
    if len(wanted) > 100:
        raise call.refuse(400, "bulk", 100)
    tickets: dict[str, Ticket] = {}
    for reference in wanted:
        try:
            ticket = call.site.find(reference)
        except LookupError:
            continue
        if sees_ticket(call.site, call.caller, ticket):
            tickets[ticket.id] = ticket
    fields, expand = call.many("fields") or ["*navigable"], call.many("expand") or []
    ordered = sorted(tickets.values(), key=lambda each: int(each.id))
    shown = [call.payloads.ticket(each, fields, expand, MOST_HISTORIES) for each in ordered]
    return {"expand": "schema,names", "issues": shown, "issueErrors": []}


def _found(call: Call, jql: str, fresh: frozenset[str], bounded: bool) -> Found:
    query = parse(jql)
    if bounded and not any(clauses(query.where)):
        raise JqlError("unbounded")
    evaluator = Evaluator(call.site, call.caller)
    test = evaluator.test(query)
    order = query.order or (Order("created", descending=True),)
    key = evaluator.sort_key(order)
    pairs = [(key(each), each) for each in call.site.index.seen(call.site.tickets, fresh) if test(each)]
    directions = [each.descending for each in order] + [order[-1].descending]
    for at in reversed(range(len(directions))):  # stable sorts, the least important first
        pairs.sort(key=_part(at), reverse=directions[at])
    return Found([each for _, each in pairs], [key for key, _ in pairs], order)


def _part(at: int) -> Callable[[tuple[list[list[Any]], Ticket]], list[Any]]:
    return lambda pair: pair[0][at]


def _after(found: Found, last: list[list[Any]]) -> int:
    """Where the walk goes on: behind the place where the last page ended, whatever has moved since."""
    directions = [each.descending for each in found.order] + [found.order[-1].descending]
    for number, key in enumerate(found.keys):
        if last and _is_after(key, last, directions):
            return number
    return len(found.keys) if last else 0


def _is_after(key: list[list[Any]], last: list[list[Any]], directions: list[bool]) -> bool:
    for one, other, descending in zip(key, last, directions, strict=True):
        if one != other:
            return (one > other) != descending
    return False


def _token(call: Call, fingerprint: str, key: list[list[Any]], number: int) -> str:
    data = {"q": fingerprint, "key": key, "page": number, "at": call.site.clock.true().timestamp()}
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def _read_token(call: Call, token: str, fingerprint: str) -> dict[str, Any]:
    try:
        data = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        issued = dt.datetime.fromtimestamp(data["at"], dt.UTC)
    except (ValueError, KeyError, TypeError):
        raise call.refuse(400, "token") from None
    if data.get("q") != fingerprint or call.site.clock.true() - issued > TOKEN_LIFE or call.paging == "expired token":
        raise call.refuse(400, "token")
    return dict(data)
