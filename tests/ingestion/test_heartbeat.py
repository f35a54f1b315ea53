"""The worker says that it works, and is silent where it hangs."""

from __future__ import annotations

import io
import time

from ingestion.heartbeat import Heartbeat


class Rounds:
    looked_round_at = 0.0
    longest_round = 30.0


def test_it_beats_before_there_is_a_worker_and_while_that_goes_round() -> None:
    out, rounds = io.BytesIO(), Rounds()
    heartbeat = Heartbeat(out, beat_seconds=0.01)
    heartbeat.start()
    assert _grows(out)
    rounds.looked_round_at = time.monotonic()
    heartbeat.of(rounds)
    assert _grows(out)


def test_it_is_silent_while_a_round_takes_too_long() -> None:
    out, rounds = io.BytesIO(), Rounds()
    heartbeat = Heartbeat(out, beat_seconds=0.01)
    rounds.looked_round_at = time.monotonic() - 31
    heartbeat.of(rounds)
    heartbeat.start()
    assert not _grows(out, seconds=0.2)
    rounds.looked_round_at = time.monotonic()
    assert _grows(out)


def _grows(out: io.BytesIO, seconds: float = 20.0) -> bool:
    before, until = len(out.getvalue()), time.monotonic() + seconds
    while time.monotonic() < until:
        if len(out.getvalue()) > before:
            return True
        time.sleep(0.01)
    return False
