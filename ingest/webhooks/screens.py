"""`/webhooks/`: who is told of what, a page for each with its log, and the forms to make, change and test one."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.webhooks import editing
from ingest.webhooks.models import DeliveryStatus, Event, Webhook
from kb_project.errors import ApiError
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import done, gone_to, next_url, of_entry, render_dialog, settle
from topics.models import Topic
from topics.scoping import find_topic

DELIVERIES_A_PAGE = 50
_of_webhook = of_entry(
    "webhook_id",
    get=editing.get,
    gone=gone_to("webhooks", said=gettext_lazy("There is no such webhook."), to=gettext_lazy("To the webhooks")),
)


@staff_may(GET="webhooks.view_webhook")
def webhooks(request: StaffRequest) -> HttpResponse:
    found = editing.with_counts(editing.webhooks_within(None))
    return render(request, "webhooks/webhooks.html", {"section": "webhooks", "webhooks": found})


@staff_may(GET="webhooks.view_webhook")
@_of_webhook
def webhook(request: StaffRequest, webhook: Webhook) -> HttpResponse:
    """One webhook and its log, which is asked for again while something is on its way."""
    status = request.GET.get("status", "")
    log = webhook.deliveries.filter(status=status) if status in DeliveryStatus else webhook.deliveries.all()
    context = {
        "section": "webhooks",
        "webhook": webhook,
        "statuses": DeliveryStatus.choices,
        "status": status,
        "page": Paginator(log, DELIVERIES_A_PAGE).get_page(request.GET.get("page")),
        "is_sending": webhook.enabled and webhook.deliveries.filter(status=DeliveryStatus.WAITING, attempts=0).exists(),
    }
    return render(request, "webhooks/webhook.html", context)


@staff_may(GET="webhooks.add_webhook", POST="webhooks.add_webhook")
def create(request: StaffRequest) -> HttpResponse:
    """A new webhook. What follows shows its secret."""
    topic = find_topic(request.POST.get("topic", ""), request)
    context = {"topics": Topic.objects.order_by("id"), "topic": topic, **_typed(request, None)}

    def make(values: dict[str, Any]) -> HttpResponse:
        made = editing.create(topic=topic, values=values, by=request.user.get_username())
        return _show_secret(request, made)

    return _form(request, context, save=make)


@staff_may(GET="webhooks.change_webhook", POST="webhooks.change_webhook")
@_of_webhook
def change(request: StaffRequest, webhook: Webhook) -> HttpResponse:
    def save(values: dict[str, Any]) -> HttpResponse:
        changed = editing.change(webhook.pk, values, by=request.user.get_username())
        return done(request, _page(webhook), _("The webhook %(webhook)s was changed."), webhook=changed)

    return _form(request, {"webhook": webhook, **_typed(request, webhook)}, save=save)


def _page(webhook: Webhook) -> str:
    return reverse("webhook", args=[webhook.pk])


def _typed(request: StaffRequest, webhook: Webhook | None) -> dict[str, Any]:
    """What the form shows: what was sent, else the webhook."""
    if request.method == "POST":
        chosen, url, enabled = request.POST.getlist("events"), request.POST.get("url", ""), "enabled" in request.POST
    elif webhook:
        chosen, url, enabled = webhook.events, webhook.url, webhook.enabled
    else:
        chosen, url, enabled = Event.values, "", True
    events = [(event.value, event.label, event.value in chosen) for event in Event]
    return {"events": events, "url": url.strip(), "enabled": enabled}


def _form(
    request: StaffRequest, context: dict[str, Any], *, save: Callable[[dict[str, Any]], HttpResponse]
) -> HttpResponse:
    context["next"] = next_url(request, default=reverse("webhooks"))
    chosen = [value for value, _label, is_chosen in context["events"] if is_chosen]
    values = {"url": context["url"], "enabled": context["enabled"], "events": chosen}
    return settle(request, "webhooks/_form.html", context, lambda: save(values))


def _show_secret(request: StaffRequest, webhook: Webhook) -> HttpResponse:
    """The secret, this once: nothing keeps the answer."""
    context = {"webhook": webhook, "next": _page(webhook)}
    response = render_dialog(request, "webhooks/_secret.html", context)
    response["Cache-Control"] = "no-store"
    return response


@staff_may(GET="webhooks.change_webhook", POST="webhooks.change_webhook")
@_of_webhook
def renew_secret(request: StaffRequest, webhook: Webhook) -> HttpResponse:
    def act() -> HttpResponse:
        return _show_secret(request, editing.renew_secret(webhook.pk, by=request.user.get_username()))

    return settle(request, "webhooks/_renew.html", {"webhook": webhook, "next": _page(webhook)}, act)


@staff_may(GET="webhooks.delete_webhook", POST="webhooks.delete_webhook")
@_of_webhook
def delete(request: StaffRequest, webhook: Webhook) -> HttpResponse:
    def act() -> HttpResponse:
        editing.delete(webhook.pk, by=request.user.get_username())
        return done(request, reverse("webhooks"), _("The webhook %(webhook)s was deleted."), webhook=webhook)

    return settle(request, "webhooks/_delete.html", {"webhook": webhook, "next": _page(webhook)}, act)


@staff_may(POST="webhooks.change_webhook")
@_of_webhook
def ping(request: StaffRequest, webhook: Webhook) -> HttpResponse:
    try:
        editing.ping(webhook.pk)
        messages.success(request, _("A test is on its way; the log shows what becomes of it."))
    except ApiError as refusal:
        messages.error(request, refusal.detail)
    return redirect("webhook", webhook.pk)


@staff_may(POST="webhooks.change_webhook")
@_of_webhook
def send_again(request: StaffRequest, webhook: Webhook, delivery_id: int) -> HttpResponse:
    try:
        editing.send_again(webhook.pk, delivery_id, by=request.user.get_username())
        messages.success(request, _("It is sent once more; the log shows what becomes of it."))
    except ApiError as refusal:
        messages.error(request, refusal.detail)
    return redirect("webhook", webhook.pk)
