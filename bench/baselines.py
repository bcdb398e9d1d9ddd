"""Other ways to search the same chunks: BM25 in memory, by words and by stems, and Django's SearchRank."""

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

import bm25s
import Stemmer

from bench.datasets import DataSet, Query
from bench.load import LoadedSet
from bench.metrics import CUTOFF
from bench.quality import Rank
from bench.stack import PROJECT, Stack
from bench.stored import StoredChunk

WORD = re.compile(r"\w+")
HEBREW_PREFIXES = "והבכלמש"
HEBREW_ENDINGS = ("יות", "יים", "ים", "ות", "ית", "ה", "ת", "י", "ך", "ו", "ן", "ם")
LONGEST_PREFIX = 3
SHORTEST_STEM = 3


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def light_hebrew_stem(word: str) -> str:
    """Up to three prefix letters and one ending off, three letters left: crude, for it is the yardstick."""
    dropped = 0
    while dropped < LONGEST_PREFIX and len(word) > SHORTEST_STEM and word[0] in HEBREW_PREFIXES:
        word, dropped = word[1:], dropped + 1
    for ending in HEBREW_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def stems(text: str) -> list[str]:
    english = Stemmer.Stemmer("english")
    return [light_hebrew_stem(word) if "א" <= word[0] <= "ת" else english.stemWord(word) for word in words(text)]


def bm25_rank(
    chunks: Sequence[StoredChunk],
    *,
    analyse: Callable[[str], list[str]],
    dataset: DataSet,
    loaded: LoadedSet,
) -> Rank:
    """A ranking function over titles and texts of the chunks, with the library's default BM25 parameters."""
    units = [dataset.unit(loaded.sources[chunk.source_id], chunk.section) for chunk in chunks]
    index = bm25s.BM25()
    titles = (dataset.titles.get(loaded.sources[chunk.source_id], "") for chunk in chunks)
    texts = [f"{title}\n{chunk.text}" for title, chunk in zip(titles, chunks, strict=True)]
    index.index([analyse(text) for text in texts], show_progress=False)

    def rank(query: Query) -> list[str]:
        found, scores = index.retrieve([analyse(query.text)], k=min(CUTOFF, len(units)), show_progress=False)
        return [units[number] for number, score in zip(found[0], scores[0], strict=True) if score > 0]

    return rank


def search_rank(*, dataset: DataSet, loaded: LoadedSet) -> Rank:
    """Django's full-text search as its documentation has it: any word of the query, ordered by SearchRank."""
    # Importable only once Django knows its database, see `connect_django`.
    from django.contrib.postgres.search import SearchQuery, SearchRank, SearchVector

    from sources.models import Chunk

    fields = ("source__title", "text") if dataset.titles else ("text",)

    def rank(query: Query) -> list[str]:
        any_word = " | ".join(dict.fromkeys(words(query.text)))
        if not any_word:
            return []
        parsed: Any = SearchQuery(any_word, config="simple", search_type="raw")
        vector = SearchVector(*fields, config="simple")
        rows = (
            Chunk.objects.filter(topic_id=loaded.topic_id)
            .annotate(vector=vector)
            .filter(vector=parsed)
            .annotate(rank=SearchRank(vector, parsed))
            .order_by("-rank", "id")
            .values_list("source_id", "section")[:CUTOFF]
        )
        return [dataset.unit(loaded.sources[source_id], section) for source_id, section in rows]

    return rank


def connect_django(stack: Stack) -> None:
    """Point this process's Django at the service's database."""
    os.chdir(PROJECT)
    os.environ.update(stack.environment, DJANGO_SETTINGS_MODULE="kb_project.settings")
    import django

    django.setup()
