"""From the order a Hebrew line is seen in to the order it is read in, and texts that were saved as they are seen.

This is the way back of UAX#9, which has no unique answer: "ABC 123" on the page may be either order in the text.
The rules below choose what legal print does: numbers and Latin phrases stay as seen, all else turns round.
"""

import enum
import re
from collections.abc import Iterable, Sequence

from extraction.text.characters import DIGIT, KIND, LTR, MIRROR, NUMBER_JOINERS, NUMBER_SIGNS, RTL

_HEBREW = re.compile("[א-ת]")
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2]+")
_FINALS = "םןךףץ"
_FINAL_AT_START = re.compile("(?<![א-ת])[ךםןףץ](?=[א-ת])")
_FINAL_AT_END = re.compile("(?<=[א-ת])[ךםןףץ](?![א-ת])")
_FINAL_INSIDE = re.compile("(?<=[א-ת])[ךםןףץ](?=[א-ת])")
_FEW, _ENOUGH = 3, 300  # final letters, from which on they tell something, and all
# A unit after a number ("15 mg") is no phrase with the number that follows it in sight.
UNIT = re.compile(
    r"(?:[munkcd]?[gmlsWVA]|[kMG]?Hz|[kM]?Pa|[kM]?bps|[KMG]B|[Cc]m|km|ppm|ppb|dBA?|[KM]?cal|C|F|ha|bar|mol|pH|x|X)[²³]?$"
)
DETACHED_SIGN = re.compile(r"(?:^|\s)[.,;:](?=\S)")  # " ,word": the line reads right to left
ATTACHED_SIGN = re.compile(r"(?<=\S)[.,;:](?=\s|$)")  # "word, ": it reads left to right
LATIN_LIST_RTL = re.compile(r" [,;](?=[A-Za-z0-9])")  # " ,B ,A": Latin items listed right to left
_ENDS = frozenset(" ()[]")
_SENTENCE_SIGNS = frozenset(".,;:!?")
_CLAUSE_SIGNS, _ADDRESS_SIGNS = frozenset(".,;:"), frozenset("@#$")
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_PHRASE_GAP = frozenset(" -–—.,:/")
_INSIDE_NAME = frozenset(".'-&")
_MIRROR_SIGN = re.compile("[" + re.escape("".join(MIRROR)) + "]")
_JOINED_RUN = re.compile(b"\2+(?:\1\2+)*")  # of digits and letters (2), by signs that join them (1)
_STAY, _STAY_THEN_TURN = b"\1", b"\1\0"


def logical(chars: Sequence[str], kinds: bytes) -> str:
    """Reading order of a line given left to right with brackets as shapes. Its cells (tabs) go right to left."""
    cells = []
    start = 0
    for _ in range(chars.count("\t")):
        end = chars.index("\t", start)
        cells.append(_cell(chars[start:end], kinds[start:end]))
        start = end + 1
    cells.append(_cell(chars[start:], kinds[start:]))
    return "\t".join(reversed(cells))


def _cell(chars: Sequence[str], kinds: bytes) -> str:
    if DIGIT not in kinds and LTR not in kinds:
        return _turned(chars)
    stays = left_to_right_places(chars, kinds)
    out: list[str] = []
    end = len(chars)
    while end > 0:  # run by run from the right: one that turns round, one that stays
        start = stays.rfind(True, 0, end) + 1
        out.append(_turned(chars[start:end]))
        end = stays.rfind(False, 0, start) + 1
        out.extend(chars[end:start])
    return "".join(out)


def _turned(chars: Sequence[str]) -> str:
    if isinstance(chars, str):  # as a rule, and it is several times faster
        return _MIRROR_SIGN.sub(lambda sign: MIRROR[sign[0]], chars[::-1])
    return "".join([MIRROR.get(char, char) for char in reversed(chars)])  # a letter may have its marks with it


def left_to_right_places(chars: Sequence[str], kinds: bytes) -> bytearray:
    """For each place of a right-to-left line: does it belong to a run that is read as it is seen?"""
    stays = bytearray(len(chars))
    end = 0
    while (start := kinds.find(LTR, end)) >= 0:
        while start > end and kinds[start - 1] != RTL:
            start -= 1
        end = kinds.find(RTL, start)
        end = len(chars) if end < 0 else end
        _mark_latin(chars, kinds, start, end, stays)
    _mark_numbers(chars, kinds, stays)
    return stays


def _mark_latin(chars: Sequence[str], kinds: bytes, start: int, end: int, stays: bytearray) -> None:
    """Mark the Latin phrase (first to last Latin letter and what belongs to it) of a stretch without Hebrew."""
    first = start
    while kinds[first] != LTR:
        first += 1
    last = end - 1
    while kinds[last] != LTR:
        last -= 1
    first = _with_number_before(chars, kinds, start, first)
    last = _with_number_after(chars, kinds, first, last, end)
    while last + 1 < end and chars[last + 1] in _SENTENCE_SIGNS and _at_end(chars, last + 2):
        last += 1
    open_brackets, deepest = _nesting(chars, first, last)
    if deepest < 0 or LATIN_LIST_RTL.search("".join(chars[first : last + 1])):
        for place in range(first, last + 1):  # separate words, not one phrase
            if kinds[place] in (LTR, DIGIT) or (
                chars[place] in _INSIDE_NAME and first < place < last and kinds[place - 1] == LTR == kinds[place + 1]
            ):
                stays[place] = True
        return
    while open_brackets > 0 and last + 1 < end and chars[last + 1] in _CLOSING:
        last += 1
        open_brackets -= 1
    for place in range(first, last + 1):
        stays[place] = True


