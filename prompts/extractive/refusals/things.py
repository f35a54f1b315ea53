"""Sentences on another thing, case or kind than asked, on some of them only, or with another reason."""

from __future__ import annotations

import re
from itertools import pairwise

from prompts.extractive.asked_values import LIGHT, NAMED, word_of
from prompts.extractive.candidates import FEWEST_WORDS, PLAIN, Candidate
from prompts.extractive.near_misses import only_compares, says_whether, tells_first_of_all
from prompts.extractive.neighbours import is_of_other
from prompts.extractive.numbered import numbered_things
from prompts.extractive.procedures import share_of
from prompts.extractive.reasons import (
    asks_of_alternatives,
    has_predicate,
    label_of_reason,
    names_alternatives,
    predicate_of,
)
from prompts.extractive.relations import has_same_case, is_of_purpose
from prompts.language import STOPWORDS, terms
from prompts.months import MONTH
from prompts.question import forms_of
from prompts.regex import regex
from prompts.text_lines import line_start

_WORDS = regex(r"[^\W\d_]+")
_NUMBER = regex(r"(?<![\w.,-])\d[\d.,]*")
CONTESTED = 0.8  # of the words of a question in another sentence, for what one says to be one of several
FEWEST_OF_SUBJECT = 2  # words before an amount that make it that of something else
MOST_ELSE = 4  # further words in a sentence that says yes or no


_SOME = regex(
    r"\b(?:the first time|would otherwise|certain|some|sometimes|occasionally|selected|exceptionally|(?:bestimmte|einige|manche)[nrms]?)\b",
    re.IGNORECASE,
)
_REASONS = regex(r"\W*(?:what|which) (?:are|were) (?:the |all |some )*(?:reasons|causes)\b")
_ASIDE = regex(r"\([^()\n]{1,120}\)")  # what only brackets say


def is_of_some(one: Candidate) -> bool:
    before = _ASIDE.sub(" ", one.said[: one.value or len(one.said)])
    return _SOME.search(before) is not None and _SOME.search(one.question.low) is None


_OF_ONE_NAMED = regex(
    r"(?:[^:\n]{0,60} wrote on \d{4}-\d\d-\d\d: )?\W{0,4}(?:For|At|In|With) (?P<name>[A-ZÀ-Þ][\w'’-]{2,30})(?= )(?! \d)"
)


def is_exception(one: Candidate) -> bool:
    """ "For Friesland text codes go on until September" is of one that the question does not name."""
    named = _OF_ONE_NAMED.match(one.passage.text)
    return (
        named is not None
        and one.question.kind in ("when", "count", "yes_no")
        and not re.match(rf"{MONTH}\Z", named["name"])
        and not set(terms(named["name"])) & forms_of(one.question.needed)
    )


_CARRIED = regex(r"\b(?:carr(?:y|ied|ies)|roll(?:ed|s)?|hand(?:ed)?|tak(?:e|en)) (?:over|forward)\b")
_MOVES_ON = regex(r"\b(?:carr\w+|roll\w*|transfer\w*|hand\w*|t(?:ake|aken|ook|akes)|mov\w+|keep|kept|übertrag\w*)\b")


_BUT_NOT = regex(
    r"\b(?:(?<=[,;(] )not|(?<=\()not|but not|except(?: for)?|excluding|other than|apart from) (?:(?:the|in|at|for|on|to) )?(?P<one>[\w'’-]+)",
    re.IGNORECASE,
)
_IS_NOT = regex(r"\b(?:not|n['’]?t|except|excluding|other than|apart from|without|never|no)\b")


def leaves_it_out(one: Candidate) -> bool:
    """ "Two chairs, not Fernhollow" says nothing of how many Fernhollow has."""
    if one.question.kind == "yes_no" or _IS_NOT.search(one.question.low) is not None:
        return False
    left_out = {term for match in _BUT_NOT.finditer(one.said) for term in terms(match["one"])}
    return any(word.is_in(left_out) for word in one.question.needed)


_DONE_TO_US = regex(
    r"\b(?:(?:do|does|did|will|can) (?:we|i|you|they|the [a-z]+) (?:get|be)|(?:am|are|were) (?:we|i|you|they)) (?P<done>[a-z]{2,12}(?:ed|id|en|nt))\b"
)
_DONE = regex(r"(?:ed|id|en|nt)\Z", re.IGNORECASE)


