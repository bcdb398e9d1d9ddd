"""Reading references out of a query: `סעיף 5(א) לחוק …`, `Rule 18.8.2`, `§ 5 of the …`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search.analysis import MARKS

# 5, 5א, 15ג, 63א1, 12A, 18.8.2; counted repetitions, so that no input makes the search slow.
_NUMBER = r"\d{1,5}(?:\.\d{1,4}){0,6}(?:[א-ת]{1,3}|[A-Za-z]{1,2}(?![A-Za-z]))?\d{0,2}(?:[א-ת]{1,2}(?![א-ת]))?[׳']?"
_CLAUSE = r"\(\s*[\w׳'\"״]{1,5}\s*\)"
# Further sections or clauses of the same act, up to where its name begins: `(ב1) ו־(ב2)`, `, 6 ו־7`, `(1) to (3)`.
_MORE = rf"(?:\s*(?:,|ו[־-]?|או|עד|and|or|to|[-–—־])?\s*(?:{_CLAUSE}|(?:ו[־-]?\s*)?{_NUMBER}(?![\w%])))*"
_HEBREW_UNIT = (
    r"(?<![א-ת])[ושהכבלמ]{0,4}?(?:סעיפים|סעיף|תקנת[\s־-]משנה|תקנה|תקנות(?=\s+\d)|ס['׳]|פרט|כלל|כללים(?=\s+\d)|פריט)"
)
_ENGLISH_UNIT = (
    r"(?<!\w)(?:sections?|secs?\.|ss?\.|rules?|articles?|arts?\.|regulations?|regs?\.|paragraphs?|paras?\.|clauses?)"
)
_REFERENCE = re.compile(
    rf"(?:{_HEBREW_UNIT}|{_ENGLISH_UNIT}|§§?)\s*(?P<number>{_NUMBER})(?![\w%])(?P<more>{_MORE})", re.IGNORECASE
)
_BARE_NUMBER = re.compile(r"^\s*(?P<number>\d+(?:\.\d+)+)(?P<more>(?:\s*\([\w]{1,5}\))*)\s*$")
_IN_BRACKETS = re.compile(r"\(\s*([^)]*?)\s*\)")
_MARKS = re.compile(f"[{MARKS}]")
# What may stand between the number and the name; the ל or ב before a Hebrew name is part of its first word.
_LINK = re.compile(r"^[\s,]*(?:(?:של|לפי|על[ \-־]פי|מתוך|of|to|in|under|from)\s+)?(?:the\s+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Reference:
    """Section numbers, clauses of the first, and the text before and after, one of which may name the act."""

    sections: tuple[str, ...]
    clauses: tuple[str, ...]
    before: str
    after: str


def find_references(query: str) -> list[Reference]:
    """The references of a query, in order; without a unit only a number with dots that is the whole query."""
    text = _MARKS.sub("", query)
    matches = list(_REFERENCE.finditer(text)) or list(_BARE_NUMBER.finditer(text))
    return [
        Reference(
            sections=(match["number"], *re.findall(_NUMBER, _IN_BRACKETS.sub(" ", match["more"]))),
            clauses=tuple(_IN_BRACKETS.findall(match["more"])),
            before=text[: match.start()],
            after=_LINK.sub("", text[match.end() :]),
        )
        for match in matches
    ]
