"""Aliases that an admin supplies work in questions of all kinds, for everybody, from the next question on."""

from __future__ import annotations

import os

import pytest

from ingestion.__main__ import main
from tests.tree.ask.ticket_rows import open_site
from tree.ask.ask import Earlier
from tree.retrieve.aliases import save_aliases

LIST = b"alias,name\ngate app,Turnstile\nquay people,Team Quay\nMO,Maren Oduya\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = open_site(tmp_path_factory.mktemp("site"))
    save_aliases(following.workspace.home, "list.csv", LIST)
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Which bugs of the gate app are open?", "**2 of 5 tickets**"),
        ("Who owns the Gate App?", "**Team Quay**"),
        ("What are the quay people working on?", "**2 of 5 tickets** (of Team Quay, open)"),
        ("tell me about MO", "**Maren Oduya**: a person"),
        ("compare the gate app and Tide Store", "**Turnstile and Tide Store** side by side:"),
        ("Which tickets mention the gate app?", "**2 tickets** mention “Turnstile”"),
    ],
)
def test_an_alias_stands_for_its_name(site, question, lead) -> None:
    answer = site.ask(question)
    assert answer.text.startswith(lead), answer.text
    assert answer.question == question
    assert "stands for" in answer.trail[0].reason


def test_an_alias_may_be_left_out_or_used_in_a_follow_up(site) -> None:
    assert site.ask("and of MO?", earlier=[Earlier("Which tickets of the gate app are open?")]).text.startswith(
        "Of the 2 open tickets"
    )


def test_in_a_walk_the_name_is_looked_for(site) -> None:
    trail = site.ask("Why does the gate app fail at night?").trail
    assert any("Turnstile" in step.reason for step in trail if step.kind == "read")


def test_a_list_that_cannot_be_used_is_told_of_and_questions_go_on(tmp_path) -> None:
    site = open_site(tmp_path)
    path = site.workspace.home / "aliases.yaml"
    path.write_text("A1: B1\nB1: A1\n")
    answer = site.ask("Who owns Turnstile?")
    assert answer.text.startswith("**Team Quay**")
    assert answer.notes[0] == "The list of aliases is not used. aliases.yaml: Line 1: the aliases go in a circle: A1 → B1 → A1."
    path.write_text("gate app: Turnstile\n")
    os.utime(path, ns=(1, 1))
    assert site.ask("Who owns the gate app?").text.startswith("**Team Quay**")
    site.workspace.close()


def test_the_list_is_given_on_the_command_line(tmp_path, capsys) -> None:
    home, given = str(tmp_path / "home"), tmp_path / "mine.csv"

    def run(*arguments: str) -> tuple[int, str]:
        status = main(["--home", home, "aliases", *arguments])
        said = capsys.readouterr()
        return status, said.out + said.err

    assert "There are no aliases" in run()[1]
    given.write_bytes(LIST)
    assert run(str(given)) == (0, "3 aliases from mine.csv hold from the next question on.\n")
    assert "  gate app: Turnstile\n" in run()[1]
    given.write_bytes(b"short,name\n")
    status, said = run(str(given))
    assert status == 1 and "Line 1: the columns have to be “alias” and “name”" in said and "still used" in said
    assert "3 aliases" in run()[1]
    assert run(str(tmp_path / "none.csv"))[0] == 1
    assert run("--remove")[0] == 0 and "There are no aliases" in run()[1]
