"""Putting labels on sources and taking them off, with `usage_count` right after any interleaving.

Every change takes `locks.share()`, locks the source, then the labels it touches in id order, and changes the counts
in the same transaction by what the database says it really inserted or deleted. The row locks are NO KEY: those that
foreign keys take do not wait for them, so two changes never wait for each other in a circle.
"""

from collections.abc import Iterable, Sequence

from django.db import connection, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Invalid
from labels import locks
from labels.models import Label, SourceLabel
from labels.naming import find
from sources.models import Source


def add(source: Source, labels: Iterable[Label], *, by: str) -> int:
    """Put labels on a source; those it already carries are left as they are. Returns how many were added.

    A label that was merged since it was read is the one it was merged into. Raises `Invalid` for one that is gone,
    `NotFound` when the source is.
    """
    with transaction.atomic():
        _lock_source(source)
        wanted, before = _still_there(labels), _slugs(source)
        _lock(wanted)
        added = _insert(source, wanted)
        _record(source, before, by=by)
    return added


def remove(source: Source, labels: Iterable[Label], *, by: str) -> int:
    """Take labels off a source; those it does not carry are left alone. Returns how many were taken off.

    A label that was merged since it was read is the one it was merged into; one that is gone is off already.
    Raises `NotFound` when the source is gone.
    """
    with transaction.atomic():
        _lock_source(source)
        unwanted, before = _still_there(labels, needed=False), _slugs(source)
        _lock(unwanted)
        removed = _delete(source, unwanted)
        _record(source, before, by=by)
    return removed


def replace(source: Source, labels: Iterable[Label], *, by: str) -> None:
    """Make these labels the source's whole set. Raises as `add` does."""
    with transaction.atomic():
        _lock_source(source)
        wanted, before = _still_there(labels), _slugs(source)
        held = _held(source)
        _lock(wanted | held)
        _delete(source, held - wanted)
        _insert(source, wanted - held)
        _record(source, before, by=by)


def start_with(source: Source, labels: Sequence[Label]) -> None:
    """The labels of a source that this transaction made; the history of its job says who chose them.

    Raises `Invalid` for a label that is gone.
    """
    if not labels:
        return
    with transaction.atomic():
        locks.share()
        wanted = _still_there(labels)
        _lock(wanted)
        _insert(source, wanted)


def release(source: Source) -> list[str]:
    """Take all labels off a source that this transaction deletes, and give their slugs for its audit entry."""
    with transaction.atomic():
        _lock_source(source)
        slugs, held = _slugs(source), _held(source)
        _lock(held)
        _delete(source, held)
    return slugs


def _lock_source(source: Source) -> None:
    locks.share()
    locks.source(source.pk)


def _still_there(labels: Iterable[Label], *, needed: bool = True) -> set[int]:
    """The ids that the labels now have: a caller may have read them before it shared the lock."""
    given = {label.pk: label for label in labels}
    there = set(Label.objects.filter(pk__in=given).values_list("pk", flat=True))
    for gone in given.keys() - there:
        merged = find(given[gone].slug)
        if merged is not None:
            there.add(merged.pk)
        elif needed:
            sentence = _("There is no label “%s” any more.") % given[gone].name
            raise Invalid(sentence, errors={"labels": [sentence]})
    return there


def _held(source: Source) -> set[int]:
    return set(SourceLabel.objects.filter(source=source).values_list("label_id", flat=True))


def _slugs(source: Source) -> list[str]:
    return list(Label.objects.filter(assignments__source=source).order_by("slug").values_list("slug", flat=True))


def _lock(ids: Iterable[int]) -> None:
    """Lock the labels' rows in id order, so that no two changes wait for each other."""
    list(Label.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))


def _insert(source: Source, ids: Iterable[int]) -> int:
    """Assign what is not assigned yet, and count it."""
    insert = (
        "INSERT INTO kb_source_label (source_id, label_id) SELECT %s, unnest(%s::bigint[]) "
        "ON CONFLICT (source_id, label_id) DO NOTHING RETURNING label_id"
    )
    return _counted(insert, source, ids, each=1)


def _delete(source: Source, ids: Iterable[int]) -> int:
    """Take off what is assigned, and count it."""
    delete = "DELETE FROM kb_source_label WHERE source_id = %s AND label_id = ANY(%s::bigint[]) RETURNING label_id"
    return _counted(delete, source, ids, each=-1)


def _counted(statement: str, source: Source, ids: Iterable[int], *, each: int) -> int:
    """Run it, and count the use of the labels that it returns up or down. Returns how many they are."""
    with connection.cursor() as cursor:
        cursor.execute(statement, [source.pk, sorted(ids)])
        changed = [row[0] for row in cursor.fetchall()]
    Label.objects.filter(pk__in=changed).update(usage_count=F("usage_count") + each)
    return len(changed)


def _record(source: Source, before: list[str], *, by: str) -> None:
    audit.record(
        by=by,
        action="source.labels",
        thing=source,
        before={"labels": before},
        after={"labels": _slugs(source)},
        topic_id=source.topic_id,
    )
