"""Each format, read from a file that the test writes with the format's own library."""

from __future__ import annotations

import io
import json
import zipfile
from email.message import EmailMessage
from typing import Any

import pytest
from docx import Document as WordDocument
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches

from connectors.base import Section
from connectors.formats import parse_bytes
from connectors.formats.parsed import Options, Parsed


def read(name: str, content: str | bytes, **options: object) -> Parsed:
    return parse_bytes(name, content.encode() if isinstance(content, str) else content, Options(**options))


def headings(parsed: Parsed) -> list[tuple[str, ...]]:
    return [section.locator.heading for section in parsed.sections]


def text(parsed: Parsed) -> str:
    return "\n\n".join(section.text for section in parsed.sections)


def assert_verbatim(source: str, parsed: Parsed, *, is_indented: bool = True) -> None:
    """Every section is the slice of the file that its lines say; or it is but for its margins."""
    lines = source.split("\n")
    for section in parsed.sections:
        assert section.locator.lines is not None
        first, last = section.locator.lines
        if section.text:
            text = section.text if is_indented else "\n".join(map(str.strip, section.text.split("\n")))
            assert text == "\n".join(lines[first - 1 : last])


# ---------------------------------------------------------------- text with lines

MARKDOWN = """\
Before.

# Guide *to* `x`

Intro.

```sh
# no heading
```

## Install [it](http://a)

- a

Old style
---------

Text.

## Empty

## Last {#anchor}
End.
"""


def test_a_table_of_html_in_markdown_becomes_one_of_markdown() -> None:
    table = [
        "<table>",
        "<tr><th>Gauge</th><th>Unit</th></tr>",
        "",
        "<tr>",
        "  <td><code>depth</code></td>",
        "  <td>metres</td>",
        "</tr>",
        "</table>",
    ]
    parsed = read("gauges.md", "\n".join(["# Gauges", "Before.", *table, "After."]))
    assert [(section.text, section.locator.lines) for section in parsed.sections] == [
        ("Before.", (2, 2)),
        ("| Gauge | Unit |\n| --- | --- |\n| `depth` | metres |", None),
        ("After.", (11, 11)),
    ]


@pytest.mark.parametrize(
    "text", ["```html\n<table><tr><td>x</td></tr></table>\n```", "<table>\n<tr><td>never closed", "    <table></table>"]
)
def test_html_that_is_no_table_stays_word_for_word(text: str) -> None:
    assert [section.text for section in read("page.md", text).sections] == [text]


def test_markdown_is_cut_at_its_headings_word_for_word() -> None:
    parsed = read("a.md", MARKDOWN)
    assert parsed.title == "Guide to x"
    assert headings(parsed) == [
        (), ("Guide to x",), ("Guide to x", "Install it"), ("Guide to x", "Old style"), ("Guide to x", "Empty"),
        ("Guide to x", "Last"),
    ]  # fmt: skip
    assert parsed.sections[4].text == "" and parsed.sections[4].locator.lines == (20, 20)
    assert_verbatim(MARKDOWN, parsed)


def test_front_matter_gives_title_and_metadata() -> None:
    source = "---\ntitle: Restart\nowner: Jane\ntags: [ops, db]\n---\n# Other\nText.\n"
    parsed = read("a.md", source)
    assert parsed.title == "Restart" and parsed.metadata == {"owner": "Jane", "tags": "ops, db"}
    assert "owner: Jane" in text(parsed)
    assert_verbatim(source, parsed)


def test_front_matter_for_the_website_alone_is_no_content() -> None:
    assert text(read("a.md", "---\nlayout: post\ntitle: T\n---\nText.\n")) == "Text."


def test_a_very_long_file_is_still_cut_at_its_headings() -> None:
    source = "# One\n\n```sh\n# no\n```\n\n## Two ##\n" + "- a\n" * 120_000
    parsed = read("a.md", source)
    assert dict.fromkeys(headings(parsed)) == dict.fromkeys([("One",), ("One", "Two")])
    assert_verbatim(source, parsed)


def test_windows_line_ends_and_marks_do_not_shift_lines() -> None:
    parsed = read("a.md", b"\xef\xbb\xbf# One\r\n\r\nText.\r\n")
    assert parsed.title == "One" and parsed.sections[0].locator.lines == (3, 3) and parsed.sections[0].text == "Text."


def test_restructured_text_knows_both_kinds_of_titles() -> None:
    source = (
        "=====\nGuide\n=====\n\nIntro.\n\n.. _x:\n\nInstall ``it``\n--------------\n\nDo::\n\n    a\n    ---\n\nMore\n~~~~\nx\n"
    )
    parsed = read("a.rst", source)
    assert headings(parsed) == [("Guide",), ("Guide", "Install it"), ("Guide", "Install it", "More")]
    assert [section.text for section in parsed.sections] == ["Intro.", "Do:\n```\na\n---\n```", "x"]
    assert [section.locator.lines for section in parsed.sections] == [(5, 5), (12, 16), (19, 19)]


