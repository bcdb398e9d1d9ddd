"""What must hold for labels: their counts, and that a slug leads to one of them."""

from collections.abc import Iterator

from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query, register
from labels import locks
from labels.models import Label, LabelAlias

WRONG_COUNTS = """
SELECT l.id, l.name, l.usage_count, coalesce(real.n, 0)
FROM kb_label l LEFT JOIN (SELECT label_id, count(*) AS n FROM kb_source_label GROUP BY label_id) AS real
    ON real.label_id = l.id
WHERE l.usage_count <> coalesce(real.n, 0) ORDER BY l.id
"""
TAKEN_SLUGS = """
SELECT a.id, a.name, l.id, a.label_id FROM kb_label_alias a JOIN kb_label l ON l.slug = a.slug ORDER BY a.id
"""


def find_wrong_counts() -> Iterator[Finding]:
    for label_id, name, kept, real in query(WRONG_COUNTS):
        yield Finding(
            f"label {label_id} ({name})",
            gettext_noop("It is on %(real)d sources and says %(kept)d."),
            {"kept": kept, "real": real},
            key=label_id,
        )


def recount(finding: Finding) -> None:
    """Count the label's sources while its row is held: whoever assigns or takes off holds it until the commit."""
    with transaction.atomic(), connection.cursor() as cursor:
        locks.lock_shared()
        list(Label.objects.select_for_update(no_key=True).filter(pk=finding.key).values_list("pk"))
        cursor.execute(
            "UPDATE kb_label SET usage_count = (SELECT count(*) FROM kb_source_label WHERE label_id = %(label)s)"
            " WHERE id = %(label)s",
            {"label": finding.key},
        )


def find_taken_slugs() -> Iterator[Finding]:
    for alias_id, name, label_id, target_id in query(TAKEN_SLUGS):
        yield Finding(
            f"alias {alias_id} ({name})",
            gettext_noop("It is to lead to label %(target)d, but label %(label)d has that slug."),
            {"target": target_id, "label": label_id},
            key=alias_id,
        )


def drop_alias(finding: Finding) -> None:
    """The label goes first wherever a slug is looked up, so the alias never led anywhere."""
    with transaction.atomic():
        locks.alone()
        LabelAlias.objects.filter(pk=finding.key, slug__in=Label.objects.values("slug")).delete()


register(
    IntegrityCheck(
        name="label_counts",
        meaning=_("Each label's usage count is the number of sources that carry it."),
        find=find_wrong_counts,
        repair=recount,
        quick=True,
    ),
    IntegrityCheck(
        name="label_slugs",
        meaning=_("No slug is both a label's and an alias of a label."),
        find=find_taken_slugs,
        repair=drop_alias,
        quick=True,
    ),
)
