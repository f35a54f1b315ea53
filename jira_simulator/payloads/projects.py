"""Projects and what is set up for them: statuses, types, components, versions, fields, sprints."""

from __future__ import annotations

import datetime as dt
from typing import Any

from jira_simulator.model.records import (
    CATEGORIES,
    FieldDefinition,
    LinkType,
    Named,
    Project,
    Sprint,
)
from jira_simulator.payloads.base import Json
from jira_simulator.payloads.people import PeoplePayloads

NOT_NAVIGABLE = ("comment", "attachment", "worklog", "timetracking")


class ProjectPayloads(PeoplePayloads):
    """Projects and catalogues."""

    def project(self, project: Project, full: bool = False) -> Json:
        shown: Json = {"self": self.url(f"project/{project.id}"), "id": project.id, "key": project.key, "name": project.name,
                       "projectTypeKey": project.type_key}  # fmt: skip
        if self.cloud:
            shown |= {"simplified": False}
        if full:
            parts = {"components": ("components", self.component), "versions": ("versions", self.project_version)}
            for name, (kind, shape) in parts.items():
                shown[name] = [
                    shape(each) for each in getattr(self.site, kind).values() if each.more.get("project") == project.id
                ]
            shown |= {"description": project.description, "issueTypes": [self.issuetype(each) for each in self.site.issuetypes]}
            if project.lead:
                shown["lead"] = self.user(project.lead)
        if project.archived:
            shown["archived"] = True
        return shown

    def status(self, status_id: str) -> Json:
        status = self.site.statuses[status_id]
        shown = {"self": self.url(f"status/{status.id}"), "description": status.description, "iconUrl": f"{self.base}/",
                 "name": status.name, "id": status.id}  # fmt: skip
        return {**shown, "statusCategory": self.category(status.more["category"])}

    def category(self, key: str) -> Json:
        number, name, color = CATEGORIES[key]
        return {"self": self.url(f"statuscategory/{number}"), "id": number, "key": key, "colorName": color, "name": name}

    def issuetype(self, type_id: str) -> Json:
        kind = self.site.issuetypes[type_id]
        level = kind.more.get("level", 0)
        shown = {"self": self.url(f"issuetype/{kind.id}"), "id": kind.id, "description": kind.description,
                 "iconUrl": f"{self.base}/images/{kind.id}.svg", "name": kind.name, "subtask": level < 0}  # fmt: skip
        return {**shown, "hierarchyLevel": level} if self.cloud else shown

    def priority(self, priority_id: str | None) -> Json | None:
        return self._named("priority", "priorities", priority_id, iconUrl=f"{self.base}/images/priority.svg")

    def resolution(self, resolution_id: str | None) -> Json | None:
        if resolution_id is None:
            return None
        return self._named(
            "resolution", "resolutions", resolution_id, description=self.site.resolutions[resolution_id].description
        )

    def _named(self, path: str, kind: str, thing_id: str | None, **more: Any) -> Json | None:
        if thing_id is None:
            return None
        thing: Named = getattr(self.site, kind)[thing_id]
        return {"self": self.url(f"{path}/{thing.id}"), "id": thing.id, "name": thing.name, **more}

    def component(self, component: Named) -> Json:
        shown: Json = {"self": self.url(f"component/{component.id}"), "id": component.id, "name": component.name}
        return {**shown, "description": component.description} if component.description else shown

    def component_in_full(self, component: Named) -> Json:
        """With its lead, which neither a ticket nor a project tells of it."""
        lead = self.user(component.more.get("lead"))
        return {**self.component(component), "assigneeType": "PROJECT_DEFAULT", **({"lead": lead} if lead else {})}

    def project_version(self, version: Named) -> Json:
        shown: Json = {"self": self.url(f"version/{version.id}"), "id": version.id, "name": version.name,
                       "archived": bool(version.more.get("archived")), "released": bool(version.more.get("released"))}  # fmt: skip
        if version.description:
            shown["description"] = version.description
        if date := version.more.get("release_date"):
            shown["releaseDate"] = date
        return shown

    def field(self, field: FieldDefinition) -> Json:
        schema: Json = {"type": field.kind}
        if field.items:
            schema["items"] = field.items
        shown: Json = {"id": field.id, "name": field.name, "custom": bool(field.custom), "orderable": True,
                       "navigable": field.id not in NOT_NAVIGABLE, "searchable": True}  # fmt: skip
        if field.custom:
            number = int(field.id.removeprefix("customfield_"))
            schema |= {"custom": field.custom, "customId": number}
            shown["clauseNames"] = [f"cf[{number}]", field.name]
        else:
            schema["system"] = field.id
            shown["clauseNames"] = list(field.clauses)
        if self.cloud:
            shown["key"] = field.id
        return {**shown, "schema": schema}

    def link_type(self, kind: LinkType) -> Json:
        return {"id": kind.id, "name": kind.name, "inward": kind.inward, "outward": kind.outward,
                "self": self.url(f"issueLinkType/{kind.id}")}  # fmt: skip

    def security(self, level_id: str | None) -> Json | None:
        if level_id is None:
            return None
        level = self.site.levels[level_id]
        return {"self": self.url(f"securitylevel/{level.id}"), "id": level.id, "name": level.name, "description": ""}

    def sprint(self, sprint: Sprint, agile: bool = False) -> Any:
        """An object on Cloud and in the agile interface; on Data Center's tickets a string."""
        times = {"startDate": sprint.start, "endDate": sprint.end, "completeDate": sprint.complete}
        if not self.cloud and not agile and self.site.switches.sprint_as_text:
            parts = {"id": sprint.id, "rapidViewId": sprint.board, "state": sprint.state.upper(), "name": sprint.name,
                     **{name: each.isoformat() if each else "<null>" for name, each in times.items()}, "sequence": sprint.id,
                     "goal": sprint.goal}  # fmt: skip
            listed = ",".join(f"{name}={value}" for name, value in parts.items())
            return f"com.atlassian.greenhopper.service.sprint.Sprint@{sprint.id:x}c0ffee[{listed}]"
        shown: Json = {"id": sprint.id, "name": sprint.name, "state": sprint.state, "goal": sprint.goal}
        shown |= {"originBoardId" if agile else "boardId": sprint.board}
        shown |= {name: _zulu(each) for name, each in times.items() if each}
        return {"self": f"{self.base}/rest/agile/1.0/sprint/{sprint.id}", **shown} if agile else shown


def _zulu(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
