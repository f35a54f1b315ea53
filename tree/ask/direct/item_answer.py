"""Answers told from records: the decisions, actions or events that a question asks for, counted, dated and cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from prompts.extractive import as_text
from prompts.language import terms
from prompts.records import Quote, Verdict
from prompts.regex import regex
from tree.ask.direct.fact_answer import answer_from_facts
from tree.ask.direct.said_later import SaidLater
from tree.ask.direct.said_of_action import Action, said_of_actions
from tree.ask.direct.said_of_row import key_of_row, said_of_rows
from tree.ask.direct.standing_items import holding, may_be_one
from tree.ask.direct.undone_decisions import undone
from tree.ask.facts.branches import branches_named, narrowed
from tree.ask.facts.succession import find_successions
from tree.ask.facts.told_facts import FactCitations, line, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, renumbered
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import document_of
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.item_question import OF_MINUTES, ItemQuestion, read_item_question
from tree.ask.understanding.understand import Understanding
from tree.retrieve.agenda import said_at
from tree.retrieve.attendance import ROLES
from tree.retrieve.fact_index import folded
from tree.retrieve.index import SearchScope
from tree.retrieve.item_index import StoredItem, is_within
from tree.retrieve.names import Names
from tree.retrieve.record_item import HONORIFICS, Kept
from tree.store.leaves import Leaf
from tree.store.nodes import Node

_LEFT_OPEN = regex(  # a decision that decides nothing yet, or no more
    r"\b(?:postponed|deferred|adjourned|withdrawn|revoked|to decide|decide (?:on|about) .{1,60} (?:in|on|at|next)|vertagt|verschoben|reporté)\b",
    re.IGNORECASE,
)
FEW_DAYS = 8  # of a time of which all is told that minutes say
NOT_THEN = "at other times"
NOT_RECORDED = "it is not recorded whether"
ALL_DONE = "all of it is done"
_WHAT_IS_DUE = regex(
    r"\A\W*(?:what(?:['’]?s| is)|(?:is (?:there )?)?anything)(?: all)? (?P<due>(?:over)?due\b[^?\n]{0,60}?)\W*\Z", re.IGNORECASE
)
LEFT_OUT = "without what is noted elsewhere as done"
NEARLY = "the newest has not every word of the question"
REPLACED = "of a list that another has taken the place of"
SHOWN = 20  # items told one by one
FEWEST_SHARED = 3  # words of earlier decisions in a later one that has one of two words of a topic
MOST_POINTS = 6  # of minutes that are told
_A = {"decision": "a decision", "action": "an action", "event": "an event"}
SAME = 0.66  # of the words of an item of a list that a sentence has as well
_TO_BE_DONE = regex(
    r"\b(?:will|shall|must|ha(?:s|ve) to|needs? to|is to|promised|(?:was|were|is|are) asked|asked (?:him|her|them)|wird|soll|muss)\b",
    re.IGNORECASE,
)
COMMON = 0.5  # the weight of a word that stands in about six of ten passages: in a title it says nothing
MOST_COMPARED = 500  # items of a month, to find those that repeat others


@dataclass(frozen=True, slots=True)
class Found:
    """Items that satisfy a question, in the order in which they are told. `is_sure` says that all of it is matched by evidence."""

    items: tuple[StoredItem, ...]
    is_sure: bool
    note: str = ""  # what of the question could not be held against them


def answer_from_records(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for decisions, actions and events; None where a question asks for none, or none is found about its topic."""
    names = snapshot.index.names(snapshot.scope)
    question = read_item_question(understanding.text, names, lambda wanted: branches_named(snapshot, wanted), today(snapshot))
    if question is None or (question.sort == "event" and question.topic and names.tables_by_noun.get("event")):
        return None  # a table of events says more of them than what texts tell of
    found = find_items(question, snapshot)
    if not found.items and (points := _points(question, snapshot)):
        return _told_of(question if question.topic else replace(question, span=None), points, snapshot)
    if not found.items and question.topic and question.sort == "decision" and not question.state:
        question = replace(question, sort="action")
        acting = find_items(question, snapshot)
        of_meetings = tuple(one for one in acting.items if one.item.day)  # what anybody is to do at any time was not decided
        found = replace(acting, items=of_meetings, is_sure=False, note="no decision is on record")
    tickets = _open_tickets(question, snapshot, understanding) if not found.items or not question.topic else ()
    if not found.items and tickets:
        return DirectAnswer(None, tickets, "partial")
    if not found.items and (question.topic or (question.sort == "event" and question.span is not None)):
        return None  # a report may say what happened on a day without being an event on record
    if question.sort == "action" and question.people and found.is_sure and _says_more(question, found.items, snapshot):
        found = replace(found, is_sure=False, note=f"minutes speak of {question.person} in other sentences as well")
    if question.sort == "decision" and len(question.topic) > 1 and (undoing := _taken_back(question, found.items, snapshot)):
        found = replace(found, items=(*undoing, *found.items))
    elif question.sort == "decision" and found.is_sure and (nearly := _nearly(question, found.items, snapshot)):
        found = replace(found, items=(*nearly, *found.items), is_sure=False, note=NEARLY)
    told = _told(question, found, snapshot)
    if (
        question.sort == "decision"
        and found.is_sure
        and (later := undone(understanding.text, found.items, question.topic, snapshot))
    ):
        last = max(line.number or 0 for line in later)
        before = [
            replace(one, text=renumbered(one.text, one.number, one.number + last), number=one.number + last)
            if one.number
            else one
            for one in told.lines
        ]
        told = replace(told, lines=(*later, *before), verdict="partial")
    if not tickets:
        return told
    # what else somebody was asked to do, in a mail for one, is on no record: two lists do not make it all there is
    return replace(told, lines=(*told.lines, *_numbered_after(told.lines, tickets)), verdict="partial")