def test_restructured_text_is_read_with_its_numbers_titles_and_code() -> None:
    source = (
        "Guide\n=====\n\n#. See :ref:`it` and :ref:`else`.\n#. Do:\n\n   .. code-block:: sh\n      :linenos:\n\n      run\n\n   #. Wait.\n"
        "#. Look.\n\n#. Anew.\n\n.. _it:\n\nInstall\n-------\n\nText.\n"
    )
    parsed = read("a.rst", source)
    assert parsed.sections[0].text == (
        "1. See [Install](#install) and [else](else).\n2. Do:\n\n\n\n   ```sh\n   run\n   ```\n   1. Wait.\n3. Look.\n\n4. Anew."
    )
    assert parsed.sections[1].locator.lines == (22, 22)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("CHAPTER I\n\nText.\n\nCHAPTER II\n\nText.\n", [("CHAPTER I",), ("CHAPTER II",)]),
        ("Plan\n====\n\nText.\n\nRisks\n-----\n\nText.\n", [("Plan",), ("Plan", "Risks")]),
        ("1. Aim\n\na\n\n1.1 Detail\n\nb\n\n2. End\n\nc\n", [("1. Aim",), ("1. Aim", "1.1 Detail"), ("2. End",)]),
        ("== #dock ==\nAda: the crane is free\n\n== #yard ==\nBen: thanks\n", [("#dock",), ("#yard",)]),
        ("--- 25 Nov ---\n09:10 Ada: the crane is free\n--- 26 Nov ---\n09:12 Ben: thanks\n", [()]),
        ("Just a text.\n\nOf two paragraphs.\n", [()]),
        ("Buy\n\n1. Milk\n2. Bread\n3. Salt\n", [()]),
        (
            "1. Cranes\nThe north crane is out until the gear has come from Oster.\n\n2) LAMPS\nBram orders forty new lamps for the long pier.\n\n"
            "3. Gates - the west gate sticks again, and nobody knows who has the key to its box.\n\n4. Rest\nThe autumn party is on the last Friday in the shed.\n",
            [("1. Cranes",), ("2) LAMPS",), ("3. Gates",), ("4. Rest",)],
        ),
        (
            "1. Open the valve\nTurn it left.\n\n2. Wait\nOne minute.\n\n3. Close it\nThe lamp goes out.\n",
            [()],
        ),
        (
            "1. Open the valve\n   Turn it to the left until you hear a click, and then wait.\n\n2. Close the valve\n   Turn it back again.\n\n"
            "3. Look at the lamp\n   It has to be green again before you go on with the next one.\n",
            [()],
        ),
    ],
)
def test_plain_text_has_headings_where_they_are_plain(source: str, found: list[tuple[str, ...]]) -> None:
    parsed = read("a.txt", source)
    assert headings(parsed) == found and parsed.sections[0].markup == "plain"
    assert_verbatim(source, parsed)


@pytest.mark.parametrize(
    ("source", "title", "text"),
    [
        ("Label printer jammed\n\n1 switch it off\n2 open the flap\n", "Label printer jammed", "1 switch it off\n2 open the flap"),
        ("ALARM AT NIGHT\nCall the guard, and do not go in alone.\n", "ALARM AT NIGHT", "Call the guard, and do not go in alone."),
        ("MEETING 3 Nov    notes by Ada\nIt was about the flap of the printer.\nAnd more.\n", "MEETING 3 Nov notes by Ada", None),
        ("We met on Monday and spoke of the flap of the printer\nwhich had jammed.\n", "", None),  # a sentence over two lines
        ("From: Ada\n\nThe printer has jammed again, says Ben.\n", "", None),
        ("milk\n\nbread\n\neggs\n", "", None),
        ("- milk\n- bread\n- eggs\n", "", None),
    ],
)  # fmt: skip
def test_the_first_line_of_a_plain_text_may_be_its_title(source: str, title: str, text: str | None) -> None:
    parsed = read("a.txt", source)
    assert parsed.title == title
    assert [section.text for section in parsed.sections] == [source.strip() if text is None else text]
    assert_verbatim(source, parsed)


def whole(text: str) -> str:
    return "\n\n".join(section.text for section in parse_bytes("words.txt", text.encode()).sections)


def test_two_aligned_columns_are_a_list_of_terms() -> None:
    lines = [
        "Words",
        "",
        "Petrel      the crane at the quay. Old.",
        "dead berth  one that nobody rents",
        "log         what the crew writes",
        "tide        up and down",
    ]
    text = whole("\n".join(lines))
    assert "- **Petrel**: the crane at the quay. Old." in text and "- **dead berth**: one that nobody rents" in text
    for kept in (
        [*lines[2:5]],  # too few of them
        ["a  one two  three", "b  one two  three", "c  one two  three", "d  one two  three"],  # a table
        ["a   one two", "bb  one two", "c one two three", "d    one two"],  # not aligned
        ["10  12 13", "11  14 15", "12  16 17", "13  18 19"],  # numbers
        [f"0{day}/11 09:15  Ada: the crane is free again" for day in range(1, 6)],  # a chat
    ):
        assert whole("\n".join(kept)).strip() == "\n".join(kept)


def test_a_long_text_without_structure_is_cut_at_paragraphs() -> None:
    source = "\n\n".join(f"Paragraph {number} of some length. " * 10 for number in range(300))
    parsed = read("a.txt", source)
    assert all(len(section.text) <= 16_000 for section in parsed.sections) and len(parsed.sections) > 5
    assert_verbatim(source, parsed)


