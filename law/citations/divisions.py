"""Parts, chapters and schedules of an act, in a citation and in the path above a passage."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import either, group, with_code
from law.patterns import regex
from law.words.numerals import division_number

_KINDS = {word: kind for language in LANGUAGES for word, kind in language.citations.division_kinds.items()}
_ANNEXES = frozenset(kind for language in LANGUAGES for kind in language.citations.annexes)


def _of_all(attribute: str) -> re.Pattern[str]:
    patterns = [with_code(getattr(language.citations, attribute), language.code) for language in LANGUAGES]
    return regex(either(patterns), re.IGNORECASE)


DIVISION = _of_all("division")
# `סעיף 3 לתוספת`: the only schedule, or any.
UNNUMBERED = _of_all("unnumbered_annex")
ANNEX_ALONE = _of_all("annex_alone")
_ANNEX = _of_all("annex_label")


@dataclass(frozen=True)
class CitedDivision:
    """A part or the like by its kind and number. An empty number stands for any of the kind."""

    kind: str
    number: str

    @property
    def is_annex(self) -> bool:
        """Whether sections count anew in it."""
        return self.kind in _ANNEXES


def division_of(match: re.Match[str]) -> CitedDivision:
    """What DIVISION or UNNUMBERED matched."""
    kind = group(match, "kind").casefold().rstrip(".")
    return CitedDivision(_KINDS.get(kind, kind), division_number(group(match, "id")))


def stands_in(path: Sequence[str], divisions: Sequence[CitedDivision]) -> bool:
    """Whether a path names every one of the divisions."""
    above = [division_of(match) for label in path if (match := DIVISION.match(label) or _ANNEX.match(label))]
    return all(
        any(one.kind == wanted.kind and wanted.number in ("", one.number) for one in above) for wanted in divisions
    )


def annex_of(path: Sequence[str]) -> str:
    """The schedule that a passage stands in, as printed, or '' for the body of the act."""
    for label in path:
        match = DIVISION.match(label) or _ANNEX.match(label)
        if match and division_of(match).is_annex:
            return label
    return ""
