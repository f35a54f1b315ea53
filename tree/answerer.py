"""The read side: `ask` pins a version, follows the scent, walks, and composes an answer from what it read."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from prompts.extractive import as_text
from prompts.follow_up import Carried, carry
from prompts.language import terms
from prompts.model import ModelReader, Stop, Stopped, Usage
from prompts.model.citing import NOT_FOUND
from prompts.question import Asked
from prompts.question import ask as analyse
from prompts.records import Evidence, Question, Quote, Reader, Verdict
from tree.database import StoreError
from tree.ground import Budget, Ground, Step
from tree.leaves import Leaf, Piece
from tree.models import Source
from tree.navigator import Walk
from tree.outline_walk import OutlineWalk
from tree.overview import Overview, overview_of
from tree.register import register_of
from tree.scent import Scent, follow_scent
from tree.search import Index, Scope, as_name
from tree.shape import escape
from tree.store import Node, StoredDocument
from tree.workspace import Workspace

LONGEST_QUESTION = 8_000  # characters
LONGEST_TOLD = 600  # characters of an answer before it, for a model that rewrites a question
CLOSEST = 3  # places shown when there is no answer

log = logging.getLogger("knowledge-tree")


class AskError(Exception):
    """The question cannot be asked like this; the message says how it can."""


# ---------------------------------------------------------------- what comes out


@dataclass(frozen=True, slots=True)
class Passage:
    """A quoted stretch of a leaf: [start, end) of its text, and where that stands in the document."""

    text: str
    start: int
    end: int
    locator: str = ""
    page: int | None = None
    line: int | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """What one number in an answer points at: a leaf, and the passages quoted from it."""

    number: int
    source: str
    source_id: str
    document_id: str
    title: str
    path: tuple[str, ...]
    kind: str  # of the document
    facts: Mapping[str, str]  # what its source says of it: a ticket's key, status, assignee ...
    url: str
    place: str
    leaf: str  # key of the cited text: what stood there when it was cited
    passages: tuple[Passage, ...]

    def as_json(self) -> dict[str, Any]:
        first = self.passages[0]
        return {**asdict(self), "url": first.url or self.url, "locator": first.locator, "quote": first.text}


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole of it: also what is stored with a chat and printed by `--json`."""

    question: str
    text: str
    verdict: Verdict
    citations: tuple[Citation, ...] = ()
    trail: tuple[Step, ...] = ()
    version: int = 0
    as_of: str | None = None  # when what was read was last known to be what the sources hold, ISO 8601 in UTC
    coverage: Mapping[str, int] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)  # seconds, which model, and what it took
    notes: tuple[str, ...] = ()  # what the person should know about this answer: stale sources, withheld documents
    closest: tuple[Mapping[str, str], ...] = ()  # where to look when nothing answers it
    cut: bool = False  # it broke off while it was written: asking again may bring the rest

    def as_json(self) -> dict[str, Any]:
        """Without tuples, so that it is the same before and after it was stored."""
        return {
            "question": self.question,
            "answer": self.text,
            "verdict": self.verdict,
            "citations": [citation.as_json() for citation in self.citations],
            "trail": [step_json(step) for step in self.trail],
            "version": self.version,
            "as_of": self.as_of,
            "coverage": dict(self.coverage),
            "usage": dict(self.usage),
            "notes": list(self.notes),
            "closest": [dict(place) for place in self.closest],
            "cut": self.cut,
        }


def step_json(step: Step) -> dict[str, Any]:
    options = [{**asdict(one), "content_types": list(one.content_types), "path": list(one.path)} for one in step.options]
    return {**asdict(step), "path": list(step.path), "options": options, "chosen": list(step.chosen)}


