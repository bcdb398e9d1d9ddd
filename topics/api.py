"""`/kb/topics` and `/admin/kb/topics`: listing, making and editing topics."""

from dataclasses import asdict

from django.db.models import Count, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body, forbid_query, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from topics.edit import create, edit
from topics.members import MAX_MEMBERS, Membership, guessing_bounded, members_of, set_members
from topics.models import MAX_ADDENDUM_LENGTH, OpenTo, Topic, TopicRole
from topics.scoping import topic_of_path, visible_topics

JSON = "application/json"


class TopicSerializer(serializers.ModelSerializer):
    """A topic."""

    sources = serializers.IntegerField(source="source_count", help_text="How many documents the topic has.")

    class Meta:
        model = Topic
        fields = ["id", "name", "slug", "sources"]
        read_only_fields = fields


def counted_topics(request: Request) -> QuerySet[Topic]:
    """The topics that the caller may see, with the number of their sources."""
    # The reverse of a field of Source, named as a string: the app that defines it lies above this one.
    return visible_topics(request).annotate(source_count=Count("sources")).order_by("id")


class TopicList(APIView):
    """The topics that the caller may search in."""

    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    @extend_schema(parameters=[PageQuery], responses=TopicSerializer(many=True))
    @from_standby
    def get(self, request: Request) -> Response:
        query_params(request, PageQuery)
        return page_response(request, counted_topics(request), serializer_class=TopicSerializer)


class AdminTopicSerializer(TopicSerializer):
    """A topic, with what is added to the instructions of its answers, and who finds it."""

    class Meta(TopicSerializer.Meta):
        fields = [*TopicSerializer.Meta.fields, "system_prompt_addendum", "open_to"]
        read_only_fields = fields


class TopicInput(StrictSerializer):
    """What a person decides of a topic."""

    # `topics.edit` checks it once more, as it does for every caller.
    name = serializers.CharField(max_length=200)
    slug = serializers.CharField(
        max_length=50,
        help_text="Small Latin letters, digits, hyphens and underscores (^[a-z0-9_-]+$); none that another topic has "
        "or once had, and no kind of document.",
    )
    system_prompt_addendum = serializers.CharField(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        max_length=MAX_ADDENDUM_LENGTH,
        help_text="Added to the instructions of answers in this topic.",
    )
    open_to = serializers.ChoiceField(
        OpenTo.choices,
        default=OpenTo.EVERYBODY.value,
        help_text="Who finds it: everybody, whoever signs in, or its members alone.",
    )


def _answer(request: Request, topic: Topic, *, code: int = status.HTTP_200_OK) -> Response:
    return Response(AdminTopicSerializer(counted_topics(request).get(pk=topic.pk)).data, status=code)


class AdminTopicList(APIView):
    needs = {"GET": "topics.view_topic", "POST": "topics.add_topic"}

    @extend_schema(
        operation_id="admin_kb_topics_list", parameters=[PageQuery], responses=AdminTopicSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """The topics that the caller may see."""
        query_params(request, PageQuery)
        return page_response(request, counted_topics(request), serializer_class=AdminTopicSerializer)

    @extend_schema(operation_id="admin_kb_topics_create", request=TopicInput, responses={201: AdminTopicSerializer})
    def post(self, request: Request) -> Response:
        """Make a topic. Not for a key that is pinned to one."""
        topic = create(**body(request, TopicInput), by=request.user.get_username())
        return _answer(request, topic, code=status.HTTP_201_CREATED)


class MemberSerializer(StrictSerializer):
    """A person or a group of a topic. Of `person` and `group` one is given."""

    person = serializers.CharField(required=False, allow_null=True, max_length=150, help_text="A user name.")
    group = serializers.CharField(required=False, allow_null=True, max_length=150, help_text="The name of a group.")
    role = serializers.ChoiceField(TopicRole.choices)


class AdminTopicMembers(APIView):
    lists_whole = True
    needs = {"GET": "topics.change_topic", "PUT": "topics.change_topic"}

    @extend_schema(operation_id="admin_kb_topics_members", responses=MemberSerializer(many=True), filters=False)
    def get(self, request: Request, topic_id: int) -> Response:
        """The members of a topic: whoever sees it in any case, and may do in it what their role says."""
        forbid_query(request)
        return self._answer(members_of(topic_of_path(request, topic_id).pk))

    @extend_schema(
        operation_id="admin_kb_topics_set_members",
        request={JSON: {"type": "array", "maxItems": MAX_MEMBERS, "items": {"$ref": "#/components/schemas/Member"}}},
        responses=MemberSerializer(many=True),
        filters=False,
    )
    def put(self, request: Request, topic_id: int) -> Response:
        """Make these the members, and nobody else. It holds from the next request on."""
        forbid_query(request)
        topic = topic_of_path(request, topic_id)
        given = MemberSerializer(data=request.data, many=True)
        given.is_valid(raise_exception=True)
        wanted = [Membership(**one) for one in given.validated_data]
        with guessing_bounded(request):
            members = set_members(topic.pk, wanted, by=request.user.get_username())
        return self._answer(members)

    def _answer(self, members: list[Membership]) -> Response:
        return Response([asdict(one) for one in members])


class AdminTopicDetail(APIView):
    needs = {"GET": "topics.view_topic", "PATCH": "topics.change_topic"}

    @extend_schema(operation_id="admin_kb_topics_retrieve", responses=AdminTopicSerializer)
    def get(self, request: Request, topic_id: int) -> Response:
        """One topic."""
        forbid_query(request)
        return _answer(request, topic_of_path(request, topic_id))

    @extend_schema(operation_id="admin_kb_topics_update", request=TopicInput, responses=AdminTopicSerializer)
    def patch(self, request: Request, topic_id: int) -> Response:
        """Change what is given. After a change of the slug, files stored before are still the topic's."""
        topic = topic_of_path(request, topic_id)
        changes = body(request, TopicInput, partial=True)
        return _answer(request, edit(topic.pk, changes, by=request.user.get_username()))
