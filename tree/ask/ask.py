"""The read side: `ask` opens a snapshot, understands the question, answers it directly or walks the tree, and composes an answer."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from itertools import chain
from typing import TypeVar

from prompts.chat_wording import in_full_words
from prompts.errors import ModelCallCancelled
from prompts.follow_up import chat_context
from prompts.language import terms
from prompts.question import analyse
from prompts.records import Question, Reader
from prompts.several_questions import each_question
from prompts.shorter_questions import core_of, without_circumstance, without_small_words
from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.compose import AnswerComposer, nothing_to_ask
from tree.ask.direct.sentence_beside_answer import answer_beside
from tree.ask.direct.small_talk import is_small_talk
from tree.ask.findings import Findings, leaning_on, shortcut_or_walk
from tree.ask.other_sources import asked_of_others, asked_too, headings_of, says_otherwise
from tree.ask.several import Told, as_earlier, headline, joined
from tree.ask.snapshot.answer import Answer, Event, Restart, TextPiece
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.corrections import find_corrections
from tree.ask.snapshot.query_context import UNFOUNDED, QueryContext, open_query_context
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.ask.snapshot.trail import Step, step_json
from tree.ask.understanding.earlier import Earlier
from tree.ask.understanding.own_tickets import asks_for_own
from tree.ask.understanding.understand import Understanding, understand
from tree.ask.walk.stopped_walk import StoppedWalk
from tree.store.errors import Overtaken, Vanished
from tree.workspace import Workspace

__all__ = ["Answer", "AskError", "Earlier", "Event", "Restart", "TextPiece", "ask", "check_question", "step_json"]

DELETED = "Something this rests on was deleted just now; asked again of what is left."
CHANGED = "Something this rests on was changed just now; asked again of what there is now."
LOOKED_BACK = 2  # turns, for what a question leans on
TRIES = 5  # to answer while what is read is being deleted
LONGEST_QUESTION = 8_000  # characters
T = TypeVar("T")
Way = tuple[str, Sequence[Earlier]]  # to put a question: a text, and the chat before it


class AskError(Exception):
    """The question cannot be asked like this; the message says how it can."""


def ask(
    workspace: Workspace,
    question: str,
    *,
    principal: Principal,
    sources: Sequence[str] | None = None,
    places: Sequence[str] = (),
    as_of: float | None = None,
    zone: tzinfo = UTC,
    earlier: Sequence[Earlier] = (),
    budget: Budget | None = None,
    reader: Reader | None = None,
    stop: Stop | None = None,
    stopped: StoppedWalk | None = None,
) -> Iterator[Event]:
    """Answers from what was published last, or by `as_of` (seconds since 1970).

    What is known exactly (facts, lists, counts, overviews) is answered directly; everything else by a walk through the tree.

    Yields each step as it is taken, pieces of text as they are written, and the Answer at the end; a Restart where a source
    was removed, a version forgotten, or a leaf that is found changed meanwhile, after which they come anew; nothing more once `stop` is set, which also
    gives up what a model is being asked.

    `principal` is who asks: nothing of a source they may not see is read, counted or mentioned. `sources` are ids, by default
    all of these; `places` narrow the question to these branches; days such as "today" begin at midnight of `zone`; `earlier` is the chat before it, the
    oldest question first. `reader` decides and answers: by default the model that the team brings, else the workspace's own
    reader. `stopped` is the walk for the same question that was stopped before: it goes on from what it had found.

    The walk goes down a tree of summaries as in MemWalker (arXiv 2310.05029), led by a full-text search over its leaves;
    what a question names is looked up in the tree besides, as in T-RAG (arXiv 2402.07483).

    Raises AskError for a question that cannot be asked, StoreError where the data folder cannot be read.
    """
    question = question.strip()
    check_question(question, bool(earlier))
    context = open_query_context(workspace, reader, stop or Stop())
    asking = _Asking(workspace, context, question, earlier, budget or Budget(), stopped)
    try:
        for attempt in range(1, TRIES + 1):
            try:
                snapshot = open_snapshot(workspace, principal, sources, places, as_of, zone)
                for event in asking.answered(replace(snapshot, is_final=attempt == TRIES)):
                    yield event
                    if context.stop.is_set:
                        return
                return
            except Overtaken:
                yield Restart(CHANGED)
            except Vanished:  # a source was removed meanwhile, or old versions forgotten: it is asked of what is left
                if attempt == TRIES:
                    raise
                yield Restart(DELETED)
    except ModelCallCancelled:
        return
    finally:
        context.record_usage(workspace)


@dataclass(frozen=True)
class _Asking:
    """A question on its way to its answer: of a snapshot, at most so much is looked for."""

    workspace: Workspace
    context: QueryContext
    question: str
    earlier: Sequence[Earlier]
    budget: Budget
    stopped: StoppedWalk | None

    def answered(self, snapshot: Snapshot) -> Iterator[Event]:
        """Steps, pieces of text and the answer. Raises Vanished where what it rests on is deleted meanwhile."""
        has_model = bool(self.context.reader.model_label)
        questions = (self.question,) if has_model else each_question(in_full_words(self.question))
        if not snapshot.tops:
            yield nothing_to_ask(self.question, snapshot, self.context)
        elif len(questions) > 1:
            yield from self._several(snapshot, questions)
        else:
            yield from self._one(snapshot)

    def _one(self, snapshot: Snapshot) -> Iterator[Event]:
        understanding, findings = yield from self._looked_for(snapshot, ways_to_ask(self.question, self.earlier), self.stopped)
        if not self.context.reader.model_label:
            yield from self._with_other_sources(snapshot, understanding, findings)
            return
        composer = AnswerComposer(snapshot, understanding, self.context, findings)
        yield from map(TextPiece, composer.pieces())
        if composer.is_unfounded:
            yield Restart(UNFOUNDED)
            yield from findings.steps
            composer = AnswerComposer(snapshot, understanding, self.context.without_model(self.workspace), findings)
            yield from map(TextPiece, composer.pieces())
        answer = composer.answer()
        snapshot.check_kept()
        yield answer

    def _with_other_sources(self, snapshot: Snapshot, understanding: Understanding, findings: Findings) -> Iterator[Event]:
        """What was found; where one source answers it, with what others answer to the same."""
        numbers: dict[str, int] = {}
        every = [self._told(snapshot, understanding, findings, numbers)]
        for other in asked_of_others(snapshot, understanding, findings, every[0].answer):
            there, found = _run(self._looked_for(other, iter([(self.question, self.earlier)])))
            found = replace(found, steps=(asked_too(other), *found.steps))
            one = self._told(other, there, found, dict(numbers))
            if all(says_otherwise(self.question, before.answer, one.answer) for before in every):
                numbers |= one.composer.numbers
                yield from found.steps
                every.append(one)
        headings = list(headings_of(snapshot, [one.answer for one in every]))
        for heading, one in zip(headings, every, strict=True):
            yield from map(TextPiece, filter(None, (heading, *one.pieces)))
        snapshot.check_kept()
        yield joined(self.question, snapshot, every, headings) if len(every) > 1 else every[0].answer

    def _told(self, snapshot: Snapshot, understanding: Understanding, findings: Findings, numbers: dict[str, int]) -> Told:
        composer = AnswerComposer(snapshot, understanding, self.context, findings, numbers)
        return Told(composer, tuple(composer.pieces()), composer.answer())

    def _several(self, snapshot: Snapshot, questions: Sequence[str]) -> Iterator[Event]:
        """Each by itself, as a reader without a model cannot see that a passage answers only one of them."""
        every: list[Told] = []
        headings: list[str] = []
        numbers: dict[str, int] = {}
        for one in questions:
            leans = bool(every) and chat_context(one, [every[-1].answer.question]).leans
            turns = [*self.earlier, *(as_earlier(before.answer) for before in every if leans)]
            understanding, findings = yield from self._looked_for(snapshot, ways_to_ask(one, turns))
            headings.append(headline(one, not every))
            every.append(self._told(snapshot, understanding, findings, numbers))
            yield from map(TextPiece, (headings[-1], *every[-1].pieces))
        snapshot.check_kept()
        yield joined(self.question, snapshot, every, headings)

    def _looked_for(
        self, snapshot: Snapshot, ways: Iterator[Way], stopped: StoppedWalk | None = None
    ) -> Generator[Step, None, tuple[Understanding, Findings]]:
        """What was found for the first of these ways to put a question for which anything is, else for the first of all; with the
        trail through all that were tried."""
        steps: list[Step] = []
        understanding, findings = yield from _noted_in(steps, self._tried(snapshot, ways, stopped))
        return understanding, replace(findings, steps=tuple(steps))

    def _tried(
        self, snapshot: Snapshot, ways: Iterator[Way], stopped: StoppedWalk | None
    ) -> Generator[Step, None, tuple[Understanding, Findings]]:
        first, found = yield from self._found(snapshot, *next(ways), stopped)
        if not found.is_empty or self.context.reader.model_label:
            return first, found
        tried = [*found.tried, *found.read]
        for text, chat in chain(self._respelt(snapshot), ways):
            yield Step("names", "", "", text, reason=f"Nothing answers all of the question, so it is asked as “{text}”.")
            understanding, findings = yield from self._found(snapshot, text, chat, is_first=False)
            if not findings.is_empty:
                findings = replace(findings, tried=(*tried, *findings.tried), is_part=True)
                note = f"Nothing answers all of the question, so this is told for “{text}”."
                return replace(understanding, question=first.question, notes=(*understanding.notes, note)), findings
            tried += [*findings.tried, *findings.read]
        return first, replace(found, tried=tuple(tried))

    def _respelt(self, snapshot: Snapshot) -> Iterator[Way]:
        """The question with its words that occur nowhere written otherwise, where it is plain how."""
        corrections = find_corrections(self.question, snapshot, with_words=True)
        if len(corrections) == 1:
            yield corrections[0].question, self.earlier

    def _found(
        self,
        snapshot: Snapshot,
        text: str,
        chat: Sequence[Earlier],
        stopped: StoppedWalk | None = None,
        *,
        is_first: bool = True,
    ) -> Generator[Step, None, tuple[Understanding, Findings]]:
        """What was found for one way to put a question; for the first one what it leans on is looked at too."""
        understanding = understand(snapshot, self.context.reader, text, chat)
        may_lean = is_first and understanding.chat.leans and not self.context.reader.model_label
        beside = answer_beside(snapshot, understanding.text, chat[-1]) if may_lean and chat else None
        if beside is not None and beside.step is not None:
            yield beside.step
            return understanding, Findings(question=Question(understanding.text), direct=beside)
        findings = yield from shortcut_or_walk(snapshot, understanding, self.context, self.budget, stopped)
        if may_lean and not findings.is_sure:
            findings = yield from leaning_on(findings, snapshot, understanding, chat[-LOOKED_BACK:], self.context, self.budget)
        return understanding, replace(findings, is_part=True) if understanding.is_guess else findings


def _run(taken: Generator[Step, None, T]) -> T:
    """What it returns, once it has been gone through."""
    while True:
        try:
            next(taken)
        except StopIteration as end:
            found: T = end.value
            return found


def _noted_in(steps: list[Step], taken: Generator[Step, None, T]) -> Generator[Step, None, T]:
    """Yields what is yielded, and keeps it in a list too."""
    while True:
        try:
            step = next(taken)
        except StopIteration as end:
            found: T = end.value
            return found
        steps.append(step)
        yield step


def ways_to_ask(question: str, earlier: Sequence[Earlier]) -> Iterator[Way]:
    """A question as it is asked, at its core, that without small words, and without the case in which it is asked."""
    yield question, earlier
    core = core_of(question)
    if core is not None:
        yield core, earlier
    if (plain := without_small_words(core or question)) is not None:
        yield plain, earlier
    if (shorter := without_circumstance(plain or core or question)) is not None:
        yield shorter, earlier


def check_question(question: str, has_chat: bool = False) -> None:
    """Raises AskError for what cannot be asked; with a chat before it, a question may be without a word of its own."""
    if not question:
        raise AskError("Type a question first.")
    if len(question) > LONGEST_QUESTION:
        raise AskError(f"That question has {len(question):,} characters; ask one of at most {LONGEST_QUESTION:,}.")
    is_known = is_small_talk(question) or asks_for_own(question)
    if not terms(question) and not analyse(question).subject and not has_chat and not is_known:
        raise AskError("There is no word in this question to look for. Name the thing you want to know about.")
