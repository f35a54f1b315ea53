"""Tickets as rows of a test, and the site that has them."""

from __future__ import annotations

from dataclasses import dataclass, field

from connectors.base import Batch, Document, Fact, Reference, Section
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.reading import open_folder

GWY = (
    ("GWY-1", "Gate scanner freezes", "Bug", "In Progress", "Maren Oduya", "High", "Turnstile", "2026-05-03", ""),
    ("GWY-2", "Wrong tide table", "Bug", "Done", "Maren Oduya", "High", "Tide Store", "2026-05-04", "2026-05-20"),
    ("GWY-3", "Gate opens twice", "Bug", "To Do", "Tomas Reyl", "Low", "Turnstile", "2026-05-05", ""),
    ("GWY-4", "Tide store is slow", "Bug", "To Do", "", "High", "Tide Store", "2026-06-05", ""),
    ("GWY-5", "Show the berth", "Story", "To Do", "Tomas Reyl", "Low", "", "2026-06-07", ""),
)
OTHER = (("OPS-1", "Pump leaks", "Bug", "To Do", "Ines Falk", "High", "Pumps", "2026-05-07", ""),)


@dataclass
class Tickets:
    """A connector that yields tickets as rows of a test."""

    rows: list[tuple[str, ...]] = field(default_factory=list)

    def fetch(self, checkpoint, hints=None):
        yield Batch(tuple(self._document(number, *row) for number, row in enumerate(self.rows)))

    def _document(self, number, key, title, kind, status, assignee, priority, component, created, resolved, due=""):
        said = {"key": key, "type": kind, "status": status, "assignee": assignee, "priority": priority, "component": component,
                "created": created, "resolved": resolved, "category": "Done" if resolved else "To Do", "updated": created, "due": due}  # fmt: skip
        subject = Reference("ticket", key, f"{key} {title}")
        objects = {"assignee": "person", "component": "component"}
        facts = tuple(
            Fact(
                subject,
                name,
                value,
                Reference(objects[name], value, value) if name in objects else None,
                quote=f"- {name}: {value}",
            )
            for name, value in said.items()
            if value
        )
        text = "\n".join(f"- {name}: {value}" for name, value in said.items() if value)
        return Document(
            str(number),
            f"{key} {title}",
            (),
            (Section(text),),
            repr((key, status, assignee, priority)),
            kind="ticket",
            aliases=(key,),
            facts=facts,
        )

    def census(self):
        return (str(number) for number in range(len(self.rows)))

    def close(self):
        pass


TEAMS = """# Teams

| Component | Owning team | Lead |
| --- | --- | --- |
| Turnstile | Team Quay | Solveig Marsh |
| Tide Store | Team Shore | Petra Lund |
"""


def open_site(root) -> Following:
    """The tickets, and a folder that says which team owns what."""
    following = Following(root)
    following.tickets = Tickets(list(GWY))
    following.sync(connector=following.tickets)
    following.people = following.sources.add("folder", "People", {"path": str(following.folder)})
    following.write("teams.md", TEAMS)
    sync(following.workspace, following.sources, following.people, None, connector=open_folder(**following.people.config))
    return following
