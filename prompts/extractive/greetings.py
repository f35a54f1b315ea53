"""Greetings, thanks and exclamations: sentences that people say to each other, and that tell a reader of a summary nothing."""

from __future__ import annotations

import re

from prompts.language import STOPWORDS
from prompts.line_pattern import FOLDED_OTHERWISE
from prompts.regex import regex

MOST_BESIDE = 2  # words that carry anything, beside the words of a greeting
MOST_EXCLAIMED = 4  # of an exclamation in a conversation

_WORD = regex(r"[^\W\d_][\w'’-]*")
_RUN = regex(r"\w+")
_SPEAKER = regex(r"[\w .'-]{1,30}: ")
_SAID = frozenset(
    """hi hello hey dear everyone everybody folks guys morning afternoon evening night welcome bye goodbye cheers regards thanks thank
    thx sorry wow omg haha hahaha lol hooray yay congrats congratulations awesome amazing lovely wonderful fantastic brilliant
    perfect cool nice great good happy glad delighted excited love hope hoping wait wish agreed yes yeah yep okay ok sure worries
    problem best kind warm fingers crossed see soon later luck well done news too today tomorrow weekend""".split()  # noqa: SIM905
)
# one of these there is: "good" and "see" alone stand in any sentence
GREETS = regex(
    r"\b(?:hi|hello|hey|dear (?:all|everyone|everybody|team|colleagues|friends)|good (?:morning|afternoon|evening|night|luck|news)|(?:morning|afternoon|evening),? (?:all|everyone|everybody|team|folks)|welcome|bye|goodbye|cheers|(?:kind|best|warm) regards"
    r"|thanks|thank you|thx|sorry|wow|omg|ha(?:ha)+|lol|hooray|yay|congrat\w*|awesome|amazing|lovely|wonderful|fantastic|brilliant|well done|so happy|happy to hear|glad to hear|i['’]m (?:so |very )?(?:happy|glad|delighted|excited)"
    r"|can(?:['’]?t|not) wait|see you|take care|fingers crossed|no worries|no problem|hope (?:you|this|all)|happy (?:\w+day|new year|christmas|easter|birthday|weekend|holidays))\b",
    re.IGNORECASE,
)
# what each of those begins with: to look for these words is ten times faster
_GREETINGS = frozenset(
    """hi hello hey dear good morning afternoon evening welcome bye goodbye cheers kind best warm thanks thank thx sorry wow omg lol
    hooray yay awesome amazing lovely wonderful fantastic brilliant well so happy glad i can cant cannot see take fingers no hope""".split()  # noqa: SIM905
)
_BEGINNINGS = ("haha", "congrat")  # of words of any length


def may_greet(text: str) -> bool:
    """Whether `GREETS` may stand in a text. Whoever adds to that adds its first word here: without it, it is never found."""
    if not text.isascii() and FOLDED_OTHERWISE.search(text):
        return True
    small = text.lower()
    return not _GREETINGS.isdisjoint(_RUN.findall(small)) or any(beginning in small for beginning in _BEGINNINGS)


def says_little(text: str, *, is_spoken: bool = False) -> bool:
    """Whether a sentence greets, thanks or exclaims, and hardly anything besides: "Great news, thanks!!". In a conversation so does
    any short sentence with an exclamation mark: "Agreed!"."""
    if len(text) > 120:
        return False
    bare = _SPEAKER.sub("", text, count=1) if is_spoken or ": " in text[:32] else text
    is_exclaimed = bare.rstrip(" )\"'”’").endswith("!")
    if not (is_exclaimed and is_spoken) and not (may_greet(bare) and GREETS.search(bare)):
        return False
    words = [word.casefold() for word in _WORD.findall(bare)]
    carrying = [word for word in words if word not in STOPWORDS and word not in _SAID and "'" not in word and "’" not in word]
    if is_exclaimed and is_spoken and len(carrying) <= MOST_EXCLAIMED:
        return True
    return GREETS.search(bare) is not None and len(carrying) <= MOST_BESIDE
