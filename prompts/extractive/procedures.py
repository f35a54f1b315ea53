"""Procedures of a leaf: the steps that belong together, what is said between them, and how well they fit a question.

A procedure is made of connected units, as in THREAD (arXiv 2406.13372): each step leads to the next one. What stands
between two steps and says when they are for ("If the disk is full:") is told with them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from prompts.extractive.acts import Likeness, act_of, asked_act, likeness, starts
from prompts.extractive.listed_steps import listed_steps
from prompts.language import terms
from prompts.question import PUTTING, Word, forms_of
from prompts.records import LeafText, LogicUnit
from prompts.regex import regex
from prompts.sentences import RANGE, blocks

FITTING_TITLE = 0.75  # of the question's words in the title of a procedure, for it to be the one that is asked for
LONGEST_BETWEEN = 420  # characters of what is told between two steps
SAID = 0.85  # of what a question names in a title, for its verb to say no more than that it is to be done
HALF = 0.5  # of what something is done to, in a title that has the verb
TOGETHER = 0.5  # of what a question names in one step with its headings, for the procedure to be for it
MOST_ELSE = 2  # further words in the line above the first step
LONGEST_LEAD = 120  # characters of a line that says what the steps below it are for
LONGEST_PROPERTY = 160  # characters of a line such as "Default: none"

# Words of any question for a procedure: a title need not have them.
DOING = frozenset(
    terms("do get go make want need must should now step steps people person perform carry way please help properly happen occur")
)
# Words that ask for what undoes a fault, and headings that stand above it.
MENDING = frozenset(
    terms(
        """fix solve resolve resolution solution repair mitigate remedy remediate handle troubleshoot diagnose diagnosis debug
        investigate recover treat react respond fires firing triggers triggered"""
    )
)
_SAYS_STEPS = (
    MENDING
    | DOING
    | PUTTING
    | frozenset(
        terms(
            """runbook playbook guide manual procedure process steps instructions checklist howto phase stage part how what when to
            action actions plan method workflow sequence first next before after during short overview normal usual usually"""
        )
    )
)
_ANY_ACT = MENDING | DOING | frozenset(terms("using working running managing"))
_MAKING = frozenset(terms("creating making preparing"))
_ACT = regex(r"([A-Z][a-z]{2,20}ing)\b")
_HEADING = regex(r"^(#{1,6}) +(.+)$", re.MULTILINE)
_WHEN = regex(
    r"(?:[-*+] +)?[*_]{0,2}(?:If|When|Once|Otherwise|Unless|In case|Else|After|Until|As soon as|Note|Wenn|Falls|Sonst|Si)\b"
)
_PROPERTY = regex(
    r"[-*+\d.) ]*[*_`]{0,3}(?!(?:Step|Note|Tip|Optional|Important|Warning|Then|Next|Finally)\b)[A-Z][\w -]{1,24}[*_`]{0,3}:[*_`]{0,3} "
)
_RULE = regex(
    r"\b(?:never|must|do not|don['’]t|not allowed|forbidden|mandatory|only|always|needs?|requires?|cannot|careful|dangerous|niemals?|immer|muss)\b",
    re.IGNORECASE,
)
_FIRST = regex(  # said above the steps, of what comes before all of them: "Call the embassy first."
    r"\b(?:first(?: of all)?(?=\W*(?:[.!;:,]|\Z))|before (?:you|we|anything)\b|beforehand|to begin with|zuerst|zunächst|vorher|d['’]abord)",
    re.IGNORECASE,
)
_LIMIT = regex(r"\b(?:only|not|except|never|nur|nicht|sauf)\b", re.IGNORECASE)
_LABELLED = regex(r"[*_]{0,3}[A-Z][\w -]{1,24}[*_]{0,3}:[*_]{0,3} ")
_ITEM = regex(r"\n[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_RULES = regex(  # what stands below is not done one after the other
    r"\b(?:guidelines|rules|requirements|criteria|principles|policies|conditions|exceptions|reasons|examples|options|benefits|limitations|values|people|members|types|kinds|things|topics|areas|advantages|drawbacks|caveats|notes|features|parts|components)\b[^:\n]{0,40}:[*_]{0,2}\Z"
    r"|(?<!you )(?<!we )\b(?:provides|offers|includes|contains|supports|comprises|has|have|consists? of|comes with|adds|covers)(?: \w+){0,3}:[*_]{0,2}\Z",
    re.IGNORECASE,
)
IS_TOLD = regex(  # headings below which a list says what is, was or is wanted, and nothing to do
    r"\b(?:what|who|which|where|why|how (?:many|much|long|often)) (?:we |they |i )?(?:is|are|was|were|does|did|may|can|has|have|gets?|went)\b"
    r"|\b(?:causes?|timeline|lessons|agenda|attendees|decisions|open points|changes|history|faults|examples|benefits|wish(?:es)?|ideas|suggestions)\b"
    r"|\bwhat (?:I|we)(?:['’]d| would) like\b",
    re.IGNORECASE,
)
_WHERE_OR_WHEN = regex(  # a part of what is done: "In the shed", "Afterwards"
    r"\W*(?:in|on|at|from|before|beforehand|after|afterwards|during|inside|outside|day|week|month)\b", re.IGNORECASE
)
_ONE_WAY = regex(r"(?:using|with|without|via|through|by|from|on|under|for|in) (?P<means>\S.{0,60})\Z", re.IGNORECASE)
_TO = regex(r"To ([^:\n]{4,120}):\Z")


@dataclass(frozen=True, slots=True)
class Part:
    """A span of a procedure as it is told: a step, or what is said between steps."""

    start: int
    end: int
    step: LogicUnit | None = None


@dataclass(frozen=True, slots=True)
class Procedure:
    """What a leaf says to do below one heading, in order: mostly steps."""

    title: str
    parts: tuple[Part, ...]
    above: tuple[str, ...] = ()  # the headings that it stands under
    lead: str = ""  # the line right above the first step that ends with a colon: "To add a manager:"

    @property
    def steps(self) -> tuple[LogicUnit, ...]:
        return tuple(part.step for part in self.parts if part.step is not None)


@dataclass(frozen=True, slots=True)
class Fitting:
    """The procedures of a leaf that answer a question, and how sure that is, from 0 to 1."""

    procedures: tuple[Procedure, ...]
    strength: float
    is_whole: bool = False  # all that the document says to do is asked for
    meaning: Part | None = None  # what is said of what the question names, where all of the document is asked for


def naming(words: Sequence[Word]) -> list[Word]:
    """The words of a question for a procedure that name it."""
    return [word for word in words if word.whole not in DOING] or list(words)


def without_ranges(headings: Sequence[str]) -> tuple[str, ...]:
    """Headings without the name of a leaf that goes from one section to another: its words stand above a part of it at most."""
    return tuple(one for one in headings if RANGE not in one)


def fitting_one(needed: Sequence[Word], leaf: LeafText, found: Sequence[Procedure]) -> Fitting | None:
    """The procedure whose own title and those above it have the question's rarest word, and most of the others.

    Where only the titles above it have them, what is asked for is all that stands below these, one procedure after the other.
    """
    rarest, first = rarest_of(needed), next((word for word in needed if word.whole not in PUTTING), needed[0])
    best: Fitting | None = None
    below_title: list[Procedure] = []  # all for which the titles above them say what is asked, and their own nothing
    for one in found:
        title = one.above[-1] if one.above else one.title
        own, outer = set(terms(f"{one.title} {title}")), set(terms(" ".join(one.above)))
        if _announces(needed, one.lead):
            own |= set(terms(one.lead))
        if (act := act_told(needed, one, leaf)) == "opposite":
            continue
        if act == "same" and _is_told_by(needed, title):
            own |= {needed[0].whole}
        elif act == "same":
            outer |= {needed[0].whole}
        share = share_of(needed, own | outer)
        strength = 0.5 + 0.4 * share + 0.1 * share_of(needed, own)
        is_asked = len(one.steps) >= 2 and is_named(rarest, own | outer) and first.is_in(own | outer) and share >= FITTING_TITLE
        is_asked = (
            is_asked
            and is_for_steps(one, needed)
            and is_done_to(needed, own | outer)
            and not any(is_other_act(title, needed) for title in (one.title, *leaf.heading[-1:]))
        )
        is_only = act == "same" and len(found) == 1
        if is_asked and not is_named(rarest, own) and (IS_TOLD.search(title) or (_names_else(title, needed) and not is_only)):
            continue
        if is_asked and share_of(needed, own) == 0:
            below_title.append(one)
        if is_asked and not _is_one_way(needed, one.title) and (best is None or strength > best.strength):
            best = Fitting((one,), strength)
    if best is not None and best.procedures[0] in below_title:
        return replace(best, procedures=tuple(below_title))
    return best


def _is_told_by(needed: Sequence[Word], title: str) -> bool:
    """Whether a title itself says to do what is asked for."""
    asked = asked_act(needed)
    return asked is not None and likeness(asked[1], act_of(title)) == "same"


def _names_else(title: str, needed: Sequence[Word]) -> bool:
    """Whether a title is of something that a question does not name, "Damaged packs", and does not only say that these are the steps of
    what is named above."""
    known = forms_of(needed) | _SAYS_STEPS
    is_part = _WHERE_OR_WHEN.match(title) is not None
    return not is_part and any(word not in known and not word.isdigit() for word in terms(title))


def is_done_to(needed: Sequence[Word], there: set[str]) -> bool:
    """Whether these terms have half of what a verb of two words is to be done to: "roll back the display" is not told by "Roll back the
    controller", though two of its three words are there."""
    verb = needed[0]
    with_particle = [word for word in needed[1:] if not set(word.others).isdisjoint(verb.others)]
    things = [word for word in needed[1:] if word not in with_particle]
    return not with_particle or not things or share_of(things, there) >= HALF


