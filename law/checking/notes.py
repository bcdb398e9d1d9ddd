"""The notes of a text: which line a sign such as `¹` leads to."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from law.patterns import regex

_SIGNS = r"[⁰¹²³⁴-⁹]{1,4}"
_SIGN = regex(_SIGNS)
_LINE = regex(rf"^[ \t]*(?P<sign>{_SIGNS})[ \t]*(?=\S)[^\n]*", re.MULTILINE)


class Notes:
    """Each note begins a line with its sign. Numbers may begin anew, as on each page."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for line in _LINE.finditer(text):
            self._lines[line["sign"]].append((line.end("sign"), line.end()))

    def at(self, place: int) -> tuple[int, int] | None:
        """The characters of the note whose sign stands at a place."""
        sign = _SIGN.match(self._text, place) if self._lines else None
        return self._line(sign) if sign else None

    def between(self, start: int, end: int) -> list[tuple[int, int]]:
        """The characters of the notes whose signs stand between two places."""
        signs = _SIGN.finditer(self._text, start, end) if self._lines else ()
        return [line for sign in signs if (line := self._line(sign))]

    def signs(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Where each sign stands that leads to a note, with the characters of the note."""
        signs = _SIGN.finditer(self._text) if self._lines else ()
        return ((sign.start(), line) for sign in signs if (line := self._line(sign)))

    def _line(self, sign: re.Match[str]) -> tuple[int, int] | None:
        """The next line with the sign, None for the sign of the line itself."""
        lines = self._lines[sign[0]]
        following = bisect_right(lines, (sign.start(), len(self._text)))
        own = following < len(lines) and lines[following][0] == sign.end()
        return None if own or following == len(lines) else lines[following]
