"""What is shown beside other passages but never leads: navigation, tables of contents, badges, licences, printed objects, doctests."""

from __future__ import annotations

import re
from functools import lru_cache

from prompts.extractive.asked_values import word_of
from prompts.extractive.document_lines import OPENING
from prompts.extractive.relations import without_targets
from prompts.regex import regex
from prompts.sentences import BlockKind

LONG = 120  # characters from which marks of data are counted
FEWEST_WORDS = 3  # outside links, to say something
_LINK = regex(r"!?\[[^\[\]]{0,300}\]\([^()\s]{0,500}(?: \"[^\"]{0,200}\")?\)|<?https?://[^\s<>]{1,500}>?")
_WORD = regex(r"[^\W\d_]{2,}")
_NAVIGATION = regex(
    r"\W*(?:next|previous|prev|back to (?:the )?top|back|edit (?:this page|on git\w+)|on this page|in this (?:article|section)|table of contents|contents"
    r"|skip to (?:main )?content|view (?:page )?source|improve this page|last (?:updated|modified)|was this (?:page )?helpful)\b[^.]{0,80}\Z",
    re.IGNORECASE,
)
_LICENCE = regex(
    r"SPDX-License-Identifier|\blicensed under (?:the|a)\b|\ball rights reserved\b|permission is hereby granted|the software is provided \"as is\""
    r"|without warranty of any kind|without warranties or conditions|\bcopyright (?:\(c\)|©|\d{4})|\A\W*©",
    re.IGNORECASE,
)
_ASKS_LICENCE = regex(r"\b(?:licen[sc]\w*|copyrights?|warrant(?:y|ies)|rights|spdx)\b", re.IGNORECASE)
_ASKS_CONTENTS = regex(
    r"\b(?:links?|contents?|chapters?|pages?|badges?|navigation|next|previous|updated|modified)\b", re.IGNORECASE
)
_PRINTED = regex(r"\A(?:>>> |\.\.\. |Traceback \(most recent)|\A[\[{(<][^\n]{80,}[\]})>]\Z")
_NAMES_ALONE = regex(r"(?:`[^`\n]+`[\s,]*){3,}")  # the names that a page goes on to tell of
_MARKS = regex(r"[{}\[\]<>=\"'|\\]|: ")
_ELSEWHERE = regex(
    r"\W*(?:please )?(?:see|refer to|consult|siehe|voir|(?:have|take) a look at)\b[^.!?]*(?:[.!?](?=\S)[^.!?]*)*[.!?]?\Z",
    re.IGNORECASE,
)
_BETWEEN = regex(r"(?<=[.!?])\s")  # sentences
_ASKS_PLACE = regex(r"\W*(?:\w+ ){0,2}?(?:where|wo|wohin|où)\b", re.IGNORECASE)


_OF_DOCUMENT = regex(
    r"\W{0,4}(?:(?:for(?: whom)?|audience|intended for|applies to|valid for|from|to|cc|bcc|subject|sent)\W{0,3}: *\S"
    r"|(?:version|revision|rev\.?|edition|issue) v?\d[\d.]{0,8}\b(?! (?:is|was|has|adds|of)\b)|(?:written|prepared|compiled|kept|maintained|notes|minutes)(?: \w+)? by (?-i:[A-Z]))",
    re.IGNORECASE,
)
_ASKS_DOCUMENT = regex(
    r"\b(?:versions?|revisions?|written|wrote|authors?|subject|title|status|audience|for whom|valid|prepared|published|reviewed|updated)\b",
    re.IGNORECASE,
)
_NO_CHANGE = regex(
    r"\b(?:stays?|stayed|remains?|remained|is|are|was|were|keeps?|kept)(?: (?:exactly|just|all))? (?:the same|as (?:it|they) (?:is|are|was|were)|unchanged)\b",
    re.IGNORECASE,
)
_GREETING = regex(  # of a mail, and what stands above the name at its end
    r"(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon)|Lieber?|Hallo|Guten (?:Morgen|Tag)|Sehr geehrter?|Moin|Bonjour|Chère?)(?: [^\n,.!]{1,40})?[,!.]?"
    r"|(?:(?:best|kind|warm|many)? ?(?:regards|wishes|thanks|greetings)|yours(?: sincerely| faithfully)?|cheers|sincerely|mit freundlichen grüßen|viele grüße|liebe grüße|cordialement)[,!. ]*",
    re.IGNORECASE,
)
_MAIL_HEAD = regex(r"\W{0,4}(?:(?:From|To|Cc|Bcc|Sent|Date|Subject|Von|An|Datum|Betreff|De|À|Objet): [^\n]{1,400}(?:\n|\Z)){2,}")
_ASKS_MAIL = regex(r"\b(?:mail\w*|sent|sends?|wrote|writes?|whom?|subject|from|address)\b", re.IGNORECASE)


