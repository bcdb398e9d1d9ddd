"""What a document says that it is cited by besides its title: the name in its own clause, the numbers in its head."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from law.languages import LANGUAGES
from law.languages.documents import LAW, REGULATION
from law.languages.scripts import either
from law.metadata.head import FieldValue
from law.metadata.instruments import MAX_LINE_LENGTH
from law.metadata.lines import HeadLine, begins_section, is_furniture, is_heading_word
from law.patterns import regex
from law.words.series import named_in_any_case, number_of_line

HEAD = 12  # lines, in which a document prints its number: further down, numbers are those of others
MAX_NUMBER_LINE_LENGTH = 80  # characters
LATEST_START = 25  # characters into a line: behind more words than these, a number is spoken of, not borne
_WORDS = [language.documents for language in LANGUAGES]
_ARTICLE = regex(rf"^\s*{either(language.citations.articles for language in LANGUAGES)}\s+", re.IGNORECASE)
_CITING = frozenset(word for language in LANGUAGES for word in language.documents.citing_words)
_BETWEEN_WORDS = regex(r"[\W_]+")
_QUOTES = '"“”„‘«״'


def find_aliases(lines: Sequence[HeadLine], *, title: str, kind: str | None, title_from: str = "") -> list[FieldValue]:
    """Each once, of a law or a regulation: what explains one prints the number of that.

    The title is none, with its year or without, unless `title_from`, the words that it was read from, are the clause
    itself: a person may give the document another title. Of several clauses that name different acts none is believed.
    """
    if kind not in (LAW, REGULATION):
        return []
    named = {_letters(value.value): value for value in _named_by_clause(lines)}
    found = [*(named.values() if len(named) == 1 else ()), *_numbers_in_head(lines)]
    own = _letters(title)
    besides = {
        value.value: value for value in found if value.quote == title_from or not own.startswith(_letters(value.value))
    }
    return list(besides.values())


def find_identifier(lines: Sequence[HeadLine], title: FieldValue | None) -> FieldValue | None:
    """The document's own number, from its head or its title. A number in running text is another document's."""
    for line in lines[:HEAD]:
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


def find_own_number(lines: Sequence[HeadLine], kind: str | None) -> FieldValue | None:
    """The number of a law or a regulation that is a line of its head, as it is printed."""
    numbers = _numbers_in_head(lines) if kind in (LAW, REGULATION) else iter(())
    return next((replace(one, value=_without_brackets(one.quote)) for one in numbers), None)


def _letters(name: str) -> str:
    """What two names are compared by: no article, no punctuation."""
    return _BETWEEN_WORDS.sub("", _ARTICLE.sub("", name)).casefold()


def _named_by_clause(lines: Sequence[HeadLine]) -> Iterator[FieldValue]:
    """Those of `This Act may be cited as …`, where no quotation was opened before: an amendment inserts other names."""
    for line in lines:
        for words in _WORDS:
            match = words.citation_clause.search(line.text)
            if match and not any(mark in line.text[: match.start()] for mark in _QUOTES):
                yield FieldValue(match["title"].strip(" ."), match[0].strip(), line.page)


def _numbers_in_head(lines: Sequence[HeadLine]) -> Iterator[FieldValue]:
    """Those of laws and regulations that are a line of it, each in the form in which it is cited."""
    for line in lines[:HEAD]:
        if begins_section(line.text) or is_heading_word(line.text):
            return  # the text has begun
        if len(line.text) > MAX_NUMBER_LINE_LENGTH:
            continue
        bare = _without_brackets(line.text)
        forms = ((pattern.fullmatch(bare), form) for pattern, form in line.language.documents.own_numbers)
        if number := number_of_line(bare) or next((match.expand(form) for match, form in forms if match), ""):
            yield FieldValue(number, line.text, line.page)


def _without_brackets(text: str) -> str:
    return text[1:-1].strip() if text[:1] + text[-1:] in ("()", "[]") else text
