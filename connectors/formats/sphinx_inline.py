"""What stands in the lines of reStructuredText and MyST: roles, links, footnotes and substitutions, as Markdown.

A text is converted paragraph by paragraph, because a role may go on over the end of a line. Blank lines behind it stand for the
lines that went, so that what follows is where it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

LONGEST = 1_000  # characters between two backquotes
LINKED = frozenset(("ref", "doc", "download", "numref", "any", "std:ref", "std:doc"))
SHOWN_BOLD = frozenset(("guilabel", "menuselection", "strong"))
SHOWN_AS_TEXT = frozenset("abbr term emphasis sup sub superscript subscript index sub-ref rubric del eq dfn".split())  # noqa: SIM905
SHOWN_AS_CODE = frozenset(
    """attr class command const data envvar exc file func kbd keyword literal code makevar math meth mimetype mod obj option program
    regexp samp token type confval setting signal reqmeta method function py:attr py:class py:data py:exc py:func py:meth py:mod py:obj
    py:const py:property c:func c:macro c:type cpp:class cpp:func js:func js:class opt conf reqmeta sig""".split()  # noqa: SIM905
)
OF_CODE = frozenset("attr class data exc func function meth method mod obj".split())  # whose names may begin with a full stop
NUMBERED = {
    "pep": "PEP ",
    "rfc": "RFC ",
    "issue": "#",
    "gh": "#",
    "pr": "#",
    "pull": "#",
    "user": "@",
    "bpo": "bpo-",
    "cve": "CVE-",
}

_TARGETED = re.compile(r"(?P<words>[^<>]+(?<!\s))\s?<(?P<to>[^<>]+)>\Z")  # of what was made one line
_ROLE_NAME = r"[A-Za-z][\w:+.-]{0,40}"
_SAID = rf"`(?P<said>[^`]{{1,{LONGEST}}})`"
_MARKED = (
    r"(?=[`:\\|_\[.,;!? ])(?:(?P<literal>``(?:[^`]|`(?!`)){1,1000}``)"
    rf"|(?<![\w:`])(?P<escape>\\ )?:(?P<role>{_ROLE_NAME}):{_SAID}"
    rf"|(?<![\w`\\:])_?`(?P<name>[^`]{{1,{LONGEST}}})`(?P<under>__?(?!\w))?(?!`)"
    r"|(?P<stop>[.,;!?])?[ ]?\[(?P<note>#[\w-]{0,60}|\d{1,4}|\*)\]_(?!\w)"
    r"|(?<![\w|`])\|(?P<value>\w[\w .-]{0,60})\|(?:__?)?(?![\w|])"
    r"|\\(?P<joint>[\sA-Za-z]))"
)
_WORD = r"(?<![\w`./-])(?P<word>[A-Za-z][\w-]{0,60}?)__?(?![\w`(/-]|\.\w)"
_RST = re.compile(_MARKED)
_RST_WITH_WORDS = re.compile(f"{_MARKED}|{_WORD}")  # where words with a line below them are links
_ENDS_WITH_LINE = re.compile(r"[A-Za-z0-9-]_(?!\w)")
_MYST = re.compile(
    rf"\{{(?P<role>{_ROLE_NAME})\}}{_SAID}"
    r"|(?P<definition>(?m:^)[ ]{0,3}\[\^[^\]\n]{1,60}\]:)"
    r"|(?P<literal>(?<!`)(?P<ticks>`++)(?:(?!\n[ \t]*\n).){1,1000}?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<stop>[.,;!?])?[ ]?\[\^(?P<note>[^\]\s\[]{1,60})\]"
    r"|\{\{ ?(?P<value>[\w.-]{1,60}) ?\}\}",
    re.DOTALL,
)


@dataclass(slots=True)
class References:
    """What the names that a file uses stand for, by name in small letters."""

    titles: Mapping[str, str] = field(default_factory=dict)  # of sections, by label
    addresses: dict[str, str] = field(default_factory=dict)  # of links
    notes: dict[str, str] = field(default_factory=dict)  # footnotes
    values: dict[str, str] = field(default_factory=dict)  # substitutions
    told: set[str] = field(default_factory=set)  # footnotes that stand in a sentence


def from_rst(text: str, known: References) -> str:
    """A paragraph of reStructuredText as Markdown, in as many lines."""
    if not any(mark in text for mark in "`_|\\"):
        return text
    pattern = _RST_WITH_WORDS if _ENDS_WITH_LINE.search(text) else _RST
    return _as_long(text, pattern.sub(lambda match: _rst(match, known), text))


def from_myst(text: str, known: References) -> str:
    """A paragraph of Markdown with its roles, footnotes and substitutions in words, in as many lines."""
    if "`" not in text and "[^" not in text and "{{" not in text:
        return text
    return _as_long(text, _MYST.sub(lambda match: _myst(match, known), text))


def _as_long(text: str, made: str) -> str:
    return made + "\n" * (text.count("\n") - made.count("\n"))


def _myst(match: re.Match[str], known: References) -> str:
    whole = match.group()
    if match["literal"] or match["definition"]:
        return whole
    if match["role"]:
        return role(match["role"], match["said"], known)
    if match["value"]:
        return known.values.get(match["value"].casefold(), whole)
    return _noted(match, known)


def _rst(match: re.Match[str], known: References) -> str:
    whole = match.group()
    if match["literal"]:
        return whole
    if match["joint"]:
        return match["joint"].strip(" \t")
    if match["role"]:
        return role(match["role"], match["said"], known)
    if match["name"]:
        return _named(match["name"], bool(match["under"]), known)
    if match["value"]:
        return known.values.get(match["value"].casefold(), whole)
    if match["note"]:
        return _noted(match, known)
    word = match["word"]
    if address := known.addresses.get(word.casefold()):
        return f"[{word}]({address})"
    return whole if "_" in word else word  # its address stands in another file; names in code have more than one line


def role(name: str, said: str, known: References) -> str:
    """What a reader sees of a role: code, a link, bold or plain words."""
    name = name.casefold()
    said = " ".join(said.split())
    targeted = _TARGETED.match(said)
    words, to = (targeted["words"], targeted["to"]) if targeted and targeted["words"] else (said, said)
    if name in LINKED:
        to = to.lstrip("!~")
        title = known.titles.get(to.casefold(), "")
        shown = words if targeted else title or to.rpartition("/")[2].replace("-", " ").replace("_", " ")
        if " " in to and not title:
            return _words(shown)  # a label of another file, which no address can have
        return f"[{_words(shown)}]({f'#{slug(title)}' if title else to})"
    if name in NUMBERED:
        return words if targeted else f"{NUMBERED[name]}{words.lstrip('#@')}"
    if said.isdecimal():  # of a role that a team made itself: ":ldm:`294`"
        return f"{name.upper()}-{said}"
    if name in SHOWN_BOLD:
        return f"**{words.replace('-->', '>').replace('&', '')}**"
    if name in SHOWN_AS_TEXT or not (name in SHOWN_AS_CODE or ":" in name):
        return words
    return f"`{_short(words).lstrip('.') if name.rpartition(':')[2] in OF_CODE else _short(words)}`"


def _named(said: str, is_link: bool, known: References) -> str:
    """What stands between single backquotes: a link by name or by address, else the name of something."""
    said = " ".join(said.split())
    targeted = _TARGETED.match(said)
    if not is_link:
        return f"`{_short(targeted['words'] if targeted and targeted['words'] else said)}`"
    if targeted:
        to = targeted["to"]
        address = known.addresses.get(to[:-1].casefold()) if to.endswith("_") else to
        words = _words(targeted["words"]) or to
        return f"[{words}]({address.replace(' ', '')})" if address else words
    address = known.addresses.get(said.casefold())
    return f"[{_words(said)}]({address})" if address else said


def slug(title: str) -> str:
    """A heading as links within a page name it."""
    return re.sub(r"\W+", "-", title.casefold()).strip("-")


def _short(name: str) -> str:
    """ "~package.module.name" is shown as "name", unlike the path "~/.config/name"; "!name" is a name without a link."""
    if name[:1] == "~" and "/" not in name:
        return name[1:].rpartition(".")[2] or name[1:]
    return name.lstrip("!")


def _words(said: str) -> str:
    return said.replace("[", "(").replace("]", ")")


def _noted(match: re.Match[str], known: References) -> str:
    """The text of a footnote where it is referred to, before the stop of the sentence; only once."""
    name = match["note"].lstrip("#").casefold() or match["note"]
    stop = match["stop"] or ""
    if name not in known.notes:
        return match.group()
    if name in known.told:
        return stop
    known.told.add(name)
    said = known.notes[name].rstrip(".")
    return f" ({said}){stop}"


def convert_paragraphs(lines: list[str], verbatim: Collection[int], convert: Callable[[str], str]) -> None:
    """Converts in place what stands between blank lines and lines that stay as they are, each paragraph at once."""
    start = 0
    for number in range(len(lines) + 1):
        if number < len(lines) and lines[number] and number not in verbatim:
            continue
        if start < number:
            lines[start:number] = convert("\n".join(lines[start:number])).split("\n")
        start = number + 1
