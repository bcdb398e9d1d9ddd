"""What looks like a heading, and the lines that name a chapter, a part or a schedule."""

import re
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

HEADING_LENGTH = 130
_HEADING_WORDS = 22
_LABEL_LENGTH = 200
LONGEST_HEADING = 400
_CLOSES = frozenset(".;:,–—-")
_NO_HEADING_START = regex(r"[\W_]|(?:https?|www)\b|\d{1,2}[./]\d")
_QUOTED_START = frozenset("\"'”“״[")
_LETTER = regex(r"[^\W\d_]")

_WORDS = [language.statutes for language in LANGUAGES]
# A line that a reference or a phrase runs out of.
_UNFINISHED = regex(f"{either(words.unfinished for words in _WORDS)}$")
_DIVISIONS = [
    regex(
        rf"(?:(?P<kind>{words.divisions})(?:\s+|\s?[–—-]\s?)(?P<id>{words.division_number})"
        rf"|{words.before_annex}(?P<annex>{either([words.annexes])})(?:{words.annex_gap}(?P<annex_id>{words.division_number}))?)"
        rf"(?P<end>\s*[:–—.-]\s*|\s*$|\s+(?={words.division_title}))(?P<title>.*)"
    )
    for words in _WORDS
    if words.divisions
]
_STARTS = either(words.sentence_start for words in _WORDS)
_RUN_IN = regex(
    rf"(?P<heading>[^\W\d_(][^—–\n]{{1,250}}?)(?:\.\s?[—–-]\s*(?=\S|$)|\s?[—–](?=\s?\()|-(?=\(1\)|{_STARTS}\s))\s*"
)
# Part 2.4.(1) is a section of the part, Part 2.4 may be a part.
_INSIDE_NUMBER = regex(r"[A-Za-z]+ ?[\dIVXL]+[A-Z]? ?\.(?!\d{1,3}\s*(?:[–—:]|$)|\d{2,3} [A-Z]{2})\S")
_MENTION = regex(either(words.division_mention for words in _WORDS))
_FIRST_LETTERS = frozenset("".join(words.division_initials for words in _WORDS))
_UNNUMBERED_ANNEXES = frozenset(annex for words in _WORDS for annex in words.unnumbered_annexes)
_UNITS = {word: unit for words in _WORDS for word, unit in words.units.items()}
UNIT_WORDS = {unit: word for word, unit in reversed(_UNITS.items())}
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


def read_division(text: str) -> HeadingDivision | None:
    """The chapter, part or schedule that the line opens, or None for a sentence that only mentions one."""
    if text[:1] not in _FIRST_LETTERS or len(text) > _LABEL_LENGTH:
        return None
    found = next((found for division in _DIVISIONS if (found := division.match(text))), None)
    if found is None or _INSIDE_NUMBER.match(text):
        return None
    title = found["title"].strip()
    end = found["end"].strip()
    annex = found["annex"]
    annex_number = found["annex_id"] or found.groupdict().get("ordinal")
    if _MENTION.match(title) or title[:1].islower():
        return None
    if title and title[-1] in ".;," and not end.startswith(":"):
        return None
    if not end and title and not title.startswith("(") and not looks_like_heading(title):
        return None
    if annex and annex not in _UNNUMBERED_ANNEXES and not annex_number:
        return None
    if annex and not annex_number and title and not end and not title.startswith("("):
        return None
    kind = (found["kind"] or annex).lower()
    return HeadingDivision(
        kind=kind,
        label=tidy(text),
        annex=bool(annex),
        titled=bool(title.strip(" –-:")),
        unit=_UNITS.get(kind, "annex" if annex else "part"),
        number=(annex_number if annex else found["id"]) or "",
        title=tidy(title),
    )


def unit_of(kind: str) -> str:
    """How the address of such a division begins: `chp` for `chapter`."""
    return _UNITS.get(kind, "part")


def looks_like_heading(text: str) -> bool:
    """A short line of words that does not end like a sentence, an item or the lead-in of a list."""
    if not text or len(text) > HEADING_LENGTH or text[-1] in _CLOSES or text[0].islower():
        return False
    if _NO_HEADING_START.match(text) and text[0] not in _QUOTED_START:
        return False
    if "\t" in text or text.count(" ") >= _HEADING_WORDS or _UNFINISHED.search(text):
        return False
    return _LETTER.search(text) is not None


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
    return " ".join(text.split()).rstrip(" :–—-")[:LONGEST_HEADING]
