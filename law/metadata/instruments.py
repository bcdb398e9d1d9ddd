"""What lines tell an instrument, which of them may hold a title, and how a broken title goes on over them.

Words of its genre tell one, its number, its long title, a title that ends with its year.
"""

import re
from collections.abc import Sequence

from law.languages import LANGUAGES
from law.languages.documents import CIRCULAR, DocumentWords
from law.languages.scripts import either, language_of
from law.metadata.head import FieldValue
from law.metadata.lines import SENTENCE_BORDER, HeadLine, begins_section, is_furniture, is_heading_word, tells
from law.patterns import regex

LOOKED_AT = 25  # lines, among which a title is looked for
MAX_LINE_LENGTH = 300  # characters
MAX_JOINED = 4  # lines of one title
_WORDS = [language.documents for language in LANGUAGES]
SENTENCE_END = regex(r"(?<![A-Z]\b)[.;]$")
_LABEL = regex(r"\S+: ")
ANNOUNCES = regex(r":[–—-]?$")  # what follows
UNFINISHED = regex(rf"(?:{either(words.unfinished_title for words in _WORDS)}|[-–—־/&,])$", re.IGNORECASE)
_is_of_instrument = tells("of_instrument")
is_number = tells("number_alone", "fullmatch")
is_long_title = tells("long_title")
is_office = tells("authority", "fullmatch")
is_first_part = tells("first_part")
is_other_title = tells("other_title", "search")
MAX_PLAIN_LINE_LENGTH = 180  # a title without a legal genre is shorter than a sentence
WORDS_OF_SENTENCE = 3  # behind a full stop, no title has so many
says_about = tells("title_goes_on")  # what the genre or the number above it is about
_LETTER = regex(r"[^\W\d_]")


def is_instrument(lines: Sequence[HeadLine]) -> bool:
    """Whether the head is that of a law or a regulation: it has the number of one, its long title or a gazette."""
    head = [line.text for line in lines[:LOOKED_AT]]
    return any(_is_of_instrument(text) or (is_number(text) and genre_words(text)) for text in head)


def calls_itself(text: str) -> bool:
    """Whether it begins with what a text calls itself, such as `These Guidelines`, so it is no title."""
    return any(pattern.match(text) for words in _WORDS for pattern, _ in words.self_references)


def is_named(text: str) -> bool:
    return any(words.named_title.fullmatch(text.rstrip(" .")) for words in _WORDS)


def genre_words(text: str) -> str:
    """The words of the genre that a title names, where a title in its language may have it. Empty without one."""
    found = (
        match[0]
        for words in _WORDS
        for pattern, _ in words.genres
        if (match := pattern.match(text) if words.genre_leads else pattern.search(text))
    )
    return next(found, "")


def kind_of_title(title: str) -> str | None:
    """The kind that a title names, by its first words or by its head noun, as its language has it."""
    words = language_of(title).documents
    if words.genre_leads:
        return next((kind for pattern, kind in words.genres if pattern.match(title)), None)
    phrase = next((kind for pattern, kind in words.genre_phrases if pattern.match(title)), None)
    if phrase:
        return phrase
    head = words.head_ends.split(title, maxsplit=1)[0]
    return _last_genre(head, words) or _last_genre(title, words)


def _last_genre(text: str, words: DocumentWords) -> str | None:
    """The kind of the genre word that stands last: `Guidance Rules` are rules."""
    found = [(match.end(), -rank, kind) for rank, (pattern, kind) in enumerate(words.genres)
             for match in pattern.finditer(text)]  # fmt: skip
    return max(found)[2] if found else None


def statute_title(lines: Sequence[HeadLine], index: int) -> FieldValue | None:
    """A title that runs up to its year, over a few lines if need be."""
    line = lines[index]
    words = ending_with_year(line.text)
    if words is None:
        return None
    text = line.text
    for following in [*lines[index + 1 : index + MAX_JOINED], None]:
        end = words.title_end.search(text)
        if end and end.end() <= MAX_LINE_LENGTH and not re.search(r"[.;]\s", text[: end.start()]):
            title = text[: end.end()]
            return FieldValue(title, title, line.page)
        if following is None or following.page != line.page or SENTENCE_END.search(text) or ends_title(following.text):
            return None
        if ending_with_year(following.text) and not UNFINISHED.search(text):
            return None  # another begins
        text = f"{text} {following.text}"
    return None


def ends_title(text: str) -> bool:
    """Whether no title goes on in the line or beyond it."""
    own = begins_section(text) or is_heading_word(text) or is_furniture(text)
    return own or bool(_LABEL.match(text) or ANNOUNCES.search(text))


def ending_with_year(text: str) -> DocumentWords | None:
    """The words of the language in which a title that begins so runs up to its year."""
    return next((words for words in _WORDS if words.can_end_with_year.match(text)), None)


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
