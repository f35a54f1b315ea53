"""Questions for facts put in other words: "what is Jane up to", "how is sprint 24 going", "the epic about lamps".

Each is put as the facts are usually asked for, and only where the snapshot knows one thing that is meant.
"""

from __future__ import annotations

import re

from prompts.language import singular
from prompts.regex import regex
from prompts.timespans import NOW_WORDS
from tree.ask.facts.answered import tickets_meant
from tree.ask.facts.described_ticket import ticket_called
from tree.ask.facts.things import things_named
from tree.ask.facts.ticket_words import GROUPED_BY, TICKETS
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.understanding.listed_kind import kind_listed
from tree.ask.understanding.own_tickets import of_asker
from tree.ask.understanding.usual_dates import tickets_by_date
from tree.ask.understanding.usual_pages import page_in_usual_words
from tree.ask.understanding.usual_people import people_in_usual_words
from tree.ask.understanding.usual_rows import rows_in_usual_words
from tree.retrieve.fact_index import TICKET
from tree.retrieve.names import Names, tokens

LONGEST = 160  # characters of such a question
_NOW = rf"(?: (?:{NOW_WORDS}|now|today|this week))?"
_UP_TO = regex(
    rf"\A\W*(?:and )?what(?:['’]?s| is) (?P<who>[^?\n]{{2,60}}?) (?:currently |now )?(?:up to|busy with|occupied with|doing){_NOW}\W*\Z"
    rf"|\A\W*(?:and )?what (?:has|does) (?P<whose>[^?\n]{{2,60}}?)(?: still| currently)? (?:got|have) on (?:his|her|their) plate{_NOW}\W*\Z"
    rf"|\A\W*(?:and )?what(?:['’]?s| is)(?: currently)? on (?P<plate>[^?\n]{{2,60}}?)(?:['’]s?|s)? plate{_NOW}\W*\Z",
    re.IGNORECASE,
)
_GOING = regex(
    rf"\A\W*(?:and )?how(?:['’]?s| is| are) (?:the )?(?P<what>[^?\n]{{2,80}}?) (?:going|doing|coming along|coming on|progressing|getting on|looking){_NOW}(?: so far)?\W*\Z",
    re.IGNORECASE,
)
_UP_WITH = regex(  # its news are told by its newest comments
    rf"\A\W*(?:and )?what(?:['’]?s| is)(?: (?:up|going on|happening)| the (?:matter|state of play)) (?:with|on|about) (?:the )?(?P<what>[^?\n]{{2,80}}?){_NOW}\W*\Z",
    re.IGNORECASE,
)
_EPIC = regex(
    r"\b(?:the )?epic (?:about|on|for|called|named|of) (?:the )?(?P<behind>[^?!\n]{3,80}?)(?=\W*\Z)|\b(?:the )?(?P<before>[^?!\n]{3,80}?) epic(?=\W*\Z)",
    re.IGNORECASE,
)
_OVERVIEW = regex(
    r"\A\W*(?:please |can you |could you )?(?:give me |show me |i need )?(?:an? |the )?(?:short |brief |quick )?(?:overview|summary|rundown|recap|status|state) (?:of|on) ",
    re.IGNORECASE,
)
_WHAT_IT_DOES = regex(
    r" is(?: and (?:what it )?does| about| for)\W*\Z| does\W*\Z", re.IGNORECASE
)  # "an overview of what the crew is and does"
_OF_WHAT = regex(r"\A(?:what |who )(?:the |our )?", re.IGNORECASE)
_EPIC_WORD = regex(r" epic\Z", re.IGNORECASE)
_ASIDE = regex(  # how long the answer may be, or what it is of
    r"(?<=[\w\")])\s*[?,;.:–-]+\s*(?:(?:all )?(?:the |his |her |their )?open (?:tickets|ones)|(?:in )?(?:short|brief)(?: version)?|the short version|in (?:a few|two) words|briefly|a list (?:is fine|please)|which(?: ones?)?(?: (?:is|are) (?:it|they|that|those))?)\W*\Z",
    re.IGNORECASE,
)
_STANDS = regex(
    rf"\A\W*(?:and )?(?:where (?:do|are) we(?: stand)?|how far (?:are|have) we(?: got| come)?|how do we stand)(?: now| currently)? (?:with|on|in) (?:the )?(?P<what>[^?\n]{{2,80}}?){_NOW}\W*\Z",
    re.IGNORECASE,
)
_LEFT = regex(
    r"\A\W*(?:what|which tickets|which)(?:['’]?s| is| are|) (?P<asked>not (?:yet )?(?:done|finished|closed)|still (?:open|to do|not done)|open|unfinished|undone|left(?: to do)?)(?: yet| still)?"
    r" (?:under|below|in|of|for|on|within|with) (?:the )?(?:epic )?(?P<title>[^?\n]{3,80}?)(?: epic)?\W*\Z",
    re.IGNORECASE,
)
_STILL_HAS = regex(  # "what does Jane still have open"
    r"\A\W*(?:and )?(?:what|which tickets?) (?:does|has) (?P<who>[^?\n]{2,50}?) (?:still |got |have |currently )*(?:open|left|unfinished|to (?:finish|close))(?: to do)?(?: yet| still)?\W*\Z",
    re.IGNORECASE,
)
_TURNED_DOWN = regex(
    r"\A\W*(?:and )?(?:(?:which|what|how many|list|show me)(?: of)?(?: the| our| all)? )(?:ideas?|wish(?:es)?|proposals?|suggestions?|requests?|tickets?|issues?|things|features?|stor(?:y|ies))"
    r"(?: (?:in|on) (?:jira|the (?:board|backlog|tracker)))? (?:(?:did we|did they|we|have we|has been|have been|were|was|got|that were|that we|are)(?: ever)? )?(?:turn(?:ed)? down|reject(?:ed)?|declined?|refused?|discard(?:ed)?|dismiss(?:ed)?|sa(?:y|id) no to|closed? without doing (?:them|it)|not (?:going to be )?done on purpose)\W*\Z",
    re.IGNORECASE,
)
_WONT = regex(r"\A(?:won['’]?t (?:do|fix)|rejected|declined|refused)\Z", re.IGNORECASE)
_IN_JIRA = regex(
    r" (?:in|on) (?:jira|the (?:board|backlog|tracker))(?=\W*\Z| (?:for|of|from|by|assigned|since|that|which)\b)", re.IGNORECASE
)
_IN_PROJECT = regex(r" in (?P<key>[A-Za-z][A-Za-z0-9]{1,9})(?=\W*\Z)")
_SAYS_TICKETS = regex(
    rf"\b(?:{'|'.join(sorted(TICKETS))})\b|\bjira\b|\bon the board\b|\bin [A-Z][A-Z0-9]{{1,9}}\b", re.IGNORECASE
)
_CAPITALISED = regex(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}")
_IN_IS_LEFT = regex(
    r"\A\W*(?:what|which tickets) (?:in|under|of|from|within) (?:the )?(?P<title>[^?\n]{2,80}?) (?:is|are)(?: (?:not (?:yet )?(?:done|finished|closed)|still (?:open|to do|not done)|open|unfinished|undone|left)|n['’]?t (?:yet )?(?:done|finished|closed))(?: yet| still)?\W*\Z",
    re.IGNORECASE,
)
_BUT_DONE = regex(
    r"\A\W*(?:show me |list )?(?:everything|all|all tickets|the tickets) (?:in|under|of|from) (?:the )?(?P<title>[^?\n]{2,80}?) (?:except|but(?: not)?|without) (?:for )?(?:the |what is |what['’]s )?(?:already )?(?:finished|done|closed)(?: ones| tickets)?\W*\Z",
    re.IGNORECASE,
)
_HAS_NOT = regex(  # "who does not have a deputy"
    r"\A\W*(?P<whose>who|(?:which|how many) [\w-]+(?: [\w-]+)?) (?:do|does|has|have)(?: not|n['’]t)(?: have| got| yet have)? (?:an?|any) (?P<what>[\w-]+(?: [\w-]+){0,2}?)(?: yet| so far)?\W*\Z",
    re.IGNORECASE,
)
_EACH_HAS = regex(
    r"\A\W*do(?:es)? (?:all|every|each)(?: of)?(?: the| our)? (?P<things>[a-z][a-z ]{2,30}?) have (?:an? |any |their )?(?P<what>[a-z]+(?: (?:date|version))?)\W*\Z",
    re.IGNORECASE,
)
_SO_NOW = regex(
    rf"\A\W*(?:and )?(?:what(?:['’]?s| is| are)|is anything|is something|which (?:ones )?are)(?: (?:currently|still))?(?: (?:stuck|sitting|standing)(?: (?:on|in|at))?)? (?P<state>overdue|blocked|late)(?: (?:{NOW_WORDS}|now|today))?\W*\Z",
    re.IGNORECASE,
)
_NOBODY_ON_IT = regex(
    r"\b(?:(?:have|has|with|got|there(?:['’]s| is)) )(?:nobody|no ?one) (?:(?:working )?on (?:it|them)|assigned(?: to (?:it|them))?|at all)(?=\W*\Z)",
    re.IGNORECASE,
)
_AND_WHICH = regex(
    r"\A\W*(?:and )?how many (?P<what>[^?\n]{4,100}?),? (?:and )?which(?: ones)?(?: are (?:they|those))?\W*\Z", re.IGNORECASE
)
_STANDS_IN = regex(
    r"\A\W*who (?:(?:stands in|fills in|steps in|covers|deputi[sz]es|substitutes) for|is the stand-?in (?:for|of)) (?P<who>[^?\n]{2,40}?)(?: (?:when|while|if) (?:he|she|they)[^?\n]{0,40})?\W*\Z",
    re.IGNORECASE,
)
_DUTIES = regex(
    r"\A\W*what(?:['’]?s| is| are) (?P<who>[^?\n]{2,40}?) (?:responsible for|in charge of|accountable for)\W*\Z"
    r"|\A\W*what(?:['’]?s| is| are) (?P<whose>[^?\n]{2,40}?)['’]s? (?:duties|responsibilities|areas?|tasks at work)\W*\Z"
    r"|\A\W*what does (?P<does>[^?\n]{2,40}?) (?:do(?: here| for us| at work| all day)?|look after|take care of|handle)\W*\Z",
    re.IGNORECASE,
)
_AND_ABOUT = regex(
    r"\A\W*(?P<what>(?:the )?(?:newest|latest|oldest|last|most recent) [^?\n]{2,60}?(?:tickets?|issues?|bugs?)),? (?:and )?what(?:['’]s| is| are) (?:it|they) about\W*\Z",
    re.IGNORECASE,
)
_LAST_TIME = regex(
    r"\b(?P<did>decided?|agreed?(?: on| upon)?|resolved?|settled?(?: on)?|promised?) (?:the )?last time(?=\W*\Z)", re.IGNORECASE
)
_WHEN = r"(?: (?:since|after) [^?\n]{3,30}?| (?:in )?(?:this|last|the last|the past) (?:\d{1,2} )?(?:week|month|days|day|weeks)| today| yesterday)"
_HAPPENED = regex(
    rf"\A\W*what(?:['’]?s| has| have| else)? (?:happened|moved|been (?:going on|happening))(?P<first>{_WHEN})?"
    rf" (?:on|to|with|in|for|among) (?:the |our |all )*(?:jira|tickets?|issues|board)(?P<last>{_WHEN})?\W*\Z",
    re.IGNORECASE,
)
_CURRENT_SPRINT = regex(
    r"\b(?:the |our |this )?(?:current|active|running|ongoing|present) sprint\b|\b(?:this|the) sprint\b(?! \w*\d)|\baktuellen? sprint\b",
    re.IGNORECASE,
)
_WHAT_IS_IN = regex(r"\A\W*(?:and )?what(?:['’]?s| is| are) (?:still )?in (?=\S)", re.IGNORECASE)
_PLANNED_FOR = regex(
    r"\A\W*what(?:['’]?s| is| was| will be)? (?:planned for|coming (?:in|with)|comes (?:in|with)|in|part of|included in|going into) (?:the )?(?P<version>[^?\n]{2,60}?)\W*\Z",
    re.IGNORECASE,
)
_NOUNS = "tickets?|issues?|bugs?|tasks?|stories|story"
_OF_PROJECTS = frozenset(("key", "project", "project key"))  # relations whose values are what projects are called
_KEYED = (  # "GEAR tickets", "tickets of GEAR"
    regex(rf"\b(?P<key>[a-z][a-z0-9]{{1,9}}) (?P<noun>{_NOUNS})\b(?!-)", re.IGNORECASE),
    regex(rf"\b(?P<noun>{_NOUNS}) (?:of|in|from) (?:the )?(?:project )?(?P<key>[a-z][a-z0-9]{{1,9}})\b(?!-)", re.IGNORECASE),
)
_LISTED = frozenset("sprint release version label".split())  # what tickets are in
_SORT = regex(
    r"\A\W*(?:the )?(?:release|version|milestone|sprint|component) (?!(?:of|in|for|from|on|with)\b)(?=\S)", re.IGNORECASE
)
_OVERVIEWED = frozenset(("sprint", "epic", "version", "project", "component"))


