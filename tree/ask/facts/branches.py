"""The branch that a question narrows itself to: "in the runbooks folder", "in GWY-1", "in meetings/2026-07"."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.index_entries import as_name
from tree.retrieve.names import Token
from tree.store.places import is_below, root_place

Places = Callable[[Sequence[str]], Mapping[str, Sequence[str]]]  # names of branches (as `as_name` writes them) -> their places

MOST_WORDS = 8  # of the name of a branch
_SURE = frozenset("in within under inside below".split())
_IN = _SURE | frozenset("from of for at".split())
_NOUNS = frozenset("folder directory epic project source document file ticket branch tree section".split())


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch as the question writes it, where it may be, and the tokens [first, last) that say so."""

    words: str
    places: tuple[str, ...]
    first: int
    last: int


def find_branch(found: Sequence[Token], used: Container[int], places: Places) -> Branch | None:
    """The longest name of a branch behind a word such as "in", of tokens that are not used yet."""
    words = [token.text.casefold() for token in found] + ["", ""]
    spans: dict[tuple[int, int], str] = {}
    for at in range(len(found)):
        if words[at] not in _IN or at in used:
            continue
        start = at + 2 if words[at + 1] in ("the", "our", "this") else at + 1
        start += words[start] in _NOUNS and start + 1 < len(found)  # "in the folder runbooks"
        for end in range(start + 1, min(start + MOST_WORDS, len(found)) + 1):
            if any(one in used for one in range(start, end)):
                break
            if words[at] in _SURE or words[start - 1] in _NOUNS or words[end] in _NOUNS or _is_name(found[start].text):
                spans[start, end] = as_name(" ".join(token.text for token in found[start:end]))
    known = places(list(dict.fromkeys(spans.values()))) if spans else {}
    named = sorted((start - end, start, end) for (start, end), name in spans.items() if known.get(name))
    if not named:
        return None
    _, start, end = named[0]
    last = end + 1 if words[end] in _NOUNS else end
    return Branch(" ".join(token.text for token in found[start:end]), tuple(known[spans[start, end]]), start - 1, last)


def _is_name(word: str) -> bool:
    """Whether a word can hardly be anything but a name: "actions for release" asks for a thing, "of GWY-1" for a branch."""
    return any(mark in word for mark in "-/.")


def branches_named(snapshot: Snapshot, wanted: Sequence[str]) -> Mapping[str, list[str]]:
    """The places of what bears these names, or of these paths; of an epic, that of all its tickets; of sources also by their kind:
    "in Jira"."""
    found: dict[str, list[str]] = {}
    for source in snapshot.sources.values():
        for name in {as_name(source.name), as_name(source.kind)} & set(wanted) - _NOUNS:
            found.setdefault(name, []).append(root_place(source.id))
    paths = {name: name.strip("/").rpartition("/")[2] for name in wanted if "/" in name}
    named = list(snapshot.index.named([*wanted, *paths.values()], snapshot.scope))
    named += [(path, place) for path, last in paths.items() for name, place in named if name == last and _is_at(place, path)]
    named = [(name, place) for name, place in named if name in wanted]
    nodes = snapshot.store.nodes.at((place for _, place in named), snapshot.version)
    documents = snapshot.documents(nodes.values())
    for name, place in named:
        node = nodes.get(place)
        heads = node is not None and (head := documents.get((node.source_id, node.document_id or ""))) is not None and head.heads
        found.setdefault(name, []).append(f"{place.rpartition('/')[0]}/" if heads else place)
    return found


def _is_at(place: str, path: str) -> bool:
    return as_name(place).rstrip("/").endswith(f"/{path.strip('/')}")


def narrowed(scope: Sequence[str], places: Sequence[str]) -> tuple[str, ...]:
    """The places asked for that lie in the branches that the question was narrowed to."""
    return tuple(place for place in places if not scope or any(is_below(place, top) for top in scope)) or tuple(scope)
