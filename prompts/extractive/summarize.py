"""Sums up what is below a branch, in the words of its children's records and titles.

Each child speaks for itself: which sentence of it is taken depends on that child alone, so that a change elsewhere
leaves it as it is, and a change that does not reach a child's own record stops here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from prompts.extractive.document_lines import in_one_text, is_sentence
from prompts.extractive.greetings import says_little
from prompts.language import terms
from prompts.records import Child, Quote, SummaryRecord
from prompts.taxonomy import UNCLASSIFIED

_LONGEST_SUMMARY = 900
_LONGEST_TITLES = 330
_LONGEST_TITLE = 70
_LONGEST_QUOTE = 220
_MOST_QUOTES = 5
_MOST = 8  # actions, decisions, events: each
_MOST_TYPES = 5
_MOST_ABOUT = 16
_SPOKEN = frozenset(("conversation", "meeting_notes", "interview"))


def summarize(title: str, children: Sequence[Child]) -> SummaryRecord:
    order = _by_size(children)
    opening = _opening(children)
    quotes = _central(title, children, order, _LONGEST_SUMMARY - len(opening))
    return SummaryRecord.model_construct(
        summary=in_one_text((opening, *(q.text for q in quotes))),
        quotes=quotes,
        content_types=_types(children, order),
        critical_actions=_most_important(children, order, lambda record: record.critical_actions),
        decisions=_most_important(children, order, lambda record: record.decisions),
        events=_most_important(children, order, lambda record: record.events),
        about=_about(children, order),
    )


def _weight(child: Child) -> int:
    """The size of a child in steps of powers of two, so that a leaf more or less rarely matters."""
    return max(1, child.leaves).bit_length()


def _by_size(children: Sequence[Child]) -> list[int]:
    """The order in which children are heard: what introduces the branch first, then by size."""
    return sorted(range(len(children)), key=lambda at: (not _introduces(children[at]), -_weight(children[at]), at))


def _introduces(child: Child) -> bool:
    return child.kind == "leaf" and child.record.content_types[:1] == ("overview",)


def _opening(children: Sequence[Child]) -> str:
    """How many parts there are and what they are called."""
    titles = [_short(" ".join(child.title.split()), _LONGEST_TITLE) for child in children]
    shown: list[str] = []
    room = _LONGEST_TITLES
    for name in titles:
        if not name:
            continue
        if len(name) + 2 > room:
            break
        shown.append(name)
        room -= len(name) + 2
    if not shown:
        return ""
    left = len(children) - len(shown)
    count = f"{len(children)} parts: " if len(children) > 1 else ""
    return f"{count}{'; '.join(shown)}{f' and {left} more' if left else ''}."


def _central(title: str, children: Sequence[Child], order: list[int], room: int) -> tuple[Quote, ...]:
    """The most telling sentence of each larger child, in the children's order. A child that has nothing but greetings and
    exclamations is not heard where another says more."""
    telling: list[int] = []
    silent: list[tuple[int, Quote]] = []

    def heard() -> Iterator[tuple[int, Quote]]:
        for at in order:
            best = _spokesman(children[at])
            if best is not None and says_little(best.text, is_spoken=_is_spoken(children[at])):
                silent.append((at, best))
            elif best is not None:
                telling.append(at)
                yield at, best

    chosen = _chosen(heard(), room)  # of many children not all are asked
    return chosen if telling else _chosen(silent, room)


def _chosen(spokesmen: Iterable[tuple[int, Quote]], room: int) -> tuple[Quote, ...]:
    """The first that fit, in the children's order."""
    chosen: dict[int, Quote] = {}
    said: set[str] = set()
    for at, best in spokesmen:
        text = _short(best.text, _LONGEST_QUOTE)
        if text in said or len(text) + 1 > room:
            continue
        chosen[at] = _taken(text, best, at)
        said.add(text)
        room -= len(text) + 1
        if len(chosen) == _MOST_QUOTES:
            break
    return tuple(chosen[at] for at in sorted(chosen))


def _spokesman(child: Child) -> Quote | None:
    """The quote of a child's record that says most about what the child's title names. Of a table the title, which the opening
    has, says more than its columns."""
    if child.kind == "run":  # it bears the names of its ends only, and then the first quote is the best
        return next(iter(child.record.quotes), None)
    title = set(terms(child.title))
    best, best_score = None, -1.0
    for place, found in enumerate(child.record.quotes[:8]):
        mine = set(terms(found.text))
        if says_little(found.text, is_spoken=_is_spoken(child)):
            best = best or found  # where there is nothing better
            continue
        score = len(mine & title) / (len(title) or 1) + 0.3 / (1 + place) + (0.1 if len(mine) > 4 else 0.0)
        if is_sentence(found.text):
            score += 0.05 if found.text.endswith("?") else 0.25
        elif child.record.content_types[:1] == ("data_table",):
            continue
        if score > best_score:
            best, best_score = found, score
    return best


def _is_spoken(child: Child) -> bool:
    return not _SPOKEN.isdisjoint(child.record.content_types)


def _taken(text: str, source: Quote, child: int) -> Quote:
    return Quote.model_construct(text=text, start=0, end=0, child=child, says=source.says)


def _most_important(
    children: Sequence[Child], order: list[int], of: Callable[[SummaryRecord], Sequence[Quote]]
) -> tuple[Quote, ...]:
    """One of each child in turn, larger children first, until the list is full."""
    lists = {at: of(children[at].record) for at in order}
    chosen: list[tuple[int, int, Quote]] = []
    said: set[str] = set()
    for turn in range(max(map(len, lists.values()), default=0)):
        for at in order:
            if turn < len(lists[at]) and len(chosen) < _MOST and lists[at][turn].text not in said:
                said.add(lists[at][turn].text)
                chosen.append((at, turn, lists[at][turn]))
    chosen.sort(key=lambda entry: entry[:2])
    return tuple(_taken(found.text, found, at) for at, _, found in chosen)


def _types(children: Sequence[Child], order: list[int]) -> tuple[str, ...]:
    scores: dict[str, float] = {}
    for at in order:
        for place, kind in enumerate(children[at].record.content_types):
            if kind != UNCLASSIFIED:
                scores[kind] = scores.get(kind, 0.0) + _weight(children[at]) / (1 + place)
    ranked = sorted(scores, key=lambda kind: (-scores[kind], kind))
    if not ranked:
        return (UNCLASSIFIED,) if children else ()
    return tuple(kind for kind in ranked[:_MOST_TYPES] if scores[kind] >= 0.2 * scores[ranked[0]])


def _about(children: Sequence[Child], order: list[int]) -> tuple[str, ...]:
    """What several children are about comes first, then each child's first subjects in turn."""
    shared: dict[str, int] = {}
    shown: dict[str, str] = {}
    turns: dict[str, tuple[int, int]] = {}
    for rank, at in enumerate(order):
        for place, subject in enumerate(children[at].record.about):
            key = subject.casefold()
            shared[key] = shared.get(key, 0) + 1
            shown.setdefault(key, subject)
            turns[key] = min(turns.get(key, (place, rank)), (place, rank))
    ranked = sorted(shown, key=lambda key: (-min(shared[key], 3), turns[key], key))
    return tuple(shown[key] for key in ranked[:_MOST_ABOUT])


def _short(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    cut = text.rfind(" ", longest // 2, longest)
    return text[: cut if cut > 0 else longest].rstrip(" ,;:-") + "\u2026"