def in_usual_words(question: str, snapshot: Snapshot) -> str | None:
    """None where it is put as it usually is, or nobody knows what it means."""
    if len(question) > LONGEST:
        return None
    own = of_asker(question, snapshot)
    asked = _ASIDE.sub("", own or question)
    keyed = _by_project(asked, snapshot)
    put = _put(_without_project(keyed or asked, snapshot), keyed or asked, snapshot)
    return put or keyed or own or page_in_usual_words(question, snapshot)


def _by_project(question: str, snapshot: Snapshot) -> str | None:
    """With the name of the project in place of its key, "GEAR tickets", "issues of GEAR"; None where no key is said like that."""
    matches = [match for pattern in _KEYED for match in pattern.finditer(question)]
    stated = snapshot.index.facts(snapshot.scope).values(TICKET, ("project",)) if matches else []
    called: dict[str, set[str]] = {}
    for ticket, project in stated:
        called.setdefault(ticket.partition(" ")[0], set()).add(project)
    said = [token for token in tokens(question) if token.folded in called]
    found = next((match for match in matches if match["key"].casefold() in called), None)
    if found is None or len(said) != 1 or len(called[said[0].folded]) != 1:
        return None  # of several projects sets know nothing
    mentions = snapshot.index.names(snapshot.scope).find(tokens(found["key"]))
    if any(not _OF_PROJECTS.issuperset(mention.relations) for mention in mentions):
        return None  # what else is called so is meant as well: "bug tickets"
    [project] = called[said[0].folded]
    return f"{question[: found.start()]}{found['noun']} in project {project}{question[found.end() :]}"


