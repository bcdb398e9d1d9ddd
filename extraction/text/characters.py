"""Character classes of Hebrew and English print, as the line rebuilding and PDFium's own ordering see them."""

import re
import unicodedata
from typing import Final

# Classes of a character. WEAK are the signs PDFium keeps glued to the digits before them.
RTL: Final = 1
LTR: Final = 2
DIGIT: Final = 3
WEAK: Final = 4
NEUTRAL: Final = 5
MARK: Final = 6  # niqqud and cantillation

MIRROR: Final = dict(zip("()[]{}<>«»", ")(][}{><»«", strict=True))
# Besides brackets PDFium mirrors curly quotes in what it takes for right-to-left runs.
PDFIUM_MIRROR: Final = {**MIRROR, "“": "”", "”": "“", "‘": "’", "’": "‘"}
OPENING: Final = frozenset("([{<")
CLOSING: Final = frozenset(")]}>")
BRACKETS: Final = frozenset("()[]")
DASHES: Final = frozenset("-–—־")
SPACES: Final = frozenset(" \u00a0")
NUMBER_JOINERS: Final = frozenset(".,:/-+\u2044\u2212")  # inside a number: 1,000  12.5  054-123
NUMBER_SIGNS: Final = frozenset("%‰₪$€£°#")  # beside a number: 20%
SOFT_HYPHENS: Final = ("\ufffe", "\u00ad")  # PDFium's mark for a word broken at the line end, and Unicode's

HEBREW: Final = re.compile("[\u05d0-\u05ea\ufb1d-\ufb4f]")
_HEBREW_RUN = re.compile("[\u05d0-\u05ea\ufb1d-\ufb4f]+")
LATIN1_FOR_HEBREW: Final = re.compile("[\u00e0-\u00fa]")

# Control and direction characters, which a page carries but does not show.
INVISIBLE: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

_PDFIUM_WEAK = frozenset("+-,./:#$%°₪€£\u2212\u2044‰\u00a0")
_CP1255 = {0xE0 + offset: 0x5D0 + offset for offset in range(27)}
_HEBREW_PUNCTUATION = frozenset((0x5BE, 0x5C0, 0x5C3, 0x5C6))
_PRESENTATION_FORM = re.compile("[\ufb1d-\ufb4f]")


class _KindTable(dict[str, int]):
    def __missing__(self, char: str) -> int:
        found = self[char] = _kind(char)
        return found


def _kind(char: str) -> int:
    code = ord(char)
    if 0x591 <= code <= 0x5C7 and code not in _HEBREW_PUNCTUATION:
        return MARK
    if 0x590 <= code <= 0x8FF or 0xFB1D <= code <= 0xFDFF or 0xFE70 <= code <= 0xFEFE:
        return RTL
    if unicodedata.category(char) in ("Nd", "No"):
        return DIGIT
    if char.isalpha():
        return LTR
    return WEAK if char in _PDFIUM_WEAK else NEUTRAL


KIND: Final = _KindTable()  # KIND[char] is its class. Filled on first use of a character.


def hebrew_letters(text: str) -> int:
    return sum(map(len, _HEBREW_RUN.findall(text)))


def letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def undisguise_cp1255(text: str) -> str:
    return text.translate(_CP1255)


def without_invisible(text: str) -> str:
    return text if text.isprintable() else INVISIBLE.sub("", text)


def plain_letter(char: str) -> str:
    """Hebrew presentation forms (wide letters, letters with a dot) as ordinary letters."""
    return unicodedata.normalize("NFKC", char) if _PRESENTATION_FORM.match(char) else char
