"""Where in a section a clause stands: `(א)(2)` is the `(2)` of `(א)`, not that of another."""

import re
from collections.abc import Sequence
from itertools import takewhile

from law.languages import LANGUAGES
from law.languages.scripts import language_of
from law.patterns import regex
from law.structure.lines.headings import looks_like_heading
from law.words.numerals import LETTER_VALUES, letters_value, roman_value

# Clauses at the start of a line, behind the section's number or not: `(א)`, `5. (א)(1)`, `1.2.3.(2)`, `5.—(1)`, and the
# first behind the heading too, `4. Fees.—(1)`.
BEFORE_CLAUSE = (
    r"(?:[A-Z][A-Za-z]{3,7} \d{1,3}[A-Z]?\.){0,2}"
    r"(?:\d[\w.]{0,14}(?:[ \t]{0,4}|[—–][ \t]?|[ \t][^\n(]{1,160}\.[—–][ \t]?(?=\(1\))))?"
)
# (א), (1), and what was inserted between two: (1.1), (a.01)
MARKER = r"\([\w׳'\"״]{1,6}(?:\.\d{1,2})?\)[ \t]?"
_MARKERS = regex(rf"^[ \t]*{BEFORE_CLAUSE}(?P<markers>(?:{MARKER}){{1,4}})", re.MULTILINE)
_ONE = regex(r"\(([^)]*)\)")
_MARKS = regex(r"[\"'״׳\s]")
FIRST = frozenset({"1", "i", *(language.alphabet[:1].casefold() for language in LANGUAGES)})
Path = tuple[str, ...]
MAX_LEVELS = 8
_FINISHED = frozenset('.;!?])”"')
_MAX_HEADINGS = 3  # lines that head one clause
_ABBREVIATED = regex(r"(?<![^\W_])(?:etc\.|(?:[A-Z]\.){2,})$")
_ONE_ROMAN, _TWO_ROMAN = "i", "ii"
_ANY_LETTERS = 2  # `בא` is a number too: inserted behind ב


def clause_key(clause: str) -> str:
    """A clause in the form in which two of them are compared."""
    return _MARKS.sub("", clause).casefold()


def outline(text: str, number: str = "") -> list[tuple[int, Path]]:
    """Every clause that the lines of a section open: where, and the clauses it stands in, itself last.

    The text may begin with the section's own `number` in brackets, which is no clause.
    The text does not say how deep a clause lies: it goes on from the innermost one that it can follow.
    """
    opened = [
        (line.start(), clause)
        for line in _MARKERS.finditer(text)
        for clause in takewhile(is_clause, map(clause_key, _ONE.findall(line["markers"])))
    ]
    if number and text.startswith("(") and opened[:1] == [(0, clause_key(number))]:
        del opened[0]
    found: list[tuple[int, Path]] = []
    levels: Sequence[str] = []
    for place, (start, clause) in enumerate(opened):
        following = opened[place + 1][1] if place + 1 < len(opened) else ""
        levels = [*above(levels, clause, following=following), clause][:MAX_LEVELS]
        found.append((start, tuple(levels)))
    return found


def end_of_clause(text: str, start: int, end: int) -> int:
    """Where the clause ends that runs from one character to another, without the heading or note of what comes next."""
    lines = text[start:end].rstrip().split("\n")
    for count in range(min(_MAX_HEADINGS, len(lines) - 1), 0, -1):
        if lines[-count - 1].rstrip()[-1:] in _FINISHED and all(map(_may_head, lines[-count:])):
            del lines[-count:]
            break
    return start + len("\n".join(lines).rstrip())


def _may_head(line: str) -> bool:
    bare = line.strip()
    if bare[:1] == "[" and bare[-1:] == "]":
        bare = bare[1:-1]
        bare = bare[:-1] if _ABBREVIATED.search(bare) else bare
    return not bare or (looks_like_heading(bare) and not _MARKERS.match(line))


def above(levels: Sequence[str], clause: str, *, following: str = "") -> Sequence[str]:
    """The levels that stay open above a clause. `(i)` behind `(h)` is in it where `(ii)` follows."""
    if clause == _ONE_ROMAN and following == _TWO_ROMAN:
        return levels
    for follows in (_is_next, _is_later):
        for depth in range(len(levels) - 1, -1, -1):
            if follows(levels[depth], clause):
                return levels[:depth]
        if clause in FIRST:
            return levels
    same = [depth for depth, level in enumerate(levels) if _kind(level) == _kind(clause)]
    return levels[: same[-1]] if same else levels


def _is_next(last: str, clause: str) -> bool:
    if _kind(last) != _kind(clause) or "." in clause:
        return False
    last = last.partition(".")[0]
    return any(one + 1 == other for one, other in _read_alike(last, clause))


def _is_later(last: str, clause: str) -> bool:
    """`ב1` after `ב`, `1.1` after `1`, or a number after a gap."""
    if _kind(last) != _kind(clause):
        return False
    (one, _, part), (other, _, of_other) = last.partition("."), clause.partition(".")
    if of_other and one == other:
        return part < of_other
    return any(value < later for value, later in _read_alike(one, other)) or (
        other.startswith(one.rstrip("0123456789")) and other > one
    )


def is_clause(clause: str) -> bool:
    """Is it no word, as in `(ג) (בוטל)`? Many letters make a number where the greater ones stand first."""
    letters = clause.partition(".")[0].strip("0123456789")
    values = [LETTER_VALUES.get(letter, 0) for letter in letters]
    adds_up = 0 not in values and values == sorted(values, reverse=True)
    return len(letters) <= _ANY_LETTERS or adds_up or roman_value(letters) is not None


def _kind(clause: str) -> str:
    if clause[:1].isdigit():
        return "digit"
    return language_of(clause[:1]).code


def clause_values(clause: str) -> dict[str, int]:
    """What the clause may count as, by the way of counting. `i` is one, or nine letters in."""
    digits = re.match(r"\d+", clause)
    if digits:
        return {"digits": int(digits[0])}
    letters = clause.rstrip("0123456789")
    value = letters_value(letters)
    if value is not None:
        return {"letters": value}
    alphabetic = {"alphabet": ord(letters)} if len(letters) == 1 else {}
    roman = roman_value(letters)
    return alphabetic if roman is None else {**alphabetic, "roman": roman}


def _read_alike(one: str, other: str) -> list[tuple[int, int]]:
    """What two clauses count as in one way of counting: `(v)` and `(a)` are letters, and not five and one."""
    left, right = clause_values(one), clause_values(other)
    return [(value, right[way]) for way, value in left.items() if way in right]
