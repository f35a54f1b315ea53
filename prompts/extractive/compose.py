"""Writes the answer: what answers outright, or else the best passages; made of quotes and a few fixed words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from prompts.extractive.asked_values import DATE
from prompts.extractive.contests import ALL, contesting, correcting, moved_from, times_of_day
from prompts.extractive.dates import Day
from prompts.extractive.editions import edition_of
from prompts.extractive.how_to import Told, answering, helping, led_to, nearest_called, write_steps
from prompts.extractive.later_entries import newest_entry, says_change
from prompts.extractive.markdown import as_text
from prompts.extractive.nearest import asked_by
from prompts.extractive.newest_first import (
    OLDER,
    later_change,
    newest_change,
    newest_of_ticket,
    newest_of_topic,
    newest_state,
    of_older_editions,
)
from prompts.extractive.pages import is_how_to
from prompts.extractive.passages import quote, shortened
from prompts.extractive.procedures import naming, procedures, rarest_of, share_of
from prompts.extractive.rendering import Point, dots_after, in_section, listed, place_above, place_of, shown
from prompts.extractive.replacing import replacing_entry, replacing_sentence, says_all
from prompts.extractive.rivals import COMPARED, confirms, dated, differ, newest
from prompts.extractive.standing import asks_of_then, holds_no_more, is_superseded
from prompts.extractive.tenses import (
    asks_how_things_are,
    is_after,
    is_asked_of_now,
    is_of_later,
    past_time_asked,
    tells_of,
    time_not_now,
)
from prompts.language import terms
from prompts.months import WEEKDAY
from prompts.question import Kind, QuestionAnalysis, Word, analyse, weigh
from prompts.records import Cited, Evidence, Excerpt, Question
from prompts.regex import regex

NOTHING = "I found nothing in the sources that answers this."
CLOSEST = "The closest I found:"
PASSAGES = "Passages that may help:"
NEAREST = "The closest passages, which may say it in other words:"
MORE = "More passages:"  # what stands below is folded where that can be done
DIFFER = "Statements differ:"

AS_HEADED = 1.0  # the strength of what stands below a heading that is the question word for word
_WEEKDAY = regex(rf"\b{WEEKDAY}s?\b", re.IGNORECASE)
NEAR = 0.3  # of strength, for another statement to be weighed against the best
MOST_SHOWN, MOST_BESIDE, MOST_FOLDED = 5, 2, 3  # passages: in all, of them beside the first section, below these
LONGEST_SECTION = 700  # characters of the passages of one section that are shown together
BESIDE = 1.2  # of worth that a passage may be behind the best, to be shown beside it
BELOW = 2.5  # the same, of the same section
SCENTED = 2.2  # what the scent of a leaf is worth, beside what a sentence in it is
MEANT = 2.0  # what it is worth that a passage is of what a follow-up points at
SUPERSEDED, DOUBTED = 3.0, 1.5  # what it is worth less that its document says that it holds no more; that a remark doubts it
NOT_NOW = 1.5  # the same, that it held until a day that is over, or will hold from one that is to come
AS_MUCH = 0.6  # of what one passage covers of a question, beside which one that holds no more comes second
A_LITTLE = 0.3  # the same, where the other is of the newer edition of its document
UNSURE = 0.5  # what a passage is worth less of a leaf that by itself says too little
MOST_OF_STEP = 0.9  # of what is to be done, in a step that is all that is asked for
HALF = 0.5  # of the words of a question, by their weight
ALIKE = 0.8  # of the words of two passages that say the same
_ASKS_STEPS = regex(r"\b(?:what are the|list the|step by) steps?\b", re.IGNORECASE)
_STATE = regex(
    r"\W*(?:is|are|was|were|has|have|did)(?:n['’]t)? (?:[\w'’-]+ ){1,12}?(?:(?:already|yet|now|been|finally|all) ){0,2}(?P<state>\w+(?:ed|en|own|old|ent|ought|uilt|one|eft|ade|aid|ut)|ready|back|open|closed|free|live|finished|done|fixed)"
    r"(?: (?:already|yet|now|again|by now|so far|at last|finally))?[ ?!.]*\Z",
    re.IGNORECASE,
)
_CHANGED = regex(  # the reason for which stands with what came of it
    r"\bdid (?:\w+ ){1,3}(?:give up|end|stop|abandon|drop|cancel|call off|move|postpone|delay|put off|shift|withdraw|change|close|raise|lower|extend)\b"
    r"|\b(?:given up|ended|stopped|abandoned|dropped|cancel+ed|called off|moved|postponed|delayed|put off|shifted|withdrawn|changed|closed|raised|lowered|extended)\b",
    re.IGNORECASE,
)
_IN_SENTENCES = frozenset(("why", "how_to", "definition", "overview"))  # kinds of question that no day or amount answers
_MOST_PLACES = 3
_LONGEST_HINT = 240


def compose(question: Question, evidence: Sequence[Evidence]) -> Iterator[Cited]:
    asked = analyse(question.text)
    carrying = weigh(question)
    speaking = [e for e in evidence if e.answer.verdict != "none" and e.answer.quotes]
    if not speaking:
        yield from _nothing(evidence)
        return
    if stated := [e for e in speaking if e.answer.is_stated]:
        yield from _stated(stated)
        return
    direct = [e for e in speaking if e.answer.verdict == "complete"]
    if is_how_to(question.text) and direct and (told := answering(carrying, direct) or helping(carrying, _with_steps(direct))):
        yield from write_steps(told, evidence)
    elif direct:
        yield from _outright(question, asked, direct, evidence, carrying)
    elif asked.kind == "how_to" and (found := _may_help(question, carrying, speaking, evidence))[0]:
        told, by = found
        yield Cited(f"{PASSAGES}\n\n", aside="partial")
        if by is not None:
            yield from shown(by)
            yield Cited("\n\n")
        if told[0].procedure.steps:
            yield Cited(f"**{as_text(_called(told[0]))}**\n\n")
            yield from write_steps(told, evidence)
        else:
            yield from in_section([_in_sentences(told[0])])
        leaves = [one.leaf for one in told]
        others = [point for point in _ranked(_with_beside(speaking, evidence)) if point.leaf not in leaves]
        yield from _folded([point for point in others if by is None or not _holds(point, by)])
    else:
        yield from _passages(_with_beside(speaking, evidence), evidence, question, asked.kind, carrying)


def _in_sentences(told: Told) -> Point:
    """A section that says in sentences what is to be done, as a passage."""
    part = told.procedure.parts[0]
    return Point(told.number, told.leaf, quote(told.leaf.text, part.start, part.end), 0.0, best=(part.start, part.end))


def _holds(point: Point, other: Point) -> bool:
    """Whether a passage has the sentence of another."""
    return point.leaf is other.leaf and point.quote.start <= other.quote.start < point.quote.end


def tell_procedure(question: Question, evidence: Sequence[Evidence]) -> Iterator[Cited]:
    """The procedure that answers a question, step by step as its document has it; nothing where what was read has none."""
    if is_how_to(question.text) and (told := answering(weigh(question), [e for e in evidence if e.answer.verdict != "none"])):
        yield from write_steps(told, evidence)


def _may_help(
    question: Question, carrying: Sequence[Word], speaking: Sequence[Evidence], evidence: Sequence[Evidence]
) -> tuple[list[Told], Point | None]:
    """The procedure that may be meant: called so in other words, or led to by the best passage, with the sentence that does, or with steps
    that say what is asked."""
    ranked = _ranked(speaking)
    best = ranked[0]
    over = [e for e in speaking if is_superseded(e.leaf, 0)]  # all that it says, where just such a page is asked for by its name
    told = answering(carrying, over) if over else []
    if not told or not told[0].is_whole:
        told = nearest_called(carrying, speaking, question.text)
        is_section = bool(told) and not told[0].procedure.steps
        if is_section and _ASKS_STEPS.search(question.text):
            told = helping(carrying, speaking, question.text, best) or told
        told = [] if is_section and _is_said(carrying, told[0], best) else told
    near = (point for point in ranked[:_MOST_PLACES] if point.leaf is best.leaf)
    led = None if told else next(filter(None, (led_to(one, carrying, evidence, question.text) for one in near)), None)
    if led is not None:
        return [led.told], led.by
    if not told:
        told = helping(carrying, speaking, question.text, best)
        told = [] if told and _is_said(carrying, told[0], best) else told
    told = [] if told and _is_of_one_step(carrying, told[0]) else told
    if not told:
        around = [one for one in procedures(best.leaf) if any(step.start <= best.best[0] < step.end for step in one.steps)]
        told = [Told(best.number, best.leaf, one) for one in around]
        step = _step_asked(carrying, told[0], question.text) if told else None
        return (told[:1], step) if step is not None else ([], None)
    return told, _step_asked(carrying, told[0], question.text)


def _step_asked(carrying: Sequence[Word], told: Told, question: str) -> Point | None:
    """The one step of a procedure that says all that is to be done, where what the procedure is called does not: "how do I recalibrate a
    loop?" is the second thing to do to a barrier that is stuck."""
    asked = asked_by(carrying, question)
    titles = set(terms(" ".join((told.procedure.title, *told.procedure.above, told.leaf.name))))
    if not asked or share_of(asked, titles) >= HALF:
        return None
    having = [
        step
        for step in told.procedure.steps
        if share_of(asked, set(terms(told.leaf.text[step.start : step.end]))) >= MOST_OF_STEP
    ]
    if len(having) != 1 or len(told.procedure.steps) < 2:
        return None
    said = quote(told.leaf.text, having[0].start, having[0].end)
    return Point(told.number, told.leaf, said, 0.0)


