"""Jira's wiki markup as Markdown: what is markup is read, what was only pasted stays as it is."""

from __future__ import annotations

import gc
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.jira.wiki import LONGEST, to_markdown


def lines(*wanted: str) -> str:
    return "\n".join(wanted)


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("h1. Top", "# Top"),
        ("h6.Deep", "###### Deep"),
        ("*bold* and _em_ and -gone- and +new+", "**bold** and *em* and ~~gone~~ and new"),
        ("*_both_*", "***both***"),
        ("{{mono}} and {{a|b}} and {{{x}}}", "`mono` and `a|b` and `{x}`"),
        ("10^5^ m{^}2{^} and H{~}2{~}O", "10^5^ m^2 and H2O"),
        ("a{*}b{*}c", "abc"),
        ("??cited?? really??", "*cited* really??"),
        ("bq. He said _no_", "> He said *no*"),
        ("----", "---"),
        ("one\\\\\ntwo \\\\ three", "one\ntwo\nthree"),
        ("\\*no bold\\* \\{code\\}", "*no bold* {code}"),
        ("{color:red}*hot*{color} and {color:#ff0000}warm{color}", "**hot** and warm"),
        ("before{anchor:here} {toc:maxLevel=2}after", "before after"),
        ("[~ann.other] and [~accountid:5b10:a] and [~Ann Other]", "@ann.other and @5b10:a and @Ann Other"),
        ("[the guide|https://example.com/a_b_c]", "[the guide](https://example.com/a_b_c)"),
        ("[*bold* guide|https://example.com]", "[**bold** guide](https://example.com)"),
        ("[https://example.com]", "https://example.com"),
        ("[https://example.com|https://example.com|smart-link]", "https://example.com"),
        ("[KEY-1|https://example.com/browse/KEY-1|smart-card]", "[KEY-1](https://example.com/browse/KEY-1)"),
        ("[mailto:ann@example.com]", "ann@example.com"),
        ("[^crash log.txt]", "[file: crash log.txt]"),
        ("!error.png|thumbnail! !Screen Shot 1.png! !https://example.com/a.gif|width=3!",
         "[image: error.png] [image: Screen Shot 1.png] [image: https://example.com/a.gif]"),
        ("a&nbsp;b", "a b"),
    ],
)  # fmt: skip
def test_markup_is_read(markup: str, markdown: str) -> None:
    assert to_markdown(markup) == markdown


@pytest.mark.parametrize(
    "pasted",
    [
        "snake_case_name and __init__ and _private",
        "5 * 3 * 2 and a*b*c and char *p, *q",
        "a - b - c, 2024-11-20, --force -x, well-known-word",
        "C:\\temp\\new and /usr/_bin_/tool and ~/a/~b",
        "at com.example.Shop$_closure1.<init>(Shop.java:12)",
        "\tat org.example.Main.main(Main.java:3) [classes/:na]",
        "[INFO] started [0] items[1] [a|b] [x, y]",
        "${user.home} /users/{id}/posts/{id} {name} { a: 1 }",
        "if (a || b) { return a | b; }",
        "C++ and c++ and i++ and ++j",
        "really!! no! yes!",
        "x != y && !done! || {}",
        "https://example.com/a_b_/c-d-e?x=*y*&z={1}",
        "KEY_WITH_UNDERSCORE-12 and KEY-1",
        "**Markdown bold** and `code`",
        "*/5 * * * * and /* comment */",
        "unclosed {code} and {quote} and {panel:title=x} and {color} and {{mono",
        "[unclosed|https://example.com and !open.png",
    ],
)
def test_what_was_only_pasted_stays_as_it_is(pasted: str) -> None:
    assert to_markdown(f"x\n{pasted}") == f"x\n{pasted}"


def test_lists_nest_in_each_other_with_either_mark() -> None:
    markup = lines("# Open", "## the door", "##* slowly", "# Enter", "#* left", "goes on", "* other", "- dash")
    assert to_markdown(markup) == lines(
        "1. Open", "   1. the door", "      - slowly", "2. Enter", "   - left", "     goes on", "", "- other", "- dash"
    )  # fmt: skip


