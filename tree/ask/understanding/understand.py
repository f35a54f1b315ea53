"""What a question asks, read with the chat before it and looked up in the snapshot: one value that is never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from prompts.chat_wording import in_full_words
from prompts.follow_up import FOLLOWING, TURNS, ChatContext, chat_context
from prompts.language import terms
from prompts.question import QuestionAnalysis, analyse
from prompts.records import Question, Reader
from prompts.several_questions import each_question
from prompts.timespans import find_span
from tree.ask.facts.set_question import SetQuestion
from tree.ask.snapshot.chart import asks_to_draw
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.change_question import read_change_question
from tree.ask.understanding.earlier import Earlier
from tree.ask.understanding.follow_up import FollowUp, at_another_time, follow_up, of_a_step, of_another_amount
from tree.ask.understanding.lead_passage import in_full_by_lead, may_mean_another
from tree.ask.understanding.meeting_question import asked_of_meeting, read_meeting_question
from tree.ask.understanding.predecessor_questions import asked_of_predecessor
from tree.ask.understanding.unit_questions import asked_of_unit
from tree.ask.understanding.usual_dates import without_todays_date
from tree.ask.understanding.usual_spelling import spelt_as_usual, with_compounds_apart, with_words_joined
from tree.ask.understanding.usual_words import in_usual_words
from tree.retrieve.alias_list import Alias
from tree.retrieve.aliases import Aliases, Expanded, load_aliases
from tree.retrieve.index import SearchScope
from tree.retrieve.index_entries import as_name
from tree.store.nodes import Node

IN_FULL = 2 * TURNS  # turns that are put in full: those that are looked back at, and those that these may lean on
LONGEST_ANSWER = 600  # characters of an answer before it, for a model that rewrites a question


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question as it is understood."""

    question: str  # as it was asked
    text: str  # what it asks: rewritten by a model where it leans on the chat, else as it was asked
    analysis: QuestionAnalysis
    chat: ChatContext = field(default_factory=ChatContext)  # words that the chat lends it, and what each counts
    named: tuple[Node, ...] = ()  # the documents and branches it names that there are
    likely: tuple[str, ...] = ()  # places of leaves it most likely means: the first of what it names, or what "it" was
    search_text: str = ""  # what is searched for
    steps: tuple[Step, ...] = ()  # that say how it was understood
    narrowing: SetQuestion | None = None  # what it asks of the set before it
    notes: tuple[str, ...] = ()  # what the person who asked should know of how it was understood
    is_drawn: bool = False  # the question before is asked once more, as a chart
    is_guess: bool = False  # what "it" stands for is taken from a passage that may help: nothing is called answered of that

    @property
    def names_nothing_known(self) -> bool:
        """Whether it gives the key of a ticket and nothing that it names is there."""
        return bool(self.analysis.keys) and not self.named


def understand(snapshot: Snapshot, reader: Reader, question: str, earlier: Sequence[Earlier] = ()) -> Understanding:
    """`earlier` is the chat before the question, the oldest turn first."""
    turns = earlier if reader.model_label else [one for turn in earlier for one in _apart(turn)]  # as they were answered
    earlier = [*turns[:-IN_FULL], *_in_full(snapshot, turns[-IN_FULL:])]
    said = without_todays_date(in_full_words(question), today(snapshot))
    said = with_compounds_apart(with_words_joined(spelt_as_usual(said, snapshot), snapshot), snapshot)
    usual = in_usual_words(said, snapshot)
    understood = _understood(snapshot, reader, usual or said, earlier)
    if usual is not None:
        step = Step("names", "", "", question, reason=f"It is read as “{usual}”.")
        understood = replace(understood, steps=(step, *understood.steps))
    return understood if understood.question == question else replace(understood, question=question)


def _understood(snapshot: Snapshot, reader: Reader, question: str, earlier: Sequence[Earlier]) -> Understanding:
    aliases = load_aliases(snapshot.workspace.home)
    if not aliases.known:
        understood = _with_names(snapshot, _with_chat(snapshot, reader, question, earlier), earlier)
        return replace(understood, notes=(_unused(aliases),)) if aliases.problem else understood
    names = snapshot.index.names(snapshot.scope).find

    def stands_for_something(alias: Alias) -> bool:
        return _occurs(snapshot, alias.name)

    expanded = aliases.expand(question, names, stands_for_something)
    chat = [replace(turn, question=aliases.expand(turn.question, names, stands_for_something).text) for turn in earlier]
    understood = _with_names(snapshot, _with_chat(snapshot, reader, expanded.text, chat), chat)
    return _as_asked(understood, question, expanded) if expanded.used else understood


# ---------------------------------------------------------------- the aliases in it


