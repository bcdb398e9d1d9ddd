"""What a document says that it is cited by besides its title: the name in its own clause, the numbers in its head."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from law.languages import LANGUAGES
from law.languages.documents import LAW, REGULATION
from law.languages.scripts import either
from law.metadata.lines import HeadLine, begins_section, is_heading_word
from law.metadata.title import FieldValue
from law.patterns import regex
from law.words.series import number_of_line

HEAD = 12  # lines, in which an act prints its number
MAX_NUMBER_LINE_LENGTH = 80  # characters
_WORDS = [language.documents for language in LANGUAGES]
_ARTICLE = regex(rf"^\s*{either(language.citations.articles for language in LANGUAGES)}\s+", re.IGNORECASE)
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


def find_own_number(lines: Sequence[HeadLine], kind: str | None) -> FieldValue | None:
    """The number of a law or a regulation that is a line of its head, as it is printed."""
    numbers = _numbers_in_head(lines) if kind in (LAW, REGULATION) else iter(())
    return next((replace(one, value=one.quote.strip(" []()")) for one in numbers), None)


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
    for line in lines[:HEAD]:
        if begins_section(line.text) or is_heading_word(line.text):
            return  # the text has begun
        if len(line.text) > MAX_NUMBER_LINE_LENGTH:
            continue
        bare = line.text.strip(" []()")
        forms = ((pattern.fullmatch(bare), form) for pattern, form in line.language.documents.own_numbers)
        number = number_of_line(bare) or next((match.expand(form) for match, form in forms if match), "")
        if number:
            yield FieldValue(number, line.text, line.page)