def _without_project(question: str, snapshot: Snapshot) -> str:
    """Without "in Jira", "on the board", or the key of the only project there is, which every ticket is in."""
    found = _IN_JIRA.search(question) or _IN_PROJECT.search(question)
    if found is None or not (facts := snapshot.index.facts(snapshot.scope)).holds_any(TICKET, ("status",)):
        return question
    key = found.groupdict().get("key")
    if key and {key.casefold()} != {ticket.partition(" ")[0] for ticket, _ in facts.values(TICKET, ("status",))}:
        return question
    return f"{question[: found.start()]}{question[found.end() :]}"


def _put(question: str, whole: str, snapshot: Snapshot) -> str | None:
    """`whole`: with "in Jira" and the like, which the question is without."""
    if asked := _UP_TO.match(question):
        names, who = snapshot.index.names(snapshot.scope), (asked["who"] or asked["whose"] or asked["plate"]).strip()
        return _working(who, names) or _working(f"{who}s", names)  # "tomas plate"
    if (current := _CURRENT_SPRINT.search(question)) and (name := _current_sprint(snapshot)):
        named = f"{question[: current.start()]}{name}{question[current.end() :]}"
        return _WHAT_IS_IN.sub("which tickets are in ", named)
    if (asked := _PLANNED_FOR.match(question)) and _overviewed_name(asked["version"], snapshot):
        return f"overview of {asked['version']}"
    if asked := _LEFT.match(question) or _IN_IS_LEFT.match(question) or _BUT_DONE.match(question):
        title = _EPIC_WORD.sub("", asked["title"])
        if name := _epic_called(title, snapshot) or _overviewed_name(title, snapshot):
            return f"which tickets in {name} are not done"
        return _open_for(title, whole, snapshot)
    if (kind := singular(kind_listed(question))) in _LISTED:
        return _per_kind(kind, snapshot)
    if _TURNED_DOWN.match(question):
        resolutions = {name for _, name in snapshot.index.facts(snapshot.scope).values(TICKET, ("resolution",))}
        return next((f"which tickets were closed as {name}" for name in sorted(resolutions) if _WONT.match(name)), None)
    if asked := _STILL_HAS.match(question):
        return _open_for(asked["who"], whole, snapshot)
    if (asked := _SO_NOW.match(question)) and snapshot.index.facts(snapshot.scope).holds_any(TICKET, ("status",)):
        return f"which tickets are {'overdue' if asked['state'].casefold() == 'late' else asked['state']}"
    if (nobody := _NOBODY_ON_IT.search(question)) and re.search(rf"\b(?:{'|'.join(TICKETS)})s?\b", question, re.IGNORECASE):
        return f"{question[: nobody.start()]}are assigned to nobody"
    if asked := _STANDS_IN.match(question):
        return f"who is the deputy of {asked['who']}"
    if asked := _DUTIES.match(question):
        names = snapshot.index.names(snapshot.scope)
        who = next(filter(None, asked.groups()))
        person = _person(who, names) or (who if _may_be_people(who, names) else "")  # of several it is told who they are
        is_stated = any("responsible" in relation.split() for relation in names.relations)  # for what, a column says
        return (
            f"who is {person}" if person and (asked["does"] or not is_stated) else None
        )  # what they own alone does not say what they do
    if asked := _AND_ABOUT.match(question):
        return asked["what"]
    if asked := _AND_WHICH.match(question):
        return f"which {asked['what']}"
    if asked := _EACH_HAS.match(question):
        return _without(asked["things"], asked["what"])
    if asked := _HAS_NOT.match(question):
        return f"{asked['whose']} {'has' if asked['whose'].casefold() == 'who' else 'have'} no {asked['what']}"
    if asked := _LAST_TIME.search(question):
        return f"{question[: asked.end('did')]} at the last meeting"
    if (asked := _HAPPENED.match(question)) and (when := asked["first"] or asked["last"]):
        return f"what changed on the tickets{when}"
    if asked := _GOING.match(question) or _STANDS.match(question):
        return _overviewed(asked["what"], snapshot)
    if asked := _UP_WITH.match(question):
        status = f"what is the status of the {asked['what']}"
        return _of_ticket(status, snapshot) or _overviewed(asked["what"], snapshot) or status
    if (begun := _OVERVIEW.match(question)) and (of := _OF_WHAT.match(question[begun.end() :])):
        return f"overview of {_WHAT_IT_DOES.sub('', question[begun.end() + of.end() :])}"
    if (begun := _OVERVIEW.match(question)) and (asked := _EPIC.search(question, begun.end())):
        key = _epic_called(asked["behind"] or asked["before"], snapshot)
        return f"overview of {key}" if key else None
    registers = (snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot))
    rows = people_in_usual_words(question, *registers) or rows_in_usual_words(question, *registers)
    return rows or tickets_by_date(question, snapshot) or _of_ticket(question, snapshot)


