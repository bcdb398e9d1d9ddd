"""Collections: how they are made in Qdrant, filled beside the one in use, and taken into use.

Postgres knows which there are. A collection is made there first, so that from then on every change is noted for it.
"""

from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction
from qdrant_client import models as q

from kb_project.database.rows import fetch
from kb_project.errors import Unavailable
from search.embedders.spaces import active_space
from search.index.chunk_store.pending_sources import Lag
from search.index.qdrant.client import qdrant_errors
from search.models import Collection, CollectionWork

FORMAT = 3  # of the points: a collection of another one has another name, and is filled again under this one
WORDS, STEMS, MEANING = "words", "stems", "meaning"  # the names of a point's vectors
COUNTED = 0  # the id of the one point of no chunk, and its stem, which no other has
State = Collection.State
NOT_FILLED = "The search index is being filled. Try again later."
_WORD, _NUMBER = q.KeywordIndexType.KEYWORD, q.IntegerIndexType.INTEGER
_KINDS = q.KeywordIndexParams(type=_WORD, enable_hnsw=False)
_ONE_OF = q.IntegerIndexParams(type=_NUMBER, lookup=True, range=False, enable_hnsw=False)
_RANGE = q.IntegerIndexParams(type=_NUMBER, lookup=True, range=True, enable_hnsw=False)
_INDEXED: dict[str, q.PayloadSchemaParams] = {
    **{"topic": q.KeywordIndexParams(type=_WORD, is_tenant=True), "kind": _KINDS},
    **{"labels": _ONE_OF, "stems": _ONE_OF},
    **dict.fromkeys(("source", "published", "begins", "ends"), _RANGE),
}
_SPARSE = {
    WORDS: q.SparseVectorParams(index=q.SparseIndexParams(on_disk=False)),
    # Nothing is ranked by it: Qdrant's own idf tells in how many points a stem is (`engine.count`).
    STEMS: q.SparseVectorParams(
        index=q.SparseIndexParams(on_disk=True, datatype=q.Datatype.UINT8), modifier=q.Modifier.IDF
    ),
}
MAX_FRESH = 1_000  # sources that are read from Postgres until they are brought in
# What is to be brought in of some topics: newest first, as older work is nearly done.
_FRESH = f"""
SELECT w.source_id FROM kb_collection_work w JOIN kb_collection c ON c.id = w.collection_id AND c.state = 'active'
WHERE w.topic_id = ANY(%(topics)s::bigint[]) GROUP BY w.source_id ORDER BY max(w.id) DESC LIMIT {MAX_FRESH}
"""
_ACTIVE = f"SELECT key::text, space_id, ARRAY({_FRESH}) FROM kb_collection WHERE state = 'active'"
# The sources that were noted when Qdrant was asked, and those that have changed since. One that is noted has other
# labels, days or kinds than Qdrant knows.
LAG = Lag(f"SELECT unnest(%(fresh)s::bigint[]) UNION ({_FRESH})", keeps_scope=False)


@dataclass(frozen=True)
class InUse:
    """The collection that searches use, and the sources of some topics that are still to be brought into it."""

    name: str
    space_id: int
    fresh: list[int]


def in_use(topic_ids: list[int]) -> InUse:
    """Raises Unavailable while there is none."""
    for key, space_id, fresh in fetch(_ACTIVE, {"topics": topic_ids}):
        return InUse(name_of(key), space_id, list(fresh))
    raise Unavailable(NOT_FILLED)


def name_of(key: object) -> str:
    """What the collection is called in Qdrant, which other installations may use."""
    return f"{settings.KB_QDRANT_COLLECTION}-{FORMAT}-{key}"


def wanted(*, anew: bool = False) -> Collection:
    """The newest collection of the active space, made if there is none. With `anew` none that is in use already.

    So one whose filling was interrupted is filled further.
    """
    states = [State.MADE, State.FILLING] if anew else [State.MADE, State.FILLING, State.ACTIVE]
    space = active_space()
    newest = Collection.objects.filter(space=space, state__in=states).select_related("space").order_by("-pk")
    if not newest.exists():
        with transaction.atomic(), connection.cursor() as cursor:
            # Changes under way have noted nothing for a collection that is made now. Later ones do.
            cursor.execute("LOCK TABLE kb_source_key, kb_source_label, kb_source IN SHARE ROW EXCLUSIVE MODE")
            if not newest.exists():  # another process may have made it meanwhile
                Collection.objects.create(space=space, state=State.MADE)
    return newest[0]


def living() -> list[Collection]:
    """The collections that are brought up to date: first the one in use."""
    return list(Collection.objects.exclude(state=State.DROPPED).select_related("space").order_by("state", "pk"))


def note_all(collection: Collection) -> None:
    """Have every source brought in."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_collection_work (collection_id, topic_id, source_id)"
            " SELECT %s, topic_id, id FROM kb_source WHERE chunk_count > 0 ORDER BY id",
            [collection.pk],
        )
        collection.state = State.FILLING
        collection.save(update_fields=["state"])


def ensure_there(collection: Collection) -> None:
    """Make it in Qdrant, unless it is there, to be filled with every source.

    One that got lost or was not made to the end, or is there in another format, is filled again, and not searched
    meanwhile.
    """
    name = name_of(collection.key)
    with qdrant_errors() as client:
        if client.collection_exists(name) and client.scroll(name, limit=1)[0]:
            return
        note_all(collection)  # first: stopped in between, the next one finds none and notes all again
        client.delete_collection(name)
        meaning = q.VectorParams(size=collection.space.dimension, distance=q.Distance.DOT, on_disk=True)
        client.create_collection(
            name,
            vectors_config={MEANING: meaning},
            sparse_vectors_config=_SPARSE,
            # Links between the points of one topic, so that a search of it never leaves it.
            hnsw_config=q.HnswConfigDiff(payload_m=16),
            on_disk_payload=True,
        )
        for field, schema in _INDEXED.items():
            client.create_payload_index(name, field, field_schema=schema)
        alone = q.SparseVector(indices=[COUNTED], values=[1.0])
        client.upsert(name, [q.PointStruct(id=COUNTED, vector={STEMS: alone})], wait=True)  # last: it is made now


def take_into_use(collection: Collection) -> bool:
    """Have searches use a collection that is filled, or False while something is still to be brought in."""
    with transaction.atomic():
        states = {one.pk: one.state for one in Collection.objects.select_for_update().order_by("pk")}
        state = states.get(collection.pk, State.DROPPED)
        if state == State.MADE or CollectionWork.objects.filter(collection=collection).exists():
            return False
        if state == State.FILLING:
            Collection.objects.filter(state=State.ACTIVE).update(state=State.DROPPED)
            Collection.objects.filter(pk=collection.pk).update(state=State.ACTIVE)
    return True


def delete_dropped() -> None:
    """Delete what is no longer used, in Qdrant and then here."""
    for collection in Collection.objects.filter(state=State.DROPPED).order_by("pk"):
        with qdrant_errors() as client:
            client.delete_collection(name_of(collection.key))
        collection.delete()
