"""Whoever has no password is refused by as much work as whoever has one."""

from __future__ import annotations

from tree.accounts import passwords


def test_somebody_without_a_password_costs_as_much_as_somebody_with_one(monkeypatch, full_cost_passwords) -> None:
    verified: list[str] = []
    verify = passwords._hasher.verify

    class Noting:
        def verify(self, hash_: str, password: str) -> bool:
            verified.append(hash_)
            return verify(hash_, password)

    monkeypatch.setattr(passwords, "_hasher", Noting())
    assert not passwords.matches(None, "a heron on the slipway")
    assert not passwords.matches(None, "nobody has this password")
    assert len(verified) == 2
    monkeypatch.undo()
    assert not any(map(passwords.is_dated, verified))  # the same parameters as a hash of today