def _is_said(carrying: Sequence[Word], told: Told, point: Point) -> bool:
    """Whether the best sentence has every word of the question, where what the procedure is called has not half of them."""
    titles = set(terms(" ".join((told.procedure.title, *told.leaf.heading))))
    start, end = point.best
    is_step = point.leaf is told.leaf and any(step.start <= start < step.end for step in told.procedure.steps)
    return share_of(carrying, titles) < HALF and not is_step and share_of(carrying, set(terms(point.leaf.text[start:end]))) > ALL


def _called(told: Told) -> str:
    """Where a procedure stands, with what it is called on a page of several."""
    place, title = place_of(told.leaf), told.procedure.title
    above = told.procedure.above
    is_of_several = title in above[1:] and title not in place
    return f"{place} › {title}" if is_of_several else place


def _is_of_one_step(carrying: Sequence[Word], told: Told) -> bool:
    """Whether what is asked for is a name such as those of errors that stands in one step alone, and the others are not for it."""
    name = rarest_of(naming(carrying))
    titles = set(terms(" ".join((told.procedure.title, *told.leaf.heading))))
    is_name = len(name.parts) > 1 or any(map(str.isdigit, name.whole))
    there = [step for step in told.procedure.steps if name.is_in(set(terms(told.leaf.text[step.start : step.end])))]
    return is_name and not name.is_in(titles) and len(there) == 1


