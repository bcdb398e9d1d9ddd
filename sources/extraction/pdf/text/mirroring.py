"""Undoes PDFium's mirroring of signs in runs that it takes for right-to-left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sources.extraction.pdf.text.characters import LTR, PDFIUM_MIRROR, RTL
from sources.extraction.pdf.text.page_text import KIND_BITS, MIRRORED_BY_PDFIUM, Codes, PageText

_mirrored = np.arange(1 + max(map(ord, PDFIUM_MIRROR)), dtype=np.uint32)
_mirrored[list(map(ord, PDFIUM_MIRROR))] = list(map(ord, PDFIUM_MIRROR.values()))


def codes_as_stored(text: PageText, pieces: Sequence[tuple[int, int]], *, right_to_left: bool) -> Codes:
    """The codes of the text with the mirroring undone in each piece, whose direction is decided as CFX_BidiString does.

    A sign runs as the last letter before it in its piece, one before the first letter as most runs of the piece.
    `pieces` hold all signs and letters. `right_to_left`: the file sets PDFium's base direction.
    """
    signs = np.flatnonzero(text.flags & np.uint16(MIRRORED_BY_PDFIUM))
    if not len(signs):
        return text.codes
    kinds = text.flags & np.uint16(KIND_BITS)
    rtl, ltr = kinds == RTL, kinds == LTR
    starts = np.array([start for start, _ in pieces])
    piece_of = np.searchsorted(starts, signs, side="right") - 1
    letters = np.flatnonzero(rtl | ltr)
    number = np.searchsorted(letters, signs) - 1  # of the last letter before each sign
    before = letters[number] if len(letters) else signs
    has_letter = (number >= 0) & (before >= starts[piece_of])
    turned = rtl[before]
    if np.count_nonzero(has_letter) < len(signs):
        most = np.add.reduceat(_run_starts(rtl) - _run_starts(ltr), starts) > 0
        turned = np.where(has_letter, turned, most[piece_of] | right_to_left)
    flipped = signs[turned]
    codes = text.codes.copy()
    codes[flipped] = _mirrored[codes[flipped]]
    return codes


def _run_starts(there: np.ndarray) -> np.ndarray:
    """1 where a run begins, else 0."""
    starts = there.astype(np.int64)
    starts[1:] &= ~there[:-1]
    return starts
