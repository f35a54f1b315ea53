"""Who is on duty at a time that the rota does not reach: which time it has, in place of the rows that are near."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from prompts.extractive import as_text
from prompts.language import terms
from prompts.written_days import days_named, monday_near
from tree.ask.direct.rota import RotaRow, called_by, is_said, last_day, read_rota
from tree.ask.direct.rota_question import WEEK, RotaQuestion
from tree.ask.facts.table_rows import rows_of_tables
from tree.ask.facts.told_facts import FactCitations
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView
from tree.ask.snapshot.trail import Step
from tree.retrieve.collections import Table

LOOKED_AT = 20  # leaves, the most promising, that may speak of the time as well
LAST = date(9998, 12, 31)  # days are reckoned on from it
_DAY_AND_MONTH = "%-d %B"


def tell_rota_end(snapshot: Snapshot, text: str, tables: Sequence[Table], asked: RotaQuestion) -> DirectAnswer | None:
    """`text`: of the question; `tables`: those that are called by what it asks about, none of which has a row that holds then. None
    where not just one of them is a rota, where the time is between its rows, and where another text speaks of that time."""
    day = monday_near(asked.week, asked.day) if asked.week else asked.day
    if day is None or day > LAST or len(rotas := _rotas(snapshot, tables, asked)) != 1:
        return None
    [(rows, usual)] = rotas
    first, last = rows[0], rows[-1]
    ends = last_day(last, usual)
    if first.day <= day <= ends:
        return None  # what is between its rows, or has one that is not understood
    view = SnapshotView.of(snapshot, text)
    if any(_speaks_of(leaf, day, asked, last.first.place) for leaf in view.open_leaves(view.best_nodes(LOOKED_AT))):
        return None
    cited = FactCitations(snapshot.store, snapshot.version).cite([last.first])
    if last.first.place not in cited:
        return None
    node, _ = cited[last.first.place]
    wanted = f"week {asked.week}" if asked.week else f"{asked.day:{_DAY_AND_MONTH} %Y}"
    weeks = f"weeks {first.week} to {last.week}, " if first.week and last.week else ""
    told = f"The rota “{as_text(node.title)}” has {weeks}{first.day:{_DAY_AND_MONTH} %Y} to {ends:{_DAY_AND_MONTH} %Y}, and nothing for {wanted}."
    step = Step("register", node.place, node.hash, node.title, reason=f"This rota has no row for {wanted}.")
    return DirectAnswer(step, (Line(told),), "none")


def _rotas(snapshot: Snapshot, tables: Sequence[Table], asked: RotaQuestion) -> list[tuple[list[RotaRow], int]]:
    """Those of what is asked about, by all words for it."""
    found = []
    for _, lines in rows_of_tables(snapshot.index.facts(snapshot.scope), tables):
        rows, usual = read_rota(lines, asked.day, tuple(dict.fromkeys(name for cells in lines for name in cells)))
        if rows and all(is_said(word, called.page) for called in called_by(snapshot, rows[:1]) for word in asked.words):
            found.append((rows, usual))
    return found


def _speaks_of(opened: OpenedLeaf, day: date, asked: RotaQuestion, rota: str) -> bool:
    """Whether a line names that week, or a day of it, and it or its headings a word of what is asked about; no row at the place of the rota
    itself, which may hand over on that day."""
    monday, leaf = day - timedelta(days=day.weekday()), opened.text
    headings = " ".join(leaf.heading)
    own = "|" if opened.node.place == rota else "\n"
    return any(
        any(is_said(word, set(terms(f"{headings} {said}"))) for word in asked.words)
        for said in leaf.text.splitlines()
        if not said.startswith(own)
        if any(monday <= one < monday + timedelta(days=7) for one in days_named(said, day))
        or any(int(match["number"]) == asked.week for match in WEEK.finditer(said))
    )
