"""Scent: how promising each leaf is for a question, and through it each branch above, before anything is read.

A branch is worth its best leaf below. A walk by the branches' own summaries alone finds far less than flat search,
because a summary cannot mention what all its leaves say; with the leaves' evidence carried upwards it finds more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from prompts.extractive.change_logs import asks_for_changes, is_log_in_terms
from prompts.extractive.forms import asks_default
from prompts.extractive.looks import asks_form, looks_answered
from prompts.extractive.procedures import DOING
from prompts.language import terms, words
from prompts.question import PUTTING, in_english_terms, other_forms
from prompts.records import Question
from prompts.synonyms import same_as
from tree.retrieve.abbreviations import Abbreviations, find_abbreviations
from tree.retrieve.candidates import find_candidates
from tree.retrieve.index import Hit, Index, SearchScope
from tree.store.nodes import Node, joined
from tree.store.places import root_place
from tree.store.store import Store

if TYPE_CHECKING:  # it brings numpy
    from tree.retrieve.likeness import Like, Likeness

TELLING, COMMON = 4, 1.1  # words that are looked for however common; the weight of one that a third of the leaves has
K1, B = 1.4, 0.75  # of BM25
HEADING = 1.0  # how much a term in the header path counts beside one in the text
PART = 0.4  # what `leaf` and `text` weigh of a question's `LeafText`
REPEATED = 0.6  # the power of how often the question says a word
PUT = 0.5  # what a word weighs by which a question is put ("describe", "opinion"), not what it is about
# Weights beside the leaf's own BM25, from 0 to 1. All were chosen on one half of the questions of 17 sets; none of
# them is sharp: half or twice as much changes the share of evidence found by less than a point.
NEIGHBOURS = 0.15  # the leaves of the same branch: what a chapter, a chat, a folder is about
HEAP = 0.1  # the same for files that lie side by side in no folder
WINDOW, WINDOW_TERMS = 0.5, 25  # the best segment of so many terms
PHRASES = 0.2  # neighbouring words of the question that are neighbours here
HEADED = 0.5  # how much of its title and headings the question says
SAME_DOCUMENT = 0.6  # a further leaf of a document is worth this much of itself
UNSAID, SAID_AGAIN = 0.5, 0.5  # words that no leaf before has; what such a word is worth once one has it
PLACED, CONTENDERS = 12, 40  # leaves that are put in order one after the other, and among how many
MEANING = 0.3  # how like the question it is in meaning, where vectors are used; with a small model 0.6 finds more on one half of the sets, less on the other
FORM = 0.8  # of the weight of a word, for a form of it that the index does not bring together with it: "kept" for "keep"
SAME = 0.15  # of the weight of a word, for another with which documents may say the same
OF_CHANGES = 0.6  # what a log of changes is worth of itself, where no change is asked about
BY_DEFAULT = ("default",)  # what is so where nothing else is said
MOST_PAIRS = 6  # of neighbouring words that are looked for as such: a longer question has enough words to tell leaves by
NEAR = 2  # places between words that stand side by side, or with one between them
OF_FORM = 0.5  # of the best score, for a leaf that has the answer by its form
NAMED = 1.0  # added when the question names the document itself
RAREST = 0.8  # of the weight of the rarest word of a question, for another to be as rare
NOTHING: Mapping[str, float] = MappingProxyType({})
BAG = 7  # leaves below a bottom branch, on average
BETWEEN = "  "  # two terms of a hit, each of which has a space on both sides
FEW = 8  # terms that are looked for one by one


@dataclass(frozen=True, slots=True)
class Scent:
    """`leaves` maps places to scores, `best` every node above them to its best leaf; both from 0 to 1."""

    question: Question
    leaves: Mapping[str, float]
    best: Mapping[str, tuple[float, str]]
    nodes: Mapping[str, Node] = field(default_factory=dict)  # the leaves and every node above, passes included
    likeness: Likeness | None = None  # in meaning; None where it was not looked for by that
    overtaken: frozenset[str] = frozenset()  # places that were found, and are not there as they were indexed: they have no score

    def of(self, place: str) -> float:
        return self.best.get(place, (0.0, ""))[0]

    def best_leaf(self, place: str) -> Node | None:
        return self.nodes.get(self.best.get(place, (0.0, ""))[1])

    def path(self, place: str) -> list[Node]:
        """From the root down to a node that was found or lies above one, passes left out; else nothing."""
        above: list[Node] = []
        step: str | None = place
        while step is not None:
            if step not in self.nodes:
                return []
            above.append(self.nodes[step])
            step = self.nodes[step].parent
        return [node for node in reversed(above) if node.kind != "pass"]

    def parent(self, place: str) -> str | None:
        """The node above, passes left out."""
        above = self.nodes[place].parent
        while above is not None and above in self.nodes and self.nodes[above].kind == "pass":
            above = self.nodes[above].parent
        return above

    def families(self) -> dict[str, list[Node]]:
        """The children of each node that lead to a leaf with a score, a pass replaced by what it stands for."""
        families: dict[str, list[Node]] = defaultdict(list)
        for place in self.best:
            node = self.nodes.get(place)
            if node is None or node.kind == "pass":
                continue
            while (above := self.nodes.get(node.parent or "")) is not None and above.kind == "pass":
                node = joined(above, node)
            if node.parent is not None:
                families[node.parent].append(node)
        return families


def score_leaves(
    store: Store,
    index: Index,
    text: str,
    version: int,
    scope: SearchScope,
    named: Iterable[str] = (),
    neighbours: float = NEIGHBOURS,
    carried: Mapping[str, float] = NOTHING,
    follows: str = "",
    likeness: Likeness | None = None,
) -> Scent:
    """Scores the leaves of one version for a question, from 0 to 1, and carries the scores up to every node above.

    BM25 over the leaves (Robertson and Zaragoza 2009) with what stands beside it: neighbours, windows, phrases, headings;
    then maximal marginal relevance (Carbonell and Goldstein 1998). `named` are places the question names outright,
    `neighbours` is what the leaves beside it count for a leaf, `carried` maps terms of the chat before to what they count,
    both from 0 to 1, `follows` is the question that this one leans on, `likeness` how like it leaves are in meaning. Only
    candidates get a score. Raises StoreError where the index cannot be read.
    """
    sought = _sought(text, index, scope, carried, follows)
    is_of_form = asks_form(text)
    pairs = [pair for pair in pairwise(sought.said) if PUTTING.isdisjoint(pair)] if is_of_form else []
    found = find_candidates(index, scope, sought.telling, sought.said, named, likeness, pairs if len(pairs) <= MOST_PAIRS else [])
    nodes = store.nodes.with_ancestors([*found.hits, *found.named], version)
    hits = {place: hit for place, hit in found.hits.items() if _is_open(nodes.get(place), hit)}
    traces = {place: _trace(hit, sought.weights) for place, hit in hits.items()}
    scores = _scores(hits, traces, nodes, sought.said, sought.weights, index.mean_length(scope), neighbours, found.likes)
    logs = set() if asks_for_changes(text) else {place for place, hit in hits.items() if is_log_in_terms(hit.heading)}
    scores |= {place: OF_CHANGES * scores[place] for place in logs}
    if is_of_form:
        _look_into(scores, sought.question, store, {place: hit for place, hit in hits.items() if place not in logs}, traces)
    for place in found.named:
        for leaf in _leaves_below(place, hits, nodes):
            scores[leaf] = scores.get(leaf, 0.0) + NAMED
    scores = _one_after_the_other(scores, traces, nodes, sought.weights)
    most = max(scores.values(), default=1.0) or 1.0
    leaves = {place: score / most for place, score in scores.items()}
    return Scent(sought.question, leaves, _carried_up(leaves, nodes), nodes, likeness, frozenset(found.hits.keys() - hits.keys()))


class _Sought(NamedTuple):
    """What a question is looked for by."""

    question: Question
    said: list[str]  # its terms
    weights: dict[str, float]  # what each term counts here that a leaf may have, those of the question and others for them
    telling: list[str]  # the terms by which candidates are found


def _sought(text: str, index: Index, scope: SearchScope, carried: Mapping[str, float], follows: str) -> _Sought:
    """The question with the other words in which documents may say it, and with what is carried on from the chat before."""
    said = terms(text)
    known = index.weights(said, scope)
    english, unknown = _in_english(text, index, scope, known)
    explained = find_abbreviations(text, index.facts(scope))
    leaning = _leaned_on(follows, known, index, scope)
    unknown -= {*explained.short, *explained.full}  # they are said in another form
    question = Question(text, {**known, **english}, unknown, leaning=leaning, short=explained.short, full=explained.full)
    weights = _weights(text, said, question.weights)
    telling = said if scope.places else _telling(question.weights)
    if other := _in_other_form(explained, known, index, scope):
        weights = {**other, **weights}
        telling = [*telling, *_telling(other)]
    if same := _said_otherwise(text, index, scope, known):
        weights = {**same, **weights}
        telling = [*telling, *_telling(same)]
    if carried:
        before = index.weights(list(carried), scope)
        weights |= {word: before[word] * share for word, share in carried.items()}
        telling = [*telling, *_telling(before)]
    return _Sought(question, said, weights, telling)


def _in_other_form(explained: Abbreviations, known: Mapping[str, float], index: Index, scope: SearchScope) -> dict[str, float]:
    """What abbreviations weigh that stand for words of the question, and the words that its abbreviations stand for: no more than these."""
    most: dict[str, float] = {}
    for said, others in (*explained.short.items(), *explained.full.items()):
        for other in others:
            if other not in known:
                most[other] = max(most.get(other, 0.0), known.get(said, 0.0))
    weights, nowhere = index.weights(list(most), scope), index.weight(0, scope)
    return {other: min(weights[other], weight) for other, weight in most.items() if weights[other] < nowhere}


def _in_english(
    text: str, index: Index, scope: SearchScope, known: Mapping[str, float]
) -> tuple[dict[str, float], frozenset[str]]:
    """The English for words of the question, with what it weighs; and the words that no leaf has, not even in English."""
    nowhere = index.weight(0, scope)
    translated = in_english_terms(text)
    english = index.weights([other for others in translated.values() for other in others if other not in known], scope)
    english = {other: weight for other, weight in english.items() if weight < nowhere}
    unknown = frozenset(
        word
        for word, weight in known.items()
        if weight >= nowhere
        and not any(other in english or known.get(other, nowhere) < nowhere for other in translated.get(word, ()))
    )
    return english, unknown


def _look_into(
    scores: dict[str, float], question: Question, store: Store, hits: Mapping[str, Hit], traces: Mapping[str, _Trace]
) -> None:
    """More for leaves that look as if they had the answer, where a question is of such a kind."""
    places = [place for place in hits if _stands_together(traces[place], question.weights)]
    texts = store.leaves.texts({hits[place].leaf for place in places})
    most = max(scores.values(), default=0.0)
    for place in places:
        if (read := texts.get(hits[place].leaf)) is not None:
            told, headings = read
            titled = f"# {headings[-1]}\n\n{told}" if headings else told
            scores[place] += OF_FORM * most * looks_answered(question.text, question.weights, titled)


def _stands_together(trace: _Trace, weights: Mapping[str, float]) -> bool:
    """Whether two of the words that a question is about stand side by side in a leaf, or in its title; of one, whether it is there."""
    words = [word for word in weights if word not in PUTTING and word not in DOING]
    if len(words) < 2 or sum(word in words for word in trace.heading) > 1:
        return True
    said = [(at, word) for at, word in trace.body if word in words]
    return any(then - at <= NEAR and word != other for (at, word), (then, other) in pairwise(said))


def _leaned_on(follows: str, own: Mapping[str, float], index: Index, scope: SearchScope) -> frozenset[str]:
    """What the question before was about: its rarest words, but those that this one says itself."""
    if not follows:
        return frozenset()
    weights = index.weights([term for term in terms(follows) if term not in PUTTING], scope)
    nowhere = index.weight(0, scope)
    known = {term: weight for term, weight in weights.items() if weight < nowhere}
    least = RAREST * max(known.values(), default=0.0)
    rarest = frozenset(term for term, weight in known.items() if weight >= least)
    return frozenset() if rarest & own.keys() else rarest


def _said_otherwise(text: str, index: Index, scope: SearchScope, known: Mapping[str, float]) -> dict[str, float]:
    """What words weigh with which documents may say the same as those of the question: no more than these do."""
    same: dict[str, float] = {}
    forms: dict[str, float] = {}
    for word in words(text):
        if word[0] not in PUTTING:
            for other in other_forms(word[0]):
                if other not in known:
                    forms[other] = max(forms.get(other, 0.0), known.get(word[0], 0.0))
            for other in same_as(word[0]):
                if other not in known:
                    same[other] = max(same.get(other, 0.0), known.get(word[0], 0.0))
    if asks_default(text.casefold()):
        same |= {word: max(known.values(), default=0.0) for word in BY_DEFAULT if word not in known}
    weights = index.weights([*same, *forms], scope)
    nowhere = index.weight(0, scope)
    found = {other: SAME * min(weights[other], most) for other, most in same.items() if weights[other] < nowhere}
    return found | {other: FORM * min(weights[other], most) for other, most in forms.items() if weights[other] < nowhere}


def _telling(weights: Mapping[str, float]) -> list[str]:
    """The words to look for: without those that every third leaf has, where enough others are left."""
    rarest = sorted(weights, key=lambda word: -weights[word])
    return [word for number, word in enumerate(rarest) if number < TELLING or weights[word] >= COMMON]


def _weights(text: str, said: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    """What each term of the question weighs here: parts of an identifier less than the whole, repeated words more, words
    that only put the question less."""
    wholes = {known[0] for known in words(text)}.union(*in_english_terms(text).values())
    counts = Counter(said)
    return {
        word: weight * (1.0 if word in wholes else PART) * (PUT if word in PUTTING else 1.0) * max(1, counts[word]) ** REPEATED
        for word, weight in weights.items()
    }


def _is_open(node: Node | None, hit: Hit) -> bool:
    """Live at the pinned version, as it was indexed."""
    return node is not None and node.leaf == hit.leaf


@dataclass(frozen=True, slots=True)
class _Trace:
    """The question's terms in one leaf: (position, term) in its text, and how often each counts."""

    body: list[tuple[int, str]]
    heading: list[str]
    counts: dict[str, float]


