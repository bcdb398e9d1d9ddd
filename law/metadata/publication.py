"""The day on which a document was published, made or given, where its first pages print one in full."""

import datetime as dt
from collections.abc import Iterator, Sequence
from enum import IntEnum
from operator import itemgetter

from law.languages import LANGUAGES
from law.languages.dates import DateMatch, find_dates
from law.languages.documents import CIRCULAR, DocumentWords
from law.metadata.head import FieldValue
from law.metadata.lines import SENTENCE_BORDER, HeadLine, begins_section, is_date_line, is_heading_word, tells
from law.patterns import regex

HEADER_LINES = 30
CUE_WITHIN = 160  # characters before the date
RUNNING_LINE = 50  # characters from which a line without a full stop goes on in the next
MAX_STAMP_LENGTH = 30  # characters of a line such as `FILED`, which the day follows on a line of its own
GAZETTE_WITHIN = 3  # lines
_WORDS = [language.documents for language in LANGUAGES]
_is_other_day, _is_gazette = tells("other_day", "search"), tells("gazette")
_TITLE_YEAR = regex(r"(?<!\d)(1[789]\d\d|20\d\d)(?!\d)")
_SENTENCE_END = regex(r"[.;:]\W*$")
_LABEL = regex(r"\w+: ")  # as a message has before what it says of itself
_LEADING_MARKS = regex(r"^[\W\d_]+")


class Rank(IntEnum):
    """How well words tell the day of publication: the best are believed, before those that stand earlier."""

    PUBLISHED = 1
    GAZETTE = 2
    MADE = 3
    ALONE = 4


def find_published_at(lines: Sequence[HeadLine], title: FieldValue | None, kind: str | None) -> FieldValue | None:
    """The day of publication that a legal clerk would enter who has only these pages.

    In this order: the document says of itself that it was published, issued or filed on that day. The gazette that it
    stands in bears the day. The document says when it was made, enacted, adopted or given. A day stands alone in the
    head, before the text. What is said of an amendment or of another document is left, and the year that the title
    ends with must fit.

    The day on which an instrument begins, or from which or up to which a provision applies, is never taken, although
    a few were published on that very day: of the laws and regulations that begin on a printed day, about one in
    thirty. A wrong day that looks right is worse than none. The same goes for the day of the signature at the foot of
    a gazetted instrument, which is days or weeks before its publication. A year alone is no date.
    """
    return _best(lines, title, kind)[1]


def day_of_publication(lines: Sequence[HeadLine], title: FieldValue | None, kind: str | None) -> dt.date | None:
    """The same day where periods after publication may be counted from it: not the day on which a law was made.

    What an office issues is dated when it is issued.
    """
    rank, found = _best(lines, title, kind)
    counts = rank is not None and (rank <= Rank.GAZETTE or kind == CIRCULAR)
    return dt.date.fromisoformat(found.value) if found and counts else None


def _best(
    lines: Sequence[HeadLine], title: FieldValue | None, kind: str | None
) -> tuple[Rank, FieldValue] | tuple[None, None]:
    day_first = sum(line.language.dates.day_first for line in lines) * 2 > len(lines)
    years = _TITLE_YEAR.findall(title.value) if title else []
    for rank, found in sorted(_candidates(lines, title, kind, order=day_first or None), key=itemgetter(0)):
        if not years or abs(int(found.value[:4]) - int(years[-1])) <= 1:
            return rank, found
    return None, None


def _candidates(
    lines: Sequence[HeadLine], title: FieldValue | None, kind: str | None, *, order: bool | None
) -> Iterator[tuple[Rank, FieldValue]]:
    head = _head_length(lines, order)
    for index, line in enumerate(lines):
        in_head = index < head
        text, own = _with_line_above(lines, index)
        for date in find_dates(text, day_first=order, short_years=in_head):
            if date.end <= own:
                continue  # found with the line above
            before, start = _sentence_before(text, date)
            if cue := _cue(before, title, kind, in_head=in_head):
                rank, at = cue
                if date.is_short and not any(words.date_word.search(before, at) for words in _WORDS):
                    continue  # it may be a number
                yield rank, FieldValue(date.date.isoformat(), text[start + at : date.end], line.page)
            elif (
                in_head and not (date.is_short or _is_other_day(line.text)) and is_date_line(line.text, day_first=order)
            ):
                near = lines[max(0, index - GAZETTE_WITHIN) : index + 1]
                rank = Rank.GAZETTE if any(_is_gazette(one.text) for one in near) else Rank.ALONE
                yield rank, FieldValue(date.date.isoformat(), line.text, line.page)


def _head_length(lines: Sequence[HeadLine], day_first: bool | None) -> int:
    """How many lines stand before the text."""
    for index, line in enumerate(lines[:HEADER_LINES]):
        begins = begins_section(line.text) and not is_date_line(line.text, day_first=day_first)
        if begins or is_heading_word(line.text):
            return index
    return min(len(lines), HEADER_LINES)


def _with_line_above(lines: Sequence[HeadLine], index: int) -> tuple[str, int]:
    """The line, after the one above where that goes on in it or is a stamp, and where the line itself begins."""
    line = lines[index]
    above = lines[index - 1] if index else None
    if above and above.page == line.page and not (begins_section(line.text) or _LABEL.match(line.text)):
        running = len(above.text) >= RUNNING_LINE and not _SENTENCE_END.search(above.text)
        stamp = len(above.text) <= MAX_STAMP_LENGTH and any(date.start == 0 for date in find_dates(line.text))
        if running or stamp:
            return f"{above.text} {line.text}", len(above.text) + 1
    return line.text, 0


def _sentence_before(text: str, date: DateMatch) -> tuple[str, int]:
    """What stands before the date in its sentence, and where that begins."""
    start = max(0, date.start - CUE_WITHIN)
    borders = [match.end() for match in SENTENCE_BORDER.finditer(text, start, date.start)]
    start = borders[-1] if borders else start
    return text[start : date.start], start


def _cue(before: str, title: FieldValue | None, kind: str | None, *, in_head: bool) -> tuple[Rank, int] | None:
    """How the words before a date say that it is the document's, and where the saying begins."""
    for words in _WORDS:
        for rank, label in ((Rank.PUBLISHED, words.published_label), (Rank.MADE, in_head and words.head_label)):
            if label and (match := label.search(before)) and not _bare(before[: match.start()], title):
                return rank, match.start()
        for rank, verb in ((Rank.PUBLISHED, words.published_verb), (Rank.MADE, words.made_verb)):
            match = verb.search(before)
            if match and _is_itself(before[: match.start()], words, title, kind, in_head=in_head):
                return rank, match.start()
    return None


def _bare(subject: str, title: FieldValue | None) -> str:
    """The words without marks and numbers, nothing when they are the document's title."""
    bare = _LEADING_MARKS.sub("", subject).strip(" ,:(–—-*")
    return "" if title and title.value.endswith(bare) else bare


def _is_itself(
    subject: str, words: DocumentWords, title: FieldValue | None, kind: str | None, *, in_head: bool
) -> bool:
    """Whether the words before a verb are the document: nothing, its title, `חוק זה`, or, in the head, any name."""
    if not (bare := _bare(subject, title)):
        return True
    if in_head and words.name.fullmatch(bare):
        return True
    names = [words.own_names[kind]] if kind and kind in words.own_names else words.own_names.values()
    return any(name.search(bare) for name in names) and not words.other_instrument.search(bare)
