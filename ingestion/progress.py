"""How the upgrades of all trees stand, and what those still to come will take: to be shown by any process."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ingestion.model_speed import has_graphics_card, seconds_by_size
from prompts.model import ModelSettings, Usage
from prompts.model import read as reading
from prompts.model import summarize as summarizing
from prompts.model.material import tokens_in
from tree.build.upgrades import Job, Upgrades
from tree.store.database import StoreError
from tree.store.language_model import Labels, Mean, labels_of, trial_of
from tree.store.unread_nodes import GivenUp
from tree.workspace import Workspace

State = Literal[
    "off",  # no model is chosen, or it is not to upgrade anything
    "done",  # nothing is left to do
    "running",
    "paused",  # by somebody
    "waiting",  # for a provider, a budget or an admin: the sentence says for what
    "stopped",  # nobody is at it: the worker is not running
]
HEARD_SECONDS = 30.0  # after so long without a word, nobody is at it
SAMPLED = 12  # prompts that are put together to tell how long they are
SECONDS_OF_A_CALL, TOKENS_OF_A_REPLY = 3.0, 350  # as long as no call was measured


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """One tree's leaves and branches; `given_up` are listed with their reasons, and are not among the pending."""

    source_id: str
    name: str
    state: State
    sentence: str
    upgraded: int
    pending: int
    given_up: tuple[GivenUp, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """Over all sources. `sentence` says why it waits or what to do; `until` when it goes on by itself, if that is known."""

    state: State
    sentence: str
    sources: tuple[SourceProgress, ...]
    seconds_left: float | None  # None where nothing is being done
    until: float | None = None

    @property
    def upgraded(self) -> int:
        return sum(source.upgraded for source in self.sources)

    @property
    def pending(self) -> int:
        return sum(source.pending for source in self.sources)

    @property
    def given_up(self) -> int:
        return sum(len(source.given_up) for source in self.sources)

    @property
    def share(self) -> float:
        """What is settled, 0 to 1."""
        settled = self.upgraded + self.given_up
        return settled / (settled + self.pending) if settled + self.pending else 1.0


def progress(workspace: Workspace) -> Progress:
    """How the upgrades stand now."""
    try:
        choice = workspace.model.choice()
    except StoreError as error:
        return Progress("waiting", str(error), (), None)
    except ValueError:
        return Progress("waiting", "The environment names a model that cannot be used; see Settings.", (), None)
    if choice.settings is None:
        return Progress("off", "No model is chosen.", (), None)
    labels, upgrades = labels_of(choice.settings), Upgrades(workspace.database)
    noted, heard_at = upgrades.state()
    state: State = "running"
    sentence, until = "", None
    if not choice.upgrades:
        state, sentence = "off", "Upgrades are switched off."
    elif choice.paused:
        state, sentence = "paused", "Upgrades are paused."
    elif time.time() - heard_at > HEARD_SECONDS:
        state, sentence = "stopped", "Nothing is upgraded at the moment: the app's worker is not running."
    elif noted["state"] == "waiting":
        state, sentence, until = "waiting", noted["sentence"], noted["until"]
    sources = tuple(
        _of_source(workspace, upgrades, labels, source.id, source.name, state, noted.get("sources", {}).get(source.id, sentence))
        for source in workspace.store.sources.askable()
    )
    pending = sum(source.pending for source in sources)
    if state in ("running", "waiting", "stopped") and not pending:
        return Progress("done", "", sources, None)
    left = _seconds(pending, workspace.model.mean_upgrade(choice.settings.label), choice.settings) if state == "running" else None
    return Progress(state, sentence, sources, left, until)


def _of_source(
    workspace: Workspace, upgrades: Upgrades, labels: Labels, source_id: str, name: str, state: State, sentence: str
) -> SourceProgress:
    counts = upgrades.unread.counts(source_id, labels)
    given_up = tuple(upgrades.unread.given_up(source_id, labels)) if counts.given_up else ()
    if state not in ("off", "paused") and not counts.pending:
        state, sentence = "done", ""
    elif state == "running" and sentence:
        state = "waiting"
    return SourceProgress(source_id, name, state, sentence, counts.upgraded, counts.pending, given_up)


# ---------------------------------------------------------------- before it starts


Basis = Literal[
    "calls",  # seconds and replies go by calls that this model has answered
    "trial",  # seconds go by its test
    "size",  # seconds go by how large it is and how many processors there are
    "",  # by nothing that is known of this model
]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What upgrading everything that is pending takes. `cost` in the currency of the prices; None where they are not known."""

    leaves: int
    branches: int
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: float | None
    basis: Basis

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


def estimate(
    workspace: Workspace, settings: ModelSettings | None = None, source_id: str | None = None, billions: float | None = None
) -> Estimate:
    """Of all sources, or one; by the chosen model, or one that is only thought of. Nothing is asked.

    Without `settings` it raises what `LanguageModel.choice` raises.
    """
    settings = settings or workspace.model.choice().settings
    if settings is None:
        return Estimate(0, 0, 0, 0, 0, 0.0, 0.0, "")
    labels, upgrades = labels_of(settings), Upgrades(workspace.database)
    leaves = branches = 0
    given = 0.0
    for source in workspace.store.sources.askable():
        if source_id in (None, source.id):
            pending = upgrades.unread.pending(source.id, labels)
            leaves, branches = leaves + len(pending.leaves), branches + len(pending.branches)
            given += len(pending.leaves) * _mean_prompt(_sampled(upgrades, source.id, labels, pending.leaves), settings)
            given += len(pending.branches) * _mean_prompt(_sampled(upgrades, source.id, labels, pending.branches), settings)
    return expected(workspace, settings, leaves, branches, given, billions)


def expected(
    workspace: Workspace, settings: ModelSettings, leaves: int, branches: int, given: float, billions: float | None = None
) -> Estimate:
    """For so many records, whose prompts have `given` tokens together; `billions` of parameters, where that is known."""
    mean = workspace.model.mean_upgrade(settings.label)
    records = leaves + branches
    calls = records if mean is None else round(records * mean.calls)
    made = records * (TOKENS_OF_A_REPLY if mean is None else mean.output_tokens)
    cost = records * mean.cost if mean is not None and mean.cost is not None else None
    if settings.prices is not None:
        cost = settings.prices.cost(round(given), round(made), 0)
    seconds, basis = _expected_seconds(workspace, settings, records, mean, given, made, billions)
    return Estimate(leaves, branches, calls, round(given), round(made), seconds, cost, basis)


def _expected_seconds(
    workspace: Workspace,
    settings: ModelSettings,
    records: int,
    mean: Mean | None,
    given: float,
    made: float,
    billions: float | None,
) -> tuple[float, Basis]:
    if mean is not None:
        return _seconds(records, mean, settings), "calls"
    trial = trial_of(settings, workspace.model.described().last_trial)
    tried = trial.seconds_for(given, made) if trial is not None else None
    if tried is not None:  # several at once share the processors of one machine
        return tried / (1 if settings.is_on_this_machine else settings.concurrency), "trial"
    if billions is not None and settings.is_on_this_machine and not has_graphics_card():
        return seconds_by_size(billions, given, made), "size"
    return _seconds(records, mean, settings), ""


def _seconds(records: int, mean: Mean | None, settings: ModelSettings) -> float:
    return records * (SECONDS_OF_A_CALL if mean is None else mean.seconds) / settings.concurrency


def _sampled(upgrades: Upgrades, source_id: str, labels: Labels, places: list[str]) -> list[Job]:
    """Jobs at places evenly spread over all of them, the same ones each time."""
    step = max(1, len(places) // SAMPLED)
    return upgrades.jobs(source_id, labels, sorted(places)[::step][:SAMPLED], only_ready=False)


def _mean_prompt(jobs: Iterable[Job], settings: ModelSettings) -> float:
    sizes = []
    for job in jobs:
        if job.leaf is not None:
            prompt = reading.build_prompt(job.leaf, settings.context, Usage()).prompt
        else:
            prompt = summarizing.build_prompt(job.node.title, job.children, settings.context, Usage()).prompt
        sizes.append(tokens_in(prompt.system) + tokens_in(prompt.user))
    return sum(sizes) / len(sizes) if sizes else 0.0
