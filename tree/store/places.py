"""Places: the stable ids of nodes. This docstring is their grammar; only the functions below make them or take them apart.

    place     = container | document | inside | run
    container = source "/" ( step "/" )*          s/   s/decisions/   s/PAY/
    document  = container step                    s/decisions/queue.md
    inside    = document "#" step ( "/" step )*   s/decisions/queue.md#Context/First words
    run       = ( container | document | inside ) "|" level "|" first      s/decisions/|1|adr-007.md

`source` is the id of a source. The root of its tree is the container `s/`; a folder, project or epic is a container
below it. A `step` is the escaped id of a container, document, heading or passage among its siblings: the characters
"%", "/", "#", "|" and those below U+0020 are written %25, %2F, %23, %7C, %0A …, so each of them tells where it
stands, and an empty id is "%". `level` of a run counts from 1, right above the children; `first` is the slot of its
first child. A node's `slot` is its last step, with the slash where it is a container; the root's is "".

A container and a document in it may have the same name (`s/a/` and `s/a`): they are two places. What is below a place
begins with it, except what is below a run: that is known only from the tree (`NodeRows.named_below`). Since "0" comes
right after "/", "$" after "#" and "}" after "|", what is below a place is one range of the sorted places, or two.

A node's `position` orders it among its siblings: a natural key of its name, NUL, its slot. NUL stands in neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from prompts.regex import regex

NAMES_KEPT = 4_096  # of which the steps are remembered: each document names all the folders that it lies in

_ESCAPED = {character: f"%{ord(character):02X}" for character in "%/#|"} | {chr(n): f"%{n:02X}" for n in range(32)}
_ESCAPES = str.maketrans(_ESCAPED)
_ESCAPE = regex("%([0-9A-F]{2})")
_DIGITS = regex(r"\d{1,18}")

# ---------------------------------------------------------------- made


def root_place(source_id: str) -> str:
    """The place of a source's root."""
    return f"{source_id}/"


def source_of(place: str) -> str:
    """The id of the source that a place lies in."""
    return place.partition("/")[0]


def container_place(above: str, id_: str) -> str:
    """The place of a container in the container `above`."""
    return f"{above}{escape(id_)}/"


def below(place: str, slot: str) -> str:
    """The place of something inside a document."""
    return f"{place}{'/' if is_inside_document(place) else '#'}{slot}"


def run_place(container: str, level: int, first_slot: str) -> str:
    """The place of a run in a container, a document or a heading."""
    return f"{container}|{level}|{first_slot}"


@lru_cache(NAMES_KEPT)
def escape(name: str) -> str:
    """A name as a step of a place: without the characters that places are made with."""
    return name.encode("utf-8", "backslashreplace").decode().translate(_ESCAPES) or "%"


def unescape(step: str) -> str:
    """The name that a step of a place was made of."""
    return "" if step == "%" else _ESCAPE.sub(lambda escaped: chr(int(escaped[1], 16)), step)


def natural_order(name: str, slot: str) -> str:
    """The position that sorts names as people do (9 before 10, capitals beside small letters), never two alike."""
    return f"{_DIGITS.sub(lambda digits: digits.group().zfill(18), name.casefold())}\0{slot}"


# ---------------------------------------------------------------- taken apart


def is_inside_document(place: str) -> bool:
    """Whether a place is that of a heading or passage within a document, or of a run of these."""
    return "#" in place


def document_around(place: str) -> str:
    """The place of the document that a place is in; itself where it is in none."""
    return place.partition("#")[0]


def standing(place: str) -> str:
    """Where a leaf stands as far as what is read from it depends on that: at the place of its document, with an empty step inside
    it where the leaf is one of several."""
    return below(document_around(place), "") if is_inside_document(place) else place


def is_container(place: str) -> bool:
    return place.endswith("/")


def depth_of(place: str) -> int:
    """How many containers a container or document lies in, itself included if it is one; 1 for a source's root."""
    return place.count("/")


def parent_container(container: str) -> str:
    """The container around a container. Raises ValueError for a source's root."""
    return container[: container.rindex("/", 0, -1) + 1]


def is_below(place: str, top: str) -> bool:
    """Whether a place is `top` or below it, by its name alone: not for a `top` that is a run."""
    return place == top or any(first <= place < last for first, last in ranges_below(top))


def ranges_below(top: str) -> tuple[tuple[str, str], ...]:
    """The ranges [first, last) of sorted places that lie below `top`; a container's own place is in its range."""
    if is_container(top):
        return ((top, f"{top[:-1]}0"),)
    inside = (f"{top}/", f"{top}0") if is_inside_document(top) else (f"{top}#", f"{top}$")
    return (inside, (f"{top}|", f"{top}}}"))


def places_above(place: str) -> Iterator[str]:
    """The places that a place lies in by its name, itself not included, from the inside out.

    Of `s/a/b#c/d` they are `s/a/b#c`, `s/a/b`, `s/a/` and `s/`; of a run, what it groups children of, and so on.
    """
    while place:
        if "|" in place:
            place = place.partition("|")[0]
        elif is_inside_document(place):
            document, _, inside = place.partition("#")
            place = f"{document}#{inside.rpartition('/')[0]}" if "/" in inside else document
        else:
            place = place.rstrip("/").rpartition("/")[0]
            place += "/" if place else ""
        if place:
            yield place
