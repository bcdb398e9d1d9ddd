"""What a file says, whatever its format: pieces in order, whose footnotes cite places in documents.

Words of a document, of a note or of a person stand in their own language and on its side of the page. What a file says
of a document is in the language of that, and what it says of itself in the language of its title.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, takewhile
from unicodedata import bidirectional

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from law.languages import DEFAULT, LANGUAGES, Language
from law.languages.scripts import main_language
from law.timeline import Period

MAX_NAME_LENGTH = 80  # characters of a file's name, before its ending
LEFT_TO_RIGHT_SIGN, RIGHT_TO_LEFT_SIGN = "\u200e", "\u200f"
_LETTERS, _DIGITS, _IN_NUMBERS = ("L", "R", "AL"), ("EN", "AN"), ("CS", "ES", "ET", "NSM", "BN")  # of UAX 9


class Mark(StrEnum):
    """How words are set apart from those around them."""

    NONE = ""
    STRONG = "strong"
    UNSUPPORTED = "unsupported"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnote:
    """A place in a document, as a footnote and a bibliography name it.

    `cited` is the place as people cite it, with the document's title. `number` is that of the provision. `holds` says
    the day that it holds for, in words, and `has_own_days` that its days are not those of the whole document. `address`
    is absolute. `quote` is what is quoted from there, if a file does not say it elsewhere.
    """

    cited: str
    address: str
    title: str = ""
    identifier: str = ""
    kind: str = ""
    number: str = ""
    page: int | None = None
    published_at: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    holds: str = ""
    has_own_days: bool = False
    quote: str = ""

    @property
    def language(self) -> Language:
        """That of the document."""
        return main_language(self.title or self.cited)

    @property
    def days(self) -> Period:
        """Those on which it is in force."""
        return Period(self.valid_from, self.valid_to)

    @property
    def of_days(self) -> str:
        """What `days` and `holds` are of: the place, or the document where all of it has the same."""
        return self.cited if self.has_own_days else self.title or self.cited

    @property
    def said(self) -> str:
        """The footnote without its address."""
        with speaking(self.language):
            facts = [self.cited or self.title]
            facts += [self.identifier] if self.identifier and self.identifier not in facts[0] else []
            if not self.identifier and self.published_at:  # the day finds it in what it was published in
                facts.append(_("published on %s") % date_format(self.published_at))
            facts += [_("page %d") % self.page] if self.page else []
            facts += [_("version of %s") % date_format(self.valid_from)] if self.valid_from else []
            facts += [self.holds] if self.holds else []
        said = ", ".join(facts) + "."
        return f"{said} {self.quoted}" if self.quote else said

    @property
    def quoted(self) -> str:
        """The quote in the quotation marks of its document, or ''."""
        with speaking(self.language):
            return _("“%s”") % self.quote if self.quote else ""


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of a paragraph."""

    text: str
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class FootnoteMark:
    """The mark of a footnote. A place that was cited before has the footnote that it has."""

    cited: Footnote


Run = TextRun | FootnoteMark


def speaking(language: Language) -> AbstractContextManager[None]:
    """What is translated in the block is said in this language."""
    return translation.override(language.code)


def spoken() -> Language:
    """The active language."""
    return next((one for one in LANGUAGES if one.code == translation.get_language()), DEFAULT)


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` is 1 for what divides the file, 2 for what stands below that."""

    runs: Sequence[Run]
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`language` is None where its words tell it. One that `leads` stands on the page of what follows it."""

    runs: Sequence[Run]
    language: Language | None = None
    leads: bool = False


@dataclass(frozen=True, slots=True)
class QuotedText:
    """Words of a document, with their line ends, and the footnote behind them."""

    text: str
    cited: Footnote | None = None


@dataclass(frozen=True, slots=True)
class Caution:
    """What somebody who relies on the file has to know, in the language that is active when it is made."""

    text: str
    language: Language = field(default_factory=spoken)


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """Two wordings beside each other, a line of one beside what the other has in its place."""

    rows: Sequence[tuple[Sequence[TextRun], Sequence[TextRun]]]


Piece = Heading | Paragraph | QuotedText | Caution | ComparedTexts


def told(sentence: str) -> Paragraph:
    """A sentence of the file's own on what follows it, in the active language, whatever names are in it."""
    return Paragraph([TextRun(sentence)], spoken(), leads=True)


@dataclass(frozen=True)
class Export:
    """A file before it has a format. `title` is its first line, and its name."""

    title: str
    pieces: Sequence[Piece]
    language: Language
    made_on: date

    @property
    def is_rtl(self) -> bool:
        return runs_rtl(self.language)

    @property
    def filename(self) -> str:
        """Its name without an ending, which every system of files takes."""
        name = "".join(char if char.isalnum() or char in " -_()[]'׳״," else " " for char in self.title)
        return " ".join(name.split())[:MAX_NAME_LENGTH].strip() or "export"

    @cached_property
    def citations(self) -> tuple[Footnote, ...]:
        """What is cited, each place once, in the order of the footnotes."""
        return tuple(dict.fromkeys(note.cited for note in self._notes()))

    def language_of(self, piece: Piece) -> Language:
        """The one that a piece is written in. What has no letters goes with the file."""
        match piece:
            case Caution(_, language):
                return language
            case Paragraph(_, language, _) if language is not None:
                return language
            case Heading(runs) | Paragraph(runs):
                return self.language_of_words(words_of(runs))
            case QuotedText(text):
                return self.language_of_words(text)
            case ComparedTexts():
                return self.language

    def language_of_words(self, text: str) -> Language:
        return main_language(text) if any(map(str.isalpha, text)) else self.language

    def number_of(self, cited: Footnote) -> int:
        """The number of its footnote, from 1."""
        return self._numbers[cited]

    @cached_property
    def _numbers(self) -> dict[Footnote, int]:
        return {cited: number for number, cited in enumerate(self.citations, 1)}

    def _notes(self) -> Iterator[FootnoteMark]:
        for piece in self.pieces:
            if isinstance(piece, QuotedText):
                yield from [FootnoteMark(piece.cited)] if piece.cited else []
            elif isinstance(piece, Heading | Paragraph):
                yield from (run for run in piece.runs if isinstance(run, FootnoteMark))


def fitting(lengths: Iterable[int], *, most: int) -> int:
    """How many of the first have at most as many characters together."""
    return sum(1 for _so_far in takewhile(lambda so_far: so_far <= most, accumulate(lengths)))


def runs_rtl(language: Language) -> bool:
    """Whether a language is written from right to left."""
    return language.code in settings.LANGUAGES_BIDI


def words_of(runs: Sequence[Run]) -> str:
    """What they say, without footnotes."""
    return "".join(run.text for run in runs if isinstance(run, TextRun))


def with_signs(runs: Sequence[Run], *, rtl: bool) -> Iterator[Run]:
    """The runs of a paragraph, with a sign between a number in Hebrew and the mark of a footnote behind it.

    Without one the two are one number (UAX 9), and the mark stands before it.
    """
    side, is_number = rtl, False
    for run in runs:
        if isinstance(run, FootnoteMark):
            if side and is_number:
                yield TextRun(RIGHT_TO_LEFT_SIGN)
        else:
            for kind in map(bidirectional, run.text):
                side = side if kind not in _LETTERS else kind != "L"
                is_number = kind in _DIGITS or (is_number and kind in _IN_NUMBERS)
        yield run
