"""Whether a text says what something is: "A story point is how ...", and not "the request is either open or closed"."""

from __future__ import annotations

import re

from prompts.language import terms, words
from prompts.regex import regex

_IS = regex(
    r"(?: ?\([^()\n]{1,40}\))?(?: ?[:–—] | - | (?:is|are) (?:(?:currently|now) (?=\S)|(?:(?:always|usually|typically|basically|simply|just|generally) )?(?=(?:an?|the|our|how|where|what|when|one|any|all|used (?:to|for|as|when|where|whenever|in|inside|with)|part|short)\b|\d|[A-Z][\w ]{1,40}['’]s ))"
    r"| (?:ist|sind) (?=(?:der|die|das|eine?r?|jede[rs]?|wer|wie|was|wenn)\b)| est (?=(?:une?|les?|la|ce)\b)"
    r"| (?:bedeutet|heißt|bezeichnet|steht für|beschreibt|signifie|désigne|veut dire|means|refers to|stands for|describes|denotes)\b)"
)
_DETERMINER = regex(
    r"^(?:(?:the|an?|our|one|each|every|der|die|das|ein|eine|le|la|les|une?|l['’])\s*(?<=[\s'’]))+", re.IGNORECASE
)
_ADVERB = regex(r"(?:More precisely|In short|In general|Generally|Basically|In other words|Here|Note that),? ", re.IGNORECASE)
_SAYS_MORE = regex(r"\b(?:we|you|they|it|there|has|have|which|that|who|where|when|if|is|are)\b", re.IGNORECASE)
# "is a good place to store data" says what it may be used for, or praises it
_PRAISES = regex(
    r"(?:is|are) (?:an? |the )?(?:\w+ly |very |more )?(?:good|great|best|better|bad|nice|perfect|ideal|excellent|eas(?:y|ier|iest)|useful|handy|popular"
    r"|common|typical|important|safe|possible|convenient|natural|obvious|sensible|simplest|quick(?:est)?|recommended|preferred|usual|standard|main|primary|only) (?:\w+ )?"
    r"(?:places?|ways?|times?|ideas?|choices?|candidates?|options?|fits?|examples?|starts?|points?|reasons?|practices?|alternatives?|steps?)\b", re.IGNORECASE,
)  # fmt: skip
# since when there is such a thing, or what state it is in
_STANDING = regex(
    r"(?:an? |the )?(?:\w+ )?(?:new|beta|alpha|experimental|preview|optional|deprecated|legacy|recent|upcoming|built-in) "
    r"(?:feature|option|setting|addition|component|module|mode|tool|command|function|class|interface|plug-?in)s?"
    r"(?: (?:that (?:was|is|were|are) )?(?:introduced|added|available|since|in|from|as of)\b|\W*\Z)", re.IGNORECASE,
)  # fmt: skip
_ATTRIBUTE = regex(r"(?:an? )?(?:little|bit|lot|good|great|very|quite|rather|somewhat)\b", re.IGNORECASE)  # tells how it is
_CALL = regex(r"\b[a-z_]\w{1,40}\(\)")
SEVERAL_CALLS, LONGEST_MEANING = 3, 2_000
_HOW_WRITTEN = regex(
    r"\W*(?:(?:when|if) (?:referring|used|writing|you (?:write|refer|mean))|no hyphen|(?:always|never|not) |capitali[sz]ed?\b|lower ?case|upper ?case"
    r"|do not|don['’]t|avoid\b|write\b|spell\b|spelled\b|see\b|use (?:this|it|the term|the word|only|with|without|[\"“'‘]))", re.IGNORECASE,
)  # fmt: skip
_JOINED = regex(r"\b(?:and|or|und|oder|et|ou)\b|,", re.IGNORECASE)
_WITHIN = regex(r"(?:in|on|at|for|with|by|from|under|within|to|bei|für|mit|dans|pour) \S", re.IGNORECASE)
_LEADS = regex(r"(?P<name>[^\n:,]{2,60}) (?:is|are):")
_OF_SWITCHES = frozenset(terms("true false enabled disabled on off set whether default option setting value used"))
_POINTS = regex(r"\W*(?:this|that|these|those)\b", re.IGNORECASE)  # at another thing than the one it names
_NAMES_IT = regex(
    r"\b(?:special|certain|particular|new|own|different|useful|optional) [\w-]{2,30} (?:called|known as|named|termed)\b",
    re.IGNORECASE,
)
PRESENT = regex(r"^(?:(?:the|our|current|latest|newest|present|new|actual) )+", re.IGNORECASE)


def says_what_it_is(subject: list[str], text: str) -> bool:
    """Whether a sentence is of the form "A story point is how ...": not "the request is either open or closed"."""
    text = " ".join(text.split())
    match = _IS.search(text)
    if match is None or _POINTS.match(text):
        return False
    if _PRAISES.match(match.group().strip() + " " + text[match.end() :]):
        return False
    rest = text[match.end() :]
    if _ATTRIBUTE.match(rest) or _STANDING.match(rest):
        return False
    if ":" in match.group() and (_begins_with_it(subject, rest) or repeats_its_name(text[: match.start()], rest)):
        return False  # as parameters are described: "spider: the spider which was closed"
    lead = _ADVERB.match(text)
    before = text[lead.end() if lead and lead.end() < match.start() else 0 : match.start()].strip("*_`\"'“”() ")
    if _JOINED.search(before) or _WITHIN.match(before):
        return False  # it says something of two things, or of something else in it: "In firmware: a run of 200 h"
    before = PRESENT.sub("", _DETERMINER.sub("", before))
    return terms(before) == subject and not _SAYS_MORE.search(before)


def leads_to_what_it_is(subject: list[str], text: str) -> bool:
    """Whether a line leads up to a list of what something is: "The broker is:"."""
    match = _LEADS.fullmatch(text.strip())
    return match is not None and terms(_DETERMINER.sub("", match["name"])) == subject


def only_names_it(text: str) -> bool:
    """Whether a sentence says that there is something called so, and hardly what it is: "It has a special mode called dry run"."""
    return _NAMES_IT.search(text) is not None


def says_no_meaning(name: str, meaning: str) -> bool:
    """Whether what stands behind a name is none of its meaning: the name again, how it is to be written, or a list of functions."""
    return lists_functions(meaning) or repeats_its_name(name, meaning) or _HOW_WRITTEN.match(meaning) is not None


def lists_functions(text: str) -> bool:
    return len(_CALL.findall(text[:LONGEST_MEANING])) >= SEVERAL_CALLS


def repeats_its_name(name: str, meaning: str) -> bool:
    """Whether a meaning is the name again with little more: "spider: the active spider"."""
    own, said = terms(name), frozenset(terms(meaning)) - _OF_SWITCHES
    parts = {part for word in words(name) for part in word}
    if said and said <= parts:
        return True  # "send_mail: if true, mail is sent"
    if not own or not said.issuperset(own) or says_what_it_is(own, meaning):
        return False
    return len(said) <= len(own) + 1 or _begins_with_it(own, meaning)


def _begins_with_it(subject: list[str], text: str) -> bool:
    """Whether a text begins with an article and the subject."""
    begin = _DETERMINER.match(text.strip())
    return begin is not None and terms(text.strip()[begin.end() :])[: len(subject)] == subject
