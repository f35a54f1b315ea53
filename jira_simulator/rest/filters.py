"""Saved filters and dashboards."""

from __future__ import annotations

from typing import Any

from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.parse import parse
from jira_simulator.model.records import Filter
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call

MEMBERS = ("name", "description", "jql", "favourite", "sharePermissions", "editPermissions", "id", "self", "owner", "viewUrl",
           "searchUrl", "favouritedCount", "sharedUsers", "subscriptions", "approximateLastUsed")  # fmt: skip
COLUMNS = (("Key", "issuekey"), ("Summary", "summary"), ("Status", "status"), ("Assignee", "assignee"), ("Updated", "updated"))


def create(call: Call) -> Any:
    """POST /filter."""
    user, given = call.signed_in(), call.only(*MEMBERS)
    _check(call, given)
    if any(each.name == given["name"] and each.owner == user.account_id for each in call.site.filters.values()):
        raise RestError(400, {"errorMessages": [], "errors": {"filterName": "Filter with same name already exists."}})
    favourite = bool(given.get("favourite"))
    made = call.site.add_filter(given["name"], user, given.get("jql") or "", given.get("description") or "", favourite)
    return _shown(call, call.site.edit_filter(made, shared=bool(given.get("sharePermissions"))))


def one(call: Call) -> Any:
    """GET, PUT and DELETE of /filter/{id}; only the owner changes it."""
    found = _find(call)
    if call.method == "GET":
        return _shown(call, found)
    user = call.signed_in()
    if user.account_id != found.owner:
        raise RestError(400, envelope("You are not the owner of this filter."))
    if call.method == "DELETE":
        call.site.remove_filter(found)
        return NO_CONTENT
    given = call.only(*MEMBERS)
    _check(call, {"name": found.name, **given})
    changed: dict[str, Any] = {name: given[name] for name in ("name", "description", "jql") if name in given}
    if "sharePermissions" in given:
        changed["shared"] = bool(given["sharePermissions"])
    return _shown(call, call.site.edit_filter(found, **changed))


def mine(call: Call) -> Any:
    user = call.signed_in()
    favourites = call.flag("includeFavourites")
    return [
        _shown(call, each) for each in _visible(call)
        if each.owner == user.account_id or favourites and user.account_id in each.favourite_of
    ]  # fmt: skip


def favourites(call: Call) -> Any:
    return [_shown(call, each) for each in _visible(call) if call.signed_in().account_id in each.favourite_of]


def search(call: Call) -> Any:
    """GET /filter/search: by `filterName`, `accountId` and `id`; `jql` only where it is asked for with `expand`."""
    text, owner = (call.query.get("filterName") or "").lower(), call.query.get("accountId")
    ids = call.query.getlist("id")
    expand = (call.query.get("expand") or "").split(",")
    found = [
        each for each in _visible(call)
        if text in each.name.lower() and owner in (None, each.owner) and (not ids or each.id in ids)
    ]  # fmt: skip

    def shape(each: Filter) -> dict[str, Any]:
        whole = _shown(call, each)
        kept = {
            "id",
            "name",
            "self",
            "expand",
            *(name for name in ("jql", "description", "owner", "favourite") if name in expand),
        }
        return {name: value for name, value in whole.items() if name in kept}

    return call.page(found, shape, "filter/search", 50, 100)


def favourite(call: Call) -> Any:
    """PUT and DELETE of /filter/{id}/favourite."""
    found, account = _find(call), call.signed_in().account_id
    others = found.favourite_of - {account}
    return _shown(call, call.site.edit_filter(found, favourite_of=others | {account} if call.method == "PUT" else others))


def columns(call: Call) -> Any:
    _find(call)
    return [{"label": label, "value": value} for label, value in COLUMNS]


def shares(call: Call) -> Any:
    return _shown(call, _find(call))["sharePermissions"]


def share_scope(call: Call) -> Any:
    call.signed_in()
    return {"scope": "AUTHENTICATED"}


def dashboards(call: Call) -> Any:
    """GET /dashboard and /dashboard/search: this site has none."""
    start, most, _ = call.listed([], 20)
    name = "values" if call.url_path.endswith("search") else "dashboards"
    return {"startAt": start, "maxResults": most, "total": 0, name: [], **({"isLast": True} if name == "values" else {})}


def _check(call: Call, given: dict[str, Any]) -> None:
    if not given.get("name"):
        raise RestError(400, {"errorMessages": [], "errors": {"name": "You must specify a name for the filter."}})
    Evaluator(call.site, call.caller).test(parse(given.get("jql") or ""))


def _visible(call: Call) -> list[Filter]:
    return [
        each for each in call.site.filters.values() if call.caller.user and (each.shared or each.owner == call.caller.account)
    ]


def _find(call: Call) -> Filter:
    for each in _visible(call):
        if each.id == call.path["filter"]:
            return each
    raise call.refuse(400 if not call.payloads.cloud else 404, "no filter")


def _shown(call: Call, each: Filter) -> dict[str, Any]:
    share = {"id": int(each.id) + 1, "type": "loggedin" if not call.payloads.cloud else "authenticated"}
    return {
        "self": call.payloads.url(f"filter/{each.id}"), "id": each.id, "name": each.name, "description": each.description,
        "owner": call.payloads.user(each.owner), "jql": each.jql, "viewUrl": f"{call.payloads.base}/issues/?filter={each.id}",
        "searchUrl": call.payloads.url(f"{'search/jql' if call.payloads.cloud else 'search'}?jql=filter%3D{each.id}"),
        "favourite": call.caller.account in each.favourite_of, "favouritedCount": len(each.favourite_of),
        "sharePermissions": [share] if each.shared else [], "editPermissions": [],
        "sharedUsers": {"size": 0, "items": [], "max-results": 1000, "start-index": 0, "end-index": 0},
        "subscriptions": {"size": 0, "items": [], "max-results": 1000, "start-index": 0, "end-index": 0},
    }  # fmt: skip
