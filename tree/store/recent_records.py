"""Records that were read lately."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from prompts.records import SummaryRecord

RECORDS_KEPT = 4_000  # in memory


class RecentRecords:
    """Records read lately, by the hash of their content, so that none can be out of date. Any thread may use it."""

    def __init__(self, size: int = RECORDS_KEPT) -> None:
        self._size = size
        self._records: OrderedDict[str, SummaryRecord] = OrderedDict()
        self._lock = Lock()

    def get(self, hash_: str) -> SummaryRecord | None:
        with self._lock:
            return self._records.get(hash_)

    def keep(self, hash_: str, record: SummaryRecord) -> SummaryRecord:
        with self._lock:
            self._records[hash_] = record
            while len(self._records) > self._size:
                self._records.popitem(last=False)
        return record

    def clear(self) -> None:
        with self._lock:
            self._records.clear()

    def __len__(self) -> int:
        return len(self._records)


RECENT = RecentRecords()
