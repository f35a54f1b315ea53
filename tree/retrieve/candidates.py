"""The leaves that may speak to a question: found by its words, by what it names, and by its meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree.retrieve.index import Hit, Index, SearchScope

if TYPE_CHECKING:  # it brings numpy
    from tree.retrieve.likeness import Like, Likeness

BY_WORDS, BY_PHRASES, BY_MEANING = 160, 40, 60  # at most
BESIDE = 1.5  # further leaves by meaning, of which some may be gone or found by words already


@dataclass(frozen=True, slots=True)
class Candidates:
    """`hits` by place, whichever way they were found; `named` are places that the question names outright; `likes` says of the
    hits how like they are to the question in meaning, of those where that is known."""

    hits: Mapping[str, Hit]
    named: tuple[str, ...] = ()
    likes: Mapping[str, Like] | None = None  # None where nothing was looked for by meaning


def find_candidates(
    index: Index,
    scope: SearchScope,
    telling: Sequence[str],
    said: Sequence[str],
    named: Iterable[str] = (),
    likeness: Likeness | None = None,
    phrases: Sequence[Sequence[str]] = (),
) -> Candidates:
    """`telling` are the terms to look for, `said` all that the question says: where the first are nowhere, these have to do.
    `phrases` are terms that may stand one after the other.

    Raises StoreError where the index cannot be read.
    """
    found = index.search(telling, scope, BY_WORDS) or index.search(said, scope, BY_WORDS)
    hits = {hit.place: hit for hit in found}
    if phrases and len(found) == BY_WORDS:  # many have the words; those that have them side by side may be behind all of these
        for hit in index.search_phrases(phrases, scope, BY_PHRASES):
            hits.setdefault(hit.place, hit)
    if likeness is None:
        return Candidates(hits, tuple(named))
    within = index.leaves(scope) if scope.places else None
    for hit in index.hits(likeness.best(round(BESIDE * BY_MEANING), within), scope, BY_MEANING):
        hits.setdefault(hit.place, hit)
    likes = ((place, likeness.of(hit.source_id, hit.leaf)) for place, hit in hits.items())
    return Candidates(hits, tuple(named), {place: like for place, like in likes if like is not None})
