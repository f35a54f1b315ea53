"""Pages that say as a whole what is to be done: those of alerts and errors, with what these mean, their diagnosis and their remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from prompts.extractive.procedures import (
    FITTING_TITLE,
    MENDING,
    Fitting,
    Part,
    Procedure,
    Scope,
    fitting_one,
    is_done_to,
    is_named,
    is_other_act,
    naming,
    procedures,
    rarest_of,
    scopes_of,
    share_of,
    without_ranges,
)
from prompts.language import terms
from prompts.question import Word, analyse, forms_of
from prompts.records import LeafText
from prompts.regex import regex
from prompts.sentences import blocks, sentences

SAME_TITLE = 0.5  # of the words of a document's title in the question, for all of the document to be asked for
LONGEST_PROSE = 600  # characters of a section that says what to do without steps
LONGEST_MEANING = 420  # characters of what a name means
ALARMS = frozenset(  # beside a name
    terms("alert alerts alarm alarms error message warning now fire fires fired firing appear appears trigger triggered triggers")
)
_OF_PAGES = frozenset(
    terms("runbook playbook guide procedure page handbook deprecated superseded obsolete")
)  # beside a name, in the title of its page
_STEM = 6  # letters by which "diagnose" and "diagnosis" are one
_MENDS = regex(
    r"(?:.{0,40}\b)?(?:mitigat\w+|remed\w+|resol\w+|repair\w*|fix\w*|solutions?|workarounds?|troubleshoot\w*|diagnos\w+|recover\w*|"
    r"what to do|runbook|playbook|response|responding|procedure|instructions|prerequisites?|recommended actions?)\b"
    r"|(?:(?!and )\w+ ){0,2}steps\b",  # "Next steps", and not "Thinking and agent steps"
    re.IGNORECASE,
)
_EMPTY = regex(
    r"\W*(?:to ?do|tbd|n/a|none|no|not applicable|add .{0,40})\W*\Z", re.IGNORECASE
)  # what stands where nothing was written yet
_REFERS = regex(r"(?:.{0,40}\b)?(?:resources|references?|see also|links|further reading|related)\b", re.IGNORECASE)
# Headings below which a page says what its name stands for, the more telling first; and when it is to be used.
_MEANS = tuple(
    regex(rf"(?:{words})\W*\Z", re.IGNORECASE)
    for words in (
        r"meaning|what (?:it|this|that) means|what (?:is|has) happen(?:ing|ed)",
        r"(?:alert |problem |error )?(?:description|summary|overview|abstract)|symptoms?|problem|the problem",
        r"when|when to use(?: this| it)?|use this when|triggers?|when this (?:fires|happens)|impact",
    )
)
_OCCASION = regex(
    r"(?:when|when to use\b.*|use this when|triggers?|symptoms?|alerts?|alarms?|meaning|problem|error(?: message)?s?)\W*\Z",
    re.IGNORECASE,
)
_OCCASION_LABEL = regex(  # the same at the beginning of a line
    r"^\W{0,6}(?:when to use(?: this| it)?|use this when|triggers?|triggered by|symptoms?|alerts?|alarms?|error(?: message)?s?)[*_]{0,3}:(?P<said>[^\n]{3,400})",
    re.IGNORECASE | re.MULTILINE,
)
_CAMEL = regex(r"\b(?:[A-Z][a-z0-9]+){2,}\b")
_TROUBLE = regex(
    r"\b(?:not|no|cannot|never|fails?|failed|failing|broken|stuck|errors?|down|dead|silent|slow|leaks?|lost|missing|hangs?|frozen|full|nicht|kein\w*|fehler|kaputt|defekt|hängt|ausfall|pas|panne|erreur)\b|n['’]t\b",
    re.IGNORECASE,
)
_BESIDE_NAME = regex(
    r"\A(?:the )?(?:alert|alarm|error|fault)(?: code)? | (?:alert|alarm|error|is firing|firing|fires|fired)\Z", re.IGNORECASE
)
_NAME = regex(
    r"(?=\w*[a-z][A-Z]|\w*[A-Z]{2}[a-z]|\w*_|\w*\d)[A-Za-z][\w.]{5,}(?: ?\[[^\]]{1,30}\])?\Z"
)  # of an alert: CamelCase, with underscores or figures
_CODE = regex(r"(?P<code>[A-Z]{1,3}-?\d{1,5}[A-Za-z]?)\Z")  # of an error: E-17, F042
_SHOWS = regex(
    r"\A[^\w-]{0,9}(?:the |our |my )?[\w-]{1,30}(?: [\w-]{1,30}){0,3}? (?:shows?|says?|displays?|gives|reports?|has|with|stuck on|error) (?:an? )?(?:error |code ){0,2}(?P<code>[A-Za-z]{1,3}-?\d{1,5}[A-Za-z]?)(?:,? (?:again|now|what now|what to do|what do i do|what do we do))*\W*\Z",
    re.IGNORECASE,
)
_WHAT_OF_CODE = regex(  # "what does error E-17 mean on the roaster?", "what is E-17"
    r"\A(?:so |and )?(?:what (?:does|do|is|are)|what['’]?s|explain|meaning of) (?:the |an? |this )?(?:error |fault |alarm |code |message ){0,2}[A-Za-z]{1,3}-?\d{1,5}[A-Za-z]?(?: error| code)?(?: mean\w*| stands? for)?(?: on (?:the |our |my )?[\w-]{1,30}(?: [\w-]{1,30})?)?\W*\Z",
    re.IGNORECASE,
)
_CODE_TERM = regex(r"[a-z]{1,3}\d{1,5}[a-z]?")


def fitting(words: Sequence[Word], leaf: LeafText) -> Fitting | None:
    """What a leaf says to do to a question: all of it where the page is called what is asked for, else one procedure of it;
    None where there is none."""
    needed = naming(words)
    if (is_alert(leaf) and _is_of_other_name(needed, leaf)) or _is_for_other_alert(needed, leaf):
        return None
    return whole_page(needed, leaf) or (fitting_one(needed, leaf, found) if (found := procedures(leaf)) else None)


def _is_of_other_name(needed: Sequence[Word], leaf: LeafText) -> bool:
    """Whether a question is of an alert whose name has nearly the same parts as that of this page."""
    name = rarest_of(needed)
    is_name = len(name.parts) > 1 and name.whole.isalnum()
    return is_name and not names_page(needed, leaf) and name.whole not in terms(leaf.text)


def _is_for_other_alert(needed: Sequence[Word], leaf: LeafText) -> bool:
    """Whether a question is of an alert by its name, and the page says that it is for others: "Alert: DiskAlmostFull" for "DiskFull"."""
    name = rarest_of(needed)
    if len(name.parts) < 2 or name.whole in terms(leaf.text) or names_page(needed, leaf):
        return False
    return any(_CAMEL.search(leaf.text, start, end) is not None for start, end, _ in _occasions(leaf))


def is_bare_name(question: str) -> bool:
    """Whether a question is only a name such as those of alerts, "KubePodNotReady", or says besides that it is one: "alert TargetDown"."""
    name = _bare(question)
    return _NAME.match(name) is not None or _CODE.match(name) is not None


def _bare(question: str) -> str:
    return _BESIDE_NAME.sub("", question.strip(" ?!.`\"'")).strip("`\"' ")


def code_shown(question: str) -> str:
    """The code of an error where a question is only that, or says that something shows it; else nothing."""
    match = _CODE.match(_bare(question)) or _SHOWS.match(question)
    return match["code"] if match is not None else ""


def is_of_error(question: str) -> bool:
    """Whether a question is only the name of an alert or the code of an error, says that something shows it, or asks what it means."""
    return is_bare_name(question) or bool(code_shown(question)) or _WHAT_OF_CODE.match(question) is not None


def is_how_to(question: str) -> bool:
    """Whether a question asks for a procedure, or is of an error or an alert for which there may be one."""
    return analyse(question).kind == "how_to" or is_of_error(question)


def heads_steps(code: str, leaf: LeafText) -> bool:
    """Whether steps stand below a heading with the code of an error: "Printer shows E21"."""
    said = set(terms(code))
    return bool(said) and any(len(one.steps) > 1 and said <= set(terms(" ".join(one.above[-1:]))) for one in procedures(leaf))


def names_page(words: Sequence[Word], leaf: LeafText) -> bool:
    """Whether what a question for a procedure names is what the document is called, by its title or by its file."""
    return any(_names(words, title) for title in (*leaf.heading[:1], leaf.name) if title)


def _names(words: Sequence[Word], title: str) -> bool:
    if is_other_act(title, words):
        return False
    there = set(terms(title))
    named = [word for word in naming(words) if word.whole not in MENDING]
    if any(len(word.parts) > 1 for word in named):  # "Alert TargetDown is firing"
        named = [word for word in named if word.whole not in ALARMS]
    if not named or not there or not is_named(rarest_of(named), there) or not is_done_to(named, there):
        return False
    known = forms_of(named)
    if len(rarest_of(named).parts) > 1 and not there <= known | MENDING | ALARMS | _OF_PAGES:
        return False  # "LowReadyCount" is another alert than "LowCount"
    return share_of(named, there) >= FITTING_TITLE and len(there & known) >= SAME_TITLE * len(there)


def says_what_to_do(heading: str) -> bool:
    """Whether a heading is one of those below which a document says what to do, such as "Mitigation"."""
    return bool(_MENDS.match(heading))


def says_what_it_means(heading: str) -> bool:
    """Whether a heading, or one of those that the name of a leaf has, is one below which a page says what its name means."""
    return any(words.match(one) for words in _MEANS for one in heading.split(" \u2026 "))


def whole_page(needed: Sequence[Word], leaf: LeafText) -> Fitting | None:
    """All that a document says to do, where its title is what the question names, or where it says that it is for that."""
    if not leaf.heading:
        return None
    if not names_page(needed, leaf):
        return _by_occasion(needed, leaf)
    title = set(terms(f"{leaf.title} {leaf.name}"))
    share = share_of([word for word in needed if word.whole not in MENDING | ALARMS], title)
    parts = [one for one in sections(leaf) if not _is_of_another(one, needed) and not _is_for_else(one, needed, leaf)]
    said = {word.whole[:_STEM] for word in needed if not word.is_in(title) and word.whole not in ALARMS}
    asked = [one for one in parts if said & {term[:_STEM] for term in terms(one.title)}]
    told = asked or parts
    is_mending = all(word.is_in(title) or word.whole in MENDING | ALARMS for word in needed)
    if not any(len(one.steps) >= 2 for one in told) and not (told and is_mending and is_alert(leaf)):
        return None
    strength = 0.5 + 0.4 * share + 0.1 * share_of(needed, title)
    return Fitting(tuple(told), strength, is_whole=not asked, meaning=None if asked else meaning_of(leaf))


_ANOTHER = regex(r"(?:runbook|playbook|procedure|how[ -]to|sop|anleitung)\b ?[:–—-]", re.IGNORECASE)


def _is_of_another(one: Procedure, needed: Sequence[Word]) -> bool:
    """Whether a procedure stands below a heading that begins another runbook on the same page, with no word of what is asked."""
    begun = [heading for heading in one.above[1:] if _ANOTHER.match(heading)]
    return any(not any(word.is_in(set(terms(heading))) for word in needed) for heading in begun)


_FOR = regex(r"\bwhat to do (?:(?P<thing>with)|about|when|if|in case of|after|for) (?P<what>.+)", re.IGNORECASE)


def _is_for_else(one: Procedure, needed: Sequence[Word], leaf: LeafText) -> bool:
    """Whether a heading says that what stands below it is to be done with something that neither the question names nor the title of the
    page: "What to do with a damaged pack" on a page on the shipping of batteries."""
    match = _FOR.match(one.title)
    there = set(terms(match["what"])) if match is not None else set[str]()
    known = set(terms(leaf.title)) | forms_of(needed)
    return bool(there - known) if match is not None and match["thing"] else bool(there) and there.isdisjoint(known)


def is_alert(leaf: LeafText) -> bool:
    """Whether a page is called like an alert or an error, rather than like something to do."""
    return any(_NAME.match(name) for name in (*leaf.heading[:1], leaf.name))


def _by_occasion(needed: Sequence[Word], leaf: LeafText) -> Fitting | None:
    """The procedures of a page that says of the alert or error that is asked for that it is for that."""
    named = [word for word in needed if word.whole not in MENDING | ALARMS]
    if not named:
        return None
    codes = [word for word in named if _CODE_TERM.fullmatch(word.whole)]
    asked = rarest_of(codes or named)
    if not codes and len(asked.parts) < 2:
        return None
    title = set(terms(" ".join(leaf.heading[:1])))
    for start, end, meaning in _occasions(leaf):
        there = set(terms(leaf.text[start:end]))
        # the parts of a name make another name
        if asked.whole in there and all(word.is_in(there | title) for word in named):
            below = [one for one in procedures(leaf) if len(one.steps) >= 2 and one.steps[0].start >= end]
            if found := [one for one in below if not _is_of_another(one, named)]:
                return Fitting(tuple(found), 0.9, meaning=meaning)
    return None


def _occasions(leaf: LeafText) -> Iterator[tuple[int, int, Part | None]]:
    """Where a page says what it is for, [start, end), below a heading or behind a label, and what is told of that."""
    for scope in scopes_of(leaf):
        if len(scope.headings) > 1 and _OCCASION.match(scope.headings[-1]):
            yield scope.start, scope.end, _opening_of(leaf, scope)
    for match in _OCCASION_LABEL.finditer(leaf.text):
        yield match.start("said"), match.end(), Part(match.start(), match.end())


def meaning_of(leaf: LeafText) -> Part | None:
    """What a page says first of what its name means."""
    scopes = [one for one in scopes_of(leaf) if len(one.headings) > 1]
    for words in _MEANS:
        for scope in scopes:
            if words.match(scope.headings[-1]) and (part := _opening_of(leaf, scope)) is not None:
                return part
    return None


def _opening_of(leaf: LeafText, scope: Scope) -> Part | None:
    """The first paragraph of a section, as far as it is not too long."""
    inside = [
        (start, end)
        for start, end, kind in blocks(leaf.text)
        if scope.start <= start and end <= scope.end and kind in ("text", "item")
    ]
    if not inside:
        return None
    start, end = inside[0]
    paragraph = leaf.text.find("\n\n", start, scope.end)
    last = max((stop for _, stop in inside if stop <= (paragraph if paragraph >= 0 else scope.end)), default=end)
    if last - start <= LONGEST_MEANING:
        return Part(start, last)
    cut = [start + stop for _, stop in sentences(leaf.text[start:last]) if stop <= LONGEST_MEANING]
    return Part(start, cut[-1] if cut else min(last, start + LONGEST_MEANING))


def sections(leaf: LeafText) -> Iterator[Procedure]:
    """The procedures that stand below the title itself or below a heading such as "Mitigation", and what such headings
    have in place of steps."""
    found = procedures(leaf)
    for start, end, headings in scopes_of(leaf):
        is_mending = any(map(says_what_to_do, without_ranges(headings[1:])))
        inside = [one for one in found if start <= one.steps[0].start < end]
        if inside and (is_mending or len(headings) == 1):
            yield _with_lead(leaf.text, start, inside[0]) if is_mending else inside[0]
            yield from inside[1:]
        elif (
            is_mending
            and not _REFERS.match(headings[-1])
            and not any(one.steps[0].start < end and start < one.parts[-1].end for one in found)
        ):
            yield from _prose(leaf.text, start, end, headings[-1])


def has_headed_steps(leaf: LeafText) -> bool:
    """Whether it has steps below a heading such as "Steps", or below a title that tells of a trouble, "Printer does not print": those of
    a procedure, and no numbered list of anything else."""
    is_of_trouble = _TROUBLE.search(leaf.title) is not None
    scopes = [
        one
        for one in scopes_of(leaf)
        if any(map(says_what_to_do, without_ranges(one.headings[1:]))) or (is_of_trouble and len(one.headings) == 1)
    ]
    return any(
        len(one.steps) >= 2 and any(scope.start <= one.steps[0].start < scope.end for scope in scopes) for one in procedures(leaf)
    )


def _with_lead(text: str, start: int, one: Procedure) -> Procedure:
    """A procedure with the first paragraph of its section, where that stands before the first step and is short."""
    first = one.parts[0].start
    paragraphs = [(low, high) for low, high, kind in blocks(text) if start <= low and high <= first and kind == "text"]
    gap = text.find("\n\n", paragraphs[0][0]) if paragraphs else -1
    within = [high for low, high in paragraphs if high <= gap and high - paragraphs[0][0] <= LONGEST_PROSE]
    return replace(one, parts=(Part(paragraphs[0][0], within[-1]), *one.parts)) if within else one


def _prose(text: str, start: int, end: int, title: str) -> Iterator[Procedure]:
    """The beginning of a section that says what to do without steps."""
    inside = [(first, last) for first, last, kind in blocks(text) if start <= first and last <= end and kind != "heading"]
    inside = [] if inside and _EMPTY.match(text[inside[0][0] : inside[-1][1]]) else inside
    fitting_in = [(first, last) for first, last in inside if last - inside[0][0] <= LONGEST_PROSE]
    if fitting_in:
        yield Procedure(title, (Part(fitting_in[0][0], fitting_in[-1][1]),))
