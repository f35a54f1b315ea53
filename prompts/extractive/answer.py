"""Finds what one leaf says to a question: the sentences that cover its words, and how much of it they cover."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from prompts.extractive.asked_forms import asks_time_of_day, has_asked_form
from prompts.extractive.change_logs import is_beside_changes
from prompts.extractive.dates import with_months
from prompts.extractive.facts import are_all, stated
from prompts.extractive.kinds import counted_in, expected_in
from prompts.extractive.nearest import NEAR_IN_NAME, nearest
from prompts.extractive.neighbours import lacks_code
from prompts.extractive.numbered import is_of_others
from prompts.extractive.pages import code_shown, fitting, heads_steps, is_of_error, whole_page
from prompts.extractive.passages import Passage, header_rows, headers_of_rows, passages, quote, shortened
from prompts.extractive.procedures import fit_of, procedures
from prompts.extractive.ranking import excerpts
from prompts.extractive.rivals import COMPARED, dated, in_order
from prompts.extractive.second_part import lacks_second_part
from prompts.extractive.standing import asks_of_then, holds_no_more
from prompts.extractive.statements import Statement, is_unknown, refusals, statements
from prompts.extractive.support import RatedPassage, coverage_of, everywhere, is_said_in_other_words, is_supported, rate
from prompts.extractive.surroundings import LONGEST_CODE
from prompts.extractive.survey import Survey, asked_for, survey
from prompts.extractive.vague import (
    asks_to_get_one,
    asks_what_is_next,
    asks_when_it_ends,
    asks_who_won,
    is_over_by,
    is_to_come,
    points_nowhere,
)
from prompts.language import terms
from prompts.other_languages import language_of
from prompts.question import Kind, QuestionAnalysis, Word, analyse, as_a_whole, as_written, one_slip, weigh, words_in
from prompts.records import NO_NOTES, Excerpt, LeafAnswer, LeafText, LogicUnit, Notes, Question, Quote, Verdict
from prompts.regex import regex
from prompts.synonyms import for_unknown, in_any_words, with_synonyms
from prompts.timespans import day_of

_MOST_QUOTES = 5
_MOST_STEPS = 12
_FITTING = 0.3  # of a procedure, for its steps to be an answer
_LONGEST_QUOTE = 420
_LONGEST_UNIT = 900
LENT = 0.7  # of the weight of the rarest word of a question, for those that the chat lends it
NEAR = 0.3  # of strength, for another statement of a leaf to be as good
_REPEAT = 0.35  # what a word is worth that a chosen sentence has covered already
_SLIP = 0.8  # the weight of a word that is spelt otherwise in the question
SHORTEST_SPELT = 5  # letters of a word that may be spelt otherwise

_POINTS_BACK = regex(
    r"(?:it|this|that|these|those|they|he|she|his|her|their|its|such|both|there|here|then|but|so|also|however|therefore|"
    r"otherwise|instead|afterwards)\b", re.IGNORECASE
)  # fmt: skip
_NAME = regex(  # not the first word of a question: that has a capital anyway
    r"(?<=[\w,;:)] )(?:[A-Z][\w.+#-]*[\w+#]|\d[\w.]*|[a-z][a-z-]{0,20}\d[\w.-]*)"
)


def answer(question: Question, leaf: LeafText, notes: Notes = NO_NOTES) -> LeafAnswer:
    asked = analyse(question.text)
    carrying = weigh(question)
    if not carrying or not leaf.text.strip():
        return LeafAnswer("none", (), 0.0, "The question has no words to look for." if not carrying else "Nothing to read.")
    is_of_next = asks_what_is_next(question.text.casefold())
    fact = stated(question.text, carrying, leaf)
    if fact is not None and not (is_of_next and not any(is_to_come(one.text, question.day) for one in fact.quotes)):
        return fact
    if is_of_error(question.text) and (page := whole_page(carrying, leaf)) is not None and page.meaning is not None:
        asked = replace(asked, kind="how_to")  # the name of an alert is typed to know what to do
    elif asked.kind != "how_to" and heads_steps(code_shown(question.text), leaf):
        asked = replace(asked, kind="how_to")
    found = [p for p in passages(leaf) if p.terms or p.kind == "code"]
    carrying = as_spelt(carrying, leaf, found)
    dated = with_months(carrying, f"{' '.join(leaf.heading)}\n{leaf.text}")
    likely = for_unknown(dated, question.unknown)
    rated = rate(asked, likely, leaf, found, question.text)
    coverage = coverage_of(likely, question.unknown, leaf, rated)
    asking = asked_for(question.text, asked, likely, expected_in(asked.kind, question.text), counted_in(question.text))
    surveyed = survey(asking, leaf, found, [one.has for one in rated])
    whole = f"{' '.join(leaf.heading)}\n{leaf.text}"
    is_known = not names_nowhere(question, [word for word in dated if word in carrying]) and not is_of_others(
        question.text, whole
    )
    is_near = is_known and (
        is_supported(surveyed, coverage)
        or is_said_in_other_words(surveyed, _surveyed_for(in_any_words(likely), question, asked, leaf, found))
        or (asked.kind == "how_to" and nearest(carrying, leaf, question.text)[0] >= NEAR_IN_NAME)
    )
    verdict: Verdict = "partial" if is_near else "none"
    direct = (
        ()
        if is_beside_changes(question.text, leaf.heading)
        else statements(question.text, asked, as_a_whole(question.text, carrying), question.unknown, leaf, found)
    )
    if direct and lacks_code(question.text, whole):
        direct = []
    low = question.text.casefold()
    if asks_who_won(low) and not asks_who_won(leaf.text.casefold()):
        direct = []
    if asks_to_get_one(low, carrying) or (not question.leaning and points_nowhere(question.text, carrying)):
        direct = []
    if not asks_of_then(question.text):
        direct = [one for one in direct if not holds_no_more(leaf, one.start)]
    if is_of_next:
        direct = [one for one in direct if is_to_come(leaf.text[one.start : one.end], question.day)]
    if asks_when_it_ends(low):
        direct = [one for one in direct if not _is_over(one, leaf, question.day)]
    if asks_time_of_day(low):  # "it moves to 10 December" says no hour
        direct = [one for one in direct if has_asked_form(low, leaf.text[one.start : one.end])]
    direct = [one for one in direct if not lacks_second_part(question.text, leaf.text[one.start : one.end])]
    if question.leaning:  # "when did we switch to it?": only with what it is
        direct = [one for one in direct if _is_about(question.leaning, one, leaf, found)]
    quotes = _quotes(asked, carrying, leaf, found, rated)
    strength = 0.0
    if direct:
        verdict, strength = "complete", direct[0].strength
        quotes = _direct_first(leaf, direct, quotes, asked.kind)
    if not quotes and verdict != "none":  # the title alone answers to the question: what stands below it is meant
        quotes = _opening(leaf, found)
    if not quotes:
        verdict = "none"
    reason = _reason(verdict, carrying, leaf, rated, question)
    shown: tuple[Excerpt, ...] = ()
    if verdict == "partial" or (verdict == "none" and coverage > 0):  # what says too little may stand beside what says more
        words = _with_other_words(question, dated)
        shown = excerpts(surveyed if words == likely else _surveyed_for(words, question, asked, leaf, found))
    near_miss = _near_miss(question, asked, carrying, leaf, found, shown[0]) if verdict == "partial" and shown else ""
    return LeafAnswer(
        verdict, quotes, round(coverage, 4), reason, strength=round(strength, 4), excerpts=shown, near_miss=near_miss
    )


def _near_miss(
    question: Question, asked: QuestionAnalysis, carrying: list[Word], leaf: LeafText, found: list[Passage], shown: Excerpt
) -> str:
    """Why the sentence for which an excerpt is shown is not called the answer, though it has all that is asked for."""
    places = [at for at, passage in enumerate(found) if passage.start == shown.best[0]]
    refused = refusals(question.text, asked, carrying, question.unknown, leaf, found, places)
    return next((one.rule.reason for one in refused if one.rule.is_near_miss), "")


def _direct_first(leaf: LeafText, direct: Sequence[Statement], quotes: tuple[Quote, ...], kind: Kind) -> tuple[Quote, ...]:
    """What answers outright, of comments the newest first, and then the rest; the steps of a procedure stay as they are."""
    if direct[0].kind == "procedure":
        return quotes
    near = [one for one in direct if one.kind == "sentence" and one.strength >= direct[0].strength - NEAR]
    spans = in_order(leaf, [(one.start, one.end) for one in near]) if direct[0].kind == "sentence" and kind in COMPARED else []
    spans += [(one.start, one.end) for one in direct if (one.start, one.end) not in spans]
    first = [quote(leaf.text, *span) for span in spans]
    return (*first, *(one for one in quotes if all(one.end <= said.start or one.start >= said.end for said in first)))


def _with_other_words(question: Question, carrying: list[Word]) -> list[Word]:
    """Those that say the same as the words of the question, and those that the chat lends it, beside its own."""
    most = max(word.weight for word in carrying)
    return [*with_synonyms(carrying), *(Word(term, (), LENT * most) for term in sorted(question.leaning))]


def _surveyed_for(words: list[Word], question: Question, asked: QuestionAnalysis, leaf: LeafText, found: list[Passage]) -> Survey:
    asking = asked_for(question.text, asked, words, expected_in(asked.kind, question.text), counted_in(question.text))
    return survey(asking, leaf, found, [frozenset(words_in(words, p.distinct)) for p in found])


def _is_over(statement: Statement, leaf: LeafText, day: date | None) -> bool:
    """Whether what a statement says was to come, when it was written, and is over by now."""
    said = quote(leaf.text, statement.start, statement.end)
    written = dated(leaf, said, "when")
    return written is not None and is_over_by(said.text, day_of(*written) if written.day else None, day)


def _is_about(leaning: frozenset[str], statement: Statement, leaf: LeafText, found: list[Passage]) -> bool:
    """Whether a statement or a heading above it has a word of what the question leans on."""
    said = [p for p in found if p.start < statement.end and statement.start < p.end]
    around = [term for p in said for term in (*p.terms, *terms(p.heading))]
    return not leaning.isdisjoint((*around, *terms(" ".join(leaf.heading))))


def as_spelt(carrying: list[Word], leaf: LeafText, found: list[Passage]) -> list[Word]:
    """Words the whole text asked about does not have, as the leaf spells them where they are one slip away."""
    if all(word.occurs or len(word.whole) < SHORTEST_SPELT for word in carrying):
        return carrying
    known = {term for p in found for term in p.terms} | set(terms(" ".join(leaf.heading)))
    return [
        replace(word, whole=near, weight=word.weight * _SLIP)
        if not word.occurs and len(word.whole) >= SHORTEST_SPELT and word.whole.isalpha() and word.whole not in known
        and (near := min((term for term in known if term[0] == word.whole[0] and one_slip(word.whole, term)), default=""))
        else word
        for word in carrying
    ]  # fmt: skip


def names_nowhere(question: Question, carrying: Sequence[Word]) -> bool:
    """Whether a question is of something by a name, or by a number, that occurs nowhere in the whole text asked about."""
    if not question.unknown or language_of(question.text) is not None:
        return False
    named = {known for match in _NAME.finditer(question.text) for known in terms(match.group())}
    return any(word.whole in named and is_unknown(word, question.unknown) for word in carrying)


# ---------------------------------------------------------------- what is quoted


def _opening(leaf: LeafText, found: list[Passage]) -> tuple[Quote, ...]:
    said = [p for p in found if p.kind == "text"] or [p for p in found if p.kind != "heading"]
    return tuple(quote(leaf.text, *shortened(leaf.text, p.start, p.end, _LONGEST_QUOTE)) for p in said[:3])


def _quotes(
    asked: QuestionAnalysis, carrying: list[Word], leaf: LeafText, found: list[Passage], rated: list[RatedPassage]
) -> tuple[Quote, ...]:
    total = sum(word.weight for word in carrying) or 1.0
    headers = header_rows(found, headers_of_rows(leaf, found))  # what columns are called says nothing of a thing
    rated = [one for one in rated if one.at not in headers] or rated
    spans = _units(asked, carrying, leaf, rated, total)
    steps = len(spans)
    for chosen in _by_coverage(carrying, rated, total, max(2, _MOST_QUOTES - steps) if steps else _MOST_QUOTES):
        spans.append(_with_context(leaf, found, chosen))
    return _as_quotes(leaf, _distinct(spans), found)


def _by_coverage(carrying: list[Word], rated: list[RatedPassage], total: float, most: int) -> list[RatedPassage]:
    """The best sentences one after the other, each valued by what it adds (Carbonell and Goldstein 1998)."""
    left = [r for r in rated if r.passage.kind != "heading" and (r.has or r.bonus > 0.3)]
    covered: set[int] = set()
    chosen: list[RatedPassage] = []
    taken: list[frozenset[str]] = []
    while left and len(chosen) < most:
        best, best_score = None, 0.0
        for r in left:
            score = sum(carrying[i].weight * (_REPEAT if i in covered else 1.0) for i in r.has) / total
            score += 0.3 * sum(carrying[i].weight for i in r.near) / total + r.bonus
            size = r.passage.end - r.passage.start
            if r.bonus <= 0:  # a short sentence says little, unless it has what is asked for
                score *= min(1.0, 0.55 + size / 110)
            score *= 1.0 if size <= 450 else 0.92
            if taken and any(_same(r.passage.distinct, other) for other in taken):
                score *= 0.3
            if score > best_score:
                best, best_score = r, score
        if best is None or best_score < 0.03:
            break
        chosen.append(best)
        covered |= best.has
        taken.append(best.passage.distinct)
        left.remove(best)
    return chosen


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) > 0.8 * max(1, min(len(one), len(other)))


def _units(
    asked: QuestionAnalysis, carrying: list[Word], leaf: LeafText, rated: list[RatedPassage], total: float
) -> list[tuple[int, int]]:
    """For a how-to its steps, for a definition its term, whole and in order."""
    if asked.kind == "how_to":
        return _steps(carrying, leaf)
    if asked.kind == "definition":
        fitting = [u for u in leaf.units if u.kind in ("term", "faq") and _unit_share(u, carrying, leaf, total) >= 0.5]
        fitting.sort(key=lambda unit: (-_unit_share(unit, carrying, leaf, total), unit.start))
        return [(u.start, u.end) for u in fitting[:1] if u.end - u.start <= _LONGEST_UNIT]
    if asked.kind in ("list", "overview"):
        return []
    fitting = [
        unit for unit in leaf.units
        if unit.kind == "faq" and _share_of(carrying, set(terms(unit.header)), total) >= 0.6
        and not are_all(leaf.text[unit.start : unit.end])
    ]  # fmt: skip
    return [(u.start, u.end) for u in fitting[:1] if u.end - u.start <= _LONGEST_UNIT]


def _steps(carrying: list[Word], leaf: LeafText) -> list[tuple[int, int]]:
    """The steps of the procedures that answer the question, or else of the one that fits best, if one does."""
    fit = fitting(carrying, leaf)
    rated = [(fit_of(one, carrying, leaf), one) for one in procedures(leaf)] if fit is None else []
    nearest, near = max(rated, key=lambda pair: pair[0], default=(0.0, None))
    told = fit.procedures if fit is not None else (near,) if near is not None and nearest > _FITTING else ()
    steps = [part for one in told for part in one.parts if part.step is not None or not one.steps]
    return [shortened(leaf.text, step.start, step.end, _LONGEST_UNIT) for step in steps[:_MOST_STEPS]]


def _unit_share(unit: LogicUnit, carrying: list[Word], leaf: LeafText, total: float) -> float:
    return _share_of(carrying, set(terms(unit.header)), total)


def _share_of(carrying: list[Word], there: set[str], total: float) -> float:
    return sum(carrying[at].weight for at in words_in(carrying, there)) / total


def _with_context(leaf: LeafText, found: list[Passage], chosen: RatedPassage) -> tuple[int, int]:
    """The sentence, with the one before it where it points back to that, and with its answer where it asks."""
    passage = chosen.passage
    start, end = passage.start, passage.end
    before = found[chosen.at - 1] if chosen.at else None
    if (
        before is not None and before.kind == passage.kind == "text" and _POINTS_BACK.match(passage.text)
        and end - before.start <= _LONGEST_QUOTE and "\n\n" not in leaf.text[before.end : start]
    ):  # fmt: skip
        start = before.start
    if passage.kind == "code":  # with the sentence that introduces it
        is_led = before is not None and before.kind in ("text", "item") and end - before.start <= LONGEST_CODE
        return (before.start if before is not None and is_led else start), end
    if passage.text.endswith(":") and chosen.at + 1 < len(found):
        last = chosen.at + 1
        if found[last].kind == "item":
            while (
                last + 1 < len(found)
                and found[last + 1].kind in ("item", "code")
                and found[last + 1].end - start <= _LONGEST_UNIT
            ):
                last += 1
        if found[last].kind == "code" and found[last].end - start <= LONGEST_CODE:
            return start, found[last].end
        if found[last].kind in ("code", "item") and found[last].end - start <= _LONGEST_UNIT:
            end = found[last].end
    if passage.text.endswith("?") and chosen.at + 1 < len(found):
        after = found[chosen.at + 1]
        if after.kind in ("text", "item") and after.end - start <= _LONGEST_QUOTE:
            end = after.end
    return shortened(leaf.text, start, end, _LONGEST_UNIT if (start, end) != (passage.start, passage.end) else _LONGEST_QUOTE)


def _distinct(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without what an earlier one holds already; spans that overlap become one."""
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        for at, (first, last) in enumerate(kept):
            if start < last and first < end:
                if not (first <= start and end <= last):
                    kept[at] = (min(first, start), max(last, end))
                break
        else:
            kept.append((start, end))
    return kept


