"""Running text with its marks as one Markdown phrase: bold, italic, struck out, code and links, and nothing escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

MARKERS = (("strong", "**"), ("em", "*"), ("strike", "~~"))  # from the outside in
NO_ADDRESS = re.compile(r"\s*(?:javascript|vbscript|data):", re.I)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xa0]")
INVISIBLE = re.compile("[\u200b\u2060\ufeff]")  # left behind by editors; they would split words for the search
UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f\xa0\u200b\u2028\u2029\u2060\ufeff\ud800-\udfff]")  # any of these
SURROGATE = re.compile(r"[\ud800-\udfff]")  # half a character: no database takes it


class MarkedText(NamedTuple):
    """A segment of text with the same marks."""

    text: str
    marks: frozenset[str] = frozenset()
    address: str = ""


def clean(text: str) -> str:
    """One kind of line end, and no characters that a person cannot see."""
    if not UNCLEAN.search(text):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return SURROGATE.sub("\ufffd", INVISIBLE.sub("", CONTROL.sub(" ", text)))


def phrase(runs: Sequence[MarkedText]) -> str:
    """The runs as Markdown. A line break in them stays one."""
    groups = [list(group) for _, group in groupby(runs, key=lambda run: run.address)]
    plain = [_text(group) for group in groups]
    written = []
    for number, group in enumerate(groups):
        before = plain[number - 1][-1:] if number else ""
        after = plain[number + 1][:1] if number + 1 < len(plain) else ""
        text = _marked(group, 0, "" if group[0].address else before, "" if group[0].address else after)
        written.append(_link(text, plain[number], group[0].address) if group[0].address else text)
    return "".join(written)


def _marked(runs: Sequence[MarkedText], level: int, before: str, after: str) -> str:
    """The runs with the marks from this level on; `before` and `after` are the characters beside them."""
    if not any(run.marks for run in runs):
        return _text(runs)
    if level == len(MARKERS):
        return "".join(_code(run.text) if "code" in run.marks else run.text for run in runs)
    name, marker = MARKERS[level]
    groups = [(marked, list(group)) for marked, group in groupby(runs, key=lambda run: name in run.marks)]
    edges = [before, *(_text(group) for _, group in groups), after]
    written = []
    for number, (marked, group) in enumerate(groups):
        left, right = edges[number][-1:], edges[number + 2][:1]
        text, plain = _marked(group, level + 1, left, right), _text(group)
        # Within a word a mark would cut the word in two for whoever searches it.
        splits = _is_word(left) and _is_word(text[:1]) or _is_word(right) and _is_word(text[-1:])
        clashes = marker[0] in plain
        written.append(_wrapped(text, marker) if marked and not splits and not clashes else text)
    return "".join(written)


def _text(group: Sequence[MarkedText]) -> str:
    return "".join(run.text for run in group)


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _wrapped(text: str, marker: str) -> str:
    """The marker around the words of each line, never around the blanks beside them."""
    return "\n".join(_wrapped_line(line, marker) for line in text.split("\n"))


def _wrapped_line(line: str, marker: str) -> str:
    words = line.strip()
    if not any(map(str.isalnum, words)):
        return line
    lead = line[: len(line) - len(line.lstrip())]
    return f"{lead}{marker}{words}{marker}{line[len(lead) + len(words) :]}"


def _code(text: str) -> str:
    return "\n".join(_code_line(line) for line in text.split("\n"))


def _code_line(line: str) -> str:
    if not line.strip():
        return line
    marks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{marks}{pad}{line}{pad}{marks}"


def _link(text: str, plain: str, address: str) -> str:
    """Text and address, or one of the two where they say the same."""
    address = address.strip()
    words = plain.strip()
    if not address or NO_ADDRESS.match(address):
        return text
    lead, trail = plain[: len(plain) - len(plain.lstrip())], plain[len(plain.rstrip()) :]
    if not words or _bare(words) == _bare(address):
        kept = words if words.startswith(address.split(":", 1)[0]) or address.startswith("mailto:") else address
        return f"{lead}{kept}{trail}" if words else f"{plain}{address}"
    inner = text.strip()
    if "\n" in inner or not _is_balanced(inner, "[", "]") or re.search(r"[<>\n]", address):
        return f"{lead}{inner} ({address}){trail}"
    if re.search(r"\s", address) or not _is_balanced(address, "(", ")"):
        address = f"<{address}>"
    return f"{lead}[{inner}]({address}){trail}"


def _bare(address: str) -> str:
    return re.sub(r"\A(?:https?://|mailto:)", "", address).rstrip("/")


def _is_balanced(text: str, opening: str, closing: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == opening) - (char == closing)
        if depth < 0:
            return False
    return not depth