def _per_kind(kind: str, snapshot: Snapshot) -> str | None:
    """All that tickets are in of a kind, with how many there are in each."""
    has_any = snapshot.index.facts(snapshot.scope).holds_any(TICKET, (GROUPED_BY[kind],))
    return f"how many tickets per {kind}" if has_any else None


def _open_for(who: str, question: str, snapshot: Snapshot) -> str | None:
    """What is open for somebody: their tickets where these are asked for, else what they have to do, of which tickets are a part."""
    person = _person(who, snapshot.index.names(snapshot.scope))
    has_tickets = snapshot.index.facts(snapshot.scope).holds_any(TICKET, ("status",))
    if person and has_tickets and _SAYS_TICKETS.search(question):
        return f"which open tickets are assigned to {person}"
    return f"what does {person or who} still have to do" if person or _CAPITALISED.fullmatch(who) else None


def _without(things: str, what: str) -> str:
    """Whether all have something is answered by those that have not."""
    is_ticket = singular(things.split()[-1]) in TICKETS
    return f"which {things if things.endswith('s') else f'{things}s'} have no {'assignee' if is_ticket and what == 'owner' else what}"


def _of_ticket(question: str, snapshot: Snapshot) -> str | None:
    """With the key of the ticket that it describes."""
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    meant = tickets_meant(question, names, facts, today(snapshot))
    return meant.put(meant.keys[0]) if meant is not None and meant.is_certain else None


