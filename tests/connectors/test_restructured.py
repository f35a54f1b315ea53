"""reStructuredText is read as its pages show it: roles, notes, code, tables, what a function or a setting is."""

from __future__ import annotations

import pytest

from connectors.formats import parse_bytes
from connectors.formats.parsed import Parsed


def parsed(source: str) -> Parsed:
    return parse_bytes("a.rst", source.encode())


def lines_of(source: str) -> list[str]:
    return [line for section in parsed(source).sections for line in section.text.split("\n") if line.strip()]


def headings_of(source: str) -> list[str]:
    return [section.locator.heading[-1] for section in parsed(source).sections if section.locator.heading]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Call :meth:`~crane.Arm.lift` of :py:class:`crane.Arm`.", "Call `lift` of `crane.Arm`."),
        ("See :doc:`Set it up <setup>`, :ref:`far-away` (:issue:`12`).", "See [Set it up](setup), [far away](far-away) (#12)."),
        (
            "The `manual <https://crane.example/m>`__ of\nthe `maker\n<https://crane.example>`_.",
            "The [manual](https://crane.example/m) of|the [maker](https://crane.example).",
        ),
        (
            "Ask the maker_ or `the town`_.\n\n.. _maker: https://crane.example\n.. _the town: https://town.example",
            "Ask the [maker](https://crane.example) or [the town](https://town.example).",
        ),
        ("Lifts |load|, not |other|.\n\n.. |load| replace:: 5 t", "Lifts 5 t, not |other|."),
        ("It stops [#a]_. See [Doe]_.\n\n.. [#a] In strong\n   wind.", "It stops (In strong wind). See [Doe]_."),
        (
            "``:ref:`x``` is *literal*, ``Arm``\\ s and `~crane.Arm` are not.",
            "``:ref:`x``` is *literal*, ``Arm``s and `Arm` are not.",
        ),
        ("| One\n| two", "One|two"),
        (":Release date: 3 May", "- Release date: 3 May"),
    ],
)
def test_marks_within_a_line_are_shown_in_words(source: str, shown: str) -> None:
    assert lines_of(f"Crane\n=====\n\n{source}\n") == shown.split("|") if "|load|" not in source else [shown]


def test_notes_have_their_label_and_their_text_is_no_code() -> None:
    source = "Crane\n=====\n\n.. warning::\n\n    It is hot.\n\n    - Wait.\n\n.. note:: Look\n   up.\n.. versionadded:: 2.1\n\n.. deprecated:: 3 Use a lift.\n"
    assert lines_of(source) == [
        "**Warning:** It is hot.", "- Wait.", "**Note:** Look", "up.", "**Added in version 2.1.**", "**Deprecated since version 3:** Use a lift.",
    ]  # fmt: skip


def test_code_stands_in_a_fence_with_the_line_that_announces_it() -> None:
    source = (
        "Crane\n=====\n\nRun::\n\n    lift\n\n    lower\n\nThen look:\n\n>>> arm.load\n5\n\n>>> arm.height\n7\n\n- On it::\n\n    stop\n\n"
        ".. code-block:: python\n   :linenos:\n\n   lift()\n"
    )
    assert lines_of(source) == [
        "Run:", "```", "lift", "lower", "```", "Then look:", "```pycon", ">>> arm.load", "5", ">>> arm.height", "7", "```",
        "- On it:", "  ```", "  stop", "  ```", "```python", "lift()", "```",
    ]  # fmt: skip


def test_tables_of_every_kind_are_pipe_tables() -> None:
    shown = ["| Name | Load |", "| --- | --- |", "| Boom | 5 t |", "| Jib | 1 t or less |"]
    rules = "====  ======\nName  Load\n====  ======\nBoom  5 t\nJib   1 t\n      or less\n====  ======\n"
    grid = "+------+---------+\n| Name | Load    |\n+======+=========+\n| Boom | 5 t     |\n+------+---------+\n| Jib  | 1 t     |\n|      | or less |\n+------+---------+\n"
    listed = ".. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Load\n   * - Boom\n     - 5 t\n   * - Jib\n     - 1 t\n       or less\n"
    values = '.. csv-table::\n   :header: Name, Load\n\n   Boom, 5 t\n   Jib, "1 t or less"\n'
    for source in (rules, grid, listed, values):
        assert lines_of(f"Crane\n=====\n\n{source}\nText.\n") == [*shown, "Text."], source


def test_what_is_described_is_a_heading_with_what_is_said_of_it() -> None:
    source = (
        "Settings\n========\n\n.. setting:: LOAD\n\nLOAD\n----\n\nText.\n\n.. class:: Arm(length)\n\n   One arm.\n\n   .. method:: lift(load)\n\n"
        "      Lifts.\n\n      :param float load: in tonnes\n      :returns: the height\n"
    )
    assert headings_of(source) == ["Settings", "LOAD", "Arm(length)", "lift(load)"]
    assert lines_of(source) == ["Text.", "One arm.", "Lifts.", "- `load` (float): in tonnes", "- Returns: the height"]


