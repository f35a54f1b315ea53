"""Names of months and of weekdays in English, German and French, whole and cut short."""

from __future__ import annotations

IN_ENGLISH = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NAMES = """january januar jänner janvier janv jan
february februar feber février fevrier feb febr fév fev fevr févr
march märz maerz mars mar mär mrz
april avril apr avr
may mai
june juni juin jun
july juli juillet jul juil juill
august août aout aug
september septembre sept sep
october oktober octobre oct okt
november novembre nov
december dezember décembre decembre dec dez déc"""
NUMBERS = {name: number for number, names in enumerate(_NAMES.split("\n"), 1) for name in names.split()}
# A pattern: a name as a word of its own, in capital or small letters.
MONTH = rf"(?i:{'|'.join(sorted(NUMBERS, key=len, reverse=True))})(?!\w)"

# A pattern: a day with its month in letters, and perhaps a year, as it stands before a time: "24 Nov 11:31", "24 November 2026, 11:31".
DAY_OF_MONTH = rf"\d{{1,2}}\.? {MONTH}\.?(?: \d{{4}})?"


def number_of(name: str) -> int:
    """1 to 12. Raises KeyError for what is no month."""
    return NUMBERS[name.casefold()]


_WEEKDAYS = """monday mondays mon mo montag montags lundi lun
tuesday tuesdays tue tues tu di dienstag dienstags mardi mar
wednesday wednesdays wed we mi mittwoch mittwochs mercredi mer
thursday thursdays thu thur thurs th do donnerstag donnerstags jeudi jeu
friday fridays fri fr freitag freitags vendredi ven
saturday saturdays sat sa samstag samstags sonnabend samedi sam
sunday sundays sun su so sonntag sonntags dimanche dim"""
_DAY_NUMBERS = {name: number for number, names in enumerate(_WEEKDAYS.split("\n")) for name in names.split()}


# A pattern: the name of a weekday with what divides it from the date behind it, "Mon 23.11.", "Wed, 9/12".
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"  # in small letters
WEEKDAY_BEFORE = rf"(?i:{'|'.join(sorted(_DAY_NUMBERS, key=len, reverse=True))})[.,]{{0,2}} (?=\d)"


def weekday_of(name: str) -> int | None:
    """0 (Monday) to 6; None for what is no weekday."""
    return _DAY_NUMBERS.get(name.casefold().strip(" ."))
