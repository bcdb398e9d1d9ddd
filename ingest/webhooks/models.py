"""Webhooks, and the outbox: one row for each event and each webhook that is told of it."""

import uuid
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.models import Topic

MAX_URL_LENGTH = 500  # characters


class Event(models.TextChoices):
    """What a webhook can be told of."""

    JOB_AWAITING_REVIEW = "job.awaiting_review", _("A job awaits review")
    SOURCE_PUBLISHED = "source.published", _("A source was published")
    SOURCE_REPLACED = "source.replaced", _("A source was replaced")
    SOURCE_DAYS_CHANGED = "source.days_changed", _("The days of a source changed")
    SOURCE_DELETED = "source.deleted", _("A source was deleted")
    TABLE_FILLED = "table.filled", _("A table was filled")


PING = "ping"
"""The event of a test, which nobody subscribes to."""


class DeliveryFault(models.TextChoices):
    """Why the last attempt of a delivery was none. The label is the sentence for people."""

    STATUS = "status", _("The receiver answered with another status than 2xx.")
    TIMEOUT = "timeout", _("The receiver did not answer in time.")
    UNREACHABLE = "unreachable", _("No connection: the name, the port or the certificate is wrong, or nobody listens.")
    PROTOCOL = "protocol", _("What answered does not speak HTTP.")
    REFUSED = "refused", _("The name leads to an address that is not allowed here.")
    DISABLED = "disabled", _("The webhook was switched off until it was too late.")


def _name_of(event: str) -> str:
    """Its label, or its own name where a later release, which ran on these tables, knew it."""
    return str(Event(event).label) if event in Event.values else event


class Receiver(models.Model):
    """An address that gets signed messages.

    `former_secret` signs too until `former_until`: whoever receives has that long to take over a new one.
    `NETWORKS` is the setting that names where it may lead besides the public internet.
    """

    NETWORKS: ClassVar[str]

    url = models.CharField(_("address"), max_length=MAX_URL_LENGTH)
    secret = models.TextField(editable=False)
    former_secret = models.TextField(editable=False, default="")
    former_until = models.DateTimeField(editable=False, null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.url

    @property
    def secrets(self) -> list[str]:
        """Those that sign at this moment, the newest first."""
        former = self.former_until is not None and self.former_until > timezone.now()
        return [self.secret, *([self.former_secret] if former else [])]


class Webhook(Receiver):
    """An address that is told of events, of one topic or of all.

    `held_until` is the lease of the process that sends to it, so that no two send to one receiver at a time.
    """

    NETWORKS = "KB_WEBHOOK_NETWORKS"

    topic = models.ForeignKey(
        Topic, verbose_name=_("topic"), on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    events = ArrayField(models.TextField(), verbose_name=_("events"))
    enabled = models.BooleanField(_("switched on"), default=True)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    held_until = models.DateTimeField(editable=False, null=True)
    served_at = models.DateTimeField(editable=False, null=True)

    class Meta:
        db_table = "kb_webhook"
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["id"]
        indexes = [models.Index(fields=["topic"], name="kb_webhook_topic_idx")]

    @property
    def event_names(self) -> list[str]:
        """In the reader's language."""
        return [_name_of(event) for event in self.events]


class DeliveryStatus(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    DELIVERED = "delivered", _("Delivered")
    GIVEN_UP = "given_up", _("Given up")


class Delivery(models.Model):
    """One event on its way to one webhook. `body` is what is signed and sent, the same bytes at every attempt.

    While it waits, `due_at` is the next attempt, and the first one that fails after `until` is the last.
    """

    webhook = models.ForeignKey(
        Webhook, verbose_name=_("webhook"), on_delete=models.DO_NOTHING, related_name="deliveries"
    )
    message_id = models.UUIDField(_("message"), default=uuid.uuid4)
    event = models.CharField(_("event"), max_length=40)
    body = models.TextField(_("message"))
    status = models.CharField(_("status"), max_length=20, default=DeliveryStatus.WAITING)
    created_at = models.DateTimeField(_("created"), db_default=Now())
    due_at = models.DateTimeField(_("next attempt"), db_default=Now())
    until = models.DateTimeField(_("tried until"))
    attempts = models.IntegerField(_("attempts"), default=0)
    answer_status = models.IntegerField(_("status of the answer"), null=True)
    fault = models.CharField(_("fault"), max_length=20, default="")
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        db_table = "kb_webhook_delivery"
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["webhook", "id"], name="kb_webhook_delivery_log_idx"),
            models.Index(fields=["ended_at"], name="kb_webhook_delivery_ended_idx"),
            models.Index(
                fields=["webhook", "due_at", "id"],
                condition=models.Q(status="waiting"),
                name="kb_webhook_delivery_due_idx",
            ),
            models.Index(
                fields=["webhook"], condition=models.Q(status="given_up"), name="kb_webhook_delivery_lost_idx"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "delivered", "given_up"]),
                name="kb_webhook_delivery_status_check",
            ),
            models.CheckConstraint(
                condition=models.Q(status="waiting", ended_at=None)
                | (~models.Q(status="waiting") & models.Q(ended_at__isnull=False)),
                name="kb_webhook_delivery_ended_check",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.message}"

    @property
    def message(self) -> str:
        """The id that the receiver is told, the same at every attempt."""
        return f"msg_{self.message_id.hex}"

    @property
    def event_name(self) -> str:
        """In the reader's language."""
        return str(_("Test")) if self.event == PING else _name_of(self.event)

    @property
    def status_name(self) -> str:
        return str(DeliveryStatus(self.status).label)

    @property
    def why(self) -> str:
        """What was wrong with the last attempt, in the reader's language, empty when nothing was."""
        return str(DeliveryFault(self.fault).label) if self.fault else ""