def _with_steps(direct: Sequence[Evidence]) -> list[Evidence]:
    """Those that were answered with the steps of a procedure."""
    return [e for e in direct if any(u.kind == "step" and u.start == e.answer.quotes[0].start for u in e.leaf.units)]


# ---------------------------------------------------------------- what answers outright


def _outright(
    question: Question,
    asked: QuestionAnalysis,
    direct: Sequence[Evidence],
    evidence: Sequence[Evidence],
    carrying: Sequence[Word],
) -> Iterator[Cited]:
    """The statement that answers; where a newer one says otherwise, that, and the older as such."""
    speaking = _with_beside([e for e in evidence if e.answer.verdict != "none" and e.answer.quotes], evidence)
    ranked = sorted(
        direct, key=lambda e: (holds_no_more(e.leaf, e.answer.quotes[0].start), -round(e.answer.strength, 1), -e.score)
    )
    points = [_point(e, asked) for e in ranked]
    best = max(point.worth for point in points)
    rivals = [point for point in points if point.worth >= best - NEAR]
    lead, older = newest(rivals, asked.kind) if asked.kind in COMPARED else (rivals[0], None)
    if older is not None and asked.kind == "when" and not _are_of_one_sort(lead, older):
        lead, older = rivals[0], None
    is_beside = lead is not rivals[0] and rivals[0].worth >= AS_HEADED  # a sentence elsewhere may be of another such thing
    if older is None:
        replacing = replacing_sentence(lead, evidence, carrying) if is_asked_of_now(question.text) else None
        if replacing is not None and says_all(replacing, lead, carrying):
            lead, older = replacing, lead
        elif replacing is not None:  # it may be of somebody else
            yield from _told_as_differing([lead, replacing])
            return
        elif (rival := _said_otherwise(question, asked, lead, speaking, evidence, carrying)) is not None and not confirms(
            rival.quote.text, lead.quote.text, asked.kind
        ):
            yield from _told_as_differing([rival, lead])
            return
    if older is not None and (lead.day is None or older.day is None or is_beside):
        both = [rivals[0], lead] if is_beside else [lead, older]
        mentioned = [*both, *_newer_mentions(both, speaking, carrying)] if asked.latest else []
        yield from _told_as_differing(_in_order_of_days(mentioned) or both)
        return
    then = past_time_asked(question.text, question.day)
    is_made_later = then is not None and lead.day is not None and is_after(lead.day, then)
    if then is not None and (is_of_later(then, lead.quote.text) or (is_made_later and not tells_of(then, lead.quote.text))):
        if older is not None:  # what held before
            yield Cited(f"Until {lead.day.in_words if lead.day else 'then'}: ")
            yield from shown(older)
            return
        yield Cited("", is_gap=True)  # it is not said whether it was so then
    yield from shown(lead)
    if older is not None:
        yield Cited(f"\n\nUntil {lead.day.in_words if lead.day else 'then'}: ")
        yield from shown(older)


