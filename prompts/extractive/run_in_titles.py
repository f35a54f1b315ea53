"""Titles that open a numbered paragraph in its own line, as minutes have them: "2. Finance. The bank ...", "**6 Pen test.** Nothing was found"."""

from __future__ import annotations

import re
from itertools import pairwise

from prompts.regex import regex

FEWEST = 3  # such paragraphs in a text, one after the other: a single short sentence behind a number is none
MOST_WORDS = 6
_TITLE = regex(
    r"^[ \t]*(?P<number>\d{1,2})[.)]? +(?P<title>[A-ZÀ-Þ][^.!?:;\n*_]{1,48}(?:\.(?! |\n)[^.!?:;\n*_]{1,20})?)\.(?= +\S)",
    re.MULTILINE,
)
_BOLD = regex(r"(?:\*\*|__)\d{1,2}[.)]? [A-ZÀ-Þ][^*_\n:?!]{1,48}\.(?:\*\*|__)")
_MARKS = regex(r"\A\W*(?:\d{1,2}[.)]? )?|[*_]")
_DONE = regex(r"[a-z]{2}ed\b")
_TO_DO = regex(  # what a step begins with
    r"(?:Add|Ask|Attach|Book|Bring|Build|Call|Change|Check|Choose|Clean|Clear|Click|Close|Confirm|Connect|Copy|Count|Create|Cut|Delete|Do|Empty|Enter|Fill|Find|Fold|Get|Give|Go|Hold"
    r"|Insert|Install|Keep|Label|Lay|Leave|Lift|Load|Lock|Log|Look|Make|Mark|Mix|Move|Name|Note|Open|Pack|Phone|Pick|Place|Plug|Pour|Press|Print|Pull|Push|Put|Read|Release|Remove|Repeat|Report"
    r"|Restart|Return|Ring|Rinse|Run|Save|Scan|Select|Send|Set|Show|Sign|Start|Stop|Store|Switch|Take|Tell|Test|Tick|Tie|Turn|Type|Unlock|Unplug|Update|Upload|Use|Wait|Warn|Wash|Weigh|Wipe|Write)\b"
)


def run_in_titles(text: str) -> dict[int, str]:
    """The titles in small letters by where their sentence ends; none of a list of steps, or of fewer than `FEWEST` in order."""
    found = [match for match in _TITLE.finditer(text) if len(match["title"].split()) <= MOST_WORDS]
    in_order = sum(int(after["number"]) - int(one["number"]) == 1 for one, after in pairwise(found))
    steps = sum(_TO_DO.match(match["title"]) is not None for match in found)
    if in_order + 1 < max(FEWEST, len(found) / 2) or 3 * steps > len(found):
        return {}
    return {match.end(): match["title"].lower() for match in found}


def is_title(said: str, heading: str) -> bool:
    """Whether a sentence says no more than that heading with a number: "Minutes approved" tells what became of them."""
    is_bold = _BOLD.fullmatch(said) is not None
    bare = _MARKS.sub("", said).removesuffix(".").lower()
    same = said.strip("*_").lower() == heading if is_bold else bare == heading
    return same and _DONE.search(bare) is None
