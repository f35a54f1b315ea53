"""How near what a procedure is called comes to a question that has other words for it.

"My badge got stolen" is told by "Badge lost or stolen", and "how do I go back" by the steps of a "Rollback runbook". This is
never called the answer: the steps are shown as what may help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from prompts.extractive.acts import PARTICLES, act_of, asked_act, is_known_act, likeness, same_acts
from prompts.extractive.listed_steps import is_condition, says_to_do
from prompts.extractive.procedures import (
    DOING,
    IS_TOLD,
    MENDING,
    Procedure,
    act_told,
    naming,
    procedures,
    scopes_of,
    share_of,
    without_ranges,
)
from prompts.extractive.standing import holds_no_more
from prompts.extractive.told_sections import FILE, LONGEST_TITLE, WIDE_GAP, told_sections, told_sentences
from prompts.language import terms
from prompts.question import EVERYDAY, PUTTING, Word
from prompts.records import LeafText
from prompts.regex import regex
from prompts.synonyms import same_as

NEAR_IN_NAME = 0.6  # of what a procedure is called and what is asked, in each other, for its steps to be what may help
LEAST_OF_NAME = 0.55  # of a name, that a question must say: half of "a damaged pack" is any pack, and any damage
OF_ONE_WORD = 0.6  # of the question, that a name of one word must say
IN_OTHER_WORDS = 0.8  # what a word counts that says the same
FEWEST_STEPS = 2

_GENERIC = frozenset(
    terms(
        """runbook playbook guide handbook manual policy procedure process page steps step instructions checklist howto faq rules
        version part phase section chapter overview general description questions answer notes"""
    )
)
_OPTIONAL = DOING | MENDING | PUTTING | EVERYDAY | _GENERIC
_ANY_VERB = frozenset(
    terms("set arrange organise organize handle manage plan start begin run use request deal work")
)  # of a thing done
_NUMBER = regex(r"\A\W*\d{1,2}(?:\.\d{1,2})*[.)]?\s+")
_ASIDE = regex(r"\([^()\n]{0,80}\)")
_WORD = regex(r"[^\s/()]+|[/()]")
_CLAUSE = regex(
    r"\bhow (?:to|(?:do|does|can|could|should|would|must) (?:i|we|you|one|(?:an?|any|every) [\w-]+))\b(?P<clause>[^,.;:!?]*)",
    re.IGNORECASE,
)
_BY_WHOM = regex(r"\bhow (?:does|can|could|should|must) (?:an?|any|every) (?P<whom>[\w-]+) ", re.IGNORECASE)
_VERB = regex(  # of a title: "How do I book the hall?", "Booking the hall"
    r"\W*+(?:\d[\d.]*+[.)]?+ ++)?(?:(?:how (?:to|(?:do|can|could|should) (?:i|we|you|one))) +([\w-]+)|(\w{2,20}ing)\b)",
    re.IGNORECASE,
)
_WANTED = regex(
    r"\bhow (?:to|(?:do|does|can|could|must|should) (?:i|we|you|one|(?:an?|any|every) [\w-]+)) (?:become|get to be|gain|reach|obtain|earn|be made) (?P<what>[^,.;:!?]+)",
    re.IGNORECASE,
)
_IS_THEN = regex(  # what somebody is or has who did all that is told
    r"\b(?:you|they|he|she|one|we) (?:(?:will|then|now|also) )?(?:get|gets|become|becomes|receive|receives|are|is|have|has|hold|holds|gain|gains) (?P<what>[^.;,]{3,80})",
    re.IGNORECASE,
)
_POINTS = regex(r"\b(?:it|this|that|these|those|them|one|ones|some|such|so)\b", re.IGNORECASE)  # at what another clause says
_OR = frozenset(("or", "/", "oder", "ou"))
_BEYOND_NAME = regex(r"(?<=\w)(?:[,:;(]|\s+[(–—-]).*")  # "Heron (the large one), room 4" is called Heron
_WHEN = regex(  # when it is done, and by whom: a title need not say so
    r"\b(?:today|tonight|tomorrow|yesterday|right now|just now|this (?:morning|afternoon|evening)|last night|next (?:week|month)|again|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|later on|afterwards?|in the end|at the (?:end|beginning|start) of (?:an?|the|my|our|your|each|every) \w+|(?:when|while) (?:i am |i['’]m |you are |we are |being )?on[ -](?:call|duty|shift)"
    r"|as an? (?:\w+ ){0,2}\w+(?=\W*\Z))",
    re.IGNORECASE,
)
_TELLS_TO_DO = regex(
    r"(?:.{0,60}\b)?(?:what to do|how[ _-]?to|runbook|playbook|procedure|instructions|checklist|sop)\b.*", re.IGNORECASE
)


Group = frozenset[str]  # terms of which one is enough: "lost or stolen"


@dataclass(frozen=True, slots=True)
class Name:
    """What a procedure is called: the words that it has to be asked by, and those that it may."""

    needed: tuple[Group, ...]
    optional: tuple[Group, ...] = ()
    said: frozenset[str] = frozenset()  # what another section of the same name says

    def __add__(self, other: Name) -> Name:
        known = frozenset[str]().union(*self.needed)
        more = tuple(group for group in other.needed if known.isdisjoint(group))
        return Name((*self.needed, *more), (*self.optional, *other.optional), self.said)


def nearness(one: Procedure, words: Sequence[Word], leaf: LeafText, question: str, *, is_only: bool = False) -> float:
    """How much what a procedure is called and what is asked have of each other, from 0 to 1; `is_only`: its leaf has no other."""
    asked, clause, free = _asked_by(words), _clause(question), _free(question)
    some = [word for word in asked if word.whole in clause]
    act = act_told(some or naming(words), one, leaf)
    if all(word.whole in free for word in asked) or 0 < len(one.steps) < FEWEST_STEPS or act == "opposite":
        return 0.0
    if _is_no_procedure(one) or is_other_verb(one.title, words, question) or holds_no_more(leaf, one.parts[0].start):
        return 0.0
    if _is_of_state(one.title, _verbs(words, question)):
        return 0.0
    is_act = act == "same" and one.title.casefold() in PARTICLES  # "Off"
    if not one.steps and not is_act and not _says_own(one.title, asked):
        return 0.0  # the name of the document alone says nothing of a section
    names = [*_names(one, leaf, is_only=is_only)]
    return max((_likeness(name, those, asked, free) for name in names for those in (asked, some) if those), default=0.0)


def _is_of_state(title: str, verbs: Set[str]) -> bool:
    """Whether a title begins with the state that one of these verbs brings about: "Blocked drain" says nothing of how to block one."""
    first = title.partition(" ")[0]
    return first.endswith("ed") and not verbs.isdisjoint(terms(first))


def _says_own(title: str, asked: Sequence[Word]) -> bool:
    """Whether a question says half of the words by which a section itself is called."""
    name = name_of(title)
    needed = name.needed or name.optional
    exact = frozenset(known for word in asked for known in (word.whole, *word.parts, *word.others))
    similar = frozenset(known for word in asked for known in _same(word))
    return bool(needed) and sum(_counts(group, exact, similar) > 0 for group in needed) * 2 >= len(needed)


def nearest(words: Sequence[Word], leaf: LeafText, question: str) -> tuple[float, Procedure | None]:
    """The procedure of a leaf that comes nearest by what it is called, and how near; of two as near the one with steps."""
    found = procedures(leaf)
    rated = [(nearness(one, words, leaf, question, is_only=len(found) == 1), one) for one in found]
    told = (*told_sections(leaf), *told_sentences(leaf, _verbs(words, question)))
    rated += [(nearness(one, words, leaf, question), one) for one in told]
    rated += [(_reached(one, words, leaf, question), one) for one in found]
    return max(rated, key=lambda pair: pair[0], default=(0.0, None))


def _verbs(words: Sequence[Word], question: str) -> frozenset[str]:
    """What is to be done, in terms: the verb of a question, and those that say the same."""
    [*found] = _CLAUSE.finditer(question)
    verb = terms(found[-1]["clause"].strip().partition(" ")[0]) if found and not _POINTS.search(found[-1]["clause"]) else []
    return frozenset(verb).union(*(_same(word) for word in words if word.whole in verb))


def _reached(one: Procedure, words: Sequence[Word], leaf: LeafText, question: str) -> float:
    """How much of what somebody wants to become is what the last of several steps says that one is then: "you get the status guide" for
    "how do I become a guide"."""
    wanted = _WANTED.search(question)
    if wanted is None or len(one.steps) < FEWEST_STEPS:
        return 0.0
    what = set(terms(wanted["what"])) - _free(question)
    asked = [word for word in _asked_by(words) if word.whole in what]
    said = {
        term for match in _IS_THEN.finditer(leaf.text, one.steps[-1].start, one.steps[-1].end) for term in terms(match["what"])
    }
    return share_of(asked, said) if asked else 0.0


def _is_no_procedure(one: Procedure) -> bool:
    """Whether what stands in a list is said, decided or was done, and is nothing to do."""
    return IS_TOLD.search(one.title) is not None and not says_to_do(one.title)


def is_other_verb(title: str, words: Sequence[Word], question: str) -> bool:
    """Whether a title says what is done by another verb than the one a question asks for: "How do I book the hall?" is nothing for "how
    do I paint the hall?"."""
    clause = next((match["clause"].strip() for match in [*_CLAUSE.finditer(question)][::-1]), "")
    told, asked = _VERB.match(title), [] if _POINTS.search(clause) else terms(clause.partition(" ")[0])
    verb = next((word for word in words if word.whole in asked and word.whole not in _ANY_VERB), None)
    done = set(terms(next(filter(None, told.groups())))) - _OPTIONAL if told else set()
    if verb is None or not done or verb.is_in(done) or done & _same(verb):
        return False
    act = asked_act([verb])
    return act is None or likeness(act[1], act_of(title)) != "same"  # "turn off" says "Switching off"


