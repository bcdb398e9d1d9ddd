"""How a piece of text is shown: on its line, above or below it, or not at all, and in which font."""

from __future__ import annotations

import re
from typing import NamedTuple

from extraction.document import LostWhat, characters_of
from extraction.text.raised import Lowered, Raised

MAX_RUNNING_HEAD_LENGTH = 100  # characters
MAX_OF_FIRST_PAGE_LENGTH = 20
MIN_PICTURE_CM2 = 60.0  # A logo or a signature is smaller, a page that was scanned larger.

_FORMULAS = re.compile(r"Equation|MathType", re.I)
_PICTURES = re.compile(r"Picture|Bitmap|PBrush|Photo", re.I)

# Fields that Word draws and keeps no result of: formulas, signs, numbers of paragraphs and what is to be clicked.
_DRAWN_FIELDS = {
    **{"EQ": LostWhat.FORMULA, "SYMBOL": LostWhat.OTHER, "LISTNUM": LostWhat.OTHER},
    **dict.fromkeys(("AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "MACROBUTTON", "GOTOBUTTON"), LostWhat.OTHER),
}


class TextStyle(NamedTuple):
    """What a style says. None is what surrounds the text."""

    place: type[str] | None = None
    hidden: bool | None = None
    font: str | None = None

    def over(self, other: TextStyle) -> TextStyle:
        """This, and what the other says where this says nothing."""
        return TextStyle(
            other.place if self.place is None else self.place,
            other.hidden if self.hidden is None else self.hidden,
            other.font if self.font is None else self.font,
        )


def place_at(height: float) -> type[str]:
    """Where text stands that was moved up, or down where that is less than nothing."""
    return str if not height else Raised if height > 0 else Lowered


def lost_margin(characters: int, *, of_first_page: bool = False) -> int:
    """How many characters of a header or footer are lost: none where it only repeats, as short ones do.

    What the first page alone has repeats less.
    """
    return characters if characters > (MAX_OF_FIRST_PAGE_LENGTH if of_first_page else MAX_RUNNING_HEAD_LENGTH) else 0


def lost_object(program: str) -> tuple[LostWhat, int | None]:
    """What is lost with an object that such a program embedded. Of pictures, what is drawn is looked at elsewhere."""
    if _PICTURES.search(program):
        return LostWhat.PICTURE, 0
    return LostWhat.FORMULA if _FORMULAS.match(program) else LostWhat.ATTACHMENT, None


def lost_field(instruction: str) -> tuple[LostWhat, int | None] | None:
    """What is lost with a field that is so instructed. None where its result is in the text."""
    name, _, arguments = instruction.strip().partition(" ")
    what = _DRAWN_FIELDS.get(name.upper())
    return (what, characters_of(arguments) or None) if what else None
