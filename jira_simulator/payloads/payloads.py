"""The JSON that a site shows of its records, to one caller, in one version of the interface and one personality."""

from __future__ import annotations

from collections.abc import Collection

from jira_simulator.model.records import (
    Board,
    Ticket,
)
from jira_simulator.payloads.base import Json
from jira_simulator.payloads.issues import IssuePayloads


class Payloads(IssuePayloads):
    """Everything, with what the agile interface shows."""

    def board(self, board: Board) -> Json:
        home = self.site.projects[board.project]
        place = {"projectId": int(home.id), "projectName": home.name, "projectKey": home.key, "name": f"{home.name} ({home.key})"}
        return {"id": board.id, "self": f"{self.base}/rest/agile/1.0/board/{board.id}", "name": board.name, "type": board.kind,
                "location": place}  # fmt: skip

    def epic(self, ticket: Ticket) -> Json:
        name = ticket.custom.get(self.site.epic_name_field) or ticket.summary
        return {"id": int(ticket.id), "key": ticket.key, "self": f"{self.base}/rest/agile/1.0/epic/{ticket.id}", "name": name,
                "summary": ticket.summary, "color": {"key": "color_1"}, "done": self.site.category(ticket) == "done"}  # fmt: skip

    def agile_issue(self, ticket: Ticket, fields: Collection[str], expand: Collection[str] = ()) -> Json:
        """As in the platform's interface, with the running sprint, those that are over, and the epic as objects."""
        shown = self.ticket(ticket, fields, expand)
        if "fields" not in shown:
            return shown
        sprints = [self.site.sprints[each] for each in ticket.sprints if each in self.site.sprints]
        current = next((each for each in sprints if each.state != "closed"), None)
        closed = [self.sprint(each, agile=True) for each in sprints if each.state == "closed"]
        epic = self.site.tickets.get(ticket.epic or "")
        more = {"sprint": self.sprint(current, agile=True) if current else None, "closedSprints": closed or None,
                "epic": self.epic(epic) if epic else None, "flagged": False}  # fmt: skip
        named = {name: value for name, value in more.items() if set(fields) & {"*all", "*navigable", name}}
        return {**shown, "fields": {**shown["fields"], **named}}