Event = Step | TextPiece | Answer


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn of the chat before a question."""

    question: str
    cited: tuple[str, ...] = ()  # places its answer rests on, the first first
    answer: str = ""


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
    errand = _errand(workspace, reader, stop or Stop())
    try:
        for event in _answered(workspace, errand, question, _pin(workspace, sources, places, as_of), earlier, budget or Budget()):
            yield event
            if errand.stop.is_set:
                return
    except Stopped:
        return
    finally:
        _write_down(workspace, errand)


def _answered(
    workspace: Workspace, errand: _Errand, question: str, tree: _Tree, earlier: Sequence[Earlier], budget: Budget
) -> Iterator[Event]:
    if not tree.tops:
        yield _nothing_to_ask(question, tree)
        return
    understood = _understand(errand, question, earlier)
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
    told = _compose(errand.reader, walk) if overview is None else _tell(overview)
    writing = _Writing(tree, told, walk, overview)
    yield from map(TextPiece, writing.pieces())
    yield writing.answer(question, trail, errand)


def check_question(question: str, has_chat: bool = False) -> None:
    """Raises AskError for what cannot be asked."""
    if not question:
        raise AskError("Type a question first.")
    if len(question) > LONGEST_QUESTION:
        raise AskError(f"That question has {len(question):,} characters; ask one of at most {LONGEST_QUESTION:,}.")
    if not terms(question) and not analyse(question).subject and not has_chat:
        raise AskError("There is no word in this question to look for. Name the thing you want to know about.")


# ---------------------------------------------------------------- who answers, and what it takes


@dataclass(frozen=True, slots=True)
class _Errand:
    """One question: who decides and answers it, and what that takes."""

    reader: Reader
    stop: Stop
    note: str = ""  # why it is not the model that was chosen
    usage: Usage = field(default_factory=Usage)
    began: float = field(default_factory=time.perf_counter)

    @property
    def model(self) -> str:
        return self.reader.settings.label if isinstance(self.reader, ModelReader) else ""

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    @property
    def notes(self) -> tuple[str, ...]:
        return (*filter(None, [self.note]), *self.usage.notes)

    def taken(self) -> dict[str, Any]:
        return {**self.usage.as_json(), "model": self.model, "seconds": round(self.seconds, 4)}


def _errand(workspace: Workspace, reader: Reader | None, stop: Stop) -> _Errand:
    note = ""
    if reader is None:
        try:
            reader = workspace.model.reader()
        except StoreError as error:
            note = f"{error} This was answered without the model."
        except ValueError:
            note = "The environment names a model that cannot be used; see Settings. This was answered without it."
    errand = _Errand(reader or workspace.reader, stop, note)
    if isinstance(errand.reader, ModelReader):
        return replace(errand, reader=errand.reader.for_errand(errand.usage, stop))
    return errand


def _write_down(workspace: Workspace, errand: _Errand) -> None:
    try:
        workspace.model.note("question", errand.usage, errand.model, errand.seconds)
    except StoreError as error:
        # whoever asked has the answer, and could do nothing about it
        log.error("what a question took of the model could not be written down: %s", error)


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class _Understood:
    """A question, read with the chat before it."""

    text: str
    asked: Asked
    carried: Carried = field(default_factory=Carried)
    steps: tuple[Step, ...] = ()  # that say how it was understood


def _understand(errand: _Errand, question: str, earlier: Sequence[Earlier]) -> _Understood:
    """A question that leans on the chat is rewritten by a model; else the words of the chat are carried along."""
    carried = carry(question, [turn.question for turn in earlier])
    if carried.follows and isinstance(errand.reader, ModelReader):
        rewritten = errand.reader.rewrite(Question(question, history=tuple(_history(earlier))))
        if rewritten != question and terms(rewritten):
            step = Step("chat", "", "", carried.follows, reason=f"With the chat before it, it asks: “{rewritten}”")
            return _Understood(rewritten, analyse(rewritten), steps=(step,))
    asked = analyse(question) if carried.names is None else _with_names(analyse(question), carried.names)
    return _Understood(question, asked, carried, (_follows(carried),) if carried.follows else ())


def _history(earlier: Sequence[Earlier]) -> Iterator[str]:
    for turn in earlier:
        yield f"asked: {turn.question}"
        if turn.answer:
            yield f"answered: {turn.answer[:LONGEST_TOLD]}"


# ---------------------------------------------------------------- the pinned tree


@dataclass(slots=True)
class _Tree:
    """What one question sees: a version, a scope, the nodes to start from."""

    workspace: Workspace
    index: Index
    version: int
    scope: Scope
    sources: dict[str, Source]
    tops: list[Node]
    as_of: float | None
    asked_in: tuple[str, ...] = ()  # places the question was narrowed to
    keys: tuple[str, ...] = ()  # of tickets, in the question
    named: list[Node] = field(default_factory=list)  # what it names that there is

    def document(self, node: Node) -> StoredDocument | None:
        found = self.workspace.store.documents(node.source_id, [node.document_id or ""], self.version)
        return found.get(node.document_id or "")


def _pin(workspace: Workspace, source_ids: Sequence[str] | None, places: Sequence[str], as_of: float | None) -> _Tree:
    store = workspace.store
    sources = {source.id: source for source in store.sources() if source_ids is None or source.id in source_ids}
    if as_of is None:
        version, index = workspace.index.catch_up(), workspace.index
    else:
        version, index = store.version_at(as_of), Index(store, None)
        index.load(sources, version)
    roots = {id_: root for id_, root in store.roots(version).items() if id_ in sources}
    tops = [roots[id_] for id_ in sources if id_ in roots]
    if places:
        nodes = store.nodes(places, version)
        tops = [nodes[place] for place in places if place in nodes and nodes[place].source_id in sources]
        sources = {top.source_id: sources[top.source_id] for top in tops}
    scope = Scope(tuple(sources), tuple(store.named_below([top.place for top in tops], version)) if places else ())
    return _Tree(workspace, index, version, scope, sources, tops, as_of, tuple(places))


def _walk(
    workspace: Workspace, reader: Reader, tree: _Tree, understood: _Understood, budget: Budget, earlier: Sequence[Earlier]
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


# ---------------------------------------------------------------- writing


@dataclass(frozen=True, slots=True)
class Told:
    """A piece of an answer, and the passage it was taken from, if any."""

    text: str
    number: int | None = None
    node: Node | None = None
    leaf: Leaf | None = None
    quote: Quote | None = None


def _compose(reader: Reader, walk: Walk | OutlineWalk) -> Iterator[Told]:
    telling = [found for found in walk.found if found.answer.verdict != "none"]
    if not telling:
        return
    best_first = sorted(telling, key=lambda found: (-found.answer.coverage, -found.score))
    by_number = dict(enumerate(best_first, 1))
    evidence = [Evidence(number, found.text, found.answer, found.score, found.linked) for number, found in by_number.items()]
    for piece in reader.compose(walk.question, evidence):
        found = by_number.get(piece.number or 0)
        if found is None:
            yield Told(piece.text)
        else:
            yield Told(piece.text, piece.number, found.node, found.leaf, piece.quote)


def _tell(overview: Overview) -> Iterator[Told]:
    for line in overview.lines:
        yield Told(line.text, line.number, line.node, line.leaf, line.quote)


class _Writing:
    """Numbers the citations in the order in which they are used, and keeps what each of them quotes."""

    def __init__(self, tree: _Tree, told: Iterator[Told], walk: Walk | OutlineWalk | None, overview: Overview | None) -> None:
        self.tree = tree
        self.told = told
        self.walk = walk
        self.overview = overview
        self.text: list[str] = []
        self.cited: dict[str, tuple[int, Node, Leaf, list[Quote]]] = {}  # by place

    def pieces(self) -> Iterator[str]:
        for piece in self.told:
            text = piece.text
            if piece.number is not None and piece.node is not None and piece.leaf is not None:
                number, _, _, quotes = self.cited.setdefault(piece.node.place, (len(self.cited) + 1, piece.node, piece.leaf, []))
                text = text.replace(f"[{piece.number}]", f"[{number}]")
                if piece.quote is not None and piece.quote not in quotes:
                    quotes.append(piece.quote)
            self.text.append(text)
            yield text
        if not self.text:
            self.text.append(self._no_answer())
            yield self.text[0]

    def answer(self, question: str, trail: Sequence[Step], errand: _Errand) -> Answer:
        tree, walk = self.tree, self.walk
        return Answer(
            question,
            "".join(self.text).strip(),
            self._verdict(),
            tuple(self._citation(*cited) for cited in self.cited.values()),
            tuple(trail),
            tree.version,
            _moment(_as_of(tree)),
            {
                "leaves_read": len(walk.found) if walk else 0,
                "leaves_total": sum(top.leaves for top in tree.tops),
                "characters_read": walk.characters if walk else 0,
                "unreadable": tree.workspace.store.count_failures(tree.scope.sources),
            },
            errand.taken(),
            (*errand.notes, *_notes(tree), *(() if self._verdict() == "complete" else _partly_read(tree))),
            () if self.cited else tuple(self._closest()),
            errand.usage.cut,
        )

    def _verdict(self) -> Verdict:
        if self.overview is not None and self.overview.step.kind == "register":
            return "complete"  # that there is none is an answer
        if not self.cited:
            return "none"
        if self.overview is not None or self.walk is None:
            return "complete"
        is_whole = any(found.answer.verdict == "complete" for found in self.walk.found)
        return "complete" if is_whole and NOT_FOUND not in "".join(self.text) else "partial"

    def _citation(self, number: int, node: Node, leaf: Leaf, quotes: list[Quote]) -> Citation:
        document = self.tree.document(node)
        source = self.tree.sources[node.source_id]
        path = self._path(document) if document else ()
        passages = tuple(passage(leaf, quote.start, quote.end) for quote in quotes) or (passage(leaf, 0, len(leaf.text)),)
        return Citation(
            number, source.name, source.id, node.document_id or "", document.title if document else node.title, path,
            document.kind if document else "", dict(document.metadata) if document else {}, document.url if document else "",
            node.place, node.leaf or "", passages,
        )  # fmt: skip

    def _path(self, document: StoredDocument) -> tuple[str, ...]:
        """What the containers of a document are called, without one that it heads itself."""
        place, places = f"{document.source_id}/", []
        for step in document.path[: len(document.path) - document.heads]:
            place = f"{place}{escape(step.id)}/"
            places.append((place, step.title))
        nodes = self.tree.workspace.store.nodes((place for place, _ in places), self.tree.version)
        return tuple(nodes[place].title if place in nodes else title for place, title in places)

    def _no_answer(self) -> str:
        tops = [top for top in self.tree.tops if top.place in self.tree.asked_in]
        names = " and ".join(as_text(top.title) for top in tops) if tops else ""
        names = names or " and ".join(as_text(source.name) for source in self.tree.sources.values())
        if self.tree.keys and not self.tree.named:
            return f"Nothing in {names} is called {as_text(' or '.join(self.tree.keys))}."
        if self.walk is None or not self.walk.found:
            return f"Nothing in {names} shares a word with this question."
        return f"Nothing that was read in {names} answers this."

    def _closest(self) -> Iterator[dict[str, str]]:
        if self.walk is None:
            return
        for found in sorted(self.walk.found, key=lambda found: -found.answer.coverage)[:CLOSEST]:
            path = " › ".join(self.walk.ground.path(found.node))
            yield {"place": found.node.place, "title": found.node.title, "path": path}


def passage(leaf: Leaf, start: int, end: int) -> Passage:
    """A stretch of a leaf with its page, line and label."""
    piece = next((piece for piece in leaf.pieces if piece.start <= start < piece.end), Piece(0, len(leaf.text)))
    line = None
    label = piece.label
    if piece.first_line is not None:
        line = piece.first_line + leaf.text.count("\n", piece.start, start)
        last = line + leaf.text.count("\n", start, max(start, end - 1))
        label = ", ".join(filter(None, (label, f"line {line}" if line == last else f"lines {line}–{last}")))
    return Passage(leaf.text[start:end].strip(), start, end, label, piece.page, line, piece.url)


# ---------------------------------------------------------------- freshness


def _as_of(tree: _Tree) -> float | None:
    """The moment for which all of it is known: of several sources, that of the one seen longest ago."""
    if tree.as_of is not None:
        return tree.as_of
    moments = [source.synced_at for source in tree.sources.values() if source.synced_at is not None]
    return min(moments, default=None)


def _notes(tree: _Tree) -> Iterator[str]:
    for source in tree.sources.values():
        if source.state in ("lost", "failed", "limited"):
            yield f"{source.name} cannot be reached now, so this is what it held on {_when(source.synced_at)}: {source.message}"
        elif source.state == "syncing" and source.synced_at is None:
            yield f"{source.name} is still being read for the first time, so this may miss something."
        if missing := tree.workspace.store.count_undecided(source.id):
            yield f"{missing} documents went missing from {source.name} at once; nothing was taken from them."
    if tree.as_of is not None and tree.version == 0:
        yield "Nothing had been read at that time, or it is no longer kept."


def _partly_read(tree: _Tree) -> Iterator[str]:
    for source in tree.sources.values():
        if partly := len(tree.workspace.store.documents_with_problems(source.id)):
            which = "1 document" if partly == 1 else f"{partly} documents"
            yield f"{which} of {source.name} could be read only in part; Sources says which and why."


def _nothing_to_ask(question: str, tree: _Tree) -> Answer:
    if tree.as_of is not None:
        text = f"Nothing is kept from {_when(tree.as_of)}. Ask about a later day."
    elif tree.asked_in and not tree.sources:
        text = "The branch this was asked in is no longer in the tree. Ask in all sources, or choose another branch."
    elif not tree.sources:
        text = "There is nothing to ask yet. Add a folder or try the sample workspace under Sources."
    else:
        text = (
            "Nothing has been read yet. Wait for the first documents to arrive, or look under Sources for what stands in the way."
        )
    return Answer(question, text, "none", version=tree.version, as_of=_moment(_as_of(tree)), notes=tuple(_notes(tree)),
                  coverage={"leaves_read": 0, "leaves_total": 0, "unreadable": 0},
                  usage={**Usage().as_json(), "model": "", "seconds": 0.0})  # fmt: skip


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _when(seconds: float | None) -> str:
    return "an unknown day" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%-d %B %Y, %H:%M UTC")
