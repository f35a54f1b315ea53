"""What every payload needs: addresses, times and texts, as one caller gets them in one version of the interface."""

from __future__ import annotations

import datetime as dt
import html
from dataclasses import dataclass
from typing import Any, Literal

from jira_simulator.adf import adf_of, wiki_of
from jira_simulator.model.clock import wire
from jira_simulator.model.records import (
    Body,
)
from jira_simulator.model.store import NotOnSite, SiteStore
from jira_simulator.model.visibility import Caller

Json = dict[str, Any]


@dataclass(frozen=True)
class BasePayloads:
    """For one caller, in one version of the interface and one personality."""

    site: SiteStore
    caller: Caller
    version: Literal["2", "3"] = "3"

    @property
    def base(self) -> str:
        return self.site.url + self.site.context

    @property
    def cloud(self) -> bool:
        return self.site.personality == "cloud"

    def url(self, path: str) -> str:
        return f"{self.base}/rest/api/{self.version}/{path}"

    def time(self, moment: dt.datetime | None) -> str | None:
        """In the caller's own zone, as Jira does."""
        zone = self.caller.user.zone if self.caller.user else self.site.clock.zone
        return None if moment is None else wire(moment, zone)

    def body(self, body: Body | None) -> Any:
        """ADF in version 3, wiki markup in version 2."""
        if body is None:
            return None
        return adf_of(body, self._person) if self.version == "3" else wiki_of(body)

    def rendered(self, body: Body | None) -> str:
        paragraphs = wiki_of(body).split("\n\n") if body else []
        return "\n".join(f"<p>{html.escape(each)}</p>" for each in paragraphs)

    def _person(self, name: str) -> tuple[str, str]:
        try:
            user = self.site.user(name)
        except NotOnSite:
            return name, name
        return user.account_id, user.display_name
