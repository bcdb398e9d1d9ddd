"""`/admin/kb/webhooks`: who is told of what, and what became of it."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingest.webhooks import editing
from ingest.webhooks.models import MAX_URL_LENGTH, Delivery, DeliveryStatus, Event, Webhook
from kb_project.api.openapi import problems
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from topics.scoping import TopicFirst, limits, narrowed, require_own


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    topic_id = serializers.IntegerField(allow_null=True, help_text="Null for all topics.")
    events = serializers.ListField(child=serializers.ChoiceField(Event.choices))

    class Meta:
        model = Webhook
        fields = ["id", "topic_id", "url", "events", "enabled", "created_at"]


class CountedWebhookSerializer(WebhookSerializer):
    waiting = serializers.IntegerField(help_text="Deliveries that wait.")
    given_up = serializers.IntegerField(help_text="Deliveries that were given up.")

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "waiting", "given_up"]


class WebhookSecretSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="`whsec_` and base64. It is shown only once.")

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class WebhookInput(StrictSerializer):
    url = serializers.CharField(max_length=MAX_URL_LENGTH, help_text="Of https, on the public internet.")
    events = serializers.ListField(
        child=serializers.ChoiceField(Event.choices),
        min_length=1,
        max_length=len(Event),
        help_text="What it is told of.",
    )
    enabled = serializers.BooleanField(default=True, help_text="What happens while it is off is not told later.")


class NewWebhookInput(WebhookInput):
    topic_id = serializers.IntegerField(
        required=False, allow_null=True, help_text="Null for all topics; for a pinned key always its own."
    )


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    message = serializers.CharField(help_text="The header `webhook-id`, the same at every attempt.")
    event = serializers.CharField(help_text="One of the webhook's events, or `ping`.")
    status = serializers.ChoiceField(DeliveryStatus.choices)
    due_at = serializers.SerializerMethodField(help_text="The next attempt; null when there is none.")
    answer_status = serializers.IntegerField(allow_null=True, help_text="HTTP status of the last answer.")
    fault = serializers.CharField(
        help_text="What was wrong with the last attempt: `status`, `timeout`, `unreachable`, `protocol`, `refused`, "
        "`disabled`, or empty."
    )

    class Meta:
        model = Delivery
        fields = [
            *("id", "message", "event", "status", "attempts", "created_at", "due_at", "ended_at"),
            *("answer_status", "fault"),
        ]

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_due_at(self, delivery: Delivery) -> Any:
        return delivery.due_at if delivery.status == DeliveryStatus.WAITING else None


class WebhookList(TopicFirst, APIView):
    needs = {"GET": "webhooks.view_webhook", "POST": "webhooks.add_webhook"}

    class Query(PageQuery):
        topic_id = serializers.IntegerField(required=False, help_text="Only the webhooks of this topic alone.")

    @extend_schema(
        operation_id="admin_kb_webhooks_list", parameters=[Query], responses=CountedWebhookSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """The webhooks, in the order in which they were made. A pinned key sees those of its topic alone."""
        query_params(request, self.Query)
        found = editing.with_counts(editing.webhooks_within(narrowed(request, self.topic)))
        return page_response(request, found, serializer_class=CountedWebhookSerializer)

    @extend_schema(
        operation_id="admin_kb_webhooks_create", request=NewWebhookInput, responses={201: WebhookSecretSerializer}
    )
    def post(self, request: Request) -> Response:
        """Make a webhook. Its secret is in the answer, and nowhere else."""
        given = body(request, NewWebhookInput)
        given.pop("topic_id", None)
        webhook = editing.create(topic=require_own(request, self.topic), values=given, by=request.user.get_username())
        return Response(WebhookSecretSerializer(webhook).data, status=status.HTTP_201_CREATED)


class WebhookDetail(APIView):
    needs = {
        "GET": "webhooks.view_webhook",
        "PATCH": "webhooks.change_webhook",
        "DELETE": "webhooks.delete_webhook",
    }

    @extend_schema(operation_id="admin_kb_webhooks_retrieve", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: int) -> Response:
        """One webhook."""
        query_params(request, StrictSerializer)
        return Response(WebhookSerializer(editing.get(webhook_id, within=limits(request))).data)

    @extend_schema(operation_id="admin_kb_webhooks_update", request=WebhookInput, responses=WebhookSerializer)
    def patch(self, request: Request, webhook_id: int) -> Response:
        """Change what is given. A webhook stays with its topic."""
        values = body(request, WebhookInput, partial=True)
        by, within = request.user.get_username(), limits(request)
        return Response(WebhookSerializer(editing.change(webhook_id, values, by=by, within=within)).data)

    @extend_schema(operation_id="admin_kb_webhooks_delete", request=None, responses={204: None})
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Delete a webhook with its deliveries, also those that wait."""
        forbid_body(request)
        editing.delete(webhook_id, by=request.user.get_username(), within=limits(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSecret(APIView):
    needs = {"POST": "webhooks.change_webhook"}

    @extend_schema(operation_id="admin_kb_webhooks_secret", request=None, responses=WebhookSecretSerializer)
    def post(self, request: Request, webhook_id: int) -> Response:
        """Give it a new secret. For a day messages are signed with the former one too."""
        forbid_body(request)
        by, within = request.user.get_username(), limits(request)
        return Response(WebhookSecretSerializer(editing.renew_secret(webhook_id, by=by, within=within)).data)


class WebhookPing(APIView):
    needs = {"POST": "webhooks.change_webhook"}

    @extend_schema(
        operation_id="admin_kb_webhooks_ping", request=None, responses={202: DeliverySerializer, **problems(409)}
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        """Send a test, the event `ping`."""
        forbid_body(request)
        delivery = editing.ping(webhook_id, within=limits(request))
        return Response(DeliverySerializer(delivery).data, status=status.HTTP_202_ACCEPTED)


class WebhookDeliveries(APIView):
    needs = {"GET": "webhooks.view_webhook"}

    class Query(PageQuery):
        status = serializers.ChoiceField(DeliveryStatus.choices, required=False)

    @extend_schema(
        operation_id="admin_kb_webhooks_deliveries", parameters=[Query], responses=DeliverySerializer(many=True)
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        """What it was told, and what waits, newest first. What ended is kept for `KB_WEBHOOK_LOG_DAYS`."""
        query = query_params(request, self.Query)
        found = editing.get(webhook_id, within=limits(request)).deliveries.defer("body")
        if query.get("status"):
            found = found.filter(status=query["status"])
        return page_response(request, found, serializer_class=DeliverySerializer)


class WebhookSendAgain(APIView):
    needs = {"POST": "webhooks.change_webhook"}

    @extend_schema(
        operation_id="admin_kb_webhooks_send_again", request=None, responses={202: DeliverySerializer, **problems(409)}
    )
    def post(self, request: Request, webhook_id: int, delivery_id: int) -> Response:
        """Send a delivery once more, with the same id."""
        forbid_body(request)
        by, within = request.user.get_username(), limits(request)
        delivery = editing.send_again(webhook_id, delivery_id, by=by, within=within)
        return Response(DeliverySerializer(delivery).data, status=status.HTTP_202_ACCEPTED)
