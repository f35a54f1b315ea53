"""The figures of the speed bench as lines: on the terminal, on the page and in the README the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

GROWING = {
    "build": "build_seconds", "publish": "publish_p50", "warm start": "warm_start", "walk": "walk_p50", "flat search": "flat_p50",
    "saved": "saved_p50", "tree page": "tree_page_p50", "chat page": "chat_page_p50", "app memory": "app_memory",
    "worker memory": "worker_memory", "database": "database", "index": "index",
}  # fmt: skip


def growth(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """From one size of made-up text to the next: by what each figure is multiplied, and with which power of the size it grows."""
    made = [row for row in rows if not row["name"]]
    steps = []
    for one, other in zip(made, made[1:], strict=False):
        times = {name: other[key] / one[key] for name, key in GROWING.items() if one.get(key) and other.get(key)}
        factor = other["leaves"] / one["leaves"]
        powers = {name: math.log(value) / math.log(factor) for name, value in times.items()} if factor != 1 else {}
        steps.append({"from": one["leaves"], "to": other["leaves"], "times": times, "powers": powers})
    return steps


LINES: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("text", lambda r: f"{r['megabytes']:.1f} MB"),
    ("documents, depth", lambda r: f"{r['documents']:,}, {r['depth']}"),
    ("cold build", lambda r: f"{r['build_seconds']:.1f} s"),
    ("  text per second", lambda r: f"{r['build_megabytes_per_second']:.2f} MB"),
    ("  on processors", lambda r: f"{r['build_cpu_seconds']:.1f} s"),
    ("  beside flat", lambda r: f"x {r['build_seconds'] / r['flat_build_seconds']:.0f}"),
    ("  memory, all processes", lambda r: _mb(r["build_memory"])),
    ("publish of one change", lambda r: _both(r, "publish")),
    ("  on a processor", lambda r: _both(r, "publish_cpu")),
    ("saved to answerable", lambda r: _both(r, "saved")),
    ("start to first answer", lambda r: f"{r['warm_start']:.2f} s"),
    ("one walk", lambda r: _both(r, "walk")),
    ("  on a processor", lambda r: _both(r, "walk_cpu")),
    ("flat search", lambda r: _both(r, "flat")),
    ("  walk beside flat", lambda r: f"x {r['walk_p50'] / r['flat_p50']:.0f}"),
    ("  leaf asked for was read", lambda r: f"{r['found']:.0%}"),
    ("chat page rerun", lambda r: _both(r, "chat_page")),
    ("tree page rerun", lambda r: _both(r, "tree_page")),
    ("  with open sessions", lambda r: f"{_both(r, 'session')} ({r['sessions']})"),
    ("  all at one moment", lambda r: _both(r, "at_once")),
    ("app, worker memory", lambda r: f"{_mb(r['app_memory'])}, {_mb(r['worker_memory'])}"),
    ("database", lambda r: f"{_mb(r['database'])}, x {r['database'] / r['text_bytes']:.1f}"),
    ("search index", lambda r: f"{_mb(r['index'])}, x {r['index'] / r['text_bytes']:.1f}"),
    ("  both beside flat", lambda r: f"x {(r['database'] + r['index']) / r['flat_size']:.1f}"),
    ("load of the machine", lambda r: f"{r['load']:.1f}"),
)  # fmt: skip


def table(report: Mapping[str, Any]) -> str:
    """A column for each size; times are p50 / p95."""
    rows = report["rows"]
    lines = [f"{'':<26}" + "".join(f"{row['name'] or format(row['leaves'], ',') + ' leaves':>22}" for row in rows)]
    for name, write in LINES:
        lines.append(f"{name:<26}" + "".join(f"{cell(write, row):>22}" for row in rows))
    for step in report.get("growth", ()):
        grown = ", ".join(f"{name} {value:.2f}" for name, value in step["powers"].items())
        lines.append(f"{step['from']:,} to {step['to']:,} leaves, each grows with this power of the size: {grown}")
    return "\n".join(lines)


def cell(write: Callable[[Mapping[str, Any]], str], row: Mapping[str, Any]) -> str:
    try:
        return write(row)
    except KeyError:  # not measured: files that are not ours are not changed
        return "–"


def _both(row: Mapping[str, float], name: str) -> str:
    low, high = row[f"{name}_p50"], row[f"{name}_p95"]
    return f"{low:.2f} / {high:.2f} s" if low >= 0.5 else f"{low * 1000:.0f} / {high * 1000:.0f} ms"


def _mb(size: float) -> str:
    return f"{size / 1e6:.0f} MB"
