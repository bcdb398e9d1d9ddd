"""What the words of one query mean in a topic, and what of the query is not widened."""

from collections.abc import Sequence

from law.words.analysis import Term
from law.words.phrases import quoted_places
from law.words.synonyms import Meaning
from search.synonyms.known import known_synonyms
from sources.citations import LEAST_CHUNKS, Namings, find_references


def find_meanings(query: str, words: Sequence[Term], *, topic_id: int | None) -> tuple[Meaning, ...]:
    """What the words of a query also mean; nothing for one that cites, and for words in quotation marks."""
    meanings = known_synonyms(topic_id).table.meanings(words, apart=quoted_places(query))
    return () if meanings and find_references(query) else meanings


def outside_titles(meanings: Sequence[Meaning], titles: Namings) -> Sequence[Meaning]:
    """Those of words that are not part of a title which the query gives."""
    named = titles(LEAST_CHUNKS) if meanings else ()
    return [one for one in meanings if not any(one.start < title.end and title.start < one.end for title in named)]
