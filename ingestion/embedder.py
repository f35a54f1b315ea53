"""The embedder: has the chosen model make the vectors of leaves, in the background, a few at a time; without one makes them of words.

What is made is kept at once, by the text it was made of, so nothing is made twice and nothing is lost when this ends. What
fails waits, longer each time; a single text that is refused is given up for a day and stands in the way of no other.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ingestion.embedding_progress import PAUSED, State
from ingestion.upgrade import Patience
from prompts.engine.state import EMBEDDING_ENGINE, why_not
from prompts.errors import ErrorKind, ModelError
from prompts.model import ModelSettings
from prompts.model.embedding import EmbeddingMeter, embed
from prompts.model.embedding import Vectors as Made
from prompts.word_vectors import word_vectors
from tree.retrieve.leaf_parts import parts_of
from tree.retrieve.vectors import OtherSize
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingChoice
from tree.workspace import Workspace

PARTS_AT_ONCE = 32  # of leaves, in one request
PARTS_OF_WORDS = 256  # without a model: a tenth of a second
MOST_LEAVES_OF_WORDS = 100_000  # of all sources, for vectors of words: about 80 MB in memory, 0.06 s of a question
PARTS_OF_OWN_ENGINE = 8  # it reads one text after the other, and a question waits until those before it are read
IDLE_SECONDS, LOOK_SECONDS = 1.0, 300.0  # between two looks for a new version; at all leaves though there is none
GIVEN_UP_SECONDS = 86_400.0
SHORTENED = 3  # times that a text which is too long is cut in half
MOST_IN_A_ROW = 5  # leaves given up one after the other: it is not the leaves
MEASURED = 0.2  # what the last request counts for how long a leaf takes
NOTED_SECONDS = 10.0
WRITTEN_DOWN_SECONDS = 60.0  # between two entries of what the vectors took, while they are made

BUSY: frozenset[ErrorKind] = frozenset({"rate", "network", "timeout"})  # for all; it will pass
OF_TEXT: frozenset[ErrorKind] = frozenset({"context", "rejected", "refused", "invalid_output", "truncated"})
OTHER_SIZE = (
    "{label} makes vectors of another length than those that are here: it is not the model it was. Make all vectors anew."
)

log = logging.getLogger("knowledge-tree")


class _Place(NamedTuple):
    source_id: str
    leaf: str


@dataclass(slots=True)
class _Waiting:
    """Until when nothing is asked, by time.monotonic(), and why."""

    until: float = 0.0
    sentence: str = ""
    pause: float = 0.0  # seconds, of the last time

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self.until


class Embedder:
    """Makes vectors for all sources, or one, by name or id."""

    def __init__(
        self,
        workspace: Workspace,
        only: str | None = None,
        patience: Patience | None = None,
        most_of_words: int = MOST_LEAVES_OF_WORDS,
    ) -> None:
        self.workspace = workspace
        self._most_of_words = most_of_words
        self.only = only
        self.stopping = threading.Event()
        self._patience = patience or Patience()
        self._choice: EmbeddingChoice | None = None
        self._looked: tuple[object, float] = (None, -math.inf)  # at which version and label, and when
        self._queue: deque[_Place] = deque()
        self._waiting = _Waiting()
        self._in_a_row = 0  # leaves given up
        self._seconds_of_a_leaf: float | None = None
        self._meter, self._written_down = EmbeddingMeter(), time.monotonic()  # of what is not written down yet
        self._noted: tuple[tuple[State, str], float] = (("off", ""), -math.inf)  # what was noted last, and when

    def run(self) -> None:
        """Until `stopping` is set."""
        try:
            self._beat_until_stopped()
        finally:
            self._write_down()

    def _beat_until_stopped(self) -> None:
        while not self.stopping.is_set():
            try:
                if not self.beat():
                    self.stopping.wait(IDLE_SECONDS)
            except StoreError as error:
                log.error("vectors: %s", error)
                self.stopping.wait(5)
            except Exception:
                # a fault of ours must not end the making of vectors: it is noted, and tried again
                log.exception("making vectors failed")
                self.stopping.wait(30)

    def run_out(self, told: Callable[[], None] = lambda: None) -> str:
        """Until nothing is left, or nothing can be done before somebody does something: then why. Raises StoreError."""
        self._waiting = _Waiting()
        while not self.stopping.is_set():
            is_ahead = self.beat()
            told()
            if self._waiting.is_on:
                return self._waiting.sentence
            if not is_ahead:
                return self._noted[0][1] if self._queue else ""
        return "Stopped."

    def beat(self) -> bool:
        """One request at most. Returns whether there may be more to do at once."""
        choice = self.workspace.meaning.model.choice()
        if choice != self._choice:
            self._choice, self._waiting, self._in_a_row = choice, _Waiting(), 0
            self._looked = (None, -math.inf)
        if choice.settings is None and word_vectors() is None:
            if self.workspace.meaning.vectors.label():
                self.workspace.meaning.vectors.forget()  # the model is turned off
            return False
        self._look(choice)
        if choice.engine is not None and (why := why_not(self.workspace.home, EMBEDDING_ENGINE)) and self._queue:
            self._note("waiting", why)
            return False
        if choice.paused or self._waiting.is_on or not self._queue:
            state: State = "paused" if choice.paused else "waiting" if self._waiting.is_on else "done"
            self._note(state, PAUSED if choice.paused else self._waiting.sentence)
            return False
        self._note("running", "")
        if choice.settings is None:
            self._make_of_words(choice)
            return True
        self._make(choice, choice.settings, list(self._take(PARTS_AT_ONCE if choice.engine is None else PARTS_OF_OWN_ENGINE)))
        if not self._queue or self._waiting.is_on or time.monotonic() - self._written_down > WRITTEN_DOWN_SECONDS:
            self._write_down()
        return True

    def _write_down(self) -> None:
        """What the vectors took since this was done last, for Usage."""
        meter, self._meter, self._written_down = self._meter, EmbeddingMeter(), time.monotonic()
        if self._choice is not None and self._choice.settings is not None:
            self.workspace.model.note_embedding(self._choice.settings, meter)

    # ---- what is to be made

    def _look(self, choice: EmbeddingChoice) -> None:
        """Where there is a new version: what has no vector, and without the vectors of what has gone."""
        index, vectors = self.workspace.index, self.workspace.meaning.vectors
        seen = (index.catch_up(), choice.label)
        if seen == self._looked[0] and time.monotonic() - self._looked[1] < LOOK_SECONDS:
            return
        held = index.leaves_by_source()
        self._queue.clear()
        if choice.settings is None and sum(map(len, held.values())) > self._most_of_words:
            if self._looked[0] is None or vectors.label():
                log.info("there are more than %d passages: none get vectors of words; choose a model", self._most_of_words)
                vectors.forget()
            self._looked = seen, time.monotonic()
            return
        vectors.begin(choice.label)
        vectors.keep(held)
        now = time.time()
        for source in self.workspace.store.sources.askable():
            if self.only in (None, source.name, source.id) and source.id in held:
                given_up = {leaf for leaf, (_, until) in vectors.given_up(source.id).items() if until > now}
                self._queue += [_Place(source.id, leaf) for leaf in sorted(held[source.id] - vectors.known(source.id) - given_up)]
        self._looked = seen, time.monotonic()

    def _take(self, most: int) -> Iterator[tuple[_Place, list[str]]]:
        """As many leaves as fit into one request, at least one; with the texts of their parts."""
        parts = 0
        while self._queue and parts < most:
            place = self._queue.popleft()
            for text, headings in self.workspace.store.leaves.texts([place.leaf]).values():
                texts = [part.text for part in parts_of(text, headings)]
                parts += len(texts)
                yield place, texts

    # ---- making it

    def _make_of_words(self, choice: EmbeddingChoice) -> None:
        """The next vectors, without a model."""
        some, vectors = list(self._take(PARTS_OF_WORDS)), word_vectors()
        assert vectors is not None
        self._keep(choice, some, vectors.of([text for _, parts in some for text in parts]))

    def _make(self, choice: EmbeddingChoice, settings: ModelSettings, some: Sequence[tuple[_Place, list[str]]]) -> None:
        began = time.monotonic()
        texts = [text for _, parts in some for text in parts]
        try:
            made = embed(settings, texts, "passage", None, self._meter) if texts else np.zeros((0, 0), np.float32)
            self._keep(choice, some, made)
        except OtherSize:
            self._wait_for_admin(OTHER_SIZE.format(label=settings.label), some)
        except ModelError as error:
            self._after(error, choice, settings, some)
        else:
            self._waiting.pause, self._in_a_row = 0.0, 0
            took = (time.monotonic() - began) / max(1, len(some))
            before = took if self._seconds_of_a_leaf is None else self._seconds_of_a_leaf
            self._seconds_of_a_leaf = (1 - MEASURED) * before + MEASURED * took

    def _keep(self, choice: EmbeddingChoice, some: Sequence[tuple[_Place, list[str]]], made: Made) -> None:
        at = 0
        found: dict[str, dict[str, Made]] = {}
        for place, parts in some:
            found.setdefault(place.source_id, {})[place.leaf] = made[at : at + len(parts)]
            at += len(parts)
        for source_id, leaves in found.items():
            self.workspace.meaning.vectors.add(source_id, choice.label, leaves)

    def _after(
        self, error: ModelError, choice: EmbeddingChoice, settings: ModelSettings, some: Sequence[tuple[_Place, list[str]]]
    ) -> None:
        if error.kind in OF_TEXT and len(some) > 1:  # one of them is the cause
            half = len(some) // 2
            self._make(choice, settings, some[:half])
            if not self._waiting.is_on:
                self._make(choice, settings, some[half:])
            else:
                self._queue.extendleft(place for place, _ in some[half:])
            return
        if error.kind in OF_TEXT:
            self._make_shortened(error, choice, settings, *some[0])
            return
        if error.kind in BUSY:
            pause = min(self._patience.longest, self._waiting.pause * 2 or self._patience.first)
            pause = min(self._patience.longest, max(pause, error.retry_after or 0.0))
            self._wait(pause, error.message, some)
            return
        self._wait_for_admin(error.message, some)

    def _make_shortened(
        self, error: ModelError, choice: EmbeddingChoice, settings: ModelSettings, place: _Place, parts: list[str]
    ) -> None:
        """What is too long is made of its beginning: words find the rest."""
        for halved in range(1, SHORTENED + 1) if error.kind == "context" else ():
            texts = [text[: max(1, len(text) >> halved)] for text in parts]
            try:
                self._keep(
                    choice,
                    [(place, parts)],
                    np.concatenate([embed(settings, [text], "passage", None, self._meter) for text in texts]),
                )
            except ModelError as again:
                if again.kind not in OF_TEXT:
                    self._after(again, choice, settings, [(place, parts)])
                    return
                error = again
            except OtherSize:
                self._wait_for_admin(OTHER_SIZE.format(label=settings.label), [(place, parts)])
                return
            else:
                self._in_a_row = 0
                return
        self._in_a_row += 1
        if self._in_a_row >= MOST_IN_A_ROW:
            self._in_a_row = 0
            self._wait_for_admin(error.message, [(place, parts)])
            return
        until = time.time() + GIVEN_UP_SECONDS
        self.workspace.meaning.vectors.give_up(place.source_id, [place.leaf], error.message, until)

    # ---- waiting

    def _wait_for_admin(self, sentence: str, some: Sequence[tuple[_Place, list[str]]]) -> None:
        self._wait(self._patience.barred, sentence, some)

    def _wait(self, seconds: float, sentence: str, some: Sequence[tuple[_Place, list[str]]]) -> None:
        self._queue.extendleft(place for place, _ in reversed(some))
        self._waiting = _Waiting(time.monotonic() + seconds, sentence, seconds)
        log.warning("vectors: %s", sentence)
        self._note("waiting", sentence)

    def _note(self, state: State, sentence: str) -> None:
        until = time.time() + self._waiting.until - time.monotonic() if self._waiting.is_on else None
        said: tuple[State, str] = (state, sentence)
        if said != self._noted[0] or time.monotonic() - self._noted[1] > NOTED_SECONDS:
            self._noted = said, time.monotonic()
            self.workspace.meaning.vectors.note_state(
                state=state, sentence=sentence, until=until, seconds_of_a_leaf=self._seconds_of_a_leaf
            )
