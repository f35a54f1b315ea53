"""The team's model: its choice with keys at rest, its budgets, and what it took."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from prompts.model import ModelSettings, Usage
from prompts.usage import Spent as Asked
from tree.store.database import StoreError
from tree.store.language_model import LanguageModel, ModelChoice
from tree.workspace import open_database

KEY, OTHER_KEY = "sk-first-0123456789", "sk-other-0123456789"
SETTINGS = ModelSettings(
    provider="openai",
    model="m",
    api_key=SecretStr(KEY),
    fallback=ModelSettings(provider="ollama", model="n", api_key=SecretStr(OTHER_KEY)),
)


@pytest.fixture
def model(tmp_path, each_database):
    database = open_database(tmp_path)
    yield LanguageModel(database)
    database.close()


def used(tokens: int, cost: float | None = None) -> Usage:
    usage = Usage()
    usage.add(Asked("read", "model", 1, tokens - 10, 10, 0, 1.5, "schema", "m", cost))
    return usage


def test_without_a_choice_there_is_nobody_to_ask(model) -> None:
    assert model.choice() == ModelChoice(paused=True) and model.reader() is None and model.labels() is None


def test_keys_are_encrypted_and_come_back(model, tmp_path) -> None:
    model.save(ModelChoice(settings=SETTINGS))
    kept = LanguageModel(model.database).choice().settings
    assert kept == SETTINGS
    assert KEY not in repr(kept) and OTHER_KEY not in repr(kept)
    with model.database.read() as connection:
        [row] = connection.exec_driver_sql("SELECT * FROM setting").all()
    assert KEY not in str(row) and OTHER_KEY not in str(row)
    model.change(settings=None)
    assert model.choice().settings is None
    with model.database.read() as connection:
        assert connection.exec_driver_sql("SELECT secret FROM setting").all() == [(None,)]


def test_a_change_is_seen_by_whoever_asks_next(model) -> None:
    other = LanguageModel(model.database)
    model.save(ModelChoice(settings=SETTINGS))
    assert other.choice().settings == SETTINGS and not other.choice().paused
    model.change(paused=True)
    assert other.choice().paused and other.choice().settings == SETTINGS


def test_without_its_key_file_a_model_still_has_labels_and_can_be_set_anew(model, tmp_path) -> None:
    model.save(ModelChoice(settings=SETTINGS, daily_tokens=500))
    labels = model.labels()
    (tmp_path / "secret.key").unlink()
    fresh = LanguageModel(model.database)
    with pytest.raises(StoreError, match="enter them again"):
        fresh.choice()
    assert fresh.labels() == labels
    fresh.change(settings=SETTINGS)
    assert fresh.choice() == ModelChoice(settings=SETTINGS, daily_tokens=500)


def test_budgets_count_the_day_and_the_source(model) -> None:
    choice = ModelChoice(settings=SETTINGS, daily_tokens=1_000, source_tokens={"a": 400})
    model.save(choice)
    assert model.spent_out(choice, "a") == ""
    model.note("upgrade", used(400), "openai:m", 1.5, "a")
    assert "This source's budget of 400 tokens" in model.spent_out(choice, "a")
    assert model.spent_out(choice, "b") == model.spent_out(choice) == model.reader().forbidden() == ""
    model.note("question", used(600), "openai:m", 1.5)
    assert "budget of 1,000 tokens" in model.spent_out(choice) == model.reader().forbidden()
    assert (model.tokens_today(), model.tokens_today("a"), model.tokens_today("b")) == (1_000, 400, 0)


def test_what_was_spent_is_told_by_day_purpose_source_and_model(model) -> None:
    model.note("upgrade", used(400, 0.5), "openai:m", 1.5, "a")
    model.note("upgrade", used(200, 0.25), "openai:m", 1.5, "a", hits=3)
    model.note("question", used(100), "openai:m", 1.5)
    model.note("question", Usage(), "openai:m", 0.1)  # no model was asked: nothing to tell
    question, upgrade = model.spent(1)
    assert (question.purpose, question.count, question.tokens, question.cost) == ("question", 1, 100, None)
    assert (upgrade.source_id, upgrade.count, upgrade.calls, upgrade.tokens, upgrade.cost, upgrade.hits) == (
        "a",
        2,
        2,
        600,
        0.75,
        3,
    )


def test_what_an_upgrade_takes_is_told_once_enough_were_made(model) -> None:
    for _ in range(9):
        model.note("upgrade", used(200, 0.5), "openai:m", 2.0, "a")
    assert model.mean_upgrade("openai:m") is None
    model.note("upgrade", used(200, 0.5), "openai:m", 2.0, "a")
    assert model.mean_upgrade("openai:m") == (1, 190, 10, 2.0, 0.5) and model.mean_upgrade("openai:n") is None


def test_days_of_before_are_folded_and_tell_the_same(model) -> None:
    for number in range(12):
        model.note("upgrade", used(200, 0.5), "openai:m", 2.0, "a")
        model.note("upgrade", used(300, 0.25 if number else None), "openai:n", 1.0, "a")
        model.note("upgrade", Usage(), "openai:m", 0.0, "a", hits=2)
    model.note("question", used(100), "openai:m", 1.5)
    with model.database.write() as connection:
        yesterday = datetime.fromtimestamp(time.time() - 86_400, UTC).date().isoformat()
        connection.execute(sa.text("UPDATE spending SET day = :day WHERE purpose = 'upgrade'"), {"day": yesterday})
    told = model.spent(5), model.mean_upgrade("openai:m"), model.mean_upgrade("openai:n"), model.tokens_today()
    assert model.fold_spending() == 36 - 3
    assert (model.spent(5), model.mean_upgrade("openai:m"), model.mean_upgrade("openai:n"), model.tokens_today()) == told
    assert model.fold_spending() == 0
    model.note("question", used(50), "openai:m", 1.5)
    assert model.tokens_today() == LanguageModel(model.database).tokens_today() == 150
