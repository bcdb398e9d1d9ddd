"""What every app writes down in one place: who changed what."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """One change by one person or key, written in the transaction of the change and never altered.

    `before` and `after` hold only what differs; one of them is empty where a thing was made or deleted.
    """

    at = models.DateTimeField(_("when"), db_default=Now())
    by = models.TextField(_("who"))
    action = models.TextField(_("what"))
    object_type = models.TextField(_("type"))
    object_id = models.TextField(_("id"))
    object_name = models.TextField(_("name"), blank=True, default="")
    # No foreign key: an entry outlives what it speaks of.
    topic_id = models.BigIntegerField(_("topic"), null=True, blank=True)
    before = models.JSONField(_("before"), default=dict, blank=True)
    after = models.JSONField(_("after"), default=dict, blank=True)

    class Meta:
        db_table = "kb_audit"
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["object_type", "object_id"], name="kb_audit_object_idx"),
            models.Index(fields=["-at"], name="kb_audit_at_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.action}: {self.object_name or self.object_id}"
