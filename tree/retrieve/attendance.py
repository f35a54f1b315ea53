"""Who was at a meeting and who was not, who led it, who took the minutes, and when the next one is, as the head of its minutes says.

Spans are of the leaf's text; people are named as they stand there, in full where the same head names them so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from prompts.line_pattern import LinePattern
from prompts.regex import regex
from prompts.text_lines import line_start
from tree.retrieve.item_cues import FULL_NAME, NO_NAME, may_be_first_name

Role = Literal["present", "absent", "chair", "minute taker", "next meeting"]
ROLES: tuple[Role, ...] = get_args(Role)
HEAD = 1_500  # characters in which it stands who was there
LONGEST = 600  # characters of a list of people
FEWEST_WRAPPED = 40  # characters of a line that goes on in the next
FEWEST_NAMES = 3  # of a list that nothing says is one of who was there
MOST_WORDS = 4  # of what stands between two commas, for it to be a name

_LABELS: Mapping[Role, str] = {
    "present": (
        r"In attendance|Present|Attendees|Attendance|Attending|Attended|Participants|Also (?:there|present)|Who was there|Who came|People"
        r"|There|Here|In the room|On the call|Round the table|Guests?|Joined|Joining|Dialled in|Visitors?"
        r"|Anwesend|Anwesende|Teilnehmer|Teilnehmende|Teilnehmerinnen und Teilnehmer|Teilnehmer:innen|Dabei|Mit dabei|Gäste|Gast|Présents?|Présentes"
    ),
    "absent": (
        r"Excused|Apologies(?: from| for absence)?|Absent|Absences|Regrets|Not (?:there|here|present)|Missing|Could not come|Sends? (?:his|her|their) apologies"
        r"|Entschuldigt|Abwesend|Fehlt|Fehlend|Fehlten|Es fehlten|Excusée?s?|Absents|Absentes"
    ),
    "chair": (
        r"(?:In the )?Chair(?:ed by|person|man|woman)?|Led by|Run by|Facilitat(?:or|ed by|ion)|Moderat(?:or|ed by|ion)|Host(?:ed by)?"
        r"|Leitung|Sitzungsleitung|Vorsitz|Gesprächsleitung|Présidence|Animation"
    ),
    "minute taker": (
        r"Minutes(?: by| taken by| taker)?|Minute[- ]taker|Notes(?: by| taken by)?|Note[- ]taker|Notetaker|Scribe|Taken by|Written by|Recorded by"
        r"|Protokoll|Protokollführung|Protokollant(?:in)?|Schriftführ(?:er|ung|erin)|Secrétaire"
    ),
}
_LABEL = LinePattern(
    r"(?:^[ \t]*(?:[-*+|] *)?[*_]{0,3}|(?<=[.;)|] )[*_]{0,3}|(?<=[.;)] \*\*))(?:"
    + "|".join(f"(?P<{role.replace(' ', '_')}>{words})" for role, words in _LABELS.items())
    + r")(?: (?:were|was|waren|war)\b)?[*_]{0,3}(?:[ \t]*:[*_]{0,3}|[ \t]*\|)[ \t]*",
    (":", "|"),
    re.MULTILINE | re.IGNORECASE,
)
_BARE = LinePattern(  # "Apologies Farrukh."
    r"(?<=[.;)] )(?P<label>Apologies|Excused|Absent|Entschuldigt)(?: from| were)? (?=[A-Z])",
    "Apologies |Excused |Absent |Entschuldigt ",
)
_NAMES_AHEAD = r"(?=[A-Z][^\s.,;:]+(?: [A-Z][^\s.,;:]+)?, (?:and )?[A-Z])"
_BARE_HEAD = LinePattern(  # "Chair Maren. Also Tobias, Prakash, Ilse.", "Present Ada Byron, Ben Marsh and Cy."
    rf"^(?:(?P<chair>Chair) (?=[A-Z][^\s.,;:]+(?: [A-Z][^\s.,;:]+)?[.,;])|(?P<present>Present|Attending|In attendance) {_NAMES_AHEAD})"
    rf"|(?<=[.;] )(?P<also>Also|With|Present) {_NAMES_AHEAD}",
    ("Chair ", "Present ", "ttend", "Also ", "With "),
    re.MULTILINE,
)
_HEADED = regex(
    r"#(?<![^\n]#)#{0,5} +(?:(?P<present>In attendance|Present|Attendees|Attendance|Participants|Members present|Anwesend|Anwesende|Teilnehmer|Teilnehmende|Présents?)"
    r"|(?P<absent>Apologies|Excused|Absent|Entschuldigt))\b[^\n]{0,20}\n\s*",
    re.MULTILINE | re.IGNORECASE,
)
_DID = LinePattern(
    rf"(?:^|(?<=[.;] ))(?P<who>{FULL_NAME.pattern}) (?:(?P<chair>chaired|presided|moderated|was in the chair)|took (?:the )?(?:minutes|notes))\b",
    " chaired| presided| moderated| was in the chair| took ",
    re.MULTILINE,
)
_WERE_NOT = LinePattern(  # "Ines and Paul excused."
    rf"(?:^|(?<=[.;] ))(?P<who>{FULL_NAME.pattern}(?:(?:, | and | & | und | et ){FULL_NAME.pattern}){{0,5}}) (?:(?:is|are|was|were|ist|sind|war|waren) )?"
    r"(?:excused|absent|missing|not there|sick|ill|away|on (?:leave|holiday|vacation)|could not come|sen[dt]s? (?:his|her|their) apologies|entschuldigt|krank|fehl(?:t|en|te|ten)|excusée?s?|absente?s?)\b",
    " excused| absent| missing| not there| sick| ill| away| on leave| on holiday| on vacation| could not come| send| sent| entschuldigt| krank| fehl| excusé",
    re.MULTILINE,
)
_BY = LinePattern(
    rf"(?:^|(?<=[.;,] ))[*_]{{0,2}}(?:(?P<chair>(?i:chaired|led|facilitated|moderated)) by|(?i:written(?: down)?|minuted|minutes(?: taken| kept)?|notes(?: taken)?|recorded) by) (?P<who>{FULL_NAME.pattern})",
    " by ",
    re.MULTILINE,
)
_TITLES = frozenset(("dr", "prof", "mr", "ms", "mrs", "revd", "rev", "sir", "captain"))
_PART = regex(r"[,;\n]|(?: |\A)(?:and|und|et|&|sowie) |[ \t]/[ \t]|\. (?=[A-Z])")
_WRAPPED = regex(rf"(?m)^([^\n]{{{FEWEST_WRAPPED},}}[^\s,;])\n(?=[ \t]*[A-ZÀ-Þ])")
_ASIDE = regex(r"\((?P<said>[^()\n]{0,80})\)")
_IN_CHAIR = regex(r"\b(?:chair\w*|facilitat\w+|moderat\w+|host|leitung|vorsitz\w*)\b", re.IGNORECASE)
_WRITING = regex(r"\b(?:minutes|notes|scribe|secretary|minute[- ]taker|protokoll\w*|schriftführ\w+)\b", re.IGNORECASE)
_MISSING = regex(r"\b(?:apologies|excused|absent|not there|sick|entschuldigt|krank|fehlt)\b", re.IGNORECASE)
_ALL_BUT = regex(
    r"\W*(?:all|everyone|everybody|the whole team|alle)(?: of us)?(?: were here| were there| present)? ?(?:,|\()? ?(?:except|but|apart from|besides|other than|bar|save|außer|bis auf)(?: for)? ",
    re.IGNORECASE,
)
_FOR = regex(  # "Joost Verkerk (for T. Wilk)", "Shona B. (for Bernard A. who is on leave)"
    rf"\A(?:also )?(?:(?:here|there|present|speaking|standing in|sitting in) )?(?:for|in place of|instead of|on behalf of|representing|für|in Vertretung von|pour|remplace) (?:[A-Z]\. ){{0,2}}(?P<who>{FULL_NAME.pattern})(?: [A-Z]\.)?(?=\Z|[,;]| (?:who|and|und|et)\b)",
)
_ENDS = regex(
    r"(?<=[a-zà-ž)]{2})\.(?=\s|\Z)|\n(?=[ \t]*[A-Z][\w'’-]+ (?:is|are|was|were|needs?|requires?) [^\n,;:]+\.(?:\n|\Z))|\n[ \t]*\n|\n(?=[ \t]*(?:#|(?:[-*+] +)?[*_]{0,2}[^\W\d_][\w '/-]{1,30}[*_]{0,2}:))"
)
_LED_BY = regex(r"\A\W*(?:with|from|by|mit|von|avec|the|also|later|plus)\s+", re.IGNORECASE)
_OPENING = regex(r"(?:#[^\n]{1,200}\n+)?(?P<said>[A-ZÀ-Þ][^\n:]{8,600}?(?=\n|\Z| [A-Z][a-z]{3,12}:))")
_NEXT = regex(
    r"(?:^|(?<=[.;:] ))[ \t]*(?:[-*+] +)?[*_]{0,2}(?P<said>(?:The )?(?:Next|Nächste[rs]?|Prochaine)[ \t]"
    r"(?:meeting|session|one|time|call|sitting|round|date|steering(?: group)?|board|review|retro\w*|team meeting|Sitzung|Treffen|Termin|Besprechung|réunion)\b[^\n]{3,160}"
    r"|(?:Next|Nächste[rs]?|Prochaine?):[*_]{0,2} (?=\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|lundi|mardi|mercredi|jeudi|vendredi)[^\n]{3,160})",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Attendance:
    """What [start, end) of a text says of people, or of the next meeting, for which there are none."""

    role: Role
    start: int
    end: int
    people: tuple[str, ...] = ()


def attendance(text: str) -> list[Attendance]:
    """In the order of the text. Nothing where its head names nobody."""
    labels = list(_LABEL.finditer(text, 0, HEAD))
    found = [one for one in (*_labelled(text, labels), *_told(text, has_label=bool(labels))) if one.people]
    opening = list(_unlabelled(text))
    if found or len(opening) > 1:  # "Plover, Dunlin, Knot" may be boats
        found += opening
    full = _in_full(found)
    found = [replace(one, people=tuple(dict.fromkeys(full.get(name, name) for name in one.people))) for one in found]
    if found:
        found += [Attendance("next meeting", *_sentence(text, match)) for match in _NEXT.finditer(text)]
    return sorted(found, key=lambda one: (one.start, one.role))


def _in_full(found: Sequence[Attendance]) -> dict[str, str]:
    """The full name that a first or a last name stands for, where the same head gives just one."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    for name in (name for one in found for name in one.people if " " in name):
        for part in (name.split()[0], name.split()[-1]):
            named[part].add(name)
    return {part: next(iter(names)) for part, names in named.items() if len(names) == 1}