def test_org_is_cut_at_its_stars() -> None:
    source = "#+TITLE: Log\n* One :tag:\ntext\n#+BEGIN_SRC sh\n* no\n#+END_SRC\n** Two\nb\n"
    parsed = read("a.org", source)
    assert parsed.title == "Log" and headings(parsed) == [(), ("One",), ("One", "Two")]
    assert_verbatim(source, parsed)


def test_python_is_cut_at_its_definitions() -> None:
    source = '"""Doc."""\nimport os\n\n\n# why\n@cache\ndef one():\n    pass\n\n\nclass Two:\n    def m(self): ...\n'
    parsed = read("a.py", source)
    assert headings(parsed) == [(), ("def one",), ("class Two",)] and parsed.sections[1].text.startswith("# why\n@cache")
    assert parsed.sections[0].markup == "code"
    assert_verbatim(source, parsed)


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        ("a.go", "package main\n\n// Run runs.\nfunc Run(a int) {\n\tx()\n}\n", [(), ("func Run",)]),
        (
            "a.ts",
            "export class A {\n  b() {}\n}\n\nexport async function c() {\n}\n",
            [("export class A",), ("export async function c",)],
        ),
        ("a.c", "#include <x>\n\nint main(int argc)\n{\n  return 0;\n}\n", [(), ("int main",)]),
        ("bad.py", "def broken(:\n    pass\n", [("def broken",)]),
        ("Dockerfile", "FROM x\nRUN y\n", [()]),
    ],
)
def test_other_code_is_cut_by_its_look(name: str, source: str, found: list[tuple[str, ...]]) -> None:
    parsed = read(name, source)
    assert headings(parsed) == found and parsed.kind == "code"
    assert_verbatim(source, parsed)


def test_yaml_is_kept_word_for_word_by_key() -> None:
    source = "# top\nname: x\nlist:\n  - a\n'quoted key': 1\n"
    parsed = read("a.yaml", source)
    assert headings(parsed) == [(), ("name",), ("list",), ("quoted key",)] and parsed.sections[2].text == "list:\n  - a"
    assert_verbatim(source, parsed)


def test_settings_are_cut_at_their_tables() -> None:
    source = "a = 1\n[tool.x]\nb = 2\n"
    parsed = read("a.toml", source)
    assert headings(parsed) == [(), ("tool.x",)]
    assert_verbatim(source, parsed)


# ---------------------------------------------------------------- data


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_a_table_is_read_with_the_delimiter_it_has(mark: str) -> None:
    parsed = read("a.csv", f"Team{mark}City\nBlues{mark}St. Louis, MO\n" if mark != "," else 'Team,City\nBlues,"St. Louis, MO"\n')
    assert text(parsed) == "| Team | City |\n| --- | --- |\n| Blues | St. Louis, MO |"
    assert parsed.sections[0].locator.part == "line 2"


def test_a_long_table_repeats_its_header_and_tells_its_lines() -> None:
    parsed = read("a.csv", "id,word\n" + "".join(f"{number},{'x' * 50}\n" for number in range(1_000)))
    assert len(parsed.sections) > 10
    assert all(
        section.text.startswith("| id | word |\n| --- | --- |\n") and len(section.text) < 6_000 for section in parsed.sections
    )
    assert parsed.sections[0].locator.part.startswith("lines 2-") and parsed.sections[-1].locator.part.endswith("-1001")


def test_a_row_put_into_a_long_table_changes_only_the_piece_around_it() -> None:
    rows = [f"{number},word {number * number}\n" for number in range(2_000)]
    before = {section.text for section in read("a.csv", "id,word\n" + "".join(rows)).sections}
    for at in (0, 700, 1_999):
        after = {section.text for section in read("a.csv", "id,word\n" + "".join([*rows[:at], "new,row\n", *rows[at:]])).sections}
        assert len(after - before) <= 2 < len(before)


def test_rows_of_long_texts_are_records() -> None:
    parsed = read("a.csv", f'key,text\nAB-1,"{"word " * 200}"\nAB-2,"line\nbreak {"word " * 200}"\nAB-3,{"word " * 200}\n')
    assert headings(parsed) == [("AB-1",), ("AB-2",), ("AB-3",)]
    assert parsed.sections[0].text.startswith("key: AB-1\ntext: word") and parsed.sections[2].locator.part == "line 5"


def test_notes_around_the_rows_are_no_rows() -> None:
    parsed = read(
        "a.csv",
        "no,client,opened\n1,Bakery Ode,2026-03-01\n# prices are net, but for number 1\n2,Hotel Alder,2026-04-02\n"
        "Note: closed ones, see the folder\n# phones:\nthe rest is kept on paper in the cellar\n",
    )
    table, notes = parsed.sections
    assert table.text.endswith("| 2 | Hotel Alder | 2026-04-02 |") and table.text.count("\n") == 3
    assert notes.text.split("\n\n") == [
        "prices are net, but for number 1", "Note: closed ones, see the folder", "phones:", "the rest is kept on paper in the cellar",
    ]  # fmt: skip
    assert notes.locator.part == "lines 3-7"


