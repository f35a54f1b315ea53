"""The language model a team brings: which one, what it may take in a day, and what it took."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from sqlalchemy.engine import Connection

from prompts.engine.spec import EngineSpec
from prompts.engine.state import why_not
from prompts.model import ModelReader, ModelSettings, Usage
from prompts.model.budget import QuestionBudget
from prompts.model.trial import AnswerLimits, Trial
from tree.store.database import Database
from tree.store.leases import drop_given_up
from tree.store.model_slots import ModelSlots
from tree.store.models import Setting, Spending, table_of
from tree.store.secrets import Vault
from tree.store.settings import save_setting

if TYPE_CHECKING:  # it brings numpy
    from prompts.model.embedding import EmbeddingMeter

NAME = "language model"  # of the row that holds the choice
KEYS = ("api_key", "fallback_api_key")  # what is kept encrypted
MEASURED, FEWEST_MEASURED = 300, 10  # upgrades, to tell what the next will take

_setting = table_of(Setting)
_CHANGED_AT = sa.select(_setting.c.changed_at).where(_setting.c.name == NAME)  # made once: every question asks it
_spending = table_of(Spending)
EMBEDDING = "embedding"  # what vectors took
_COUNTED = ("calls", "input_tokens", "output_tokens", "cached_tokens", "hits", "without_model", "seconds")
_MEASURABLE = sa.and_(_spending.c.calls > 0, _spending.c.output_tokens > 0)
# what never reached a server, or was refused, took nothing, and has no price either
_ANSWERED = _spending.c.input_tokens + _spending.c.output_tokens > 0
_UNPRICED = sa.func.sum(sa.case((sa.and_(_spending.c.cost.is_(None), _ANSWERED), 1), else_=0))


class ModelChoice(BaseModel):
    """What an admin has set. Without `settings` nothing is ever sent to a model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: ModelSettings | None = None
    upgrades: bool = True  # records are made better in the background
    answers: bool = True  # questions are answered with it
    held_back: bool = False  # but not yet: it was saved without a test that says it is fit, and nobody insisted
    paused: bool = False  # upgrades, for now
    question_calls: int = Field(default=12, ge=2)  # that one question may take; then it is answered from what was read
    question_tokens: int = Field(default=40_000, ge=1_000)  # read and written
    question_seconds: float = Field(default=85.0, ge=5)  # with the walk itself, no question waits longer than 90
    daily_tokens: int | None = Field(default=None, ge=0)  # read and written, questions included; None is no limit
    source_tokens: Mapping[str, int] = Field(default_factory=dict)  # a day's upgrades of a source, by its id
    last_trial: Trial | None = None  # of whichever model was tried last
    last_engine: EngineSpec | None = None  # what the app ran last by itself

    @property
    def engine(self) -> EngineSpec | None:
        """What the app has to run for the model that is set; None where that is somebody else's doing."""
        settings, engine = self.settings, self.last_engine
        return engine if settings is not None and engine is not None and settings.address == engine.address else None

    @property
    def trial(self) -> Trial | None:
        """How the model that is set did when it was tried; None where nobody has tried it."""
        return trial_of(self.settings, self.last_trial)

    @property
    def is_unfit(self) -> bool:
        """Whether its trial says that questions should not be answered with it: for what it does, or for how slow it is."""
        trial = self.trial
        return (
            self.settings is not None
            and trial is not None
            and trial.server_failure is None
            and not trial.fits(self.limits_of(self.settings))
        )

    @property
    def is_untested(self) -> bool:
        """Whether nothing is known of how the model that is set answers."""
        return self.settings is not None and self.trial is None

    @property
    def answers_questions(self) -> bool:
        """Whether the model that is set is asked for answers."""
        return self.settings is not None and self.answers and not self.held_back

    def limits_of(self, settings: ModelSettings) -> AnswerLimits:
        """Seconds that an answer by this model may take."""
        return AnswerLimits(self.question_seconds, settings.timeout)


def trial_of(settings: ModelSettings | None, trial: Trial | None) -> Trial | None:
    """The trial, where it was of this model at this address."""
    if settings is None or trial is None or trial.label != settings.label:
        return None
    return trial if trial.address in ("", settings.address) else None


