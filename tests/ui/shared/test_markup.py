from __future__ import annotations

import pytest

from tree.ask.snapshot.answer import BEHIND
from ui.shared import trail
from ui.shared.markup import answer_html, escaped, without_escapes, without_markdown


def test_more_passages_are_folded() -> None:
    drawn = answer_html("Passages that may help:\n\nOne. [1]\n\nMore passages:\n\nTwo. [2]", {1, 2})
    assert drawn.index("One.") < drawn.index("<details") < drawn.index("Two.") < drawn.index("</details>")
    assert "<details" not in answer_html("```\nMore passages:\n```\n\n- More passages:", ())


def test_a_marker_becomes_a_button_that_names_its_citation() -> None:
    assert '<button type="button" class="cite" data-cite="2">2</button>' in answer_html("So it is [2].", {2})


def test_a_marker_has_the_passages_behind_it() -> None:
    html = answer_html(f"So [1{BEHIND}2,5] it [1{BEHIND}] is [1].\n\n| a [1{BEHIND}0] |\n|---|\n", {1})
    shown = [
        f'data-cite="1"{behind}>1</button>' for behind in (' data-passages="2,5"', ' data-passages=""', "", ' data-passages="0"')
    ]
    assert all(one in html for one in shown) and BEHIND not in html


def test_a_number_stays_on_the_line_of_the_word_that_it_follows() -> None:
    ends = '<span class="ends">turns.<button type="button" class="cite" data-cite="1">1</button><button type="button" class="cite" data-cite="3">3</button></span>'
    assert f"A ship {ends} More." in answer_html("A ship turns. [1][3] More.", {1, 3})
    assert "[2]</span>" in answer_html("A ship turns. [1][2]", {1})
    assert f'{"w" * 30}<span class="ends"><button' in answer_html(f"{'w' * 30} [1]", {1})


def test_only_numbers_of_citations_become_buttons() -> None:
    assert "button" not in answer_html("Array a[3], and \\[1\\] from a document, and `x[1]`.", {1})


def test_a_marker_in_a_table_is_a_button_too() -> None:
    assert "data-cite" in answer_html("| a | b |\n|---|---|\n| one [1] | two |", {1})


@pytest.mark.parametrize(
    "text",
    [
        "<script>steal()</script>",
        "<img src=x onerror=steal()>",
        "![picture](https://outside.example/p.png)",
        "[press](javascript:steal())",
        "[press](data:text/html,steal)",
        '[press](https://ok.example "onmouseover=steal()")',
        "<svg/onload=steal()>",
        "[1]: javascript:steal()\n\n[press][1]",
    ],
)
def test_nothing_of_a_document_runs_or_is_fetched(text: str) -> None:
    drawn = answer_html(text, {1})
    assert "<script" not in drawn and "<img" not in drawn and "<svg" not in drawn
    assert 'href="javascript' not in drawn and 'href="data' not in drawn and " onmouseover" not in drawn.replace("&quot;", "")


@pytest.mark.parametrize(
    "quoted",
    [
        "See [the page](https://a.example/b_(c)?d=1&e=2).",
        "It is at https://a.example/b_(c)?d=1&e=2.",
        "[r]: <https://a.example/b_(c)?d=1&amp;e=2> (The page)",
        '<a href="https://a.example/b_(c)?d=1&amp;e=2">the page</a>',
    ],
)
def test_a_link_to_an_address_that_was_quoted_opens_beside_the_app(quoted: str) -> None:
    drawn = answer_html("[a](https://a.example/b_(c)?d=1&e=2)", (), [quoted])
    assert 'href="https://a.example/b_(c)?d=1&amp;e=2" target="_blank" rel="noopener noreferrer nofollow"' in drawn


def test_a_link_between_documents_is_text() -> None:
    assert answer_html("[the log](../CHANGELOG.md)", (), ["[the log](../CHANGELOG.md)"]) == "<p><span>the log</span></p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "See [more](https://evil.example/?q=secret).",
        'See [more](<https://evil.example/x> "title").',
        "See [more here][r].\n\n[r]: https://evil.example/x",
        "See [r][].\n\n[r]: https://evil.example/x",
        "See [r].\n\n[r]: <https://evil.example/x>",
        "See <https://evil.example/a>.",
        "See <mailto:a@evil.example>.",
        "See https://evil.example/b and www.evil.example.",
        "![a [b] c](https://evil.example/?q=s)",
        "![x][r]\n\n[r]: https://evil.example/?q=s",
        "[a [b] c](https://evil.example/x)",
        "[https://good.example/page](https://evil.example/x)",
        "[more](//evil.example/x) [more](HTTPS://EVIL.example/x) [more](http&#58;//evil.example/x)",
        "[more](https://good.exam) [more](https://good.example/page?q=secret) [more](https://good.example@evil.example/)",
        "| a |\n|---|\n| [more](https://evil.example/x) <https://evil.example/y> |",
    ],
)
def test_an_address_that_nothing_quoted_has_is_no_link(text: str) -> None:
    assert "href" not in answer_html(text, (1,), ["The page is https://good.example/page."])