def asked_by(words: Sequence[Word], question: str) -> list[Word]:
    """The words of a question that a name can have: not those by which it is put, nor when it is asked."""
    free = _free(question)
    return [word for word in _asked_by(words) if word.whole not in free]


def _asked_by(words: Sequence[Word]) -> list[Word]:
    return [word for word in naming(words) if word.whole not in PUTTING | _GENERIC]


@lru_cache(16)  # asked for each procedure of each leaf
def _free(question: str) -> frozenset[str]:
    """The terms of a question that say when something is done, or by whom: a name may say so, and need not."""
    said = [match.group() for match in _WHEN.finditer(question)]
    said += [match["whom"] for match in _BY_WHOM.finditer(question)]
    rest = _BY_WHOM.sub(" ", _WHEN.sub(" ", question))
    return frozenset(terms(" ".join(said))) - frozenset(terms(rest))


def _clause(question: str) -> set[str]:
    """What is to be done, of a question that also tells what has happened; nothing where it points at that."""
    said = [match["clause"] for match in _CLAUSE.finditer(question)]
    return set(terms(said[-1])) if said and not _POINTS.search(said[-1]) else set()


def _likeness(name: Name, some: Sequence[Word], asked: Sequence[Word], free: Set[str]) -> float:
    """The harmonic mean of how much of a name the question says, and how much of the question the name says."""
    exact = frozenset(known for word in asked for known in (word.whole, *word.parts, *word.others))
    similar = frozenset(known for word in asked for known in _same(word))
    counted = [_counts(group, exact, similar) for group in name.needed]
    counted += [count for group in name.optional if (count := _counts(group, exact, similar))]
    there = frozenset[str]().union(*name.needed, *name.optional)
    counts = [(word, _said_by(word, there, name.said)) for word in some]
    total = sum(word.weight for word, count in counts if count or not (word.whole in EVERYDAY or word.whole in free)) or 1.0
    share = sum(word.weight * count for word, count in counts) / total
    is_said = any(word.is_in(name.said) and not _said_by(word, there) for word in some)
    covered = 1.0 if is_said else sum(counted) / len(counted) if counted else 0.0
    if covered < LEAST_OF_NAME or (len(counted) < 2 and share < OF_ONE_WORD):  # one word names much else
        return 0.0
    return 2 * share * covered / (share + covered) if share and covered else 0.0


