"""Paths of webhooks: the API and the screens."""

from django.urls import path

from ingest.webhooks import screens
from ingest.webhooks.api import (
    WebhookDeliveries,
    WebhookDetail,
    WebhookList,
    WebhookPing,
    WebhookSecret,
    WebhookSendAgain,
)

urlpatterns = [
    path("admin/kb/webhooks", WebhookList.as_view(), name="admin-webhooks"),
    path("admin/kb/webhooks/<int:webhook_id>", WebhookDetail.as_view(), name="admin-webhook"),
    path("admin/kb/webhooks/<int:webhook_id>/secret", WebhookSecret.as_view(), name="admin-webhook-secret"),
    path("admin/kb/webhooks/<int:webhook_id>/ping", WebhookPing.as_view(), name="admin-webhook-ping"),
    path("admin/kb/webhooks/<int:webhook_id>/deliveries", WebhookDeliveries.as_view(), name="admin-webhook-deliveries"),
    path(
        "admin/kb/webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/send",
        WebhookSendAgain.as_view(),
        name="admin-webhook-send-again",
    ),
    path("webhooks/", screens.webhooks, name="webhooks"),
    path("webhooks/new/", screens.create, name="webhook-create"),
    path("webhooks/<int:webhook_id>/", screens.webhook, name="webhook"),
    path("webhooks/<int:webhook_id>/edit/", screens.change, name="webhook-change"),
    path("webhooks/<int:webhook_id>/delete/", screens.delete, name="webhook-delete"),
    path("webhooks/<int:webhook_id>/secret/", screens.renew_secret, name="webhook-secret"),
    path("webhooks/<int:webhook_id>/ping/", screens.ping, name="webhook-ping"),
    path("webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/send/", screens.send_again, name="webhook-send-again"),
]
