"""The model of embeddings a team chooses, by which leaves are found by meaning: which one, and whether it is used."""

from __future__ import annotations

from threading import Lock
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, SecretStr

from prompts.engine.spec import EngineSpec
from prompts.model import ModelSettings
from prompts.model.embedding_trial import EmbeddingTrial
from tree.store.database import Database
from tree.store.models import Setting, table_of
from tree.store.secrets import Vault
from tree.store.settings import save_setting

NAME = "embedding model"  # of the row that holds the choice
WORD_VECTORS = "word vectors 1"  # label of the vectors that are made where no model is chosen (prompts.word_vectors)
KEY = "api_key"
_setting = table_of(Setting)
_CHANGED_AT = sa.select(_setting.c.changed_at).where(_setting.c.name == NAME)  # made once: every question asks it


class EmbeddingChoice(BaseModel):
    """What an admin has set. Without `settings` no text is sent anywhere: vectors are made of words alone, without a model, and lead to
    passages below an answer that was not found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: ModelSettings | None = None
    is_on: bool = True  # questions are looked for by meaning too
    paused: bool = False  # the making of vectors, for now
    last_trial: EmbeddingTrial | None = None  # of whichever model was tried last
    engine: EngineSpec | None = None  # what the app runs for it by itself
    anew: int = 0  # how often somebody had all vectors made anew

    @property
    def trial(self) -> EmbeddingTrial | None:
        """How the model that is set did when it was tried; None where nobody has tried it."""
        settings, trial = self.settings, self.last_trial
        return trial if settings is not None and trial is not None and trial.label == settings.label else None

    @property
    def title(self) -> str:
        """What people are told that it is: of a file that the app runs its name alone."""
        if self.settings is None:
            return ""
        return self.settings.model if self.engine is not None else self.settings.label

    @property
    def place(self) -> str:
        """Where it runs, for people."""
        if self.engine is not None:
            return "this machine"
        return self.settings.host if self.settings is not None else ""

    @property
    def label(self) -> str:
        """Of the vectors made by it: those of another label are never mixed with them."""
        return f"{self.settings.label} {self.anew}" if self.settings is not None else WORD_VECTORS


NOTHING_CHOSEN = EmbeddingChoice()


class EmbeddingModel:
    """Which one there is now. May be asked at any moment from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.vault = Vault(database.home)
        self._lock = Lock()
        self._read: tuple[float, EmbeddingChoice] | None = None  # when the row was changed that this was read from

    def choice(self) -> EmbeddingChoice:
        """Raises StoreError where the saved key cannot be decrypted."""
        with self.database.read() as connection:
            changed_at = connection.scalar(_CHANGED_AT)
        if changed_at is None:
            return NOTHING_CHOSEN
        with self._lock:
            if self._read is None or self._read[0] != changed_at:
                self._read = self._load()
            return self._read[1]

    def _load(self) -> tuple[float, EmbeddingChoice]:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_setting).where(_setting.c.name == NAME)).one()
        choice = EmbeddingChoice.model_validate(row.value)
        key = str(self.vault.open(row.secret).get(KEY, ""))
        return row.changed_at, choice.model_copy(update={"settings": _with_key(choice.settings, key)})

    def described(self) -> EmbeddingChoice:
        """What was saved, without its key: to be had though that cannot be decrypted any more."""
        with self.database.read() as connection:
            value = connection.scalar(sa.select(_setting.c.value).where(_setting.c.name == NAME))
        return EmbeddingChoice.model_validate(value) if value else NOTHING_CHOSEN

    def save(self, choice: EmbeddingChoice) -> None:
        """Keeps the choice, its key encrypted beside it."""
        key = choice.settings.api_key.get_secret_value() if choice.settings is not None else ""
        value = choice.model_copy(update={"settings": _with_key(choice.settings, "")}).model_dump(mode="json")
        secret = self.vault.seal({KEY: key} if key else {})
        with self.database.write() as connection:
            save_setting(connection, NAME, value, secret)

    def change(self, **fields: Any) -> None:
        """Saves these fields of the choice."""
        before = self.described() if "settings" in fields else self.choice()
        self.save(before.model_copy(update=fields))


def _with_key(settings: ModelSettings | None, key: str) -> ModelSettings | None:
    return None if settings is None else settings.model_copy(update={"api_key": SecretStr(key)})
