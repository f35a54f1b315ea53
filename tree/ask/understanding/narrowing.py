"""A follow-up that narrows the set before it, of tickets, rows or files: which set that was, by the chat alone, and what is
asked of it.

The set is kept as conditions, never as tickets: it is found anew at the moment of the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from prompts.regex import regex
from tree.ask.facts.collection_question import money_of, read_collections, read_narrowing
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.ticket_words import BY_WORD, GROUPED_BY, TICKET_FILLERS
from tree.ask.snapshot.chart import without_chart_words
from tree.retrieve.fact_index import TICKET, FactIndex
from tree.retrieve.names import Names, tokens

_POINTING = r"(?:them|those|these|they|ones?|that (?:list|set)|the (?:above|former|latter))"
_AMONG = regex(
    r"\b(?:(?:all|any|each|some) )?(?:of|among|amongst|from|within|out of|in) (?:them|those|these)\b(?P<noun> (?:open |closed )?(?:tickets|issues|cards|bugs|stories|tasks))?",
    re.IGNORECASE,
)
_THESE = regex(r"\b(?:those|these) (?=(?:open |closed )?(?:tickets|issues|cards|bugs|stories|tasks)\b)", re.IGNORECASE)
_POINTED = regex(rf"\b{_POINTING}\b", re.IGNORECASE)
_LEAD_IN = regex(
    r"\A\W*(?:(?:and|but|ok|okay|so|then|now|also|only|just|what about|how about|what of|same for)\b[\s,]*){1,4}", re.IGNORECASE
)
_ASKING = regex(
    r"\b(?:what|which|who|whose|whom|when|where|why|how|list|show|give|count|is|are|was|were|do|does|did)\b", re.IGNORECASE
)
_OTHERS = regex(
    r"\A\W*(?:and |what about |how about )*(?:what are |which are |list |show )?the (?:others?|rest|remaining)(?: ones| tickets)?\W*\Z",
    re.IGNORECASE,
)
_AS_CHART = regex(r"\b(?:as|in|on) an? (?:chart|graph|table|list|diagram)\b", re.IGNORECASE)
_BROKEN_DOWN = regex(
    r"\b(?:sort|group|order|split|break|count|show)(?:ed|ped)? (?:(?:them|those|these|it|all)(?: all)? )?(?:down )?(?:by|per) ",
    re.IGNORECASE,
)
_WHO = regex(r"\A\W*(?:and |so |but )?(?:who|whose|whom)\b", re.IGNORECASE)
_ELLIPTIC = regex(r"\A\W*(?:how many|which|what) (?:are|were|is|was|have|has)\b", re.IGNORECASE)  # without a noun of its own
# what changed anywhere, as people ask it whatever they asked before; "and what changed?" is of the set
_NEWS = regex(r"\A\W*what(?:['’]s| is| has)?(?: been)? (?:changed|new)\b", re.IGNORECASE)
_HOW_MUCH_MONEY = regex(
    r"\A\W*(?:and |so )*(?:how much(?: money)? (?:is|are|was|were|does|do|would) (?:that|this|it|they|those|these|all of (?:them|that|those))(?: cost| costs| worth| come to| make| add up to)?"
    r"|(?:and )?what(?:['’]s| is| are|) (?:the |their )?(?:total|sum)(?: amount| cost| price| value)?(?: of (?:that|them|those|these))?)(?: in total| altogether| together| in all| in sum)?\W*\Z",
    re.IGNORECASE,
)
_EXTREMES = {"most": "most", "fewest": "least", "least": "least"}
_MOST = {"most": "most", "least": "fewest"}
_WHETHER = frozenset(("all", "any"))
_DATED = frozenset(("created", "updated", "resolved", "due"))


def narrow(text: str, before: SetQuestion, names: Names, facts: FactIndex, today: date) -> SetQuestion | None:
    """What is asked of the set before; None where the question is one of its own, or says more than conditions can."""
    if _OTHERS.match(text):
        return _complement(before)
    if before.collection != TICKET:
        return _narrow_rows(text, before, names, facts, today)
    text = _BROKEN_DOWN.sub("by ", without_chart_words(text) or _AS_CHART.sub(" ", text))
    bare = _LEAD_IN.sub("", text)
    asked, is_pointing = _with_noun(bare)
    if not is_pointing and ((bare == text and _NEWS.match(text)) or _stands_alone(text, bare, names, today)):
        return None
    if is_pointing and _WHO.match(bare) and (group := _whose(bare)):
        return SetQuestion("groups", (), group, within=_kept(before, (), is_pointing))
    if is_pointing and (shown := _shown(bare)):
        return SetQuestion("list", (), shown=shown, within=_kept(before, (), is_pointing))
    if extreme := _extreme(bare, before):
        return replace(before, wanted=extreme)  # type: ignore[arg-type]  # one of the words above
    found = read_set_question(asked, names, today, is_narrowing=True)
    if found is None or not (found.conditions or found.group or is_pointing or found.wanted == "count"):
        return None
    conditions = _dated_as_before(bare, found.conditions, before)
    if conditions is None:
        return None
    if (
        not is_pointing and not found.group and found.wanted not in _WHETHER and not _ASKING.search(bare)
    ):  # "and for bugs?" asks the same of others
        found = replace(found, wanted=before.wanted, group=before.group)
    return replace(found, conditions=conditions, within=_kept(before, conditions, is_pointing), is_narrowing=True)


def _narrow_rows(text: str, before: SetQuestion, names: Names, facts: FactIndex, today: date) -> SetQuestion | None:
    """Rows or files are asked for by what they were called before."""
    if _HOW_MUCH_MONEY.match(text) and (money := money_of(before, names)):
        within = _kept(before, (), True)
        return replace(
            before, wanted="list", conditions=(), group="", columns=(money,), aggregate="sum", within=within, is_narrowing=True
        )
    text = _BROKEN_DOWN.sub("by ", without_chart_words(text) or _AS_CHART.sub(" ", text))
    bare = _LEAD_IN.sub("", text)
    asked, is_pointing = _with_noun(bare, before.noun)
    is_elliptic = bare != text or bool(_ELLIPTIC.match(text))
    if not is_pointing and (not is_elliptic or _own(bare, names, today) or read_collections(bare, names, facts, today)):
        return None
    found = read_narrowing(asked, before, names, facts, today)
    if found is None or not (found.conditions or found.group or is_pointing or found.wanted == "count"):
        return None
    if not is_pointing and not found.group and found.wanted not in _WHETHER and not _ASKING.search(bare):
        found = replace(found, wanted=before.wanted, group=before.group)
    return replace(found, noun=before.noun, within=_kept(before, found.conditions, is_pointing), is_narrowing=True)


def _own(text: str, names: Names, today: date) -> SetQuestion | None:
    return read_set_question(without_chart_words(text) or text, names, today)


def _with_noun(text: str, things: str = "tickets") -> tuple[str, bool]:
    """The question with "tickets", or what else the things are called, for the words that point at the set, or added where it has no noun; and whether it points."""
    if (match := _AMONG.search(text)) is not None:
        noun = (match["noun"] or f" {things}").strip()
        return f"{text[: match.start()]}{noun}{text[match.end() :]}", True
    if _THESE.search(text):
        return _THESE.sub("", text), True
    if _POINTED.search(text):
        return _POINTED.sub(things, text, count=1), True
    return f"{text.rstrip(' ?.!')} {things}", False


def _stands_alone(text: str, bare: str, names: Names, today: date) -> bool:
    """Whether it is a whole question: "and which bugs are overdue?", but not "and bugs?"."""
    is_whole = bare == text or bool(_ASKING.search(bare))
    return is_whole and _own(bare, names, today) is not None


def _whose(text: str) -> str:
    """By what the set is told: "who are they assigned to?", "who reported them?"."""
    words = [token.text.casefold() for token in tokens(_POINTED.sub(" ", text))]
    if not all(word in TICKET_FILLERS or word in BY_WORD for word in words):
        return ""
    return "reporter" if any(BY_WORD.get(word) == "reporter" for word in words) else "assignee"


def _shown(text: str) -> str:
    """What is to be told of each: "when were they created?", "when are they due?"."""
    words = [token.text.casefold() for token in tokens(_POINTED.sub(" ", text))]
    dates = {BY_WORD[word] for word in words if BY_WORD.get(word) in _DATED}
    is_bare = all(word in TICKET_FILLERS or word in BY_WORD or word == "when" for word in words)
    return dates.pop() if words[:1] == ["when"] and len(dates) == 1 and is_bare else ""


def _extreme(text: str, before: SetQuestion) -> str:
    """ "and the fewest?" after "who has the most?"."""
    words = [token.text.casefold() for token in tokens(text)]
    said = [_EXTREMES[word] for word in words if word in _EXTREMES]
    is_bare = all(word in _EXTREMES or word in TICKET_FILLERS or word in GROUPED_BY for word in words)
    return said[0] if before.group and len(said) == 1 and is_bare and not _POINTED.search(text) else ""


def _complement(before: SetQuestion) -> SetQuestion | None:
    """Those that the last narrowing left out; None where it left out by several conditions at once."""
    if len(before.conditions) != 1:
        return None
    [condition] = before.conditions
    return replace(before, wanted="list", conditions=(condition.turned,), group="", shown="", columns=())


def _kept(before: SetQuestion, conditions: Sequence[Condition], is_pointing: bool) -> tuple[Condition, ...]:
    """The conditions of the set before; without "them" one that says otherwise for the same takes their place.

    After "how many of them are done?", "which of them are open?" is asked of all of them again."""
    replaced = {relation for one in conditions if not one.negated for relation in one.relations}
    if "open" in replaced:
        replaced.add("status")
    said = {one.relations for one in conditions}
    again = [one for one in before.conditions if is_pointing and before.is_narrowing and one.relations in said]
    known = (*before.within, *(one for one in before.conditions if one not in again))
    if is_pointing and before.wanted in ("most", "least"):
        known = (
            *known,
            Condition((before.group,), words=f"of the {before.group} with the {_MOST[before.wanted]}", extreme=before.wanted),
        )
    return tuple(one for one in known if is_pointing or not replaced.intersection(one.relations))


def _dated_as_before(text: str, conditions: tuple[Condition, ...], before: SetQuestion) -> tuple[Condition, ...] | None:
    """ "and in June?" is of the same date as the time before; None where there was none, so that it may be any."""
    said = any(BY_WORD.get(token.text.casefold()) in _DATED for token in tokens(text))
    if said or not any(one.span for one in conditions):
        return conditions
    relations = [one.relations for one in (*before.within, *before.conditions) if one.span]
    if not relations:
        return None
    return tuple(
        replace(one, relations=relations[-1], words=f"{'not ' * one.negated}{relations[-1][0]} {one.span.words}")
        if one.span
        else one
        for one in conditions
    )


# ---------------------------------------------------------------- in words

_ADJECTIVES = frozenset(("open", "closed", "blocked", "overdue", "not blocked", "not overdue"))


def described_set(question: SetQuestion) -> str:
    """The set that a narrowing question is asked of, in words."""
    if question.collection == TICKET:
        return described(question.within, 2)
    said = ", ".join(one.words for one in question.within if not one.folders)
    return f"{question.noun} of {question.called}" + (f" ({said})" if said else "")


def described(conditions: Sequence[Condition], number: int) -> str:
    """A set in words, for so many: "open bugs", "open tickets (component Turnstile)"."""
    adjectives = [one.words for one in conditions if one.words in _ADJECTIVES]
    kinds = [one.words for one in conditions if one.relations == ("type",) and not one.negated and " " not in one.words]
    rest = [one.words for one in conditions if one.words not in (*adjectives, *kinds)]
    noun = kinds[0] if len(kinds) == 1 else "ticket"
    kinds = kinds if len(kinds) > 1 else []
    words = [*adjectives, noun if number == 1 else _plural(noun)]
    return " ".join(words) + (f" ({', '.join([*kinds, *rest])})" if kinds or rest else "")


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
