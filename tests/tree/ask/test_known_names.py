"""What the names in a question stand for is a step of the trail, and a model is told it with ids that it can cite."""

from __future__ import annotations

import re

import pytest

from prompts.model import answer, choose, compose
from tests.prompts.model.conftest import reader_of
from tests.prompts.model.provider import Provider, serving
from tests.prompts.model.sensible import reply_to
from tests.tree.ask.ticket_rows import open_site
from ui.shared.trail import rows

QUESTION = "Why does the scanner of Turnstile freeze, as in GWY-1?"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = open_site(tmp_path_factory.mktemp("site"))
    yield following
    following.workspace.close()


def test_the_names_in_a_question_are_a_step_of_the_trail(site) -> None:
    step = next(step for step in site.ask(QUESTION).trail if step.kind == "names")
    assert step.title == "Turnstile, GWY-1"
    assert step.reason == (
        "Turnstile: a component; Team Quay; lead Solveig Marsh; 2 tickets, 2 open. GWY-1 Gate scanner freezes: a bug; In Progress; Maren Oduya"
    )


def test_a_name_that_is_written_a_thousand_times_is_told_once(site) -> None:
    steps = [step.reason for step in site.ask("Turnstile GWY-1 " * 499).trail if step.kind == "names"]
    assert [step.count("Turnstile: a component") for step in steps] == [1]


def test_what_one_may_not_see_is_not_told_of_a_name(site) -> None:
    trail = site.ask(QUESTION, sources=[site.people.id]).trail
    assert "ticket" not in " ".join(step.reason for step in trail if step.kind == "names")


def test_a_step_that_tells_of_names_is_not_repeated_once_its_passages_have_changed() -> None:
    step = {"kind": "names", "place": "", "title": "GWY-1", "path": [], "options": [], "chosen": [], "verdict": None,
            "reason": "GWY-1 Gate scanner freezes: a bug"}  # fmt: skip
    assert rows([step])[0]["reason"] and not rows([step], quoting=False)[0]["reason"]


def test_a_model_is_told_what_names_stand_for_and_can_cite_the_facts(site) -> None:
    def composed(system: str, user: str):
        if system != compose.SYSTEM:
            return reply_to(system, user)
        number = re.search(r"(?m)^(\d+[a-z]): - assignee: Maren Oduya", user)
        assert number is not None, user
        return f"Maren Oduya knows why. [{number[1]}]"

    with serving(Provider()) as provider:
        provider.said = composed
        found = site.ask(QUESTION, reader=reader_of(provider.url, context_tokens=64_000))
        prompts = [
            one.prompt for one in provider.received if one.body["messages"][0]["content"] in (choose.SYSTEM, answer.SYSTEM)
        ]
    assert prompts and all("Turnstile: a component; Team Quay" in prompt for prompt in prompts)
    [citation] = found.citations
    assert citation.title == "GWY-1 Gate scanner freezes"
    assert [one.text for one in citation.passages] == ["- assignee: Maren Oduya"]
