"""The read side: `ask` opens a snapshot, understands the question, answers it directly or walks the tree, and composes an answer."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo

from prompts.chat_wording import in_full_words
from prompts.errors import ModelCallCancelled
from prompts.follow_up import chat_context
from prompts.language import terms
from prompts.question import analyse
from prompts.records import Reader
from prompts.several_questions import each_question
from prompts.shorter_questions import core_of, without_small_words
from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.compose import AnswerComposer, nothing_to_ask
from tree.ask.direct.small_talk import is_small_talk
from tree.ask.findings import Findings, leaning_on, shortcut_or_walk
from tree.ask.several import as_earlier, headline, joined
from tree.ask.snapshot.answer import Answer, Event, Restart, TextPiece
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.query_context import UNFOUNDED, open_query_context
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.ask.snapshot.trail import Step, step_json
from tree.ask.understanding.earlier import Earlier
from tree.ask.understanding.own_tickets import asks_for_own
from tree.ask.understanding.understand import Understanding, understand
from tree.ask.walk.stopped_walk import StoppedWalk
from tree.store.errors import Vanished
from tree.workspace import Workspace

__all__ = ["Answer", "AskError", "Earlier", "Event", "Restart", "TextPiece", "ask", "check_question", "step_json"]

DELETED = "Something this rests on was deleted just now; asked again of what is left."
LOOKED_BACK = 2  # turns, for what a question leans on
TRIES = 5  # to answer while what is read is being deleted
LONGEST_QUESTION = 8_000  # characters
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
    was removed or a version forgotten meanwhile, after which they come anew; nothing more once `stop` is set, which also
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

    def answered() -> Iterator[Event]:
        snapshot = open_snapshot(workspace, principal, sources, places, as_of, zone)
        if not snapshot.tops:
            yield nothing_to_ask(question, snapshot, context)
            return
        questions = (question,) if context.reader.model_label else each_question(in_full_words(question))
        if len(questions) > 1:
            yield from several(snapshot, questions)
            return
        understanding, findings = yield from looked_for(snapshot, ways_to_ask(question, earlier), stopped)
        composer = AnswerComposer(snapshot, understanding, context, findings)
        yield from map(TextPiece, composer.pieces())
        if composer.is_unfounded:
            yield Restart(UNFOUNDED)
            yield from findings.steps
            composer = AnswerComposer(snapshot, understanding, context.without_model(workspace), findings)
            yield from map(TextPiece, composer.pieces())
        answer = composer.answer()
        snapshot.check_kept()
        yield answer

    def looked_for(
        snapshot: Snapshot, ways: Iterable[Way], stopped: StoppedWalk | None = None
    ) -> Generator[Step, None, tuple[Understanding, Findings]]:
        """What was found for the first of these ways to put a question for which anything is, else for the first of all."""
        found: tuple[Understanding, Findings] | None = None
        for text, chat in ways:
            understanding = understand(snapshot, context.reader, text, chat)
            findings = yield from shortcut_or_walk(
                snapshot, understanding, context, budget or Budget(), stopped if found is None else None
            )
            if found is None and understanding.chat.leans and not (findings.is_sure or context.reader.model_label):
                turns = chat[-LOOKED_BACK:]
                findings = yield from leaning_on(findings, snapshot, understanding, turns, context, budget or Budget())
            if understanding.is_guess:
                findings = replace(findings, is_part=True)
            if found is not None and not findings.is_empty:
                step = Step("names", "", "", text, reason=f"Nothing answers all of the question, so it is asked as “{text}”.")
                yield step
                return replace(understanding, question=found[0].question), replace(
                    findings, steps=(step, *findings.steps), is_part=True
                )
            if found is None:
                found = understanding, findings
                if not findings.is_empty or context.reader.model_label:
                    break
        assert found is not None, "there is at least one way"
        return found

    def several(snapshot: Snapshot, questions: Sequence[str]) -> Iterator[Event]:
        """Each by itself, as a reader without a model cannot see that a passage answers only one of them."""
        composers: list[AnswerComposer] = []
        answers: list[Answer] = []
        numbers: dict[str, int] = {}
        for one in questions:
            leans = bool(answers) and chat_context(one, [answers[-1].question]).leans
            turns = [*earlier, *(map(as_earlier, answers) if leans else ())]
            understanding, findings = yield from looked_for(snapshot, ways_to_ask(one, turns))
            composer = AnswerComposer(snapshot, understanding, context, findings, numbers)
            yield TextPiece(headline(one, not answers))
            yield from map(TextPiece, composer.pieces())
            composers.append(composer)
            answers.append(composer.answer())
        snapshot.check_kept()
        yield joined(question, snapshot, composers, answers)

    try:
        for attempt in range(1, TRIES + 1):
            try:
                for event in answered():
                    yield event
                    if context.stop.is_set:
                        return
                return
            except Vanished:  # a source was removed meanwhile, or old versions forgotten: it is asked of what is left
                if attempt == TRIES:
                    raise
                yield Restart(DELETED)
    except ModelCallCancelled:
        return
    finally:
        context.record_usage(workspace)


def ways_to_ask(question: str, earlier: Sequence[Earlier]) -> Iterator[Way]:
    """A question as it is asked, at its core, and that without small words."""
    yield question, earlier
    core = core_of(question)
    if core is not None:
        yield core, earlier
    if (plain := without_small_words(core or question)) is not None:
        yield plain, earlier


def check_question(question: str, has_chat: bool = False) -> None:
    """Raises AskError for what cannot be asked; with a chat before it, a question may be without a word of its own."""
    if not question:
        raise AskError("Type a question first.")
    if len(question) > LONGEST_QUESTION:
        raise AskError(f"That question has {len(question):,} characters; ask one of at most {LONGEST_QUESTION:,}.")
    is_known = is_small_talk(question) or asks_for_own(question)
    if not terms(question) and not analyse(question).subject and not has_chat and not is_known:
        raise AskError("There is no word in this question to look for. Name the thing you want to know about.")
