"""Putting labels on sources and taking them off, with `usage_count` right after any interleaving.

Every change takes `locks.lock_shared()`, locks its sources, then the labels it touches in id order, and changes the
counts in the same transaction by what the database says it really inserted or deleted. The row locks are NO KEY: those
that foreign keys take do not wait for them, so two changes never wait for each other in a circle.
"""

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Invalid
from kb_project.isolates import isolated
from labels import locks
from labels.label_set import LabelSet
from labels.models import Label, SourceLabel
from sources.models import Source


class ManyChanged(NamedTuple):
    """How many of the sources are there, and how many of those changed."""

    there: int
    changed: int


def add(source: Source, labels: Iterable[Label], *, by: str) -> int:
    """Put labels on a source. Those it already carries are left as they are. Returns how many were added.

    A label that was merged since it was read is the one it was merged into. Raises `Invalid` for one that is gone,
    `NotFound` when the source is.
    """
    with transaction.atomic():
        return _add([_locked(source)], labels, by=by).total()


def remove(source: Source, labels: Iterable[Label], *, by: str) -> int:
    """Take labels off a source. Those it does not carry are left alone. Returns how many were taken off.

    A label that was merged since it was read is the one it was merged into. One that is gone is off already.
    Raises `NotFound` when the source is gone.
    """
    with transaction.atomic():
        return _remove([_locked(source)], labels, by=by).total()


def add_to_all(source_ids: Iterable[int], labels: Iterable[Label], *, by: str) -> ManyChanged:
    """Put labels on sources, all in one transaction. Raises `Invalid` for a label that is gone."""
    with transaction.atomic():
        sources = _locked_all(source_ids)
        return ManyChanged(len(sources), len(_add(sources, labels, by=by)))


def remove_from_all(source_ids: Iterable[int], labels: Iterable[Label], *, by: str) -> ManyChanged:
    """Take labels off sources, all in one transaction."""
    with transaction.atomic():
        sources = _locked_all(source_ids)
        return ManyChanged(len(sources), len(_remove(sources, labels, by=by)))


def replace(source: Source, labels: Iterable[Label], *, by: str) -> None:
    """Make these labels the source's whole set. Raises as `add` does."""
    with transaction.atomic():
        sources = [_locked(source)]
        wanted, before = _still_there(labels), _names(sources)
        held = _held(source)
        _lock(wanted | held)
        _delete(sources, held - wanted)
        _insert(sources, wanted - held)
        _record(sources, before, by=by)


def start_with(source: Source, labels: Sequence[Label]) -> None:
    """The labels of a source that this transaction made. The history of its job says who chose them.

    Raises `Invalid` for a label that is gone.
    """
    if not labels:
        return
    with transaction.atomic():
        locks.lock_shared()
        wanted = _still_there(labels)
        _lock(wanted)
        _insert([source], wanted)


def release(source: Source) -> list[str]:
    """Take all labels off a source that this transaction deletes, and give their names for its audit entry."""
    with transaction.atomic():
        sources = [_locked(source)]
        names, held = _names(sources), _held(source)
        _lock(held)
        _delete(sources, held)
    return names[source.pk]


def _locked(source: Source) -> Source:
    """Raises `NotFound`."""
    locks.lock_shared()
    return locks.source(source.pk)


def _locked_all(source_ids: Iterable[int]) -> list[Source]:
    """Those that are there, locked in id order."""
    locks.lock_shared()
    return list(Source.objects.select_for_update(no_key=True).filter(pk__in=list(source_ids)).order_by("pk"))


def _add(sources: Sequence[Source], labels: Iterable[Label], *, by: str) -> Counter[int]:
    """How many labels were added to each of the locked sources, by its id."""
    wanted, before = _still_there(labels), _names(sources)
    _lock(wanted)
    added = _insert(sources, wanted)
    _record([source for source in sources if source.pk in added], before, by=by)
    return added


def _remove(sources: Sequence[Source], labels: Iterable[Label], *, by: str) -> Counter[int]:
    """How many labels were taken off each of the locked sources, by its id."""
    unwanted, before = _still_there(labels, needed=False), _names(sources)
    _lock(unwanted)
    removed = _delete(sources, unwanted)
    _record([source for source in sources if source.pk in removed], before, by=by)
    return removed


def _still_there(labels: Iterable[Label], *, needed: bool = True) -> set[int]:
    """The ids that the labels now have: a caller may have read them before it shared the lock."""
    given = {label.pk: label for label in labels}
    there = set(Label.objects.filter(pk__in=given).values_list("pk", flat=True))
    gone = [label for pk, label in given.items() if pk not in there]
    merged_into = LabelSet(label.slug for label in gone)
    for label in gone:
        if merged := merged_into.find(label.slug):
            there.add(merged.pk)
        elif needed:
            sentence = _("There is no label “%s” any more.") % isolated(label.name)
            raise Invalid(sentence, errors={"labels": [sentence]})
    return there


def _held(source: Source) -> set[int]:
    return set(SourceLabel.objects.filter(source=source).values_list("label_id", flat=True))


def _names(sources: Sequence[Source]) -> dict[int, list[str]]:
    """The names of the labels of each source, by its id, as the audit tells them to people."""
    names: dict[int, list[str]] = {source.pk: [] for source in sources}
    assigned = SourceLabel.objects.filter(source__in=names)
    for source_id, name in assigned.values_list("source_id", "label__name"):
        insort(names[source_id], name)
    return names


def _lock(ids: Iterable[int]) -> None:
    """Lock the labels' rows in id order, so that no two changes wait for each other."""
    list(Label.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))


def _insert(sources: Sequence[Source], ids: Iterable[int]) -> Counter[int]:
    """Assign what is not assigned yet, and count it. Returns how many labels each source got, by its id."""
    insert = (
        "INSERT INTO kb_source_label (source_id, label_id)"
        " SELECT source, label FROM unnest(%s::bigint[]) AS source, unnest(%s::bigint[]) AS label"
        " ON CONFLICT (source_id, label_id) DO NOTHING RETURNING source_id, label_id"
    )
    return _counted(insert, sources, ids, each=1)


def _delete(sources: Sequence[Source], ids: Iterable[int]) -> Counter[int]:
    """Take off what is assigned, and count it. Returns how many labels each source lost, by its id."""
    delete = (
        "DELETE FROM kb_source_label WHERE source_id = ANY(%s::bigint[]) AND label_id = ANY(%s::bigint[])"
        " RETURNING source_id, label_id"
    )
    return _counted(delete, sources, ids, each=-1)


def _counted(statement: str, sources: Sequence[Source], ids: Iterable[int], *, each: int) -> Counter[int]:
    """Run it, and count the use of the labels that it returns up or down."""
    with connection.cursor() as cursor:
        cursor.execute(statement, [[source.pk for source in sources], sorted(ids)])
        rows = cursor.fetchall()
    for label_id, uses in Counter(row[1] for row in rows).items():
        Label.objects.filter(pk=label_id).update(usage_count=F("usage_count") + each * uses)
    return Counter(row[0] for row in rows)


def _record(sources: Sequence[Source], before: Mapping[int, list[str]], *, by: str) -> None:
    after = _names(sources)
    audit.record_all(
        audit.entry(
            by=by,
            action="source.labels",
            thing=source,
            before={"labels": before[source.pk]},
            after={"labels": after[source.pk]},
            topic_id=source.topic_id,
        )
        for source in sources
    )
