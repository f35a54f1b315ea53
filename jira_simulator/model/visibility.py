"""Who sees what: projects, tickets and comments, for one caller."""

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
