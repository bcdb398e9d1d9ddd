"""A document's title: the line in its head that names it, or the clause in which it names itself."""

import re
from collections.abc import Sequence
from dataclasses import replace

from law.languages import LANGUAGES
from law.languages.dates import find_dates
from law.languages.documents import LAW, REGULATION
from law.languages.scripts import either
from law.metadata.head import FieldValue
from law.metadata.instruments import (
    LOOKED_AT,
    MAX_JOINED,
    MAX_LINE_LENGTH,
    can_be_title,
    genre_words,
    has_begun,
    is_day_of_title,
    is_first_part,
    is_instrument,
    is_long_title,
    is_named,
    is_number,
    is_office,
    is_other_title,
    kind_of_title,
    links,
    says_about,
    statute_title,
    with_continuation,
)
from law.metadata.lines import HeadLine, is_furniture, tells, without_note_marks
from law.patterns import regex

AHEAD = 4  # lines, within which the name of an instrument is believed before a line that is none

_PAGE_BEHIND = regex(
    rf"\s+{either(language.documents.page_word for language in LANGUAGES)}\s*\d{{1,4}}(?:\s*[-–/]\s*\d{{1,3}})?$", re.I
)
_PAGE_OF_CONTENTS = regex(r"(?<=\b\d{4})[ .]+\d{1,4}$")
_WORDS = [language.documents for language in LANGUAGES]
_is_collection = tells("collection", "fullmatch")
_SECTION = either(language.statutes.section_words for language in LANGUAGES)


def find_title(lines: Sequence[HeadLine]) -> FieldValue | None:
    """The title, from its own line, from a subject line, or from the clause that says how to cite the document.

    Without marks of notes, which its quote has.
    """
    found = (
        _from_subject_line(lines)
        or _from_collection(lines)
        or _from_code(lines)
        or _from_title_line(lines)
        or _from_citation_clause(lines)
        or _from_title_line(lines, of_office=True)
    )
    return replace(found, value=_without_number(without_note_marks(found.value))) if found else None


def _without_number(title: str) -> str:
    """`Lamps Act, 2014` of `Act No. 4 of 2014: Lamps Act, 2014`, `Lamps Act, 2014 page 2` and, in contents, `… 17`."""
    title = _PAGE_BEHIND.sub("", title)
    if is_named(paged := _PAGE_OF_CONTENTS.sub("", title)):
        title = paged
    number, _, rest = title.partition(": ")
    return rest if is_number(number) and is_named(rest) else title


def _from_subject_line(lines: Sequence[HeadLine]) -> FieldValue | None:
    for line in lines[:LOOKED_AT]:
        for words in _WORDS:
            match = words.subject_line.match(line.text)
            if match and len(match["subject"]) <= MAX_LINE_LENGTH:
                return FieldValue(match["subject"].strip(" ."), line.text, line.page)
    return None


def _from_collection(lines: Sequence[HeadLine]) -> FieldValue | None:
    """A volume of a collection of laws with the name of that: of those named one below the other the last.

    The sections below bear the number of one of them. Behind its first part the whole collection may follow.
    """
    for place, line in enumerate(lines[:LOOKED_AT]):
        if has_begun(line.text) or is_long_title(line.text):
            break
        if not _is_collection(line.text):
            continue
        volume, numbers, end = "", [], place + 1
        while (heading := _volume(lines, end)) and not is_first_part(lines[end].text):
            volume, number, end = heading
            numbers.append(number)
        if not volume:
            continue
        if _bear(lines[end:], numbers):
            return FieldValue(f"{line.text} {volume}", " ".join(one.text for one in lines[place:end]), line.page)
    return None


def _volume(lines: Sequence[HeadLine], place: int) -> tuple[str, str, int] | None:
    """The volume that begins there, with its heading, be it the next line, its number, and the place behind them."""
    found = place < len(lines) and next(
        filter(None, (words.volume.fullmatch(lines[place].text) for words in _WORDS)), None
    )
    if not found:
        return None
    below = lines[place + 1].text if place + 1 < len(lines) else ""
    if found["heading"] and not can_be_title(found["heading"]):
        return None
    if found["heading"] or not can_be_title(below) or has_begun(below):
        return found[0], found["number"], place + 1
    return f"{found[0]} {below}", found["number"], place + 2


def _bear(lines: Sequence[HeadLine], numbers: Sequence[str]) -> bool:
    """Whether a section below has one of the numbers before its own: `§ 1090.100`."""
    own = regex(rf"(?:(?:§+|{_SECTION}) ?)?(?:{'|'.join(map(re.escape, numbers))})[-–.:]\d", re.IGNORECASE)
    return any(own.match(one.text) for one in lines[:LOOKED_AT])


