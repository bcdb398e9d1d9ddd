"""Writes the value of a cell as its number format displays it (ECMA-376 part 1, 18.8.31)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from extraction.sheets.dates import date_text

Value = str | bool | int | float | datetime.datetime | datetime.date | datetime.time | datetime.timedelta
MAX_NUMBER = 1e15  # Numbers beyond have more digits than a double knows.
GENERAL_DIGITS = 11

_SECTION = re.compile(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;"\\\[]|[\[\\])*', re.DOTALL)
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*)\]|E[+-]|General|.', re.I | re.S
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_COMPARED = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "=": lambda one, other: one == other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
    "<>": lambda one, other: one != other,
}


class FormatToken(NamedTuple):
    """A piece of a format. `kind` is `literal`, `condition`, or the sign itself."""

    kind: str
    text: str


def displayed(value: Value, number_format: str) -> str:
    """The text of a cell. A format that hides its value gives ""."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return _text(value, number_format)
    if isinstance(value, int | float):
        return _number(value, number_format)
    return date_text(value, number_format)


@lru_cache(maxsize=512)
def _sections(number_format: str) -> tuple[tuple[FormatToken, ...], ...]:
    """The formats for numbers above, below and of 0, and for text."""
    parts, place = [], 0
    while place <= len(number_format):
        found = _SECTION.match(number_format, place)
        part = found[0] if found else ""
        parts.append(tuple(_tokens(part)))
        place += len(part) + 1
    return tuple(parts[:4])


def _tokens(section: str) -> list[FormatToken]:
    tokens = []
    for found in _TOKEN.finditer(section):
        whole, bracket = found[0], found["bracket"]
        if bracket is not None:
            if bracket.startswith("$"):
                tokens.append(FormatToken("literal", bracket[1:].partition("-")[0]))
            elif _CONDITION.fullmatch(bracket):
                tokens.append(FormatToken("condition", bracket))
        elif found["quoted"] is not None or found["escaped"] is not None:
            tokens.append(FormatToken("literal", found["quoted"] or found["escaped"] or ""))
        elif whole.startswith(("_", "*")) and len(whole) == 2:
            tokens.append(FormatToken("literal", " " if whole[0] == "_" else ""))
        elif whole.lower() == "general":
            tokens.append(FormatToken("general", whole))
        elif whole[0] in "0#?.,%/@" or whole.upper() in {"E+", "E-"}:
            tokens.append(FormatToken(whole[0].upper(), whole))
        else:
            tokens.append(FormatToken("literal", whole))
    return tokens


def _text(value: str, number_format: str) -> str:
    if number_format in {"General", "@", ""}:
        return value
    sections = _sections(number_format)
    if len(sections) < 4:
        return value
    return "".join(value if token.kind == "@" else token.text for token in sections[3]).strip()


def _number(value: float, number_format: str) -> str:
    if value != value or abs(value) >= MAX_NUMBER or number_format in {"General", "@", ""}:
        return _general(value)
    sections = _sections(number_format)
    section, keeps_sign = _chosen(sections, value)
    tokens = [token for token in section if token.kind != "condition"]
    sign = "-" if value < 0 and keeps_sign else ""
    text = _written(tokens, abs(value))
    if sign and not any(char in "123456789" for char in text):
        sign = ""
    return f"{sign}{text}".strip()


def _chosen(sections: Sequence[Sequence[FormatToken]], value: float) -> tuple[Sequence[FormatToken], bool]:
    """The section for a number, and whether the sign is not in it already."""
    conditions = [next((token.text for token in one if token.kind == "condition"), None) for one in sections]
    if any(conditions):
        for section, condition in zip(sections, conditions, strict=True):
            found = _CONDITION.fullmatch(condition or "")
            if not found or _COMPARED[found[1]](value, float(found[2])):
                return section, True
        return sections[-1], True
    if value < 0 and len(sections) > 1:
        return sections[1], False
    if value == 0 and len(sections) > 2:
        return sections[2], False
    return sections[0], True


