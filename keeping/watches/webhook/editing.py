"""Giving the address to which a person's watches post, its secret, and ending it. Each change is in the audit."""

from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from ingest.webhooks import sending
from ingest.webhooks.sending import fault_of
from kb_project import audit
from kb_project.errors import Invalid, NotFound
from keeping.models import Watch, Watcher, WatchWebhook
from keeping.watches.newest import newest_id


def webhook_of(person: User) -> WatchWebhook:
    """The person's webhook. Raises NotFound."""
    webhook = WatchWebhook.objects.filter(watcher=person.pk).first()
    if webhook is None:
        raise NotFound(_("You have no webhook."))
    return webhook


@transaction.atomic
def give(watcher: Watcher, url: str) -> tuple[WatchWebhook, bool]:
    """Have posted to this address what happens from now on. Returns the webhook, and whether it is new.

    Of a new one the `secret` is to be shown now alone. One that was switched off is switched on again, and what
    happened meanwhile is not told. What waits for the address before is sent to this one. Raises Invalid.
    """
    if sentence := fault_of(url, WatchWebhook.NETWORKS):
        raise Invalid(sentence, errors={"url": [sentence]})
    Watcher.objects.select_for_update(no_key=True).get(pk=watcher.pk)  # two may come at the same instant
    before = WatchWebhook.objects.select_for_update().filter(watcher=watcher).first()
    webhook = before or WatchWebhook(watcher=watcher, secret=sending.new_secret())
    if before is None or not webhook.enabled:
        webhook.enabled, webhook.sending_id = True, None
        Watch.objects.filter(watcher=watcher).update(posted_id=newest_id())
    webhook.url, webhook.held_until, webhook.failures, webhook.failing_since, webhook.fault = url, None, 0, None, ""
    webhook.save()
    _note(webhook, "give", host=urlsplit(url).hostname)  # the rest of an address may be as good as a password
    webhook.refresh_from_db()
    return webhook, before is None


@transaction.atomic
def renew_secret(person: User) -> WatchWebhook:
    """Give it a new secret, to be shown now. The former one signs too for a day. Raises NotFound."""
    webhook = _locked(person)
    sending.renew_secret(webhook)
    _note(webhook, "renew_secret")
    return webhook


@transaction.atomic
def end(person: User) -> None:
    """Post nothing any more, and forget the address. Raises NotFound."""
    webhook = _locked(person)
    _note(webhook, "end")
    webhook.delete()


def _locked(person: User) -> WatchWebhook:
    WatchWebhook.objects.select_for_update().filter(watcher=person.pk).first()
    return webhook_of(person)


def _note(webhook: WatchWebhook, verb: str, **after: str | None) -> None:
    by = webhook.watcher.person.get_username()
    audit.record(by=by, action=f"watchwebhook.{verb}", thing=webhook, after=after)
