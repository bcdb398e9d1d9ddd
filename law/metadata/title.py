"""A document's title: the line in its head that names it, or the clause in which it names itself, and its number."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.documents import DocumentWords
from law.languages.scripts import either
from law.metadata.lines import HeadLine, begins_section, is_furniture, is_heading_word
from law.patterns import regex
from law.words.series import named_in_any_case

LOOKED_AT = 25  # lines
MAX_LINE_LENGTH = 300
MAX_PLAIN_LINE_LENGTH = 180  # a title without a legal genre is shorter than a sentence
MAX_JOINED = 4
AHEAD = 4  # lines, within which the name of an instrument is believed before a line that is none

_SENTENCE_END = regex(r"(?<![A-Z]\b)[.;]$")
_LETTER = regex(r"[^\W\d_]")
_ANNOUNCES = regex(r":[–—-]?$")  # what follows
_MARK_OF_EDITION = regex(r"^[►▼]\w{0,3} ")  # of a consolidated text
_RAISED = "[⁰¹²³⁴-⁹⁽⁾]"
# The mark of a note: raised digits that are no power of a unit or of a short number (`m²`, `10⁶`), a star or a dagger
# at an end of a word, a number in brackets right behind one.
_NOTE_MARK = regex(
    rf"""(?<!{_RAISED})(?<!\b\d)(?<!\b\d\d)(?<!\b\d\d\d)(?<!(?<!["'״׳”’])\b[^\W\d])(?<!\b[^\W\d]{{2}})"""
    rf"""(?<!\b[^\W\d]["״][^\W\d]){_RAISED}+(?:[, ]{_RAISED}+)*|(?<!\w)[*†‡]+|[*†‡]+(?!\w)|(?<=\w)\[\d{{1,3}}\]"""
)
_WORDS = [language.documents for language in LANGUAGES]
_UNFINISHED = regex(rf"(?:{either(words.unfinished_title for words in _WORDS)}|[-–—־/&,])$", re.IGNORECASE)
NUMBER_WITHIN = 12  # lines: further down, numbers are those of other documents
LATEST_START = 25  # characters into a line: behind more words than these, a number is spoken of, not borne
_CITING = frozenset(word for language in LANGUAGES for word in language.documents.citing_words)


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value, and the words it was read from as they stand on a page (white space apart)."""

    value: str
    quote: str
    page: int | None


def find_title(lines: Sequence[HeadLine]) -> FieldValue | None:
    """The title, from its own line, from a subject line, or from the clause that says how to cite the document.

    Without marks of notes, which its quote has.
    """
    found = (
        _from_subject_line(lines)
        or _from_code(lines)
        or _from_title_line(lines)
        or _from_citation_clause(lines)
        or _from_title_line(lines, of_office=True)
    )
    return replace(found, value=without_note_marks(found.value)) if found else None


def without_note_marks(title: str) -> str:
    """The title without the marks of notes to it, as `Harbour Act¹` and `Harbour Act*` have them."""
    return " ".join(_NOTE_MARK.sub("", _MARK_OF_EDITION.sub("", title)).split()) or title


def _from_subject_line(lines: Sequence[HeadLine]) -> FieldValue | None:
    for line in lines[:LOOKED_AT]:
        for words in _WORDS:
            match = words.subject_line.match(line.text)
            if match and len(match["subject"]) <= MAX_LINE_LENGTH:
                return FieldValue(match["subject"].strip(" ."), line.text, line.page)
    return None


def _from_code(lines: Sequence[HeadLine]) -> FieldValue | None:
    """A part of a code with the volume that it is in, as `Title 12, PART 1090—…`, where it alone is what is here.

    Its heading comes at once below that of the volume, and its sections bear the number of either: `§ 1090.100`. Where
    they do not, its first part begins the whole volume.
    """
    for place, (above, line) in enumerate(pairwise(lines[:LOOKED_AT])):
        for words in _WORDS:
            volume, heading = words.code.match(above.text), words.code_part.match(line.text)
            if not volume or not heading or above.page != line.page or len(line.text) > MAX_LINE_LENGTH:
                continue
            own = regex(rf"(?:§+ ?)?(?:{volume['number']}|{heading['number']})[-–.:]\d")
            if any(own.match(one.text) for one in lines[place + 2 : place + LOOKED_AT]):
                part = _with_continuation(lines, place + 1)
                return FieldValue(f"{volume['name']}, {part.value}", f"{above.text} {part.quote}", part.page)
    return None


def _from_title_line(lines: Sequence[HeadLine], *, of_office: bool = False) -> FieldValue | None:
    """The first line that may be a title and is no number, or a later one that names an instrument where that does not.

    `of_office`: a line that names an office and nothing else is taken for one too, and so are those.
    """
    found: list[int] = []
    for index, line in enumerate(lines[:LOOKED_AT]):
        if is_furniture(line.text) or (not of_office and _is_office(line.text)):
            continue
        if not found and (statute := _statute_title(lines, index)):
            return statute
        if _has_begun(line.text) or (not of_office and _is_long_title(line.text)):
            break  # a title does not come after that
        if found and (index - found[0] > AHEAD or genre_at_start(lines[found[0]].text)):
            break
        is_named = _is_named(line.text)
        if found and is_named:
            return _with_name_above(lines, index) if found[-1] == index - 1 else _with_continuation(lines, index)
        if (is_named or _can_be_title(line.text)) and (of_office or not _is_number(line.text)):
            found.append(index)
    return _with_continuation(lines, found[0]) if found else None


def _has_begun(text: str) -> bool:
    is_first = any(words.first_part.match(text) for words in _WORDS)
    return is_first or len(text) > MAX_LINE_LENGTH or begins_section(text) or is_heading_word(text)


def _is_named(text: str) -> bool:
    return any(words.named_title.fullmatch(text.rstrip(" .")) for words in _WORDS)


def _is_number(text: str) -> bool:
    return any(words.number_alone.fullmatch(text) for words in _WORDS)


def _is_long_title(text: str) -> bool:
    """Whether it says at length what the document is for, which has a short title elsewhere, or none."""
    return any(words.long_title.match(text) for words in _WORDS)


def _with_name_above(lines: Sequence[HeadLine], index: int) -> FieldValue:
    """The line, with the one above where it goes on from that: `ACT, No. 2 OF 2023` below `REHABILITATION`."""
    above, line = lines[index - 1], lines[index]
    first = line.text.split()[0].strip(",.")
    if above.page == line.page and _is_named(first):
        text = f"{above.text} {line.text}"
        return FieldValue(text.strip(" ."), text, line.page)
    return _with_continuation(lines, index)


def _statute_title(lines: Sequence[HeadLine], index: int) -> FieldValue | None:
    """A title that runs up to its year, over a few lines if need be."""
    line = lines[index]
    words = _ending_with_year(line.text)
    if words is None:
        return None
    text = line.text
    for following in [*lines[index + 1 : index + MAX_JOINED], None]:
        end = words.title_end.search(text)
        if end and end.end() <= MAX_LINE_LENGTH and not re.search(r"[.;]\s", text[: end.start()]):
            title = text[: end.end()]
            return FieldValue(title, title, line.page)
        if (
            following is None
            or following.page != line.page
            or _SENTENCE_END.search(text)
            or begins_section(following.text)
            or is_heading_word(following.text)
        ):
            return None
        text = f"{text} {following.text}"
    return None


def _ending_with_year(text: str) -> DocumentWords | None:
    """The words of the language in which a title that begins so runs up to its year."""
    return next((words for words in _WORDS if words.can_end_with_year.match(text)), None)


def _can_be_title(text: str) -> bool:
    longest = MAX_LINE_LENGTH if genre_at_start(text) else MAX_PLAIN_LINE_LENGTH
    return (
        3 <= len(text) <= longest
        and 3 * len(_LETTER.findall(text)) > len(text.replace(" ", ""))
        and "\t" not in text
        and not _ANNOUNCES.search(text)
        and not (_SENTENCE_END.search(text) and len(text.split()) > 8)
        and not re.search(r"[.;]\s+\S+\s+\S+\s+\S+", text)
    )


def genre_at_start(text: str) -> bool:
    """Whether it names a genre where a title in its language may have it."""
    return any(
        pattern.match(text) if words.genre_leads else pattern.search(text)
        for words in _WORDS
        for pattern, _ in words.genres
    )


def _with_continuation(lines: Sequence[HeadLine], index: int) -> FieldValue:
    """The line, and those after it on which a title that was broken goes on."""
    first = lines[index]
    text = first.text
    for place in range(index + 1, min(index + MAX_JOINED, len(lines))):
        following = lines[place]
        if (
            following.page != first.page
            or not _goes_on(
                text, following.text, before_heading=_heading_follows(lines, place), paged=first.page is not None
            )
            or len(text) + len(following.text) > MAX_LINE_LENGTH
        ):
            break
        text = f"{text} {following.text}"
    return FieldValue(text.strip(" ."), text, first.page)


def _goes_on(text: str, following: str, *, before_heading: bool, paged: bool) -> bool:
    if any(words.code.match(following) and not words.code.match(text) for words in _WORDS):
        return len(following) <= MAX_PLAIN_LINE_LENGTH  # `Oxbow Code`, `Title 12 - Streets`
    if (
        begins_section(following)
        or is_heading_word(following)
        or is_furniture(following)
        or not _can_be_title(following)
    ):
        return False
    if _is_office(following) or following.casefold().startswith(text.casefold()):
        return False
    broken = bool(_UNFINISHED.search(text)) or text.count("(") > text.count(")") or following[:1].islower()
    if not broken and _ending_with_year(following):
        return False
    # On a page, lines are as the sheet has them: a second line between the title and the first heading is its rest.
    return broken or (paged and before_heading and genre_at_start(text) and not re.search(r"\d{4}\W*$", text))


def _is_office(text: str) -> bool:
    return any(words.authority.fullmatch(text) for words in _WORDS)


def _heading_follows(lines: Sequence[HeadLine], place: int) -> bool:
    if place + 1 >= len(lines):
        return False
    after = lines[place + 1].text
    return begins_section(after) or is_heading_word(after)


def _from_citation_clause(lines: Sequence[HeadLine]) -> FieldValue | None:
    for line in lines:
        for words in _WORDS:
            if match := words.citation_clause.search(line.text):
                return FieldValue(match["title"].strip(), match[0].strip(), line.page)
    return None


def find_identifier(lines: Sequence[HeadLine], title: FieldValue | None) -> FieldValue | None:
    """The document's own number, from its head or its title. A number in running text is another document's."""
    for line in lines[:NUMBER_WITHIN]:
        if begins_section(line.text) or is_heading_word(line.text):
            return None  # the text has begun
        own = is_furniture(line.text) or (title is not None and line.text in title.quote)
        if not own and ("\t" in line.text or len(line.text) > MAX_LINE_LENGTH):
            continue
        for one in named_in_any_case(line.text):
            if one.series.shown and not one.series.around and _is_borne(line.text, one.start, one.end, own=own):
                number = line.text[one.start : one.end]
                return FieldValue(number, number, line.page)
        for pattern in line.language.documents.numbers:
            match = pattern.search(line.text)
            if match and _is_borne(line.text, *match.span(), own=own):
                return FieldValue(match["number"].rstrip(".,-/"), match[0], line.page)
    return None


def _is_borne(text: str, start: int, end: int, *, own: bool) -> bool:
    """Whether a number in a longer line is the document's: near its beginning, or announced by a colon."""
    before = text[:start].rstrip()
    if before.rpartition(" ")[2].lower() in _CITING:
        return False
    return own or len(before) <= LATEST_START or (before.endswith(".") and ":" in text[start:end])