def _working(who: str, names: Names) -> str | None:
    person = _person(who, names)
    return f"what is {person} working on" if person else None


def _may_be_people(who: str, names: Names) -> bool:
    """Whether these words are a name of somebody, of whomever."""
    mentions = names.find(tokens(who))
    return len(mentions) == 1 and mentions[0].last - mentions[0].first == len(tokens(who)) and "person" in mentions[0].objects


def _person(who: str, names: Names) -> str:
    """The full name of the one person these words are; empty where they are more, or may be several."""
    said = [token for token in tokens(who) if token.folded != "the"]
    mentions = names.find(tokens(who))
    if len(mentions) != 1 or mentions[0].last - mentions[0].first != len(said) or "person" not in mentions[0].objects:
        return ""
    full = [name for name in mentions[0].names if " " in name]
    return full[0].title() if len(full) == 1 else ""


def _overviewed(what: str, snapshot: Snapshot) -> str | None:
    if name := _overviewed_name(what, snapshot):
        return f"overview of {name}"
    bare = re.sub(r"\A(?:epic (?:about )?)|(?: epic)\Z", "", what, flags=re.IGNORECASE)
    key = _epic_called(bare, snapshot)
    return f"overview of {key}" if key else None


def _overviewed_name(what: str, snapshot: Snapshot) -> str:
    """The name of a sprint, a version or the like, where these words are one and nothing else; else empty."""
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    for said in (what, _SORT.sub("", what)):  # "Sprint 24" is a name, "the release 5.3.0" one with what it is
        found = tokens(said)
        mentions = names.find(found)
        things = things_named(mentions[0], facts) if len(mentions) == 1 else []
        is_all = bool(mentions) and mentions[0].last - mentions[0].first == len(found)
        if is_all and len(things) == 1 and things[0].kind in _OVERVIEWED:
            return said
    return ""


def _current_sprint(snapshot: Snapshot) -> str:
    """The one sprint that is active, as it is written; empty where none is known, or several are."""
    found = {name for _, name in snapshot.index.facts(snapshot.scope).values(TICKET, ("active sprint",))}
    return found.pop() if len(found) == 1 else ""


def _epic_called(title: str, snapshot: Snapshot) -> str:
    return ticket_called(title, snapshot.index.facts(snapshot.scope), "epic")