def _written(tokens: Sequence[FormatToken], value: float) -> str:
    kinds = [token.kind for token in tokens]
    digits = [place for place, kind in enumerate(kinds) if kind in "0#?"]
    if not digits:
        return "".join(_general(value) if token.kind in {"general", "@"} else token.text for token in tokens)
    if "/" in kinds:
        return _fraction(tokens, value)
    if "E" in kinds:
        return _scientific(tokens, value)
    number = Decimal(repr(value)) * 100 ** kinds.count("%")
    point = kinds.index(".") if "." in kinds else len(tokens)
    whole = [place for place in digits if place < point]
    after = [place for place in digits if place > point]
    last = whole[-1] if whole else -1
    while last + 1 < len(tokens) and kinds[last + 1] == ",":
        number, last = number / 1000, last + 1
    groups = bool(whole) and "," in kinds[whole[0] : whole[-1]]
    number = number.quantize(Decimal(1).scaleb(-len(after)), rounding=ROUND_HALF_UP)
    units, _, decimals = f"{number:f}".partition(".")
    pieces = [token.text if token.kind not in "0#?," else "" for token in tokens]
    _put_units(pieces, kinds, whole, units.lstrip("0"), groups=groups)
    _put_decimals(pieces, kinds, after, decimals)
    return "".join(pieces)


def _put_units(pieces: list[str], kinds: Sequence[str], places: Sequence[int], units: str, *, groups: bool) -> None:
    """The digits before the point from the right, each at its place. The first place has what is left of them."""
    needed = len(places) - next((index for index, place in enumerate(places) if kinds[place] == "0"), len(places))
    units = units.rjust(needed, "0")
    marks = [
        f",{digit}" if groups and (len(units) - index) % 3 == 0 and index else digit
        for index, digit in enumerate(units)
    ]
    for place in reversed(places[1:]):
        pieces[place] = marks.pop() if marks else ""
    if places:
        pieces[places[0]] = "".join(marks)


def _put_decimals(pieces: list[str], kinds: Sequence[str], places: Sequence[int], decimals: str) -> None:
    kept = list(decimals)
    for place in reversed(places):
        if kinds[place] == "0" or kept[-1:] != ["0"]:
            break
        kept.pop()
    for place, digit in zip(places, kept, strict=False):
        pieces[place] = digit


def _fraction(tokens: Sequence[FormatToken], value: float) -> str:
    """A number with a fraction, as `2 1/4`."""
    slash = next(place for place, token in enumerate(tokens) if token.kind == "/")
    below = "".join(token.text for token in tokens[slash + 1 :] if token.kind in "0#?" or token.text.isdigit())
    exact = Fraction(repr(value))
    if below.isdigit() and int(below):
        near = Fraction(round(exact * int(below)), int(below))
    else:
        near = exact.limit_denominator(10 ** min(len(below) or 1, 7) - 1)
    before = [token.kind for token in tokens[:slash]]
    has_units = any(token.kind == "literal" and token.text == " " for token in tokens[:slash]) and len(before) > 2
    units, rest = divmod(near, 1) if has_units else (0, near)
    if not rest:
        return str(units)
    return f"{units or ''} {rest.numerator}/{rest.denominator}".strip()


def _scientific(tokens: Sequence[FormatToken], value: float) -> str:
    kinds = [token.kind for token in tokens]
    place, point = kinds.index("E"), kinds.index(".") if "." in kinds else len(kinds)
    decimals = sum(kind in "0#?" for kind in kinds[point:place]) if point < place else 0
    digits = sum(kind in "0#?" for kind in kinds[place:])
    mantissa, _, power = f"{value:.{decimals}E}".partition("E")
    sign = "-" if int(power) < 0 else "+" if tokens[place].text.endswith("+") else ""
    return f"{mantissa}E{sign}{abs(int(power)):0{digits}d}"


def _general(value: float) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < 10**GENERAL_DIGITS):
        return str(int(value))
    return f"{value:.{GENERAL_DIGITS - 1}G}"
