"""The Prometheus text format (version 0.0.4), as far as the app needs it: too little to depend on a library for."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Labels = Mapping[str, str]
Sample = tuple[str, Labels, float]  # what follows the name of the metric, labels, value


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    help: str
    kind: Literal["counter", "gauge", "histogram"]
    samples: Iterable[Sample]


def gauge(name: str, help_: str, *samples: tuple[Labels, float]) -> Metric:
    return Metric(name, help_, "gauge", [("", labels, value) for labels, value in samples])


def counter(name: str, help_: str, *samples: tuple[Labels, float]) -> Metric:
    return Metric(name, help_, "counter", [("", labels, value) for labels, value in samples])


def as_text(metrics: Iterable[Metric]) -> str:
    return "".join(f"{line}\n" for metric in metrics for line in _lines(metric))


def _lines(metric: Metric) -> Iterator[str]:
    yield f"# HELP {metric.name} {metric.help}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for suffix, labels, value in metric.samples:
        named = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
        yield f"{metric.name}{suffix}{{{named}}} {value}" if named else f"{metric.name}{suffix} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


@dataclass(slots=True)
class Histogram:
    """How long things took, by one label. Safe to use from many threads."""

    limits: tuple[float, ...]  # seconds, rising
    _counts: dict[str, Counter[float]] = field(default_factory=dict)
    _sums: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, label: str, seconds: float) -> None:
        limit = next((limit for limit in self.limits if seconds <= limit), float("inf"))
        with self._lock:
            self._counts.setdefault(label, Counter())[limit] += 1
            self._sums[label] += seconds  # type: ignore[assignment]  # a Counter adds up any number

    def as_metric(self, name: str, help_: str, label_name: str) -> Metric:
        with self._lock:
            samples = [sample for label in sorted(self._counts) for sample in self._samples(label_name, label)]
        return Metric(name, help_, "histogram", samples)

    def _samples(self, label_name: str, label: str) -> Iterator[Sample]:
        total = 0
        for limit in (*self.limits, float("inf")):
            total += self._counts[label][limit]
            yield "_bucket", {label_name: label, "le": "+Inf" if limit == float("inf") else f"{limit:g}"}, total
        yield "_sum", {label_name: label}, round(self._sums[label], 6)
        yield "_count", {label_name: label}, total
