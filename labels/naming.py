"""What labels are called: finding, making, renaming, merging and deleting them.

A slug leads to one label, be it as the label's own or as an alias. Labels are made under `locks.lock_shared()`, which
holds off everything that makes an alias, and the unique index on slugs settles who of many makes a label.

An alias may have a slug of an older rule, which is by now the slug of another name. It leads whoever gives the slug to
its label until a label takes that other name: then the slug is the new label's, and the alias goes.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Conflict, Invalid, NotFound
from kb_project.isolates import isolated
from labels import locks, topic_labels
from labels.label_set import LabelSet
from labels.models import Label, LabelAlias, SourceLabel, TopicLabel
from law.words.slugs import MAX_NAME_LENGTH, clean_name, slugify


class LabelInUse(Conflict):
    """Sources still carry the label. `extra` has its usage_count."""

    code = "label_in_use"
    title = "Label in use"


def find(slug: str, *, within: Collection[int] | None = None) -> Label | None:
    """As `LabelSet.find`, of one slug."""
    return LabelSet([slug], within=within).find(slug)


def find_named(name: str, *, within: Collection[int] | None = None) -> Label | None:
    """As `LabelSet.find_named`, of one name."""
    return LabelSet(names=[name], within=within).find_named(name)


def get_or_create(name: str, *, by: str, within: Collection[int] | None = None) -> tuple[Label, bool]:
    """The label that a name leads to, made if there is none. `True` when it was made.

    A new label takes its slug from an alias whose own name has another one by now: that slug leads to the new label
    from then on. With topics as `within`, from one that is known in none of them too. Concurrent calls with names of
    one slug end with one label. Raises `Invalid` for an empty or over-long name.
    """
    name = checked_name(name)
    slug = slugify(name)
    with transaction.atomic():
        locks.lock_shared()
        existing = find_named(name, within=within)
        if existing is not None:
            return existing, False
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO kb_label (slug, name) VALUES (%s, %s) ON CONFLICT (slug) DO NOTHING RETURNING id",
                [slug, name],
            )
            created = cursor.fetchone() is not None
        label = Label.objects.get(slug=slug)
        if created:
            LabelAlias.objects.filter(slug=slug).delete()
            audit.record(by=by, action="label.create", thing=label, after={"name": name, "slug": slug})
    return label, created


def get_or_create_within(topics: Collection[int], name: str, *, by: str) -> tuple[Label, bool]:
    """As `get_or_create` for who is limited to topics: `True` when the label was known in none of them before.

    It is then known in each.
    """
    with transaction.atomic():
        locks.lock_shared()
        label, _made = get_or_create(name, by=by, within=topics)
        if topic_labels.is_known(label.pk, within=topics):
            return label, False
        for topic_id in sorted(topics):
            topic_labels.add_to_topic([label], topic_id=topic_id)
            audit.record(by=by, action="label.bring", thing=label, after={"topic_id": topic_id}, topic_id=topic_id)
    return label, True


def rename(label_id: int, name: str, *, by: str) -> Label:
    """Give a label another name and its slug. The slug and name that it had become an alias.

    The slug is taken from an alias as in `get_or_create`. Raises `NotFound`, and `Invalid` for a name that no label
    can have or that leads to another label already.
    """
    name = checked_name(name)
    slug = slugify(name)
    with transaction.atomic():
        locks.alone()
        label = get(label_id, Label.objects.select_for_update(no_key=True))
        before = {"name": label.name, "slug": label.slug}
        if slug != label.slug:
            holder = find_named(name)
            if holder is not None and holder.pk != label.pk:
                sentence = _("“%(name)s” already leads to the label “%(label)s”; merge the two instead.") % {
                    "name": isolated(name),
                    "label": isolated(holder.name),
                }
                raise Invalid(sentence, errors={"name": [sentence]}, label_id=holder.pk)
            LabelAlias.objects.filter(slug=slug).delete()
            known_in = _topics_that_know(label)
            LabelAlias.objects.create(label=label, slug=label.slug, name=label.name, known_in=known_in)
        label.name, label.slug = name, slug
        label.save(update_fields=["name", "slug"])
        audit.record(by=by, action="label.rename", thing=label, before=before, after={"name": name, "slug": slug})
    return label


def delete(label_id: int, *, by: str) -> None:
    """Delete a label that no source carries, and its aliases. Raises `NotFound` and `LabelInUse`."""
    with transaction.atomic():
        locks.alone()
        label = get(label_id, Label.objects.select_for_update(no_key=True))
        # The rows too: deleting the label would take them along.
        uses = label.usage_count or SourceLabel.objects.filter(label=label).count()
        if uses:
            raise LabelInUse(
                _("The label “%s” is in use; merge it into another or take it off its sources first.")
                % isolated(label.name),
                usage_count=uses,
            )
        before = {"name": label.name, "slug": label.slug, "aliases": [alias.name for alias in label.aliases.all()]}
        audit.record(by=by, action="label.delete", thing=label, before=before)
        label.delete()


def get(label_id: int, labels: QuerySet[Label]) -> Label:
    """The label of these with this id. Raises `NotFound`."""
    label = labels.filter(pk=label_id).first()
    if label is None:
        raise NotFound(_("There is no such label."))
    return label


def checked_name(name: str) -> str:
    """The name as it will be shown. Raises `Invalid` for an empty or over-long one."""
    name = clean_name(name)
    if not name:
        sentence = _("A label needs a name.")
        raise Invalid(sentence, errors={"name": [sentence]})
    if len(name) > MAX_NAME_LENGTH:
        sentence = _("A label name has at most %(most)d characters; this one has %(length)d.") % {
            "most": MAX_NAME_LENGTH,
            "length": len(name),
        }
        raise Invalid(sentence, errors={"name": [sentence]})
    return name


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would do now: sources that `moving` to the target, that are `already` there, and the names
    that become its aliases, the label's own first."""

    label: Label
    target: Label
    moving: int
    already: int
    aliases: list[str]