def _as_asked(understood: Understanding, question: str, expanded: Expanded) -> Understanding:
    """The words of an alias are looked for as well, and count less than the name it stands for."""
    told = ", ".join(f"“{one.alias}” stands for {one.name}" for one in expanded.used)
    step = Step("names", "", "", ", ".join(one.alias for one in expanded.used), reason=f"{told}, by the list of aliases.")
    words = {term: FOLLOWING for one in expanded.used for term in terms(one.alias)}
    chat = replace(understood.chat, words={**words, **understood.chat.words})
    return replace(understood, question=question, chat=chat, steps=(step, *understood.steps))


def _occurs(snapshot: Snapshot, name: str) -> bool:
    """Whether something is called by this name, or says it: an alias for what is in no source of the question tells of another."""
    index, scope = snapshot.index, SearchScope(snapshot.scope.sources)
    return bool(index.named([as_name(name)], scope) or index.mentioning(terms(name), scope))


def _unused(aliases: Aliases) -> str:
    return f"The list of aliases is not used. {aliases.problem}"


# ---------------------------------------------------------------- the chat before it


def _moved(question: str, questions: Sequence[str], day: date) -> str | None:
    """Of a chain "who is on call this week?", "and next week?", "and in week 50?" the last one in full; of another amount, or of a step."""

    def moved(text: str, before: str) -> str | None:
        return at_another_time(text, before, day) or of_another_amount(text, before) or of_a_step(text, before)

    full = questions[0]
    for text in questions[1:]:
        full = moved(text, full) or text
    return moved(question, full)


def _with_chat(snapshot: Snapshot, reader: Reader, question: str, earlier: Sequence[Earlier]) -> Understanding:
    """A question that leans on the chat is put in full by facts, or rewritten by a model; else the words of the chat are
    carried along."""
    before = [turn for turn in earlier if not asks_to_draw(turn.question)]
    if before and asks_to_draw(question):
        again = _with_chat(snapshot, reader, before[-1].question, before[:-1])
        step = Step(
            "chat", "", "", before[-1].question, reason="It asks for a chart of what was answered before:", quote=again.text
        )
        return replace(again, question=question, steps=(step, *again.steps), is_drawn=True)
    questions = [turn.question for turn in earlier]
    if questions and (moved := _moved(question, questions, today(snapshot))) is not None:
        step = Step("chat", "", "", questions[-1], reason="With the chat before it, it asks", quote=moved)
        return Understanding(question, moved, analyse(moved), steps=(step,))
    changes = read_change_question(question, snapshot, today(snapshot)) if questions else None
    if changes is not None and changes.names_time:  # asked of everything, whatever was asked before
        return Understanding(question, question, analyse(question))
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    of_people = asked_of_unit(question, names, facts, questions[-1] if questions else "")
    of_people = of_people or asked_of_predecessor(question, names, facts)
    if of_people is not None:
        step = Step("names", "", "", question, reason=f"It is read as “{of_people}”.")
        return Understanding(question, of_people, analyse(of_people), steps=(step,))
    if earlier and (of_meeting := _of_meeting(snapshot, question, earlier[-1])) is not None:
        step = Step("chat", "", "", questions[-1], reason="With the chat before it, it asks", quote=of_meeting)
        return Understanding(question, of_meeting, analyse(of_meeting), steps=(step,))
    if questions and (found := _from_facts(snapshot, question, questions)) is not None:
        step = Step("chat", "", "", questions[-1], reason="With the chat before it, it asks", quote=found.text)
        return Understanding(question, found.text, analyse(found.text), steps=(step,), narrowing=found.narrowing)
    if earlier and (full := in_full_by_lead(snapshot, question, earlier[-1])) is not None:
        found = _from_facts(snapshot, full, questions)
        text = found.text if found is not None else asked_of_predecessor(full, names, facts) or full
        step = Step("chat", "", "", questions[-1], reason="With the passage that was shown first, it asks", quote=text)
        is_guess = may_mean_another(question, earlier[-1].answer)
        narrowing = found.narrowing if found is not None else None
        return Understanding(question, text, analyse(text), steps=(step,), narrowing=narrowing, is_guess=is_guess)
    chat = chat_context(question, questions)
    if chat.follows:
        rewritten = reader.rewrite(Question(question, history=tuple(_history(snapshot, earlier))))
        if rewritten != question and terms(rewritten):
            step = Step("chat", "", "", chat.follows, reason="With the chat before it, it asks", quote=rewritten)
            return Understanding(question, rewritten, analyse(rewritten), steps=(step,))
    analysis = analyse(question)
    if chat.names is not None:
        analysis = _naming(analysis, chat.names)
    return Understanding(question, question, analysis, chat, steps=(_follows(chat),) if chat.follows else ())


