"""Lock a source's row while it is changed."""

from __future__ import annotations

from django.utils.translation import gettext as _

from kb_project.errors import NotFound
from sources.models import Source


def locked_source(source_id: int) -> Source:
    """The source, held until the surrounding transaction ends. Raises `NotFound`.

    The lock is NO KEY, so that rows which name the source can still be written. Whoever takes the labels' structure
    lock too (`labels.locks`) takes that one first.
    """
    source = Source.objects.select_for_update(no_key=True).filter(pk=source_id).first()
    if source is None:
        raise NotFound(_("There is no such source."))
    return source