def _as_quotes(leaf: LeafText, spans: list[tuple[int, int]], found: list[Passage]) -> tuple[Quote, ...]:
    """As quotes; the header row of a table goes before the first of its rows."""
    heads = {found[at].start: found[head] for at, head in headers_of_rows(leaf, found).items()}
    made: list[Quote] = []
    headed: set[int] = set()
    for start, end in spans:
        if (head := heads.get(start)) is not None:
            if head.start not in headed and head.end - head.start <= _LONGEST_QUOTE:
                made.append(quote(leaf.text, head.start, head.end))
            headed.add(head.start)
        if all(q.start != start for q in made):
            made.append(quote(leaf.text, start, end))
    return tuple(made)


def _reason(verdict: Verdict, carrying: list[Word], leaf: LeafText, rated: list[RatedPassage], question: Question) -> str:
    known = everywhere(carrying, leaf, rated)
    written = as_written(question.text)
    weights: dict[str, list[float]] = {}  # of each word as it is written, which may be several terms: a file's name
    for at in sorted(range(len(carrying)), key=lambda at: -carrying[at].weight):
        of = weights.setdefault(written.get(carrying[at].whole, carrying[at].whole), [0.0, 0.0])
        of[at in known] += carrying[at].weight
    there = [word for word, (lacking, found) in weights.items() if found and found >= lacking][:4]
    missing = [word for word, (lacking, found) in weights.items() if not found or found < lacking][:3]
    if not there:
        return "None of the question's words stand here."
    said = f"Speaks of {', '.join(there)}"
    return f"{said}; nothing on {', '.join(missing)}." if missing and verdict != "complete" else f"{said}."
