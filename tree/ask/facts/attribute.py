"""Questions for one thing that is stated of another: who leads a team, how many cars a ship takes, the status of a ticket.

The thing asked about is found by its name, its facts are looked up, and the one is taken whose relation the rest of the
question names. Every word of the question has to be accounted for. A question over two or three relations ("who leads the
team that owns Almanac?") is answered from the inside out; each step is a fact of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from prompts.extractive.definitions import says_no_meaning
from prompts.language import terms, wholes
from prompts.months import MONTH
from prompts.other_languages import FRENCH, GERMAN, said_in_english
from prompts.question import analyse, one_slip
from prompts.regex import regex
from prompts.ticket_keys import TICKET_KEY
from tree.ask.facts.crossed_table import find_crossed
from tree.ask.facts.described_row import COST_CENTRES, FILE_NAME, PLACES, REMARKS, find_described_row
from tree.ask.facts.described_thing import Described, find_described
from tree.ask.facts.leading_roles import OF_OTHERS, is_of_deputy, is_of_head_of_row
from tree.ask.facts.link_direction import Direction, direction_asked, goes
from tree.ask.facts.price_columns import is_price
from tree.ask.facts.ticket_words import HAVING, NEGATIONS, RELATIONS, SORTS, is_of_other, speaks_of_holding_up
from tree.ask.facts.unfit_forms import FULL_NAME, PERSON_LABELS, has_wrong_form, names_its_row
from tree.ask.facts.value_forms import acts_of
from tree.retrieve.fact_index import FactIndex, StoredFact, folded, head_of
from tree.retrieve.names import Mention, Names, Token, tokens
from tree.retrieve.text_facts import DEFINITION, PART, says_meaning
from tree.store.leaves import FILE
from tree.store.places import document_around

MOST_STEPS = 3
OF_ITS_YEAR = 0.2  # what it counts, beside the words of a label, that a row is of the year that is asked for
MOST_WORDS = 80  # of a question for a fact; every word of it has to be accounted for, so a longer one asks for more than that
LONG_RELATION = 3  # words of the label of a fact; of a longer one the question has to say half
SHORTEST_LABEL = 2  # characters of the label of a fact that is no cell
LONG_WORD = 6  # characters of a term in which a slip is forgiven
MOST_ROWS = 100  # that have a name as their value in one column, for it to be what tells a row
MOST_RESULTS = 12  # of a step on the way to another
NEVER_REVERSE = ("who", "when", "count")  # questions that ask for no thing that has the value which they name
LIGHT = frozenset(  # words with which things are asked for, in terms of the index
    terms(
        """take fit hold carry go make say mean stand tell give name called currently today now many much number long big large high kind
        there exist place room person people ship team ticket component vehicle thing member role job responsible task right latest newest
        current exactly actually please know want need find show list mention document file state value information detail serve sail decision
        record issue card belong already capacity made"""
    )
)
_NOBODY = regex(r"\W*(?:nobody|no ?one|none|vacant|unassigned|n/?a|tb[dc])\b", re.IGNORECASE)
_OR = regex(r"\bor\b", re.IGNORECASE)
_MORE = regex(
    r"\b(?:cheaper|dearer|faster|slower|bigger|smaller|larger|longer|shorter|higher|lower|older|newer|younger|heavier|lighter|better|worse|stronger|weaker|earlier|later)\b",
    re.IGNORECASE,
)
SHORT = {"whos": "who", "whats": "what", "wheres": "where", "whens": "when"}  # typed without the apostrophe
RESOLVED = frozenset(terms("resolved closed"))
_SORTED = frozenset(terms(" ".join((*SORTS, *HAVING))))
MEMBERSHIP = frozenset(terms("team group department crew work works belong member"))  # "which team is she in"
SEVERAL = frozenset("list all every tickets issues cards files documents".split())  # not one thing is asked about
PAST = frozenset("until before former formerly previous previously".split())  # in a label: of a time that is over
DUTY = frozenset("must has have should need needs".split())  # "when does it have to be done?"
NOW = frozenset("now today current currently present".split())  # as a whole label: the number that holds now
PUT = frozenset(
    "who whom whose what which when where how is are was were do does did the a an of for in on at to by from with and or whats whos s".split()
)
# Words that change what is asked and that a fact as it stands now does not account for.
TURNING = frozenset(
    """before previously formerly after until since ago earlier later again ever yesterday tomorrow more most less least fewer than
    other others same between under over above below without only both either neither used originally initially if unless while during
    instead besides also too why because cause caused reason compare difference different versus""".split()
)
COST_WORDS = "cost costs price fee amount paid pay expensive"
# Words of questions beside the words of tables for the same relation, in terms of the index.
SAME = tuple(
    frozenset(terms(words))
    for words in (
        "lead leads leader leading head heads boss manage manages manager charge run runs running responsible leitung leiter leiterin leitet teamleitung chef direction",
        "own owner owns owning owned belong belongs keeper keep keeps kept responsible look looked verantwortlich zuständig responsable",
        "extension ext phone tel telephone number dial call reach",
        "torque nm",
        "voltage volts v",
        "weight weigh weighs kg",
        "distance mileage miles mile km odometer",
        COST_WORDS,
        "supervisor supervise supervises",
        "deputy deputies substitute stellvertretung stellvertreter stellvertreterin vertretung vertreter adjoint adjointe",
        "crossing duration long takes take last lasts",
        "due deadline",
        "does do job purpose",
        "engineer engineers developer developers member members",
        "date day when",
        "departure departs depart leave leaves leaving",
        "arrival arrives arrive arriving",
        "decided decide decision deciders",
        "status state",
        "owner assignee assigned responsible",
        "vendor supplier provider",
        "ask contact person first",
        "bought buy purchase purchased acquired",
        "min minimum least",
        "max maximum most",
        "qty quantity",
        "dept department",
        "addr address",
    )
)
# Words that lead from one ticket to another: never a matter of its title.
LINKING = frozenset(
    terms(
        "block blocks blocked blocking duplicate duplicates clone clones cloned depend depends relate relates cause causes trigger parent epic"
    )
)
UNITS_OF_LABELS = frozenset(
    terms(
        "eur euro usd gbp chf month monthly year yearly annual day daily week weekly hour hourly per pct percent kg km net gross ex excl excluding incl including inc vat tax taxes"
    )
)  # in the name of a column: "rent_month_eur" is a rent
COSTS = frozenset(terms(COST_WORDS))
CURRENCIES = frozenset(terms("eur euro usd gbp chf"))  # in the name of a column: it says what something costs
OF_TIME = frozenset(terms("days weeks months hours minutes"))  # in the name of a column: it says how long
OF_MONEY = CURRENCIES | frozenset(terms("price cost fee rent salary"))
SAYS_TIME = OF_TIME | frozenset(terms("long time term period deadline soon quickly fast late notice within year date"))
DEGREES = frozenset("very extremely quite rather fairly almost nearly partly hardly".split())
MEASURES = {  # how long, high ... -> how the labels of facts that say so begin
    "long": ("crossing", "duration", "length", "long", "time", "takes", "period"), "high": ("high", "height", "tall"), "old": ("age", "old"),
    "big": ("big", "size", "large"), "fast": ("fast", "speed"), "far": ("far", "distance", "range"),
}  # fmt: skip
_DURATION = regex(r"\d\s?(?:s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)\b")
STATES = frozenset(terms("done open closed finished resolved fixed complete completed released started progress"))
DATE_LABELS = frozenset(terms("date day due start started opened"))
ORDINALS = frozenset(terms("first last next"))
_NUMBER = regex(r"(?<![\w-])\d")  # not that of a key or a code
_DATE = regex(
    r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:19|20)\d\d\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attribute:
    """Facts that answer a question, and the facts by way of which they were found."""

    facts: tuple[StoredFact, ...]
    way: tuple[StoredFact, ...] = ()
    is_reverse: bool = False  # the subjects are what was asked for, not the values
    subject: str = ""  # the name that was asked about, as the question writes it
    asked: str = "what"  # who, when, count, where, what
    described: Described | None = None  # where the thing is described and not named
    is_crossed: bool = False  # the row says what is stated, and the column of what


def find_attribute(text: str, names: Names, facts: FactIndex) -> Attribute | None:
    """The facts that a question asks for; None where it asks for none, or says more than facts can tell."""
    text = _FOR_HOW.sub("", text)
    found = tokens(text)
    if len(found) > MOST_WORDS or speaks_of_holding_up(text):
        return None
    mentions = names.find(found)
    low = [SHORT.get(word := token.text.casefold(), word) for token in found]
    if _asks_for_more(text, low, mentions, names):
        return None
    if _WHAT_IS_A.match(text):
        mentions = [one for one in mentions if one.last == len(found)]  # of "a sync worker" not what is the worker of "sync"
    turning = {
        word for at, word in enumerate(low) if word in TURNING | PAST and not any(one.first <= at < one.last for one in mentions)
    }
    if turning - (spelt := _in_labels(found, turning, names)):
        return None
    asked = _asked(low)
    for mention in sorted(mentions, key=lambda one: (one.first - one.last, -one.first)):
        if not mention.kinds and not mention.relations:
            continue
        others = [other for other in mentions if other is not mention]
        rest = _rest(found, mention)
        is_ticket = "ticket" in mention.kinds or ("document" in mention.kinds and _KEY.fullmatch(mention.text) is not None)
        if low[0] in ("is", "are", "was", "has") and is_ticket and rest - LIGHT and rest - LIGHT <= STATES:
            rest, others = frozenset(terms("status")), []  # it may be in the state that it is asked about
        if asked == "when" and is_ticket and DUTY.intersection(low) and rest - LIGHT <= STATES:
            rest = frozenset(("due",))  # when it has to be done
        is_alone = not rest - LIGHT - _SORTED and all(folded(one.text) in SORTS for one in others)
        if asked == "who" and is_ticket and HAVING.intersection(low) and is_alone:
            rest, others = frozenset(terms("assignee")), []  # who has it
        way = direction_asked(low, mention.first, mention.last)
        is_place = mention.first > 0 and low[mention.first - 1] in _PLACED
        before = frozenset(terms(low[mention.first - 1])) if mention.first > 0 else frozenset()
        answer = _resolve(
            rest,
            mention.names,
            asked,
            facts,
            others,
            spelt=spelt,
            direction=way,
            is_place=is_place,
            first=_first_asked(low),
            apposed=before,
        )
        if (
            answer is None
            or _is_of_something_else(answer, mention, text, low, rest, facts)
            or has_wrong_form(answer.facts, answer.way, text, low, facts, is_reverse=answer.is_reverse)
        ):
            continue
        if all(_measures(low, fact) and _turns(spelt, fact) and not _is_of_time(low, fact) for fact in answer.facts):
            return replace(answer, subject=mention.text, asked=asked)
    unnamed = None if SEVERAL.intersection(low) or _WHAT_IS_A.match(text) else _of_no_name(found, asked, names, facts)
    return (
        unnamed
        if unnamed is not None
        and not has_wrong_form(unnamed.facts, unnamed.way, text, low, facts, is_reverse=unnamed.is_reverse)
        and all(_measures(low, fact) and not _is_of_time(low, fact) for fact in unnamed.facts)
        else None
    )


def _asks_for_more(text: str, low: Sequence[str], mentions: Sequence[Mention], names: Names) -> bool:
    """Whether more is asked for than one thing that is stated of another."""
    if analyse(text).kind == "how_to" or is_of_degree(low, mentions) or not _asks_for_one(low):
        return True  # what something is does not say what to do
    if _COUNTS.match(text):
        return True  # "leases per state" asks for no lease
    if _RUNNING.search(text):
        return True  # "running time" has nothing to do with whoever runs it
    if _ASKS_SUCH.match(text) or _asks_what_is_needed(low, names):
        return True  # "which costumes are on hire?", "which need cleaning?": no value of theirs
    return bool(_OR.search(text) and _MORE.search(text))  # which of two is the cheaper is said by what both cost


def _is_of_something_else(
    answer: Attribute, mention: Mention, text: str, low: Sequence[str], rest: frozenset[str], facts: FactIndex
) -> bool:
    """Whether what was found is stated of something else than what is asked about, or says something else of it."""
    is_meaning = all(one.fact.relation == DEFINITION for one in answer.facts)
    if answer.is_reverse and is_of_other(text, (one.fact.relation for one in answer.facts)):
        return True  # "which tool does Nordlys use?" asks for no tool that Nordlys sells
    if is_meaning and (_asks_for_no_meaning(low, rest) or _WHICH_ARE.match(text)):
        return True  # "may I take it off?", "what is its number?", "which platforms are tier 1?"
    if answer.way and _names_values(mention, answer.facts):
        return True  # "which items have the status overdue" asks for no other states
    if answer.way and "person" in mention.objects and _is_of_several_rows(answer.facts):
        return True  # when the first aid of others expires who are on duty with her says nothing of hers
    if answer.way and _WEEKDAY.fullmatch(mention.text):
        return True  # who works on a Saturday has nothing to do with what else is of one
    if _is_by_amount(mention.text, answer.way):
        return True  # whatever else has 12 bikes, "the discount for 12 bikes" is not just its
    if low[:1] == ["where"] and not _MOVES.isdisjoint(low) and all(_is_where_it_stands(one) for one in answer.facts):
        return True  # "where do the samples go?" asks for no place that they are taken from
    if (
        low[:2] in (["what", "is"], ["what", "was"], ["whats", "the"], ["how", "many"])
        and not answer.way
        and _is_of_rows_of_others(mention, answer.facts)
    ):
        return True  # "what is Bram's job?" asks for no job of a plan that he is to do
    if (counted := _COUNTED_THINGS.match(text)) is not None and not all(_counts(counted["thing"], one) for one in answer.facts):
        return True  # "how many pallet places does the hall have": not how many pallets were spoilt there
    if _is_asked_by_way(low, answer):
        return True  # "which insurer has the transit policy?" is told by the insurer, and not by what else they insure
    if _is_of_several_parts(answer.facts):
        return True  # what stands under several headings, none of which is what was asked for
    return (
        low[:2] == ["how", "much"] and low[2:3] != [] and _is_no_price(low, answer, facts)
    )  # of a ticket not how many there are


_MOVES = frozenset("go goes went going gone send sends sent taken brought delivered shipped".split())
_ENDS_OF_WAYS = frozenset("to destination goes sent target recipient laboratory lab".split())  # in the name of a column


def _is_where_it_stands(fact: StoredFact) -> bool:
    label = set(folded(fact.fact.relation).split())
    return bool(label & PLACES) and not label & _ENDS_OF_WAYS


def _is_of_rows_of_others(mention: Mention, facts: Sequence[StoredFact]) -> bool:
    """Whether several rows that are called otherwise, and only have the name in a cell, say several things."""
    return _is_of_several_rows(facts) and not any(folded(head_of(one.fact.subject.id)) in mention.names for one in facts)


_COUNTED_THINGS = regex(r"\A\W*how many [\w-]+ (?P<thing>[\w-]+s) (?:do|does|did|has|have|are|is|were|was|can)\b", re.IGNORECASE)


def _counts(thing: str, fact: StoredFact) -> bool:
    """Whether a cell says how many of a thing there are: its column, the table or the row is called so."""
    said = frozenset(terms(f"{fact.fact.relation} {fact.fact.group} {fact.fact.subject.name} {fact.fact.value}")) | fact.heading
    return not fact.fact.row or not said.isdisjoint(terms(thing))


def _is_asked_by_way(low: Sequence[str], answer: Attribute) -> bool:
    """Whether what a question asks for first is told only on the way to something else."""
    asked = _first_asked(low)
    return bool(asked) and any(asked <= set(terms(one.fact.relation)) for one in answer.way)


_ASKS_SUCH = regex(  # which of some things are "on hire", "out of support"
    r"\A\W*(?:which|what) (?:[\w-]+ ){0,4}[\w-]+s (?:are|were) (?:still |now |currently |already |not )*(?:out of|at|in|on|under|off|up for|past|near) (?:an? |the |their )?(?-i:[a-z-]+)(?: (?-i:[a-z-]+))?\W*\Z",
    re.IGNORECASE,
)
_NEEDING = frozenset("need needs require requires lack lacks".split())
_NEEDED = frozenset(terms(" ".join(_NEEDING)))


def _asks_what_is_needed(low: Sequence[str], names: Names) -> bool:
    """Whether it is asked which of some things need something, where no column is called so."""
    is_asked = low[0] in ("which", "what", "how") and not _NEEDING.isdisjoint(low[2:])
    return is_asked and not any(_NEEDED & set(terms(relation)) for relation in names.relations)


def _is_of_time(low: Sequence[str], fact: StoredFact) -> bool:
    """Whether the name of a column says a time that is not asked for: the days in which somebody pays are not what they take for a payment."""
    asked, label = set(terms(" ".join(low))), set(terms(fact.fact.relation))
    is_time = bool(fact.fact.row) and bool(OF_TIME & label) and not OF_MONEY & label  # a rent by the month is none
    return is_time and low[0] != "when" and not asked & SAYS_TIME


_NO_MEANINGS = frozenset(terms("number long high large big capacity room place phone price cost"))


def _asks_for_no_meaning(low: Sequence[str], rest: frozenset[str]) -> bool:
    """Whether a question asks for more of a thing than what it is: a number of it, or whether somebody may do something."""
    return low[0] in ("can", "may", "could", "am", "will") or not rest.isdisjoint(_NO_MEANINGS)


def _is_of_several_rows(facts: Sequence[StoredFact]) -> bool:
    """Whether rows of a table say several things, each of another."""
    rows = [one for one in facts if one.fact.row]
    return len({one.key for one in rows}) > 1 and len({one.fact.value for one in rows}) > 1


def _names_values(mention: Mention, facts: Sequence[StoredFact]) -> bool:
    """Whether a name is itself a value of what would be told."""
    return not {folded(one) for one in mention.relations}.isdisjoint(folded(one.fact.relation) for one in facts)


def _is_no_price(low: Sequence[str], answer: Attribute, facts: FactIndex) -> bool:
    """Whether what something costs is asked, and a cell is told that is no price, where the row has one."""
    if (
        not (low[2] in ("is", "are", "does", "do", "was", "were", "did") or "worth" in low)
        or answer.is_reverse
        or any(is_price(folded(one.fact.relation)) for one in answer.facts)
    ):
        return False
    rows = sorted({one.line for one in answer.facts if one.fact.row})
    return bool(rows) and any(is_price(folded(cell.fact.relation)) for cell in facts.lines(rows))


def _is_by_amount(name: str, way: Sequence[StoredFact]) -> bool:
    """Whether something was found by a bare number in one of its cells, which is no number that it is called by."""
    return _AMOUNT.fullmatch(name) is not None and any(
        _CALLED.isdisjoint(_WORDS.findall(folded(one.fact.relation))) for one in way
    )


def _is_of_several_parts(facts: Sequence[StoredFact]) -> bool:
    """Whether the facts are sections of one document with headings of their own: of these one would be meant."""
    headings = {folded(one.fact.relation) for one in facts if one.fact.group == PART}
    return len(headings) > 1 and len({document_around(one.place) for one in facts}) == 1


_KEY = regex(TICKET_KEY, re.IGNORECASE)  # of a ticket that is kept as a file
_FOR_HOW = regex(r"\A\W*for (?=how\b)", re.IGNORECASE)
_WEEKDAY = regex(r"(?:mon|tue|tues|wed|wednes|thu|thurs?|fri|sat|satur|sun)(?:days?)?", re.IGNORECASE)
_AMOUNT, _WORDS = regex(r"\d[\d.,]*"), regex(r"[^\W_]+")
_CALLED = frozenset("id no nr num number code key tag ref reference room desk seat line unit week".split())
_WHAT_IS_A = regex(r"\W*what(?:['’]?s| is| are) (?:an?|meant by)\b(?![^?]*\b(?:of|for|in|on|at)\b|[^?]*['’]s\b)", re.IGNORECASE)
_COUNTS = regex(
    r"\W*(?:(?:number|count) of |how many |the |all |show |list )*[a-z-]{2,40}s (?:per|for each|by) [a-z-]{2,40}\W*\Z",
    re.IGNORECASE,
)
_RUNNING = regex(r"\b(?:running|leading|lead) (?:times?|costs?|order|totals?)\b", re.IGNORECASE)
_WHICH_ARE = regex(r"\W*(?:which|what) [a-z-]{2,}s (?:are|were)\b", re.IGNORECASE)


def _asks_for_one(low: Sequence[str]) -> bool:
    """Whether one thing may be asked for that is stated of another: not why and how, and nothing that is not so."""
    if any(word in NEGATIONS for word in low) or low[0] == "why":
        return False
    if low[0] in ("do", "does", "must", "should") or (low[0] == "list" and low[1:2] == ["all"]):
        return False  # "do I need a badge": not what "You need" is stated of
    return low[0] != "how" or low[1:2] in (["many"], ["much"], *([measure] for measure in MEASURES))


def _in_labels(found: Sequence[Token], turning: set[str], names: Names) -> frozenset[str]:
    """Those of the words that stand in a label which the question says for the better part: "usual cause", "until 17 April"."""
    if not turning:
        return frozenset()
    said = {term for token in found for term in terms(token.text)}
    spelt: set[str] = set()
    for relation in names.relations:
        if here := turning & set(relation.split()):
            rest = set(terms(relation)) - set(terms(" ".join(here))) - LIGHT  # "in this job since" says no more than "since"
            is_alone = not rest and here <= _OF_PERIODS
            spelt |= here if is_alone or (rest and 2 * len(rest & said) >= len(rest)) else set()
    return frozenset(spelt)


_OF_PERIODS = frozenset(("since", "until"))


def _turns(spelt: frozenset[str], fact: StoredFact) -> bool:
    """Whether the label of a fact has the words of the question that turn it."""
    return spelt <= frozenset(folded(fact.fact.relation).split())


def _measures(low: Sequence[str], fact: StoredFact) -> bool:
    """Whether a fact can say how long, high, old or big something is: by its label, or a time by its unit."""
    if low[0] != "how" or low[1] not in MEASURES:
        return True
    label = folded(fact.fact.relation).split()
    return any(word.startswith(MEASURES[low[1]]) for word in label) or (
        low[1] == "long" and bool(_DURATION.search(fact.fact.value))
    )


def is_of_degree(low: Sequence[str], mentions: Iterable[Mention]) -> bool:
    """Whether a word before a name makes it another one: "very high" is not high."""
    return any(one.first and low[one.first - 1] in DEGREES for one in mentions)


def _of_no_name(found: Sequence[Token], asked: str, names: Names, facts: FactIndex) -> Attribute | None:
    """What the question spells out, of a thing that it describes, or of the row and the column of a table that it names."""
    rest = frozenset(term for token in found if token.text.casefold() not in PUT for term in wholes(token.text))
    described = find_described(rest, names, facts, LIGHT, lambda fact: _is_of_kind(fact, asked))
    if described is not None:
        return Attribute(described.facts, subject=described.facts[0].fact.subject.name, asked=asked, described=described)
    every = frozenset(term for token in found if token.text.casefold() not in PUT for term in terms(token.text))
    crossed = find_crossed(every, names, facts, LIGHT, SAME, lambda fact: _is_of_kind(fact, asked))
    if crossed and not all(map(names_its_row, crossed)):
        return Attribute(crossed, subject=crossed[0].fact.relation, asked=asked, is_crossed=True)
    words = [word for token in found if token.text.casefold() not in PUT for word in _in_english(token.text)]
    of_row, known_by = find_described_row(words, names, facts, LIGHT, SAME, lambda fact: _is_of_kind(fact, asked))
    return Attribute(of_row, subject=known_by, asked=asked) if of_row else None


def _in_english(word: str) -> list[frozenset[str]]:
    """The terms of a word, each with those that the texts may have for it where it is of another language."""
    others = {term for language in (GERMAN, FRENCH) for term in terms(said_in_english(word, language))}
    return [frozenset((term, *others)) for term in terms(word)]


def _asked(low: Sequence[str]) -> str:
    for word in low[:4]:
        if word in ("who", "whom", "whose"):
            return "who"
        if word == "when":
            return "when"
        if word == "where":
            return "where"
    if low[0] == "how":
        return "count"
    if low[:2] in (["what", "day"], ["what", "date"], ["what", "time"], ["which", "day"], ["which", "date"]):
        return "when"
    return "what"


def _rest(found: Sequence[Token], mention: Mention) -> frozenset[str]:
    """The words (as terms) that the question has beside the name."""
    words = [token.text for at, token in enumerate(found) if not mention.first <= at < mention.last]
    return frozenset(term for word in words if word.casefold() not in PUT for term in _whole(word))


def _whole(word: str) -> list[str]:
    """A word as one term, or the parts of one that is none by itself: "x-ray"."""
    found = terms(word)
    return found[:1] if len(found) < 2 or found[0] == "".join(found[1:]) else found


# ---------------------------------------------------------------- one relation


def _resolve(
    rest: frozenset[str], names: Iterable[str], asked: str, facts: FactIndex, others: Sequence[Mention], depth: int = MOST_STEPS,
    spelt: frozenset[str] = frozenset(), direction: Direction | None = None, *, is_place: bool = True,
    first: frozenset[str] = frozenset(), apposed: frozenset[str] = frozenset(),
) -> Attribute | None:  # fmt: skip
    """`spelt`: words of the question that turn it and have to stand in the label; `direction`: of links between tickets; `is_place`:
    whether the name may be only where something is; `first`: what the question asks for, "which insurer", where it says so; `apposed`: the word
    before the name, "complaint C26-07"."""
    names = frozenset(names)
    about = facts.about(names)
    is_reversible, may_lead_on = asked not in NEVER_REVERSE, depth > 1 and bool(rest)
    valued = _telling(
        facts.telling(
            sorted(names),
            lambda label: (is_reversible or may_lead_on) and _may_say(label, rest),
            MOST_ROWS,
            -1 if is_reversible else MOST_RESULTS,
            lambda label: _may_be_said_of_tickets(label, rest),
        )
    )
    called = {
        document_around(fact.place) for fact in about if fact.fact.row
    }  # where a row is called so, a cell is of another thing
    in_rows = [fact for fact in valued if fact.fact.row and document_around(fact.place) not in called]
    in_rows = [fact for fact in in_rows if FILE_NAME.search(fact.fact.value) is None]  # a row that names a page is not that page
    in_rows = [fact for fact in in_rows if is_place or PLACES.isdisjoint(folded(fact.fact.relation).split())]
    cells = facts.lines(fact.line for fact in [*in_rows, *(fact for fact in about if fact.fact.row)])
    kinds = {cell.line: frozenset(terms(cell.fact.relation)) for cell in cells if names_its_row(cell)}
    rows = [cell for cell in cells if folded(head_of(cell.fact.value)) not in names]
    direct = [fact for fact in about if not fact.fact.row and not fact.fact.until]
    candidates = [one for one in (*rows, *direct) if _goes(one, direction, of_named=True)]
    told = [fact for fact in candidates if not names_its_row(fact) or asked == "who"]
    # a row in which somebody is the deputy says not who that is, nor who else is meant
    by_person = {fact.line for fact in in_rows if fact.fact.object is not None and fact.fact.object.kind == "person"}
    told = [fact for fact in told if folded(fact.fact.relation) not in PERSON_LABELS or fact.line not in by_person]
    member_of = {fact.line for fact in in_rows if fact.line in by_person and not is_of_head_of_row(fact)}
    told = [fact for fact in told if fact.line not in member_of or not is_of_deputy(fact)]
    if best := _best(rest, told, asked, others, names, kinds, spelt, first, apposed):
        return Attribute(tuple(_of_things_called_so(best, names)))
    reverse = [one for one in valued if not one.fact.until and not names_its_row(one) and _goes(one, direction, of_named=False)]
    if backward := _best_reverse(rest, reverse, asked, kinds):
        return Attribute(tuple(backward), is_reverse=True)
    if depth > 1 and rest:
        return _chained(rest, candidates, reverse, asked, facts, others, depth)
    return None


def _of_things_called_so(best: Sequence[StoredFact], names: frozenset[str]) -> list[StoredFact]:
    """Without what rows of other things say that only have the name in a cell, where a row is called so: whoever owns the case of an
    outage does not own the service that it was of."""
    called = [fact for fact in best if fact.fact.row and folded(head_of(fact.fact.subject.id)) in names]
    return [fact for fact in best if not fact.fact.row or fact in called] if called else list(best)


_PLACED = frozenset("in at from near inside".split())  # before a name that is a place


def _first_asked(low: Sequence[str]) -> frozenset[str]:
    """ "which insurer ..." """
    return frozenset(terms(low[1])) if low[:1] in (["which"], ["what"]) and len(low) > 1 else frozenset()


def _goes(fact: StoredFact, direction: Direction | None, *, of_named: bool) -> bool:
    """Whether a link between tickets goes the way that is asked for; anything else does."""
    return direction is None or fact.fact.subject.kind != "ticket" or goes(fact.fact.relation, of_named) in (None, direction)


def _telling(valued: Sequence[StoredFact]) -> list[StoredFact]:
    """Without the columns of tables in which so many rows have the name that it tells none of them from the others."""
    rows = Counter((fact.fact.group, fact.fact.relation) for fact in valued if fact.fact.row)
    return [fact for fact in valued if rows[fact.fact.group, fact.fact.relation] <= MOST_ROWS or not fact.fact.row]


def _best(
    rest: frozenset[str], candidates: Sequence[StoredFact], asked: str, others: Sequence[Mention], names: frozenset[str],
    kinds: Mapping[tuple[str, int], frozenset[str]], spelt: frozenset[str] = frozenset(), first: frozenset[str] = frozenset(),
    apposed: frozenset[str] = frozenset(),
) -> list[StoredFact]:  # fmt: skip
    """The facts whose relation accounts for all words, and has what is asked for. `kinds`: what the things in a row are, by the
    header of the column that names them: "club 1041"."""
    scored: list[tuple[float, StoredFact]] = []
    elsewhere = {term for other in others for term in terms(other.text)}
    again = frozenset(term for name in names for term in terms(name))
    together = _together(candidates)
    years = frozenset(term for term in rest if _YEAR.fullmatch(term))
    for fact in candidates:
        words = frozenset(folded(fact.fact.relation).split())
        if spelt - words or words & PAST - spelt or (words <= NOW and asked != "count"):
            continue
        label = _label_terms(fact)
        if len(fact.fact.relation.strip()) < SHORTEST_LABEL and not fact.fact.row:
            continue  # "B:" in a list of buildings
        if not _is_of_kind(fact, asked) or (elsewhere - label) & set(terms(head_of(fact.fact.value))):
            continue  # the question names this value itself, so it asks for something else
        named = {term for term in rest if term in label}
        named = named if named - ORDINALS else set()  # "which did we use first" asks for no "first person to ask"
        own_terms = frozenset(terms(folded(fact.fact.relation))) - UNITS_OF_LABELS
        if _is_cost_centre(fact.fact.relation) and not own_terms <= rest:
            continue  # which is no cost
        if len(own_terms) > LONG_RELATION and 2 * len(named & own_terms) < len(own_terms):
            continue  # a word or two of a long label, such as a path, do not name it
        beside = frozenset(terms(f"{fact.fact.group} {fact.fact.subject.name} {fact.place.rpartition('/')[2]}"))
        beside |= fact.heading | kinds.get(fact.line, frozenset()) if fact.fact.row else frozenset()
        beside -= LINKING if fact.fact.subject.kind == "ticket" else frozenset()
        other_columns = _of_other_columns(together.get(fact.line, []), fact) if fact.fact.row else frozenset()
        other_columns -= apposed & beside
        beside -= other_columns
        beside -= again  # "where are the sledges for sledge hockey" asks for more than the row called so
        put = _PUT_OF_TIMES if asked == "when" and (words & _AHEAD or _CLOCK.match(fact.fact.value)) else frozenset()
        left = frozenset(term for term in rest - named - beside - LIGHT - put if not _is_light(term))
        is_first = bool(first) and first <= own_terms
        left -= other_columns if is_first else frozenset()
        if (
            left & other_columns
            or left - elsewhere
            or (left and not _say(together.get(fact.line if fact.fact.row else fact.key, []), left))
        ):
            continue
        is_date = asked == "when" and bool(frozenset(terms(fact.fact.relation)) & DATE_LABELS or words & spelt & _OF_PERIODS)
        is_place = asked == "where" and bool(fact.fact.row) and not PLACES.isdisjoint(words)
        if (
            named
            or is_date
            or is_place
            or (asked == "who" and folded(fact.fact.relation) in PERSON_LABELS)
            or (not rest - LIGHT - beside and folded(head_of(fact.fact.subject.id)) in names and _by_itself(fact, asked))
        ):
            own = frozenset(terms(fact.fact.relation))
            scored.append(
                (
                    len(named & own)
                    + 0.5 * len(named)
                    + (0.1 if own <= rest else 0.0)
                    + 0.2 * (fact.fact.relation == DEFINITION)
                    + OF_ITS_YEAR * bool(years & _years_of(fact, together)),
                    fact,
                )
            )
    if not scored:
        return []
    best = max(score for score, _ in scored)
    return [fact for score, fact in scored if score >= best - 0.05]


def _years_of(fact: StoredFact, together: Mapping[tuple[str, str | int], list[StoredFact]]) -> frozenset[str]:
    """The years that the name of its file or another cell of its row gives: "price-list-2026.csv", "valid from 2026-01-01"."""
    cells = together.get(fact.line, []) if fact.fact.row else []
    said = (fact.place.partition("#")[0].rpartition("/")[2], *(one.fact.value for one in cells if one is not fact))
    return frozenset(match.group() for one in said for match in _YEAR_SAID.finditer(one))


def _of_other_columns(row: Sequence[StoredFact], told: StoredFact) -> frozenset[str]:
    """Words that name other columns of a row, so that they ask for these: "each call-out" beside "standby payment"."""
    others = (one.fact.relation for one in row if one is not told and not names_its_row(one))
    return frozenset(term for label in others for term in terms(label)) - frozenset(terms(told.fact.relation))


def _is_cost_centre(label: str) -> bool:
    """Also "cost unit", and not "cost/unit"."""
    return folded(label) in COST_CENTRES or label.casefold() == "cost unit"


_PUT_OF_TIMES = frozenset(terms("time due"))  # "what time does it start", "when is the next inspection due"
_AHEAD = frozenset(("next", "until"))  # in the name of a column
_CLOCK = regex(r"\d{1,2}[:.]\d\d\Z")


@lru_cache(1024)
def _is_light(term: str) -> bool:
    """Whether a longer word is one slip of the pen from those with which things are asked for."""
    return len(term) >= LONG_WORD and any(one_slip(term, word) for word in LIGHT if len(word) >= LONG_WORD)


def _say(facts: Iterable[StoredFact], wanted: frozenset[str]) -> bool:
    """Whether these words stand among the values of some facts."""
    return wanted <= {term for fact in facts for term in terms(fact.fact.value)}


def _together(candidates: Iterable[StoredFact]) -> Mapping[tuple[str, str | int], list[StoredFact]]:
    """The cells of each row but for remarks, which say of other rows nothing, and what is stated of each thing."""
    found: dict[tuple[str, str | int], list[StoredFact]] = {}
    for fact in candidates:
        found.setdefault(fact.key, []).append(fact)
        if fact.fact.row and REMARKS.isdisjoint(folded(fact.fact.relation).split()):
            found.setdefault(fact.line, []).append(fact)
    return found


def _may_say(label: str, rest: frozenset[str]) -> bool:
    """Whether facts with this label may be what the words beside a name ask for, whatever they are stated of."""
    if folded(label) in NOW or (rest and rest <= MEMBERSHIP):
        return True  # then it is told by their groups, or their subjects
    return not rest.isdisjoint(_terms_of_label(label, "", "ticket"))


def _may_be_said_of_tickets(label: str, rest: frozenset[str]) -> bool:
    """Whether the words beside a name ask for more of a fact with this label where it is one of a ticket or a document."""
    return rest & _terms_of_label(label, FILE, "ticket") != rest & _terms_of_label(label, FILE, "")


def _label_terms(fact: StoredFact) -> frozenset[str]:
    """The words by which a relation may be asked for."""
    return _terms_of_label(fact.fact.relation, fact.fact.group, fact.fact.subject.kind)


@lru_cache(maxsize=4_096)
def _terms_of_label(label: str, group: str, kind: str) -> frozenset[str]:
    """Kept: a name may have ten thousand facts, of a few relations."""
    own = frozenset(terms(label))
    alike = frozenset().union(*(one for one in SAME if one & own)) if own.isdisjoint(_OF_OTHERS) else frozenset()
    alike |= COSTS if own & CURRENCIES else frozenset()
    relation = folded(label)
    own |= frozenset(terms(group)) if relation in NOW else frozenset()
    own |= RESOLVED if relation == "resolution" else frozenset()  # "with which resolution was it closed?"
    known = RELATIONS.get(relation) or RELATIONS.get(relation.removesuffix("s"), ())  # who filed it, and when it was filed
    spoken = frozenset(terms(" ".join(known)))
    own |= frozenset() if kind in ("ticket", "document") else frozenset(act for word in relation.split() for act in acts_of(word))
    return own | alike | (spoken if kind in ("ticket", "document") else frozenset())


_OF_OTHERS = frozenset(terms(" ".join(OF_OTHERS)))


def _is_of_kind(fact: StoredFact, asked: str) -> bool:
    if fact.fact.group == PART:  # a whole section, in which anything may stand
        return asked == "what"
    if asked == "who":
        owns = frozenset(terms(fact.fact.relation)) & _OWNS and fact.fact.value[:1].isupper()
        is_of_people = NO_PEOPLE.isdisjoint(folded(fact.fact.relation).split())
        is_name = fact.fact.row and is_of_people and FULL_NAME.fullmatch(fact.fact.value)  # of a driver, of whoever was hired
        return bool(owns or is_name) or (fact.fact.object is not None and fact.fact.object.kind == "person")
    if asked == "when":
        return bool(_DATE.search(fact.fact.value))
    if asked == "count":
        return bool(_NUMBER.search(fact.fact.value)) and not (fact.fact.row and _WHOLE_DATE.fullmatch(fact.fact.value.strip()))
    if asked == "where" and (_DAYS_ALONE.fullmatch(value := fact.fact.value.strip()) or _WHOLE_DATE.fullmatch(value)):
        return False
    if asked == "where" and _YEAR.fullmatch(value):
        return False
    return bool(fact.fact.value)


NO_PEOPLE = PLACES | frozenset(  # columns with names of something else
    """status state result outcome stage phase company customer client supplier vendor provider project product title system brand model make item
    event course topic subject category type kind department team building street country""".split()
)
_WHOLE_DATE = regex(
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|(?:[a-z]{{3,9}},? )?\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{MONTH})\.?(?: \d{{4}})?",
    re.IGNORECASE,
)
_DAYS_ALONE = regex(  # "Tue-Thu", "Mon, Wed": when somebody is there, and not where
    r"\W*(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?|daily|weekdays?|and|to|[\s,/&–-])+\W*",
    re.IGNORECASE,
)
_YEAR = regex(r"(?:19|20)\d\d")
_YEAR_SAID = regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OWNS = frozenset(terms("own owner owning owned"))


def _by_itself(fact: StoredFact, asked: str) -> bool:
    """Whether a fact answers a question that names no relation: what a term means, who belongs to a team."""
    if asked == "who":
        return fact.fact.subject.kind == "section"
    is_meaning = fact.fact.relation == DEFINITION or says_meaning(folded(fact.fact.relation))
    return asked == "what" and is_meaning and not says_no_meaning(fact.fact.subject.name, fact.fact.value)


def _best_reverse(
    rest: frozenset[str], candidates: Sequence[StoredFact], asked: str, kinds: Mapping[tuple[str, int], frozenset[str]]
) -> list[StoredFact]:
    """Things that have the value asked about for the relation that the question names, or that are of the kind it names.

    `kinds`: what the things in a row are, by the header of the column that names them.
    """
    scored = []
    for fact in candidates:
        if asked in NEVER_REVERSE or fact.fact.subject.kind in ("document", "total"):
            continue
        if asked == "where" and fact.fact.subject.kind == "ticket":
            continue  # a ticket is no place
        named = rest & _label_terms(fact)
        kind = kinds.get(fact.line, frozenset()) if fact.fact.row else frozenset()
        left = rest - named - kind - frozenset(terms(fact.fact.group)) - LIGHT - _naming(fact)
        is_member = fact.fact.subject.kind == "section" and fact.fact.object is not None and fact.fact.object.kind == "person"
        belongs = rest & frozenset(terms(fact.fact.subject.name)) if is_member and rest <= MEMBERSHIP else frozenset()
        if belongs:
            scored.append((float(len(rest) + 1), fact))  # before the tickets that she works on
        elif (named or rest & kind) and not left:
            scored.append((len(named & frozenset(terms(fact.fact.relation))) + 0.5 * len(named), fact))
    best = max((score for score, _ in scored), default=0.0)
    return [fact for score, fact in scored if score >= best]


def _naming(fact: StoredFact) -> frozenset[str]:
    return frozenset(terms(fact.fact.subject.kind))


# ---------------------------------------------------------------- several relations


def _chained(
    rest: frozenset[str], forward: Sequence[StoredFact], reverse: Sequence[StoredFact], asked: str, facts: FactIndex,
    others: Sequence[Mention], depth: int,
) -> Attribute | None:  # fmt: skip
    """The relation nearest to the name is followed first; what it leads to is asked for the rest."""
    for is_reverse, candidates in ((False, forward), (True, reverse)):
        steps: dict[frozenset[str], list[StoredFact]] = {}
        for fact in candidates:
            if named := rest & _label_terms(fact):
                steps.setdefault(named | (rest & frozenset(terms(fact.fact.group))), []).append(fact)
        for named in sorted(steps, key=len, reverse=True):
            way = steps[named][:MOST_RESULTS]
            ends = {_end(fact, is_reverse) for fact in way} - {""}
            if not ends or not rest - named:
                continue
            answer = _resolve(rest - named, ends, asked, facts, others, depth - 1)
            if answer is not None:
                return replace(answer, way=(*_used(way, answer, is_reverse), *answer.way))
    return None


def _end(fact: StoredFact, is_reverse: bool) -> str:
    """Where a step leads, as names are compared; nowhere from "nobody at the moment"."""
    if is_reverse:
        return folded(head_of(fact.fact.subject.id))
    if fact.fact.object is None and (_NOBODY.match(fact.fact.value) or not any(map(str.isalpha, fact.fact.value))):
        return ""  # what else has the same day, or the same number, has nothing to do with it
    return folded(head_of(fact.fact.object.id if fact.fact.object else fact.fact.value))


def _used(way: Sequence[StoredFact], answer: Attribute, is_reverse: bool) -> Iterator[StoredFact]:
    """The steps that led to what answers."""
    first = answer.way or answer.facts
    names = {
        folded(head_of(one))
        for fact in first
        for one in (fact.fact.subject.id, fact.fact.value, fact.fact.object.id if fact.fact.object else "")
    }
    for fact in way:
        if _end(fact, is_reverse) in names or any(one.fact.row for one in first):
            yield fact
            return