def is_done_by_them(one: Candidate) -> bool:
    """ "Partners pay for food on 11 December" does not say when we get paid."""
    asked = _DONE_TO_US.search(one.question.low)
    wanted = set(terms(asked["done"])) if asked is not None else set()
    done = forms_of([word for word in one.question.needed if word.whole in wanted]) | wanted
    words = [word for word in _WORDS.findall(one.said) if not done.isdisjoint(terms(word))]
    return bool(words) and not any(map(_DONE.search, words))


def does_not_carry_over(one: Candidate) -> bool:
    """ "How many days can be carried over?": not how many more can be bought."""
    return _CARRIED.search(one.question.low) is not None and _MOVES_ON.search(one.with_heading) is None


def says_much_else(one: Candidate) -> bool:
    """What says much else as well may be of another case."""
    return one.question.kind == "yes_no" and len(one.terms.difference(one.question.terms)) > MOST_ELSE


def is_of_other_case(one: Candidate) -> bool:
    return one.question.kind == "yes_no" and not has_same_case(one.question.low, one.said)


def is_of_two_things(one: Candidate) -> bool:
    """Which of two things is said of which of two others, "respectively", no form tells."""
    return "respectively" in one.said.casefold() and "respectively" not in one.question.low


_KIND_LABEL = regex(r"\W{0,4}(?P<kind>[\w-]+(?: [\w-]+)?) (?P<thing>[\w-]+): ")


def is_of_one_kind(one: Candidate) -> bool:
    """ "Baroque bows: they cost 80 EUR" says nothing of bows."""
    label = _KIND_LABEL.match(one.said) if one.question.kind in ("when", "count") else None
    if label is None or label.end() > one.value_at:
        return False
    kind = terms(label["kind"])
    is_asked = any(word.is_in(frozenset(terms(label["thing"]))) for word in one.question.needed)
    return is_asked and bool(kind) and one.question.terms.isdisjoint(kind)


_EACH = regex(r"\b(?:per|for each|for every|by each)\b")


def is_of_no_group(one: Candidate) -> bool:
    """ "How many routes per port?": how many there are of each, and not that two are crossed."""
    asked = one.question
    return (
        asked.kind == "count"
        and _EACH.search(asked.low) is not None
        and re.search(r"\b(?:per|each|every)\b", one.line.casefold()) is None
    )


def gives_one_of_several_reasons(one: Candidate) -> bool:
    return one.question.kind == "why" and _REASONS.match(one.question.low) is not None


def is_of_something_else(one: Candidate) -> bool:
    asked = one.question
    return is_of_other(asked.low, asked.analysis, asked.needed, one.said, one.value_at)


def does_not_say_whether(one: Candidate) -> bool:
    return not says_whether(one.question.low, one.line)


def is_comparison(one: Candidate) -> bool:
    return only_compares(one.question.low, one.line)


def does_not_say_most(one: Candidate) -> bool:
    return not tells_first_of_all(one.question.low, f"{one.line} {one.passage.heading}")


def is_contested(one: Candidate) -> bool:
    """Whether another sentence has nearly all words of a question for one thing, and names another, or another number where one is
    asked for: then no form tells which it is."""
    asked, passage = one.question, one.passage
    is_count = asked.kind == "count" and "how many" in asked.low
    if not is_count and (asked.kind not in PLAIN or word_of(asked.low) not in ("what", "which")):
        return False
    form = _NUMBER if is_count else NAMED
    mine = set(form.findall(passage.text))
    others = (
        other
        for other in asked.found
        if other is not passage and other.kind in ("text", "item") and share_of(asked.needed, other.distinct) >= CONTESTED
    )
    if is_count:
        return bool(mine) and any((said := set(form.findall(other.text))) and mine.isdisjoint(said) for other in others)
    return any(name not in mine and name.casefold() not in asked.low for other in others for name in form.findall(other.text))


def gives_other_reason(one: Candidate) -> bool:
    asked = one.question
    return asked.kind == "why" and (not is_of_purpose(asked.needed, one.said) or _is_of_other_predicate(one))


_GIVES_BEHIND = regex(r"(?:because|due to|owing to|since|weil|wegen|aufgrund|parce que?|à cause)\b", re.IGNORECASE)


