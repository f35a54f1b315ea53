"""Texts change between wiki markup and ADF without losing a word, and what comes out is valid."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jira_simulator.adf import adf_of, wiki_of
from jira_simulator.model.records import Body
from tests.jira_simulator.contract import check_adf


def texts(node: Any) -> str:
    if isinstance(node, list):
        return " ".join(texts(each) for each in node)
    if not isinstance(node, dict):
        return ""
    attrs = node.get("attrs", {})
    own = [str(each) for each in (node.get("text"), *(attrs.get(name) for name in ("text", "url", "href", "language"))) if each]
    marks = [str(each["attrs"]["href"]) for each in node.get("marks", ()) if "href" in each.get("attrs", {})]
    return " ".join([*own, *marks, texts(node.get("content", []))])


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", text)


PIECES = st.sampled_from(
    ["h2. ", "* ", "** ", "# ", "#* ", "- ", "||", "|", "{code}", "{code:java}", "{noformat}", "{quote}", "{panel}", "{panel:title=abc}",
     "{info}", "----", "\n", "\r\n", "\n\n", "*", "_", "{{", "}}", "[", "]", "[~", "[abc|https://example.com/x]", "[https://example.com]",
     "alpha", "beta gamma", " ", "delta.", "(eps)", "\x01", "\U0001f6a2"],
)  # fmt: skip
MARKS = {"code", "noformat", "quote", "panel", "info", "title", "java"}


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_word_of_wiki_markup_is_lost_and_the_adf_is_valid(text) -> None:
    document = adf_of(Body(wiki=text))
    check_adf(document)
    kept = words(texts(document))
    for word in words(text):
        assert word in kept or word in MARKS, (word, document)


@pytest.mark.parametrize(
    ("wiki", "kinds"),
    [
        ("h3. Steps\n# one\n## deeper\n# two", ["heading", "orderedList"]),
        ("before\n{code:sql}\nselect *\nfrom x\n{code}\nafter", ["paragraph", "codeBlock", "paragraph"]),
        ("{noformat}one line{noformat}", ["codeBlock"]),
        ("{code:xml|title=app.xml}<a/>{code}", ["paragraph", "codeBlock"]),
        ("||a||b||\n|1|[x|https://example.com/a]|", ["table"]),
        ("{quote}\nsaid\n|a|b|\n{quote}", ["blockquote", "table"]),
        ("{warning}careful{warning}", ["panel"]),
        ("{code}\nnever closed", ["codeBlock"]),
        ("a\n----\nb", ["paragraph", "rule", "paragraph"]),
        ("", []),
    ],
)
def test_blocks_become_what_they_are(wiki, kinds) -> None:
    document = adf_of(Body(wiki=wiki))
    check_adf(document)
    assert [each["type"] for each in document["content"]] == kinds


def test_a_mention_has_the_name_of_the_person() -> None:
    document = adf_of(Body(wiki="ask [~bo]"), lambda name: ("acc-bo", "Bo Lindgren"))
    assert document["content"][0]["content"][1] == {
        "type": "mention",
        "attrs": {"id": "acc-bo", "text": "@Bo Lindgren", "accessLevel": ""},
    }


def test_wiki_markup_of_adf_says_what_it_says() -> None:
    wiki = "h2. Title\n\n*bold* _em_ {{mono}} [link|https://example.com/a]\n\n* one\n** two\n# three\n\n||a||b||\n|1|2|\n\n{code:sql}\nselect 1\n{code}\n\n----"
    again = wiki_of(Body(adf=adf_of(Body(wiki=wiki))))
    assert again.split() == wiki.split()