def is_for_steps(one: Procedure, words: Sequence[Word]) -> bool:
    """Whether the line above the first step announces nothing but steps, and none for something else than a question names."""
    return not _RULES.search(one.lead) and not _is_for_else(words, one.lead)


def act_told(needed: Sequence[Word], one: Procedure, leaf: LeafText) -> Likeness:
    """Whether a procedure does what is asked for, by the nearest of the titles above it that says what it does."""
    asked = asked_act(needed)
    if asked is None:
        return "unknown"
    verb, act = asked
    titles = (*((match[1],) if (match := _TO.match(one.lead)) else ()), one.title, *reversed(one.above), *reversed(leaf.heading))
    told = next((found for title in titles if (found := act_of(title))), "")
    others = [word for word in needed if word is not verb]
    if not told and starts(act) and others and _is_called(one.title, others):
        return "same"
    return likeness(act, told)


def _is_called(title: str, words: Sequence[Word]) -> bool:
    """Whether a title has no word but these, and all of them."""
    there = set(terms(title))
    known = forms_of(words)
    return bool(there) and there <= known and all(word.is_in(there) for word in words)


def _announces(needed: Sequence[Word], lead: str) -> bool:
    """Whether the line above the first step says itself what the steps are for, all that the question names and little else."""
    match = _TO.match(lead)
    there = terms(match[1]) if match else []
    return bool(there) and all(word.is_in(set(there)) for word in needed) and len(there) <= len(needed) + MOST_ELSE


