"""Markdown of documentation sites: MyST, MkDocs, GitHub, Docusaurus, Hugo and Jekyll are read as their pages show them."""

from __future__ import annotations

import pytest

from connectors.formats import parse_bytes
from connectors.formats.parsed import Parsed


def parsed(source: str, name: str = "a.md") -> Parsed:
    return parse_bytes(name, source.encode())


def lines_of(source: str, name: str = "a.md") -> list[str]:
    """What is left of a page, without its blank lines."""
    return [line for section in parsed(source, name).sections for line in section.text.split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Call {meth}`~crane.Arm.lift` of {class}`crane.Arm`.", "Call `lift` of `crane.Arm`."),
        ("See {ref}`the limits <crane-limits>` and {doc}`setup`.", "See [the limits](crane-limits) and [setup](setup)."),
        ("Press {kbd}`F2`, then {guilabel}`&Save`; {term}`arm`, {pep}`8`.", "Press `F2`, then **Save**; arm, PEP 8."),
        ("Write `{ref}` or ``{ref}`x` `` yourself.", "Write `{ref}` or ``{ref}`x` `` yourself."),
        ('Go [there]({{< ref "b.md" >}}){:target="_blank"} now. {: .lead }', "Go [there](b.md) now."),
        ("A {% include x.html %} page :material-crane: of `{% raw %}`.", "A  page of `{% raw %}`."),
        ("Before <!-- hidden --> after.", "Before  after."),
        ("[![CI](https://ci.example/b.svg)](https://ci.example)\n\nText.", "Text."),
        ('Use <a href="b.md">this</a> <Crane> and `<br>`.', "Use [this](b.md) <Crane> and `<br>`."),
    ],
)
def test_marks_within_a_line_are_shown_in_words(source: str, shown: str) -> None:
    assert lines_of(source) == [shown]


@pytest.mark.parametrize(
    "source",
    [
        "```{warning}\n:class: big\n\nIt is hot.\n```",
        ":::{warning}\nIt is hot.\n:::",
        ":::warning\n\nIt is hot.\n\n:::",
        "!!! warning\n    It is hot.",
        "??? warning\n\n    It is hot.",
        "{{< hint warning >}}\nIt is hot.\n{{< /hint >}}",
        '{% hint style="warning" %}\nIt is hot.\n{% endhint %}',
        '<Alert type="warning">\n\nIt is hot.\n\n</Alert>',
    ],
)
def test_a_note_has_its_label_whatever_it_is_written_in(source: str) -> None:
    assert lines_of(f"# Crane\n\n{source}\n\nMore.") == ["**Warning:** It is hot.", "More."]


def test_an_alert_of_github_stays_a_quotation() -> None:
    assert lines_of("> [!WARNING]\n> It is hot.\n> Wait.") == ["> **Warning:** It is hot.", "> Wait."]


@pytest.mark.parametrize(
    "source", [":::tip Wear gloves\nAlways.\n:::", '!!! tip "Wear gloves"\n    Always.', "```{tip} Wear gloves\nAlways.\n```"]
)
def test_the_title_of_a_note_is_a_sentence_of_its_own(source: str) -> None:
    shown = lines_of(source)
    assert shown in (["**Tip: Wear gloves.**", "Always."], ["**Tip:** Wear gloves", "Always."])


def test_notes_hold_lists_code_and_other_notes() -> None:
    source = "::::{note}\n- One\n\n```sh\nlift\n```\n\n:::{tip}\nSlowly.\n:::\n::::\n\nEnd."
    assert lines_of(source) == ["**Note:**", "- One", "```sh", "lift", "```", "**Tip:** Slowly.", "End."]
    assert lines_of('1. Go.\n\n    !!! note\n        Wait.\n\n        ```sh\n        lift\n        ```\n') == [
        "1. Go.", "    **Note:** Wait.", "    ```sh", "    lift", "    ```"
    ]  # fmt: skip


