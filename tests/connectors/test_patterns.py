"""Patterns decide as git does, in linear time, and a bad line is only passed over."""

from __future__ import annotations

import time

import pytest

from connectors.patterns import Patterns


@pytest.mark.parametrize(
    ("line", "path", "matches"),
    [
        ("*.md", "a.md", True), ("*.md", "deep/in/a.md", True), ("*.md", "a.mdx", False),
        ("drafts/", "drafts/", True), ("drafts/", "drafts", False), ("drafts", "drafts/", True),
        ("/private", "private", True), ("/private", "sub/private", False), ("a/b", "a/b", True), ("a/b", "x/a/b", False),
        ("old/*", "old/", False), ("old/*", "old/x", True), ("old/*", "old/x/y", False),
        ("a/**", "a/", False), ("a/**", "a/x/y", True), ("**/b", "b", True), ("**/b", "x/y/b", True), ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True), ("?.md", "é.md", True), ("?.md", "ab.md", False), ("[!a]x", "bx", True), ("[!a]x", "/x", False),
        ("[a-c]x", "bx", True), ("[]x]y", "]y", True), ("[[:digit:]]*", "7up", True), ("\\!x", "!x", True), ("\\#x", "#x", True),
        ("x\\ ", "x ", True), ("x  ", "x", True), ("#x", "#x", False), ("a+b(c).md", "a+b(c).md", True), ("a b", "a\nb", False),
        ("caf\ufffd.md", "caf\udce9.md", True), ("*", "new\nline.md", True),
    ],
)  # fmt: skip
def test_a_pattern_means_what_it_means_to_git(line: str, path: str, matches: bool) -> None:
    assert Patterns([line]).decide(path) is (True if matches else None)


def test_the_last_line_that_matches_decides() -> None:
    assert Patterns(["*.log", "!keep.log"]).decide("keep.log") is False
    assert Patterns(["!keep.log", "*.log"]).decide("keep.log") is True
    assert Patterns(["*.log", "!keep.log", *(f"x{number}" for number in range(200)), "keep.*"]).decide("keep.log") is True


def test_a_pattern_can_mean_all_that_is_in_a_folder() -> None:
    wanted = Patterns(["docs", "*.md", "!docs/old/"], below=True)
    assert [wanted.decide(path) for path in ("docs/a.txt", "a.md", "docs/old/a.txt", "a.txt")] == [True, True, False, None]


@pytest.mark.parametrize("line", ["!", "x\\", "[a", "[z-a]", "[[:colour:]]", "a" * 2_000])
def test_a_line_that_is_no_pattern_is_passed_over_and_listed(line: str) -> None:
    patterns = Patterns([line, "*.log"])
    assert [bad for bad, _ in patterns.bad] == [line] and patterns.decide("a.log") is True


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*a*a*a*a*a*a*a*ab", "a" * 250),
        ("*a" * 480 + "b", "a" * 4_000),
        ("**/a/" * 190 + "b", "a/" * 2_000),
        ("?*" * 480 + "b", "ab" * 2_000 + "c"),
        ("[a-z]*" * 160 + "b", "a" * 4_000),
    ],
)
def test_no_pattern_takes_long(line: str, path: str) -> None:
    began = time.perf_counter()
    assert Patterns([line]).decide(path) is None
    assert time.perf_counter() - began < 2
