"""Provisions that say something near to what another one says, by the vectors of their passages, or their words."""

from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np
import pgvector

from kb_project.database.rows import fetch
from law.words.analysis import terms
from search.embedders import vector_notes
from search.embedders.spaces import space_in_use
from search.index import Nearest, Vector, engine
from search.models import VectorSpread
from search.ranking.fusion import Ranking, Spread, fuse_scores
from search.retrieval.word_search import best_passages
from sources import provisions
from sources.models import Provision, Source
from sources.models.passages import Chunk
from sources.scope import Scope

READ_FOR_ONE = 5  # passages for each provision that is asked for: a provision may have several
WORDS = 150  # of its beginning, by which passages without vectors are found
# The passages of a provision and of those inside it.
_OWN = """
SELECT avg(e.embedding)::text, left(string_agg(c.text, E'\\n' ORDER BY c.seq), 4000) FROM kb_chunk c
LEFT JOIN kb_chunk_embedding e ON e.chunk_id = c.id AND e.space_id = %s::bigint
WHERE c.source_id = %s::bigint AND (c.eid = %s::text OR starts_with(c.eid, %s::text || '__'))
"""


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
        words = best_passages(terms(text or "")[:WORDS], scope=scope, limit=count)
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


def _unit(mean: str) -> Future[Vector]:
    """A vector as pgvector writes it, scaled to length 1."""
    vector = Future[Vector]()
    summed = pgvector.Vector.from_text(mean).to_numpy()
    vector.set_result(summed / max(float(np.linalg.norm(summed)), 1e-9))
    return vector
