"""What groups of an RTF say of what is round them: what fields are to show, programs of objects, sizes of pictures."""

from extraction.document import LostWhat
from extraction.text.looks import MIN_PICTURE_CM2, lost_field, lost_object

WORDS = frozenset({"objclass", "formfield", "ffl", "fldinst", "leveltext"})  # groups whose text is kept
NUMBERS = frozenset({"fftype", "ffres", "ffdefres", "picwgoal", "pichgoal"})

_BOX, _LIST = 1, 2  # types of fields
_UNDEFINED = 25  # the result of a field that was not filled
_TWIPS_TO_CM = 2.54 / 1440


class Captured:
    """The texts of such groups and the numbers in them."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {word: [] for word in WORDS}
        self._numbers: dict[str, int] = {}

    def open(self, word: str) -> None:
        """A group begins. Each entry of a list has one of its own, and a field may be in the instruction of another."""
        if word == "formfield":
            self._numbers.clear()
            self._texts["ffl"].clear()
        if word not in {"ffl", "fldinst"}:
            self._texts[word].clear()
        self._texts[word].append("")

    def add(self, word: str, text: str) -> None:
        """More text of the group that is open."""
        texts = self._texts[word]
        texts[-1:] = ["".join([*texts[-1:], text])]

    def text(self, word: str) -> str:
        """The text of the last such group."""
        return "".join(self._texts[word][-1:])

    def describe(self, word: str, number: int) -> bool:
        """A number. Is it the last one of a picture that may have words in it?"""
        self._numbers[word] = number
        sides = [self._numbers.get(side, 0) * _TWIPS_TO_CM for side in ("picwgoal", "pichgoal")]
        if not all(sides) or not word.startswith("pic"):
            return False
        del self._numbers["picwgoal"], self._numbers["pichgoal"]
        return sides[0] * sides[1] >= MIN_PICTURE_CM2

    def filled(self) -> str:
        """What is filled in the field of a form that ends, where it is no text: a box that is ticked, or an entry."""
        chosen = self._numbers.get("ffres", _UNDEFINED)
        if chosen == _UNDEFINED:
            chosen = self._numbers.get("ffdefres", 0)
        kind, entries = self._numbers.get("fftype"), self._texts["ffl"]
        if kind == _BOX:
            return "☒" if chosen else "☐"
        return entries[chosen].strip() if kind == _LIST and 0 <= chosen < len(entries) else ""

    def lost_field(self) -> tuple[LostWhat, int | None] | None:
        """What is lost with the field whose instruction ends."""
        return lost_field(self._texts["fldinst"].pop())

    def lost_object(self) -> tuple[LostWhat, int | None]:
        """What is lost with the object that begins."""
        return lost_object(self.text("objclass"))
