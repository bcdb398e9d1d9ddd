"""Text above and below the line: its digits stay apart from the number that they stand behind."""

import re
from collections.abc import Iterable
from itertools import groupby

_DIGITS = "0123456789"
RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED = str.maketrans(f"{_DIGITS}+-−–", f"{RAISED_DIGITS}⁺⁻⁻⁻")
_LOWERED = str.maketrans(f"{_DIGITS}+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")
# Marks of notes, exponents, parts of fractions: no words, which somebody sets small for another reason.
_SIGN = re.compile(r"(?=\D*\d)[\d\s.,;:+\-−–*/()\[\]]{1,24}[^\W\d_]?\s*")
_GLUED = re.compile(r"[\d/⁄⁰¹²³⁴-⁹]")


class Raised(str):
    """A piece of a line that stands above it."""

    __slots__ = ()


class Lowered(str):
    """A piece of a line that stands below it."""

    __slots__ = ()


class Apart(str):
    """A piece of a line that does not join a number beside it, as a fraction or formula."""

    __slots__ = ()


def joined(pieces: Iterable[str]) -> str:
    """The line. Digits that stand above it become `⁷`, those below it `₇` where they would join a number."""
    line = ""
    last: type[str] = str
    for kind, run in groupby(pieces, type):
        for text in run if kind is Apart else ["".join(run)]:
            if kind is Raised:
                text = raised(text)
            elif kind is Lowered and _GLUED.match(line[-1:]):
                text = lowered(text)
            elif Apart in (kind, last) and line[-1:].isdigit() and text[:1].isdigit():
                text = f" {text}"
            line, last = line + text, kind
    return line


def raised(text: str | int) -> str:
    """The number of a footnote, or what else has digits and no words, as it stands above the line."""
    return _small(str(text), _RAISED)


def lowered(text: str) -> str:
    """Digits as they stand below the line."""
    return _small(text, _LOWERED)


def _small(text: str, digits: dict[int, int]) -> str:
    return text.translate(digits) if _SIGN.fullmatch(text) else text