def _of_meeting(snapshot: Snapshot, question: str, before: Earlier) -> str | None:
    """A question for the meeting that the one before it asked about, or that it was answered from the minutes of."""
    if asked_of_meeting(question, "") is None:
        return None
    asked = read_meeting_question(before.question, snapshot.index.names(snapshot.scope), today(snapshot))
    if asked is not None:
        return asked_of_meeting(question, asked.said, asked.words)
    [*nodes] = _still_there(snapshot, before.cited[:1]).values()
    document = next(iter(snapshot.documents(nodes).values()), None)
    is_dated = document is not None and find_span(document.title, today(snapshot)) is not None
    return asked_of_meeting(question, document.title) if document is not None and is_dated else None


def _in_full(snapshot: Snapshot, earlier: Sequence[Earlier]) -> list[Earlier]:
    """The turns of a chat, each with what its "she" or "it" stood for, so that the next can lean on it."""
    found: list[Earlier] = []
    for turn in earlier:
        said = spelt_as_usual(in_full_words(turn.question), snapshot)
        text = in_usual_words(said, snapshot) or said
        text = (_of_meeting(snapshot, text, found[-1]) if found else None) or text
        if found and _from_facts(snapshot, text, [one.question for one in found]) is None:
            text = in_full_by_lead(snapshot, text, found[-1]) or text
        found.append(replace(turn, question=text))
    return found


def _apart(turn: Earlier) -> list[Earlier]:
    """The questions that were asked at once, each as a turn: the last of them with the answer."""
    questions = each_question(in_full_words(turn.question))
    return [*(Earlier(one) for one in questions[:-1]), replace(turn, question=questions[-1])] if len(questions) > 1 else [turn]


def _from_facts(snapshot: Snapshot, question: str, earlier: Sequence[str]) -> FollowUp | None:
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    return follow_up(question, earlier, names, facts, today(snapshot))


def _history(snapshot: Snapshot, earlier: Sequence[Earlier]) -> Iterator[str]:
    """What a model is told of the chat: answers only while every text they cite still stands as it was cited, because an
    answer repeats what may have been deleted since."""
    now = {
        place: node.leaf for place, node in _still_there(snapshot, (place for turn in earlier for place in turn.cited)).items()
    }
    for turn in earlier:
        yield f"asked: {turn.question}"
        if turn.answer and turn.leaves and turn.leaves == tuple(now.get(place) for place in turn.cited):
            yield f"answered: {turn.answer[:LONGEST_ANSWER]}"


def _still_there(snapshot: Snapshot, places: Iterable[str]) -> dict[str, Node]:
    """The nodes at these places: none of a source that whoever asks may not see, or sees no more."""
    nodes = snapshot.store.nodes.at(places, snapshot.version)
    return {place: node for place, node in nodes.items() if node.source_id in snapshot.sources}


def _naming(analysis: QuestionAnalysis, names: QuestionAnalysis) -> QuestionAnalysis:
    """The analysis of a question that points at what the chat named."""
    subject = next(iter((*names.keys, *names.files))) if analysis.kind == "overview" else analysis.subject
    return replace(analysis, keys=names.keys, files=names.files, subject=subject)


def _follows(chat: ChatContext) -> Step:
    reason = "It leans on the chat before it, so the words of that are looked for as well, and count less than its own."
    return Step("chat", "", "", chat.follows, reason=reason)


# ---------------------------------------------------------------- the names in it


def _with_names(snapshot: Snapshot, understanding: Understanding, earlier: Sequence[Earlier]) -> Understanding:
    """What it names is looked up among the documents and branches of the snapshot."""
    analysis, store, version = understanding.analysis, snapshot.store, snapshot.version
    names = [as_name(name) for name in (*analysis.files, *analysis.keys, *analysis.phrases)]
    names += [name.rpartition("/")[2] for name in names if "/" in name]
    found = snapshot.index.named(names, snapshot.scope)
    named = tuple(store.nodes.at([place for _, place in found], version).values())
    likely = tuple(leaf.place for node in named for leaf in store.nodes.first_leaves(node, version))
    if understanding.chat.follows and not likely:  # "it" is most likely what the answer before was taken from
        likely = tuple(_still_there(snapshot, earlier[-1].cited[:1]))
    files = [file for file in analysis.files if as_name(file) in dict(found)]
    search_text = _without(_spelt_out(understanding.text, understanding.chat), files)
    return replace(understanding, named=named, likely=likely, search_text=search_text)


def _spelt_out(question: str, chat: ChatContext) -> str:
    """A question with the names it points at, or with the question before it where it has no word of its own."""
    if chat.names is not None:
        return f"{question} {' '.join(chat.names.keys)}"
    return question if terms(question) else f"{question} {chat.follows}"


def _without(question: str, names: Sequence[str]) -> str:
    """A question without the file names in it, which say where to look and not what for."""
    left = question
    for name in names:
        left = left.replace(name, " ")
    return left if terms(left) else question
