"""A list of aliases: every kind of it that can be used, and what is told of one that cannot."""

from __future__ import annotations

import time

import pytest

from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.retrieve.alias_list import MOST_ALIASES, AliasError, read_aliases
from tree.retrieve.aliases import Aliases
from tree.retrieve.names import Names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("aliases.csv", "alias,name\ngate app,Turnstile\nTS,Turnstile\n"),
        ("aliases.csv", "name;alias\r\nTurnstile;gate app\r\n\r\nTurnstile;TS\r\n"),
        ("aliases.yaml", "gate app: Turnstile\nTS: Turnstile\n"),
        ("aliases.yml", "- alias: gate app\n  name: Turnstile\n- TS: Turnstile\n"),
        ("aliases.csv", "\ufeffalias,name\ngate app,TS\nTS,Turnstile\n"),
    ],
)
def test_a_list_is_read(name: str, text: str) -> None:
    found = read_aliases(text.encode(), name)
    assert {(one.alias, one.name) for one in found} == {("gate app", "Turnstile"), ("TS", "Turnstile")}


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"alias,name\nA1,B1\nB1,C1\nC1,A1\n", "Line 2: the aliases go in a circle: A1 → B1 → C1 → A1."),
        ("a.csv", b"short,long\nA1,B1\n", "Line 1: the columns have to be “alias” and “name”; they are “short”, “long”."),
        ("a.csv", b"", "Line 1: the columns have to be “alias” and “name”; they are none."),
        ("a.csv", b"alias,name\nA1,B1,C1\n", "Line 2: there have to be 2 columns; there are 3."),
        ("a.csv", b"alias,name\nA1,\n", "Line 2: the name is empty."),
        ("a.csv", b"alias,name\nA1,B1\n\nA1,C1\n", "Line 4: “A1” stands for “C1”, but in line 2 for “B1”."),
        ("a.csv", b"alias,name\nwho,B1\n", "Line 2: “who” is a word of any question, so it cannot be an alias."),
        ("a.csv", b"alias,name\nA1,a1\n", "Line 2: “A1” stands for itself."),
        ("a.csv", b'alias,name\n"A1,B1\n', "Line 2: this is no CSV"),
        ("a.csv", "alias,name\nGr\u00fcn,B1\n".encode("latin-1"), "Line 2 is not UTF-8. Save the file as “UTF-8”, then try again."),
        ("a.csv", b"alias,name\nA1,B\x001\n", "Line 2 has a character that is no text."),
        ("a.csv", b"alias,name\nA1," + b"B" * 200 + b"\n", "Line 2: the name has 200 characters; it may have 2 to 120."),
        ("a.yaml", b"A1: B1\nB1: {C1: D1}\n", "Line 2: an alias stands for one name. Write “alias: name”."),
        ("a.yaml", b"A1: B1\n  B1: C1\n", "Line 2: this is no YAML"),
        ("a.yaml", b"- alias: A1\n  long: B1\n", "Line 1: an entry has “alias” and “name”; this one has “alias”, “long”."),
        ("a.yaml", b"just words", "Line 1: this is no list of aliases. Write one “alias: name” on each line."),
        ("a.yaml", b"A1: B1\nB1: A1\n", "Line 1: the aliases go in a circle: A1 → B1 → A1."),
        ("a.docx", b"alias", "a.docx is neither YAML nor CSV. Name it aliases.yaml or aliases.csv."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_line(name: str, data: bytes, words: str) -> None:
    with pytest.raises(AliasError) as told:
        read_aliases(data, name)
    assert str(told.value).startswith(words)


def test_ten_thousand_aliases_are_read_and_found_in_a_moment() -> None:
    rows = [f"app {number},{f'app {number + 1}' if number + 1 < MOST_ALIASES else 'Turnstile'}" for number in range(MOST_ALIASES)]
    began = time.process_time()
    aliases = Aliases(read_aliases("\n".join(["alias,name", *rows]).encode(), "a.csv"))
    assert aliases.expand("Who owns app 17? " * 400).text.startswith("Who owns Turnstile? ")
    assert time.process_time() - began < 3
    with pytest.raises(AliasError, match=r"Line 10,?002: these are more than 10,000 aliases"):
        read_aliases("\n".join(["alias,name", *rows, "one more,Turnstile"]).encode(), "a.csv")


def test_yaml_that_grows_without_end_is_refused_or_small() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    with pytest.raises(AliasError, match="This is no list of aliases|Line 1: an alias"):
        read_aliases(bomb.encode(), "a.yaml")
    with pytest.raises(AliasError):
        read_aliases(b"[" * 100_000, "a.yaml")


@pytest.mark.parametrize(
    ("question", "expanded"),
    [
        ("Who owns the GATE app?", "Who owns the Turnstile?"),
        ("Is gâte app open, and the gate application?", "Is Turnstile open, and the gate application?"),
        ("Which bugs are of Quay?", "Which bugs are of Team Quay?"),
        ("Which bugs are of Team Quay?", "Which bugs are of Team Quay?"),
        ("Which bugs are in Quay Wall?", "Which bugs are in Quay Wall?"),
        ("Quay and gate app", "Team Quay and Turnstile"),
        ("nothing of it", "nothing of it"),
    ],
)
def test_the_longest_alias_is_replaced_and_never_within_a_name(question: str, expanded: str) -> None:
    aliases = Aliases(read_aliases(b"gate app: Turnstile\nquay: Team Quay\n", "a.yaml"))
    names = Names(indexed({"s/1": ticket("GWY-1", ("component", "Quay Wall", "component"))}))
    assert aliases.expand(question, names.find).text == expanded


@pytest.mark.parametrize(
    ("question", "expanded"),
    [
        ("How many masthead lights are in stock?", "How many mast lamps are in stock?"),
        ("Where are the entries?", "Where are the records?"),  # which the list has by itself
        ("Where are the gate apps?", "Where are the Turnstile?"),
        ("Is the masthead lightship in?", "Is the masthead lightship in?"),
        ("Who is Al's deputy?", "Who is Al's deputy?"),
    ],
)
def test_several_of_what_has_an_alias_are_found_too(question: str, expanded: str) -> None:
    rows = b"masthead light: mast lamp\nentry: gate\nentries: records\ngate app: Turnstile\nals: alarm\n"
    assert Aliases(read_aliases(rows, "a.yaml")).expand(question).text == expanded
