"""What looks like a heading, and the lines that name a chapter, a part or a schedule."""

from __future__ import annotations

import re
from dataclasses import dataclass

HEADING_LENGTH = 130
_HEADING_WORDS = 22
_LABEL_LENGTH = 200
_CLOSES = frozenset(".;:,–—-")
_NO_HEADING_START = re.compile(r"[\W_]|(?:https?|www)\b|\d{1,2}[./]\d")
_QUOTED_START = frozenset("\"'”“״[")
_LETTER = re.compile(r"[^\W\d_]")

_UNFINISHED = re.compile(  # a line that a reference or a phrase runs out of
    r"\b(?:[בלשומכה]{0,3}סעיף|[בלשומכ]{1,3}סעיפים|של|את|או|על|לפי|בין|of|the|and|or|to|in|by|for|a|an|sections?|rules?)$"
)

_ORDINALS = (
    "ראשו(?:ן|נה)|שני(?:י?ה)?|שלישית?|רביעית?|חמישית?|שי?שית?|שביעית?|שמינית?|תשיעית?|עשירית?"
    "|(?:אח[דת]|שני[םי]|שתי[םי]|שלושה?|ארבעה?|חמי?שה?|שי?שה?|שבעה?|שמונה|תשעה?)[־ -]עשרה?"
)
_HEBREW_ID = (
    rf"(?:ה?(?:{_ORDINALS})(?![א-ת])|[א-ת]{{1,2}}[\"״][א-ת](?![א-ת])|[א-ת](?![א-ת])[׳']?|\d{{1,3}})"
    r"(?:\s?\d{1,2}(?:[א-ת](?![א-ת]))?[׳']?|[א-ת](?![א-ת])[׳']?)?"
)
_HEBREW = re.compile(
    rf"(?:(?P<kind>חלק|שער|פרק|סימן)\s+(?P<id>{_HEBREW_ID})"
    rf"|(?P<annex>ה?תוספת|נספח|טופס|לוח)(?:\s+(?P<annex_id>{_HEBREW_ID}))?)"
    r"(?P<end>\s*[:–—.-]\s*|\s*$|\s+(?=\S))(?P<title>.*)"
)
_NUMERALS = r"(?:\d{1,3}[A-Z]?|[IVXLC]+|[A-Z]|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)(?![a-z\d])"
_ENGLISH = re.compile(
    rf"(?:(?P<kind>PART|Part|CHAPTER|Chapter|TITLE|Title|DIVISION|Division|SUBPART|Subpart|BOOK|Book)\s+(?P<id>{_NUMERALS})"
    rf"|(?P<annex>(?i:schedule|appendix|annex|exhibit|app))(?:\s?(?P<annex_id>{_NUMERALS}))?)"
    r"(?P<end>\s*[:.–—-]\s*|\s*$|\s+(?=[A-Z“\"(]))(?P<title>.*)"
)
_INSIDE_NUMBER = re.compile(r"[A-Za-z]+ ?[\dIVXL]+[A-Z]? ?\.\S")  # Part 2.4.(1): a section of the part
_REFERENCE = re.compile(r"(?:ל|ש[לב])(?:חוק|פקוד|תקנו|תוספת|צו)|לחוק|of\b|to\b")
_FIRST_LETTERS = frozenset("חשפסתהנטלPCTDSBAEpcstdbae")
_CONTENTS = re.compile(r"(?:תוכן(?:\s+ה?עניינים)?|(?:table of )?contents)\s*:?$", re.I)


@dataclass(frozen=True, slots=True)
class Division:
    """A line that opens a chapter or the like."""

    kind: str  # the word before the number: a new chapter closes the chapter before it
    label: str  # as printed
    annex: bool  # sections count anew here
    titled: bool


def read_division(text: str) -> Division | None:
    """The chapter, part or schedule that the line opens; None for a sentence that only mentions one."""
    if text[:1] not in _FIRST_LETTERS or len(text) > _LABEL_LENGTH:
        return None
    found = _HEBREW.match(text) or _ENGLISH.match(text)
    if found is None or _INSIDE_NUMBER.match(text):
        return None
    title = found["title"].strip()
    end = found["end"].strip()
    annex = found["annex"]
    if _REFERENCE.match(title) or title[:1].islower():
        return None
    if title and title[-1] in ".;," and not end.startswith(":"):
        return None
    if not end and title and not title.startswith("(") and not looks_like_heading(title):
        return None
    if annex and annex not in {"תוספת", "התוספת"} and not found["annex_id"]:
        return None
    if annex and not found["annex_id"] and title and not end and not title.startswith("("):
        return None
    kind = (found["kind"] or annex).lower()
    return Division(kind=kind, label=tidy(text), annex=bool(annex), titled=bool(title.strip(" –-:")))


def looks_like_heading(text: str) -> bool:
    """A short line of words that does not end like a sentence, an item or the lead-in of a list."""
    if not text or len(text) > HEADING_LENGTH or text[-1] in _CLOSES or text[0].islower():
        return False
    if _NO_HEADING_START.match(text) and text[0] not in _QUOTED_START:
        return False
    if "\t" in text or text.count(" ") >= _HEADING_WORDS or _UNFINISHED.search(text):
        return False
    return _LETTER.search(text) is not None


def is_contents_title(text: str) -> bool:
    """Does a table of contents begin here? Its lines look like sections and are none."""
    return len(text) < 40 and _CONTENTS.match(text) is not None


def tidy(text: str) -> str:
    """A heading on one line, without the sign that leads on to its text."""
    return " ".join(text.split()).rstrip(" :–—-")[:_LABEL_LENGTH]
