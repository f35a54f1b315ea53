"""Plain text, kept word for word and cut at what is plainly a heading: underlined, numbered or a chapter.

Only two aligned columns, a term and what it means, are written as the list of terms that they are, and columns between bars, tabs or
aligned spaces as the table that they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from connectors.formats.aligned import with_aligned_columns
from connectors.formats.encoding import lines_of
from connectors.formats.grid import is_without_header
from connectors.formats.lines import Heading, split_at
from connectors.formats.parsed import Options, Parsed

ROMAN = r"(?:[ivxlc]+|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)"
CHAPTER = re.compile(
    rf"(?:(?P<part>(?:part|book|volume)\s+{ROMAN})|(?:the\s+)?(?:chapter|kapitel|chapitre|appendix|section|act|scene)\s+(?:{ROMAN}|[A-Z])"
    r"|(?P<whole>prologue|epilogue|preface|foreword|introduction|contents|(?:first|second)\s+epilogue))"
    r"(?:\s*[:.—–-]\s*\S.{0,80}|[.:]?)\s*$",
    re.I,
)
NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(\S.{1,78})$")
UNDERLINE = re.compile(r"([=\-~*_#])\1{2,}\s*$")
RULED = re.compile(r"([=\-~*#_])\1++[ \t]*+(?P<title>(?=.*[^\W\d_]{3})[^\s=~*_-].{0,60}?)[ \t]*\1{2,}[ \t]*$")  # "== #support =="
DAY = re.compile(
    r"\d{1,2}[./-]\d|\b(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?"
    r"|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mär(?:z)?|mai|okt(?:ober)?|dez(?:ember)?)\b",
    re.IGNORECASE,
)
CAPITALS = re.compile(r"[^a-z]*[A-Z][^a-z]*$")
ENTRY = re.compile(r"(?P<term>[^\W_](?:[^\n|]{0,38}[^\s|:])?)(?P<gap>(?: {2,}|\t+))(?P<meaning>\S.*)")
TITLE = re.compile(r"(?!(?i:copyright|©|\(c\)))(?=[^\W\d])(?=.*[^\W\d_]{3})[^:@<>|=\[\]{}/\\]{4,}(?<![.,;!…-])")
LONGEST_TITLE = 70
WORDS = re.compile(r"[^\W\d_]{2,}")
FEWEST_WORDS = 4  # of the line below a title, where that stands alone
STAMP = re.compile(r"\d{1,2}:\d\d")  # when a line of a chat was written is no term
GAP = re.compile(r"\s{2,}")
LISTED = re.compile(r"[ \t]*(?:[-*+•–] |\(?\d{1,2}[.)] |1 [^\W\d])")
BARRED_RULE = re.compile(r"[-=+| ]{5,}")
FEWEST_ROWS = 2  # of a table, below its header
FEWEST_ENTRIES = 4  # of a list of terms
POINT = re.compile(r"(?P<number>\d{1,2})[.)]?[ \t]+(?P<said>[^\W\d_].*\S)[ \t]*$")
FEWEST_POINTS, LONGEST_POINT = 3, 60  # of an agenda; characters of what a point is called
TEXT_OF_POINT = 8  # words of what half of the points say at least: the steps of a procedure say less below what is to be done
CALLED = re.compile(r"[^.:;!?\n]{3,60}?(?=(?: [–—-]|[.:;!?])\s)")  # what a point is called, before what it says
FEWEST = 2  # headings of one look that make it a pattern and not an accident


def read(name: str, data: bytes, options: Options) -> Parsed:
    lines = with_terms(with_aligned_columns(with_tables(lines_of(data, options))))
    headings = find_headings(lines)
    title = find_title(lines)
    if title is None or (headings and headings[0].start <= title.start):
        return Parsed("text", tuple(split_at(lines, headings, "plain")))
    return Parsed("text", tuple(split_at(lines, [title, *headings], "plain")), title.title)


def find_title(lines: list[str]) -> Heading | None:
    """The first line, if it looks like the title of what is below it: short, no sentence, and in capitals or over a list or a blank
    line. One with a gap in it, behind which it says more, stays in the text as well."""
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None or LISTED.match(lines[first]):
        return None
    whole, parts = " ".join(lines[first].split()), GAP.split(lines[first].strip())
    title = whole if len(whole) <= LONGEST_TITLE else parts[0]
    below = next((number for number in range(first + 1, len(lines)) if lines[number].strip()), None)
    if below is None or len(title) > LONGEST_TITLE or not TITLE.fullmatch(title):
        return None
    words = WORDS.findall(parts[0])
    is_list, is_loud = bool(LISTED.match(lines[below])), 2 * sum(map(str.isupper, words)) >= len(words)
    if below == first + 1 and not is_list and not is_loud:
        return None
    is_text = is_list or len(lines[below].split()) >= FEWEST_WORDS or (below + 1 < len(lines) and bool(lines[below + 1].strip()))
    return Heading(0, title, first, first + (len(parts) == 1)) if is_text else None


def find_headings(lines: list[str]) -> list[Heading]:
    """Lines that stand alone and look like headings, if more than one of them does."""
    if lines and not lines[0].strip() and not any(lines):
        return []
    underlined = list(_underlined(lines))
    if len(underlined) >= FEWEST:
        return underlined
    ruled = list(_ruled(lines))
    if len(ruled) >= FEWEST:
        return ruled
    chapters = list(_chapters(lines))
    if len(chapters) >= FEWEST:
        return chapters
    numbered = _in_sequence(list(_numbered(lines)))
    if len(numbered) > FEWEST:
        return numbered
    if points := _points(lines):
        return points
    capitals = list(_capitals(lines))
    return capitals if FEWEST <= len(capitals) < len(lines) / 6 else underlined


def with_tables(lines: list[str]) -> list[str]:
    """The same lines, with rows whose columns are held apart by aligned bars, or by two tabs or more, as rows of a pipe table."""
    found = list(lines)
    first = 0
    while first < len(lines):
        last, rows = first, list[tuple[int, list[str]]]()
        places = _bars(lines[first])
        while last < len(lines) and places and (_bars(lines[last]) == places or _is_barred_rule(lines[last], len(rows))):
            if not _is_barred_rule(lines[last], len(rows)):
                rows.append((last, [cell.strip() for cell in re.split(r"[|\t]", lines[last])]))
            last += 1
        cells = [row for _, row in rows]
        is_headed = bool(cells) and all(any(map(str.isalpha, cell)) for cell in cells[0]) and not is_without_header(cells)
        if len(rows) > FEWEST_ROWS and is_headed:
            for number in range(first, last):
                found[number] = ""  # a line below the header is written anew
            for number, row in rows:
                found[number] = f"| {' | '.join(row)} |"
            found[rows[0][0]] += f"\n|{' --- |' * len(cells[0])}"
            found[first:last] = ["\n".join(filter(None, found[first:last])), *[""] * (last - first - 1)]
        first = max(last, first + 1)
    return found


def _bars(line: str) -> tuple[int, ...]:
    """Where the columns of a line are held apart: the places of its bars, or how many tabs it has; nothing for other lines."""
    if "|" in line and not line.lstrip().startswith("|") and "||" not in line:
        return tuple(at for at, mark in enumerate(line) if mark == "|")
    tabs = line.strip().count("\t")
    return (-tabs,) if tabs > 1 else ()


def _is_barred_rule(line: str, above: int) -> bool:
    """Whether it is the rule below the header: "----+-----"."""
    return above == 1 and "-" in line and BARRED_RULE.fullmatch(line.strip()) is not None


def with_terms(lines: list[str]) -> list[str]:
    """The same lines, with "Blip      the validator" as "- **Blip**: the validator" where at least so many in a row are aligned."""
    found = list(lines)
    first = 0
    while first < len(lines):
        last, entries = first, list[tuple[int, re.Match[str]]]()
        while last < len(lines) and (match := _entry(lines[last], entries[0][1] if entries else None)) is not None:
            entries.append((last, match))
            last += 1
        if len(entries) >= FEWEST_ENTRIES and sum(" " in match["meaning"].strip() for _, match in entries) * 2 > len(entries):
            for number, match in entries:
                found[number] = f"- **{match['term']}**: {match['meaning'].rstrip()}"
        first = max(last, first + 1)
    return found


def _entry(line: str, before: re.Match[str] | None) -> re.Match[str] | None:
    """A line of two columns, aligned with the one before it; a third column makes it a table."""
    match = ENTRY.fullmatch(line.rstrip())
    if (
        match is None
        or STAMP.search(match["term"])
        or "  " in match["meaning"]
        or "\t" in match["meaning"]
        or "**" in line
        or not match["meaning"][0].isalpha()
    ):
        return None
    is_aligned = before is None or match.start("meaning") == before.start("meaning") or "\t" in match["gap"]
    return match if is_aligned else None


def _alone(lines: list[str], number: int) -> bool:
    before = number == 0 or not lines[number - 1].strip()
    after = number + 1 >= len(lines) or not lines[number + 1].strip()
    return before and after


def _underlined(lines: list[str]) -> Iterator[Heading]:
    marks: list[str] = []
    for number in range(len(lines) - 1):
        title, match = lines[number].strip(), UNDERLINE.match(lines[number + 1])
        if not match or not 2 < len(title) < 100 or UNDERLINE.match(title) or "|" in title:
            continue
        if abs(len(lines[number + 1].strip()) - len(title)) > 3 or (number and lines[number - 1].strip()):
            continue
        if match[1] not in marks:
            marks.append(match[1])
        yield Heading(marks.index(match[1]) + 1, title, number, number + 2)


def _ruled(lines: list[str]) -> Iterator[Heading]:
    """Lines between two rules, "== #support ==", but for the days of a chat: each of its lines is read by the day above it."""
    for number, line in enumerate(lines):
        match = RULED.match(line.strip())
        if match and DAY.search(match["title"]) is None:
            yield Heading(1, " ".join(match["title"].split()), number, number + 1)


def _chapters(lines: list[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        match = CHAPTER.match(line.strip()) if line and len(line) < 120 else None
        if match and _alone(lines, number):
            yield Heading(1 if match["part"] else 2, " ".join(line.split()), number, number + 1)


def _numbered(lines: list[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        match = NUMBERED.match(line)
        if match and _alone(lines, number) and not match[2].endswith((".", ",", ";")) and match[2][0].isupper():
            yield Heading(match[1].count(".") + 1, line.strip(), number, number + 1)


def _points(lines: list[str]) -> list[Heading]:
    """The points of an agenda, each right above what was said of it: "3. Reagents". One that says it on its own line goes by its first
    words; none where they may be the steps of a procedure."""
    found = [
        (number, match) for number, line in enumerate(lines) if (match := POINT.match(line)) and _follows_blank(lines, number)
    ]
    is_loud = 2 * sum(match["said"].isupper() for _, match in found) > len(found)
    titles = [number for number, match in found if _is_above_text(lines, number, match["said"], is_loud)]
    numbers = [int(match["number"]) for _, match in found]
    below = sorted(len(lines[number + 1].split()) for number in titles)
    if len(titles) < max(FEWEST_POINTS, 2 * len(found) / 3) or below[len(below) // 2] < TEXT_OF_POINT:
        return []
    if any(left >= right for left, right in zip(numbers, numbers[1:], strict=False)):
        return []
    return [Heading(1, _called(match), number, number + (number in titles)) for number, match in found]


def _called(point: re.Match[str]) -> str:
    """What a point is called: its line, or the first words of one that says more."""
    if len(point["said"]) <= LONGEST_POINT:
        return point.string.strip()
    called = CALLED.match(point["said"])
    return f"{point['number']}. {called[0] if called else point['said'][:LONGEST_POINT].rsplit(' ', 1)[0]}"


def _follows_blank(lines: list[str], number: int) -> bool:
    return number == 0 or not lines[number - 1].strip()


def _is_above_text(lines: list[str], number: int, title: str, may_be_indented: bool) -> bool:
    """Whether a short line, no sentence, stands right above a line of text; one that is indented may be of a step, whose line goes on."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    is_text = bool(below.strip()) and (may_be_indented or not below[:1].isspace() and not LISTED.match(below))
    return is_text and len(title) <= LONGEST_POINT and title[0].isupper() and not title.endswith((".", ",", ";"))


def _in_sequence(headings: list[Heading]) -> list[Heading]:
    """Numbered headings, if their numbers rise as those of headings do."""
    keys = [tuple(map(int, heading.title.split()[0].strip(".").split("."))) for heading in headings]
    rising = all(left < right for left, right in zip(keys, keys[1:], strict=False))
    return headings if rising else []


def _capitals(lines: list[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines):
        title = line.strip()
        words = re.findall(r"[A-Z]{2,}", title)
        if words and len(title) < 80 and len("".join(words)) >= 4 and CAPITALS.match(title) and _alone(lines, number):
            yield Heading(1, " ".join(title.split()), number, number + 1)
