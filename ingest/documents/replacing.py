"""Replace the document of a source: its id stays, and so does all that leads to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ingest.decisions import RELATIONS
from ingest.documents.edit import KEPT
from ingest.documents.reindex import live_reindexes
from ingest.job_states import AWAITING_REVIEW, JobStatus, Transition
from ingest.jobs import claims
from ingest.jobs.transitions import transition_locked
from ingest.models import Job
from kb_project import audit
from kb_project.errors import Invalid
from labels import locks
from law.comparison.provision_texts import ProvisionText, own_texts
from law.structure.provisions import ProvisionKind
from law.timeline import Period
from search import publishing
from search.publishing import StagedDocument
from sources import work_versions
from sources.fields import all_names, error_of_days
from sources.files import deletions
from sources.models import Source, Work
from sources.provisions import in_order, whole_text

SOURCE_REPLACED = "source_replaced"


@dataclass(frozen=True, slots=True)
class Related:
    """What a job's decision relates its document to, locked. None for what was deleted since."""

    replaced: Source | None
    work: Work | None
    """That it becomes a version of."""
    by: str
    """Who confirmed it."""


def lock_related(job: Job) -> Related:
    """Lock what the job's decision names: the works with their versions, then the source that is replaced.

    It is called before the transaction locks anything else. Then the decision is read again: with the source that it
    named it may have come to name another one (`edit.delete`).
    """
    locks.lock_shared()
    named: dict[str, int] | None = None
    while named != (named := _named_in(job)):
        work_versions.lock_works_of(*named.values())
        job.refresh_from_db(fields=["confirmed"])
    there = Source.objects.filter(topic_id=job.topic_id)
    replaced = there.select_for_update().filter(pk=named["replaces"]).first() if "replaces" in named else None
    base = there.select_related("work").filter(pk=named["version_of"]).first() if "version_of" in named else None
    return Related(replaced, base.work if base else None, _confirmed_by(job) if named else claims.WORKER)


def _named_in(job: Job) -> dict[str, int]:
    """The sources that its decision relates it to, by `RELATIONS`."""
    confirmed = job.confirmed or {}
    return {name: confirmed[name] for name in RELATIONS if confirmed.get(name) is not None}


def days_of_replacement(source: Source, given: Period) -> Period:
    """The days of a version whose document is replaced by one with these days.

    What is not given stays, but an end at which another version begins follows the beginning. Raises `Invalid`.
    """
    days = Period(given.begin or source.valid_from, given.end or source.valid_to)
    if given.end is None:
        days = work_versions.following(source, days)
    if sentence := error_of_days(days.begin, days.end):
        raise Invalid(sentence, errors={"valid_to": [sentence]})
    return days


def replace_document(source: Source, document: StagedDocument, columns: Mapping[str, Any], *, by: str) -> None:
    """Give a locked source the text and the columns of another document, and delete its file after the commit.

    The bytes of the old file may come in anew. A worker that is indexing that file again starts over. A review of it
    that was reopened ends. It stays in force on the days that it was, unless the columns have others. Raises
    `VersionOverlap` or `Invalid` where these do not fit.
    """
    said = _said(source) if source.consolidation is not None else {}
    columns = {**columns, "aliases": all_names(columns["aliases"], source.aliases)}
    days = Period(columns.pop("valid_from", None), columns.pop("valid_to", None))
    before = {name: getattr(source, name) for name in KEPT}
    for reindex in live_reindexes(source).exclude(claim="").select_for_update():
        claims.requeue(reindex)
    for reopened in Job.objects.filter(source=source, status=JobStatus.AWAITING_REVIEW).select_for_update():
        message = "Another document has replaced the source."
        transition_locked(
            reopened, Transition.FAIL, by=by, why=SOURCE_REPLACED, error_code=SOURCE_REPLACED, error_message=message
        )
    Job.objects.filter(source=source, reindex=False).update(file_key="", content_sha256="")
    deletions.delete_on_commit(source.file_key)
    for name, value in columns.items():
        setattr(source, name, value)
    if days != Period():
        work_versions.change_days(source, days_of_replacement(source, days), by=by)
    source.save(update_fields=[*columns, "valid_from", "valid_to"])
    work_versions.sync_work(source.work_id)
    after = {name: getattr(source, name) for name in KEPT}
    audit.record(by=by, action="source.replace", thing=source, before=before, after=after, topic_id=source.topic_id)
    publishing.publish(document, source=source)
    if said:
        _evaluate(source, said, by=by)


def _evaluate(source: Source, said: Mapping[str, tuple[str, ...]], *, by: str) -> None:
    """Write down how much of the official text, which is published by now, the one that was made here said."""
    official = _said(source)
    same = sum(said.get(eid) == words for eid, words in official.items())
    about = {"provisions": len(official), "as_made_here": same, "made_here": len(said)}
    audit.record(by=by, action="source.evaluate", thing=source, after=about, topic_id=source.topic_id)


def _said(source: Source) -> dict[str, tuple[str, ...]]:
    """What each provision says, by its address. A part that is a heading alone says nothing."""
    texts = own_texts(whole_text(source.pk), list(in_order(source.pk)))
    return {one.eid: one.body for one in texts if one.eid and not _is_heading(one)}


def _is_heading(one: ProvisionText) -> bool:
    is_division = one.kind in {ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.HEADING}
    return is_division and one.text.rstrip(".: ").endswith(one.heading or one.number)


def _confirmed_by(job: Job) -> str:
    """Who confirmed the job."""
    confirmations = job.events.filter(from_state=str(AWAITING_REVIEW)).order_by("-id")
    return confirmations.values_list("by", flat=True).first() or claims.WORKER
