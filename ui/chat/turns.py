"""A turn as it is drawn, whether it is being answered or remembered: one function makes it for both."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Any

from ingestion.source_status import describe_stale
from ingestion.words import counted
from prompts.language import terms
from tree.ask.snapshot.answer import VERDICT_WORDS, without_asides
from tree.ask.snapshot.nearby import folder_around
from tree.store.models import Turn
from ui.chat.citation_status import CitationStatus
from ui.chat.ticket_view import ticket_of
from ui.server.background_answers import BackgroundAnswer
from ui.server.scope import parse_scope
from ui.shared import short_trail, trail, usage
from ui.shared.markup import answer_html, without_escapes, without_markdown

OUT_OF_DATE, CUT_OFF = "Out of date", "Cut off"
STATES = {"edited": "edited since", "removed": "removed since"}
AROUND = "changed elsewhere since"  # of one whose words stand
UNREADABLE = "cannot be read now"  # of a citation whose document is kept as it was last read
MOST_CITATIONS = 100  # numbers that are drawn as citations while an answer is being written
NAMED = 2  # documents that cannot be read, or sources that cannot be reached
HINT = 300  # characters of a quote shown on hover


def view(turn: Turn, run: BackgroundAnswer | None, statuses: Sequence[CitationStatus]) -> dict[str, Any]:
    """What ui/shared/frontend/turn.js draws. `statuses` belong to the answer's citations, one each, in order."""
    answer = turn.answer or (run.answer if run is not None and run.ended.is_set() else None)
    running = turn.state == "running" and answer is None
    steps = answer.get("trail", []) if answer is not None else (list(run.steps) if run is not None else []) or turn.steps
    took = (answer or {}).get("usage", {})
    data: dict[str, Any] = {
        "running": running,
        "steps": trail.rows(steps) if answer is None else [],
        "short": [],
        "heading": "",
        "summary": trail.summary(steps, took),
        "doing": _doing(run, steps),
        "html": "",
        "copy": "",
        "verdict": "",
        "verdict_words": "",
        "as_of": None,
        "version": 0,
        "coverage": "",
        "unreadable": "",
        "unreachable": "",
        "unread": [],
        "aged": "",
        "usage": "",
        "usage_hint": "",
        "cut": False,
        "chart": None,
        "did_you_mean": [],
        "notes": [],
        "citations": [],
        "closest": [],
        "rating": turn.rating,
        "followed": False,
        "can_look": False,  # whether a branch that was not taken can be asked in
        "actions": [],
        "link": "",
        "live": "",  # where what is added meanwhile is fetched, while it is being answered
    }
    if answer is not None:
        data |= _answered(answer, statuses, is_of_past=bool(parse_scope(turn.scope).as_of))
    elif run is not None and run.text:
        data["html"] = answer_html(run.text, range(1, MOST_CITATIONS))
    return data


def part_of(turn: Turn, text: str) -> dict[str, Any]:
    """What is drawn of one part of an answer: its text alone, with the marks of its citations."""
    answer = turn.answer or {"citations": []}
    html = answer_html(text, {citation["number"] for citation in answer["citations"]}, _quoted(answer))
    return view(Turn(**{**turn.model_dump(), "answer": None, "state": "done"}), None, ()) | {"html": html, "running": False}


def under_way(run: BackgroundAnswer) -> dict[str, Any]:
    """What of `view` changes while a question is being answered; the steps from before a stop stand until they are told again."""
    steps = {} if run.before and not run.steps else {"steps": trail.rows(run.steps), "summary": trail.summary(run.steps, {})}
    return {
        **steps,
        "doing": _doing(run, run.steps),
        "html": answer_html(run.text, range(1, MOST_CITATIONS)) if run.text else "",
    }


def above_chart(data: Mapping[str, Any]) -> dict[str, Any]:
    """What is drawn above the chart of an answer: its trail and its verdict."""
    return {
        **data,
        "html": "",
        "as_of": None,
        "coverage": "",
        "unreadable": "",
        "unreachable": "",
        "usage": "",
        "copy": "",
        "notes": [],
        "citations": [],
        "closest": [],
        "actions": [],
        "link": "",
    }


