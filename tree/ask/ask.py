"""The read side: `ask` pins a version, follows the scent, walks, and composes an answer from what it read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from prompts.follow_up import Carried, carry
from prompts.language import terms
from prompts.model import ModelReader, Stop, Stopped
from prompts.question import Asked
from prompts.question import ask as analyse
from prompts.records import Question, Reader
from tree.ask.answer import Answer, Event, TextPiece, step_json
from tree.ask.best_first_walk import Walk
from tree.ask.compose import Writing, nothing_to_ask
from tree.ask.outline_walk import OutlineWalk
from tree.ask.overview import overview_of
from tree.ask.query_context import Errand, errand_of
from tree.ask.snapshot import Pinned, pin
from tree.ask.snapshot_view import Budget, Ground, Step
from tree.ask.ticket_query import register_of
from tree.retrieve.index import as_name
from tree.retrieve.scent import Scent, follow_scent
from tree.store.rows import Vanished
from tree.workspace import Workspace

__all__ = ["Answer", "AskError", "Earlier", "Event", "TextPiece", "ask", "check_question", "step_json"]

TRIES = 3  # to answer while what is read is being deleted
LONGEST_QUESTION = 8_000  # characters
LONGEST_TOLD = 600  # characters of an answer before it, for a model that rewrites a question


class AskError(Exception):
    """The question cannot be asked like this; the message says how it can."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn of the chat before a question."""

    question: str
    cited: tuple[str, ...] = ()  # places its answer rests on, the first first
    answer: str = ""
    leaves: tuple[str, ...] = ()  # keys of the texts that were cited there, in the same order


# ---------------------------------------------------------------- ask


def ask(
    workspace: Workspace,
    question: str,
    *,
    sources: Sequence[str] | None = None,
    places: Sequence[str] = (),
    as_of: float | None = None,
    earlier: Sequence[Earlier] = (),
    budget: Budget | None = None,
    reader: Reader | None = None,
    stop: Stop | None = None,
) -> Iterator[Event]:
    """Answers from what was published last, or by `as_of` (seconds since 1970).

    Yields each step of the walk as it is taken, pieces of text as they are written, and the Answer at the end; nothing
    more once `stop` is set, which also gives up what a model is being asked. `sources` are ids, all by default; `places`
    narrow the question to these branches; `earlier` is the chat before it, the oldest question first. `reader` decides
    and answers: by default the model that the team brings, else the workspace's own reader. Raises AskError.
    """
    question = question.strip()
    check_question(question, bool(earlier))
    errand = errand_of(workspace, reader, stop or Stop())
    try:
        for attempt in range(1, TRIES + 1):
            try:
                for event in _answered(
                    workspace, errand, question, pin(workspace, sources, places, as_of), earlier, budget or Budget()
                ):
                    yield event
                    if errand.stop.is_set:
                        return
                return
            except Vanished:  # a source was removed meanwhile, or old versions forgotten: it is asked of what is left
                if attempt == TRIES:
                    raise
    except Stopped:
        return
    finally:
        errand.write_down(workspace)


def _answered(
    workspace: Workspace, errand: Errand, question: str, tree: Pinned, earlier: Sequence[Earlier], budget: Budget
) -> Iterator[Event]:
    if not tree.tops:
        yield nothing_to_ask(question, tree, errand)
        return
    understood = _understand(errand, question, tree, earlier)
    trail = list(understood.steps)
    yield from trail
    overview = overview_of(workspace.store, tree.index, understood.asked, tree.tops, tree.scope, tree.version)
    overview = overview or register_of(workspace.store, understood.text, tree.scope, tree.version)
    walk = None
    if overview is not None:
        trail.append(overview.step)
        yield overview.step
    else:
        walk = _walk(workspace, errand.reader, tree, understood, budget, earlier)
        for step in walk.steps(tree.tops, tree.named):
            trail.append(step)
            yield step
        overview = walk.told if isinstance(walk, OutlineWalk) else None
    writing = Writing(tree, errand, walk, overview)
    yield from map(TextPiece, writing.pieces())
    yield writing.answer(question, trail)


