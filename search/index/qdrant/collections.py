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
from search.index.qdrant.client import asking
from search.index.stored.fresh import Lag
from search.models import Collection, EmbeddingSpace

WORDS, MEANING = "words", "meaning"  # the names of a point's vectors
State = Collection.State
NOT_FILLED = "The search index is being filled. Try again later."
_WORD, _NUMBER = q.KeywordIndexType.KEYWORD, q.IntegerIndexType.INTEGER
_ONE_OF = q.IntegerIndexParams(type=_NUMBER, lookup=True, range=False, enable_hnsw=False)
_RANGE = q.IntegerIndexParams(type=_NUMBER, lookup=True, range=True, enable_hnsw=False)
_INDEXED: dict[str, q.PayloadSchemaParams] = {
    "topic": q.KeywordIndexParams(type=_WORD, is_tenant=True),
    "kind": q.KeywordIndexParams(type=_WORD, enable_hnsw=False),
    "labels": _ONE_OF,
    "stems": _ONE_OF,
    "source": _RANGE,
    "published": _RANGE,
    "begins": _RANGE,
    "ends": _RANGE,
}
MOST_FRESH = 1_000  # sources that are read from Postgres until they are brought in
# What is to be brought in of some topics: newest first, as older work is nearly done.
_ACTIVE = f"""
SELECT c.key::text, c.space_id, ARRAY(
    SELECT source_id FROM kb_collection_work w
    WHERE w.collection_id = c.id AND w.topic_id = ANY(%(topics)s::bigint[])
    GROUP BY source_id ORDER BY max(w.id) DESC LIMIT {MOST_FRESH}
) FROM kb_collection c WHERE c.state = 'active'
"""
# The sources that were noted when Qdrant was asked, and those that have changed since.
_NOTED = f"""
SELECT unnest(%(fresh)s::bigint[])
UNION (
    SELECT w.source_id FROM kb_collection_work w JOIN kb_collection c ON c.id = w.collection_id AND c.state = 'active'
    WHERE w.topic_id = ANY(%(topics)s::bigint[]) GROUP BY w.source_id ORDER BY max(w.id) DESC LIMIT {MOST_FRESH}
)
"""
_FILLED = """
SELECT 1 FROM kb_collection c
WHERE id = %s AND state <> 'made' AND NOT EXISTS (SELECT FROM kb_collection_work WHERE collection_id = c.id)
"""
# A source that is noted has other labels, days or kinds than Qdrant knows.
LAG = Lag(_NOTED, keeps_scope=False)


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
    return f"{settings.KB_QDRANT_COLLECTION}-{key}"


def current(space: EmbeddingSpace) -> Collection:
    """The newest collection of a space, in use or not; made if there is none."""
    newest = Collection.objects.filter(space=space).exclude(state=State.DROPPED).order_by("-pk")
    if not newest.exists():
        with transaction.atomic():
            _wait_for_changes()
            if not newest.exists():  # another process may have made it meanwhile
                Collection.objects.create(space=space, state=State.MADE)
    return newest.select_related("space")[0]


def make() -> Collection:
    """A collection of the active space beside the one in use. One whose filling was interrupted is filled further."""
    space = active_space()
    begun = Collection.objects.filter(space=space, state__in=[State.MADE, State.FILLING]).order_by("-pk")
    if found := begun.select_related("space").first():
        return found
    with transaction.atomic():
        _wait_for_changes()
        return Collection.objects.create(space=space, state=State.MADE)


def living() -> list[Collection]:
    """The collections that are brought up to date: first the one in use."""
    living = Collection.objects.exclude(state=State.DROPPED).select_related("space")
    return list(living.order_by("state", "pk"))


def _wait_for_changes() -> None:
    """Changes under way have noted nothing for a collection that is made now. Later ones do."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE kb_source_key, kb_source_label, kb_source IN SHARE ROW EXCLUSIVE MODE")


def note_all(collection: Collection) -> None:
    """Have every source brought in."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_collection_work (collection_id, topic_id, source_id)"
            " SELECT %s, topic_id, id FROM kb_source WHERE chunk_count > 0 ORDER BY id",
            [collection.pk],
        )
        Collection.objects.filter(pk=collection.pk).update(state=State.FILLING)
    collection.state = State.FILLING


def ensure_there(collection: Collection) -> None:
    """Make it in Qdrant, unless it is there, to be filled with every source.

    One that got lost is filled again, and not searched meanwhile.
    """
    name = name_of(collection.key)
    with asking() as client:
        there = client.collection_exists(name)
        if not there or collection.state == State.MADE:
            note_all(collection)  # first: stopped in between, the next one finds none and notes all again
        if there:
            return
        client.create_collection(
            name,
            vectors_config={
                MEANING: q.VectorParams(size=collection.space.dimension, distance=q.Distance.DOT, on_disk=True)
            },
            sparse_vectors_config={WORDS: q.SparseVectorParams(index=q.SparseIndexParams(on_disk=False))},
            # Links between the points of one topic, so that a search of it never leaves it.
            hnsw_config=q.HnswConfigDiff(payload_m=16),
            on_disk_payload=True,
            shard_number=settings.KB_QDRANT_SHARDS,
            replication_factor=settings.KB_QDRANT_REPLICAS,
        )
        for field, schema in _INDEXED.items():
            client.create_payload_index(name, field, field_schema=schema)


def take_into_use(collection: Collection) -> bool:
    """Have searches use a collection that is filled; False while something is still to be brought in."""
    with transaction.atomic():
        list(Collection.objects.select_for_update().order_by("pk"))
        if not fetch(_FILLED, [collection.pk]):
            return False
        Collection.objects.filter(state=State.ACTIVE).exclude(pk=collection.pk).update(state=State.DROPPED)
        Collection.objects.filter(pk=collection.pk, state=State.FILLING).update(state=State.ACTIVE)
    return True


def delete_dropped() -> None:
    """Delete what is no longer used, in Qdrant and then here."""
    for collection in Collection.objects.filter(state=State.DROPPED).order_by("pk"):
        with asking() as client:
            client.delete_collection(name_of(collection.key))
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM kb_collection WHERE id = %s", [collection.pk])
