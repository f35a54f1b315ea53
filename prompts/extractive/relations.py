"""Whether a sentence has the words of a question in the relation that is asked about, as far as their forms can tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from prompts.language import terms
from prompts.question import Kind, Word
from prompts.regex import regex

MOST_MORE = 3  # further words of a condition
LEAST_OF_MAIN = 0.8  # of the words of a question, common or not, in what a sentence says and not only in its condition

_TURNING = tuple(  # in a question, and then this or one of the others in a sentence that answers it
    tuple(regex(rf"\b(?:{words})\b") for words in group)
    for group in (
        (
            r"not|never|no|none|without|(?:is|are|was|were|do|does|did|can|could|should|must)n['’]t",
            r"nobody|nothing|neither|nor|only|cannot|refuse[sd]?|fail(?:s|ed)?",
        ),
        ("before|previously|formerly|earlier", "until|used to|was|were|had"),
        ("after|afterwards",),
        ("except|other than|besides",),
        ("first|initially|originally", "began|started|since"),
        (  # what was planned, and is not so any more
            r"should (?:\w+ ){0,4}have|(?:was|were) (?:\w+ ){0,4}(?:supposed|meant|scheduled|planned|due) to|had(?: \w+){0,4} planned",
            r"originally|at first|supposed|meant|planned|scheduled|was to|were to|should have|instead of|postponed|moved|moves|delayed",
        ),
        ("at least|minimum", "minimal|fewest|least"),
        ("at most|maximum", "maximal|most|up to|limit"),
        (
            r"must|mandatory|(?:is|are) required",
            r"shall|should|needs?|needed|requires?|(?:has|have|had) to|necessary|at least|always|only|cannot|may not",
        ),
        (
            r"\A\W*(?:do|does|is|are|must|will|has) .{0,40}\b(?:need|needed|required|necessary|mandatory|have to)",
            r"need\w*|requir\w+|must|mandatory|necessary|optional\w*|should|ha(?:s|ve) to|without|only",
        ),
        (
            r"\A\W*should (?:i|we|you|one|they|it|the)",
            r"should|must|recommend\w*|advis\w*|suggest\w*|ought|better|best|need to|do not|don['’]t|never|always|please|in doubt|encourage\w*|avoid|prefer\w*",
        ),
        (r"(?:is|are|be|was|were)(?: \w+){0,6}? (?:called|named)\W*\Z", r"called|names?|named|naming|known as|prefix\w*|titled?"),
        (
            "again|twice|repeatedly|once more|a second time",
            r"repeat\w*|already|same|further|additional|another|re-\w+|re[a-z]{4,}",
        ),
        ("more than one|multiple|several|two or more", "one|only|single|both|each|many|any number"),
        (
            r"(?:go(?:es|ing)?|went|gone) down|decreas\w+|cheaper|(?:get|gets|getting|got|is|are|was|were|been|be) (?:lowered|reduced|cut)",
            r"down|lower\w*|decreas\w*|cheaper|less|reduc\w*|cut|falls?|fell|drop\w*|shrink\w*|instead|from \d[^.;]{0,40} to \d",
        ),
        (
            r"(?:go(?:es|ing)?|went|gone) up|increas\w+|(?:get|gets|getting|got|is|are|was|were|been|be) raised",
            r"up|ris\w+|rose|increas\w*|rais\w*|higher|grows?|grew|more|instead|from \d[^.;]{0,40} to \d",
        ),
    )
)
_NO_THING = regex(r"\bno (?!longer\b|more\b|one\b|matter\b|idea\b)(?P<thing>[a-z]{3,30})\b")
_DENIES = regex(r"\b(?:not?|none|never|nothing|nobody|without|cannot|neither|nor|zero|missing|empty|lacks?)\b|n['’]t\b")
_CONDITION = regex(
    r"[^\w\n]{0,6}(?:if|when|whenever|once|unless|in case|as soon as|wenn|falls|sobald|si|lorsque)\b [^,;:]{3,200}[,:] ?",
    re.IGNORECASE,
)
_CONDITION_AFTER = regex(
    r"(?<=[\w`\"')]) (?:if|when|whenever|once(?! more| an? | per | every | each )|unless|in case|as soon as|wenn|falls|sobald) [^,;:.]{8,200}[.!]?\Z",
    re.IGNORECASE,
)
_ASKS_CONDITION = regex(r"\b(?:if|once|unless|in case|after|as soon as)\b|(?<=[\w,] )when\b", re.IGNORECASE)
_POINTS = regex(r"(?:then )?(?:it|they|he|she|this|these|es|sie|er|il|elle)\b", re.IGNORECASE)
_TARGET = regex(r"\]\([^()\s]{1,300}(?: \"[^\"\n]{0,80}\")?\)|\]\[[^\[\]\n]{0,80}\]")
_DOER = regex(r"\b([a-z]{3,30}?)(?:[eo]rs?)\b")
_NO_DOER = frozenset(
    "numb ord oth und ev aft anoth eith neith wheth rath furth comput serv us fold lay quart hand err monit cent charact paramet regist ord oft".split()
)  # noqa: SIM905
_FOUNDED = regex(r"\b((?:f|gr|w|b)ound)ed\b")
_WORD = regex(r"[\w'-]+|[.,;:()]")
_SORT_FIRST = regex(r"[^\w-]*(?:(?:the|an?|each|every|all)\s+)?(?P<sort>[\w-]+)\s+(?P<noun>[\w-]+)", re.IGNORECASE)
_VERB = regex(r"(?:is|are|was|were|has|have|had|can|may|must|will|should|needs?|\w+(?:ed|es))\b", re.IGNORECASE)
_ASKS_ORIGIN = regex(r"\bfrom\W*\Z|\b(?:come|comes|came|originates?|stems?) from\b", re.IGNORECASE)
_CHOICE = regex(  # "what comes first, the build or the tests?"
    r"\A\W*(?:what|which|who)\b[^?]*?(?:[,:–—] ?| is it | of )(?:the |an? )?(?P<one>[^,:?]{2,60}?),? or (?:the |an? )?(?P<other>[^,:?]{2,60}?)\W*\Z"
)
_ROLE_OF = regex(  # "who is the project manager of Almanac?"
    r"\A\W*who(?:['’]s| is| are| was| were) (?:currently |now )?(?:the|our|your|an?) (?P<role>[\w -]{2,60}?)(?: (?:of|for|in|on|at|to)\b|\W*\Z)"
)
_NEGATED = regex(
    r"\b(?:not|no|never|nothing|nobody|none|without|unable|cannot|fail\w*|missing|(?:is|are|was|were|do|does|did|can|could|has|have)n['’]t|nicht|kein\w*)\b",
    re.IGNORECASE,
)
_PURPOSE = regex(r"\b(?:so that|in order to|to avoid|to prevent|damit|um zu vermeiden|afin)\b", re.IGNORECASE)
_OR = regex(r"\W*(?:or|and|nor|as well as)\b[\w\s]{0,12}\Z", re.IGNORECASE)
_ORIGIN = regex(r"\bfrom\b|\bsources?\b|\b(?:provided|supplied|made|given|published|issued) by\b", re.IGNORECASE)


def turns(low: str, text: str) -> bool:
    """Whether a sentence has the words that turn the question: what held before is not what holds, nor is what does not."""
    groups = _turning(low)
    if not groups:
        return True
    said = text.casefold()
    if (none := _NO_THING.search(low)) is not None and none["thing"] in said and _DENIES.search(said) is None:
        return False  # of "no boats came" a sentence that boats came and one failed is the opposite
    return all(any(word.search(said) for word in group) for group in groups)


@lru_cache(16)  # it is asked anew for every sentence
def _turning(low: str) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """The words that turn a question, each with the others that do the same."""
    return tuple(group for group in _TURNING if group[0].search(low))


def without_targets(text: str) -> str:
    """A sentence without what its links lead to: an address says nothing of its sentence."""
    return _TARGET.sub("", text).replace("[", "") if "](" in text or "][" in text else text


def asks_origin(low: str) -> bool:
    """Whether a question asks where something comes from, and not where it is."""
    return _ASKS_ORIGIN.search(low) is not None


def origin_in(text: str) -> int | None:
    return match.start() if (match := _ORIGIN.search(text)) else None


def decides(low: str, text: str) -> bool:
    """Whether a sentence tells the two things apart between which a question asks to choose: not "either A or B overrides C"."""
    choice = _CHOICE.match(low)
    if choice is None:
        return True
    said = text.casefold()
    one, other = (max((said.rfind(word) for word in _WORD.findall(choice[name])[-1:]), default=-1) for name in ("one", "other"))
    if one < 0 or other < 0:
        return True
    first, second = ("one", "other") if one < other else ("other", "one")
    start = said.rfind(last := _WORD.findall(choice[first])[-1]) + len(last)
    end = said.find(_WORD.findall(choice[second])[0], start)
    return end < 0 or _OR.fullmatch(said[start:end]) is None


def role_asked(low: str) -> frozenset[str]:
    """The words, in terms of the index, of the role or office of which a question asks who has it."""
    asked = _ROLE_OF.match(low)
    return frozenset(terms(asked["role"])) if asked is not None else frozenset()


def is_related(low: str, kind: Kind, needed: Sequence[Word], text: str, value: int) -> bool:
    """Whether a sentence with the words of a question may say what it asks. `low` is the question in small letters; what is asked for stands at `value`."""
    if _ASKS_ORIGIN.search(low) and not _ORIGIN.search(text):
        return False
    return (
        _says_it_itself(low, needed, text, value)
        and (kind == "who" or _is_of_same_sort(low, text.casefold()))
        and not _is_of_other_sort(low, text)
        and _is_founded(low, text.casefold())
    )


def _says_it_itself(low: str, needed: Sequence[Word], text: str, value: int) -> bool:
    """Whether what is asked about stands in what a sentence says, and not only in the condition it is said under.

    "If you cancel a booking, you may not make another for 24 hours" does not say until when a booking can be cancelled.
    """
    if _ASKS_CONDITION.search(low):
        return True
    before, after = _CONDITION.match(text), _CONDITION_AFTER.search(text)
    if before is not None and _POINTS.match(text, before.end()):
        before = None
    if after is not None and ", and " in text[: after.start()]:
        after = None  # of the last of several things that are said
    if before is None and after is None:
        return True
    start, end = before.end() if before else 0, after.start() if after else len(text)
    main = set(terms(text[start:end]))
    return sum(word.is_in(main) for word in needed) >= LEAST_OF_MAIN * len(needed) and (not value or start <= value < end)


def has_same_case(low: str, text: str) -> bool:
    """Whether a sentence names the case in which something is asked for with yes or no, and its subject: "they may also be run" is
    no answer to "is it run when it is activated?"."""
    is_of_case = _ASKS_CONDITION.search(low) is None or _ASKS_CONDITION.search(text.casefold()) is not None
    return is_of_case and _POINTS.match(text.lstrip("*_ ")) is None


def _is_of_same_sort(low: str, said: str) -> bool:
    """Whether words that the index brings together are of one sort: a publisher is not publishing."""
    doers = {
        stem for stem in _DOER.findall(low) if stem not in _NO_DOER and re.search(rf"\b{stem}(?!(?:[eo]rs?)\b)\w{{0,5}}\b", said)
    }
    return all(re.search(rf"\b{stem}(?:[eo]rs?)\b", said) for stem in doers)


def _is_of_other_sort(low: str, text: str) -> bool:
    """Whether a sentence begins with another sort of the thing that is asked about, whatever it goes on to say of that: "Idle
    schedulers wake an active one" says nothing of active schedulers."""
    begin = _SORT_FIRST.match(text)
    if begin is None or not (noun := terms(begin["noun"])) or not (sort := terms(begin["sort"])) or sort[0] in terms(low):
        return False
    before = {one[0] for word, thing in pairwise(_WORD.findall(low)) if terms(thing) == noun and (one := terms(word))}
    return bool(before) and not before.issubset(terms(text[: begin.end()])) and before.issubset(terms(text[begin.end() :]))


