"""A walk in a few words, and in one or two lines: what the answer is from and why that was read, and where else it was looked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ingestion.words import counted
from ui.shared.markup import without_markdown
from ui.shared.trail import reason_of

MOST_NAMED = 2  # passages, or branches, that are named; of the others there is a number
LONGEST_TITLE, LONGEST_BRANCH = 48, 32  # characters
OPENED = {
    "overview": "Told by",
    "register": "Looked up in",
    "names": "Known of",
}  # by kind of step: how an answer without a walk was found
_FOUND = "Found in "
COUNTED = "Looked up"  # what is no document: "12 of 80 tickets"

Line = list[dict[str, str]]  # its words one after the other; those with a place are a link to it


def heading(steps: Sequence[Mapping[str, Any]], cited: Collection[str]) -> str:
    """In a few words, above the answer: "Found in Restore the database and 2 more passages". Empty of a walk without steps."""
    read = _first_of_each_place([step for step in steps if step["kind"] == "read"])
    if not read or _rows(steps, cited, quoting=False):
        last = _last_told(steps)
        return f"{_opening(last)}{_linked(last)['words']}" if last is not None else ""
    used = [step for step in read if step["place"] in cited]
    if not used:
        return f"Looked{_where(read)}"
    more = f" and {counted(len(used) - 1, 'more passage')}" if len(used) > 1 else ""
    return f"{_FOUND}{_linked(used[0])['words']}{more}"


def lines(steps: Sequence[Mapping[str, Any]], cited: Collection[str], quoting: bool = True) -> list[Line]:
    """`cited` are the places of the passages that the answer cites. Without `quoting` nothing that a document said is repeated."""
    read = _first_of_each_place([step for step in steps if step["kind"] == "read"])
    if not read:
        return _direct(steps, quoting)
    used = [step for step in read if step["place"] in cited]
    others = [step for step in read if step["place"] not in cited]
    told = _rows(steps, cited, quoting) + ([_found(used, quoting)] if used else [])
    return [*told, _looked(others, bool(used))] if others else told


def _rows(steps: Sequence[Mapping[str, Any]], cited: Collection[str], quoting: bool) -> list[Line]:
    """What was looked up after the walk, and stands above its passages."""
    last = steps[-1]
    return _direct([last], quoting) if last["kind"] == "register" and last["place"] in cited else []


def _found(used: Sequence[Mapping[str, Any]], quoting: bool) -> Line:
    """ "Found in “Restore the database” (runbooks). Speaks of restore, database." """
    line: Line = [_words(_FOUND)]
    for number, step in enumerate(used[:MOST_NAMED]):
        line += [_words(_joint(number, min(len(used), MOST_NAMED), len(used) > MOST_NAMED)), _linked(step)]
        line.append(_words(f" ({_branch(step)})" if _branch(step) else ""))
    more = len(used) - MOST_NAMED
    line.append(_words(f" and {counted(more, 'more passage')}." if more > 0 else "."))
    if reason := _reason(used[0], quoting):
        line.append(_words(f" {reason}" if len(used) == 1 else f" The first: {reason[:1].lower()}{reason[1:]}"))
    return [part for part in line if part["words"]]


def _looked(others: Sequence[Mapping[str, Any]], is_beside: bool) -> Line:
    """ "Also looked in security and reports: 5 more passages, none of them used." """
    where = _where(others)
    read = counted(len(others), "more passage" if is_beside else "passage")
    if not is_beside:
        return [
            _words(
                f"Looked{where}: {read} read, " + ("none of them answers it." if len(others) > 1 else "which does not answer it.")
            )
        ]
    return [_words(f"Also looked{where}: {read} read, " + ("none of them cited." if len(others) > 1 else "not cited."))]


def _where(read: Sequence[Mapping[str, Any]]) -> str:
    """ " in security, reports and 2 other branches"; empty where no branch is known."""
    branches = list(dict.fromkeys(filter(None, map(_branch, read))))
    more = len(branches) - MOST_NAMED
    named = [*branches[:MOST_NAMED], *([counted(more, "other branch", "other branches")] if more > 0 else [])]
    return " in " + " and ".join(filter(None, (", ".join(named[:-1]), named[-1]))) if named else ""


def _direct(steps: Sequence[Mapping[str, Any]], quoting: bool) -> list[Line]:
    """Of an answer for which no passage had to be read: the last step says where it is from."""
    last = _last_told(steps)
    if last is None:
        return []
    return [[_words(_opening(last)), _linked(last), _words(f". {_reason(last, quoting)}".rstrip())]]


def _last_told(steps: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    return next((step for step in reversed(steps) if step["kind"] in (*OPENED, "choose")), None)


def _opening(step: Mapping[str, Any]) -> str:
    """What stands before the title of a step that found an answer without a walk."""
    if step["kind"] == "choose":
        return "Looked in "
    return f"{OPENED[step['kind']] if step['place'] or step['kind'] != 'register' else COUNTED} "


def _first_of_each_place(read: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return list({step["place"]: step for step in reversed(read)}.values())[::-1]


def _branch(step: Mapping[str, Any]) -> str:
    """The title of what is above a passage; empty where that is not known."""
    path = list(step["path"])
    return _clipped(str(path[-2]), LONGEST_BRANCH) if len(path) > 1 else ""


def _reason(step: Mapping[str, Any], quoting: bool) -> str:
    return without_markdown(reason_of(step, quoting))


def _joint(number: int, shown: int, has_more: bool) -> str:
    if not number:
        return ""
    return " and " if number == shown - 1 and not has_more else ", "


def _linked(step: Mapping[str, Any]) -> dict[str, str]:
    return {"words": _clipped(str(step["title"]), LONGEST_TITLE), "place": str(step["place"])}


def _clipped(title: str, longest: int) -> str:
    return title if len(title) <= longest else f"{title[:longest].rsplit(' ', 1)[0].rstrip(' ,:;–…')} …"


def _words(words: str) -> dict[str, str]:
    return {"words": words, "place": ""}
