"""What must hold between Postgres and the collection in use: each chunk is a point there, filed as its source is."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from qdrant_client import models as q

from kb_project.errors import Unavailable
from kb_project.operations import readiness
from kb_project.operations.integrity.registry import Finding, IntegrityCheck
from search.index.qdrant import collections, outbox
from search.index.qdrant.client import qdrant_errors
from search.index.qdrant.points import payloads_of
from search.models import CollectionWork
from sources.models import Source

SOURCES_AT_ONCE = 200
POINTS_AT_ONCE = 1_000
FIELDS = ["source", "topic", "kind", "labels", "published", "begins", "ends"]


def find_wrong_points() -> Iterator[Finding]:
    """Sources that are noted are left out: they are wrong until they are brought in."""
    try:
        name, ids = collections.in_use([]).name, list[int]()
        while not ids or len(ids) == SOURCES_AT_ONCE:
            first = ids[-1] + 1 if ids else 0
            ids = [*Source.objects.filter(pk__gte=first).order_by("pk").values_list("pk", flat=True)[:SOURCES_AT_ONCE]]
            there = _stored(name, first, ids[-1] if len(ids) == SOURCES_AT_ONCE else None)
            with transaction.atomic():
                expected = payloads_of(ids)
            held = (expected | there).items()
            wrong = {one["source"] for pk, one in held if expected.get(pk) != there.get(pk)}
            noted = CollectionWork.objects.filter(source_id__in=wrong).values_list("source_id", flat=True)
            for source_id in sorted(wrong.difference(noted)):
                detail = gettext_noop("The search index outside the database has something else of it.")
                yield Finding(f"source {source_id}", detail, key=source_id)
            if not ids:
                return
    except Unavailable as refusal:
        yield Finding("index", gettext_noop("%(detail)s"), {"detail": refusal.detail})


def _stored(name: str, first: int, last: int | None) -> dict[int, dict[str, Any]]:
    """What the points of a range of sources are filed under."""
    inside = q.Filter(must=[q.FieldCondition(key="source", range=q.Range(gte=first, lte=last))])
    found, begun = dict[int, dict[str, Any]](), False
    offset: Any = None
    while offset is not None or not begun:
        with qdrant_errors() as client:
            records, offset = client.scroll(
                name, scroll_filter=inside, limit=POINTS_AT_ONCE, offset=offset, with_payload=FIELDS
            )
        begun, found = True, found | {int(record.id): dict(record.payload or {}) for record in records}
    return found


def bring_in_again(finding: Finding) -> None:
    """Note the source for every collection."""
    if finding.key is not None:
        topic_id = Source.objects.filter(pk=finding.key).values_list("topic_id", flat=True).first() or 0
        note = partial(CollectionWork, topic_id=topic_id, source_id=finding.key)
        CollectionWork.objects.bulk_create(note(collection=one) for one in collections.living())


CHECKS = [
    IntegrityCheck(
        name="points",
        meaning=_("The search index outside the database has each chunk, filed as its source is."),
        find=find_wrong_points,
        repair=bring_in_again,
    )
]


def check_index() -> None:
    """A collection is in use, and Qdrant has it. Raises NotReady."""
    try:
        with qdrant_errors() as client:
            there = client.collection_exists(collections.in_use([]).name)
    except Unavailable as refusal:
        raise readiness.NotReady(refusal.detail) from refusal
    if not there:
        raise readiness.NotReady("The search index is lost. It is being filled again.")


def register() -> None:
    """Have `/readyz` ask."""
    readiness.register("index", check_index)
    readiness.DETAILS["index"] = lambda: {"waiting": outbox.waiting()}