@pytest.mark.parametrize(
    "row",
    [
        "# hotfix lamp,Bo Ek,2026-12-03",
        "Note: call Bo,Bo Ek,2026-12-03",
        "#general chat,Ida,20",
        "#12,Bakery Ode,",
        "Bakery Ode of the Harbour,,",
        "Notes,2,3",
    ],
)
def test_a_row_with_little_in_it_stays_one(row: str) -> None:
    parsed = read("a.csv", f"no,client,opened\n{row}\n2,Hotel Alder,2026-04-02\n")
    assert len(parsed.sections) == 1 and text(parsed).count("\n") == 3


def test_the_last_rows_may_have_one_cell_alone() -> None:
    parsed = read(
        "a.csv",
        "task,owner,due\nPaint the gate,Ida,2026-12-01\nOil it,Per,2026-12-02\nReplace the lamp at pier two,,\nCount all ropes in the shed,,\n",
    )
    assert len(parsed.sections) == 1 and "Count all ropes" in text(parsed)


def test_json_becomes_indented_lines_by_key() -> None:
    content = {"title": "Plan", "ok": True, "none": None, "steps": [{"do": "a\nb"}, 2], "long": {"x": "y " * 3_000, "z": 1}}
    parsed = read("a.json", json.dumps(content))
    assert parsed.title == "Plan" and headings(parsed)[0] == () and ("long",) in headings(parsed)
    assert "ok: yes\nnone: none" in text(parsed) and "- do:\n" in text(parsed)


def test_json_lines_are_records() -> None:
    lines = [json.dumps({"key": f"AB-{number}", "text": "word " * 200}) for number in range(3)]
    parsed = read("a.jsonl", "\n".join([*lines, "{broken"]))
    assert headings(parsed) == [("AB-0",), ("AB-1",), ("AB-2",)] and parsed.sections[1].locator.part == "line 2"
    assert "1 of its lines" in parsed.problems[0].reason


def test_json_that_is_cut_off_is_shown_as_it_is() -> None:
    parsed = read("a.json", '{"name": "Jane",\n "x": [1, 2')
    assert "Jane" in text(parsed) and parsed.problems[0].kind == "partial"


def test_xml_becomes_indented_lines() -> None:
    parsed = read("a.xml", '<plan title="P"><step n="1">Do <b>it</b> now</step><empty/></plan>')
    assert "step: (n=1) Do now" in text(parsed) and "b: it" in text(parsed)


def test_a_feed_is_its_entries() -> None:
    parsed = read(
        "a.xml",
        "<rss><channel><title>News</title><item><title>One</title><link>https://x.org/1</link><pubDate>Mon</pubDate>"
        "<description>&lt;p&gt;Hello &lt;b&gt;you&lt;/b&gt;&lt;/p&gt;&lt;script&gt;bad()&lt;/script&gt;</description></item></channel></rss>",
    )
    assert parsed.title == "News" and headings(parsed) == [("One",)]
    assert parsed.sections[0].text == "Date: Mon\n\nHello you" and parsed.sections[0].locator.url == "https://x.org/1"


def test_a_notebook_is_its_cells() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Study\n", "Why.\n", "## Data"]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"output_type": "stream", "text": ["1\n"]}]},
        {"cell_type": "code", "source": "x", "outputs": [{"output_type": "display_data", "data": {"image/png": "AAAA"}}]},
    ]
    parsed = read("a.ipynb", json.dumps({"cells": cells, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}))
    assert parsed.title == "Study"
    assert [(section.locator.cell, section.locator.heading) for section in parsed.sections] == [
        (1, ("Study",)), (1, ("Study", "Data")), (2, ("Study", "Data")), (3, ("Study", "Data")),
    ]  # fmt: skip
    assert parsed.sections[2].text == "```python\nprint(1)\n```\n\nOutput:\n\n```\n1\n```"
    assert "AAAA" not in text(parsed)


# ---------------------------------------------------------------- HTML

PAGE = """<!doctype html><html><head><title>The page</title><style>p {}</style><script>evil()</script></head><body>
<nav><a href="/">Home</a></nav><header>Site name</header>
<main><h1>Guide<a class="headerlink" href="#g">¶</a></h1><p>Hello <b>bold</b>
 and <a href="other.html">other</a> and <a href="#x">here</a>.<br>New line.</p>
<h2>Steps</h2><ol start="3"><li>First<ul><li>sub</li></ul></li><li><p>Second</p><pre><code class="language-sh">ls -l
cd</code></pre></li></ol>
<table><tr><th>A</th><th>B</th></tr><tr><td rowspan="2">1</td><td>x|y</td></tr><tr><td>z</td></tr></table>
<img src="http://outside/x.png" alt="A chart of load"><div style="display:none">hidden</div>
<blockquote>Quoted</blockquote><dl><dt>Term</dt><dd>Meaning</dd></dl></main><footer>Imprint</footer></body></html>"""


