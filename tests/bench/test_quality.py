"""The quality bench on a corpus of a few lines: it plants, asks, compares, and tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.figures import paired
from bench.quality import reader_for
from bench.sets import FINISHED, Asked, load_sets, plant

ANIMALS = {
    "otter": "The otter holds a stone on its belly and cracks mussels with it. Its fur is the densest of any mammal.",
    "heron": "The heron stands still in shallow water for an hour and then strikes. It nests in colonies high in trees.",
    "badger": "The badger digs its sett in sandy slopes and airs its bedding on dry mornings.",
    "lynx": "The lynx hears a mouse at seventy metres. The tufts on its ears are thought to help it.",
}
QUESTIONS = (
    {
        "id": "1",
        "question": "Which animal cracks mussels with a stone?",
        "answers": ["otter"],
        "evidence": ["otter"],
        "type": "plain",
    },
    {
        "id": "2",
        "question": "Where does the badger dig its sett?",
        "answers": ["sandy slopes"],
        "evidence": ["badger"],
        "type": "plain",
    },
    {
        "id": "3",
        "question": "At what distance does the lynx hear a mouse?",
        "evidence": ["lynx"],
        "type": "plain",
        "scope": "woods/",
    },
    {"id": "4", "question": "Which telescope photographed Neptune's rings?", "answers": [], "evidence": [], "type": "null"},
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("animals", "others"):
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        rows = [{"id": key, "title": key, "text": text, "path": f"woods/{key}.txt"} for key, text in ANIMALS.items()]
        rows.append({"id": "gull", "title": "gull", "text": "The gull follows ferries.", "path": "coast/gull.txt"})
        (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
        (folder / "questions.public.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    return tmp_path / "data"


def test_the_command_writes_a_table_figures_and_a_page(data, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    arguments = ["quality", "--data", str(data), "--sets", "animals", "--half", "both", "--out", str(out)]
    assert main(arguments) == 0
    assert "animals" in capsys.readouterr().out
    report = json.loads((out / "quality.json").read_text())
    animals = report["sets"]["animals"]
    assert animals["questions"] == 4 and animals["to_find"] == 3
    assert animals["hit"]["walk"] == 1.0 and animals["hit"]["flat"] == 1.0
    assert animals["trick_none"] == 1.0
    assert animals["answered"] == 1.0
    assert animals["corpus_characters"] > animals["characters"] / animals["questions"]
    html = (out / "quality.html").read_text()
    assert "<svg" in html and "http" not in html.replace("http-equiv", "")


def test_a_sample_names_the_questions_to_ask(data, tmp_path, capsys) -> None:
    sample = tmp_path / "sample.json"
    sample.write_text(json.dumps({"animals": {"public": ["2"]}}))
    assert main(["quality", "--data", str(data), "--sample", str(sample), "--out", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "quality.json").read_text())["sets"]["animals"]["questions"] == 1


def test_an_unknown_set_is_named(data) -> None:
    with pytest.raises(SystemExit, match="no set birds"):
        load_sets(data, ["birds"])


def test_the_halves_are_fixed_and_about_equal() -> None:
    halves = [Asked(str(number), "", "").half for number in range(400)]
    assert halves == [Asked(str(number), "", "").half for number in range(400)]
    assert 150 < halves.count("tune") < 250


def test_an_interval_holds_its_mean_and_narrows_with_more_questions() -> None:
    few, many = paired({"a": [0, 1, 0, 1] * 4}), paired({"a": [0, 1, 0, 1] * 100})
    assert few.low < few.mean == 0.5 < few.high
    assert many.high - many.low < few.high - few.low


def test_a_model_that_is_not_set_up_is_asked_for() -> None:
    with pytest.raises(SystemExit, match="KNOWLEDGE_TREE_MODEL"):
        reader_for("model", {})
    assert reader_for("model", {"KNOWLEDGE_TREE_MODEL": "ollama:small"}).name == "model"


def test_the_same_set_makes_the_same_tree(data, tmp_path) -> None:
    [animals] = load_sets(data, ["animals"])
    trees = []
    for name in ("one", "other"):
        planted = plant(animals, tmp_path / name)
        trees.append([(node.place, node.hash) for node in planted.leaves])
        planted.workspace.close()
    assert trees[0] == trees[1]


def test_a_tree_that_is_kept_is_used_again_and_a_half_made_one_refused(data, tmp_path) -> None:
    [animals] = load_sets(data, ["animals"])
    first = plant(animals, tmp_path / "kept")
    version = first.workspace.store.versions.newest()
    first.workspace.close()
    again = plant(animals, tmp_path / "kept")
    assert again.workspace.store.versions.newest() == version
    again.workspace.close()
    (tmp_path / "kept" / FINISHED).unlink()
    with pytest.raises(SystemExit, match="half made"):
        plant(animals, tmp_path / "kept")


def test_what_was_said_before_a_question_goes_with_it(data) -> None:
    path = data / "animals" / "questions.public.jsonl"
    row = {**QUESTIONS[0], "history": [{"speaker": "user", "text": "Tell me of otters."}, {"speaker": "agent", "text": "Furry."}]}
    path.write_text(json.dumps(row))
    [animals] = load_sets(data, ["animals"])
    assert animals.questions[0].earlier == ("Tell me of otters.",)
