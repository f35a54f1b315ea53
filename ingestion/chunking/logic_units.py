"""Finds the logic units of leaves: steps, terms, questions, decisions, issues, events, reference and passages.

The unit is that of THREAD (arXiv 2406.13372): header, body, prerequisites and linkers. Here structure and headings
decide what is what; nothing is guessed from the meaning of a sentence beyond a few fixed openings.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ingestion.chunking.blocks import WHOLE_CODE, Block, announces_code, blocks
from ingestion.chunking.leaf_text import LeafContent
from ingestion.chunking.links import links
from ingestion.chunking.naming import clipped, opening
from ingestion.chunking.topics import OF_A_TITLE, Topic, gives_orders, is_version, says_step, step_number, topic_of
from prompts.language import sentences
from prompts.records import Link, LogicUnit, UnitKind

LARGEST = 900  # characters of a unit that can be divided
LARGEST_ANSWER = 1_500  # the answer to a question stays whole up to here
LARGEST_DETOUR = 1_500  # what may stand between two items of one numbered list
MOST_LINKS = 24
MOST_PREREQUISITES = 12
LONGEST_PREREQUISITE = 300
LONGEST_TITLE = 300  # characters of a heading that are searched for a date


@dataclass(slots=True)
class UnitDraft:
    """A unit in the making."""

    kind: UnitKind
    start: int
    end: int
    header: str
    step: int | None = None
    procedure: int = 0  # which steps belong together
    prerequisites: list[str] = field(default_factory=list)


@dataclass(slots=True)
class HeadingScope:
    """The blocks under one heading of one leaf."""

    headings: tuple[str, ...]
    topic: Topic
    blocks: list[Block]
    lead: int = -1  # where the lines of its headings begin, which go with its first unit
    step: int | None = None  # its number, if its heading is a step of a procedure

    @property
    def title(self) -> str:
        return self.headings[-1] if self.headings else ""


def logic_units(contents: Sequence[LeafContent], titles: Sequence[str]) -> list[tuple[LogicUnit, ...]]:
    """The units of each leaf of a document. They come together because a procedure may go on on the next one."""
    finder = _Finder()
    drafts = [finder.leaf(leaf) for leaf in contents]
    onward = [_onward(here, there, title) for here, there, title in zip(drafts, drafts[1:], titles[1:], strict=False)]
    return [_finished(leaf, found, link) for leaf, found, link in zip(contents, drafts, [*onward, None], strict=False)]


def _onward(here: list[UnitDraft], there: list[UnitDraft], title: str) -> Link | None:
    """How the last step of a leaf leads to the first of the next, where the procedure goes on there."""
    if here and there and here[-1].step and there[0].step and here[-1].procedure == there[0].procedure:
        return Link(kind="heading", to=title)
    return None


def _finished(leaf: LeafContent, drafts: list[UnitDraft], onward: Link | None) -> tuple[LogicUnit, ...]:
    starts = [draft.start for draft in drafts]
    led: list[dict[Link, None]] = [{} for _ in drafts]
    for number, (one, other) in enumerate(zip(drafts, drafts[1:], strict=False)):
        if one.step and other.step and one.procedure == other.procedure:
            led[number][Link(kind="next", to=str(number + 1))] = None
    last_steps = {draft.procedure: number for number, draft in enumerate(drafts) if draft.step}
    for number, draft in enumerate(drafts):  # steps with something else in between
        later = last_steps.get(draft.procedure, -1) if draft.step else -1
        if later > number and not led[number]:
            following = next(n for n in range(number + 1, later + 1) if drafts[n].step and drafts[n].procedure == draft.procedure)
            led[number][Link(kind="next", to=str(following))] = None
    if onward and drafts:
        led[-1][onward] = None
    for at, link in links(leaf.text):
        number = bisect_left(starts, at + 1) - 1
        if number >= 0 and len(led[number]) < MOST_LINKS:
            led[number][link] = None
    return tuple(
        LogicUnit(
            kind=draft.kind, header=draft.header, start=draft.start, end=draft.end, step=draft.step,
            prerequisites=tuple(draft.prerequisites[:MOST_PREREQUISITES]), links=tuple(found),
        )
        for draft, found in zip(drafts, led, strict=True)
    )  # fmt: skip


class _Finder:
    """Goes through a document's leaves and remembers the open procedure and what it needs first."""

    def __init__(self) -> None:
        self.procedure = 0
        self.count = 0  # steps of the open procedure
        self.is_begun = False  # whether it has a step
        self.headings: tuple[str, ...] = ()  # of the open procedure
        self.needed: list[str] = []  # what the procedures below a heading need first
        self.needed_below: tuple[str, ...] = ()

    def leaf(self, leaf: LeafContent) -> list[UnitDraft]:
        found: list[UnitDraft] = []
        for scope in _scopes(leaf):
            drafts = list(self.scope(leaf.text, scope))
            if not drafts and scope.lead >= 0:  # headings at the end with nothing below them
                drafts = [UnitDraft("passage", scope.lead, len(leaf.text.rstrip()), scope.title)]
            elif drafts and scope.lead >= 0:
                drafts[0].start = scope.lead
            found += drafts
        return found

    def scope(self, text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
        """The units under one heading."""
        if not scope.blocks:
            return
        if scope.step is not None:
            yield self._heading_step(text, scope)
            return
        match scope.topic:
            case "prerequisites":
                self._need(text, scope)
                yield from _passages(text, scope.blocks, "passage", scope.title)
            case "question" if not (_HOW.match(scope.title) and len(_numbered(scope.blocks)) > 1):
                yield from _passages(text, scope.blocks, "faq", scope.title, LARGEST_ANSWER)
            case "faq":
                yield from _answers(text, scope)
            case "glossary":
                yield from _terms(text, scope)
            case "event":
                yield from _events(text, scope)
            case "issue" | "reference":
                yield from _passages(text, scope.blocks, scope.topic, scope.title)
            case "decision" if not (_numbered(scope.blocks) and scope.title.casefold().startswith("resol")):
                yield from _passages(text, scope.blocks, "decision", scope.title)
            case _:
                yield from self._mixed(text, scope)

    # ------------------------------------------------------------ procedures

    def _begin(self, headings: tuple[str, ...]) -> None:
        self.procedure += 1
        self.count = 0
        self.is_begun = False
        self.headings = headings

    def _step(self, draft: UnitDraft, number: int | None) -> UnitDraft:
        is_first, self.is_begun = not self.is_begun, True
        self.count = number if number else self.count + 1
        draft.step, draft.procedure = self.count, self.procedure
        if is_first and self.needed and self.headings[: len(self.needed_below)] == self.needed_below:
            draft.prerequisites = [*self.needed, *draft.prerequisites]
        return draft

    def _heading_step(self, text: str, scope: HeadingScope) -> UnitDraft:
        above = scope.headings[:-1]
        if self.headings != above or scope.step != self.count + 1:
            self._begin(above)
        draft = UnitDraft("step", scope.blocks[0].start, scope.blocks[-1].end, scope.title)
        draft.prerequisites += _cues(text, draft.start, draft.end, own=True)
        return self._step(draft, scope.step)

    def _need(self, text: str, scope: HeadingScope) -> None:
        needed = []
        for block in scope.blocks:
            if block.kind == "item":
                needed.append(" ".join(text[block.start : block.end].split()).lstrip("-*+•0123456789.) "))
            elif block.kind == "paragraph" and not text[block.start : block.end].rstrip().endswith(":"):
                spans = sentences(text[block.start : block.end])
                needed += [" ".join(text[block.start + low : block.start + high].split()) for low, high in spans]
        self.needed = [clipped(one, LONGEST_PREREQUISITE) for one in needed if one][:MOST_PREREQUISITES]
        self.needed_below = scope.headings[:-1]

    def _mixed(self, text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
        """Text where anything may come: steps where there are lists of them, else what each block looks like."""
        procedure = scope.topic == "procedure"
        goes_on = scope.lead < 0 and self.headings == scope.headings and scope.blocks[0].number == self.count + 1
        steps = _step_blocks(text, scope.blocks, procedure or goes_on, procedure and any(map(gives_orders, scope.headings[1:])))
        if steps and (self.headings != scope.headings or scope.lead >= 0):
            self._begin(scope.headings)
            self.count = -1
        plain: list[Block] = []
        at = 0
        ended = -1  # where the last step did
        while at < len(scope.blocks):
            if at not in steps:
                plain.append(scope.blocks[at])
                at += 1
                continue
            number, after = steps[at]
            needed = []
            if plain:
                if self.count <= 0:
                    needed = [
                        cue for block in plain[-3:] if block.kind == "paragraph" for cue in _cues(text, block.start, block.end)
                    ]
                yield from _plain(text, plain, scope)
                plain = []
            if self.count < 0:
                self.count = 0
            elif number == 1 and self.count and at != ended:  # a list may be numbered 1, 1, 1
                self._begin(scope.headings)
            first, last = scope.blocks[at], scope.blocks[after - 1]
            if number is not None and number <= self.count:
                number = None
            words = opening(text[first.start : min(last.end, first.start + 300)])
            header = words if words.startswith(scope.title) else f"{scope.title}: {words}" if scope.title else words
            draft = UnitDraft("step", first.start, last.end, clipped(header, 160))
            draft.prerequisites += [*needed, *_cues(text, first.start, last.end, own=True)]
            yield self._step(draft, number)
            at = ended = after
        yield from _plain(text, plain, scope)


def _step_blocks(text: str, found: Sequence[Block], procedure: bool, orders: bool) -> dict[int, tuple[int | None, int]]:
    """The steps among blocks, where there are several or a procedure is expected: by the number of their first block, their own number and where they end."""
    steps: dict[int, tuple[int | None, int]] = {}
    causes = _causes(text, found)
    items = [n for n in _numbered(found) or _said_steps(text, found) if n not in causes]
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


def _numbered(found: Sequence[Block]) -> list[int]:
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


_STEP_LINE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,3}[Ss](?:tep|TEP)[ \t]+\d{1,3}\b")


def _said_steps(text: str, found: Sequence[Block]) -> list[int]:
    return [n for n, block in enumerate(found) if _says_step(text, block)]


# What a list is of, in the line that leads up to it, where its items are nothing to do.
_CAUSES = re.compile(
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


_ORDER = re.compile(
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
_CUE = re.compile(
    r"(?:Before (?:you|running|starting|deploying|proceeding|upgrading|continuing)\b[^.!?]*[,:]|You(?:'ll|’ll| will)? need\b|You must have\b"
    r"|Requires?\b|This (?:step|procedure|guide|runbook|task) (?:requires|assumes)\b|Prerequisites?:)"
)
_SOFT_CUE = re.compile(r"(?:Make sure\b|Ensure (?:that )?(?:you|the|your|all)\b|Check that you\b)")
_CUE_WORDS = ("Before ", "You", "Require", "This ", "Prereq", "Make sure", "Ensure ", "Check that")


_HOW = re.compile(r"\W*how\b", re.IGNORECASE)  # of a heading that asks for steps
_BOLD_START = re.compile(r"\A(\*\*|__)(.+?)\1", re.DOTALL)


def _cues(text: str, start: int, end: int, own: bool = False) -> list[str]:
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


# ---------------------------------------------------------------- scopes


def _scopes(leaf: LeafContent) -> Iterator[HeadingScope]:
    """The leaf's blocks by the heading they stand under. Rules and repeated headers go with what follows them."""
    path = [(level, title) for level, title in enumerate(leaf.heading, 1)]
    scope = _scope(path, -1)
    for span in leaf.spans:
        if span.kind == "heading":
            found: Iterable[Block] = [Block("heading", span.start, span.end, level=span.level)]
        elif span.kind == "header":
            found = [Block("rule", span.start, span.end)]
        else:
            found = blocks(leaf.text, span.start, span.end, span.markup, span.fence)
        for block in found:
            if block.kind == "heading":
                title = leaf.text[block.start : block.end].strip().strip("#").strip()
                lead = scope.lead if not scope.blocks else -1
                if scope.blocks:
                    yield scope
                while path and path[-1][0] >= block.level:
                    path.pop()
                path.append((block.level, title))
                scope = _scope(path, lead if lead >= 0 else block.start)
            elif block.kind == "rule":
                if scope.blocks:
                    scope.blocks[-1] = scope.blocks[-1]._replace(end=block.end)
                elif scope.lead < 0:
                    scope.lead = block.start
            else:
                scope.blocks.append(block)
    if scope.blocks or scope.lead >= 0:
        yield scope


def _scope(path: list[tuple[int, str]], lead: int) -> HeadingScope:
    titles = tuple(title for _, title in path)
    topic: Topic = ""
    for number in range(len(titles) - 1, -1, -1):
        topic = topic_of(titles[number])
        if number == 0 and len(titles) > 1 and topic not in OF_A_TITLE:
            topic = ""
        if topic == "reference" and number < len(titles) - 1:
            topic = ""
        if topic:
            break
    step = None
    if len(titles) > 1:
        said = step_number(titles[-1])
        if said is not None and (says_step(titles[-1]) or topic == "procedure" and topic_of(titles[-1]) != topic):
            step = said
        if not topic and is_version(titles[-1]) and any(char == "-" for char in titles[-1]):
            topic = "event"
    return HeadingScope(titles, topic, [], lead, step)


# ---------------------------------------------------------------- all that is no procedure

_DATE = re.compile(
    r"(?:[-*+•>|#\s]|\d{1,3}[.)]\s)*[*_`\[(]{0,4}"
    r"(?:\d{4}-\d{2}-\d{2}\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    r"|\d{1,2}(?:st|nd|rd|th)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,? \d{4}\b"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b)"
)
_TIME = re.compile(r"(?:[-*+•>|\s]|\d{1,3}[.)]\s)*[*_`\[(~T+]{0,4}\d{1,2}:\d{2}\b")
_DECISION = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,3}(?:Decisions?[*_]{0,3}:|Decided[*_]{0,3}:|Resolution[*_]{0,3}:|RESOLVED\b|Agreed[*_]{0,3}:"
    r"|We (?:have )?decided\b|It was (?:decided|agreed|resolved)\b|The (?:team|TSC|committee|group|board) (?:decided|agreed|resolved)\b|We agreed (?:to|that|on)\b)"
)
_ASKED = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[*_#]{0,3}Q(?:uestion)?[ \t]?\d{0,3}[*_]{0,3}[:.)][*_]{0,3}[ \t]*\S")
_BOLD_QUESTION = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?[*_]{2,3}[^*\n]{3,200}\?[*_]{2,3}")
_BOLD_TERM = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+)?(?:\*\*|__)([^*\n]{1,60}?):?(?:\*\*|__)[ \t]*(?::|—|–|-(?=\s)|(?<=:\*\*)|(?<=:__))[ \t]*\S"
)
_TERM = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+)?[*_`\"“]{0,3}([^\s*_`:|\"“][^*`:|\n]{0,60}?)[*_`\"”]{0,3}[ \t]*(?::(?=\s)|[ \t][—–-][ \t])[*_`]{0,3}[ \t]*\S"
)
# bold openings that name no term
_LABEL_WORDS = """note notes warning tip important caution impact severity status owner date author authors priority example
    examples todo summary action actions description type version source attendees present absent"""
