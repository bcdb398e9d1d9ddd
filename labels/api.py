"""`/admin/kb/labels` and what lies below it, and `GET /kb/labels`."""

from django.db.models import prefetch_related_objects
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.openapi import problems
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body, forbid_body, forbid_query, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from labels import naming, topic_labels
from labels.models import Label
from labels.near_duplicates import LikenessReason, near_duplicates
from labels.serializers import LabelSerializer
from labels.topic_labels import ids_in_use, labels_in, matching, uses_in
from topics.scoping import TopicFirst, limits


class NameInput(StrictSerializer):
    # The length is the verb's to refuse: it counts the characters of the name as it will be shown.
    name = serializers.CharField(max_length=1000, allow_blank=True)


class LabelList(TopicFirst, APIView):
    needs = {"GET": "labels.view_label", "POST": "labels.add_label"}

    class Query(PageQuery):
        q = serializers.CharField(
            required=False, allow_blank=True, max_length=200, help_text="Part of the name, the slug or an alias."
        )
        topic_id = serializers.IntegerField(required=False, help_text="Only labels that are in use in this topic.")

    @extend_schema(operation_id="admin_kb_labels_list", parameters=[Query], responses=LabelSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Labels. With `q`, what fits best first, else the most used."""
        query = query_params(request, self.Query)
        labels = topic_labels.labels_within(limits(request)).prefetch_related("aliases")
        if "topic_id" in query and self.topic is not None:
            labels = labels.filter(pk__in=ids_in_use([self.topic.pk]))
        fitting = matching(query.get("q", ""), queryset=labels, counted_in=limits(request))
        return page_response(request, fitting, serializer_class=LabelSerializer)

    @extend_schema(
        operation_id="admin_kb_labels_create",
        request=NameInput,
        responses={201: LabelSerializer, 200: OpenApiResponse(LabelSerializer, "The label that the name leads to.")},
    )
    def post(self, request: Request) -> Response:
        """Make a label. The one that is there when its slug, or an alias of it, exists already."""
        name, by, within = body(request, NameInput)["name"], request.user.get_username(), limits(request)
        if within is None:
            label, made = naming.get_or_create(name, by=by)
        else:
            label, made = naming.get_or_create_within(within, name, by=by)
        return _shown(label, request, code=status.HTTP_201_CREATED if made else status.HTTP_200_OK)


class LabelDetail(APIView):
    needs = {"GET": "labels.view_label", "PATCH": "labels.change_label", "DELETE": "labels.delete_label"}

    @extend_schema(operation_id="admin_kb_labels_retrieve", responses=LabelSerializer)
    def get(self, request: Request, label_id: int) -> Response:
        """One label."""
        forbid_query(request)
        return _shown(naming.get(label_id, topic_labels.labels_within(limits(request))), request)

    @extend_schema(operation_id="admin_kb_labels_rename", request=NameInput, responses=LabelSerializer)
    def patch(self, request: Request, label_id: int) -> Response:
        """Give the label another name, and its slug. The former ones stay as an alias."""
        name = body(request, NameInput)["name"]
        return _shown(naming.rename(label_id, name, by=request.user.get_username()), request)

    @extend_schema(operation_id="admin_kb_labels_delete", request=None, responses={204: None, **problems(409)})
    def delete(self, request: Request, label_id: int) -> Response:
        """Delete the label, if no source carries it."""
        forbid_body(request)
        naming.delete(label_id, by=request.user.get_username())
        return Response(status=status.HTTP_204_NO_CONTENT)


class LabelMerge(APIView):
    # Who is limited to topics has no such permission, and so never sees the preview's numbers of all topics.
    needs = {"GET": "labels.delete_label", "POST": "labels.delete_label"}

    class Input(StrictSerializer):
        target_id = serializers.IntegerField()

    class Preview(serializers.Serializer[naming.MergePreview]):
        label = LabelSerializer()  # type: ignore[assignment]  # the contract's name is also an argument of Field
        target = LabelSerializer()
        moving = serializers.IntegerField(help_text="Sources that will carry the target instead.")
        already = serializers.IntegerField(help_text="Sources that carry both.")
        aliases = serializers.ListField(child=serializers.CharField(), help_text="Names that become its aliases.")

    @extend_schema(operation_id="admin_kb_labels_merge_preview", parameters=[Input], responses=Preview)
    def get(self, request: Request, label_id: int) -> Response:
        """What merging would do. Nothing is changed."""
        target_id = query_params(request, self.Input)["target_id"]
        shown = self.Preview(naming.preview(label_id, target_id), context={"request": request})
        return Response(shown.data)

    @extend_schema(operation_id="admin_kb_labels_merge", request=Input, responses=LabelSerializer)
    def post(self, request: Request, label_id: int) -> Response:
        """Move all assignments to the target, and make the label's names its aliases."""
        target_id = body(request, self.Input)["target_id"]
        return _shown(naming.merge(label_id, target_id, by=request.user.get_username()), request)


class NearDuplicates(APIView):
    needs = {"GET": "labels.view_label"}

    class Output(serializers.Serializer):
        first = LabelSerializer(help_text="The one that is used more.")
        second = LabelSerializer()
        reason = serializers.ChoiceField(LikenessReason.choices)

    @extend_schema(operation_id="admin_kb_labels_near_duplicates", parameters=[PageQuery], responses=Output(many=True))
    def get(self, request: Request) -> Response:
        """Pairs of labels with nearly the same name, the surest first."""
        query_params(request, PageQuery)
        within = limits(request)
        uses = None if within is None else uses_in(within)
        pairs = near_duplicates(labels=topic_labels.labels_within(within), uses=uses)
        # Pairs share the objects of their labels, so each is prefetched once.
        labels = {label.pk: label for pair in pairs for label in (pair.first, pair.second)}
        prefetch_related_objects(list(labels.values()), "aliases")
        return page_response(request, pairs, serializer_class=self.Output)


class PublicLabelList(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    class Query(PageQuery):
        topic_id = serializers.IntegerField(required=False)

    @extend_schema(operation_id="kb_labels_list", parameters=[Query], responses=LabelSerializer(many=True))
    @from_standby
    def get(self, request: Request) -> Response:
        """Labels in use, the most used first. `usage_count` counts in the topic that is asked for."""
        query_params(request, self.Query)
        labels = labels_in(limits(request) if self.topic is None else [self.topic.pk])
        return page_response(request, labels, serializer_class=LabelSerializer)


def _shown(label: Label, request: Request, *, code: int = status.HTTP_200_OK) -> Response:
    return Response(LabelSerializer(label, context={"request": request}).data, status=code)