def test_a_list_that_begins_deep_is_a_list() -> None:
    assert to_markdown("** deep\n* flat") == "- - deep\n- flat"


def test_code_in_a_step_belongs_to_the_step_and_the_numbers_go_on() -> None:
    markup = lines("# Build", "{code:bash}", "make *all*", "{code}", "# Ship {noformat}now{noformat}")
    assert to_markdown(markup) == lines(
        "1. Build", "", "   ```bash", "   make *all*", "   ```", "", "2. Ship", "", "   ```", "   now", "   ```"
    )  # fmt: skip


@pytest.mark.parametrize("macro", ["code", "noformat"])
def test_nothing_inside_code_is_touched(macro: str) -> None:
    code = "h1. x\n* *y* \\{z\\} {panel}\n|a|b|\n[~c] !d.png! {{e}}  --\n\n# end"
    assert to_markdown(f"see{{{macro}}}\n{code}\n{{{macro}}}there") == f"see\n\n```\n{code}\n```\n\nthere"


@pytest.mark.parametrize(
    ("tag", "opening"),
    [("code:java", "```java"), ("code:language=sql|borderStyle=solid", "```sql"), ("code:title=Main.java|java", "**Main.java**\n\n```"),
     ("code:java|title=Main.java", "**Main.java**\n\n```java"), ("code:none", "```"), ("CODE", "```"), ("noformat:nopanel=true", "```")],
)  # fmt: skip
def test_code_keeps_its_language_and_title(tag: str, opening: str) -> None:
    closing = tag.partition(":")[0]
    assert to_markdown(f"{{{tag}}}\nx\n{{{closing}}}") == f"{opening}\nx\n```"


def test_code_that_ends_with_the_tag_it_began_with() -> None:
    assert to_markdown("{code:xml}\n<a/>\n{code:xml}\nend") == "```xml\n<a/>\n```\n\nend"


def test_a_markdown_fence_is_code_too() -> None:
    assert to_markdown("see\n```js\n# not *a* list\n\n{quote}\n```\nend") == "see\n\n```js\n# not *a* list\n\n{quote}\n```\n\nend"


def test_tables_with_headers_links_and_code() -> None:
    markup = lines("||Name||*Value*||", "|[a|https://example.com]|{{x|y}}|", "|b \\| c|first", "second|", "after")
    assert to_markdown(markup) == lines(
        "| Name | Value |", "| --- | --- |", "| [a](https://example.com) | `x\\|y` |", "| b \\| c | first / second |", "", "after"
    )  # fmt: skip


def test_a_table_with_code_in_a_cell_becomes_a_list_of_records() -> None:
    markup = lines("||Case||Output||", "|Login|{code}200", "OK{code}|")
    assert to_markdown(markup) == lines("- Case: Login", "  Output:", "", "  ```", "  200", "  OK", "  ```")


def test_boxes_keep_their_titles_and_what_is_in_them() -> None:
    assert to_markdown("{panel:title=Set-up|bgColor=#fff}\n* one\n{panel}") == "**Set-up**\n\n- one"
    assert to_markdown("{expand:More}\nhidden\n{expand}") == "**More**\n\nhidden"
    assert to_markdown("{warning}Back up *first*{warning}") == "**Warning:** Back up **first**"
    assert to_markdown("{note:title=Mind}the gap{note}") == "**Mind**\n\nthe gap"
    assert to_markdown("{chart:title=Sales|type=pie}\nnumbers\n{chart}") == "**Sales**\n\nnumbers"


def test_quotations_hold_paragraphs_lists_and_code() -> None:
    markup = lines("{quote}", "He said", "", "# no", "{code}x = 1{code}", "{quote}", "She: yes")
    assert to_markdown(markup) == lines(
        "> He said", ">", "> 1. no", ">", ">    ```", ">    x = 1", ">    ```", "", "She: yes"
    )  # fmt: skip


