"""How like leaves are to a question in meaning: their vectors held against its vector. It is imported where vectors are used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

BLOCK = 8_192  # parts compared at once: whole numbers become floats a block at a time
LEAST_SPREAD, OF_DEVIATION = 0.01, 1.4826  # the second makes of a median deviation a standard one
STEPS = 127  # a vector's numbers are kept as whole numbers up to this
Floats = npt.NDArray[np.float32]


class Like(NamedTuple):
    """How like a leaf is to a question: `share` from 0 to 1, `part` the number of the segment that is most like it."""

    share: float
    part: int


class NearPart(NamedTuple):
    """A part of a leaf, by its number, and the cosine of its vector and a question's."""

    cosine: float
    source_id: str
    leaf: str
    part: int


class SourceVectors:
    """The vectors of one source in memory, the parts of a leaf one after the other."""

    def __init__(self, rows: Sequence[tuple[str, bytes]], size: int) -> None:
        rows = [row for row in rows if row[1]]
        self.leaves = [leaf for leaf, _ in rows]
        self.row_of = {leaf: row for row, leaf in enumerate(self.leaves)}
        lengths = np.array([len(blob) // size for _, blob in rows], dtype=np.int64)
        self.starts = np.concatenate(([0], np.cumsum(lengths)[:-1])) if rows else np.zeros(0, np.int64)
        self.parts = np.frombuffer(b"".join(blob for _, blob in rows), dtype=np.int8).reshape(-1, size)
        # rounding has changed how long each is
        lengths_now = [np.linalg.norm(block.astype(np.float32), axis=1) for block in _blocks(self.parts)]
        self.scale = (1 / np.concatenate([np.zeros(0, np.float32), *lengths_now])).astype(np.float32)

    def compare(self, question: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The cosine of each leaf's best part, and which part that is."""
        cosines = self._cosines(question)
        best = np.maximum.reduceat(cosines, self.starts)
        owner = self._owners()
        at = np.flatnonzero(cosines == best[owner])
        first = at[np.unique(owner[at], return_index=True)[1]]
        return best, first - self.starts

    def nearest(self, question: Floats, limit: int, within: Collection[str] | None) -> Iterator[tuple[float, str, int]]:
        """Cosine, leaf and number of the parts that are most like a question, so many at most, the best first; `within`: of these leaves
        alone."""
        if not self.leaves:
            return
        cosines = self._cosines(question)
        owner = self._owners()
        if within is not None:
            is_within = np.array([leaf in within for leaf in self.leaves])
            cosines = np.where(is_within[owner], cosines, -np.inf)
        for at in np.argsort(-cosines, kind="stable")[:limit]:
            if np.isfinite(cosines[at]):
                row = int(owner[at])
                yield float(cosines[at]), self.leaves[row], int(at - self.starts[row])

    def _owners(self) -> npt.NDArray[np.int64]:
        """The row of the leaf that each part is of."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.parts))))

    def _cosines(self, question: Floats) -> Floats:
        """Of the question and each part."""
        found = [block.astype(np.float32) @ question for block in _blocks(self.parts)]
        cosines: Floats = np.concatenate(found) * self.scale
        return cosines


def _blocks(parts: npt.NDArray[np.int8]) -> Iterator[npt.NDArray[np.int8]]:
    return (parts[start : start + BLOCK] for start in range(0, len(parts), BLOCK))


@dataclass(frozen=True)
class Likeness:
    """How like every leaf of some sources that has a vector is to a question."""

    sources: Mapping[str, tuple[SourceVectors, Floats, npt.NDArray[np.int64]]]
    middle: float  # the median of the cosines of all these leaves: many may answer it, and move that little
    top: float
    spread: float  # what the standard deviation would be if those that answer were not among them

    def of(self, source_id: str, leaf: str) -> Like | None:
        """None for a leaf without a vector."""
        found = self.sources.get(source_id)
        row = found[0].row_of.get(leaf) if found is not None else None
        if found is None or row is None:
            return None
        _, cosines, parts = found
        return Like(self._share(float(cosines[row])), int(parts[row]))

    def best(self, limit: int, within: Collection[tuple[str, str]] | None = None) -> list[tuple[str, str]]:
        """(source, leaf) of those that are most like it, the best first; none that is no more like it than most are."""
        ranked: list[tuple[float, str, str]] = []
        for source_id, (source, cosines, _) in self.sources.items():
            order = np.argsort(-cosines, kind="stable") if within is not None else np.argsort(-cosines, kind="stable")[:limit]
            named = ((-float(cosines[row]), source_id, source.leaves[row]) for row in order)
            ranked += [one for one in named if within is None or one[1:] in within][:limit]
        return [(source_id, leaf) for cosine, source_id, leaf in sorted(ranked)[:limit] if self._share(-cosine) > 0]

    def stands_out(self, like: Like) -> float:
        """By how many standard deviations a leaf is more like the question than leaves are on the whole."""
        return like.share * (self.top - self.middle) / self.spread

    def _share(self, cosine: float) -> float:
        """0 for one that is as like as leaves are on the whole, 1 for the one that is most like it: what a cosine is worth
        differs from model to model."""
        if self.top <= self.middle:  # there are no two that differ
            return float(cosine > 0)
        return max(0.0, (cosine - self.middle) / (self.top - self.middle))


def likeness_of(question: Floats, sources: Mapping[str, SourceVectors]) -> Likeness | None:
    """Of a question's vector to all leaves of these sources; None where there are none."""
    found = {id_: (source, *source.compare(question)) for id_, source in sources.items() if source.leaves}
    if not found:
        return None
    every = np.concatenate([cosines for _, cosines, _ in found.values()])
    middle = float(np.median(every))
    spread = OF_DEVIATION * float(np.median(np.abs(every - middle)))
    return Likeness(found, middle, float(every.max()), max(LEAST_SPREAD, spread))


def rounded(vectors: Floats) -> bytes:
    """A byte for each number, the largest of each vector as large as it gets: a quarter of the room, and cosines that differ in
    the third digit."""
    if not len(vectors):
        return b""
    most = np.abs(vectors).max(axis=1, keepdims=True)
    return bytes(np.rint(vectors / most * STEPS).astype(np.int8).data)
