"""Reads a query into a tree: NOT binds before AND, AND before OR.

https://support.atlassian.com/jira-software-cloud/docs/jql-operators/; what a clause means is in `evaluate.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"\s+|(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')|(?P<operator>>=|<=|!=|!~|=|>|<|~)|(?P<mark>[(),!])"
    r"|(?P<word>[^\s=!<>~(),\"']+)"
)
MOST_ORDER_FIELDS = 7
PREDICATES = ("after", "before", "on", "during", "by", "from", "to")  # behind WAS and CHANGED


class JqlError(ValueError):
    """The query cannot be understood or answered. The code and what fills it make the sentence, in the site's language."""

    def __init__(self, code: str, *details: object) -> None:
        super().__init__(code, *details)
        self.code = code
        self.details = details


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: a word, a quoted text, or a function with its arguments."""

    text: str
    quoted: bool = False
    function: bool = False
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Predicate:
    """What limits a search of the history: `after`, `before`, `on`, `during`, `by`, `from` or `to`."""

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """`operator` is one of = != > < >= <= ~ !~, in, not in, is, is not, was, was not, was in, was not in, changed."""

    field: str
    operator: str
    values: tuple[Value, ...]
    predicates: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    inner: Expression


@dataclass(frozen=True, slots=True)
class Every:
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Some:
    parts: tuple[Expression, ...]


Expression = Clause | Not | Every | Some


@dataclass(frozen=True, slots=True)
class Order:
    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    where: Expression | None
    order: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    kind: str
    at: int


def parse(text: str) -> Query:
    """Raises JqlError for what is not a query."""
    return _Parser(text).query()


def clauses(expression: Expression | None) -> Iterator[Clause]:
    """Every clause of an expression, wherever it stands."""
    match expression:
        case Clause():
            yield expression
        case Not(inner):
            yield from clauses(inner)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from clauses(part)


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0

    def query(self) -> Query:
        where = None if self._is("order") or self._next() is None else self._some()
        order = self._order() if self._is("order") else ()
        if left := self._next():
            raise JqlError("unexpected", left.text, left.at + 1)
        return Query(where, order)

    def _some(self) -> Expression:
        parts = [self._every()]
        while self._take("or"):
            parts.append(self._every())
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _every(self) -> Expression:
        parts = [self._negated()]
        while self._take("and"):
            parts.append(self._negated())
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    def _negated(self) -> Expression:
        if self._take("not") or self._take("!"):
            return Not(self._negated())
        if self._take("("):
            inner = self._some()
            self._expect(")")
            return inner
        return self._clause()

    def _clause(self) -> Clause:
        field = self._word()
        operator = self._operator()
        if operator == "changed":
            return Clause(field, operator, (), self._predicates())
        values = self._list() if operator.endswith("in") else (self._value(),)
        return Clause(field, operator, values, self._predicates() if operator.startswith("was") else ())

    def _predicates(self) -> tuple[Predicate, ...]:
        found = []
        while name := next((each for each in PREDICATES if self._take(each)), ""):
            found.append(Predicate(name, self._list()))
        return tuple(found)

    def _operator(self) -> str:
        token = self._advance()
        if token.kind == "operator":
            return token.text
        word = token.text.lower()
        if word == "is":
            return "is not" if self._take("not") else "is"
        if word == "in":
            return "in"
        if word == "not" and self._take("in"):
            return "not in"
        if word == "was":
            return "was" + (" not" if self._take("not") else "") + (" in" if self._take("in") else "")
        if word == "changed":
            return word
        raise JqlError("unexpected", token.text, token.at + 1)

    def _list(self) -> tuple[Value, ...]:
        token = self._next()
        if token is None or token.text != "(":
            return (self._value(),)  # sprint in openSprints()
        self._expect("(")
        values = [self._value()]
        while self._take(","):
            values.append(self._value())
        self._expect(")")
        return tuple(values)

    def _value(self) -> Value:
        token = self._advance()
        if token.kind == "string":
            return Value(_unquoted(token.text), quoted=True)
        if token.kind != "word":
            raise JqlError("unexpected", token.text, token.at + 1)
        if not self._take("("):
            return Value(token.text)
        arguments: list[str] = []
        while not self._take(")"):
            arguments.append(self._value().text)
            self._take(",")
        return Value(token.text, function=True, arguments=tuple(arguments))

    def _order(self) -> tuple[Order, ...]:
        self._expect("order")
        self._expect("by")
        found = []
        while True:
            field = self._word()
            descending = self._take("desc")
            if not descending:
                self._take("asc")
            found.append(Order(field, descending))
            if not self._take(","):
                break
        if len(found) > MOST_ORDER_FIELDS:
            raise JqlError("order", MOST_ORDER_FIELDS)
        return tuple(found)

    def _word(self) -> str:
        token = self._advance()
        if token.kind == "string":
            return _unquoted(token.text)
        if token.kind != "word":
            raise JqlError("unexpected", token.text, token.at + 1)
        return token.text

    def _next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _is(self, text: str) -> bool:
        token = self._next()
        return token is not None and token.kind != "string" and token.text.lower() == text

    def _take(self, text: str) -> bool:
        if not self._is(text):
            return False
        self.at += 1
        return True

    def _expect(self, text: str) -> None:
        token = self._next()
        if not self._take(text):
            raise JqlError("ended") if token is None else JqlError("unexpected", token.text, token.at + 1)

    def _advance(self) -> Token:
        token = self._next()
        if token is None:
            raise JqlError("ended")
        self.at += 1
        return token


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise JqlError("unexpected", text[at], at + 1)
        if match.lastgroup:
            yield Token(match[0], match.lastgroup, at)
        at = match.end()


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])
