"""A turn as it is drawn, whether it is being answered or remembered: one function makes it for both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from prompts.model.citing import UNSUPPORTED
from prompts.model.reader import CUT_SHORT, WITHOUT
from tree.store.models import Turn
from ui.chat.citation_status import Standing
from ui.chat.ticket_view import ticket_of
from ui.server.background_answers import Run
from ui.shared import trail, usage
from ui.shared.markup import answer_html, bare

VERDICTS = {"complete": "Answered", "partial": "Partly answered", "none": "No answer found"}
OUT_OF_DATE, BROKEN_OFF = "Out of date", "Broken off"
STATES = {"edited": "edited since", "removed": "removed since"}
MOST_CITATIONS = 100  # numbers that are drawn as citations while an answer is being written
HINT = 300  # characters of a quote shown on hover
CHANGED = {
    ("edited",): "A passage this answer rests on was edited since. Ask again for what holds now.",
    ("removed",): "A passage this answer rests on was removed since. Ask again for what holds now.",
    ("edited", "removed"): "Passages this answer rests on were edited or removed since. Ask again for what holds now.",
}


def view(turn: Turn, run: Run | None, standings: Sequence[Standing]) -> dict[str, Any]:
    """What ui/shared/frontend/turn.js draws. `standings` belong to the answer's citations, one each, in order."""
    answer = turn.answer or (run.answer if run is not None and run.ended.is_set() else None)
    running = turn.state == "running" and answer is None
    steps = (answer or {}).get("trail") or (list(run.steps) if run else turn.steps)
    took = (answer or {}).get("usage", {})
    data: dict[str, Any] = {
        "running": running,
        "steps": trail.rows(steps) if answer is None else [],
        "summary": trail.summary(steps, took.get("seconds"), usage.model_of(took)),
        "doing": _doing(run, steps),
        "html": "",
        "copy": "",
        "verdict": "",
        "verdict_words": "",
        "as_of": None,
        "version": 0,
        "coverage": "",
        "unreadable": "",
        "aged": "",
        "usage": "",
        "usage_hint": "",
        "cut": False,
        "notes": [],
        "citations": [],
        "closest": [],
    }
    if answer is not None:
        data |= _answered(answer, standings)
    elif run is not None and run.text:
        data["html"] = answer_html(run.text, range(1, MOST_CITATIONS))
    return data


def _doing(run: Run | None, steps: Sequence[Mapping[str, Any]]) -> str:
    if run is not None and run.state == "waiting":
        return "Waiting for other questions to be answered"
    return "Writing the answer" if run is not None and run.text else trail.doing(steps)


def _answered(answer: Mapping[str, Any], standings: Sequence[Standing]) -> dict[str, Any]:
    citations = [_citation(citation, standing) for citation, standing in zip(answer["citations"], standings, strict=True)]
    coverage = answer["coverage"]
    read, total, unreadable = (coverage.get(name, 0) for name in ("leaves_read", "leaves_total", "unreadable"))
    changed = tuple(sorted({citation["state"] for citation in citations} - {"current"}))
    aged = CHANGED[changed] if changed else ""
    is_cut = bool(answer.get("cut"))
    return {
        "steps": trail.rows(answer["trail"], quoting=not aged),
        "html": answer_html(_shown(answer["answer"]), {citation["number"] for citation in citations}, _quoted(answer)),
        "copy": f"{aged}\n\n{copied(answer)}" if aged else copied(answer),
        "verdict": "aged" if aged else "partial" if is_cut else answer["verdict"],
        "verdict_words": OUT_OF_DATE if aged else BROKEN_OFF if is_cut else VERDICTS[answer["verdict"]],
        "as_of": datetime.fromisoformat(answer["as_of"]).timestamp() if answer["as_of"] else None,
        "version": answer["version"],
        "coverage": f"{read:,} of {total:,} passages read" if read else "",
        "unreadable": f"{trail.counted(unreadable, 'document')} unreadable" if unreadable else "",
        "aged": aged,
        "usage": usage.in_words(answer.get("usage", {})),
        "usage_hint": usage.in_detail(answer.get("usage", {})),
        "cut": is_cut,
        "notes": _notes(answer["notes"]),
        "citations": citations,
        "closest": [] if is_cut else list(answer["closest"]),
    }


def _quoted(answer: Mapping[str, Any]) -> Iterator[str]:
    return (passage["text"] for citation in answer["citations"] for passage in citation["passages"])


def _notes(notes: Sequence[str]) -> list[str]:
    """What the model did not decide is told once for each reason, and not once for each decision."""
    told: dict[str, list[str]] = {}
    for note in notes:
        what = next((words for words in WITHOUT.values() if note.endswith(f" {words}")), "")
        told.setdefault(note.removesuffix(what).strip(), []).append(what)
    return [" ".join(filter(None, (why, *_together(what)))) for why, what in told.items()]


def _together(what: Sequence[str]) -> Sequence[str]:
    return ["This was answered without the model."] if {WITHOUT["choose"], WITHOUT["compose"]} <= set(what) else what


def _shown(text: str) -> str:
    """What broke off ends in dots: a note says why, and its last words were not over and had no source yet."""
    return text.replace(f"{UNSUPPORTED}{CUT_SHORT}", " …").replace(CUT_SHORT, " …")


def _citation(citation: Mapping[str, Any], standing: Standing) -> dict[str, Any]:
    """A chip. What no longer stands there is not quoted."""
    ticket = ticket_of(standing)
    shown = {
        "number": citation["number"], "title": citation["title"], "state": standing.state, "locator": "", "hint": "",
        "ticket": ticket.as_json() if ticket else None,
    }  # fmt: skip
    if standing.state != "current":
        where = " › ".join((citation["source"], *citation["path"], citation["title"]))
        return {**shown, "hint": f"{where}: {STATES[standing.state]}"}
    first = standing.passages[0]
    more = f" and {trail.counted(len(standing.passages) - 1, 'more passage')}" if len(standing.passages) > 1 else ""
    quote = " ".join(bare(first.text).split())
    quote = quote if len(quote) <= HINT else f"{quote[:HINT].rsplit(' ', 1)[0]} …"
    return {**shown, "locator": first.locator, "hint": f"“{quote}”{more}"}


def copied(answer: Mapping[str, Any]) -> str:
    """An answer as text to paste elsewhere, with its sources."""
    lines = [answer["answer"], ""]
    for citation in answer["citations"]:
        where = " › ".join((citation["source"], *citation["path"], citation["title"]))
        lines.append(f"[{citation['number']}] {where}" + (f", {citation['locator']}" if citation["locator"] else ""))
    return "\n".join(lines).strip()