# A model that the environment names costs nothing in the background before somebody begins.
NOTHING_SAVED = ModelChoice(paused=True)


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent, added up. `cost` is None where the price of any of it is not known."""

    day: str  # in UTC, ISO 8601
    purpose: str  # question, upgrade, embedding
    source_id: str  # empty for questions and embeddings
    model: str
    count: int  # questions, records made, or texts of which vectors were made
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None
    hits: int
    without_model: int
    seconds: float

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class Labels(NamedTuple):
    """Who reads: a model and the prompt of a decision. What was read under another label is stale."""

    read: str
    summarize: str


def labels_of(settings: ModelSettings) -> Labels:
    versions = ModelReader(settings).versions
    return Labels(versions["read"], versions["summarize"])


class Mean(NamedTuple):
    """What making one record took."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float
    cost: float | None


class LanguageModel:
    """Which model there is now. May be asked at any moment from any thread: a changed choice holds from the next question on."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.vault = Vault(database.home)
        self._lock = Lock()
        self._read: tuple[float, ModelChoice] | None = None  # when the row was changed that this was read from
        self._adding = Lock()
        self._day, self._added, self._tokens = "", 0, Counter[str]()  # of a day, up to which row, by source

    # ---- which

    @property
    def is_from_environment(self) -> bool:
        """Whether KNOWLEDGE_TREE_MODEL names the model, which then cannot be changed on a page."""
        return ModelSettings.from_environment() is not None

    def choice(self) -> ModelChoice:
        """Raises StoreError where the saved key cannot be decrypted, ValueError for an environment that cannot be right."""
        given = ModelSettings.from_environment()
        if given is None:
            return self._saved()
        return self.described().model_copy(update={"settings": given, "held_back": False})  # the environment insists on its model

    def _saved(self) -> ModelChoice:
        with self.database.read() as connection:
            changed_at = connection.scalar(_CHANGED_AT)
        if changed_at is None:
            return NOTHING_SAVED
        with self._lock:
            if self._read is None or self._read[0] != changed_at:
                self._read = self._load()
            return self._read[1]

    def _load(self) -> tuple[float, ModelChoice]:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_setting).where(_setting.c.name == NAME)).one()
        choice, keys = ModelChoice.model_validate(row.value), self.vault.open(row.secret)
        return row.changed_at, choice.model_copy(update={"settings": _with_keys(choice.settings, keys)})

    def save(self, choice: ModelChoice) -> None:
        """Keeps the choice, its keys encrypted beside it. A model that is set up differently tries what was given up again."""
        settings = choice.settings
        keys = {}
        if settings is not None:
            keys["api_key"] = settings.api_key.get_secret_value()
            keys["fallback_api_key"] = settings.fallback.api_key.get_secret_value() if settings.fallback else ""
        value = choice.model_copy(update={"settings": _with_keys(settings, {})}).model_dump(mode="json")
        secret = self.vault.seal({name: key for name, key in keys.items() if key})
        is_other = self.described().settings != _with_keys(settings, {})
        with self.database.write() as connection:
            save_setting(connection, NAME, value, secret)
            if is_other:
                drop_given_up(connection)

    def change(self, **fields: object) -> None:
        """Saves these fields of the choice. What the environment names is not saved with them, and its key neither."""
        before = self.described() if "settings" in fields else self._saved()
        self.save(before.model_copy(update=fields))

    def described(self) -> ModelChoice:
        """What was saved, without its keys: to be had though they cannot be decrypted any more."""
        with self.database.read() as connection:
            value = connection.scalar(sa.select(_setting.c.value).where(_setting.c.name == NAME))
        return ModelChoice.model_validate(value) if value else NOTHING_SAVED

    def labels(self) -> Labels | None:
        """Of what the chosen model reads; None without a model. Known without its key: no sync fails for want of one."""
        try:
            settings = ModelSettings.from_environment() or self.described().settings
        except ValueError:  # `choice` says so, to whoever means to ask the model
            return None
        return None if settings is None else labels_of(settings)

    # ---- the reader

    def reader(self, usage: Usage | None = None) -> ModelReader | None:
        """The reader for one question, which asks nothing more once the day's budget is spent, by what `usage` says that
        this question took as well; None without a model."""
        choice = self.choice()
        if choice.settings is None or not choice.answers_questions:
            return None
        usage = usage or Usage()
        budget = QuestionBudget.begin(choice.question_calls, choice.question_tokens, choice.question_seconds)
        return ModelReader(
            choice.settings,
            usage=usage,
            forbidden=lambda: self.not_running(choice) or self.spent_out(choice, also=usage.tokens),
            budget=budget,
            slots=self.slots(choice.settings, is_for_question=True),
        )

    def slots(self, settings: ModelSettings, is_for_question: bool) -> ModelSlots | None:
        """What limits the requests of all processes together; None where nothing does."""
        number = settings.total_concurrency
        return None if number is None else ModelSlots(self.database.locks, number, is_for_question)

    def not_running(self, choice: ModelChoice) -> str:
        """Why a model that the app runs by itself cannot be asked now, as a sentence; empty where it can, or is no such."""
        return why_not(self.database.home) if choice.engine is not None else ""

    def spent_out(self, choice: ModelChoice, source_id: str | None = None, also: int = 0) -> str:
        """Why nothing more may be asked today, as a sentence; empty where it may. With a source: for its upgrades.
        `also` are tokens that were taken and are not written down yet."""
        if choice.daily_tokens is not None and self.tokens_today() + also >= choice.daily_tokens:
            return (
                f"The model's budget of {choice.daily_tokens:,} tokens for today is spent; an admin can raise it under Settings."
            )
        limit = choice.source_tokens.get(source_id) if source_id else None
        if limit is not None and self.tokens_today(source_id) >= limit:
            return f"This source's budget of {limit:,} tokens for today is spent; an admin can raise it under Settings."
        return ""

    # ---- what it took

    def note(
        self,
        purpose: str,
        usage: Usage,
        model: str,
        seconds: float,
        source_id: str = "",
        hits: int = 0,
        within: Connection | None = None,
        errands: int = 1,
    ) -> None:
        """Writes down what a question, or an upgrade of a source, took: of `errands` records; `within` a transaction, to be true together with
        what it brought. Nothing where no model was asked for."""
        if not (usage.calls or usage.without_model or hits):
            return
        now = time.time()
        row = {
            "day": _day(now),
            "at": now,
            "purpose": purpose,
            "source_id": source_id,
            "model": model,
            "errands": errands,
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "cost": usage.cost if usage.calls else 0.0,
            "hits": hits,
            "without_model": sum(usage.without_model.values()),
            "seconds": seconds,
        }
        with nullcontext(within) if within is not None else self.database.write() as connection:
            connection.execute(sa.insert(_spending).values(row))

    def note_embedding(self, settings: ModelSettings, meter: EmbeddingMeter) -> None:
        """Writes down what vectors took of the model that makes them. It counts for no budget of the model that answers."""
        if not meter.calls:
            return
        now = time.time()
        row = {
            "day": _day(now), "at": now, "purpose": EMBEDDING, "source_id": "", "model": settings.label, "errands": meter.texts,
            "calls": meter.calls, "input_tokens": meter.tokens, "output_tokens": 0, "cached_tokens": 0, "hits": 0,
            "cost": None if settings.prices is None else settings.prices.cost(meter.tokens, 0, 0), "without_model": 0,
            "seconds": meter.seconds,
        }  # fmt: skip
        with self.database.write() as connection:
            connection.execute(sa.insert(_spending).values(row))

    def mean_upgrade(self, model: str) -> Mean | None:
        """Of the upgrades this model made last; None where there were too few to tell."""
        counted = ("errands", "calls", "input_tokens", "output_tokens", "seconds")
        query = sa.select(*(_spending.c[name] for name in counted), _spending.c.cost).where(
            _spending.c.purpose == "upgrade", _spending.c.model == model, _MEASURABLE
        )
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(_spending.c.day.desc(), _spending.c.id.desc()).limit(MEASURED)).all()
        number, calls, read, written, seconds = (sum(row[at] for row in rows) for at in range(len(counted)))
        if number < FEWEST_MEASURED:
            return None
        costs = [row.cost for row in rows]
        cost = None if None in costs else sum(costs) / number
        return Mean(calls / number, read / number, written / number, seconds / number, cost)

    def tokens_today(self, source_id: str | None = None) -> int:
        """Tokens read and written since midnight UTC by the model that answers: all, or those of one source's upgrades."""
        today = _day(time.time())
        with self._adding:
            if self._day != today:
                self._day, self._added, self._tokens = today, 0, Counter()
            # asked before every call: only what came since is added up. Rows are numbered in the order they are committed
            new = sa.and_(_spending.c.day == today, _spending.c.id > self._added)
            total = sa.func.sum(_spending.c.input_tokens + _spending.c.output_tokens)
            query = sa.select(_spending.c.source_id, total, sa.func.max(_spending.c.id)).where(
                new, _spending.c.purpose != EMBEDDING
            )
            with self.database.read() as connection:
                for source, tokens, last in connection.execute(query.group_by(_spending.c.source_id)):
                    self._tokens[source] += tokens
                    self._added = max(self._added, last)
            return self._tokens.total() if source_id is None else self._tokens[source_id]

    def fold_spending(self) -> int:
        """Makes one row of what was spent in the same way on a day before today. Returns how many rows went."""
        by = [_spending.c[name] for name in ("day", "purpose", "source_id", "model")]
        sums = [sa.func.sum(_spending.c[name]).label(name) for name in ("errands", *_COUNTED)]
        cost = sa.case((_UNPRICED > 0, None), else_=sa.func.coalesce(sa.func.sum(_spending.c.cost), 0.0)).label("cost")
        alike = (*by, _MEASURABLE)  # what a record takes is told by those that were made
        query = sa.select(*by, sa.func.max(_spending.c.at).label("at"), *sums, cost, sa.func.count(), _MEASURABLE.label("made"))
        old = _spending.c.day < _day(time.time())
        gone = 0
        with self.database.write() as connection:
            for row in connection.execute(query.where(old).group_by(*alike).having(sa.func.count() > 1)).all():
                *values, number, is_made = tuple(row)
                same = [column == value for column, value in zip(by, values[: len(by)], strict=True)]
                connection.execute(sa.delete(_spending).where(*same, _MEASURABLE if is_made else sa.not_(_MEASURABLE)))
                names = ("day", "purpose", "source_id", "model", "at", "errands", *_COUNTED, "cost")
                connection.execute(sa.insert(_spending).values(dict(zip(names, values, strict=True))))
                gone += number - 1
        return gone

    def spent(self, days: int = 30) -> list[Spent]:
        """By day, purpose, source and model, the newest day first."""
        since = _day(time.time() - days * 86_400)
        by = (_spending.c.day, _spending.c.purpose, _spending.c.source_id, _spending.c.model)
        names = ("errands", "calls", "input_tokens", "output_tokens", "cached_tokens", "cost", "hits", "without_model", "seconds")
        sums = [sa.func.sum(_spending.c[name]) for name in names]
        query = sa.select(*by, *sums, _UNPRICED).where(_spending.c.day > since).group_by(*by)
        with self.database.read() as connection:
            rows = connection.execute(query.order_by(_spending.c.day.desc(), _spending.c.purpose, _spending.c.source_id)).all()
        return [_spent(*row) for row in rows]


def _spent(*row: Any) -> Spent:
    *values, unpriced = row
    values[9] = None if unpriced else values[9]
    return Spent(*values)


def _with_keys(settings: ModelSettings | None, keys: Mapping[str, object]) -> ModelSettings | None:
    """The same model with these keys in place of its own."""
    if settings is None:
        return None
    own, other = (SecretStr(str(keys.get(name, ""))) for name in KEYS)
    fallback = settings.fallback and settings.fallback.model_copy(update={"api_key": other})
    return settings.model_copy(update={"api_key": own, "fallback": fallback})


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