_OF_LICENCES = ("licen", "rights reserved", "permission", "warrant", "as is", "copyright", "©")  # one of them stands in each


def _may_be_licence(text: str) -> bool:
    """A look at what hardly any sentence has, an eighth of the cost of the pattern."""
    low = text.lower()
    return any(word in low for word in _OF_LICENCES)


def cannot_lead(question: str, text: str, kind: BlockKind) -> bool:
    """Whether a sentence of that text is none that an answer may begin with."""
    if kind == "row":
        return False
    if _PRINTED.search(text) or _NAMES_ALONE.fullmatch(text) or is_greeting(text):
        return True
    if kind == "code":
        return False
    if _may_be_licence(text) and _LICENCE.search(text):
        return _ASKS_LICENCE.search(question) is None
    if len(text) >= LONG and len(_MARKS.findall(text)) * 12 > len(text):
        return True
    if _NAVIGATION.match(without_targets(text)) or ("](" in text or "://" in text) and _is_links_alone(text):
        return _ASKS_CONTENTS.search(question) is None
    return False


_CAME = regex(
    r"\W*(?:in attendance|present|attendees|attendance|participants|also present|there|here|guests?|apologies|excused|absent|on the call|anwesend\w*|teilnehm\w+|entschuldigt|dabei|gäste|présents?|présentes?|excusé\w*)\b[^:\n]{0,20}:",
    re.IGNORECASE,
)
_ASKS_WHO_CAME = regex(r"\b(?:present|attend\w*|came|there|absent|missing|guests?|excused|anwesend|dabei|présent\w*)\b")


def is_greeting(text: str) -> bool:
    """Whether a text is the first or the last line of a mail: "Dear all,"."""
    return _GREETING.fullmatch(text) is not None


def lists_attendance(question: str, text: str) -> bool:
    """Whether a line says who was at a meeting, and that is not asked."""
    return _CAME.match(text) is not None and _ASKS_WHO_CAME.search(question.casefold()) is None


def end_of_mail_head(question: str, text: str) -> int:
    """Where it ends that a mail says who wrote it to whom, when and on what; 0 where a text is no mail, or that was asked."""
    head = _MAIL_HEAD.match(text)
    return head.end() if head is not None and _ASKS_MAIL.search(question) is None else 0


def _is_links_alone(text: str) -> bool:
    """ "See [the other page](other.md)" is none: it says where to go on."""
    said, links = _LINK.subn(" ", text)
    return len(_WORD.findall(said)) < (FEWEST_WORDS if links > 1 else 1)


@lru_cache(16)  # it is asked anew for every sentence
def _asks_place(question: str) -> bool:
    return word_of(question) == "where" or _ASKS_PLACE.match(question) is not None


def sends_elsewhere(question: str, text: str) -> bool:
    """Whether a text only sends the reader elsewhere ("See the chapter on logins."), and that was not asked."""
    if _asks_place(question):
        return False
    sentences = [one for one in _BETWEEN.split(text) if one]
    return bool(sentences) and all(map(_ELSEWHERE.match, sentences))


def is_of_document(question: str, text: str, start: int) -> bool:
    """Whether a line at the beginning of a text says for whom or until when it is ("For: all boatmen", "Version 5, 19 October"), and
    that was not asked."""
    if start >= OPENING or _ASKS_DOCUMENT.search(question) is not None:
        return False
    return _OF_DOCUMENT.match(text) is not None


def says_no_change(text: str) -> bool:
    """Whether a sentence only says that a thing is as it was: "The rules stay the same"."""
    return _NO_CHANGE.search(text) is not None


def begins_elsewhere(text: str) -> bool:
    """Whether the first paragraph of a text is only a link to where it goes on: "See [README.md](README.md)"."""
    first = text.strip().partition("\n\n")[0]
    return _ELSEWHERE.match(first) is not None and "](" in first
