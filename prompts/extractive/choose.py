"""Orders the ways to go by the evidence known to lie behind each, and says why in words a person understands."""

from __future__ import annotations

from collections.abc import Sequence

from prompts.language import terms
from prompts.question import Word, analyse, as_written, weigh
from prompts.records import NO_NOTES, Choice, Chosen, Notes, Option, Question

# Evidence below alone decides: words of a title or a summary, even as a small extra, make the walk worse (measured).
_NAMED = 0.3
_LEAST = 0.02
_BESIDE_BEST = 0.1  # no option is chosen that promises less than this share of the best
_LONGEST_EVIDENCE = 160
_MOST_WORDS = 5


def choose(question: Question, options: Sequence[Option], notes: Notes = NO_NOTES) -> Chosen:
    """The options worth opening, best first, of which that one has a reason; none where nothing matches."""
    named = _named(question)
    found: list[tuple[float, int, Option, bool]] = []
    for at, option in enumerate(options):
        named_here = any(name in option.title.casefold() for name in named)
        score = min(1.0, option.scent + (_NAMED if named_here else 0.0))
        if score >= _LEAST:
            found.append((-score, at, option, named_here))
    if not found:
        return Chosen()
    found.sort(key=lambda entry: entry[:2])
    score, _, best, named_here = found[0]
    first = Choice(best.place, round(-score, 4), _reason(question, weigh(question), best, named_here), _best_evidence(best))
    others = [Choice(option.place, round(-other, 4), "") for other, _, option, _ in found[1:] if other <= _BESIDE_BEST * score]
    return Chosen((first, *others))


def _named(question: Question) -> list[str]:
    asked = analyse(question.text)
    names = [*asked.keys, *asked.files]
    if asked.kind == "overview" and len(asked.subject) > 3:
        names.append(asked.subject)
    return [name.casefold() for name in names]


def _reason(question: Question, carrying: list[Word], option: Option, named: bool) -> str:
    shown = " ".join((option.title, option.evidence, " ".join(option.record.about)))
    there = set(terms(shown))
    matched = sorted((word for word in carrying if word.whole in there), key=lambda word: -word.weight)
    as_asked = as_written(question.text)
    names = ", ".join(dict.fromkeys(as_asked.get(word.whole, word.whole) for word in matched[:_MOST_WORDS]))
    return "Named in the question" if named else f"Mentions {names}" if names else "Closest words below it"


def _best_evidence(option: Option) -> str:
    line = " ".join(option.evidence.split())
    if len(line) > _LONGEST_EVIDENCE:
        line = line[: line.rfind(" ", 0, _LONGEST_EVIDENCE)].rstrip(" ,;:") + "\u2026"
    return line
