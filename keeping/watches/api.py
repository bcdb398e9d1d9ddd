"""`/kb/watches`: what a person watches, beginning and ending it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.errors import Invalid
from kb_project.web.origins import origin_of
from keeping.models import Channel, Watch, Watcher, WatchKind
from keeping.people import person_of
from keeping.person_view import IsPerson
from keeping.watches import saved_searches, watching
from keeping.watches.kinds import names_of, resolve_target
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import VisibleTargets
from labels.models import Label
from search.shown.serializers import ALL, SearchedWords
from sources.kinds import SourceKind
from sources.provisions import MAX_EID_LENGTH
from topics.scoping import TopicFirst

API_LANGUAGE = "en"
NAMED = ("kind", "topic_id", "work_id", "eid", "notebook_id", "table_id", "how")


class MayWatch(IsPerson):
    """A person, or their own key. An agent sees one topic, and watches are of all."""

    message = "Watches are of people. Sign in, or use a key of your own."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return not hasattr(request.user, "person") and super().has_permission(request, view)


class WatchView(APIView):
    """A view of what one person watches."""

    permission_classes = [MayWatch]
    throttle_classes = [PublicThrottle]

    def person(self, request: Request) -> User:
        return cast(User, person_of(request.user))  # `MayWatch` lets nobody else come this far

    def watcher(self, request: Request) -> Watcher:
        return watcher_from(request, self.person(request))


def watcher_from(request: Request, person: User) -> Watcher:
    """The caller's person as one who watches, made where they are none."""
    return watching.watcher_of(person, language=API_LANGUAGE, service=f"{origin_of(request)}/")


class WatchInput(StrictSerializer):
    """One thing to watch, `eid` beside the `work_id` that it is of, and how to be told."""

    topic_id = serializers.IntegerField(required=False)
    work_id = serializers.IntegerField(required=False)
    eid = serializers.CharField(required=False, max_length=MAX_EID_LENGTH, help_text="A provision of the work.")
    label_id = serializers.IntegerField(required=False)
    search = SearchedWords(
        required=False, help_text="It is made by words, not by meaning, each time something is published."
    )
    notebook_id = serializers.IntegerField(required=False)
    table_id = serializers.IntegerField(required=False)
    how = serializers.ChoiceField(Channel.choices, default=Channel.PAGE.value)


class WatchedSearch(serializers.Serializer[Any]):
    """What a watched search asks for."""

    query = serializers.CharField()
    topic_id = serializers.IntegerField(allow_null=True)
    labels = serializers.ListField(child=serializers.CharField(), source="label_slugs", help_text="Slugs.")
    kind = serializers.ListField(child=serializers.ChoiceField(SourceKind.choices), source="kinds")
    published_from = serializers.DateField(allow_null=True)
    published_to = serializers.DateField(allow_null=True)
    versions = serializers.ChoiceField(["in_force", ALL])


class WatchSerializer(serializers.Serializer[Any]):
    """What somebody watches."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(WatchKind.choices)
    topic_id = serializers.IntegerField(allow_null=True)
    work_id = serializers.IntegerField(allow_null=True)
    eid = serializers.CharField(help_text="The address of the provision in the work today; empty for other kinds.")
    label_id = serializers.IntegerField(allow_null=True)
    search = WatchedSearch(allow_null=True)
    notebook_id = serializers.IntegerField(allow_null=True)
    table_id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_null=True, help_text="Null where it is not seen any more.")
    url = serializers.CharField(allow_null=True, help_text="The path of its page.")
    how = serializers.ChoiceField(Channel.choices)
    made_at = serializers.DateTimeField()
    unread = serializers.IntegerField(help_text="How much happened that was not marked as read on the page.")
    last_at = serializers.DateTimeField(allow_null=True, help_text="When something was found to have happened last.")
    is_partial = serializers.BooleanField(
        help_text="Whether a search matches more documents than are looked at: the best 100 and the newest 100."
    )


def _shown(watches: Sequence[Watch], person: User) -> list[dict[str, Any]]:
    visible = VisibleTargets(person)
    named = names_of(visible, watches)
    last = {one.watch_id: one for one in news_of(visible, since="all", each=1)}
    return [
        {
            **{name: getattr(one, name) for name in NAMED},
            "id": one.pk,
            "label_id": named[one.pk].label_id if one.pk in named else None,
            "search": _search_out(one.search),
            "name": named[one.pk].name if one.pk in named else None,
            "url": named[one.pk].url if one.pk in named else None,
            "made_at": one.made_at,
            "unread": last[one.pk].unread if one.pk in last else 0,
            "last_at": last[one.pk].at if one.pk in last else None,
            "is_partial": one.is_wide,
        }
        for one in watches
    ]


def _search_out(search: saved_searches.Stored | None) -> dict[str, Any] | None:
    return {**search, "versions": ALL if search["all_versions"] else "in_force"} if search else None


class Watches(TopicFirst, WatchView):
    @extend_schema(operation_id="kb_watches_list", parameters=[PageQuery], responses=WatchSerializer(many=True))
    def get(self, request: Request) -> Response:
        """What the caller watches, the newest first."""
        query_params(request, PageQuery)
        person = self.person(request)
        return page_response(
            request,
            watching.watches_of(person),
            show=lambda page: _shown(page, person),
            serializer_class=WatchSerializer,
        )

    @extend_schema(
        operation_id="kb_watches_create",
        request=WatchInput,
        responses={201: WatchSerializer, 200: WatchSerializer},
    )
    def post(self, request: Request) -> Response:
        """Watch something from now on. What is watched already is told as this says: 200."""
        given, person = body(request, WatchInput), self.person(request)
        if "search" in given:
            given = {**given, "search": stored_search(given["search"], VisibleTargets(person))}
        target = resolve_target(VisibleTargets(person), given)
        watch, is_new = watching.begin(self.watcher(request), target, Channel(given["how"]))
        watch = watching.watches_of(person).get(pk=watch.pk)
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(WatchSerializer(_shown([watch], person)[0]).data, status=code)


class WatchDetail(WatchView):
    @extend_schema(operation_id="kb_watches_delete", request=None, responses={204: None})
    def delete(self, request: Request, watch_id: int) -> Response:
        """End a watch of one's own."""
        forbid_body(request)
        watching.end(self.person(request), watch_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


def stored_search(given: Mapping[str, Any], visible: VisibleTargets) -> saved_searches.Stored:
    """A search of a body as a watch keeps it. Raises Invalid for a label that the person does not see."""
    labels: list[Label | None] = [visible.find_label(label_id) for label_id in given.get("label_ids") or ()]
    if None in labels:
        sentence = _("There is no such label.")
        raise Invalid(sentence, errors={"search": [sentence]})
    return saved_searches.stored(
        query=given["query"],
        topic_id=given.get("topic_id"),
        label_slugs=[label.slug for label in labels if label],
        kinds=given.get("kind") or (),
        published_from=given.get("published_from"),
        published_to=given.get("published_to"),
        all_versions=given["versions"] == ALL,
    )