def _with_number_before(chars: Sequence[str], kinds: bytes, start: int, first: int) -> int:
    """Take in a number or an address sign that touches the phrase: "3M", "@name"."""
    while first > start:
        before = chars[first - 1]
        joined = (
            first - 1 > start and kinds[first - 2] == DIGIT and (before in NUMBER_JOINERS or before in NUMBER_SIGNS)
        )
        if not (before in _ADDRESS_SIGNS or kinds[first - 1] == DIGIT or joined):
            break
        first -= 1
    return first


def _with_number_after(chars: Sequence[str], kinds: bytes, first: int, last: int, end: int) -> int:
    """Take in the number of "A4" and "DOC 9284", but not the one that stands beside a unit."""
    after = last + 1
    while after < end and kinds[after] == DIGIT:
        after += 1
    if after > last + 1:
        return after - 1
    word = last
    while word > first and kinds[word - 1] in (LTR, DIGIT):
        word -= 1
    if UNIT.match("".join(chars[word : last + 1])):
        return last
    while after < end and chars[after] in _PHRASE_GAP:
        after += 1
    if after == last + 1 or after >= end or kinds[after] != DIGIT:
        return last
    if DETACHED_SIGN.search("".join(chars[last + 1 : after + 1])):
        return last
    while after < end and (
        kinds[after] == DIGIT or (chars[after] in NUMBER_JOINERS and after + 1 < end and kinds[after + 1] == DIGIT)
    ):
        after += 1
    return after - 1


def _nesting(chars: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Brackets left open at the end, and the lowest level on the way."""
    level = lowest = 0
    for place in range(first, last + 1):
        if chars[place] in _OPENING:
            level += 1
        elif chars[place] in _CLOSING:
            level -= 1
            lowest = min(lowest, level)
    return level, lowest


def _mark_numbers(chars: Sequence[str], kinds: bytes, stays: bytearray) -> None:
    length = len(chars)
    end = 0
    while (start := kinds.find(DIGIT, end)) >= 0:
        end = start + 1
        while end < length and kinds[end] == DIGIT:
            end += 1
        stays[start:end] = _STAY * (end - start)
        if start and chars[start - 1] in NUMBER_SIGNS:
            stays[start - 1] = True
        if end < length and (
            chars[end] in NUMBER_SIGNS
            or (chars[end] in NUMBER_JOINERS and end + 1 < length and kinds[end + 1] == DIGIT)
        ):
            stays[end] = True
    place = stays.find(_STAY_THEN_TURN)
    while place >= 0:  # "3." that was drawn left to right
        if chars[place + 1] in _CLAUSE_SIGNS and _at_end(chars, place + 2):
            stays[place + 1] = True
        place = stays.find(_STAY_THEN_TURN, place + 1)


def _at_end(chars: Sequence[str], place: int) -> bool:
    return place >= len(chars) or chars[place] in _ENDS


def reads_left_to_right(chars: Sequence[str], kinds: bytes) -> bool:
    """Is a line without Hebrew letters, on a Hebrew page, Latin text rather than a piece of Hebrew typesetting?"""
    if "\t" in chars:
        return False
    if LTR not in kinds and any(char in MIRROR for char in chars):
        return False
    text = "".join(chars).strip()
    return len(DETACHED_SIGN.findall(text)) <= len(ATTACHED_SIGN.findall(text))


def turn_mirrored_runs(chars: Sequence[str], kinds: bytes) -> tuple[list[str], bytes]:
    """A mirrored line (Tesseract's layers) with its digits and Latin the right way round."""
    joiners = bytes(char in NUMBER_JOINERS for char in chars)
    classes = bytes(2 if kind in (DIGIT, LTR) else joins for kind, joins in zip(kinds, joiners, strict=True))
    order = list(range(len(chars)))
    for run in _JOINED_RUN.finditer(classes):
        order[slice(*run.span())] = reversed(range(*run.span()))
    return [chars[place] for place in order], bytes(kinds[place] for place in order)


class LineOrder(enum.Enum):
    READING = enum.auto()
    SCREEN = enum.auto()
    NONE = enum.auto()  # the letters make no words


def order_of(lines: Iterable[str]) -> LineOrder:
    """The order of the Hebrew letters, by where in words the final letters stand."""
    at_start, inside, at_end = _finals(lines)
    if inside >= _FEW and inside * 2 > at_start + at_end:
        return LineOrder.NONE
    return LineOrder.SCREEN if at_start >= _FEW and at_start > 2 * at_end else LineOrder.READING


def is_visual(lines: Iterable[str]) -> bool:
    """Are lines in screen order whose file says so? What it says is not to be believed alone."""
    at_start, _, at_end = _finals(lines)
    return at_start > at_end


def _finals(lines: Iterable[str]) -> tuple[int, int, int]:
    """How many final letters stand at the beginning, in the middle and at the end of words."""
    at_start = inside = at_end = 0
    for line in lines:
        if any(letter in line for letter in _FINALS):
            line = _POINTS.sub("", line)
            at_start += len(_FINAL_AT_START.findall(line))
            inside += len(_FINAL_INSIDE.findall(line))
            at_end += len(_FINAL_AT_END.findall(line))
            if at_start + inside + at_end >= _ENOUGH:
                break
    return at_start, inside, at_end


def reading_order(line: str) -> str:
    """One screen line in logical order. Lines without Hebrew are not changed."""
    return logical(line, bytes(KIND[char] for char in line)) if _HEBREW.search(line) else line
