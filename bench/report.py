"""Keeps the figures of the last runs, and writes them into docs/measurements.md between two markers."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.answer_words import answers_in_words, answers_of_question_sets
from bench.speed_table import LINES, cell

BEGIN, END = "<!-- figures: begin (python -m bench report) -->", "<!-- figures: end -->"
BESIDE_CHANGES = ("sync", "killed", "could not", "a drop", "an admin")  # what a history counts that is no change outside
FIGURES = Path(__file__).parent / "figures.json"  # of the last runs that were kept


def run(options: argparse.Namespace) -> int:
    path = options.figures or (options.out or FIGURES.parent) / "figures.json"
    if not path.exists():
        raise SystemExit(f"There are no figures in {path}. Run the other commands with --out first.")
    figures = json.loads(path.read_text())
    text = options.into.read_text(encoding="utf-8") if options.into.exists() else ""
    if BEGIN not in text or END not in text:
        raise SystemExit(f"{options.into} has no place for figures. Put these two lines into it:\n{BEGIN}\n{END}")
    before, _, rest = text.partition(BEGIN)
    known, _, after = rest.partition(END)
    parts = _known_parts(known) | {name: _written(name, found) for name, found in figures.items() if name in PARTS}
    told = "\n\n".join(f"{_mark(name)}\n\n{parts[name]}" for name in PARTS if name in parts)
    options.into.write_text(f"{before}{BEGIN}\n\n{told}\n\n{END}{after}", encoding="utf-8")
    print(f"Wrote the figures of {', '.join(figures)} into {options.into}.")
    return 0


def _mark(name: str) -> str:
    return f"<!-- figures of {name} -->"


def _known_parts(text: str) -> dict[str, str]:
    """The parts of the page as it is, by name: those of which there are no new figures stay."""
    found = re.split(r"<!-- figures of (\w+) -->", text)
    return {name: part.strip() for name, part in zip(found[1::2], found[2::2], strict=True)}


def store_run(folder: Path, name: str, report: dict[str, Any]) -> None:
    """Puts the figures of one command beside those of the others."""
    path = folder / "figures.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    short = report | ({"types": {}} if "types" in report else {})
    path.write_text(json.dumps(known | {name: short}, indent=1))


def section(figures: dict[str, Any]) -> str:
    """The paragraphs and tables of the page of figures, from the figures alone."""
    return "\n\n".join(_written(name, figures[name]) for name in PARTS if name in figures)


def _written(name: str, figures: dict[str, Any]) -> str:
    return "\n".join([f"### {TITLES[name]}", "", *PARTS[name](figures)])


# ---------------------------------------------------------------- in words


def _quality(report: dict[str, Any]) -> Iterator[str]:
    overall, settings = report["overall"], report["settings"]
    yield (
        f"**Finding the place.** {overall['sets']} public question sets, {settings['leaves']} leaves read for each question, no language "
        f"model. Weights were chosen on one half of the questions; these are the other half. Hit: at least one passage of the evidence was "
        f"read. Recall: the share of the evidence that was read. Flat search (BM25) reads as many of the same leaves."
    )
    yield ""
    yield "| set | questions | flat hit / recall | walk hit / recall | recall gained [95 %] | summaries alone | share of the corpus read |"
    yield "|---|---|---|---|---|---|---|"
    for name, one in report["sets"].items():
        if one["hit"]:
            yield f"| {name} | {one['questions']} | {_found(one, 'flat')} | {_found(one, 'walk')} | {_gain(one['recall_gain'].get('flat'))} | {_found(one, 'greedy')} | {_percent(one['share_read'])} |"
    yield f"| **mean** | | {_found(overall, 'flat')} | {_found(overall, 'walk')} | {_gain(overall['recall_gain'].get('flat'))} | {_found(overall, 'greedy')} | |"
    yield ""
    yield (
        f"Hit gained over flat search: {_gain(overall['hit_gain'].get('flat'))} points. Questions about something else entirely get “none” "
        f"in {_percent(overall['foreign_none'])} of cases, answerable ones in {_percent(overall['own_none'])}, and those of which "
        f"evidence was read in {_percent(overall.get('read_none'))}."
    )
    if report.get("answers"):
        yield ""
        yield from answers_of_question_sets(report["answers"])


def _change(report: dict[str, Any]) -> Iterator[str]:
    yield "**What a change costs.** Summaries written anew (mean / worst), and the fewest any tree of this shape could do with, without a natural hierarchy."
    yield ""
    rows = [row for row in report["rows"] if not row["natural"]]
    kinds = [
        kind
        for kind in ("build", "edit", "insert", "delete", "touch", "50 edits in one batch")
        if any(row["change"] == kind for row in rows)
    ]
    yield "| leaves | depth | " + " | ".join(kinds) + " |"
    yield "|---" * (len(kinds) + 2) + "|"
    for leaves in dict.fromkeys(row["leaves"] for row in rows):
        of_size = {row["change"]: row for row in rows if row["leaves"] == leaves}
        depth = next(iter(of_size.values()))["depth"]
        yield f"| {leaves:,} | {depth} | " + " | ".join(_cost(of_size.get(kind)) for kind in kinds) + " |"
    yield ""
    yield "Published systems on the same work: " + "; ".join(f"{name}, {words}" for name, words in report["peers"]) + "."


def _cost(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    word = "expected" if "edits" in row["change"] else "least"  # where changes fall by chance, so does what is above them
    least = f" ({word} {row['bound']:.0f})" if row["bound"] else ""
    return f"{row['summaries']:.1f} / {row['worst']}{least}" if row["summaries"] != row["worst"] else f"{row['worst']}{least}"


def _truth(report: dict[str, Any]) -> Iterator[str]:
    events = report["events"]
    changes = sum(count for name, count in events.items() if not name.startswith(BESIDE_CHANGES))
    races = sum(count for name, count in events.items() if name.startswith("sync in a race"))
    what = "tickets on a Jira simulator" if report.get("world") == "jira" else "real files"
    yield (
        f"**Truth under change.** {report['histories']} random histories with {changes} changes to {what}, "
        f"{events.get('killed in the middle', 0)} syncs killed in the middle, {races} races of several, "
        f"{events.get('a drop that an admin was asked about', 0)} drops that an admin was asked about and "
        f"{events.get('could not reach it', 0)} times that nothing could be reached: {len(report['failures'])} failures. After every "
        f"step the tree equals one made from nothing, every word present is found, every word removed is gone from leaves, records, "
        f"index and answers, and nothing was read twice."
    )


def _several(report: dict[str, Any]) -> Iterator[str]:
    events = report["events"]
    yield (
        f"**Truth with several of everything.** {report['histories']} random histories (`python -m bench truth --world several "
        f"--runs {report['histories']} --seed {report['seed']}`) of two folders, PDFs and a Jira that share texts, followed by a "
        f"worker beside other processes: {events.get('killed at a commit point', 0) + events.get('workers killed', 0)} processes "
        f"killed at a commit point, {events.get('steps with a fault', 0)} steps with a site, a drive or files that failed, "
        f"{events.get('lose the index', 0)} lost indexes, {events.get('questions answered meanwhile', 0):,} questions answered "
        f"meanwhile: {len(report['failures'])} failures. After every step each tree equals one made from nothing, nothing refers to "
        f"what is not there, the index is a fresh one, and no question and no sync had failed but for a fault."
    )


def _commits(report: dict[str, Any]) -> Iterator[str]:
    events = report["events"]
    counts = ", ".join(f"{count} in a {name.partition(':')[0]}" for name, count in events.items())
    yield (
        f"**Killed at every commit point.** {report['histories']} pieces of work (`python -m bench truth --world commits`), each done "
        f"again and again on the same data folder and killed at its next commit point, {sum(events.values())} kills: "
        f"{counts}. "
        f"{len(report['failures'])} failures."
    )


def _soak(report: dict[str, Any]) -> Iterator[str]:
    events = report["events"]
    yield (
        f"**{len(report['minutes'])} minutes of the real app** (`python -m bench soak`): {events.get('changes', 0):,} changes in three "
        f"sources, {events.get('questions answered', 0):,} questions of two people and {events.get('kills', 0)} times `kill -9`: "
        f"{report['failure'] or 'nothing was lost, and no question failed'}."
    )


def _jira(report: dict[str, Any]) -> Iterator[str]:
    reading, settings = report["reading"], report["settings"]
    yield (
        f"**Tickets.** {reading['tickets']:,} tickets of a Jira Cloud (the simulator) are read in {reading['first_seconds']:.0f} s with "
        f"{reading['first_requests']:,} requests, of which those for attached files are one each; they make {reading['leaves']:,} leaves, "
        f"{reading['nodes']:,} nodes, {reading['depth']} levels. Looking at everything again costs {reading['again_requests']} requests. "
        f"While {settings['chats']} chats ask one question after the other, an edit can be found "
        f"{_lag(report['webhook'])} by webhook, and {_lag(report['poll'])} where Jira is asked every {settings['poll_seconds']:g} s "
        f"(half of the edits / all but one in twenty; {report['poll']['edits']} edits each, none lost)."
        if not report["webhook"]["lost"] + report["poll"]["lost"]
        else f"**Tickets.** {report['webhook']['lost'] + report['poll']['lost']} edits were lost: see the bench's own report."
    )


def _lag(lags: dict[str, Any]) -> str:
    return f"{lags['p50']:.1f} / {lags['p95']:.1f} s after it was made"


def _speed(report: dict[str, Any]) -> Iterator[str]:
    """A row for each figure, a column for each size."""
    rows = report["rows"]
    yield (
        f"**Speed and size** on {report['processors']} processors, times as p50 / p95, text made from a seed unless named. Beside it a plain "
        f"full-text index of the same text in the same run. A session is what a browser tab asks of the server, the status line included."
    )
    yield ""
    yield "| | " + " | ".join(row["name"] or f"{row['leaves']:,} leaves" for row in rows) + " |"
    yield "|---" * (len(rows) + 1) + "|"
    for name, write in LINES:
        yield f"| {name.strip()} | " + " | ".join(cell(write, row) for row in rows) + " |"
    for step in report["growth"]:
        yield ""
        grown = ", ".join(f"{name} ×{value:.1f}" for name, value in step["times"].items())
        yield f"From {step['from']:,} to {step['to']:,} leaves: {grown}."


def _found(one: dict[str, Any], method: str) -> str:
    return f"{one['hit'][method] * 100:.1f} / {one['recall'][method] * 100:.1f}" if method in one["hit"] else "–"


def _gain(gain: list[float] | None) -> str:
    return f"{gain[0] * 100:+.1f} [{gain[1] * 100:+.1f}, {gain[2] * 100:+.1f}]" if gain else "–"


def _percent(share: float | None) -> str:
    return "–" if share is None or share != share else f"{share * 100:.1f} %"


PARTS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "answers": answers_in_words,
    "quality": _quality,
    "change": _change,
    "truth": _truth,
    "truth_jira": _truth,
    "truth_several": _several,
    "truth_commits": _commits,
    "soak": _soak,
    "jira": _jira,
    "speed": _speed,
}
TITLES = {
    "answers": "Answers",
    "quality": "Evidence found",
    "change": "What a change costs",
    "truth": "Truth under change",
    "truth_jira": "Truth under change of tickets",
    "truth_several": "Truth with several of everything",
    "truth_commits": "Killed at every commit point",
    "soak": "The real app, killed every minute",
    "jira": "Tickets",
    "speed": "Speed and size",
}  # headings of the parts: docs/figures.md links to them