def _sentence(text: str, match: re.Match[str]) -> tuple[int, int]:
    start = match.start("said")
    ends = _ENDS.search(text, start, match.end("said"))
    return start, ends.start() + 1 if ends is not None else match.end("said")


def _labelled(text: str, labels: Sequence[re.Match[str]]) -> Iterator[Attendance]:
    """Lists of people behind a word and a colon, or below a heading; who of them led the meeting or wrote is said in brackets."""
    found: list[tuple[Role, int, int]] = []
    for match in (*labels, *_HEADED.finditer(text, 0, HEAD)):
        role = next(role for role in ROLES if match.groupdict().get(role.replace(" ", "_")))
        found.append((role, match.start(), match.end()))
    found += [("absent", match.start(), match.end()) for match in _BARE.finditer(text, 0, HEAD)]
    found += _bare_head(text)
    found.sort(key=lambda one: one[1])
    stops = [*(start for _, start, _ in found[1:]), len(text)][: len(found)]
    for (role, start, begin), stop in zip(found, stops, strict=True):
        stop = min(stop, begin + LONGEST)
        ends = _ENDS.search(_blanked(text[begin:stop]))
        end = begin + (ends.start() if ends is not None else len(text[begin:stop].rstrip()))
        begins = start + len(text[start:begin]) - len(text[start:begin].lstrip(" \t-*+|"))
        yield from _people(role, text, begins, begin, end)


