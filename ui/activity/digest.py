"""What changed, in words, and as Markdown to hand on."""

from __future__ import annotations

from datetime import UTC, date, tzinfo

from tree.ask.snapshot.zones import name_of
from tree.browse.activity import FIRST_READ, HISTORY, Activity, Entry


def as_markdown(activity: Activity, first: date, last: date, branch: str = "", zone: tzinfo = UTC) -> str:
    """The digest to hand on; `branch` is the title of the one that it is of, if it is not of everything."""
    where = f" in {' '.join(branch.split())}" if branch else ""
    lines = [f"# What changed{where} from {readable(first)} to {readable(last)}", "", f"Times in {name_of(zone)}.", ""]
    for day, entries in activity.by_day().items():
        lines += [f"## {readable(day)}", ""]
        lines += [f"- {entry.at:%H:%M} {told(entry)} ({entry.source})" for entry in entries]
        lines.append("")
    if not activity.entries:
        lines += ["Nothing changed.", ""]
    if activity.known_since is not None:
        lines += [f"What changed before {readable(activity.known_since.date())} is not known.", ""]
    return "\n".join(lines)


def told(entry: Entry) -> str:
    if entry.how == HISTORY:
        return entry.words
    if entry.how == FIRST_READ:
        return f"{entry.words} read for the first time"
    times = f" {entry.times} times" if entry.times > 1 and entry.became == "changed" else ""
    return f"{entry.words} was {entry.became}{times}"


def readable(day: date) -> str:
    return day.strftime("%A, %-d %B %Y")
