"""Which documents say, or show by where they lie, that they hold no more; and what that makes of an answer that rests on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from prompts.extractive.asked_values import DATE
from prompts.extractive.standing import asks_of_draft, asks_of_then, is_draft, is_superseded
from prompts.extractive.tenses import is_of_later, past_time_asked, tells_of
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import file_name, text_in_place
from tree.retrieve.fact_index import TICKET
from tree.store.places import document_around

T = TypeVar("T")
ALL_OVER = "The document that states this is marked as superseded."
SOME_OVER = "Some of it is from documents that are marked as superseded."
UNSAID_TIME = "It is not said whether it was so then."
OF_DRAFT = "The document that states this is a draft."


def documents_over(snapshot: Snapshot, places: Iterable[str]) -> set[str]:
    """The places of the documents around these places that say at their beginning, or show, that they hold no more. A ticket is what it is,
    whatever became of it."""
    files = dict.fromkeys(map(document_around, places))
    first = snapshot.index.facts(snapshot.scope).first_leaves(files)
    begins = snapshot.store.nodes.at([one.place for one in first.values()], snapshot.version)
    leaves = snapshot.store.leaves.by_key({one.leaf for one in first.values()})
    return {
        file
        for file, one in first.items()
        if one.place in begins
        and one.leaf in leaves
        and (text := text_in_place(begins[one.place], leaves[one.leaf])).kind != TICKET
        and is_superseded(text, 0)
    }


def standing_only(snapshot: Snapshot, found: Sequence[T], place_of: Callable[[T], str]) -> tuple[list[T], bool]:
    """Those at places in documents that hold, and whether there are any: else all, for what the others say is all there is."""
    over = documents_over(snapshot, map(place_of, found)) if found else set[str]()
    kept = [one for one in found if document_around(place_of(one)) not in over]
    return (kept, True) if kept else (list(found), not found)


def held_against_standing(snapshot: Snapshot, question: str, answer: DirectAnswer) -> DirectAnswer:
    """An answer that is not called so where what it says first, or some of what it lists, is from a document that holds no more, or from a
    draft; or where it says nothing of the time that is asked about."""
    if answer.verdict != "complete" or answer.is_of_standing:
        return answer
    if _is_of_unsaid_time(snapshot, question, answer):
        return replace(answer, lines=(*answer.lines, Line(f"\n\n{UNSAID_TIME}")), verdict="partial")
    if asks_of_then(question):
        return answer
    if not answer.is_list and _is_of_draft(answer) and not asks_of_draft(question):
        return replace(answer, lines=(*answer.lines, Line(f"\n\n{OF_DRAFT}")), verdict="partial")
    cited = [document_around(line.node.place) for line in answer.lines if line.node is not None and line.number is not None]
    over = documents_over(snapshot, cited)
    told = cited if answer.is_list else cited[:1]
    if over.isdisjoint(told):
        return answer
    said = ALL_OVER if over.issuperset(told) else SOME_OVER
    return replace(answer, lines=(*answer.lines, Line(f"\n\n{said}")), verdict="partial")


def _is_of_unsaid_time(snapshot: Snapshot, question: str, answer: DirectAnswer) -> bool:
    """Whether it is asked how something was, and a row of a table is told that does not say of when it is."""
    span = past_time_asked(question, today(snapshot))
    lead = next((line for line in answer.lines if line.node is not None and line.leaf is not None), None)
    if span is None or answer.is_list or answer.is_set or lead is None or lead.node is None or lead.leaf is None:
        return False
    told, _, _ = "".join(line.text for line in answer.lines).partition("; ")  # what else stands in its row may be of another time
    if is_of_later(span, told):
        return True
    said = " ".join((told, lead.node.title, file_name(lead.node), *lead.leaf.heading))
    return DATE.search(told) is None and not tells_of(span, said)


def _is_of_draft(answer: DirectAnswer) -> bool:
    """Whether what an answer says first is from a draft."""
    cited = (text_in_place(line.node, line.leaf) for line in answer.lines if line.node is not None and line.leaf is not None)
    first = next(cited, None)
    return first is not None and is_draft(first)
