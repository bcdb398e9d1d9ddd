"""What every app shares: who changed what, whether the stored data is in order, and who a person is elsewhere."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class AuditEntry(models.Model):
    """One change by one person or key, written in the transaction of the change and never altered.

    `before` and `after` hold only what differs. One of them is empty where a thing was made or deleted.
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


class IntegrityRun(models.Model):
    """How the integrity checks went, all of them. Written by `kb_project.operations.integrity.run` alone.

    `results` holds one object for each check: its name, how much it found, repaired and left, the first findings.
    """

    class By(models.TextChoices):
        COMMAND = "command", _("Command")
        BEAT = "beat", pgettext_lazy("what started a check", "Schedule")

    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"))
    by = models.CharField(_("run by"), max_length=20, choices=By.choices)
    results = models.JSONField(_("results"), default=list)

    class Meta:
        db_table = "kb_integrity_run"
        verbose_name = _("integrity check")
        verbose_name_plural = _("integrity checks")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(by__in=["command", "beat"]), name="kb_integrity_run_by_check"),
        ]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"

    @property
    def findings(self) -> int:
        """How many objects were found wrong, and not repaired."""
        return sum(result["remaining"] for result in self.results)

    @property
    def failed(self) -> int:
        """How many checks broke off."""
        return sum(bool(result["error"]) for result in self.results)


class Identity(models.Model):
    """Who the holder of an account is for the organisation's provider: its issuer, and its name for the person.

    Nothing else links the two: an e-mail address may be another person's tomorrow.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identity")
    issuer = models.TextField(_("issuer"))
    subject = models.TextField(_("subject"))

    class Meta:
        db_table = "kb_identity"
        verbose_name = _("sign-in with the organisation")
        verbose_name_plural = _("sign-ins with the organisation")
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="kb_identity_issuer_subject_uniq")]

    def __str__(self) -> str:
        return f"{self.issuer} {self.subject}"


class SecondFactor(models.Model):
    """What a person shows besides their password: an app that makes codes, a passkey, or one of the recovery codes.

    `secret` is what an app's codes are made from, a passkey's public key, or the hash of a recovery code. `counter`
    is the last time step whose code was taken, or a passkey's own count. No code and no answer counts twice.
    """

    class Kind(models.TextChoices):
        APP = "app", _("Authenticator app")
        PASSKEY = "passkey", _("Passkey")
        RECOVERY = "recovery", _("Recovery code")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factors")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    name = models.TextField(default="")
    secret = models.TextField()
    counter = models.BigIntegerField(default=0)
    made_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "kb_second_factor"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["app", "passkey", "recovery"]), name="kb_second_factor_kind_check"
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.get_kind_display()
