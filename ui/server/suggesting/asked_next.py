"""What could be asked next, made of what an answer rests on; each question is tried before it is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.ask.ask import Answer, AskError, Earlier, ask
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.ask.snapshot.zones import read_zone
from tree.retrieve.fact_index import folded
from tree.retrieve.names import tokens
from tree.retrieve.units import COLLEAGUE, MEMBER
from tree.store.chats import Chats
from tree.store.nodes import Node
from tree.store.places import document_around, is_container, places_above
from tree.workspace import Workspace
from ui.server.answering.question import asking, earlier_in
from ui.server.scope import QuestionScope, parse_scope
from ui.server.suggesting.suggestions import ASKING, LEADS, LONGEST, NAME, NAMED_THINGS, OWNS, VERBS, question_of
from ui.server.suggesting.tried import Tried, as_told, questions_of, tried

MOST = 3
CANDIDATES = 10  # tried until enough of them are answered
TRYING_SECONDS = 3.0
WORDS = 3  # of a name
LEAST_LABEL = 4  # characters
MOST_LABEL = 2  # words
NO_NOUN = frozenset(  # in a label that is more, or less, than the name of something: "goes first on", "one number"
    "on at in by to for from with of now today like this that if it its their our your may june one two three first last next until since or and no not".split()
)  # noqa: SIM905
LEAVES = 40  # beside the cited passage, that questions are made of
SET = 3  # tickets cited from which on an answer is about a set
OF_A_SET = {  # by what the tickets must differ in for it to be worth asking
    "priority": "Which of them are high priority?",
    "assignee": "Who has the most of them?",
    "components": "How many of them are there per component?",
    "status": "How many of them are there per status?",
}
OF_A_TICKET = ("What is {} about?", "What is the history of {}?", "Who is assigned to {}?", "Which tickets block {}?")


NO_THINGS = frozenset(  # headings of lists and days of a plan, of which nobody asks
    "action items|actions|decisions|discussed|steps|notes|to do|todo|open points|next steps|agenda|monday|tuesday|wednesday|thursday|friday|saturday|sunday".split(
        "|"
    )
)


class Candidate(NamedTuple):
    """A question, and the places of documents of which its answer must cite one; none where any will do."""

    question: str
    must_cite: frozenset[str] = frozenset()


def tried_next(
    workspace: Workspace, asker: str, sources: Sequence[str], turn: str, answer: Mapping[str, Any], stop: Stop
) -> Iterator[Tried]:
    """What this person (their id) could ask next of these sources (ids), after this turn (its id) of theirs and its answer.

    It ends at once where something else was asked in the chat meanwhile, or the turn was deleted.
    """
    chats = Chats(workspace.database)
    kept = chats.turns.get(turn)
    if kept is None:
        return
    visible = asking(workspace, asker, kept.chat_id).narrowed(sources)
    everything = [source.id for source in workspace.store.sources.askable(kept.chat_id)]
    earlier = earlier_in(chats.turns, kept.chat_id, kept.number + 1, sources, everything)
    yield from follow_ups_tried(
        workspace,
        visible,
        parse_scope(kept.scope),
        answer,
        earlier,
        lambda: not stop.is_set and chats.turns.newest(kept.chat_id)[0] == kept.number,
    )


def told_questions(workspace: Workspace, **arguments: Any) -> Iterator[Any]:
    """As an answering process tells them."""
    return map(as_told, tried_next(workspace, **arguments))


def follow_ups(
    workspace: Workspace, principal: Principal, scope: QuestionScope, answer: Mapping[str, Any], earlier: Sequence[Earlier]
) -> list[str]:
    """Up to three questions that this person gets an answer to, in the chat as it is after `answer`; made without a model."""
    return questions_of(follow_ups_tried(workspace, principal, scope, answer, earlier))


def follow_ups_tried(
    workspace: Workspace,
    principal: Principal,
    scope: QuestionScope,
    answer: Mapping[str, Any],
    earlier: Sequence[Earlier],
    is_wanted: Callable[[], bool] = lambda: True,
) -> Iterator[Tried]:
    """The same, each as it is found, for as long as somebody wants them."""
    until = time.monotonic() + TRYING_SECONDS
    if not is_wanted():
        return
    snapshot = open_snapshot(workspace, principal, scope.sources, scope.places, scope.moment, read_zone(scope.zone))
    asked = {folded(one.question) for one in earlier}
    told = {str(answer["answer"])}
    count = found = 0
    for candidate in candidates(snapshot, answer):
        if found == MOST or count == CANDIDATES or time.monotonic() > until or not is_wanted():
            return
        if folded(candidate.question) in asked:
            continue
        asked.add(folded(candidate.question))
        count += 1
        answered = answer_in_chat(workspace, principal, scope, candidate, earlier)
        if answered is not None and answered.text not in told:
            told.add(answered.text)
            found += 1
            yield tried(candidate.question, answered)


def answer_in_chat(
    workspace: Workspace, principal: Principal, scope: QuestionScope, candidate: Candidate, earlier: Sequence[Earlier]
) -> Answer | None:
    """What is answered to it; None where that is not whole, or rests on something else than the question was made of."""
    events = ask(workspace, candidate.question, principal=principal, sources=scope.sources, places=scope.places,
                 as_of=scope.moment, zone=read_zone(scope.zone), earlier=earlier, reader=workspace.reader)  # fmt: skip
    try:
        found = next((event for event in events if isinstance(event, Answer)), None)
    except AskError:
        return None
    if found is None or found.verdict != "complete" or not found.citations:
        return None
    cited = {document_around(citation.place) for citation in found.citations}
    return found if not candidate.must_cite or cited & candidate.must_cite else None


# ---------------------------------------------------------------- what to try


def candidates(snapshot: Snapshot, answer: Mapping[str, Any]) -> Iterator[Candidate]:
    """One of each kind, then the next of each: the set divided, what is beside, other facts, the ticket."""
    citations = answer["citations"]
    tickets = {citation["facts"]["key"]: citation for citation in citations if citation["facts"].get("key")}
    documents = list(dict.fromkeys(document_around(citation["place"]) for citation in citations))[:2]
    pools = [list(_of_things(snapshot, answer)), list(_beside(snapshot, answer, documents))]
    if len(tickets) >= SET and any(step["kind"] == "register" for step in answer["trail"]):
        pools.insert(0, [Candidate(question) for fact, question in OF_A_SET.items() if _differ(tickets.values(), fact)])
    elif tickets:
        pools.insert(0, [_of_ticket(question, key, one) for key, one in list(tickets.items())[:1] for question in OF_A_TICKET])
    for number in range(max(map(len, pools))):
        yield from (pool[number] for pool in pools if number < len(pool))


def _differ(citations: Iterable[Mapping[str, Any]], fact: str) -> bool:
    return len({citation["facts"].get(fact) for citation in citations}) > 1


def _of_ticket(question: str, key: str, citation: Mapping[str, Any]) -> Candidate:
    return Candidate(question.format(key), frozenset((document_around(citation["place"]),)))


def _of_things(snapshot: Snapshot, answer: Mapping[str, Any]) -> Iterator[Candidate]:
    """What else is stated of a thing that the question names."""
    words = folded(answer["question"]).split()
    names = [" ".join(words[start:stop]) for start in range(len(words)) for stop in range(start + 1, start + 1 + WORDS)]
    said, known = folded(f"{answer['question']} {answer['answer']}"), snapshot.index.names(snapshot.scope)
    for one in snapshot.index.facts(snapshot.scope).about(names):
        name, label = one.fact.subject.name, " ".join(one.fact.relation.split())
        is_thing = (
            one.fact.subject.kind in NAMED_THINGS
            and NAME.fullmatch(name) is not None
            and name != name.lower()
            and folded(name) not in NO_THINGS
            and not any("person" in of.objects for of in known.find(tokens(label)))
        )
        if is_thing and not one.fact.until and folded(one.fact.value) not in said and (question := asking_for(label, name)):
            yield Candidate(question, frozenset((document_around(one.place),)))


def asking_for(label: str, name: str) -> str:
    """The question for what a label says of a thing; empty where the label is no single noun, such as "needs" or "what it does"."""
    words = label.casefold().split()
    if folded(label) in OWNS | LEADS:
        return f"Who {'owns' if folded(label) in OWNS else 'leads'} {name}?"
    if folded(label) in (MEMBER, COLLEAGUE):
        return f"Who is in {name}?"
    if not NAME.fullmatch(label) or len(label) < LEAST_LABEL or len(words) > MOST_LABEL:
        return ""
    if any(word in ASKING | VERBS | NO_NOUN or word.endswith(("s", "ed", "ing", "ly")) for word in words):
        return ""
    return f"What is the {label[0].lower()}{label[1:]} of {name}?"


def _beside(snapshot: Snapshot, answer: Mapping[str, Any], documents: Sequence[str]) -> Iterator[Candidate]:
    """What the other passages of the cited documents, and the documents beside these, say that they are of; of a glossary the words that
    the question or the answer has."""
    citations, said = answer["citations"], f" {folded(str(answer['question']))} {folded(str(answer['answer']))} "
    cited = {citation["leaf"] for citation in citations}
    for place in documents:
        folder = next((above for above in places_above(place) if is_container(above)), place)
        found = snapshot.store.nodes.at([place, folder], snapshot.version)
        around = [found[at] for at in (place, folder) if at in found and found[at].source_id in snapshot.sources]
        below = {leaf: at for node in around for leaf, at in _leaves_below(snapshot, node) if _is_in(at, place, folder)}
        leaves = snapshot.store.leaves.by_key([key for key in below if key not in cited][:LEAVES])
        for key, leaf in leaves.items():
            units = (unit for unit in leaf.units if unit.kind != "term" or f" {folded(unit.header)} " in said)
            questions = filter(None, (question_of(unit, leaf) for unit in units))
            if (question := next(questions, "")) and len(question) <= LONGEST:
                yield Candidate(question, frozenset((document_around(below[key]),)))


def _is_in(place: str, document: str, folder: str) -> bool:
    """Whether a passage is of this document, or of one right in this folder."""
    around = document_around(place)
    return around == document or "/" not in around.removeprefix(folder)


def _leaves_below(snapshot: Snapshot, node: Node) -> Iterator[tuple[str, str]]:
    """Key and place of the first leaves below a node."""
    for leaf in snapshot.store.nodes.first_leaves(node, snapshot.version, LEAVES):
        if leaf.leaf:
            yield leaf.leaf, leaf.place
