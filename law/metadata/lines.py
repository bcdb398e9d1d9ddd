"""The head of a document as numbered lines, and which of them are furniture rather than content."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from law.languages import LANGUAGES, Language
from law.languages.dates import find_dates
from law.languages.scripts import CASELESS, either, language_of
from law.metadata.head import HeadPage
from law.patterns import regex
from law.words.numerals import LETTER_VALUES

_WORDS = [language.documents for language in LANGUAGES]
_HEADINGS = frozenset(heading for words in _WORDS for heading in words.headings)
_LETTER = regex(r"[^\W\d_]")
_NUMBERED = regex(
    r"(?!\d{1,2}[./]\d{1,2}[./]\d{4}\b)"  # a day
    rf"(?:§\s*)?(?:(?:{either(words.part_word for words in _WORDS)} |[A-Z]\.)?\d{{1,3}}[{''.join(LETTER_VALUES)}]?"
    r"(?:(?:\.\d{1,3})+[.)]?|[.)]|(?=\t))|\(\w{1,3}\)|"
    r"[A-Z][.)](?=\s+[A-Z]{2}))\s*"
)
_PAGE_NUMBER = regex(
    rf"[-–—\s]*{either(words.page_word for words in _WORDS)}?\s*\d{{1,4}}"
    rf"(?:\s*(?:{either(words.page_count for words in _WORDS)}|/)\s*\d{{1,4}})?[-–—\s]*",
    re.IGNORECASE,
)
_ABBREVIATED = "".join(f"(?<!{abbreviation})" for words in _WORDS for abbreviation in words.abbreviations)
SENTENCE_BORDER = regex(rf"{_ABBREVIATED}[.;](?:\s+|(?=[(\[{CASELESS}“”]))")
_MARK_OF_EDITION = regex(r"^[►▼]\w{0,3} ")  # of a consolidated text
_RAISED = "[⁰¹²³⁴-⁹⁽⁾]"
# The mark of a note: raised digits that are no power of a unit or of a short number (`m²`, `10⁶`), a star or a dagger
# at an end of a word, a number in brackets right behind one.
_NOTE_MARK = regex(
    rf"""(?<!{_RAISED})(?<!\b\d)(?<!\b\d\d)(?<!\b\d\d\d)(?<!(?<!["'״׳”’])\b[^\W\d])(?<!\b[^\W\d]{{2}})"""
    rf"""(?<!\b[^\W\d]["״][^\W\d]){_RAISED}+(?:[, ]{_RAISED}+)*|(?<!\w)[*†‡]+|[*†‡]+(?!\w)|(?<=\w)\[\d{{1,3}}\]"""
)
_DEFINED = regex(r"[\"“”״][^\"“”״]{2,40}[\"“”״]\s*[–—-]")


@dataclass(frozen=True, slots=True)
class HeadLine:
    """One line of text and the page that it stands on."""

    text: str
    page: int | None

    @property
    def language(self) -> Language:
        return language_of(self.text)


def lines_of(pages: Iterable[HeadPage]) -> list[HeadLine]:
    """The lines that hold anything, their white space made single."""
    return [
        HeadLine(text, page.number)
        for page in pages
        for raw in page.text.split("\n")
        if (text := " ".join(raw.split(" ")).strip())
    ]


def begins_section(line: str) -> bool:
    """Whether the line opens with a section or clause number."""
    return bool(_NUMBERED.match(line))


def without_number(line: str) -> str:
    """The line after its section or clause number."""
    match = _NUMBERED.match(line)
    return line[match.end() :] if match else line


def without_note_marks(title: str) -> str:
    """The title without the marks of notes to it, as `Harbour Act¹` and `Harbour Act*` have them."""
    return " ".join(_NOTE_MARK.sub("", _MARK_OF_EDITION.sub("", title)).split()) or title


def is_heading_word(line: str) -> bool:
    """Whether the line is a heading that every document has, such as `Introduction` or `הגדרות`."""
    bare = without_number(line).strip(" .:–-").lower()
    return bare in _HEADINGS


def is_date_line(line: str, *, day_first: bool | None = None) -> bool:
    """Whether the line holds a date and little else, such as a place or a weekday, and does not define a term by it.

    `day_first` as of `find_dates`: a line without letters says nothing of its language.
    """
    dates = list(find_dates(line, day_first=day_first))
    if not dates:
        return False
    rest = line[: dates[0].start] + line[dates[-1].end :]
    return len(rest) <= 45 and not _DEFINED.search(rest) and not re.search(r"[.;:]\s*\S{3,}\s+\S{3,}", rest)


def tells(row: str, how: str = "match") -> Callable[[str], bool]:
    """Whether a text is what a row of `DocumentWords` says in any language: `match`, `fullmatch` or `search`."""
    patterns = [getattr(words, row) for words in _WORDS]
    return lambda text: any(getattr(pattern, how)(text) for pattern in patterns)


_is_of_sheet = tells("furniture")


def is_furniture(line: str) -> bool:
    """Whether the line belongs to the sheet rather than to the document: gazettes, letterheads, numbers, dates."""
    return not _LETTER.search(line) or bool(_PAGE_NUMBER.fullmatch(line)) or is_date_line(line) or _is_of_sheet(line)
