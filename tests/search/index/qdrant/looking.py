"""What Qdrant has, and what searches find by it."""

from search.index.qdrant import collections, outbox
from search.index.qdrant.checks import CHECKS
from search.index.qdrant.client import client
from search.models import Collection
from sources.models import Chunk
from sources.scope import Scope
from tests.search.searching import by_words

TOPIC = Scope(topic_id=1)


def points() -> dict[int, dict[str, object]]:
    """What the points of the collection in use are filed under, by the ids of their chunks."""
    name = collections.in_use([]).name
    records, _ = client().scroll(name, limit=1000, with_payload=True)
    return {int(record.id): dict(record.payload or {}) for record in records if record.id != collections.COUNTED}


def chunk_ids() -> set[int]:
    return set(Chunk.objects.values_list("pk", flat=True))


def texts(query: str, scope: Scope = TOPIC) -> set[str]:
    found = [chunk_id for chunk_id, _ in by_words(query, scope, limit=50)]
    return set(Chunk.objects.filter(pk__in=found).values_list("text", flat=True))


def brought_into(collection: Collection) -> int:
    """How many chunks."""
    return outbox.sync(collection, seconds=60)


def findings() -> list[str]:
    return [finding.object for check in CHECKS for finding in check.findings()]
