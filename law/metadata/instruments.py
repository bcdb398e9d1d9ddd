"""What tells an instrument: the words of its genre, its number, its long title, how its text calls itself."""

from collections.abc import Iterator, Sequence

from law.languages import LANGUAGES
from law.languages.documents import LAW, REGULATION, DocumentWords
from law.languages.scripts import language_of
from law.metadata.head import FieldValue
from law.metadata.lines import HeadLine, begins_section, is_heading_word
from law.words.series import number_of_line

LOOKED_AT = 25  # lines, among which a title is looked for
HEAD = 12  # lines, in which a document prints its number: further down, numbers are those of others
MAX_NUMBER_LINE_LENGTH = 80  # characters
_WORDS = [language.documents for language in LANGUAGES]


def is_instrument(lines: Sequence[HeadLine]) -> bool:
    """Whether it is a law or a regulation: its head has a number or a long title, or its text calls itself one."""
    itself = first_self_reference(lines)
    return (
        bool(itself and itself.value in (LAW, REGULATION))
        or any(is_number(line.text) or is_long_title(line.text) for line in lines[:LOOKED_AT])
        or any(True for _ in numbers_in_head(lines))
    )


def first_self_reference(lines: Sequence[HeadLine]) -> FieldValue | None:
    """The kind that the text first gives itself. Further down it may speak of other documents in the same way."""
    for line in lines:
        found = [
            (match.start(), kind, match[0])
            for words in _WORDS
            for pattern, kind in words.self_references
            if (match := pattern.search(line.text))
        ]
        if found:
            _, kind, quote = min(found)
            return FieldValue(kind, quote, line.page)
    return None


def is_named(text: str) -> bool:
    return any(words.named_title.fullmatch(text.rstrip(" .")) for words in _WORDS)


def is_number(text: str) -> bool:
    return any(words.number_alone.fullmatch(text) for words in _WORDS)


def is_long_title(text: str) -> bool:
    """Whether it says at length what the document is for, which has a short title elsewhere, or none."""
    return any(words.long_title.match(text) for words in _WORDS)


def is_office(text: str) -> bool:
    return any(words.authority.fullmatch(text) for words in _WORDS)


def is_first_part(text: str) -> bool:
    return any(words.first_part.match(text) for words in _WORDS)


def genre_words(text: str) -> str:
    """The words of the genre that a title names, where a title in its language may have it. Empty without one."""
    found = (
        match[0]
        for words in _WORDS
        for pattern, _ in words.genres
        if (match := pattern.match(text) if words.genre_leads else pattern.search(text))
    )
    return next(found, "")


def is_other_title(text: str) -> bool:
    return any(words.other_title.search(text) for words in _WORDS)


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


def numbers_in_head(lines: Sequence[HeadLine]) -> Iterator[FieldValue]:
    """Those of laws and regulations that are a line of it, each in the form in which it is cited."""
    for line in lines[:HEAD]:
        if begins_section(line.text) or is_heading_word(line.text):
            return  # the text has begun
        if len(line.text) > MAX_NUMBER_LINE_LENGTH:
            continue
        bare = without_brackets(line.text)
        forms = ((pattern.fullmatch(bare), form) for pattern, form in line.language.documents.own_numbers)
        if number := number_of_line(bare) or next((match.expand(form) for match, form in forms if match), ""):
            yield FieldValue(number, line.text, line.page)


def without_brackets(text: str) -> str:
    return text[1:-1].strip() if text[:1] + text[-1:] in ("()", "[]") else text
