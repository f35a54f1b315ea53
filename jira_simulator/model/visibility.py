"""Who sees and who may do what: projects, tickets and comments, for one caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jira_simulator.model.records import Comment, Project, Ticket, User
from jira_simulator.model.store import SiteStore

Credentials = Literal["none", "basic", "bearer"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking. `refused`: credentials were sent and not believed, and the caller is served as anonymous."""

    user: User | None = None
    credentials: Credentials = "none"
    refused: bool = False
    gateway: bool = False

    @property
    def account(self) -> str | None:
        return self.user.account_id if self.user else None


def sees_project(site: SiteStore, caller: Caller, project: Project) -> bool:
    if project.hidden:
        return False
    if caller.user is None:
        return project.public
    return project.browsers is None or caller.account in project.browsers


def sees_ticket(site: SiteStore, caller: Caller, ticket: Ticket) -> bool:
    if ticket.hidden or not sees_project(site, caller, site.projects[ticket.project]):
        return False
    return ticket.security is None or caller.account in site.levels[ticket.security].members


def sees_comment(site: SiteStore, caller: Caller, ticket: Ticket, comment: Comment) -> bool:
    if comment.hidden or (comment.internal and caller.user is None):
        return False
    return comment.role is None or caller.account in site.projects[ticket.project].roles.get(comment.role, frozenset())


def visible_comments(site: SiteStore, caller: Caller, ticket: Ticket) -> list[Comment]:
    return [each for each in ticket.comments if sees_comment(site, caller, ticket, each)]


ADMINISTRATORS = ("jira-administrators", "site-admins", "administrators")  # groups whose members administer the site
GLOBAL = {
    "ADMINISTER",
    "SYSTEM_ADMIN",
    "USER_PICKER",
    "BULK_CHANGE",
    "CREATE_SHARED_OBJECTS",
    "MANAGE_GROUP_FILTER_SUBSCRIPTIONS",
}
ADMIN_ONLY = {"ADMINISTER", "SYSTEM_ADMIN"}
PROJECT_PERMISSIONS = (
    "ADMINISTER_PROJECTS", "BROWSE_PROJECTS", "VIEW_DEV_TOOLS", "VIEW_READONLY_WORKFLOW", "MANAGE_SPRINTS_PERMISSION",
    "ASSIGNABLE_USER", "ASSIGN_ISSUES", "CLOSE_ISSUES", "CREATE_ISSUES", "DELETE_ISSUES", "EDIT_ISSUES", "LINK_ISSUES",
    "MODIFY_REPORTER", "MOVE_ISSUES", "RESOLVE_ISSUES", "SCHEDULE_ISSUES", "SET_ISSUE_SECURITY", "TRANSITION_ISSUES",
    "MANAGE_WATCHERS", "VIEW_VOTERS_AND_WATCHERS", "ADD_COMMENTS", "DELETE_ALL_COMMENTS", "DELETE_OWN_COMMENTS",
    "EDIT_ALL_COMMENTS", "EDIT_OWN_COMMENTS", "CREATE_ATTACHMENTS", "DELETE_ALL_ATTACHMENTS", "DELETE_OWN_ATTACHMENTS",
    "DELETE_ALL_WORKLOGS", "DELETE_OWN_WORKLOGS", "EDIT_ALL_WORKLOGS", "EDIT_OWN_WORKLOGS", "WORK_ON_ISSUES",
)  # fmt: skip


def administers(site: SiteStore, caller: Caller) -> bool:
    """Whether the caller may administer the site. A site without such a group is administered by whoever is signed in."""
    if caller.user is None:
        return False
    groups = [each for each in site.groups.values() if each.name in ADMINISTRATORS]
    return not groups or any(caller.account in each.members for each in groups)


def has_permission(site: SiteStore, caller: Caller, permission: str, project: Project | None = None) -> bool:
    """A permission of the site or, with a project, of that project. Without one: in any project."""
    if permission in GLOBAL:
        return administers(site, caller) if permission in ADMIN_ONLY else caller.user is not None
    if project is None:
        return any(has_permission(site, caller, permission, each) for each in site.projects.values())
    if not sees_project(site, caller, project):
        return False
    if permission == "BROWSE_PROJECTS":
        return True
    if caller.user is None:
        return False
    if permission in project.permissions:
        return caller.account in project.permissions[permission]
    if permission == "ADMINISTER_PROJECTS":
        leads = project.roles.get("Administrators", frozenset()) | {project.lead}
        return caller.account in leads or administers(site, caller)
    return True
