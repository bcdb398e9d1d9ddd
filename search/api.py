"""The HTTP API of search: `POST /kb/search` gives passages, `GET /kb/suggest` what somebody who types may mean."""

import time
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body, query_params
from kb_project.api.throttles import PublicThrottle, SearchThrottle
from kb_project.database.standbys.reading import from_standby
from labels.serializers import SourceSerializer
from search import search_counts
from search.expansion.expand import expand
from search.results import Mode
from search.retrieval import parse_query, retrieve
from search.retrieval.listing import Group, Listing, Sort
from search.retrieval.reading import read_act
from search.shown.bodies import other_version, passages_out, scope_of
from search.shown.other_days import on_other_days
from search.shown.serializers import (
    MEANING,
    PROVISION_KINDS,
    FacetsSerializer,
    HitSerializer,
    LabelCardSerializer,
    MeaningSerializer,
    NotFoundSerializer,
    OtherVersionSerializer,
    SearchInput,
    UnderstoodSerializer,
)
from search.suggestions import MAX_EACH, MAX_LENGTH, suggest
from sources.scope import Scope
from topics.scoping import TopicFirst, searched


class Search(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [SearchThrottle]

    class Input(SearchInput):
        source_id = serializers.IntegerField(required=False, allow_null=True)
        mode = serializers.ChoiceField([mode.value for mode in Mode], default=Mode.HYBRID.value)
        expand = serializers.BooleanField(default=True, help_text="Whether to look for other wordings and synonyms.")
        facets = serializers.BooleanField(
            default=False, help_text="Count the documents that match, by kind, label and year."
        )

    class Output(UnderstoodSerializer):
        query = serializers.CharField()
        mode = serializers.ChoiceField([mode.value for mode in Mode])
        expanded = serializers.ListField(
            child=serializers.CharField(), help_text="Other wordings, and synonyms of words of the query."
        )
        as_of = serializers.DateField(help_text="The day of every status.")
        took_ms = serializers.FloatField(help_text="With the wait for other wordings of the query.")
        phrases = serializers.ListField(
            child=serializers.CharField(),
            help_text="Words of the query in quotation marks, which stand so in every result.",
        )
        facets = FacetsSerializer(required=False, help_text="With `facets`.")
        document = SourceSerializer(required=False, help_text="The act whose name, or a part of it, the query is.")
        not_found = NotFoundSerializer(required=False)
        meaning = MeaningSerializer(allow_null=True, help_text=MEANING)
        unread = serializers.ListField(
            child=serializers.CharField(),
            required=False,
            help_text="Words that look like the name or number of an act, and were not understood. No result is of it.",
        )
        results = HitSerializer(many=True)
        other_versions = OtherVersionSerializer(
            many=True, required=False, help_text="Where nothing in force is found: what is, on other days."
        )

    @extend_schema(operation_id="kb_search", request=Input, responses=Output)
    @from_standby
    def post(self, request: Request) -> Response:
        """The passages that answer the query best, cited sections first.

        With `group` document, a `sort` by date, `facets` or a phrase in quotation marks the results are those of the
        documents that match, and no others: `facets` counts these. A document matches when it is cited, or when a
        passage of it holds enough of the words of the query: 0.6 of what the passage of the topic that holds most of
        them does, each word weighed by how rare it is. With phrases it must hold each of them.
        """
        started = time.perf_counter()
        given = body(request, self.Input)
        scope = scope_of(given, topic=self.topic, request=request)
        listing = Listing(group=Group(given["group"]), sort=Sort(given["sort"]), facets=given["facets"])
        query = parse_query(given["query"])
        found = retrieve(
            query,
            scope=scope,
            limit=given["limit"],
            mode=given["mode"],
            expansions=expand(query, topic=self.topic) if given["expand"] else (),
            synonyms=given["expand"],
            listing=listing,
            started=started,
        )
        search_counts.count(found, scope=scope)
        answer: dict[str, Any] = {
            "query": found.query,
            "mode": found.mode,
            "expanded": found.expanded,
            "as_of": scope.as_of,
            "took_ms": found.took_ms,
            "phrases": found.phrases,
        }
        if found.facets:
            answer["facets"] = asdict(found.facets)
        if not found.hits and (others := on_other_days(query, scope=scope, listing=listing)):
            answer["other_versions"] = [other_version(hit) for hit in others]
        if act := read_act(found.named_id):
            answer["document"] = SourceSerializer(act, context={"request": request}).data
        return Response(answer | passages_out(found))


class TitleSuggestionSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    url = serializers.CharField(help_text="The path of the document's page.")


class ProvisionSuggestionSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    eid = serializers.CharField()
    kind = serializers.ChoiceField(PROVISION_KINDS)
    number = serializers.CharField(help_text="As printed.")
    heading = serializers.CharField()
    title = serializers.CharField(help_text="Of its document.")
    url = serializers.CharField(help_text="The path of the document's page at the provision.")


class Suggest(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    class Query(StrictSerializer):
        q = serializers.CharField(allow_blank=True, max_length=MAX_LENGTH, help_text="What was typed so far.")
        topic_id = serializers.IntegerField(required=False)

    class Output(serializers.Serializer[Any]):
        titles = TitleSuggestionSerializer(
            many=True, help_text=f"At most {MAX_EACH}, the best first; so are the others."
        )
        provisions = ProvisionSuggestionSerializer(many=True)
        labels = LabelCardSerializer(many=True)

    @extend_schema(operation_id="kb_suggest", parameters=[Query], responses=Output, filters=False)
    @from_standby
    def get(self, request: Request) -> Response:
        """Documents, provisions and labels with words that begin as those typed. Sections as they are cited."""
        typed = query_params(request, self.Query)["q"]
        found = suggest(typed, scope=Scope(**searched(request, self.topic)))
        return Response(self.Output(found).data)
