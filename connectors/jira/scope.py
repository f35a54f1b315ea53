"""What of a site a source is about, as far as it can be seen now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from connectors.jira.client import Client, Json
from connectors.jira.values import mapping, one_line


@dataclass(frozen=True, slots=True)
class ProjectScope:
    """Projects, a filter, or both."""

    projects: Mapping[str, Json]  # by id: those the source is about; all that can be seen, where it has a filter alone
    chosen: bool  # whether they were chosen one by one
    filter: str
    unseen: tuple[str, ...] = ()  # keys of chosen projects that the account does not see

    @property
    def jql(self) -> str:
        """Empty when none of the projects can be seen."""
        if not self.chosen:
            return f"({self.filter})"
        if not self.projects:
            return ""
        inside = f"project in ({', '.join(sorted(self.projects, key=int))})"
        return f"{inside} AND ({self.filter})" if self.filter else inside

    def holds(self, issue: Json) -> bool:
        """Whether it lies in one of the projects. Where none were chosen, what can be seen does."""
        return not self.chosen or project_of(issue) in self.projects

    def among(self, client: Client, issues: Mapping[str, Json]) -> set[str]:
        """Which of these tickets belong to it; a filter is asked about them as they are now."""
        ids = {id for id, issue in issues.items() if self.holds(issue)}
        return client.matching(self.jql, ids) if self.filter and ids else ids


def project_of(issue: Json) -> str:
    return one_line(mapping(mapping(issue.get("fields")).get("project")).get("id"))
