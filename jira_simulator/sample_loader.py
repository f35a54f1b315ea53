"""Loads a project that is written down as a story: tickets with what happened to them and when.

Everything that happened is done again through the site's own methods with its clock set to that time, so histories,
`created` and `updated` come out as Jira would have written them. The form of the file is described in the README.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from jira_simulator.site import Site
from jira_simulator.steps import Step, perform

SAMPLE = Path(__file__).parent / "sample"
MADE_WITH = ("key", "type", "summary", "by", "at", "history")


def load_sample(site: Site, folder: Path = SAMPLE) -> Site:
    """Fills the site from `project.yaml` in the folder and leaves its clock at the file's `now`."""
    data = read(folder / "project.yaml")
    zone = ZoneInfo(data["zone"])
    site.title, site.clock.zone, site.scenario_folder = data["title"], data["zone"], folder
    _people(site, data)
    _projects(site, data, zone)
    for name, given in data.get("filters", {}).items():
        site.add_filter(name, **given)
    stories = [each for path in sorted(folder.glob("tickets*.yaml")) for each in read(path)]
    events = [event for story in stories for event in _events(story, folder, zone)]
    events += [_linked(_moment(when, zone), *rest) for when, *rest in data.get("links", ())]
    for moment, step in sorted(events, key=lambda each: each[0]):
        site.clock.set(moment)
        perform(site, step)
    site.clock.set(_moment(data["now"], zone))
    return site


def load_script(folder: Path = SAMPLE, name: str = "day.yaml") -> list[Step]:
    """The steps of a scripted day, in order; `at` of each is a moment with its zone."""
    data = read(folder / name)
    zone = ZoneInfo(data["zone"])
    steps = [{**step, "at": _moment(f"{data['date']} {step['at']}", zone)} for step in data["steps"]]
    return sorted(steps, key=lambda each: each["at"])


def read(path: Path) -> Any:
    """A YAML file of the sample."""
    fastest = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is there where libyaml is
    return yaml.load(path.read_text(encoding="utf-8"), fastest)


def _people(site: Site, data: Mapping[str, Any]) -> None:
    for name, more in data["people"].items():
        given = {"name": ".".join(name.lower().split()), **(more or {})}
        site.add_user(name, f"{given['name']}@{data['domain']}", zone=data["zone"], **given)
    for name, members in data.get("levels", {}).items():
        site.add_level(name, members)
    for name, members in data.get("groups", {}).items():
        site.add_group(name, members)


def _projects(site: Site, data: Mapping[str, Any], zone: ZoneInfo) -> None:
    for kind in ("statuses", "issuetypes", "priorities", "resolutions"):
        for name, more in (data.get(kind) or {}).items():
            site.add_named(kind, name, **(more or {}))
    for name, kind in (data.get("fields") or {}).items():
        site.add_field(name, **kind)
    for key, given in data["projects"].items():
        roles = {role: frozenset(site.user(each).account_id for each in names) for role, names in given.get("roles", {}).items()}
        lead = site.user(given["lead"]).account_id
        project = site.add_project(key, given["name"], description=given.get("description", ""), lead=lead, roles=roles)
        for kind in ("components", "versions"):
            for name, more in (given.get(kind) or {}).items():
                site.add_named(kind, name, project=project.key, **(more or {}))
        if board := given.get("board"):
            made = site.add_board(board, project)
            for name, sprint in given.get("sprints", {}).items():
                times = {each: _moment(sprint[each], zone) for each in ("start", "end", "complete") if each in sprint}
                site.add_sprint(name, made, state=sprint["state"], goal=sprint.get("goal", ""), **times)


def _events(story: Mapping[str, Any], folder: Path, zone: ZoneInfo) -> Iterator[tuple[dt.datetime, Step]]:
    """A ticket's story as steps, each with its time."""
    key = story["key"]
    fields = {name: value for name, value in story.items() if name not in MADE_WITH}
    start = _moment(story["at"], zone)
    made: dict[str, Any] = {"do": "create", "project": key.rpartition("-")[0], "key": key, "summary": story["summary"],
                            "issuetype": story["type"], "by": story["by"], **_days_written(fields)}  # fmt: skip
    yield start, made
    for number, entry in enumerate(story.get("history", ())):
        moment = _moment(entry["at"], zone) + dt.timedelta(milliseconds=137 * (number + 1))
        rest = _days_written({name: value for name, value in entry.items() if name != "at"})
        if "comment" in rest:
            step = {"do": "comment", "ticket": key, "text": rest.pop("comment"), **rest}
        elif "file" in rest:
            name = rest.pop("file")
            content = (folder / "files" / name).read_bytes()
            step = {"do": "attach", "ticket": key, "filename": name, "content": content, **rest}
        elif "do" in rest:
            step = {"ticket": key, **rest}
        else:
            step = {"do": "edit", "ticket": key, **rest}
        yield moment, step


def _days_written(fields: Mapping[str, Any]) -> dict[str, Any]:
    """With days as Jira writes them: YAML reads one without quotes as a date."""
    return {name: value.isoformat() if isinstance(value, dt.date) else value for name, value in fields.items()}


def _linked(moment: dt.datetime, author: str, ticket: str, kind: str, target: str) -> tuple[dt.datetime, Step]:
    return moment, {"do": "link", "ticket": ticket, "kind": kind, "target": target, "by": author}


def _moment(written: str | dt.datetime | dt.date, zone: ZoneInfo) -> dt.datetime:
    if isinstance(written, dt.datetime):
        return written if written.tzinfo else written.replace(tzinfo=zone)
    return dt.datetime.fromisoformat(str(written)).replace(tzinfo=zone)