def test_bare_text_has_no_marks_of_markdown() -> None:
    assert without_markdown("**Stop** the `queue`, see [the log](../log.md) and *wait*") == "Stop the queue, see the log and wait"
    assert without_markdown("snake_case_name and 2 * 3 * 4") == "snake_case_name and 2 * 3 * 4"


def test_a_row_of_a_table_is_told_without_its_lines() -> None:
    row = "7 parts: budget.csv. | line | approved 5 February | spent by 30 June | Staff and …"
    assert without_markdown(row) == "7 parts: budget.csv. line · approved 5 February · spent by 30 June · Staff and …"
    assert without_markdown("| a | b |\n| --- | :-: |\n| c | |") == "a · b\n\nc"
    assert without_markdown("a | b, x || y and z | w") == "a | b, x || y and z | w"


def test_a_group_of_neighbours_is_called_by_its_ends_in_words() -> None:
    step = {
        "kind": "choose", "place": "s/|1|a", "title": "GWY-61 … GWY-298", "path": ["S"], "options": [], "chosen": [], "verdict": None,
        "reason": "“GWY-61 … GWY-298” now promises more.", "node_kind": "run",
    }  # fmt: skip
    [row] = trail.rows([step])
    assert (row["title"], row["reason"]) == ("GWY-61 to GWY-298", "“GWY-61 to GWY-298” now promises more.")
    assert trail.doing([step]) == "Searching in “GWY-61 to GWY-298”"
    assert trail.rows([{**step, "node_kind": "folder"}])[0]["title"] == "GWY-61 … GWY-298", "somebody called it so"


def test_escaped_text_is_shown_letter_by_letter() -> None:
    assert escaped("**a** :red[b] $x$") == "\\*\\*a\\*\\* \\:\u2060red\\[b\\] \\$x\\$"
    assert escaped("http://a.example www.b.example") == "http\\:\u2060//a\\.example www\u2060\\.b\\.example"


def test_an_answer_whose_passages_changed_repeats_nothing_of_them() -> None:
    option = {
        "place": "s/a",
        "title": "A",
        "kind": "leaf",
        "content_types": [],
        "summary": "It is so.",
        "evidence": "The code is 7.",
        "scent": 1,
    }
    step = {"kind": "choose", "place": "s/", "title": "S", "path": ["S"], "options": [option], "chosen": ["s/a"], "verdict": None}
    quoted = {**step, "reason": "Mentions code: “The code is 7.”", "said": "Mentions code"}
    assert "The code is 7" in str(trail.rows([quoted]))
    shown = str(trail.rows([quoted], quoting=False))
    assert "code is 7" not in shown and "It is so" not in shown and "Mentions code" in shown
    of_before = {**step, "reason": "Mentions code: “The code is 7.”"}
    assert "code" not in trail.rows([of_before], quoting=False)[0]["reason"], "nobody knows what of it is quoted"


def test_why_the_closest_sentence_is_no_answer_is_told_at_the_passage_that_is_shown_first() -> None:
    read = {
        "kind": "read", "place": "s/a", "title": "A", "path": ["S", "A"], "options": [], "chosen": [], "verdict": "partial",
        "reason": "Speaks of gate.", "near_miss": "says it of some of them only",
    }  # fmt: skip
    of_before = {name: value for name, value in read.items() if name != "near_miss"}
    steps = [read, {**read, "place": "s/b"}, {**of_before, "place": "s/c"}]
    assert [row["reason"] for row in trail.rows(steps, closest="s/a")] == [
        "Speaks of gate. Closest sentence: says it of some of them only.",
        "Speaks of gate.",
        "Speaks of gate.",
    ]
    assert {row["reason"] for place in ("", "s/c") for row in trail.rows(steps, closest=place)} == {"Speaks of gate."}


def test_what_is_copied_has_no_escapes_outside_of_code() -> None:
    assert (
        without_escapes(r"Within 7\-day \[1\] windows, run `a\-b \.` of go\/infra")
        == r"Within 7-day [1] windows, run `a\-b \.` of go/infra"
    )
    assert without_escapes("a\\\\b") == "a\\b"


def test_a_list_and_a_table_begin_where_their_script_begins() -> None:
    html = answer_html("- البند الأول\n\n| البند |\n|---|\n| ١ |\n\n> قول", ())
    assert all(f'<{tag} dir="auto">' in html for tag in ("ul", "table", "blockquote"))