def _is_of_other_predicate(one: Candidate) -> bool:
    """ "Server: the new disk is ordered because the old one is loud" is no reason why the server was down, nor why it is loud: a reason says
    what is asked before the word that gives it, or behind it. Of one thing alone it says the small words too that are asked of it, or stands
    below "Reasons" in what is called by that thing."""
    asked = one.question
    parts = (one.said[: one.value_at], one.said[one.value_at :])
    own = [word for word in asked.needed if word.is_in(one.terms)]
    whole = [part for part in parts if all(word.is_in(frozenset(terms(part))) for word in own)]
    if len(asked.needed) >= FEWEST_WORDS:  # of more than a thing and what is said of it some may stand in the reason as well
        is_behind = _GIVES_BEHIND.match(one.said, one.value_at) is not None
        is_split = len(asked.needed) == FEWEST_WORDS and not whole
        return is_behind and (is_split or _is_the_reason_itself(one, *parts))
    thing = asked.needed[0]
    if label_of_reason(one.passage.heading, one.passage.text) and thing.is_in(asked.title_terms):
        return False
    predicate = predicate_of(asked.low, {thing.whole, *thing.parts, *thing.others})
    return not predicate or not any(has_predicate(part, predicate) for part in whole)


_WHY_DID = regex(
    r"\A\W*why (?:did|does|do|has|have|had|is|are|was|were) [^?\n]{2,120}? (?P<verb>[a-z]{3,20})(?= (?:from|to|at|in|on|for|with|of|by|about|as)\b|\W*\Z)"
)


def _is_the_reason_itself(one: Candidate, told: str, reason: str) -> bool:
    """ "It will be put out again because they have resigned" says what came of it that they resigned, and not why they did."""
    asked = (match["verb"] for match in _WHY_DID.finditer(one.question.low))
    verbs = {stem for verb in asked for stem in terms(verb)}
    return bool(verbs) and verbs.isdisjoint(terms(told)) and not verbs.isdisjoint(terms(reason))


_DENIED = regex(
    r"\A\W*why (?!not\b)[^?\n]{0,200}(?:\bnot\b|n['\u2019]?t\b)"
)  # "why was it not bought", and not "why not that one"
_NOT_BECAUSE = regex(r"\b(?:not|n['’]t|never)\b[^.,;:]{0,60}\bbecause\b", re.IGNORECASE)


def denies_a_reason(one: Candidate) -> bool:
    """ "It was not rejected because it is bad." may deny either; with a comma it gives the reason."""
    is_denied = _DENIED.search(one.question.low) is not None
    return one.question.kind == "why" and not is_denied and _NOT_BECAUSE.search(one.said) is not None


def tells_alternatives(one: Candidate) -> bool:
    """What was considered besides, and why it was not taken, is no reason for what was."""
    return one.question.kind == "why" and names_alternatives(one.said) and not asks_of_alternatives(one.question.low)


_TO_TICKET = regex(r"[-–—:,(]\s*(?:see\s+)?[A-Z][A-Z0-9]{1,9}-\d{1,6}\W*\Z")
_APART = regex(
    r"\((?:not|unlike|except|instead of)\b[^()\n]{1,80}\)|\b(?:unlike|other than|different from|in contrast to) [^,.;()\n]{1,40}",
    re.IGNORECASE,
)
_WANTED = regex(r"\b(?:wants?|wanted|would like|(?:asks?|asked) for|demands?|demanded|requests?|requested)\b", re.IGNORECASE)
_BOLD_ITEM = regex(r"[ \t]*[-*+] [*_]{2}(?P<thing>[^*_\n]{2,60})[*_]{2}")
_LABEL_FIRST = regex(r"[A-Z][\w /-]{1,30}: ")


def leaves_it_to_a_ticket(one: Candidate) -> bool:
    """What was to be done stands in an item that ends with the ticket for it: there it may have become something else."""
    return one.passage.kind == "item" and _TO_TICKET.search(one.passage.text) is not None


def names_it_to_tell_it_apart(one: Candidate) -> bool:
    """Whether a word of the question stands only where something else is told apart from it: "78 litres (not 220, that is for Gemsli)"."""
    if (left := _APART.sub(" ", one.said)) == one.said:
        return False
    around = {*terms(left), *terms(one.passage.heading), *one.question.title_terms}
    return any(word.is_in(one.terms) and not word.is_in(around) for word in one.question.needed)


_MEASURED = frozenset(terms("cost costs price fee charge pay paid amount high long take takes last weigh big old"))


