"""The functions of JQL that stand for several values: people, issues, projects, versions, sprints.

https://support.atlassian.com/jira-software-cloud/docs/jql-functions/; functions of dates are in `dates.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from jira_simulator.jql.parse import JqlError, Value
from jira_simulator.model.records import Named, Project
from jira_simulator.model.store import NotOnSite, SiteStore
from jira_simulator.model.visibility import Caller, has_permission, sees_project, sees_ticket

SPRINT_STATES = {"opensprints": "active", "closedsprints": "closed", "futuresprints": "future"}
NAMES = {  # what autocompletion shows, and the type of what it gives
    "currentUser()": "User", "membersOf(\"\")": "User", "linkedIssues(\"\")": "Issue", "votedIssues()": "Issue",
    "watchedIssues()": "Issue", "issueHistory()": "Issue", "updatedBy(\"\")": "Issue", "projectsLeadByUser()": "Project",
    "projectsWhereUserHasRole(\"\")": "Project", "projectsWhereUserHasPermission(\"\")": "Project",
    "componentsLeadByUser()": "ProjectComponent", "releasedVersions()": "Version", "unreleasedVersions()": "Version",
    "latestReleasedVersion(\"\")": "Version", "earliestUnreleasedVersion(\"\")": "Version", "openSprints()": "Sprint",
    "closedSprints()": "Sprint", "futureSprints()": "Sprint", "standardIssueTypes()": "IssueType", "subtaskIssueTypes()": "IssueType",
}  # fmt: skip


class Functions:
    """Evaluates functions for one caller. Raises JqlError where an argument names nothing that is there."""

    def __init__(self, site: SiteStore, caller: Caller) -> None:
        self.site = site
        self.caller = caller

    def people(self, value: Value) -> Iterable[str]:
        match value.text.lower():
            case "currentuser":
                return (self.caller.account or "",)
            case "membersof":
                name = self._argument(value)
                for group in self.site.groups.values():
                    if name.lower() in (group.name.lower(), group.id):
                        return group.members
                raise JqlError("no group", name)
        raise JqlError("function", value.text)

    def issues(self, value: Value) -> Iterable[str]:
        site, caller = self.site, self.caller
        match value.text.lower():
            case "linkedissues":
                return self._linked(value)
            case "votedissues":
                return [each.id for each in site.tickets.values() if caller.account in each.voters]
            case "watchedissues":
                return [each.id for each in site.tickets.values() if caller.account in each.watchers]
            case "issuehistory":
                return []  # the simulator does not remember what was looked at
            case "updatedby":
                return self._updated_by(value)
        raise JqlError("function", value.text)

    def projects(self, value: Value) -> Iterable[str]:
        site, caller = self.site, self.caller
        visible = [each for each in site.projects.values() if sees_project(site, caller, each)]
        match value.text.lower():
            case "projectsleadbyuser":
                lead = self._someone(value)
                return [each.id for each in visible if each.lead == lead]
            case "projectswhereuserhasrole":
                role = self._argument(value)
                return [each.id for each in visible if caller.account in each.roles.get(role, frozenset())]
            case "projectswhereuserhaspermission":
                wanted = self._argument(value).upper().replace(" ", "_")
                return [each.id for each in visible if has_permission(site, caller, wanted, each)]
        raise JqlError("function", value.text)

    def named(self, kind: str, written: str, value: Value) -> Iterable[str]:
        """Functions of versions, components and issue types."""
        name = value.text.lower()
        if kind == "versions" and name in ("releasedversions", "unreleasedversions"):
            wanted = name == "releasedversions"
            return [each.id for each in self._versions(value) if bool(each.more.get("released")) == wanted]
        if kind == "versions" and name in ("latestreleasedversion", "earliestunreleasedversion"):
            wanted = name == "latestreleasedversion"
            self._argument(value)
            found = [each.id for each in self._versions(value) if bool(each.more.get("released")) == wanted]
            return found[-1:] if wanted else found[:1]
        if kind == "issuetypes" and name in ("standardissuetypes", "subtaskissuetypes"):
            wanted = name == "subtaskissuetypes"
            return [each.id for each in self.site.issuetypes.values() if (each.more.get("level", 0) < 0) == wanted]
        if kind == "components" and name == "componentsleadbyuser":
            lead = self._someone(value)
            return [each.id for each in self.site.components.values() if each.more.get("lead") == lead]
        raise JqlError("function" if not is_known(value.text) else "function for field", value.text, written)

    def sprints(self, value: Value) -> Iterable[int]:
        state = SPRINT_STATES.get(value.text.lower())
        if state is None:
            raise JqlError("function", value.text)
        return [each.id for each in self.site.sprints.values() if each.state == state]

    # ------------------------------------------------------------ arguments

    def _versions(self, value: Value) -> list[Named]:
        """Of the projects named, or of all; archived ones are left out."""
        homes = {self._project(value, each).id for each in value.arguments}
        seen = {each.id for each in self.site.projects.values() if sees_project(self.site, self.caller, each)}
        wanted = homes or seen
        return [
            each for each in self.site.versions.values() if each.more.get("project") in wanted and not each.more.get("archived")
        ]

    def _project(self, value: Value, name: str) -> Project:
        try:
            found = self.site.project(name)
        except NotOnSite:
            raise JqlError("function project", name, value.text) from None
        if not sees_project(self.site, self.caller, found):
            raise JqlError("function project", name, value.text)
        return found

    def _linked(self, value: Value) -> Iterable[str]:
        try:
            ticket = self.site.find(self._argument(value))
        except NotOnSite:
            raise JqlError("function issue", value.arguments[0], value.text) from None
        if not sees_ticket(self.site, self.caller, ticket):
            raise JqlError("function issue", value.arguments[0], value.text)
        words = {each.lower() for each in value.arguments[1:]}
        found = []
        for link in self.site.links_of(ticket):
            kind, is_source = self.site.link_types[link.type], link.source == ticket.id
            if not words or (kind.outward if is_source else kind.inward).lower() in words:
                found.append(link.target if is_source else link.source)
        return found

    def _updated_by(self, value: Value) -> Iterable[str]:
        """Whoever created, edited, commented or logged work."""
        try:
            account = self.site.user(self._argument(value)).account_id
        except NotOnSite:
            return []
        return [
            each.id
            for each in self.site.tickets.values()
            if account == each.creator
            or any(account == history.author for history in each.histories)
            or any(account in (comment.author, comment.updater) for comment in each.comments)
        ]

    def _someone(self, value: Value) -> str | None:
        if not value.arguments:
            return self.caller.account
        try:
            return self.site.user(value.arguments[0]).account_id
        except NotOnSite:
            return None

    @staticmethod
    def _argument(value: Value) -> str:
        if not value.arguments:
            raise JqlError("arguments", value.text)
        return value.arguments[0]


def is_known(name: str) -> bool:
    return name.lower() in {each.partition("(")[0].lower() for each in NAMES}
