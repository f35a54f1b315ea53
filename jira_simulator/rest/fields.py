"""The field catalogue."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.defaults import FIELD_TYPES
from jira_simulator.model.records import FieldDefinition
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import Call, Reply

KINDS = {"textfield": "string", "textarea": "string", "float": "number", "select": "option", "datepicker": "date", "url": "string",
         "datetime": "datetime", "userpicker": "user"}  # what a custom field of that type holds  # fmt: skip
ARRAYS = {"multiselect": "option", "labels": "string", "multiuserpicker": "user", "multicheckboxes": "option"}


def fields(call: Call) -> Any:
    """GET and POST of /field."""
    if call.method == "POST":
        return _create(call)
    return [call.payloads.field(each) for each in call.site.fields.values()]


def search(call: Call) -> Any:
    """GET /field/search: by `type` (system, custom), `id` and `query`, ordered by name or `orderBy`."""
    call.signed_in()
    kinds, ids = set(",".join(call.query.getlist("type")).split(",")) - {""}, set(call.many("id") or ())
    text = (call.query.get("query") or "").lower()
    if kinds - {"system", "custom"}:
        raise RestError(400, envelope(f"Invalid field type: {', '.join(sorted(kinds - {'system', 'custom'}))}"))
    found = [
        each for each in call.site.fields.values()
        if (not kinds or ("custom" if each.custom else "system") in kinds) and (not ids or each.id in ids)
        and (text in each.name.lower())
    ]  # fmt: skip
    order = call.query.get("orderBy") or "name"
    if order.lstrip("-+") not in ("name", "contextsCount", "lastUsed", "screensCount", "projectsCount"):
        raise RestError(400, envelope(f"Invalid orderBy: {order}"))
    found.sort(key=lambda each: each.name.lower(), reverse=order.startswith("-"))

    def shape(each: FieldDefinition) -> dict[str, Any]:
        whole = call.payloads.field(each)
        return {"id": each.id, "name": each.name, "schema": whole["schema"], "description": "", "isLocked": not each.custom,
                "key": each.id}  # fmt: skip

    return call.page(found, shape, "field/search", 50, 50)


def custom_fields(call: Call) -> Any:
    """GET /customFields of Data Center."""
    call.signed_in()
    text = (call.query.get("search") or "").lower()
    found = [each for each in call.site.fields.values() if each.custom and text in each.name.lower()]
    shown = [
        {"id": each.id, "name": each.name, "type": each.custom, "self": call.payloads.url(f"customFields/{each.id}")}
        for each in found
    ]
    start, most, items = call.listed(shown, 50)
    return {"startAt": start, "maxResults": most, "total": len(shown), "isLast": start + most >= len(shown), "values": items}


def contexts(call: Call) -> Any:
    """GET /field/{id}/context: one for everything."""
    call.require("ADMINISTER")
    if call.path["field"] not in call.site.fields:
        raise RestError(404, envelope("The field was not found."))
    found = {
        "id": "10100",
        "name": "Default Configuration Scheme",
        "description": "",
        "isGlobalContext": True,
        "isAnyIssueType": True,
    }
    return call.page([found], lambda each: each, f"field/{call.path['field']}/context")


def _create(call: Call) -> Any:
    call.require("ADMINISTER")
    given = call.only("name", "description", "type", "searcherKey")
    kind = str(given.get("type", "")).rpartition(":")[2]
    if not given.get("name") or kind not in (*KINDS, *ARRAYS):
        raise RestError(400, envelope("The custom field name and a valid type are required."))
    custom = FIELD_TYPES + kind
    field_id = call.site.add_field(given["name"], KINDS.get(kind, "array"), custom, items=ARRAYS.get(kind, ""))
    return Reply(201, call.payloads.field(call.site.fields[field_id]))
