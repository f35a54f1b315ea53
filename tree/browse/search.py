"""Search as a person sees it: nodes by their names, and passages by their words, each with the line that fits best."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from prompts.language import terms
from tree.accounts.principal import Principal
from tree.browse.nodes import sources_shown
from tree.retrieve.index import SearchScope
from tree.store.node_rows import NodeRows
from tree.store.nodes import Node
from tree.workspace import Workspace

LONGEST_SEARCH = 500  # characters
NAMES, PASSAGES = 8, 12  # search results
SNIPPET = 160  # characters

Row = dict[str, Any]


def search_tree(workspace: Workspace, principal: Principal, text: str) -> dict[str, list[Row]]:
    """Nodes whose name contains the text, and passages that share its words."""
    text = " ".join(text[:LONGEST_SEARCH].split())
    names = sources_shown(workspace, principal)
    if not text or not names:
        return {"names": [], "passages": []}
    index, store = workspace.index, workspace.store
    index.catch_up()
    scope = SearchScope(tuple(names))
    words = terms(text)
    by_name = _resolved(store.nodes, index.containing(text, scope, NAMES))
    hits = store.nodes.at(hit.place for hit in index.search(words, scope, PASSAGES))
    above = store.nodes.with_ancestors([node.place for node in (*by_name, *hits.values())])
    texts = store.leaves.texts(node.leaf or "" for node in hits.values())
    passages = [
        _result(node, above) | {"snippet": marked(best_line(texts[node.leaf][0], words), words)}
        for node in hits.values()
        if node.leaf in texts
    ]
    return {"names": [_result(node, above) for node in by_name], "passages": passages}


def _resolved(rows: NodeRows, places: Sequence[str]) -> list[Node]:
    """The nodes at these places in this order, a pass replaced by what it stands for, each once."""
    nodes = rows.at(places)
    found = [nodes[place] for place in places if place in nodes]
    while targets := [node.target for node in found if node.kind == "pass" and node.target]:
        nodes |= rows.at(targets)
        followed = [nodes.get(node.target or "") if node.kind == "pass" else node for node in found]
        found = [node for node in followed if node is not None]
    return list({node.place: node for node in found}.values())


def _result(node: Node, above: Mapping[str, Node]) -> Row:
    path: list[str] = []
    step = above.get(node.parent or "")
    while step is not None:
        if step.kind not in ("run", "pass"):
            path.append(step.title)
        step = above.get(step.parent or "")
    return {"place": node.place, "title": node.title, "kind": node.kind, "path": " › ".join(path[::-1]), "leaves": node.leaves}


def best_line(text: str, words: Collection[str]) -> str:
    """The line with most of the words in it, shortened to where they begin."""
    wanted = set(words)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    best = max(lines, key=lambda line: len(wanted & set(terms(line))), default="")
    if len(best) <= SNIPPET:
        return best
    first = next((m.start() for m in re.finditer(r"\w+", best) if wanted & set(terms(m.group()))), 0)
    start = max(0, first - SNIPPET // 3)
    return ("…" if start else "") + best[start : start + SNIPPET].strip() + ("…" if start + SNIPPET < len(best) else "")


def marked(text: str, words: Collection[str]) -> list[list[Any]]:
    """The text in segments: [text, whether it is one of the words]."""
    wanted = set(words)
    made: list[list[Any]] = []
    for part in re.split(r"(\w+)", text):
        hit = bool(part) and part[0].isalnum() and bool(wanted & set(terms(part)))
        if made and made[-1][1] == hit:
            made[-1][0] += part
        elif part:
            made.append([part, hit])
    return made
