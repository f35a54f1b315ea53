"""Which sentences give a reason, for a question that asks why: what stands below "Cause", behind "Reasons:", and not what was considered
besides."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from prompts.language import first_term, stemmed, terms
from prompts.question import PUTTING, Word
from prompts.regex import regex

_OF_CHOICE = regex(
    r"\b(?:we|you|they|(?:chosen?|chose|decided?|picked|replaced?|switched|dropped|kept|bought|changed?|preferred|rejected|refused)\b(?! to\b))\b",
    re.IGNORECASE,
)
_OF_FAILURE = regex(
    r"\b(?:fail\w*|br(?:oken?|eak)\w*|crash\w*|down|slow\w*|errors?|wrong|los[et]\w*|stuck|missing|late|delay\w*|outages?|incident|happen\w*|stop\w*)\b",
    re.IGNORECASE,
)
_HEAD = regex(
    r"(?:\d[\d.]{0,6} )?(?:(?:the|root|probable|likely|main) )*(?:causes?|reasons?|what went wrong|why(?: it happened| this happened)?|ursachen?|cause racine)\W*",
    re.IGNORECASE,
)
_WHY = regex(r"(?:\d[\d.]{0,6} )?why\b(?P<what>[^?\n]{2,80})", re.IGNORECASE)  # "Why not 15 seconds"
_LABEL = regex(
    r"\W{0,6}(?:(?:root|probable|likely|main|the) )?(?:causes?|reasons?|why|rationale|ursache)\b(?: (?:is|was))?\W{0,3}:",
    re.IGNORECASE,
)
_OF_WHAT = regex(  # "this is why the ship turned back", "the reason for the delay"
    r"\b(?:(?:this|that|it|which|here|these) (?:is|was|are|were) why|(?:this|that|it|which|here|these) (?:is|was|are|were)(?: \w+)? the reasons? (?:why|that|for)|the reasons? (?:why|for)) (?P<what>[^.;:]{3,200})",
    re.IGNORECASE,
)
_POINTS = regex(r"(?:it|they|this|that|these|those|he|she|we|you|i|us|them|there)\b", re.IGNORECASE)
_WEIGHS_MOST = regex(
    r"\b(?:main|deciding|decisive|key|strongest|biggest|most important) (?:points?|reasons?|arguments?|factors?|advantages?|drawbacks?|problems?)(?: for it| against it)?(?: (?:is|was|are|were)\b|:)",
    re.IGNORECASE,
)
_DECIDES = regex(
    r"\b(?<!not )(?<!be )(?<!yet )(?:decided|decision|agreed|accepted|approved|rejected|chosen|chose)\b(?! (?:yet|later|next|on \d|in )\b)"
    r"|\bwe (?:will |shall )?(?:go|went|stay|stayed|stick|stuck|switch|switched|move|moved|remain|remained) (?:to|with|for|at|over to)\b",
    re.IGNORECASE,
)
_CONCEDED = regex(  # "... when that was cheaper", "... and not the other"
    r"\b(?:when|although|though|even though|while|whereas|despite|instead of|rather than|(?:and|but) not)\b.*\Z",
    re.IGNORECASE | re.DOTALL,
)
_ALTERNATIVES = regex(r"\W{0,6}(?:alternatives?|other options?|(?:we )?also considered|rejected)\b", re.IGNORECASE)
_OF_ALTERNATIVES = regex(r"\b(?:alternatives?|reject\w*|against|not|instead|rather|options?)\b|n['’]t\b", re.IGNORECASE)
_OF_REJECTED = regex(
    r"\b(?:not|\w+n['’]t) (?:[\w'’-]+ ){0,2}?(?:chosen|choose|taken|take|picked|pick|selected|select|adopted|adopt|bought|buy)\b|\breject\w*|\balternatives?\b",
    re.IGNORECASE,
)
_WORD = regex(r"[^\W_]+")
_PUTTING = frozenset(  # by which it is asked why something is so, and which say nothing of what is so
    """why how come please tell me know explain what reason reasons cause causes for behind which that is are was were am be been being do does did
    can could should would will must may got get s t re the a an our my your their his her its this these those such we you they i he she it one us them
    so still now today currently always already again ever even just only really all any some of at in to with by from as and then here
    warum weshalb wieso ist sind war waren wird werden wurde wurden hat haben der die das den dem ein eine einen unser unsere wir ihr sie er es
    denn noch immer jetzt pourquoi est sont était étaient ont le la les un une des du de notre nos nous vous on il elle ils ce cette ces encore
    """.split()
)
_SAME = {
    "has": "have",
    "had": "have",
    "went": "go",
    "gone": "go",
    "took": "take",
    "taken": "take",
    "kept": "keep",
    "held": "hold",
}


_CHOOSING = frozenset(  # verbs of a choice, in terms of the index
    terms(
        "choose chosen chose pick take took leave left stick stay keep kept drop replace switch move go went buy bought change prefer "
        "reject refuse decide adopt abandon give gave"
    )
)
_OURS = regex(r"\b(?:we|us|you|they)\b", re.IGNORECASE)


def verbs_of_choice(question: str) -> frozenset[str]:
    """The verbs by which a question asks why people chose something, and without which its reasons are told; none where somebody is
    asked about: "Why did Ida leave?"."""
    return _CHOOSING if _OURS.search(question) is not None else frozenset()


def label_of_reason(heading: str, text: str) -> str:
    """What a sentence begins with, or the heading right above it, where that says that a reason follows: "Root cause", "Why:"; else
    empty."""
    found = _HEAD.fullmatch(heading.strip()) or _LABEL.match(text)
    return found.group() if found is not None else ""


def heads_reason(heading: str, asked: Set[str]) -> bool:
    """Whether a heading says why, and all its other words (as terms) are asked about: "Why not 15 seconds"."""
    found = _WHY.match(heading.strip())
    words = set(terms(found["what"])) if found is not None else set()
    return bool(words - PUTTING) and words <= asked


def gives_reason_for_another(text: str, asked: Sequence[Word]) -> bool:
    """Whether a sentence says of what it is the reason, and that is nothing that is asked about: "This is why the ship turned back"."""
    found = _OF_WHAT.search(text)
    if found is None or _POINTS.match(found["what"]):
        return False
    there = set(terms(found["what"]))
    return bool(there) and not any(word.is_in(there) for word in asked)


def says_decision(text: str) -> bool:
    """Whether a sentence says that something was decided; in minutes the reasons for it stand around it."""
    return _DECIDES.search(text) is not None


def without_concession(question: str) -> str:
    """A question without what it holds against a choice: "Why the barge when the raft was cheaper?"."""
    return _CONCEDED.sub("", question)


def says_what_decided(text: str) -> bool:
    """Whether a sentence names what weighed most: "The main point was the price"."""
    return _WEIGHS_MOST.search(text) is not None


def asks_of_choice(question: str) -> bool:
    """Whether it may be asked why a way was chosen, and not why something happened."""
    return _OF_CHOICE.search(question) is not None or _OF_FAILURE.search(question) is None


def names_alternatives(text: str) -> bool:
    """Whether a sentence tells what else was considered."""
    return _ALTERNATIVES.match(text) is not None


def asks_of_alternatives(question: str) -> bool:
    return _OF_ALTERNATIVES.search(question) is not None


def asks_of_rejected(question: str) -> bool:
    """Whether it is asked why something was not chosen, which is told of what else was considered and not with the decision."""
    return _OF_REJECTED.search(question) is not None


def predicate_of(question: str, thing: Set[str]) -> frozenset[str]:
    """What a question says of the one `thing` that it asks about, small words too, in their stems: "off" of "Why is the heating off?"."""
    said = _WORD.findall(question.casefold())
    at_end = said[-1:] if said[-1:] == ["on"] else []  # "Why is the heating on?"
    told = (word for word in said if word not in _PUTTING and word != "on")
    return frozenset(_stem(word) for word in (*told, *at_end) if first_term(word) not in thing)


def has_predicate(text: str, predicate: Set[str]) -> bool:
    """Whether a text has all words of a predicate, in any of their forms."""
    return predicate <= {_stem(word) for word in _WORD.findall(text.casefold())}


def _stem(word: str) -> str:
    return stemmed(_SAME.get(word, word))
