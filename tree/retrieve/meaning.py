"""Likeness in meaning: a question's vector held against the vectors of leaves, where a team has chosen a model for it."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prompts.engine.state import EMBEDDING, why_not
from prompts.errors import ModelError
from prompts.model import ModelSettings
from tree.retrieve.vectors import Vectors
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingModel

if TYPE_CHECKING:  # they bring numpy and an HTTP library, which most commands can do without
    from prompts.model.embedding import EmbeddingMeter
    from prompts.model.embedding import Vectors as Made
    from tree.retrieve.likeness import Likeness

QUESTION_SECONDS = 3.0  # that a question waits for its vector; then it is answered by words
RESTING_SECONDS = 30.0  # in which a server that has failed is not asked for another question
KEPT = 200  # vectors of questions

log = logging.getLogger("knowledge-tree")


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of looking by meaning. `problem` says why it was not done, where it should have been."""

    likeness: Likeness | None = None
    problem: str = ""


NOT_LOOKED = Looked()


class Meaning:
    """The one who asks for a question's vector; any number of threads may."""

    def __init__(self, model: EmbeddingModel, vectors: Vectors) -> None:
        self.model = model
        self.vectors = vectors
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], Made] = OrderedDict()
        self._spent: list[tuple[ModelSettings, EmbeddingMeter]] = []  # by questions, not written down yet
        self._failed: tuple[ModelSettings | None, float, str] = (None, 0.0, "")  # whom, when by time.monotonic(), why

    def look(self, question: str, sources: Collection[str]) -> Looked:
        """How like the leaves of these sources are to a question. One request, which is short; never raises.

        Nothing where it is turned off, or there are no vectors yet.
        """
        try:
            choice = self.model.choice()
            settings = choice.settings
            if settings is None or not choice.is_on or self.vectors.label() != choice.label:
                return NOT_LOOKED
            if choice.engine is not None and (why := why_not(self.model.database.home, EMBEDDING)):
                return Looked(problem=_not_looked(why))
            vector = self._vector(settings, question)
            return Looked(self.vectors.search(vector, choice.label, sources))
        except (ModelError, StoreError) as error:
            log.warning("a question was not looked for by meaning: %s", error)
            return Looked(problem=_not_looked(str(error)))

    def take_spent(self) -> list[tuple[ModelSettings, EmbeddingMeter]]:
        """What vectors of questions took since this was asked last."""
        with self._lock:
            spent, self._spent = self._spent, []
        return spent

    def _vector(self, settings: ModelSettings, question: str) -> Made:
        """Raises ModelError, for a while the same one without asking again."""
        from prompts.model.embedding import EmbeddingMeter, embed

        key = (settings.label, question)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            whom, when, why = self._failed
        if whom == settings and time.monotonic() - when < RESTING_SECONDS:
            raise ModelError("network", why)
        try:
            meter = EmbeddingMeter()
            vector: Made = embed(settings, [question], "question", QUESTION_SECONDS, meter)[0]
        except ModelError as error:
            with self._lock:
                self._failed = settings, time.monotonic(), error.message
            raise
        with self._lock:
            self._kept[key] = vector
            self._spent.append((settings, meter))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return vector


def _not_looked(why: str) -> str:
    return f"It was looked for by words alone, not by meaning. {why}"