def _is_founded(low: str, said: str) -> bool:
    """What is founded is not what is found."""
    return all(re.search(rf"\b{stem}(?:ed|er|ers|ing|ation)\b", said) for stem in _FOUNDED.findall(low))


def is_of_another(text: str, at: int, noun: str) -> bool:
    """Whether what is counted there only tells of which sort something else is: "one collaborator approval"."""
    said = _WORD.findall(text[at : at + 60])
    place = next((number for number, word in enumerate(said) if terms(word) == [noun]), len(said))
    is_one = place < len(said) and not said[place].casefold().endswith("s")
    return (
        is_one
        and place + 1 < len(said)
        and len(said[place + 1]) > 2
        and bool(terms(said[place + 1]))
        and not _VERB.match(said[place + 1])
    )


def is_of_purpose(needed: Sequence[Word], said: str) -> bool:
    """Whether what is asked about stands before a purpose, where a sentence has one: "A, so that B" gives a reason for A, and none for B."""
    purpose = _PURPOSE.search(said)
    if purpose is None:
        return True
    main = set(terms(said[: purpose.start()]))
    return sum(word.is_in(main) for word in needed) * 2 > len(needed)


def is_same_condition(low: str, clause: str) -> bool:
    """Whether a condition says little more than the question, and is not turned: "if it cannot be opened" is not "if I open it"."""
    return len(set(terms(clause)) - set(terms(low))) <= MOST_MORE and bool(_NEGATED.search(clause)) == bool(_NEGATED.search(low))