def _trace(hit: Hit, weights: Mapping[str, float]) -> _Trace:
    body = positions(hit.body, weights)
    heading = hit.heading.split()
    counts: dict[str, float] = defaultdict(float)
    for _, word in body:
        counts[word] += 1
    for word in heading:
        if word in weights:
            counts[word] += HEADING
    return _Trace(body, heading, counts)


def positions(text: str, words: Collection[str]) -> list[tuple[int, str]]:
    """Which of these terms stand in a text of a hit, in order, each with the number of the place that it has among all terms there."""
    if len(words) > FEW:
        said = text.split()
        return [(at, said[at]) for at in compress(range(len(said)), map(words.__contains__, said))]
    found: list[tuple[int, str]] = []
    for word in words:  # looking for few is quicker than cutting a text into all of its terms
        sign = f" {word}"
        start = text.find(sign)
        while start >= 0:
            if text[start + len(sign)] == " ":
                found.append((start, word))
            start = text.find(sign, start + len(sign))
    placed: list[tuple[int, str]] = []
    at = counted = 0
    for start, word in sorted(found):
        at += text.count(BETWEEN, counted, start + 1)
        counted = start + 1
        placed.append((at, word))
    return placed


def _scores(
    hits: Mapping[str, Hit],
    traces: Mapping[str, _Trace],
    nodes: Mapping[str, Node],
    said: Sequence[str],
    weights: Mapping[str, float],
    mean_length: float,
    neighbours: float,
    likes: Mapping[str, Like] | None,
) -> dict[str, float]:
    own = _shares({place: _bm25(traces[place].counts, weights, hit.length / mean_length) for place, hit in hits.items()})
    bags = _bags(traces, nodes)
    around = _shares(
        {parent: _bm25(bag, weights, nodes[parent].leaves / BAG if parent in nodes else 1.0) for parent, bag in bags.items()}
    )
    total = sum(weights.values()) or 1.0
    pairs = {pair: weights[pair[0]] + weights[pair[1]] for pair in pairwise(said) if pair[0] in weights and pair[1] in weights}
    scores = {}
    for place, trace in traces.items():
        node = nodes[place]
        beside = min(neighbours, HEAP) if node.container == root_place(node.source_id) else neighbours
        scores[place] = (
            own[place]
            + beside * around.get(node.parent or "", 0.0)
            + WINDOW * _window(trace, weights) / total
            + PHRASES * _phrases(trace, pairs)
            + HEADED * _headed(trace, weights)
        )
        if likes is not None:  # a leaf that has no vector yet is taken to be as like the question as its words are
            scores[place] += MEANING * (likes[place].share if place in likes else own[place])
    return scores


