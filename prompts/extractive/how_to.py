"""Writes the answer to "How do I …?" and to an alert: what it means, what is needed first, and the steps in order, each with its
citation, with nothing of another procedure but where a step leads to one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from prompts.extractive.answer import as_spelt
from prompts.extractive.document_lines import begins_with_label, tells_of_document
from prompts.extractive.markdown import as_text
from prompts.extractive.nearest import NEAR_IN_NAME, asked_by, is_other_verb, nearest, nearness
from prompts.extractive.pages import fitting, is_alert, meaning_of
from prompts.extractive.passages import passages, quote, where_said
from prompts.extractive.procedures import Fitting, Part, Procedure, act_told, fit_of, goes_on_below, naming, procedures, share_of
from prompts.extractive.rendering import Point, body_of, marked, place_above, place_of
from prompts.extractive.unfolding import LONGEST_UNFOLDED, TARGET, Leading, Unfolding, leads_to, opening_of, procedures_of
from prompts.language import terms
from prompts.question import Word, analyse
from prompts.records import Cited, Evidence, LeafText, LogicUnit, Quote
from prompts.regex import regex
from prompts.sentences import blocks, sentences

BEFORE = "Before you start:"
FITTING = 0.62  # of a procedure, for its steps to be what may help
A_LITTLE = 0.1  # what the scent of a leaf counts beside what its procedure is called
SAID_THERE, LED_TO = 0.4, 0.3  # of a question, in the passage that points at a document; what its procedure is called
CALLED = 0.2  # of the words of a question, in what a procedure is called: then less has to stand in its steps
SAID_BY_BOTH, SAID_IN_STEPS = 0.55, 0.6  # of the words of a question, in the steps of a procedure with what it is called
MOST_STEPS = 24
_ITEM = regex(r"(?:\A|\n)[ \t]*[-*+•][ \t]+")  # where an item of a list begins
_NUMBER = regex(r"\A(?:[Ss]tep )?\d{1,3}[.:)]? +")
# What is needed first may be said after a label, which is not told twice.
_LABEL = regex(
    r"\A[*_]{0,2}(?:before you (?:start|begin)|prerequisites?|requirements|you need|what you need)[*_]{0,2}(?::|,(?= [a-z]))[*_]{0,2}\s*(?=\S)",
    re.IGNORECASE,
)
_HEADINGS = regex(r"(?:#{1,6} [^\n]*\n\s*)+")
_POINTS_AT = regex(
    r"\b(?:see|follow|refer to|described in|according to|read|work through|go through|do as|act as|carry out|go by|use|run|siehe|voir)\b|\]\([^()\n]{1,200}\)\W{0,3}(?:says|tells|describes|has the steps)\b",
    re.IGNORECASE,
)
_DO_AS = regex(  # whoever it happens to
    r"\b(?:follow|work through|go through|do as|act as|carry out|go by|use|run) (?:(?:the|this|that|these|our|those) )?(?:[\w-]+ ){0,4}?\W{0,3}\[|\[[^\[\]\n]{2,80}\]\([^()\n]{1,200}\)\W{0,3}(?:says|tells|describes|has the steps)\b",
    re.IGNORECASE,
)
_SCENT = 0.3  # what the scent of a leaf counts beside how well its procedure fits


@dataclass(frozen=True, slots=True)
class Told:
    """A procedure, and the leaf it is told from."""

    number: int  # of the citation
    leaf: LeafText
    procedure: Procedure
    document: str = ""  # id of the document in its source: the path of a file
    meaning: Part | None = None  # what the page says of what it is called, with the first of its procedures
    is_whole: bool = False  # it is a part of all that a page says to do


def answering(words: Sequence[Word], direct: Sequence[Evidence]) -> list[Told]:
    """The procedure that answers, with what follows it in other leaves; all that a document says to do, where that is asked."""
    found = [(e, fit) for e in direct if (fit := fitting(_spelt(words, e.leaf), e.leaf)) is not None and _has_words(e.leaf, fit)]
    if not found:
        return []
    best, fit = max(found, key=lambda pair: (round(pair[1].strength, 2), -_begins_with(pair[1]), pair[0].score))
    if not fit.is_whole:
        first, *others = [Told(best.number, best.leaf, one, best.document) for one in fit.procedures]
        return _with_onward([replace(first, meaning=fit.meaning), *others], direct)
    same = [pair for pair in found if pair[1].is_whole and pair[0].leaf.heading[:1] == best.leaf.heading[:1]]
    same.sort(key=lambda pair: pair[0].begins)
    return [
        Told(e.number, e.leaf, one, e.document, fit.meaning if not number else None, True)
        for e, fit in same
        for number, one in enumerate(fit.procedures)
    ]


def _begins_with(fit: Fitting) -> int:
    """The number of the first step: a procedure that is cut over leaves begins in the one with the lowest."""
    return next((step.step or 1 for one in fit.procedures for step in one.steps), 1)


def nearest_called(words: Sequence[Word], speaking: Sequence[Evidence], question: str) -> list[Told]:
    """The procedure whose name comes nearest to what is asked, in any words, where one comes near."""
    rated = [(nearest(words, e.leaf, question), e) for e in speaking]
    found = [
        (near + A_LITTLE * e.score, Told(e.number, e.leaf, one, e.document))
        for (near, one), e in rated
        if one is not None and near >= NEAR_IN_NAME and _has_words(e.leaf, Fitting((one,), 0.0))
    ]
    _, best = max(found, key=lambda pair: pair[0], default=(0.0, None))
    return _with_onward([best], speaking) if best is not None else []


@dataclass(frozen=True, slots=True)
class LedTo:
    """A procedure, and the sentence that leads to it."""

    told: Told
    by: Point


def led_to(best: Point, words: Sequence[Word], evidence: Sequence[Evidence], question: str) -> LedTo | None:
    """The procedure of the document to which a passage only points: "goes to repair (see repair_steps.txt)"; whatever it is called, where a
    sentence of that passage says to do as it says: "When the siren sounds, follow [this procedure](evacuation.md)"."""
    leaf, (start, end) = best.leaf, best.best
    spans = [
        (best.quote.start + first, best.quote.start + last)
        for first, last in sentences(leaf.text[best.quote.start : best.quote.end])
    ]
    spans = [span for span in spans if _DO_AS.search(leaf.text, *span) is not None] or [(start, end)]
    document = next((e.document for e in evidence if e.number == best.number), "")
    for start, end in spans:
        said = leaf.text[start:end]
        files = (*TARGET.findall(said), *analyse(said).files) if _POINTS_AT.search(said) else ()
        if not files or share_of(naming(words), set(terms(f"{said} {place_above(leaf, start)}"))) < SAID_THERE:
            continue
        is_told_to = _DO_AS.search(said) is not None
        for e in (e for file in files for e in evidence if e.leaf is not leaf and leads_to(file, document, e)):
            anchor = next((file.partition("#")[2] for file in files if leads_to(file, document, e)), "")
            one = next((one for one in procedures_of(e.leaf, anchor)[:1] if one.steps), None)
            if one is not None and (is_told_to or nearness(one, words, e.leaf, question) >= LED_TO):
                by = Point(best.number, leaf, quote(leaf.text, start, end), best.worth)
                return LedTo(Told(e.number, e.leaf, one, e.document), by)
    return None


def helping(words: Sequence[Word], speaking: Sequence[Evidence], question: str = "", best: Point | None = None) -> list[Told]:
    """The procedure that comes nearest to what is asked, where one comes near: by its steps, where its name says little of it; then
    the `best` of all passages is to be one of them."""
    named = asked_by(words, question) or naming(words)
    found = [
        (fit_of(one, words, e.leaf) + _SCENT * e.score, Told(e.number, e.leaf, one, e.document))
        for e in speaking
        for one in procedures(e.leaf)
        if fit_of(one, words, e.leaf) > 0
        and _has_words(e.leaf, Fitting((one,), 0.0))
        and (best is None or (_is_said_of(one, named, e.leaf, best) and not is_other_verb(one.title, words, question)))
    ]
    fit, nearest_one = max(found, key=lambda pair: pair[0], default=(0.0, None))
    return _with_onward([nearest_one], speaking) if nearest_one is not None and fit >= FITTING else []


def _is_said_of(one: Procedure, named: Sequence[Word], leaf: LeafText, best: Point) -> bool:
    """Whether what a procedure is called has a part of what is asked, or else its steps have most of it and the best passage."""
    titles = set(terms(" ".join((one.title, *one.above, one.lead, leaf.name))))
    said = set(terms(leaf.text[one.steps[0].start : one.steps[-1].end]))
    if act_told(named, one, leaf) == "other":
        return False
    if share_of(named, titles) >= CALLED:
        return share_of(named, said | titles) >= SAID_BY_BOTH
    is_best = best.leaf is leaf and any(step.start <= best.best[0] < step.end for step in one.steps)
    return is_best and share_of(named, said | titles) >= SAID_IN_STEPS


def _spelt(words: Sequence[Word], leaf: LeafText) -> list[Word]:
    return as_spelt(list(words), leaf, list(passages(leaf)))


def _has_words(leaf: LeafText, fit: Fitting) -> bool:
    """Whether there is a word in the steps: numbered lines such as those of footnotes are no procedure."""
    steps = [step for one in fit.procedures for step in one.steps]
    return not steps or any(
        map(str.isalpha, "".join(body_of(leaf, quote(leaf.text, step.start, step.end), "") for step in steps))
    )


def _with_onward(told: list[Told], others: Sequence[Evidence]) -> list[Told]:
    """With the steps of other leaves of the document that take up where the last one stops."""
    near = [e for e in others if e.leaf is not told[0].leaf and e.leaf.heading[:1] == told[0].leaf.heading[:1]]
    while (last := told[-1].procedure.steps[-1:]) and last[0].step is not None and last[0].links:
        onward = next(
            (
                Told(e.number, e.leaf, one, e.document)
                for e in near
                for one in procedures(e.leaf)
                if one.steps[0].step == last[0].step + 1 and all(e.leaf is not known.leaf for known in told)
            ),
            None,
        )
        if onward is None:
            break
        told = [*told, onward]
    return told


# ---------------------------------------------------------------- as it is written


def write_steps(told: Sequence[Told], evidence: Sequence[Evidence] = ()) -> Iterator[Cited]:
    """Several procedures each below its title. What a step leads to is told below it where `evidence` has it, one level deep."""
    yield from _meaning(told, evidence)
    needed = needed_first(told)
    told = told_once(told)
    if needed:
        yield Cited(f"{BEFORE}\n")
        for need, one in needed.items():
            yield Cited("\n- ")
            yield from write_need(need, one, evidence)
        yield Cited("\n\n")
    unfolding = Unfolding(evidence, [one.document for one in told], [one.procedure.title for one in told])
    titles = [one.procedure.title for one in told]
    at, left = 0, MOST_STEPS
    for number, one in enumerate(told):
        if number:
            yield Cited("\n\n")
        goes_on = number and titles[number - 1] == one.procedure.title and _continues(told[number - 1], one)
        if len(set(titles)) > 1 and not goes_on:
            yield Cited(f"**{as_text(one.procedure.title)}**\n\n")
        at = at if goes_on else 0
        yield from _procedure(one, at, left, unfolding)
        at += len(one.procedure.steps)
        if left <= len(one.procedure.steps):
            yield from _rest(one, one.procedure.steps[left:], told[number + 1 :])
            return
        left -= len(one.procedure.steps)
    if goes_on_below(told[-1].procedure, told[-1].leaf):
        yield Cited(f"\n\nThe section goes on below these steps. [{told[-1].number}]", told[-1].number, _below(told[-1]))


def _meaning(told: Sequence[Told], evidence: Sequence[Evidence]) -> Iterator[Cited]:
    """What the alert or error means, the first that its page says of it."""
    said = [(one.number, one.leaf, one.meaning) for one in told if one.meaning is not None]
    if not said and told[0].is_whole:  # it may stand in another leaf of the page
        beside = [e for e in evidence if e.document == told[0].document and is_alert(e.leaf)]
        said = [(e.number, e.leaf, part) for e in beside if (part := meaning_of(e.leaf)) is not None]
    for number, leaf, part in said[:1]:
        quoted = quote(leaf.text, part.start, part.end)
        yield Cited(marked(body_of(leaf, quoted, ""), number), number, quoted)
        yield Cited("\n\n")


def needed_first(told: Sequence[Told]) -> dict[str, Told]:
    """What is needed before the first step, each once, with where it is said."""
    found: dict[str, Told] = {}
    for one in told:
        for need in (need for step in one.procedure.steps for need in step.prerequisites):
            found.setdefault(_LABEL.sub("", need), one)
    return found


def write_need(need: str, one: Told, evidence: Sequence[Evidence]) -> Iterator[Cited]:
    """What is needed, with the passage that says so; one that is a document itself with that too."""
    number, said = _said_of(need, one, evidence)
    yield Cited(f"{as_text(need)} [{number}]", number, said)
    for target in TARGET.findall(need):
        for e in evidence:
            if e.leaf is not one.leaf and leads_to(target, one.document, e):
                yield Cited(f" [{e.number}]", e.number, opening_of(e.leaf))
                break


def _said_of(need: str, one: Told, evidence: Sequence[Evidence]) -> tuple[int, Quote | None]:
    """The passage that says what is needed, and the number of its leaf: the one with the steps, or another one of the document."""
    words = need.removesuffix("\u2026")  # of one that is too long to be told whole
    first = one.procedure.parts[0].start
    beside = [(e.number, e.leaf, len(e.leaf.text)) for e in evidence if e.document == one.document and e.leaf is not one.leaf]
    for number, leaf, near in ((one.number, one.leaf, first), *beside):
        if (span := where_said(leaf.text, words, near)) is not None:
            return number, quote(leaf.text, *span)
    return one.number, None


def told_once(told: Sequence[Told]) -> list[Told]:
    """Each step once, and what is needed first not among the steps."""
    return _without(list(needed_first(told)), _distinct(told))


def _below(last: Told) -> Quote:
    """What follows the last step."""
    start, end = next((start, end) for start, end, _ in blocks(last.leaf.text) if start >= last.procedure.parts[-1].end)
    return quote(last.leaf.text, start, end)


def _continues(before: Told, one: Told) -> bool:
    last, first = before.procedure.steps[-1:], one.procedure.steps[:1]
    return bool(last and first and last[0].step is not None and first[0].step == last[0].step + 1)


def _distinct(told: Sequence[Told]) -> list[Told]:
    """Each step once, though two leaves may have it."""
    seen: set[str] = set()
    kept: list[Told] = []
    for one in told:
        parts: list[Part] = []
        for part in one.procedure.parts:
            words = " ".join(one.leaf.text[part.start : part.end].split())
            if words not in seen:
                seen.add(words)
                parts.append(part)
        if parts:
            kept.append(replace(one, procedure=replace(one.procedure, parts=tuple(parts))))
    return kept


def _without(needed: Sequence[str], told: Sequence[Told]) -> list[Told]:
    """What is left to tell after what is needed first: not the list under "Prerequisites" once more."""
    said = {_words(need) for need in needed}
    kept = []
    for one in told:
        parts = [
            part
            for part in one.procedure.parts
            if part.step is not None or not said.issuperset(map(_words, _ITEM.split(one.leaf.text[part.start : part.end])))
        ]
        if parts:
            kept.append(replace(one, procedure=replace(one.procedure, parts=tuple(parts))))
    return kept


def _words(text: str) -> str:
    return " ".join(_ITEM.sub(" ", f"\n{_LABEL.sub('', text)}").split())


def _procedure(one: Told, at: int, left: int, unfolding: Unfolding) -> Iterator[Cited]:
    """The steps numbered from `at` + 1, what stands between them as it is."""
    before: Part | None = None
    first = next((step.start for step in one.procedure.steps), 0)
    for part in _without_head(one):
        gap = "" if before is None else "\n" if before.step and part.step else "\n\n"
        before, marker = part, ""
        if part.step is not None:
            at, left = at + 1, left - 1
            marker = f"{at}. "
        if left < 0:
            return
        body, said = written(one, part, " " * len(marker))
        yield Cited(f"{gap}{marker}{body}", one.number, said)
        is_leading_up = part.step is None and part.start < first  # "if only the machine is gone, do a failover instead"
        for other in () if is_leading_up else unfolding.of(one.leaf, one.document, part):
            yield from unfolded_steps(other, " " * (len(marker) or 3))


def _without_head(one: Told) -> Iterator[Part]:
    """The parts without the sentences above the first step that tell of the document alone: "Owner: Ida Holm. Version of 4 May."."""
    has_begun = False
    for part in one.procedure.parts:
        has_begun = has_begun or part.step is not None
        text = one.leaf.text[part.start : part.end]
        begins = 0
        for start, end in sentences(text) if not has_begun and begins_with_label(text) else ():
            if not tells_of_document(text[start:end]):
                break
            begins = end
        if text[begins:].strip():
            yield replace(part, start=part.start + begins) if begins else part


def written(one: Told, part: Part, indent: str) -> tuple[str, Quote]:
    """A part with the mark of its citation, and what it quotes: not the heading above it, unless that is the step itself."""
    above = None if _heading(one.leaf, part) else _HEADINGS.match(one.leaf.text, part.start, part.end)
    said = quote(one.leaf.text, above.end() if above and above.end() < part.end else part.start, part.end)
    return marked(f"{_heading(one.leaf, part)}{body_of(one.leaf, said, indent)}", one.number), said


def unfolded_steps(other: Leading, indent: str) -> Iterator[Cited]:
    """The steps of the procedure that a step leads to, below it."""
    one = Told(other.evidence.number, other.evidence.leaf, other.procedure)
    yield Cited(f"\n\n{indent}*{as_text(other.title)}*:\n")
    parts = other.procedure.parts[:LONGEST_UNFOLDED]
    number = 0
    for part in parts:
        number += part.step is not None  # an introduction takes no number
        marker = f"{indent}{number}. " if part.step is not None else indent
        body, said = written(one, part, " " * len(marker))
        yield Cited(f"\n{marker}{body}", one.number, said)
    for part in other.procedure.parts[LONGEST_UNFOLDED : LONGEST_UNFOLDED + 1]:
        yield Cited(f"\n\n{indent}It goes on there. [{one.number}]", one.number, written(one, part, "")[1])


def _heading(leaf: LeafText, part: Part) -> str:
    """The heading that is a step itself: "Step 2: Drain the node"."""
    line = leaf.text[part.start : part.end].partition("\n")[0]
    if part.step is None or not line.startswith("#") or line.strip("# ") != part.step.header:
        return ""
    return f"**{as_text(_NUMBER.sub('', line.strip('# ')))}** "


def _rest(last: Told, untold: Sequence[LogicUnit], more: Sequence[Told]) -> Iterator[Cited]:
    """Where the steps that are too many to tell stand."""
    names = ", ".join(dict.fromkeys(as_text(one.procedure.title) for one in more))
    said = next((quote(last.leaf.text, step.start, step.end) for step in untold), None)
    where = f"*{as_text(place_of(last.leaf))}*{f' with {names}' if names else ''}"
    yield Cited(f"\n\nIt goes on in {where}. [{last.number}]", last.number, said)
