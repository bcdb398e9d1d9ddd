"""The filter of documents that a body gives, as tables and surveys keep it."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from ingest.models import Job
from kb_project.errors import Invalid
from keeping.tables import rows
from labels.topic_labels import are_known
from topics.scoping import limits, may


def rows_given(given: dict[str, Any], *, request: Request | HttpRequest, topic_id: int) -> dict[str, Any]:
    """The filter as a table keeps it. Raises Invalid for labels, documents and batches that the caller does not see."""
    if given.get("label_ids") and not are_known(given["label_ids"], within=limits(request)):
        raise Invalid(_("There is no such label."), errors={"rows": [_("There is no such label.")]})
    source_ids = given.get("source_ids", [])
    if source_ids and len(rows.scope_of({}, topic_id=topic_id).seen(source_ids)) < len(set(source_ids)):
        raise Invalid(_("There is no such document."), errors={"rows": [_("There is no such document.")]})
    kept = dict(given)
    if batch_id := given.get("batch_id"):
        is_seen = may(request, "ingest.view_job", topic_id=topic_id)
        if not (is_seen and Job.objects.of_batch(batch_id).filter(topic_id=topic_id).exists()):
            raise Invalid(_("There is no such batch."), errors={"rows": [_("There is no such batch.")]})
        kept["batch_id"] = str(batch_id)
    days = {name: given[name].isoformat() for name in ("published_from", "published_to") if name in given}
    return kept | days
