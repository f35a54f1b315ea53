"""A cited passage drawn as its document looks: the marks change nothing else, and nothing in it can do harm."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tree.store.leaves import Leaf
from ui.chat.document_html import CLOSE, OPEN, OPEN_CURRENT, marked_html, passage_html, told_apart

SAMPLE = Path(__file__).parents[3] / "sample"
PIECES = st.lists(
    st.sampled_from(
        ["word", " ", "\n", "\n\n", "**", "_", "`", "```\n", "| a | b |\n|---|---|\n| c | d |\n", "- ", "1. ", "# ", "> ", "[x](y)",
         "<br>", "<name>", "<script>x</script>", "![p](q)", "\\", "&amp;", "***", "~~", "    ", "[a]: b\n", "]", "(", "é", OPEN]
    ),
    max_size=24,
)  # fmt: skip


def words_in(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def marked_words(html: str) -> list[str]:
    return [words_in(part) for part in re.findall(r"<mark>(.*?)</mark>", html, re.DOTALL)]


def span(text: str, words: str) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


def test_headings_lists_tables_and_code_are_drawn_with_the_cited_words_marked() -> None:
    text = "## Steps\n\n1. Stop **sales**.\n\n| Port | Ships |\n|---|---|\n| Holm | 3 |\n\n```sh\nrm -rf x\n```\n\nNot cited.\n"
    html = marked_html(text, [(0, text.index("Not"))])
    assert "<h2><mark>Steps</mark></h2>" in html
    assert "<td><mark>Holm</mark></td>" in html and "<strong><mark>sales</mark></strong>" in html
    assert '<code class="language-sh"><mark>rm -rf x</mark>' in html
    assert "<p>Not cited.</p>" in html


def test_the_current_passage_is_marked_apart_from_the_others_also_within_one() -> None:
    text = "- The first.\n- The second, **if late** then.\n- The third.\n\n| a | b |\n|---|---|\n| one | two |\n"
    whole, second, late = (0, text.index("|")), span(text, "The second, **if late** then."), span(text, "if late")
    html = marked_html(text, [whole, second, late], [second])
    assert marked_words(html) == ["The first.", "The third."]
    assert re.findall(r'<mark class="current">(.*?)</mark>', html) == ["The second, ", "if late", " then."]
    html = marked_html(text, [whole, span(text, "| one | two |")], [span(text, "| one | two |")])
    assert re.findall(r'<mark class="current">(.*?)</mark>', html) == ["one", "two"]


def test_pieces_that_are_marked_do_not_overlap() -> None:
    assert told_apart([(0, 9), (5, 12), (20, 20)], [(3, 6), (10, 14)]) == [
        (0, 3, False), (3, 6, True), (6, 10, False), (10, 14, True),
    ]  # fmt: skip
    assert told_apart([(4, 8), (0, 2)], []) == [(0, 2, False), (4, 8, False)]


def test_only_the_cited_words_of_a_line_are_marked() -> None:
    text = "- The budget is 1,840,000 and was spent.\n"
    start = text.index("1,840")
    assert marked_words(marked_html(text, [(start, start + 9)])) == ["1,840,000"]


def test_html_in_a_document_is_its_words_and_a_placeholder_stays() -> None:
    text = 'Line<br>break of <b onclick="x()">bold</b> for <customer>.\n\n<details><summary>More</summary></details>\n'
    html = marked_html(text, [(0, 4)])
    assert "<br />" in html and "&lt;customer&gt;" in html and "More" in html
    assert "onclick" not in html and "details" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "![x](http://elsewhere.example/y)",
        "<<b>script>alert(1)</script>", "<iframe src='//elsewhere.example'></iframe>", "<a href='javascript:alert(1)'>x</a>",
        "<!-- --><svg/onload=alert(1)>", '[x](https://a.example/"onmouseover=alert(1))',
    ],
)  # fmt: skip
def test_nothing_in_a_document_is_run_or_fetched(text: str) -> None:
    html = marked_html(text, [])
    tags = re.findall(r"<(\w+)([^>]*)>", html)
    assert {name for name, _ in tags} <= {"p", "a", "span", "em", "br"}
    assert {name for _, attributes in tags for name in re.findall(r'(\w+)="', attributes)} <= {"href", "target", "rel"}
    assert not any("javascript:" in attributes for _, attributes in tags)


def test_a_link_within_the_source_is_its_words() -> None:
    assert "<a" not in marked_html("See [the log](../log.md).", [])


def test_the_fields_of_a_ticket_are_names_and_values() -> None:
    text = "- Key: KIT-1\n- Status: Done\n\n## Comments\n\n- Key: not a field\n"
    leaf = Leaf(slot="1", title="KIT-1", text=text)
    html = passage_html(leaf, [(2, 12)], "ticket", "1")
    assert html.count("<b>Key</b>") == 1 and "<b>Status</b> Done" in html.replace("<mark>", "").replace("</mark>", "")


@pytest.mark.parametrize(("kind", "name"), [("text", "a.txt"), ("code", "a.py"), ("mail", "a.eml"), ("readme", "README.txt")])
def test_what_is_no_markdown_is_shown_as_its_text(kind: str, name: str) -> None:
    assert passage_html(Leaf(slot="1", title="a", text="# not a heading"), [(0, 3)], kind, name) == ""


@given(PIECES, st.integers(0, 60), st.integers(0, 60))
@example(["**", "word", "**"], 0, 6)
@example(["word", OPEN], 0, 3)
def test_marks_change_nothing_but_themselves(pieces: list[str], start: int, end: int) -> None:
    text = "".join(pieces)
    html = marked_html(text, [(start, min(end, len(text)))], [(start + 1, min(start + 3, end, len(text)))])
    assert html == "" or re.sub("</?mark[^>]*>", "", html) == marked_html(text, [])
    assert OPEN not in html and OPEN_CURRENT not in html and CLOSE not in html


def test_the_paragraphs_of_the_sample_are_drawn_as_documents() -> None:
    drawn = tried = 0
    for path in (SAMPLE / "runbooks").rglob("*.md"):
        text = path.read_text("utf-8")
        for found in re.finditer(r"(?:^(?!\s*[|`:\-]+\s*$).+\n?)+", text, re.MULTILINE):
            tried += 1
            drawn += bool(marked_html(text, [found.span()]))
    assert drawn >= 0.98 * tried
