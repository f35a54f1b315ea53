"""Texts that break readers, and strategies that make more of them."""

from __future__ import annotations

from hypothesis import strategies as st

LONG = 200_000

ADVERSARIAL = {
    "empty": "",
    "blank": " \n\t\n ",
    "one letter": "a" * LONG,
    "capitals": "A" * LONG,
    "spaces": " " * LONG,
    "lines": "\n" * LONG,
    "brackets": "(" * LONG,
    "links": "[](" * (LONG // 3),
    "fences": "`" * LONG,
    "pipes": "|" * LONG,
    "dots": "." * LONG,
    "letters and dots": "a." * (LONG // 2),
    "initials": "A.B. " * (LONG // 5),
    "camels": "Aa" * (LONG // 2),
    "underscores": "a_" * (LONG // 2),
    "dashes": "A-" * (LONG // 2),
    "numbers": "1," * (LONG // 2),
    "addresses": "a@b." * (LONG // 4),
    "quotes": "> " * (LONG // 2),
    "bullets": "* " * (LONG // 2),
    "names": "Ab " * (LONG // 3),
    "ideographs": "\u77e5\u8bc6\u6811" * (LONG // 3),
    "one line": "The pump must be checked before the shift starts and again when it ends, " * 70,
    "rows": "| a | b |\n" * (LONG // 10),
    "nul": "a\x00b\u202ec\ufeffd " * 1_000,
    "open fence": "Text.\n```\ncode " + "x " * 2_000,
}

_PIECES = st.sampled_from(
    [
        "# Steps\n", "- ", "1. Restart the node.\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "```sh\nls -l\n```\n", "\n\n", "We decided to keep it. ",
        "Ana must send the report by Friday. ", "On 2026-03-01 the service failed. ", "PAY-231 ", "Is it? ", "**Actions:**\n",
        "\u77e5\u8bc6\u6811\u3002", "caf\u00e9 ", "e.g. ", "<script>alert(1)</script> ", "![x](http://a.b/c.png) ", "  ", "\r\n", "> quoted\n", "---\ntitle: x\n---\n",
    ]
)  # fmt: skip
texts = st.one_of(st.text(max_size=300), st.lists(st.one_of(_PIECES, st.text(max_size=12)), max_size=40).map("".join))
