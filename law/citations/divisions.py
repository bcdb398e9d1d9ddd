"""Parts, chapters and schedules of an act, in a citation and in the path above a passage."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import ChoiceByScript
from law.patterns import Choice
from law.structure.lines.headings import UNITS
from law.structure.provisions import address_of_number
from law.words.numerals import division_number

_KINDS = {word: kind for language in LANGUAGES for word, kind in language.divisions.kinds.items()}
_ANNEXES = frozenset(kind for language in LANGUAGES for kind in language.divisions.annexes)


_PLACES = frozenset(word for language in LANGUAGES for word in language.divisions.places)


def is_numbered(match: re.Match[str]) -> bool:
    """Whether what stands for the number is none in words, or one that is known."""
    word = match.groupdict().get("word")
    return not word or word.casefold() in _PLACES


def _of_all(attribute: str) -> Choice:
    return Choice((getattr(language.citations, attribute) for language in LANGUAGES), re.IGNORECASE)


DIVISION = ChoiceByScript(lambda language: language.citations.division, is_meant=is_numbered)
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

    @property
    def address(self) -> str:
        """How the address of such a one ends: `chp_2`. What no heading is has one that is found nowhere."""
        unit = UNITS.get(self.kind, self.kind)
        return f"{unit}_{address_of_number(self.number)}" if self.number else unit


def division_of(match: re.Match[str]) -> CitedDivision:
    """What DIVISION or UNNUMBERED matched."""
    kind, groups = match["kind"].casefold().rstrip("."), match.groupdict()
    return CitedDivision(_KINDS.get(kind, kind), division_number(groups.get("id") or ""))


def stands_in(path: Sequence[str], divisions: Sequence[CitedDivision]) -> bool:
    """Whether a path names every one of the divisions."""
    above = [one for _, one in _divisions(path)]
    return all(
        any(one.kind == wanted.kind and wanted.number in ("", one.number) for one in above) for wanted in divisions
    )


def _divisions(path: Sequence[str]) -> list[tuple[str, CitedDivision]]:
    """Those that the labels of a path name, each with its label."""
    found = ((label, DIVISION.match(label) or _ANNEX.match(label)) for label in path)
    return [(label, division_of(match)) for label, match in found if match]


def annex_of(path: Sequence[str]) -> str:
    """The schedule that a passage stands in, as printed, or '' for the body of the act."""
    return next((label for label, one in _divisions(path) if one.is_annex), "")
