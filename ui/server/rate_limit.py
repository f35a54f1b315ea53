"""Slows down whoever guesses: a number of tries in a window of time, for each address and each name."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_KEPT = 100_000  # keys; an attacker who makes up more only loses the oldest


def network_of(address: str) -> str:
    """What one sender has: an address, or of IPv6 the network of 64 bits that every line gets."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), 64), strict=False))


class RateLimit:
    """At most `tries` in `seconds` for each key. Safe to use from many threads; forgotten when the app is stopped."""

    def __init__(self, tries: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.tries, self.seconds = tries, seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._tried: OrderedDict[str, list[float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """Counts a try. Returns 0, or the seconds to wait where there were too many."""
        now = self._clock()
        with self._lock:
            recent = [at for at in self._tried.pop(key, []) if now - at < self.seconds]
            is_allowed = len(recent) < self.tries
            self._tried[key] = [*recent, now] if is_allowed else recent
            while len(self._tried) > MOST_KEPT:
                self._tried.popitem(last=False)
            return 0.0 if is_allowed else self.seconds - (now - recent[0])

    def forgive(self, key: str) -> None:
        """Somebody who got it right begins anew."""
        with self._lock:
            self._tried.pop(key, None)
