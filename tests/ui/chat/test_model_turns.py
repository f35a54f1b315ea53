"""What a turn shows of the model that answered it: marks, what it took, what broke off, steps that are new."""

from __future__ import annotations

from typing import Any

import pytest

from prompts.model.citing import UNSUPPORTED
from prompts.model.reader import CUT_SHORT
from tree.store.models import Turn
from ui.chat.turns import view
from ui.server.background_answers import BackgroundAnswer
from ui.server.scope import QuestionScope
from ui.shared import trail, usage
from ui.shared.markup import MARK_MEANS, answer_html

STEP = {
    "kind": "read", "place": "s/a", "hash": "", "title": "Kettle", "path": ["Kitchen", "Kettle"], "options": [], "chosen": [],
    "reason": "", "verdict": None, "node_kind": "leaf",
}  # fmt: skip
USAGE = {"model_calls": 3, "input_tokens": 4_000, "output_tokens": 210, "cost": 0.004, "model": "openai:gpt-x", "seconds": 2.0}


def answered(text: str, **fields: Any) -> Turn:
    answer = {
        "question": "?", "answer": text, "verdict": "none", "citations": [], "trail": [STEP], "version": 1, "as_of": None,
        "coverage": {}, "usage": USAGE, "notes": [], "closest": [{"place": "s/a", "title": "Kettle", "path": ""}], "cut": False,
    }  # fmt: skip
    return Turn(id="t", chat_id="c", number=1, question="?", scope="", state="done", answer=answer | fields, steps=[], asked_at=0)


def test_a_sentence_without_a_source_has_a_mark_that_says_what_it_means() -> None:
    html = answer_html(f"Boil it.{UNSUPPORTED} Then wait [1].", {1})
    assert html.count('class="unsupported"') == 1 and MARK_MEANS in html and "<em>" not in html
    assert 'data-cite="1"' in html
    assert "unsupported" not in answer_html("*(no sources)* and (no source)", ())


def test_an_answer_says_what_it_took() -> None:
    data = view(answered("Boil it."), None, ())
    assert data["usage"] == "gpt-x · 3 calls · 4,210 tokens · 0.4 ct"
    assert data["usage_hint"] == "4,000 tokens read; 210 written"


def test_an_answer_made_without_a_model_says_nothing_of_one() -> None:
    assert view(answered("Boil it.", usage={"model_calls": 0, "model": "", "seconds": 0.1}), None, ())["usage"] == ""


@pytest.mark.parametrize(
    ("amount", "words"), [(0.0, "0 ct"), (0.000_2, "less than 0.1 ct"), (0.335, "33.5 ct"), (12.5, "12.50"), (0.996, "1.00")]
)
def test_small_amounts_are_told_in_hundredths(amount: float, words: str) -> None:
    assert usage.money(amount) == words


def test_an_answer_that_broke_off_says_so_and_is_not_called_unanswered() -> None:
    text = f"Fill the kettle w{UNSUPPORTED}{CUT_SHORT}"
    asides = [{"says": "cut", "start": len("Fill the kettle w"), "end": len(text)}]
    data = view(answered(text, cut=True, asides=asides), None, ())
    assert (data["cut"], data["verdict_words"], data["closest"]) == (True, "Cut off", [])
    assert data["html"] == "<p>Fill the kettle w …</p>\n"


def test_the_notes_of_an_answer_are_drawn_as_they_are() -> None:
    notes = ["It is slow. A passage was judged without the model.", "Team is paused."]
    assert view(answered("Boil it.", notes=notes), None, ())["notes"] == notes


def test_text_is_drawn_while_it_is_written_with_marks_that_open_nothing_yet() -> None:
    turn = Turn(id="t", chat_id="c", number=1, question="?", scope="", state="running", steps=[], asked_at=0)
    data = view(
        turn, BackgroundAnswer("t", "?", QuestionScope(), "ada", state="running", steps=[STEP], text="Fill it [1] and"), ()
    )
    assert data["running"] and data["doing"] == "Writing the answer"
    assert 'data-cite="1"' in data["html"] and data["citations"] == []


def test_a_kind_of_step_that_is_not_known_is_drawn_with_its_name() -> None:
    step = STEP | {"kind": "second_look", "title": "Pot"}
    assert trail.rows([step])[0]["verb"] == "Second look"
    assert trail.doing([step]) == "Second look “Pot”"


def test_an_option_of_an_outline_shows_the_way_to_it_and_why_it_was_chosen() -> None:
    option = {
        "place": "s/a", "title": "Kettle", "kind": "leaf", "summary": "", "scent": 0.5, "evidence": "", "content_types": [],
        "path": ["Kitchen"], "why": "It names the kettle.",
    }  # fmt: skip
    [row] = trail.rows([STEP | {"kind": "choose", "options": [option], "chosen": ["s/a"]}])
    assert (row["options"][0]["crumbs"], row["options"][0]["why"]) == (["Kitchen"], "It names the kettle.")
    [unquoted] = trail.rows([STEP | {"kind": "choose", "options": [option], "chosen": ["s/a"]}], quoting=False)
    assert unquoted["options"][0]["why"] == ""