_LABELS = frozenset(_LABEL_WORDS.split())
_FLAG = re.compile(r"[ \t]*[-*+•][ \t]+[*_]{0,2}``?[^`<\n]{1,80}``?(?!_)")
_ANSWER = re.compile(r"[ \t]*[*_]{0,3}A(?:nswer)?[ \t]?\d{0,3}[*_]{0,3}[:.)]")


def _plain(text: str, found: list[Block], scope: HeadingScope) -> Iterator[UnitDraft]:
    """Blocks that are no steps, each run of one kind by itself."""
    if not found:
        return
    kinds = [_kind(text, block, scope) for block in found]
    _keep_runs(kinds, "event", 2)
    _keep_runs(kinds, "term", 3)
    for number in range(len(found)):
        if found[number].kind == "item" and kinds[number] == "reference":  # one alone is a mention
            beside = [n for n in (number - 1, number + 1) if 0 <= n < len(found)]
            if not any(found[n].kind == "item" and _FLAG.match(text, found[n].start, found[n].end) for n in beside):
                kinds[number] = "passage"
        elif (
            number
            and kinds[number - 1 : number + 1] == ["faq", "passage"]
            and (found[number].kind == "item" or _ANSWER.match(text, found[number].start, found[number].end))
        ):
            kinds[number] = "faq"
    for number in range(1, len(found)):  # code or a list goes with the line that announces it
        if kinds[number] == "passage" or (
            kinds[number] == "reference"
            and found[number].end - found[number - 1].start <= (WHOLE_CODE if found[number].kind == "code" else LARGEST)
        ):
            before = found[number - 1]
            announced = text.endswith(":", before.start, before.end) or announces_code(text, before.start, before.end)
            announced = announced or (found[number].kind == "code" and before.kind == "paragraph")
            if announced and kinds[number - 1] in ("passage", "decision"):
                kinds[number] = kinds[number - 1]
    first = 0
    for number in range(1, len(found) + 1):
        if number == len(found) or kinds[number] != kinds[first]:
            yield from _of_kind(text, found[first:number], kinds[first], scope)
            first = number


