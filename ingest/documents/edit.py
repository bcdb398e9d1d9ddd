"""Edit the fields and labels of sources, delete sources, and update what search knows of them."""

import dataclasses
import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ingest.decisions import MAX_LABELS, LabelChoice, resolve
from ingest.documents import works
from ingest.documents.reindex import queue
from ingest.job_states import UNFINISHED, Transition
from ingest.jobs import transitions
from ingest.models import Job
from ingest.webhook_events import source_dates_changed, source_was_deleted
from kb_project import audit
from kb_project.errors import Conflict, Invalid, UnknownParameter
from labels import assign, locks, topic_labels
from labels.models import Label
from search.index import IndexContext, engine
from sources import work_versions
from sources.citations import source_keys
from sources.fields import COLUMNS, DAYS, FIELDS, error_of_days
from sources.files import deletions
from sources.models import Source

LABELS = "label_ids"
BY_COLUMN = {field.column: field for field in FIELDS}
CITED_BY = ("title", "identifier", "aliases")
VERSION_OF = "version_of"
OF_WORK = {"kind", "title", "identifier", *DAYS, VERSION_OF}
"""What may change the work of a source, or its other versions."""
INDEXED = tuple(field.name for field in dataclasses.fields(IndexContext) if field.name in BY_COLUMN)
"""The columns that each chunk is indexed with."""
SOURCE_DELETED = "source_deleted"
KEPT = (*COLUMNS, "work_id", "created_at", "filename", "content_sha256", "size", "pages", "chunk_count")
"""What the audit keeps of a deleted source."""


def edit(
    source_id: int, changes: Mapping[str, Any], *, by: str, labels_within: Collection[int] | None = None
) -> Source:
    """Change those fields of a source that `changes` names. Gives the source as it now stands.

    `changes` has values by column (`sources.fields`), `label_ids` for the whole set of its labels, and `version_of`:
    the id of a source of whose work it is to be a version, or None for a work of its own. Citations find a new title
    or identifier at once. An end at which another version begins follows a beginning that is changed alone. A change of
    what chunks are indexed with queues a reindex. All of it is one transaction. An edit that changes nothing is not
    recorded. With topics as `labels_within`, only labels known there exist.
    Raises `Invalid` with a sentence for each field, `UnknownParameter`, `NotFound` and `VersionOverlap`.
    """
    wanted = _checked(changes)
    label_ids = wanted.pop(LABELS, None)
    with transaction.atomic():
        if label_ids is not None:
            locks.lock_shared()
        source = _locked(source_id, wanted)
        before = {name: getattr(source, name) for name in (*wanted, *DAYS) if name != VERSION_OF}
        _set(source, wanted, before, by=by)
        changed = _save(source, before, by=by)
        if not OF_WORK.isdisjoint(changed):
            work_versions.sync_work(source.work_id)
        if label_ids is not None:
            assign.replace(source, _labels(label_ids, within=labels_within), by=by)
        if not set(CITED_BY).isdisjoint(changed):
            source_keys.store(source)
        if indexed := [name for name in INDEXED if name in changed]:
            queue(source, by=by, why=f"changed: {', '.join(indexed)}")
    return source


def _set(source: Source, wanted: Mapping[str, Any], before: Mapping[str, Any], *, by: str) -> None:
    """Give the source its new values, and its work the days or the version. Raises `Invalid` and `VersionOverlap`."""
    moves = VERSION_OF in wanted
    for name in before:
        setattr(source, name, wanted.get(name, before[name]))
    if not moves and source.valid_from != before["valid_from"]:
        source.valid_to = work_versions.following(source, source.days).end
    if sentence := error_of_days(source.valid_from, source.valid_to):
        raise Invalid(sentence, errors={"valid_to": [sentence]})
    if not (moves and works.move(source, version_of=wanted[VERSION_OF], by=by)) and any(
        getattr(source, name) != before[name] for name in DAYS
    ):
        work_versions.change_days(source, source.days, by=by)


def _save(source: Source, before: Mapping[str, Any], *, by: str) -> list[str]:
    """Store what has changed, and record it. Gives the names of the columns."""
    after = {name: getattr(source, name) for name in before}
    changed = [name for name in after if after[name] != before[name]]
    if changed:
        source.save(update_fields=changed)
        audit.record(by=by, action="source.edit", thing=source, before=before, after=after, topic_id=source.topic_id)
        if not set(DAYS).isdisjoint(changed):
            source_dates_changed(source)
    return changed


def edit_work(work_id: int, changes: Mapping[str, Any], *, by: str) -> None:
    """Change the fields of all versions of a work, as `edit` does and with what it raises."""
    with transaction.atomic():
        versions = Source.objects.filter(work_id=work_id).order_by("pk").values_list("pk", flat=True)
        work_versions.lock_works_of(*versions)
        for source_id in list(versions.all()):  # those that it has now that it is locked
            edit(source_id, changes, by=by)


def _locked(source_id: int, changes: Mapping[str, Any]) -> Source:
    """The source, its row locked. Before it the works that the changes may concern. Raises `NotFound`."""
    if not OF_WORK.isdisjoint(changes):
        named = changes.get(VERSION_OF)
        work_versions.lock_works_of(source_id, *([] if named is None else [named]))
    return locks.source(source_id)


