"""Sentences that name somebody or some place, but not who or where is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.extractive.asked_values import LIGHT
from prompts.extractive.candidates import FEWEST_WORDS, Candidate
from prompts.extractive.neighbours import is_half_named
from prompts.extractive.no_answers import lists_attendance
from prompts.language import terms
from prompts.question import Word
from prompts.regex import regex

OPENING = 3  # words in which a sentence says what it is about
MOST_TO_NAME = 3  # words between somebody and what they do, where that is said by another verb than asked


_SOMEWHERE = regex(
    r"\W*where (?:do|can|should|must|could) (?:i|we|you|one) (?:look|find|get|go|turn|see|ask|report|learn|read)\b"
)
_IN_CASE = regex(r"\b(?:if|when)\b")
_NAME_AT = regex(r"(?:[A-Z][\w.'’-]* ?){1,4}")


def lists_who_came(one: Candidate) -> bool:
    """Who was at a meeting says nothing of who does what."""
    asked = one.question
    return asked.kind == "who" and lists_attendance(asked.low, one.passage.text)


_OTHER_SIDE = regex(
    r"\b(?:on|at|from|for|of) (?:their|his|her|the (?:supplier|customer|client|vendor|landlord|manufacturer)['’]?s?) (?:side|end|part|team)\b|\b(?:at|from) the (?:supplier|customer|client|vendor|other side)\b",
    re.IGNORECASE,
)


def is_of_other_side(one: Candidate) -> bool:
    """ "On their side: Ida Holm (quality manager)" names nobody of ours."""
    is_named = _OTHER_SIDE.search(one.said) is not None
    return one.question.kind == "who" and is_named and _OTHER_SIDE.search(one.question.low) is None


_ASKS_OTHER_END = regex(  # "who did she serve under?"
    r"\W*who(?:m|se)? (?:did|does|do|has|have|had|is|are|was|were|will|can|should) [^?]{2,80} (?P<by>under|for|to|with|by|against|from)\W*\Z"
)


def names_one_end(one: Candidate) -> bool:
    """ "Ida Holm served from 1969 to 1973" does not say under whom she did."""
    asked = _ASKS_OTHER_END.match(one.question.low)
    return (
        asked is not None
        and re.search(rf"\b{asked['by']} (?:(?:the|our|her|his|[a-z]+) ){{0,3}}[A-ZÀ-Þ][a-zà-ž]", one.said) is None
    )


_ASKS_ON_CALL = regex(r"\bon[- ]?call\b")
_OF_DUTY = regex(r"\b(?:on[- ]?call|duty|duties|stand-?by|pager|rota|roster|first[- ]line|second[- ]line|watch)\b", re.IGNORECASE)


def says_nothing_of_duty(one: Candidate) -> bool:
    """ "We have a stand at the fair on 11 March" does not say who is on call then: "call" alone is a word for anything."""
    if _ASKS_ON_CALL.search(one.question.low) is None:
        return False
    return _OF_DUTY.search(" ".join((one.said, one.passage.heading, *one.question.leaf.heading))) is None


_IS_THE_PLACE = regex(r"\b(?:in|at|near|on|from|into|inside|behind|beside|outside|below|above) (?:the |our |a )?(?=\w)")


def is_where_something_else_is(one: Candidate) -> bool:
    """ "The kit is in the lab": where the lab is, it does not say."""
    asked, said = one.question, one.said.casefold()
    if asked.kind != "where" or not asked.needed:
        return False
    spans = [match.end() for match in _IS_THE_PLACE.finditer(said)]
    named = ((at, terms(said[at : at + 20].split(",")[0])[:2]) for at in spans)
    behind = next((at for at, there in named if any(word.is_in(there) for word in asked.needed)), None)
    before = frozenset(terms(said[:behind])) if behind is not None else frozenset()
    return behind is not None and not any(word.is_in(before) for word in asked.needed)


_ASKS_PREDECESSOR = regex(
    r"\bwho\b.{0,60}\b(?:job|role|post|position|place|work)\b.{0,30}\bbefore\b|\bwho (?:was|had|did|ran|led|held|owned)\b.{0,60}\bbefore (?:him|her|them|[a-z'’-]+(?: [a-z'’-]+)?)\W*\Z|\bpredecessor\b"
)
_SAYS_PREDECESSOR = regex(
    r"\bbefore (?:him|her|them|that)\b|\bfollow(?:s|ed)\b|\bsucceed(?:s|ed)?\b|\btook over from\b|\bformer(?:ly)?\b|\bprevious(?:ly)?\b|\bpredecess\w+|\bused to\b|\bno longer\b"
    r"|\buntil\b[^.;]{0,40}\b(?:was|were|had|did|led|ran)\b|\b(?:was|were|had|did|led|ran|owned)\b[^.;]{0,60}\b(?:until|before)\b|\bvor (?:ihm|ihr)\b",
    re.IGNORECASE,
)
_ASKS_FOR_WHOM = regex(
    r"\bwho(?:['’]?s| is)? (?:currently |now )?(?P<does>covers?|covering|stands? in|standing in|fills? in|filling in|steps in|deputi[sz]es|deputi[sz]ing) for (?P<whom>[a-z][\w'’-]+(?: [a-z][\w'’-]+)?)"
)
_STANDS_IN = r"\b(?:covers?|covering|stands? in|standing in|fills? in|filling in|steps in|deputi[sz]es|deputi[sz]ing)\b"
_ASKS_DEPUTY = regex(
    r"\bwho(?:['’]?s| is)? (?:currently |now )?(?:(?:the |a )?(?:deputy|stand-in|substitute) (?:of|for) (?P<of>[a-z][\w'’-]+)|(?P<whose>[a-z][\w-]+)['’]s? (?:deputy|stand-in|substitute)\b)"
)
_IS_DEPUTY = (
    r"(?: [a-zß-ÿ][\w'’-]+)? (?:is|becomes?|became|was|will be|acts? as|as) (?:[\w'’-]+ ){0,3}?(?:deputy|stand-in|substitute)\b"
)


def says_who_came_after(one: Candidate) -> bool:
    """Whose job it was before is said outright: that somebody has it until a day says who has it."""
    asked = one.question
    if asked.kind != "who" or _ASKS_PREDECESSOR.search(asked.low) is None:
        return False
    return _SAYS_PREDECESSOR.search(one.said) is None or _comes_after_asked(asked.low, one.said.casefold())


_ASKS_BEFORE = regex(r"\bbefore (?P<name>[a-z][\w'’-]+(?: [a-z][\w'’-]+)?)\W*\Z")


def _comes_after_asked(low: str, said: str) -> bool:
    """Whether a sentence says who succeeded the one before whom somebody is asked for: "Ida succeeds Per Lund"."""
    before = _ASKS_BEFORE.search(low)
    if before is None:
        return False
    name = re.escape(before["name"].split()[0])
    return (
        re.search(
            rf"\b(?:succeed(?:s|ed)?|follow(?:s|ed)|replac(?:es|ed)|took over from|takes over from|before (?:him|her|them|that),?(?: it)?(?: was)?) (?:\w+ )?{name}\b",
            said,
        )
        is not None
    )


def stands_in_for_another(one: Candidate) -> bool:
    """ "Who covers for Ida?": not whom Ida covers for."""
    low, said = one.question.low, one.said.casefold()
    match, asked = _ASKS_FOR_WHOM.search(low), _ASKS_DEPUTY.search(low)
    name = match["whom"].split()[0] if match is not None else (asked["of"] or asked["whose"]) if asked is not None else ""
    if not name:
        return False
    whom = re.escape(name)
    if re.search(rf"\b{whom}{_IS_DEPUTY}", said) is not None:
        return (
            re.search(
                rf"\b(?:deputy|stand-in|substitute) (?:of|for) {whom}\b|\b{whom}['’]s? (?:deputy|stand-in|substitute)\b", said
            )
            is None
        )
    if match is None:
        return False
    covered = re.search(rf"{_STANDS_IN}[^.;]{{0,30}}\b{whom}\b", said)
    return covered is None and re.search(rf"\b{whom}\b[^.;]{{0,60}}{_STANDS_IN}", said) is not None


_LEADING = r"(?:leads?|runs?|heads?|manages?|owns?|chairs?|maintains?)"
_ASKS_LEADS = regex(rf"\bwho (?:else )?{_LEADING} (?:the |our )?(?P<what>[^?]{{2,60}})")
_LEADS_WHAT = regex(rf"\b{_LEADING} (?:the |our |an? )?(?P<what>[\w-]+(?: [\w-]+)?)", re.IGNORECASE)


def leads_something_else(one: Candidate) -> bool:
    """ "Who leads the quay?": on a page about the quay, whoever leads the choir does not."""
    asked, said = _ASKS_LEADS.search(one.question.low), _LEADS_WHAT.search(one.said)
    return (
        asked is not None
        and said is not None
        and set(terms(asked["what"])).isdisjoint(terms(said["what"]))
        and not _ITS.match(said["what"])
    )


_ITS = regex(r"(?:it|them|this|that|both|all)\b", re.IGNORECASE)


def says_where_other_is(one: Candidate) -> bool:
    asked = one.question
    if asked.kind != "where" or one.tells_of_move:
        return False
    return not any(word.is_in(one.passage.terms[:OPENING]) for word in asked.needed)


def names_one_of_several_places(one: Candidate) -> bool:
    """One of several places, or one that a sentence on something else names."""
    asked = one.question
    is_any = asked.kind == "where" and _SOMEWHERE.match(asked.low) is not None
    return is_any and (one.passage.kind == "item" or _IN_CASE.search(asked.low) is not None)


def leaves_place_to_heading(one: Candidate) -> bool:
    """Of two words both have to be said: what a page on logs says is written somewhere need not be logs."""
    asked = one.question
    return asked.kind == "where" and len(asked.needed) <= FEWEST_WORDS and one.own_share < 1.0 and not one.tells_of_move


def does_not_say_who(one: Candidate) -> bool:
    """That a heading farther up has the word for the role says nothing of who has it."""
    asked = one.question
    return asked.kind == "who" and not asked.role <= one.terms.union(terms(one.passage.heading))


_IS_WHO = regex(
    r"\A\W*who(?:['’]s| is| are) (?:currently |now )?(?:the |our |an? )?(?P<role>[a-z][\w -]{2,60}?)(?: (?:of|for|in|on|at|to)\b|\W*\Z)"
)
_LEADING_ROLE = r"(?:manager|leader|lead|chair|head|director|supervisor|captain)"
_OF_LEADING_ROLE = regex(rf"\b(?P<which>[\w-]+) (?P<role>{_LEADING_ROLE})\b")
_PLAIN_BEFORE_ROLE = frozenset(
    "the a an our your my its their new current acting is as was be becomes became team and or".split()
)


def names_another_beside(one: Candidate) -> bool:
    """ "It needs the signature of Ida Holm and of the finance director" does not say who the finance director is."""
    asked = _IS_WHO.match(one.question.low) if one.question.kind == "who" else None
    if asked is None:
        return False
    role = re.escape(asked["role"].strip())
    return re.search(rf"\b(?:and|or) (?:of |by |from |with |to |for )?(?:the|our|an?) {role}\b", one.said.casefold()) is not None


_WHO_IS_ROLE = regex(r"\W*who(?:['’]?s| is| was) (?:the|our) (?P<role>[a-z][a-z-]+(?: [a-z][a-z-]+){0,2})\W*\Z")
_LED_TO_NAME = regex(  # between a role and who has it
    r"[\s,:()–—-]*(?:(?:is|was|are|were|will be|has been|the|our|new|acting|as|became|becomes|named|called|now|and|mr|mrs|ms|dr)\b[\s,.:()–—-]*){0,4}",
    re.IGNORECASE,
)


def has_name_elsewhere(one: Candidate) -> bool:
    """ "Gifts are declared to the practice manager; the rest goes into the Hardship Tin" does not say who the practice manager is."""
    asked = _WHO_IS_ROLE.match(one.question.low)
    name = _NAME_AT.match(one.said, one.value_at) if asked is not None and one.value is not None else None
    if asked is None or name is None or not re.search(r"\w", one.said[: name.start()]):
        return False  # what a line says behind a name is theirs
    roles = list(re.finditer(rf"\b{re.escape(asked['role'])}\b", one.said, re.IGNORECASE))
    between = [
        one.said[role.end() : name.start()] if role.end() <= name.start() else one.said[name.end() : role.start()]
        for role in roles
    ]
    return bool(roles) and not any(_LED_TO_NAME.fullmatch(said) for said in between)


def has_other_role(one: Candidate) -> bool:
    """ "Who is head of IT?": neither the deputy head, nor the licence manager of IT."""
    asked = _IS_WHO.match(one.question.low) if one.question.kind == "who" else None
    if asked is None:
        return False
    said, role = one.said.casefold(), re.escape(asked["role"])
    beside = rf"\b(?:deputy|assistant|vice|former|ex|interim|acting)[- ](?:the )?{role}\b"
    if re.search(beside, said) is not None:
        return re.search(beside, one.question.low) is None
    if re.search(rf"\b{_LEADING_ROLE}\b", role) is None or re.search(rf"\b{role}\b", said) is not None:
        return False
    named = [match["which"] for match in _OF_LEADING_ROLE.finditer(said)]
    return bool(named) and all(word not in _PLAIN_BEFORE_ROLE and word not in one.question.low for word in named)


def is_of_page_on_two(one: Candidate) -> bool:
    """What a sentence leaves to the title of its page, "Quay and crane", it may say of the other."""
    asked = one.question
    if asked.kind != "who" or one.own_share >= 1.0:
        return False
    left = frozenset(word.whole for word in asked.needed if not word.is_in(one.terms))
    return is_half_named(asked.leaf.title, left)


_LABEL = regex(r"\W*[A-ZÀ-Þ][\w ]{2,20}: ")


def is_of_page_called_more(one: Candidate) -> bool:
    """ "Lead: Ida" on the page of the playground in Heron Park says nothing of who leads the parks."""
    asked = one.question
    if asked.kind != "who" or not _LABEL.match(one.said) or len(asked.leaf.heading) == 0:
        return False
    section = set(terms(one.passage.heading)) if one.passage.heading != asked.leaf.title.casefold() else set()
    title = set(terms(asked.leaf.title)) - LIGHT
    left = [word for word in asked.needed if not word.is_in(one.terms) and not word.is_in(section)]
    said = {term for term in title if any(word.is_in({term}) for word in left)}
    return bool(said) and 2 * len(said) < len(title)


_PARTICLE = regex(r"(?<=\w )(?:van|von|de|der|la|le)(?= [A-ZÀ-Þ])")


def has_word_only_in_name(one: Candidate) -> bool:
    """ "Who runs the vans?": not what Pieter van Aalst does."""
    in_names = set(_PARTICLE.findall(one.said))
    said = set(terms(_PARTICLE.sub(" ", one.said))) | set(terms(one.passage.heading)) if in_names else set()
    return bool(in_names) and any(word.whole in in_names and not word.is_in(said) for word in one.question.needed)


def says_who_does_other(one: Candidate) -> bool:
    return one.question.kind == "who" and not _does_it(one.question.needed, one.terms, one.said, one.value_at)


def _does_it(needed: Sequence[Word], own: frozenset[str], said: str, value: int) -> bool:
    """Whether another verb than the one asked for, "runs" for "maintains", stands right beside the name: what runs on a server
    maintains nothing."""
    name = _NAME_AT.match(said, value)
    after, before = terms(said[name.end() if name else value :])[:MOST_TO_NAME], terms(said[:value])[-MOST_TO_NAME:]
    beside = {*after, *before}
    return all(
        word.whole in own or any(part in own for part in word.parts) or not word.is_in(own) or word.is_in(beside)
        for word in needed
    )


_AND_ME = regex(r"(?:,|\band) (?:me|I|myself)\b(?=\W*(?:\Z|[.,;:)]))")


def does_not_name_all(one: Candidate) -> bool:
    """ "The duty managers are Ann, Bo and me": who that is, it does not say."""
    return one.question.kind == "who" and _AND_ME.search(one.said) is not None
