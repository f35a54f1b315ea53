"""`python -m tree model use`: what its test found is told line by line, and only a fit model is used."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from prompts.engine.spec import EngineSpec
from prompts.model.probe import probe
from tests.prompts.model.provider import KEY, MANNERS, MODEL, Manner, Provider, serving
from tree.local_model import TriedFile, settings_of
from tree.model_commands import use_tried
from tree.workspace import workspace

SPEC = EngineSpec(file="/models/tiny.gguf", port=8_790)
SLOW = replace(MANNERS["ok"], tokens_per_second=1_100)


def tried(manner: Manner) -> TriedFile:
    with serving(Provider()) as provider:
        provider.behave(manner)
        settings = settings_of(SPEC, KEY).model_copy(update={"model": MODEL, "base_url": provider.url})
        return TriedFile(SPEC, settings, probe(settings), None)


def test_each_decision_is_told_with_its_seconds_and_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with workspace(tmp_path) as opened:
        assert use_tried(opened, tried(MANNERS["ok"]), is_agreed=False) == 0
        assert opened.model.described().answers_questions
    said = capsys.readouterr().out
    assert len(re.findall(r"(?m)^passed: \w+: It .* \(\d+\.\d s, [\d,]+ tokens\)$", said)) == 5
    assert "is fit for answers: it passed 5 of 5 decisions" in said and "tiny is used from now on." in said


def test_a_file_that_is_too_slow_is_used_only_where_somebody_insists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow = tried(SLOW)
    with workspace(tmp_path) as opened:
        opened.model.change(question_seconds=5.0)
        assert use_tried(opened, slow, is_agreed=False) == 1 and opened.model.described().settings is None
        said = capsys.readouterr().err
        assert "is too slow for answers. Answers would take about" in said and "--anyway uses it all the same" in said
        assert use_tried(opened, slow, is_agreed=True) == 0 and opened.model.described().is_unfit
        assert "although it is too slow for answers" in capsys.readouterr().out
