"""What a question asks at its core, for where nothing answers all of it: without what leads up to it, what only adds to it, and the
small words that say nothing of the thing."""

from __future__ import annotations

import re
from functools import lru_cache

from prompts.language import terms
from prompts.regex import regex

FEWEST_TERMS = 2  # words that carry what is left of a question
_ASKING = "who|whom|whose|what|which|when|where|why|how|do|does|did|can|could|must|should|may|is|are|was|were|will"
_LED_UP_TO = regex(  # "I write an order tomorrow, how much ..."; a condition is what is asked about
    rf"\W*(?!(?:{_ASKING}|if|once|after|before|while|until|unless|in case|because|since|for|of|in|on|at|with|without)\b)[^?,;:]{{8,120}}[,;:] (?=(?:{_ASKING})\b)",
    re.IGNORECASE,
)
_BEGINS = regex(
    rf"\W*(?:(?:by|for|from|until|to|at|with|since|on|and|so|bis|für|ab|seit|zu|à|pour|depuis) )?"
    rf"(?:{_ASKING}|wer|wen|wem|wann|wo|was|wie|wieso|warum|welche[rsmn]?|qui|que|quand|où|quel(?:le)?s?|comment|combien|pourquoi)\b",
    re.IGNORECASE,
)
_LEANS = regex(  # on the clause before it
    r"\b(?:it|its|that|this|they|them|their|those|these|he|she|him|her|his|there|one|ones)\b|\b(?:can|could|would) (?:you|somebody|someone)\b",
    re.IGNORECASE,
)
_ADDED = regex(  # "..., when and for how much", "... and by when do we have to sign"
    r"(?:,| and| or| und| et)(?: and| und| et)? (?:(?:by|for|from|until|to|at|with|since|on|bis|für|ab|seit|à|pour) )?"
    r"(?:when|where|who|whom|whose|why|what|which|how(?: (?:much|many|long|often))?|wann|wo|wer|warum|wie ?viele?|wie lange|quand|où|qui|combien)"
    r"(?: [\w'’-]+){0,8}\W*\Z",
    re.IGNORECASE,
)


def core_of(text: str) -> str | None:
    """The question without a clause before it and without what is asked besides; None where that leaves all or too little of it."""
    said = " ".join(text.split())
    core = said
    if (led := _LED_UP_TO.match(core)) is not None and not _LEANS.search(core, led.end()):
        core = core[led.end() :]
    while (added := _ADDED.search(core, 1)) is not None and added.start() > 0:
        core = core[: added.start()]
    core = core.strip(" ,;")
    return core if core != said and _BEGINS.match(core) and len(set(terms(core))) >= FEWEST_TERMS else None


_SENTENCE_BEFORE = regex(
    rf"[^?]{{8,400}}[.!;:] +(?=(?:{_ASKING})\b)", re.IGNORECASE
)  # "My badge is lost. Where do I get another?"
_TAG = regex(  # "..., they were cheaper, weren't they?"
    r"[,;–—] (?:and |but )?(?:(?:it|they|we|he|she|you|that|there|this|these|those)\b[^,;?.]{2,80}?),? (?:is|are|was|were|do|does|did|has|have|had|wo|would|ca|could|should)n['’]?t (?:it|they|we|he|she|you|that|there)\W*\Z",
    re.IGNORECASE,
)
_TIME = regex(  # which a text says by a day, or not at all
    r"\b(?:this|last|next|past|coming|previous|current) (?:spring|summer|autumn|fall|winter|season|year|month|week|quarter|weekend|night|morning|afternoon|evening)\b"
    r"|\b(?:in|since|until|during|over|through|before|after|for)(?: the)?(?: early| late| mid)? (?:spring|summer|autumn|winter)\b|\b(?:tomorrow|yesterday|today|tonight|lately|recently)\b",
    re.IGNORECASE,
)


@lru_cache(16)  # asked anew for every leaf
def words_beside(text: str) -> frozenset[str]:
    """The words, as terms, that stand in a question only in what leads up to it, or in what is remarked behind it; none where the rest
    names no thing: "The lamp is dark, where is it?"."""
    said = " ".join(text.split())
    led = _LED_UP_TO.match(said) or _SENTENCE_BEFORE.match(said)
    start = led.end() if led is not None else 0
    tag = _TAG.search(said, start)
    end = tag.start() if tag is not None and _BEGINS.match(said[start:]) else len(said)
    asked = set(terms(said[start:end]))
    return frozenset(terms(f"{said[:start]} {said[end:]}")) - asked if len(asked) >= FEWEST_TERMS else frozenset()


@lru_cache(16)
def words_of_time(text: str) -> frozenset[str]:
    """The words, as terms, by which a question only says when: "this spring", "next week"."""
    return frozenset(term for match in _TIME.finditer(text) for term in terms(match.group()))


_CIRCUMSTANCE = regex(  # "... when I work late", "... when she is away": said of whoever asks, and not of the thing
    r",? (?:when|if|while|whenever|in case|as long as|wenn|falls|quand|si)(?:ever)? (?:(?:i|we|you|somebody|someone|nobody|my|our|ich|wir|man|je|nous|on)(?:['’]?(?:m|re|ve|ll))?\b(?! (?:was|were|had|did)\b)[^?]*"
    r"|(?:he|she|they|it)(?:['’]?s|['’]?re| is| are) (?:away|ill|sick|off|out|absent|busy|not (?:there|here|in)|on (?:leave|holiday|vacation)))\W*\Z",
    re.IGNORECASE,
)
_IF = regex(r"\W*(?:if|in case|falls|si)\b", re.IGNORECASE)
_PERMISSION = regex(r"\W*(?:can|may|must|do|does|is|are)\b", re.IGNORECASE)
_WHOLE = regex(r"\W*(?:where|who|whom|which|how (?:much|many|long|often)|can|may|do|does|must|is|are)\b", re.IGNORECASE)


def without_circumstance(text: str) -> str | None:
    """The question without the clause at its end that says when, or in which case, it is asked; None where it has none, or where
    nothing is left that names a thing. What to do in a case is not asked without it."""
    said = " ".join(text.split())
    found = _CIRCUMSTANCE.search(said)
    core = said[: found.start()] if found is not None else ""
    if found is not None and _IF.match(found.group()) and _PERMISSION.match(core):
        return None  # "may I use it if I am under 18": the case decides
    if not core.casefold().startswith("where") and len(terms(core)) < FEWEST_TERMS:
        return None
    return core if _WHOLE.match(core) and terms(core) and not _LEANS.search(core) else None


_SMALL = regex(
    r"(?<=\w )(?:right now|back then|at the moment|at present|these days|so far|straight away|in the end|after all|at all|any ?more|by now"
    r"|brand new|new|own|still|now|currently|nowadays|already|yet|just|even|ever|again|else|always|normally|usually|generally|really|actually"
    r"|exactly|quite|please)\b(?! (?:year|yorker|zealand)\b)(?!-)",
    re.IGNORECASE,
)


def without_small_words(text: str) -> str | None:
    """The question without "still", "new" or "at the moment"; None where it has none of them, or nothing else."""
    said = " ".join(text.split())
    plain = " ".join(_SMALL.sub("", said).replace(" ?", "?").split())
    return plain if plain != said and terms(plain) else None
