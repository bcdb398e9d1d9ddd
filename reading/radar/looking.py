"""Marking what is out of date as looked at."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import NotFound
from sources.models import StaleReference


def look_at(rows: QuerySet[StaleReference], stale_id: int, *, looked: bool, by: str) -> StaleReference:
    """Note that somebody looked at one of the rows, or take that back. It holds until what is cited changes again.

    Raises `NotFound` where it is none of them any more.
    """
    found = rows.filter(pk=stale_id).first()
    if found is None:
        raise NotFound(_("There is no such reference in the radar."))
    before = {"citation": found.text, "looked_at": found.looked_at is not None}
    found.looked_at, found.looked_by = (timezone.now(), by) if looked else (None, "")
    with transaction.atomic():
        found.save(update_fields=["looked_at", "looked_by"])
        after = {**before, "looked_at": looked}
        source = found.source
        audit.record(by=by, action="source.radar", thing=source, before=before, after=after, topic_id=source.topic_id)
    return found
