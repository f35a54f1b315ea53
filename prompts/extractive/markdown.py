"""Quoted text made safe to stand in Markdown: it looks as it was written, and nothing in it comes alive."""

from __future__ import annotations

import re
from html import unescape

from prompts.records import Quote
from prompts.regex import regex

_SPECIAL = regex(r"([\\`*_{}\[\]()<>#+\-!|~$&^=])")
_INERT = regex(
    r"(?<!`)`{1,2}(?P<code>[^`\n]{1,300})`{1,2}(?!`)"
    r"|(?P<address>(?:\b[A-Za-z][A-Za-z0-9+.-]{1,14}://|\bwww\.|\b(?:mailto|javascript|data|xmpp):)[^\s`<>]{1,500}"
    r"|\b[\w.+-]{1,64}@[\w.-]{1,200}\w)", re.IGNORECASE
)  # fmt: skip
_LINK = regex(
    r"!?\[([^\[\]\n]{1,200})\]\((?:\{\{[<%][^{}\n]{1,300}\}\}|[^()\s]{0,500}(?:\([^()\s]{0,100}\))?[^()\s]{0,100})(?: \"[^\"\n]{0,200}\")?\)"
)
_REFERENCE = regex(r"!?\[([^\[\]\n]{1,200})\]\[[^\[\]\n]{0,100}\]")
_ROLE = regex(r":[a-z][a-z:+-]{0,30}:`([^`<>\n]{1,200}?)(?: ?<[^<>`\n]{1,300}>)?`")
_REST_LINK = regex(r"`([^`<>\n]{1,200}) <[^<>`\s]{1,500}>`__?")
_BOLD = regex(r"(\*\*|__)(?=\S)([^*_\n]{1,300}?)(?<=\S)\1")
_BOLD_CODE = regex(
    r"(`{1,2}[^`\n]{1,300}`{1,2})|\*\*(?=\S)((?:`[^`\n]{1,300}`|[^*`\n]){1,300}?)(?<=\S)\*\*"
)  # bold with code in it
_EMPHASIS = regex(r"(?<![\w*\\])\*(?=\S)([^*\n]{1,200}?)(?<=\S)\*(?![\w*])")
_LIST_START = regex(r"^(\s*\d{1,9})([.)])(?=\s|$)")
_SHORTCODE = regex(r":(?=(?:(?:(?![A-Za-z])[\w+-])*+[A-Za-z][\w+/-]*+|\+1|-1|100|1234):)")
_INLINE_TAG = regex(
    r"</?(?:a|abbr|b|big|code|del|em|font|i|img|ins|kbd|mark|s|small|span|strike|strong|sub|sup|tt|u|var)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_BLOCK_TAG = regex(
    r"</?(?:blockquote|br|center|details|div|h[1-6]|hr|li|ol|p|picture|pre|source|summary|t[dhr]|table|tbody|thead|ul|video)"
    r"(?:\s[^<>]{0,300})?/?>|<!--(?:(?!-->).){0,500}-->", re.IGNORECASE,
)  # fmt: skip
_AUTOLINK = regex(r"<((?:https?://|mailto:)[^<>\s]{1,500})>")
_STRUCK = regex(r"~~(?=\S)(?P<said>(?:(?!~~)[^\n]){1,1000}?)(?<=\S)~~")  # what somebody has crossed out
_CODE_MARKS = regex(r"`{1,2}([^`\n]{1,300})`{1,2}")
_UNDERLINED = regex(r"(?<![\w\\])_(?=\S)([^_\n]{1,200}?)(?<=\S)_(?!\w)")
_ESCAPED = regex(r"\\([!-/:-@\[-`{-~])")
_TASK = regex(r"\A(?:\[[ xX]\]|[-*+>])[ ]")
_ALERT = regex(r"\A\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\] ?", re.IGNORECASE)
_STRIKE = "\ue010"  # a private character
_JOINER = "\u2060"  # keeps ":fire:" from becoming a picture; nothing is seen of it
_QUOTED_LINE = regex(r"\n[ \t]{0,8}>[> \t]{0,8}")
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def as_text(quote: Quote | str) -> str:
    """A quote as one line of Markdown that shows its words as the document shows them.

    Code stays code, a link is its label, a picture its description, what is crossed out stays so, marks of emphasis and tags of HTML
    go; all other markup is escaped.
    Addresses stand in code spans: an escaped address would be turned into a link all the same.
    """
    said = quote if isinstance(quote, str) else quote.text
    text = _CONTROL.sub("", " ".join((_QUOTED_LINE.sub("\n", said) if "\n" in said else said).split()))
    if ":`" in text:
        text = _ROLE.sub(r"\1", text)
    if "][" in text:
        text = _REFERENCE.sub(r"\1", text)
    if "](" in text or "`_" in text:
        text = _LINK.sub(r"\1", _REST_LINK.sub(r"\1", text))
    if "**" in text and "`" in text:
        text = _BOLD_CODE.sub(lambda match: match[1] or match[2], text)
    has_words = bool(without_tags(text).strip())  # what is all tags is quoted for them
    made: list[str] = []
    at = 0
    for match in _INERT.finditer(text):
        made.append(_escape(text[at : match.start()], has_words))
        if match.lastgroup == "code":
            made.append(f"`{match.group('code')}`")
            at = match.end()
        else:
            address = match.group().rstrip(".,;:!?)]}'\"*_")
            made.append(f"`{address}`")
            at = match.start() + len(address)
    made.append(_escape(text[at:], has_words))
    return _LIST_START.sub(r"\1\\\2", "".join(made))


