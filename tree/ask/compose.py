"""Composes the answer: pieces of text as they come, citations numbered in the order in which they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from prompts.extractive import as_text
from prompts.extractive.compose import MORE, more_passages, nearest_passages
from prompts.extractive.guided import document_told, guide
from prompts.extractive.tenses import time_not_now
from prompts.language import terms
from prompts.records import Cited, Evidence, LeafAnswer, Quote, Verdict
from tree.ask.citations import make_citations
from tree.ask.cited_text import CitedText, stripped
from tree.ask.closest_passages import closest_passages
from tree.ask.direct.known_names import as_evidence
from tree.ask.direct.near_name_answer import unknown_name
from tree.ask.direct.unread_answer import named_unread
from tree.ask.facts.told_facts import FactCitations
from tree.ask.findings import Findings
from tree.ask.passage_order import weigh_by_meaning
from tree.ask.snapshot.answer import Answer, AsideAt, MarkAt, StepText
from tree.ask.snapshot.corrections import Correction, find_corrections
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.nearby import unread_nearby
from tree.ask.snapshot.query_context import QueryContext
from tree.ask.snapshot.snapshot import (
    Snapshot,
    as_of,
    freshness_notes,
    partly_read_notes,
    today,
    troubles_of,
    unreachable_sources,
    when,
)
from tree.ask.snapshot.snapshot_view import ReadLeaf
from tree.ask.snapshot.zones import as_iso
from tree.ask.understanding.understand import Understanding
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

CLOSEST = 3  # places named when there is no answer
MOST_NAMED = 4  # sources that are named where none of them has an answer
NOT_DRAWN = "There are no numbers in it that can be drawn as a chart."
MOST_PAGES = 12  # leaves of a procedure's document that are looked into for what to do when a step fails
MOST_UNREAD = 3  # titles of what was left unread


class AnswerComposer:
    """Turns findings into an answer. `pieces` is gone through first; then `answer` has the whole of it.

    The verdict follows from what was found and from the marks that the reader sets on its pieces; no text is searched.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        understanding: Understanding,
        context: QueryContext,
        findings: Findings,
        numbers: dict[str, int] | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.understanding = understanding
        self.context = context
        self.findings = findings
        self.written = CitedText()
        self._asides: list[AsideAt] = []  # in the text
        self.cited: dict[str, tuple[int, Node, Leaf, list[Quote]]] = {}  # by place
        self.numbers = (
            {} if numbers is None else numbers
        )  # of what is cited, by place: with those of other questions answered beside
        # what it is made of is all of it
        self._is_whole = findings.standing in ("answered", "premise is wrong") or any(
            one.answer.verdict == "complete" for one in findings.read
        )
        self._evidence: Sequence[Evidence] = ()  # of the leaves that tell something
        self._problems: list[str] = []  # of putting it together, for whoever asked
        self._has_gap = False
        self._is_empty = False  # whether nothing answers the question
        self._unsupported = 0  # sentences

    # ---- the text

    def pieces(self) -> Iterator[str]:
        """The text as it is written, Markdown, with citations as [number]."""
        before: Line | None = None
        for line in self._lines():
            start, mark = self.written.length, self.written.pieces[-1] if before is not None and before.is_mark else ""
            text = self._write(line, self.written)
            if line.aside is not None:
                self._asides.append(AsideAt(line.aside, start - len(mark), self.written.length))
            yield text
            before = line
        if not self.written.pieces:
            self._is_empty = True
            for line in self._nothing():
                yield self._write(line, self.written)

    def _write(self, line: Line, to: CitedText) -> str:
        """The text of a line with the number of its citation in this answer, which it gets with its first use."""
        if line.number is None or line.node is None or line.leaf is None:
            return to.add(line)
        number = self.numbers.setdefault(line.node.place, len(self.numbers) + 1)
        _, _, _, quotes = self.cited.setdefault(line.node.place, (number, line.node, line.leaf, []))
        if line.quote is not None and line.quote not in quotes:
            quotes.append(line.quote)
        return to.add(line, number, quotes.index(line.quote) if line.quote is not None else None)

    @property
    def is_unfounded(self) -> bool:
        """Whether a model wrote something that rests on nothing, though passages were read that tell something.

        That nothing answers the question is no such thing: it needs no source.
        """
        is_tried = bool(self.context.reader.model_label) and not self._has_gap and not self.cited
        telling = any(read.answer.verdict != "none" for read in self.findings.read)
        return is_tried and self.findings.direct is None and telling and (bool(self._unsupported) or self.context.usage.cut)

    def _lines(self) -> Iterable[Line]:
        if self.findings.direct is not None:
            return self.findings.direct.lines
        if self.findings.branch is not None:
            return self._from_branch(self.findings.branch)
        if self.findings.rows is None:
            return self._from_leaves()
        is_first = not self.findings.rows.is_guess or all(read.answer.verdict == "none" for read in self.findings.read)
        return (self._above if is_first else self._below)(self.findings.rows.lines, self._from_leaves())

    def _above(self, rows: Iterable[Line], passages: Iterator[Line]) -> Iterator[Line]:
        yield from rows
        if self.findings.rows is not None and self.findings.rows.is_understood:
            passages = _all_folded(passages)
        first = next(passages, None)
        if first is not None:
            yield Line("\n\n")
            yield first
            yield from passages

    @staticmethod
    def _below(rows: Iterable[Line], passages: Iterator[Line]) -> Iterator[Line]:
        """The rows between the best passages and those that a page folds."""
        left = list(rows)
        for one in passages:
            if one.aside == "more" and left:
                yield Line("\n\n")
                yield from left
                left = []
            yield one
        yield from ([Line("\n\n"), *left] if left else [])

    def _from_leaves(self) -> Iterator[Line]:
        """What the leaves that were read say, put together by the reader."""
        best_first = list(self._without_rows(self._best_first()))
        if self.findings.rows is not None and all(read.answer.verdict == "none" for read in best_first):
            return  # all that tells anything is told by the rows
        stated = list(self._stated(len(best_first) + 1))
        if not best_first and not stated:
            return
        by_number = dict(enumerate(best_first, 1))
        evidence: Sequence[Evidence] = [
            Evidence(
                number, read.text, read.answer, read.score, read.linked, read.leaf.begins, self._is_meant(read.node),
                read.node.document_id or "",
            )
            for number, read in by_number.items()
        ]  # fmt: skip
        if not self.context.reader.model_label:
            evidence, problem = weigh_by_meaning(self.understanding.text, evidence, self.snapshot.workspace.meaning)
            self._problems += [problem] if problem else []
        self._evidence = evidence
        pieces = self.context.reader.compose(
            self.findings.question, [*evidence, *(one for one, _, _ in stated)], self.findings.notes
        )
        known = {number: (read.node, read.leaf) for number, read in by_number.items()}
        is_headed = False
        for line in self._as_lines(pieces, known | {one.number: (node, leaf) for one, node, leaf in stated}):
            is_headed = is_headed or line.aside == "more"
            yield line
        if not self.context.reader.model_label and not self._is_whole:
            yield from self._more(is_headed)

    def _more(self, is_headed: bool) -> Iterator[Line]:
        """Passages that may say in other words what is asked, below those that may help: without what stands above them, and of the same
        sources, as whoever may not see another one would lose the whole answer with them."""
        sources = {node.source_id for _, node, _, _ in self.cited.values()}
        found = closest_passages(self.understanding.text, self.snapshot, self.findings.read)
        self._problems += found.problems
        told = [(leaf.text, quote) for _, _, leaf, quotes in self.cited.values() for quote in quotes]
        points = [
            point
            for point in found.points
            if found.leaves[point.number][0].source_id in sources
            and not any(
                text == point.leaf.text and one.start < point.quote.end and point.quote.start < one.end for text, one in told
            )
        ]
        pieces = more_passages(self.findings.question, points, is_headed=is_headed)
        yield from self._as_lines(pieces, found.leaves)

    def _best_first(self) -> list[ReadLeaf]:
        """What tells something, and then what has passages that may be told beside it, or steps to which something read leads: a leaf's
        place in it, from 1, is its number as evidence."""
        telling = [read for read in self.findings.read if read.answer.verdict != "none"]
        silent = [read for read in self.findings.read if read.answer.verdict == "none"] if telling else []
        beside = [read for read in silent if read.answer.excerpts or read.linked]
        order = [sorted(some, key=lambda read: (-read.answer.coverage, -read.score)) for some in (telling, beside)]
        return [*order[0], *order[1]]

    def _without_rows(self, read: Iterable[ReadLeaf]) -> Iterator[ReadLeaf]:
        """What was read, without passages that are rows told above them."""
        lines = self.findings.rows.lines if self.findings.rows is not None else ()
        told = {(one.node.place, one.quote.start) for one in lines if one.node is not None and one.quote is not None}
        for one in read:
            place = one.node.place
            left = tuple(said for said in one.answer.excerpts if (place, said.quote.start) not in told)
            if left or not one.answer.excerpts:
                yield one if len(left) == len(one.answer.excerpts) else replace(one, answer=replace(one.answer, excerpts=left))

    def _is_meant(self, node: Node) -> bool:
        """Whether it is of the one ticket that the question names, or of what a follow-up points at."""
        chat, named = self.understanding.chat, self.understanding.named
        points = (chat.points and chat.names is not None) or (bool(self.understanding.analysis.keys) and len(named) == 1)
        likely = self.understanding.likely if points else ()
        return any(document_around(place) == document_around(node.place) for place in likely)

    def _stated(self, first: int) -> Iterator[tuple[Evidence, Node, Leaf]]:
        """What is stated of the names in the question, for a model: a reader without one has been told it by then."""
        if self.context.reader.model_label:
            sources = FactCitations(self.snapshot.store, self.snapshot.version)
            yield from as_evidence(self.findings.known, self.understanding.text, sources, first)

    def _from_branch(self, branch: DirectAnswer) -> Iterator[Line]:
        """The quotes of a branch's record made into an answer to just this question; listed where the reader makes none."""
        quoted: dict[str, tuple[Node, Leaf, list[Quote]]] = {}
        for line in branch.lines:
            if line.node is not None and line.leaf is not None and line.quote is not None:
                quoted.setdefault(line.node.place, (line.node, line.leaf, []))[2].append(line.quote)
        by_number = dict(enumerate(quoted.values(), 1))
        evidence: Sequence[Evidence] = [
            Evidence(number, leaf.as_read(), LeafAnswer("complete", tuple(quotes), 1.0), 1.0)
            for number, (_, leaf, quotes) in by_number.items()
        ]
        pieces = iter(self.context.reader.sum_up(self.findings.question, evidence))
        first = next(pieces, None)
        if first is None:
            yield from branch.lines
            return
        self._is_whole = True  # the reader chose to answer from it, and says itself where that is not enough
        yield from self._as_lines(
            chain((first,), pieces), {number: (node, leaf) for number, (node, leaf, _) in by_number.items()}
        )

    def _as_lines(self, pieces: Iterable[Cited], evidence: Mapping[int, tuple[Node, Leaf]]) -> Iterator[Line]:
        """The pieces of a reader with what their numbers stand for; what it marks is kept for the verdict."""
        for piece in pieces:
            self._has_gap |= piece.is_gap
            self._unsupported += piece.unsupported
            node, leaf = evidence.get(piece.number or 0, (None, None))
            if piece.text or piece.quote is not None:
                yield Line(piece.text, piece.number, node, leaf, piece.quote, piece.aside, piece.unsupported)

    def _nothing(self) -> Iterator[Line]:
        """That there is no answer, and the passages nearest to one, as what they are: whoever asked may see more in them."""
        yield Line(self._no_answer())
        if self.context.reader.model_label or self.understanding.names_nothing_known:
            return
        found = closest_passages(self.understanding.text, self.snapshot, self.findings.read)
        self._problems += found.problems
        yield from self._as_lines(nearest_passages(self.findings.question, found.points), found.leaves)

    def _no_answer(self) -> str:
        tops = [top for top in self.snapshot.tops if top.place in self.snapshot.asked_in]
        names = in_a_row([as_text(top.title) for top in tops] or [as_text(one.name) for one in self.snapshot.sources.values()])
        if self.findings.standing == "cannot be understood":
            return f"It is not clear what this asks. {as_text(self.findings.unclear)}".rstrip()
        if (unread := named_unread(self.snapshot, self.understanding)) is not None:
            name = self.snapshot.sources[unread.source_id].name
            return f"“{as_text(unread.title)}” is in {as_text(name)}, but could not be read. {as_text(unread.reason)}"
        if self.understanding.names_nothing_known:
            return f"Nothing in {names} is called {as_text(' or '.join(self.understanding.analysis.keys))}."
        if not self.findings.read:
            return f"Nothing in {names} shares a word with this question."
        return f"No answer was found in {names}.{self._unknown()}"

    def _unknown(self) -> str:
        """A name that nobody and nothing has, where without it tickets are asked for: "open tickets of Zelda"."""
        unknown = unknown_name(self.understanding.text, self.snapshot)
        return f" Nobody and nothing is called “{as_text(unknown)}”." if unknown else ""

    # ---- the whole of it

    def answer(self) -> Answer:
        snapshot, context, verdict = self.snapshot, self.context, self._verdict()
        read_of = {one.node.place: one for one in (*self.findings.read, *self.findings.tried)}
        corrections = self._corrections(verdict)
        if corrections and verdict == "complete":  # it is about something else than the word that occurs nowhere
            verdict = "partial"
        not_now = self._time_not_now() if verdict == "complete" else ""
        verdict = "partial" if not_now or self._is_counted_too_early else verdict
        text, marks = stripped(str(self.written), self.written.marks)
        steps = self._steps() if verdict == "complete" else ()
        needed = self._needed(verdict)
        citations = make_citations(snapshot, list(self.cited.values()))
        return Answer(
            question=self.understanding.question,
            text=text,
            asides=tuple(_shifted(one, str(self.written)) for one in self._asides),
            marks=marks,
            verdict=verdict,
            citations=citations,
            trail=self.findings.steps,
            versions=snapshot.versions(),
            as_of=as_iso(as_of(snapshot)),
            coverage={
                "leaves_read": len(read_of),
                "leaves_total": sum(top.leaves for top in snapshot.tops),
                "characters_read": sum(len(one.leaf.text) for one in read_of.values()),
                "unreadable": sum(troubles_of(snapshot, id_).unreadable for id_ in snapshot.scope.sources),
            },
            usage=context.usage_json(),
            notes=(
                *context.notes,
                *self._problems,
                *self.understanding.notes,
                *([f"What leads here holds {not_now}, which is not now."] if not_now else ()),
                *([NOT_DRAWN] if self.understanding.is_drawn and not self._has_chart() else ()),
                *self._unsupported_note(),
                *self._unread_note(),
                *freshness_notes(snapshot, needed),
                *dict.fromkeys(f"“{one.title}” {one.note}." for one in citations if one.note),
                *(() if verdict == "complete" else partly_read_notes(snapshot)),
            ),
            closest=() if self.cited else tuple(self._closest()),
            cut=context.usage.cut,
            chart=self.findings.direct.chart if self.findings.direct is not None else None,
            did_you_mean=corrections,
            sources=tuple(snapshot.sources),
            rests_on=self._rests_on(),
            unread=unread_nearby(snapshot, self.findings.steps, [citation.place for citation in citations]),
            unreachable=unreachable_sources(snapshot, needed),
            steps=steps,
            is_help=self.findings.direct is not None and self.findings.direct.step is None,
        )

    def _has_chart(self) -> bool:
        return self.findings.direct is not None and self.findings.direct.chart is not None

    def _steps(self) -> tuple[StepText, ...]:
        """The steps of the procedure that the answer tells, as its document has them, whoever has written the answer."""
        told = document_told(self.findings.question, self._evidence) if self._evidence else None
        read = dict(enumerate(self._best_first(), 1))
        if told is None or read[told.number].node.place not in self.cited:
            return ()
        known = {number: (one.node, one.leaf) for number, one in read.items()}
        pages = [one for one in self._evidence if one.document == told.document]
        for number, (node, leaf) in enumerate(self._rest_of_document(read[told.number].node), len(known) + 1):
            known[number] = node, leaf
            pages.append(Evidence(number, leaf.as_read(node.kind), LeafAnswer("none", (), 0.0), 0.0, document=told.document))
        found = []
        for step in guide(self.findings.question, self._evidence, pages):
            (text, marks), failing = self._joined(step.pieces, known), [self._joined(one, known) for one in step.failing]
            fails = tuple(text for text, _ in failing)
            found.append(StepText(step.title, step.number, text, fails, marks, tuple(marks for _, marks in failing)))
        return tuple(found)

    def _joined(self, pieces: Iterable[Cited], known: Mapping[int, tuple[Node, Leaf]]) -> tuple[str, tuple[MarkAt, ...]]:
        written = CitedText()
        for line in self._as_lines(pieces, known):
            self._write(line, written)
        return stripped(str(written), written.marks)

    def _rest_of_document(self, node: Node) -> Iterator[tuple[Node, Leaf]]:
        """The leaves of a document that were not read, the first of them."""
        store, version = self.snapshot.store, self.snapshot.version
        read = {one.node.place for one in self._best_first()}
        inside = store.nodes.of_document(node.source_id, node.document_id or "", version)
        nodes = [one for one in inside if one.kind == "leaf" and one.leaf and one.place not in read][:MOST_PAGES]
        stored = store.leaves.by_key(one.leaf for one in nodes if one.leaf)
        return ((one, stored[one.leaf]) for one in nodes if one.leaf in stored)

    def _rests_on(self) -> tuple[str, ...]:
        """Ids of the sources without which the text might be another one.

        A direct answer may count or exclude over all of them. Of a walk, quotes are of what they cite; a model may have
        taken words from anything that was read.
        """
        if self.findings.direct is not None or self.findings.branch is not None or not self.cited or self._is_empty:
            return tuple(self.snapshot.sources)
        if self.context.reader.model_label and self.findings.known:
            return tuple(self.snapshot.sources)
        return self._told_from()

    def _needed(self, verdict: Verdict) -> tuple[str, ...]:
        """Ids of the sources that might change the answer if they could be read now: all where nothing answers the question, or
        where it is answered by a list or a count."""
        direct = self.findings.direct
        if direct is not None and direct.step is None:  # it says nothing of the sources
            return ()
        if verdict != "complete" or not self.cited or (direct is not None and direct.is_of_all):
            return tuple(self.snapshot.sources)
        return self._told_from()

    def _told_from(self) -> tuple[str, ...]:
        """Ids of the sources of what is cited, and of what a model has read."""
        nodes = [node for _, node, _, _ in self.cited.values()]
        nodes += [read.node for read in self.findings.read] if self.context.reader.model_label else []
        return tuple(dict.fromkeys(node.source_id for node in nodes))

    @property
    def _is_counted_too_early(self) -> bool:
        """Whether it is a list, or a count, of sources of which one has not been read to its end for the first time: it grows while they
        are read."""
        direct = self.findings.direct
        is_list = direct is not None and direct.step is not None and (direct.is_of_all or direct.is_set)
        return is_list and any(source.synced_at is None for source in self.snapshot.sources.values())

    def _verdict(self) -> Verdict:
        if self.findings.direct is not None:
            verdict = self.findings.direct.verdict
            return "partial" if verdict == "complete" and self.findings.is_part else verdict
        if not self.cited or self._is_empty:
            return "none"
        understanding = self.understanding
        is_guess = bool(understanding.chat.follows) and not terms(understanding.question)  # "by whom?", and nobody knows of what
        is_sound = not (self._has_gap or self._unsupported or self.context.usage.cut or is_guess or self.findings.is_part)
        return "complete" if is_sound and self._is_whole else "partial"

    def _time_not_now(self) -> str:
        """In which time it holds what is told first and alone, where the question asks how things are and that is another time."""
        text = str(self.written).strip()
        if "\n" in text or self.context.reader.model_label:
            return ""  # a list, or what came before beside it
        return time_not_now(self.understanding.text, text, today(self.snapshot))

    def _corrections(self, verdict: Verdict) -> tuple[Correction, ...]:
        """Also of what the extractive reader calls answered: unlike a model, it knows no word but as it is written."""
        if self.findings.standing == "cannot be understood":
            return tuple(Correction(reading, reading) for reading in self.findings.readings)
        is_certain = self.findings.direct is not None or bool(self.context.reader.model_label)
        if verdict == "complete" and is_certain:
            return ()
        return find_corrections(self.understanding.question, self.snapshot, with_words=verdict != "complete")

    def _unsupported_note(self) -> Iterator[str]:
        if number := self._unsupported:
            which = "1 sentence of this answer has" if number == 1 else f"{number} sentences of this answer have"
            yield f"{which} no source; nothing that was read says so."

    def _unread_note(self) -> Iterator[str]:
        if unread := self.findings.notes.unread:
            named = ", ".join(f"“{title}”" for title in unread[:MOST_UNREAD])
            more = f" and {len(unread) - MOST_UNREAD} more" if len(unread) > MOST_UNREAD else ""
            yield f"{named}{more} seemed likely to say more and {'was' if len(unread) == 1 else 'were'} left unread: a question may read only so much."

    def _closest(self) -> Iterator[dict[str, str]]:
        for read in sorted(self.findings.read, key=lambda read: -read.answer.coverage)[:CLOSEST]:
            yield {"place": read.node.place, "title": read.node.title, "path": " › ".join(read.path)}


