"""What a question found: by a shortcut, or by a walk. It is all that composing gets of either."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prompts.follow_up import ChatContext
from prompts.language import terms
from prompts.question import analyse
from prompts.records import NO_NOTES, Notes, Question, Standing
from prompts.regex import regex
from tree.ask.direct.absent_name_answer import answer_absent_name
from tree.ask.direct.known_names import KnownName, find_known_names, names_step
from tree.ask.direct.likely_rows_answer import answer_from_likely_rows
from tree.ask.direct.mentions import mentions_instead, occur
from tree.ask.direct.near_name_answer import answer_by_near_name
from tree.ask.direct.row_before_answer import answer_from_row_before
from tree.ask.direct.shortcuts import answer_directly
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.direct_answer import DirectAnswer
from tree.ask.snapshot.query_context import QueryContext
from tree.ask.snapshot.snapshot import Snapshot, narrowed_to, today
from tree.ask.snapshot.snapshot_view import ReadLeaf, SnapshotView
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.earlier import Earlier
from tree.ask.understanding.understand import Understanding
from tree.ask.walk.best_first_walk import BestFirstWalk
from tree.ask.walk.outline_walk import EVIDENCE_LINES, OutlineWalk
from tree.ask.walk.protocol import Walk, WalkProgress
from tree.ask.walk.stopped_walk import StoppedWalk, take_up
from tree.ask.walk.walk_notes import WalkNotes
from tree.retrieve.meaning import Looked
from tree.retrieve.scent import Scent, score_leaves
from tree.store.places import document_around

if TYPE_CHECKING:  # it brings numpy
    from tree.retrieve.likeness import Likeness


_WHY = regex(
    r"\A\W*(?:(?:and|but|so|ok|okay)\b[\s,]*)*(?:why(?: is that| so| not| then)?|how come|for what reason|what for|warum(?: das)?|wieso|pourquoi)\W*\Z",
    re.IGNORECASE,
)


_SINCE = regex(
    r"\A\W*(?:and )?(?:since|from|as of) when(?: is that(?: so)?| on)?\W*\Z|\A\W*(?:seit|ab) wann\W*\Z|\A\W*depuis quand\W*\Z",
    re.IGNORECASE,
)


SINCE = "Since when is it valid, in force, effective, applied?"  # as a document says it of itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """One of these holds the answer, if there is one. `steps` are the whole trail, and `tried` what was read on it besides: for
    other ways to put the question, or in the document of the answer before."""

    question: Question
    steps: tuple[Step, ...] = ()
    tried: tuple[ReadLeaf, ...] = ()
    direct: DirectAnswer | None = None  # of a shortcut: told as it is
    rows: DirectAnswer | None = None  # that may be meant, told above the passages
    branch: DirectAnswer | None = None  # of a branch's record: to be made into an answer to just this question
    read: tuple[ReadLeaf, ...] = ()  # leaves, in the order in which they were read
    known: tuple[KnownName, ...] = ()  # what the names in the question stand for
    standing: Standing = "open"  # of the question after a walk, as far as a model has judged it
    notes: Notes = NO_NOTES  # of a walk, for whoever writes the answer
    unclear: str = ""  # what is missing to understand the question, where that is how it stands
    readings: tuple[str, ...] = ()  # questions that it may mean then
    is_part: bool = False  # of what was asked: nothing answers all of it

    @property
    def is_sure(self) -> bool:
        """Whether it is known exactly, or a passage answers it."""
        return self.direct is not None or self.branch is not None or any(map(_is_answered, self.read))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that tells anything to the question."""
        told = self.direct or self.rows or self.branch
        return told is None and self.standing == "open" and not any(map(_tells, self.read))


def leaning_on(
    found: Findings,
    snapshot: Snapshot,
    understanding: Understanding,
    turns: Sequence[Earlier],
    context: QueryContext,
    budget: Budget,
) -> Generator[Step, None, Findings]:
    """What was found for a question that leans on the chat, with what the answer before was taken from: its row of a table, and what
    else its document says to the question. Of these turns the last counts that found anything."""
    before = next((turn for turn in reversed(turns) if turn.cited), None)
    there = (yield from _in_document_before(snapshot, understanding, before, context, budget)) if before is not None else None
    if there is None:
        told = found
    elif any(map(_tells, there.read)):
        told = replace(there, tried=found.read)
    else:
        told = replace(found, tried=there.read)
    rows = (answer_from_row_before(snapshot, understanding.text, turn.question) for turn in reversed(turns))
    row = next((one for one in rows if one is not None), None)
    if row is None or row.step is None:
        return told
    yield row.step
    return replace(told, rows=row)


def _in_document_before(
    snapshot: Snapshot, understanding: Understanding, before: Earlier, context: QueryContext, budget: Budget
) -> Generator[Step, None, Findings | None]:
    """What the document that the answer before was taken from says to a question that leans on that: "why?", "did the insurance
    pay?". None where there is no such document, or the question has no word of its."""
    document = narrowed_to(snapshot, document_around(before.cited[0])) if before.cited else None
    if document is None:
        return None
    text = understanding.text
    asked = f"Why {before.question}" if _WHY.match(text) else SINCE if _SINCE.match(text) else text
    text = _without_unknown(asked, document)
    if not terms(text):
        return None
    step = Step(
        "chat",
        "",
        "",
        document.tops[0].title,
        reason="It leans on the chat before it, so what that was answered from is read for it by itself.",
    )
    alone = replace(
        understanding, text=text, search_text=text, analysis=analyse(text), chat=ChatContext(), named=(), likely=(), steps=(step,)
    )
    found = yield from shortcut_or_walk(document, alone, context, budget, has_shortcuts=False)
    return replace(found, rows=None, is_part=text != asked)