def _bare_head(text: str) -> Iterator[tuple[Role, int, int]]:
    """Lists of people behind a word without a colon: of who was there too only in the line that names the chair so."""
    led = -1  # where the line with the chair begins
    for match in _BARE_HEAD.finditer(text, 0, HEAD):
        begins = line_start(text, match.start())
        if match["chair"]:
            led = begins
        if match["also"] is None or begins == led:
            yield "chair" if match["chair"] else "present", match.start(), match.end()


def _unlabelled(text: str) -> Iterator[Attendance]:
    """A list of names alone that opens the text below its title: "Annelies (chair), Odile, Ravi. Minutes by Ravi."."""
    opening = _OPENING.match(text)
    if opening is None or _BARE_HEAD.whole.match(text, opening.start("said")) is not None:
        return
    start, said = opening.start("said"), _blanked(opening["said"])
    stop = said.find(". ")
    end = start + (stop if stop >= 0 else len(said.rstrip(". ")))
    told = _ASIDE.sub("", text[start:end])
    first = _PART.search(told)
    if first is None or (first.start() and not _name(told[: first.start()], is_alone=True)):
        return  # most texts begin with a sentence
    names = [part for part in _PART.split(told) if part]
    if len(names) >= FEWEST_NAMES and all(_name(name, is_alone=True) for name in names):
        yield from _people("present", text, start, start, end)


