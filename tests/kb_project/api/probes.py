"""Views that show what the shared manners do to a request, and a URL configuration of them for tests."""

from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.json_bodies import StrictJSONParser
from kb_project.api.openapi import problems
from kb_project.api.openapi_files import DocsView, SchemaView
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.problem import nothing_here
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from kb_project.api.throttles import AskThrottle, SearchThrottle
from kb_project.errors import Conflict
from kb_project.operations.probes import Healthz, Readyz
from topics.models import Topic
from topics.scoping import TopicFirst, require_topic, within_topics


class Item(StrictSerializer):
    name = serializers.CharField(max_length=20)


class Everything(StrictSerializer):
    text = serializers.CharField(required=False, allow_blank=True)
    number = serializers.IntegerField(required=False)
    ratio = serializers.FloatField(required=False)
    flag = serializers.BooleanField(required=False)
    day = serializers.DateField(required=False, allow_null=True)
    batch = serializers.UUIDField(required=False)
    kind = serializers.ChoiceField(["law", "circular"], required=False)
    numbers = serializers.ListField(child=serializers.IntegerField(), required=False, max_length=50)
    items = Item(many=True, required=False)
    topic_id = serializers.IntegerField(required=False)


class Public(APIView):
    permission_classes = [PublicOrKey]


class Echo(Public):
    """Gives back what it understood."""

    parser_classes = [StrictJSONParser, MultiPartParser]

    @extend_schema(parameters=[Everything], responses=Everything)
    def get(self, request: Request) -> Response:
        return Response(query_params(request, Everything))

    @extend_schema(request=Everything, responses={201: Everything, **problems(409)})
    def post(self, request: Request) -> Response:
        return Response(body(request, Everything), status=201)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        forbid_body(request)
        return Response(status=204)


class Staff(APIView):
    needs = {"GET": "topics.view_topic", "POST": "topics.change_topic"}

    """For staff, by the default permission."""

    def get(self, request: Request) -> Response:
        return Response({"user": str(request.user)})

    def post(self, request: Request) -> Response:
        return Response({"user": str(request.user)})


class Throttled(Public):
    throttle_classes = [SearchThrottle]

    def get(self, request: Request) -> Response:
        return Response({})


class ThrottledAsk(Public):
    throttle_classes = [AskThrottle]

    def get(self, request: Request) -> Response:
        return Response({})


class Search(TopicFirst, Public):
    """Like search: an optional topic among other fields."""

    class Input(StrictSerializer):
        query = serializers.CharField()
        topic_id = serializers.IntegerField(required=False)

    def get(self, request: Request) -> Response:
        query_params(request, self.Input)
        return Response({"topic": self.topic and self.topic.pk})

    def post(self, request: Request) -> Response:
        body(request, self.Input)
        return Response({"topic": self.topic and self.topic.pk})


class Upload(APIView):
    needs = {"POST": "ingest.add_job"}
    """Like an upload: what arrives lies in exactly one topic."""

    def post(self, request: Request) -> Response:
        assert isinstance(request.data, dict)
        return Response({"topic": require_topic(request, request.data.get("topic_id")).pk})


class TopicOut(serializers.Serializer):
    id = serializers.IntegerField()
    slug = serializers.CharField()


class Topics(Public):
    """Pages of topics in an order full of ties."""

    def get(self, request: Request) -> Response:
        query_params(request, PageQuery)
        return page_response(
            request,
            within_topics(Topic.objects.order_by("-name"), request, topic_field="pk"),
            serializer_class=TopicOut,
        )


class Refused(Public):
    def get(self, request: Request, thing_id: int) -> Response:
        raise Conflict("It is there already.", code="duplicate_document", source_id=7, errors={"file": ["Twice."]})


class DatabaseGone(Public):
    """Kills its own database connection and asks on."""

    def get(self, request: Request) -> Response:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return Response({})


class Unforeseen(Public):
    def get(self, request: Request) -> Response:
        raise RuntimeError("secret detail")


class BadValue(Public):
    def get(self, request: Request) -> Response:
        return Response({"found": Topic.objects.filter(slug="a\0b").exists()})


def plain_database_gone(request: HttpRequest) -> HttpResponse:
    """As DatabaseGone, in a view that is not DRF's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    return HttpResponse()


def plain_post(request: HttpRequest) -> HttpResponse:
    return HttpResponse("done")


def plain_unforeseen(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    raise RuntimeError("secret detail")


urlpatterns: list[URLPattern | URLResolver] = [
    path("kb/echo", Echo.as_view()),
    path("admin/kb/staff", Staff.as_view()),
    path("kb/throttled", Throttled.as_view()),
    path("kb/throttled-ask", ThrottledAsk.as_view()),
    path("kb/search", Search.as_view()),
    path("admin/kb/upload", Upload.as_view()),
    path("kb/pages", Topics.as_view()),
    path("kb/things/<int:thing_id>", Refused.as_view()),
    path("kb/jobs/<uuid:job_id>", plain_unforeseen),
    path("kb/database-gone", DatabaseGone.as_view()),
    path("kb/plain-database-gone", plain_database_gone),
    path("kb/unforeseen", Unforeseen.as_view()),
    path("kb/bad-value", BadValue.as_view()),
    path("admin/kb/plain-post", plain_post),
    path("admin/kb/", nothing_here),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", DocsView.as_view(), name="docs"),
    path("healthz", Healthz.as_view()),
    path("readyz", Readyz.as_view()),
    path("", include("topics.urls")),
]
handler400 = "kb_project.screens.errors.bad_request"
handler403 = "kb_project.screens.errors.permission_denied"
handler404 = "kb_project.screens.errors.page_not_found"
handler500 = "kb_project.screens.errors.server_error"
