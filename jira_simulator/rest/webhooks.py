"""Webhooks as an administrator registers them over REST, on Cloud and on Data Center."""

from __future__ import annotations

from typing import Any

from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call, Reply
from jira_simulator.webhook_sender import Webhook


def dynamic(call: Call) -> Any:
    """POST /webhook is for Connect and OAuth 2 apps only."""
    raise RestError(403, envelope("Only Connect and OAuth 2.0 apps can use this operation."))


def collection(call: Call) -> Any:
    _only_signed_in(call)
    if call.method == "GET":
        return [_shown(call, each) for each in call.site.webhooks.hooks.values()]
    body = call.body if isinstance(call.body, dict) else {}
    if not body.get("url") or not body.get("events"):
        raise call.refuse(400, "payload")
    options = body.get("configuration") or {}
    hook = call.site.webhooks.register(
        body["url"], body["events"], body.get("secret") or options.get("SECRET"), name=body.get("name", ""),
        jql=(body.get("filters") or {}).get("issue-related-events-section") or options.get("FILTERS") or "",
        exclude_body=str(body.get("excludeBody", options.get("EXCLUDE_BODY", "false"))).lower() == "true",
        enabled=bool(body.get("active", body.get("enabled", True))),
    )  # fmt: skip
    return Reply(201, _shown(call, hook))


def one(call: Call) -> Any:
    _only_signed_in(call)
    hook = call.site.webhooks.hooks.get(call.path["hook"])
    if hook is None:
        raise RestError(404, envelope("There is no webhook with this id."))
    if call.method == "DELETE":
        call.site.webhooks.unregister(hook.id)
        return NO_CONTENT
    return _shown(call, hook)


def _only_signed_in(call: Call) -> None:
    if call.caller.user is None:
        raise RestError(401, envelope("You must have global administrator rights."))


def _shown(call: Call, hook: Webhook) -> Any:
    return {"self": f"{call.payloads.base}/rest/webhooks/1.0/webhook/{hook.id}", "id": hook.id, "name": hook.name, "url": hook.url,
            "events": list(hook.events), "filters": {"issue-related-events-section": hook.jql}, "excludeBody": hook.exclude_body,
            "enabled": hook.enabled, "isSigned": hook.secret is not None}  # fmt: skip
