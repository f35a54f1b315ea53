"""The steps of procedures among blocks, and what they need first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from ingestion.chunking.blocks import Block
from ingestion.chunking.naming import clipped
from ingestion.chunking.topics import step_number
from prompts.regex import regex
from prompts.sentences import sentences

LARGEST_DETOUR = 1_500  # what may stand between two items of one numbered list
LONGEST_PREREQUISITE = 300


def step_blocks(text: str, found: Sequence[Block], procedure: bool, orders: bool) -> dict[int, tuple[int | None, int]]:
    """The steps among blocks, where there are several or a procedure is expected: by the number of their first block, their own number and where they end."""
    steps: dict[int, tuple[int | None, int]] = {}
    causes = _causes(text, found)
    items = [n for n in numbered_items(found) or _said_steps(text, found) if n not in causes]
    if not procedure and len(items) < 2:
        items = []
    if not items and procedure:
        items = _unnumbered(text, found, orders, causes)
    following = dict(zip(items, items[1:], strict=False))
    for at in items:
        after = at + 1
        indent = found[at].indent
        until = following.get(at, len(found))
        while after < until and (found[after].kind == "code" or found[after].indent > indent):
            after += 1
        if after < until < len(found) and _goes_on(found, at, until):
            after = until
        steps[at] = (
            found[at].number
            or (step_number(text[found[at].start : found[at].end].lstrip(" \t*_")[:20]) if _says_step(text, found[at]) else None),
            after,
        )
    return steps


def numbered_items(found: Sequence[Block]) -> list[int]:
    """The items of numbered lists at the outermost level."""
    numbered = [n for n, block in enumerate(found) if block.kind == "item" and block.number is not None]
    if not numbered:
        return []
    outermost = min(found[n].indent for n in numbered)
    return [n for n in numbered if found[n].indent <= outermost + 1]


def _goes_on(found: Sequence[Block], at: int, until: int) -> bool:
    number, next_number = found[at].number, found[until].number
    if number is None or next_number != number + 1:
        return False
    return found[until].start - found[at].end <= LARGEST_DETOUR


_STEP_LINE = regex(r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,3}[Ss](?:tep|TEP)[ \t]+\d{1,3}\b")


def _said_steps(text: str, found: Sequence[Block]) -> list[int]:
    return [n for n, block in enumerate(found) if _says_step(text, block)]


# What a list is of, in the line that leads up to it, where its items are nothing to do.
_CAUSES = regex(
    r"\b(?:causes?|caused by|reasons?|because|due to|symptoms?|indicates?|indications?|includ(?:e|es|ing)|such as|for example|examples?)\b[^.:]{0,60}:\W*\Z",
    re.IGNORECASE,
)


def _causes(text: str, found: Sequence[Block]) -> set[int]:
    """The items of lists of causes or symptoms, of which none is an order."""
    causes: set[int] = set()
    for is_item, group in groupby(range(len(found)), key=lambda n: found[n].kind == "item"):
        items = list(group)
        before = found[items[0] - 1] if items[0] else None
        if (
            is_item and before is not None and before.kind == "paragraph"
            and _CAUSES.search(text, max(before.start, before.end - 200), before.end)
            and not any(_ORDER.match(text, found[n].start, found[n].end) for n in items)
        ):  # fmt: skip
            causes.update(items)
    return causes


def _says_step(text: str, block: Block) -> bool:
    return block.kind in ("paragraph", "item") and bool(_STEP_LINE.match(text, block.start, block.end))


def _unnumbered(text: str, found: Sequence[Block], orders: bool, causes: set[int]) -> list[int]:
    """Steps under a procedure's heading without numbers: its items, and code with the line that announces it."""
    items = [n for n, block in enumerate(found) if block.kind == "item" and n not in causes]
    if items:
        outermost = min(found[n].indent for n in items)
        items = [n for n in items if found[n].indent <= outermost + 1]
        told = sum(bool(_ORDER.match(text, found[n].start, found[n].end)) for n in items)
        if orders or told * 2 >= len(items):
            return items
    steps = []
    for number, block in enumerate(found):
        if block.kind == "code":
            if number and found[number - 1].kind == "paragraph":
                steps.append(number - 1)
            elif not steps:
                steps.append(number)
    return steps


