"""Patterns of legal print at the ends of lines: clause markers, section numbers, references that run on."""

import re

MARKER = re.compile(
    r"""\s*(?:
        \(\s*(?:[א-ת]{1,3}\d?|[0-9]{1,3}[א-ת]?\d?|[a-zA-Z]{1,2}|[ivxlIVXL]{1,6})\s*\)   # (א) (12) (a) (iv)
        | [0-9]{1,3}[א-ת]{0,3}[0-9]{0,2}[.)](?:\s|$)                                    # 5. 12א1.
        | [0-9]{1,3}(?:\.[0-9]{1,3})+\.?(?:\s|$)                                        # 5.2.1
        | [א-ת][.)](?:\s|$) | [A-Z]\.(?:[0-9]{1,3}\.?)*\s
        | (?:פרק|חלק|סימן|תוספת|נספח|לוח)\s | (?:PART|CHAPTER|Part|Chapter|Schedule|SCHEDULE|ANNEX|Annex|Article|§)\s
        | (?:SECTION|Section|SEC\.|Sec\.|RULE|Rule|REGULATION|Regulation|סעיף|תקנה)\s
          (?:[0-9]{1,4}[A-Zא-ת]{0,2}|[א-ת]{1,2}['׳])[.:—](?:\s|$)                        # Section 5. Fees  סעיף ב'.
        | [”"„“](?=[א-ת]) | [•▪●■◦·–-]\s
    )""",
    re.VERBOSE,
)
SENTENCE_END = re.compile(r"(?:[.;:!?–—-]|[;,]\s(?:או|וכן|ו|and|or))[\"”״'’)\]]*$")
# A section's own number at the start of its text: 5.  12א1.
SECTION_NUMBER = re.compile(r"[0-9]{1,3}[א-ת]{0,3}[0-9]{0,2}\.(?:\s|$)")
_BEGINS_SECTION = re.compile(r"(?:§|Section|Article|Art\.)?\d{1,4}[A-Zא-ת]{0,3}\d{0,2}[.(—–A-Z“\"-]")
_BEGINNING = 24  # characters that tell whether a line begins a section
REFERENCE = re.compile(  # ends a line whose next begins with a number that is not a section's own
    r"(?:[,\d־(–-]|\b(?:[ובלמהכש]{0,2}(?:סעיפים|סעיף|תקנות|תקנה|פסקה|פסקאות|פרט|פרטים|קטן|עד|או|של|מיום|ביום|בשנת)"
    r"|(?i:sections?|rules?|regulations?|articles?|paragraphs?|part|and|or|to|of|no)))\.?$"
)
GLUED_END = re.compile(r"(?:[־(\[]|[^\s–—-][–—-])$")  # what the next line goes on with no space after
CITED_END = re.compile(r"[^\s()]*(?:\([^\s()]{1,4}\))+$")  # 17(ב) at the end of a line ...
# What is said of the number of a page: of which of how many.
PAGE_WORD = re.compile(r"(?<!\w)(?:page|pages|pg|pp?|of|sur|von|seite|עמוד|עמ['׳]?|דף|מתוך)(?!\w)", re.IGNORECASE)
# Sections from one to another.
RANGE = re.compile(r"(?<![\d.])(\d{1,5})[A-Zא-ת]{0,2}(?:\s*[-–—־]\s*|\s+(?:to|עד)\s+)(\d{1,5})(?![\d.])")
MAX_GLUE_LENGTH = 3  # characters, a line break counted
MAX_REFERENCE_LENGTH = 40  # characters
CITED_START = re.compile(r"\([^\s()]{1,4}\)")  # ... and (3) at the start of the next are one reference


def begins_section(text: str) -> bool:
    """Whether a line begins with what may be the number of a section: 1 This  5.  7.—(1)"""
    return _BEGINS_SECTION.match("".join(text[:_BEGINNING].split())) is not None


def joined_lines(first: str, second: str) -> str:
    """Two lines of one paragraph as one, with a space between them unless the first ends in the middle of a token."""
    if GLUED_END.search(first[-MAX_GLUE_LENGTH:]) or (
        CITED_START.match(second) and CITED_END.search(first[-MAX_REFERENCE_LENGTH:])
    ):
        return first + second
    return f"{first} {second}"
