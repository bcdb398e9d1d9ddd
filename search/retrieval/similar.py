"""Provisions that say something near to what another one says, by the vectors of their passages."""

from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np
import pgvector

from kb_project.database.rows import fetch
from search.embedders.spaces import space_in_use
from search.index import Vector, engine
from sources import provisions
from sources.models import Provision, Source
from sources.models.passages import Chunk
from sources.scope import Scope

READ_FOR_ONE = 5  # passages for each provision that is asked for: a provision may have several
# The passages of a provision and of those inside it.
_MEAN = """
SELECT avg(e.embedding)::text FROM kb_chunk c
JOIN kb_chunk_embedding e ON e.chunk_id = c.id AND e.space_id = %s::bigint
WHERE c.source_id = %s::bigint AND (c.eid = %s::text OR starts_with(c.eid, %s::text || '__'))
"""


@dataclass(frozen=True)
class SimilarProvision:
    """A provision of a source, and the cosine of its nearest passage."""

    provision: Provision
    source: Source
    similarity: float


def similar_provisions(source: Source, eid: str, *, limit: int) -> list[SimilarProvision]:
    """The nearest provisions in force of the source's topic: those of other works first, each by similarity.

    None while the provision's passages, or all others, have no vectors.
    """
    space = space_in_use()
    [[mean]] = fetch(_MEAN, [space.pk, source.pk, eid, eid]) if space else [[None]]
    if space is None or mean is None:
        return []
    vector = Future[Vector]()
    summed = pgvector.Vector.from_text(mean).to_numpy()
    vector.set_result(summed / max(float(np.linalg.norm(summed)), 1e-9))
    scope = Scope(topic_id=source.topic_id)
    ranking = dict(engine().nearest(vector, space=space, scope=scope, limit=limit * READ_FOR_ONE)(()).ranking)
    found: dict[tuple[int, str], float] = {}
    chunks = Chunk.objects.filter(pk__in=ranking).exclude(eid="").values_list("pk", "source_id", "eid")
    for pk, source_id, found_eid in chunks:
        inside = source_id == source.pk and (found_eid == eid or found_eid.startswith(f"{eid}__"))
        if not inside:
            place = (source_id, found_eid)
            found[place] = max(ranking[pk], found.get(place, -1.0))
    stored = provisions.stored(found)
    sources = Source.objects.prefetch_related("labels").in_bulk({source_id for source_id, _ in found})
    rows = [
        SimilarProvision(stored[place], sources[place[0]], similarity)
        for place, similarity in found.items()
        if place in stored and place[0] in sources
    ]
    rows.sort(key=lambda row: (row.source.work_id == source.work_id, -row.similarity, row.source.pk, row.provision.pk))
    return rows[:limit]
