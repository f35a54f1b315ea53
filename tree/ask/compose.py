"""Writes the answer: pieces of text as they come, citations numbered in the order in which they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prompts.extractive import as_text
from prompts.model import ModelError, ModelReader
from prompts.model.citing import NOT_FOUND
from prompts.model.reader import WITHOUT
from prompts.records import Evidence, LeafAnswer, LeafText, Question, Quote, Reader, Verdict
from tree.ask.answer import Answer, Citation, passage
from tree.ask.best_first_walk import Walk
from tree.ask.outline_walk import OutlineWalk
from tree.ask.overview import Line, Overview
from tree.ask.query_context import Errand
from tree.ask.snapshot import Pinned, as_of, moment, notes_on, partly_read, unread, when
from tree.ask.snapshot_view import Step
from tree.store.leaves import Leaf
from tree.store.places import escape
from tree.store.rows import Node, StoredDocument

CLOSEST = 3  # places shown when there is no answer


class Writing:
    """Numbers the citations in the order in which they are used, and keeps what each of them quotes."""

    def __init__(self, tree: Pinned, errand: Errand, walk: Walk | OutlineWalk | None, overview: Overview | None) -> None:
        self.tree = tree
        self.errand = errand
        self.walk = walk
        self.overview = overview
        self.text: list[str] = []
        self.cited: dict[str, tuple[int, Node, Leaf, list[Quote]]] = {}  # by place

    def _lines(self) -> Iterable[Line]:
        """What the overview says, where there is one; else what was found on the walk."""
        if isinstance(self.walk, OutlineWalk) and self.walk.told is not None:
            return _summed_up(self.walk.reader, self.walk.question, self.walk.told)
        if self.overview is not None:
            return self.overview.lines
        return _composed(self.errand.reader, self.walk) if self.walk is not None else ()

    def pieces(self) -> Iterator[str]:
        for piece in self._lines():
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

    def answer(self, question: str, trail: Sequence[Step]) -> Answer:
        tree, walk, errand = self.tree, self.walk, self.errand
        citations = tuple(self._citation(*cited) for cited in self.cited.values())
        return Answer(
            question,
            "".join(self.text).strip(),
            self._verdict(),
            citations,
            tuple(trail),
            tree.version,
            moment(as_of(tree)),
            {
                "leaves_read": len(walk.found) if walk else 0,
                "leaves_total": sum(top.leaves for top in tree.tops),
                "characters_read": walk.characters if walk else 0,
                "unreadable": tree.workspace.store.count_failures(tree.scope.sources),
            },
            errand.taken(),
            (
                *errand.notes,
                *self._unsupported(),
                *notes_on(tree),
                *dict.fromkeys(f"“{one.title}” {one.note}." for one in citations if one.note),
                *(() if self._verdict() == "complete" else partly_read(tree)),
            ),
            () if self.cited else tuple(self._closest()),
            errand.usage.cut,
        )

    def _verdict(self) -> Verdict:
        if self.overview is not None and self.overview.step.kind == "register":
            return "complete"  # that there is none is an answer
        if not self.cited:
            return "none"
        usage = self.errand.usage
        is_told = NOT_FOUND not in "".join(self.text) and not usage.cut and not usage.losses["unsupported"]
        return "complete" if is_told and self._is_whole() else "partial"

    def _is_whole(self) -> bool:
        """Whether what the answer is made of was judged to be all of it."""
        if isinstance(self.walk, OutlineWalk) and self.walk.told is not None:
            # where a model chose to answer from a branch, only its own words say whether that was enough
            return not self.errand.usage.without_model["compose"]
        found = self.walk.found if self.walk is not None else []
        return self.overview is not None or any(one.answer.verdict == "complete" for one in found)

    def _unsupported(self) -> Iterator[str]:
        if number := self.errand.usage.losses["unsupported"]:
            which = "1 sentence of this answer has" if number == 1 else f"{number} sentences of this answer have"
            yield f"{which} no source; nothing that was read says so."

    def _citation(self, number: int, node: Node, leaf: Leaf, quotes: list[Quote]) -> Citation:
        document = self.tree.document(node)
        source = self.tree.sources[node.source_id]
        path = self._path(document) if document else ()
        passages = tuple(passage(leaf, quote.start, quote.end) for quote in quotes) or (passage(leaf, 0, len(leaf.text)),)
        return Citation(
            number, source.name, source.id, node.document_id or "", document.title if document else node.title, path,
            document.kind if document else "", dict(document.metadata) if document else {}, document.url if document else "",
            node.place, node.leaf or "", passages, unread(self.tree, node),
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


def _composed(reader: Reader, walk: Walk | OutlineWalk) -> Iterator[Line]:
    telling = [found for found in walk.found if found.answer.verdict != "none"]
    if not telling:
        return
    best_first = sorted(telling, key=lambda found: (-found.answer.coverage, -found.score))
    by_number = dict(enumerate(best_first, 1))
    evidence = [Evidence(number, found.text, found.answer, found.score, found.linked) for number, found in by_number.items()]
    for piece in reader.compose(walk.question, evidence):
        found = by_number.get(piece.number or 0)
        if found is None:
            yield Line(piece.text)
        else:
            yield Line(piece.text, piece.number, found.node, found.leaf, piece.quote)


def _summed_up(reader: ModelReader, question: Question, overview: Overview) -> Iterator[Line]:
    """The quotes of a branch's record made into an answer to just this question; all of them, listed, where no model does."""
    quoted: dict[str, tuple[Node, Leaf, list[Quote]]] = {}
    for line in overview.lines:
        if line.node is not None and line.leaf is not None and line.quote is not None:
            quoted.setdefault(line.node.place, (line.node, line.leaf, []))[2].append(line.quote)
    by_number = dict(enumerate(quoted.values(), 1))
    evidence = [
        Evidence(number, LeafText(leaf.text, (*leaf.heading, leaf.title)), LeafAnswer("complete", tuple(quotes), 1.0), 1.0)
        for number, (_, leaf, quotes) in by_number.items()
    ]
    try:
        for piece in reader.strict().compose(question, evidence):
            node, leaf, _ = by_number.get(piece.number or 0, (None, None, []))
            yield Line(piece.text, piece.number, node, leaf, piece.quote)
    except ModelError as error:
        reader.usage.give_up("compose", f"{error.message} {WITHOUT['compose']}")
        yield from overview.lines


def nothing_to_ask(question: str, tree: Pinned, errand: Errand) -> Answer:
    if tree.as_of is not None:
        text = f"Nothing is kept from {when(tree.as_of)}. Ask about a later day."
    elif tree.asked_in and not tree.sources:
        text = "The branch this was asked in is no longer in the tree. Ask in all sources, or choose another branch."
    elif not tree.sources:
        text = "There is nothing to ask yet. Add a folder or try the sample workspace under Sources."
    else:
        text = (
            "Nothing has been read yet. Wait for the first documents to arrive, or look under Sources for what stands in the way."
        )
    return Answer(question, text, "none", version=tree.version, as_of=moment(as_of(tree)), notes=tuple(notes_on(tree)),
                  coverage={"leaves_read": 0, "leaves_total": 0, "unreadable": 0},
                  usage=errand.taken())  # fmt: skip