def check_question(question: str, has_chat: bool = False) -> None:
    """Raises AskError for what cannot be asked."""
    if not question:
        raise AskError("Type a question first.")
    if len(question) > LONGEST_QUESTION:
        raise AskError(f"That question has {len(question):,} characters; ask one of at most {LONGEST_QUESTION:,}.")
    if not terms(question) and not analyse(question).subject and not has_chat:
        raise AskError("There is no word in this question to look for. Name the thing you want to know about.")


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class _Understood:
    """A question, read with the chat before it."""

    text: str
    asked: Asked
    carried: Carried = field(default_factory=Carried)
    steps: tuple[Step, ...] = ()  # that say how it was understood


def _understand(errand: Errand, question: str, tree: Pinned, earlier: Sequence[Earlier]) -> _Understood:
    """A question that leans on the chat is rewritten by a model; else the words of the chat are carried along."""
    carried = carry(question, [turn.question for turn in earlier])
    if carried.follows and isinstance(errand.reader, ModelReader):
        rewritten = errand.reader.rewrite(Question(question, history=tuple(_history(tree, earlier))))
        if rewritten != question and terms(rewritten):
            step = Step("chat", "", "", carried.follows, reason=f"With the chat before it, it asks: “{rewritten}”")
            return _Understood(rewritten, analyse(rewritten), steps=(step,))
    asked = analyse(question) if carried.names is None else _with_names(analyse(question), carried.names)
    return _Understood(question, asked, carried, (_follows(carried),) if carried.follows else ())


def _history(tree: Pinned, earlier: Sequence[Earlier]) -> Iterator[str]:
    """What a model is told of the chat: answers only while every text they cite still stands as it was cited, because an
    answer repeats what may have been deleted since."""
    places = {place for turn in earlier for place in turn.cited}
    now = {place: node.leaf for place, node in tree.workspace.store.nodes(places, tree.version).items()}
    for turn in earlier:
        yield f"asked: {turn.question}"
        if turn.answer and turn.leaves and turn.leaves == tuple(now.get(place) for place in turn.cited):
            yield f"answered: {turn.answer[:LONGEST_TOLD]}"


# ---------------------------------------------------------------- the walk


def _walk(
    workspace: Workspace, reader: Reader, tree: Pinned, understood: _Understood, budget: Budget, earlier: Sequence[Earlier]
) -> Walk | OutlineWalk:
    asked, carried = understood.asked, understood.carried
    names = [as_name(name) for name in (*asked.files, *asked.keys, *asked.phrases)]
    names += [name.rpartition("/")[2] for name in names if "/" in name]
    named = tree.index.named(names, tree.scope)
    nodes = workspace.store.nodes([place for _, place in named], tree.version)
    tree.keys, tree.named = asked.keys, list(nodes.values())
    leaves = [leaf for node in tree.named for leaf in workspace.store.first_leaves(node, tree.version)]
    if carried.follows and not leaves:  # "it" is most likely what the answer before was taken from
        leaves = list(workspace.store.nodes(earlier[-1].cited[:1], tree.version).values())
    files = [file for file in asked.files if as_name(file) in dict(named)]
    text = _without(_spelt_out(understood.text, carried), files)
    places = [leaf.place for leaf in leaves]
    scent = follow_scent(workspace.store, tree.index, text, tree.version, tree.scope, places, carried=carried.words)
    titles = {source.id: source.name for source in tree.sources.values()}
    ground = Ground(workspace.store, tree.index, scent, tree.scope, tree.version, titles)
    if not isinstance(reader, ModelReader):
        return Walk(ground, reader, budget)

    def search(query: str) -> Scent:
        return follow_scent(workspace.store, tree.index, query, tree.version, tree.scope)

    return OutlineWalk(ground, reader, replace(scent.question, text=understood.text), search, budget)


def _with_names(asked: Asked, names: Asked) -> Asked:
    subject = next(iter((*names.keys, *names.files))) if asked.kind == "overview" else asked.subject
    return replace(asked, keys=names.keys, files=names.files, subject=subject)


def _follows(carried: Carried) -> Step:
    """The step that says how a question was understood."""
    reason = "It leans on the chat before it, so the words of that are looked for as well, and count less than its own."
    return Step("chat", "", "", carried.follows, reason=reason)


def _spelt_out(question: str, carried: Carried) -> str:
    """A question with the names it points at, or with the question before it where it has no word of its own."""
    if carried.names is not None:
        return f"{question} {' '.join(carried.names.keys)}"
    return question if terms(question) else f"{question} {carried.follows}"


def _without(question: str, names: Sequence[str]) -> str:
    """A question without the file names in it, which say where to look and not what for."""
    left = question
    for name in names:
        left = left.replace(name, " ")
    return left if terms(left) else question
