"""No regular expression of ours takes more than linear time, whatever a document or a question brings.

Every pattern is found: those that modules hold (also in tuples, mappings and classes), and those written in a call of
`re`. Each is run as it is used (at every place, or at the beginning alone) on texts made from the pattern itself:
runs of each of its characters, its pieces repeated, its beginning over and over, and each with an end that does not match.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from prompts.line_pattern import LinePattern
from prompts.regex import LazyPattern

ROOT = Path(__file__).parents[1]
PACKAGES = ("connectors", "prompts", "tree", "ingestion", "ui")
SIZES = (22, 30, 36, 300, 2_000, 16_000)  # characters: what is slow at a small size is not tried at a larger one
SHORT = 300  # characters in which one without an unbounded repetition shows all that it does: behind them it only goes on
SECONDS = (0.05, 0.05, 0.05, 0.05, 0.08, 0.05)  # of processor time at each size, where it also grows faster than the text
GROWTH = 8  # times as long for four times the text: linear patterns need 4 times, quadratic ones 16
EVERYWHERE = {"search", "finditer", "findall", "sub", "subn", "split"}
AT_THE_BEGINNING = {"match", "fullmatch"}
MOST_TEXTS = 95  # per pattern
BOUNDED = {  # characters of what a pattern is given at most, where its use bounds it
    "ingestion.chunking.plain_units._DATE": 300,  # the title of a heading
    "ingestion.chunking.topics._TOPIC[][]": 300,  # the same: LONGEST
}


class Found(NamedTuple):
    where: str
    pattern: re.Pattern[Any]
    everywhere: bool
    whole: bool = False  # it has to accept all of a text, and goes back where it does not reach the end


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.name == "__main__.py":
                continue
            name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
            yield importlib.import_module(name)


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))


@cache
def _uses() -> dict[str, set[str]]:
    """For each name in our code, the methods called on it; for a private one, in its module alone."""
    uses: dict[str, set[str]] = {}
    for module in _modules():
        for node in ast.walk(_tree(module)):
            if isinstance(node, ast.Attribute) and node.attr in EVERYWHERE | AT_THE_BEGINNING:
                base = node.value
                name = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
                uses.setdefault(f"{module.__name__}.{name}" if name.startswith("_") else name, set()).add(node.attr)
    return uses


def _held(value: object, name: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns in what a module holds under a name."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, LazyPattern):
        yield name, value.compiled()
    elif isinstance(value, LinePattern):
        yield from _held(value.whole, name, depth)
    elif depth < 3 and isinstance(value, dict):
        for one in (*value.keys(), *value.values()):
            yield from _held(one, f"{name}[]", depth + 1)
    elif depth < 3 and isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _held(one, f"{name}[]", depth + 1)


def _of_module(module: ModuleType) -> Iterator[Found]:
    for name, value in list(vars(module).items()):
        own = isinstance(value, type) and value.__module__ == module.__name__
        for inner, pattern in _held(dict(vars(value)) if own else value, name):
            used = _uses().get(
                f"{module.__name__}.{inner}" if inner.startswith("_") else inner
            )  # of what lies in a container no use is known: it counts as used everywhere
            yield Found(
                f"{module.__name__}.{inner}", pattern, used is None or bool(used & EVERYWHERE), "fullmatch" in (used or ())
            )
    for node in ast.walk(_tree(module)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in EVERYWHERE | AT_THE_BEGINNING | {"compile"}
        ):
            yield from _written(module, node)


def _written(module: ModuleType, call: ast.Call) -> Iterator[Found]:
    """The pattern in a call of `re`; one put together from a function's own values is a test of that function's."""
    method = call.func.attr  # type: ignore[attr-defined]
    flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    place = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2}.get(method)
    if place is not None and len(call.args) > place:
        flags.append(call.args[place])
    try:
        source, *given = (eval(compile(ast.Expression(node), "", "eval"), vars(module)) for node in (call.args[0], *flags))
    except NameError:
        return
    if isinstance(source, str | bytes):
        pattern = re.compile(source, *given)
        yield Found(f"{module.__name__}:{call.lineno}", pattern, method not in AT_THE_BEGINNING, method == "fullmatch")


@cache
def _patterns() -> list[Found]:
    """Each pattern once; used everywhere, if it is so in any place."""
    found: dict[tuple[str | bytes, int], Found] = {}
    everything = [one for module in _modules() for one in _of_module(module)]
    for one in sorted(everything, key=lambda one: ":" in one.where):  # what has a name first: its use is known
        key = one.pattern.pattern, one.pattern.flags
        if key not in found or one.everywhere and not found[key].everywhere and ":" not in one.where:
            found[key] = one
    return list(found.values())


# ---------------------------------------------------------------- texts made from a pattern

LETTERS = " aA0.-_:/\n\t!,;()[]{}<>\"'`*#=|~?@é中가"


def _one_of(items: list[Any]) -> str:
    """A character that a class holds: a common one if there is one."""
    negated = items[0][0] is constants.NEGATE
    accepts = re.compile("".join(("[", "^" if negated else "", *map(_written_class, items[negated:]), "]")))
    for letter in LETTERS:
        if accepts.match(letter):
            return letter
    return next((chr(code) for code in range(0x2FFF) if accepts.match(chr(code))), "x")


def _written_class(item: tuple[Any, Any]) -> str:
    kind, value = item
    if kind is constants.LITERAL:
        return re.escape(chr(value))
    if kind is constants.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    return {
        constants.CATEGORY_DIGIT: r"\d",
        constants.CATEGORY_NOT_DIGIT: r"\D",
        constants.CATEGORY_SPACE: r"\s",
        constants.CATEGORY_NOT_SPACE: r"\S",
        constants.CATEGORY_WORD: r"\w",
        constants.CATEGORY_NOT_WORD: r"\W",
    }[value]


class _Samples:
    """Words that a pattern accepts, and for each of its repetitions what leads to it and what is repeated."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self.pieces: dict[str, None] = {}
        self.repeats: dict[tuple[str, str], None] = {}
        self.ahead = ""  # what has to stand somewhere for the rest to be tried at all
        self.is_unbounded = False
        text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
        self.whole = self.walk(
            parser.parse(text, pattern.flags & ~re.DEBUG & (~re.UNICODE if isinstance(pattern.pattern, bytes) else ~0)), ""
        )

    def walk(self, items: Any, before: str) -> str:
        said = ""
        for kind, value in items:
            said += self.one(kind, value, before + said)
        return said

    def one(self, kind: Any, value: Any, before: str) -> str:
        if kind is constants.LITERAL:
            return self.note(chr(value))
        if kind is constants.NOT_LITERAL:
            return self.note("a" if value != ord("a") else "b")
        if kind is constants.ANY:
            return self.note("a")
        if kind is constants.IN:
            for item in value:
                if item[0] is constants.LITERAL:
                    self.note(chr(item[1]))
                elif item[0] is constants.RANGE:
                    self.note(chr(item[1][0]))
            for space in " \n":
                if any(item == (constants.CATEGORY, constants.CATEGORY_SPACE) for item in value):
                    self.note(space)
            return self.note(_one_of(list(value)))
        if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            least, most, body = value
            said = self.walk(body, before)
            self.is_unbounded |= most is constants.MAXREPEAT
            if most is constants.MAXREPEAT or most > 1:
                self.repeats[before, said] = None
            self.note(said)
            return said * max(least, 1)
        if kind is constants.SUBPATTERN:
            return self.walk(value[3], before)
        if kind is constants.ATOMIC_GROUP:
            return self.walk(value, before)
        if kind is constants.BRANCH:
            said = [self.walk(branch, before) for branch in value[1]]
            for word in said:
                self.note(word)
            return said[0]
        if kind in (constants.ASSERT, constants.ASSERT_NOT):
            said = self.walk(value[1], before)
            self.ahead += said if kind is constants.ASSERT and value[0] > 0 else ""
        return ""

    def note(self, piece: str) -> str:
        if piece:
            self.pieces[piece] = None
        return piece


