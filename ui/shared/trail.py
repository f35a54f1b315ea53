"""The steps of a walk as rows to draw, for a running walk and for a remembered one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ingestion.words import counted
from prompts.taxonomy import name_of
from ui.shared import usage
from ui.shared.markup import title_of, without_markdown

DEEPEST = 5  # indents
READ = {"complete": ("looks like the answer", "good"), "partial": ("may help", "fair"), "none": ("no answer", "dim")}
ANSWERS, NOT_CITED = ("has the answer", "good"), ("not cited", "dim")  # of what looked like it, when the answer is written
CLOSEST = "Closest sentence"
PREMISE = ("the question takes for granted what is not so", "fair")
WORDS = {
    "named": "Went straight to",
    "read": "Read",
    "back": "Went back to",
    "link": "Followed a link to",
    "overview": "Answered from the summary of",
    "register": "Went through all of",
    "chat": "Read as a follow-up to",
    "names": "Knows",
    "meaning": "Did not search by",
    "follow_up": "Searched for what is missing:",
}


def rows(
    steps: Sequence[Mapping[str, Any]], quoting: bool = True, closest: str = "", answer: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Without `quoting` nothing that a document said is repeated: for answers whose passages have changed since. `closest` is the
    place of the passage that is shown first where none is called the answer. `answer` is what the walk led to, once there is one:
    what looked like the answer has it only where that cites it."""
    opened = frozenset(step["place"] for step in steps)
    drawn = [_row(step, opened, quoting, answer) for step in steps]
    return [_with_near_miss(row, step) if row["place"] == closest else row for row, step in zip(drawn, steps, strict=True)]


def options_left(steps: Sequence[Mapping[str, Any]]) -> set[str]:
    """The places that were options of a walk and that it did not go to."""
    return {option["place"] for step in steps for option in step["options"]} - {step["place"] for step in steps}


def reason_of(step: Mapping[str, Any], quoting: bool) -> str:
    """Without `quoting` what it says by itself; trails of before do not know what of it is quoted. Names are told by documents."""
    return str(step["reason"] if quoting else "" if step["kind"] == "names" else step.get("said", ""))


def _with_near_miss(row: dict[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a passage with why it is not called the answer; trails of before do not know it."""
    near_miss = step.get("near_miss", "")
    return {**row, "reason": f"{row['reason']} {CLOSEST}: {near_miss}.".lstrip()} if near_miss else row


def summary(steps: Sequence[Mapping[str, Any]], took: Mapping[str, Any]) -> str:
    """What it took, in one line: "7 steps · 4 choices · 6 passages read · 3 calls · 4,210 tokens · 0.12 s"."""
    choices, read = (sum(step["kind"] == kind for step in steps) for kind in ("choose", "read"))
    parts = [counted(len(steps), "step"), counted(choices, "choice") if choices else ""]
    parts.append(f"{counted(read, 'passage')} read" if read else "")
    if calls := took.get("model_calls", 0):
        tokens = took.get("input_tokens", 0) + took.get("output_tokens", 0)
        parts += [counted(calls, "call"), counted(tokens, "token")]
    parts.append(f"{took['seconds']:.2f} s" if took.get("seconds") is not None else "")
    parts.append(f"with {usage.model_of(took)}" if usage.model_of(took) else "")
    return " · ".join(part for part in parts if part)


def doing(steps: Sequence[Mapping[str, Any]]) -> str:
    """What a running walk does, in a few words."""
    if not steps:
        return "Searching"
    last = steps[-1]
    if last["kind"] == "choose":
        return f"Searching in “{_title(last)}”"
    return f"{_verb(last)} “{_title(last)}”"


def _row(step: Mapping[str, Any], opened: Collection[str], quoting: bool, answer: Mapping[str, Any] | None) -> dict[str, Any]:
    chosen = {place: rank for rank, place in enumerate(step["chosen"], 1)}
    path = list(step["path"])
    pill, tone = _pill(step, answer) if step["kind"] == "read" else ("", "")
    return {
        "kind": step["kind"],
        "verb": _chose(step, chosen) if step["kind"] == "choose" else _verb(step),
        "title": _title(step),
        "place": step["place"],
        "crumbs": path[:-1],
        "depth": min(DEEPEST, max(0, len(path) - (1 if step["place"] else 0))),
        "reason": without_markdown(reason_of(step, quoting).replace(f"“{step['title']}”", f"“{_title(step)}”")),
        "pill": pill,
        "tone": tone,
        "options": sorted(
            (_option(option, chosen, opened, quoting) for option in step["options"]), key=lambda o: o["rank"] or len(chosen) + 1
        ),
    }


def _title(step: Mapping[str, Any]) -> str:
    return title_of(step.get("node_kind", ""), step["title"])


def _verb(step: Mapping[str, Any]) -> str:
    """A kind of step that is not known here still says its name."""
    return WORDS.get(step["kind"]) or step["kind"].replace("_", " ").capitalize()


def _pill(step: Mapping[str, Any], answer: Mapping[str, Any] | None) -> tuple[str, str]:
    """What a passage does for the question, and how good that is; trails of before say nothing of how the question stands."""
    if step.get("standing") == "premise is wrong":
        return PREMISE
    if answer is None or step["verdict"] != "complete":
        return READ.get(step["verdict"] or "", ("", ""))
    if not any(citation["place"] == step["place"] for citation in answer["citations"]):
        return NOT_CITED
    return ANSWERS if answer["verdict"] == "complete" else READ["partial"]


def _chose(step: Mapping[str, Any], chosen: Mapping[str, int]) -> str:
    if step.get("standing") == "cannot be understood":
        return "Could not tell what is asked, in"
    if not chosen:
        return "Found nothing relevant in"
    return f"Chose {len(chosen)} of {len(step['options'])} in"


def _option(option: Mapping[str, Any], chosen: Mapping[str, int], opened: Collection[str], quoting: bool) -> dict[str, Any]:
    return {
        "place": option["place"],
        "title": title_of(option["kind"], option["title"]),
        "kind": {"run": "group"}.get(option["kind"], option["kind"]),
        "types": [name_of(type_id) for type_id in option["content_types"]],
        "summary": without_markdown(option["summary"]) if quoting else "",
        "evidence": without_markdown(option["evidence"]) if quoting else "",
        "crumbs": list(option.get("path", ())),  # several levels were shown at once
        "why": without_markdown(option.get("why", "")) if quoting else "",
        "scent": round(100 * max(0.0, min(1.0, option["scent"]))),
        "rank": chosen.get(option["place"], 0),
        "is_left": option["place"] not in opened,  # the walk did not go there
    }
