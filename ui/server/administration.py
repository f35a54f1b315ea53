"""Everything that only an admin may do. Each action looks up again whether they still are one, and is written to the audit log.

Pages have no other way to change a source, the model, an alias or an account: what they read from (`Tools.sources`) cannot write.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ingestion.preview import preview
from ingestion.sources import Missing, Sources
from ingestion.tasks.waking import board_of
from prompts.engine.download import Remote
from tree.accounts.accounts import Accounts
from tree.accounts.people import AccountError
from tree.accounts.principal import Principal
from tree.local_model import models_folder
from tree.retrieve import aliases
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingChoice
from tree.store.language_model import ModelChoice
from tree.store.models import Source
from tree.workspace import Workspace
from ui.server.engine import downloads
from ui.server.visitor import Visitor

if TYPE_CHECKING:
    from ingestion.tasks.board import State, Task, TaskBoard

T = TypeVar("T")


class NotAllowed(StoreError):
    """Whoever tried this is no admin, or not any more."""


class Tasks(NamedTuple):
    """What the workers do."""

    workers: int  # that live
    counts: Mapping[tuple[str, State], int]  # of all, by queue and state
    shown: list[Task]  # of each state the latest, watches apart
    unwatched: int  # sources that no worker has room to watch


class Administration:
    """The actions of one visitor. Each raises NotAllowed for whoever is no admin, and StoreError where it fails."""

    def __init__(self, workspace: Workspace, sources: Sources, accounts: Accounts, visitor: Visitor) -> None:
        self._workspace, self._sources, self._accounts = workspace, sources, accounts
        self._visitor = visitor

    def by(self, visitor: Visitor) -> Administration:
        """The same actions, of somebody else."""
        return Administration(self._workspace, self._sources, self._accounts, visitor)

    def check(self) -> Principal:
        """Who it is. Raises NotAllowed for whoever is no admin, looked up now."""
        principal = self._visitor.look_again()
        if not principal.is_admin:
            raise NotAllowed("Only an admin can do this. Ask one, or sign in again if you were made one just now.")
        return principal

    def _do(self, action: str, target: str | Callable[[], str], work: Callable[[], T]) -> T:
        """What is done is looked up only after the check: whoever may not do it learns nothing, not even what there is. It is written
        to the audit log, or not done."""
        principal = self.check()
        named = target if isinstance(target, str) else target()  # before it is done: it may be gone then
        person = self._accounts.people.get(principal.person_id)
        who = f"{principal.name} <{person.email}>" if person is not None else principal.name
        with self._accounts.audit.noting(action, named, person_id=principal.person_id, who=who, address=self._visitor.address):
            return work()

    # ---- sources

    def add_source(
        self,
        kind: str,
        name: str,
        config: Mapping[str, Any],
        secrets: Mapping[str, Any] | None = None,
        audience: Sequence[str] | None = None,
    ) -> Source:
        """`audience` is for whom it is from its first moment on: ids of groups, or None for everybody."""
        return self._do(
            "source added",
            lambda: name if audience is None else f"{name}: {self._groups_in_words(audience, 'nobody')}",
            lambda: self._sources.add(kind, name, config, secrets, audience),
        )

    def configure_source(self, source_id: str, config: Mapping[str, Any], secrets: Mapping[str, Any] | None = None) -> None:
        self._do(
            "source settings changed",
            lambda: self._source(source_id),
            lambda: self._sources.configure(source_id, config, secrets),
        )

    def set_audience(self, source_id: str, audience: Sequence[str] | None) -> None:
        """For whom a source is: ids of groups, or None for everybody."""
        self._do(
            "source audience changed",
            lambda: (
                f"{self._source(source_id)}: " + ("everybody" if audience is None else self._groups_in_words(audience, "nobody"))
            ),
            lambda: self._sources.set_audience(source_id, audience),
        )

    def request_sync(self, source_id: str) -> None:
        self._do("source sync asked for", lambda: self._source(source_id), lambda: self._sources.request_sync(source_id))

    def pause(self, source_id: str, paused: bool) -> None:
        self._do(
            "source paused" if paused else "source resumed",
            lambda: self._source(source_id),
            lambda: self._sources.pause(source_id, paused),
        )

    def read_again(self, source_id: str, ids: Iterable[str]) -> None:
        self._do("documents read again", lambda: self._source(source_id), lambda: self._sources.read_again(source_id, ids))

    def approve(self, source_id: str) -> int:
        return self._do("deletion confirmed", lambda: self._source(source_id), lambda: self._sources.approve(source_id))

    def missing(self, source: Source) -> list[Missing]:
        """What the next full rescan would remove; changes nothing. Raises ConnectorError too."""
        self.check()
        return preview(self._workspace, self._sources, source)

    def remove_source(self, source_id: str) -> None:
        self._do("source removed", lambda: self._source(source_id), lambda: self._sources.mark_removing(source_id))

    def _source(self, source_id: str) -> str:
        return self._sources.get(source_id).name

    # ---- the model, aliases

    def save_model(self, choice: ModelChoice) -> None:
        label = choice.settings.label if choice.settings is not None else "none"
        self._do("model saved", label, lambda: self._workspace.model.save(choice))

    def change_model(self, **fields: Any) -> None:
        self._do("model settings changed", ", ".join(sorted(fields)), lambda: self._workspace.model.change(**fields))

    def save_meaning(self, choice: EmbeddingChoice) -> None:
        """Of the model of embeddings."""
        label = choice.settings.label if choice.settings is not None else "none"
        self._do("search by meaning saved", label, lambda: self._workspace.meaning.model.save(choice))

    def change_meaning(self, **fields: Any) -> None:
        model = self._workspace.meaning.model
        self._do("search by meaning changed", ", ".join(sorted(fields)), lambda: model.change(**fields))

    def download_model(self, remote: Remote) -> None:
        """Begins it in the background. Raises StoreError while another one runs."""
        folder = models_folder(self._workspace.home)
        self._do("model download begun", f"{remote.model.name} ({remote.sha256[:16]})", lambda: downloads.begin(remote, folder))

    def save_aliases(self, file_name: str, data: bytes) -> int:
        """Returns how many there are now. Raises AliasError for a list that is no good."""
        return self._do("aliases replaced", file_name, lambda: aliases.save_aliases(self._workspace.home, file_name, data))

    def add_alias(self, alias: str, name: str) -> int:
        """Returns how many there are then. Raises AliasError for one that is no good."""
        return self._do("alias added", "", lambda: aliases.add_alias(self._workspace.home, alias, name))

    def remove_aliases(self) -> None:
        self._do("aliases removed", "", lambda: aliases.remove_aliases(self._workspace.home))

    # ---- people

    def invite(self, email: str, name: str, *, is_admin: bool, groups: Sequence[str]) -> str:
        """Returns the token of a link by which they join. Raises AccountError for an address that is none, or taken."""

        def make() -> str:
            self._accounts.people.check_address(email)
            return self._accounts.links.for_invitation(email, name, is_admin=is_admin, groups=groups)

        as_what = " (admin)" if is_admin else ""
        return self._do("person invited", f"{' '.join(email.split())}{as_what}", make)

    def withdraw_invitation(self, link_id: str) -> None:
        """Raises AccountError where somebody has used it meanwhile."""
        self._do("invitation withdrawn", lambda: self._accounts.links.invited(link_id), lambda: self._accounts.links.end(link_id))

    def reset_password(self, person_id: str) -> str:
        """Returns the token of a link by which they choose a new password."""
        return self._do(
            "password reset offered", lambda: self._person(person_id), lambda: self._accounts.links.for_reset(person_id)
        )

    def set_admin(self, person_id: str, is_admin: bool) -> None:
        action = "person made an admin" if is_admin else "person is no admin any more"
        self._do(action, lambda: self._person(person_id), lambda: self._accounts.people.set_admin(person_id, is_admin))

    def set_active(self, person_id: str, is_active: bool) -> None:
        action = "person activated" if is_active else "person deactivated"
        self._do(action, lambda: self._person(person_id), lambda: self._accounts.people.set_active(person_id, is_active))

    def set_groups(self, person_id: str, groups: Sequence[str]) -> None:
        self._do(
            "groups changed",
            lambda: f"{self._person(person_id)}: {self._groups_in_words(groups, 'none')}",
            lambda: self._accounts.people.set_groups(person_id, groups),
        )

    def end_sessions(self, person_id: str) -> int:
        """Returns how many browsers were signed out."""
        return self._do("sessions ended", lambda: self._person(person_id), lambda: self._accounts.sessions.end_all(person_id))

    def _person(self, person_id: str) -> str:
        person = self._accounts.people.get(person_id)
        if person is None:
            raise AccountError("There is no such person any more.")
        return person.email

    # ---- groups

    def add_group(self, name: str) -> str:
        return self._do("group added", name, lambda: self._accounts.people.add_group(name))

    def rename_group(self, group_id: str, name: str) -> None:
        self._do(
            "group renamed",
            lambda: f"{self._group(group_id)}: {name}",
            lambda: self._accounts.people.rename_group(group_id, name),
        )

    def delete_group(self, group_id: str) -> None:
        self._do("group deleted", lambda: self._group(group_id), lambda: self._accounts.people.delete_group(group_id))

    def change_members(self, group_id: str, added: Collection[str] = (), removed: Collection[str] = ()) -> None:
        """Puts people into a group, and takes others out of it."""

        def changes() -> str:
            parts = (f"{word}: {self._people_in_words(ids)}" for word, ids in (("in", added), ("out", removed)) if ids)
            return f"{self._group(group_id)}: {'; '.join(parts)}"

        self._do("group members changed", changes, lambda: self._accounts.people.change_members(group_id, added, removed))

    def _group(self, group_id: str) -> str:
        name = self._accounts.people.groups().get(group_id)
        if name is None:
            raise AccountError("There is no such group any more.")
        return name

    def _groups_in_words(self, group_ids: Iterable[str], none: str) -> str:
        names = self._accounts.people.groups()
        return ", ".join(names[id_] for id_ in group_ids if id_ in names) or none

    def _people_in_words(self, person_ids: Iterable[str]) -> str:
        return ", ".join(sorted(person.email for person in self._accounts.people.several(person_ids)))

    # ---- the tasks of the workers

    @property
    def has_tasks(self) -> bool:
        """Whether workers share tasks: those of a data folder alone do not."""
        return self._workspace.database.backend.server is not None

    def tasks(self) -> Tasks:
        """What is not done."""
        self.check()
        board = self._board()
        return Tasks(board.count_workers(), board.counts(), board.shown(), board.count_unwatched())

    def try_task_again(self, task_id: int) -> None:
        self._do("task tried again", lambda: self._task(task_id).key, lambda: self._board().begin_anew(self._task(task_id)))

    def cancel_task(self, task_id: int) -> None:
        """Ends one that waits, and has one that runs stop; it is not begun again for a while, unless somebody asks for it."""
        self._do("task cancelled", lambda: self._task(task_id).key, lambda: self._board().cancel(task_id))

    def _board(self) -> TaskBoard:
        board = board_of(self._workspace.database)
        if board is None:
            raise StoreError("There are no tasks: the only worker of this data folder does everything.")
        return board

    def _task(self, task_id: int) -> Task:
        task = self._board().task(task_id)
        if task is None:
            raise StoreError("This task is done.")
        return task

    # ---- the audit log

    def export_audit(self) -> str:
        """All of the audit log as CSV, this export included."""
        self._do("audit log exported", "", lambda: None)
        return self._accounts.audit.as_csv()