def test_a_page_becomes_markdown_by_heading() -> None:
    parsed = read("a.html", PAGE)
    assert parsed.title == "The page" and headings(parsed) == [("Guide",), ("Guide", "Steps")]
    assert parsed.sections[0].text == "Hello bold and [other](other.html) and here.\nNew line."
    body = parsed.sections[1].text
    assert body.startswith("3. First\n   - sub\n4. Second\n\n   ```sh\n   ls -l\n   cd\n   ```")
    assert "| A | B |\n| --- | --- |\n| 1 | x\\|y |\n| 1 | z |" in body
    assert "A chart of load" in body and "> Quoted" in body and "- Term\n  Meaning" in body
    for word in ("evil", "hidden", "Home", "Site name", "Imprint", "outside"):
        assert word not in text(parsed)


def test_a_page_that_is_all_menu_keeps_its_text() -> None:
    parsed = read(
        "a.html", "<html><body><div class='sidebar'>" + "<p>What the page has to say.</p>" * 30 + "</div></body></html>"
    )
    assert "What the page has to say." in text(parsed)


def test_a_page_that_lies_about_its_encoding_is_read_right() -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Größe: 5 €</p></body></html>'
    assert text(read("a.html", page)) == "Größe: 5 €"
    russian = "<html><head><meta charset='utf-8'></head><body><p>Однажды в студеную зимнюю пору я из лесу вышел</p></body></html>"
    assert "Однажды в студеную" in text(read("a.html", russian.encode("cp1251")))


def test_a_page_named_text_is_read_as_a_page() -> None:
    assert text(read("a.txt", "<!DOCTYPE html><html><body><p>Hi</p></body></html>")) == "Hi"


def test_a_page_without_headings_takes_its_bold_lines() -> None:
    parsed = read("a.html", "<body><p><b>Part One</b></p><p>Text.</p><p><b>Part Two</b></p><p>A <b>word</b>.</p></body>")
    assert headings(parsed) == [("Part One",), ("Part Two",)] and parsed.sections[1].text == "A word."


def test_bold_by_style_counts_and_the_head_of_every_page_does_not() -> None:
    page = "<p style='font-weight:bold'>ACME INC.</p><p style='font-weight: 700'>ITEM {0}</p><p>Text {0}.</p>"
    parsed = read("a.html", "".join(page.format(number) for number in range(1, 5)))
    assert headings(parsed) == [(), ("ITEM 1",), ("ITEM 2",), ("ITEM 3",), ("ITEM 4",)]


def test_bold_questions_are_headings_below_those_of_the_page() -> None:
    page = "<h2>For guests</h2><p><a><b>When is the gate\n open?</b></a><br>Until ten.<p>On Sundays too.<p><b>Who has a key?</b> Ida.</p>"
    parsed = read("a.html", page)
    assert headings(parsed)[-2:] == [("For guests", "When is the gate open?"), ("For guests", "Who has a key?")]
    assert [section.text for section in parsed.sections][-2:] == ["Until ten.\n\nOn Sundays too.", "Ida."]
    alone = read("a.html", "<h2>For guests</h2><p><b>Why?</b> Nobody knows.</p>")
    assert headings(alone) == [("For guests",)]


def test_deeply_nested_pages_are_read() -> None:
    assert "deep" in text(read("a.html", "<div>" * 1_500 + "deep" + "</div>" * 1_500))


# ---------------------------------------------------------------- office


def saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def test_a_table_of_a_page_may_have_no_header() -> None:
    rows = (
        ("Thu 14 Jan", "Parents' evening", "16.30"),
        ("8 - 12 Feb", "Work experience", "all week"),
        ("Wed 3 March", "Race", "pm"),
    )
    page = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    assert text(read("a.html", f"<table>{page}</table>")).startswith("- Thu 14 Jan · Parents' evening · 16.30\n- 8 - 12 Feb")
    head = "<tr><td>Day</td><td>What</td><td>2026</td></tr>"
    assert text(read("a.html", f"<table>{head}{page}</table>")).startswith("| Day | What | 2026 |")


@pytest.mark.parametrize("mark", [" | ", "\t"])
def test_columns_between_bars_or_tabs_are_a_table(mark: str) -> None:
    rows = (
        ("week from   ", "first  ", "second"),
        ("16 Nov      ", "Delphi ", "Fergus"),
        ("21 Dec (X)  ", "Kit    ", "Amos"),
        ("4 Jan       ", "Bram   ", ""),
    )
    lines = [mark.join(row) for row in rows]
    told = text(read("a.txt", "On call\n\nSwap by mail.\n\n" + "\n".join(lines) + "\n\nAsk Bram.\n"))
    assert "| week from | first | second |\n| --- | --- | --- |\n| 16 Nov | Delphi | Fergus |\n" in told and told.endswith(
        "Ask Bram."
    )
    apart = [line.replace("|", "/") for line in lines[:2]]
    assert "---" not in text(read("a.txt", "\n".join(apart)))


ALIGNED = """\
  Ferry              until 30 June    from 1 July
  Adult                       4.50           4.80
  Bicycle, folded             free           0.50
  Car under 5 m              21.00          22.40
"""