def test_text_behind_a_function_does_not_seem_to_be_its_own() -> None:
    assert headings_of("Crane\n=====\n\n.. function:: lift()\n\n   Lifts.\n\nOf the whole crane.\n") == ["Crane"]


def test_labels_comments_and_tables_of_contents_hold_no_text() -> None:
    page = parsed(
        "Crane\n=====\n\n.. toctree::\n   :maxdepth: 2\n\n   setup\n   Use it <usage/index>\n\n.. nobody reads this\n   nor this\n\n.. _here:\n\nText.\n"
    )
    assert [line for line in page.sections[0].text.split("\n") if line] == [
        "- [setup](setup)",
        "- [Use it](usage/index)",
        "Text.",
    ]
    assert page.labels == ("here",) and page.sections[0].locator.lines == (7, 15)


@pytest.mark.parametrize(
    "end",
    [
        ".. note::",
        ".. code-block:: sh\n\n   run",
        "Run::\n\n  run",
        ".. class:: A",
        "=== ===",
        "+---+",
        ">>> a",
        ".. [1] x",
        "..",
        ".. list-table::",
    ],
)
def test_what_ends_with_the_file_is_read(end: str) -> None:
    assert parsed(f"Crane\n=====\n\nText.\n\n{end}").sections[0].text.startswith("Text.")


def test_many_lines_take_no_longer_than_their_number() -> None:
    for line in (".. note::\n\n   a\n", "`a <b\n", ":a:`b\n", "*  ::\n\n", "=== ===\n", ">>> a\n\n", "|a\n", "[1]_ "):
        assert parsed(f"Crane\n=====\n\nText.\n\n{line * 3_000}").sections


def test_a_definition_stands_behind_its_term() -> None:
    source = (
        "Crane\n=====\n\nThe arm does not move\n    Look at the fuse\n    first.\n\n    Then call.\n\nload : kg\n    What it bears.\nTools\n    * a hook\n    * a rope\n\n"
        "Text of one\n* line\n\n-v  Say more.\n-q, --quiet   Say nothing,\n              or little.\n\nAt last.\n"
    )
    assert lines_of(source) == [
        "- **The arm does not move**: Look at the fuse", "  first.", "  Then call.", "- **load** (kg): What it bears.", "- **Tools**:",
        "  * a hook", "  * a rope", "Text of one", "* line", "- `-v`: Say more.", "- `-q, --quiet`: Say nothing,", "  or little.", "At last.",
    ]  # fmt: skip


def test_what_is_indented_below_an_option_is_no_code() -> None:
    source = (
        "Options\n=======\n\n``-l``, ``--load``\n    How much.\n\n    In kg::\n\n        lift -l 5\n\n``-q``\n    Say nothing.\n"
    )
    assert headings_of(source) == ["Options", "-l, --load", "-q"]
    assert lines_of(source) == ["How much.", "In kg:", "```", "lift -l 5", "```", "Say nothing."]


def test_a_path_in_the_home_folder_is_shown_whole() -> None:
    source = "Crane\n=====\n\nEdit :file:`~/.config/crane/crane.conf`, see :class:`~crane.arms.Arm`.\n"
    assert lines_of(source) == ["Edit `~/.config/crane/crane.conf`, see `Arm`."]


def test_a_name_whose_address_stands_in_another_file_is_a_word() -> None:
    source = "Crane\n=====\n\nInstall it with pip_. Set lift_arm_ and hooks_, see :ref:`how to lift`.\n\n.. _hooks: https://hooks.example\n"
    assert lines_of(source)[0] == "Install it with pip. Set lift_arm_ and [hooks](https://hooks.example), see how to lift."


def test_a_line_that_begins_with_greater_than_is_no_quotation() -> None:
    assert lines_of("Crane\n=====\n\nWith a load\n>= 2.0 it stops.\n") == ["With a load", "\\>= 2.0 it stops."]


def test_only_what_is_meant_for_pages_is_read() -> None:
    source = "Crane\n=====\n\n.. only:: latex or man\n\n    Printed.\n\n.. only:: html\n\n    Shown.\n\n.. only:: not latex\n\n    Shown too.\n\nText.\n"
    assert lines_of(source) == ["Shown.", "Shown too.", "Text."]


def test_a_paragraph_behind_the_code_of_an_item_is_text() -> None:
    source = "Crane\n=====\n\n#. Look after it::\n\n       oil arm\n\n   It takes an hour.\n\n#. Lift.\n"
    assert lines_of(source) == ["1. Look after it:", "   ```", "   oil arm", "   ```", "   It takes an hour.", "2. Lift."]


def test_a_text_file_in_this_markup_is_read_so_whatever_it_is_called() -> None:
    source = b"Berths\n======\n\n.. note:: Ask :doc:`the office </office>` first.\n\nSee :ref:`winter`.\n"
    named, plain = parse_bytes("berths.txt", source), parse_bytes("notes.txt", b"Berths\n======\n\nAsk |the office|_ first.\n")
    assert "Ask [the office](/office) first." in "\n".join(section.text for section in named.sections)
    assert "Ask |the office|_ first." in "\n".join(section.text for section in plain.sections)