def test_a_footnote_stands_in_the_sentence_that_has_it() -> None:
    source = "It lifts 5 t.[^a] Then it stops[^b].\n\n[^a]: In calm\n    weather.\n[^b]: By itself.\n[^c]: Nobody refers to this.\n\nEnd.\n"
    assert lines_of(source) == [
        "It lifts 5 t (In calm weather). Then it stops (By itself).", "[^c]: Nobody refers to this.", "End."
    ]  # fmt: skip
    assert lines_of("Only `code[^a]` has it.\n\n[^a]: Kept all the same.") == ["Only `code[^a]` has it.", "Kept all the same."]


def test_labels_are_names_of_the_page_and_links_have_the_titles_below_them() -> None:
    page = parsed("# Crane\n\nSee {ref}`limits`.\n\n% not for readers\n\n(limits)=\n\n## What it lifts\n\nMuch.\n")
    assert page.labels == ("limits",)
    assert [section.text for section in page.sections] == ["See [What it lifts](#what-it-lifts).", "Much."]
    assert [section.locator.lines for section in page.sections] == [(3, 3), (11, 11)]


def test_code_of_directives_is_code_and_what_builds_the_site_is_not_read() -> None:
    source = (
        "```{code-block} python\n:caption: Lift\n\nlift()\n```\n\n```{toctree}\n:hidden:\n\nsetup\n```\n\n```{image} a.png\n:alt: The crane\n```\n\n"
        "```{unheard-of} x\nas it is\n```\n\n{.hide-header}\n\nEnd.\n"
    )
    assert lines_of(source) == ["```python", "lift()", "```", "![The crane](a.png)", "```", "as it is", "```", "End."]


def test_restructured_text_within_markdown_is_read_too() -> None:
    assert lines_of("```{eval-rst}\n.. note:: See :class:`~crane.Arm`.\n```") == ["**Note:** See `Arm`."]


def test_definitions_are_items_and_substitutions_have_their_values() -> None:
    assert lines_of("---\nauthor: Ann\nsubstitutions:\n  load: 5 t\n---\n\nBoom\n: Carries {{ load }}.\n\nJib\n\n: Turns.\n")[
        -2:
    ] == [
        "- **Boom**: Carries 5 t.",
        "- **Jib**: Turns.",
    ]
    assert lines_of("Value {{ item }} stays.") == ["Value {{ item }} stays."]


def test_components_and_imports_of_mdx_go() -> None:
    source = 'import Tabs from \'@theme/Tabs\';\n\n# Crane\n\n<Tabs>\n<TabItem value="a" label="Linux">\n\nLift it.\n\n</TabItem>\n</Tabs>\n\n{/* no */}\n'
    assert lines_of(source, "a.mdx") == ["**Linux**", "Lift it."]


@pytest.mark.parametrize(
    "source", ["```{note}\nNever closed.", ":::note\n\nNever closed.", "!!! note", "<!-- open", "[^a]: x", "(a)=", ">[!NOTE]"]
)
def test_what_is_not_closed_is_read(source: str) -> None:
    assert parsed(f"# A\n\nText.\n\n{source}\n").sections[0].text.startswith("Text.")


def test_code_stays_as_it_is() -> None:
    code = "```jinja\n{% if a %}{{ b }}{% endif %} <!-- c --> [^1] {ref}`x`\n!!! note\n    d\n```"
    assert parsed(f"Text.\n\n{code}\n").sections[0].text == f"Text.\n\n{code}"


def test_many_marks_take_no_longer_than_their_number() -> None:
    for mark in (
        ":::note\n",
        "```{tip}\n",
        "::: a.b\n",
        "[^a]: b\n[^a]\n",
        "<a>",
        "<!-- ",
        "[![",
        "`" * 7,
        "!!! note a ",
        "{{< a ",
        "a\n: b\n\n",
    ):
        assert parsed(f"# Crane\n\nText.\n\n{mark * 5_000}").sections[0].text.startswith("Text.")
