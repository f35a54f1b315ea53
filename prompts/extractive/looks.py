"""Whether a text looks by its form alone as if it had an answer, before it is read: it says what a thing is, or how to do it.

The name of a thing is said in many texts, and what is to be done in many more. The words of a question tell little of which of
them defines or explains it; a heading, "X is a ..." and "To do that, ..." do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from prompts.extractive.definitions import PRESENT
from prompts.extractive.forms import thing_that_does, version_asked
from prompts.extractive.procedures import DOING
from prompts.language import terms
from prompts.question import PUTTING, analyse
from prompts.regex import regex
from prompts.text_lines import line_start

HEADED, SAID, LISTED, CALLED = 1.0, 0.8, 0.6, 0.4  # of being the place that says what something is


LEAST_OF_PURPOSE = 0.75  # of the weight of the question, in what is said to be done
LEAST_OF_HEADING = 0.5  # of it, in a heading that asks the same
KINDS = frozenset(("how_to", "definition", "count", "why", "yes_no", "list"))  # of questions that headings put
OF_THINGS = 0.8  # what a heading is worth that has all but that
OF_MORE = 0.12  # less for each further word there
LONGEST_MARK = 9  # characters before a purpose that are looked at
PREFIX = 4  # letters of a term, by which a text is looked through before it is cut into terms
_TITLE = regex(r"^#{1,6} +([^\n]{3,90})$", re.MULTILINE)
# each begins with letters that are looked for quickly
_PURPOSES = (regex(r"To ([^,:;.\n]{3,100})"), regex(r"you (?:want|wish|need|would like) to ([^,:;.\n]{3,100})"))
_BEGINNING = regex(r"(?:\A|\n)[-*+> \d.)]{0,6}\Z|[.!?] \Z|\b(?:In order|If|When) \Z")  # of a sentence, or of an item of a list


def asks_form(question: str) -> bool:
    """Whether it is a question for which `looks_answered` tells anything."""
    return bool(subject_asked(question)) or analyse(question).kind in KINDS or version_asked(question.casefold()) is not None


def looks_answered(question: str, weights: Mapping[str, float], text: str) -> float:
    """How surely the text of a leaf has by its form an answer to a question, from 0 to 1. `weights` are those of its terms."""
    if (version := version_asked(question.casefold())) is not None:
        return float(version.search(text) is not None)
    if subject := subject_asked(question):
        return introduces_somewhere(subject, text)
    if analyse(question).kind == "how_to":
        return says_how(weights, text)
    return asks_it_itself(weights, text) if asks_form(question) else 0.0


def asks_it_itself(weights: Mapping[str, float], text: str) -> float:
    """How much of a question a heading of a text says that is a question itself: "How many berths?"; and how little else."""
    if "?\n" not in text:
        return 0.0
    asked = {term: weight for term, weight in weights.items() if term not in PUTTING} or weights
    total = sum(asked.values()) or 1.0
    best = 0.0
    for match in _TITLE.finditer(text):
        if match[1].endswith("?"):
            said = set(terms(match[1]))
            share = sum(weight for term, weight in asked.items() if term in said) / total
            best = max(best, share - OF_MORE * len(said - weights.keys() - PUTTING))
    return best if best >= LEAST_OF_HEADING else 0.0


def says_how(weights: Mapping[str, float], text: str) -> float:
    """How much of what is to be done a heading of a text says, or a purpose in it ("To undo that, ..."), and how little else.

    A heading may leave out what is done to the thing that it names: "Job priority", for "How do I set the priority of a job?".
    """
    asked = {term: weight for term, weight in weights.items() if term not in PUTTING and term not in DOING} or weights
    total = sum(asked.values()) or 1.0
    things = [*asked][1:]  # behind what is to be done
    rarest = max(asked, key=asked.__getitem__)[:PREFIX]
    titles = ((match[1], True) for match in _TITLE.finditer(text))
    purposes = (
        (match[1], False)
        for form in _PURPOSES
        for match in form.finditer(text)
        if _BEGINNING.search(text, max(0, match.start() - LONGEST_MARK), match.start())
    )
    best = 0.0
    for told, is_title in chain(titles, purposes):
        low = told.casefold()
        if rarest not in low and not (is_title and len(things) > 1 and all(one[:PREFIX] in low for one in things)):
            continue
        said = set(terms(told))
        share = sum(weight for term, weight in asked.items() if term in said) / total
        if is_title and len(things) > 1 and said.issuperset(things):
            share = max(share, OF_THINGS)
        if share >= LEAST_OF_PURPOSE:
            best = max(best, share - OF_MORE * len(said - weights.keys() - DOING))
    return max(0.0, best)


@lru_cache(16)
def subject_asked(question: str) -> str:
    """Of what a question asks what it is or what it does; empty for any other question."""
    asked = analyse(question)
    return (thing_that_does(question) or PRESENT.sub("", asked.subject)) if asked.kind == "definition" else ""


def introduces_somewhere(subject: str, text: str) -> float:
    """How surely the text of a leaf says somewhere what something is, by form alone: below a heading that is just its name,
    in "X is a ...", in a list of names, where something is called so. From 0 to 1."""
    name, low = _name(subject.casefold()), text.casefold()
    best = 0.0
    for match in name.finditer(low) if name is not None else ():
        if low[match.start() - 1 : match.start()].isalnum():
            continue
        line = line_start(low, match.start())
        before = low[max(line, match.start() - LONGEST_BEFORE) : match.start()]
        best = max(
            best, next((worth for worth, left, right in _FORMS if right.match(low, match.end()) and left.search(before)), 0.0)
        )
        if best == HEADED:
            break
    return best


@lru_cache(16)
def _name(subject: str) -> re.Pattern[str] | None:
    words = re.findall(r"[\w.]+", subject)
    singular = (word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words)
    return re.compile(r"[\s_-]{1,3}".join(re.escape(word) + "s?" for word in singular) + r"(?!\w)") if words else None


LONGEST_BEFORE = 60  # characters before a name that are looked at
_MARKS, _MARKS_AFTER, _ASIDE = r"[`*_\"“'(]{0,4}", r"[`*_\"”'()]{0,4}", r"(?: \([^()\n]{1,40}\))?"
_SENTENCE = regex(rf"(?:\A[-*+> ]{{0,4}}|[.!?] )(?:(?:the|an?|each|every) )?{_MARKS}\Z")
_FORMS = (  # what a name is worth with this before it and that behind it
    (
        HEADED,
        regex(rf"\A#{{1,6}} +(?:[\d.]{{1,8}} +)?(?:what (?:is|are) )?(?:(?:the|an?) )?{_MARKS}\Z"),
        regex(rf"{_MARKS_AFTER}(?: (?:option|setting|parameter|command|mode|object|class)s?)?\??(?:\n|\Z)"),
    ),
    (
        SAID,
        _SENTENCE,
        regex(
            rf"{_MARKS_AFTER}{_ASIDE} (?:(?:is|are)(?: (?:simply|just|basically|essentially|always))?(?: (?:an?|the|one|how|where|what|any|used|responsible)\b|:(?:\n|\Z))"
            r"|(?:means|refers to|represents?|stands? for|denotes?|describes?|defines?|controls?|specif(?:y|ies)|determines?|consists? of)\b)"
        ),
    ),
    (LISTED, regex(rf"\A[-*+ ]{{0,4}}{_MARKS}\Z"), regex(rf"{_MARKS_AFTER}{_ASIDE}(?:\n|\Z|:| [-–—] )")),
    (CALLED, regex(rf"\b(?:called|known as|termed|referred to as) (?:an? |the )?{_MARKS}\Z"), regex("")),
)
