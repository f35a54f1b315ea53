"""Whether a document still holds: one that says that another has taken its place answers nothing that is asked of now."""

from __future__ import annotations

import re
from functools import lru_cache

from prompts.records import LeafText
from prompts.regex import regex
from prompts.text_lines import line_end

OPENING = 600  # characters at the beginning of a document in which it says whether it holds
_REPLACED = regex(
    r"\W*(?:superseded|replaced|withdrawn|obsolete|deprecated|no longer (?:valid|in force)|revoked|ersetzt|remplacé)\b",
    re.IGNORECASE,
)
_STATUS = regex(rf"^\W{{0,4}}Status\W{{0,3}}:{_REPLACED.pattern}", re.MULTILINE | re.IGNORECASE)
_OVER = r"(?:superseded|obsolete|outdated|deprecated|withdrawn|revoked|old version|no longer valid|not valid any ?more|veraltet|überholt|ersetzt|périmée?|obsolète)"
_CALLED_SO = regex(
    rf"[(\[][^()\[\]]*\b{_OVER}\b[^()\[\]]*[)\]]|\A\W*{_OVER}\W{{0,3}}[:–—-]|[–—:-] *{_OVER}\W*\Z", re.IGNORECASE
)  # a title
_PUT_AWAY = regex(  # a folder, or the end of the name of a file
    r"\A(?:(?:the |_|z)*(?:old|older|obsolete|outdated|superseded|deprecated|retired|withdrawn|expired|veraltet|ungültig|obsolète|périmé)(?:[ _-](?:versions?|stuff|docs?|documents?|files?|polic(?:y|ies)|pages?|ones?))?)\Z",
    re.IGNORECASE,
)
_NAMED_AWAY = regex(
    r"[ _.(-](?:old|obsolete|outdated|superseded|deprecated|withdrawn|veraltet|ungültig)\)?(?:[ _-]20\d\d)?\Z"
    r"|\A(?:(?-i:OLD)|obsolete|outdated|superseded|deprecated|veraltet)[_-]",
    re.IGNORECASE,
)
_SAYS_SO = regex(  # "This version was valid until 31 December 2024."
    r"\b(?:this|the) (?:version|document|page|policy|handbook|guide|list|edition|text|procedure|runbook|rota|roster|table|plan|schedule|register|file|sheet)\b[^.\n]{0,60}?\b"
    r"(?:was (?:valid|in force) until|is (?:superseded|obsolete|outdated|deprecated|no longer (?:valid|in force))|(?:has been|was|is) (?:superseded|replaced|withdrawn)(?: by)?)\b"
    r"|^[^\n]{0,60}\b(?:superseded|obsolete|outdated)[,;:.)]? (?:see|use|by|since)\b|(?:^|[.!] )\W{0,4}(?:superseded|replaced) (?:by|on)\b"
    r"|^\W{0,8}(?:superseded|obsolete|outdated|withdrawn|no longer (?:valid|in force))\b\W{0,3}[.!:]"  # "> **Superseded.**"
    r"|[.:!]\W{1,5}(?:superseded|replaced) (?:on [^.\n]{4,24} )?by \W{0,2}(?:[\w-]{2,60}\.[a-z]{2,4}\b|(?:the )?(?:new |current )?(?:version|edition|policy|rules?|handbook|guide)\b|[\"“‘'«\[])"
    r"|\b(?:do not|don['’]t|not to be) used? (?:(?:it|this(?: (?:one|page|document|file|version|procedure|list))?) )?any ?(?:more|longer)\b"
    r"|\bkept (?:only |just )?for (?:reference|the records?|history|[^.\n]{1,40} only)\b"
    r"|^\W{0,6}(?-i:OLD|OUTDATED|OBSOLETE|VERALTET)\b(?! [a-z])",
    re.IGNORECASE | re.MULTILINE,
)
_MARKED_OLD = regex(
    r"[(\[](?:OLD|SUPERSEDED|OBSOLETE|OUTDATED|VOID|WITHDRAWN)\b|(?:[-–—:_ ])(?:OLD|SUPERSEDED|OBSOLETE|OUTDATED)\W*\Z"
)
_DOUBTED = regex(  # "2 a month (Mirko says this changed)", "[the board has changed it, see the June minutes]", and not "300 euro (changed from 250)"
    r"<-[^\d\n]{0,60}\b(?:changed|outdated|obsolete|check|wrong|old)\b"
    r"|[(\[](?:[^()\[\]\d\n]{0,80}\b)?(?:changed|outdated|obsolete|to be checked|check (?:the|with)|tbc|will (?:move|change)|see (?:the )?(?:\w+ ){0,2}(?:minutes|mails?))\b[^()\[\]\d\n]{0,80}[)\]]|\?\?",
    re.IGNORECASE,
)
_OF_THEN = regex(
    r"\b(?:was|were|did|had|used to|(?<!long )(?<!early )(?<!weeks )(?<!days )(?<!hours )before(?=\W*\Z|,| (?:that|then|this|20\d\d|\d{1,2}(?:st|nd|rd|th|\.)? [A-Za-z]{3,9})\b)|formerly|previously|originally|in the past"
    r"|(?<!how )(?:old|former|previous|superseded|obsolete|withdrawn) (?:\w+ )?(?:version|edition|policy|rules?|document|handbook|guide|list|procedure|runbook|plan|page|one)s?)\b",
    re.IGNORECASE,
)
_OUTCOME = regex(
    r"\b(?:was|were|did|has|have)\b(?:[^?.,\n]{0,40}\b(?:decided?|agreed?|resolved?|settled)\b|(?= (?:finally|eventually)\b|[^?.,\n]{0,60}\bin the end\b))",
    re.IGNORECASE,
)