@pytest.mark.parametrize("rule", ["", "  -----------------  -------------  -------------\n"])
def test_columns_held_apart_by_spaces_are_a_table(rule: str) -> None:
    table = (
        "| Ferry | until 30 June | from 1 July |\n| --- | --- | --- |\n| Adult | 4.50 | 4.80 |\n| Bicycle, folded | free | 0.50 |"
    )
    first, rest = ALIGNED.split("\n", 1)
    said = f"Dear all,\n\nthe prices:\n{first}\n{rule}{rest}\nThey rise for the last time.\n"
    told = text(read("a.txt", said))
    assert f"the prices:\n\n{table}" in told and told.endswith("They rise for the last time.")
    mail = f"From: Ida <ida@harbour.example>\nSubject: Ferry\nContent-Type: text/plain; charset=utf-8\n\n{said}"
    assert table in text(read("a.eml", mail))


def test_a_table_between_spaces_keeps_the_lines_below_it_where_they_are() -> None:
    sections = read("a.txt", f"{ALIGNED}\n{'Boats wait at the quay until noon. ' * 4}\n").sections
    assert sections[0].locator.lines == (1, 6)


@pytest.mark.parametrize(
    "block",
    [
        "def open(self):     # of the lock\n    self.a = 1      # first\n    self.b = 2      # second\n    self.c = 3      # third",
        "petrel      the crane at the quay\nteal        the small crane\nskua        the pilot boat\ntern        the ferry",
        "12.50     8.40    2\n11.20     7.10    4\n10.00     6.00    8\n 9.50     5.00    9",
        "The gate is shut.  It opens at noon.\nNobody waits.  The lamp is red.\nAsk Ida.  She has the key.",
        "1. Close the gate.       Wait 5 min.\n2. Drain the lock.       Wait 9 min.\n3. Open the sluice.      Wait 2 min.\n4. Ring.                 Wait 1 min.",
        "Contents........  1\nGates...........  2\nLocks...........  4\nCranes..........  8",
    ],
)
def test_what_else_has_gaps_is_no_table(block: str) -> None:
    assert "---" not in text(read("a.txt", f"Notes.\n\n{block}\n\nAsk Bram.\n"))


def test_what_is_crossed_out_stays_so() -> None:
    page = "<p><del>Tue 1 Dec</del> <b>Thu 3 Dec</b> parents' evening, <s>hall </s>gym</p><ul><li><span style='text-decoration: line-through'>Order salt</span></li></ul>"
    assert text(read("a.html", page)) == "~~Tue 1 Dec~~ Thu 3 Dec parents' evening, ~~hall~~ gym\n\n- ~~Order salt~~"
    document = WordDocument()
    paragraph = document.add_paragraph("Meet on ")
    for said, is_struck in (("Tues", True), ("day", True), (" ", None), ("Friday", False)):
        paragraph.add_run(said).font.strike = is_struck
    assert text(read("a.docx", saved(document))) == "Meet on ~~Tuesday~~ Friday"


def test_a_word_file_has_headings_lists_tables_comments_and_edges() -> None:
    document = WordDocument()
    document.add_heading("The plan", 0)
    document.add_heading("Aim", 1)
    run = document.add_paragraph("We want this.").runs[0]
    document.add_comment(run, text="Really?", author="Jane")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    document.add_heading("Costs", 2)
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip([cell for row in table.rows for cell in row.cells], ["Item", "Price", "Tea", "2"], strict=True):
        cell.text = words
    document.sections[0].header.paragraphs[0].text = "Confidential"
    parsed = read("a.docx", saved(document))
    assert parsed.title == "The plan"
    assert headings(parsed) == [
        ("The plan",),
        ("The plan", "Aim"),
        ("The plan", "Aim", "Costs"),
        ("Header and footer",),
        ("Comments",),
    ]
    assert parsed.sections[1].text == "We want this.\n\n- one\n- two\n1. first"
    assert parsed.sections[2].text == "| Item | Price |\n| --- | --- |\n| Tea | 2 |"
    assert [section.text for section in parsed.sections[3:]] == ["Confidential", "Jane: Really?"]


def test_slides_have_titles_notes_and_tables() -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Why"
    slide.placeholders[1].text = "one\ntwo"
    slide.notes_slide.notes_text_frame.text = "Say it slowly."
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Numbers"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for column, words in enumerate(("A", "B")):
        table.cell(0, column).text, table.cell(1, column).text = words, str(column)
    parsed = read("a.pptx", saved(show))
    assert [(section.locator.slide, section.locator.heading, section.text) for section in parsed.sections] == [
        (1, ("Why",), "- one\n- two"),
        (1, ("Why", "Notes"), "Say it slowly."),
        (2, ("Numbers",), "| A | B |\n| --- | --- |\n| 0 | 1 |"),
    ]


def test_a_workbook_is_its_sheets() -> None:
    book = Workbook()
    book.active.title = "Sales"
    for row in (["Quarterly sales", None], ["Region", "Sum"], ["North", 12.5], ["South", 7]):
        book.active.append(row)
    book.create_sheet("Empty")
    parsed = read("a.xlsx", saved(book))
    assert {section.locator.sheet for section in parsed.sections} == {"Sales"}
    assert parsed.sections[0].text == "Quarterly sales"
    assert parsed.sections[1].text == "| Region | Sum |\n| --- | --- |\n| North | 12.5 |\n| South | 7 |"
    assert parsed.sections[1].locator.part == "rows 3-4"