def has_subject_of_its_own(one: Candidate) -> bool:
    """ "Safety check by Lloyd, costs 1,900" on a page about the playground does not say what the playground costs."""
    asked = one.question
    others = [word for word in asked.needed if word.whole not in LIGHT | _MEASURED]
    if asked.kind != "count" or not others or any(word.is_in(one.terms) for word in others):
        return False
    before = set(terms(one.said[: one.value_at])) - LIGHT
    return len(before.difference(asked.terms)) >= FEWEST_OF_SUBJECT


_WORD_BEFORE = r"(?P<before>[a-zà-ÿ][\w-]{2,30}) "


def is_of_other_compound(one: Candidate) -> bool:
    """ "When is the deploy window?": a maintenance window is another one, though the page is about deploying."""
    asked = one.question
    if asked.kind not in ("when", "count", "who"):
        return False
    for first, second in pairwise(asked.needed):
        pair = re.search(rf"\b{re.escape(first.whole)}\w* {re.escape(second.whole)}", asked.low)
        if pair is None or first.is_in(one.terms):
            continue
        named = re.findall(rf"{_WORD_BEFORE}{re.escape(second.whole)}\w{{0,2}}\b", one.said.casefold())
        if named and all(set(terms(before)) - LIGHT - asked.terms and before not in STOPWORDS for before in named):
            return True
    return False


_COUNTED = regex(r"\bhow many (?:of (?:the|our) )?(?P<thing>[a-z][\w-]{2,})\b")
_SORT_COUNTED = r"[\w.,]{{1,12}} (?P<sort>(?:[\w-]{{2,30}} ){{1,3}}?){thing}\b"


def counts_another_sort(one: Candidate) -> bool:
    """ "There are six hire boats" does not say how many boats are in the race of which the page is."""
    asked = _COUNTED.search(one.question.low)
    if one.question.kind != "count" or asked is None:
        return False
    counted = re.match(_SORT_COUNTED.format(thing=re.escape(asked["thing"])), one.said[one.value_at :], re.IGNORECASE)
    if counted is None:
        return False
    sort = set(terms(counted["sort"])) - LIGHT - one.question.terms
    of_what = [word for word in one.question.needed if word.whole not in LIGHT and not word.is_in(set(terms(asked["thing"])))]
    return bool(sort) and any(not word.is_in(one.terms) for word in of_what)


def is_only_wanted(one: Candidate) -> bool:
    """Whether somebody wants it so, "they want a credit of 5 %", and how it is is asked."""
    return _WANTED.search(one.said, 0, one.value_at) is not None and _WANTED.search(one.question.low) is None


def has_number_apart(one: Candidate) -> bool:
    """Whether a thing is asked about by a word and its number, "KR 4", and the number stands elsewhere: "KR 1: 3 hours (now 4)"."""
    there = f"{one.said} {one.passage.heading} {' '.join(one.question.leaf.heading)}"
    return any(
        (thing.number_stands_in(there) and not thing.stands_in(there)) or thing.is_another(one.said)
        for thing in numbered_things(one.question.text)
    )


def is_of_its_item(one: Candidate) -> bool:
    """Whether a label stands in an item that begins with something else in bold: "- **prod-eu**: Frankfurt. Owner: Jane Doe"."""
    text, start = one.question.leaf.text, one.passage.start
    thing = _BOLD_ITEM.match(text, line_start(text, start), start) if _LABEL_FIRST.match(one.passage.text) else None
    return thing is not None and one.question.terms.isdisjoint(terms(thing["thing"]))


_ASKS_TOTAL = regex(
    r"\bhow many [^?\n]{2,60}?\b(?:(?:do|does) (?:the )?[\w'’-]+(?: [\w'’-]+){0,3} (?:have|own|employ|run)|(?:are|is) there|(?:have|has) (?:we|you|they)(?: got)?)\b"
)
_TELLS_TOTAL = regex(
    r"\b(?:has|have|had|having|there (?:are|is|were)|with|total|altogether|in all|number of|consists?|employs?|employ|own|owns|runs?|made up of|comprises?|fleet|team of|staff of|we are|currently|all (?:the )?\w+)\b"
    r"|\A\W*\w[\w .'’-]{0,40}: |\A\W*(?:[\w ]{1,40}: )?\d[\d.,]* [\w-]+(?: [\w-]+){0,2}\W*\Z|\b(?:gibt|hat|haben|insgesamt|au total|avons|compte)\b",
    re.IGNORECASE,
)


def tells_of_some_of_them(one: Candidate) -> bool:
    """ "Two drivers report a fault" is no answer to how many drivers there are."""
    asked = one.question
    return asked.kind == "count" and _ASKS_TOTAL.search(asked.low) is not None and _TELLS_TOTAL.search(one.said) is None


