"""Parts, chapters and schedules of an act, in a citation and in the path above a passage."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from search.text.numerals import hebrew_value, roman_value

_UNITS = ("ראשון ראשונה", "שני שנייה שניה", "שלישי שלישית", "רביעי רביעית", "חמישי חמישית", "שישי שישית ששי ששית")
_MORE_UNITS = ("שביעי שביעית", "שמיני שמינית", "תשיעי תשיעית", "עשירי עשירית")
_ORDINALS = {word: place for place, words in enumerate((*_UNITS, *_MORE_UNITS), 1) for word in words.split()}
_ENGLISH_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ENGLISH_ORDINALS = {word: place for place, word in enumerate(_ENGLISH_UNITS, 1)}
_KINDS = {"sch": "schedule", "sched": "schedule", "app": "appendix", "ch": "chapter", "pt": "part"}
_ANNEXES = frozenset({"תוספת", "נספח", "לוח", "schedule", "annex", "appendix"})

_HEBREW_ID = (
    rf"(?:ה?(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?![א-ת])"
    r"|(?:ט[\"״]?[וז]|[יכלמנ][\"״]?[א-ט])(?![א-ת])|[א-ת](?![א-ת\"״])|\d{1,3}(?![\w.%/-]))[׳']?(?:\s?\d{1,2}(?![\w.%/]))?"
)
_ENGLISH_ID = rf"(?:\d{{1,3}}(?-i:[A-Z])?|(?-i:[IVXLC]{{1,7}}|[A-Z])|(?:{'|'.join(_ENGLISH_UNITS)}))"
_HEBREW = rf"(?<![א-ת])[ושהכבלמ]{{0,4}}?(?P<hebrew>חלק|שער|פרק|סימן|תוספת|נספח|לוח)(?:\s(?P<hebrew_id>{_HEBREW_ID}))"
_ENGLISH = (
    r"(?<!\w)(?P<english>(?:parts?|chapters?|schedules?|annex|appendix|title|division)(?!\w)|(?:sched|sch|app|ch|pt)\.)"
    rf"\s?(?P<english_id>{_ENGLISH_ID})(?![\w%])(?!\.\d)"
)
DIVISION = re.compile(rf"{_HEBREW}|{_ENGLISH}", re.IGNORECASE)
# `סעיף 3 לתוספת`: the only schedule, or any.
UNNUMBERED = re.compile(r"[ושהכבלמ]{1,4}?(?P<hebrew>תוספת|נספח)(?![א-ת])|(?:the )?(?P<english>schedule)(?!\w)", re.I)
_ANNEX = re.compile(r"ה?(?P<hebrew>תוספת|נספח|לוח)(?![א-ת])|(?P<english>schedule|annex|appendix)(?!\w)", re.IGNORECASE)
_WORDS: tuple[str, ...] = (
    *("חלק", "שער", "פרק", "סימן", "תוספת", "נספח", "לוח"),
    *("part", "chapter", "sch", "annex", "appendix", "title", "division", "app.", "ch.", "pt."),
)
_MARKS = re.compile(r"[\"'״׳\s]+")


@dataclass(frozen=True)
class Division:
    """A part or the like by its kind and number; an empty number stands for any of the kind."""

    kind: str
    number: str

    @property
    def is_annex(self) -> bool:
        """Whether sections count anew in it."""
        return self.kind in _ANNEXES


def may_name_a_division(text: str) -> bool:
    """Whether one of the words occurs at all; far quicker than the pattern."""
    folded = text.casefold()
    return any(word in folded for word in _WORDS)


def division_of(match: re.Match[str]) -> Division:
    """What DIVISION or UNNUMBERED matched."""
    groups = match.groupdict()
    kind = (groups["hebrew"] or groups["english"]).casefold().rstrip(".")
    kind = _KINDS.get(kind) or (kind.removesuffix("s") if kind.endswith(("parts", "chapters", "schedules")) else kind)
    return Division(kind, _number(groups.get("hebrew_id") or groups.get("english_id") or ""))


def stands_in(path: Sequence[str], divisions: Sequence[Division]) -> bool:
    """Whether a path names every one of the divisions."""
    above = [division_of(match) for label in path if (match := DIVISION.match(label) or _ANNEX.match(label))]
    return all(
        any(one.kind == wanted.kind and wanted.number in ("", one.number) for one in above) for wanted in divisions
    )


def annex_of(path: Sequence[str]) -> str:
    """The schedule that a passage stands in, as printed; '' for the body of the act."""
    for label in path:
        match = DIVISION.match(label) or _ANNEX.match(label)
        if match and division_of(match).is_annex:
            return label
    return ""


def _number(text: str) -> str:
    """A number in one form, however it is printed: `שני` and `ב׳`, `IV` and `4` are one."""
    bare = _MARKS.sub("", text).casefold()
    word = bare.rstrip("0123456789") or bare
    rest = bare[len(word) :]
    ordinal = _ORDINALS.get(word) or _ORDINALS.get(word.removeprefix("ה")) or _ENGLISH_ORDINALS.get(word)
    if ordinal is not None:
        return f"{ordinal}.{rest}" if rest else str(ordinal)
    value = hebrew_value(word)
    if value is not None:
        return f"{value}.{rest}" if rest else str(value)
    # A lone C or L is a letter: Schedule C.
    value = None if word in {"c", "l"} else roman_value(word)
    if value is not None:
        return str(value)
    return bare