def answer_what_is_due(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for what is due or overdue, where that may be tickets or actions: both. None where no action is, or there are no
    tickets."""
    asked = _WHAT_IS_DUE.match(understanding.question)
    is_read_as_of_tickets = "tickets" in understanding.text.casefold()  # where there are some
    if asked is None or understanding.narrowing is not None or not is_read_as_of_tickets:
        return None
    actions = answer_from_records(snapshot, replace(understanding, text=f"Which actions are {asked['due']}?"))
    if actions is None or not any(line.number for line in actions.lines):
        return None
    tickets = answer_from_facts(snapshot, understanding)
    if tickets is None:
        return None
    lines = (Line("Tickets: "), *tickets.lines, Line("\n\nActions: "), *_with_numbers_after(tickets.lines, actions.lines))
    return replace(tickets, lines=lines, verdict="partial")


def _open_tickets(question: ItemQuestion, snapshot: Snapshot, understanding: Understanding) -> tuple[Line, ...]:
    """The open tickets of whoever is asked to do something, where just that is asked; nothing where they have none."""
    is_plain = (
        question.sort == "action"
        and question.state in ("", "open")
        and not (question.span or question.branch or question.topic or question.besides)
    )
    if not is_plain or len(question.people) != 1:
        return ()
    [name] = question.people
    found = answer_from_facts(snapshot, replace(understanding, text=f"Which open tickets are assigned to {name}?"))
    is_told = found is not None and found.verdict == "complete" and any(line.number for line in found.lines)
    return (Line("Tickets: "), *found.lines) if found is not None and is_told else ()


def _numbered_after(before: Sequence[Line], lines: Sequence[Line]) -> Iterator[Line]:
    """Lines that stand below others, with numbers that go on from theirs."""
    if lines:
        yield Line("\n\n")
    yield from _with_numbers_after(before, lines)


def _with_numbers_after(before: Sequence[Line], lines: Sequence[Line]) -> Iterator[Line]:
    last = max((line.number or 0 for line in before), default=0)
    for one in lines:
        if one.number is None:
            yield one
        else:
            number = last + one.number
            yield replace(one, text=renumbered(one.text, one.number, number), number=number)


# ---------------------------------------------------------------- finding


def find_items(question: ItemQuestion, snapshot: Snapshot) -> Found:
    first, last = (question.span.first.isoformat(), question.span.last.isoformat()) if question.span else ("", "")
    about = every = _about(question, question.sort, question.topic, snapshot)
    certain: set[StoredItem] = set()
    doubt = ""
    if question.people:
        certain, possible = _by(about, question.people, snapshot.index.names(snapshot.scope))
        about = [one for one in about if one in certain or one in possible]
        doubt = "some name the person by one name alone" if possible else ""
        if " " not in question.person and len({name for name in question.people if " " in name}) > 1:
            doubt, certain = "several people are called so", set()
    dated = [one for one in about if not question.span or _is_then(one, first, last, question.is_due)]
    if question.sort == "action":
        dated, is_of_now = holding(dated, snapshot)
        doubt = doubt if is_of_now else REPLACED
        certain = certain if is_of_now else set()
        found = _actions(question, dated, [one for one in every if one.item.state == "done"], today(snapshot).isoformat())
    elif not dated and about and question.span is not None and question.topic:
        found = Found(tuple(_ordered(question, _merged(about))), False, NOT_THEN)
    else:
        fitting = [one for one in dated if question.state in ("", one.item.state)]
        found = Found(tuple(_ordered(question, _merged(fitting))), True)
    return replace(found, is_sure=False, note=found.note or doubt) if doubt and not certain.issuperset(found.items) else found


def _about(question: ItemQuestion, sort: Kept, topic: Sequence[str], snapshot: Snapshot) -> list[StoredItem]:
    """Those of one sort that have every word of a topic, in one of its forms."""
    scope = SearchScope(snapshot.scope.sources, narrowed(snapshot.scope.places, question.places))
    forms = {term: (term, *question.alike.get(term, ())) for term in topic}
    wanted = tuple(dict.fromkeys(form for some in forms.values() for form in some))
    weights = snapshot.index.weights(wanted, snapshot.scope)
    return [
        one
        for one in snapshot.index.items(scope).find(sort, wanted)
        if all(
            any(one.has(form, is_common=weights[form] < COMMON or form in OF_MINUTES) for form in some) for some in forms.values()
        )
    ]


_TAKES_BACK = regex(
    r"\b(?:cancel\w*|withdraw\w*|revoke[sd]?|reverse[sd]?|overturn\w*|taken back|called off|no longer|not any ?more|after all|dropped|aufgehoben|zurückgenommen)\b",
    re.IGNORECASE,
)


def _taken_back(question: ItemQuestion, decisions: Sequence[StoredItem], snapshot: Snapshot) -> tuple[StoredItem, ...]:
    """Later decisions about a word of the topic that take one back, in whatever words: "Papyra: decision of September cancelled"."""
    newest = max((one.item.day for one in decisions if one.item.day), default="")
    if not newest or question.span is not None:
        return ()
    about = {one: None for term in question.topic for one in _about(question, "decision", (term,), snapshot)}
    later = [one for one in about if one not in decisions and one.item.day > newest and _TAKES_BACK.search(one.item.said)]
    return tuple(_ordered(question, _merged(later)))


def _nearly(question: ItemQuestion, decisions: Sequence[StoredItem], snapshot: Snapshot) -> tuple[StoredItem, ...]:
    """Later decisions that have all words of the topic but one: what became of "the late Thursdays" may stand below "Thursday evenings". Of
    two words one says little, so that the decision shares other words with the earlier ones."""
    newest = max((one.item.day for one in decisions if one.item.day), default="")
    if not newest or question.span is not None or len(question.topic) < 2:
        return ()
    shorter = ([other for other in question.topic if other != term] for term in question.topic)
    about = {one: None for topic in shorter for one in _about(question, "decision", topic, snapshot)}
    later = [one for one in about if one not in decisions and one.item.day > newest]
    if len(question.topic) == 2:
        said = {term for one in decisions for term in terms(one.item.said)} - set(question.topic)
        later = [one for one in later if len(said & set(terms(one.item.said))) >= FEWEST_SHARED]
    return tuple(_ordered(question, _merged(later)))


def _points(question: ItemQuestion, snapshot: Snapshot) -> list[StoredItem]:
    """What minutes say of a topic that no decision on record names, of a day with no decision, or of a person with no action: each
    passage once, the newest first."""
    topic = question.topic if question.sort == "decision" else tuple(terms(question.person))
    is_of_weekday = question.sort == "decision" and not topic and question.span is not None and len(question.besides) > 1
    if is_of_weekday:  # "about meetings on Wednesday": of every Wednesday
        topic = tuple(sorted(question.besides))
    is_of_day = (
        question.sort == "decision" and question.span is not None and (question.span.last - question.span.first).days < FEW_DAYS
    )
    if (
        not (topic or is_of_day)
        or question.state
        or question.sort == "event"
        or (question.sort == "decision" and question.people)
    ):
        return []
    span = None if is_of_weekday else question.span
    first, last = (span.first.isoformat(), span.last.isoformat()) if span else ("", "")
    found = [one for one in _about(question, "point", topic, snapshot) if not first or is_within(one.item.day, first, last)]
    found = [one for one in found if all(f" {word} " in one.item.topic for word in question.besides)] or found
    if not topic:  # lines of a chat are no points of a meeting
        meetings = {one.place for role in ROLES for one in _about(question, role, (), snapshot)}
        found = [one for one in found if one.place in meetings]
    kept: list[StoredItem] = []
    for one in sorted(found, key=lambda one: (one.place, one.item.start, -one.item.end)):
        if not kept or kept[-1].place != one.place or one.item.start >= kept[-1].item.end:
            kept.append(one)
    return sorted(kept, key=lambda one: one.item.day, reverse=True)[:MOST_POINTS]


def _is_then(one: StoredItem, first: str, last: str, by_due: bool = False) -> bool:
    """Whether an item is of these days, or `by_due` due on them; what is asked for until a day, with no beginning, is an action that is
    due by then."""
    if one.item.sort != "action":
        return is_within(one.item.day, first, last)
    is_due = bool(one.item.due) and is_within(one.item.due, first, last)
    return is_due or (not by_due and not _has_no_beginning(first) and is_within(one.item.day, first, last))


def _has_no_beginning(first: str) -> bool:
    return first.startswith("1970")


def _by(items: Sequence[StoredItem], people: frozenset[str], names: Names) -> tuple[set[StoredItem], set[StoredItem]]:
    """The items of these people: those that name them in full or by a name that only they have, and those that may mean others."""
    certain: set[StoredItem] = set()
    possible: set[StoredItem] = set()
    meant = [set(name.split()) - HONORIFICS for name in people]
    for one in items:
        for person in one.item.people:
            own = set(folded(person).split()) - HONORIFICS
            if not own or not any(own <= full or full <= own for full in meant):
                continue
            others = {name for name in names.full(" ".join(sorted(own))) if " " in name} - people if len(own) == 1 else set()
            is_known = any(names.full(name) for name in people)
            (certain if len(own) > 1 or (is_known and not others) else possible).add(one)
    return certain, possible - certain


def _actions(question: ItemQuestion, about: Sequence[StoredItem], done: Sequence[StoredItem], day: str) -> Found:
    """Those that somebody took on; with none of these, what is asked of whoever reads it, which may help. `done` are those of anybody;
    on this `day` (ISO 8601) what was due before it and is open is overdue."""
    assigned = [one for one in about if one.item.is_assigned]
    chosen = assigned or list(about)
    if not question.state:
        left = [one for one in chosen if one.item.state != "done"] if question.is_to_do else chosen
        over = {one for one in left if question.is_to_do and any(_is_same(one, other) for other in done)}
        left = [one for one in left if one not in over]
        note = ALL_DONE if chosen and not left else LEFT_OUT if over else ""
        return Found(tuple(_ordered(question, _merged(left or chosen))), bool(assigned) and not note, note)
    state = "open" if question.state == "overdue" else question.state
    if question.state == "overdue":
        chosen = [one for one in chosen if one.item.due and one.item.due < day]
    over = {one for one in chosen if state == "open" and any(_is_same(one, other) for other in done)}
    fitting = [one for one in chosen if one.item.state in ("", state) and one not in over]
    is_sure = bool(assigned) and all(one.item.state for one in fitting)
    note = "" if is_sure else f"{NOT_RECORDED} each of them is {state}"
    return Found(tuple(_ordered(question, _merged(fitting))), is_sure, note)


def _is_same(one: StoredItem, done: StoredItem) -> bool:
    """Whether something was noted as done later, in most of its words: "Jane: call the port" and "[x] Jane called the port"."""
    if one.item.state == "open" and one.place == done.place:
        return False  # two boxes of one list are two things: "offers for vans" and "offers for tents"
    if one.item.due and done.item.due and done.item.due < one.item.due:
        return False  # it is due again
    words, names = set(terms(one.item.said)), {term for name in one.item.people for term in terms(name)}
    said = set(terms(done.item.said))
    left = words - names
    is_later = not done.item.day or not one.item.day or done.item.day[:7] >= one.item.day[:7]
    return len(left) > 1 and is_later and len(left & said) > len(left) * SAME


def _merged(items: Sequence[StoredItem]) -> list[StoredItem]:
    """Each once: what a list repeats of a decision, in the same words and of the same month, is told with it."""
    items = _joined(items)
    kept: list[StoredItem] = []
    said: dict[str, list[tuple[str, StoredItem]]] = {}
    for one in sorted(items, key=lambda one: -len(one.item.said)):
        words, same = folded(one.item.said), said.setdefault(one.item.day[:7], [])
        if len(same) < MOST_COMPARED and any(words in longer and may_be_one(one, other) for longer, other in same):
            continue
        kept.append(one)
        same.append((words, one))
    return kept


def _joined(items: Sequence[StoredItem]) -> list[StoredItem]:
    """What a sentence tells and a list of the same leaf names in few words is told once, as the sentence has it."""
    prose = [(one, set(terms(one.item.said))) for one in items if not one.item.is_listed and one.item.sort == "decision"]
    told: dict[StoredItem, StoredItem] = {}
    dropped: set[StoredItem] = set()
    for one in items if prose else ():
        words = set(terms(one.item.said)) if one.item.is_listed else set()
        same = (other for other, longer in prose if other.place == one.place and len(words & longer) > len(words) * SAME)
        if len(words) > 1 and (other := next(same, None)) is not None:
            told[other] = replace(other, item=replace(other.item, is_listed=True))
            dropped.add(one)
    return [told.get(one, one) for one in items if one not in dropped]


def _says_more(question: ItemQuestion, items: Sequence[StoredItem], snapshot: Snapshot) -> bool:
    """Whether minutes say of a person, beside these actions, what may be another one: "he will bring it", "was asked to"."""
    first, last = (question.span.first.isoformat(), question.span.last.isoformat()) if question.span else ("", "")
    name = terms(question.person)[:1]
    topic = [term for term in question.topic if term not in OF_MINUTES]
    points = [
        one for one in _about(question, "point", [*name, *topic], snapshot) if not first or is_within(one.item.day, first, last)
    ]
    beside = [
        one
        for one in points
        if not any(one.place == own.place and one.item.start < own.item.end and own.item.start < one.item.end for own in items)
    ]
    cited = FactCitations(snapshot.store, snapshot.version).cite(beside)
    return any(_TO_BE_DONE.search(cited[one.place][1].text, one.item.start, one.item.end) for one in beside if one.place in cited)


def _ordered(question: ItemQuestion, items: Sequence[StoredItem]) -> list[StoredItem]:
    """Events as they happened; of anything else the newest first, for it is what holds. What has no date comes last, by the day on
    which it is due."""
    found = sorted(items, key=lambda one: (one.item.due or "9", one.place, one.item.start))
    if question.sort == "event":
        return sorted(found, key=lambda one: one.item.day or "9")
    found.sort(key=lambda one: one.item.day or "0", reverse=True)
    return found[:1] if question.is_latest and question.sort == "decision" and found else found


# ---------------------------------------------------------------- telling


def _told(question: ItemQuestion, found: Found, snapshot: Snapshot) -> DirectAnswer:
    nodes = _standing(found.items, snapshot)
    items = [one for one in found.items if one.place in nodes]
    cited = _cited(items[:SHOWN], nodes, snapshot)  # the texts of those that are shown alone: there may be tens of thousands
    asked = _asked(question)
    reason = f"Every {question.sort} on record was held against the question."
    step = Step("register", "", "", f"{len(items)} {_noun(question, len(items))}", reason=reason)
    if not items:
        return DirectAnswer(step, (Line(f"No {question.sort} is on record{asked}."),), "none")
    is_known = found.is_sure and _can_be_complete(question, items)
    plain = replace(question, state="") if found.note.startswith(NOT_RECORDED) else question
    counted = f"{len(items)} {_noun(plain, len(items))}{'' if is_known and _is_listed(items) else ' found'}"
    note = f" ({found.note})" if found.note else ""
    lines = [Line(f"**{counted}**{asked}{note}:\n")]
    if found.note == NOT_THEN:
        without = _asked(replace(question, span=None))
        lines = [Line(f"No {question.sort} is on record{asked}. **{counted}**{without} {NOT_THEN}:\n")]
    numbers: dict[str, int] = {}
    for one in items[:SHOWN]:
        if one.place not in cited:  # its text was deleted a moment ago
            continue
        number = numbers.setdefault(one.place, len(numbers) + 1)
        node, leaf = cited[one.place]
        quote = Quote(text=" ".join(leaf.text[one.item.start : one.item.end].split()), start=one.item.start, end=one.item.end)
        lines.append(Line(f"\n- {_sentence(one, leaf)} [{number}]", number, node, leaf, quote))
    later = _said_later(question, items[:SHOWN], cited, snapshot)
    lines = list(_with_later(lines, later, numbers))
    if len(items) > SHOWN:
        lines.append(Line(f"\n\n… and {len(items) - SHOWN} more."))
    is_over = question.state == "" and all(one.item.state == "superseded" for one in items)
    replacements = _replacements(items[:SHOWN], cited, numbers, snapshot) if question.state == "" else []
    is_left = question.sort == "decision" and any(map(_LEFT_OPEN.search, (one.item.said for one in items)))
    verdict: Verdict = "complete" if is_known and (replacements or not is_over) and not (is_left or later) else "partial"
    return DirectAnswer(step, (*lines, *replacements), verdict, is_of_standing=True)


def _said_later(
    question: ItemQuestion, items: Sequence[StoredItem], cited: Mapping[str, tuple[Node, Leaf]], snapshot: Snapshot
) -> dict[tuple[str, int], SaidLater]:
    """What was said last, in chats and minutes, of actions, by the number that they go by in a register or in their own words: by place and
    where they begin; nothing of what is asked for as it was: of the actions that were noted in some days, but not of those due in them."""
    is_of_noted = question.span is not None and not question.is_due and not _has_no_beginning(question.span.first.isoformat())
    if question.sort != "action" or is_of_noted or question.state == "done":
        return {}
    numbered = [
        (one, key) for one in items if one.place in cited and (key := key_of_row(cited[one.place][1].text, one.item.start))
    ]
    said = said_of_rows(snapshot, {key: cited[one.place][0] for one, key in numbered})
    last = {one: next((other for other in said[key] if str(other.day) >= one.item.day), None) for one, key in numbered}
    others = [one for one in items if one.place in cited and last.get(one) is None]
    last |= dict(zip(others, _said_in_words(others, cited, snapshot), strict=True))
    return {(one.place, one.item.start): newest for one, newest in last.items() if newest is not None}


def _said_in_words(
    items: Sequence[StoredItem], cited: Mapping[str, tuple[Node, Leaf]], snapshot: Snapshot
) -> list[SaidLater | None]:
    """What was said last of each of these actions in its own words."""
    actions = [
        Action.of(
            one.item.words,
            {term for name in one.item.people for term in terms(name)},
            document_of(cited[one.place][0]),
            one.item.day,
        )
        for one in items
    ]
    words = tuple(sorted({word for action in actions for word in action.words}))
    again: dict[str, set[int]] = {}
    for other in snapshot.index.items(snapshot.scope).find("action", words) if words else ():
        if other.item.state != "done":
            again.setdefault(other.place, set()).add(other.item.start)
    said = said_of_actions(snapshot, actions, again)
    return [next((told for told in mine if str(told.day) >= one.item.day), None) for one, mine in zip(items, said, strict=True)]


def _with_later(lines: Sequence[Line], later: Mapping[tuple[str, int], SaidLater], numbers: dict[str, int]) -> Iterator[Line]:
    """Each item, with what was said of it later below it."""
    for one in lines:
        yield one
        told = later.get((one.node.place, one.quote.start)) if one.node is not None and one.quote is not None else None
        if told is not None:
            number = numbers.setdefault(told.opened.node.place, len(numbers) + 1)
            yield told.as_line("\n    - Said later: ", number)


def _replacements(
    items: Sequence[StoredItem], cited: Mapping[str, tuple[Node, Leaf]], numbers: dict[str, int], snapshot: Snapshot
) -> list[Line]:
    """What took the place of superseded decisions, where that is stated: whoever reads of these alone is misled."""
    titles = {
        cited[one.place][1].heading[0]
        for one in items
        if one.item.state == "superseded" and one.place in cited and cited[one.place][1].heading
    }
    if not titles:
        return []
    known = find_successions(snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope))
    found = [one for one in known if folded(one.old) in {folded(title) for title in titles}]
    sources = FactCitations(snapshot.store, snapshot.version).cite([one.facts[0] for one in found])
    lines = []
    for one in found:
        fact = one.facts[0]
        if fact.place in sources:
            number = numbers.setdefault(fact.place, len(numbers) + 1)
            said = f"\n\n{as_text(one.old)} was replaced by **{as_text(one.new)}** [{number}]"
            lines.append(line(said, number, fact, sources))
    return lines


def _told_of(question: ItemQuestion, points: Sequence[StoredItem], snapshot: Snapshot) -> DirectAnswer:
    """What minutes say of it, which may be what is asked for: never called answered."""
    cited = FactCitations(snapshot.store, snapshot.version).cite(points)
    step = Step("register", "", "", f"{len(points)} of minutes", reason=f"No {question.sort} is on record; minutes speak of it.")
    told = {
        place: said_at(leaf.text, {one.item.start for one in points if one.place == place}) for place, (_, leaf) in cited.items()
    }
    lines = [Line(f"What the minutes say{_asked(question)}, without calling it {_A[question.sort]}:\n")]
    numbers: dict[str, int] = {}
    for one in points:
        said = told.get(one.place, {}).get(one.item.start)
        if said is None:
            continue
        one = replace(one, item=replace(one.item, said=f"{one.item.said}: {said}" if one.item.said else said))
        node, leaf = cited[one.place]
        number = numbers.setdefault(one.place, len(numbers) + 1)
        quote = Quote(text=" ".join(leaf.text[one.item.start : one.item.end].split()), start=one.item.start, end=one.item.end)
        lines.append(Line(f"\n- {_sentence(one, leaf)} [{number}]", number, node, leaf, quote))
    return DirectAnswer(step, tuple(lines), "partial")


def _can_be_complete(question: ItemQuestion, items: Sequence[StoredItem]) -> bool:
    """Whether what is on record can be all there is: never of every decision or event, which prose may tell in any words, so
    not either of those of a meeting, or for their number, where one of them stands in a sentence among others."""
    is_titled = all(f" {term} " in one.heading for one in items for term in question.topic) or (question.span is not None)
    is_of_meeting = question.topic and is_titled and not any(set(question.topic).issubset(terms(one.item.said)) for one in items)
    if (is_of_meeting and question.sort == "decision" or question.is_count) and not _is_listed(items):
        return False
    if question.sort == "action" or question.is_latest or question.topic or question.people or question.state:
        return True
    return all(one.item.is_history for one in items)


def _is_listed(items: Sequence[StoredItem]) -> bool:
    return all(one.item.is_listed or one.item.is_history for one in items)


def _standing(items: Sequence[StoredItem], snapshot: Snapshot) -> dict[str, Node]:
    """The node of each item's place; without those that are not, at this version, what the item was taken from."""
    wanted = {one.place: one.leaf for one in items}
    nodes = snapshot.store.nodes.at(wanted, snapshot.version)
    return {place: node for place, node in nodes.items() if node.leaf == wanted[place]}


def _cited(items: Sequence[StoredItem], nodes: Mapping[str, Node], snapshot: Snapshot) -> dict[str, tuple[Node, Leaf]]:
    """Node and leaf of each item's place."""
    standing = {one.place: nodes[one.place] for one in items if one.place in nodes}
    leaves = snapshot.store.leaves.by_key({node.leaf for node in standing.values() if node.leaf})
    return {place: (node, leaves[node.leaf]) for place, node in standing.items() if node.leaf in leaves}


def _noun(question: ItemQuestion, number: int) -> str:
    kind = {"open": "open ", "done": "finished ", "superseded": "superseded "}.get(question.state, "")
    return f"{kind}{question.sort}{'' if number == 1 else 's'}{' in force' if question.state == 'in force' else ''}"


def _asked(question: ItemQuestion) -> str:
    """What was asked for, in words."""
    parts: list[str] = []
    if question.topic_words:
        parts.append(f"about {question.topic_words}")
    if question.person:
        parts.append(f"of {question.person}")
    if question.branch:
        parts.append(f"in {question.branch}")
    if question.span is not None:
        parts.append(_days(question.span.first.isoformat(), question.span.last.isoformat()))
    return f" {as_text(', '.join(parts))}" if parts else ""


def _days(first: str, last: str) -> str:
    if first == last:
        return f"on {readable(first)}"
    if last.startswith("9999"):
        return f"since {readable(first)}"
    return f"until {readable(last)}" if _has_no_beginning(first) else f"from {readable(first)} to {readable(last)}"


def _sentence(one: StoredItem, leaf: Leaf) -> str:
    item = one.item
    said = as_text(item.said if item.said.endswith((".", "!", "?", "…", ")")) else f"{item.said}.")
    when = _readable(item.day) or (f"By {_readable(item.due)}" if item.due else "No date known")
    return f"**{when}**: {said}{''.join(_beside(one, leaf))}"


def _beside(one: StoredItem, leaf: Leaf) -> Iterator[str]:
    """What is said after a statement: who, whether it still holds, and where it stands, unless it says so itself."""
    title = leaf.heading[0] if leaf.heading else leaf.title
    said = folded(one.item.said)
    people = [name for name in one.item.people if folded(name) not in said] if one.item.sort != "event" else []
    due = _readable(one.item.due) if one.item.day else ""
    due = f"by {due}" if due and due.rpartition(" ")[0] not in one.item.said else ""
    who = ", ".join([*people, *filter(None, [due])])
    parts = [
        who,
        one.item.state if one.item.sort != "event" and one.item.state != "in force" else "",
        "" if folded(title) in said else title,
    ]
    if beside := "; ".join(filter(None, parts)):
        yield f" ({as_text(beside)})"


def _readable(day: str) -> str:
    """A day or a month in words."""
    return readable(day) if len(day) != 7 else readable(f"{day}-01").partition(" ")[2]
