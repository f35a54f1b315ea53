"""AsciiDoc: its own words with their values, its blocks as Markdown, each line where it stands in the file."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.base import Document
from connectors.formats import parse_bytes
from ingestion.chunking.chunker import leaves

GUIDE = """= Pump guide
Iris Vale <iris@quay.example>
v1.2, 3 May 2026
:product: PumpMaster
:docs: https://pump.example/docs
// nobody reads this

Use {product} {unknown} to move water. See {docs}[the docs] and xref:other.adoc#part[the other part].

include::common/limits.adoc[leveloffset=+1]

[id="start_{context}"]
== Starting the pump

[NOTE]
====
However, these features are not available on the small pump.
====

WARNING: Never open the *valve* while it runs.

.Prerequisites

* You have a key.

.Procedure

. Open the tank:
+
[source,terminal]
----
$ {product} open --tank <name>
----
. Start it.
.. Press the green button.
* Wait for the light.
. Close the tank.

Valve:: What lets water in.

.Sizes
[cols="1,2"]
|===
|Name |Meaning

|A
|First
|B |Second
|===
"""


def sections(text: str = GUIDE) -> dict[tuple[str, ...], str]:
    return {section.locator.heading: section.text for section in parse_bytes("a.adoc", text.encode()).sections}


def test_headings_attributes_links_and_includes():
    parsed = parse_bytes("a.adoc", GUIDE.encode())
    assert (parsed.kind, parsed.title) == ("asciidoc", "Pump guide")
    assert parsed.metadata == {"author": "Iris Vale", "version": "1.2", "date": "3 May 2026"}
    opening = sections()["Pump guide",]
    assert (
        "Use PumpMaster {unknown} to move water. See [the docs](https://pump.example/docs) and [the other part](other.adoc#part)."
        in opening
    )
    assert "See [common/limits.adoc](common/limits.adoc)" in opening
    assert "nobody reads" not in opening


def test_notes_keep_their_label_and_make_no_heading():
    text = sections()["Pump guide", "Starting the pump"]
    assert "**Note:** However, these features are not available on the small pump." in text
    assert "**Warning:** Never open the **valve** while it runs." in text


def test_prerequisites_and_steps_with_their_code():
    found = sections()
    assert found["Pump guide", "Starting the pump", "Prerequisites"] == "- You have a key."
    steps = found["Pump guide", "Starting the pump", "Procedure"]
    assert re.sub(r"\n{2,}", "\n", steps).startswith(
        "1. Open the tank:\n   ```terminal\n   $ PumpMaster open --tank <name>\n   ```\n2. Start it.\n   1. Press the green button.\n"
        "      - Wait for the light.\n3. Close the tank.\n   - **Valve**: What lets water in.\n**Sizes**\n"
        "| Name | Meaning |\n| --- | --- |\n| A | First |\n| B | Second |"
    )
    parsed = parse_bytes("a.adoc", GUIDE.encode())
    [leaf] = leaves(Document("a.adoc", parsed.title, (), parsed.sections, "", kind=parsed.kind, metadata=parsed.metadata))
    numbered = [(unit.step, unit.header, unit.prerequisites) for unit in leaf.units if unit.kind == "step"]
    assert numbered == [
        (1, "Procedure: Open the tank:", ("You have a key.",)),
        (2, "Procedure: Start it.", ()),
        (3, "Procedure: Close the tank.", ()),
    ]


def test_every_line_stands_where_it_stands_in_the_file():
    lines = GUIDE.split("\n")
    for section in parse_bytes("a.adoc", GUIDE.encode()).sections:
        first = section.locator.lines[0]
        for number, line in enumerate(section.text.split("\n"), first):
            if (
                "|" not in line
                and (words := re.findall(r"[a-z]{6,}", line))
                and not line.lstrip().startswith(("Author", "Version", "```"))
            ):
                assert words[0] in lines[number - 1].lower(), (number, line)


def test_what_is_not_closed_is_text():
    assert sections("= T\n\n----\nnever closed\n")["T",] == "----\nnever closed"
    assert "never closed" in sections("= T\n\n|===\n|A |B\nnever closed\n")["T",]
    assert "never closed" in sections("= T\n\n////\nnever closed\n")["T",]


def test_a_table_of_commas_loses_nothing():
    assert "one,two" in sections('= T\n\n[format="csv"]\n|===\none,two\nthree,four\n|===\n')["T",]


_LINES = st.sampled_from(
    ["* a", ". b", ".. c", "+", "----", "|===", "|x |y", "====", "[NOTE]", "[source,sh]", ".Procedure", ".Some title", "== H", "=== I",
     "", "plain words", "term:: said", ":name: value", "{name} {name}", "////", "<1> called", "image::a.png[alt]", "endif::[]", " indented"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_LINES, max_size=30))
def test_no_word_is_lost(lines: list[str]):
    marked = [f"{line} word{number}" if line[-1:].isalpha() and "[" not in line and ":name" not in line else line
              for number, line in enumerate(lines)]  # fmt: skip
    parsed = parse_bytes("a.adoc", "\n".join(["Start", *marked]).encode())
    shown = " ".join(" ".join((*section.locator.heading, section.text)) for section in parsed.sections)
    comments = re.findall(r"(?ms)^////$.*?^////$", "\n".join(marked))
    hidden = {word for comment in comments for word in re.findall(r"word\d+", comment)}
    assert set(re.findall(r"word\d+", " ".join(marked))) - hidden <= set(re.findall(r"word\d+", shown))


LINES = 5_000
GROWTH = 8  # times as long for four times the lines: in linear time it is 4 times, in quadratic time 16


def test_many_lines_take_no_longer_than_their_number():
    assert _seconds(4 * LINES) < GROWTH * _seconds(LINES)


def _seconds(lines: int) -> float:
    """Of processor time, the best of several: a busy machine makes some of them slower, none quicker."""
    rules = "\n".join("-" * (4 + number % 300) for number in range(lines))
    text = f"= T\n\n{rules}\n{'{' * lines}\n{'<<' * lines}\n{'[' * lines}\n".encode()
    return min(_once(text) for _ in range(5))


def _once(text: bytes) -> float:
    begun = time.process_time()
    parse_bytes("a.adoc", text)
    return time.process_time() - begun