_ORDER = regex(
    r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?[*_`]{0,3}(?:(?:If|When|Once|Then|Next|Finally|First|Now|Optionally|Please)\b[^\n]{0,80}?,? )?(?:"
    "[Aa]dd|[Aa]sk|[Aa]pply|[Aa]ssign|[Aa]void|[Bb]ack up|[Bb]uild|[Cc]all|[Cc]hange|[Cc]heck|[Cc]hoose|[Cc]lean|[Cc]lick|[Cc]lone|[Cc]lose|[Cc]onfigure"
    "|[Cc]onfirm|[Cc]onnect|[Cc]onsider|[Cc]ontact|[Cc]opy|[Cc]reate|[Dd]elete|[Dd]eploy|[Dd]isable|[Dd]ownload|[Dd]rain|[Ee]dit|[Ee]nable|[Ee]nsure|[Ee]nter"
    "|[Ee]scalate|[Ee]xecute|[Ee]xpand|[Ff]ind|[Ff]ix|[Ff]ollow|[Gg]enerate|[Gg]et|[Gg]ive|[Gg]o|[Ii]dentify|[Ii]ncrease|[Ii]nspect|[Ii]nstall|[Ii]nvestigate"
    "|[Kk]eep|[Ll]aunch|[Ll]og|[Ll]ook|[Mm]ake|[Mm]onitor|[Mm]ove|[Nn]avigate|[Nn]otify|[Oo]pen|[Pp]ause|[Pp]ick|[Pp]ost|[Pp]ress|[Pp]ull|[Pp]ush|[Pp]ut"
    "|[Rr]ead|[Rr]eboot|[Rr]educe|[Rr]emove|[Rr]ename|[Rr]eplace|[Rr]equest|[Rr]eset|[Rr]estart|[Rr]estore|[Rr]evert|[Rr]eview|[Rr]oll|[Rr]otate|[Rr]un|[Ss]ave"
    "|[Ss]cale|[Ss]elect|[Ss]end|[Ss]et|[Ss]hut|[Ss]ign|[Ss]tart|[Ss]top|[Ss]ubmit|[Ss]witch|[Tt]ake|[Tt]ell|[Tt]est|[Tt]ry|[Tt]urn|[Tt]ype|[Uu]nlock|[Uu]npack"
    "|[Uu]pdate|[Uu]pgrade|[Uu]pload|[Uu]se|[Vv]alidate|[Vv]erify|[Vv]isit|[Ww]ait|[Ww]atch|[Ww]rite)"
    r"\b"
)
_CUE = regex(
    r"(?:Before (?:you|running|starting|deploying|proceeding|upgrading|continuing)\b[^.!?]*[,:]|You(?:'ll|’ll| will)? need\b|You must have\b"
    r"|Requires?\b|This (?:step|procedure|guide|runbook|task) (?:requires|assumes)\b|Prerequisites?:)"
)
_SOFT_CUE = regex(r"(?:Make sure\b|Ensure (?:that )?(?:you|the|your|all)\b|Check that you\b)")
_CUE_WORDS = ("Before ", "You", "Require", "This ", "Prereq", "Make sure", "Ensure ", "Check that")
_BOLD_START = regex(r"\A(\*\*|__)(.+?)\1", re.DOTALL)


def cues(text: str, start: int, end: int, own: bool = False) -> list[str]:
    """Sentences that say what must hold first. The first one of a step's own text is mostly what to do."""
    body = text[start : min(end, start + 3_000)]
    if not any(word in body for word in _CUE_WORDS):
        return []
    found = []
    for number, (low, high) in enumerate(sentences(body)):
        sentence = _BOLD_START.sub(r"\2", body[low:high].strip()).lstrip("*_ ")
        if _CUE.match(sentence) or (_SOFT_CUE.match(sentence) and not (own and number == 0)):
            found.append(clipped(" ".join(sentence.split()), LONGEST_PREREQUISITE))
    return found
