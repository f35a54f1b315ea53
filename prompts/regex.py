"""Regular expressions that are compiled when they are first used.

There are over a thousand, and a question uses one in seven: to compile all took a third of each start of a program.
Proxies of objects in general (`wrapt`, `lazy-object-proxy`) would look each method up anew; here it is found once.
"""

from __future__ import annotations

import re
from typing import Any, cast

_OF_PATTERN = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "flags", "groups", "groupindex")


class LazyPattern:
    """Has what `re.compile(pattern, flags)` has. One that cannot be compiled raises `re.error` at its first use."""

    __slots__ = ("pattern", "_flags", *_OF_PATTERN)

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:  # only what has no value yet comes here
        if name not in _OF_PATTERN:
            raise AttributeError(name)
        compiled = self.compiled()
        for each in _OF_PATTERN:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like `re.compile`, for a pattern of a module."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))
