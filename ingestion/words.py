"""Numbers and spans of time in words, for pages and the command line."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`counted(2, "branch", "branches")` is "2 branches"; without `many`, an s is added."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ago(seconds: float) -> str:
    """How long ago something was: "3 s ago", "5 min ago"."""
    seconds = max(0.0, seconds)
    if seconds < 90:
        return f"{seconds:.0f} s ago"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} min ago"
    if seconds < 129_600:
        return f"{seconds / 3_600:.0f} h ago"
    if seconds < 5_184_000:
        return f"{seconds / 86_400:.0f} days ago"
    return f"{seconds / 2_629_800:.0f} months ago" if seconds < 63_072_000 else f"{seconds / 31_557_600:.0f} years ago"


def duration(seconds: float) -> str:
    """About how long something takes: "less than a minute", "about 5 minutes"."""
    if seconds < 55:
        return "less than a minute"
    minutes = round(seconds / 60)
    if minutes >= 90:
        return f"about {minutes / 60:.0f} hours"
    return f"about {minutes} minutes" if minutes > 1 else "about a minute"
