"""What a heading says of the text below it: that it is a procedure, a glossary, a decision."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from prompts.regex import regex

Topic = Literal["procedure", "glossary", "faq", "question", "decision", "issue", "event", "reference", "prerequisites", ""]

OF_A_TITLE: frozenset[Topic] = frozenset(("glossary", "faq", "event"))  # topics that a document's title gives all of it

_NUMBER = r"(?:(?:step|part|phase)\s*+\d{1,3}\s*+[:.)–-]?+\s*+|\d{1,3}(?:\.\d{1,3}){0,4}[.):]?\s++|[a-z][.)]\s++)?"
_TOPICS: tuple[tuple[Topic, str], ...] = (
    ("prerequisites", r"prerequisites?\b.*|pre-?requisites?\b.*|before you (?:begin|start)\b.*|before starting|preconditions?|requirements?|what you(?:['’]ll| will)? need|you(?:['’]ll| will)? need(?: first)?|(?:what is )?needed(?: first)?|things you(?:['’]ll| will)? need"),
    ("glossary", r"(?:.{0,40}\b)?glossary\b.*|terms(?: and definitions)?|terminology|definitions(?: of terms)?|(?:list of )?(?:abbreviations|acronyms)\b.*|vocabulary"),
    ("faq", r"(?:.{0,60}\W)?(?:faqs?|f\.a\.q\.?)(?:\W.*)?|frequently asked questions.*|questions (?:and|&) answers|q ?& ?a"),
    ("event", r"(?:.{0,40}\b)?(?:timeline|change ?log|release notes|chronology)\b.*|(?:revision|version|document|change) history|history|what(?:'s|’s| is) new\b.*|changes|events"),
    ("decision", r"decisions?(?: (?:outcome|made|taken|log|record|summary|drivers))?|resolutions?|outcomes?|agreements?|what we decided|(?:the|our|final) decision|verdict"),
    ("issue", r"problems?(?: (?:statement|description))?|the problem|symptoms?|impacts?|(?:user|customer|business) impact|known (?:issues|problems|bugs|limitations)|issues?|bugs?|root causes?|limitations|what went wrong|risks?"),
    ("procedure", r"steps?(?: (?:to|for)\b.*)?|.{0,60}\bsteps|(?:.{0,60}\b)?procedures?(?: .*)?|mitigations?|remediations?|instructions|how to\b.*|how do i\b.*|how-to\b.*|diagnos(?:is|tics?|e|ing)\b.*|(?:.{0,40}\b)?troubleshooting\b.*|(?:installing|installation|install|set ?up|setting up|deploying|deployment|upgrading|upgrade|rollback|rolling back|roll back|recovery|recovering|restoring|restore|rotating (?:the |a )?(?:keys?|secrets?|certificates?|credentials|logs)|quick ?start|getting started|workarounds?|walk-?through|tutorial|checklist)\b.*|fix|solution|recommended actions?|response"),
    ("reference", r"(?:.{0,40}\b)?references?|parameters?|(?:command.line )?(?:options|arguments|flags)|fields|environment variables|settings|properties|schema|endpoints|see also|links|resources|further reading|bibliography|external links|related (?:links|alerts|documents)"),
)  # fmt: skip
_TOPIC = tuple((topic, regex(rf"{_NUMBER}(?:{words})\W*+\Z", re.IGNORECASE | re.DOTALL)) for topic, words in _TOPICS)
_STEP = regex(r"(?:step\s*(\d{1,3})\b|(\d{1,3})(?:[.):]\s+|\s+[–-]\s+))", re.IGNORECASE)
_VERSION = regex(
    r"\[?(?:version |release |v)?\d{1,4}\.\d{1,5}(?:\.\d{1,6})?\]?(?:[\w.+-]{0,20})(?:\W.*)?\Z|\[?unreleased\]?\Z", re.IGNORECASE
)


_ORDERS = regex(
    rf"{_NUMBER}(?:.{{0,60}}\bsteps?\b.*|.{{0,60}}\bprocedures?\b.*|mitigations?|remediations?|instructions|how to\b.*|how do i\b.*"
    r"|.{0,60}\bchecklist\b.*|recommended actions?|workarounds?)\W*+\Z", re.IGNORECASE | re.DOTALL,
)  # fmt: skip


LONGEST = 300  # characters of a title that are looked at


def _line(title: str) -> str:
    return " ".join(title[:LONGEST].strip(" *_#:").split())


def gives_orders(title: str) -> bool:
    """Whether a plain list under this heading can only be things to do."""
    return bool(_ORDERS.match(_line(title)))


@lru_cache(maxsize=10_000)
def topic_of(title: str) -> Topic:
    """What the heading announces; "" where it announces nothing we know."""
    title = _line(title)
    for topic, pattern in _TOPIC:
        if pattern.match(title):
            return topic
    return "question" if title.endswith("?") else ""


def step_number(title: str) -> int | None:
    """3 for "Step 3: Restart" and "3. Restart"."""
    match = _STEP.match(title)
    return int(match[1] or match[2]) if match else None


def says_step(title: str) -> bool:
    return title[:4].casefold() == "step"


def is_version(title: str) -> bool:
    return bool(_VERSION.match(title[:LONGEST]))
