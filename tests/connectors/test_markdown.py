"""Markdown that people and converters write: notes, entities, links by reference."""

from __future__ import annotations

from connectors.formats import parse_bytes
from connectors.formats.markdown_inline import MOST_ADDRESSES


def text_of(markdown: str) -> str:
    return "\n\n".join(section.text for section in parse_bytes("a.md", markdown.encode()).sections)


def headings_of(markdown: str) -> list[str]:
    return [section.locator.heading[-1] for section in parse_bytes("a.md", markdown.encode()).sections if section.locator.heading]


def test_a_link_by_reference_has_its_address():
    text = text_of(
        "Read [the guide][guide], [the FAQ] and [code][]. A [box] is no link.\n\n[guide]: https://pump.example/guide\n"
        '[The FAQ]: faq.md "Questions"\n[code]: <code.md>\n'
    )
    assert text.startswith(
        "Read [the guide](https://pump.example/guide), [the FAQ](faq.md) and [code](code.md). A [box] is no link."
    )


def test_a_reference_in_code_stays_as_it_is():
    text = text_of("Write `a[key]`:\n\n```\nx = a[key]\n```\n\n[key]: https://pump.example\n")
    assert "`a[key]`" in text and "x = a[key]" in text


def test_entities_are_the_characters_they_stand_for():
    assert text_of("Run `pump &lt;name&gt;` &amp; wait&nbsp;here.\n\n```sh\npump &lt;name&gt;\n```\n") == (
        "Run `pump <name>` & wait here.\n\n```sh\npump <name>\n```"
    )
    assert "&lt;b&gt;" in text_of("```html\n&lt;b&gt;\n```\n")  # that is what the example shows


def test_lines_are_still_those_of_the_file():
    parsed = parse_bytes("a.md", b"# T\n\nOne &amp; [two][k].\n\n## U\n\nThree.\n\n[k]: x.md\n")
    assert [section.locator.lines for section in parsed.sections] == [(3, 3), (7, 9)]


def test_a_note_between_rules_makes_no_headings():
    note = "[NOTE]\n----\nThe log is not kept by default.\nYou keep it yourself.\n----\n"
    assert headings_of(f"# Log\n\nText.\n\n{note}\nMore.\n\n## End\n\nText.\n") == ["Log", "End"]
    assert headings_of("# Log\n\n[WARNING]\n====\nHot.\n====\n\nPlain\n-----\n\nText.\n") == ["Log", "Plain"]


def test_many_addresses_take_no_longer_than_their_number():
    lines = "".join(f"[k{n}]: https://pump.example/{n}\n" for n in range(MOST_ADDRESSES * 3))
    assert "[t](https://pump.example/7)" in text_of(f"[t][k7]\n\n{lines}")
    assert text_of("[" * 50_000 + "\n\n[k]: x\n")