def _are_of_one_sort(one: Point, other: Point) -> bool:
    """Whether two statements of when something is both say a day, or both a time of the day: "after 4 hours" is not said against "10:30"."""
    return any(map(all, zip(*(_sorts_of_time(point.quote.text) for point in (one, other)), strict=True)))


def _sorts_of_time(text: str) -> tuple[bool, bool, bool]:
    return DATE.search(text) is not None, _WEEKDAY.search(text) is not None, bool(times_of_day(text))


def _told_as_differing(points: Sequence[Point]) -> Iterator[Cited]:
    yield Cited(f"{DIFFER}\n", is_gap=True)
    yield from listed([replace(one, day=one.day or dated(one.leaf, one.quote, "when")) for one in points], is_dated=True)


def _said_otherwise(
    question: Question,
    asked: QuestionAnalysis,
    lead: Point,
    speaking: Sequence[Evidence],
    evidence: Sequence[Evidence],
    carrying: Sequence[Word],
) -> Point | None:
    """What else was read and speaks against the statement that leads, without taking its place for certain: a later entry, a
    sentence that contests it, a later change."""
    is_of_now, is_of_value = is_asked_of_now(question.text), asked.kind not in _IN_SENTENCES
    is_of_state = is_of_now or asks_how_things_are(question.text)  # "allowance per week"
    if (
        is_of_now
        and is_of_value
        and (later := newest_entry(lead, _leaves_of(evidence), question.text)) is not None
        and (asked.kind != "when" or DATE.search(later.quote.text) or says_change(later.quote.text))
    ):
        return later
    if asked.kind == "count" and (corrected := correcting(lead, evidence)) is not None:
        return corrected
    if asked.kind == "when" and (moved := moved_from(lead, evidence, carrying)) is not None:
        return moved
    is_contested = is_of_state or asked.kind == "yes_no"
    if is_contested and (contest := contesting(lead, evidence, carrying, asked.kind)) is not None:
        return contest
    return later_change(lead, _ranked(speaking), asked, question.text, carrying) if is_of_state and is_of_value else None


def _leaves_of(evidence: Sequence[Evidence]) -> Iterator[Point]:
    """A point in each leaf that was read, with nothing of it told."""
    return (Point(e.number, e.leaf, quote(e.leaf.text, 0, 0), 0.0) for e in evidence)


