"""What stands in the lines of AsciiDoc: attributes, links, emphasis, as Markdown."""

from __future__ import annotations

import re

BUILT_IN = {
    "nbsp": " ", "empty": "", "blank": "", "sp": " ", "zwsp": "", "lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"',
    "plus": "+", "asterisk": "*", "vbar": "|", "startsb": "[", "endsb": "]", "caret": "^", "tilde": "~", "backtick": "`",
    "two-colons": "::", "two-semicolons": ";;", "deg": "°", "ldquo": "“", "rdquo": "”", "lsquo": "‘", "rsquo": "’", "cpp": "C++",
}  # fmt: skip
MOST_VALUES = 2_000
LONGEST_VALUE = 500
LONGEST_LINE = 20_000
DEEPEST = 5  # values in values

_USED = re.compile(r"(?<!\\)\{([A-Za-z0-9_][\w-]{0,80})\}")
_CODE = re.compile(r"(`{1,2}\+?[^`\n]{1,300}?\+?`{1,2})")
_LINK = re.compile(r"\blink:(?P<to>[^\s\[\]]{1,400})\[(?P<said>[^\[\]\n]{0,300})\]")
_ADDRESS = re.compile(r"(?P<to>\bhttps?://[^\s\[\]<>]{1,400})\[(?P<said>[^\[\]\n]{0,300})\]")
_XREF = re.compile(
    r"\bxref:(?P<to>[^\s\[\]]{1,300})\[(?P<said>[^\[\]\n]{0,300})\]|<<(?P<id>[^<>,\n]{1,200})(?:,(?P<words>[^<>\n]{1,300}))?>>"
)
_IMAGE = re.compile(r"\bimage::?(?P<to>[^\s\[\]]{1,300})\[(?P<said>[^\[\]\n]{0,300})\]")
_MACRO = re.compile(r"\b(?:kbd|btn):\[([^\[\]\n]{1,200})\]")
_MENU = re.compile(r"\bmenu:([^\[\]\n]{1,100})\[([^\[\]\n]{0,200})\]")
_FOOTNOTE = re.compile(r"\bfootnote:(?:[\w-]{0,50})\[([^\[\]\n]{1,500})\]")
_ROLE = re.compile(r"\[[.#%\w-]{1,100}\]#{1,2}([^#\n]{1,300})#{1,2}")
_ANCHOR = re.compile(r"\[\[[^\[\]\n]{1,200}\]\]|\[id=[\"'][^\"'\n]{1,200}[\"']\]")
_BOLD = re.compile(r"(?<![\w*\\])\*(?=\S)([^*\n]{1,300}?)(?<=\S)\*(?![\w*])")
_PASS = re.compile(r"\+{2,3}([^+\n]{1,300})\+{2,3}|\bpass:[a-z,]{0,10}\[([^\[\]\n]{1,300})\]")
_MARKS = re.compile(r"\*\*|[`_](?=\w)|(?<=\w)[`_](?!\w)|\[([^\[\]\n]{1,200})\]\([^()\s]{0,400}\)")


class Attributes:
    """The values that a file has given to names."""

    def __init__(self) -> None:
        self._values = dict(BUILT_IN)

    def set(self, name: str, value: str) -> None:
        if name.startswith("!") or name.endswith("!"):
            self._values.pop(name.strip("!"), None)
        elif len(self._values) < MOST_VALUES:
            self._values[name] = self.values_in(value)[:LONGEST_VALUE]

    def values_in(self, text: str) -> str:
        """The text with values for names; a name that has none here stays."""
        for _ in range(DEEPEST):
            found = _USED.sub(lambda match: self._values.get(match[1].casefold(), match.group()), text) if "{" in text else text
            if found == text or len(found) > LONGEST_LINE:
                break
            text = found
        return text

    def in_words(self, line: str) -> str:
        """A line as Markdown. Code stays as it is, but for the values in it."""
        line = self.values_in(line)
        parts = _CODE.split(line)
        parts[::2] = map(_as_markdown, parts[::2])
        parts[1::2] = [re.sub(r"\A(`{1,2})\+(.*)\+(`{1,2})\Z", r"\1\2\3", code) for code in parts[1::2]]
        return "".join(parts)


def plain(markdown: str) -> str:
    """The words of a title without marks."""
    return " ".join(_MARKS.sub(lambda match: match[1] or "", markdown).split())


def _as_markdown(text: str) -> str:
    if "[" in text:
        text = _IMAGE.sub(lambda match: f"![{_label(match['said'])}]({match['to']})", _ANCHOR.sub("", text))
        text = _ADDRESS.sub(_linked, _LINK.sub(_linked, text))
        text = _MENU.sub(r"\1 > \2", _MACRO.sub(r"**\1**", _FOOTNOTE.sub(r" (\1)", _ROLE.sub(r"\1", text))))
    if "[" in text or "<<" in text:
        text = _XREF.sub(_referred, text)
    if "+" in text or "pass:" in text:
        text = _PASS.sub(lambda match: match[1] or match[2], text)
    return _BOLD.sub(r"**\1**", text) if "*" in text else text


def _linked(match: re.Match[str]) -> str:
    return f"[{_label(match['said']) or match['to']}]({match['to']})"


def _referred(match: re.Match[str]) -> str:
    if match["to"]:
        return f"[{_label(match['said']) or match['to']}]({match['to']})"
    return (match["words"] or match["id"]).strip()


def _label(said: str) -> str:
    """The text of a link without its settings: "Read more,window=_blank", "Read more^"."""
    return re.sub(r",\s*[\w-]{1,30}=.*\Z", "", said).strip().rstrip("^").strip('"')