def test_a_workbook_above_the_limit_of_cells_is_read_up_to_it() -> None:
    book = Workbook()
    for number in range(500):
        book.active.append([number, "x"])
    parsed = read("a.xlsx", saved(book), max_cells=200)
    assert parsed.problems[0].kind == "limit" and "200 cells" in parsed.problems[0].reason and "| 50 | x |" in text(parsed)


def test_an_opendocument_text_is_read() -> None:
    from odf.opendocument import OpenDocumentText
    from odf.table import Table, TableCell, TableRow
    from odf.text import H, List, ListItem, P

    document = OpenDocumentText()
    document.text.addElement(H(outlinelevel=1, text="Plan"))
    document.text.addElement(P(text="We go."))
    points, item = List(), ListItem()
    item.addElement(P(text="one"))
    points.addElement(item)
    document.text.addElement(points)
    table = Table(name="t")
    for words in (("A", "B"), ("1", "2")):
        row = TableRow()
        for word in words:
            cell = TableCell()
            cell.addElement(P(text=word))
            row.addElement(cell)
        table.addElement(row)
    document.text.addElement(table)
    parsed = read("a.odt", saved(document))
    assert parsed.title == "Plan" and headings(parsed) == [("Plan",)]
    assert text(parsed) == "We go.\n\n- one\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"


MERGED = (
    ("Quay", "Keeper", "Phone"),
    ("North", "Alda", "1"),
    ("", "Pell", "2"),
    ("South", "Runa", "3"),
)  # "North" spans two rows


def _merged_workbook() -> object:
    book = Workbook()
    for row in MERGED:
        book.active.append([cell or None for cell in row])
    book.active.merge_cells("A2:A3")
    return book


def _merged_document() -> object:
    document = WordDocument()
    table = document.add_table(4, 3)
    _fill(table)
    table.cell(1, 0).merge(table.cell(2, 0))
    return document


def _merged_slides() -> object:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    table = slide.shapes.add_table(4, 3, Inches(1), Inches(2), Inches(4), Inches(1)).table
    _fill(table)
    table.cell(1, 0).merge(table.cell(2, 0))
    return show


def _fill(table: Any) -> None:
    for line, row in enumerate(MERGED):
        for column, words in enumerate(row):
            table.cell(line, column).text = words


def _merged_open_sheet() -> object:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import CoveredTableCell, Table, TableCell, TableRow
    from odf.text import P

    document = OpenDocumentSpreadsheet()
    table = Table(name="t")
    for words in MERGED:
        row = TableRow()
        for word in words:
            cell = TableCell(numberrowsspanned=2 if word == "North" else 1) if word else CoveredTableCell()
            if word:
                cell.addElement(P(text=word))
            row.addElement(cell)
        table.addElement(row)
    document.spreadsheet.addElement(table)
    return document


@pytest.mark.parametrize(
    ("name", "made"),
    [("a.xlsx", _merged_workbook), ("a.docx", _merged_document), ("a.pptx", _merged_slides), ("a.ods", _merged_open_sheet)],
)
def test_a_cell_of_several_rows_is_said_in_each(name, made) -> None:
    assert "| North | Alda | 1 |\n| North | Pell | 2 |\n| South | Runa | 3 |" in text(read(name, saved(made())))


def test_a_cell_merged_far_beyond_the_rows_fills_only_rows_that_say_something() -> None:
    book = Workbook()
    for row in MERGED:
        book.active.append([cell or None for cell in row])
    book.active.merge_cells("A4:A9000")
    assert text(read("a.xlsx", saved(book))).count("South") == 1


def packed(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return buffer.getvalue()


def test_a_book_is_its_chapters_in_reading_order() -> None:
    container = "<container><rootfiles><rootfile full-path='o/p.opf'/></rootfiles></container>"
    package = (
        "<package xmlns:dc='d'><metadata><dc:title>The Book</dc:title></metadata><manifest>"
        "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/><item id='b' href='b.xhtml' media-type='application/xhtml+xml'/>"
        "</manifest><spine><itemref idref='b'/><itemref idref='a'/></spine></package>"
    )
    page = "<html><body><h1>{}</h1><p>Text.</p></body></html>"
    files = {
        "META-INF/container.xml": container,
        "o/p.opf": package,
        "o/a.xhtml": page.format("End"),
        "o/b.xhtml": page.format("Start"),
    }
    parsed = read("a.epub", packed(mimetype="application/epub+zip", **files))
    assert (
        parsed.title == "The Book" and headings(parsed) == [("Start",), ("End",)] and parsed.sections[0].locator.part == "b.xhtml"
    )


def test_rich_text_is_read_in_its_code_pages() -> None:
    source = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}\f0 Caf\'e9 \u8364?\par {\f1\'cf\'f0}{\*\x no}\par}"
    assert text(read("a.rtf", source)) == "Café €\n\nПр"


# ---------------------------------------------------------------- mail


