"""What is said later of a release that a log has: that it was rolled back, withdrawn or pulled, or that an older one is in use again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from prompts.regex import regex
from tree.ask.direct.written_lines import WrittenLine, written_lines
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView

LOOKED_AT = 12  # leaves, the most promising
_PULLED = (
    r"(?:(?:roll(?:s|ed|ing)?|pull(?:s|ed|ing)?|tak(?:e|en|ing)|took|call(?:s|ed|ing)?|switch(?:ed|ing)?|went|gone|go(?:es|ing)?) (?:back|down|off)|roll-?back|withdr[ae]w(?:n|ing)?|pull(?:ed|ing)"
    r"|yanked|revert(?:s|ed|ing)?|recalled|unpublished|retracted|cancel+ed|stopped|zurückgezogen|zurückgerollt|zurückgesetzt|zurückgenommen|retirée?|annulée?)"
)
_VERSION = regex(r"(?<![\w.])v?\d{1,4}(?:\.\d{1,5}){1,3}(?!\w|\.\d)", re.IGNORECASE)
_BEHIND = regex(  # "5.3.1 had to be rolled back", "5.3.1 broke the lamps, so we rolled it back", "we rolled 5.3.1 back"
    rf"\A\W{{1,3}}(?:(?:is|was|has|have|had|been|to|be|being|gets?|got|now|already|just|again|since|therefore|wird|wurde|ist|est|a|été|were|are) ){{0,6}}{_PULLED}(?!\w)"
    r"|\A[^.;!?\n]{0,80}\b(?:roll(?:ed|ing)?|pull(?:ed|ing)?|t(?:ook|aken|ake)|withdr[ae]wn?|withdrew|revert(?:ed|ing)?) (?:it|this|that|everything|all)\b",
    re.IGNORECASE,
)
_AHEAD = regex(rf"\b{_PULLED} (?:(?:of|from|the|our|release|version|von|de|la) ){{0,3}}\W{{0,2}}\Z", re.IGNORECASE)
_BETWEEN = regex(
    r"\b(?:roll(?:ed|ing)?|t(?:ook|aken|ake|aking)|pull(?:ed|ing)?) (?:(?:the|release|version) ){0,2}\W{0,2}\Z", re.IGNORECASE
)
_BACK = regex(r"\A\W{1,2}back\b", re.IGNORECASE)
_ON_AGAIN = regex(
    r"\b(?:back (?:on|to|at)|again on|wieder auf|retour à)(?: (?:the|version|release)){0,2} \W{0,2}\Z", re.IGNORECASE
)
_ON = regex(r"\b(?:on|with|use|using|to|auf) \W{0,2}\Z", re.IGNORECASE)
_AGAIN = regex(r"\A\W{1,2}again\b", re.IGNORECASE)
_NOT_SO = regex(r"\?|\b(?:not|never|without|if|unless|how to|nicht|kein\w*)\b|n['’]t\b", re.IGNORECASE)
_SENTENCE = regex(r"(?<=[.;!?])\s+")


def pulled(snapshot: Snapshot, releases: Mapping[str, date | None]) -> list[WrittenLine]:
    """The lines that say so of one of these releases on its day or later, wherever they stand. `releases`: the day of each version."""
    if not releases:
        return []
    view = SnapshotView.of(snapshot, f"{' '.join(releases)} rolled back rollback withdrawn pulled reverted")
    return [
        line
        for opened in view.open_leaves(view.best_nodes(LOOKED_AT))
        for line in written_lines(opened)
        if line.written is not None
        and any((day is None or line.written >= day) and says_pulled(line.said, version) for version, day in releases.items())
    ]


def says_pulled(said: str, version: str) -> bool:
    """Whether a line says that a version is not in use any more, or that an older one is in use again."""
    return any(_is_pulled(sentence, version) for sentence in _SENTENCE.split(said) if _NOT_SO.search(sentence) is None)


def _is_pulled(sentence: str, version: str) -> bool:
    found = list(_VERSION.finditer(sentence))
    for at, one in enumerate(found):
        ends = found[at + 1].start() if at + 1 < len(found) else len(sentence)
        before, after = sentence[: one.start()], sentence[one.end() : ends]
        if _plain(one.group()) == _plain(version):
            says_so = bool(_AHEAD.search(before) or _BEHIND.match(after) or (_BETWEEN.search(before) and _BACK.match(after)))
        else:
            is_again = _ON_AGAIN.search(before) or (_ON.search(before) and _AGAIN.match(after))
            says_so = bool(is_again) and _is_older(one.group(), version)
        if says_so:
            return True
    return False


def _is_older(one: str, than: str) -> bool:
    """Whether it is an older one of the same kind: with the same first number."""
    mine, other = [list(map(int, re.findall(r"\d+", version))) for version in (one, than)]
    return mine[:1] == other[:1] and mine < other


def _plain(version: str) -> str:
    return version.casefold().lstrip("v")