def _texts(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    samples = _Samples(pattern)
    whole = samples.whole
    units = dict.fromkeys(
        [*list(samples.pieces)[:40], whole, whole[:-1], whole + "\n", "\n", " ", "a", "A", "a ", "A ", "0", "."]
    )
    for unit in filter(None, units):
        yield (unit * (size // len(unit) + 1))[:size]
    for unit in [one for one in samples.pieces if len(one) == 1][:15] if samples.ahead else ():
        yield samples.ahead + (unit * (size // len(unit) + 1))[:size] + "\0"
    for before, body in list(samples.repeats)[:40]:
        if body:
            run = (body * (size // len(body) + 1))[:size]
            yield f"{before}{run}\0"
            yield f"{run}\0{before}"
        if before + body:  # the beginning again and again, each time with a try at the repetition
            unit = before + body * 3 + body[:1]
            yield (unit * (size // len(unit) + 1))[:size] + "\0"


def _seconds(found: Found, text: str) -> float:
    subject: Any = text if isinstance(found.pattern.pattern, str) else text.encode("utf-8")
    start = time.process_time()
    if found.everywhere:
        for _ in found.pattern.finditer(subject):
            pass
    else:
        found.pattern.match(subject)
    if found.whole:
        found.pattern.fullmatch(subject)
    return time.process_time() - start


def _grows(found: Found, number: int, size: int, seconds: float) -> bool:
    """Whether this text takes longer than in proportion to its length; so a slow machine makes no pattern quadratic."""
    shorter = next(islice(_texts(found.pattern, size // 4), number, None))
    return seconds > GROWTH * min(_seconds(found, shorter) for _ in range(3))


def slow_text(found: Found) -> str:
    """What is said of the first text that takes a pattern too long; nothing, if there is none.

    A text is not tried at the next size where even time that grows with the square of the length would stay within all limits: what
    grows faster shows at a few hundred characters.
    """
    left: Collection[int] = range(MOST_TEXTS)
    longest = BOUNDED.get(found.where, SIZES[-1] if _Samples(found.pattern).is_unbounded else SHORT)
    tried = [(size, limit) for size, limit in zip(SIZES, SECONDS, strict=True) if size <= longest]
    for at, (size, limit) in enumerate(tried):
        kept: list[int] = []
        for number, text in enumerate(islice(_texts(found.pattern, size), MOST_TEXTS)):
            if number not in left:
                continue
            seconds = _seconds(found, text)
            if seconds > limit:  # on a machine that is busy one time says little
                seconds = min(seconds, *(_seconds(found, text) for _ in range(3)))
            if seconds > limit and _grows(found, number, size, seconds):
                return f"{found.where}: {seconds:.2f} s for {size:,} characters like {text[:60]!r}"
            if at == 0 or any(seconds * (later / size) ** 2 > allowed for later, allowed in tried[at + 1 :]):
                kept.append(number)
        left = frozenset(kept)
    return ""


@pytest.mark.parametrize("package", PACKAGES)
def test_no_pattern_takes_more_than_linear_time(package: str) -> None:
    slow = [said for found in _patterns() if found.where.startswith(package) and (said := slow_text(found))]
    assert not slow, "\n".join(slow)


def test_every_pattern_is_found_and_a_quadratic_one_shows() -> None:
    assert len(_patterns()) > 250
    for source in (r"(?=[^ ]*[a-z])(?=[^ ]*[._-])[\w-]+(?:[._-][\w-]+)*", r"(?:a|aa)+"):  # only where all has to be accepted
        assert slow_text(Found("here", re.compile(source), False, True)), source
        assert not slow_text(Found("here", re.compile(source), False)), source
    for source in (r"\s+$", r"(a+)+b", r"\w+@\w+", r"[.!?]+\)"):
        assert slow_text(Found("here", re.compile(source), True)), source
