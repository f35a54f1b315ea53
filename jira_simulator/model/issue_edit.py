"""One edit while it is being put together: the fields that change, and what its history will say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from jira_simulator.adf import wiki_of
from jira_simulator.model.records import Body, Change, Named, Ticket
from jira_simulator.model.store import NotOnSite, SiteStore

NAMED = {"issuetype": "issuetypes", "status": "statuses", "priority": "priorities", "resolution": "resolutions"}
NAMED_LISTS = {
    "components": ("components", "Component"),
    "fix_versions": ("versions", "Fix Version"),
    "versions": ("versions", "Version"),
}
FIELD_IDS = {
    "fix_versions": "fixVersions", "due": "duedate", "original_estimate": "timeoriginalestimate",
    "remaining_estimate": "timeestimate",
}  # fmt: skip


class IssueEdit:
    """Collects changes of one ticket; `Site` saves them. Raises NotOnSite for what the site does not have."""

    def __init__(self, site: SiteStore, ticket: Ticket, *changes: Change) -> None:
        self.site = site
        self.ticket = ticket
        self.changes = list(changes)

    def set(self, name: str, value: Any) -> None:
        """Without a word in the history."""
        self.ticket = replace(self.ticket, **{name: value})

    def change(self, name: str, value: Any) -> None:
        """Changes a field as `Site.edit` names it."""
        match name:
            case "summary" | "due":
                self._note(name, value, getattr(self.ticket, name), value, ids=name == "due")
            case "description" | "environment":
                new = as_body(value)
                self._note(name, new, _plain(getattr(self.ticket, name)), _plain(new), ids=False)
            case "original_estimate" | "remaining_estimate":
                old = getattr(self.ticket, name)
                self._note(name, value, None if old is None else str(old), None if value is None else str(value))
            case "labels":
                self._note(name, tuple(value), " ".join(self.ticket.labels), " ".join(value), ids=False)
            case "status":
                self._change_status(value)
            case "issuetype" | "priority" | "resolution":
                self._change_named(name, value)
            case "assignee" | "reporter" | "creator":
                self._change_person(name, value)
            case "components" | "fix_versions" | "versions":
                self._change_list(name, value)
            case "parent" | "epic":
                self._change_parent(name, value)
            case "sprints":
                self._change_sprints(value)
            case "security":
                level, levels = self.ticket.security, self.site.levels
                wanted = self.site.level(value) if value else None
                names = (levels[level].name if level else None, wanted.name if wanted else None)
                self._note(name, wanted.id if wanted else None, *names)
            case "custom":
                for field_name, each in value.items():
                    self._change_custom(field_name, each)
            case _ if name.startswith("customfield_"):
                self._change_custom(name, value)
            case _:
                raise NotOnSite(f"A ticket has no field {name!r} that can be edited; see Site.edit.")

    def _note(self, name: str, value: Any, old_text: str | None, new_text: str | None, ids: bool = True) -> None:
        old = getattr(self.ticket, name)
        if old == value:
            return
        field_id = FIELD_IDS.get(name, name)
        self.set(name, value)
        pair = (old, value) if ids else (None, None)
        self.changes.append(Change(field_id, field_id, pair[0], old_text, pair[1], new_text))

    def _change_status(self, value: str) -> None:
        old, new = self.site.statuses[self.ticket.status], self.site.named("statuses", value)
        if old.id == new.id:
            return
        was_done, is_done = old.more["category"] == "done", new.more["category"] == "done"
        if old.more["category"] != new.more["category"]:
            self.set("status_changed", self.site.clock.now())
        if is_done and not was_done:
            self.set("resolved", self.site.clock.now())
            if self.ticket.resolution is None and self.site.has("resolutions", "Done"):
                self._change_named("resolution", "Done")
        if was_done and not is_done:
            self.set("resolved", None)
            self._change_named("resolution", None)
        self._note("status", new.id, old.name, new.name)

    def _change_named(self, name: str, value: str | None) -> None:
        things: dict[str, Named] = getattr(self.site, NAMED[name])
        old, new = getattr(self.ticket, name), self.site.named(NAMED[name], value) if value else None
        self._note(name, new.id if new else None, things[old].name if old else None, new.name if new else None)

    def _change_person(self, name: str, value: Any) -> None:
        old, new = self.site.users.get(getattr(self.ticket, name) or ""), self.site.user(value) if value else None
        names = (old.display_name if old else None, new.display_name if new else None)
        self._note(name, new.account_id if new else None, *names)

    def _change_list(self, name: str, value: Iterable[str]) -> None:
        """One item for each thing added or taken away, as Jira writes it."""
        kind, words = NAMED_LISTS[name]
        things: dict[str, Named] = getattr(self.site, kind)
        old, field_id = getattr(self.ticket, name), FIELD_IDS.get(name, name)
        new = tuple(self.site.named(kind, each, self.ticket.project).id for each in value)
        self.changes += [Change(words, field_id, each, things[each].name) for each in old if each not in new]
        self.changes += [Change(words, field_id, None, None, each, things[each].name) for each in new if each not in old]
        self.set(name, new)

    def _change_parent(self, name: str, value: Ticket | str | None) -> None:
        site = self.site
        old, new = site.tickets.get(getattr(self.ticket, name) or ""), site.find(value) if value else None
        if (old and old.id) == (new and new.id):
            return
        self.set(name, new.id if new else None)
        ends = (old.id if old else None, old.key if old else None, new.id if new else None, new.key if new else None)
        if name == "epic" and (site.personality == "dc" or not site.switches.cloud_parent_is_epic):
            self.changes.append(Change("Epic Link", site.epic_field, *ends, "custom"))
        else:
            self.changes.append(Change("Parent" if site.personality == "dc" else "IssueParentAssociation", "parent", *ends))

    def _change_sprints(self, value: Iterable[int | str]) -> None:
        old, new = self.ticket.sprints, tuple(self.site.sprint(each).id for each in value)
        if old == new:
            return
        self.set("sprints", new)
        ids = [", ".join(map(str, each)) for each in (old, new)]
        names = [", ".join(self.site.sprints[each].name for each in listed) for listed in (old, new)]
        self.changes.append(Change("Sprint", self.site.sprint_field, ids[0], names[0], ids[1], names[1], "custom"))

    def _change_custom(self, name: str, value: Any) -> None:
        fields = self.site.fields
        found = fields.get(name) or next((each for each in fields.values() if each.custom and each.name == name), None)
        if found is None:
            raise NotOnSite(f"There is no custom field {name!r} on this site; add_field adds one.")
        old = self.ticket.custom.get(found.id)
        if old == value:
            return
        self.set("custom", {**self.ticket.custom, found.id: value})
        self.changes.append(Change(found.name, found.id, None, _shown(old), None, _shown(value), "custom"))


def as_body(text: str | Mapping[str, Any] | Body | None) -> Body | None:
    """A text is wiki markup, a mapping is ADF."""
    if text is None or isinstance(text, Body):
        return text
    return Body(wiki=text) if isinstance(text, str) else Body(adf=text)


def _plain(body: Body | None) -> str | None:
    return None if body is None else wiki_of(body)


def _shown(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, Mapping):
        return str(value.get("value") or value.get("displayName") or value.get("name") or value)
    return ", ".join(str(_shown(each)) for each in value) if isinstance(value, list | tuple) else str(value)