def _shown_first(answer: Mapping[str, Any]) -> str:
    """The place of the passage that is shown first, where none is called the answer."""
    citations = answer["citations"] if answer["verdict"] == "partial" else ()
    return str(citations[0]["place"]) if citations else ""


def below_chart(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "short": [], "heading": "", "steps": [], "verdict": "", "verdict_words": "", "aged": ""}


def _doing(run: BackgroundAnswer | None, steps: Sequence[Mapping[str, Any]]) -> str:
    if run is not None and run.state == "waiting":
        return "Waiting for other questions to be answered"
    if run is not None and run.state == "reading":
        return "Reading the files"
    return "Writing the answer" if run is not None and run.text else trail.doing(steps)


def _answered(answer: Mapping[str, Any], statuses: Sequence[CitationStatus], *, is_of_past: bool = False) -> dict[str, Any]:
    """`is_of_past` of an answer as of an earlier day: what changed since makes it no less right."""
    citations = [_citation(citation, status) for citation, status in zip(answer["citations"], statuses, strict=True)]
    unread = answer.get("unread", ())
    aged = "" if is_of_past else _aged([status.state for status in statuses])
    is_cut = bool(answer.get("cut"))
    beside = _folder_looked_in(answer)
    has_verdict = not (answer.get("hidden") or answer.get("is_help"))
    return {
        "heading": short_trail.heading(answer["trail"], _found_in(answer)),
        "short": short_trail.lines(answer["trail"], _found_in(answer), quoting=not aged),
        "steps": trail.rows(answer["trail"], quoting=not aged, closest=_shown_first(answer), answer=answer),
        "html": answer_html(
            without_asides(answer, cut=" …", has_passages=True),
            {citation["number"] for citation in citations},
            _quoted(answer),
        ),
        "copy": copied(answer, aged),
        "verdict": "" if not has_verdict else "aged" if aged else "partial" if is_cut else answer["verdict"],
        "verdict_words": verdict_in_words(answer, aged),
        "as_of": datetime.fromisoformat(answer["as_of"]).timestamp() if answer["as_of"] and has_verdict else None,
        "version": answer["version"],
        "coverage": _coverage(answer["coverage"]) if has_verdict else "",
        "unreadable": _unreadable(
            [str(one["title"]) for one in unread if one["folder"] == beside or _is_asked_for(one, answer["question"])]
        ),
        "unreachable": _unreachable(
            [str(one["name"]) for one in answer.get("unreachable", ()) if has_verdict and not one["is_noted"]]
        ),
        "unread": [{"title": one["title"], "reason": one["reason"]} for one in unread],
        "aged": aged,
        "usage": usage.in_words(answer.get("usage", {})),
        "usage_hint": usage.in_detail(answer.get("usage", {})),
        "cut": is_cut,
        "did_you_mean": list(answer.get("did_you_mean", ())),
        "chart": None if aged else answer.get("chart"),
        "notes": [*answer["notes"], *_stale_notes(answer["citations"], statuses)],
        "citations": citations,
        "closest": [] if is_cut else list(answer["closest"]),
    }


def verdict_in_words(answer: Mapping[str, Any], aged: str) -> str:
    """Empty of what has none: what somebody may not see, and what tells of the app itself."""
    if answer.get("hidden") or answer.get("is_help"):
        return ""
    return OUT_OF_DATE if aged else CUT_OFF if answer.get("cut") else VERDICT_WORDS[answer["verdict"]]


def aged_since(turn: Turn, statuses: Sequence[CitationStatus]) -> str:
    """What changed of the passages that an answer cites, in a sentence; empty where nothing did, or it is of an earlier day."""
    return "" if turn.answer is None or parse_scope(turn.scope).as_of else _aged([status.state for status in statuses])


def _coverage(coverage: Mapping[str, int]) -> str:
    """ "6 of 164 passages read"; where none had to be, how many are known."""
    read, total = (coverage.get(name, 0) for name in ("leaves_read", "leaves_total"))
    return f"{read:,} of {total:,} passages read" if read else f"{total:,} passages known" if total else ""


def _unreadable(titles: Sequence[str]) -> str:
    """ "could not read nearby: budget.xlsx"; empty without titles."""
    if not titles:
        return ""
    return f"could not read nearby: {_named(titles)}"