def preview(label_id: int, target_id: int) -> MergePreview:
    """Count, and change nothing. Raises as `merge` does."""
    label, target = _pair(label_id, target_id, Label.objects.in_bulk([label_id, target_id]))
    assignments = SourceLabel.objects.filter(label=label)
    there = SourceLabel.objects.filter(label=target, source=OuterRef("source"))
    already = assignments.filter(Exists(there)).count()
    return MergePreview(
        label=label,
        target=target,
        moving=assignments.count() - already,
        already=already,
        aliases=[label.name, *(alias.name for alias in label.aliases.all())],
    )


def merge(label_id: int, target_id: int, *, by: str) -> Label:
    """Move a label's assignments to the target, make its names aliases of the target, and delete it.

    A source that carries both keeps the target alone. Raises `NotFound` when one of the two is unknown, `Invalid`
    for a label and itself.
    """
    with transaction.atomic():
        locks.alone()
        rows = Label.objects.select_for_update(no_key=True).filter(pk__in=[label_id, target_id]).order_by("pk")
        label, target = _pair(label_id, target_id, {row.pk: row for row in rows})
        before = {
            "name": label.name,
            "slug": label.slug,
            "usage_count": label.usage_count,
            "aliases": [alias.name for alias in label.aliases.all()],
            "target_usage_count": target.usage_count,
        }
        already, moved = _move(label, target)
        target.refresh_from_db()
        audit.record(
            by=by,
            action="label.merge",
            thing=label,
            before=before,
            after={
                "target_id": target.pk,
                "target": target.name,
                "moved": moved,
                "already": already,
                "target_usage_count": target.usage_count,
            },
        )
    return target


def _pair(label_id: int, target_id: int, labels: dict[int, Label]) -> tuple[Label, Label]:
    if label_id not in labels:
        raise NotFound(_("There is no such label."))
    if label_id == target_id:
        sentence = _("A label cannot be merged into itself.")
        raise Invalid(sentence, errors={"target_id": [sentence]})
    if target_id not in labels:
        sentence = _("There is no such label to merge into.")
        raise NotFound(sentence, errors={"target_id": [sentence]})
    return labels[label_id], labels[target_id]


def _move(label: Label, target: Label) -> tuple[int, int]:
    """How many sources carried both, and how many were moved. Each step is one statement for any number of rows."""
    ids: dict[str, Any] = {"label": label.pk, "target": target.pk, "slug": label.slug, "name": label.name}
    ids["known_in"] = _topics_that_know(label)
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM kb_source_label old USING kb_source_label kept "
            "WHERE old.label_id = %(label)s AND kept.label_id = %(target)s AND kept.source_id = old.source_id",
            ids,
        )
        already = cursor.rowcount
        cursor.execute("UPDATE kb_source_label SET label_id = %(target)s WHERE label_id = %(label)s", ids)
        moved = cursor.rowcount
        cursor.execute(
            "UPDATE kb_label SET usage_count = usage_count + %(moved)s WHERE id = %(target)s", {**ids, "moved": moved}
        )
        cursor.execute(
            "INSERT INTO kb_topic_label (topic_id, label_id) "
            "SELECT topic_id, %(target)s FROM kb_topic_label WHERE label_id = %(label)s ORDER BY topic_id "
            "ON CONFLICT (topic_id, label_id) DO NOTHING",
            ids,
        )
        cursor.execute("UPDATE kb_label_alias SET label_id = %(target)s WHERE label_id = %(label)s", ids)
        cursor.execute("DELETE FROM kb_label WHERE id = %(label)s", ids)
        cursor.execute(
            "INSERT INTO kb_label_alias (label_id, slug, name, known_in) "
            "VALUES (%(target)s, %(slug)s, %(name)s, %(known_in)s::bigint[])",
            ids,
        )
    return already, moved


def _topics_that_know(label: Label) -> list[int]:
    carried = SourceLabel.objects.filter(label=label).values_list("source__topic_id", flat=True)
    brought = TopicLabel.objects.filter(label=label).values_list("topic_id", flat=True)
    return sorted({*carried.distinct(), *brought})
