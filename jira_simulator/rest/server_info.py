"""What a site says of itself, and its settings."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.clock import wire
from jira_simulator.rest.request import Call


def server_info(call: Call) -> Any:
    """Anonymous gets no `serverTime`: one more sign of a dead token."""
    site, zone = call.site, call.site.clock.zone
    cloud = site.personality == "cloud"
    version = [1001, 0, 0] if cloud else [9, 12, 5]
    shown: dict[str, Any] = {
        "baseUrl": call.payloads.base, "version": "1001.0.0-SNAPSHOT" if cloud else "9.12.5", "versionNumbers": version,
        "deploymentType": "Cloud" if cloud else "Server", "buildNumber": 100294 if cloud else 9120005,
        "buildDate": wire(site.clock.now().replace(month=1, day=1), zone), "scmInfo": "0" * 40, "serverTitle": site.title,
    }  # fmt: skip
    if cloud:
        shown |= {"defaultLocale": {"locale": "en_US"}, "serverTimeZone": zone}
    if call.caller.user or not cloud:
        shown["serverTime"] = wire(site.clock.now(), zone)
    return shown


def tenant_info(call: Call) -> Any:
    return {"cloudId": call.site.cloud_id}


def configuration(call: Call) -> Any:
    """GET /configuration: everything is on."""
    call.signed_in()
    names = ("voting", "watching", "subTasks", "issueLinking", "timeTracking", "attachments")
    units = {"workingHoursPerDay": 8.0, "workingDaysPerWeek": 5.0, "timeFormat": "pretty", "defaultUnit": "minute"}
    return {**{f"{each}Enabled": True for each in names}, "unassignedIssuesAllowed": True, "timeTrackingConfiguration": units}


def time_tracking(call: Call) -> Any:
    call.signed_in()
    return {"key": "JIRA", "name": "JIRA provided time tracking", "url": ""}


def columns(call: Call) -> Any:
    """GET /settings/columns."""
    call.signed_in()
    return [{"label": each.name, "value": each.id} for each in call.site.fields.values() if not each.custom]


def application_properties(call: Call) -> Any:
    """GET /application-properties."""
    call.require("ADMINISTER")
    title = {"id": "jira.title", "key": "jira.title", "value": call.site.title, "name": "jira.title", "type": "string"}
    base = {"id": "jira.baseurl", "key": "jira.baseurl", "value": call.payloads.base, "name": "jira.baseurl", "type": "uri"}
    return [title, base]
