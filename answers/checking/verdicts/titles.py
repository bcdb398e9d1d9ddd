"""Whether words name a document: all words of its title in their order, and no other year."""

import re
from collections.abc import Sequence

from law.languages.scripts import language_of
from law.words.analysis import terms
from sources.citations.source_keys import parse_title

LEAST_OF_TITLE = 2  # words
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def has_title(near: str, name: str) -> bool:
    """Whether the words have the whole title, and no other year."""
    title, years = parse_title(name), set(YEAR.findall(near))
    words = [word.term.word for word in title.words if not word.optional]
    said = [term.word for term in terms(near)]
    fits = not title.year or not years or title.year in years
    return len(words) >= LEAST_OF_TITLE and fits and _in_order(words, said)


def goes_on(name: str, title: str) -> bool:
    """Whether the name of an act has the whole title and more words behind it: `Hoists Act of Atlantis`."""
    words, whole = ([word.term.word for word in parse_title(it).words if not word.optional] for it in (name, title))
    return len(words) > len(whole) and words[: len(whole)] == whole


def _in_order(words: Sequence[str], said: Sequence[str]) -> bool:
    left = iter(said)
    return all(any(_same(word, one) for one in left) for word in words)


def _same(word: str, said: str) -> bool:
    """Letters that a language joins to a word make no difference."""
    left = said.removesuffix(word)
    return word == said or (said.endswith(word) and len(left) <= 2 and language_of(left).prefixes.issuperset(left))