def _is_for_else(needed: Sequence[Word], lead: str) -> bool:
    """Whether the line above the first step says that the steps are for something of which the question has no word."""
    match = _TO.match(lead)
    there = set(terms(match[1])) if match else set()
    return bool(there) and not any(word.is_in(there) for word in needed)


def _is_one_way(needed: Sequence[Word], title: str) -> bool:
    """Whether a title says only with what, or where, something is done ("Using the CLI", "On macOS"), and the question does not: there
    are other ways, and which of them is meant nobody said."""
    match = _ONE_WAY.match(title)
    there = set(terms(match["means"])) if match else set()
    return bool(there) and not any(word.is_in(there) for word in needed)


def is_other_act(title: str, words: Sequence[Word]) -> bool:
    """Whether a title begins with something to do that the question does not ask for: "Viewing installed plugins"."""
    if (asked := asked_act(naming(words))) is not None and likeness(asked[1], act_of(title)) == "opposite":
        return True
    act = _ACT.match(title.rpartition(">")[2].strip())
    done = set(terms(act[1])) if act else set()
    if done & _MAKING and asked is None and share_of(naming(words), set(terms(title))) >= SAID:
        return False  # "how do I make a release?" has no verb that is a term
    is_same = asked is not None and likeness(asked[1], act_of(title)) == "same"
    return bool(done) and not is_same and done.isdisjoint(_ANY_ACT) and not any(word.is_in(done) for word in words)