def _without_unknown(text: str, document: Snapshot) -> str:
    """A text without the words that the document has not."""
    top, store = document.tops[0], document.store
    nodes = store.nodes.of_document(top.source_id, top.document_id, document.version) if top.document_id else []
    told = store.leaves.texts({node.leaf for node in nodes if node.leaf}).values()
    there = {term for said, headings in told for term in terms(f"{' '.join(headings)} {said}")}
    return " ".join(word for word in text.split() if not terms(word) or not there.isdisjoint(terms(word)))


def shortcut_or_walk(
    snapshot: Snapshot,
    understanding: Understanding,
    context: QueryContext,
    budget: Budget,
    stopped: StoppedWalk | None = None,
    *,
    has_shortcuts: bool = True,
) -> Generator[Step, None, Findings]:
    """Yields each step as it is taken, and returns what was found. A walk that was stopped goes on from what it had found."""
    yield from understanding.steps
    direct = answer_directly(snapshot, understanding) if has_shortcuts else None
    if direct is None and has_shortcuts and not context.reader.model_label:
        direct = answer_by_near_name(snapshot, understanding) or answer_absent_name(snapshot, understanding)
    if direct is not None:
        if direct.step is not None:
            yield direct.step
        return Findings(question=Question(understanding.text), direct=direct)
    if known := find_known_names(snapshot, understanding.text):
        yield names_step(known)
    looked = _by_meaning(snapshot, understanding)
    if looked.problem:
        yield Step("meaning", "", "", "meaning", reason=looked.problem)
    walk, view = _open_walk(snapshot, understanding, context, budget, known, looked.likeness)
    taken_up = take_up(stopped, snapshot, view, context.reader.takes_outlines)
    walk.take_up(taken_up)
    yield from taken_up.steps
    yield from (step for step in walk.steps(snapshot.tops, understanding.named) if not taken_up.told(step))
    found = walk.result
    if not context.reader.model_label and understanding.names_nothing_known and not occur(snapshot, understanding.analysis.keys):
        found = replace(found, read=tuple(map(_as_silent, found.read)))  # what is said of others is said of none of these
    if understanding.names_nothing_known and found.branch_answer is None and not any(_tells(one) for one in found.read):
        instead = mentions_instead(snapshot, understanding.analysis.keys)
        if instead is not None and instead.step is not None:
            yield instead.step
            return Findings(question=found.question, direct=instead, read=found.read)
    rows = None
    if not context.reader.model_label and found.branch_answer is None and not any(_is_answered(one) for one in found.read):
        rows = answer_from_likely_rows(snapshot, understanding, view, found.read)
    if rows is not None and rows.step is not None:
        yield rows.step
    if rows is not None and rows.verdict == "complete":
        return Findings(question=found.question, direct=rows, read=found.read)
    return Findings(
        question=found.question,
        rows=rows,
        branch=found.branch_answer,
        read=found.read,
        known=known,
        standing=found.standing,
        notes=found.notes,
        unclear=found.unclear,
        readings=found.readings,
    )


def _is_answered(read: ReadLeaf) -> bool:
    return read.answer.verdict == "complete"


def _tells(read: ReadLeaf) -> bool:
    return read.answer.verdict != "none"


def _as_silent(read: ReadLeaf) -> ReadLeaf:
    return replace(read, answer=replace(read.answer, verdict="none"))


def _by_meaning(snapshot: Snapshot, understanding: Understanding) -> Looked:
    """How like the question leaves are in meaning; with the question before it, where it leans on that."""
    chat = understanding.chat
    text = f"{chat.follows} {understanding.text}" if chat.follows else understanding.text
    return snapshot.workspace.meaning.look(text, snapshot.scope.sources)


def _open_walk(
    snapshot: Snapshot,
    understanding: Understanding,
    context: QueryContext,
    budget: Budget,
    known: Sequence[KnownName],
    likeness: Likeness | None,
) -> tuple[Walk, SnapshotView]:
    """The walk that suits the reader, by outlines for one that is asked seldom, else level by level; and what it sees."""
    store, index, version, scope = snapshot.store, snapshot.index, snapshot.version, snapshot.scope
    chat = understanding.chat
    scent = score_leaves(
        store,
        index,
        understanding.search_text,
        version,
        scope,
        understanding.likely,
        carried=chat.words,
        follows=chat.follows if chat.points else "",
        likeness=likeness,
    )
    snapshot.check_current(scent)
    scent = replace(scent, question=replace(scent.question, day=today(snapshot)))
    titles = {source.id: source.name for source in snapshot.sources.values()}
    view = SnapshotView(store, index, scent, scope, version, titles)
    if not context.reader.takes_outlines:
        return BestFirstWalk(WalkProgress(view, budget), context.reader), view

    def search(query: str) -> Scent:
        return score_leaves(store, index, query, version, scope)

    question = replace(scent.question, text=understanding.text)
    view = replace(view, evidence_lines=EVIDENCE_LINES)
    notes = WalkNotes(tuple(one.told for one in known))
    return OutlineWalk(WalkProgress(view, budget), context.reader, question, search, notes), view