_DRAFT = regex(r"(?<![^\W_])(?:draft|entwurf|brouillon|proposal)(?![^\W_])", re.IGNORECASE)
_ASKS_DRAFT = regex(r"\b(?:drafts?|drafted|propos\w+|planned|plans?|entw[uü]rf\w*|brouillon)\b", re.IGNORECASE)


def holds_no_more(leaf: LeafText, at: int) -> bool:
    """Whether a document, or its section at a place of the text, says of itself that it holds no more; or a remark in the same line
    doubts what stands there."""
    return _DOUBTED.search(leaf.text, at, line_end(leaf.text, at)) is not None or is_superseded(leaf, at)


def is_superseded(leaf: LeafText, at: int) -> bool:
    """Whether a document, or its section at a place of the text, says of itself that it holds no more: "Status: superseded by 0012"; or it
    lies in a folder of old ones."""
    section = leaf.text[leaf.text.rfind("\n#", 0, at) + 1 : at][:OPENING] + leaf.text[at : at + OPENING].split("\n#", 1)[0]
    opening = "" if leaf.text.startswith("##") else leaf.text[:OPENING].split("\n#", 1)[0]
    return _is_over(leaf.title, leaf.name, leaf.inside, leaf.stated("Status"), opening) or _STATUS.search(section) is not None


@lru_cache(256)  # it is asked of each passage of a leaf
def _is_over(title: str, name: str, inside: tuple[str, ...], status: str, opening: str) -> bool:
    return (
        _CALLED_SO.search(title) is not None
        or _MARKED_OLD.search(title) is not None
        or _SAYS_SO.search(opening) is not None
        or any(map(_PUT_AWAY.search, inside))
        or _NAMED_AWAY.search(name) is not None
        or _REPLACED.match(status) is not None
        or _STATUS.search(opening) is not None
    )


def is_draft(leaf: LeafText) -> bool:
    """Whether a document is called a draft, by its title or the name of its file: what it says is not agreed yet."""
    return any(map(_DRAFT.search, (leaf.title, leaf.name)))


def asks_of_draft(question: str) -> bool:
    """Whether a question is of what is proposed or planned, which a draft may say."""
    return _ASKS_DRAFT.search(question) is not None


def asks_of_then(question: str) -> bool:
    """Whether a question is of how it was, "what was the limit before", and not of what came of it, "what was finally decided"."""
    return _OF_THEN.search(_OUTCOME.sub(" ", question)) is not None
