"""The blocks of a leaf by the heading that they stand under, and what each heading says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ingestion.chunking.blocks import Block, blocks
from ingestion.chunking.leaf_text import LeafContent
from ingestion.chunking.topics import OF_A_TITLE, Topic, is_version, says_step, step_number, topic_of


@dataclass(slots=True)
class HeadingScope:
    """The blocks under one heading of one leaf."""

    headings: tuple[str, ...]
    topic: Topic
    blocks: list[Block]
    lead: int = -1  # where the lines of its headings begin, which go with its first unit
    step: int | None = None  # its number, if its heading is a step of a procedure

    @property
    def title(self) -> str:
        return self.headings[-1] if self.headings else ""


def heading_scopes(leaf: LeafContent) -> Iterator[HeadingScope]:
    """The leaf's blocks by the heading they stand under. Rules and repeated headers go with what follows them."""
    path = [(level, title) for level, title in enumerate(leaf.heading, 1)]
    scope = _scope(path, -1)
    for span in leaf.spans:
        if span.kind == "heading":
            found: Iterable[Block] = [Block("heading", span.start, span.end, level=span.level)]
        elif span.kind == "header":
            found = [Block("rule", span.start, span.end)]
        else:
            found = blocks(leaf.text, span.start, span.end, span.markup, span.fence)
        for block in found:
            if block.kind == "heading":
                title = leaf.text[block.start : block.end].strip().strip("#").strip()
                lead = scope.lead if not scope.blocks else -1
                if scope.blocks:
                    yield scope
                while path and path[-1][0] >= block.level:
                    path.pop()
                path.append((block.level, title))
                scope = _scope(path, lead if lead >= 0 else block.start)
            elif block.kind == "rule":
                if scope.blocks:
                    scope.blocks[-1] = scope.blocks[-1]._replace(end=block.end)
                elif scope.lead < 0:
                    scope.lead = block.start
            else:
                scope.blocks.append(block)
    if scope.blocks or scope.lead >= 0:
        yield scope


def _scope(path: list[tuple[int, str]], lead: int) -> HeadingScope:
    titles = tuple(title for _, title in path)
    topic: Topic = ""
    for number in range(len(titles) - 1, -1, -1):
        topic = topic_of(titles[number])
        if number == 0 and len(titles) > 1 and topic not in OF_A_TITLE:
            topic = ""
        if topic == "reference" and number < len(titles) - 1:
            topic = ""
        if topic:
            break
    step = None
    if len(titles) > 1:
        said = step_number(titles[-1])
        if said is not None and (says_step(titles[-1]) or topic == "procedure" and topic_of(titles[-1]) != topic):
            step = said
        if not topic and is_version(titles[-1]) and any(char == "-" for char in titles[-1]):
            topic = "event"
    return HeadingScope(titles, topic, [], lead, step)
