"""GET /kb/sources/{id}/provisions and /kb/sources/{id}/provisions/{eid}: the parts of a document by address."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.strict import StrictSerializer, forbid_query, query_params
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import NotFound
from labels.serializers import HOLDS, SourceSerializer
from law.comparison.statuses import StandingStatus
from reading.documents.api import PublicSourceView
from search.shown.serializers import PROVISION_KINDS
from search.similar import similar_provisions
from sources import provisions
from sources.changes.coming import coming_of
from sources.references.listing import WorkProvision, cited_counts, references_of

MAX_SIMILAR = 50
EID = OpenApiParameter("eid", {"type": "string", "maxLength": provisions.MAX_EID_LENGTH}, OpenApiParameter.PATH)


class ProvisionSerializer(serializers.Serializer[Any]):
    """A provision without its text."""

    eid = serializers.CharField(help_text="Its address in the document, as an eId of Akoma Ntoso.")
    kind = serializers.ChoiceField(PROVISION_KINDS)
    number = serializers.CharField(help_text="As printed.")
    heading = serializers.CharField()
    parent = serializers.SerializerMethodField(  # type: ignore[assignment]  # the contract's name is also an attribute
        help_text="The eid of the provision that it stands in."
    )
    order = serializers.IntegerField(
        source="position", help_text="The place in the document, from 0; a clause has that of what it stands in."
    )
    page = serializers.IntegerField(allow_null=True)
    depth = serializers.IntegerField()
    valid_from = serializers.DateField(
        allow_null=True, help_text="From when it reads so, where the text says that of all of it."
    )
    valid_to = serializers.DateField(allow_null=True, help_text="The first day on which it does not read so any more.")

    def get_parent(self, provision: Any) -> str | None:
        return provision.parent or None


class DayQuery(StrictSerializer):
    as_of = serializers.DateField(
        required=False,
        help_text="Leave out of the text what does not read so on that day, where it says that itself.",
    )


class ProvisionList(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    results = ProvisionSerializer(many=True)


class ComingSerializer(serializers.Serializer[Any]):
    """What becomes of a place on a day that is still to come."""

    status = serializers.ChoiceField([(one.value, one.value) for one in StandingStatus])
    source_id = serializers.IntegerField(allow_null=True, help_text="The version of that day. Null where none is.")
    eid = serializers.CharField(help_text="Where it is in that version. Empty where it is not there.")

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of the language."""
        return {"from": serializers.DateField(source="day"), **super().get_fields()}


class WholeProvisionSerializer(ProvisionSerializer):
    """A provision with what it says and what is around it."""

    text = serializers.CharField(help_text=f"At most {provisions.MAX_TEXT_LENGTH:,} characters.")
    holds = serializers.CharField(help_text=HOLDS)
    coming = ComingSerializer(
        allow_null=True, help_text="What becomes of it and of what is inside it on a later day, where that is known."
    )
    truncated = serializers.BooleanField(help_text="Whether there is more text.")
    ancestors = ProvisionSerializer(many=True, help_text="Outermost first.")
    children = ProvisionSerializer(many=True)
    previous = serializers.CharField(allow_null=True, help_text="The eid of the one of its kind before it.")
    next = serializers.CharField(allow_null=True, help_text="The eid of the one of its kind after it.")
    references = serializers.IntegerField(help_text="How many citations stand in it.")
    cited_by = serializers.IntegerField(help_text="How many references lead to it or to what is inside it.")
    url = serializers.CharField(help_text="The path of the document's page at the provision.")


class SimilarQuery(StrictSerializer):
    limit = serializers.IntegerField(required=False, default=10, min_value=1, max_value=MAX_SIMILAR)


class SimilarProvisionSerializer(serializers.Serializer[Any]):
    provision = ProvisionSerializer()
    source = SourceSerializer()  # type: ignore[assignment]  # the contract's name is also an attribute
    similarity = serializers.FloatField(
        allow_null=True,
        help_text="The cosine of what both say; each embedder has its own scale. Null where words found it, as its "
        "vector is still to be made.",
    )


class SimilarProvisionList(serializers.Serializer[Any]):
    results = SimilarProvisionSerializer(many=True)


class Provisions(PublicSourceView):
    @extend_schema(operation_id="kb_provisions_list", responses=ProvisionList, filters=False)
    @from_standby
    def get(self, request: Request, source_id: int) -> Response:
        """All provisions of a document in order. Clauses are given with the provision that they stand in."""
        forbid_query(request)
        found = provisions.in_order(self.source(request, source_id).pk)
        results = ProvisionSerializer(found, many=True).data
        return Response({"count": len(results), "results": results})


class ProvisionDetail(PublicSourceView):
    @extend_schema(
        operation_id="kb_provisions_retrieve",
        parameters=[DayQuery, EID],
        responses=WholeProvisionSerializer,
    )
    @from_standby
    def get(self, request: Request, source_id: int, eid: str) -> Response:
        """A provision with its text, its place and its neighbours."""
        day = query_params(request, DayQuery).get("as_of")
        source = self.source(request, source_id)
        passage = provisions.read(source.pk, eid, day=day if day and source.days.hold(day) else None)
        if passage is None:
            raise NotFound("There is no such provision.")
        coming, place = coming_of(source, eid), WorkProvision(source.work_id, passage.provision.eid)
        return Response(
            {
                **ProvisionSerializer(passage.provision).data,
                "text": passage.text,
                "holds": source.said_on(day, provision=passage.provision),
                "coming": ComingSerializer(coming).data if coming else None,
                "truncated": passage.truncated,
                "ancestors": ProvisionSerializer(passage.ancestors, many=True).data,
                "children": ProvisionSerializer(passage.children, many=True).data,
                "previous": passage.previous,
                "next": passage.next,
                "references": references_of(source, passage.provision).count(),
                "cited_by": cited_counts([place], with_own=True).get(place, 0),
                "url": provisions.address(source.pk, eid),
            }
        )


class SimilarProvisions(PublicSourceView):
    @extend_schema(
        operation_id="kb_provisions_similar",
        parameters=[SimilarQuery, EID],
        responses=SimilarProvisionList,
    )
    @from_standby
    def get(self, request: Request, source_id: int, eid: str) -> Response:
        """The provisions of the topic that are nearest in meaning, those of other works first."""
        limit = query_params(request, SimilarQuery)["limit"]
        source = self.source(request, source_id)
        if provisions.find(source.pk, eid) is None:
            raise NotFound("There is no such provision.")
        found = similar_provisions(source, eid, limit=limit)
        return Response(SimilarProvisionList({"results": found}, context={"request": request}).data)
