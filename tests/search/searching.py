"""Searching the index itself, below what retrieval makes of it."""

from collections.abc import Collection
from concurrent.futures import Future

import numpy as np

from law.words.analysis import terms
from law.words.spellings import SpelledWords
from search.embedders.spaces import active_space, embed_query
from search.index import Nearest, engine
from search.index.protocol import Vector
from search.ranking.fusion import Ranking
from search.ranking.word_query import WordQuery, stems_to_count, weigh
from sources.scope import Scope


def weighed(query: str, scope: Scope) -> WordQuery:
    spelled = SpelledWords(terms(query))
    return weigh(spelled, engine().count(stems_to_count(spelled), scope=scope).fetch())


def by_words(query: str, scope: Scope, *, limit: int) -> Ranking:
    return engine().candidates(weighed(query, scope), scope=scope, limit=limit)


def vector_of(query: str) -> Vector:
    return np.asarray(embed_query(query, space=active_space()))


def nearest(vector: Vector, scope: Scope, *, limit: int, chunk_ids: Collection[int] = ()) -> Nearest:
    known: Future[Vector] = Future()
    known.set_result(vector)
    return engine().nearest(known, space=active_space(), scope=scope, limit=limit)(chunk_ids)