def fit_of(one: Procedure, words: Sequence[Word], leaf: LeafText) -> float:
    """How well a procedure fits a question: what it is called has more weight than what its steps say.

    Nothing where the rarest of the words that name it stands nowhere in it: it is for something else.
    """
    if act_told(naming(words), one, leaf) == "opposite":
        return 0.0
    steps, rarest = one.steps, rarest_of(naming(words))
    outer = set(terms(" ".join((*one.above, one.lead))))
    task = set(terms(" ".join(unit.header for unit in steps)))
    text = set(terms(leaf.text[steps[0].start : steps[-1].end]))
    if not (is_named(rarest, outer | set(terms(one.title))) or rarest.whole in task | text or not text.isdisjoint(rarest.others)):
        return 0.0
    said = (one for step in steps for one in _ITEM.split(leaf.text[step.start : step.end]))
    if max(share_of(naming(words), outer | set(terms(one))) for one in said) < TOGETHER:
        return 0.0  # the words stand in several steps, each for something else
    return 0.6 * share_of(words, task | outer) + 0.4 * share_of(words, text) + 0.02 * min(len(steps), 5)


def rarest_of(words: Sequence[Word]) -> Word:
    return max(words, key=lambda word: word.weight)


def is_named(word: Word, there: set[str]) -> bool:
    """Whether a word is among these terms: one piece of a name such as "TargetDown" is not the name."""
    return word.whole in there or not there.isdisjoint(word.others) or (len(word.parts) > 1 and there.issuperset(word.parts))


def share_of(words: Sequence[Word], there: Container[str]) -> float:
    """How much of the words is among these terms, from 0 to 1."""
    total = sum(word.weight for word in words) or 1.0
    return sum(word.weight for word in words if word.is_in(there)) / total


# ---------------------------------------------------------------- the procedures of a leaf


@lru_cache(64)  # asked several times for each leaf that a question is put to
def procedures(leaf: LeafText) -> tuple[Procedure, ...]:
    """The steps of a leaf as the procedures that they make, each with what is said between them."""
    said = [Part(start, end) for start, end, kind in blocks(leaf.text) if kind == "text"]
    scopes = list(scopes_of(leaf))
    found = [*_connected(leaf), *_listed(leaf, scopes)]
    found.sort(key=lambda steps: steps[0].start)
    return tuple(_told(leaf, steps, said, scopes) for steps in found if not all(_is_property(leaf, step) for step in steps))


