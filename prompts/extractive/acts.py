"""What a procedure does, by the verb that its title begins with: whether that is what is asked for, or its opposite.

Verbs that say the same of a procedure stand in one line ("launch a run" is told by "Start a run"); a verb may stand in two. Of
opposites one is never the answer to the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from prompts.language import terms
from prompts.question import Word
from prompts.regex import regex

SAME = """
start-up boot-up switch-on turn-on power-on power-up startup
shut-down switch-off turn-off power-off power-down shutdown
start launch begin initiate run execute trigger kick-off fire-up startup boot-up spin-up declare
stop halt end terminate shut-down shutdown quit kill spin-down
restart reboot bounce
add create insert register make new creation addition registration
remove delete erase drop purge deletion removal get-rid take-out throw-away
install installation set-up setup deploy
configure configuration set-up setup
uninstall remove deinstall
enable activate turn-on switch-on activation
disable deactivate turn-off switch-off deactivation
change modify edit update alter adjust amend
view see show display look-up
move migrate transfer relocate migration
release publish roll-out ship rollout publication
unpublish withdraw take-down
replace swap exchange substitute replacement
check verify validate confirm inspect
restore recover bring-back recovery
back-up backup
copy duplicate clone
cancel abort call-off
undo revert roll-back rollback reverse back-out take-back downgrade
request order apply
request apply ask
book reserve booking reservation
send submit hand-in
connect attach join plug-in
disconnect detach unplug
open unlock
close lock
log-in sign-in login
log-out sign-out logout sign-off
grant allow give permit authorise authorize
revoke deny block forbid withdraw
upgrade raise increase
downgrade lower reduce decrease
enrol enroll register
unenrol unenroll deregister unregister
import load read-in
export dump
mount
unmount
subscribe
unsubscribe
hire onboard
dismiss offboard
encrypt
decrypt
pause suspend hold
resume continue unpause
renew extend prolong
expire
lend borrow
return
clean wash rinse
fill refill
empty drain
repair mend fix
"""
OPPOSITES = """
start stop|start undo|start cancel|start pause|stop resume|pause resume|add remove|add uninstall|install uninstall|install remove|enable disable|connect disconnect|open close|log-in log-out
grant revoke|upgrade downgrade|enrol unenrol|import export|mount unmount|subscribe unsubscribe|encrypt decrypt|release unpublish|release undo|back-up restore|send cancel|hire dismiss
fill empty|start restart|stop restart|enrol remove|install undo|upgrade undo|enable stop|disable start|lend return|renew cancel|request cancel|open lock|close open|change undo
"""
PARTICLES = frozenset("on off up down in out back away over".split())
_LEADING = regex(
    r"\A\W*(?:(?:runbook|how-?to|guide|procedure|playbook|steps?|instructions?|recipe|sop|task)\b(?: for| to)?[\s:–—-]*|\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s+|how (?:to|do (?:i|you|we))\s+|to\s+|(?:please|first|then)\s+)*",
    re.IGNORECASE,
)
_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)?")


def _key(word: str) -> str:
    """A verb as it is compared: the term of it, with its particle."""
    verb, _, particle = word.partition("-")
    known = terms(verb)
    return f"{known[0] if known else verb}{particle}"


_LINES = tuple(frozenset(map(_key, line.split())) for line in SAME.strip().splitlines())
_KNOWN = frozenset().union(*_LINES)
_TURNED = frozenset(
    frozenset((_key(one), _key(other)))
    for pair in OPPOSITES.replace("\n", "|").strip("|").split("|")
    for one, other in [pair.split()]
)
_START = next(line for line in _LINES if _key("start") in line)

Likeness = Literal["same", "opposite", "other", "unknown"]


def act_of(title: str) -> str:
    """What a title says to do, as it is compared; empty where it begins with no verb that is known."""
    bare = title.rpartition(">")[2]
    words = [match.group().casefold() for match in _WORD.finditer(bare, _LEADING.match(bare).end())]  # type: ignore[union-attr]  # it matches nothing too
    return _act(words)


def _act(words: Sequence[str]) -> str:
    if not words:
        return ""
    if len(words) == 1 and words[0] in PARTICLES:  # "Off", below "Confocal: switching on, switching off"
        alone = f"switch{words[0]}"
        return alone if alone in _KNOWN else ""
    if words[0].endswith("ed"):  # a state: "Locked account" says how to unlock it
        return ""
    verb = _key(words[0])
    joined = next((f"{verb}{one}" for one in ((*words[1:2], *words[-1:])) if one in PARTICLES), "")
    return joined if joined in _KNOWN else verb if verb in _KNOWN else ""


def asked_act(needed: Sequence[Word]) -> tuple[Word, str] | None:
    """The verb of a question for a procedure, as it is compared: the first of the words that name it, or a later one with its particle
    ("I am the last one, how do I switch off the mixer?")."""
    for at, word in enumerate(needed):
        joined = next((other for other in word.others if other in _KNOWN and other.startswith(word.whole)), "")
        if joined or (not at and word.whole in _KNOWN):
            return word, joined or word.whole
    return None


def likeness(asked: str, told: str) -> Likeness:
    """Whether what is told does what is asked for; unknown where it does nothing that is known."""
    if not told:
        return "unknown"
    if asked == told or any(asked in line and told in line for line in _LINES):
        return "same"
    mine, its = (_with_same(act) for act in (asked, told))
    return "opposite" if any(frozenset((one, other)) in _TURNED for one in mine for other in its) else "other"


def _with_same(act: str) -> Iterable[str]:
    return {act}.union(*(line for line in _LINES if act in line))


def is_known_act(act: str) -> bool:
    """Whether it is a verb, as it is compared, that is known to say the same as others."""
    return act in _KNOWN


def same_acts(act: str) -> frozenset[str]:
    """The verbs, as they are compared, that say the same; none of one that is not known."""
    return frozenset(_with_same(act)) - {act}


def starts(act: str) -> bool:
    """Whether it only says that what is named is to be done: "launch a refund run", of a page called "Refund run"."""
    return act in _START


def opposites(act: str) -> frozenset[str]:
    """The verbs, as they are compared, that do the opposite."""
    mine = frozenset(_with_same(act))
    return frozenset().union(*(pair - mine for pair in _TURNED if pair & mine))
