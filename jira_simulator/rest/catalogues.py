"""Statuses, issue types, priorities, resolutions, labels and roles of the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jira_simulator.model.records import CATEGORIES, Named
from jira_simulator.rest.request import Call


def statuses(call: Call) -> Any:
    return [call.payloads.status(each) for each in call.site.statuses]


def status(call: Call) -> Any:
    """GET /status/{id or name}."""
    return call.payloads.status(_find(call, "statuses", "status").id)


def status_search(call: Call) -> Any:
    """GET /statuses/search."""
    text = (call.query.get("searchString") or "").lower()
    names = {"new": "TODO", "indeterminate": "IN_PROGRESS", "done": "DONE"}
    wanted = call.query.get("statusCategory")
    found = [
        each for each in call.site.statuses.values()
        if text in each.name.lower() and wanted in (None, names[each.more["category"]])
    ]  # fmt: skip

    def shape(each: Named) -> dict[str, Any]:
        return {"id": each.id, "name": each.name, "statusCategory": names[each.more["category"]], "scope": {"type": "GLOBAL"},
                "description": each.description}  # fmt: skip

    return call.page(found, shape, "statuses/search", 200, 200)


def categories(call: Call) -> Any:
    return [call.payloads.category(each) for each in CATEGORIES]


def category(call: Call) -> Any:
    for key, (number, _, _) in CATEGORIES.items():
        if call.path["id"] in (key, str(number)):
            return call.payloads.category(key)
    raise call.refuse(404, "no catalogue", "status category", call.path["id"])


def issue_types(call: Call) -> Any:
    return [call.payloads.issuetype(each) for each in call.site.issuetypes]


def issue_type(call: Call) -> Any:
    return call.payloads.issuetype(_find(call, "issuetypes", "issue type").id)


def project_issue_types(call: Call) -> Any:
    """GET /issuetype/project?projectId=…"""
    call.project(call.query.get("projectId") or "")
    return issue_types(call)


def priorities(call: Call) -> Any:
    return [call.payloads.priority(each) for each in call.site.priorities]


def priority(call: Call) -> Any:
    return call.payloads.priority(_find(call, "priorities", "priority").id)


def priority_search(call: Call) -> Any:
    return _search(call, "priorities", "priority/search", call.payloads.priority)


def resolutions(call: Call) -> Any:
    return [call.payloads.resolution(each) for each in call.site.resolutions]


def resolution(call: Call) -> Any:
    return call.payloads.resolution(_find(call, "resolutions", "resolution").id)


def resolution_search(call: Call) -> Any:
    return _search(call, "resolutions", "resolution/search", call.payloads.resolution)


def labels(call: Call) -> Any:
    """GET /label: every label that an issue has which the caller sees."""
    found = sorted({label for each in call.visible() for label in each.labels})
    return call.page(found, lambda each: each, "label", 1000)


def _search(call: Call, kind: str, path: str, shape: Callable[[str], Any]) -> Any:
    things: dict[str, Named] = getattr(call.site, kind)
    ids, text = set(call.query.getlist("id")), str(call.query.get("priorityName") or "").lower()
    found = [each for each in things.values() if (not ids or each.id in ids) and text in each.name.lower()]
    return call.page(found, lambda each: shape(each.id), path)


def _find(call: Call, kind: str, words: str) -> Named:
    things: dict[str, Named] = getattr(call.site, kind)
    wanted = call.path["id"]
    for each in things.values():
        if wanted == each.id or wanted.lower() == each.name.lower():
            return each
    raise call.refuse(404, "no catalogue", words, wanted)