def _from_code(lines: Sequence[HeadLine]) -> FieldValue | None:
    """A part of a code with the volume that it is in, as `Title 12, PART 1090—…`, where it alone is what is here.

    Its heading comes at once below that of the volume, and its sections bear the number of either: `§ 1090.100`. Where
    they do not, its first part begins the whole volume.
    """
    for place, above in enumerate(lines[:LOOKED_AT]):
        below = place + 1
        while below < len(lines) - 1 and below < place + MAX_JOINED and _is_between(lines[below].text):
            below += 1
        line = lines[min(below, len(lines) - 1)]
        for words in _WORDS:
            volume, heading = words.code.match(above.text), words.code_part.match(line.text)
            if not volume or not heading or above.page != line.page or len(line.text) > MAX_LINE_LENGTH:
                continue
            if _bear(lines[below + 1 :], [volume["number"], heading["number"]]):
                part = with_continuation(lines, below)
                return FieldValue(f"{volume['name']}, {part.value}", f"{above.text} {part.quote}", part.page)
    return None


def _is_between(text: str) -> bool:
    """Whether it names a volume that is not the part that is looked for, as `Subchapter C—Air` above `Part 75`."""
    return any(words.volume.fullmatch(text) and not words.code_part.match(text) for words in _WORDS)


def _from_title_line(lines: Sequence[HeadLine], *, of_office: bool = False) -> FieldValue | None:
    """The first line that may be a title and is no number, or a later one that names an instrument where that does not.

    `of_office`: a line that names an office and nothing else is taken for one too, and so are those. Of an instrument
    only a line that says its genre may be the title.
    """
    instrument = is_instrument(lines)
    found: list[int] = []
    for index, line in enumerate(lines[:LOOKED_AT]):
        if _is_of_the_sheet(lines, index) or (not of_office and is_office(line.text)):
            continue
        genre = genre_words(lines[found[0]].text) if found else ""
        statute = statute_title(lines, index)
        if statute and (not genre or (genre == genre_words(line.text) and statute.value == line.text.strip(" ."))):
            return statute
        if has_begun(line.text) or (not of_office and is_long_title(line.text)):
            break  # a title does not come after that
        if found and index - found[0] > AHEAD and (genre or not instrument):
            break
        if genre:
            continue  # a statute with its year may follow, as below the name of who proposed it
        names = is_named(line.text)
        if names and _enables(lines, index):
            continue
        if names and (found or instrument) and not is_number(line.text):
            above = lines[index - 1].text if index and not links(lines, index + 1) else ""
            if index - 1 in found or (instrument and can_be_title(above) and not is_furniture(above)):
                return _with_name_above(lines, index) if above else with_continuation(lines, index)
            if line.text != genre_words(line.text) or not above:
                return with_continuation(lines, index)
            continue  # its genre alone
        if instrument and not (genre_words(line.text) or is_other_title(line.text)):
            continue
        is_title = of_office and (genre_words(line.text) or not instrument)
        if is_number(line.text) and not is_title and not links(lines, index + 1):
            continue
        if names or can_be_title(line.text):
            found.append(index)
    return with_continuation(lines, found[0]) if found else None


def _is_of_the_sheet(lines: Sequence[HeadLine], index: int) -> bool:
    """Whether the line is furniture. `Law No. 22/2018 of 29/04/2018 relating to hoists` has more than its day."""
    text = lines[index].text
    if not is_furniture(text):
        return False
    genre = genre_words(text)
    if not genre or not text.casefold().startswith(genre.casefold()):
        return True
    if is_day_of_title(lines, index + 1):  # `Act`, `of 7 July 1994`, `on Hoists`
        return False
    behind = max((date.end for date in find_dates(text)), default=len(text))
    return not says_about(text[behind:].strip())


def _enables(lines: Sequence[HeadLine], index: int) -> bool:
    """Whether the act of the line is the one under which the regulations right below it were made."""
    below = [line.text for line in lines[index + 1 : index + 3] if is_named(line.text) or is_number(line.text)]
    return kind_of_title(lines[index].text) == LAW and any(kind_of_title(text) == REGULATION for text in below)


def _with_name_above(lines: Sequence[HeadLine], index: int) -> FieldValue:
    """The line, with the one above where it goes on from that: `ACT, No. 2 OF 2023` below `REHABILITATION`."""
    above, line = lines[index - 1], lines[index]
    first = line.text.split()[0].strip(",.")
    if above.page == line.page and is_named(first):
        text = f"{above.text} {line.text}"
        return FieldValue(text.strip(" ."), text, line.page)
    return with_continuation(lines, index)


def _from_citation_clause(lines: Sequence[HeadLine]) -> FieldValue | None:
    for line in lines:
        for words in _WORDS:
            if match := words.citation_clause.search(line.text):
                return FieldValue(match["title"].strip(), match[0].strip(), line.page)
    return None
