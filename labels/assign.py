"""Naming and assigning labels, with `usage_count` right after any interleaving.

Every change of a source's labels locks the source, then the labels it touches in id order, and changes the counts
in the same transaction by what the database says it really inserted or deleted. The locks are NO KEY: those that
foreign keys take do not wait for them, so two changes never wait for each other in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction
from django.db.models import F

from kb_project.errors import Invalid
from labels.models import Label, LabelAlias, SourceLabel
from labels.slugs import MAX_NAME_LENGTH, clean_name, slugify
from sources.models import Source


def find(slug: str) -> Label | None:
    """The label with this slug, or the one that an alias of this slug leads to."""
    label = Label.objects.filter(slug=slug).first()
    if label is None:
        alias = LabelAlias.objects.select_related("label").filter(slug=slug).first()
        label = alias.label if alias else None
    return label


def get_or_create(name: str) -> tuple[Label, bool]:
    """The label that a name leads to, made if there is none; `True` when it was made.

    Concurrent calls with names of one slug end with one label. Raises `Invalid` for an empty or over-long name.
    """
    name = clean_name(name)
    if not name:
        raise Invalid("A label needs a name.", errors={"name": ["A label needs a name."]})
    if len(name) > MAX_NAME_LENGTH:
        sentence = f"A label name has at most {MAX_NAME_LENGTH} characters; this one has {len(name)}."
        raise Invalid(sentence, errors={"name": [sentence]})
    slug = slugify(name)
    existing = find(slug)
    if existing is not None:
        return existing, False
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO kb_label (slug, name) VALUES (%s, %s) ON CONFLICT (slug) DO NOTHING RETURNING id",
            [slug, name],
        )
        created = cursor.fetchone() is not None
    return Label.objects.get(slug=slug), created


def resolve(names_or_slugs: Iterable[str]) -> list[Label]:
    """The labels that slugs, aliases or new names lead to, each once, in the order given."""
    labels: dict[int, Label] = {}
    for text in names_or_slugs:
        label = find(text) or get_or_create(text)[0]
        labels.setdefault(label.pk, label)
    return list(labels.values())


def add(source: Source, labels: Iterable[Label]) -> int:
    """Put labels on a source; those it already carries are left as they are. Returns how many were added."""
    with transaction.atomic():
        _lock_source(source)
        ids = _lock(label.pk for label in labels)
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO kb_source_label (source_id, label_id) SELECT %s, unnest(%s::bigint[]) "
                "ON CONFLICT (source_id, label_id) DO NOTHING RETURNING label_id",
                [source.pk, ids],
            )
            added = [row[0] for row in cursor.fetchall()]
        Label.objects.filter(pk__in=added).update(usage_count=F("usage_count") + 1)
    return len(added)


def replace(source: Source, labels: Iterable[Label]) -> None:
    """Make these labels the source's whole set."""
    wanted = {label.pk for label in labels}
    with transaction.atomic():
        _lock_source(source)
        held = set(SourceLabel.objects.filter(source=source).values_list("label_id", flat=True))
        _lock(wanted | held)
        SourceLabel.objects.filter(source=source, label_id__in=held - wanted).delete()
        Label.objects.filter(pk__in=held - wanted).update(usage_count=F("usage_count") - 1)
        add(source, Label.objects.filter(pk__in=wanted - held))


def _lock_source(source: Source) -> None:
    Source.objects.select_for_update(no_key=True).only("pk").get(pk=source.pk)


def _lock(ids: Iterable[int]) -> list[int]:
    """Lock the labels' rows in id order, so that no two changes wait for each other; gives the ids that exist."""
    return list(
        Label.objects.select_for_update(no_key=True).filter(pk__in=set(ids)).order_by("pk").values_list("pk", flat=True)
    )
