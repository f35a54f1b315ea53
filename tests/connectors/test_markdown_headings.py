"""A scan of the lines finds the headings that all rules of CommonMark find, or says that it is not sure."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from connectors.formats.markdown import by_all_rules
from connectors.formats.markdown_headings import Unsure, scan

LINES = """
foo|bar baz|# head|## head #|#|   # in|  # in|===|---|-|- item|- |* item|  * sub|1. one|2. two|10) ten|> q|>|- > q|> - q
```|~~~|```py|  ```|    code|\tcode|   text|<div>|<!-- c|-->|<span>|</div>|<script>|</script>|[a]: b|[a](b)|[x|***|- - -
-\tx|- ```|> ```|  - sub|     deep|--|  ---|  ===|####### x|#\thead|<?php|?>|- # h|1)|```` a|``` a`b|-     x|    # x||||
"""


@settings(max_examples=400)
@given(st.lists(st.sampled_from(LINES.strip("\n").replace("\n", "|").split("|")), min_size=2, max_size=9))
@example(["- foo", "bar", "# head"])
@example(["- ```", "# head", "```", "# in a fence"])
def test_a_scan_finds_what_all_rules_find(lines):
    try:
        found = scan(lines)
    except Unsure:
        return
    assert found == by_all_rules(lines)


def test_an_ordinary_page_needs_no_more_than_the_scan():
    page = """Title
=====
Text that
goes on.

## Steps to take ##
1. First
   ```
   # no heading
   ```
2. Second
   - with more

> # quoted

<!--
# hidden
-->
### Last
[name]: https://example.com
"""
    assert [(one.level, one.content, one.start) for one in scan(page.split("\n"))] == [
        (1, "Title", 0), (2, "Steps to take", 5), (3, "Last", 18),
    ]  # fmt: skip


def test_text_that_may_go_on_with_a_list_is_left_to_all_rules():
    with pytest.raises(Unsure):
        scan(["- item", "text", "---"])
