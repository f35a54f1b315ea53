"""The rules by which a sentence with all words of a question is nevertheless not called its answer, each with its reason.

They are tried in the order of `RULES`: those that need only the sentence come first, those that look at the value asked for come
after the one that demands it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from prompts.extractive.candidates import Candidate
from prompts.extractive.refusals import form, people_and_places, plans, things, times, words
from prompts.extractive.tenses import is_of_months, is_over
from prompts.regex import regex

LEAST_STRENGTH = 0.58  # of a sentence that is called the answer
HEDGE = 0.25  # of strength less for a sentence that says it with a doubt
MOVED, OVER = 0.8, 0.4  # what it is worth that a sentence says what has changed; what less, that it tells of a time that is over
AS_ASKED = 0.08  # of strength, for a sentence that says it in the words of the question
_HEDGED = regex(
    r"\b(?:not|never|no longer|would have|might|maybe|perhaps|if|unless|whether|should have|was to|were to|planned|proposed|superseded)\b",
    re.I,
)


class Rule(NamedTuple):
    refuses: Callable[[Candidate], bool]
    reason: str  # what a refused sentence does, in words for whoever asked
    is_near_miss: bool = True  # False: the sentence lacks a word or the value, and nobody need be told

    @property
    def name(self) -> str:
        return self.refuses.__name__


def refusing(one: Candidate) -> Rule | None:
    """The first rule that refuses a sentence; None for one that is an answer."""
    return next((rule for rule in RULES if rule.refuses(one)), None)


def strength_of(one: Candidate) -> float:
    """How sure it is that a sentence which no other rule refuses answers the question, from 0 to 1."""
    asked, is_moved = one.question, one.tells_of_move
    strength = 0.5 * max(one.own_share, MOVED * is_moved) + 0.4 * one.share
    strength -= HEDGE if not is_moved and _HEDGED.search(one.said, 0, one.value_at) else 0.0
    strength -= OVER if asked.is_of_now and is_over(one.said) else 0.0
    strength -= OVER if asked.kind == "count" and not is_of_months(asked.text, one.said) else 0.0
    return strength + AS_ASKED * said_alike(asked.low, one.said)


def said_alike(low: str, text: str) -> float:
    """How many neighbouring words of a question, small ones too, are neighbours in a sentence, from 0 to 1."""
    asked = set(pairwise(re.findall(r"\w+", low)))
    return len(asked & set(pairwise(re.findall(r"\w+", text.casefold())))) / max(1, len(asked))


def is_unsure(one: Candidate) -> bool:
    return strength_of(one) < LEAST_STRENGTH


RULES = (
    Rule(form.is_front_matter, "stands in the settings at the top of its file"),
    Rule(form.is_of_its_page, "says what its page is for"),
    Rule(form.stands_in_draft, "stands in a draft"),
    Rule(form.is_no_sentence, "is a row of a table, a heading or code, and no sentence"),
    Rule(form.is_field, "is a field, a link or a change of a ticket"),
    Rule(form.asks_or_leads_up, "is a question, or leads up to what stands below it"),
    Rule(form.draws_conclusion, "concludes from what stands before it"),
    Rule(form.is_code, "is mostly code"),
    Rule(words.names_it_in_passing, "does not begin with what is asked about"),
    Rule(words.is_of_any_such_thing, "does not say which one it means"),
    Rule(words.lacks_telling_word, "lacks a word that is asked for", is_near_miss=False),
    Rule(words.tells_of_doing_it, "tells of doing it, and not of the thing that is called so"),
    Rule(words.lacks_value, "does not have what is asked for", is_near_miss=False),
    Rule(words.leaves_words_to_heading, "leaves words of the question to the heading above it", is_near_miss=False),
    Rule(words.leaves_doing_to_heading, "does not say it of just what is done"),
    Rule(words.is_entry_on_other, "says what something else is"),
    Rule(words.has_parts_of_compound, "has the words of the thing apart, each of another"),
    Rule(words.has_half_of_compound, "has one word of the thing, and leaves the other to the heading"),
    Rule(words.is_of_namesake, "is of another thing whose name begins alike"),
    Rule(words.has_words_apart, "has the words of the question far apart"),
    Rule(words.says_more_than_asked, "says more than what is asked"),
    Rule(things.is_of_some, "says it of some of them only"),
    Rule(things.tells_of_some_of_them, "tells of some of them, and not how many there are"),
    Rule(things.is_exception, "says it of one that is not asked about"),
    Rule(words.is_size_of_it, "says how large “it” is"),
    Rule(words.is_only_before_it, "says what is so before or after it"),
    Rule(words.says_it_of_next, "says it of what stands beside it"),
    Rule(things.leaves_it_out, "leaves out what is asked about"),
    Rule(things.is_done_by_them, "says who does it, and not to whom it is done"),
    Rule(things.does_not_carry_over, "does not say what is carried over"),
    Rule(things.says_much_else, "says much else as well"),
    Rule(things.is_of_other_case, "says it of another case"),
    Rule(times.is_task, "says by when somebody has to do something about it"),
    Rule(times.was_so_once, "says what was so once"),
    Rule(times.says_only_how_it_is_now, "says how it is now, and not how it was"),
    Rule(times.happened_once, "tells of one time, and not how often"),
    Rule(times.may_not_be_last, "need not be the last time"),
    Rule(things.is_of_two_things, "says it of several things at once"),
    Rule(people_and_places.lists_who_came, "lists who was at a meeting"),
    Rule(people_and_places.is_where_something_else_is, "says what is at that place, and not where it is"),
    Rule(people_and_places.says_nothing_of_duty, "says nothing of who is on call"),
    Rule(people_and_places.names_one_end, "names one of the two, and the other is asked for"),
    Rule(people_and_places.is_of_other_side, "is of somebody at another company"),
    Rule(people_and_places.says_who_came_after, "does not say who it was before"),
    Rule(people_and_places.stands_in_for_another, "says for whom somebody stands in, and not who stands in for them"),
    Rule(words.has_value_elsewhere, "says that in another part, and of something else"),
    Rule(form.is_several_messages, "is several messages of a chat"),
    Rule(words.says_it_of_it, "says it of “it”"),
    Rule(words.leaves_thing_unsaid, "does not say what “it” or “that” is"),
    Rule(words.is_only_compared, "compares something else with it"),
    Rule(words.leaves_these_unsaid, "does not say which ones “these” are"),
    Rule(times.says_it_of_what_follows, "says when something else is, below the label that is asked about"),
    Rule(times.says_when_it_is_not, "says when it is not"),
    Rule(things.is_of_whoever, "says it of whoever does something"),
    Rule(things.is_paid_into_it, "says what is paid into it, and not what is in it"),
    Rule(things.prices_another_thing, "says what something else costs"),
    Rule(times.tells_of_failure, "tells of one time when it failed"),
    Rule(times.leaves_day_unsaid, "does not say which day it means"),
    Rule(times.is_of_year_not_asked, "says it of another year"),
    Rule(things.tells_what_was_done_with_some, "tells what was done with some of them once"),
    Rule(people_and_places.does_not_name_all, "names somebody beside “me”"),
    Rule(times.is_of_several_years, "says it of several years together"),
    Rule(things.says_how_long_before, "says how long before, and not for how long"),
    Rule(things.is_length_of_way, "says how far, and not how long it takes"),
    Rule(plans.is_only_possible, "says how it can be, and not how it was"),
    Rule(times.says_no_beginning, "does not say since when"),
    Rule(times.need_not_be_so_now, "does not say that it is so now"),
    Rule(times.is_of_one_day, "is of one day, and what is so on each is asked for"),
    Rule(times.has_only_the_time, "has of the question no more than its day"),
    Rule(things.is_of_one_kind, "says it of one kind of them only"),
    Rule(things.is_of_no_group, "does not say it of each, one by one"),
    Rule(things.gives_one_of_several_reasons, "gives one reason, and several are asked for"),
    Rule(times.was_so_until, "says what was so until a day"),
    Rule(things.is_of_something_else, "says it of something else"),
    Rule(things.does_not_say_whether, "does not say whether it may be done"),
    Rule(things.is_comparison, "only compares"),
    Rule(form.is_part_of_example, "is part of an example"),
    Rule(things.does_not_say_most, "does not say which is the most, the oldest or the like"),
    Rule(things.is_contested, "says one thing, and another sentence says a different one"),
    Rule(words.leaves_most_to_heading, "leaves most words of the question to the headings above it", is_near_miss=False),
    Rule(people_and_places.says_where_other_is, "says where something else is"),
    Rule(people_and_places.names_one_of_several_places, "names one of several places"),
    Rule(people_and_places.leaves_place_to_heading, "leaves a word of the question to the headings above it", is_near_miss=False),
    Rule(people_and_places.does_not_say_who, "does not say who has that role"),
    Rule(people_and_places.names_another_beside, "names somebody beside whoever has that role"),
    Rule(people_and_places.has_name_elsewhere, "names somebody apart from that role"),
    Rule(people_and_places.has_other_role, "names somebody with another role"),
    Rule(people_and_places.is_of_page_on_two, "stands on a page about two things, and may be about the other"),
    Rule(people_and_places.is_of_page_called_more, "stands on a page about something that is called by more words"),
    Rule(people_and_places.has_word_only_in_name, "has a word of the question only in somebody's name"),
    Rule(people_and_places.says_who_does_other, "says who does something else"),
    Rule(people_and_places.leads_something_else, "says who leads something else"),
    Rule(things.gives_other_reason, "gives the reason for something else"),
    Rule(things.tells_alternatives, "tells what else was considered"),
    Rule(things.denies_a_reason, "says what the reason is not"),
    Rule(times.lacks_an_end, "does not say from when and until when"),
    Rule(things.leaves_it_to_a_ticket, "leaves it to a ticket"),
    Rule(things.names_it_to_tell_it_apart, "names it only to tell something else apart from it"),
    Rule(times.is_of_other_month, "says it of another month"),
    Rule(times.is_of_one_day_of_month, "says it of one day, and a month is asked about"),
    Rule(times.has_only_a_stamp, "has only the time at which something else happened"),
    Rule(times.says_no_opening, "says neither a day nor a time of the day"),
    Rule(times.is_of_one_closing, "says when it is closed or open once, and not when it usually is"),
    Rule(times.says_when_it_was_printed, "says when the page was printed or exported"),
    Rule(things.is_only_wanted, "says what somebody wants"),
    Rule(plans.is_only_meant, "says what is planned, proposed or refused, and not what was done"),
    Rule(plans.is_proposal, "says what somebody proposed or wanted"),
    Rule(plans.is_only_no_more, "says only that none had more, or less"),
    Rule(plans.is_doubted, "says it with a doubt"),
    Rule(plans.is_on_condition, "says it only on a condition"),
    Rule(plans.is_limit, "says what it may be at most or at least, and not what it is"),
    Rule(things.is_of_other_compound, "says it of another one of the kind"),
    Rule(things.counts_another_sort, "counts another sort of them"),
    Rule(things.has_subject_of_its_own, "says it of something on that page"),
    Rule(things.has_number_apart, "has the number of something else"),
    Rule(times.says_from_which_to_which, "says from which day of the month to which, and not when"),
    Rule(times.does_not_say_how_long_kept, "does not say how long something is kept"),
    Rule(things.is_of_its_item, "says it of what its item begins with"),
    Rule(times.was_said_otherwise_later, "is followed by a later comment that says otherwise"),
    Rule(words.lacks_turn, "lacks the “not”, “before” or “only” that is asked for"),
    Rule(words.leaves_choice_open, "does not decide between the two"),
    Rule(words.is_unrelated, "says something else in the same words, or only on a condition"),
    Rule(is_unsure, "does not say it for sure, or says it of another time"),
)
