"""The list of aliases that an admin supplies, as YAML or CSV: read as a whole, or told what is wrong with which line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from prompts.language import STOPWORDS, terms
from prompts.regex import regex
from tree.retrieve.fact_index import folded
from tree.retrieve.names import COMMON

MOST_ALIASES, MOST_BYTES = 10_000, 2_000_000
LONGEST, SHORTEST = 120, 2  # characters of an alias or a name
MOST_BRACKETS = 100
MOST_TOLD = 6  # aliases of a circle
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
COLUMNS = ("alias", "name")


class AliasError(Exception):
    """The list cannot be used; the message says why, and in which line."""


class Alias(NamedTuple):
    """What people say, and what it stands for; `line` is where the list says so, from 1."""

    alias: str
    name: str
    line: int


def read_aliases(data: bytes, file_name: str) -> list[Alias]:
    """Every alias with the name it stands for in the end. Raises AliasError for the first line that cannot be used."""
    text = _text(data)
    is_yaml = file_name.casefold().endswith((".yaml", ".yml"))
    if not is_yaml and not file_name.casefold().endswith((".csv", ".tsv", ".txt")):
        raise AliasError(f"{file_name} is neither YAML nor CSV. Name it aliases.yaml or aliases.csv.")
    known: dict[str, Alias] = {}
    for number, alias in enumerate(_from_yaml(text) if is_yaml else _from_csv(text)):
        if number >= MOST_ALIASES:
            raise AliasError(f"Line {alias.line}: these are more than {MOST_ALIASES:,} aliases. Keep those that people use.")
        _check(alias, known)
        known.setdefault(folded(alias.alias), alias)
    ends = _in_the_end(known)
    return [Alias(one.alias, ends[key], one.line) for key, one in known.items()]


def with_alias(data: bytes, file: Path | None, alias: str, name: str) -> bytes:
    """The list with one more at its end; `file` is where it is from, None for a list that is begun."""
    added = [alias.strip(), name.strip()]
    if file is not None and file.suffix != ".csv":
        line = yaml.safe_dump(dict([added]), allow_unicode=True, default_flow_style=False, width=10_000)
        return (data.rstrip() + b"\n" if data.strip() else b"") + line.encode()
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [COLUMNS, *((one.alias, one.name) for one in (read_aliases(data, "aliases.csv") if data else ())), added]
    )
    return written.getvalue().encode()


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise AliasError(f"The list has {len(data):,} bytes; it may have {MOST_BYTES:,}.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AliasError(f"Line {line} is not UTF-8. Save the file as “UTF-8”, then try again.") from error
    if (control := _CONTROL.search(text)) is not None:
        raise AliasError(
            f"Line {text.count(chr(10), 0, control.start()) + 1} has a character that is no text. Save the file as “UTF-8” text."
        )
    return text


def _check(alias: Alias, known: Mapping[str, Alias]) -> None:
    for what, value in (("alias", alias.alias), ("name", alias.name)):
        if not folded(value):
            raise AliasError(f"Line {alias.line}: the {what} is empty.")
        if not SHORTEST <= len(value) <= LONGEST:
            raise AliasError(f"Line {alias.line}: the {what} has {len(value)} characters; it may have {SHORTEST} to {LONGEST}.")
    if all(word in COMMON or word in STOPWORDS for word in folded(alias.alias).split()) or not terms(alias.alias):
        raise AliasError(f"Line {alias.line}: “{alias.alias}” is a word of any question, so it cannot be an alias.")
    if folded(alias.alias) == folded(alias.name):
        raise AliasError(f"Line {alias.line}: “{alias.alias}” stands for itself.")
    other = known.get(folded(alias.alias))
    if other is not None and folded(other.name) != folded(alias.name):
        raise AliasError(
            f"Line {alias.line}: “{alias.alias}” stands for “{alias.name}”, but in line {other.line} for “{other.name}”."
        )


def _in_the_end(known: Mapping[str, Alias]) -> dict[str, str]:
    """The name that each alias (folded) comes to, where an alias stands for another one."""
    ends: dict[str, str] = {}
    for start in known:
        passed: dict[str, Alias] = {}
        at = start
        while at in known and at not in ends:
            if at in passed:
                circle = [*list(passed.values())[list(passed).index(at) :], passed[at]]
                told = " → ".join(one.alias for one in circle[:MOST_TOLD])
                raise AliasError(f"Line {circle[0].line}: the aliases go in a circle: {told}.")
            passed[at] = known[at]
            at = folded(known[at].name)
        end = ends.get(at) or next(reversed(passed.values())).name
        ends |= dict.fromkeys(passed, end)
    return ends


# ---------------------------------------------------------------- CSV


def _from_csv(text: str) -> Iterator[Alias]:
    first = text.split("\n", 1)[0]
    mark = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        head = [cell.strip().casefold() for cell in next(rows, [])]
        if sorted(head) != sorted(COLUMNS):
            given = ", ".join(f"“{cell}”" for cell in head) or "none"
            raise AliasError(f"Line 1: the columns have to be “alias” and “name”; they are {given}.")
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(head):
                raise AliasError(f"Line {rows.line_num}: there have to be 2 columns; there are {len(row)}.")
            cells = dict(zip(head, (cell.strip() for cell in row), strict=True))
            yield Alias(cells["alias"], cells["name"], rows.line_num)
    except csv.Error as error:
        raise AliasError(f"Line {rows.line_num}: this is no CSV: {error}.") from error


# ---------------------------------------------------------------- YAML


def _from_yaml(text: str) -> Iterator[Alias]:
    """A mapping of aliases to names, or a list of entries that have an alias and a name."""
    if max(map(text.count, "[{")) > MOST_BRACKETS:  # a list needs none, and the parser takes long over nested ones
        raise AliasError("This is no list of aliases. Write one “alias: name” on each line.")
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise AliasError(f"Line {line}: this is no YAML: {error.problem}.") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise AliasError("This is no YAML that can be read.") from error
    if root is None:
        return
    if isinstance(root, yaml.MappingNode):
        yield from _pairs(root.value)
    elif isinstance(root, yaml.SequenceNode):
        for entry in root.value:
            if not isinstance(entry, yaml.MappingNode):
                raise AliasError(f"Line {entry.start_mark.line + 1}: this is not an alias and a name. Write “alias: name”.")
            yield _entry(entry)
    else:
        raise AliasError("Line 1: this is no list of aliases. Write one “alias: name” on each line.")


def _entry(entry: yaml.MappingNode) -> Alias:
    pairs = list(_pairs(entry.value))
    cells = {pair.alias.casefold(): pair.name for pair in pairs}
    if sorted(cells) == sorted(COLUMNS):
        return Alias(cells["alias"], cells["name"], entry.start_mark.line + 1)
    if len(pairs) == 1:
        return pairs[0]
    given = ", ".join(f"“{pair.alias}”" for pair in pairs) or "none"
    raise AliasError(f"Line {entry.start_mark.line + 1}: an entry has “alias” and “name”; this one has {given}.")


def _pairs(nodes: Iterable[tuple[yaml.Node, yaml.Node]]) -> Iterator[Alias]:
    for key, value in nodes:
        for node in (key, value):
            if not isinstance(node, yaml.ScalarNode):
                raise AliasError(f"Line {node.start_mark.line + 1}: an alias stands for one name. Write “alias: name”.")
        yield Alias(str(key.value).strip(), str(value.value).strip(), key.start_mark.line + 1)
