"""How an answer reads, and that nothing quoted in it comes alive."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from prompts.extractive import ExtractiveReader, as_text
from prompts.extractive.dates import Day, days
from prompts.extractive.markdown import as_code, as_words
from prompts.extractive.rendering import place_of
from prompts.language import terms
from prompts.records import Cited, Evidence, LeafText, Link, LogicUnit, Question, Quote
from tests.prompts.texts import texts

READER = ExtractiveReader()
MARKDOWN = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").enable("strikethrough")


def ask(text: str, *leaves: LeafText) -> list[Cited]:
    question = Question(text, dict.fromkeys(terms(text), 3.0))
    evidence = [Evidence(at, leaf, READER.answer(question, leaf), 1.0 / at) for at, leaf in enumerate(leaves, 1)]
    return list(READER.compose(question, evidence))


def shown(text: str, *leaves: LeafText) -> str:
    return "".join(piece.text for piece in ask(text, *leaves))


# ---------------------------------------------------------------- safe


def _bare(html: str) -> str:
    """What a paragraph is made of beside words, code and what is crossed out."""
    return re.sub(r"</?(?:p|code|s)>", "", html)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://evil.example/a.png)", "[click](javascript:alert(1))",
        "[click](https://evil.example)", "# Heading", "> quote", "* item", "- item", "+ item", "1. item", "1) item", "---", "`code`", "**bold**",
        "a | b", "[1]: https://evil.example", "<https://evil.example>", "~~gone~~", "&lt;b&gt;", "$x^2$", ":red[text]", "    code", "===",
        "[a][b] ![c][d]", "<!-- x -->", "\\[x](y)", "``a`b``", "`<script>`", "[![x](a)](b)", "javascript:alert(1)", "me@example.com", "www.example.com",
    ],
)  # fmt: skip
def test_quoted_markup_is_text(text: str):
    html = MARKDOWN.render(as_text(text))
    assert html.startswith("<p>") and html.count("<p>") == 1
    bare = _bare(html)
    assert "<" not in bare


def test_the_marks_of_a_quoted_paragraph_are_not_shown() -> None:
    assert as_text("Mind the tide\n> and the wind\n  > > a > b") == "Mind the tide and the wind a \\> b"


def test_tags_of_html_among_words_are_not_shown() -> None:
    assert as_text('Press <kbd>Esc</kbd><br>twice <a id="x"></a>, `<br>` is a tag') == "Press Esc twice , `<br>` is a tag"


@given(texts)
def test_no_quoted_text_becomes_markup(text: str):
    html = MARKDOWN.render(as_text(text))
    bare = _bare(html)
    assert "<" not in bare


@given(texts)
def test_code_stays_in_its_block(text: str):
    html = MARKDOWN.render(as_code(text))
    assert html.count("<pre>") == 1 and html.rstrip().endswith("</code></pre>")


def test_words_are_shown_as_the_document_shows_them():
    assert as_text("See [the guide](https://a.b/c) and `ls -l` for **more**.") == "See the guide and `ls -l` for more."
    assert as_text("snake_case and 2*3") == "snake\\_case and 2\\*3"
    assert as_text("~~1 *May*~~ 8 May, ~5 people") == "~~1 May~~ 8 May, \\~5 people"
    assert as_words("~~1 May~~ 8 May") == "8 May"
    assert as_text(Quote(text="Go to https://a.b/c_d.")) == "Go to `https://a.b/c_d`."
    assert "1989" in as_text("Ana (born July 23, 1989) is a chemist.")


# ---------------------------------------------------------------- the forms of an answer


def test_one_sentence_that_answers_is_enough_and_a_passage_stands_above_its_document():
    one = LeafText("Refunds above 500 EUR need two approvals.", ("Refund policy",))
    two = LeafText("The finance lead gives approvals for refunds on Mondays.", ("Finance handbook",))
    text = shown("How many approvals do refunds above 500 EUR need?", one, two)
    assert text == "Refunds above 500 EUR need two approvals. [1]"
    told = shown("What does the finance handbook say of approvals on Fridays?", one, two)
    assert told.index("on Mondays. [2]") < told.index("*Finance handbook*")


def runbook(*needed: str) -> LeafText:
    body = "1. Drain the node.\n2. Restart the kubelet.\n3. Check the node is ready."
    lines = body.split("\n")
    starts = [body.index(line) for line in lines]
    units = tuple(
        LogicUnit(
            kind="step", header="Restart the kubelet", start=start, end=start + len(line), step=at, links=(Link(kind="next", to=str(at)),),
            prerequisites=needed if at == 1 else (),
        )
        for at, (start, line) in enumerate(zip(starts, lines, strict=True), 1)
    )  # fmt: skip
    return LeafText(body, ("Runbook", "Restart the kubelet"), units)


def test_steps_come_in_order_with_what_they_need():
    text = shown("How do I restart the kubelet on a node?", runbook("You need root on the node"))
    places = [text.index(words) for words in ("Before you start", "root on the node", "1. Drain", "2. Restart", "3. Check")]
    assert places == sorted(places)
    assert MARKDOWN.render(text).count("<li>") == 4


def test_that_a_section_goes_on_below_its_steps_is_told():
    alone = runbook()
    text = shown("How do I restart the kubelet on a node?", alone)
    assert "3. Check the node is ready. [1]" in text and "goes on" not in text
    more = replace(alone, text=f"{alone.text}\n\nThen let the old one end.\n")
    assert shown("How do I restart the kubelet on a node?", more).endswith("The section goes on below these steps. [1]")


def test_other_passages_stand_below_steps_that_may_help():
    crew = LeafText("The kubelet of a lost node is restarted by the crew at night.", ("Crew",))
    text = shown("How do I restart the kubelet at night?", runbook(), crew)
    places = [text.index(words) for words in ("Passages that may help", "3. Check", "More passages:", "by the crew at night")]
    assert places == sorted(places) and text.count("Restart the kubelet.") == 1


def test_the_newer_of_two_dated_statements_leads():
    old = LeafText("The refund limit is 500 EUR.", ("Planning 2026-01-10",))
    new = LeafText("The refund limit is 800 EUR.", ("Planning 2026-04-02",))
    text = shown("What is the current refund limit?", old, new)
    assert text.index("800 EUR") < text.index("500 EUR")
    assert "Until 2 April 2026: The refund limit is 500 EUR." in text


def test_a_row_by_itself_is_told_with_its_columns():
    table = "| Service | Owner | Since |\n|---|---|---|\n| Ledger | Ana | May |\n| Payouts | Ben | June |"
    text = shown("Who is the owner of the Payouts service?", LeafText(table, ("Services",)))
    assert text.index("Service: Payouts · Owner: Ben · Since: June [1]") < text.index("Ledger")


def test_passages_of_one_section_stand_together_above_its_place():
    keys = LeafText(
        "# Keys\n\nThe north gate has two keys.\n\nThe spare key of the north gate hangs in the office.\n\nThe office opens at six.",
        ("Manual", "Keys"),
    )
    locks = LeafText("# Locks\n\nThe lock of the north gate sticks when it rains.", ("Manual", "Locks"))
    text = shown("Tell me something about the key of the north gate", keys, locks)
    places = [
        text.index(words) for words in ("two keys", "spare key", "*Manual \u203a Keys*", "sticks when", "*Manual \u203a Locks*")
    ]
    assert places == sorted(places) and text.split("More passages")[0].count("Keys*") == 1


def test_a_passage_of_a_leaf_of_several_sections_stands_above_its_own():
    text = (
        "The gates open at six.\n\n## North gate\n\n### Lock\n\nThe lock of the north gate sticks.\n\n## South gate\n\nIt is new."
    )
    leaf = LeafText(text, ("Manual", "Gates \u2026 South gate"))
    assert "*Manual \u203a North gate \u203a Lock*" in shown("Tell me about the lock of the north gate", leaf)
    assert "*Manual \u203a Gates*" in shown("Tell me about gates that open at six", leaf)


def test_a_sentence_that_points_back_brings_the_one_before():
    leaf = LeafText("Escrow keeps the money of a disputed order. It is released by the support lead after ten days.", ("Money",))
    answer = READER.answer(
        Question("When is it released by the support lead?", {"releas": 3.0, "support": 3.0, "lead": 3.0}), leaf
    )
    assert answer.quotes[0].text.startswith("Escrow keeps")


def test_code_is_shown_as_code():
    leaf = LeafText("To restart the broker run the following command:\n\n```sh\nsystemctl restart broker\n```\n", ("Broker",))
    text = shown("How do I restart the broker?", leaf)
    assert "```text\nsystemctl restart broker\n```" in "\n".join(line.strip() for line in text.splitlines())


def test_a_partial_answer_says_so():
    leaf = LeafText("The ledger is written in Rust. It has three tables.", ("Ledger",))
    question = Question("Who wrote the ledger for the Lisbon office?", {"wrote": 2.0, "ledger": 3.0, "lisbon": 4.0, "offic": 3.0})
    evidence = [Evidence(1, leaf, READER.answer(question, leaf), 1.0)]
    text = "".join(piece.text for piece in READER.compose(question, evidence))
    assert text.startswith(("Passages that may help:", "I found nothing"))


def test_dates_are_read_as_people_write_them():
    assert set(days("2026-03-01, 2 April 2026, May 3rd, 2026 and June 2026")) == {
        Day(2026, 3, 1),
        Day(2026, 4, 2),
        Day(2026, 5, 3),
        Day(2026, 6),
    }
    assert days("version 20260101234, 12.2026") == []


def test_numbers_of_footnotes_are_no_procedure():
    text = "Free the disk when it fills up.\n\n- [1](https://a.example/x)\n- [2](https://b.example/y)\n"
    first = text.index("[1]")
    second = text.index("[2]")
    units = (
        LogicUnit(kind="step", header="Mitigation", start=first, end=text.index("\n", first), step=1),
        LogicUnit(kind="step", header="Mitigation", start=second, end=text.index("\n", second), step=2),
    )
    answer = shown("How do I free the disk when it fills up?", LeafText(text, ("Disk fills up", "Mitigation"), units))
    assert "Free the disk" in answer and "1. 1" not in answer


def test_what_a_follow_up_points_at_leads_over_what_only_mentions_it():
    mention = LeafText("The siren does not howl at dawn over five nights.", ("Before we open",))
    own = LeafText("The timer of the siren is renewed at dawn, and the second one has no end.", ("Siren",))
    question = Question("Why does the siren howl at dawn?", dict.fromkeys(terms("siren howl dawn"), 3.0))
    evidence = [Evidence(at, leaf, READER.answer(question, leaf), 1.0 / at) for at, leaf in enumerate((mention, own), 1)]
    assert "".join(piece.text for piece in READER.compose(question, evidence)).index("five nights") < 80
    meant = [replace(one, is_meant=one.leaf is own) for one in evidence]
    assert "renewed at dawn" in "".join(piece.text for piece in READER.compose(question, meant))[:80]


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("There are many ways to lift a boat.\n\nUse a crane.", "There are many ways to lift…", "Harbour"),
        ("* [Crane book](https://x.example/crane)\n  is in the office.", "Crane book", "Harbour"),
        ("# Crane book\n\nIt is in the office.", "Crane book", "Harbour \u203a Crane book"),
        ("It is in the office.", "Crane book", "Harbour \u203a Crane book"),
    ],
)
def test_the_words_with_which_a_leaf_opens_are_no_place(text: str, name: str, place: str) -> None:
    assert place_of(LeafText(text, ("Harbour", name))) == place


def test_a_newer_sentence_elsewhere_does_not_replace_what_stands_below_the_question_itself() -> None:
    asked = "How much deposit do we take?"
    section = f"**{asked}** 40 % of the order value."
    unit = LogicUnit(kind="faq", header=asked, start=0, end=len(section))
    below = LeafText(section, ("Desk questions, 3 March 2026",), units=(unit,))
    newer = LeafText("We take a deposit of 900 euros for the van.", ("Van, 9 May 2026",))
    text = shown(asked, below, newer)
    assert "40 %" in text and "Until" not in text
    assert "900" not in text or text.startswith("Statements differ")
