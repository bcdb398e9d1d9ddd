"""The sentences of a document in which it speaks for itself: paragraphs put together, what is quoted left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, pairwise
from operator import attrgetter

from law.languages import LANGUAGES
from law.languages.dates import DateMatch, find_dates
from law.languages.documents import BEGINS, BEGINS_OWN, BEGINS_PUBLICATION, GOES_ON
from law.languages.scripts import LETTERS
from law.metadata.head import DocumentHead
from law.metadata.lines import SENTENCE_BORDER, HeadLine, begins_section, lines_of
from law.patterns import regex
from law.structure.lines.quoted import turns

RUNNING_LINE = 0.7  # of the page's width, from which a line without a full stop goes on in the next
WIDEST = 120  # characters: where lines are longer, each is a paragraph
MAX_JOINED = 12  # lines
MAX_PARAGRAPH_LENGTH = 2_000  # characters: what follows in a longer one is not looked at
MAX_QUOTED = 60  # lines, after which a quotation mark that was not closed is taken for a mistake
MIN_LENGTH = 6  # characters of a sentence that says anything
MAX_QUOTE_LENGTH = 400
_RUNNING = regex(r"[^.;:]\s*$")
_INTRODUCES = regex(r"[:–—-]\s*$")
_OPENS_WORDS = regex(r"(?<!\w).(?=[\w(\[])")
_NUMBER = regex(rf"(?:[\s\W]*\(\s?[\w]{{1,4}}\)|\W*\d{{1,4}}[{LETTERS}]?\.?(?=\s\D)|\s)*[\s*•\u200e\u200f–-]*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as printed, without the number of its section. `masked` has placeholders for its days, for
    what the document calls itself, and for its publication.

    `dates` are by the place at which their placeholder begins. `in_list` says that it is an item of a list.
    """

    text: str
    masked: str
    dates: dict[int, DateMatch]
    page: int | None
    in_list: bool = False

    def quote(self, end: int) -> str:
        """The words up to there, and the punctuation mark behind them. Of very many the last."""
        words = self.text[: end + 1 if self.text[end : end + 1] in {".", ";", ")"} else end].strip()
        return words if len(words) <= MAX_QUOTE_LENGTH else words[-MAX_QUOTE_LENGTH:].partition(" ")[2]


def sentences_of(document: DocumentHead) -> list[Sentence]:
    """Those of all of the document that was read."""
    return list(sentences(lines_of((*document.pages, *document.further))))


def sentences(lines: Sequence[HeadLine]) -> Iterator[Sentence]:
    """Those that no quotation marks surround, such as words that an amendment inserts elsewhere."""
    day_first = sum(line.language.dates.day_first for line in lines) * 2 > len(lines) or None
    quoted, in_list = 0, False
    for paragraph in _paragraphs(lines):
        opened = sum(turn for _, turn in _turns(paragraph.text))
        inside, quoted = quoted > 0, _still_quoted(quoted, opened)
        hint = any(language.clauses.hint.search(paragraph.text) for language in LANGUAGES)
        in_list = in_list and begins_section(paragraph.text)
        if inside or not (hint or in_list):
            continue
        yield from (replace(one, in_list=in_list) for one in _split(paragraph, day_first=day_first))
        in_list = in_list or bool(_INTRODUCES.search(paragraph.text))


def _turns(text: str) -> Iterator[tuple[int, int]]:
    """As `turns`, without `insert “; or`: where no mark closes, whatever follows would be quoted."""
    return ((at, turn) for at, turn in turns(text) if turn < 0 or _OPENS_WORDS.match(text, at))


def _still_quoted(quoted: int, opened: int) -> int:
    """How many more lines may be inside of the quotation that this paragraph opens, or goes on with."""
    if quoted:
        return 0 if opened < 0 else quoted - 1
    return MAX_QUOTED if opened > 0 else 0


def _paragraphs(lines: Sequence[HeadLine]) -> Iterator[HeadLine]:
    """The lines, those joined that one sentence runs over on a page."""
    for page, group in groupby(lines, key=attrgetter("page")):
        on_page = list(group)
        width = sorted(len(line.text) for line in on_page)[len(on_page) * 9 // 10]
        held: list[str] = []
        for line, following in pairwise([*on_page, None]):
            held.append(line.text)  # type: ignore[union-attr]
            if following is None or width > WIDEST or not _goes_on(held, following.text, width=width):
                yield HeadLine(" ".join(held)[:MAX_PARAGRAPH_LENGTH], page)
                held = []


def _goes_on(held: Sequence[str], following: str, *, width: int) -> bool:
    return (
        len(held[-1]) >= RUNNING_LINE * width
        and bool(_RUNNING.search(held[-1]))
        and not begins_section(following)
        and len(held) < MAX_JOINED
    )


def _split(paragraph: HeadLine, *, day_first: bool | None) -> Iterator[Sentence]:
    text, start, marks = paragraph.text, 0, list(_turns(paragraph.text))
    dates = list(find_dates(text, day_first=day_first))
    found = SENTENCE_BORDER.finditer(text)
    borders = [one.end() for one in found if not any(date.start <= one.start() < date.end for date in dates)]
    for end in [*borders, len(text)]:
        begin = start + _NUMBER.match(text[start:end]).end()  # type: ignore[union-attr]
        is_quoted = next((turn for at, turn in reversed(marks) if at < begin), 0) > 0
        if end - begin >= MIN_LENGTH and not is_quoted:
            yield _sentence(
                text[begin:end].rstrip(), [one for one in dates if begin <= one.start < end], begin, paragraph
            )
        start = end


def _sentence(text: str, dates: Sequence[DateMatch], begin: int, paragraph: HeadLine) -> Sentence:
    masked = list(text)
    places = {}
    for one in dates:
        first, last = one.start - begin, min(one.end - begin, len(text))
        masked[first:last] = BEGINS + GOES_ON * (last - first - 1)
        places[first] = one
    return Sentence(text, _without_names("".join(masked)), places, paragraph.page)


def _without_names(masked: str) -> str:
    """The sentence with placeholders for what the document calls itself, and for its publication."""
    for words in (language.clauses for language in LANGUAGES):
        for sign, pattern in ((BEGINS_OWN, words.own), (BEGINS_PUBLICATION, words.publication)):
            masked = pattern.sub(partial(_hidden, sign), masked)
    return masked


def _hidden(sign: str, match: re.Match[str]) -> str:
    return sign + GOES_ON * (len(match[0]) - 1)
