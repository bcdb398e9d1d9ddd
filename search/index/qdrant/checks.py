"""What must hold between Postgres and the collection in use: each chunk is a point there, filed as its source is."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.errors import Unavailable
from kb_project.operations import readiness
from kb_project.operations.integrity.registry import Finding, IntegrityCheck
from search.index.qdrant import outbox
from search.index.qdrant.client import qdrant_errors
from search.index.qdrant.collections import in_use, living
from search.index.qdrant.points import payloads_between
from search.models import CollectionWork
from sources.models import Source

POINTS_AT_ONCE = 1_000
LOWEST, HIGHEST = 1, 2**63 - 1  # ids of chunks
FIELDS = ["source", "topic", "kind", "labels", "published", "begins", "ends"]


def find_wrong_points() -> Iterator[Finding]:
    """Sources that are noted are left out: they are wrong until they are brought in."""
    try:
        name, first, told = in_use([]).name, LOWEST, set[int]()
        while first < HIGHEST:
            with qdrant_errors() as client:
                records, then = client.scroll(name, limit=POINTS_AT_ONCE, offset=first, with_payload=FIELDS)
            there, end = {record.id: record.payload or {} for record in records}, int(then or HIGHEST)
            wrong = {held["source"] for pk, held in payloads_between(first, end) if there.pop(pk, None) != held}
            wrong |= {held["source"] for held in there.values()}  # of no chunk
            noted = CollectionWork.objects.filter(source_id__in=wrong).values_list("source_id", flat=True)
            for source_id in sorted(wrong.difference(noted, told)):
                detail = gettext_noop("The search index outside the database has something else of it.")
                yield Finding(f"source {source_id}", detail, key=source_id)
            first, told = end, told | wrong
    except Unavailable as refusal:
        yield Finding("index", "%(detail)s", {"detail": refusal.detail})


def bring_in_again(finding: Finding) -> None:
    """Note the source for every collection."""
    if finding.key is not None:
        topic_id = Source.objects.filter(pk=finding.key).values_list("topic_id", flat=True).first() or 0
        CollectionWork.objects.bulk_create(
            CollectionWork(collection=one, topic_id=topic_id, source_id=finding.key) for one in living()
        )


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
            if client.collection_exists(in_use([]).name):
                return
    except Unavailable as refusal:
        raise readiness.NotReady(refusal.detail) from refusal
    raise readiness.NotReady("The search index is lost. It is being filled again.")


def register() -> None:
    """Have `/readyz` ask."""
    readiness.register("index", check_index)
    readiness.DETAILS["index"] = lambda: {"waiting": outbox.waiting()}
