"""POST /kb/search: passages for a query, within one topic or all that the caller may see. What ask shares with it."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import body
from kb_project.api.throttles import SearchThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import Invalid
from labels.serializers import SourceSerializer
from labels.topic_labels import are_known
from law.words.operators import SIGNS
from search import search_counts
from search.api.serializers import (
    ALL,
    MEANING,
    CorrectionSerializer,
    FacetsSerializer,
    HitSerializer,
    MeaningSerializer,
    NotFoundSerializer,
    OtherVersionSerializer,
    SearchInput,
    SourceCardSerializer,
)
from search.expansion.expand import expand
from search.other_days import on_other_days
from search.results import Mode, Retrieval, SearchHit
from search.retrieval import parse_query, retrieve
from search.retrieval.listing import Group, Listing, Sort
from search.retrieval.named_act import read_act
from sources.fields import CARD
from sources.scope import Scope
from topics.models import Topic
from topics.scoping import TopicFirst, limits, note_search, searched

_OF_HIT: list[Any] = [name for name in HitSerializer().fields if name not in {"source", "tables"}]
_OF_SOURCE: list[Any] = [name for name in SourceCardSerializer().fields if name != "labels"]
_NAMES = {field.column: field.name for field in CARD}


def scope_of(given: Mapping[str, Any], *, topic: Topic | None, request: Request) -> Scope:
    """The scope that a validated body asks for, in the topic it is about. Raises Invalid for an unknown label.

    Unknown to somebody who does not see every topic is every label that is not known in those they see.
    """
    source_id = given.get("source_id")
    note_search(request, topic)
    return Scope(
        **searched(request, topic),
        label_ids=_labels_of(given, request),
        kinds=tuple(given.get("kind") or ()),
        source_ids=() if source_id is None else (source_id,),
        published_from=given.get("published_from"),
        published_to=given.get("published_to"),
        as_of=given.get("as_of") or timezone.localdate(),
        all_versions=given.get("versions") == ALL,
    )


def _labels_of(given: Mapping[str, Any], request: Request) -> tuple[int, ...]:
    """The labels of a body. Raises Invalid for one that is not there, or not known in a topic that the caller sees."""
    label_id = given.get("label_id")
    fields = {"label_id": [] if label_id is None else [label_id], "label_ids": given.get("label_ids") or []}
    for name, label_ids in fields.items():
        if label_ids and not are_known(label_ids, within=limits(request)):
            raise Invalid("There is no such label.", errors={name: ["There is no such label."]})
    return tuple(dict.fromkeys([*fields["label_id"], *fields["label_ids"]]))


def passages_out(found: Retrieval) -> dict[str, Any]:
    """The passages, and before them what is cited and not there or not understood, and whether vectors are lacking."""
    missing: dict[str, Any] = {"not_found": NotFoundSerializer(found.not_found).data} if found.not_found else {}
    if found.unread:
        missing["unread"] = list(found.unread)
    return {**missing, "meaning": meaning_out(found), "results": [laid_out(hit) for hit in found.hits]}


def meaning_out(found: Retrieval) -> dict[str, Any] | None:
    return asdict(found.lacking) if found.lacking else None


def laid_out(hit: SearchHit) -> dict[str, Any]:
    """A hit without what is only for callers inside the service. By hand, as a serializer costs more than a search."""
    source = {name: getattr(hit.source, _NAMES.get(name, name)) for name in _OF_SOURCE}
    source["labels"] = [vars(label) for label in hit.source.labels]
    tables = [asdict(part) for part in hit.tables]
    return {**{name: getattr(hit, name) for name in _OF_HIT}, "tables": tables, "source": source}


def other_version(hit: SearchHit) -> dict[str, Any]:
    """The document of a hit that is not in force on the day, with its days."""
    return {"source_id": hit.source.id, "title": hit.source.title, **hit.source.dated, "url": hit.url}


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

    class Output(serializers.Serializer[Any]):
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
        corrected = CorrectionSerializer(
            many=True,
            required=False,
            help_text="Words that no passage has, and what they were taken for. Not of words in quotation marks.",
        )
        operators = serializers.ListField(
            child=serializers.ChoiceField(SIGNS),
            required=False,
            help_text="What looks like an operator and is none: no word is left out, no letters are filled in.",
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
        if found.corrected:
            answer["corrected"] = [{"word": one.word, "to": one.to} for one in found.corrected]
        if found.operators:
            answer["operators"] = found.operators
        if found.facets:
            answer["facets"] = asdict(found.facets)
        if not found.hits and (others := on_other_days(query, scope=scope, listing=listing)):
            answer["other_versions"] = [other_version(hit) for hit in others]
        if act := read_act(found.named_id):
            answer["document"] = SourceSerializer(act, context={"request": request}).data
        return Response(answer | passages_out(found))