def without_struck(text: str) -> str:
    """A text without what is crossed out in it ("~~1 May~~ 8 May"): nobody says that any more."""
    return _STRUCK.sub("", text) if "~~" in text else text


def as_words(text: str) -> str:
    """Quoted text as plain words on one line: a link is its label, a picture its description, no mark is left, and nothing that is
    crossed out."""
    text = _TASK.sub("", _CONTROL.sub("", " ".join(without_struck(text).split())))
    if ":`" in text:
        text = _ROLE.sub(r"\1", text)
    if "`_" in text:
        text = _REST_LINK.sub(r"\1", text)
    if "[" in text:
        text = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", text))
    parts = _CODE_MARKS.split(text)  # every second one is code, which stays as it is
    parts[::2] = map(_unmarked, parts[::2])
    return " ".join("".join(parts).split())


def _unmarked(text: str) -> str:
    """Words outside code without the marks of emphasis, tags and entities."""
    if "<" in text:
        text = without_tags(_AUTOLINK.sub(r"\1", text))
    if "**" in text or "__" in text:
        text = _BOLD.sub(r"\2", text).replace("**", "")
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", text)
    if "_" in text:
        text = _UNDERLINED.sub(r"\1", text)
    if "~~" in text:
        text = text.replace("~~", "")
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    return unescape(_ALERT.sub("", text))


def as_code(text: str) -> str:
    """Lines as a block of code; its fence is longer than any in them."""
    text = _CONTROL.sub("", text.strip("\n"))
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def as_cells(row: str) -> list[str]:
    """The cells of a table row as it was written, made safe."""
    return [as_text(cell) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def without_tags(text: str) -> str:
    """Words without the tags of HTML: those within a line go, those that begin a new one are a space."""
    return _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text)) if "<" in text else text


def _escape(text: str, is_plain: bool) -> str:
    text = without_tags(text) if is_plain else text
    if "~~" in text:  # what is crossed out is shown so; the marks are put back behind the escaping
        text = _STRUCK.sub(f"{_STRIKE}\\g<said>{_STRIKE}", text)
    if "**" in text or "__" in text:
        text = _BOLD.sub(r"\2", text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", text)
    if "_" in text:
        text = _UNDERLINED.sub(r"\1", text)
    return _SHORTCODE.sub(":" + _JOINER, _SPECIAL.sub(r"\\\1", text)).replace(_STRIKE, "~~")
