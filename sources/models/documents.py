"""The document: what it is, which topic it belongs to and where its file lies."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Self

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, RangeOperators
from django.db import models, transaction
from django.db.models.expressions import RawSQL
from django.db.models.functions import Collate, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from law.timeline import Period
from sources.consolidation import Origin
from sources.fields import FACTS, Fact, all_names
from sources.kinds import SourceKind
from sources.remarks import Remark, remarks
from sources.validity import ValidityStatus, said, status_on
from topics.models import Topic

if TYPE_CHECKING:
    from sources.models.passages import Provision


def title_order(field: str = "title") -> Collate:
    """Sorts titles as people do: numbers by their size, without regard to capitals, accents and quotation marks."""
    return Collate(models.Func(field, function="kb_title_key", output_field=models.TextField()), "C")


TITLE_KEY = title_order()
MAX_VERSIONS = 1_000  # of a work that are shown


class Work(models.Model):
    """What sources are versions of: an act, through all its amendments. Most works have one version.

    Kind, title and identifier are those of the version that begins last.
    """

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="works")
    kind = models.CharField(max_length=20, choices=SourceKind.choices)
    title = models.TextField(default="", blank=True)
    identifier = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_work"
        verbose_name = _("work")
        verbose_name_plural = _("works")

    def __str__(self) -> str:
        return self.title or f"#{self.pk}"

    @property
    def aliases(self) -> list[str]:
        """What its versions are cited by besides title and identifier, each once."""
        return all_names(*self.versions.order_by("pk").values_list("aliases", flat=True)[:MAX_VERSIONS])


class SourceQuerySet(models.QuerySet["Source"]):
    """Sources by their days."""

    def in_force(self, day: date) -> Self:
        """Those in force on a day, or whose days are not known (`sources.validity`)."""
        begun = models.Q(valid_from__isnull=True) | models.Q(valid_from__lte=day)
        return self.filter(begun, models.Q(valid_to__isnull=True) | models.Q(valid_to__gt=day))

    def versions_of(self, work_id: int) -> Self:
        """The versions of a work in the order of their days, at most `MAX_VERSIONS`."""
        first = models.F("valid_from").asc(nulls_first=True)
        return self.with_followed().filter(work_id=work_id).order_by(first, "pk")[:MAX_VERSIONS]

    def with_followed(self) -> Self:
        """Each with `is_followed`: whether another version of its work begins when it ends, or later."""
        later = Source.objects.filter(work_id=models.OuterRef("work_id"), valid_from__gte=models.OuterRef("valid_to"))
        return self.annotate(is_followed=models.Exists(later))


def by_title(sources: models.QuerySet[Source]) -> models.QuerySet[Source]:
    """In the order in which people look for titles: that of the folded title, which each has as `title_key`."""
    return sources.annotate(title_key=TITLE_KEY).order_by("title_key", "pk")


class Source(models.Model):
    """A document that a person confirmed. Search finds it by its chunks.

    It is a version of a work, in force from `valid_from` until before `valid_to`. None is unknown. Saved without a
    work it gets one of its own.

    `unread_pages` are those whose text was not read, None where that is not known: then it was indexed by an older
    version. `warnings` are what its reader had to say (`sources.remarks`). `aliases` are what it is cited by besides
    title and identifier. `numbering` is how its sections are numbered
    (`law.structure.numbering.summary`), None where nothing is. `lost` is what its reader saw and did not pass on,
    as `{page, what, characters}` (`extraction.document.Lost`). `consolidation` says how its text was made of another
    version (`sources.consolidation`), None for one that was uploaded.
    """

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="sources")
    kind = models.CharField(max_length=20, choices=SourceKind.choices)
    title = models.TextField(default="", blank=True)
    subject = models.TextField(default="", blank=True)
    identifier = models.TextField(default="", blank=True)
    aliases = ArrayField(models.TextField(), default=list, blank=True)
    description = models.TextField(default="", blank=True)
    published_at = models.DateField(null=True, blank=True)
    work = models.ForeignKey(Work, on_delete=models.PROTECT, related_name="versions")
    valid_from = models.DateField(null=True, blank=True)
    valid_to = models.DateField(null=True, blank=True)
    ai_classified_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    filename = models.TextField(default="", blank=True)
    file_key = models.TextField(default="", blank=True)
    content_sha256 = models.CharField(max_length=64, default="", blank=True)
    size = models.BigIntegerField(default=0)
    pages = models.IntegerField(null=True, blank=True)
    unread_pages = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    numbering = models.JSONField(null=True, blank=True)
    lost = models.JSONField(default=list, blank=True, db_default=[])
    consolidation = models.JSONField(null=True, blank=True)
    chunk_count = models.IntegerField(default=0)

    objects = SourceQuerySet.as_manager()

    class Meta:
        db_table = "kb_source"
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["topic", "kind"], name="kb_source_topic_kind_idx"),
            models.Index(fields=["topic", "content_sha256"], name="kb_source_topic_content_idx"),
            models.Index(fields=["published_at"], name="kb_source_published_idx"),
            models.Index(TITLE_KEY, "id", name="kb_source_title_order_idx"),
            models.Index(fields=["topic", "-id"], name="kb_source_topic_newest_idx"),
            models.Index(
                fields=["topic"],
                name="kb_source_dated_idx",
                include=("id", "valid_from", "valid_to"),
                condition=models.Q(valid_from__isnull=False) | models.Q(valid_to__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=SourceKind.values), name="kb_source_kind_check"),
            models.CheckConstraint(
                condition=models.Q(valid_from__lt=models.F("valid_to")), name="kb_source_days_check"
            ),
            # Deferred, as two versions may change places in one transaction.
            ExclusionConstraint(
                name="kb_source_one_version_a_day",
                expressions=[
                    (models.Func("work", "work", models.Value("[]"), function="int8range"), RangeOperators.OVERLAPS),
                    (models.Func("valid_from", "valid_to", function="daterange"), RangeOperators.OVERLAPS),
                ],
                deferrable=models.Deferrable.DEFERRED,
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.filename or f"#{self.pk}"

    def save(self, *args: Any, **options: Any) -> None:
        if self._state.adding and self.work_id is None:
            about = {name: getattr(self, name) for name in ("topic_id", "kind", "title", "identifier")}
            with transaction.atomic():
                self.work = Work.objects.create(**about)
                super().save(*args, **options)
        else:
            super().save(*args, **options)

    @property
    def has_drawn_pages(self) -> bool:
        """Whether its pages can be drawn as they look in the original."""
        from extraction.formats import is_named_drawn  # here, as most commands read no file

        return bool(self.file_key) and is_named_drawn(self.filename)

    @property
    def facts(self) -> list[Fact]:
        """What the pages say of it in the line below its title."""
        return [Fact(field, value) for field in FACTS if (value := getattr(self, field.column))]

    @property
    def days(self) -> Period:
        return Period(self.valid_from, self.valid_to)

    def status_on(self, day: date) -> ValidityStatus:
        """Its status."""
        return status_on(day, self.days, is_followed=self._has_followed(max(day, timezone.localdate())))

    def said_on(self, day: date | None = None, *, provision: Provision | None = None) -> str:
        """The day that it holds for, or a provision of it, as `sources.validity.said`."""
        days, followed = self.days, self._has_followed(max(day or date.min, timezone.localdate()))
        if provision is not None and provision.days.end:
            days = provision.days.within(days)
            if days.end != self.valid_to:
                printed_again = {"kind": provision.kind, "number": provision.number, "valid_from__gte": days.end}
                followed = self.provisions.filter(**printed_again).exists()
        elif provision is not None:
            days = provision.days.within(days)
        made_here = self.consolidation is not None
        return said(days, kind=self.kind, is_followed=followed, on=day, is_consolidated=made_here)

    def _has_followed(self, day: date) -> bool:
        """Whether another version came when it ended. Asks the database where no queryset did
        (`with_followed`)."""
        if "is_followed" not in self.__dict__ and self.valid_to is not None and self.valid_to <= day:
            followed = Source.objects.filter(work_id=self.work_id, valid_from__gte=self.valid_to).exists()
            self.__dict__["is_followed"] = followed
        return bool(self.__dict__.get("is_followed", False))

    @property
    def status(self) -> ValidityStatus:
        """Today."""
        return self.status_on(timezone.localdate())

    @property
    def remarks(self) -> tuple[Remark, ...]:
        return remarks(self.warnings, self.unread_pages, self.numbering, self.lost, self.consolidation)

    @property
    def origin(self) -> Origin:
        return Origin.UPLOADED if self.consolidation is None else Origin.CONSOLIDATED


def mentions(text: str) -> RawSQL:
    """The condition that title, identifier or subject contains the text, ignoring case."""
    # A generated column. It is no model field, so that it is not read with each row.
    return RawSQL("strpos(kb_source.listed_text, lower(%s)) > 0", [text], output_field=models.BooleanField())


class FileDeletion(models.Model):
    """A stored file that no row names, to be deleted from `requested_at` on.

    A file that is about to be stored is listed with a later time, until which a row must name it.
    """

    key = models.TextField()
    requested_at = models.DateTimeField(db_default=Now())
    attempts = models.IntegerField(default=0)

    class Meta:
        db_table = "kb_file_deletion"
        verbose_name = _("file deletion")
        verbose_name_plural = _("file deletions")

    def __str__(self) -> str:
        return self.key
