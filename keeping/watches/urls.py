"""Paths of watches."""

from django.urls import path

from keeping.watches import screens
from keeping.watches.api import WatchDetail, Watches
from keeping.watches.notifications.feed import feed
from keeping.watches.webhook import screens as webhook_screens
from keeping.watches.webhook.api import WatchWebhookDetail, WatchWebhookSecret

urlpatterns = [
    path("kb/watches", Watches.as_view(), name="kb-watches"),
    path("kb/watches/webhook", WatchWebhookDetail.as_view(), name="kb-watches-webhook"),
    path("kb/watches/webhook/secret", WatchWebhookSecret.as_view(), name="kb-watches-webhook-secret"),
    path("kb/watches/<int:watch_id>", WatchDetail.as_view(), name="kb-watch"),
    path("watches/", screens.watches, name="watches"),
    path("watches/add/", screens.add, name="watches-add"),
    path("watches/read/", screens.read, name="watches-read"),
    path("watches/feed/renew/", screens.renew, name="watches-renew"),
    path("watches/feed/<str:token>/", feed, name="watches-feed"),
    path("watches/webhook/", webhook_screens.change, name="watches-webhook"),
    path("watches/webhook/secret/", webhook_screens.renew_secret, name="watches-webhook-secret"),
    path("watches/webhook/end/", webhook_screens.end, name="watches-webhook-end"),
    path("watches/stop/<str:token>/", screens.stop, name="watches-stop"),
    path("watches/<int:watch_id>/change/", screens.change, name="watches-change"),
    path("watches/<int:watch_id>/end/", screens.end, name="watches-end"),
]
