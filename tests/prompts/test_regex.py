"""A pattern of a module is compiled at its first use, and is the same from then on."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from prompts.regex import regex


def test_it_finds_what_a_compiled_one_finds() -> None:
    lazy, compiled = regex(r"(?P<word>[a-z]+)(\d?)", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)(\d?)", re.IGNORECASE)
    text = "Ab1 c d2"
    assert lazy.pattern == compiled.pattern
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.sub("-", text) == compiled.sub("-", text)
    assert lazy.split(text) == compiled.split(text)
    assert (lazy.flags, lazy.groups, dict(lazy.groupindex)) == (compiled.flags, compiled.groups, dict(compiled.groupindex))
    match = lazy.search(text, 3)
    assert match and match["word"] == "c" and match.re == compiled
    assert not lazy.fullmatch(text) and lazy.match(text)


def test_one_that_cannot_be_compiled_says_so_at_its_first_use() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.search("")


def test_to_import_the_readers_compiles_few_patterns() -> None:
    program = """
import re
from re import _compiler
import prompts.regex
ours, compile = [], _compiler.compile
def noting(pattern, flags=0):
    ours.append(pattern)
    return compile(pattern, flags)
_compiler.compile = noting
import sqlmodel, httpx2
ours.clear()
import tree.ask.ask, prompts.extractive
print(len(ours))
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert int(said) < 100, "patterns of modules are made with `regex`, not with `re.compile`"
