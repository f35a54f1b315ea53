"""Likeness in meaning: a question's vector held against the vectors of leaves, where a team has chosen a model for it."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prompts.engine.state import EMBEDDING_ENGINE, why_not
from prompts.errors import ModelError
from prompts.model import ModelSettings
from tree.retrieve.vectors import Vectors
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingChoice, EmbeddingModel

if TYPE_CHECKING:  # they bring numpy and an HTTP library, which most commands can do without
    from prompts.model.embedding import EmbeddingMeter, Purpose
    from prompts.model.embedding import Vectors as Made
    from tree.retrieve.likeness import Floats, Likeness, NearPart

QUESTION_SECONDS = 3.0  # that a question waits for vectors; then it is answered by words
RESTING_SECONDS = 30.0  # in which a server that has failed is not asked for another question
KEPT = 100  # questions, and passages that were compared with one: up to 12, with 384 numbers each 20 kB
LONGEST = 480  # characters of a question, or of a passage held against it: small models take 512 tokens
LEAST_SPREAD = 1e-6  # of cosines that are all the same

log = logging.getLogger("knowledge-tree")


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of looking by meaning. `problem` says why it was not done, where it should have been."""

    likeness: Likeness | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """By how many standard deviations each of some texts is more like a question than they are on the whole; nothing where they
    were not compared. `problem` says why not, where they should have been."""

    scores: tuple[float, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Near:
    """The parts of leaves that are nearest to a question, the best first. `problem` says why they were not looked for, where they
    should have been."""

    parts: tuple[NearPart, ...] = ()
    problem: str = ""


NOT_LOOKED, NOT_COMPARED, NOTHING_NEAR = Looked(), Compared(), Near()
FEWEST_COMPARED = 3  # texts, to have a deviation


class Meaning:
    """The one who asks for a question's vector; any number of threads may."""

    def __init__(self, model: EmbeddingModel, vectors: Vectors) -> None:
        self.model = model
        self.vectors = vectors
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, Purpose, tuple[str, ...]], Made] = OrderedDict()
        self._spent: list[tuple[ModelSettings, EmbeddingMeter]] = []  # by questions, not written down yet
        # whom, when by time.monotonic(), why; by purpose, as a server that is too slow for many passages may do for a question
        self._failed: dict[Purpose, tuple[ModelSettings, float, str]] = {}

    def look(self, question: str, sources: Collection[str]) -> Looked:
        """How like the leaves of these sources are to a question. One request, which is short; never raises.

        Nothing where it is turned off, or there are no vectors yet.
        """
        try:
            choice = self._choice()
            if choice is None or choice.settings is None:
                return NOT_LOOKED
            vector = self._vectors(choice.settings, (question,), "question")[0]
            return Looked(self.vectors.search(vector, choice.label, sources))
        except (ModelError, StoreError) as error:
            log.warning("a question was not looked for by meaning: %s", error)
            return Looked(problem=f"It was looked for by words alone, not by meaning. {error}")

    def nearest_parts(
        self, question: str, sources: Collection[str], limit: int, within: Collection[tuple[str, str]] | None = None
    ) -> Near:
        """The parts of leaves that are most like a question, by the chosen model, or where there is none by vectors of words. Never raises."""
        try:
            choice = self.model.choice()
            if choice.settings is not None and self._choice() is None:  # it is turned off
                return NOTHING_NEAR
            vector = self._vector_of(choice.settings, question)
            if vector is None:
                return NOTHING_NEAR
            return Near(tuple(self.vectors.nearest_parts(vector, choice.label, sources, limit, within)))
        except (ModelError, StoreError) as error:
            log.warning("passages near to a question in meaning were not looked for: %s", error)
            return Near(problem=f"Passages that say it in other words were not looked for. {error}")

    def _vector_of(self, settings: ModelSettings | None, question: str) -> Floats | None:
        """A question's vector; None where there is nothing to make it of. Raises ModelError."""
        if settings is not None:
            made: Floats = self._vectors(settings, (question,), "question")[0]
            return made
        from prompts.word_vectors import word_vectors

        vectors = word_vectors()
        return vectors.of([question])[0] if vectors is not None else None

    def compare(self, question: str, texts: Sequence[str]) -> Compared:
        """How like a question each text is. One request, for those that are not known; never raises.

        Nothing where it is turned off, there are no vectors yet, or too few texts.
        """
        try:
            choice = self._choice() if len(texts) >= FEWEST_COMPARED else None
            if choice is None or choice.settings is None:
                return NOT_COMPARED
            vector = self._vectors(choice.settings, (question,), "question")[0]
            made = self._vectors(choice.settings, tuple(texts), "passage")
            if made.shape[1] != len(vector):
                raise ModelError(
                    "invalid_output", f"{choice.settings.label} sends vectors of two lengths; choose the model again."
                )
            cosines = made @ vector
        except (ModelError, StoreError) as error:
            log.warning("passages were not compared with a question by meaning: %s", error)
            return Compared(problem=f"The passages stand in the order of their words alone, not of their meaning. {error}")
        spread = max(float(cosines.std()), LEAST_SPREAD)
        return Compared(tuple(float(one) / spread for one in cosines - cosines.mean()))

    def _choice(self) -> EmbeddingChoice | None:
        """The model to ask; None where it is turned off or there are no vectors of it yet. Raises ModelError where the engine that
        should run it does not."""
        choice = self.model.choice()
        if choice.settings is None or not choice.is_on or self.vectors.label() != choice.label:
            return None
        if choice.engine is not None and (why := why_not(self.model.database.home, EMBEDDING_ENGINE)):
            raise ModelError("network", why)
        return choice

    def take_spent(self) -> list[tuple[ModelSettings, EmbeddingMeter]]:
        """What vectors of questions took since this was asked last."""
        with self._lock:
            spent, self._spent = self._spent, []
        return spent

    def _vectors(self, settings: ModelSettings, texts: tuple[str, ...], purpose: Purpose) -> Made:
        """One for each text, as rows. Raises ModelError, for a while the same one without asking again."""
        from prompts.model.embedding import EmbeddingMeter, embed

        texts = tuple(text[:LONGEST] for text in texts)
        key = (settings.label, purpose, texts)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            whom, when, why = self._failed.get(purpose, (None, 0.0, ""))
        if whom == settings and time.monotonic() - when < RESTING_SECONDS:
            raise ModelError("network", why)
        try:
            meter = EmbeddingMeter()
            made: Made = embed(settings, texts, purpose, QUESTION_SECONDS, meter)
        except ModelError as error:
            if error.kind != "context":  # it says nothing of other texts
                with self._lock:
                    self._failed[purpose] = settings, time.monotonic(), error.message
            raise
        with self._lock:
            self._kept[key] = made
            self._spent.append((settings, meter))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made
