"""JSON is got out of whatever a model wraps it in; thoughts are not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.model.reply_repair import ThinkFilter, parse_json_reply

VALUE = {"a": [1, {"b": '} ,] \\ " <think>'}], "c": ""}
JSON = json.dumps(VALUE)


@pytest.mark.parametrize(
    "reply",
    [
        JSON, f"```json\n{JSON}\n```", f"<think>{{no}} not {{this}}</think>{JSON}", f"Hm.</think>\n{JSON}", f"Well: {JSON} Bye {{}}.",
        JSON.replace('""}', '"",}'), json.dumps(VALUE, indent=2).replace("\n  ]", ",\n  ]"),
    ],
)  # fmt: skip
def test_json_is_found(reply: str) -> None:
    assert parse_json_reply(reply) == VALUE


@pytest.mark.parametrize("reply", ["", "No.", "[1, 2]", '{"a": [1, 2', "{not json}"])
def test_what_is_no_object_is_not_made_into_one(reply: str) -> None:
    with pytest.raises(ValueError, match="JSON"):
        parse_json_reply(reply)


@given(st.lists(st.sampled_from(["<think>", "</think>", "<th", "ink>", "</", "a < b", "x", "<", "\n"]), max_size=12))
def test_thoughts_go_however_a_stream_is_cut(parts: list[str]) -> None:
    text = "".join(parts)
    whole, pieces = ThinkFilter(), ThinkFilter()
    shown = whole.feed(text) + whole.rest()
    assert "".join(pieces.feed(char) for char in text) + pieces.rest() == shown
    assert "<think>" not in shown or "<th" in parts  # the halves around a thought may make a word that opens nothing


def test_text_around_thoughts_is_kept() -> None:
    thoughts = ThinkFilter()
    assert [thoughts.feed(chunk) for chunk in ("Yes<thi", "nk>no</thi", "nk>, a <b")] == ["Yes", "", ", a <b"]
    assert thoughts.rest() == ""


def test_a_passage_may_quote_the_tag_of_thoughts() -> None:
    assert parse_json_reply('{"quote": "it ends with </THINK> in capitals"}') == {"quote": "it ends with </THINK> in capitals"}