def in_a_row(names: Sequence[str]) -> str:
    """ "Docs, Pay and Jira"; of more than are read at a glance how many more there are."""
    more = len(names) - MOST_NAMED
    named = [*names[:MOST_NAMED], f"{more:,} more"] if more > 1 else list(names)
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))


def _shifted(aside: AsideAt, text: str) -> AsideAt:
    """Where it stands once the text has no space around it."""
    left, end = len(text) - len(text.lstrip()), len(text.strip())
    return aside._replace(start=max(0, aside.start - left), end=min(end, aside.end - left))


def nothing_to_ask(question: str, snapshot: Snapshot, context: QueryContext) -> Answer:
    """The answer where there is no tree to walk."""
    if snapshot.as_of is not None:
        text = f"Nothing is kept from {when(snapshot.as_of)}. Ask about a later day."
    elif snapshot.asked_in and not snapshot.sources:
        text = "The branch this was asked in is no longer in the tree. Ask in all sources, or choose another branch."
    elif not snapshot.sources:
        text = "There is nothing to ask yet. Add a folder or try the sample workspace under Sources."
    else:
        text = (
            "Nothing has been read yet. Wait for the first documents to arrive, or look under Sources for what stands in the way."
        )
    return Answer(
        question=question,
        text=text,
        verdict="none",
        versions=snapshot.versions(),
        as_of=as_iso(as_of(snapshot)),
        coverage={"leaves_read": 0, "leaves_total": 0, "unreadable": 0},
        usage=context.usage_json(),
        notes=tuple(freshness_notes(snapshot, snapshot.sources)),
        unreachable=unreachable_sources(snapshot, snapshot.sources),
        sources=tuple(snapshot.sources),
        rests_on=tuple(snapshot.sources),
    )


def _all_folded(passages: Iterator[Line]) -> Iterator[Line]:
    """All passages below the line that says that there are more."""
    is_begun = False
    for one in passages:
        if one.aside not in ("partial", "more"):
            yield one
        elif not is_begun:
            is_begun = True
            yield replace(one, text=MORE, aside="more")
