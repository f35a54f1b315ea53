"""What has to stand around a sentence for it to be understood: its paragraph, the list or the code that it leads up to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prompts.extractive.passages import Passage, items_below, shortened
from prompts.records import LeafText
from prompts.regex import regex
from prompts.sentences import begins_entry

LONGEST_EXCERPT = 420
LONGEST_LIST = 700  # characters, with what a sentence leads up to
LONGEST_CODE = 1_600  # the same, where it is code
FEWEST_LISTED = 2
LONGEST_LABEL = 44  # characters of the name of a case, such as a system, with its marks

_TAKES_UP = regex(r"(?:In (?:this|that|such an?|these|such) cases?|If so|For th(?:is|at) reason|Therefore|Instead|Then)\b")
REMEDIES = regex(  # what to do about it: of all that is said of a fault, not its cause
    r"(?:(?:As a )?[Ww]ork-?around\b|(?:Please |Just |Then |First,? |Simply )?(?:[Dd]o not|[Dd]on['’]t|[Nn]ever|[Aa]lways|[Aa]dd|[Aa]sk|[Aa]void|[Cc]all|[Cc]hange"
    r"|[Cc]heck|[Cc]lear|[Cc]lick|[Cc]lose|[Cc]onfigure|[Dd]elete|[Dd]isable|[Ee]nable|[Gg]o|[Hh]old|[Ii]ncrease|[Ii]nstall|[Ll]eave|[Mm]ake|[Oo]pen|[Pp]ress|[Pp]ut|[Pp]ull"
    r"|[Rr]eboot|[Rr]emove|[Rr]eplace|[Rr]eset|[Rr]estart|[Rr]etry|[Rr]evert|[Rr]un|[Ss]elect|[Ss]et|[Ss]witch|[Tt]ake|[Tt]ell|[Tt]ry|[Tt]urn|[Uu]nplug|[Uu]pdate|[Uu]pgrade"
    r"|[Uu]se|[Ww]ait)\b(?!['’]s| (?:is|was|are|were|has|had)\b))"
)


def surrounded(leaf: LeafText, found: Sequence[Passage], at: int, is_listing: bool = False) -> tuple[int, int]:
    """The span of a sentence with its neighbours in the same paragraph, or with the list or code that it leads up to. `is_listing`: a
    list that only follows its paragraph will do as well."""
    passage = found[at]
    start, end = passage.start, passage.end
    if passage.kind == "row":  # rows of questions have their answers below them
        is_reply = passage.text.rstrip("| ").endswith("?") and at + 1 < len(found) and found[at + 1].kind in ("row", "text")
        return start, shortened(leaf.text, start, found[at + 1].end, LONGEST_LIST)[1] if is_reply else end
    if passage.kind == "code":
        before = found[at - 1] if at else None
        is_led = before is not None and before.kind in ("text", "item") and end - before.start <= LONGEST_CODE
        return (before.start if before is not None and is_led else start), end
    leads = passage.text.rstrip("*_").endswith((":", "?")) or (
        (passage.text[-1:].isalnum() or _is_label(passage)) and at + 1 < len(found) and found[at + 1].kind == "code"
    )  # "The branch must be named", and then the name
    if leads and at + 1 < len(found):
        return start, _led_to(leaf, found, at, start)
    if is_listing and passage.kind == "text" and (end_of_list := _listed_below(leaf, found, at)):
        return start, end_of_list
    first, last = at, at  # of its paragraph, as much as may be shown: what comes after it before what stands above
    longest = LONGEST_EXCERPT
    while last + 1 < len(found) and _goes_on(leaf, found[last], found[last + 1]):
        if _TAKES_UP.match(found[last + 1].text):  # what comes now was only led up to
            longest = LONGEST_LIST
        if found[last + 1].end - start > longest:
            break
        last += 1
    while (
        first and _goes_on(leaf, found[first - 1], found[first]) and found[last].end - found[first - 1].start <= LONGEST_EXCERPT
    ):
        first -= 1
    is_leading = last > at and found[last].text.endswith(":") and last + 1 < len(found)
    end = _led_to(leaf, found, last, found[first].start) if is_leading else found[last].end
    return shortened(leaf.text, found[first].start, end, longest)


def _listed_below(leaf: LeafText, found: Sequence[Passage], at: int) -> int:
    """The end of the list that follows right upon the paragraph of a sentence; 0 where there is none of several items."""
    last = at
    while last + 1 < len(found) and _goes_on(leaf, found[last], found[last + 1]):
        last += 1
    items = [one.kind for one in found[last + 1 : last + 1 + FEWEST_LISTED]]
    return _led_to(leaf, found, last, found[at].start) if items == ["item"] * FEWEST_LISTED else 0


def with_remedies(leaf: LeafText, found: Sequence[Passage], at: int, start: int, end: int) -> int:
    """The end of a passage with what the paragraph goes on to say is to be done."""
    for one, after in pairwise(found[at:]):
        is_more = _goes_on(leaf, one, after) and (after.end <= end or REMEDIES.match(after.text.lstrip("*_ ")))
        if not is_more or after.end - start > LONGEST_EXCERPT:
            break
        end = max(end, after.end)
    return end


def _led_to(leaf: LeafText, found: Sequence[Passage], at: int, start: int) -> int:
    """The end of what a sentence leads up to: the items of a list, a piece of code, the reply to a question, or one piece of code
    for each of several cases, such as systems, that are named above them."""
    after, told = found[at + 1], at
    for case, code in zip(found[at + 1 :: 2], found[at + 2 :: 2], strict=False):
        if not _is_label(case) or code.kind != "code" or code.end - start > (LONGEST_CODE if told == at else LONGEST_LIST):
            break
        told += 2
    if told > at:
        return found[told].end
    if after.kind == "heading" or after.end - start > (LONGEST_CODE if after.kind == "code" else LONGEST_LIST):
        return found[at].end
    items = [one for one in items_below(leaf, found, at) if one.end - start <= LONGEST_LIST]
    return items[-1].end if items else after.end


def _is_label(passage: Passage) -> bool:
    """Whether a line in bold names what stands below it, as the title of a tab does."""
    return passage.text.startswith("**") and passage.text.endswith("**") and passage.end - passage.start <= LONGEST_LABEL


def paragraph_of(leaf: LeafText, found: Sequence[Passage], at: int) -> range:
    """The numbers of the passages that stand in one paragraph, or in one item of a list, with one of them."""
    first = last = at
    while first and _goes_on(leaf, found[first - 1], found[first]):
        first -= 1
    while last + 1 < len(found) and _goes_on(leaf, found[last], found[last + 1]):
        last += 1
    return range(first, last + 1)


def _goes_on(leaf: LeafText, one: Passage, other: Passage) -> bool:
    """Whether two sentences stand in one paragraph, or in one item of a list."""
    between = leaf.text[one.end : other.start]
    if "\n" in between and begins_entry(other.text):
        return False
    return one.kind == other.kind == "text" and "\n\n" not in between or one.kind == other.kind == "item" and not between.strip()