def _listed(leaf: LeafText, scopes: Sequence[Scope]) -> Iterator[list[LogicUnit]]:
    """The items below headings that say that they are to be done, where no unit of the leaf has them as steps."""
    for scope in scopes:
        if scope.headings and (steps := listed_steps(leaf.text, scope.start, scope.end, scope.headings[-1], leaf.units)):
            yield steps


def goes_on_below(one: Procedure, leaf: LeafText) -> bool:
    """Whether text of the same section follows the last step, which may say how the work is brought to its end, or undone. A labelled
    remark, as "Expected: ..." or "Note: ...", is about the steps above it; a section that is told in sentences ends with them."""
    if not one.steps:
        return False
    end = one.parts[-1].end
    start, kind = next(((start, kind) for start, _, kind in blocks(leaf.text) if start >= end), (end, ""))
    return kind == "text" and _LABELLED.match(leaf.text, start) is None


def _is_property(leaf: LeafText, step: LogicUnit) -> bool:
    """Whether what stands in a list says what something is, and is nothing to do: "Type: Boolean"."""
    text = _HEADING.sub("", leaf.text[step.start : step.end]).strip()
    return len(text) <= LONGEST_PROPERTY and _PROPERTY.match(text) is not None


def _connected(leaf: LeafText) -> Iterator[list[LogicUnit]]:
    """Steps that follow each other: by their links, else by their numbers."""
    units = sorted(enumerate(leaf.units), key=lambda pair: pair[1].start)
    open_: list[LogicUnit] = []
    for number, unit in ((number, unit) for number, unit in units if unit.kind == "step"):
        if open_ and not _follows(open_[-1], unit, number):
            yield open_
            open_ = []
        open_.append(unit)
    if open_:
        yield open_


def _follows(before: LogicUnit, unit: LogicUnit, number: int) -> bool:
    if any(link.kind == "next" and link.to == str(number) for link in before.links):
        return True
    if unit.step is None or before.step is None:
        return unit.step == before.step and unit.header == before.header
    return unit.step == before.step + 1


def _title(steps: Sequence[LogicUnit], headings: Sequence[str]) -> str:
    """What a procedure is called: the last of the headings above it that its steps do not have to themselves."""
    shared = os.path.commonprefix([unit.header for unit in steps]) if len(steps) > 1 else steps[0].header
    above = [one for one in headings if one != steps[0].header]
    return next((one for one in reversed(above) if shared.startswith(one)), above[-1] if above else shared.partition(":")[0])


def _told(leaf: LeafText, steps: Sequence[LogicUnit], said: Sequence[Part], scopes: Sequence[Scope]) -> Procedure:
    """`said` are the paragraphs of the leaf."""
    headings = next((one.headings for one in scopes if one.start <= steps[0].start < one.end), leaf.heading)
    first, last = steps[0], steps[-1]
    parts = [Part(step.start, step.end, step) for step in steps]
    lead = next((one for one in reversed(said) if one.end <= first.start), None)
    lead = lead if lead is not None and _is_lead(leaf.text, lead, first.start) else None
    if lead is not None and (_is_when(leaf.text, lead) or _is_limit(leaf.text, lead)):
        parts.append(lead)
    own = next((one.headings for one in scopes if one.start < first.end <= one.end), leaf.heading)
    around = [scope for scope in scopes if _is_around(scope.headings, own) or _warns_of(scope.headings, own)]
    parts += (
        one
        for one in said
        if (one.end <= first.start or last.end <= one.start)
        and one is not lead
        and (_is_rule(leaf.text, one) or (one.end <= first.start and _is_first(leaf.text, one)))
        and any(
            scope.start <= one.start < scope.end and (one.end <= first.start or _warns_of(scope.headings, own))
            for scope in around
        )
    )
    for before, step in pairwise(steps):
        parts += (one for one in said if before.end <= one.start and one.end <= step.start and _leads_on(leaf.text, one))
    following = _HEADING.search(leaf.text, last.end)
    end = following.start() if following else len(leaf.text)
    below = (one for one in said if last.end <= one.start < end)
    parts += (
        one for one in takewhile(lambda one: _is_when(leaf.text, one) or _is_rule(leaf.text, one), below) if one not in parts
    )
    announced = _last_sentence(leaf.text[lead.start : lead.end]) if lead is not None else ""
    announced = announced if len(announced) <= LONGEST_LEAD else ""
    return Procedure(
        _title(steps, headings), tuple(sorted(parts, key=lambda part: part.start)), without_ranges(headings), announced
    )


