"""Atlassian Document Format as Markdown: every node type, whatever is wrong with it, and no word lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.jira.adf import to_markdown

Node = dict[str, Any]

TYPES = """paragraph text heading bulletList orderedList listItem taskList taskItem decisionList decisionItem codeBlock blockquote
    panel rule table tableRow tableCell tableHeader mediaSingle mediaGroup media caption expand nestedExpand layoutSection layoutColumn
    bodiedExtension extension inlineExtension blockCard embedCard inlineCard mention emoji date status hardBreak mediaInline placeholder
    blockTaskItem syncBlock bodiedSyncBlock somethingElse""".split()  # fmt: skip


def node(kind: str, *content: Node | str, **attributes: object) -> Node:
    made: Node = {"type": kind}
    if content:
        made["content"] = [text(one) if isinstance(one, str) else one for one in content]
    if attributes:
        made["attrs"] = attributes
    return made


def text(words: str, *marks: str, href: str = "") -> Node:
    named: list[Node] = [{"type": mark} for mark in marks]
    if href:
        named.append({"type": "link", "attrs": {"href": href}})
    return {"type": "text", "text": words, "marks": named}


def paragraph(*content: Node | str) -> Node:
    return node("paragraph", *content)


def item(*content: Node | str) -> Node:
    return node("listItem", *(paragraph(one) if isinstance(one, str) else one for one in content))


def cell(*content: Node | str, kind: str = "tableCell", **attributes: object) -> Node:
    return node(kind, *(paragraph(one) if isinstance(one, str) else one for one in content), **attributes)


def read(*content: Node, names: dict[str, str] | None = None) -> str:
    return to_markdown({"type": "doc", "version": 1, "content": list(content)}, names or {})


def lines(*wanted: str) -> str:
    return "\n".join(wanted)


BREAK = node("hardBreak")


def test_no_document_is_no_text() -> None:
    assert to_markdown(None) == to_markdown({}) == read() == ""


def test_headings_paragraphs_and_line_breaks() -> None:
    found = read(node("heading", "Set-up", level=2), paragraph("First", BREAK, "second"), paragraph(" "), paragraph("third"))
    assert found == lines("## Set-up", "", "First", "second", "", "third")


def test_marks_stand_around_words_and_not_around_blanks() -> None:
    found = read(
        paragraph(
            "a ", text("bold ", "strong"), text("both", "strong", "em"), " and ", text("x = 1", "code"), text(" gone", "strike")
        )
    )
    assert found == "a **bold *both*** and `x = 1` ~~gone~~"


def test_a_mark_inside_a_word_does_not_cut_the_word() -> None:
    assert read(paragraph("foo", text("bar", "strong"), "baz")) == "foobarbaz"


def test_a_power_does_not_become_another_number() -> None:
    def raised(words: str) -> Node:
        return {"type": "text", "text": words, "marks": [{"type": "subsup", "attrs": {"type": "sup"}}]}

    lowered = {"type": "text", "text": "2", "marks": [{"type": "subsup", "attrs": {"type": "sub"}}]}
    assert read(paragraph("10", raised("5"), " the 1", raised("st"), " H", lowered, "O")) == "10^5 the 1st H2O"


def test_code_with_backticks_keeps_them() -> None:
    assert read(paragraph(text("a `b`", "code"))) == "`` a `b` ``"


@pytest.mark.parametrize(
    "words", ["KEY_WITH_UNDERSCORE-12", "a * b", "[WARN] x", "C:\\temp\\new", "<Label id='x'/>", "1 < 2 & 3", "100 ~ 200"]
)
def test_running_text_is_not_escaped(words: str) -> None:
    assert read(paragraph(words)) == words


@pytest.mark.parametrize("words", ["# not a heading", "--------", "=====", "***"])
def test_a_line_that_would_be_taken_for_structure_is_escaped(words: str) -> None:
    assert read(paragraph("first", BREAK, words)) == f"first\n\\{words}"


def test_a_list_typed_by_hand_stays_the_list_it_was_meant_to_be() -> None:
    assert read(paragraph("1. Open", BREAK, "2. Click", BREAK, "- never")) == lines("1. Open", "2. Click", "- never")


def test_a_fence_typed_by_hand_is_code_only_if_it_is_closed() -> None:
    assert read(paragraph("```js", BREAK, "# x", BREAK, "```")) == lines("```js", "# x", "```")
    assert read(paragraph("```js", BREAK, "x"), paragraph("after")) == lines("\\```js", "x", "", "after")


def test_a_link_has_text_and_address_or_one_of_them_where_they_say_the_same() -> None:
    address = "https://example.com/a_b"
    assert read(paragraph("see ", text("the guide", href=address))) == f"see [the guide]({address})"
    assert read(paragraph(text(address, href=address))) == address
    assert read(paragraph(text("example.com/a_b", href=address))) == address
    assert read(paragraph(text("ann@example.com", href="mailto:ann@example.com"))) == "ann@example.com"
    assert read(paragraph(text("the ", href=address), text("guide", "strong", href=address))) == f"[the **guide**]({address})"
    assert read(paragraph(text("click", href="javascript:alert(1)"))) == "click"


def test_an_address_that_markdown_would_cut_is_kept_whole() -> None:
    assert read(paragraph(text("wiki", href="https://example.com/a_(b)"))) == "[wiki](https://example.com/a_(b))"
    assert read(paragraph(text("file", href="https://example.com/my file)"))) == "[file](<https://example.com/my file)>)"
    assert read(paragraph(text("a] b", href="https://example.com"))) == "a] b (https://example.com)"


def test_lists_are_numbered_as_they_say_and_nest() -> None:
    steps = node("orderedList", item("Open", node("bulletList", item("left"), item("right"))), item("Save"), order=3)
    assert read(steps) == lines("3. Open", "   - left", "   - right", "4. Save")


def test_code_inside_a_step_belongs_to_the_step() -> None:
    code = node("codeBlock", "make\n\nmake test", language="bash")
    found = read(node("orderedList", item("Build", code, paragraph("twice")), item("Ship")))
    assert found == lines("1. Build", "", "   ```bash", "   make", "", "   make test", "   ```", "", "   twice", "", "2. Ship")


def test_an_item_that_is_only_code_still_begins_with_words() -> None:
    found = read(node("orderedList", item(node("codeBlock", "npm install")), item(node("codeBlock", "a\nb"))))
    assert found == lines("1. `npm install`", "", "2. Code:", "", "   ```", "   a", "   b", "   ```")


def test_tasks_and_decisions() -> None:
    inner = node("taskList", node("taskItem", "draft", state="DONE"))
    tasks = node(
        "taskList", node("taskItem", "write", state="TODO"), inner, node("blockTaskItem", paragraph("send"), state="DONE")
    )
    decisions = node("decisionList", node("decisionItem", "We use UTC", state="DECIDED"))
    assert read(tasks, decisions) == lines("- [ ] write", "      - [x] draft", "- [x] send", "", "- Decision: We use UTC")


def test_code_is_verbatim_in_a_fence_longer_than_any_inside() -> None:
    code = "# no heading\n\t* x | y\r\n```\ninner\n```"
    assert read(node("codeBlock", code, language="markdown")) == lines(
        "````markdown", "# no heading", "\t* x | y", "```", "inner", "```", "````"
    )


def test_a_table_of_lines_is_one_pipe_table() -> None:
    head = node("tableRow", cell(paragraph(text("Name", "strong")), kind="tableHeader"), cell("Note", kind="tableHeader"))
    row = node("tableRow", cell("a | b"), cell("one", "two", paragraph("three", BREAK, "four")))
    assert read(node("table", head, row)) == lines("| Name | Note |", "| --- | --- |", "| a \\| b | one / two / three / four |")


def test_cells_over_several_rows_and_columns_keep_the_columns_in_line() -> None:
    rows = [
        node("tableRow", cell("Device", kind="tableHeader"), cell("Result", kind="tableHeader"), cell("By", kind="tableHeader")),
        node("tableRow", cell("Phone"), cell("ok", rowspan=3), cell("Ann")),
        node("tableRow", cell("Tablet"), cell("Bob")),
        node("tableRow", cell("Watch"), cell("Kim")),
        node("tableRow", cell("both fine", colspan=2), cell("Eve")),
    ]
    table = read(node("table", *rows)).split("\n")
    assert table[2:] == ["| Phone | ok | Ann |", "| Tablet | ok | Bob |", "| Watch | ok | Kim |", "| both fine |  | Eve |"]


def test_a_table_with_blocks_in_its_cells_becomes_a_list_of_records() -> None:
    head = node("tableRow", *(cell(name, kind="tableHeader") for name in ("Case", "Do", "Expect")))
    row = node(
        "tableRow", cell("Login"), cell(node("orderedList", item("open"), item("type"))), cell(node("codeBlock", "200\nOK"))
    )
    found = read(node("table", head, row))
    assert found == lines(
        "- Case: Login", "  Do:", "  1. open", "  2. type", "", "  Expect:", "", "  ```", "  200", "  OK", "  ```"
    )  # fmt: skip


def test_a_column_without_values_keeps_its_name_in_records() -> None:
    head = node("tableRow", *(cell(name, kind="tableHeader") for name in ("Do", "Seen")))
    row = node("tableRow", cell(node("codeBlock", "a\nb")), cell())
    assert read(node("table", head, row)) == lines("- Do:", "", "  ```", "  a", "  b", "  ```", "", "  Seen:")


def test_a_table_of_very_many_columns_is_a_list_of_its_rows() -> None:
    rows = [node("tableRow", *(cell(f"c{number}") for number in range(count))) for count in (1, 200, 1)]
    found = read(node("table", *rows)).split("\n- ")
    assert found[1].split() == [f"c{number}" for number in range(200)]
    assert found[0] == "- c0" and found[2] == "c0"


def test_boxes_keep_their_titles() -> None:
    assert read(node("panel", paragraph("Back up first"), panelType="warning")) == "**Warning:** Back up first"
    assert read(node("panel", paragraph("By the way"), panelType="info")) == "By the way"
    assert read(node("expand", paragraph("inside"), title="Details")) == "**Details**\n\ninside"
    assert read(node("nestedExpand", paragraph("inside"), title="More")) == "**More**\n\ninside"
    assert read(node("bodiedExtension", paragraph("inside"), extensionKey="excerpt", text="Summary")) == "**Summary**\n\ninside"


def test_a_quotation_is_marked_and_its_code_stays_code() -> None:
    quote = node("blockquote", paragraph("He said"), node("bulletList", item("no")), node("codeBlock", "x = 1"))
    assert read(quote, node("rule")) == lines("> He said", ">", "> - no", "", "```", "x = 1", "```", "", "---")


def test_mentions_are_names() -> None:
    mention = node("mention", id="5b10:a", text="@Old Name")
    assert read(paragraph("ask ", mention, "about it")) == "ask @Old Name about it"
    assert read(paragraph("ask ", mention), names={"5b10:a": "Ann Other"}) == "ask @Ann Other"
    assert read(paragraph(node("mention", id="5b10:a", text=""))) == "@5b10:a"


def test_dates_statuses_and_emojis_are_words() -> None:
    date, status = node("date", timestamp="1732060800000"), node("status", text="IN PROGRESS", color="blue")
    assert (
        read(paragraph("by ", date, " ", status, " ", node("emoji", shortName=":ok:", text="👌")))
        == "by 2024-11-20 [IN PROGRESS] 👌"
    )
    assert read(paragraph(node("date", timestamp="soon"), node("emoji", shortName=":ship:"))) == "soon:ship:"


def test_cards_give_their_address_and_title() -> None:
    assert (
        read(paragraph("see ", node("inlineCard", url="https://example.com/browse/KEY-1")))
        == "see https://example.com/browse/KEY-1"
    )
    assert (
        read(node("blockCard", data={"name": "The plan", "url": "https://example.com/p"})) == "[The plan](https://example.com/p)"
    )
    assert read(node("embedCard", url="https://example.com/v", layout="wide")) == "https://example.com/v"
    assert read(node("blockCard", datasource={"parameters": {"jql": "project = KEY"}})) == "[tickets: project = KEY]"


def test_pictures_and_files_are_named() -> None:
    picture = node("mediaSingle", node("media", id="1f-2", type="file", alt="error.png"), node("caption", "After the click"))
    assert read(picture) == "[image: error.png]\nAfter the click"
    files = node("mediaGroup", node("media", id="log.txt", type="file"), node("media", id="77aa", type="file"))
    assert read(files) == "[file: log.txt]\n[file]"
    assert (
        read(node("mediaSingle", node("media", type="external", url="https://example.com/a.gif")))
        == "[image: https://example.com/a.gif]"
    )
    assert read(paragraph("see ", node("mediaInline", id="x", alt="notes.pdf"))) == "see [file: notes.pdf]"


def test_an_app_that_shows_something_is_named() -> None:
    titled = {"macroMetadata": {"title": "Burn-down"}}
    assert read(node("extension", extensionKey="chart", parameters=titled)) == "Burn-down"
    assert read(paragraph("see ", node("inlineExtension", extensionKey="chart"))) == "see [chart]"


def test_columns_stand_below_each_other() -> None:
    columns = [node("layoutColumn", paragraph(words), width=50) for words in ("left", "right")]
    assert read(node("layoutSection", *columns)) == "left\n\nright"


def test_a_node_type_that_is_not_known_gives_what_it_holds() -> None:
    assert read(node("carousel", paragraph("one"), node("slide", "two", title="Slide"))) == "one\n\n**Slide**\n\ntwo"
    assert read(paragraph("a ", node("badge", text="new"), " b")) == "a  new  b"


def test_characters_nobody_sees_are_gone_and_line_ends_are_one_kind() -> None:
    assert read(paragraph("a\x1b[31mred\x00\r\nb\ufeff\ud800c")) == "a [31mred\nb\ufffdc"


# ---------------------------------------------------------------- whatever is wrong with it


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "paragraph", "content": "keep me"},
        {"type": "paragraph", "content": {"type": "text", "text": "keep me"}},
        {"type": "paragraph", "content": ["keep", [" me"]]},
        {"type": "paragraph", "content": [{"type": "text", "text": "keep me", "marks": None}, None, True]},
        {"type": "paragraph", "content": [{"type": "text", "text": "keep me", "marks": ["strong", 3, {"type": {}}]}]},
        {"type": "paragraph", "text": "keep me"},
        {"type": "text", "text": {"type": "text", "text": "keep me"}},
        {"type": "heading", "attrs": {"level": "high"}, "content": [{"type": "text", "text": "keep me"}]},
        {"type": "orderedList", "attrs": {"order": [1]}, "content": [{"type": "paragraph", "content": "keep me"}]},
        {"type": "bulletList", "content": [{"type": "text", "text": "keep me"}]},
        {"type": "table", "content": [{"type": "paragraph", "content": "keep me"}]},
        {"type": "table", "content": [{"type": "tableRow", "content": [{"type": "tableCell", "content": "keep me", "attrs": {"colspan": 1e9}}]}]},
        {"type": "tableCell", "content": "keep me", "attrs": {"rowspan": float("inf")}},
        {"type": "codeBlock", "attrs": {"language": 5}, "content": [{"type": "paragraph", "content": "keep me"}]},
        {"type": "paragraph", "content": [{"type": "codeBlock", "content": "keep me"}]},
        {"type": "status", "attrs": [{"text": "keep me"}, 4]},
        {"type": "status", "attrs": "keep me"},
        {"type": ["paragraph"], "content": "keep me"},
        {"content": [{"content": [{"text": "keep me"}]}]},
    ],
    ids=lambda broken: json.dumps(broken)[:60],
)  # fmt: skip
def test_wrong_types_do_not_lose_words(broken: Node) -> None:
    assert "keep me" in re.sub(r"\s+", " ", read(broken))


def test_a_number_where_text_should_be_is_text() -> None:
    assert read(paragraph({"type": "text", "text": 42})) == "42"


@pytest.mark.parametrize("kind", TYPES)
def test_nesting_without_end_keeps_the_words(kind: str) -> None:
    deep: Node = paragraph("at the bottom")
    for _ in range(5_000):
        deep = {"type": kind, "content": [text("level"), deep]}
    found = read(deep)
    assert "at the bottom" in found
    assert found.count("level") == 5_000


KEYS = st.sampled_from(
    ["type", "content", "text", "attrs", "marks", "level", "order", "url", "colspan", "rowspan", "href", "data"]
)
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([*TYPES, "link", "strong", "code"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, ANYTHING))
def test_whatever_comes_in_a_text_comes_out(document: Node) -> None:
    found = to_markdown(document)
    found.encode()
    assert "\r" not in found


# ---------------------------------------------------------------- no word is lost


class Maker:
    """Makes documents of every node type, and remembers the words it put in."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.words: list[str] = []

    def word(self) -> str:
        self.words.append(f"w{len(self.words)}x")
        return self.words[-1]

    def one_of(self, kinds: str) -> str:
        return self.draw(st.sampled_from(kinds.split()))

    def count(self, most: int = 3) -> range:
        return range(self.draw(st.integers(1, most)))

    def inline(self) -> Node:
        kind = self.one_of(
            "text text text mention emoji status inlineCard inlineExtension mediaInline placeholder hardBreak unknown"
        )
        match kind:
            case "text":
                marks = self.draw(
                    st.lists(st.sampled_from(["strong", "em", "strike", "code", "underline", "subsup"]), max_size=2)
                )
                blank = self.draw(st.sampled_from([" ", "  ", "\n"]))
                href = f"https://example.com/{self.word()}" if self.draw(st.booleans()) else ""
                return text(f"{blank}{self.word()}{self.draw(st.sampled_from('.,|*_`#[]()'))} ", *marks, href=href)
            case "mention":
                return node(kind, id="1", text=f"@{self.word()}")
            case "emoji":
                return node(kind, shortName=f":{self.word()}:")
            case "inlineCard":
                return node(kind, url=f"https://example.com/{self.word()} ")
            case "inlineExtension":
                return node(kind, extensionKey="k", text=f" {self.word()} ")
            case "mediaInline":
                return node(kind, id="1", alt=self.word())
            case "hardBreak":
                return BREAK
            case _:
                return node(kind, text=self.word())

    def inlines(self) -> list[Node]:
        return [one for _ in self.count() for one in (self.inline(), text(" "))]

    def blocks(self, depth: int) -> list[Node]:
        return [self.block(depth) for _ in self.count()]

    def block(self, depth: int) -> Node:
        kinds = "paragraph heading codeBlock blockCard embedCard mediaSingle mediaGroup extension rule"
        nesting = """bulletList orderedList taskList decisionList blockquote panel expand nestedExpand table layoutSection
            bodiedExtension bodiedSyncBlock unknown"""
        kind = self.one_of(kinds if depth > 3 else f"{kinds} {nesting}")
        match kind:
            case "paragraph":
                return node(kind, *self.inlines())
            case "heading":
                return node(kind, *self.inlines(), level=self.draw(st.integers(1, 6)))
            case "codeBlock":
                return node(kind, f"  {self.word()}\n\n```\n# {self.word()} | x", language="c++")
            case "blockCard" | "embedCard":
                return node(kind, url=f"https://example.com/{self.word()}")
            case "mediaSingle":
                return node(kind, node("media", id="1", alt=self.word()), node("caption", *self.inlines()))
            case "mediaGroup":
                return node(kind, *(node("media", id="1", type="file", alt=f"{self.word()}.txt") for _ in self.count()))
            case "extension":
                return node(kind, extensionKey=self.word())
            case "rule":
                return node(kind)
            case "bulletList" | "orderedList":
                return node(
                    kind, *(node("listItem", *self.blocks(depth + 1)) for _ in self.count()), order=self.draw(st.integers(0, 12))
                )
            case "taskList":
                tasks = [node("taskItem", *self.inlines(), state="TODO") for _ in self.count()]
                return node(kind, *tasks, node("blockTaskItem", *self.blocks(depth + 1), state="DONE"))
            case "decisionList":
                return node(kind, *(node("decisionItem", *self.inlines(), state="DECIDED") for _ in self.count()))
            case "table":
                return node(kind, *(self.row(depth + 1) for _ in self.count(4)))
            case "layoutSection":
                return node(kind, *(node("layoutColumn", *self.blocks(depth + 1), width=50) for _ in self.count()))
            case "expand" | "nestedExpand" | "unknown":
                return node(kind, *self.blocks(depth + 1), title=self.word())
            case "bodiedExtension":
                return node(kind, *self.blocks(depth + 1), extensionKey="k", text=self.word())
            case _:
                return node(kind, *self.blocks(depth + 1), panelType=self.one_of("info note custom warning"))

    def row(self, depth: int) -> Node:
        kind = self.one_of("tableCell tableHeader")
        spans = {"colspan": self.draw(st.integers(1, 2)), "rowspan": self.draw(st.integers(1, 2))}
        content = [self.blocks(depth + 1) if self.draw(st.booleans()) else [paragraph(*self.inlines())] for _ in self.count()]
        return node("tableRow", *(cell(*blocks, kind=kind, **spans) for blocks in content))


@settings(deadline=None)
@given(st.data())
def test_no_word_of_any_node_type_is_lost(data: st.DataObject) -> None:
    maker = Maker(data.draw)
    found = read(*maker.blocks(0))
    assert set(maker.words) <= set(re.findall(r"\w+", found.replace("_", " ")))


@settings(deadline=None)
@given(st.data())
def test_a_pipe_table_has_as_many_cells_in_each_row(data: st.DataObject) -> None:
    maker = Maker(data.draw)
    rows = [
        node("tableRow", *(cell(paragraph(*maker.inlines()), colspan=data.draw(st.integers(1, 2))) for _ in maker.count()))
        for _ in maker.count(4)
    ]
    found = read(node("table", *rows)).split("\n")
    if found[0].startswith("| "):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in found}) == 1
        assert re.fullmatch(r"\|( --- \|)+", found[1])
