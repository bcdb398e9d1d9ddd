"""What is like something else: documents by how they begin, provisions by what they say."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np
import pgvector

from kb_project.database.rows import fetch
from law.words.analysis import terms
from law.words.fingerprints import CHARACTERS, fingerprint, similarity
from law.words.spellings import SpelledWords
from search.embedders import vector_notes
from search.embedders.spaces import space_in_use
from search.index import Nearest, Vector, engine
from search.models import VectorSpread
from search.ranking.fusion import Ranking, Spread, fuse_scores
from search.ranking.word_query import stems_to_count, weigh
from sources import provisions
from sources.models import Provision, Source
from sources.models.passages import Chunk
from sources.scope import Scope

PASSAGES = 30
READ_FOR_ONE = 5  # passages for each provision that is asked for: a provision may have several
WORDS = 150  # of the beginning, by which the index finds passages, also those without vectors
# The passages of a provision and of those inside it.
_OWN = """
SELECT avg(e.embedding)::text, left(string_agg(c.text, E'\\n' ORDER BY c.seq), 4000) FROM kb_chunk c
LEFT JOIN kb_chunk_embedding e ON e.chunk_id = c.id AND e.space_id = %s::bigint
WHERE c.source_id = %s::bigint AND (c.eid = %s::text OR starts_with(c.eid, %s::text || '__'))
"""
_BEGINNINGS = """
SELECT source_id, left(string_agg(gap || text, '' ORDER BY seq), %(characters)s::int) FROM kb_chunk
WHERE source_id = ANY(%(sources)s::bigint[]) AND span_start < %(characters)s::int GROUP BY source_id
"""
_SOURCES = "SELECT DISTINCT source_id FROM kb_chunk WHERE id = ANY(%s::bigint[])"


def near_duplicates(text: str, *, topic_id: int, least: float) -> dict[int, float]:
    """The sources of a topic whose similarity to a text is at least that, by their ids."""
    own = fingerprint(text)
    if not own.size:
        return {}
    passages = _by_words(text[:CHARACTERS], scope=Scope(topic_id=topic_id), limit=PASSAGES)
    sources = [source_id for (source_id,) in fetch(_SOURCES, [[chunk_id for chunk_id, _ in passages]])]
    shares = {pk: similarity(own, fingerprint(text)) for pk, text in beginnings(sources).items()}
    return {source_id: share for source_id, share in shares.items() if share >= least}


def beginnings(source_ids: Sequence[int], *, characters: int = CHARACTERS) -> dict[int, str]:
    """The first characters of sources, by their ids."""
    return dict(fetch(_BEGINNINGS, {"sources": list(source_ids), "characters": characters}))


@dataclass(frozen=True)
class SimilarProvision:
    """A provision of a source, and the cosine of its nearest passage, None while it has no vector."""

    provision: Provision
    source: Source
    similarity: float | None


def similar_provisions(source: Source, eid: str, *, limit: int) -> list[SimilarProvision]:
    """The nearest provisions in force of the source's topic: those of other works first, the nearest first.

    While vectors are lacking in the topic, those without one are judged by their words (`fuse_scores`).
    """
    space, scope, count = space_in_use(), Scope(topic_id=source.topic_id), limit * READ_FOR_ONE
    [[mean, text]] = fetch(_OWN, [space.pk if space else None, source.pk, eid, eid])
    words: Ranking = ()
    if vector_notes.exist(source.topic_id):
        words = _by_words(text or "", scope=scope, limit=count)
    found, spread = Nearest(), None
    if space and mean:
        vector = _unit(mean)
        found = engine().nearest(vector, space=space, scope=scope, limit=count)([chunk_id for chunk_id, _ in words])
        stored = VectorSpread.objects.filter(space=space, topic_id=source.topic_id).first() if words else None
        spread = Spread(float(stored.mean.to_numpy() @ vector.result()), stored.deviation) if stored else None
    similarities = {**dict(found.ranking), **found.similarities}
    scores = dict(fuse_scores(words, list(similarities.items()), weight=1.0, spread=spread))
    best: dict[tuple[int, str], int] = {}  # passage of each provision
    chunks = Chunk.objects.filter(pk__in=scores).exclude(eid="").values_list("pk", "source_id", "eid")
    for pk, source_id, found_eid in sorted(chunks, key=lambda chunk: -scores[chunk[0]]):
        if not (source_id == source.pk and (found_eid == eid or found_eid.startswith(f"{eid}__"))):
            best.setdefault((source_id, found_eid), pk)
    known = provisions.stored(best)
    sources = Source.objects.prefetch_related("labels").in_bulk({source_id for source_id, _ in best})
    rows = [
        (scores[pk], SimilarProvision(known[place], sources[place[0]], similarities.get(pk)))
        for place, pk in best.items()
        if place in known and place[0] in sources
    ]
    rows.sort(key=lambda row: (row[1].source.work_id == source.work_id, -row[0], row[1].source.pk, row[1].provision.pk))
    return [row for _, row in rows[:limit]]


def _by_words(text: str, *, scope: Scope, limit: int) -> Ranking:
    """The passages of the scope that hold most of a text's first words."""
    words = SpelledWords(terms(text)[:WORDS])
    counts = engine().count(stems_to_count(words), scope=scope).fetch()
    return engine().candidates(weigh(words, counts), scope=scope, limit=limit)


def _unit(mean: str) -> Future[Vector]:
    """A vector as pgvector writes it, scaled to length 1."""
    vector = Future[Vector]()
    summed = pgvector.Vector.from_text(mean).to_numpy()
    vector.set_result(summed / max(float(np.linalg.norm(summed)), 1e-9))
    return vector
