"""Sentences that lack a word of the question or the value asked for, have it apart, or leave it to a heading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from prompts.extractive.candidates import FEWEST_WORDS, PLAIN, TYPED, Candidate
from prompts.extractive.passages import Passage
from prompts.extractive.relations import decides, is_related, turns
from prompts.language import terms
from prompts.months import MONTH, WEEKDAY
from prompts.question import Word
from prompts.records import LeafText
from prompts.regex import regex

FEWEST_PLAIN = 3
OWN_WORDS = 0.4  # of the question's weight in the sentence itself
MOST_BETWEEN = 3  # further words between those of the question
MOST_STOPS = 3  # parts of what is read as one sentence
LONGEST_LABEL = 24  # characters before the colon of a label that a sentence begins with


_IS_BESIDE = regex(
    r"\W*(?:after|before|until|till|when|while|whenever|if|during|without|with|from|since|for|besides?|unlike|instead|once|as soon|apart)\b",
    re.IGNORECASE,
)
_IS_SO = regex(r"\W*(?:is|are) .{2,80}? (?P<so>[\w-]+)\W*\Z")
_ASKS_OF_ONE = regex(
    r"\W*(?:(?:from|since|until|till|by|at|to|for) )?(?:who|whom|when|where|how (?:long|often|frequently|many|old|far))\b"
)
_INSIDE = tuple(
    f"{letter} " for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,;("
)  # what stands before a word within a sentence


def names_it_in_passing(one: Candidate) -> bool:
    """One word in passing says little; one that a sentence begins with is its subject."""
    needed, passage = one.question.needed, one.passage
    return (
        len(needed) < FEWEST_WORDS and one.identity is None and (not _begins(needed[0], passage) or begins_beside(passage.text))
    )


def begins_beside(text: str) -> bool:
    """Whether a sentence begins with what it only says when, or with what, something else is: "After a regatta there are ..."."""
    return _IS_BESIDE.match(text) is not None


def is_of_any_such_thing(one: Candidate) -> bool:
    """ "Where is the key" may mean any key."""
    asked = one.question
    is_of_one = len(asked.needed) < FEWEST_WORDS and _ASKS_OF_ONE.match(asked.low) is not None
    return is_of_one and one.identity is None and not _is_name(asked.needed[0], asked.leaf)


def lacks_telling_word(one: Candidate) -> bool:
    return not all(re.search(rf"\b{word}", one.with_heading) for word in one.question.telling)


def tells_of_doing_it(one: Candidate) -> bool:
    """ "Set it in ..." says nothing of settings."""
    return any(noun not in one.with_heading for noun in one.question.doings)


def lacks_value(one: Candidate) -> bool:
    return one.value is None


def leaves_words_to_heading(one: Candidate) -> bool:
    return one.question.kind in PLAIN and one.own_share < 1.0


def is_of_namesake(one: Candidate) -> bool:
    """ "The isolation room has 3 places" says nothing of the isolation ward, whatever the heading above it is."""
    if one.question.kind not in TYPED:
        return False
    asked, said = terms(one.question.low), one.said.casefold()
    missing = {word.whole for word in one.question.needed if not word.is_in(one.terms)}
    for first, second in pairwise(asked):
        if second in missing and first in one.terms:
            others = {match["next"] for match in _NEXT_WORD.finditer(said) if terms(match[0])[:1] == [first]}
            if others and not any(terms(other)[:1] in ([], [first]) for other in others):
                return True
    return False


def has_words_apart(one: Candidate) -> bool:
    return one.question.kind in PLAIN and not _stand_close(one.question.needed, one.passage)


def says_more_than_asked(one: Candidate) -> bool:
    """Few words are found together in many a sentence: with so few it has to say just what is asked."""
    asked = one.question
    return asked.kind in PLAIN and len(asked.needed) < FEWEST_PLAIN and not _is_all(asked.low, asked.needed, one.passage)


_NEXT_WORD = regex(r"\b[a-z][\w-]{2,30}(?= (?P<next>[a-z][\w-]{2,30})\b)")
_STOPS = regex(r"(?<=[\w)])[.!?;] +(?=\S)")


def has_value_elsewhere(one: Candidate) -> bool:
    """In notes without capitals many sentences are read as one: the value has to stand in one with a word of the question, or in
    that behind it."""
    if one.question.kind not in ("when", "count", "who", "where"):
        return False
    cuts = [0, *(match.end() for match in _STOPS.finditer(one.written)), len(one.written)]
    at = next((number for number, (start, end) in enumerate(pairwise(cuts)) if start <= one.value_at < end), 0)
    near = frozenset(terms(one.written[cuts[max(0, at - 1)] : cuts[min(at + 1, len(cuts) - 1)]]))
    return len(cuts) > MOST_STOPS and not any(word.is_in(near) for word in one.question.needed)


_TO_SOMETHING = regex(r"\b(?:it|that|this|them|those)\W*\Z")


def leaves_thing_unsaid(one: Candidate) -> bool:
    """ "How much did we lose by that?": one word of what was done is no word of what it was."""
    return len(one.question.needed) < FEWEST_WORDS and _TO_SOMETHING.search(one.question.low) is not None


_OF_IT = regex(r"\b\w{3,}s it\b(?! (?:is|was|will|would|can|may|has|to)\b)")  # "Ada runs it."


def says_it_of_it(one: Candidate) -> bool:
    """ "Ada runs it." below a heading, or in a paragraph, that names what is asked about: "it" may be something else in there."""
    return _OF_IT.search(one.said) is not None and not all(word.is_in(one.passage.distinct) for word in one.question.needed)


_PRONOUN = regex(r"\W*(?:it|they|he|she|this|that|these|those)\b", re.IGNORECASE)
_AS_ANOTHER = regex(
    r"\b(?:before|after|than|as|like|when) (?:the |our |an? )?[\w-]+ (?:does|do|did|is|are|has|have)\b", re.IGNORECASE
)


_THAN_THEN = regex(
    r"\b(?:than|compared (?:to|with)|against|up from|down from|as many as|as much as) (?:[\w.,]+ )?(?:in |for |during |of )?(?:the )?(?:year |season )?(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def _is_of_year_compared(one: Candidate) -> bool:
    """ "Thirteen rescues, two fewer than in 2025" is of another year than 2025."""
    compared = {match["year"] for match in _THAN_THEN.finditer(one.said)}
    rest = _THAN_THEN.sub(" ", one.said)
    return any(year in one.question.text and year not in rest for year in compared)


def is_only_compared(one: Candidate) -> bool:
    """ "It closes half an hour before the museum does" is of something else than the museum."""
    if _is_of_year_compared(one):
        return True
    if _PRONOUN.match(one.said) is None or (beside := _AS_ANOTHER.search(one.said)) is None:
        return False
    rest = frozenset(terms(f"{one.said[: beside.start()]} {one.said[beside.end() :]}"))
    there = frozenset(terms(beside.group()))
    return any(word.is_in(there) and not word.is_in(rest) for word in one.question.needed)


def leaves_most_to_heading(one: Candidate) -> bool:
    return one.own_share < OWN_WORDS and not one.tells_of_move


_WORDS = regex(r"[^\W\d_][\w-]*")
_ENTRY = regex(  # of a glossary; "Monday – Ida" and "4 May – harbour meeting" are none
    rf"\W*(?P<term>(?!{WEEKDAY})(?-i:[A-ZÀ-Þ])[^\W\d][\w'’/-]*(?: (?!{MONTH})[^\W\d][\w'’/-]*){{0,3}})[*_]{{0,3}} [–—-] (?=\S)",
    re.IGNORECASE,
)
_NAMED = frozenset(("count", "when", "where"))


def is_entry_on_other(one: Candidate) -> bool:
    """ "Shoulder weeks – the first two weeks of the season" says what these are, and not how long the season is."""
    entry = _ENTRY.match(one.passage.text) if one.question.kind in _NAMED else None
    return entry is not None and not set(terms(entry["term"])) <= one.question.terms


_COMPOUND = regex(
    r"\b(?:is|are|was|were) (?:the|our|a|an) (?P<first>[a-z]{2,20}) (?P<second>[a-z]{2,20})(?= (?:at|in|on|of|for|near|kept|stored|to)\b|\W*\Z)"
)


def has_parts_of_compound(one: Candidate) -> bool:
    """ "A key of each cabinet lies in the safe" does not say where the key safe is."""
    asked = _COMPOUND.search(one.question.low) if one.question.kind == "where" else None
    if asked is None:
        return False
    first, second = (set(terms(asked[name])) for name in ("first", "second"))
    said = [set(terms(word)) for word in _WORDS.findall(one.said)]
    has_both = any(first & word for word in said) and any(second & word for word in said)
    return bool(first and second) and has_both and not any(first & left and second & right for left, right in pairwise(said))


_THING_OF_NUMBER = regex(
    r"\b(?:is|are|was|were|do|does|did|can|may|must) (?:the|our|an?) (?P<first>[a-z]{3,20}) (?P<second>[a-z]{3,20})\b"
)


def has_half_of_compound(one: Candidate) -> bool:
    """ "Ten litres of water", on a page on the water tank, are not what that holds."""
    asked = _THING_OF_NUMBER.search(one.question.low) if one.question.kind == "count" else None
    if asked is None:
        return False
    first, second = (
        [word for word in one.question.needed if word.is_in(set(terms(asked[name])))] for name in ("first", "second")
    )
    return bool(first and second) and first[0].is_in(one.terms) and not second[0].is_in(one.terms)


_HOW_OFTEN = regex(r"\bhow (?:often|frequently)\b")

_HOW_MUCH_DONE = regex(r"\bhow much (?:is|are|was|were|did|do|does) [^?]{2,80} \w{3,}ed\W*\Z")  # "refunded"


_DONE_TO_IT = regex(  # what is done to something, or what that does, at the end of a question
    r"\b(?:is|are|was|were|be|been|gets?) [\w '’-]{2,60}? (?P<done>[a-z]{2,20}ed)\W*\Z"
    r"|\b(?:do|does|did) [\w '’-]{2,60}? (?P<does>hold|carry|weigh|contain|seat|sleep|earn|open|close|start|begin|end|finish|arrive|leave|meet|expire|run out|serve|train|sail)\W*\Z"
)


def leaves_doing_to_heading(one: Candidate) -> bool:
    """ "Rinse the glass three times", on a page on tests: how often is tested, it does not say. Nor, in a sentence on the sand of a filter,
    when that is backwashed."""
    asked = one.question
    is_of_doing = _HOW_OFTEN.search(asked.low) or _HOW_MUCH_DONE.search(asked.low)
    if is_of_doing is not None and not asked.needed[-1].is_in(one.terms):
        return True
    done = _DONE_TO_IT.search(asked.low)
    doing = set(terms(done["done"] or done["does"])) if done is not None and ":" not in one.said[:LONGEST_LABEL] else set[str]()
    return any(word.whole in doing and not word.is_in(one.terms) for word in asked.needed)


_IT_DOES = regex(r"\W{0,4}(?:It|They|This|These|He|She) (?!(?:is|are|was|were|takes?|lasts?|costs?)\b)[a-z]+s?\b")
_HOW_LARGE = regex(r"\bhow (?!many|often|frequently|much|long)[a-z]{3,10} (?:is|are|was|were|does|do|did)\b")


def is_size_of_it(one: Candidate) -> bool:
    """ "It makes vectors of passages and holds 125 MB" does not say how large a vector is."""
    return _HOW_LARGE.search(one.question.low) is not None and _IT_DOES.match(one.said) is not None


_BEFORE_IT = regex(  # what a sentence begins with that is of another time, or left out
    r"\W*(?P<by>after|before|during|besides|outside|unlike|without)\b (?P<what>(?:the |an? |our )?[\w'’-]+(?: [\w'’-]+)?)"
    r"(?:,| (?=(?:the|an?|our|we|you|they|it|there|each|every|all|no)\b))",
    re.IGNORECASE,
)


def is_only_before_it(one: Candidate) -> bool:
    """ "After probation the notice period is one month" does not say how long probation is."""
    lead = _BEFORE_IT.match(one.said) if one.question.kind in ("count", "when", "who") else None
    if lead is None or re.search(rf"\b{lead['by']}\b", one.question.low):
        return False
    said, rest = set(terms(lead["what"])), set(terms(one.said[lead.end() :]))
    return any(word.is_in(said) and not word.is_in(rest) for word in one.question.needed)


_NEXT_ONE = regex(
    r"\b(?:and|or|plus|sowie|et) (?:the |a |an |our )?[a-zà-ž][\w-]+ (?:for|of|in|at|costs?|takes?|lasts?|is|are|was|were|has|have)\b"
)


def says_it_of_next(one: Candidate) -> bool:
    """ "Training of four and maintenance for five years": how long the training is, it does not say."""
    if one.question.kind != "count" or one.value is None:
        return False
    before = one.said[: one.value_at]
    ends = [
        match.end()
        for match in _WORDS.finditer(before)
        if any(word.is_in(set(terms(match.group()))) for word in one.question.needed)
    ]
    return bool(ends) and _NEXT_ONE.search(before[ends[-1] :]) is not None


_OF_THESE = regex(r"\b(?:on|of|in|for|at|with|by|to|from|about) (?:these|those|them)\W*\Z", re.IGNORECASE)


def leaves_these_unsaid(one: Candidate) -> bool:
    """ "Lunch is paid on these.": which ones stands in the sentence before."""
    return _OF_THESE.search(one.said) is not None and _OF_THESE.search(one.question.low) is None


def lacks_turn(one: Candidate) -> bool:
    return not turns(one.question.low, one.said)


def leaves_choice_open(one: Candidate) -> bool:
    return not decides(one.question.low, one.said)


def is_unrelated(one: Candidate) -> bool:
    asked = one.question
    return not (one.tells_of_move or is_related(asked.low, asked.kind, asked.needed, one.said, one.value_at))


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
