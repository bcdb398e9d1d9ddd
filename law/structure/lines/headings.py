"""What looks like a heading, and the lines that name a chapter, a part or a schedule."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.protocol import StatuteWords
from law.languages.scripts import CASELESS, either
from law.patterns import regex

HEADING_LENGTH = 130
_HEADING_WORDS = 22
MIN_WRAPPED = 35  # characters of a title that goes on in the next line
_LABEL_LENGTH = 200
MAX_HEADING_LENGTH = 400
_CLOSES = frozenset(".;:,–—-")
_NO_HEADING_START = regex(r"[\W_]|(?:https?|www)\b|\d{1,2}[./]\d")
_QUOTED_START = frozenset("\"'”“״[")
_BRACKETS = frozenset("(<[")  # around what is said of a division: `SCHEDULE (section 5)`, `ADDENDA <Act No. 18>`
_REMARKED = regex(r"[.!?] (?:\([^()]{1,60}\)|\[(?=[^\]]*\d)[^\[\]]{1,80}\])$")  # a sentence, and what is said of it
_LETTER = regex(r"[^\W\d_]")

_WORDS = [language.statutes for language in LANGUAGES]
# A line that a reference or a phrase runs out of.
_UNFINISHED = regex(f"{either(words.unfinished for words in _WORDS)}$")
_SPELLED_NUMBER = regex(r"[^\W\d_]+(?:-[^\W\d_]+)?(?![\w-])")
SPELLED_NUMBERS = frozenset(word for language in LANGUAGES for word in language.divisions.numbers)


def spelled_number(text: str, at: int) -> str:
    """The number in words that stands there, such as `Twenty-One`, or ''."""
    found = _SPELLED_NUMBER.match(text, at)
    return found[0] if found and found[0].lower() in SPELLED_NUMBERS else ""


class _Printed(NamedTuple):
    """The parts of a line that opens a division: `Schedule` `2` `:` `Fees`, or `The First` `Schedule`."""

    kind: str
    number: str
    end: str
    title: str
    annex: bool


class _DivisionWords:
    """How lines that open divisions read in one language."""

    def __init__(self, words: StatuteWords) -> None:
        self._kind = regex(rf"(?P<kind>{words.divisions})(?:\s+|\s?[–—-]\s?)")
        self._number = regex(words.division_number)
        self._annex = regex(rf"{words.before_annex}(?P<annex>{either([words.annexes])})")
        self._gap = regex(words.annex_gap)
        self._end = regex(rf"(?P<end>\s*[:–—.-]\s*|\s*$|\s+(?={words.division_title}))(?P<title>.*)")

    def read(self, text: str) -> _Printed | None:
        """The parts of the line, if it begins as such lines do."""
        if kind := self._kind.match(text):
            number = self._number_at(text, kind.end())
            end = self._end.match(text, kind.end() + len(number)) if number else None
            if end:
                return _Printed(kind["kind"], number, end["end"].strip(), end["title"].strip(), annex=False)
        annex = self._annex.match(text)
        gap = self._gap.match(text, annex.end()) if annex else None
        number = self._number_at(text, gap.end()) if gap else ""
        at = gap.end() + len(number) if gap and number else annex.end() if annex else 0
        end = self._end.match(text, at) or self._end.match(text, annex.end()) if annex else None
        if annex is None or end is None:
            return None
        number = (number if end.start() == at else "") or annex.groupdict().get("ordinal") or ""
        return _Printed(annex["annex"], number, end["end"].strip(), end["title"].strip(), annex=True)

    def _number_at(self, text: str, at: int) -> str:
        found = self._number.match(text, at)
        return spelled_number(text, at) or (found[0] if found else "")


_DIVISIONS = [_DivisionWords(words) for words in _WORDS if words.divisions]
_STARTS = either(words.sentence_start for words in _WORDS)
_RUN_IN = regex(
    rf"(?P<heading>[^\W\d_(][^—–\n]{{1,250}}?)(?:\.\s?[—–-]\s*(?=\S|$)|\s?[—–](?=\s?\()|-(?=\(1\)|{_STARTS}\s))\s*"
)
# Part 2.4.(1) is a section of the part, Part 2.4 may be a part.
_INSIDE_NUMBER = regex(r"[A-Za-z]+ ?[\dIVXL]+[A-Z]? ?\.(?!\d{1,3}\s*(?:[–—:]|$)|\d{2,3} [A-Z]{2})\S")
_CITED = rf"[A-Z]{{0,2}}\d{{1,4}}[A-Z{CASELESS}]{{0,2}}(?:\.\d{{1,3}})?(?:\(\w{{1,4}}\)){{0,4}}"
_SECTION = either(words.section_words for words in _WORDS)
_REFERENCE = regex(rf"{_SECTION}s? {_CITED}(?:(?:, ?| |[–-])(?:\w{{2,3}} )?{_CITED}){{0,9}}\.?")
_MENTION = regex(either(words.division_mention for words in _WORDS))
_FIRST_LETTERS = frozenset("".join(words.division_initials for words in _WORDS))
_WEAK_ANNEXES = frozenset(annex for words in _WORDS for annex in words.weak_annexes)
_UNNUMBERED_ANNEXES = _WEAK_ANNEXES.union(*(words.unnumbered_annexes for words in _WORDS))
_HEADING = "hcontainer"  # what is addressed by its words
UNITS = {word: unit for language in LANGUAGES for word, unit in language.divisions.addresses.items()}
UNIT_WORDS = {unit: word for word, unit in reversed(UNITS.items())}
"""A word for each unit of addresses: `schedule` for `sched`."""
_CONTENTS = regex(rf"{either(words.contents for words in _WORDS)}\s*:?$", re.I)

# Behind the title of the act, on the same line
_CONTENTS_BEHIND = regex(rf"\s(?P<title>(?=\S+\s\S+\s){either(words.contents for words in _WORDS)})$", re.I)


@dataclass(frozen=True, slots=True)
class HeadingDivision:
    """A line that opens a chapter or the like."""

    kind: str  # the word before the number: a new chapter closes the chapter before it
    label: str  # as printed
    annex: bool  # sections count anew here
    titled: bool
    unit: str = "part"  # how its address begins
    number: str = ""  # as printed
    title: str = ""
    is_weak: bool = False  # where the numbers go on behind the line, it opens nothing

    @property
    def is_note(self) -> bool:
        """Whether it is no part of the law that it stands beside."""
        return self.annex and self.unit == _HEADING


def read_division(text: str) -> HeadingDivision | None:
    """The chapter, part or schedule that the line opens, or None for a sentence that only mentions one."""
    if text[:1] not in _FIRST_LETTERS or len(text) > _LABEL_LENGTH:
        return None
    found = next((found for division in _DIVISIONS if (found := division.read(text))), None)
    if found is not None and found.annex and is_reference(found.title):
        found = found._replace(title="")  # `SCHEDULE Regulation 2`
    if found is None or _INSIDE_NUMBER.match(text) or _is_mention(found) or (found.annex and _is_no_annex(found)):
        return None
    kind = found.kind.lower()
    label, unit = tidy(text), UNITS.get(kind, "annex" if found.annex else "part")
    title = tidy(found.title) or (label if unit == _HEADING else "")
    return HeadingDivision(
        kind=kind,
        label=label,
        annex=found.annex,
        titled=bool(title.strip(" –-:")),
        unit=unit,
        number=found.number,
        title=title,
        is_weak=found.kind in _WEAK_ANNEXES and not found.number,
    )


def _is_mention(found: _Printed) -> bool:
    """Whether the line is a sentence that begins with the name of a division."""
    title, end = found.title, found.end
    if _MENTION.match(title) or title[:1].islower() or (title[-1:] in (".", ";", ",") and not end.startswith(":")):
        return True
    return bool(title) and not (end or title[0] in _BRACKETS or looks_like_heading(title))


def _is_no_annex(found: _Printed) -> bool:
    if found.number:
        return False
    return found.kind not in _UNNUMBERED_ANNEXES or not (not found.title or found.end or found.title[0] in _BRACKETS)


def is_reference(text: str) -> bool:
    """Whether the text is a reference and nothing else, as `Sections 2(1) and 3`."""
    return _REFERENCE.fullmatch(text) is not None


def looks_like_heading(text: str) -> bool:
    """A short line of words that does not end like a sentence, an item or the lead-in of a list."""
    if not text or len(text) > HEADING_LENGTH or text[-1] in _CLOSES or text[0].islower():
        return False
    if _NO_HEADING_START.match(text) and text[0] not in _QUOTED_START:
        return False
    if "\t" in text or text.count(" ") >= _HEADING_WORDS or _UNFINISHED.search(text):
        return False
    return _LETTER.search(text) is not None and _REMARKED.search(text) is None


def first_title(lines: Iterable[str], *, before_section: bool) -> str:
    """The title that the lines begin with: one goes on that is in capitals, unfinished, or was too long for its line.

    Scripts without capitals do not show that: all lines `before_section` are the title there, else only the first.
    """
    title, last = "", ""
    for text in lines:
        if last and not _UNFINISHED.search(last) and not _is_one_title(last, text, before_section=before_section):
            break
        title, last = f"{title} {text}", text
    return tidy(title)


def _is_one_title(last: str, text: str, *, before_section: bool) -> bool:
    if last.upper() == last.lower():
        return before_section
    return last.isupper() == text.isupper() and (last.isupper() or len(last) >= MIN_WRAPPED)


def run_in_heading(text: str) -> str:
    """The heading before a section's text on the same line, as in `Appeal.—(1) Any member …`, or ''."""
    found = _RUN_IN.match(text)
    return tidy(found["heading"].rstrip(". ")) if found else ""


def is_contents_title(text: str) -> bool:
    """Does a table of contents begin here? Its lines look like sections and are none."""
    if text[-6:].isupper() and len(text) <= _LABEL_LENGTH and _CONTENTS_BEHIND.search(text):
        return True
    return len(text) < 40 and _CONTENTS.match(text) is not None


def tidy(text: str) -> str:
    """A heading on one line, without the sign that leads on to its text."""
    return " ".join(text.split()).rstrip(" :–—-")[:MAX_HEADING_LENGTH]
