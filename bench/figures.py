"""Means, shares and paired bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 2_000


class Interval(NamedTuple):
    """A mean with the range that holds 95 % of the resampled ones."""

    mean: float
    low: float
    high: float


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(np.asarray(values), share)) if len(values) else float("nan")


def paired(differences: Mapping[str, Sequence[float]], seed: int = 1) -> Interval:
    """The mean over sets of the mean difference within each, questions drawn again within their set."""
    chance = np.random.default_rng(seed)
    groups = [np.asarray(values, dtype=float) for values in differences.values() if len(values)]
    if not groups:
        return Interval(float("nan"), float("nan"), float("nan"))
    means = np.zeros(RESAMPLES)
    for values in groups:
        means += values[chance.integers(0, len(values), (RESAMPLES, len(values)))].mean(axis=1)
    means /= len(groups)
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(float(np.mean([values.mean() for values in groups])), float(low), float(high))
