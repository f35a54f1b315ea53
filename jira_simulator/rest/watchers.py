"""Watchers and votes of an issue."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import User
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call


def watchers(call: Call) -> Any:
    """GET, POST (an account id or name as a JSON string; nothing: oneself) and DELETE of /issue/{key}/watchers."""
    found = call.ticket(call.path["key"])
    if call.method == "GET":
        shown = call.payloads.watches(found)
        return {**shown, "watchers": [call.payloads.user(each) for each in found.watchers]}
    if call.method == "POST":
        call.site.watch(found, _who(call, call.body, found.project))
    else:
        given = call.query.get("accountId") or call.query.get("username")
        call.site.watch(found, _who(call, given, found.project), watching=False)
    return NO_CONTENT


def votes(call: Call) -> Any:
    """GET, POST and DELETE of /issue/{key}/votes: always one's own."""
    found = call.ticket(call.path["key"])
    if call.method == "GET":
        return {**call.payloads.votes(found), "voters": [call.payloads.user(each) for each in found.voters]}
    user = call.signed_in()
    if found.reporter == user.account_id:
        raise RestError(404, envelope("You cannot vote for an issue you have reported."))
    call.site.vote(found, user, call.method == "POST")
    return NO_CONTENT


def _who(call: Call, given: Any, project: str) -> User:
    me = call.signed_in()
    if given in (None, ""):
        return me
    found = call.person(given)
    if found is None:
        raise call.refuse(404, "no user")
    if found != me:
        call.require("MANAGE_WATCHERS", call.site.projects[project])
    return found