_STEPS = regex(
    r"(?:the )?(?:steps?|procedure|instructions?|what to do|do this|schritte|ablauf|vorgehen|étapes)\W*\Z", re.IGNORECASE
)
_WARNS = regex(
    r"(?:never|warnings?|caution|danger|important|safety|attention|achtung|wichtig|warnung|nie(?:mals)?)\W*\Z",
    re.IGNORECASE,
)


def _is_around(headings: Sequence[str], own: Sequence[str]) -> bool:
    """Whether what stands below these headings is said of the section of the steps; or of that around it, where theirs only says that
    they are the steps."""
    if tuple(headings) == tuple(own):
        return True
    return tuple(headings) == tuple(own[:-1]) and _STEPS.match(own[-1]) is not None


def _warns_of(headings: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a section beside that of the steps says what must not be done: "Never"."""
    return len(headings) == len(own) > 1 and tuple(headings[:-1]) == tuple(own[:-1]) and _WARNS.match(headings[-1]) is not None


def _last_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", text)[-1]


def _is_when(text: str, part: Part) -> bool:
    """Whether a paragraph says when something is to be done, and is short."""
    return part.end - part.start <= LONGEST_BETWEEN and bool(_WHEN.match(text, part.start, part.end))


def _is_limit(text: str, part: Part) -> bool:
    """Whether a paragraph says for what alone the steps are, and is short: "Only for tins, not for drums:"."""
    return part.end - part.start <= LONGEST_LEAD and bool(_LIMIT.search(text, part.start, part.end))


def _is_rule(text: str, part: Part) -> bool:
    """Whether a paragraph says what must or must not be done, and is short: "Never restart it while a backup runs."."""
    is_short = part.end - part.start <= LONGEST_BETWEEN and text[part.end - 1] != ":"
    return is_short and bool(_RULE.search(text, part.start, part.end))


def _is_first(text: str, part: Part) -> bool:
    """Whether a paragraph says what is to be done before the first step, and is short."""
    return part.end - part.start <= LONGEST_BETWEEN and bool(_FIRST.search(text, part.start, part.end))


def _leads_on(text: str, part: Part) -> bool:
    return _is_when(text, part) or (part.end - part.start <= LONGEST_BETWEEN and text[part.end - 1] == ":")


def _is_lead(text: str, part: Part, start: int) -> bool:
    """Whether a paragraph right above the first step leads up to it."""
    return text[part.end - 1] == ":" and not text[part.end : start].strip("\n -*+#0123456789.)")


class Scope(NamedTuple):
    """A part of a leaf between two headings, with all the headings above it."""

    start: int
    end: int
    headings: tuple[str, ...]


def scopes_of(leaf: LeafText) -> Iterator[Scope]:
    marks = [*_HEADING.finditer(leaf.text)]
    outer = tuple(dict.fromkeys(leaf.heading))
    path: list[tuple[int, str]] = []
    if not marks or marks[0].start() > 0:
        yield Scope(0, marks[0].start() if marks else len(leaf.text), outer)
    for number, mark in enumerate(marks):
        level = len(mark[1])
        path = [*(one for one in path if one[0] < level), (level, mark[2].strip("# "))]
        end = marks[number + 1].start() if number + 1 < len(marks) else len(leaf.text)
        yield Scope(mark.start(), end, tuple(dict.fromkeys((*outer, *(title for _, title in path)))))
