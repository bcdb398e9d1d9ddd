"""What a page's text layer is worth: text, nothing, an image of text, or junk."""

from __future__ import annotations

import enum
import re

from sources.extraction.pdf.characters import hebrew_letters, is_disguised_cp1255, letters, undisguise_cp1255
from sources.extraction.pdf.rulings import Drawing

FEW_CHARACTERS = 15  # fewer beside an image: the page is a scan
FEW_WORDS_OVER_IMAGE = 150  # characters; a stamp or a title over a full-page image
FULL_PAGE = 0.6  # share of the page an image covers
OUTLINED_TEXT_PATHS = 150  # as many paths and no text: letters were drawn as curves
JUNK_SHARE = 0.2
PLAUSIBLE_SHARE = 0.75

_JUNK = re.compile("[\ue000-\uf8ff\ufffd\x01-\x08\x0b\x0e-\x1f]")
_IMPLAUSIBLE = re.compile(  # runs of them: as a rule there are none
    "[^\x20-\x7e\u00a0-\u00ff\u0591-\u05f4\u0100-\u017f\ufb1d-\ufb4f\u2010-\u2027\u20aa\u20ac\u2070-\u2089\u2044"
    "\u2022\u25a0-\u25cf\u2190-\u2193\u2200-\u22ff\u2122\uf0b7\ufffe\u0600-\u06ff]+"
)


class PageClass(enum.Enum):
    OK = "ok"
    EMPTY = "empty"
    SCAN = "scan"
    JUNK = "junk"
    BROKEN = "broken"  # the engine could not read it


def classify(text: str, drawn: Drawing) -> PageClass:
    """`text` as emitted; a layer of Latin-1 that is really windows-1255 Hebrew counts as text."""
    bare = "".join(text.split())
    if len(bare) < FEW_CHARACTERS:
        if drawn.images or (not bare and drawn.paths >= OUTLINED_TEXT_PATHS):
            return PageClass.SCAN
        return PageClass.OK if bare else PageClass.EMPTY
    if is_disguised_cp1255(bare):
        if hebrew_letters(undisguise_cp1255(bare)) > 0.5 * letters(bare):
            return PageClass.OK
        return PageClass.JUNK
    if len(_JUNK.findall(bare)) > JUNK_SHARE * len(bare):
        return PageClass.JUNK
    if len(bare) - sum(map(len, _IMPLAUSIBLE.findall(bare))) < PLAUSIBLE_SHARE * len(bare):
        return PageClass.JUNK
    return PageClass.OK


def is_mostly_image(text: str, drawn: Drawing, page_area: float) -> bool:
    """A full-page image with a few words over it: what the image says is not in the text layer."""
    return len("".join(text.split())) < FEW_WORDS_OVER_IMAGE and covers_page(drawn, page_area)


def covers_page(drawn: Drawing, page_area: float) -> bool:
    return 0 < FULL_PAGE * page_area <= drawn.image_area
