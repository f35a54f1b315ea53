"""Actions that minutes gather in one line: "Actions: Dennis: posters by 6 Nov. Callum: ten stands", "A: MT customer mail; BA tyres".

Spans are of the leaf's text and begin with whoever is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from prompts.regex import regex
from tree.retrieve.item_cues import BY_COLON, FULL_NAME, NO_NAME

_LABEL = regex(
    r"^[ \t]*+(?:[-*+] )?[*_]{0,2}+(?:(?:(?:Open |New |Our |The )?(?:Actions|ACTIONS|Action (?:items|points|list)|ACTION (?:ITEMS|POINTS)|Next steps|NEXT STEPS"
    r"|To[ -]?dos?|TO[ -]?DOs?|TODOs?|Follow[ -]?ups|Tasks|Who does what)|Aufgaben|Maßnahmen)|(?P<letter>A|AP|AI))[*_]{0,2}:[*_]{0,2}[ \t]++(?=\S)",
    re.MULTILINE,
)
_APART = regex(r";[ \t]+|[ \t]/[ \t]|(?<=[^\s.])\.[ \t]+(?=[A-Z])|[ \t]\|[ \t]")
_INITIALS = regex(r"(?P<who>[A-Z]{2,3}(?:[/+&][A-Z]{2,3})*)(?::| -| –)? (?=\S)")
_JOINTS = regex(r"[/+&]")


def inline_actions(text: str, there: Mapping[str, str], first: int, last: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Where each begins and ends, and whose it is. `there`: who was at the meeting, by their names and the parts of these. Nothing of a
    line in which nobody is named first."""
    initials = _initials(set(there.values()))
    for label in _LABEL.finditer(text, first, last):
        end = text.find("\n", label.end(), last)
        end = end if end >= 0 else last
        parts = list(_parts(text, label.end(), end))
        whose = [_whose(text[start:stop], there, initials) for start, stop in parts]
        if not whose or not whose[0]:
            continue  # "Actions: none", or a sentence about them
        for (start, stop), people in zip(parts, whose, strict=True):
            yield start, stop, people


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in (*_APART.finditer(text, start, end), None):
        stop = match.start() if match is not None else end
        said = text[start:stop].rstrip(" \t.*_")
        if said.strip():
            yield start, start + len(said)
        start = match.end() if match is not None else end


def _whose(said: str, there: Mapping[str, str], initials: Mapping[str, str]) -> tuple[str, ...]:
    """Whoever a part begins with: before a colon, by name, or by the initials of somebody who was there."""
    if (lead := BY_COLON.match(said)) is not None:
        names = FULL_NAME.findall(lead["who"])
        known = [there.get(name, initials.get(name, name)) for name in names]
        return tuple(dict.fromkeys(one for one in known if one.split()[0].casefold() not in NO_NAME))
    if (short := _INITIALS.match(said)) is not None:
        known = [initials.get(one, "") for one in _JOINTS.split(short["who"])]
        return tuple(dict.fromkeys(known)) if all(known) else ()
    if (name := FULL_NAME.match(said)) is not None:
        words = name.group().split()
        begins = (" ".join(words[:size]) for size in range(len(words), 0, -1))
        return next(((there[one],) for one in begins if one in there), ())
    return ()


def _initials(people: set[str]) -> Mapping[str, str]:
    """Of the full names each that no other has."""
    found: dict[str, list[str]] = {}
    for name in people:
        if " " in name:
            found.setdefault("".join(word[0] for word in name.split() if word[0].isupper()), []).append(name)
    return {short: names[0] for short, names in found.items() if len(names) == 1}
