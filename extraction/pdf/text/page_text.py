"""The text of a page with what is known of each of its characters: counted and searched all at once."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from extraction.text.characters import (
    BRACKETS,
    DASHES,
    HEBREW,
    INVISIBLE,
    KIND,
    LATIN1_FOR_HEBREW,
    MIRROR,
    NEUTRAL,
    PDFIUM_MIRROR,
    SPACES,
    plain_letter,
    undisguise_cp1255,
)

# What is known of a character: its kind in the lowest bits, and these flags. 0 is a character not met yet.
KIND_BITS: Final = 0b111
UNSEEN: Final = 1 << 3  # a space, or what a page carries but does not show
SPACE: Final = 1 << 4
MIRRORED: Final = 1 << 5
BRACKET: Final = 1 << 6
DASH: Final = 1 << 7
PRESENTATION_FORM: Final = 1 << 8  # a Hebrew letter that becomes others
MIRRORED_BY_PDFIUM: Final = 1 << 9
BLANK: Final = 1 << 10  # white space of any sort
LETTER: Final = 1 << 11
HEBREW_LETTER: Final = 1 << 12
LATIN1: Final = 1 << 13  # what windows-1255 Hebrew is called by fonts that do not know it
JUNK: Final = 1 << 14  # private use, control or replacement characters
IMPLAUSIBLE: Final = 1 << 15  # in no Hebrew or English print
DISGUISED_SHARE: Final = 0.3

Codes = NDArray[np.uint32]
Flags = NDArray[np.uint16]

_flags_of: Final = np.zeros(0x110000, dtype=np.uint16)
_JUNK = re.compile("[\ue000-\uf8ff\ufffd\x01-\x08\x0b\x0e-\x1f]")
_PLAUSIBLE = re.compile(
    "[\x20-\x7e\u00a0-\u00ff\u0591-\u05f4\u0100-\u017f\ufb1d-\ufb4f\u2010-\u2027\u20aa\u20ac\u2070-\u2089\u2044"
    "\u2022\u25a0-\u25cf\u2190-\u2193\u2200-\u22ff\u2122\uf0b7\ufffe\u0600-\u06ff]"
)


class PageText:
    """A text, the code of each character and its flags."""

    __slots__ = ("codes", "flags", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.codes: Codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self.flags = _character_flags(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def count(self, flag: int) -> int:
        """How many characters have the flag."""
        return int(np.count_nonzero(self.flags & np.uint16(flag)))

    @property
    def printed(self) -> int:
        """How many characters are not white space."""
        return len(self) - self.count(BLANK)

    @property
    def is_disguised(self) -> bool:
        """Does the font call windows-1255 Hebrew Latin-1 (old printer drivers)?"""
        return not self.count(HEBREW_LETTER) and self.count(LATIN1) > DISGUISED_SHARE * self.printed

    def undisguised(self) -> PageText:
        """The text with Hebrew letters under their own names."""
        return PageText(undisguise_cp1255(self.text)) if self.is_disguised else self


def _character_flags(codes: Codes) -> Flags:
    flags = _flags_of[codes]
    if np.count_nonzero(flags) < len(flags):
        for code in set(codes[flags == 0].tolist()):  # np.unique would load all of numpy.ma
            _flags_of[code] = _flags(chr(code))
        flags = _flags_of[codes]
    return flags


def _flags(char: str) -> int:
    kind = KIND[char]
    blank = char.isspace()
    return (
        kind
        | UNSEEN * (char in SPACES or (kind == NEUTRAL and bool(INVISIBLE.match(char))))
        | SPACE * (char in SPACES)
        | MIRRORED * (char in MIRROR)
        | BRACKET * (char in BRACKETS)
        | DASH * (char in DASHES)
        | PRESENTATION_FORM * (plain_letter(char) != char)
        | MIRRORED_BY_PDFIUM * (char in PDFIUM_MIRROR)
        | BLANK * blank
        | LETTER * char.isalpha()
        | HEBREW_LETTER * bool(HEBREW.match(char))
        | LATIN1 * bool(LATIN1_FOR_HEBREW.match(char))
        | JUNK * (not blank and bool(_JUNK.match(char)))
        | IMPLAUSIBLE * (not blank and not _PLAUSIBLE.match(char))
    )
