"""Documents become leaves: whole, in order, cut where it hurts least, with their logic units."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.base import Container, Document, Locator, Problem, Section
from ingestion.chunking.chunker import MOST, cut
from prompts.records import Link, LogicUnit
from tree.store.leaves import Leaf

# ---------------------------------------------------------------- writing documents


def document(*sections: Section, title: str = "Guide") -> Document:
    return Document("guide.md", title, (), sections, "f")


def section(text: str, *heading: str, line: int | None = None, **more: object) -> Section:
    lines = (line, line + text.count("\n")) if line else None
    return Section(text, Locator(heading=heading, lines=lines, **more))  # type: ignore[arg-type]


def leaves(*sections: Section, title: str = "Guide") -> tuple[Leaf, ...]:
    made = cut(document(*sections, title=title)).leaves
    check(made)
    return made


def units(text: str, *heading: str, title: str = "Guide") -> list[tuple[LogicUnit, str]]:
    [leaf] = leaves(section(text, *heading), title=title)
    return [(unit, leaf.text[unit.start : unit.end]) for unit in leaf.units]


def check(made: tuple[Leaf, ...]) -> None:
    """What holds of the leaves of any document."""
    names = [(tuple(step.id for step in leaf.path), leaf.slot) for leaf in made]
    assert len(set(names)) == len(names)
    for leaf in made:
        assert leaf.text.strip() and len(leaf.text) <= MOST
        for name in (leaf.slot, *(step.id for step in leaf.path)):
            assert name and name.isprintable() and "/" not in name and len(name) <= 80
        assert leaf.title and "\n" not in leaf.title
        assert [piece.start for piece in leaf.pieces] == [0, *(piece.end for piece in leaf.pieces[:-1])]
        assert leaf.pieces[-1].end == len(leaf.text)
        last = 0
        for number, unit in enumerate(leaf.units):
            assert last <= unit.start < unit.end <= len(leaf.text)
            assert not leaf.text[last : unit.start].strip()
            assert all(number < int(link.to) < len(leaf.units) for link in unit.links if link.kind == "next")
            last = unit.end
        assert not leaf.text[last:].strip()


def prose(seed: int, size: int, wrapped: bool = True) -> str:
    """Paragraphs of sentences of words."""
    chance = random.Random(seed)
    words = [f"{a}{b}{c}" for a in "bdfglm" for b in "aeiou" for c in ("n", "st", "ra", "lo")]
    paragraphs, done = [], 0
    while done < size:
        sentences = [
            " ".join(chance.choices(words, k=chance.randint(6, 22))).capitalize() + "." for _ in range(chance.randint(2, 7))
        ]
        paragraphs.append(("\n" if wrapped else " ").join(sentences))
        done += len(paragraphs[-1]) + 2
    return "\n\n".join(paragraphs)


# ---------------------------------------------------------------- structure


def test_a_short_document_is_one_leaf():
    [leaf] = leaves(section("Turn it off.", "Guide", "Steps", line=3))
    assert (leaf.path, leaf.title, leaf.heading) == ((), "Guide", ("Guide",))
    assert leaf.text == "## Steps\n\nTurn it off."
    assert [(piece.label, piece.first_line) for piece in leaf.pieces] == [("Steps", None), ("Steps", 3)]


def test_what_the_document_says_of_itself_is_kept():
    problem = Problem("partial", "Page 3 cannot be read.")
    made = cut(Document("7", "T", (Container("p", "P"),), (), "f", "ticket", "u", "09", {"a": "b"}, ("PAY-7",), (problem,)))
    assert (made.id, made.kind, made.url, made.order, made.aliases) == ("7", "ticket", "u", "09", ("PAY-7",))
    assert made.path == (("p", "P"),) and made.problems == ({"kind": "partial", "reason": "Page 3 cannot be read."},)


def test_a_document_without_text_has_no_leaves():
    assert cut(document()).leaves == () == cut(document(Section("  \n"))).leaves


def test_a_heading_without_text_is_still_read():
    [leaf] = leaves(section("", "Guide", "To be written", line=3))
    assert "To be written" in leaf.text


def test_small_sections_share_a_leaf_and_a_large_one_becomes_a_container():
    made = leaves(
        section("Short. " * 20, "Guide", "Who"),
        section("Short. " * 20, "Guide", "Why"),
        section(prose(1, 9_000), "Guide", "History"),
        section("Short. " * 20, "Guide", "Next"),
    )
    assert [leaf.path[0].id for leaf in made if leaf.path] == ["history"] * (len(made) - 2)
    assert (made[0].title, made[0].slot) == ("Who … Why", "who")
    assert made[0].text.startswith("## Who\n\nShort.") and "\n\n## Why\n\n" in made[0].text
    assert made[1].heading == ("Guide", "History")
    assert made[-1].text.startswith("Short.") and made[-1].heading == ("Guide", "Next")


def test_a_section_that_fits_stays_whole():
    parts = [section(prose(n, 4_300), "Guide", f"Part {n}") for n in range(6)]
    assert [leaf.title for leaf in leaves(*parts)] == [f"Part {n}" for n in range(6)]


def test_headings_of_the_same_name_get_names_of_their_own():
    made = leaves(
        *(section(prose(n, 4_000), "Guide", "Example", part=str(n)) for n in range(3)), section(prose(9, 4_000), "Other")
    )
    assert len({leaf.slot for leaf in made}) == len(made)


def test_text_that_follows_the_headings_inside_keeps_its_order():
    made = leaves(section(prose(1, 4_000), "A", "B"), section("The end of A.", "A"), section(prose(2, 4_000), "C"))
    text = "\n".join(leaf.text for leaf in made)
    assert text.index(prose(1, 4_000)[-30:]) < text.index("The end of A.") < text.index(prose(2, 4_000)[:30])


def test_fifty_headings_in_each_other():
    made = leaves(*(section(prose(n, 600), *(f"H{level}" for level in range(n))) for n in range(1, 51)))
    assert max(len(leaf.path) for leaf in made) > 30


def test_thousands_of_headings():
    sections = tuple(section(f"Entry {n} is short.", f"Word {n}") for n in range(20_000))
    made = cut(Document("d", "Dictionary", (), sections, "f")).leaves
    assert len(made) < 400 and max(len(leaf.text) for leaf in made) <= MOST


# ---------------------------------------------------------------- where a passage stands


def test_labels_say_where_in_words():
    [leaf] = leaves(
        Section("a", Locator(heading=("Recovery",), page=12)),
        Section("b", Locator(page=4, page_label="iv")),
        Section("c", Locator(heading=("Results",), slide=4)),
        Section("d", Locator(sheet="Costs", part="rows 2-9")),
        Section("e", Locator(cell=3)),
        Section("f", Locator(heading=("Recovery", "Steps"), url="https://x/#f")),
    )
    labels = list(dict.fromkeys(piece.label for piece in leaf.pieces))
    assert labels[:2] == ["p. 12 · Recovery", "p. iv (page 4)"]
    assert "slide 4 · Results" in labels and "sheet Costs, rows 2-9" in labels and "cell 3" in labels
    assert leaf.pieces[-1].label == "Recovery › Steps" and leaf.pieces[-1].url == "https://x/#f"


def test_a_quote_finds_its_line_in_the_file():
    lines = prose(3, 60_000).split("\n")
    file = ["# Guide", "", *lines[:400], "", "## Second", "", *lines[400:]]
    sections = (
        section("\n".join(file[2:402]), "Guide", line=3),
        section("\n".join(file[405:]), "Guide", "Second", line=406),
    )
    for leaf in leaves(*sections):
        for piece in leaf.pieces:
            if piece.first_line:
                for offset, line in enumerate(leaf.text[piece.start : piece.end].rstrip().split("\n")):
                    assert file[piece.first_line - 1 + offset] == line


def test_sections_cut_by_size_alone_are_joined_again():
    text = prose(4, 40_000)
    lines = text.split("\n")
    middle = next(n for n in range(300, len(lines)) if not lines[n])
    joined = leaves(section(text, line=1))
    apart = leaves(section("\n".join(lines[:middle]), line=1), section("\n".join(lines[middle + 1 :]), line=middle + 2))
    assert [(leaf.slot, leaf.text) for leaf in joined] == [(leaf.slot, leaf.text) for leaf in apart]


def test_a_sentence_runs_on_over_the_end_of_a_page():
    [leaf] = leaves(Section("The pump was", Locator(page=1)), Section("never started.", Locator(page=2)))
    assert leaf.text == "The pump was\nnever started."
    assert [(piece.label, leaf.text[piece.start : piece.end].strip()) for piece in leaf.pieces] == [
        ("p. 1", "The pump was"), ("p. 2", "never started."),
    ]  # fmt: skip


# ---------------------------------------------------------------- where it is cut


def test_an_edit_in_the_middle_changes_only_the_leaves_around_it():
    text = prose(5, 1_000_000)
    paragraphs = text.split("\n\n")
    for place in (1, len(paragraphs) // 3, len(paragraphs) // 2, len(paragraphs) - 1):
        edited = [*paragraphs[:place], "A paragraph that was not there before. " * 9, *paragraphs[place:]]
        before = {(leaf.slot, leaf.text) for leaf in cut(document(section(text))).leaves}
        after = {(leaf.slot, leaf.text) for leaf in cut(document(section("\n\n".join(edited)))).leaves}
        assert len(after - before) <= 3 and len(before - after) <= 3


def test_running_text_is_cut_between_sentences():
    text = prose(6, 60_000).replace("\n", " ")
    made = leaves(section(text))
    assert len(made) > 12
    assert all(leaf.text.endswith(".") for leaf in made)


def test_a_paragraph_broken_in_the_middle_of_a_sentence_is_held_together():
    text = prose(10, 40_000, wrapped=False).replace(" ba", " while\n\nba")
    assert all(not leaf.text.endswith("while") for leaf in leaves(section(text)))


@pytest.mark.parametrize(
    "block",
    [
        "- milk\n- bread\n  with butter\n- eggs",
        "1. Stop it.\n2. Wait.\n\n   Longer.\n3. Start it.",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
        "```sh\nmake\n\nmake install\n```",
        "Run this:\n\n```sh\nmake\n```",
    ],
)
def test_a_list_a_table_or_code_is_not_cut(block: str):
    text = "\n\n".join(part for paragraph in prose(7, 40_000).split("\n\n") for part in (paragraph, block))
    made = leaves(section(text))
    assert sum(leaf.text.count(block) for leaf in made) == text.count(block)


def test_a_long_table_is_cut_between_rows_and_its_header_repeated():
    rows = [f"| item {n} | {n * 7} | in stock since week {n % 50} |" for n in range(600)]
    header = "| Item | Price | Note |\n| --- | --- | --- |"
    made = leaves(section("\n".join([header, *rows]), "Stock", line=10))
    assert all(leaf.text.startswith(header) for leaf in made)
    found = [line for leaf in made for line in leaf.text.split("\n")[2:]]
    assert found == rows
    second = made[1]
    assert second.pieces[0].label == "Stock · header row" and second.pieces[0].first_line is None
    first_row = second.text.split("\n")[2]
    assert second.pieces[1].first_line == 12 + rows.index(first_row)


def test_code_that_is_cut_stays_code():
    code = "\n".join(f"value_{n} = compute({n})  # 1. not a step" for n in range(400))
    made = leaves(section(f"Before.\n\n```python\n{code}\n```\n\n# After\n\nThe end.", "Reference"))
    assert {unit.kind for leaf in made[1:-1] for unit in leaf.units} == {"reference"}


# ---------------------------------------------------------------- laws

_LINES = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["", "", "- item one", "  - nested", "1. first", "2. second", "| a | b |", "| --- | --- |", "```", "    code", "---",
         "Q: why?", "A: so.", "2026-03-04 10:12 - it broke", "**Term**: meaning", "Before you start, stop.", "See PAY-231.",
         "a | b", "--- | ---", "Step 3: go", "term\n    its meaning", ".. code-block:: sh", "Text that ends here. And goes on, for a while."]
    ),
)  # fmt: skip
_HEADINGS = st.lists(
    st.sampled_from(
        ["Guide", "Steps", "Prerequisites", "FAQ", "Glossary", "Timeline", "Decision", "a/b", "\x07", "1. One", "2. Two", "漢字"]
    ),
    max_size=4,
).map(tuple)
_SECTIONS = st.builds(
    lambda lines, times, heading, markup, page: Section("\n".join(lines * times), Locator(heading=heading, page=page), markup),
    st.lists(_LINES, max_size=12),
    st.sampled_from([1, 1, 3, 40]),
    _HEADINGS,
    st.sampled_from(["markdown", "plain", "code"]),
    st.sampled_from([None, 1, 2]),
)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_SECTIONS, max_size=7))
def test_nothing_is_lost_and_nothing_is_said_twice(sections: list[Section]):
    made = leaves(*sections)
    headings = {
        f"{'#' * level} {' '.join(step.split())}" for one in sections for step in one.locator.heading for level in range(1, 7)
    }
    kept: list[str] = []
    for leaf in made:
        for piece in leaf.pieces:
            part = leaf.text[piece.start : piece.end].strip()
            if part not in headings and not piece.label.endswith("header row"):
                kept += part.split()
    told = [word for one in sections for word in one.text.split()]
    assert "".join(kept) == "".join(told)
    assert made == cut(document(*sections)).leaves


@pytest.mark.parametrize(
    "text",
    [
        "." * 300_000, "[" * 300_000, "a](" * 100_000, "`<" * 150_000, "**a " * 75_000, "1. " * 30_000, "A-1" * 100_000,
        "a/" * 150_000 + ".md", 'see "' * 60_000, "x" + " " * 300_000 + "x", "漢字です。" * 60_000, "a\n\n" * 30_000,
        "```\n" * 30_000, "\n".join(" " * n + "- x" for n in range(700)), "\ud800 " * 30_000, "http://" * 40_000,
    ],
)  # fmt: skip
def test_odd_input_takes_no_longer_than_its_length(text: str):
    assert leaves(Section(text)) and leaves(Section(text, markup="plain"))


def test_megabytes_on_one_line():
    made = cut(document(Section("The quick brown fox jumps over it. " * 120_000, markup="plain"))).leaves
    assert max(len(leaf.text) for leaf in made) <= MOST
    assert all(leaf.text.endswith(".") for leaf in made)


# ---------------------------------------------------------------- logic units


def test_steps_are_units_in_order_that_lead_on():
    text = "Do this.\n\n1. Stop the service.\n2. Restore the dump:\n\n   ```sh\n   restore\n   ```\n3. Start it."
    found = units(text, "Guide", "Recovery")
    steps = [unit for unit, _ in found if unit.kind == "step"]
    assert [unit.step for unit in steps] == [1, 2, 3]
    assert steps[0].header == "Recovery: Stop the service."
    assert [link.to for unit in steps for link in unit.links if link.kind == "next"] == ["2", "3"]
    assert "restore\n" in found[2][1]


@pytest.mark.parametrize(
    "text",
    [
        "1 switch it off\n2 open the flap\n\n3 pull the strip out\n4 close it",
        "a) switch it off\nb) open the flap\nc) pull the strip out\nd) close it",
        "Step 1: switch it off\nStep 2: open the flap\nStep 3: pull the strip out\nStep 4: close it",
    ],
)
def test_steps_may_be_numbered_without_a_dot_by_letters_or_by_the_word(text: str):
    made = units(text, "When it jams")
    assert [unit.step for unit, _ in made] == [1, 2, 3, 4]
    assert "open the flap" in made[1][0].header and "strip" not in made[1][0].header


def test_a_number_at_the_beginning_of_a_line_is_not_yet_a_step():
    assert {unit.kind for unit, _ in units("We have\n2 vans and\n3 cars.", "Fleet")} == {"passage"}
    assert {unit.kind for unit, _ in units("1 van is red.\n3 vans are blue.\n2 are in the shop.", "Fleet")} == {"passage"}


def test_code_right_after_a_step_belongs_to_it():
    found = units("1. Stop it.\n\n```sh\nstop\n```\n\n2. Wait.\n\nA minute will do.\n\n3. Start it.\n", "Restart")
    assert [(unit.step, "stop\n" in body, "minute" in body) for unit, body in found] == [
        (1, True, False),
        (2, False, True),
        (3, False, False),
    ]


def test_a_list_in_which_every_item_is_number_one_is_one_procedure_with_items_of_items():
    found = units(
        "1. Look at the board.\n    1. Is the lamp on?\n    1. Is it red?\n1. Read the log.\n1. Call.\n", "Guide", "Restart"
    )
    assert [unit.step for unit, _ in found] == [1, 2, 3] and "red" in found[0][1]


def test_steps_below_a_heading_that_asks_how_are_steps():
    found = units("1. Look at the board.\n2. Read the log.\n", "Guide", "How?")
    assert [(unit.kind, unit.step) for unit, _ in found] == [("step", 1), ("step", 2)]
    assert [unit.kind for unit, _ in units("1. The board.\n2. The log.\n", "Guide", "What is there?")] == ["faq"]


def test_each_procedure_below_needs_what_is_needed_first():
    text = "## Prerequisites\n\n- A key.\n\n## Start\n\n1. Turn it.\n2. Wait.\n\n## Stop\n\n1. Turn it back.\n2. Wait.\n"
    steps = [unit for unit, _ in units(text, "Guide") if unit.kind == "step"]
    assert [unit.prerequisites for unit in steps] == [("A key.",), (), ("A key.",), ()]


def test_plain_lists_under_a_procedure_are_steps():
    assert [unit.kind for unit, _ in units("- Check the queue.\n- Restart the worker.", "Guide", "Mitigation")] == [
        "step",
        "step",
    ]
    assert [unit.kind for unit, _ in units("- Red apples.\n- Green pears.", "Guide", "Fruit")] == ["passage"]
    assert [
        unit.kind
        for unit, _ in units("Check the queue:\n\n```\nqueue ls\n```\n\nRestart:\n\n```\nrestart\n```", "Guide", "How to restart")
    ] == ["step"] * 2


def test_numbered_headings_of_a_procedure_are_steps():
    [leaf] = leaves(
        section("Intro.", "Guide", "Procedure"),
        section("Turn the key.", "Guide", "Procedure", "1. Start"),
        section("Press the pedal.\n\nGently.", "Guide", "Procedure", "2. Drive"),
    )
    assert [(unit.step, unit.header) for unit in leaf.units if unit.step] == [(1, "1. Start"), (2, "2. Drive")]
    assert Link(kind="next", to="2") in leaf.units[1].links


def test_a_procedure_goes_on_in_the_next_leaf():
    text = "\n".join(f"{n}. {prose(n, 350).replace(chr(10), ' ')[:340]}" for n in range(1, 40))
    made = leaves(section(text, "Guide", "Steps"))
    steps = [unit.step for leaf in made for unit in leaf.units if unit.step]
    assert steps == list(range(1, 40)) and len(made) > 2
    for here, there in zip(made, made[1:], strict=False):
        assert Link(kind="heading", to=there.title) in here.units[-1].links


def test_prerequisites_go_to_the_first_step():
    [leaf] = leaves(
        section("- An account.\n- Access to the cluster.", "Guide", "Rollback", "Prerequisites"),
        section("1. Stop. You need the admin token.\n2. Go back.", "Guide", "Rollback", "Steps"),
    )
    first, second = (unit for unit in leaf.units if unit.kind == "step")
    assert first.prerequisites == ("An account.", "Access to the cluster.", "You need the admin token.")
    assert second.prerequisites == ()


def test_prose_is_not_taken_for_prerequisites():
    assert all(not unit.prerequisites for unit, _ in units("You need not worry.\n\nMake sure to smile. It helps.", "About"))


def test_glossary_entries_are_terms():
    text = "**Leaf**: one chunk.\n\n**Branch**: a node over leaves.\n\nRoot — the topmost node."
    assert [(unit.kind, unit.header) for unit, _ in units(text, "Glossary")] == [
        ("term", "Leaf"),
        ("term", "Branch"),
        ("term", "Root"),
    ]
    table = "| Term | Meaning |\n| --- | --- |\n| Leaf | One chunk. |\n| Root | The top. |"
    assert [(unit.kind, unit.header) for unit, _ in units(table, "Guide", "Terms and definitions")] == [
        ("term", "Leaf"),
        ("term", "Root"),
    ]


def test_questions_keep_their_answers():
    text = "Q: Is it free?\nA: Yes.\n\nQ: Is it fast?\n\nA: Quite."
    assert [(unit.kind, "Yes" in body, "Quite" in body) for unit, body in units(text, "FAQ")] == [
        ("faq", True, False),
        ("faq", False, True),
    ]
    [(unit, _)] = units("Press the button.", "Guide", "How can I stop it?")
    assert unit.kind == "faq" and unit.header == "How can I stop it?"


@pytest.mark.parametrize(
    ("heading", "text", "kind"),
    [
        ("Decision", "We take the train.", "decision"),
        ("Notes", "We decided to take the train.", "decision"),
        ("Impact", "Nobody could pay.", "issue"),
        ("Symptoms", "- It blinks.\n- It beeps.", "issue"),
        ("Timeline", "- 10:12 it broke\n- 10:40 it was mended", "event"),
        ("Notes", "2026-03-04 10:12 - it broke\n\n2026-03-05 - mended", "event"),
        ("Options", "- `--name`: its name", "reference"),
        ("Sizes", "| a | b |\n| --- | --- |\n| 1 | 2 |", "reference"),
        ("Story", "Once upon a time.", "passage"),
    ],
)
def test_kinds(heading: str, text: str, kind: str):
    assert {unit.kind for unit, _ in units(text, "Guide", heading)} == {kind}


def test_linkers_are_found_and_look_alikes_are_not():
    text = (
        "See [the plan](docs/plan.md) and [below](#roll-back), https://example.com/a_(b), PAY-231, deploy.md and "
        'see "Rollback". Not UTF-8, SHA-256, ISO-8601, CC0-1, mailto: [me](mailto:a@b.c), [x](javascript:alert) or ![i](a.png).'
    )
    [(unit, _)] = units(text, "About")
    assert unit.links == (
        Link(kind="file", to="docs/plan.md"), Link(kind="heading", to="roll back"), Link(kind="url", to="https://example.com/a_(b)"),
        Link(kind="key", to="PAY-231"), Link(kind="file", to="deploy.md"), Link(kind="heading", to="Rollback"),
    )  # fmt: skip


def test_long_prose_makes_units_of_a_useful_size():
    made = leaves(section(prose(8, 60_000, wrapped=False)))
    sizes = [unit.end - unit.start for leaf in made for unit in leaf.units]
    assert max(sizes) <= 900 and sum(sizes) / len(sizes) > 500


def test_code_stays_whole_with_the_paragraph_that_introduces_it():
    code = "```python\n" + "\n\n".join(f"def lift_{number}(load):\n    return load" for number in range(35)) + "\n```"
    assert 900 < len(code) < 1_800
    [found] = [
        text for _, text in units(f"{prose(1, 700)}\n\nThis lifts it.\n\n{code}\n\n{prose(2, 700)}", "Use") if "lift_7" in text
    ]
    assert "This lifts it.\n\n```python" in found and found.rstrip().endswith("```")
    for seed in range(8):
        text = f"{prose(seed, 4_000)}\n\nThis lifts it.\n\n{code}\n\n{prose(seed + 1, 4_000)}"
        [leaf] = [leaf for leaf in leaves(section(text, "Use")) if "lift_7" in leaf.text]
        assert f"This lifts it.\n\n{code}" in leaf.text
