"""The filter of documents that a body gives, as tables and surveys keep it."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request

from kb_project.errors import Invalid
from keeping.tables import rows
from labels.topic_labels import are_known
from topics.scoping import limits


def rows_given(given: dict[str, Any], *, request: Request, topic_id: int) -> dict[str, Any]:
    """The filter as a table keeps it. Raises Invalid for labels and documents that the caller does not see there."""
    if given.get("label_ids") and not are_known(given["label_ids"], within=limits(request)):
        raise Invalid(_("There is no such label."), errors={"rows": [_("There is no such label.")]})
    source_ids = given.get("source_ids", [])
    if source_ids and len(rows.scope_of({}, topic_id=topic_id).seen(source_ids)) < len(set(source_ids)):
        raise Invalid(_("There is no such document."), errors={"rows": [_("There is no such document.")]})
    days = {name: given[name].isoformat() for name in ("published_from", "published_to") if name in given}
    return given | days
