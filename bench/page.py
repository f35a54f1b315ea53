"""Figures as one self-contained HTML page with plots, which opens without a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from bench.speed_table import LINES, cell

WIDTH, ROW, LEFT = 860, 26, 190
COLOURS = {"flat": "#8a8f98", "vectors": "#5a8f4a", "boosted": "#c9a227", "greedy": "#c2564b", "walk": "#1f6f5c"}
NAMES = {
    "flat": "flat search (BM25)",
    "vectors": "flat search with vectors",
    "boosted": "the walk's scores without the tree",
    "greedy": "summaries alone",
    "walk": "the walk",
}
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#1b1e23;background:#fff}
table{border-collapse:collapse;font-size:13px;margin:1rem 0}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #e3e5e8}
th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#3b4048}
h2{margin-top:2.2rem}.key span{display:inline-block;margin-right:1.2rem}.key i{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:50%}
"""


def quality_page(report: dict[str, Any]) -> str:
    sets = {name: one for name, one in report["sets"].items() if one["hit"]}
    settings, overall = report["settings"], report["overall"]
    return page(
        "Does the walk find the right place?",
        f"<p>{settings['leaves']} leaves read for each question; the half of the questions called “{escape(str(settings['half']))}”; "
        f"reader: {escape(settings['reader'])}. Flat search reads as many of the same leaves.</p>",
        _key(),
        heading("Evidence found (hit)"),
        dots({name: one["hit"] for name, one in sets.items()} | {"mean": overall["hit"]}),
        heading("Share of the evidence found (recall)"),
        dots({name: one["recall"] for name, one in sets.items()} | {"mean": overall["recall"]}),
        heading("The walk against flat search, recall, with 95 % paired bootstrap intervals"),
        intervals(
            {name: one["recall_gain"].get("flat") for name, one in sets.items()} | {"mean": overall["recall_gain"].get("flat")}
        ),
        heading("The walk against flat search, hit"),
        intervals({name: one["hit_gain"].get("flat") for name, one in sets.items()} | {"mean": overall["hit_gain"].get("flat")}),
        heading("All figures by set"),
        _figures(report["sets"]),
        heading("By type of question"),
        _figures(report["types"]),
    )


def page(title: str, *parts: str) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{"".join(parts)}</body></html>\n'


def heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _key() -> str:
    return (
        '<p class="key">' + "".join(f'<span><i style="background:{COLOURS[m]}"></i>{NAMES[m]}</span>' for m in COLOURS) + "</p>"
    )


def dots(rows: dict[str, dict[str, float]]) -> str:
    """One line for each row, a dot for each method, from 0 to 1."""
    parts = _grid(len(rows), [(share, f"{share * 100:.0f} %") for share in (0, 0.25, 0.5, 0.75, 1)])
    for number, (name, shares) in enumerate(rows.items()):
        y = 30 + ROW * number
        parts.append(_label(name, y))
        for method, share in shares.items():
            tip = f"{NAMES[method]}: {share * 100:.1f} %"
            parts.append(
                f'<circle cx="{_x(share):.1f}" cy="{y}" r="5.5" fill="{COLOURS[method]}" fill-opacity=".85"><title>{tip}</title></circle>'
            )
    return _svg(len(rows), parts)


