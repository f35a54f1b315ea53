"""An answer as it streams: ids become citations, what rests on none is marked, what leads outside is taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.model.citing import NOT_FOUND, UNSUPPORTED, Citations
from prompts.records import Cited, Quote
from prompts.usage import Usage

KNOWN = {
    "1a": (1, Quote(text="Refunds above 500 EUR need two approvals.", start=0, end=41)),
    "1b": (1, Quote(text="Smaller refunds need none.", start=80, end=106)),
    "2a": (2, Quote(text="The gate is green.", start=5, end=23)),
}


def read(text: str, size: int = 5, material: str = "") -> tuple[str, list[Cited], Usage]:
    usage = Usage()
    chunks = (text[at : at + size] for at in range(0, len(text), size))
    pieces = list(Citations(KNOWN, usage, material).read(chunks))
    return "".join(piece.text for piece in pieces), pieces, usage


def test_an_id_becomes_a_number_with_its_quote() -> None:
    text, pieces, usage = read("Two approvals are needed [1a]. The gate is green. [2a]")
    assert text == "Two approvals are needed [1]. The gate is green. [2]"
    assert [(piece.number, piece.quote) for piece in pieces if piece.number] == [KNOWN["1a"], KNOWN["2a"]]
    assert not usage.losses


def test_several_ids_of_one_place_show_one_number() -> None:
    text, pieces, _ = read("Two approvals, or none for less [1a, 1b; 2a].")
    assert text == "Two approvals, or none for less [1] [2]."
    assert [piece.quote for piece in pieces if piece.number] == [quote for _, quote in KNOWN.values()]


def test_a_number_alone_means_the_nearest_quote_of_it() -> None:
    _, pieces, _ = read("Smaller refunds need none [1].")
    assert [piece.quote for piece in pieces if piece.number] == [KNOWN["1b"][1]]


def test_an_unknown_id_is_dropped_counted_and_supports_nothing() -> None:
    text, _, usage = read("The moon is made of cheese [7a]. The gate is green [2a, 9].")
    assert text == f"The moon is made of cheese.{UNSUPPORTED} The gate is green [2]."
    assert usage.losses == {"unknown_ids": 2, "unsupported": 1}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It is green today. It is [2a].", f"It is green today.{UNSUPPORTED} It is [2]."),
        ("The gate is green, e.g. Gate 7 at 3.5 metres [2a].", "The gate is green, e.g. Gate 7 at 3.5 metres [2]."),
        ("Do this:\n\n1. Stop the old gate. [2a]\n2. Wait for the lamp\n", f"Do this:\n\n1. Stop the old gate. [2]\n2. Wait for the lamp{UNSUPPORTED}\n"),
        ("# A heading of its own\n\nThe gate is green [2a].", "# A heading of its own\n\nThe gate is green [2]."),
        ("# The moon is full tonight.\n", f"# The moon is full tonight.{UNSUPPORTED}\n"),
        ("Run it [2a].\n\n```sh\nx = a[1]\n   y z w\n```\nDone", "Run it [2].\n\n```sh\nx = a[1]\n   y z w\n```\nDone"),
        ("Run it [2a].\n\n```\nrm -rf it\n```\nDone", f"Run it [2].\n\n```\nrm -rf it\n```\n{UNSUPPORTED.strip()}\n\nDone"),
        ("Set `a[1a] b` to the value [2a].", "Set `a[1a] b` to the value [2]."),
        (f"The gate is green [2a].\n\n{NOT_FOUND} who painted it.", f"The gate is green [2].\n\n{NOT_FOUND} who painted it."),
        ("Was it green? Yes [2a]!", "Was it green?" + UNSUPPORTED + " Yes [2]!"),
        ("See [the page](http://evil.example/x) on it [2a].", "See the page on it [2]."),
        ("![pixel](http://evil.example/x)It is green [2a].", "pixelIt is green [2]."),
        ("See [the page](http://good.example/y) on it [2a].", "See [the page](http://good.example/y) on it [2]."),
        ("", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_only_sentences_that_rest_on_nothing_are_marked(said: str, shown: str, size: int) -> None:
    assert read(said, size, material="from http://good.example/y it is, x = a[1]  y z w")[0] == shown


def test_the_mark_is_a_piece_of_its_own() -> None:
    _, pieces, _ = read("Nobody knows this at all.")
    assert [piece.text for piece in pieces if piece.unsupported] == [UNSUPPORTED]


@given(
    st.lists(
        st.sampled_from(["[1a]", "[", "]", "(http://x)", "!", "`", "```", "Go on. ", "a", " ", "\n", "[2a, 9z]", ". "]),
        max_size=20,
    )
)
def test_an_answer_reads_the_same_however_it_is_cut(parts: list[str]) -> None:
    text = "".join(parts)
    assert read(text, 1)[0] == read(text, 10_000)[0]
    assert {piece.number for piece in read(text, 1)[1]} <= {None, 1, 2}