def _counts(group: Group, exact: Set[str], similar: Set[str]) -> float:
    return 1.0 if not group.isdisjoint(exact) else IN_OTHER_WORDS if not group.isdisjoint(similar) else 0.0


def _said_by(word: Word, there: Set[str], said: Set[str] = frozenset()) -> float:
    if word.is_in(there) or word.is_in(said):
        return 1.0
    return IN_OTHER_WORDS if not there.isdisjoint(_same(word)) else 0.0


@lru_cache(1_024)  # asked again for each procedure of each leaf
def _same(word: Word) -> frozenset[str]:
    """What says the same as a word, or as a verb that it may be."""
    mine = (word.whole, *word.others)
    return frozenset(other for one in mine for other in (*same_as(one), *same_acts(one)))


# ---------------------------------------------------------------- what a procedure is called


def _names(one: Procedure, leaf: LeafText, *, is_only: bool) -> Iterator[Name]:
    """By its own title, and with those above it; by that of its document alone where its own says only that these are the steps, or where
    the document is there to say what to do and has no other."""
    document = _title(leaf)
    own = Name(()) if one.title in leaf.heading[:1] else name_of(one.title)
    above = [title for title in without_ranges(one.above) if title != one.title and title not in leaf.heading[:1]]
    outer = name_of(document) + Name((), name_of(leaf.name).needed)  # "ordering-howto" says it in other words
    thing = name_of(_BEYOND_NAME.sub("", document)) + Name((), outer.needed)
    for title in above:
        outer, thing = outer + name_of(title), thing + name_of(title)
    if own.needed and (not one.steps or len(own.needed) + len(own.optional) > 1):
        yield own
        if (said := _said_elsewhere(own, one, leaf)) is not None:
            yield said
    if own.needed:
        yield own + outer
        yield own + thing
    is_there_to_tell = _TELLS_TO_DO.match(f"{document} {leaf.name}") is not None and is_only
    if (not own.needed and not is_condition(one.title)) or is_there_to_tell:
        yield outer


