"""Making, changing and deleting webhooks, their secrets, tests and repeated deliveries. Each change is in the audit."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from ingest.webhooks import outbox, sending
from ingest.webhooks.models import Delivery, DeliveryStatus, Event, Webhook
from ingest.webhooks.sending import fault_of
from kb_project import audit
from kb_project.errors import Conflict, Invalid, NotFound
from topics.models import Topic

MAX_WEBHOOKS = 50
MAX_PINGS = 10  # that wait for one webhook
EDITABLE = ("url", "events", "enabled")


def webhooks_within(within: Collection[int] | None) -> QuerySet[Webhook]:
    """Those that a caller sees who is limited to topics: their own. Without limits every one."""
    found = Webhook.objects.select_related("topic")
    return found if within is None else found.filter(topic_id__in=within)


def with_counts(webhooks: QuerySet[Webhook]) -> QuerySet[Webhook]:
    """With `waiting` and `given_up`, the numbers of deliveries."""
    return webhooks.annotate(waiting=_number(DeliveryStatus.WAITING), given_up=_number(DeliveryStatus.GIVEN_UP))


def _number(status: str) -> Coalesce:
    of_webhook = Delivery.objects.filter(webhook=OuterRef("pk"), status=status).order_by().values("webhook")
    return Coalesce(Subquery(of_webhook.annotate(number=Count("pk")).values("number")), 0)


def get(webhook_id: int, *, within: Collection[int] | None = None) -> Webhook:
    """The webhook. Raises NotFound."""
    webhook = webhooks_within(within).filter(pk=webhook_id).first()
    if webhook is None:
        raise NotFound(_("There is no such webhook."))
    return webhook


@transaction.atomic
def create(*, topic: Topic | None, values: Mapping[str, Any], by: str) -> Webhook:
    """Make a webhook of `url`, `events` and `enabled`. Its `secret` is to be shown now alone. Raises Invalid."""
    with connection.cursor() as cursor:  # until the end nobody else makes one, as their number is looked at first
        cursor.execute("LOCK TABLE kb_webhook IN SHARE ROW EXCLUSIVE MODE")
    if Webhook.objects.count() >= MAX_WEBHOOKS:
        raise Invalid(_("There are %d webhooks already, which is the most allowed.") % MAX_WEBHOOKS)
    webhook = Webhook(topic=topic, secret=sending.new_secret())
    _set(webhook, values)
    webhook.save()
    audit.record(by=by, action="webhook.create", thing=webhook, after=_values(webhook), topic_id=webhook.topic_id)
    return webhook


@transaction.atomic
def change(webhook_id: int, values: Mapping[str, Any], *, by: str, within: Collection[int] | None = None) -> Webhook:
    """Change what is given. A webhook stays with its topic. Raises NotFound, and Invalid as `create`."""
    webhook = _locked(webhook_id, within=within)
    before = _values(webhook)
    _set(webhook, values)
    webhook.save(update_fields=EDITABLE)
    after = _values(webhook)
    audit.record(by=by, action="webhook.edit", thing=webhook, before=before, after=after, topic_id=webhook.topic_id)
    transaction.on_commit(outbox.hint)
    return webhook


@transaction.atomic
def delete(webhook_id: int, *, by: str, within: Collection[int] | None = None) -> None:
    """Delete it with its deliveries, also those that wait. Raises NotFound."""
    webhook = _locked(webhook_id, within=within)
    before = _values(webhook)
    audit.record(by=by, action="webhook.delete", thing=webhook, before=before, topic_id=webhook.topic_id)
    webhook.delete()


@transaction.atomic
def renew_secret(webhook_id: int, *, by: str, within: Collection[int] | None = None) -> Webhook:
    """Give it a new secret, to be shown now. The former one signs too for a day. Raises NotFound."""
    webhook = _locked(webhook_id, within=within)
    sending.renew_secret(webhook)
    after = {"secret": "changed"}
    audit.record(by=by, action="webhook.edit", thing=webhook, after=after, topic_id=webhook.topic_id)
    return webhook


@transaction.atomic
def ping(webhook_id: int, *, within: Collection[int] | None = None) -> Delivery:
    """Send a test. Raises NotFound, and Conflict while it is switched off or tests of it wait."""
    webhook = _locked(webhook_id, within=within)
    _require_enabled(webhook)
    waiting = webhook.deliveries.filter(status=DeliveryStatus.WAITING, event=outbox.PING).count()
    if waiting >= MAX_PINGS:
        raise Conflict(_("Tests of this webhook wait already."), code="wrong_state")
    return outbox.ping(webhook)


@transaction.atomic
def send_again(webhook_id: int, delivery_id: int, *, by: str, within: Collection[int] | None = None) -> Delivery:
    """Send a delivery once more, whatever became of it. Raises NotFound, and Conflict while the webhook is off."""
    webhook = _locked(webhook_id, within=within)
    _require_enabled(webhook)
    delivery = webhook.deliveries.filter(pk=delivery_id).first()
    if delivery is None:
        raise NotFound(_("There is no such delivery, or it was long ago."))
    after = {"message": delivery.message, "event": delivery.event}
    audit.record(by=by, action="webhook.send_again", thing=webhook, after=after, topic_id=webhook.topic_id)
    outbox.put_back(delivery)
    return delivery


def _locked(webhook_id: int, *, within: Collection[int] | None) -> Webhook:
    webhooks_within(within).filter(pk=webhook_id).select_for_update(of=("self",)).first()
    return get(webhook_id, within=within)


def _require_enabled(webhook: Webhook) -> None:
    if not webhook.enabled:
        raise Conflict(_("The webhook is switched off."), code="wrong_state")


def _set(webhook: Webhook, values: Mapping[str, Any]) -> None:
    for name in EDITABLE:
        if name in values:
            setattr(webhook, name, values[name])
    webhook.events = [event.value for event in Event if event.value in webhook.events]
    errors = {name: [sentence] for name, sentence in _faults(webhook).items() if sentence}
    if errors:
        raise Invalid(next(iter(errors.values()))[0], errors=errors)


def _faults(webhook: Webhook) -> dict[str, str]:
    return {
        "url": fault_of(webhook.url, webhook.NETWORKS),
        "events": "" if webhook.events else _("Choose what it is to be told of."),
    }


def _values(webhook: Webhook) -> dict[str, Any]:
    """What the audit keeps of a webhook: nothing of its secret."""
    return {**{name: getattr(webhook, name) for name in EDITABLE}, "topic": webhook.topic_id}
