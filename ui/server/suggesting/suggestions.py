"""First questions to try, made from what the tree itself holds; only those are shown that it was seen to answer."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from prompts.language import terms
from prompts.records import LogicUnit
from prompts.regex import regex
from prompts.stop import Stop
from tree.accounts.people import People
from tree.accounts.principal import NOBODY, Principal
from tree.ask.ask import Answer, AskError, ask
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.retrieve.fact_index import FactIndex, StoredFact
from tree.store.leaves import Leaf
from tree.store.node_rows import NodeRows
from tree.store.nodes import Node
from tree.store.store import Store
from tree.workspace import Workspace
from ui.server.scope import QuestionScope, parse_scope
from ui.server.suggesting.tried import Tried, as_told, questions_of, tried

ALL_SOURCES = QuestionScope()
MOST = 6
CANDIDATES = 24  # tried until enough of them are answered
TRYING_SECONDS = 4.0  # in the background
LEAVES_SAMPLED = 160  # spread over the tree: enough for six good questions, and always quick
LONGEST = 72  # characters of a pill
OWNS = frozenset(("owner", "owning team", "owned by", "owner of it"))  # relations, folded
LEADS = frozenset(("lead", "leader", "team lead", "led by", "head"))
NAMED_THINGS = frozenset(
    ("row", "section", "component", "team", "system", "document")
)  # kinds of subjects that a question may name
GLOSSARIES = frozenset(terms("glossary terms terminology definitions vocabulary abbreviations acronyms"))
NAME = regex(r"[^\W\d_][^\W\d_]+(?:[ '’-][^\W\d_]+){0,2}")  # up to three words, without numbers or remarks
LEAST_NAME, LONGEST_NAME = 3, 40  # characters
VERBS = frozenset(
    """
    add allow apply approve ask build cancel clean clear configure connect create delete deploy disable drain enable
    escalate expand export extend find fix get handle import increase install investigate join kill make migrate monitor
    move open pay publish pull push read rebuild recover reduce refund remove rename replace reset resize resolve restart
    restore resume revoke roll rotate scale sell send start switch take troubleshoot turn update upgrade upload use validate
    verify write board call change check close cut file order pause release report request review run set share ship stop
    test track transfer view
    """.split()
)
NOUNS_TOO = frozenset(  # tell a task only before an article or the like: "Test plan" is a plan
    """
    board build call change check close cut deploy export file import join move order pause refund release report request
    review run set share ship start stop switch take test track transfer turn update upgrade upload use view monitor
    """.split()
)
ARTICLES = frozenset(
    """
    the a an your our all every this that to from into off on out over up down for whether if
    """.split()
)
STATES = regex(r"\b(?:is|are|was|were|be|must|may|will|carry|carries|works?|keeps?|kept|never|not)\b", re.IGNORECASE)
GLOSSARY = regex(r"\b(?:gloss\w*|terms|terminology|defin\w*|vocabulary|abbrev\w*|acronyms?)\b", re.IGNORECASE)
ASKING = frozenset(("how", "what", "when", "where", "who", "why", "which", "whether"))
ASKS = regex(r"(?:how|what|when|where|who|why|which|can|do|does|is|are|may|must|should)\b[^“”\"?]*\?$", re.IGNORECASE)
HOW_TO = regex(r"how to (\w+ \S.*)", re.IGNORECASE)
DATED = regex(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:19|20)\d\d\b|\b(?:meeting|minutes|notes|review|register|index|readme|changelog)\b",
    re.IGNORECASE,
)
PREFIX = regex(
    r"^(?:runbook|how to|howto|guide|procedure|decision|adr)\b[\s:\-–—]*|^[A-Z]{0,6}-?\d{1,4}\s*[:.\-–—]\s*|^[A-Z][A-Z0-9_]+-\d+\s+",
    re.IGNORECASE,
)


def told_questions(
    workspace: Workspace, asker: str, sources: Sequence[str], scope: str, first: Sequence[str], stop: Stop
) -> Iterator[Any]:
    """As an answering process tells them: what this person (their id) gets an answer to, asking in `scope` of these sources (ids)."""
    principal = (People(workspace.database).principal(asker) or NOBODY).narrowed(sources)
    return map(as_told, suggestions_tried(workspace, principal, parse_scope(scope), first))


def suggestions(
    workspace: Workspace,
    principal: Principal,
    scope: QuestionScope = ALL_SOURCES,
    first: Sequence[str] = (),
    seconds: float = TRYING_SECONDS,
) -> list[str]:
    """Up to six questions, tried for `seconds` at most: each is answered. `first` are tried before any others."""
    return questions_of(suggestions_tried(workspace, principal, scope, first, seconds))


def suggestions_tried(
    workspace: Workspace,
    principal: Principal,
    scope: QuestionScope = ALL_SOURCES,
    first: Sequence[str] = (),
    seconds: float = TRYING_SECONDS,
) -> Iterator[Tried]:
    """The same, each as it is found."""
    until = time.monotonic() + seconds
    found = 0
    asked: set[str] = set()
    for question in chain(first, candidates(workspace, principal, scope)):
        if found == MOST or len(asked) == CANDIDATES or time.monotonic() > until:
            return
        if question.casefold() in asked:
            continue
        asked.add(question.casefold())
        if (answer := _answer_to(workspace, principal, question, scope)) is not None:
            found += 1
            yield tried(question, answer)


def _answer_to(workspace: Workspace, principal: Principal, question: str, scope: QuestionScope) -> Answer | None:
    """None where it is not answered."""
    # looked at again and again: never with a model, which is paid for
    events = ask(workspace, question, principal=principal, sources=scope.sources, places=scope.places, reader=workspace.reader)
    try:
        return next((event for event in events if isinstance(event, Answer) and event.verdict == "complete"), None)
    except AskError:  # made of a header without a word to look for
        return None


def candidates(workspace: Workspace, principal: Principal, scope: QuestionScope) -> Iterator[str]:
    """Questions that facts answer, then those made from what units say they are: a procedure, a term, a decision."""
    snapshot = open_snapshot(workspace, principal, scope.sources, scope.places)
    store, version, tops = snapshot.store, snapshot.version, snapshot.tops
    pools: dict[str, list[str]] = {"step": [], "decision": [], "term": [], "faq": [], "issue": []}
    for leaf in _leaves(store, tops, version):
        for unit in leaf.units:
            question = question_of(unit, leaf)
            if question and len(question) <= LONGEST and question not in pools.setdefault(unit.kind, []):
                pools[unit.kind].append(question)
    branches = [
        f"What is in {node.title}?" for top in tops for node in store.nodes.children(top.place, version) if _telling(node)
    ]
    owned, led, defined, headings, tickets = _from_facts(snapshot)
    return _round(
        [
            tickets,
            _spread(owned),
            _spread(pools["step"]),
            _spread(headings),
            _spread(led),
            _spread([*defined, *pools["term"]]),
            _spread(pools["decision"]),
            branches,
            _spread(pools["faq"]),
            _spread(pools["issue"]),
        ]
    )


# ---------------------------------------------------------------- from facts


def _from_facts(snapshot: Snapshot) -> tuple[list[str], list[str], list[str], list[str], list[str]]:
    """Who owns something, who leads something, what a term means, headings that are questions, and questions over all tickets."""
    if not snapshot.tops:
        return [], [], [], [], []
    facts, names = snapshot.index.facts(snapshot.scope), snapshot.index.names(snapshot.scope)
    headings = [fact.fact.subject.name.strip() for fact in facts.of_kind("question")]
    tickets = []
    if "bug" in names.values_of("type", "ticket"):
        tickets.append("Which bugs are open?")
    if "ticket" in names.relations.get("status", ()):
        tickets += ["How many tickets are there per status?", "Who has the most open tickets?"]
    return (
        [f"Who owns {name}?" for name in _stated_of(OWNS & names.relations.keys(), facts)],
        [f"Who leads {name}?" for name in _stated_of(LEADS & names.relations.keys(), facts)],
        [f"What does {name} mean?" for name in _names([one for one in facts.of_kind("term") if one.heading & GLOSSARIES])],
        [one for one in dict.fromkeys(headings) if ASKS.match(one) and len(one) <= LONGEST],
        tickets,
    )


def _stated_of(relations: Iterable[str], facts: FactIndex) -> list[str]:
    """The things of which one of these relations is stated now, by names short enough to be asked for."""
    return _names([one for one in facts.with_relation(relations) if not one.fact.until and one.fact.subject.kind in NAMED_THINGS])


def _names(stated: Iterable[StoredFact]) -> list[str]:
    names = dict.fromkeys(one.fact.subject.name for one in stated)
    return [name for name in names if NAME.fullmatch(name) and LEAST_NAME <= len(name) <= LONGEST_NAME]


# ---------------------------------------------------------------- from units


def _leaves(store: Store, tops: Sequence[Node], version: int) -> Iterator[Leaf]:
    """Leaves spread evenly over the tops, so that a large branch does not hide a small one."""
    share = max(8, LEAVES_SAMPLED // max(1, len(tops)))
    keys: list[str] = []
    for top in tops:
        leaves = [top] if top.kind == "leaf" else list(_below(store.nodes, top, version, share))
        keys += [leaf.leaf for leaf in leaves if leaf.leaf]
    yield from store.leaves.by_key(keys).values()


def _below(rows: NodeRows, node: Node, version: int, limit: int) -> Iterator[Node]:
    """At most `limit` leaves, each child of a node given its share."""
    children = rows.children(node.place, version)
    for number, child in enumerate(children):
        share = max(1, limit // max(1, len(children) - number))
        if child.kind == "leaf":
            yield child
            limit -= 1
        else:
            for leaf in _below(rows, child, version, share):
                yield leaf
                limit -= 1
        if limit <= 0:
            return


def question_of(unit: LogicUnit, leaf: Leaf) -> str:
    header = _clean(unit.header)
    if unit.kind == "step" and (unit.step or 1) == 1 and (how_to := HOW_TO.match(unit.header)):
        return f"How do I {_clean(_task(how_to[1]))}?"
    title = _clean(leaf.heading[0] if leaf.heading else leaf.title)
    if unit.kind == "step" and (unit.step or 1) == 1:
        for task in (_task(header), title):
            if _is_task(task):
                return f"How do I {task[0].lower()}{task[1:]}?"
    if unit.kind == "decision" and (subject := _subject(title)):
        return f"What was decided about {subject}?"
    if unit.kind == "term" and GLOSSARY.search(" ".join((*leaf.heading, leaf.title))) and 1 <= len(header.split()) <= 3:
        return f"What is {header}?"
    if unit.kind == "faq" and ASKS.match(header):
        return header
    asked = _clean(leaf.title)
    return asked if ASKS.match(asked) else ""  # a ticket that is a question


def _task(header: str) -> str:
    """A step's header is its task, and after a colon the step itself."""
    return header.partition(": ")[0]


