"""Move a version to another work, split it off into one of its own, and join two works."""

from django.db import transaction
from django.utils.translation import gettext as _

from kb_project.errors import Invalid
from labels import locks
from sources import work_versions
from sources.models import Source


def work_in(topic_id: int, source_id: int, *, field: str = "version_of") -> int:
    """The id of a source's work. Raises `Invalid` for the field unless the source is in the topic."""
    work_id = Source.objects.filter(pk=source_id, topic_id=topic_id).values_list("work_id", flat=True).first()
    if work_id is None:
        sentence = _("There is no source %s in the topic.") % source_id
        raise Invalid(sentence, errors={field: [sentence]})
    return work_id


def move(source: Source, *, version_of: int | None, by: str) -> bool:
    """Make a source a version of the work of another, or with None the only one of its own. Returns False if it is.

    Both works are locked, and the source has the days that it is to be in force on, which the caller saves. Raises
    `Invalid` for what is not in its topic, and `VersionOverlap`.
    """
    if version_of is None:
        into, is_there = None, not Source.objects.filter(work_id=source.work_id).exclude(pk=source.pk).exists()
    else:
        into = work_in(source.topic_id, version_of)
        is_there = into == source.work_id
    if not is_there:
        work_versions.move(source, into, by=by)
    return not is_there


def join(source_id: int, *, version_of: int, by: str) -> Source:
    """Make all versions of a source's work versions of the work of another. Gives the source as it then stands.

    Each keeps its days, but for an end at which another began: that may come earlier now. Raises `NotFound`, `Invalid`
    for what is not in its topic, and `VersionOverlap`.
    """
    with transaction.atomic():
        work_versions.lock_works_of(source_id, version_of)
        source = locks.source(source_id)
        into = work_in(source.topic_id, version_of)
        if into != source.work_id:
            work_versions.join(source.work_id, into, by=by)
            source.refresh_from_db()
    return source
