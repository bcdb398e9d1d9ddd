"""What must hold between Postgres and the collection in use: each chunk is a point there, filed as its source is."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from qdrant_client import models as q

from kb_project.database.rows import fetch
from kb_project.errors import Unavailable
from kb_project.operations import readiness
from kb_project.operations.integrity.registry import Check, Finding
from search.index.qdrant.client import asking
from search.index.qdrant.collections import in_use
from search.index.qdrant.outbox import waiting
from search.index.qdrant.points import payloads_of

SOURCES_AT_ONCE = 200
POINTS_AT_ONCE = 1_000
_NEXT = "SELECT id FROM kb_source WHERE id > %s ORDER BY id LIMIT %s"
FIELDS = ["source", "topic", "kind", "labels", "published", "begins", "ends"]


def find_wrong_points() -> Iterator[Finding]:
    """Sources that are noted are left out: they are wrong until they are brought in."""
    try:
        name, last = in_use([]).name, -1
        while True:
            ids = [pk for (pk,) in fetch(_NEXT, [last, SOURCES_AT_ONCE])]
            yield from _wrong(name, ids, first=last + 1, last=ids[-1] if len(ids) == SOURCES_AT_ONCE else None)
            if len(ids) < SOURCES_AT_ONCE:
                return
            last = ids[-1]
    except Unavailable as refusal:
        yield Finding("index", gettext_noop("%(detail)s"), {"detail": refusal.detail})


def _wrong(name: str, ids: Sequence[int], *, first: int, last: int | None) -> Iterator[Finding]:
    there = _stored(name, first, last)
    with transaction.atomic():
        expected = payloads_of(ids)
    held = {**expected, **there}
    wrong = {payload["source"] for chunk_id, payload in held.items() if expected.get(chunk_id) != there.get(chunk_id)}
    noted = fetch("SELECT source_id FROM kb_collection_work WHERE source_id = ANY(%s::bigint[])", [sorted(wrong)])
    for source_id in sorted(wrong.difference(pk for (pk,) in noted)):
        detail = gettext_noop("The search index outside the database has something else of it.")
        yield Finding(f"source {source_id}", detail, key=source_id)


def _stored(name: str, first: int, last: int | None) -> dict[int, dict[str, Any]]:
    """What the points of a range of sources are filed under."""
    inside = q.Filter(must=[q.FieldCondition(key="source", range=q.Range(gte=first, lte=last))])
    found: dict[int, dict[str, Any]] = {}
    offset: Any = None
    with asking() as client:
        while True:
            records, offset = client.scroll(
                name, scroll_filter=inside, limit=POINTS_AT_ONCE, offset=offset, with_payload=FIELDS
            )
            found |= {int(record.id): dict(record.payload or {}) for record in records}
            if offset is None:
                return found


def bring_in_again(finding: Finding) -> None:
    """Note the source for every collection."""
    if finding.key is not None:
        fetch(
            "INSERT INTO kb_collection_work (collection_id, topic_id, source_id)"
            " SELECT c.id, coalesce((SELECT topic_id FROM kb_source WHERE id = %(source)s::bigint), 0),"
            " %(source)s::bigint FROM kb_collection c WHERE c.state <> 'dropped' RETURNING 1",
            {"source": finding.key},
        )


CHECKS = [
    Check(
        name="points",
        meaning=_("The search index outside the database has each chunk, filed as its source is."),
        find=find_wrong_points,
        repair=bring_in_again,
    )
]


def check_index() -> None:
    """A collection is in use, and Qdrant has it. Raises NotReady."""
    try:
        name = in_use([]).name
        with asking() as client:
            there = client.collection_exists(name)
    except Unavailable as refusal:
        raise readiness.NotReady(refusal.detail) from refusal
    if not there:
        raise readiness.NotReady("The search index is lost. It is being filled again.")


def register() -> None:
    """Have `/readyz` ask."""
    readiness.register("index", check_index)
    readiness.TOLD["index"] = lambda: {"waiting": waiting()}
