"""Histories: of one issue, and of many at once."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.clock import milliseconds
from jira_simulator.rest.errors import RestError
from jira_simulator.rest.request import Call, page


def changelog(call: Call) -> Any:
    """GET /issue/{key}/changelog: whole, oldest first."""
    found = call.ticket(call.path["key"])
    return call.page(found.histories, call.payloads.history, f"issue/{found.key}/changelog", 100, 100)


def changelog_list(call: Call) -> Any:
    """POST /issue/{key}/changelog/list: histories by id."""
    found = call.ticket(call.path["key"])
    ids = {str(each) for each in call.only("changelogIds").get("changelogIds") or []}
    shown = [call.payloads.history(each) for each in found.histories if each.id in ids]
    return {"startAt": 0, "maxResults": len(shown), "total": len(shown), "histories": shown}


def changelog_bulk(call: Call) -> Any:
    """POST /changelog/bulkfetch. Its times are text or numbers, as the site's switch says."""
    wanted = call.many("issueIdsOrKeys") or []
    if not 1 <= len(wanted) <= 1000:
        raise call.refuse(400, "bulk", 1000)
    only = set(call.many("fieldIds") or [])
    rows = []
    for reference in wanted:
        try:
            found = call.ticket(reference)
        except RestError:
            continue
        for each in found.histories:
            if not only or any(change.field_id in only for change in each.changes):
                rows.append((found, each))
    start, most = int(call.one("nextPageToken") or 0), min(call.number("maxResults", 1000), 10000)
    logs: dict[str, list[Any]] = {}
    for found, each in page(rows, start, most):
        shown = call.payloads.history(each)
        if call.site.switches.changelog_bulk_epoch:
            shown["created"] = milliseconds(each.created)
        logs.setdefault(found.id, []).append(shown)
    answer: dict[str, Any] = {"issueChangeLogs": [{"issueId": issue, "changeHistories": each} for issue, each in logs.items()]}
    if start + most < len(rows):
        answer["nextPageToken"] = str(start + most)
    return answer