def _in_order_of_days(points: Sequence[Point]) -> list[Point]:
    """The newest first; what has no day last."""
    return sorted(points, key=lambda point: point.day or Day(0, 0), reverse=True)


def _newer_mentions(told: Sequence[Point], speaking: Sequence[Evidence], carrying: Sequence[Word]) -> list[Point]:
    """Of a state that changes, what names the thing with another number and is newer than all that is told, "kiosk 412": the newest."""
    days = [point.day for point in told if point.day is not None]
    found: list[Point] = []
    for point in _ranked(speaking) if days else []:
        start, end = point.best
        said = quote(point.leaf.text, start, end)
        day = dated(point.leaf, said, "count")
        mention = Point(point.number, point.leaf, said, 0.0, day)
        if (
            day is not None
            and day > max(days)
            and share_of(carrying, set(terms(said.text))) >= HALF
            and differ(mention, told[0], "count")
        ):
            found.append(mention)
    return [max(found, key=lambda point: point.day or Day(0, 0))] if found else []


def _point(e: Evidence, asked: QuestionAnalysis) -> Point:
    said = e.answer.quotes[0]
    return Point(e.number, e.leaf, said, e.answer.strength, dated(e.leaf, said, asked.kind))


def _stated(stated: Sequence[Evidence]) -> Iterator[Cited]:
    """Named facts, each below the name of the thing it is a fact of."""
    for at, e in enumerate(stated[:_MOST_PLACES]):
        yield Cited(("\n\n" if at else "") + f"**{as_text(e.leaf.heading[0])}**\n")
        for said in e.answer.quotes:
            yield Cited("\n- ")
            yield Cited(f"{as_text(said)} [{e.number}]", e.number, said)


# ---------------------------------------------------------------- the best passages


def _state_asked(question: str, carrying: Sequence[Word]) -> tuple[Word, Sequence[Word]] | None:
    """The word for what may have come to be, "Is the mast painted yet?", and what it is asked of; None where no state is asked for."""
    match = _STATE.match(question)
    said = terms(match["state"]) if match is not None else []
    state = next((word for word in carrying if said and word.whole == said[-1]), None)
    others = [word for word in carrying if word is not state]
    return (state, others) if state is not None and others else None


def _passages(
    speaking: Sequence[Evidence],
    evidence: Sequence[Evidence],
    asked: Question,
    kind: Kind,
    carrying: Sequence[Word],
) -> Iterator[Cited]:
    """The best passages, with others of their section below them and its place; the best sentence of each section marked. Those
    far behind the best stand below the others; what says of the best that another value has taken its place stands above it."""
    question = asked.text
    best = _ranked(speaking, asked)
    ranked = _newest_led(best, question, kind, carrying)
    ranked = best if _is_of_other_time(ranked[0], asked) else ranked
    if (state := _state_asked(question, carrying)) is not None:
        ranked = newest_state(ranked, state)
    replacing = replacing_entry(ranked[0], evidence, carrying)
    if replacing is not None and not _is_of_other_time(replacing, asked) and not asks_of_then(question):
        ranked = [
            replacing,
            *(
                point
                for point in ranked
                if not (point.number == replacing.number and point.quote.start <= replacing.quote.start < point.quote.end)
            ),
        ]
    first = _with_its_section(ranked) if ranked is best else ranked[:1]  # what is newer stands right above what it may replace
    others = [point for point in ranked if point not in first]
    near = [point for point in others if point.worth >= ranked[0].worth - BESIDE]
    beside = near[: min(MOST_BESIDE, MOST_SHOWN - len(first))]
    yield Cited(PASSAGES, aside="partial")
    for section in (first, *_by_section(beside)):
        yield Cited("\n\n")
        yield from in_section(section, kind)
    yield from _folded([point for point in others if point not in beside], kind)


def _is_of_other_time(point: Point, asked: Question) -> bool:
    """Whether a passage says that it held until a day that is over, or will from one to come, where it is asked how things are."""
    said = point.leaf.text[slice(*point.best)] or point.quote.text
    return asked.day is not None and bool(time_not_now(asked.text, said, asked.day))


