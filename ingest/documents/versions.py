"""Another version of a work: what is refused when it is decided, and what becomes of it when it is indexed."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from ingest.decisions import RELATIONS, Decision
from ingest.documents import moving
from ingest.documents.replacing import Related, days_of_replacement
from ingest.documents.works import work_in
from ingest.models import Job
from kb_project.errors import Conflict, Invalid
from law.timeline import Period
from sources import work_versions
from sources.fields import DocumentFields, all_names
from sources.models import Source


class DayRequired(Invalid):
    """Another version of a work is to come without any day. It would count as the text before all the others."""

    code = "day_required"


class Overtaken(Conflict):
    """A version was made of another one that is not the one before it any more, or that has another text."""

    code = "overtaken"
    title = "Overtaken"

    def __init__(self) -> None:
        super().__init__("The act has another version or another text by now. Look at the amending act once more.")


def check(decision: Decision, *, topic_id: int) -> None:
    """Raise `Invalid` unless what the decision names is in the topic, `VersionOverlap` where its days do not fit.

    Raises `DayRequired` for a version without any day, unless the decision says that none is known, and `Conflict`
    while the work is being moved. If the source that is named is deleted later, another version of its work is named
    (`edit.delete`), or, where there is none, the job makes a source of its own.
    """
    for name in RELATIONS:
        source_id = getattr(decision, name)
        if source_id is None:
            continue
        work_id = work_in(topic_id, source_id, field=name)
        if name == "version_of":
            require_day(decision)
            work_versions.check(work_id, days_in(decision))
        elif days_in(decision) != Period():
            days = days_of_replacement(Source.objects.get(pk=source_id), days_in(decision))
            work_versions.check(work_id, days, besides=source_id)
        if moving.pending_moves([source_id]):
            raise Conflict(_("Its work is being moved to another topic. Wait until it is there."), code="moving")


def require_day(decision: Decision) -> None:
    """Raise `DayRequired` for a version without any day, unless the decision says that none is known."""
    if days_in(decision) == Period() and not decision.undated:
        sentence = _("Say from which day this version is in force, or that it is not known.")
        raise DayRequired(sentence, errors={"valid_from": [sentence]})


def days_in(fields: DocumentFields) -> Period:
    return Period(fields.valid_from, fields.valid_to)


def create(job: Job, columns: Mapping[str, Any], related: Related) -> Source:
    """Make the source of a job, as a version of the work that its decision names, if that is still there.

    What cites the other versions cites it too. Raises `VersionOverlap` if another version came meanwhile, and
    `Overtaken` for one that was made of a version that is not the last any more.
    """
    if (work := related.work) is None:
        if job.consolidation is not None:
            raise Overtaken
        return Source.objects.create(topic_id=job.topic_id, **columns)
    if job.consolidation is not None:
        _check_base(job.consolidation, work.pk)
    days = days_in(DocumentFields.of(job.confirmed or {}))  # as it says now, and not when it was claimed
    columns = {**columns, "valid_from": days.begin, "valid_to": days.end}
    columns["aliases"] = all_names(columns["aliases"], work.aliases)
    return work_versions.create_version(work.pk, by=related.by, topic_id=job.topic_id, **columns)


def _check_base(consolidation: Mapping[str, Any], work_id: int) -> None:
    last = work_versions.last_of(work_id)
    if (last.pk, last.content_sha256) != (consolidation["base"], consolidation["base_sha256"]):
        raise Overtaken
