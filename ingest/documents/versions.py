"""Another version of a work: what is refused when it is decided, and what becomes of it when it is indexed."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from ingest.decisions import RELATIONS, Decision
from ingest.documents.replacing import confirmed_by
from ingest.documents.works import work_in
from ingest.models import Job
from kb_project.errors import Invalid
from labels import locks
from law.timeline import Period
from sources.fields import DocumentFields, all_names
from sources.models import Source, Work
from sources.works import work_versions


class DayRequired(Invalid):
    """Another version of a work is to come without any day. It would count as the text before all the others."""

    code = "day_required"


def check(decision: Decision, *, topic_id: int) -> None:
    """Raise `Invalid` unless what the decision names is in the topic, `VersionOverlap` where its days do not fit.

    Raises `DayRequired` for a version without any day, unless the decision says that none is known. If the source that
    is named is deleted later, the job makes a source of its own.
    """
    for name in RELATIONS:
        source_id = getattr(decision, name)
        if source_id is None:
            continue
        work_id = work_in(topic_id, source_id, field=name)
        if name == "version_of" and days_in(decision) == Period() and not decision.undated:
            sentence = _("Say from which day this version is in force, or that it is not known.")
            raise DayRequired(sentence, errors={"valid_from": [sentence]})
        if name == "version_of" or days_in(decision) != Period():
            work_versions.check(work_id, days_in(decision), besides=source_id if name == "replaces" else None)


def days_in(fields: DocumentFields) -> Period:
    return Period(fields.valid_from, fields.valid_to)


def create(job: Job, columns: Mapping[str, Any]) -> Source:
    """Make the source of a job, as a version of the work that its decision names, if that is still there.

    What cites the other versions cites it too. It is called before the transaction locks anything else. Raises
    `VersionOverlap` if another version came meanwhile.
    """
    named = (job.confirmed or {}).get("version_of")
    locks.lock_shared()
    if named is not None and Source.objects.filter(pk=named, topic_id=job.topic_id).exists():
        work_id = work_versions.lock_work_of(named)
        if work_id is not None:
            columns = {**columns, "aliases": all_names(columns["aliases"], Work.objects.get(pk=work_id).aliases)}
            return work_versions.create_version(work_id, by=confirmed_by(job), topic_id=job.topic_id, **columns)
    return Source.objects.create(topic_id=job.topic_id, **columns)