def _checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes with texts trimmed. Raises `Invalid` and `UnknownParameter`."""
    unknown = sorted(set(changes) - {*BY_COLUMN, LABELS, VERSION_OF})
    if unknown:
        raise UnknownParameter(
            _("A source has no field “%s”.") % unknown[0],
            errors={name: [_("There is no such parameter.")] for name in unknown},
        )
    trimmed = {name: BY_COLUMN[name].trim(value) if name in BY_COLUMN else value for name, value in changes.items()}
    errors = {name: [sentence] for name, value in trimmed.items() if (sentence := _error(name, value))}
    if errors:
        name, sentences = next(iter(errors.items()))
        raise Invalid(f"{name}: {sentences[0]}", errors=errors)
    return trimmed


def _error(name: str, value: Any) -> str:
    if name == VERSION_OF:
        return ""
    if name != LABELS:
        return BY_COLUMN[name].error(value)
    return _("A document can have at most %d labels.") % MAX_LABELS if len(set(value)) > MAX_LABELS else ""


def _lead_to_others(source: Source) -> None:
    """Have what is under way for a version that goes come to the others of its work, on the days that it replaces."""
    other = Source.objects.filter(work=source.work_id).exclude(pk=source.pk).order_by("pk").first()
    if other is None:
        return
    named = Q(confirmed__version_of=source.pk) | Q(confirmed__replaces=source.pk)
    for job in Job.objects.filter(named, reindex=False, status__in=UNFINISHED).select_for_update().order_by("pk"):
        told = {**(job.confirmed or {}), "version_of": other.pk}
        if told.pop("replaces", None) and not any(told.get(name) for name in DAYS):
            told |= {name: getattr(source, name) and getattr(source, name).isoformat() for name in DAYS}
        job.confirmed = told
        job.save(update_fields=["confirmed"])


def _labels(ids: Iterable[int], *, within: Collection[int] | None) -> list[Label]:
    """The labels with these ids. The caller holds their lock. Raises `Invalid` for an unknown id."""
    wanted = set(ids)
    labels = list(topic_labels.labels_within(within).filter(pk__in=wanted))
    unknown = sorted(wanted - {label.pk for label in labels})
    if unknown:
        sentence = _("There is no label with the id %s.") % ", ".join(str(one) for one in unknown)
        raise Invalid(sentence, errors={LABELS: [sentence]})
    return labels


class EditConflict(Conflict):
    """The source changed since the form was shown."""

    code = "changed_meanwhile"


def save_form(
    source_id: int,
    changes: Mapping[str, Any],
    *,
    labels: Iterable[LabelChoice],
    if_version: str | None,
    by: str,
    labels_within: Collection[int] | None = None,
) -> Source:
    """Edit the source and make new labels, all or nothing.

    `if_version` is the `version_token` of the source that the person edited. Raises `EditConflict` when it is another
    by now, and what `edit` and `resolve` raise. With None there is nothing to compare.
    """
    with transaction.atomic():
        locks.lock_shared()
        source = _locked(source_id, changes)
        if if_version is not None and version_token(source) != if_version:
            raise EditConflict(_("Someone else changed this source meanwhile."))
        label_ids = [label.pk for label in resolve(labels, by=by, within=labels_within)]
        return edit(source_id, {**changes, LABELS: label_ids}, by=by)


def version_token(source: Source) -> str:
    """A hash of the source's fields and labels."""
    values = [str(getattr(source, name)) for name in COLUMNS]
    labels = sorted(source.labels.values_list("pk", flat=True))
    return hashlib.sha256(json.dumps([values, labels]).encode()).hexdigest()[:16]


def delete(source_id: int, *, by: str, keeps_file: bool = False) -> None:
    """Delete the source, with its file unless that is to stay. Once this returns, no search finds anything of it.

    A worker that is indexing it again loses its job and drops what it made. A review that was reopened ends. The bytes
    may be uploaded anew. Raises `NotFound`.
    """
    with transaction.atomic():
        locks.lock_shared()
        work_versions.lock_work_of(source_id)
        source = locks.source(source_id)
        before = {name: getattr(source, name) for name in KEPT} | {"labels": assign.release(source)}
        work_versions.remove_version(source, by=by)
        _lead_to_others(source)
        audit.record(by=by, action="source.delete", thing=source, before=before, topic_id=source.topic_id)
        for job in Job.objects.filter(source=source, status__in=UNFINISHED).select_for_update().order_by("pk"):
            transitions.transition_locked(
                job,
                Transition.FAIL,
                by=by,
                why=SOURCE_DELETED,
                error_code=SOURCE_DELETED,
                error_message="The source was deleted.",
            )
        Job.objects.filter(source=source).exclude(file_key="").update(file_key="")
        engine().withdraw(source.pk)
        if not keeps_file:
            deletions.delete_on_commit(source.file_key)
        source_was_deleted(source)
        source.delete()
        work_versions.sync_work(source.work_id)
