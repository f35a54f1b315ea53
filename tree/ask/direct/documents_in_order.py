"""The newest, the oldest, the largest document: by what is known of their files, and by the days that they state where all files were copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.records import Verdict
from tree.ask.direct.document_statements import size_told
from tree.ask.direct.named_documents import changed_told, documents_called, heads_at, path_told, title_told, told
from tree.ask.facts.told_facts import readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.document_question import DocumentQuestion
from tree.store.document_rows import FileValue
from tree.store.documents import DocumentHead
from tree.store.leaves import FILE
from tree.store.places import is_below

SHOWN = 20  # documents of a list
BESIDE_IT = 4  # that are told after the first
FEWEST_COPIED = 3
COPIED_WITHIN = timedelta(hours=1)  # of one another, most files of a folder are changed where it is copied
MOST_DATED = 5_000  # names with a year, or stated days, that are read
_OF_DAY = ("date", "last updated", "last changed", "updated", "state", "as of", "published", "issued", "written", "last reviewed")
_HOW = {
    "newest": "was changed last",
    "oldest": "was changed longest ago",
    "largest": "is the largest",
    "smallest": "is the smallest",
}


def in_order(
    snapshot: Snapshot, question: DocumentQuestion, tops: Sequence[str], endings: tuple[str, ...]
) -> DirectAnswer | None:
    """None where nothing is known of any file."""
    if question.terms:
        return _newest_about(snapshot, question, endings)
    by_size = question.order in ("largest", "smallest")
    wanted = min(question.most if question.most > 1 else 1 + BESIDE_IT, SHOWN)
    value: FileValue = "size" if by_size else "modified"
    last_first = question.order in ("newest", "largest")
    found = snapshot.store.documents.by_file(tops, snapshot.version, value, last_first, endings, wanted)
    if not found:
        return None
    if not by_size and (same := _copied(snapshot, found[0], tops, endings)):
        return _by_stated_days(snapshot, question, tops, endings, found, same)
    values = [one.metadata[value] for one in found]
    return _ordered(snapshot, question, found, "partial" if question.most == 1 and values[:1] == values[1:2] else "complete")


def _copied(snapshot: Snapshot, first: DocumentHead, tops: Sequence[str], endings: tuple[str, ...]) -> int:
    """How many of the files were changed about when the first was, if these are most of them; else 0."""
    documents, version = snapshot.store.documents, snapshot.version
    try:
        moment = datetime.fromisoformat(first.metadata["modified"])
    except ValueError:
        return 0
    spans = [(moment + way).isoformat(timespec="seconds") for way in (-COPIED_WITHIN, COPIED_WITHIN)]
    same = documents.count_changed(tops, version, spans[0], spans[1], endings)
    total, _ = documents.below(tops, version, endings, "ticket", 1)
    return same if same >= FEWEST_COPIED and 2 * same > total else 0


def _ordered(snapshot: Snapshot, question: DocumentQuestion, found: Sequence[DocumentHead], verdict: Verdict) -> DirectAnswer:
    by_size = question.order in ("largest", "smallest")
    notes = [size_told(one.metadata["size"]) if by_size else f"changed on {changed_told(snapshot, one)}" for one in found]
    within = f" in {as_text(question.folder)}" if question.folder else ""
    step = Step("register", "", "", found[0].title, reason="The documents were put in order by what is known of their files.")
    if question.most > 1:
        lead = Line(f"**{len(found)} document{'s' if len(found) > 1 else ''}**{within}, the {question.order} first:\n")
        return DirectAnswer(step, (lead, *told(snapshot, found, said=notes)), verdict, is_list=True, is_of_standing=True)
    first, *others = told(snapshot, found, said=notes)
    said = f"**{title_told(found[0])}** {_HOW[question.order]}{within}, {notes[0].removeprefix('changed ')}: {path_told(snapshot, found[0])}"
    lead = Line(f"{said} [1]", 1, first.node, first.leaf, first.quote) if first.number else Line(said)
    after = [Line("\n\nAfter it:\n"), *others] if others else []
    return DirectAnswer(step, (lead, *after), verdict, is_list=True, is_of_standing=True)


def _newest_about(snapshot: Snapshot, question: DocumentQuestion, endings: tuple[str, ...]) -> DirectAnswer | None:
    if question.order in ("largest", "smallest"):
        return None
    called = documents_called(snapshot, question.words, True, endings).documents
    found = sorted((one for one in called if "modified" in one.metadata), key=lambda one: (one.metadata["modified"], one.place))
    found = (found[::-1] if question.order == "newest" else found)[: max(question.most, 1 + BESIDE_IT)]
    return _ordered(snapshot, question, found, "partial") if found else None


def _by_stated_days(
    snapshot: Snapshot,
    question: DocumentQuestion,
    tops: Sequence[str],
    endings: tuple[str, ...],
    found: Sequence[DocumentHead],
    same: int,
) -> DirectAnswer:
    """Where the files of several were changed at one moment, as those that were copied: by the days that documents say."""
    said = f"The files of **{same} documents** were all changed within an hour, on {changed_told(snapshot, found[0])}, so their time does not tell which is the {question.order}."
    dated = list(_dated(snapshot, question, tops, endings))[: max(question.most, 1 + BESIDE_IT)]
    step = Step(
        "register",
        "",
        "",
        f"{same} documents",
        reason="The documents were put in order by the time of their files, and by the days that they state.",
    )
    if not dated:
        return DirectAnswer(
            step, (Line(f"{said} Some of them:\n"), *told(snapshot, found)), "partial", is_list=True, is_of_standing=True
        )
    lead = Line(f"{said} By the days that they state or have in their names, these are the {question.order}:\n")
    lines = told(snapshot, [one for one, _ in dated], said=[readable(day) for _, day in dated])
    return DirectAnswer(step, (lead, *lines), "partial", is_list=True, is_of_standing=True)


def _dated(
    snapshot: Snapshot, question: DocumentQuestion, tops: Sequence[str], endings: tuple[str, ...]
) -> Iterator[tuple[DocumentHead, str]]:
    """Documents with the last day until today that they state or are called by, in the order that is asked for."""
    now, stated = today(snapshot).isoformat(), dict[str, str]()
    cells = [(place, value) for place, _, value in snapshot.index.facts(snapshot.scope).cells(FILE, _OF_DAY)]
    named = snapshot.index.named_with(["20"], snapshot.scope, MOST_DATED) or []
    if len(cells) > MOST_DATED:
        return
    for place, value in (*cells, *((place, name) for name, place in named)):
        found = [str(day) for day in days(readable(value)) if day.day and str(day) <= now]
        if found and any(is_below(place, top) for top in tops):
            stated[place] = max(stated.get(place, ""), *found)
    ordered = sorted(stated, key=lambda place: (stated[place], place), reverse=question.order == "newest")
    heads = {one.place: one for one in heads_at(snapshot, ordered[: 4 * SHOWN], endings)}
    yield from ((heads[place], stated[place]) for place in ordered if place in heads)
