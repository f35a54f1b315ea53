"""Sentences that say by what something is done: "To stop it, run ...", "If you want to ..., use ...", "You can ... by setting ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prompts.extractive.passages import Passage
from prompts.extractive.procedures import without_ranges
from prompts.extractive.relations import turns, without_targets
from prompts.language import terms
from prompts.question import QuestionAnalysis, Word, forms_of
from prompts.records import LeafText
from prompts.regex import regex

FEWEST_WORDS = 2  # of the question in the purpose
MOST_MORE = 1  # further words in the purpose: two make it another case
MOST_ELSEWHERE = 0.5  # of the words of the question, that only the title of the page or the way itself says
LONGEST_WAY = 700  # characters of a sentence with the code that it leads up to
STRENGTH = 0.9

_ASKS_FOR_MEANS = regex(
    r"\W*(?:what|which)\b[^?]{0,60}\b(?:do|should|must|can|could|would) (?:i|we|you|one) (?:use|call|run|set|type|pass|add|choose|pick|install|enable)\b",
    re.IGNORECASE,
)
_LEADING = (  # the purpose comes first, and then what is to be done
    regex(r"(?:[-*+] )?(?:In order to|To) (?P<purpose>[^,:;.]{3,140}?)(?:, |: ?|:?\Z)(?P<way>.*)", re.DOTALL),
    regex(
        r"(?:[-*+] )?(?:If|When|Whenever) (?:you|one|we|users?) (?:also |only |just |really )?(?:wants?|wish(?:es)?|needs?|would like|prefers?|have) to (?P<purpose>[^,:;]{3,160}?)(?:, |: ?)(?P<way>.*)",
        re.DOTALL | re.IGNORECASE,
    ),
)
_TRAILING = regex(  # what is to be done, and then what for
    r"(?:[-*+] )?(?:(?:You|One|We|Users?) (?:can|must|should|may|need to|have to|could) (?:also |simply |just )?)?"
    r"(?P<way>(?:use|call|run|set|pass|add|specify|enable|type|press|choose|select|install)\b[^.;]{2,120}?),? (?:in order )?to (?P<purpose>[^,;:.]{3,140})[.:,;]",
    re.IGNORECASE,
)
_BY = regex(
    r"(?:[-*+] )?(?:You|One|We|Users?) (?:can|must|should|may|could) (?:also |simply |just |easily )?(?P<purpose>[^,;:.]{3,140}?) (?P<way>(?:by [a-z]+ing|using|with the|via|through)\b.*)",
    re.DOTALL | re.IGNORECASE,
)
_TOLD = regex(
    r"`[^`\n]+`|\b\w+\(\)|(?<![\w-])--?[A-Za-z][\w-]*|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[a-z]+_[a-z_]+\b"
)  # what is typed
_FOR_EXAMPLE = regex(r"(?:For example|For instance|Example|E\.g\.|Like (?:this|so))\W*:\W*\Z", re.IGNORECASE)
_NAME = regex(r"(?<![\w.-])[A-Z][\w+.#]{2,30}(?![\w-])")
_NEGATED = regex(r"\b(?:not|no|never|without|cannot)\b|n['’]t\b", re.IGNORECASE)


def ways(
    low: str, asked: QuestionAnalysis, needed: Sequence[Word], leaf: LeafText, found: Sequence[Passage]
) -> Iterator[tuple[int, int, float]]:
    """The spans of sentences that say how to do just what is asked, with what they lead up to, and how sure that is.

    Every word of the question stands in the purpose, but for what the title of the page says, and hardly another one.
    """
    if (asked.kind != "how_to" and not _ASKS_FOR_MEANS.match(low)) or len(needed) < FEWEST_WORDS:
        return
    outer = set(terms(" ".join(without_ranges(leaf.heading))))
    if _is_for_named(low, leaf):
        return
    for at, passage in enumerate(found):
        if passage.kind not in ("text", "item") or passage.text.endswith("?"):
            continue
        end = _end(found, at)
        has_code = end > passage.end
        if end and any(_is_asked(low, asked, needed, outer, *one, has_code=has_code) for one in _said(passage.text)):
            yield passage.start, end, STRENGTH


def _is_for_named(low: str, leaf: LeafText) -> bool:
    """Whether a page is called by the name of one thing alone that the question has not: what it says is to be done holds with that.

    A name is what is written large in the middle of a sentence too.
    """
    title = leaf.title
    if _NAME.fullmatch(title) is None or title.casefold() in low:
        return False
    own = {part.casefold() for part in leaf.inside}
    return title.casefold() not in own and re.search(rf"(?<=[a-z,] ){re.escape(title)}\b", leaf.text) is not None


def _end(found: Sequence[Passage], at: int) -> int:
    """Where a sentence ends with the code that it leads up to; 0 where it leads up to something else."""
    passage = found[at]
    after = found[at + 1] if at + 1 < len(found) else None
    if after is not None and _FOR_EXAMPLE.match(after.text):
        after = found[at + 2] if at + 2 < len(found) else None
    elif not passage.text.endswith(":"):
        return passage.end
    return after.end if after is not None and after.kind == "code" and after.end - passage.start <= LONGEST_WAY else 0


def _said(text: str) -> Iterator[tuple[str, str]]:
    """The purposes in a sentence, each with what is to be done for it."""
    for pattern in (*_LEADING, _TRAILING, _BY):
        if (match := pattern.match(text)) is not None:
            yield without_targets(match["purpose"]), match["way"]


def _is_asked(
    low: str, asked: QuestionAnalysis, needed: Sequence[Word], outer: set[str], purpose: str, way: str, *, has_code: bool
) -> bool:
    there, means = set(terms(purpose)), set(terms(way))
    is_way = asked.kind == "how_to"
    elsewhere = [word for word in needed if not word.is_in(there)]
    titled = [word for word in elsewhere if is_way or not word.is_in(means)]  # "which signal": that is with what it is done
    most_more = 0 if elsewhere else MOST_MORE  # with a word in the place of one of the question, it is another thing
    known = forms_of(needed) | set(terms(low))
    return (
        (has_code or _TOLD.search(way) is not None)
        and all(word.is_in(outer) for word in titled)
        and len(elsewhere) <= MOST_ELSEWHERE * len(needed)
        and (needed[0].is_in(there) or not is_way)  # what is to be done
        and len(there - known - outer) <= most_more
        and bool(_NEGATED.search(purpose)) == bool(_NEGATED.search(low))
        and turns(low, purpose)
    )
