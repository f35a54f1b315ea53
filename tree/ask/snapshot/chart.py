"""Numbers of an answer as a chart: groups that were counted, or columns of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prompts.regex import regex

MOST_BARS = 40  # of a series
_POLITE = (
    r"(?:(?:please|can|could|would|will|you|i|we|want|need|like|show|give|make|create|display|me|us|to|see|a|an|the)\s+){0,6}"
)
_KIND = r"(?:(?:bar|column|pie|line)\s+)?(?:chart|graph|plot|diagram|histogram)"
_ASKED = regex(
    rf"\W*{_POLITE}(?:(?:plot|draw|graph|chart)(?:\s+(?:me|us))?(?:\s+(?:an?|the)\s+{_KIND}\s+(?:of|for|with|showing))?|{_KIND}\s+(?:of|for|with|showing))\s+",
    re.IGNORECASE,
)
_AS_CHART = regex(rf"(?<!\s)\s{{1,3}}(?:as|in|on)\s{{1,3}}(?:an?\s{{1,3}})?{_KIND}\W{{0,5}}\Z", re.IGNORECASE)
DRAWN = frozenset("bar bars chart charts column diagram draw drawn graph graphs histogram line pie plot plots".split())
_AS_IT_WAS = regex(  # "as a pie chart", "can you show me that in a graph?", "draw it"
    rf"\W*(?:(?:and|now|ok|okay|then|also|or|so)\b[\s,]*){{0,3}}{_POLITE}"
    rf"(?:(?:(?:it|this|that|them|these|those|the (?:numbers|result|results|answer|table|same|list))\s+)?(?:as|in|on|into)\s+(?:an?\s+)?{_KIND}"
    rf"|(?:draw|plot|chart|graph)\s+(?:it|this|that|them|these|those)(?:\s+(?:as|in)\s+(?:an?\s+)?{_KIND})?"
    rf"|(?:make|turn)\s+(?:it|this|that|them|these|those)\s+(?:into\s+)?(?:an?\s+)?{_KIND}|{_KIND})(?:\s+please)?\W*",
    re.IGNORECASE,
)
_NUMBER = regex(r"(?P<before>[€$£]?)\s?(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?(?P<after>%|[A-Za-z€$£]{0,12})")


@dataclass(frozen=True, slots=True)
class Series:
    """A number for each name of a chart, in their order; None where there is none."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars: what each is of, and one series or more of their lengths."""

    label: str  # what the names are: status, component, month
    names: tuple[str, ...]
    series: tuple[Series, ...]


def chart_json(chart: Chart | None) -> dict[str, Any] | None:
    """A chart without tuples, as it is stored and sent."""
    if chart is None:
        return None
    series = [{"label": one.label, "values": list(one.values)} for one in chart.series]
    return {"label": chart.label, "names": list(chart.names), "series": series}


def chart_of(label: str, names: Sequence[str], series: Mapping[str, Sequence[float | None]]) -> Chart | None:
    """None where there are fewer than two bars to compare, or more than can be told apart."""
    if not 2 <= len(names) <= MOST_BARS or not series:
        return None
    return Chart(label, tuple(names), tuple(Series(one, tuple(values)) for one, values in series.items()))


def without_chart_words(text: str) -> str | None:
    """What is to be drawn: "open bugs by component" of "Show me a chart of open bugs by component". None: it asks for no chart."""
    left = _AS_CHART.sub("", text)
    asked = _ASKED.match(left)
    left = left[asked.end() :] if asked else left
    return left.strip() if left != text and left.strip() else None


def asks_to_draw(question: str) -> bool:
    """Whether it asks for nothing but a chart of what was answered before: "show me as a chart"."""
    return _AS_IT_WAS.fullmatch(question) is not None


def as_chart(text: str) -> str:
    """The question for the same as a chart."""
    return text if without_chart_words(text) is not None else f"{text.rstrip(' ?.!')} as a chart"


def number_of(value: str) -> tuple[float, str] | None:
    """A number and its unit; None for what is more than that, such as a date or a range."""
    match = _NUMBER.fullmatch(value.strip())
    return (float(match["number"].replace(",", "")), match["before"] or match["after"]) if match else None
