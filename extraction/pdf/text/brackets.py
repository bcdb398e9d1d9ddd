"""Which way a bracket really faces: producers store its shape, its logical side, or both swapped, font by font."""

from collections.abc import Sequence

from extraction.text.characters import CLOSING, LTR, MIRROR, OPENING, RTL

Bracket = tuple[int, object]  # place in the line, font


class BracketVote:
    """What the fonts of one document do, learnt as its pages are read.

    Read from left to right, shapes nest as "( )". Codes that nest as ") (" are swapped.
    """

    def __init__(self) -> None:
        self._as_shape: dict[object, int] = {}
        self._swapped: dict[object, int] = {}

    def count_pairs(self, chars: Sequence[str], brackets: Sequence[Bracket]) -> None:
        """Count the pairs of one line, its characters standing left to right."""
        opened: list[object] = []
        closed: list[object] = []
        for place, font in brackets:
            char = chars[place]
            if char in "([{":
                opened.append(font)
                if closed:
                    self._count(closed.pop(), swapped=True)
            elif char in ")]}":
                closed.append(font)
                if opened:
                    self._count(opened.pop(), swapped=False)

    def _count(self, font: object, *, swapped: bool) -> None:
        votes = self._swapped if swapped else self._as_shape
        votes[font] = votes.get(font, 0) + 1

    def is_swapped(self, font: object) -> bool:
        swapped, as_shape = self._swapped.get(font, 0), self._as_shape.get(font, 0)
        if swapped != as_shape:
            return swapped > as_shape
        return sum(self._swapped.values()) > sum(self._as_shape.values())

    def shapes(self, chars: Sequence[str], kinds: bytes, brackets: Sequence[Bracket]) -> Sequence[str]:
        """The characters with codes replaced by shapes. Inside a Latin stretch good nesting overrules the font's
        habit.
        """
        turned = self._turned(chars, kinds, brackets) if self._swapped else []
        if not turned:
            return chars
        shapes = list(chars)
        for place in turned:
            shapes[place] = MIRROR[shapes[place]]
        return "".join(shapes) if isinstance(chars, str) else shapes

    def _turned(self, chars: Sequence[str], kinds: bytes, brackets: Sequence[Bracket]) -> list[int]:
        """The places of brackets that face the other way than their codes say."""
        turned: list[int] = []
        for group in _groups(kinds, brackets):
            at = 0
            while at < len(group):
                place, font = group[at]
                swapped = self.is_swapped(font)
                if at + 1 < len(group):
                    partner = group[at + 1][0]
                    nests = chars[place] in OPENING and chars[partner] in CLOSING
                    crosses = chars[place] not in OPENING and chars[partner] not in CLOSING
                    if nests and (not swapped or LTR in kinds[place:partner]):
                        at += 2
                        continue
                    if swapped and crosses:
                        turned += [place, partner]
                        at += 2
                        continue
                if swapped:
                    turned.append(place)
                at += 1
        return turned


def _groups(kinds: bytes, brackets: Sequence[Bracket]) -> list[list[Bracket]]:
    """Brackets with no Hebrew letter between them. One that touches a Hebrew letter is a group by itself."""
    groups: list[list[Bracket]] = []
    last: int | None = None
    for place, font in brackets:
        before = place > 0 and kinds[place - 1] == RTL
        after = place + 1 < len(kinds) and kinds[place + 1] == RTL
        if before or after:
            groups.append([(place, font)])
            last = None
            continue
        if last is not None and RTL not in kinds[last:place]:
            groups[-1].append((place, font))
        else:
            groups.append([(place, font)])
        last = place
    return groups
