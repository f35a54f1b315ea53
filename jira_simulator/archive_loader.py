"""Loads tickets from files of REST bodies: one ticket a line, as `GET /issue` shows it, gzipped.

Such as https://github.com/tidev/jira-archive (Data Center, wiki markup, no changelog). The same tickets' texts in ADF may
come from a second file: `{"key", "description", "environment", "comments": {id: ADF}}` a line.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jira_simulator.model.records import Attachment, Body, Comment, Link, LinkType, Named, Project, Sprint, Ticket, User
from jira_simulator.site import Site

Json = Mapping[str, Any]
CATALOGUES = ("statuses", "issuetypes", "priorities", "resolutions", "components", "versions")


def load_archive(site: Site, path: Path, adf: Path | None = None) -> Site:
    """Adds the tickets of the file and leaves the clock a day after the last change of them."""
    if not site.tickets:
        for kind in (*CATALOGUES, "link_types"):
            getattr(site, kind).clear()
    texts = {row["key"]: row for row in _rows(adf)} if adf else {}
    for row in _rows(path):
        site.put(_ticket(site, row, texts.get(row["key"], {})))
        for link in row["fields"].get("issuelinks") or ():
            _link(site, row["id"], link)
    last = max((each.updated for each in site.tickets.values()), default=site.clock.now())
    site.clock.set(last + dt.timedelta(days=1))
    return site


def _rows(path: Path) -> Iterable[Any]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _ticket(site: Site, row: Json, texts: Json) -> Ticket:
    given = row["fields"]
    project = _project(site, given["project"])
    kinds = {"level": -1 if given["issuetype"].get("subtask") else 1 if given["issuetype"]["name"] == "Epic" else 0}
    status = given["status"]
    site.reserve("ticket", int(row["id"]))
    return Ticket(
        id=row["id"],
        key=row["key"],
        project=project.id,
        summary=given["summary"],
        created=_moment(given["created"]),
        updated=_moment(given["updated"]),
        issuetype=_named(site, "issuetypes", given["issuetype"], **kinds),
        status=_named(site, "statuses", status, category=status["statusCategory"]["key"]),
        priority=_maybe(site, "priorities", given.get("priority")),
        resolution=_maybe(site, "resolutions", given.get("resolution")),
        resolved=_moment(given["resolutiondate"]) if given.get("resolutiondate") else None,
        status_changed=_moment(given["resolutiondate"]) if given.get("resolutiondate") else None,
        description=_body(given.get("description"), texts.get("description")),
        environment=_body(given.get("environment"), texts.get("environment")),
        creator=_person(site, given.get("creator")),
        reporter=_person(site, given.get("reporter")),
        assignee=_person(site, given.get("assignee")),
        labels=tuple(given.get("labels") or ()),
        components=tuple(_named(site, "components", each, project=project.id) for each in given.get("components") or ()),
        fix_versions=tuple(_version(site, project, each) for each in given.get("fixVersions") or ()),
        versions=tuple(_version(site, project, each) for each in given.get("versions") or ()),
        parent=given["parent"]["id"] if given.get("parent") else None,
        epic=str(given["epic"]["id"]) if given.get("epic") else None,
        sprints=tuple(_sprint(site, project, each) for each in given.get("closedSprints") or ()),
        comments=tuple(_comments(site, given.get("comment") or {}, texts.get("comments") or {})),
        attachments=tuple(_attachment(site, each) for each in given.get("attachment") or ()),
    )


def _project(site: Site, given: Json) -> Project:
    if given["id"] not in site.projects:
        site.add_project(given["key"], given["name"], given["id"])
        site.reserve("project", int(given["id"]))
    return site.projects[given["id"]]


def _named(site: Site, kind: str, given: Json, **more: Any) -> str:
    things: dict[str, Named] = getattr(site, kind)
    if given["id"] not in things:
        things[given["id"]] = Named(given["id"], given["name"], given.get("description") or "", more)
        site.reserve(kind, int(given["id"]))
    return str(given["id"])


def _maybe(site: Site, kind: str, given: Json | None) -> str | None:
    return _named(site, kind, given) if given else None


def _version(site: Site, project: Project, given: Json) -> str:
    more = {"project": project.id, "archived": given.get("archived", False), "released": given.get("released", False)}
    return _named(site, "versions", given, **more, release_date=given.get("releaseDate"))


def _person(site: Site, given: Json | None) -> str | None:
    """Archives name people as Data Center does; Cloud gets an account id made of that name."""
    if not given:
        return None
    name = given.get("name") or given["displayName"]
    account = f"557058:{name}"
    if account not in site.users:
        zone, active = given.get("timeZone") or "Etc/UTC", bool(given.get("active", True))
        key = given.get("key") or name
        site.users[account] = User(account, name, given["displayName"], f"{name}@example.com", key, zone, active)
    return account


def _sprint(site: Site, project: Project, given: Json) -> int:
    board = given.get("originBoardId") or 1
    if board not in site.boards:
        site.reserve("board", board - 1)
        site.add_board(f"{project.key} board", project)
    if given["id"] not in site.sprints:
        times = {name: _moment(given[key]) for name, key in TIMES.items() if given.get(key)}
        site.sprints[given["id"]] = Sprint(
            given["id"], given["name"], board, given["state"], goal=given.get("goal") or "", **times
        )
        site.reserve("sprint", given["id"])
    return int(given["id"])


TIMES = {"start": "startDate", "end": "endDate", "complete": "completeDate"}


def _comments(site: Site, given: Json, texts: Json) -> Iterable[Comment]:
    """Where the total is above what can be seen, hidden comments make up the difference."""
    listed = given.get("comments") or []
    for each in listed:
        author, created = _person(site, each.get("author")), _moment(each["created"])
        site.reserve("comment", int(each["id"]))
        role = (each.get("visibility") or {}).get("value")
        yield Comment(
            each["id"], author, _body(each.get("body"), texts.get(each["id"])), created, _moment(each.get("updated") or each["created"]),
            _person(site, each.get("updateAuthor")) or author, role,
        )  # fmt: skip
    for _ in range((given.get("total") or 0) - len(listed)):
        now = _moment(listed[-1]["created"]) if listed else site.clock.now()
        yield Comment(f"hidden-{site.next_id('hidden comment', 1)}", None, Body(""), now, now, hidden=True)


def _attachment(site: Site, given: Json) -> Attachment:
    site.reserve("attachment", int(given["id"]))
    return Attachment(
        given["id"], given["filename"], given.get("mimeType") or "application/octet-stream", given.get("size") or 0,
        _moment(given["created"]), _person(site, given.get("author")),
    )  # fmt: skip


def _link(site: Site, ticket_id: str, given: Json) -> None:
    """The same link stands in both of its tickets, if both are in the file; else its other end stays outside."""
    kind = given["type"]
    site.link_types.setdefault(kind["id"], LinkType(kind["id"], kind["name"], kind["inward"], kind["outward"]))
    other = given.get("outwardIssue") or given.get("inwardIssue")
    if not other:
        return
    ends = (ticket_id, other["id"]) if "outwardIssue" in given else (other["id"], ticket_id)
    if given["id"] not in site.links:
        site.put_link(Link(given["id"], kind["id"], *ends))
        site.reserve("link", int(given["id"]))
    site.outside.setdefault(other["id"], dict(other))


def _body(wiki: str | None, adf: Json | None) -> Body | None:
    return None if wiki is None and adf is None else Body(wiki, adf)


def _moment(written: str) -> dt.datetime:
    return dt.datetime.fromisoformat(written)