def _of_kind(text: str, found: list[Block], kind: UnitKind, scope: HeadingScope) -> Iterator[UnitDraft]:
    if kind == "faq":
        yield from _answers(text, replace(scope, blocks=found))
    elif kind == "term":
        yield from _terms(text, replace(scope, blocks=found))
    elif kind == "event":
        yield from _events(text, replace(scope, blocks=found))
    else:
        yield from _passages(text, found, kind, scope.title)


def _kind(text: str, block: Block, scope: HeadingScope) -> UnitKind:
    if block.kind in ("code", "table"):
        return "reference"
    if _DATE.match(text, block.start, block.end):
        return "event"
    if _ASKED.match(text, block.start, block.end):
        return "faq"
    if _DECISION.match(text, block.start, block.end):
        return "decision"
    term = _BOLD_TERM.match(text, block.start, block.end)
    if term and term[1].casefold().strip() not in _LABELS:
        return "term"
    if block.kind == "item" and _FLAG.match(text, block.start, block.end):
        return "reference"
    return "passage"


def _keep_runs(kinds: list[UnitKind], kind: UnitKind, least: int) -> None:
    """Turns what looks like `kind` back into a passage where it stands alone."""
    first = 0
    for number in range(1, len(kinds) + 1):
        if number == len(kinds) or kinds[number] != kinds[first]:
            if kinds[first] == kind and number - first < least:
                kinds[first:number] = ["passage"] * (number - first)
            first = number


