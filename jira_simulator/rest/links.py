"""Links between issues, kinds of links, and links to other sites."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import Link, LinkType, RemoteLink, Ticket
from jira_simulator.model.visibility import sees_ticket
from jira_simulator.rest.comments import add_comment
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call, Reply


def create(call: Call) -> Any:
    """POST /issueLink."""
    call.signed_in()
    add_link(call, call.only("type", "inwardIssue", "outwardIssue", "comment"))
    return Reply(201, "" if not call.payloads.cloud else None)


def one(call: Call) -> Any:
    """GET and DELETE of /issueLink/{id}; whoever does not see both ends does not see it."""
    found = call.site.links.get(call.path["link"])
    ends = [call.site.tickets.get(each) for each in (found.source, found.target)] if found else []
    if found is None or not all(each and sees_ticket(call.site, call.caller, each) for each in ends):
        raise call.refuse(404, "no link", call.path["link"])
    source, target = (each for each in ends if each)
    if call.method == "DELETE":
        call.site.unlink(found.id, call.require_on(source, "LINK_ISSUES"))
        return NO_CONTENT
    kind = call.site.link_types[found.type]
    return {"id": found.id, "self": call.payloads.url(f"issueLink/{found.id}"), "type": call.payloads.link_type(kind),
            "inwardIssue": call.payloads.tiny(source), "outwardIssue": call.payloads.tiny(target)}  # fmt: skip


def types(call: Call) -> Any:
    """GET and POST of /issueLinkType."""
    if call.method == "POST":
        call.require("ADMINISTER")
        given = call.only("id", "name", "inward", "outward", "self")
        if not all(given.get(each) for each in ("name", "inward", "outward")):
            raise RestError(400, envelope("The name, inward and outward description of the link type are required."))
        return Reply(201, call.payloads.link_type(call.site.add_link_type(given["name"], given["inward"], given["outward"])))
    return {"issueLinkTypes": [call.payloads.link_type(each) for each in call.site.link_types.values()]}


def link_type(call: Call) -> Any:
    found = call.site.link_types.get(call.path["type"])
    if found is None:
        raise RestError(404, envelope(f"No issue link type with id '{call.path['type']}' found."))
    return call.payloads.link_type(found)


def add_link(call: Call, given: dict[str, Any]) -> Link:
    """`inwardIssue` is the one that blocks, `outwardIssue` the one that is blocked."""
    kind = _type(call, given.get("type") or {})
    source, target = _end(call, given.get("inwardIssue")), _end(call, given.get("outwardIssue"))
    user = call.require_on(source, "LINK_ISSUES")
    if source.id == target.id:
        raise RestError(400, envelope("You cannot link an issue to itself."))
    for each in call.site.links_of(source):
        if (each.type, each.source, each.target) == (kind.id, source.id, target.id):
            return each  # Jira makes no second one and does not say so
    made = call.site.link(source, kind.outward, target, user)
    if comment := given.get("comment"):
        add_comment(call, source, comment)
    return made


def _type(call: Call, given: dict[str, Any]) -> LinkType:
    for each in call.site.link_types.values():
        if given.get("id") == each.id or given.get("name") in (each.name, each.inward, each.outward):
            return each
    raise call.refuse(404, "no link type", given.get("name") or given.get("id"))


def _end(call: Call, given: Any) -> Ticket:
    if not isinstance(given, dict) or not (given.get("key") or given.get("id")):
        raise call.refuse(404, "no issue")
    return call.ticket(str(given.get("key") or given.get("id")))


# ---------------------------------------------------------------- links to other sites


def remote_links(call: Call) -> Any:
    """GET, POST and DELETE of /issue/{key}/remotelink; POST with a `globalId` that is there changes that link."""
    found = call.ticket(call.path["key"])
    wanted = call.query.get("globalId")
    if call.method == "GET":
        if wanted:
            return call.payloads.remote_link(found, _remote(call, found, lambda each: each.global_id == wanted, wanted))
        return [call.payloads.remote_link(found, each) for each in found.remote_links]
    call.require_on(found, "LINK_ISSUES")
    if call.method == "DELETE":
        call.site.delete_remote_link(found, _remote(call, found, lambda each: each.global_id == wanted, wanted).id)
        return NO_CONTENT
    given = _given(call)
    old = next((each for each in found.remote_links if given.get("globalId") and each.global_id == given["globalId"]), None)
    link = call.site.edit_remote_link(found, _made(old.id, given)) if old else _added(call, found, given)
    shown = {"id": link.id, "self": call.payloads.url(f"issue/{found.key}/remotelink/{link.id}")}
    return Reply(200 if old else 201, shown)


def remote_link(call: Call) -> Any:
    """GET, PUT and DELETE of /issue/{key}/remotelink/{id}."""
    found = call.ticket(call.path["key"])
    link = _remote(call, found, lambda each: str(each.id) == call.path["link"], call.path["link"])
    if call.method == "GET":
        return call.payloads.remote_link(found, link)
    call.require_on(found, "LINK_ISSUES")
    if call.method == "DELETE":
        call.site.delete_remote_link(found, link.id)
    else:
        call.site.edit_remote_link(found, _made(link.id, _given(call)))
    return NO_CONTENT


def _given(call: Call) -> dict[str, Any]:
    given = call.data
    thing = given.get("object") or {}
    if missing := {name: f"'{name}' is required." for name in ("title", "url") if not thing.get(name)}:
        raise RestError(400, {"errorMessages": [], "errors": missing})
    return given


def _added(call: Call, found: Ticket, given: dict[str, Any]) -> RemoteLink:
    thing = given["object"]
    made = call.site.remote_link(found, thing["url"], thing["title"])
    return call.site.edit_remote_link(found, _made(made.id, given))


def _made(link_id: int, given: dict[str, Any]) -> RemoteLink:
    thing = given["object"]
    more = {name: thing[name] for name in ("icon", "status") if name in thing}
    return RemoteLink(
        link_id, thing["url"], thing["title"], given.get("relationship") or "", thing.get("summary") or "",
        given.get("globalId") or "", given.get("application") or {}, more,
    )  # fmt: skip


def _remote(call: Call, found: Ticket, fits: Any, wanted: Any) -> RemoteLink:
    for each in found.remote_links:
        if fits(each):
            return each
    raise call.refuse(404, "no remote link", wanted)