def _newest_led(best: list[Point], question: str, kind: Kind, carrying: Sequence[Word]) -> list[Point]:
    """Passages with what is newer than the best of them, of just the same, before that."""
    is_of_change = kind == "why" and _CHANGED.search(question) is not None
    if not is_of_change and (kind in _IN_SENTENCES or asks_of_then(question)):
        return best
    ranked = newest_of_topic(newest_of_ticket(best), question)
    return newest_change(ranked, analyse(question), question, carrying) if ranked is best else ranked


def nearest_passages(question: Question, points: Sequence[Point]) -> Iterator[Cited]:
    """The best of some passages, none of which answers the question, each as what it is; what holds no more comes last."""
    if not points:
        return
    asked = analyse(question.text)
    standing_first = sorted(points, key=lambda point: holds_no_more(point.leaf, point.best[0]))
    ordered = _newest_led(standing_first, question.text, asked.kind, weigh(question))
    yield Cited(f"\n\n{NEAREST}")
    for point in ordered[:MOST_SHOWN]:
        yield Cited("\n\n")
        yield from in_section([point], asked.kind)
    yield from _folded(ordered[MOST_SHOWN:], asked.kind)


def more_passages(question: Question, points: Sequence[Point], *, is_headed: bool) -> Iterator[Cited]:
    """The first of some passages below others that may help, without what holds no more; `is_headed`: where some stand below the line
    that says that there are more."""
    standing = [point for point in points if not holds_no_more(point.leaf, point.best[0]) or asks_of_then(question.text)]
    yield from _folded(standing, analyse(question.text).kind, is_headed=is_headed)


def _with_beside(speaking: Sequence[Evidence], evidence: Sequence[Evidence]) -> list[Evidence]:
    """What says something to the question, and what by itself says too little."""
    return [*speaking, *(e for e in evidence if e.answer.verdict == "none" and e.answer.excerpts)]


def _folded(points: Sequence[Point], kind: Kind = "open", *, is_headed: bool = False) -> Iterator[Cited]:
    """The best of these passages, below the line that says that there are more, where that does not stand there already."""
    if points and not is_headed:
        yield Cited(f"\n\n{MORE}", aside="more")
    for section in _by_section(points[:MOST_FOLDED]):
        yield Cited("\n\n")
        yield from in_section(section, kind)


def _with_its_section(ranked: Sequence[Point]) -> list[Point]:
    """The best passage with the next best ones of its section, as many as are read at a glance. A row of a table is of another
    thing than the next, and stays alone."""
    best, *others = ranked
    taken, left = [best], LONGEST_SECTION - len(best.quote.text)
    section = _section(best)
    near = [] if best.kind == "row" else [point for point in others if point.worth >= best.worth - BELOW]
    for point in near:
        if len(taken) < MOST_SHOWN and len(point.quote.text) <= left and _section(point) == section:
            taken.append(point)
            left -= len(point.quote.text)
    return taken


def _by_section(points: Sequence[Point]) -> list[list[Point]]:
    found: dict[tuple[object, ...], list[Point]] = {}
    for point in points:
        found.setdefault((*_section(point), point.quote.start if point.kind == "row" else 0), []).append(point)
    return [*found.values()]


def _section(point: Point) -> tuple[int, str]:
    return point.number, place_above(point.leaf, point.quote.start)


def _ranked(speaking: Sequence[Evidence], asked: Question | None = None) -> list[Point]:
    """The excerpts of all leaves, best first, none twice; for a question those of older editions less, and those of another time."""
    question = asked.text if asked is not None else ""
    most, is_of_then = max((e.score for e in speaking), default=0.0), asks_of_then(question)
    found = [
        Point(e.number, e.leaf, one.quote, worth_in(e, one, most, is_of_then), best=one.best)
        for e in speaking
        for one in (e.answer.excerpts or _quotes_as_excerpts(e))
    ]
    if asked is not None:
        found = [replace(one, worth=one.worth - NOT_NOW * _is_of_other_time(one, asked)) for one in found]
        found = _standing_first(found, question, {e.number: e.answer.coverage for e in speaking})
    found.sort(key=lambda point: (-point.worth, point.number, point.quote.start))
    kept: list[Point] = []
    taken: list[set[str]] = []
    for point in found:
        mine = set(terms(point.quote.text))
        if any(_is_repeated(mine, other, point, is_of_then) for other in taken if other and mine):
            continue
        kept.append(point)
        taken.append(mine)
    return kept


