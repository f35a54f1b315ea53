"""Questions for documents as things: where one is, who wrote it and when, how long it is, which there are, which is the newest.

Such a question is understood only if every word of it is accounted for: by how it is put, what a document is called or is about, who wrote
it, in which folder it lies, or by the form of its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import find_span
from tree.ask.facts.ticket_words import NEGATIONS
from tree.ask.understanding.document_words import (
    ENDING_OF_A_FILE,
    FORMS_SAID,
    GENERIC,
    KIND,
    NUMBERS,
    SAID_OF_LENGTH,
    TITLED,
    form_said,
)
from tree.ask.understanding.question_forms import readings, whole_questions
from tree.retrieve.names import tokens

Asked = Literal[
    "find", "place", "author", "owner", "editor", "approver", "reviewer", "updated", "written", "reviewed", "approved", "age", "version",
    "length", "list", "count", "order", "by", "owned",
]  # fmt: skip
Order = Literal["newest", "oldest", "largest", "smallest"]
LONGEST = 160  # characters of such a question
SEVERAL = 10  # documents, where no number is said
MOST_WORDS = 8  # terms of what a document is called or is about
OF_ONE = frozenset("author owner editor approver reviewer updated written reviewed approved age version length".split())

_N = r"(?P<name>[^\n?]{2,120}?)"
_ABOUT = r"(?P<about>[^\n?]{2,100}?)"
_BY = r"(?P<by>[^\n?]{2,50}?)"
_ARTICLE = r"(?:(?:all|any|every|the|that|this|those|these|our|my|a|an|some|me|us|of|other) )*"
_ASK = r"(?:(?:what|which|list|show(?: me)?|give me|get me|find(?: me)?|search(?: for)?|look (?:up|for)|name)(?: is| are| was| were|['’]s)? )"
_IN = r"(?: (?:in|from|under|below|inside|within) (?P<folder>[^\n?]{1,80}?))?"
_THERE = r"(?: (?:are there|is there|there are|there is|do we have|did we get|we have|have we(?: got)?|exist|in total|altogether|are|is)){0,2}"
_REL = rf"{_THERE}(?: (?:that|which))?(?: (?:are|is|was|were|do we have|did we get|have we(?: got)?|are there|is there|deals?|say something)){{0,2}} (?:about|on|regarding|concerning|covering|describing|explaining|for)"
_ORDER = r"(?P<order>newest|latest|most recent|last|oldest|earliest|largest|biggest|smallest)"
_CHANGED = r"(?:changed|updated|modified|edited|revised|touched)"
_MADE = r"(?:written|authored|created|made|drafted|prepared|compiled)"
_WE = r"(?:i|we|you|one|people|they|anyone|anybody|someone|somebody)"
_WHO = r"(?:(?:who|whom|what|which)(?: is| was| are|['’]s) )?(?:the )?"
_FORMS: tuple[tuple[Asked, str], ...] = (
    ("find", rf"(?:(?:do|did) {_WE} have|have we(?: got)?|is there|are there|was there|we have) {_ARTICLE}(?P<kind>{KIND}){_REL} {_ABOUT}"),
    ("find", rf"(?:{_ASK}|how many )?{_ARTICLE}(?P<kind>{KIND}){_REL} {_ABOUT}"),
    ("find", rf"where (?:can|do|could|should|would|must) {_WE} (?:read|look|learn|find out|find (?:something|anything|more|(?:more )?information|details|info|documentation))(?: something| anything| more)?(?: up)? (?:about|on|regarding) {_ABOUT}"),
    ("find", rf"(?:where )?(?:is|are) {_ABOUT} (?:documented|described|written (?:down|up))"),
    ("find", rf"(?:is there|do we have|have we got) (?:anything|something) (?:written(?: down)?|in writing|documented) (?:about|on) {_ABOUT}"),
    ("place", rf"where(?:['’]?s| is| are) {_N}(?: (?:stored|saved|filed|located))?"),
    ("place", rf"where {_N} (?:is|are)(?: (?:stored|saved|filed|located))?"),
    ("place", rf"where (?:can|do|could|should|would|must) {_WE} (?:find|get|see|open|download|read) {_N}"),
    ("place", rf"where (?:do|did) {_WE} (?:store|save|file|put|keep) {_N}"),
    ("place", rf"(?:in )?(?:which|what) (?:folder|directory)(?: is| are|['’]s) {_N}(?: (?:stored|saved|filed|located))?(?: in)?"),
    ("place", rf"(?:in )?(?:which|what) (?:folder|directory) (?:has|holds|contains) {_N}"),
    ("place", rf"(?:{_ASK}|send me |what(?: is|['’]s) )?(?:the |a )?(?:path|location|link|url|address|file|folder)(?: is)? (?:of|to|for) {_N}"),
    ("place", rf"{_N} (?:path|location|link|url)"),
    ("place", rf"open {_N}"),
    ("place", rf"(?:show me|show|find(?: me)?|get me|give me|search for|look for|i need) {_N}"),
    ("author", rf"who (?:wrote|authored|has written|created|made|drafted|prepared|compiled) {_N}"),
    ("author", rf"(?:who|whom|by whom) (?:was|is|were) {_N} {_MADE}(?: by)?"),
    ("author", rf"{_WHO}(?:authors?|writers?) of {_N}"),
    ("owner", rf"who (?:owns|maintains|keeps (?=[^?]* up to date)|looks after|is responsible for|is in charge of|takes care of|updates) {_N}(?: up to date)?"),
    ("owner", rf"(?:who|whom|by whom) is {_N} (?:owned|maintained|kept)(?: up to date)?(?: by)?"),
    ("owner", rf"{_WHO}(?:owner|maintainer|keeper) of {_N}"),
    ("editor", rf"who (?:has )?(?:last )?{_CHANGED} {_N}(?: (?:last|most recently|the last time))?"),
    ("editor", rf"(?:who|whom|by whom) was {_N} (?:last )?{_CHANGED}(?: last)?(?: by)?"),
    ("editor", rf"who was the last (?:person |one )?to (?:change|update|edit|modify|revise) {_N}"),
    ("approver", rf"who (?:approved|has approved|signed off) {_N}"),
    ("reviewer", rf"who (?:last )?(?:reviewed|has reviewed) {_N}(?: last)?"),
    ("updated", rf"when (?:was|were|has|have|is) {_N} (?:been )?(?:last )?{_CHANGED}(?: (?:last|most recently|the last time))?"),
    ("updated", rf"when did {_WE} (?:last )?(?:change|update|edit|modify|revise) {_N}(?: last)?"),
    ("updated", rf"(?:when was )?(?:the )?(?:date of (?:the )?)?(?:last|latest) (?:update|change|edit|modification|revision) (?:of|to) {_N}"),
    ("written", rf"when (?:was|were) {_N} (?:first |originally )?(?:{_MADE}|published|issued)"),
    ("written", rf"when did {_WE} (?:write|create|draft|publish|issue) {_N}"),
    ("written", rf"(?:what(?: is|['’]s) )?(?:the )?date (?:of|on) {_N}"),
    ("reviewed", rf"when (?:was|were) {_N} (?:last )?reviewed(?: last)?"),
    ("approved", rf"when (?:was|were) {_N} (?:approved|signed off)"),
    ("age", rf"how (?:old|recent) (?:is|are) {_N}"),
    ("version", rf"(?:what|which) (?:version|revision|edition)(?: number)? (?:is|are|has|does) {_N}(?: (?:have|in|at))?"),
    ("version", rf"(?:what(?: is|['’]s) )?(?:the )?(?:(?:current|latest|newest) )?(?:version|revision|edition)(?: number)? of {_N}"),
    ("version", rf"(?:what|which) (?:version|revision|edition) of {_N} (?:is (?:this|that|it)|do we have|are we (?:on|using))"),
    ("length", rf"how (?:long|big|large) (?:is|are) {_N}"),
    ("length", rf"how many (?:pages|words) (?:is|are|does|do|has|have) {_N}(?: (?:have|has|long))?"),
    ("length", rf"(?:what(?: is|['’]s) )?(?:the )?(?:length|size|number of pages|page count) of {_N}"),
    ("order", rf"{_ASK}?{_ARTICLE}(?:(?P<number>\d{{1,2}}|{'|'.join(NUMBERS)}) )?{_ORDER} (?:{_CHANGED} )?(?P<kind>{KIND}){_THERE}{_IN}{_THERE}"),
    ("order", rf"{_ASK}?{_ARTICLE}{_ORDER} (?P<kind>{KIND})(?: we have)? (?:about|on) {_ABOUT}"),
    ("order", rf"(?:what|which) (?P<kind>{KIND}){_IN} (?:was|were|is|are|has been|have been) (?:the )?(?:{_CHANGED} )?(?P<order>newest|latest|most recent(?:ly)?|last|oldest|earliest|largest|biggest|smallest)(?: {_CHANGED})?(?: in (?P<under>[^\n?]{{1,80}}?))?"),
    ("order", rf"{_ASK}?{_ARTICLE}(?P<order>most recently|recently|lately|newly) {_CHANGED} (?P<kind>{KIND}){_IN}"),
    ("by", rf"{_ASK}?{_ARTICLE}(?P<kind>{KIND})(?: (?:that|which))?(?: (?:are|is|was|were|have been|has been))?(?: {_MADE})? (?:by|from) {_BY}"),
    ("by", rf"(?:what|which) (?P<kind>{KIND}) (?:did|has|have) {_BY} (?:write|written|author|authored|create|created|draft|drafted|prepare|prepared)"),
    ("owned", rf"{_ASK}?{_ARTICLE}(?P<kind>{KIND})(?: (?:that|which))?(?: (?:are|is|was|were))? (?:owned|maintained|kept|looked after) by {_BY}"),
    ("owned", rf"(?:what|which) (?P<kind>{KIND}) does {_BY} (?:own|maintain|keep|look after)"),
    ("count", rf"(?:how many|(?:the )?number of|count(?: the| all)?) (?P<kind>{FORMS_SAID}){_THERE}{_IN}{_THERE}"),
    ("list", rf"{_ASK}?{_ARTICLE}(?P<kind>{FORMS_SAID}){_THERE}{_IN}{_THERE}"),
    ("list", rf"(?:do we have|are there|is there|have we got) {_ARTICLE}(?P<kind>{FORMS_SAID}){_IN}"),
)  # fmt: skip
_PATTERNS = whole_questions(_FORMS, lead="")
_POLITE = regex(
    r"\A\W*(?:(?:and|so|ok|okay|please|pls|hi|hello|hey|well)\b\W{0,3}){0,3}"
    r"(?:(?:can|could|would|will) (?:you|anyone|somebody|someone) (?:please )?(?:tell me |(?=show|find|open|list|give|send))"
    r"|(?:do you|does (?:anyone|anybody|someone|somebody)) know |tell me |(?:i['’]m|i am|we are) looking for (?=(?:the |a |an |any |all |some )*(?:documents?|docs?|files?|pages?)\b))?",
    re.IGNORECASE,
)
_AFTER = regex(r"(?:[ ,]{1,3}(?:please|pls|thanks|thx|then|anywhere|somewhere|right now|now|currently|at the moment|again)){1,3}[\W_]{0,5}\Z", re.IGNORECASE)  # fmt: skip
_OPENS = regex(r"\A[\W_]*(?:(?:the|our|my|a|an|that|this|current|latest|newest|most recent|up-to-date)\b[\W_]+)*", re.IGNORECASE)
_LATEST = regex(r"\b(?:current|latest|newest|most recent)\b", re.IGNORECASE)
_OF_FOLDER = regex(
    r"\A(?:the |our )?(?:folder |directory )?(?:called |named )?|(?: folder| directory)?[\W_]{0,5}\Z", re.IGNORECASE
)
_SUBJECT = regex(r"\b(?:process|procedure|topic|subject)\b", re.IGNORECASE)
_PAGE_ABOUT = regex(  # "the text of the leaflet on oiled wood"
    rf"(?:the )?(?:text (?:of|on) )?(?:(?:the|this|that|our) )?(?:{KIND}|leaflet|notice|entry) (?:about|on|regarding|concerning) (?:the |our )?(?P<of>\S.{{1,100}})",
    re.IGNORECASE,
)
_ASKS_FOR = ("where", "open", "show", "find", "get", "give", "search", "look", "i need")
_UNREAD = NEGATIONS | frozenset(
    """or but only both most more fewer fewest least many much several each since before after until between by than except older newer what's who whom whose it its them these those this that he
    she they him her me i you us""".split()
)
_YEAR = regex(r"(?:in |of |for )?(?:19|20)\d\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """`words` are what a document is called, what it is about or who wrote it, as written, and `terms` their terms; empty for any."""

    asked: Asked
    words: str = ""
    terms: tuple[str, ...] = ()  # where it is who wrote it, the words of the name, folded
    is_titled: bool = False  # the words can only be those of a document: they end with "plan", or are the name of a file
    whole: str = ""  # a name with the word for its form: "sales presentation" where `words` are "sales"
    form: str = ""  # by which documents are chosen, a key of FORMS
    folder: str = ""
    order: Order = "newest"
    most: int = 1  # that are asked for
    is_latest: bool = False  # of several that are called so


def read_document_question(text: str, today: date) -> DocumentQuestion | None:
    """The first of the ways in which it may be meant; None where it asks for something else, or says more than this can."""
    return next(document_questions(text, today), None)


def document_questions(text: str, today: date) -> Iterator[DocumentQuestion]:
    """The ways in which a question may be meant: "PDFs from Ada" are by somebody, or in a folder."""
    if len(text) > LONGEST:
        return
    said = _AFTER.sub("", _POLITE.sub("", " ".join(text.split()), count=1))
    yield from readings(_PATTERNS, said, lambda asked, match: _read(asked, match, today))


def _read(asked: Asked, match: re.Match[str], today: date) -> DocumentQuestion | None:
    groups = match.groupdict()
    kind, folder = groups.get("kind") or "", groups.get("folder") or groups.get("under") or ""
    form = form_said(kind)
    if asked in ("find", "place") or asked in OF_ONE or groups.get("about"):
        said = groups.get("about") or groups.get("name") or ""
        is_about = bool(groups.get("about"))
        return _about(asked, said, form, groups, today) if is_about else _of_name(asked, said, match.string)
    if asked in ("by", "owned"):
        return _by(asked, groups["by"] or "", form)
    if (folder and _is_unread(folder, today)) or (
        asked == "list" and kind[-1:] != "s" and len(kind) == len(match.string.rstrip(" ?!."))
    ):
        return None  # "markdown" alone asks for nothing
    if asked == "order" and (
        kind.casefold().startswith("documentation") or (groups["order"] == "last" and "page" in kind.casefold())
    ):
        return None  # the last page is one of a document
    number = (groups.get("number") or "").casefold()
    several = SEVERAL if kind.casefold().endswith("s") else 1
    most = NUMBERS.get(number, int(number) if number.isdigit() else several)
    return DocumentQuestion(
        asked, form=form, folder=_OF_FOLDER.sub("", folder), order=_order(groups.get("order") or ""), most=most
    )


def _order(said: str) -> Order:
    low = said.casefold()
    if low in ("oldest", "earliest"):
        return "oldest"
    return "largest" if low in ("largest", "biggest") else "smallest" if low == "smallest" else "newest"


def _about(asked: Asked, said: str, form: str, groups: dict[str, str | None], today: date) -> DocumentQuestion | None:
    about = tuple(dict.fromkeys(terms(said)))
    if not 0 < len(about) <= MOST_WORDS or _is_unread(said, today):
        return None
    return DocumentQuestion(asked, _OPENS.sub("", said).strip(), about, form=form, order=_order(groups.get("order") or ""))


def _of_name(asked: Asked, said: str, text: str) -> DocumentQuestion | None:
    """A name ends with a word for what a document is; other words are only taken for one where nothing but a document is written, opened or
    has a path. What is "long" has to be something that is read."""
    name = _OPENS.sub("", said).strip(" \"'“”‘’`")
    if asked in OF_ONE and (about := _PAGE_ABOUT.match(name)) is not None:
        called = tuple(dict.fromkeys(terms(about["of"])))
        is_unread = bool(_UNREAD & {token.text.casefold() for token in tokens(about["of"])})
        return (
            DocumentQuestion(asked, about["of"], called, True, name) if 0 < len(called) <= MOST_WORDS and not is_unread else None
        )
    short, form = GENERIC.sub("", f" {name}").strip(), ""
    if short != name and short:
        form = form_said(name[len(short) :].strip())
    called = tuple(dict.fromkeys(terms(short)))
    if not 0 < len(called) <= MOST_WORDS or _UNREAD & {token.text.casefold() for token in tokens(name)}:
        return None
    is_file = ENDING_OF_A_FILE.search(name) is not None
    is_titled = is_file or short != name or TITLED.search(name) is not None
    low = text.casefold()
    if (
        asked == "place"
        and low.startswith(("show", "find", "get", "give", "search", "look", "i need"))
        and short == name
        and not is_file
    ):
        return None  # "show me the risk register" asks for what is in it
    if (
        asked == "length"
        and not is_file
        and short == name
        and not SAID_OF_LENGTH.search(name)
        and "pages" not in low
        and "words" not in low
    ):
        return None  # how long a contract is, is a time
    takes_any = asked in ("author", "editor") or (asked == "place" and not low.startswith(_ASKS_FOR))
    if not is_titled and not takes_any:
        return None
    latest = _LATEST.search(said) is not None
    return DocumentQuestion(asked, short if short and not is_file else name, called, is_titled, name, form, is_latest=latest)


def _by(asked: Asked, said: str, form: str) -> DocumentQuestion | None:
    names = [token.folded for token in tokens(said)]
    if not 0 < len(names) <= 4 or _UNREAD & set(names) or {"and", "the", "a", "an"} & set(names) and asked == "by":
        return None
    return DocumentQuestion(asked, said, tuple(names), form=form)


def without_subject(question: DocumentQuestion) -> DocumentQuestion | None:
    """ "refund" for "the refund process": such a word need not stand in a document; None where there is none."""
    left = " ".join(_SUBJECT.sub(" ", question.words).split())
    about = tuple(dict.fromkeys(terms(left)))
    return replace(question, words=left, terms=about) if about and left != question.words else None


def _is_unread(said: str, today: date) -> bool:
    """Whether words say something that is not understood here: a negation, a choice, a time, somebody who is not named."""
    span = find_span(said, today)
    is_timed = span is not None and _YEAR.fullmatch(span.words.strip()) is None
    return is_timed or bool(_UNREAD & {token.text.casefold() for token in tokens(said)})
