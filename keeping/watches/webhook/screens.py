"""`/watches/webhook/`: the forms of the webhook of whoever is signed in."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kb_project.screens.access import signed_in
from kb_project.screens.dialogs import done, render_dialog, settle
from keeping.models import WatchWebhook
from keeping.watches.screens import watcher_at
from keeping.watches.webhook import editing

_asks = require_http_methods(["GET", "HEAD", "POST"])


@_asks
@signed_in
def change(request: Any) -> HttpResponse:
    """Give it an address. What follows a new one shows its secret."""
    webhook = WatchWebhook.objects.filter(watcher=request.user.pk).first()
    url = request.POST.get("url", webhook.url if webhook else "").strip()

    def act() -> HttpResponse:
        given, is_new = editing.give(watcher_at(request), url)
        return _show_secret(request, given) if is_new else done(request, _page(), _("What you watch is posted there."))

    return settle(request, "watches/_webhook.html", {"webhook": webhook, "url": url, "next": _page()}, act)


@_asks
@signed_in
def renew_secret(request: Any) -> HttpResponse:
    def act() -> HttpResponse:
        return _show_secret(request, editing.renew_secret(request.user))

    return _settle_own(request, "webhooks/_renew.html", act)


@_asks
@signed_in
def end(request: Any) -> HttpResponse:
    def act() -> HttpResponse:
        editing.end(request.user)
        return done(request, _page(), _("Nothing is posted any more."))

    return _settle_own(request, "watches/_webhook_end.html", act)


def _settle_own(request: Any, piece: str, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Ask about the webhook that there is. Raises NotFound."""
    return settle(request, piece, {"webhook": editing.webhook_of(request.user), "next": _page()}, act)


def _show_secret(request: Any, webhook: WatchWebhook) -> HttpResponse:
    """The secret, this once: nothing keeps the answer."""
    response = render_dialog(request, "webhooks/_secret.html", {"webhook": webhook, "next": _page()})
    response["Cache-Control"] = "no-store"
    return response


def _page() -> str:
    return reverse("watches")