def _is_repeated(said: Set[str], before: Set[str], point: Point, is_of_then: bool) -> bool:
    """Whether a passage has hardly a word that one before it has not, and no number, but where it is superseded: "250 euro" and
    "325 euro" are two statements."""
    if len(said & before) <= ALIKE * max(1, min(len(said), len(before))):
        return False
    has_number = any(any(map(str.isdigit, term)) for term in said - before)
    return not has_number or (not is_of_then and is_superseded(point.leaf, point.quote.start))


def _standing_first(points: Sequence[Point], question: str, coverage: Mapping[int, float]) -> list[Point]:
    """Of a document that holds no more, or of an older version, nothing is worth more than what another says to about as much of the
    question; of one of an older year, whose minutes may hold, it is worth a little less. As they are where it is asked how it was."""
    older = of_older_editions(points, question)
    replaced = {id_ for id_, edition in older.items() if edition.by == "version"}
    is_of_then = asks_of_then(question)
    over = [id(point.leaf) in replaced or (not is_of_then and is_superseded(point.leaf, point.quote.start)) for point in points]
    standing = [point for point, is_over in zip(points, over, strict=True) if not is_over]
    found: list[Point] = []
    for point, is_over in zip(points, over, strict=True):
        worth = point.worth - OLDER * (id(point.leaf) in older)
        rivals = [
            other.worth
            for other in (standing if is_over else ())
            if coverage[other.number] >= coverage[point.number] * (A_LITTLE if _is_newer(other, point) else AS_MUCH)
        ]
        found.append(replace(point, worth=min(worth, max(rivals) - BESIDE) if rivals else worth))
    return found


def _is_newer(one: Point, other: Point) -> bool:
    """Whether it is of a newer edition of the same document."""
    mine, older = (edition_of(point.leaf.title) for point in (one, other))
    return mine is not None and older is not None and older.is_before(mine)


def worth_in(e: Evidence, excerpt: Excerpt, most: float, is_of_then: bool = False) -> float:
    """What a passage is worth beside those of other leaves, of which the best has the score `most`; `is_of_then`: for a question of
    how it was."""
    worth = excerpt.worth + SCENTED * e.score / (most or 1.0) + MEANT * e.is_meant - UNSURE * (e.answer.verdict == "none")
    if not is_of_then and is_superseded(e.leaf, excerpt.quote.start):
        return worth - SUPERSEDED
    return worth - DOUBTED * holds_no_more(e.leaf, excerpt.quote.start)


def _quotes_as_excerpts(e: Evidence) -> Iterator[Excerpt]:
    """The quotes of a model, in the order in which it gave them."""
    return (Excerpt(said, (said.start, said.end), e.answer.coverage - at) for at, said in enumerate(e.answer.quotes))


def _nothing(evidence: Sequence[Evidence]) -> Iterator[Cited]:
    yield Cited(NOTHING)
    near = [e for e in evidence if e.answer.quotes]
    if near:
        yield Cited(f"\n\n{CLOSEST}\n")
        for e in near[:_MOST_PLACES]:
            said = next((q for q in e.answer.quotes if "\n" not in e.leaf.text[q.start : q.end]), e.answer.quotes[0])
            said = quote(e.leaf.text, *shortened(e.leaf.text, said.start, said.end, _LONGEST_HINT))
            place = " \u203a ".join(dict.fromkeys(e.leaf.heading))
            yield Cited(f"\n- **{as_text(place)}**: " if place else "\n- ")
            yield Cited(f"{as_text(said)}{dots_after(e.leaf, said)} [{e.number}]", e.number, said)
