"""Shortcodes of Hugo, tags of Liquid, components of MDX, comments and layout of HTML: what steers a website and is not read."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_COMMENT = 400  # lines
NOTES = {
    "note": "Note", "info": "Note", "tip": "Tip", "success": "Note", "hint": "Hint", "warning": "Warning", "caution": "Caution",
    "danger": "Danger", "important": "Important", "primary": "Note", "secondary": "Note", "error": "Error", "attention": "Attention",
}  # fmt: skip
_ASIDES = frozenset(("alert", "hint", "notice", "callout", "admonition", "hint-box", "message", "pageinfo", "bs-callout", *NOTES))
_TITLED = frozenset(
    ("tab", "expand", "details", "tabitem", "dropdown", "accordion", "collapse", "step", "card", "swapper", "content-ref")
)
_SHORTCODE = re.compile(r"\{\{[<%][-/*\s]{0,4}(?P<name>(?:\w[\w/.-]{0,60})?)(?P<said>[^{}]{0,500})[>%]\}\}")
_LIQUID = re.compile(r"\{%-?[ \t]*(?P<name>[\w-]++)(?P<said>[^{}%]{0,500})-?%\}")
_LEADING = re.compile(r"[\"'](?P<to>[^\"']+)[\"']|(?P<bare>[^\s\"']+)")
_SETTING = re.compile(r"(?<![\w-])(?P<name>[\w-]{1,40})\s?=\s?(?:\"(?P<value>[^\"]{0,500})\"|'(?P<other>[^']{0,500})')")
_QUOTED = re.compile(r"\"(?P<words>[^\"]*)\"|'(?P<other>[^']*)'")
_COMMENTS = (("<!--", "-->"), ("{/*", "*/}"))
_LAYOUT = re.compile(
    r"</?(?:details|div|center|p|section|figure|picture|source|br|hr|span|article|align|font|video|dl|small)\b[^<>]*>", re.I
)
_SUMMARY = re.compile(r"<summary[^<>]*>(?P<said>.{0,500}?)</summary>", re.I)
_PICTURE = re.compile(r"<img\b(?P<said>[^<>]*)>", re.I)
_ANCHOR = re.compile(r"<a\b(?P<set>[^<>]*)>(?P<said>.{0,500}?)</a>", re.I)
_COMPONENT = re.compile(r"</?[A-Z][A-Za-z.]*(?P<said>(?:\s(?:[^<>{}]|\{[^{}]*\})*)?)/?>")
_PICTURED = r"!\[(?P<alt>[^\]\n]{0,300})\]\([^()\s]{0,1000}(?: \"[^\"\n]{0,200}\")?\)"
_BADGE = re.compile(
    r"\["
    + _PICTURED
    + r"\]\([^()\s]{0,1000}\)|!\[(?P<said>[^\]\n]{0,300})\]\([^()\s]{0,500}?(?:shields\.io|/badge|badge\.svg|badgen)[^()\s]{0,500}\)"
)
_ICON = re.compile(r":(?:material|octicons|fontawesome|simple|fas|fab|far|mdi)-[\w-]+:[ ]?")


class Shortcodes:
    """Takes them out of lines; what opens a note leaves its label for the text behind it."""

    def __init__(self, is_mdx: bool) -> None:
        self.is_mdx = is_mdx
        self.label = ""

    def hidden(self, lines: Sequence[str], number: int) -> int:
        """The line behind a comment of several lines that begins a line; the same line where none does."""
        bare = lines[number].lstrip()
        mark = next((end for start, end in _COMMENTS if bare.startswith(start)), "")
        if not mark or mark in bare:
            return number
        for end in range(number + 1, min(number + LONGEST_COMMENT, len(lines))):
            if mark in lines[end]:
                return end + 1 if lines[end].rstrip().endswith(mark) else end
        return number

    def without(self, text: str) -> str:
        """A line outside code in words."""
        if "{" in text:
            if "{{<" in text or "{{%" in text:
                text = _SHORTCODE.sub(self._shortcode, text)
            if "{%" in text:
                text = _LIQUID.sub(self._liquid, text)
        if "<" in text or "{/*" in text:
            text = _without_comments(text)
            text = _SUMMARY.sub(lambda match: f"**{match['said'].strip()}**" if match["said"].strip() else "", text)
            text = _PICTURE.sub(_described, text)
            text = _ANCHOR.sub(_linked, text)
            text = _LAYOUT.sub("", text)
            if self.is_mdx or _COMPONENT.fullmatch(text.strip()):
                text = _COMPONENT.sub(self._component, text)
        if ":" in text and "-" in text:
            text = _ICON.sub("", text)
        if "![" in text and not _BADGE.sub("", text).strip():
            return ""
        return _BADGE.sub(lambda match: match["alt"] or match["said"] or "", text) if "![" in text else text

    def _shortcode(self, match: re.Match[str]) -> str:
        if "/" in match.group()[3:6].replace("/*", ""):
            return ""
        name, said = match["name"].casefold(), match["said"]
        if name in ("ref", "relref", "link"):
            to = _LEADING.search(said)
            return (to["to"] or to["bare"] or "") if to else ""
        return self._opened(name, said)

    def _liquid(self, match: re.Match[str]) -> str:
        name = match["name"].casefold()
        if name in ("link", "post_url"):
            return match["said"].strip()
        return "" if name.startswith("end") else self._opened(name, match["said"])

    def _component(self, match: re.Match[str]) -> str:
        name = re.sub(r"\W", "", match.group().partition(" ")[0]).casefold()
        return "" if match.group().startswith("</") else self._opened(name, match["said"] or "")

    def _opened(self, name: str, said: str) -> str:
        """What a reader sees of something that opens: a title; of a note nothing yet."""
        found = _settings(said)
        first = _QUOTED.search(_SETTING.sub("", said))
        words = (first["words"] or first["other"] or "") if first else ""
        if name in _ASIDES:
            sort = next(
                (NOTES[one] for one in (*found.values(), *said.split(), words, name) if one.strip("\"'").casefold() in NOTES),
                "Note",
            )
            title = found.get("title", "")
            if title:
                return f"**{sort}: {title.rstrip('.')}.** "
            self.label = f"**{sort}:**"
            return ""
        if name == "figure":
            return found.get("caption") or found.get("alt") or found.get("title") or ""
        title = next((found[key] for key in ("label", "title", "name", "header") if found.get(key)), "" if found else words)
        return f"**{title}**" if name in _TITLED and title else ""


def _settings(said: str) -> dict[str, str]:
    return {one["name"].casefold(): one["value"] or one["other"] or "" for one in _SETTING.finditer(said)}


def _described(match: re.Match[str]) -> str:
    found = _settings(match["said"])
    return f"![{found['alt']}]({found.get('src', '')})" if found.get("alt") else ""


def _linked(match: re.Match[str]) -> str:
    found = _settings(match["set"])
    said = match["said"].strip()
    return f"[{said}]({found['href']})" if said and found.get("href") and "[" not in said and " " not in found["href"] else said


def _without_comments(text: str) -> str:
    for mark, end in _COMMENTS:
        kept, at = [], 0
        while (start := text.find(mark, at)) >= 0 and (stop := text.find(end, start + len(mark))) >= 0:
            kept.append(text[at:start])
            at = stop + len(end)
        text = "".join((*kept, text[at:]))
    return text