def intervals(rows: dict[str, Sequence[float] | None]) -> str:
    """A mean difference with its range for each row; the line in the middle is no difference."""
    known = {name: row for name, row in rows.items() if row}
    widest = max((abs(value) for row in known.values() for value in row), default=0.1) or 0.1
    parts = _grid(len(known), [((v + 1) / 2, f"{v * widest * 100:+.0f}") for v in (-1, -0.5, 0, 0.5, 1)])
    for number, (name, (mean, low, high)) in enumerate(known.items()):
        y = 30 + ROW * number
        x = [_x((value / widest + 1) / 2) for value in (mean, low, high)]
        colour = COLOURS["walk"] if mean >= 0 else COLOURS["greedy"]
        parts.append(_label(name, y))
        parts.append(f'<line x1="{x[1]:.1f}" x2="{x[2]:.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
        tip = f"{mean * 100:+.1f} [{low * 100:+.1f}, {high * 100:+.1f}]"
        parts.append(f'<circle cx="{x[0]:.1f}" cy="{y}" r="5" fill="{colour}"><title>{tip}</title></circle>')
    return _svg(len(known), parts)


def curves(series: dict[str, list[tuple[float, float]]], unit: str) -> str:
    """Lines over sizes, both axes logarithmic."""
    from math import log10

    points = [point for line in series.values() for point in line if point[1] > 0]
    if not points:
        return ""
    low_x, high_x = log10(min(x for x, _ in points)), log10(max(x for x, _ in points)) + 1e-9
    low_y, high_y = log10(min(y for _, y in points)), log10(max(y for _, y in points)) + 1e-9
    palette = [*COLOURS.values(), "#4b6cb7", "#7d4bb7", "#b74b8c"]
    parts = []
    for (name, line), colour in zip(series.items(), palette * 9, strict=False):
        at = [
            (60 + 560 * (log10(x) - low_x) / (high_x - low_x), 230 - 200 * (log10(y) - low_y) / (high_y - low_y or 1))
            for x, y in line
            if y > 0
        ]
        parts.append(
            f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        for (x, y), (size, value) in zip(at, [p for p in line if p[1] > 0], strict=True):
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{escape(name)} at {size:,.0f}: {value:,.3g} {unit}</title></circle>'
            )
        if at:
            parts.append(f'<text x="{at[-1][0] + 10:.1f}" y="{at[-1][1] + 4:.1f}">{escape(name)}</text>')
    return f'<svg viewBox="0 0 {WIDTH} 260" role="img">{"".join(parts)}</svg>'


def _grid(rows: int, ticks: Sequence[tuple[float, str]]) -> list[str]:
    bottom = 30 + ROW * rows
    parts = []
    for share, words in ticks:
        parts.append(f'<line x1="{_x(share):.1f}" x2="{_x(share):.1f}" y1="14" y2="{bottom - 8}" stroke="#e3e5e8"/>')
        parts.append(f'<text x="{_x(share):.1f}" y="{bottom + 8}" text-anchor="middle">{words}</text>')
    return parts


def _x(share: float) -> float:
    return LEFT + (WIDTH - LEFT - 40) * share


def _label(name: str, y: float) -> str:
    return f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'


def _svg(rows: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {48 + ROW * rows}" role="img">{"".join(parts)}</svg>'


def _figures(rows: dict[str, dict[str, Any]]) -> str:
    columns = {
        "cited": "citations of evidence", "answered": "answer quoted", "own_none": "none (answerable)",
        "read_none": "none (evidence read)", "trick_none": "none (unanswerable)",
        "foreign_none": "none (foreign)", "share_read": "share of corpus read",
    }  # fmt: skip
    head = [
        "",
        "questions",
        *(f"{m} hit / recall" for m in COLOURS),
        *columns.values(),
        "characters read",
        "steps",
        "p50 ms",
        "p95 ms",
    ]
    body = [
        [name, str(one["questions"]), *(_both(one, m) for m in COLOURS), *(_share(one.get(key)) for key in columns)]
        + [f"{one['characters']:.0f}", f"{one['steps']:.1f}", f"{one['p50'] * 1000:.0f}", f"{one['p95'] * 1000:.0f}"]
        for name, one in rows.items()
    ]
    return table(head, body)


def _both(one: dict[str, Any], method: str) -> str:
    return f"{one['hit'][method] * 100:.1f} / {one['recall'][method] * 100:.1f}" if method in one["hit"] else "–"


def _share(share: float | None) -> str:
    return "–" if share is None or share != share else f"{share * 100:.1f} %"


def change_page(report: dict[str, Any]) -> str:
    head = ["leaves", "hierarchy", "depth", "change", "read", "summaries", "worst", "at least", "prompt characters"]
    rows = [
        [
            f"{row['leaves']:,}", "folders" if row["natural"] else "none", str(row["depth"]), row["change"], f"{row['reads']:.1f}",
            f"{row['summaries']:.1f}", str(row["worst"]), "–" if row["bound"] is None else f"{row['bound']:.1f}", f"{row['characters']:,}",
        ]
        for row in report["rows"]
    ]  # fmt: skip
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in report["rows"]:
        if not row["natural"] and row["change"] in ("build", "edit", "insert", "delete", "50 edits in one batch"):
            lines.setdefault(row["change"], []).append((row["leaves"], row["summaries"]))
    return page(
        "What does a change cost?",
        "<p>Calls to the reader and the characters shown to it. “At least” is what any tree of this shape must spend, because "
        "every ancestor must tell of the change.</p>",
        heading("Summaries written, by size of the tree, without a hierarchy"),
        curves(lines, "summaries"),
        table(head, rows),
        heading("Published systems on the same work"),
        table(["system", "calls"], [list(peer) for peer in report["peers"]]),
    )


def truth_page(report: dict[str, Any]) -> str:
    failures = report["failures"]
    words = "Nothing was wrong." if not failures else f"{len(failures)} histories went wrong."
    return page(
        "Is anything ever wrong?",
        f"<p>{report['histories']} random histories of {report['steps']} steps from seed {report['seed']}. {words}</p>",
        table(["what happened", "times"], [[name, str(count)] for name, count in report["events"].items()]),
        table(["seed", "what was wrong"], [[str(failure["seed"]), failure["error"]] for failure in failures]) if failures else "",
    )


def speed_page(report: dict[str, Any]) -> str:
    rows = report["rows"]
    made = [row for row in rows if not row["name"]]
    times = {
        "walk p50": "walk_p50", "walk p95": "walk_p95", "publish p50": "publish_p50", "publish p95": "publish_p95",
        "flat search p50": "flat_p50", "start to first answer": "warm_start", "tree page p50": "tree_page_p50", "chat page p50": "chat_page_p50",
    }  # fmt: skip
    sizes = {
        "memory of a build": "build_memory", "app": "app_memory", "worker": "worker_memory", "database": "database", "index": "index",
        "flat index": "flat_size",
    }  # fmt: skip
    head = ["", *(row["name"] or f"{row['leaves']:,} leaves" for row in rows)]
    return page(
        "How fast, how large?",
        f"<p>{report['processors']} processors; text made from seed {report['seed']}; times are p50 / p95.</p>",
        heading("Times in milliseconds, by leaves"),
        curves({name: _line(made, key, 1e-3) for name, key in times.items()}, "ms"),
        heading("Sizes in megabytes, by leaves"),
        curves({name: _line(made, key, 1e6) for name, key in sizes.items()}, "MB"),
        table(head, ([name, *(cell(write, row) for row in rows)] for name, write in LINES)),
    )


def _line(rows: Sequence[dict[str, Any]], key: str, unit: float) -> list[tuple[float, float]]:
    return [(row["leaves"], row[key] / unit) for row in rows if key in row]
