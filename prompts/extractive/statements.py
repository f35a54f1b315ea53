"""Statements that answer a question outright, found in one leaf by rules strict enough to be believed.

A question-and-answer section whose heading is the question; a term with what it means; a procedure whose own title says
the question; a sentence that has the person, number, date or reason asked for beside the thing asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Literal

from prompts.extractive.asked_values import FIRST_PERSON, LIGHT, NAMED, has_asked_value, value_in, word_of
from prompts.extractive.definitions import PRESENT, leads_to_what_it_is, only_names_it, says_no_meaning, says_what_it_is
from prompts.extractive.facts import spans as fact_spans
from prompts.extractive.forms import (
    asks_what_happens,
    conditions_in,
    may_be_all,
    named_in,
    share_of_clause,
    share_of_condition,
    thing_that_does,
)
from prompts.extractive.led_lists import headed_lists, led_lists
from prompts.extractive.near_misses import is_of_example, only_compares, says_whether, tells_first_of_all
from prompts.extractive.neighbours import is_half_named, is_of_other, was_until, without_references
from prompts.extractive.no_answers import begins_elsewhere, cannot_lead, sends_elsewhere
from prompts.extractive.pages import fitting
from prompts.extractive.passages import Passage, front_matter, in_sentences, items_below, written_by
from prompts.extractive.procedures import goes_on_below, scopes_of, without_ranges
from prompts.extractive.relations import (
    decides,
    has_same_case,
    is_of_purpose,
    is_related,
    is_same_condition,
    role_asked,
    turns,
    without_targets,
)
from prompts.extractive.tenses import is_asked_of_now, is_of_months, is_over, says_what_moved
from prompts.extractive.vague import asks_of_no_thing
from prompts.extractive.ways import ways
from prompts.language import terms
from prompts.question import PUTTING, QuestionAnalysis, Word
from prompts.records import LeafText, LogicUnit

Kind = Literal["faq", "definition", "procedure", "sentence"]

SAME_QUESTION = 0.72  # of the words of question and heading, both ways, for a heading to be the question
ALL_WORDS = 0.9  # of the question's weight in a sentence and its headings, for the sentence to answer it
OWN_WORDS = 0.4  # of it in the sentence itself
LONGEST_ANSWER = 420  # characters of a section that is told; the rest can be opened
FEWEST_WORDS = 2  # of the question, for a sentence that is found by them to be meant
MOST_STATED = 3
# Questions for a number or a yes, which many a sentence has: only a short one with every word answers them. What else is asked with
# "what", "which" or "how" no single sentence answers for sure: of 8 in documentation that nobody had tuned on, 5 were beside the point.
PLAIN = frozenset(("open", "yes_no"))
FEWEST_PLAIN = 3
FEWEST_TYPED = 4  # words of what was typed, for a heading that says the same to be meant
# how a sentence begins that names a thing only to say when or where something else is: "After a regatta there are ..."
_IS_BESIDE = re.compile(
    r"\W*(?:after|before|until|till|when|while|whenever|if|during|without|with|from|since|for|besides?|unlike|instead|once|as soon|apart)\b",
    re.IGNORECASE,
)
LONGEST_LABEL = 24  # characters before the colon of a label that a sentence begins with
MOVED, OVER = 0.8, 0.4  # what it is worth that a sentence says what has changed; what less, that it tells of a time that is over
TYPED = frozenset(("who", "when", "where", "count"))  # questions whose answer has a form
AS_ASKED = 0.08  # of strength, for a sentence that says it in the words of the question
CONTESTED = 0.8  # of the words of a question in another sentence, for what one says to be one of several
VALUED = frozenset(("faq", "sentence", "definition"))  # kinds of statement that must have the number that is asked for
OF_LIST = 0.92  # how sure a list is that a line with all words of the question leads up to
MOST_ELSE = 4  # further words in a sentence that says yes or no
OPENING = 3  # words in which a sentence says what it is about
MOST_BETWEEN = 3  # further words between those of the question
_HEDGED = re.compile(
    r"\b(?:not|never|no longer|would have|might|maybe|perhaps|if|unless|whether|should have|was to|were to|planned|proposed|superseded)\b",
    re.I,
)
# what a document says of itself, as "This page is a checklist of what to do when a lamp fails", answers no question about the thing
_DOCUMENT = re.compile(r"\b(?:document|page|guide|section|chapter|readme|checklist|runbook|tutorial|topic|manual)s?\b")
_OF_ITSELF = re.compile(
    r"\W{0,3}(?:this|the following) (?:[a-z]+ )?(?:document|page|guide|section|chapter|file|readme|checklist|runbook|tutorial|topic|manual) "
    r"(?:is|are|describes?|explains?|covers?|discuss(?:es)?|lists?|contains?|outlines?|shows?|gives?|provides?)\b", re.IGNORECASE,
)  # fmt: skip
_SOME = re.compile(
    r"\b(?:the first time|would otherwise|certain|some|sometimes|occasionally|selected|exceptionally|(?:bestimmte|einige|manche)[nrms]?)\b",
    re.IGNORECASE,
)
_IS_SO = re.compile(r"\W*(?:is|are) .{2,80}? (?P<so>[\w-]+)\W*\Z")
_DOINGS = re.compile(r"\b([a-z]{2,20}ing)s\b")  # things that are called by what is done: settings, bookings
_ONCE = re.compile(r"\W{0,3}(?:before|until|prior to|formerly|previously|in (?:older|earlier|previous|former)) ", re.IGNORECASE)
_REASONS = re.compile(r"\W*(?:what|which) (?:are|were) (?:the |all |some )*(?:reasons|causes)\b")
_SOMEWHERE = re.compile(
    r"\W*where (?:do|can|should|must|could) (?:i|we|you|one) (?:look|find|get|go|turn|see|ask|report|learn|read)\b"
)
_NUMBERED = re.compile(r"\A\W*\d[\d.]{0,8}[.):]?\s+(?=\S)")  # "6. Keeping logs" has no number of logs
_IN_CASE = re.compile(r"\b(?:if|when)\b")
_ASIDE = re.compile(r"\([^()\n]{1,120}\)")  # what only brackets say
_IN_STATE = re.compile(
    r"\b(?:is|are|was|were) (?:there )?(?:in|on|at|out of|off|under) (use|work|time|date|place|hand|stock|store|order|service|number|list|call|duty)\W*\Z"
)
_OF_TYPE = re.compile(
    r"\W*(?:what|which) [a-z-]+ (type|kind|sort|format|version|number|name|size|colour|color|level|status|mode)\b"
)
_CIRCUMSTANCE = re.compile(  # a sentence that begins with when or where something is so, leads up to what it is for
    r"\W*(?:sometimes|often|usually|normally|occasionally|if|when|while|although|because|since|as|in (?:some|many|most|such)|many|most|some)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[=<>{}\\]|\(\"|\bAND\b|(?<=\s)--?[a-z]|://| \| |\$\(|\$[A-Z]")  # marks of queries and code
_IN_TICKS = re.compile(r"(?:\{[\w:-]{1,30}\})?`[^`\n]*`|:::\{[\w-]{1,30}\}|\]\([^()\s]*\)|<?https?://\S+")
MOST_CODE = 2
_INCLUDING = re.compile(r"\b(?:including|excluding|regarding|according|concerning)\b", re.IGNORECASE)  # no verbs there
_GOES_ON = re.compile(r"(?:This|These|They|It|Such)\b(?! (?:page|document|guide|section|chapter)\b)")
_COMPOUND = (
    re.compile(  # "config-file-specified names" says nothing of the file, nor `logs-dir` of logs, nor `GATE_CLOSED 12` of closing
        r"\b[a-z]{2,20}(?:-[a-z]{2,20}){2,4}\b|`[\w./ ]{1,40}[-_][\w./ -]{1,40}`"
    )
)
_ASKS_OF_ONE = re.compile(r"\W*(?:who|whom|when|where|how (?:long|often|frequently|many|old|far))\b")
_INSIDE = tuple(
    f"{letter} " for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,;("
)  # what stands before a word within a sentence
NAME_AT = re.compile(r"(?:[A-Z][\w.'’-]* ?){1,4}")
MOST_TO_NAME = 3  # words between somebody and what they do, where that is said by another verb than asked


@dataclass(frozen=True, slots=True)
class Statement:
    """A span of a leaf that answers the question, and how sure that is, from 0 to 1."""

    kind: Kind
    start: int
    end: int
    strength: float


def statements(
    question: str,
    asked: QuestionAnalysis,
    carrying: Sequence[Word],
    unknown: frozenset[str],
    leaf: LeafText,
    found: Sequence[Passage],
) -> list[Statement]:
    """The best of them first, at most MOST_STATED; empty where the leaf does not answer the question outright."""
    words = [word for word in carrying if word.whole not in PUTTING]
    if not words:
        return []
    doing = carrying if asked.kind == "how_to" else words
    low = question.casefold()
    made = [
        *_faq(question, words, leaf),
        *_below_same(question, leaf, found),
        *_definition(low, asked, leaf, found),
        *_procedures(asked, doing, leaf),
        *_consequences(low, words, leaf, found),
        *_below_name(question, leaf, found),
    ]
    if not any(is_unknown(word, unknown) for word in words if word.whole not in LIGHT):
        needed = [word for word in words if word.whole not in LIGHT]
        spans = (*led_lists(low, asked, needed, leaf, found), *headed_lists(low, needed, leaf, found))
        made += (Statement("sentence", *span, OF_LIST) for span in spans)
        made += (Statement("sentence", *span) for span in ways(low, asked, needed, leaf, found))
        made += _sentences(question, asked, words, leaf, found)
    never = {one.start for one in found if cannot_lead(question, one.text, one.kind)}
    told = [one for one in made if one.kind not in VALUED or has_asked_value(question, leaf.text[one.start : one.end])]
    told = [one for one in told if one.start not in never]
    return sorted(told, key=lambda one: -one.strength)[:MOST_STATED]


def is_unknown(word: Word, unknown: frozenset[str]) -> bool:
    return word.whole in unknown and not word.others and not any(part not in unknown for part in word.parts)


def _share(words: Sequence[Word], there: set[str] | frozenset[str]) -> float:
    total = sum(word.weight for word in words) or 1.0
    return sum(word.weight for word in words if word.is_in(there)) / total


# ---------------------------------------------------------------- headings that are the question


def _faq(question: str, words: Sequence[Word], leaf: LeafText) -> Iterator[Statement]:
    """Sections under a heading that asks the same."""
    put = word_of(question)
    for unit in leaf.units:
        if unit.kind != "faq" or not unit.header.rstrip().endswith("?"):
            continue
        same = _plain(unit.header) == _plain(question)
        other = word_of(unit.header)
        if not same and other and put and _family(other) != _family(put):
            continue
        strength = 1.0 if same else _likeness(words, unit.header)
        if strength >= SAME_QUESTION:
            start, end = _body(leaf, unit)
            is_told = (same or may_be_all(question, leaf.text[start:end])) and not begins_elsewhere(leaf.text[start:end])
            if is_told and not sends_elsewhere(question, leaf.text[start:end]):
                yield Statement("faq", start, end, strength)


def _below_same(question: str, leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """What stands below a heading that says just what was typed, whether it is a question or not: "I left something on board"."""
    typed = _plain(question)
    if len(typed.split()) < FEWEST_TYPED:
        return
    same = next((at for at, one in enumerate(found) if one.kind == "heading" and _plain(one.text) == typed), len(found))
    below = list(takewhile(lambda one: one.kind != "heading", found[same + 1 :]))
    told = [one for one in below if one.end - below[0].start <= LONGEST_ANSWER]
    if told and not sends_elsewhere(question, leaf.text[told[0].start : told[-1].end]):
        yield Statement("faq", told[0].start, told[-1].end, 1.0)


def _below_name(question: str, leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """What stands first below a heading that is just the name of which it is asked what it does: a setting, a command."""
    named = thing_that_does(question)
    if not named:
        return
    first = next((one for one in found if one.kind == "text" and named in named_in(one.heading) and not _is_field(one)), None)
    if first is None or not _tells(first) or (_CIRCUMSTANCE.match(first.text) and named not in first.text.casefold()):
        return
    end = _with_more(leaf, found, first)
    if end > first.end or not only_names_it(first.text):
        yield Statement("definition", first.start, end, 0.9)


def _tells(passage: Passage) -> bool:
    """Whether it is a sentence that says something, and not one that leads up to a list."""
    return len(passage.terms) >= FEWEST_PLAIN and passage.text.rstrip("*_`)").endswith((".", "。"))


def _is_field(passage: Passage) -> bool:
    return ": " in passage.text[:LONGEST_LABEL].replace("*", "").replace("_", "")


def _likeness(words: Sequence[Word], header: str) -> float:
    """How far the words of a question and of a heading are the same, both ways."""
    there = [term for term in terms(header) if term not in PUTTING]
    if not there:
        return 0.0
    known = {part for word in words for part in (word.whole, *word.parts)}
    back = sum(term in known for term in there) / len(there)
    return min(_share(words, set(there)), back)


def _body(leaf: LeafText, unit: LogicUnit) -> tuple[int, int]:
    """The answer below the heading, in whole sentences: as many as LONGEST_ANSWER holds, at least one."""
    start = unit.start
    line_end = leaf.text.find("\n", start, unit.end)
    first = leaf.text[start : line_end if line_end >= 0 else unit.end]
    if first.lstrip("#* ").rstrip("* ").strip() == unit.header.strip() and line_end >= 0:
        start = line_end + 1
    while start < unit.end and leaf.text[start].isspace():
        start += 1
    return start, in_sentences(leaf.text, start, unit.end, LONGEST_ANSWER)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", text.casefold()).split())


def _family(word: str) -> str:
    """Question words that ask for the same kind of thing."""
    if word in ("who", "whom", "whose"):
        return "who"
    if word in ("can", "may", "do", "does", "is", "are", "must", "should"):
        return "yes or no"
    return "what" if word in ("what", "which") else word


# ---------------------------------------------------------------- definitions and procedures


def _definition(low: str, asked: QuestionAnalysis, leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """A term with what it means, or a sentence that begins with the subject and says what it is."""
    subject = terms(PRESENT.sub("", asked.subject)) if asked.kind == "definition" else []
    if not subject or asks_of_no_thing(low):
        return
    facts = fact_spans(leaf.text)
    for unit in leaf.units:
        if unit.kind == "term" and terms(unit.header) == subject:
            start, end = _body(leaf, unit)
            if not says_no_meaning(unit.header, leaf.text[start:end]):
                yield Statement("definition", start, end, 0.95)
    for at, passage in enumerate(found):
        if passage.kind in ("text", "heading") and leads_to_what_it_is(subject, passage.text):
            items = items_below(leaf, found, at)
            if items and items[-1].end - passage.start <= LONGEST_ANSWER:
                yield Statement("definition", passage.start, items[-1].end, 0.85)
        if any(first <= passage.start < last for first, last in facts):
            continue  # "Status: Done" says what a ticket's is
        if passage.kind in ("text", "item") and not passage.text.endswith("?") and says_what_it_is(subject, passage.text):
            end = _with_more(leaf, found, passage)
            yield Statement("definition", passage.start, end, 0.85 + AS_ASKED * _said_alike(low, passage.text))


def _with_more(leaf: LeafText, found: Sequence[Passage], passage: Passage) -> int:
    """The end of a definition with the sentence after it in its paragraph that goes on about it: "This strategy allows ..."."""
    after = next((one for one in found if one.start >= passage.end), None)
    if (
        after is None
        or after.kind != passage.kind
        or "\n\n" in leaf.text[passage.end : after.start]
        or not (_GOES_ON.match(after.text) or only_names_it(passage.text))
    ):
        return passage.end
    return after.end if after.end - passage.start <= LONGEST_ANSWER and not after.text.endswith((":", "?")) else passage.end


def _procedures(asked: QuestionAnalysis, words: Sequence[Word], leaf: LeafText) -> Iterator[Statement]:
    """Steps below a title that says the question."""
    fit = fitting(words, leaf) if asked.kind == "how_to" else None
    if fit is not None and (fit.is_whole or not goes_on_below(fit.procedures[-1], leaf)):
        yield Statement("procedure", fit.procedures[0].parts[0].start, fit.procedures[-1].parts[-1].end, fit.strength)


# ---------------------------------------------------------------- sentences


def _sentences(
    question: str, asked: QuestionAnalysis, words: Sequence[Word], leaf: LeafText, found: Sequence[Passage]
) -> Iterator[Statement]:
    """Sentences with the kind of thing asked for beside everything the question names."""
    needed = [word for word in words if word.whole not in LIGHT]
    if not needed:
        return
    rarest = max(needed, key=lambda word: word.weight)
    outer = set(terms(" ".join(without_ranges(leaf.heading))))
    above = [(one.start, one.end, set(terms(" ".join(without_ranges(one.headings))))) for one in scopes_of(leaf)]
    facts, low = fact_spans(leaf.text), question.casefold()
    is_of_now = is_asked_of_now(question)
    named, role = _named_besides(low), role_asked(low) - LIGHT
    doings = [match[1] for match in _DOINGS.finditer(low)]
    is_titled = len(needed) >= FEWEST_WORDS and _share(needed, outer) >= 1.0
    matter = front_matter(leaf.text)
    headed: dict[str, set[str]] = {}  # the words of a heading
    for at, passage in enumerate(found):
        written = without_targets(passage.text)
        if passage.kind == "heading":
            written = _NUMBERED.sub("", written)
        written = _INCLUDING.sub(" ", written)
        said = _COMPOUND.sub(lambda match: match.group() if match.group().casefold() in low else " ", written)
        own = passage.distinct if said == passage.text else frozenset(terms(said))
        if passage.heading not in headed:
            headed[passage.heading] = set(terms(" ".join(without_ranges((passage.heading,)))))
        around = own.union(headed[passage.heading], *(there for start, end, there in above if start <= passage.start < end))
        all_ = _share(needed, around)
        if all_ < ALL_WORDS or not rarest.is_in(around):  # first, for it is so of most
            continue
        if (
            passage.start < matter
            or _is_of_itself(low, passage)
            or not (passage.kind in ("text", "item") or (passage.kind == "heading" and asked.kind == "count"))
            or any(first <= passage.start < last for first, last in facts)
            or passage.text.endswith(("?", ":"))
            or len(_CODE.findall(_IN_TICKS.sub("", passage.text))) >= MOST_CODE
        ):
            continue
        if len(needed) < FEWEST_WORDS and (not _begins(needed[0], passage) or _IS_BESIDE.match(passage.text)):
            continue  # one word in passing says little; one that a sentence begins with is its subject
        if len(needed) < FEWEST_WORDS and _ASKS_OF_ONE.match(low) and not _is_name(needed[0], leaf):
            continue  # "where is the key" may mean any key
        value = value_in(question, asked, without_references(written) if asked.kind == "when" else written)
        if value is None and asked.kind == "who" and FIRST_PERSON.search(passage.text) and written_by(leaf, passage.start):
            value = 0  # whoever wrote the comment
        if not all(re.search(rf"\b{word}", f"{said} {passage.heading}".casefold()) for word in named):
            continue
        if any(noun not in f"{said} {passage.heading}".casefold() for noun in doings):
            continue  # "Set it in ..." says nothing of settings
        here = _share(needed, own)
        if value is None or (
            asked.kind in PLAIN
            and not (
                here >= 1.0 and _stand_close(needed, passage) and (len(needed) >= FEWEST_PLAIN or _is_all(low, needed, passage))
            )
        ):
            continue
        if _SOME.search(_ASIDE.sub(" ", said[: value or len(said)])) and not _SOME.search(low):
            continue  # that is of some of them only
        if asked.kind == "yes_no" and (len(own.difference(terms(low))) > MOST_ELSE or not has_same_case(low, said)):
            continue  # what says much else as well may be of another case
        if asked.kind in PLAIN and _ONCE.match(said) and not _ONCE.search(low):
            continue  # "Before version 7 ... were" says nothing of now
        if "respectively" in said.casefold() and "respectively" not in low:
            continue  # which of two things is said of which of two others
        if asked.kind == "why" and _REASONS.match(low):
            continue  # one sentence gives one
        if (is_of_now and was_until(said)) or is_of_other(low, asked, needed, said, value):
            continue
        line = " ".join(said.split())
        if not says_whether(low, line) or only_compares(low, line) or is_of_example(low, found, at):
            continue
        if not tells_first_of_all(low, f"{line} {passage.heading}"):
            continue
        if asked.kind in PLAIN and _is_contested(low, needed, passage, found):
            continue
        is_moved = is_titled and asked.kind in TYPED and says_what_moved(said, value)
        is_moved = is_moved and (
            asked.kind != "where" or "mov" in said.casefold()
        )  # what is set to an address is not moved there
        if not (is_moved or here >= OWN_WORDS):
            continue
        if asked.kind == "where" and not is_moved and not any(word.is_in(passage.terms[:OPENING]) for word in needed):
            continue  # it says where something else is
        if asked.kind == "where" and _SOMEWHERE.match(low) and (passage.kind == "item" or _IN_CASE.search(low)):
            continue  # one of several places, or one that a sentence on something else names
        if asked.kind == "where" and len(needed) <= FEWEST_WORDS and here < 1.0 and not is_moved:
            continue  # of two words both have to be said: what a page on logs says is written somewhere need not be logs
        if asked.kind == "who" and not role <= own.union(terms(passage.heading)):
            continue  # that a heading farther up has the word says nothing of who that is
        if asked.kind == "who" and here < 1.0 and is_half_named(*_title_beside(needed, own, leaf)):
            continue
        if asked.kind == "who" and not _does_it(needed, own, said, value):
            continue
        if asked.kind == "why" and not is_of_purpose(needed, said):
            continue
        if not turns(low, said) or not decides(low, said) or not (is_moved or is_related(low, asked.kind, needed, said, value)):
            continue
        strength = (
            0.5 * max(here, MOVED * is_moved) + 0.4 * all_ - (0.25 if not is_moved and _HEDGED.search(said, 0, value) else 0.0)
        )
        strength -= OVER if is_of_now and is_over(said) else 0.0
        strength -= OVER if asked.kind == "count" and not is_of_months(question, said) else 0.0
        strength += AS_ASKED * _said_alike(low, said)
        if strength >= 0.58:
            yield Statement("sentence", passage.start, passage.end, strength)


def _title_beside(needed: Sequence[Word], own: frozenset[str], leaf: LeafText) -> tuple[str, frozenset[str]]:
    """What a page is called, and the words of a question that a sentence of it leaves to that."""
    return (leaf.heading[0] if leaf.heading else ""), frozenset(word.whole for word in needed if not word.is_in(own))


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
    name = NAME_AT.match(said, value)
    after, before = terms(said[name.end() if name else value :])[:MOST_TO_NAME], terms(said[:value])[-MOST_TO_NAME:]
    beside = {*after, *before}
    return all(
        word.whole in own or any(part in own for part in word.parts) or not word.is_in(own) or word.is_in(beside)
        for word in needed
    )


def _is_contested(low: str, needed: Sequence[Word], passage: Passage, found: Sequence[Passage]) -> bool:
    """Whether another sentence has nearly all words of a question for one thing, and names another: then no form tells which it is."""
    if word_of(low) not in ("what", "which"):
        return False
    mine = set(NAMED.findall(passage.text))
    return any(
        one is not passage and one.kind in ("text", "item") and _share(needed, one.distinct) >= CONTESTED
        and any(name not in mine and name.casefold() not in low for name in NAMED.findall(one.text))
        for one in found
    )  # fmt: skip


def _is_of_itself(low: str, passage: Passage) -> bool:
    return _OF_ITSELF.match(passage.text) is not None and _DOCUMENT.search(low) is None


def _named_besides(low: str) -> frozenset[str]:
    """Words with which things are asked for that here say something: "how many panes are in use", "which issue type"."""
    return frozenset(match[1] for match in (_IN_STATE.search(low), _OF_TYPE.match(low)) if match is not None)


def _consequences(low: str, words: Sequence[Word], leaf: LeafText, found: Sequence[Passage]) -> Iterator[Statement]:
    """What a sentence says follows from just the condition that is asked about: "If fetching fails, the task is not started"."""
    needed = [word for word in words if word.whole not in LIGHT]
    if len(needed) < FEWEST_WORDS or not asks_what_happens(low):
        return
    outer = set(terms(" ".join(leaf.heading)))
    rest = [word for word in needed if not word.is_in(outer)] or needed  # what the page is about need not be said again
    for passage in found:
        if passage.kind not in ("text", "item") or passage.text.endswith(("?", ":")) or not turns(low, passage.text):
            continue
        if _is_of_itself(low, passage):
            continue
        same = (clause for clause in conditions_in(passage.text) if is_same_condition(low, clause))
        if (
            any(share_of_clause(rest, clause) >= ALL_WORDS for clause in same)
            and _share(needed, passage.distinct | outer) >= ALL_WORDS
        ):
            own = share_of_condition(needed, passage.text)
            yield Statement("sentence", passage.start, passage.end, 0.6 + 0.3 * own)


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


def _said_alike(low: str, text: str) -> float:
    """How many neighbouring words of a question, small ones too, are neighbours in a sentence, from 0 to 1."""
    asked = set(pairwise(re.findall(r"\w+", low)))
    return len(asked & set(pairwise(re.findall(r"\w+", text.casefold())))) / max(1, len(asked))


def _stand_close(needed: Sequence[Word], passage: Passage) -> bool:
    """Whether the words of a question stand in one part of a sentence, with as many others between them at most."""
    places = [at for at, term in enumerate(passage.terms) if any(word.is_in({term}) for word in needed)]
    return bool(places) and places[-1] - places[0] < 2 * len(needed) + MOST_BETWEEN