def _bm25(counts: Mapping[str, float], weights: Mapping[str, float], relative_length: float) -> float:
    norm = K1 * (1 - B + B * relative_length)
    return sum(weights[word] * count * (K1 + 1) / (count + norm) for word, count in counts.items())


def _shares(scores: dict[str, float]) -> dict[str, float]:
    most = max(scores.values(), default=0.0) or 1.0
    return {place: score / most for place, score in scores.items()}


def _bags(traces: Mapping[str, _Trace], nodes: Mapping[str, Node]) -> dict[str, dict[str, float]]:
    """The terms found below each bottom branch, leaf by leaf added up."""
    bags: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for place, trace in traces.items():
        bag = bags[nodes[place].parent or ""]
        for word, count in trace.counts.items():
            bag[word] += count
    return bags


def _window(trace: _Trace, weights: Mapping[str, float]) -> float:
    """The most that the different terms in one segment of the text weigh together."""
    best = weight = 0.0
    inside: dict[str, int] = {}
    first = 0
    for at, word in trace.body:
        if not inside.get(word):
            weight += weights[word]
        inside[word] = inside.get(word, 0) + 1
        while trace.body[first][0] < at - WINDOW_TERMS:
            gone = trace.body[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                weight -= weights[gone]
            first += 1
        best = max(best, weight)
    return best


def _phrases(trace: _Trace, pairs: Mapping[tuple[str, str], float]) -> float:
    """The share of the question's pairs of words that stand together here, or with one word between them."""
    if not pairs:
        return 0.0
    found = {pair for pair in pairwise(trace.heading) if pair in pairs}
    for (at, word), (then, other) in pairwise(trace.body):
        if then - at <= 2 and (word, other) in pairs:
            found.add((word, other))
    return sum(pairs[pair] for pair in found) / sum(pairs.values())


def _headed(trace: _Trace, weights: Mapping[str, float]) -> float:
    """The share of a leaf's title and headings that the question says: one that says them all asks for this leaf."""
    heading = set(trace.heading)
    return sum(word in weights for word in heading) / len(heading) if heading else 0.0


def _one_after_the_other(
    scores: Mapping[str, float], traces: Mapping[str, _Trace], nodes: Mapping[str, Node], weights: Mapping[str, float]
) -> dict[str, float]:
    """Values the best leaves by what each adds to those before it: other documents, words not yet found.

    As in maximal marginal relevance (Carbonell and Goldstein 1998); each is worth at most what the one before was.
    """
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    left, behind = dict(ranked[:CONTENDERS]), dict(ranked[CONTENDERS:])
    total = sum(weights.values()) or 1.0
    unsaid = {word: UNSAID * weight / total for word, weight in weights.items()}
    used: Counter[tuple[str, str | None]] = Counter()
    placed: dict[str, float] = {}

    def value(place: str) -> float:
        node, trace = nodes[place], traces.get(place)
        new = sum(map(unsaid.__getitem__, trace.counts)) if trace else 0.0
        return left[place] * SAME_DOCUMENT ** used[node.source_id, node.document_id] + new

    while left and len(placed) < PLACED:
        best = max(left, key=value)
        placed[best] = value(best)
        del left[best]
        used[nodes[best].source_id, nodes[best].document_id] += 1
        for word in traces[best].counts if best in traces else ():
            unsaid[word] *= SAID_AGAIN
    left |= behind
    return placed | {place: value(place) for place in left}


def _leaves_below(place: str, hits: Mapping[str, Hit], nodes: Mapping[str, Node]) -> list[str]:
    """The leaves found below a named place; the place itself when it is a leaf."""
    if place in nodes and nodes[place].kind == "leaf":
        return [place]
    below = []
    for leaf in hits:
        above = nodes[leaf].parent
        while above is not None and above != place:
            above = nodes[above].parent if above in nodes else None
        if above == place:
            below.append(leaf)
    return below


def _carried_up(leaves: Mapping[str, float], nodes: Mapping[str, Node]) -> dict[str, tuple[float, str]]:
    best: dict[str, tuple[float, str]] = {}
    for leaf, score in leaves.items():
        step: str | None = leaf
        while step is not None and (step not in best or best[step][0] < score):
            best[step] = (score, leaf)
            step = nodes[step].parent if step in nodes else None
    return best
