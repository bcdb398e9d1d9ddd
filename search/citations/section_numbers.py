"""Section numbers as citations write them, one by one and as a range: `5א`, `18.8.2`, `3 עד 5`, `12A–12C`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import LETTERS, either, language_of

# 5, 5א, 15ג, 63א1, 12A, 18.8.2, A1.2.3; counted repetitions, so that no input makes the search slow.
_WORDS = [language.citations for language in LANGUAGES]
_LETTERS = either(words.number_letters for words in _WORDS)
_LATER_LETTERS = either(words.later_letters for words in _WORDS)
_CONJUNCTION = either(words.conjunction for words in _WORDS)
NUMBER = (
    r"(?:[A-Z](?=\d{1,3}\.\d))?\d{1,5}(?:\.\d{1,4}){0,6}"
    rf"{_LETTERS}?\d{{0,2}}{_LATER_LETTERS}?[׳']?"
)
NUMBER_ENDS = rf"(?!(?!{_CONJUNCTION})[\w%/])"  # 2016/679 is no section, and 5% none; the ו of `4ו־6` is an and
MOST_OF_RANGE = 10

_WHOLE = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"(?P<stem>.*?\.)(?P<last>\d+)")
_LAST_LETTER = re.compile(rf"(?P<stem>.*\d)(?P<last>[{LETTERS}])")
_INSERTED = re.compile(r"(?P<base>\d+)\D")


@dataclass(frozen=True)
class Item:
    """One section of a reference, or all from it to `last`; `clauses` are the ways to what is meant inside it."""

    number: str
    last: str = ""
    clauses: tuple[tuple[str, ...], ...] = ()

    @property
    def sections(self) -> list[str]:
        """The numbers it stands for, in order and at most MOST_OF_RANGE; where a range makes no sense, its ends."""
        return _between(self.number, self.last) if self.last else [self.number]

    @property
    def written_as_one(self) -> str:
        """`1-102` may be a range, or the number of a single section."""
        return f"{self.number}-{self.last}" if self.last else ""

    def takes_in(self, section: str) -> str:
        """The number after which a section that was inserted later belongs to the range (`3א` of 3 to 5); or ''."""
        inserted = _INSERTED.match(section)
        if inserted and "." not in section and _WHOLE.fullmatch(self.last) and inserted["base"] in self.sections[:-1]:
            return inserted["base"]
        return ""


def _between(first: str, last: str) -> list[str]:
    if _WHOLE.fullmatch(first) and _WHOLE.fullmatch(last):
        return _counted("", int(first), int(last)) or [first, last]
    for pattern in (_LAST_NUMBER, _LAST_LETTER):
        one, other = pattern.fullmatch(first), pattern.fullmatch(last)
        if not one or not other or one["stem"] != other["stem"]:
            continue
        if one["last"].isdigit():
            return _counted(one["stem"], int(one["last"]), int(other["last"])) or [first, last]
        letters = language_of(one["last"]).alphabet
        start, end = letters.find(one["last"].upper()), letters.find(other["last"].upper())
        if 0 <= start < end:
            return [one["stem"] + letter for letter in letters[start : end + 1]][:MOST_OF_RANGE]
    return [first, last]


def _counted(stem: str, first: int, last: int) -> list[str]:
    return [f"{stem}{number}" for number in range(first, min(last, first + MOST_OF_RANGE - 1) + 1)]
