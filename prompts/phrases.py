"""Key phrases and names of a text, in linear time."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain, compress, pairwise
from math import prod
from operator import and_
from typing import NamedTuple

from prompts.language import WORDS_KEPT, first_term
from prompts.regex import regex

# A phrase ends at the end of a line or clause; other punctuation only falls away.
_BREAKS = ("\n", ". ", ", ", ": ", "; ", "? ", "! ", " - ", "\u2014")
_BREAK = "\x00"
_FALLS = bytes.maketrans(b'\t\r,;:!?()[]{}<>"*`#|\\=+~%&^$', b" " * 28)
# `(?<!\w.)` behind a capital says what `\b` before it would, and lets `re` look for capitals alone
_NAME = regex(r"[A-Z](?<!\w.)[\w\u2019'-]{1,30}(?: [A-Z][\w\u2019'-]{1,30}){1,3}")
_URL = regex(r"(?<!\w)\w++://[^\s)>\]]+")
_TICKET = regex(r"[A-Z](?<!\w.)[A-Z0-9]{1,9}-\d{1,7}\b(?![-.]\w)")
_SPEAKER = regex(r"^[ *]*([A-Z][\w.'-]{1,30}(?: [A-Z0-9][\w.'-]{0,30}){0,3})[ *]*:", re.MULTILINE)
_GENERIC = frozenset(
    """new time way first last two three good great see people thing things lot day days year years work works working
    need needs want going know think really well back come even still take look better best right left next number
    part case example point end start using used add set run make made change changes file files line lines code
    page section following available default value values name type true false null none yes okay nice sure hope
    love feel try got lol uh um hmm yeah like different possible able important different several various something
    anything everything someone today tomorrow yesterday week month hey thanks thank sounds amazing awesome hello http https
    www com org html issue issues meeting meetings refer create""".split()
)


# Of a word that is no name and no noun nobody looks for anything by it. Such a word may begin a phrase ("shared library") and does
# not end one: "council approved" and "leveldb took" are pieces of sentences.
_VERBS = frozenset(
    """said says say saying tell tells told ask asks took takes taken gave gives given went goes came comes became becomes got gets
    began begins kept keeps knew knows known thought thinks found finds felt feels meant means brought brings bought held holds left led
    leaves lost loses paid pays put puts ran read sent sends showed shows shown spoke speaks stood stands told wrote writes written
    chose chosen drove fell grew rose saw seen met meets won made makes seems seemed appears looks looked sounds wants wanted likes
    contains includes requires provides allows receives exceeds enables ensures describes explains consists applies expects decides
    agree agrees believe hope hopes wait waits contain include provide allow receive exceed enable ensure describe explain consist
    expect decide fail fails failing seem happen happens doing having being going getting taking giving coming saying telling asking""".split()
)
_NOT_PAST = frozenset(
    """need seed feed speed bleed breed weed steed exceed proceed embed embedded hundred shred infrared moped sacred naked red bed shed
    fred alfred wilfred manfred winifred jared mohammed ahmed hamed javed khaled waleed syed limited united sled""".split()
)
_NOT_ADVERBS = frozenset(
    "family assembly anomaly supply reply italy july monopoly butterfly apply multiply rely fly ally".split()
)
# Words that say how, how many or how somebody feels; a phrase may have them, and none is a subject.
_LIGHT = frozenset(
    """happy glad sad delighted excited lovely wonderful fantastic brilliant cool funny late early soon enough already always never
    often still perhaps maybe rather quite against towards together alone ago yet instead almost else two three four five six seven
    eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand first second third fourth half twice
    minute minutes hour hours seconds morning afternoon evening night monday tuesday wednesday thursday friday saturday sunday""".split()
)
# Said to somebody and of nothing: they end a phrase
_EXCLAIMED = frozenset(
    """wow omg haha hahaha lol congrats congratulations hooray yay yep yup nope oops ugh hi hey thanks thank thx sorry okay
    yeah""".split()
)
_OF_NOUNS = ("tion", "sion", "ment", "ance", "ence", "ity", "ness", "ure", "er", "or", "al")
_OF_VERBS = ("ing", "ize", "ise", "ify")
_CONTRACTED = ("'m", "'ll", "'ve", "'re", "'d", "n't")


class _Keys(dict[str, str]):
    """The stem under which a token counts in a phrase, remembered; empty for what ends a phrase."""

    def __missing__(self, token: str) -> str:
        bare = _bare(token)
        if bare.endswith(("'s", "\u2019s")):
            bare = bare[:-2]
        key, low = "", bare.lower().replace("\u2019", "'")
        if low in _EXCLAIMED or ("'" in low and low.endswith(_CONTRACTED)):
            pass
        elif bare[:1].isalpha() and 1 < len(bare) <= 40 and bare.count("/") < 2:
            key = first_term(bare)
        if len(self) >= WORDS_KEPT:
            self.clear()
        self[token] = key
        return key


_KEYS = _Keys()


def keyphrases(text: str, limit: int = 10) -> list[str]:
    """What a text is about, most telling first: what it repeats, and the names in it."""
    if "://" in text:
        text = _URL.sub(" | ", text)
    tokens = _tokens(text)
    keys = list(map(_KEYS.__getitem__, tokens))
    first = dict(zip(reversed(keys), reversed(tokens), strict=True))
    spoken = Counter(_SPEAKER.findall(text) if text.count(":") > 2 else ())
    speakers = {_KEYS[name.split(" ")[0]] for name, count in spoken.items() if count > 2}
    scores = _repeated(keys, least=2 if len(tokens) > 60 else 1)
    shown: dict[tuple[str, ...], str] = {}
    for name, count in Counter(_NAME.findall(text)).items():
        pieces = name.split(" ")
        while pieces and (pieces[0] in _NAME_OPENERS or not _KEYS[pieces[0]]):
            pieces = pieces[1:]
        whole = tuple(_KEYS[piece] for piece in pieces)
        if len(pieces) > 1 and all(whole):
            scores[whole] = max(scores.get(whole, 0.0), 0.0) + 0.6 + count * 0.9
            shown.setdefault(whole, " ".join(pieces))
    for ticket, count in Counter(_TICKET.findall(text)).items() if "-" in text else ():
        if ticket.split("-")[0] not in NOT_KEYS and (key := first_term(ticket)):
            scores[(key,)] = 0.8 + count * 0.8
            shown[(key,)] = ticket
    verbal = {key for key in set(chain.from_iterable(scores)) if _is_verbal(first.get(key, key))}
    split = _of_two_phrases([whole for whole in scores if whole[0] in verbal and len(whole) == 2], keys)
    for whole in [whole for whole in scores if whole not in shown and (whole[-1] in verbal or whole in split)]:
        if len(whole) > 1 or not (noun := _as_noun(whole[0], keys, tokens)):
            del scores[whole]
        else:
            shown[whole] = first[whole[0]] = noun
    looks = {key: _LOOKS[first.get(key, key)] * (0.3 if key in speakers else 1.0) for key in set(chain.from_iterable(scores))}
    ranked = sorted((-score * prod(map(looks.__getitem__, whole)), whole) for whole, score in scores.items())
    return _distinct([whole for score, whole in ranked if score < -0.3], shown, first, keys, tokens, limit)


def _repeated(keys: list[str], least: int) -> dict[tuple[str, ...], float]:
    """The words and pairs of neighbours that come at least so often, by what that is worth."""
    often = {key: count for key, count in Counter(keys).items() if count >= least and key}
    counts = list(map(often.__contains__, keys))
    pairs = Counter(compress(pairwise(keys), map(and_, counts, counts[1:])))
    scores: dict[tuple[str, ...], float] = {(key,): count * 0.55 for key, count in often.items()}
    scores |= {pair: count * 1.5 for pair, count in pairs.items() if count >= least and pair[0] != pair[1]}
    return scores


@lru_cache(maxsize=WORDS_KEPT)
def _is_verbal(token: str) -> bool:
    """Whether a word is no noun by its form: a past form, an adverb, a usual verb."""
    bare = _bare(token)
    low = bare.lower()
    if bare[1:] != low[1:] and not bare.isupper() or bare.isupper() and len(bare) < 5:
        return False  # the name of a function, "offerRescinded"; LED
    if low in _VERBS:
        return True
    if low.endswith("ed") and len(low) > 4:
        return low not in _NOT_PAST and low.isalpha()
    return low.endswith("ly") and len(low) > 5 and low not in _NOT_ADVERBS and low.isalpha()


def _of_two_phrases(pairs: Collection[tuple[str, ...]], keys: Sequence[str]) -> set[tuple[str, ...]]:
    """Pairs whose first word is said of what stands before it, wherever they stand: "reported costs" of "Ada reported costs"."""
    if not pairs:
        return set()
    opening = {(one, two) for before, one, two in zip(chain(("",), keys), keys, keys[1:], strict=False) if not before}
    return set(pairs) - opening


def _as_noun(key: str, keys: list[str], tokens: list[str]) -> str:
    """A form of the word that is a noun, "release" where it begins with "Released"; empty where the text has none."""
    forms = [_bare(token) for token, of in zip(tokens, keys, strict=True) if of == key and not _is_verbal(token)]
    nouns = [form for form in forms if not form.lower().endswith(_OF_VERBS)]
    return next((form for form in nouns if form.lower().rstrip("s").endswith(_OF_NOUNS)), next(iter(nouns), ""))


def _bare(token: str) -> str:
    return token.strip("'.\u2019\u201c\u201d-_/@\u2026")


def _tokens(text: str) -> list[str]:
    """Words as they are written, and the breaks between phrases. By bytes, which is several times faster."""
    for end in _BREAKS:
        if end in text:
            text = text.replace(end, f" {_BREAK} ")
    return text.encode("utf-8", "replace").translate(_FALLS).decode("utf-8").split()


class _Looks(dict[str, float]):
    """How telling a token is by its looks, remembered."""

    def __missing__(self, token: str) -> float:
        factor = 1.0
        if token.lower() in _LIGHT:
            factor = 0.15
        elif token.lower() in _GENERIC or len(token) < 3:
            factor = 0.35
        elif "_" in token or any(map(str.isupper, token[1:])):
            factor = 1.35
        elif token[0].isupper():
            factor = 1.1
        if len(self) >= WORDS_KEPT:
            self.clear()
        self[token] = factor
        return factor


_LOOKS = _Looks()


def _distinct(
    ranked: list[tuple[str, ...]],
    shown: dict[tuple[str, ...], str],
    first: dict[str, str],
    keys: list[str],
    tokens: list[str],
    limit: int,
) -> list[str]:
    """The best phrases that do not say the same; a longer one takes the place of its part where it is as frequent."""
    chosen: list[tuple[str, ...]] = []
    used: set[str] = set()
    for whole in ranked:
        if sum(map(used.__contains__, whole)) * 2 >= len(whole):
            continue
        chosen.append(whole)
        used.update(whole)
        if len(chosen) == limit:
            break
    return [
        shown.get(whole) or (_bare(first[whole[0]]) if len(whole) == 1 else _as_written(whole, keys, tokens)) for whole in chosen
    ]


def _as_written(whole: tuple[str, ...], keys: list[str], tokens: list[str]) -> str:
    at = -1
    while True:
        at = keys.index(whole[0], at + 1)
        if tuple(keys[at : at + len(whole)]) == whole:
            return " ".join(map(_bare, tokens[at : at + len(whole)]))


# ---------------------------------------------------------------- entities


class Entity(NamedTuple):
    kind: str  # name, key, version, date, email, url, code
    text: str
    start: int
    end: int


_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_NAMED = regex(
    r"(?P<url>\bhttps?://[^\s<>\"'`|\\^{}]{1,400})"
    r"|(?P<email>\b[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b)"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? " + _MONTH + r"\b\.?,?(?: \d{4}\b)?"
    r"|\b" + _MONTH + r"\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?|\b" + _MONTH + r",? \d{4}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b)"
    r"|(?P<key>\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b(?![-.]\w))"
    r"|(?P<version>\bv\d{1,4}(?:\.\d{1,6}){0,3}\b(?:-(?:rc|alpha|beta)\.?\d*)?|\b\d{1,4}\.\d{1,5}\.\d{1,6}(?:-(?:rc|alpha|beta)\.?\d*)?\b)"
    r"|(?P<code>\b[A-Za-z]\w{0,40}\(\)|\b[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,6}\b|\b[A-Za-z][a-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}\b|\b[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}\b)"
    r"|(?P<name>\b[A-Z][\w\u2019'-]{1,30}(?:(?: (?:of|de|van|von|der|la|the))? [A-Z][\w\u2019'-]{0,30}){1,4})"
)
NOT_KEYS = frozenset(
    """UTF ISO SHA CC CC0 RFC PEP CVE MD RSA AES TLS SSL HTTP GPL LGPL AGPL MPL BSD MIT X86 ARM ASCII EN IEC IEEE UTC
    GMT COVID MP H IPV PY ES WIN WINDOWS CP LATIN KOI8 BIG5 SP V VER STEP PART PAGE FIG TABLE F1 COLOR""".split()
)
_NAME_OPENERS = frozenset(
    """The This That These Those A An In On At If When While For From To And But Or As After Before With It We You They
    He She There Here What Which Who How Why Where Is Are Was Were Do Does Did Can Could Should Would Will May Please
    See Note Hi Hey Hello Dear Thanks Thank Yes No Not Also However Then Now So Our Your My Their His Her Its Actual
    Expected Steps Step Happy Sorry Wow Thanks Congratulations Cheers""".split()
)


def entities(text: str) -> list[Entity]:
    """Names, ticket keys, versions, dates, addresses and code identifiers, in the order in which they stand."""
    found = []
    for match in _NAMED.finditer(text):
        kind = match.lastgroup or "name"
        start, end = match.span()
        if kind == "key" and text[start:end].split("-")[0] in NOT_KEYS:
            continue
        if kind == "url":
            end = start + len(text[start:end].rstrip(".,;:!?)]*_>"))
        if kind == "name":
            while start < end and text[start:end].split(" ", 1)[0] in _NAME_OPENERS:
                space = text.find(" ", start, end)
                start = space + 1 if space >= 0 else end
            if " " not in text[start:end] or any(map(str.isdigit, text[start:end])):
                continue
        found.append(Entity(kind, text[start:end], start, end))
    return found
