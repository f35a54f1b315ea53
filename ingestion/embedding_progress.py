"""How far the vectors of leaves are, and what those still to come will take: to be shown by any process."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal

from prompts.model import ModelSettings
from tree.retrieve.leaf_parts import parts_of
from tree.store.embedding_model import EmbeddingChoice
from tree.workspace import Workspace

SAMPLED = 60  # leaves that are cut into parts to tell how many all have
CHARACTERS_OF_A_TOKEN = 4
State = Literal[
    "off",  # no model is chosen
    "done",  # nothing is left to do
    "running",
    "paused",  # by somebody
    "waiting",  # for a server or an admin: the sentence says for what
    "stopped",  # nobody is at it: the worker is not running
]
HEARD_SECONDS = 30.0  # after so long without a word, nobody is at it
PAUSED = "The making of vectors is paused."
NOT_RUNNING = "No vectors are made at the moment: the app's worker is not running."


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """Over all sources, in leaves. `given_up` says why, for each leaf that the model could make nothing of."""

    state: State
    sentence: str = ""
    made: int = 0
    pending: int = 0
    given_up: tuple[str, ...] = ()
    seconds_left: float | None = None
    until: float | None = None

    @property
    def share(self) -> float:
        """What is settled, 0 to 1."""
        settled = self.made + len(self.given_up)
        return settled / (settled + self.pending) if settled + self.pending else 1.0


def embedding_progress(workspace: Workspace) -> EmbeddingProgress:
    """How it stands now. Raises StoreError."""
    choice, vectors = workspace.meaning.model.described(), workspace.meaning.vectors
    if choice.settings is None:
        return EmbeddingProgress("off", "No model is chosen.")
    is_own = vectors.label() == choice.label
    made, pending = 0, 0
    given_up: list[str] = []
    for source_id, leaves in workspace.index.leaves_by_source().items():
        known = vectors.known(source_id) & leaves if is_own else set()
        failed = {leaf: why for leaf, (why, _) in vectors.given_up(source_id).items() if leaf in leaves - known} if is_own else {}
        made, pending = made + len(known), pending + len(leaves) - len(known) - len(failed)
        given_up += failed.values()
    found = EmbeddingProgress("running", made=made, pending=pending, given_up=tuple(given_up))
    noted, heard_at = vectors.state()
    if choice.paused:
        return replace(found, state="paused", sentence=PAUSED)
    if not pending:
        return replace(found, state="done")
    if time.time() - heard_at > HEARD_SECONDS + 2 * choice.settings.timeout:
        return replace(found, state="stopped", sentence=NOT_RUNNING)
    if noted["state"] == "waiting":
        return replace(found, state="waiting", sentence=noted["sentence"], until=noted["until"])
    seconds = noted.get("seconds_of_a_leaf")
    return replace(found, seconds_left=pending * seconds if seconds else None)


# ---------------------------------------------------------------- what it will take


@dataclass(frozen=True, slots=True)
class EmbeddingEstimate:
    """For all leaves that a model has no vector of. `seconds` is None before its speed is known, `cost` where its price is not."""

    leaves: int
    parts: int
    tokens: int
    seconds: float | None
    cost: float | None


def embedding_estimate(workspace: Workspace, choice: EmbeddingChoice) -> EmbeddingEstimate:
    """What the model of a choice, which need not be saved yet, would take. Raises StoreError."""
    index, vectors = workspace.index, workspace.meaning.vectors
    index.catch_up()
    is_own = vectors.label() == choice.label
    missing = [
        leaf
        for source_id, leaves in index.leaves_by_source().items()
        for leaf in sorted(leaves - (vectors.known(source_id) if is_own else set()))
    ]
    texts = workspace.store.leaves.texts(missing[:: max(1, len(missing) // SAMPLED)])
    cut = [parts_of(*found) for found in texts.values()]
    share = len(missing) / len(cut) if cut else 0.0
    parts = round(share * sum(map(len, cut)))
    tokens = round(share * sum(len(part.text) for leaf in cut for part in leaf) / CHARACTERS_OF_A_TOKEN)
    trial = choice.trial
    return EmbeddingEstimate(
        len(missing), parts, tokens, None if trial is None else parts * trial.seconds_of_a_part, _cost(choice.settings, tokens)
    )


def _cost(settings: ModelSettings | None, tokens: int) -> float | None:
    if settings is None or settings.is_on_this_machine:
        return 0.0 if settings is not None else None
    return None if settings.prices is None else settings.prices.cost(tokens, 0, 0)
