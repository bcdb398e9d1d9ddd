"""`/admin/kb/synonyms`: the entries of a topic and of all topics. What comes with the languages is not among them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.openapi import problems
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from law.words.stored import DEFAULT_WEIGHT
from search.models import Synonym
from search.synonyms import editing
from topics.scoping import TopicFirst, limits, narrowed, require_own


class SynonymSerializer(serializers.ModelSerializer[Synonym]):
    """An entry of synonyms: words, and what is looked for besides them."""

    topic_id = serializers.IntegerField(allow_null=True, help_text="Null for all topics.")
    words = serializers.ListField(child=serializers.CharField())
    means = serializers.ListField(child=serializers.CharField())
    weight = serializers.FloatField(help_text="What a word of a meaning counts; 0 says that the words mean no others.")

    class Meta:
        model = Synonym
        fields = ["id", "topic_id", "words", "means", "weight"]


class WordsField(serializers.ListField):
    """Words and phrases."""

    child = serializers.CharField(max_length=editing.MAX_WORDS_LENGTH)

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=1, max_length=editing.MAX_WORDS, **options)


class SynonymInput(StrictSerializer):
    words = WordsField(help_text="Words and phrases, in any of their forms.")
    means = WordsField(help_text="What is looked for besides.")
    weight = serializers.FloatField(default=DEFAULT_WEIGHT, min_value=0, max_value=1)


class NewSynonymInput(SynonymInput):
    topic_id = serializers.IntegerField(
        required=False, allow_null=True, help_text="Null for all topics; for a pinned key always its own."
    )


class SynonymList(TopicFirst, APIView):
    needs = {"GET": "search.view_synonym", "POST": "search.add_synonym"}

    class Query(PageQuery):
        q = serializers.CharField(required=False, allow_blank=True, max_length=200, help_text="Part of a word.")
        topic_id = serializers.IntegerField(
            required=False, help_text="Only what holds in this topic: its own and those of all topics."
        )

    @extend_schema(operation_id="admin_kb_synonyms_list", parameters=[Query], responses=SynonymSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The entries, in the order in which they were made."""
        query = query_params(request, self.Query)
        entries = editing.synonyms_within(narrowed(request, self.topic))
        if query.get("q"):
            entries = editing.mentioning(query["q"], entries)
        return page_response(request, entries, serializer_class=SynonymSerializer)

    @extend_schema(
        operation_id="admin_kb_synonyms_create",
        request=NewSynonymInput,
        responses={201: SynonymSerializer, **problems(409)},
    )
    def post(self, request: Request) -> Response:
        """Make an entry. It stands in place of what the base, or an entry of all topics, says of its words."""
        given = body(request, NewSynonymInput)
        given.pop("topic_id", None)
        by = request.user.get_username()
        entry = editing.create(topic=require_own(request, self.topic), by=by, **given)
        return Response(SynonymSerializer(entry).data, status=status.HTTP_201_CREATED)


class SynonymDetail(APIView):
    needs = {"PATCH": "search.change_synonym", "DELETE": "search.delete_synonym"}

    @extend_schema(
        operation_id="admin_kb_synonyms_update",
        request=SynonymInput,
        responses={200: SynonymSerializer, **problems(409)},
    )
    def patch(self, request: Request, synonym_id: int) -> Response:
        """Change what is given. An entry stays in its topic."""
        changes = body(request, SynonymInput, partial=True)
        by, within = request.user.get_username(), limits(request)
        entry = editing.change(synonym_id, changes, by=by, within=within)
        return Response(SynonymSerializer(entry).data)

    @extend_schema(operation_id="admin_kb_synonyms_delete", request=None, responses={204: None, **problems(409)})
    def delete(self, request: Request, synonym_id: int) -> Response:
        """Delete an entry."""
        forbid_body(request)
        by, within = request.user.get_username(), limits(request)
        editing.delete(synonym_id, by=by, within=within)
        return Response(status=status.HTTP_204_NO_CONTENT)
