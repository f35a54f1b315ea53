"""Secrets at rest: encrypted with a key that is kept outside the database."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from filelock import FileLock

from tree.store.database import StoreError, explained

KEY_VARIABLE = "KNOWLEDGE_TREE_KEY"


class Vault:
    """Encrypts with the key in the environment, else with one in a file that only its owner can read."""

    def __init__(self, home: Path) -> None:
        self.path = home / "secret.key"

    def seal(self, secrets: Mapping[str, object]) -> bytes | None:
        return self._fernet(create=True).encrypt(json.dumps(dict(secrets)).encode()) if secrets else None

    def open(self, sealed: bytes | None) -> dict[str, object]:
        if not sealed:
            return {}
        try:
            secrets: dict[str, object] = json.loads(self._fernet(create=False).decrypt(sealed))
        except InvalidToken as error:
            raise StoreError(
                f"The saved passwords cannot be read with this key. Put {self.path.name} back, or enter them again."
            ) from error
        return secrets

    def _fernet(self, create: bool) -> Fernet:
        if key := os.environ.get(KEY_VARIABLE):
            return _fernet_of(key.encode(), f"The key in {KEY_VARIABLE}")
        if create and not self.path.exists():
            self._make_key()
        if not self.path.exists():
            raise StoreError(
                f"{self.path.name} is missing from the data folder, so saved passwords cannot be read. Put it back, or enter them again."
            )
        return _fernet_of(self.path.read_bytes(), f"The key in {self.path.name}")

    def _make_key(self) -> None:
        """Whole under its name at once, by one process alone: no half of a key is ever read, and no key replaced."""
        draft, locks = self.path.with_name(f"{self.path.name}.new"), self.path.parent / "locks"
        with explained(self.path):
            locks.mkdir(exist_ok=True)
            with FileLock(locks / "key.lock"):
                if self.path.exists():
                    return
                draft.unlink(missing_ok=True)
                with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                    file.write(Fernet.generate_key())
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(self.path)


def _fernet_of(key: bytes, name: str) -> Fernet:
    try:
        return Fernet(key.strip())
    except ValueError as error:
        raise StoreError(
            f"{name} is damaged, so saved passwords cannot be read. Put the right one back, or enter them again."
        ) from error