def _blanked(said: str) -> str:
    """The same length, without what stands in brackets: a full stop there ends no sentence."""
    return _ASIDE.sub(lambda match: f"({'x' * len(match['said'])})", said)


def _unwrapped(said: str) -> str:
    """The same length, with a space for the end of a long line of names between commas: there a name may be wrapped."""
    return _WRAPPED.sub(lambda match: f"{match[1]} ", said) if "," in said else said


def _people(role: Role, text: str, start: int, begin: int, end: int) -> Iterator[Attendance]:
    said = text[begin:end]
    if role == "present" and (all_but := _ALL_BUT.match(said)) is not None:
        yield from _people("absent", text, start, begin + all_but.end(), end)  # who was there it does not say
        return
    gathered: defaultdict[Role, list[str]] = defaultdict(list)
    represented: list[str] = []
    bare = _unwrapped(_ASIDE.sub(lambda match: " " * len(match.group()), said))
    at = 0
    for part in (*_PART.finditer(bare), None):
        last = part.start() if part is not None else len(bare)
        name = _name(bare[at:last], is_alone=role in ("chair", "minute taker"))
        if name:
            aside = " ".join(match["said"] for match in _ASIDE.finditer(said[at:last]))
            is_missing = role == "present" and _MISSING.search(aside) is not None
            if role == "present" and (instead := _FOR.match(aside)) is not None:
                represented.append(instead["who"])
            gathered["absent" if is_missing else role].append(name)
            if role == "present" and _IN_CHAIR.search(aside):
                gathered["chair"].append(name)
            if role in ("present", "chair") and _WRITING.search(aside):
                gathered["minute taker"].append(name)
        at = part.end() if part is not None else last
    gathered["absent"] += [name for name in represented if name not in gathered["present"]]
    for each, people in gathered.items():
        if people:
            yield Attendance(each, start, end, tuple(dict.fromkeys(people)))


def _name(said: str, *, is_alone: bool) -> str:
    """The name that a part of a list is; empty where it is something else. `is_alone`: and nothing is said beside it."""
    bare = _LED_BY.sub("", said.strip(" \t*_-+|.:\"'"))
    match = FULL_NAME.match(bare)
    if match is None or len(bare.split()) > (0 if is_alone else MOST_WORDS) + len(match.group().split()):
        return ""
    name = match.group()
    first = name.split()[0].casefold()
    if first in _TITLES and " " not in name:
        return ""  # of "Dr H. Roos": the name is behind the initial
    is_all = name == bare  # in a list of names "Skeffing" is one; "Attending by phone" is none
    is_name = first not in NO_NAME if is_all else may_be_first_name(first)
    return name if is_name and not (name.isupper() and len(name) <= 3) else ""


def _told(text: str, has_label: bool) -> Iterator[Attendance]:
    for match in (*_DID.finditer(text, 0, HEAD), *_BY.finditer(text, 0, HEAD)):
        yield Attendance("chair" if match["chair"] else "minute taker", match.start(), match.end(), (match["who"],))
    for match in _WERE_NOT.finditer(text, 0, HEAD) if has_label else ():
        if not _LABEL.search(text, text.rfind("\n\n", 0, match.start()) + 1, match.start()):
            continue  # beside no list of who was there
        people = [name for part in _PART.split(match["who"]) if (name := _name(part, is_alone=True))]
        yield Attendance("absent", match.start(), match.end(), tuple(people))
