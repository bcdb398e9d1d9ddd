"""The lines of a head that may hold a title, and how a title that was broken goes on over them."""

import re
from collections.abc import Sequence

from law.languages import LANGUAGES
from law.languages.documents import CIRCULAR
from law.metadata.head import FieldValue
from law.metadata.instruments import (
    ANNOUNCES,
    MAX_JOINED,
    MAX_LINE_LENGTH,
    SENTENCE_END,
    UNFINISHED,
    calls_itself,
    ending_with_year,
    ends_title,
    genre_words,
    is_first_part,
    is_office,
    kind_of_title,
)
from law.metadata.lines import SENTENCE_BORDER, HeadLine, begins_section, is_furniture, is_heading_word, tells
from law.patterns import regex

MAX_PLAIN_LINE_LENGTH = 180  # a title without a legal genre is shorter than a sentence
WORDS_OF_SENTENCE = 3  # behind a full stop, no title has so many

says_about = tells("title_goes_on")  # what the genre or the number above it is about
_LETTER = regex(r"[^\W\d_]")
_WORDS = [language.documents for language in LANGUAGES]


def is_day_of_title(lines: Sequence[HeadLine], place: int) -> bool:
    """Whether the line is the day of an act between its genre and what it is about."""
    text = lines[place].text if place < len(lines) else ""
    return text[:1].islower() and is_furniture(text) and links(lines, place + 1)


def links(lines: Sequence[HeadLine], place: int) -> bool:
    return place < len(lines) and says_about(lines[place].text)


def has_begun(text: str) -> bool:
    return is_first_part(text) or len(text) > MAX_LINE_LENGTH or begins_section(text) or is_heading_word(text)


def can_be_title(text: str) -> bool:
    longest = MAX_LINE_LENGTH if genre_words(text) else MAX_PLAIN_LINE_LENGTH
    return (
        3 <= len(text) <= longest
        and not calls_itself(text)
        and 3 * len(_LETTER.findall(text)) > len(text.replace(" ", ""))
        and "\t" not in text
        and not ANNOUNCES.search(text)
        and not (SENTENCE_END.search(text) and len(text.split()) > 8)
        and not any(len(text[border.end() :].split()) >= WORDS_OF_SENTENCE for border in SENTENCE_BORDER.finditer(text))
    )


def with_continuation(lines: Sequence[HeadLine], index: int) -> FieldValue:
    """The line, and those after it on which a title that was broken goes on."""
    first = lines[index]
    text = first.text
    below = lines[index + 1].text if index + 1 < len(lines) else ""
    if kind_of_title(text) == CIRCULAR and text == genre_words(text) and _is_subject(below):
        return FieldValue(f"{text}: {below}", f"{text} {below}", first.page)
    for place in range(index + 1, min(index + MAX_JOINED, len(lines))):
        following = lines[place]
        if (
            following.page != first.page
            or not (
                is_day_of_title(lines, place)
                or _goes_on(
                    text, following.text, before_heading=_heading_follows(lines, place), paged=first.page is not None
                )
            )
            or len(text) + len(following.text) > MAX_LINE_LENGTH
        ):
            break
        text = f"{text} {following.text}"
    return FieldValue(text.strip(" ."), text, first.page)


def _is_subject(text: str) -> bool:
    """Whether the line below a genre alone says what the document is about."""
    is_other = ends_title(text) or is_office(text) or has_begun(text)
    return can_be_title(text) and not is_other


def _goes_on(text: str, following: str, *, before_heading: bool, paged: bool) -> bool:
    if any(words.code.match(following) and not words.code.match(text) for words in _WORDS):
        return len(following) <= MAX_PLAIN_LINE_LENGTH  # `Oxbow Code`, `Title 12 - Streets`
    if (
        begins_section(following)
        or is_heading_word(following)
        or is_furniture(following)
        or not can_be_title(following)
    ):
        return False
    if is_office(following) or is_first_part(following) or following.casefold().startswith(text.casefold()):
        return False
    broken = bool(UNFINISHED.search(text)) or text.count("(") > text.count(")") or following[:1].islower()
    broken = broken or (bool(genre_words(text)) and says_about(following))
    if not broken and ending_with_year(following):
        return False
    # On a page, lines are as the sheet has them: a second line between the title and the first heading is its rest.
    return broken or (paged and before_heading and bool(genre_words(text)) and not re.search(r"\d{4}\W*$", text))


def _heading_follows(lines: Sequence[HeadLine], place: int) -> bool:
    if place + 1 >= len(lines):
        return False
    after = lines[place + 1].text
    return begins_section(after) or is_heading_word(after)