def _unreachable(names: Sequence[str]) -> str:
    """ "could not reach Jira"; empty without names."""
    return f"could not reach {_named(names)}" if names else ""


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def _folder_looked_in(answer: Mapping[str, Any]) -> str:
    """The folder of what is shown first where nothing was found: what could not be read there may have it. Empty elsewhere."""
    shown = [*answer["citations"], *answer["closest"]] if answer["verdict"] == "none" else ()
    return folder_around(str(shown[0]["place"])) if shown else ""


def _is_asked_for(unread: Mapping[str, Any], question: str) -> bool:
    """Whether the name of what could not be read shares a word with the question: it may say more, or something else."""
    stem = PurePath(str(unread["title"])).stem
    return not set(terms(stem)).isdisjoint(terms(question))


def _aged(states: Sequence[str]) -> str:
    """How many of the cited passages are not what they were; empty where all are."""
    changed = len(states) - states.count("current")
    if not changed:
        return ""
    how = [state for state in STATES if state in states]
    said = how[0] if len(how) == 1 else f"changed ({' and '.join(f'{states.count(state)} {state}' for state in how)})"
    which = (
        "The cited passage was"
        if len(states) == 1
        else f"{changed} of {len(states)} cited passages " + ("was" if changed == 1 else "were")
    )
    return f"{which} {said} since this answer. Ask again for a current one."


def _found_in(answer: Mapping[str, Any]) -> set[str]:
    """The places that answer it; where nothing does, what is cited is only close."""
    return {citation["place"] for citation in answer["citations"]} if answer["verdict"] != "none" else set()


def _quoted(answer: Mapping[str, Any]) -> Iterator[str]:
    return (passage["text"] for citation in answer["citations"] for passage in citation["passages"])


def _stale_notes(citations: Sequence[Mapping[str, Any]], statuses: Sequence[CitationStatus]) -> list[str]:
    """A sentence for each cited document that became unreadable after the answer; of the others the answer's notes say so."""
    now = time.time()
    pairs = zip(citations, statuses, strict=True)
    titles = {cited["title"]: status.stale for cited, status in pairs if status.stale and not cited.get("note")}
    return [f"“{title}”: {describe_stale(failure, now)}" for title, failure in titles.items()]


def _citation(citation: Mapping[str, Any], status: CitationStatus) -> dict[str, Any]:
    """A citation as it is drawn below the answer; a passage that was edited or removed is not quoted."""
    ticket = ticket_of(status)
    shown = {
        "number": citation["number"], "title": citation["title"], "state": status.state, "locator": "", "hint": "",
        "mark": STATES.get(status.state) or (UNREADABLE if status.stale else ""),
        "around": AROUND if status.is_around else "",
        "ticket": ticket.as_json() if ticket else None,
    }  # fmt: skip
    if status.state != "current":
        where = " › ".join((citation["source"], *citation["path"], citation["title"]))
        return {**shown, "hint": f"{where}: {STATES[status.state]}"}
    first = status.passages[0]
    more = f" and {counted(len(status.passages) - 1, 'more passage')}" if len(status.passages) > 1 else ""
    quote = " ".join(without_markdown(first.text).split())
    quote = quote if len(quote) <= HINT else f"{quote[:HINT].rsplit(' ', 1)[0]} …"
    return {**shown, "locator": first.locator, "hint": f"“{quote}”{more}"}


def copied(answer: Mapping[str, Any], aged: str = "") -> str:
    """An answer as text to paste elsewhere: its verdict, or that it is `aged`, its text, its sources."""
    said = aged or (CUT_OFF if answer.get("cut") else VERDICT_WORDS[answer["verdict"]]) + ":"
    lines = [said, "", without_escapes(without_asides(answer)), ""]
    for citation in answer["citations"]:
        where = " › ".join((citation["source"], *citation["path"], citation["title"]))
        lines.append(f"[{citation['number']}] {where}" + (f", {citation['locator']}" if citation["locator"] else ""))
        lines += [f"    It {citation['note']}."] if citation.get("note") else []
    lines += [f"Closest: {closest['path'] or closest['title']}" for closest in answer["closest"]]
    return "\n".join(lines).strip()