def _clean(text: str) -> str:
    text = re.sub(r"\[([^\[\]]*+)\]\([^)]{0,500}\)", r"\1", text)
    text = re.sub(r"[*_`#\\]+", "", text).strip()
    text = PREFIX.sub("", PREFIX.sub("", text))
    return text.strip().rstrip(".:;,").strip()


def _is_task(text: str) -> bool:
    words = text.casefold().split()
    return 2 <= len(words) <= 9 and words[0] in VERBS and (words[0] not in NOUNS_TOO or words[1] in ARTICLES) and "?" not in text


def _subject(title: str) -> str:
    """What a decision's title is about, to stand inside a sentence; empty where the title is a sentence itself."""
    about, colon, _ = title.partition(": ")
    words = about.split()
    if not 1 <= len(words) <= 6 or DATED.search(title) or STATES.search(about) or "," in about or "?" in about:
        return ""
    if (
        words[0].casefold() in VERBS
        or words[0].casefold() in ASKING
        or not any(len(word) > 2 and word.isalpha() for word in words)
    ):
        return ""
    return f"the {_lowered(about)}" if colon else _lowered(about)


def _lowered(text: str) -> str:
    """A title's first capital goes, a name's or an abbreviation's stays."""
    first, _, rest = text.partition(" ")
    keeps = not first[1:].islower() or rest[:1].isupper()
    return text if keeps else f"{first.lower()} {rest}".strip()


def _telling(node: Node) -> bool:
    return node.kind in ("folder", "document") and " … " not in node.title and " / " not in node.title and node.leaves > 1


def _spread(items: Sequence[str], count: int = MOST) -> list[str]:
    """A few of many, from all over."""
    if len(items) <= count:
        return list(items)
    step = len(items) / count
    return [items[int(number * step)] for number in range(count)]


def _round(pools: Sequence[Sequence[str]]) -> Iterator[str]:
    """One of each kind, then the next of each."""
    for number in range(max((len(pool) for pool in pools), default=0)):
        for pool in pools:
            if number < len(pool):
                yield pool[number]