def mail(**headers: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in {"From": "jane@example.com", "To": "bob@example.com", "Subject": "Grüße", **headers}.items():
        message[name] = value
    message.set_content("Hello Bob.\n\nSee the plan.")
    return message


def test_a_mail_has_its_header_text_and_attachments() -> None:
    message = mail()
    message.add_alternative("<p>Hello Bob in HTML.</p>", subtype="html")
    message.add_attachment("# Plan\n\nGo on Monday.\n", subtype="markdown", filename="plan.md")
    message.add_attachment(b"\x89PNG\r\n\x1a\n\0\0", maintype="image", subtype="png", filename="x.png")
    parsed = read("a.eml", message.as_bytes())
    assert parsed.title == "Grüße"
    assert "From: jane@example.com\nTo: bob@example.com\nSubject: Grüße\nAttachments: plan.md, x.png" in parsed.sections[0].text
    assert "Hello Bob.\n\nSee the plan." in parsed.sections[0].text and "Hello Bob in HTML." in text(parsed)
    attached = parsed.sections[-1]
    assert (
        attached.locator.part == "plan.md"
        and attached.text == "Go on Monday."
        and attached.locator.heading == ("plan.md", "Plan")
    )
    assert "x.png" in parsed.problems[0].reason


def test_mails_within_mails_are_read_to_a_depth() -> None:
    message = mail(Subject="Inner")
    for level in range(6):
        outer = mail(Subject=f"Level {level}")
        outer.add_attachment(message)
        message = outer
    parsed = read("a.eml", message.as_bytes())
    assert any("deep" in problem.reason for problem in parsed.problems)


def test_a_mailbox_is_its_mails() -> None:
    box = b"".join(
        b"From jane@example.com Mon Jun  1 10:00:00 2009\n" + mail(Subject=f"Mail {n}").as_bytes() + b"\n\n" for n in (1, 2)
    )
    parsed = read("a.mbox", box)
    assert headings(parsed) == [("Mail 1",), ("Mail 2",)] and parsed.sections[1].locator.part == "mail 2"


def test_sections_never_hold_private_marks() -> None:
    for name, content in (("a.html", PAGE), ("a.eml", mail().as_bytes())):
        assert not any("\ue000" <= letter <= "\uf8ff" for letter in text(read(name, content)))


def test_a_section_is_plain_data() -> None:
    assert all(isinstance(section, Section) for section in read("a.md", MARKDOWN).sections)


SETTINGS = """Options
=======

Below are all.

``retries``

  How often it is tried.

  *Default*: 3

-n NUM, --number=NUM

  :program:`crane` counts to it.

word
Another line of a paragraph.

Once
----

``alone``

  One is no list.
"""


def test_lines_of_restructured_text_that_name_what_is_indented_below_are_headings() -> None:
    parsed = read("a.rst", SETTINGS)
    assert headings(parsed) == [
        ("Options",),
        ("Options", "retries"),
        ("Options", "-n NUM, --number=NUM"),
        ("Options", "Once"),
    ]
    assert "``alone``" in parsed.sections[-1].text and "*Default*: 3" in parsed.sections[1].text
    assert_verbatim("\n".join(map(str.strip, SETTINGS.replace(":program:", "").split("\n"))), parsed, is_indented=False)


def test_lines_above_the_header_of_a_table_are_no_header() -> None:
    rows = "Budget 2027;version 3;as of 13 May\npos;what;pieces;each;who\n1;Meters;7;5500;Ida\n2;Lamps;40;1150;Per\n"
    parsed = read("budget.csv", rows)
    assert "Budget 2027 · version 3 · as of 13 May" in parsed.sections[0].text
    assert "| pos | what | pieces | each | who |" in parsed.sections[1].text
    shifts = read("shifts.csv", ",Monday,Tuesday,Wednesday\nAnn,early,late,off\nBo,off,early,late\n")
    assert len(shifts.sections) == 1 and "Monday" in shifts.sections[0].text.splitlines()[0]
    plain = read("plain.csv", "Team;2025;2026\nDock;4;5\nYard;6;7\n")
    assert len(plain.sections) == 1 and "| Team | 2025 | 2026 |" in plain.sections[0].text


def test_the_copyright_is_no_title_of_a_plain_text() -> None:
    rest = "Redistribution and use in source and binary forms\nare permitted.\n"
    assert parse_bytes("LICENSE.txt", f"Copyright 2010 Harbour\n\n{rest}".encode()).title != "Copyright 2010 Harbour"
    assert parse_bytes("notes.txt", f"Harbour terms\n\n{rest}".encode()).title == "Harbour terms"


@pytest.mark.parametrize(
    ("name", "source", "title"),
    [
        ("PIER-7.md", "---\ntitle: The lamp is dark\npriority: high\n---\n\nAt night.\n", "PIER-7 The lamp is dark"),
        ("PIER-7.md", "# PIER-7: The lamp is dark\n\nPriority: high\n\nAt night.\n", "PIER-7: The lamp is dark"),
        ("PIER-7.md", "PIER-7  The lamp is dark\n\nAssignee: Ada\n\nAt night.\n", "PIER-7 The lamp is dark"),
        ("PIER-7.md", "At night the lamp is dark.\n", ""),
        ("ADR-007.md", "# Use a lamp\n\nStatus: accepted\n\nAt night.\n", "Use a lamp"),
        ("INC-26-12-notes.md", "# Notes\n\nAt night.\n", "Notes"),
        ("lamp.md", "# Notes\n\nAt night.\n", "Notes"),
    ],
)
def test_a_ticket_that_is_a_file_has_its_key_in_its_title(name: str, source: str, title: str) -> None:
    assert parse_bytes(name, source.encode()).title == title
