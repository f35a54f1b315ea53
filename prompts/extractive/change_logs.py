"""Logs of changes: what they say was mended or added at some time is seldom how a thing is, unless just that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompts.regex import regex

_CHANGE_LOG = regex(
    r"\b(?:change ?log|change history|changes|release notes|release history|what['’]s new)\b|\A(?:news|history|releases)\b|\Av?\d{1,4}\.\d{1,4}[\w.]{0,20}(?: \W?(?:\d{4}-\d\d|unreleased)|\Z)"
    r"|\A(?:version|release) v?\d{1,4}\.\d{1,4}[\w.]{0,20},? \W{0,2} ?(?:\d{4}-\d\d|unreleased)",
    re.IGNORECASE,
)
_IN_TERMS = regex(  # of the index, with one or two spaces between
    r" (?:changelog|chang {1,2}(?:log|histori)|releas {1,2}(?:note|histori)) |\A {1,2}(?:new {1,2}[a-z]{1,40}|chang) {1,2}\d{1,4}p\d"
    r"|\A {1,2}(?:version|releas) {1,2}\d{1,4}p\d{1,4}(?: {1,2}[a-z0-9]{1,12}){0,3} {1,2}(?:19|20)\d\d "
)
_ASKS_CHANGE = regex(
    r"\d\.\d|\b(?:versions?|release[sd]?|change[sd]|changelog|new(?:er|est)?|added|remov(?:ed|al)|fix(?:ed|es)?|mend(?:ed)?|bugs?|deprecat\w+|introduc\w+|since|when (?:was|were|did)|used to|histor\w+|ever|replaced|upgrad\w+"
    r"|migrat\w+|latest|contribut\w+|patch\w*|crash\w*|regression|neu|seit|geändert|wann wurde)\b",
    re.IGNORECASE,
)


_OF_NOW = regex(
    r"\b(?:version|release)s?\b(?=.*\b(?:need|requir|support|compatible|work with|run (?:on|with)|minimum|install)\w*)",
    re.IGNORECASE,
)


def asks_for_changes(question: str) -> bool:
    """Not "Which version of it is needed?", which a log of changes tells of some time in the past."""
    return _ASKS_CHANGE.search(_OF_NOW.sub("", question)) is not None


def is_beside_changes(question: str, headings: Iterable[str]) -> bool:
    """Whether what stands below these headings is a log of changes, and no change is asked about."""
    return is_log(headings) and not asks_for_changes(question)


def is_log(headings: Iterable[str]) -> bool:
    return any(map(_CHANGE_LOG.search, headings))


def is_log_in_terms(heading: str) -> bool:
    """Whether headings, given as terms of the index with spaces around each, are those of a log of changes."""
    return _IN_TERMS.search(heading) is not None
