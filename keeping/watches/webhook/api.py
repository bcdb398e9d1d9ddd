"""`/kb/watches/webhook`: the address to which a person has posted what they watch."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ingest.webhooks.models import MAX_URL_LENGTH
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from keeping.models import WatchWebhook
from keeping.watches.api import WatchView
from keeping.watches.webhook import editing


class WatchWebhookSerializer(serializers.ModelSerializer[WatchWebhook]):
    enabled = serializers.BooleanField(help_text="False when nothing has arrived for long. `PUT` switches it on again.")
    sent_at = serializers.DateTimeField(allow_null=True, help_text="When a message arrived last.")
    failing_since = serializers.DateTimeField(allow_null=True, help_text="Since when none arrives.")
    answer_status = serializers.IntegerField(allow_null=True, help_text="HTTP status of the last answer.")
    fault = serializers.CharField(
        help_text="What was wrong with the last attempt: `status`, `timeout`, `unreachable`, `protocol`, `refused`, "
        "or empty."
    )

    class Meta:
        model = WatchWebhook
        fields = ["url", "enabled", "made_at", "sent_at", "failing_since", "answer_status", "fault"]


class WatchWebhookSecretSerializer(WatchWebhookSerializer):
    secret = serializers.CharField(help_text="`whsec_` and base64. It is shown only once.")

    class Meta(WatchWebhookSerializer.Meta):
        fields = [*WatchWebhookSerializer.Meta.fields, "secret"]


class WatchWebhookInput(StrictSerializer):
    url = serializers.CharField(max_length=MAX_URL_LENGTH, help_text="Of https, on the public internet.")


class WatchWebhookDetail(WatchView):
    @extend_schema(operation_id="kb_watches_webhook_retrieve", responses=WatchWebhookSerializer)
    def get(self, request: Request) -> Response:
        """The webhook of the caller, and what became of the last message."""
        query_params(request, StrictSerializer)
        return Response(WatchWebhookSerializer(editing.webhook_of(self.person(request))).data)

    @extend_schema(
        operation_id="kb_watches_webhook_update",
        request=WatchWebhookInput,
        responses={201: WatchWebhookSecretSerializer, 200: WatchWebhookSerializer},
    )
    def put(self, request: Request) -> Response:
        """Have posted to this address what one's watches tell from now on. The secret is in the first answer alone."""
        webhook, is_new = editing.give(self.watcher(request), body(request, WatchWebhookInput)["url"])
        if is_new:
            return Response(WatchWebhookSecretSerializer(webhook).data, status=status.HTTP_201_CREATED)
        return Response(WatchWebhookSerializer(webhook).data)

    @extend_schema(operation_id="kb_watches_webhook_delete", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Have nothing posted any more."""
        forbid_body(request)
        editing.end(self.person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WatchWebhookSecret(WatchView):
    @extend_schema(
        operation_id="kb_watches_webhook_secret", request=None, responses={200: WatchWebhookSecretSerializer}
    )
    def post(self, request: Request) -> Response:
        """Give it a new secret. For a day messages are signed with the former one too."""
        forbid_body(request)
        return Response(WatchWebhookSecretSerializer(editing.renew_secret(self.person(request))).data)