def test_boxes_in_boxes_close_in_the_right_order() -> None:
    assert to_markdown("{panel:title=A}{quote}x{panel}y{quote}") == "**A**\n\n> x\n\ny{quote}"


def test_a_box_whose_end_is_inside_code_ends_with_the_text() -> None:
    assert to_markdown("{quote}said {code}{quote}{code}") == "> said\n\n```\n{quote}\n```"


def test_people_have_the_names_that_are_given() -> None:
    assert to_markdown("ask [~jdoe]", {"jdoe": "Jo Doe"}) == "ask @Jo Doe"


def test_line_ends_and_characters_nobody_sees() -> None:
    assert to_markdown("a\r\nb\rc\x00\x07d\ud800") == "a\nb\nc  d\ufffd"


def test_a_text_longer_than_any_that_jira_takes_is_kept_as_it_is() -> None:
    assert to_markdown("*a* " * LONGEST) == ("*a* " * LONGEST).rstrip()


@pytest.mark.parametrize(
    "unit",
    ["*", "_", "{", "|", "[", "!", "\\", "`", "{{", "[a|", "{code:java}", "{color}", "{quote}", "{panel:x}", "*a ", "*_", "{*}", "!a", "|[", "||a\n", "{a:b=c}", "[[a|b", "```\n", "# a\n", "http://a[", "{code}a{code}", "{quote}a{quote}", "^~", "?? "],
)  # fmt: skip
def test_time_grows_with_the_length_and_not_with_its_square(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (LONGEST // 64, LONGEST // 4))

    def seconds(text: str) -> float:
        gc.disable()  # a collection goes through all that the tests before have left
        try:
            start = time.process_time()
            to_markdown(text)
            return time.process_time() - start
        finally:
            gc.enable()

    assert seconds(long) < 0.5 + 64 * min(seconds(short) for _ in range(2))  # 16 times as long; its square would be 256 times


WORDS = st.from_regex(r"[a-z]{1,5}[0-9]", fullmatch=True)
SIGNS = st.sampled_from(
    """* _ - + ^ ~ ?? {{ }} [ ] | || ! \\ \\\\ { } {quote} {panel:title=x1} {panel} {noformat} {code} {color:red} {color} {expand}
    h1. bq. # ## ** ---- {*} [a1|https://e1.com/] ! ``` : , . ( ) < > = / &nbsp; [~""".split()
) | st.sampled_from([" ", "\n", "\n\n", "\n* ", "\n# ", "\n|", "\n||"])  # fmt: skip


@settings(deadline=None)
@given(st.lists(SIGNS | WORDS.map(lambda word: f" {word} "), max_size=25))
def test_no_word_is_lost_whatever_stands_around_it(parts: list[str]) -> None:
    words = {part.strip() for part in parts if part.strip().isalnum()}
    found = to_markdown("".join(parts))
    assert words <= set(re.findall(r"[a-z0-9]+", found))
    assert "\ue000" not in found


@settings(deadline=None)
@given(st.text(alphabet="ab \n*_-{}[]|!#~^+?\\`:/.=hq1\ue000\ue0010", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    letters = set(re.findall(r"[ab]+", text))
    found = to_markdown(text)
    assert "\ue000" not in found
    assert not letters or any(letter in found for word in letters for letter in word)


def test_html_in_a_text_is_shown_as_text() -> None:
    said = to_markdown(
        "Before.\n{html}<div><p>Turn it <b>left</b>.</p><ul><li>One</li><li>Two</li></ul><script>x()</script></div>{html}\nAfter."
    )
    assert said == "Before.\n\nTurn it left.\n\n- One\n- Two\n\nAfter."
    assert "<" not in said and "{html}" not in said and "x()" not in said


def test_a_tag_of_html_that_is_never_closed_stays_a_word() -> None:
    assert to_markdown("Write {html} first.") == "Write {html} first."