def _title(leaf: LeafText) -> str:
    """The title of a document; of a text without one its first line, where that stands alone."""
    title = leaf.title
    if title and not FILE.fullmatch(title):
        return title
    line = WIDE_GAP.split(leaf.text.lstrip("# \n")[: LONGEST_TITLE * 2].partition("\n")[0].strip())[0]
    return f"{line} ({leaf.name})" if 0 < len(line) <= LONGEST_TITLE and line[-1:] not in ".,;" else leaf.name


@lru_cache(1_024)
def name_of(title: str) -> Name:
    """The words of a title; those in brackets, and those that say little, need not be asked by."""
    needed: list[Group] = []
    optional: list[Group] = []
    is_aside = is_other = False
    last: list[Group] = needed
    when = set(terms(" ".join(_WHEN.findall(title))))
    found = [match.group() for match in _WORD.finditer(_NUMBER.sub("", title))]
    for at, said in enumerate(found):
        low = said.casefold()
        if said in "()":
            is_aside = said == "("
        elif low in _OR:
            is_other = bool(last)
        elif known := terms(said):
            following = found[at + 1].casefold() if at + 1 < len(found) else ""
            group = frozenset((known[0], *_joined(known[0], following), *_undoing(known[0], low)))
            if is_other:
                last[-1] |= group
            else:
                last = optional if is_aside or known[0] in _OPTIONAL | when or low in PARTICLES else needed
                last.append(group)
            is_other = False
    return Name(tuple(needed), tuple(optional))


def _joined(term: str, following: str) -> tuple[str, ...]:
    """A verb with its particle as one word: "roll back" is "rollback"."""
    joined = f"{term}{following}"
    return (joined,) if following in PARTICLES and is_known_act(joined) else ()


def _undoing(term: str, said: str) -> tuple[str, ...]:
    """The verb that undoes a state: "Blocked drain" is what to read to unblock one, and "Locked account" to unlock it."""
    return (f"un{term}",) if said.endswith("ed") and len(term) > 2 else ()


def _said_elsewhere(own: Name, one: Procedure, leaf: LeafText) -> Name | None:
    """A name with all that another section of the same name says: what "a damaged part" is stands above what to do with it."""
    for scope in scopes_of(leaf):
        is_other = len(scope.headings) > 1 and not scope.start <= one.parts[0].start < scope.end
        if is_other and set(name_of(scope.headings[-1]).needed) == set(own.needed):
            return Name(own.needed, own.optional, frozenset(terms(f"{_title(leaf)} {leaf.text[scope.start : scope.end]}")))
    return None