_ASKS_SPAN = regex(r"\bhow long\b")
_ASKS_AHEAD = regex(r"\b(?:before|in advance|ahead|beforehand|early|earlier|prior|notice)\b")
_AHEAD = regex(
    r"[\w.,-]+(?: [\w-]+){0,2} (?:minutes?|hours?|days?|weeks?|months?|years?) (?:before|in advance|ahead|beforehand|earlier|prior)\b",
    re.IGNORECASE,
)
_OF_TIME = regex(r"\b(?:take|takes|took|last|lasts|lasted|answer|keep|kept|stay|wait|borrow|valid|need|have|work|been|run)\b")
_IN_METRES = regex(r"\d[\d.,]*\s?(?:m|met(?:re|er)s?|km|kilomet(?:re|er)s?|cm|mm|miles?)\b")


def says_how_long_before(one: Candidate) -> bool:
    """ "Book it two days before" does not say for how long it can be had."""
    low = one.question.low
    is_asked = _ASKS_SPAN.search(low) is not None and _ASKS_AHEAD.search(low) is None
    return is_asked and _AHEAD.match(one.said, one.value_at) is not None


def is_length_of_way(one: Candidate) -> bool:
    """ "Above 2.50 m" does not say how long somebody may take."""
    low = one.question.low
    is_asked = _ASKS_SPAN.search(low) is not None and _OF_TIME.search(low) is not None
    return is_asked and _IN_METRES.match(one.said, one.value_at) is not None


_WHOEVER = regex(r"\W*(?:whoever|anyone who|anybody who|those who|everyone who|a \w+ who)\b", re.IGNORECASE)
_ASKS_OF_WHOEVER = regex(r"\b(?:if|who|whoever|anyone|break\w*|lose\w*|forget\w*|happens?|penalty|fine[ds]?|banned|excluded)\b")
_AT_PRICE = regex(r"\b(?P<thing>[a-z][\w-]{2,}) at \Z", re.IGNORECASE)


def is_of_whoever(one: Candidate) -> bool:
    """ "Whoever breaks the rules loses the session for 14 days" does not say how long a session is."""
    asked = one.question
    is_measured = asked.kind in ("count", "when") and _ASKS_OF_WHOEVER.search(asked.low) is None
    return is_measured and _WHOEVER.match(one.said) is not None


def prices_another_thing(one: Candidate) -> bool:
    """ "The lease at £1,890 a month, and insurance" does not say what the insurance costs."""
    priced = _AT_PRICE.search(one.said, 0, one.value_at) if one.question.kind == "count" else None
    return (
        priced is not None
        and one.question.terms.isdisjoint(terms(priced["thing"]))
        and not STOPWORDS.issuperset((priced["thing"].casefold(),))
    )


_ASKS_WHAT_IS_IN = regex(
    r"\bhow much (?:money )?(?:is|was|are|were|do we have|have we(?: got)?|is there|is left) (?:left |there )?(?:in|on) (?:the |our )?"
)
_FLOWS = regex(
    r"\b(?:transfer\w*|paid|payments?|moved|added|given|went|goes|put|contribut\w*) (?:of [^.;]{2,30}? )?(?:in)?to\b",
    re.IGNORECASE,
)


def is_paid_into_it(one: Candidate) -> bool:
    """ "Surplus £4,800 before the transfer to the reserve" does not say how much is in it."""
    return _ASKS_WHAT_IS_IN.search(one.question.low) is not None and _FLOWS.search(one.said) is not None


_HOW_MANY_ARE = regex(
    r"\bhow many [\w '’-]{2,60}?\b(?:are|is) there\b|\bhow many [\w '’-]{2,60}? (?:do|does) [\w '’-]{1,40} have\b"
)
_DID_WITH = regex(
    r"\b(?:I|we|he|she|they) (?:\w+ly )?(?:\w+ed|took|had|saw|made|got|put|brought|bought|sold|lost|found|cut|gave|sent) (?:only |just )?\W*\Z"
)


def tells_what_was_done_with_some(one: Candidate) -> bool:
    """ "Because I used eight straps" does not say how many there are."""
    is_of_number = one.question.kind == "count" and _HOW_MANY_ARE.search(one.question.low) is not None
    return is_of_number and _DID_WITH.search(one.written, 0, one.value_at) is not None