def _answers(text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
    """Questions each with its answer; what stands before the first is a passage."""
    groups = _grouped(scope.blocks, lambda block: _question(text, block, scope.topic == "faq"))
    for asked, group in groups:
        if asked:
            header = opening(text[group[0].start : group[0].end]).removeprefix("Q:").strip()
            yield from _passages(text, group, "faq", header or scope.title, LARGEST_ANSWER)
        else:
            yield from _passages(text, group, "passage", scope.title)


def _question(text: str, block: Block, expected: bool) -> bool:
    if block.kind not in ("paragraph", "item"):
        return False
    if _ASKED.match(text, block.start, block.end):
        return True
    if not expected:
        return False
    if _BOLD_QUESTION.match(text, block.start, block.end):
        return True
    end = text.find("\n", block.start, min(block.end, block.start + 300))
    first = text[block.start : end if end >= 0 else min(block.end, block.start + 300)]
    return first.rstrip(" *_").endswith("?") and (block.kind == "item" or end < 0)


def _events(text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
    """Entries each with its date; under a heading with a date, everything."""
    timed = scope.topic == "event"
    titled = timed and bool(_DATE.search(scope.title[:LONGEST_TITLE]) or is_version(scope.title))

    def begins(block: Block) -> bool:
        if block.kind in ("code", "table"):
            return timed and block.kind == "table"
        return bool(_DATE.match(text, block.start, block.end) or timed and _TIME.match(text, block.start, block.end))

    for dated, group in _grouped(scope.blocks, begins):
        if dated and group[0].kind == "table":
            yield from _rows(text, group[0], "event", scope.title)
            group = group[1:]
        kind: UnitKind = "event" if dated or titled or (timed and group[0].kind == "item") else "passage"
        yield from _passages(text, group, kind, scope.title)


def _terms(text: str, scope: HeadingScope) -> Iterator[UnitDraft]:
    """Entries of a glossary, each with the term as its header."""
    for entry, group in _grouped(scope.blocks, lambda block: _term(text, block) is not None):
        if entry:
            yield from _passages(text, group, "term", _term(text, group[0]) or scope.title)
            continue
        for block in group:
            if block.kind == "table":
                yield from _rows(text, block, "term", "")
            else:
                own = len(scope.headings) > 1 and topic_of(scope.title) != "glossary"
                yield from _passages(text, [block], "term" if own else "passage", scope.title)


def _term(text: str, block: Block) -> str | None:
    if block.kind not in ("paragraph", "item"):
        return None
    match = _BOLD_TERM.match(text, block.start, block.end) or _TERM.match(text, block.start, block.end)
    if match:
        return match[1].strip()
    lines = text[block.start : min(block.end, block.start + 400)].split("\n", 2)
    if len(lines) > 1 and lines[1][:1] in " \t:" and len(lines[0]) <= 80 and not lines[0].rstrip().endswith((".", ":", ",")):
        return lines[0].strip(" *_`") or None
    return None


def _rows(text: str, block: Block, kind: UnitKind, header: str) -> Iterator[UnitDraft]:
    """A unit for each row of a table; the rows that name the columns go with the first."""
    start = at = block.start
    number = 0
    while at < block.end:
        stop = text.find("\n", at, block.end)
        stop = block.end if stop < 0 else stop
        bare = text[at:stop].strip()
        number += 1
        if bare and bare.strip("|+-=: ") and (number > 2 or start == at and number > 1):
            cell = next((cell.strip(" *_`") for cell in bare.strip("|").split("|") if cell.strip(" *_`")), "")
            yield UnitDraft(kind, start, stop, clipped(header or cell or "Row", 80))
            start = stop + 1
        at = stop + 1
    if text[start : block.end].strip():
        yield UnitDraft(kind, start, block.end, header or "Table")


def _grouped(found: Sequence[Block], begins: Callable[[Block], bool]) -> Iterator[tuple[bool, list[Block]]]:
    """Blocks in groups that each begin with one for which `begins` holds; the first group may not."""
    group: list[Block] = []
    opened = False
    for block in found:
        if begins(block):
            if group:
                yield opened, group
            group, opened = [block], True
        else:
            group.append(block)
    if group:
        yield opened, group


def _passages(text: str, found: Sequence[Block], kind: UnitKind, header: str, most: int = LARGEST) -> Iterator[UnitDraft]:
    """Blocks in units of a useful size; a longer block is divided at rows, lines or sentences."""
    if not found:
        return
    total = found[-1].end - found[0].start
    even = total / -(-total // most)
    start = end = -1
    before: Block | None = None
    for block in found:
        for low, high in _divided(text, block, most):
            is_led = before is not None and _leads_to_code(text, before, block) and high - start <= WHOLE_CODE
            if start >= 0 and not is_led and (high - start > most or end - start >= even):
                yield UnitDraft(kind, start, end, header)
                start = -1
            if start < 0:
                start = low
            end = high
        before = block
    if start >= 0:
        yield UnitDraft(kind, start, end, header)


def _leads_to_code(text: str, before: Block, block: Block) -> bool:
    """Whether code stands right behind the paragraph that introduces it."""
    return block.kind == "code" and before.kind == "paragraph" and not text[before.end : block.start].strip()


def _divided(text: str, block: Block, most: int) -> list[tuple[int, int]]:
    if block.end - block.start <= (max(most, WHOLE_CODE) if block.kind == "code" else most):
        return [(block.start, block.end)]
    body = text[block.start : block.end]
    if block.kind in ("code", "table"):
        spans = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", body)]
    else:
        spans = sentences(body)
    merged: list[tuple[int, int]] = []
    size = -(-len(body) // -(-len(body) // most))  # as even as can be
    start = 0
    for low, high in spans:
        if high - start > size and low > start and not body[start:low].isspace():
            merged.append((block.start + start, block.start + len(body[:low].rstrip())))
            start = low
    merged.append((block.start + start, block.end))
    return merged
