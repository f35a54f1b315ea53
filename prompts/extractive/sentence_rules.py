"""The rules by which a sentence with all words of a question is nevertheless not called its answer, each with its reason.

They are tried in the order of `RULES`: those that need only the sentence come first, those that look at the value asked for come
after the one that demands it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from prompts.extractive.asked_values import DATE, NAMED, NUMBER_OF_WHAT, word_of
from prompts.extractive.candidates import ALL_WORDS, FEWEST_WORDS, Candidate, LeafQuestion
from prompts.extractive.dates import days
from prompts.extractive.near_misses import (
    is_of_example,
    only_compares,
    says_whether,
    tells_first_of_all,
    tells_of_its_page,
)
from prompts.extractive.neighbours import is_half_named, is_of_other, was_until
from prompts.extractive.numbered import numbered_things
from prompts.extractive.passages import Passage, written_by
from prompts.extractive.procedures import share_of
from prompts.extractive.relations import decides, has_same_case, is_of_purpose, is_related, turns
from prompts.extractive.replaced_values import is_replaced
from prompts.extractive.tenses import is_of_months, is_over
from prompts.language import terms
from prompts.months import MONTH, number_of
from prompts.question import Word
from prompts.records import LeafText

# Questions for a number or a yes, which many a sentence has: only a short one with every word answers them. What else is asked with
# "what", "which" or "how" no single sentence answers for sure: of 8 in documentation that nobody had tuned on, 5 were beside the point.
PLAIN = frozenset(("open", "yes_no"))
FEWEST_PLAIN = 3
OWN_WORDS = 0.4  # of the question's weight in the sentence itself
LEAST_STRENGTH = 0.58  # of a sentence that is called the answer
HEDGE = 0.25  # of strength less for a sentence that says it with a doubt
MOVED, OVER = 0.8, 0.4  # what it is worth that a sentence says what has changed; what less, that it tells of a time that is over
AS_ASKED = 0.08  # of strength, for a sentence that says it in the words of the question
CONTESTED = 0.8  # of the words of a question in another sentence, for what one says to be one of several
MOST_ELSE = 4  # further words in a sentence that says yes or no
OPENING = 3  # words in which a sentence says what it is about
MOST_BETWEEN = 3  # further words between those of the question
MOST_TO_NAME = 3  # words between somebody and what they do, where that is said by another verb than asked
MOST_CODE = 2
MOST_STOPS = 3  # parts of what is read as one sentence
LONGEST_LABEL = 24  # characters before the colon of a label that a sentence begins with

# how a sentence begins that names a thing only to say when or where something else is: "After a regatta there are ..."
_IS_BESIDE = re.compile(
    r"\W*(?:after|before|until|till|when|while|whenever|if|during|without|with|from|since|for|besides?|unlike|instead|once|as soon|apart)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:not|never|no longer|would have|might|maybe|perhaps|if|unless|whether|should have|was to|were to|planned|proposed|superseded)\b",
    re.I,
)
_SOME = re.compile(
    r"\b(?:the first time|would otherwise|certain|some|sometimes|occasionally|selected|exceptionally|(?:bestimmte|einige|manche)[nrms]?)\b",
    re.IGNORECASE,
)
_IS_SO = re.compile(r"\W*(?:is|are) .{2,80}? (?P<so>[\w-]+)\W*\Z")
_ONCE = re.compile(r"\W{0,3}(?:before|until|prior to|formerly|previously|in (?:older|earlier|previous|former)) ", re.IGNORECASE)
_REASONS = re.compile(r"\W*(?:what|which) (?:are|were) (?:the |all |some )*(?:reasons|causes)\b")
_SOMEWHERE = re.compile(
    r"\W*where (?:do|can|should|must|could) (?:i|we|you|one) (?:look|find|get|go|turn|see|ask|report|learn|read)\b"
)
_IN_CASE = re.compile(r"\b(?:if|when)\b")
_ASIDE = re.compile(r"\([^()\n]{1,120}\)")  # what only brackets say
_CODE = re.compile(r"[=<>{}\\]|\(\"|\bAND\b|(?<=\s)--?[a-z]|://| \| |\$\(|\$[A-Z]")  # marks of queries and code
_IN_TICKS = re.compile(r"(?:\{[\w:-]{1,30}\})?`[^`\n]*`|:::\{[\w-]{1,30}\}|\]\([^()\s]*\)|<?https?://\S+")
_ASKS_OF_ONE = re.compile(
    r"\W*(?:(?:from|since|until|till|by|at|to|for) )?(?:who|whom|when|where|how (?:long|often|frequently|many|old|far))\b"
)
_INSIDE = tuple(
    f"{letter} " for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,;("
)  # what stands before a word within a sentence
_NAME_AT = re.compile(r"(?:[A-Z][\w.'’-]* ?){1,4}")


class Rule(NamedTuple):
    refuses: Callable[[Candidate], bool]
    reason: str  # what a refused sentence does, in words for whoever asked
    is_near_miss: bool = True  # False: the sentence lacks a word or the value, and nobody need be told

    @property
    def name(self) -> str:
        return self.refuses.__name__


def refusing(one: Candidate) -> Rule | None:
    """The first rule that refuses a sentence; None for one that is an answer."""
    return next((rule for rule in RULES if rule.refuses(one)), None)


def strength_of(one: Candidate) -> float:
    """How sure it is that a sentence which no other rule refuses answers the question, from 0 to 1."""
    asked, is_moved = one.question, one.tells_of_move
    strength = 0.5 * max(one.own_share, MOVED * is_moved) + 0.4 * one.share
    strength -= HEDGE if not is_moved and _HEDGED.search(one.said, 0, one.value_at) else 0.0
    strength -= OVER if asked.is_of_now and is_over(one.said) else 0.0
    strength -= OVER if asked.kind == "count" and not is_of_months(asked.text, one.said) else 0.0
    return strength + AS_ASKED * said_alike(asked.low, one.said)


def said_alike(low: str, text: str) -> float:
    """How many neighbouring words of a question, small ones too, are neighbours in a sentence, from 0 to 1."""
    asked = set(pairwise(re.findall(r"\w+", low)))
    return len(asked & set(pairwise(re.findall(r"\w+", text.casefold())))) / max(1, len(asked))


# ---------------------------------------------------------------- what is no sentence about the thing


def is_front_matter(one: Candidate) -> bool:
    return one.passage.start < one.question.front_matter


def is_of_its_page(one: Candidate) -> bool:
    return tells_of_its_page(one.question.low, one.passage.text)


def is_no_sentence(one: Candidate) -> bool:
    kind = one.passage.kind
    return not (kind in ("text", "item") or (kind == "heading" and one.question.kind == "count"))


def is_field(one: Candidate) -> bool:
    return any(first <= one.passage.start < last for first, last in one.question.facts)


_ASKS = re.compile(  # in a chat, without a mark: "[09:31] Nuala: what do I tell them"
    r"\W*(?:\d{1,2}:\d\d\W+)?[\w .'’-]{1,30}: (?:what|who|when|where|why|how|which) (?:do|does|did|are|should|shall|can|could|would|will) \w+ \w",
    re.IGNORECASE,
)


def asks_or_leads_up(one: Candidate) -> bool:
    return one.passage.text.endswith(("?", ":")) or _ASKS.match(one.passage.text) is not None


def is_code(one: Candidate) -> bool:
    return len(_CODE.findall(_IN_TICKS.sub("", one.passage.text))) >= MOST_CODE


# ---------------------------------------------------------------- what lacks a word, or the value that is asked for


def names_it_in_passing(one: Candidate) -> bool:
    """One word in passing says little; one that a sentence begins with is its subject."""
    needed, passage = one.question.needed, one.passage
    return len(needed) < FEWEST_WORDS and (not _begins(needed[0], passage) or _IS_BESIDE.match(passage.text) is not None)


def is_of_any_such_thing(one: Candidate) -> bool:
    """ "Where is the key" may mean any key."""
    asked = one.question
    is_of_one = len(asked.needed) < FEWEST_WORDS and _ASKS_OF_ONE.match(asked.low) is not None
    return is_of_one and not _is_name(asked.needed[0], asked.leaf)


def lacks_telling_word(one: Candidate) -> bool:
    return not all(re.search(rf"\b{word}", one.with_heading) for word in one.question.telling)


def tells_of_doing_it(one: Candidate) -> bool:
    """ "Set it in ..." says nothing of settings."""
    return any(noun not in one.with_heading for noun in one.question.doings)


def lacks_value(one: Candidate) -> bool:
    return one.value is None


def leaves_words_to_heading(one: Candidate) -> bool:
    return one.question.kind in PLAIN and one.own_share < 1.0


def has_words_apart(one: Candidate) -> bool:
    return one.question.kind in PLAIN and not _stand_close(one.question.needed, one.passage)


def says_more_than_asked(one: Candidate) -> bool:
    """Few words are found together in many a sentence: with so few it has to say just what is asked."""
    asked = one.question
    return asked.kind in PLAIN and len(asked.needed) < FEWEST_PLAIN and not _is_all(asked.low, asked.needed, one.passage)


# ---------------------------------------------------------------- what is so of some, once, or of another


def is_of_some(one: Candidate) -> bool:
    before = _ASIDE.sub(" ", one.said[: one.value or len(one.said)])
    return _SOME.search(before) is not None and _SOME.search(one.question.low) is None


_OF_ONE_NAMED = re.compile(
    r"(?:[^:\n]{0,60} wrote on \d{4}-\d\d-\d\d: )?\W{0,4}(?:For|At|In|With) (?P<name>[A-ZÀ-Þ][\w'’-]{2,30})(?= )(?! \d)"
)


def is_exception(one: Candidate) -> bool:
    """ "For Friesland text codes go on until September" is of one that the question does not name."""
    named = _OF_ONE_NAMED.match(one.passage.text)
    return (
        named is not None
        and one.question.kind in ("when", "count", "yes_no")
        and not re.match(rf"{MONTH}\Z", named["name"])
        and not set(terms(named["name"]))
        & {part for word in one.question.needed for part in (word.whole, *word.parts, *word.others)}
    )


_CARRIED = re.compile(r"\b(?:carr(?:y|ied|ies)|roll(?:ed|s)?|hand(?:ed)?|tak(?:e|en)) (?:over|forward)\b")
_MOVES_ON = re.compile(r"\b(?:carr\w+|roll\w*|transfer\w*|hand\w*|t(?:ake|aken|ook|akes)|mov\w+|keep|kept|übertrag\w*)\b")


def does_not_carry_over(one: Candidate) -> bool:
    """ "How many days can be carried over?": not how many more can be bought."""
    return _CARRIED.search(one.question.low) is not None and _MOVES_ON.search(one.with_heading) is None


def says_much_else(one: Candidate) -> bool:
    """What says much else as well may be of another case."""
    return one.question.kind == "yes_no" and len(one.terms.difference(one.question.terms)) > MOST_ELSE


def is_of_other_case(one: Candidate) -> bool:
    return one.question.kind == "yes_no" and not has_same_case(one.question.low, one.said)


def was_so_once(one: Candidate) -> bool:
    """ "Before version 7 ... were" says nothing of now."""
    asked = one.question
    return asked.kind in PLAIN and _ONCE.match(one.said) is not None and _ONCE.search(asked.low) is None


def is_of_two_things(one: Candidate) -> bool:
    """Which of two things is said of which of two others, "respectively", no form tells."""
    return "respectively" in one.said.casefold() and "respectively" not in one.question.low


_CAME = re.compile(
    r"\W*(?:in attendance|present|attendees|attendance|participants|also present|there|here|guests?|apologies|excused|absent|on the call|anwesend\w*|teilnehm\w+|entschuldigt|dabei|gäste|présents?|présentes?|excusé\w*)\b[^:\n]{0,20}:",
    re.IGNORECASE,
)
_ASKS_WHO_CAME = re.compile(r"\b(?:present|attend\w*|came|there|absent|missing|guests?|excused|anwesend|dabei|présent\w*)\b")


def lists_who_came(one: Candidate) -> bool:
    """Who was at a meeting says nothing of who does what."""
    asked = one.question
    return asked.kind == "who" and _CAME.match(one.passage.text) is not None and _ASKS_WHO_CAME.search(asked.low) is None


_ASKS_PREDECESSOR = re.compile(
    r"\bwho\b.{0,60}\b(?:job|role|post|position|place|work)\b.{0,30}\bbefore\b|\bwho (?:was|had|did|ran|led|held|owned)\b.{0,60}\bbefore (?:him|her|them|[a-z'’-]+(?: [a-z'’-]+)?)\W*\Z|\bpredecessor\b"
)
_SAYS_PREDECESSOR = re.compile(
    r"\bbefore (?:him|her|them|that)\b|\bfollow(?:s|ed)\b|\bsucce\w+|\btook over from\b|\bformer(?:ly)?\b|\bprevious(?:ly)?\b|\bpredecess\w+|\bused to\b|\bno longer\b"
    r"|\buntil\b[^.;]{0,40}\b(?:was|were|had|did|led|ran)\b|\b(?:was|were|had|did|led|ran|owned)\b[^.;]{0,60}\b(?:until|before)\b|\bvor (?:ihm|ihr)\b",
    re.IGNORECASE,
)
_ASKS_FOR_WHOM = re.compile(
    r"\bwho(?:['’]?s| is)? (?:currently |now )?(?P<does>covers?|covering|stands? in|standing in|fills? in|filling in|steps in|deputi[sz]es|deputi[sz]ing) for (?P<whom>[a-z][\w'’-]+(?: [a-z][\w'’-]+)?)"
)
_STANDS_IN = r"\b(?:covers?|covering|stands? in|standing in|fills? in|filling in|steps in|deputi[sz]es|deputi[sz]ing)\b"


def says_who_came_after(one: Candidate) -> bool:
    """Whose job it was before is said outright: that somebody has it until a day says who has it."""
    asked = one.question
    return asked.kind == "who" and _ASKS_PREDECESSOR.search(asked.low) is not None and _SAYS_PREDECESSOR.search(one.said) is None


def stands_in_for_another(one: Candidate) -> bool:
    """ "Who covers for Ida?": not whom Ida covers for."""
    match = _ASKS_FOR_WHOM.search(one.question.low)
    if match is None:
        return False
    said, whom = one.said.casefold(), re.escape(match["whom"].split()[0])
    covered = re.search(rf"{_STANDS_IN}[^.;]{{0,30}}\b{whom}\b", said)
    return covered is None and re.search(rf"\b{whom}\b[^.;]{{0,60}}{_STANDS_IN}", said) is not None


_LEADING = r"(?:leads?|runs?|heads?|manages?|owns?|chairs?|maintains?)"
_ASKS_LEADS = re.compile(rf"\bwho (?:else )?{_LEADING} (?:the |our )?(?P<what>[^?]{{2,60}})")
_LEADS_WHAT = re.compile(rf"\b{_LEADING} (?:the |our |an? )?(?P<what>[\w-]+(?: [\w-]+)?)", re.IGNORECASE)


def leads_something_else(one: Candidate) -> bool:
    """ "Who leads the quay?": on a page about the quay, whoever leads the choir does not."""
    asked, said = _ASKS_LEADS.search(one.question.low), _LEADS_WHAT.search(one.said)
    return (
        asked is not None
        and said is not None
        and set(terms(asked["what"])).isdisjoint(terms(said["what"]))
        and not _ITS.match(said["what"])
    )


_ITS = re.compile(r"(?:it|them|this|that|both|all)\b", re.IGNORECASE)
_STOPS = re.compile(r"(?<=[\w)])[.!?;] +(?=\S)")


def has_value_elsewhere(one: Candidate) -> bool:
    """In notes without capitals many sentences are read as one: the value has to stand in one with a word of the question, or in
    that behind it."""
    if one.question.kind not in ("when", "count", "who", "where"):
        return False
    cuts = [0, *(match.end() for match in _STOPS.finditer(one.written)), len(one.written)]
    at = next((number for number, (start, end) in enumerate(pairwise(cuts)) if start <= one.value_at < end), 0)
    near = frozenset(terms(one.written[cuts[max(0, at - 1)] : cuts[min(at + 1, len(cuts) - 1)]]))
    return len(cuts) > MOST_STOPS and not any(word.is_in(near) for word in one.question.needed)


_MESSAGE = re.compile(
    r"\[\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?\.?,? \d{1,2}[:.]\d\d(?::\d\d)?\]"
)  # when a line of a chat was written


def is_several_messages(one: Candidate) -> bool:
    """Lines of a chat that follow each other are of different people and things."""
    return len(_MESSAGE.findall(one.written)) > 1


_TO_SOMETHING = re.compile(r"\b(?:it|that|this|them|those)\W*\Z")


def leaves_thing_unsaid(one: Candidate) -> bool:
    """ "How much did we lose by that?": one word of what was done is no word of what it was."""
    return len(one.question.needed) < FEWEST_WORDS and _TO_SOMETHING.search(one.question.low) is not None


_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATES_AND_DAYS = re.compile(rf"\b(?:{MONTH}|\d{{1,4}}|{_WEEKDAY}s?)\b", re.IGNORECASE)
_LABELLED = re.compile(r"\W*(?P<label>[^:\n]{3,60}): (?=\D)")
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|will|moves?|moved|starts?|ends?|begins?|goes|comes?|has|have|stays?|wurde|wird|ist|est|sera)\b"
)


def says_it_of_what_follows(one: Candidate) -> bool:
    """ "Harbour meeting: the crane moves on 4 May" says when the crane moves; of the meeting only the label is."""
    label = _LABELLED.match(one.said) if one.question.kind == "when" else None
    if label is None or one.value_at < label.end() or not _CLAUSE.search(one.said, label.end(), one.value_at):
        return False
    own = frozenset(terms(one.said[label.end() :]))
    return not any(word.is_in(own) for word in _undated(one.question))


_EACH_WEEKDAY = re.compile(rf"\b{_WEEKDAY}s\b|\bon an? {_WEEKDAY}\b")
_ONE_WEEKDAY = re.compile(rf"\b{_WEEKDAY},? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?(?:{MONTH})\b", re.IGNORECASE)


def is_of_one_day(one: Candidate) -> bool:
    """ "When do we open on Saturdays?": not what was open on Saturday 18 July."""
    return _EACH_WEEKDAY.search(one.question.low) is not None and _ONE_WEEKDAY.search(one.said) is not None


def has_only_the_time(one: Candidate) -> bool:
    """Below a heading on opening hours, "Puppy hour: second Saturday" says nothing of when it is open on Saturdays."""
    if one.question.kind != "when":
        return False
    others = _undated(one.question)
    return 0 < len(others) < len(one.question.needed) and not any(word.is_in(one.terms) for word in others)


_KIND_LABEL = re.compile(r"\W{0,4}(?P<kind>[\w-]+(?: [\w-]+)?) (?P<thing>[\w-]+): ")


def is_of_one_kind(one: Candidate) -> bool:
    """ "Baroque bows: they cost 80 EUR" says nothing of bows."""
    label = _KIND_LABEL.match(one.said) if one.question.kind in ("when", "count") else None
    if label is None or label.end() > one.value_at:
        return False
    kind = terms(label["kind"])
    is_asked = any(word.is_in(frozenset(terms(label["thing"]))) for word in one.question.needed)
    return is_asked and bool(kind) and one.question.terms.isdisjoint(kind)


_EACH = re.compile(r"\b(?:per|for each|for every|by each)\b")


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


_IS_WHO = re.compile(r"\W*who(?:['’]s| is| are) ")
_DOES_WHO = re.compile(r"\W*who(?:['’]s| (?!was\b|has\b)[a-z]+s\b| are\b| can\b)")
_THAT_DAY = re.compile(
    r"\b(?:on )?that (?:day|night|morning|evening|week)\b|\ban dem (?:tag|abend)\b|\bce jour-là\b", re.IGNORECASE
)
_WAS = re.compile(r"\b(?:was|were|had been|used to)\b(?! (?:made|given|appointed|named|elected|chosen|asked)\b)")


def was_so_until(one: Candidate) -> bool:
    """ "Until 4 May the gate was closed"; of who is something, also what only says who was: "The keys were with Ida to 4 May"."""
    if _DOES_WHO.match(one.question.low) and _THAT_DAY.search(one.said):
        return True  # who drove it on one day does not say who drives it
    is_past = one.question.kind == "who" and _IS_WHO.match(one.question.low) and _WAS.search(one.said, 0, one.value_at)
    return one.question.is_of_now and (was_until(one.said) or bool(is_past))


def is_of_something_else(one: Candidate) -> bool:
    asked = one.question
    return is_of_other(asked.low, asked.analysis, asked.needed, one.said, one.value_at)


def does_not_say_whether(one: Candidate) -> bool:
    return not says_whether(one.question.low, one.line)


def is_comparison(one: Candidate) -> bool:
    return only_compares(one.question.low, one.line)


def is_part_of_example(one: Candidate) -> bool:
    return is_of_example(one.question.low, one.question.found, one.at)


def does_not_say_most(one: Candidate) -> bool:
    return not tells_first_of_all(one.question.low, f"{one.line} {one.passage.heading}")


def is_contested(one: Candidate) -> bool:
    """Whether another sentence has nearly all words of a question for one thing, and names another: then no form tells which it is."""
    asked, passage = one.question, one.passage
    if asked.kind not in PLAIN or word_of(asked.low) not in ("what", "which"):
        return False
    mine = set(NAMED.findall(passage.text))
    return any(
        other is not passage and other.kind in ("text", "item") and share_of(asked.needed, other.distinct) >= CONTESTED
        and any(name not in mine and name.casefold() not in asked.low for name in NAMED.findall(other.text))
        for other in asked.found
    )  # fmt: skip


def leaves_most_to_heading(one: Candidate) -> bool:
    return one.own_share < OWN_WORDS and not one.tells_of_move


# ---------------------------------------------------------------- where, who, why


def says_where_other_is(one: Candidate) -> bool:
    asked = one.question
    if asked.kind != "where" or one.tells_of_move:
        return False
    return not any(word.is_in(one.passage.terms[:OPENING]) for word in asked.needed)


def names_one_of_several_places(one: Candidate) -> bool:
    """One of several places, or one that a sentence on something else names."""
    asked = one.question
    is_any = asked.kind == "where" and _SOMEWHERE.match(asked.low) is not None
    return is_any and (one.passage.kind == "item" or _IN_CASE.search(asked.low) is not None)


def leaves_place_to_heading(one: Candidate) -> bool:
    """Of two words both have to be said: what a page on logs says is written somewhere need not be logs."""
    asked = one.question
    return asked.kind == "where" and len(asked.needed) <= FEWEST_WORDS and one.own_share < 1.0 and not one.tells_of_move


def does_not_say_who(one: Candidate) -> bool:
    """That a heading farther up has the word for the role says nothing of who has it."""
    asked = one.question
    return asked.kind == "who" and not asked.role <= one.terms.union(terms(one.passage.heading))


def is_of_page_on_two(one: Candidate) -> bool:
    """What a sentence leaves to the title of its page, "Quay and crane", it may say of the other."""
    asked = one.question
    if asked.kind != "who" or one.own_share >= 1.0:
        return False
    left = frozenset(word.whole for word in asked.needed if not word.is_in(one.terms))
    return is_half_named(asked.leaf.heading[0] if asked.leaf.heading else "", left)


_PARTICLE = re.compile(r"(?<=\w )(?:van|von|de|der|la|le)(?= [A-ZÀ-Þ])")


def has_word_only_in_name(one: Candidate) -> bool:
    """ "Who runs the vans?": not what Pieter van Aalst does."""
    in_names = set(_PARTICLE.findall(one.said))
    said = set(terms(_PARTICLE.sub(" ", one.said))) | set(terms(one.passage.heading)) if in_names else set()
    return bool(in_names) and any(word.whole in in_names and not word.is_in(said) for word in one.question.needed)


def says_who_does_other(one: Candidate) -> bool:
    return one.question.kind == "who" and not _does_it(one.question.needed, one.terms, one.said, one.value_at)


def gives_other_reason(one: Candidate) -> bool:
    return one.question.kind == "why" and not is_of_purpose(one.question.needed, one.said)


_DENIED = re.compile(
    r"\A\W*why (?!not\b)[^?\n]{0,200}(?:\bnot\b|n['\u2019]?t\b)"
)  # "why was it not bought", and not "why not that one"
_NOT_BECAUSE = re.compile(r"\b(?:not|n['’]t|never)\b[^.,;:]{0,60}\bbecause\b", re.IGNORECASE)


def denies_a_reason(one: Candidate) -> bool:
    """ "It was not rejected because it is bad." may deny either; with a comma it gives the reason."""
    is_denied = _DENIED.search(one.question.low) is not None
    return one.question.kind == "why" and not is_denied and _NOT_BECAUSE.search(one.said) is not None


# ---------------------------------------------------------------- what more is said
_FROM_TO = re.compile(r"\bfrom (?:when|which day|what day)\b.{0,40}\b(?:to|until|till)\b|\bbetween which\b")
_HOW_MUCH = re.compile(r"\bhow (?:many|much|long|often|big|large|high|old)\b|\bnumber of\b")
_TO_TICKET = re.compile(r"[-–—:,(]\s*(?:see\s+)?[A-Z][A-Z0-9]{1,9}-\d{1,6}\W*\Z")


_APART = re.compile(
    r"\((?:not|unlike|except|instead of)\b[^()\n]{1,80}\)|\b(?:unlike|other than|different from|in contrast to) [^,.;()\n]{1,40}",
    re.IGNORECASE,
)
_IN_MONTH = re.compile(rf"\b(?:in|during|from|since|last|of) (?:early |late |mid[- ]?)?(?P<month>{MONTH})(?! \d)", re.IGNORECASE)
_MONTH_SAID = re.compile(rf"(?<![\w])(?=[A-Z])(?:{MONTH})(?= \d|\b(?! (?:be|have|not|also|do|I|we|you)\b))")
_STAMPED = re.compile(r"\W{0,4}\d{1,2}[:.]\d\d\b")
_LONGEST_STAMP = 8  # characters
_WANTED = re.compile(r"\b(?:wants?|wanted|would like|(?:asks?|asked) for|demands?|demanded|requests?|requested)\b", re.IGNORECASE)
_HOW_LONG_KEPT = re.compile(
    r"\bhow long\b(?: \w+){1,3}? (?:keep|store|retain|hold on to|save)\b|\bhow long\b.{1,60}\b(?:kept|stored|retained|saved|archived)\b"
)
_KEPT = re.compile(
    r"\b(?:keep|keeps|kept|keeping|stor\w+|retain\w*|retention|delet\w+|remov\w+|archiv\w+|purg\w+|destroy\w*|dispos\w+|eras\w+|sav(?:e|es|ed|ing)|thrown? away|aufbewahr\w*|gelöscht|löschen|conserv\w+|supprim\w+)\b"
)
_BOLD_ITEM = re.compile(r"[ \t]*[-*+] [*_]{2}(?P<thing>[^*_\n]{2,60})[*_]{2}")
_LABEL_FIRST = re.compile(r"[A-Z][\w /-]{1,30}: ")


def lacks_an_end(one: Candidate) -> bool:
    return _FROM_TO.search(one.question.low) is not None and len(DATE.findall(one.said)) < 2


def leaves_it_to_a_ticket(one: Candidate) -> bool:
    """What was to be done stands in an item that ends with the ticket for it: there it may have become something else."""
    return one.passage.kind == "item" and _TO_TICKET.search(one.passage.text) is not None


def names_it_to_tell_it_apart(one: Candidate) -> bool:
    """Whether a word of the question stands only where something else is told apart from it: "78 litres (not 220, that is for Gemsli)"."""
    if (left := _APART.sub(" ", one.said)) == one.said:
        return False
    around = {*terms(left), *terms(one.passage.heading), *one.question.title_terms}
    return any(word.is_in(one.terms) and not word.is_in(around) for word in one.question.needed)


def is_of_other_month(one: Candidate) -> bool:
    """Whether a month is asked about, and the sentence was said in another, or says a day of another alone."""
    months = {number_of(match["month"]) for match in _IN_MONTH.finditer(one.question.text)}
    if not months:
        return False
    said = {day.month for day in days(f"{one.said} {one.passage.heading}")}
    said |= {number_of(match.group()) for match in _MONTH_SAID.finditer(f"{one.said} {one.passage.heading}")}
    author = written_by(one.question.leaf, one.passage.start)
    told = said or ({int(author[1][5:7])} if author is not None else set())
    return bool(told) and months.isdisjoint(told)


def has_only_a_stamp(one: Candidate) -> bool:
    """Whether the time that it has is when the line of a log happened, "07:31 newsletter goes out", which has not all that is asked."""
    is_stamped = one.question.kind == "when" and _STAMPED.match(one.said) is not None and one.value_at < _LONGEST_STAMP
    return is_stamped and one.own_share < ALL_WORDS


def is_only_wanted(one: Candidate) -> bool:
    """Whether somebody wants it so, "they want a credit of 5 %", and how it is is asked."""
    return _WANTED.search(one.said, 0, one.value_at) is not None and _WANTED.search(one.question.low) is None


def has_number_apart(one: Candidate) -> bool:
    """Whether a thing is asked about by a word and its number, "KR 4", and the number stands elsewhere: "KR 1: 3 hours (now 4)"."""
    there = f"{one.said} {one.passage.heading} {' '.join(one.question.leaf.heading)}"
    return any(thing.number_stands_in(there) and not thing.stands_in(there) for thing in numbered_things(one.question.text))


def does_not_say_how_long_kept(one: Candidate) -> bool:
    """Whether it is asked how long something is kept, and no word here is of keeping or deleting."""
    return _HOW_LONG_KEPT.search(one.question.low) is not None and _KEPT.search(one.with_heading) is None


def is_of_its_item(one: Candidate) -> bool:
    """Whether a label stands in an item that begins with something else in bold: "- **prod-eu**: Frankfurt. Owner: Jane Doe"."""
    text, start = one.question.leaf.text, one.passage.start
    thing = _BOLD_ITEM.match(text, text.rfind("\n", 0, start) + 1, start) if _LABEL_FIRST.match(one.passage.text) else None
    return thing is not None and one.question.terms.isdisjoint(terms(thing["thing"]))


def was_said_otherwise_later(one: Candidate) -> bool:
    """Whether a later comment names another day, or another number: "New date: 31 January", and months later "31 March"."""
    asked = one.question
    form = DATE if asked.kind == "when" else NUMBER_OF_WHAT if _HOW_MUCH.search(asked.low) else None
    if form is None:
        return False
    day, mine = _commented(asked.leaf, one.passage.start), set(form.findall(one.said))
    return any(
        _commented(asked.leaf, other.start) > day and _differs(mine, other.text, form)
        for other in asked.found
        if other.start > one.passage.start
        and other.kind in ("text", "item")
        and (asked.kind == "when" or any(word.is_in(other.distinct) for word in asked.needed))
    )


def _differs(mine: set[str], said: str, form: re.Pattern[str]) -> bool:
    """Whether a sentence has other values of a form, or says that another has taken the place of one of these."""
    others = set(form.findall(said))
    return bool(others) and (not mine & others or any(is_replaced(value, said) for value in mine))


def _commented(leaf: LeafText, start: int) -> str:
    """The day of the comment that stands there; empty for what is none, as the description above them."""
    by = written_by(leaf, start)
    return by[1] if by is not None else ""


# ---------------------------------------------------------------- what says it otherwise


def lacks_turn(one: Candidate) -> bool:
    return not turns(one.question.low, one.said)


def leaves_choice_open(one: Candidate) -> bool:
    return not decides(one.question.low, one.said)


def is_unrelated(one: Candidate) -> bool:
    asked = one.question
    return not (one.tells_of_move or is_related(asked.low, asked.kind, asked.needed, one.said, one.value_at))


def is_unsure(one: Candidate) -> bool:
    return strength_of(one) < LEAST_STRENGTH


RULES = (
    Rule(is_front_matter, "stands in the settings at the top of its file"),
    Rule(is_of_its_page, "says what its page is for"),
    Rule(is_no_sentence, "is a row of a table, a heading or code, and no sentence"),
    Rule(is_field, "is a field, a link or a change of a ticket"),
    Rule(asks_or_leads_up, "is a question, or leads up to what stands below it"),
    Rule(is_code, "is mostly code"),
    Rule(names_it_in_passing, "does not begin with what is asked about"),
    Rule(is_of_any_such_thing, "does not say which one it means"),
    Rule(lacks_telling_word, "lacks a word that is asked for", is_near_miss=False),
    Rule(tells_of_doing_it, "tells of doing it, and not of the thing that is called so"),
    Rule(lacks_value, "does not have what is asked for", is_near_miss=False),
    Rule(leaves_words_to_heading, "leaves words of the question to the heading above it", is_near_miss=False),
    Rule(has_words_apart, "has the words of the question far apart"),
    Rule(says_more_than_asked, "says more than what is asked"),
    Rule(is_of_some, "says it of some of them only"),
    Rule(is_exception, "says it of one that is not asked about"),
    Rule(does_not_carry_over, "does not say what is carried over"),
    Rule(says_much_else, "says much else as well"),
    Rule(is_of_other_case, "says it of another case"),
    Rule(was_so_once, "says what was so once"),
    Rule(is_of_two_things, "says it of several things at once"),
    Rule(lists_who_came, "lists who was at a meeting"),
    Rule(says_who_came_after, "does not say who it was before"),
    Rule(stands_in_for_another, "says for whom somebody stands in, and not who stands in for them"),
    Rule(has_value_elsewhere, "says that in another part, and of something else"),
    Rule(is_several_messages, "is several messages of a chat"),
    Rule(leaves_thing_unsaid, "does not say what “it” or “that” is"),
    Rule(says_it_of_what_follows, "says when something else is, below the label that is asked about"),
    Rule(is_of_one_day, "is of one day, and what is so on each is asked for"),
    Rule(has_only_the_time, "has of the question no more than its day"),
    Rule(is_of_one_kind, "says it of one kind of them only"),
    Rule(is_of_no_group, "does not say it of each, one by one"),
    Rule(gives_one_of_several_reasons, "gives one reason, and several are asked for"),
    Rule(was_so_until, "says what was so until a day"),
    Rule(is_of_something_else, "says it of something else"),
    Rule(does_not_say_whether, "does not say whether it may be done"),
    Rule(is_comparison, "only compares"),
    Rule(is_part_of_example, "is part of an example"),
    Rule(does_not_say_most, "does not say which is the most, the oldest or the like"),
    Rule(is_contested, "says one thing, and another sentence says a different one"),
    Rule(leaves_most_to_heading, "leaves most words of the question to the headings above it", is_near_miss=False),
    Rule(says_where_other_is, "says where something else is"),
    Rule(names_one_of_several_places, "names one of several places"),
    Rule(leaves_place_to_heading, "leaves a word of the question to the headings above it", is_near_miss=False),
    Rule(does_not_say_who, "does not say who has that role"),
    Rule(is_of_page_on_two, "stands on a page about two things, and may be about the other"),
    Rule(has_word_only_in_name, "has a word of the question only in somebody's name"),
    Rule(says_who_does_other, "says who does something else"),
    Rule(leads_something_else, "says who leads something else"),
    Rule(gives_other_reason, "gives the reason for something else"),
    Rule(denies_a_reason, "says what the reason is not"),
    Rule(lacks_an_end, "does not say from when and until when"),
    Rule(leaves_it_to_a_ticket, "leaves it to a ticket"),
    Rule(names_it_to_tell_it_apart, "names it only to tell something else apart from it"),
    Rule(is_of_other_month, "says it of another month"),
    Rule(has_only_a_stamp, "has only the time at which something else happened"),
    Rule(is_only_wanted, "says what somebody wants"),
    Rule(has_number_apart, "has the number of something else"),
    Rule(does_not_say_how_long_kept, "does not say how long something is kept"),
    Rule(is_of_its_item, "says it of what its item begins with"),
    Rule(was_said_otherwise_later, "is followed by a later comment that says otherwise"),
    Rule(lacks_turn, "lacks the “not”, “before” or “only” that is asked for"),
    Rule(leaves_choice_open, "does not decide between the two"),
    Rule(is_unrelated, "says something else in the same words, or only on a condition"),
    Rule(is_unsure, "does not say it for sure, or says it of another time"),
)


# ---------------------------------------------------------------- what the rules look for


def _begins(word: Word, passage: Passage) -> bool:
    """Whether a sentence begins with a word, a label such as "Decision:" aside."""
    first = [passage.terms[:1], terms(passage.text.partition(":")[2])[:1] if ":" in passage.text[:LONGEST_LABEL] else []]
    return any(one and word.is_in({one[0]}) for one in first)


def _is_name(word: Word, leaf: LeafText) -> bool:
    """Whether a word stands with a capital or a figure within sentences, and never without."""
    found = list(re.finditer(rf"(?<![\w-]){re.escape(word.whole)}\w*", leaf.text, re.IGNORECASE))
    written = [match.group() for match in found]
    if any(any(map(str.isdigit, one)) or "_" in one for one in written):
        return True
    return all(one[0].isupper() for one in written) and any(leaf.text[: match.start()].endswith(_INSIDE) for match in found)


def _undated(question: LeafQuestion) -> list[Word]:
    """The words of a question that are no days, months or years."""
    dated = frozenset(terms(" ".join(_DATES_AND_DAYS.findall(question.low))))
    return [word for word in question.needed if word.whole not in dated]


def _stand_close(needed: Sequence[Word], passage: Passage) -> bool:
    """Whether the words of a question stand in one part of a sentence, with as many others between them at most."""
    places = [at for at, term in enumerate(passage.terms) if any(word.is_in({term}) for word in needed)]
    return bool(places) and places[-1] - places[0] < 2 * len(needed) + MOST_BETWEEN


def _is_all(low: str, needed: Sequence[Word], passage: Passage) -> bool:
    """Whether a sentence says of its subject hardly more than what a question asks with "is": "Queues are persistent by default."."""
    asked = _IS_SO.match(low)
    few = len(passage.distinct) <= len(needed) + MOST_BETWEEN
    return (
        asked is not None and len(needed) >= FEWEST_WORDS and few and _begins(needed[0], passage)
        and re.search(rf"\b(?:is|are)(?: \w+){{0,2}} {re.escape(asked['so'])}\b", passage.text.casefold()) is not None
    )  # fmt: skip


def _does_it(needed: Sequence[Word], own: frozenset[str], said: str, value: int) -> bool:
    """Whether another verb than the one asked for, "runs" for "maintains", stands right beside the name: what runs on a server
    maintains nothing."""
    name = _NAME_AT.match(said, value)
    after, before = terms(said[name.end() if name else value :])[:MOST_TO_NAME], terms(said[:value])[-MOST_TO_NAME:]
    beside = {*after, *before}
    return all(
        word.whole in own or any(part in own for part in word.parts) or not word.is_in(own) or word.is_in(beside)
        for word in needed
    )
