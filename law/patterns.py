"""Regular expressions that are compiled when they are first used.

There are about a thousand, and most processes need few of them: a module that compiled its own would make every command
wait for it.
"""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, cast
from weakref import WeakSet


class _Later:
    """What `re.compile` gives, made when something of it is first asked for. From then on it costs as much."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags
        _made.add(self)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


_made: WeakSet[_Later] = WeakSet()


def compile_all() -> None:
    """Compile what is imported, for processes that live long or fork: else somebody waits, or each child does it."""
    for each in list(_made):
        each._compiled  # noqa: B018  it is made when it is asked for


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, but a mistake in the pattern is raised where it is first used (a test uses every one).

    Call its methods. The functions of `re`, as `re.sub`, do not take it as their pattern.
    """
    return cast("re.Pattern[str]", _Later(pattern, flags))


class Choice:
    """Patterns of which the first that fits counts: what would be one long pattern, in parts that can be read.

    `is_meant` says of what one of them has matched whether it is what was looked for.
    """

    def __init__(
        self, patterns: Iterable[str], flags: int = 0, *, is_meant: Callable[[re.Match[str]], bool] | None = None
    ) -> None:
        self._patterns = [regex(pattern, flags) for pattern in patterns if pattern]
        self._is_meant = is_meant

    def match(self, text: str, place: int = 0) -> re.Match[str] | None:
        """What the first of them matches that fits there."""
        for pattern in self._patterns:
            found = pattern.match(text, place)
            if found and (self._is_meant is None or self._is_meant(found)):
                return found
        return None
