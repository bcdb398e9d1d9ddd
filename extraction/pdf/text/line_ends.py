"""Legal print at the ends of lines: clause markers, numbers, references that run on, and words that are broken."""

import re

from extraction.text.characters import SOFT_HYPHENS

MAX_WORD_LENGTH = 60
MAX_WORDS = 60_000  # remembered of one document

MIN_BREAKS, TIMES_AS_MANY = 2, 3  # words broken at line ends, and of what compounds alone would give
# First halves of English compounds with which hardly any other word begins, and letters of a second half.
_OF_COMPOUNDS, _SECOND_HALF = frozenset(["non", "self", "quasi", "half", "well", "cross", "vice"]), 4
_HEBREW = re.compile("[א-ת]")  # whose words no program breaks
_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})*")
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
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


class Hyphenation:
    """Was the hyphen of a word broken at a line end there before ("climate-related") or made by the break?

    Learns the words of a document that stand inside lines, and decides by them.
    """

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._kept = 0
        self._dropped = 0
        self._lines = self._breaks = self._all_words = self._compounds = 0

    def learn(self, text: str) -> None:
        """Learn from the lines of a page."""
        words = _WORD.findall(text.lower())
        if len(self._words) < MAX_WORDS:
            self._words.update(words)
        lines = text.split("\n")
        self._lines += len(lines)
        self._breaks += sum(line.endswith(SOFT_HYPHENS) for line in lines)
        self._all_words += len(words)
        self._compounds += sum("-" in word for word in words)

    def join(self, first: str, second: str) -> str:
        """Two lines as one, where the first ends with the mark of a broken word."""
        start = first.rstrip("".join(SOFT_HYPHENS))
        keeps = self._keeps_hyphen(start, second)
        return f"{start}-{second}" if keeps else start + second

    def _keeps_hyphen(self, start: str, second: str) -> bool:
        left, right = _LAST_WORD.search(start[-MAX_WORD_LENGTH:]), _FIRST_WORD.match(second)
        if left is None or right is None or right.group()[0].isupper():
            return True
        halves = left.group().lower(), right.group().lower()
        if "-".join(halves) in self._words:
            self._kept += 1
            return True
        if "".join(halves) in self._words:
            self._dropped += 1
            return False
        if halves[0] in _OF_COMPOUNDS and len(halves[1]) >= _SECOND_HALF:
            return True
        if self._kept != self._dropped or _HEBREW.match(right.group()):
            return self._kept >= self._dropped
        return not self._breaks_words()

    def _breaks_words(self) -> bool:
        """Whether more lines end in a hyphen than would if all of these were those of compounds."""
        compounds = self._compounds / max(1, self._all_words)
        return self._breaks >= MIN_BREAKS and self._breaks > TIMES_AS_MANY * compounds * self._lines
