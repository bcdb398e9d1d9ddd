"""GET /kb/answers/{id}.docx and .md, and what stands beside them: files of what was found, and what they cite."""

from datetime import date
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from answers.asking import traces
from kb_project.api.openapi import problems
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, forbid_query, query_params
from kb_project.api.throttles import PublicThrottle, SearchThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.web.origins import absolute
from keeping.exports.answers import answer_file
from keeping.exports.files import (
    CITATION_TYPES,
    FILE_TYPES,
    CitationFormat,
    FileFormat,
    citations_response,
    file_response,
)
from keeping.exports.notebooks import notebook_file
from keeping.exports.pieces import Export
from keeping.exports.provisions import comparison_file, provision_file
from keeping.exports.searches import AskedSearch, search_file
from keeping.notebooks import visibility
from keeping.notebooks.api import NotebookView
from reading.documents.api import PublicSourceView
from reading.provisions.api import DayQuery
from search.retrieval.listing import Group, Listing, Sort
from search.shown.bodies import scope_of
from search.shown.serializers import SearchInput
from sources import provisions
from topics.scoping import TopicFirst, limits

FORMS = [form.value for form in FileFormat]
FORM = OpenApiParameter("file_format", {"type": "string", "enum": FORMS}, OpenApiParameter.PATH)
EID = OpenApiParameter("eid", {"type": "string", "maxLength": provisions.MAX_EID_LENGTH}, OpenApiParameter.PATH)
FILES = {
    (200, content_type): OpenApiResponse(OpenApiTypes.BINARY, "The file, with a footnote for each place that it cites.")
    for content_type in FILE_TYPES.values()
}
CITATIONS = {
    (200, content_type): OpenApiResponse(
        OpenApiTypes.ANY if "json" in content_type else OpenApiTypes.BINARY, "The places that are cited, in UTF-8."
    )
    for content_type in CITATION_TYPES.values()
}


class CitationQuery(StrictSerializer):
    format = serializers.ChoiceField([form.value for form in CitationFormat], default=CitationFormat.CSL.value)


class CitationDayQuery(CitationQuery, DayQuery):
    pass


class AnswerExport(APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    def export(self, request: Request, answer_id: UUID) -> Export:
        """Raises NotFound."""
        trace = traces.find(answer_id, by=traces.asker(request.user), within=limits(request))
        return answer_file(trace, absolute=absolute(request))


class AnswerFile(AnswerExport):
    @extend_schema(operation_id="kb_answers_file", parameters=[FORM], responses=FILES)
    def get(self, request: Request, answer_id: UUID, file_format: str) -> HttpResponse:
        """An answer that the caller was given, for as long as its trace is kept."""
        forbid_query(request)
        return file_response(self.export(request, answer_id), FileFormat(file_format))


class AnswerCitations(AnswerExport):
    @extend_schema(operation_id="kb_answers_citations", parameters=[CitationQuery], responses=CITATIONS)
    def get(self, request: Request, answer_id: UUID) -> HttpResponse:
        """What such an answer cites."""
        form = CitationFormat(query_params(request, CitationQuery)["format"])
        return citations_response(self.export(request, answer_id), form)


class ProvisionExport(PublicSourceView):
    def export(self, request: Request, source_id: int, eid: str, day: date | None) -> Export:
        """Raises NotFound."""
        return provision_file(self.source(request, source_id), eid, day=day, absolute=absolute(request))


class ProvisionFile(ProvisionExport):
    @extend_schema(operation_id="kb_provisions_file", parameters=[FORM, EID, DayQuery], responses=FILES)
    @from_standby
    def get(self, request: Request, source_id: int, eid: str, file_format: str) -> HttpResponse:
        """A provision with its text, and whether it holds."""
        day = query_params(request, DayQuery).get("as_of")
        return file_response(self.export(request, source_id, eid, day), FileFormat(file_format))


class ProvisionCitations(ProvisionExport):
    @extend_schema(operation_id="kb_provisions_citations", parameters=[EID, CitationDayQuery], responses=CITATIONS)
    @from_standby
    def get(self, request: Request, source_id: int, eid: str) -> HttpResponse:
        """A provision for a bibliography."""
        query = query_params(request, CitationDayQuery)
        return citations_response(
            self.export(request, source_id, eid, query.get("as_of")), CitationFormat(query["format"])
        )


class ComparisonExport(PublicSourceView):
    def export(self, request: Request, source_id: int, other_id: int) -> Export:
        """Raises NotFound and TooLarge."""
        before, after = self.source(request, source_id), self.source(request, other_id)
        return comparison_file(before, after, absolute=absolute(request))


class ComparisonFile(ComparisonExport):
    @extend_schema(operation_id="kb_sources_compare_file", parameters=[FORM], responses={**FILES, **problems(413)})
    @from_standby
    def get(self, request: Request, source_id: int, other_id: int, file_format: str) -> HttpResponse:
        """What changed from one document to another, wordings beside each other."""
        forbid_query(request)
        return file_response(self.export(request, source_id, other_id), FileFormat(file_format))


class ComparisonCitations(ComparisonExport):
    @extend_schema(
        operation_id="kb_sources_compare_citations",
        parameters=[CitationQuery],
        responses={**CITATIONS, **problems(413)},
    )
    @from_standby
    def get(self, request: Request, source_id: int, other_id: int) -> HttpResponse:
        """Both documents for a bibliography."""
        form = CitationFormat(query_params(request, CitationQuery)["format"])
        return citations_response(self.export(request, source_id, other_id), form)


class SearchCitationQuery(SearchInput, CitationQuery):
    pass


class SearchExport(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [SearchThrottle]

    def export(self, request: Request, given: dict[str, Any]) -> Export:
        """Raises Invalid."""
        asked = AskedSearch(
            query=given["query"],
            scope=scope_of(given, topic=self.topic, request=request),
            topic=self.topic,
            listing=Listing(group=Group(given["group"]), sort=Sort(given["sort"])),
            limit=given["limit"],
        )
        return search_file(asked, absolute=absolute(request))


class SearchFile(SearchExport):
    @extend_schema(operation_id="kb_search_file", parameters=[FORM, SearchInput], responses=FILES)
    @from_standby
    def get(self, request: Request, file_format: str) -> HttpResponse:
        """The first passages that a search finds."""
        return file_response(self.export(request, query_params(request, SearchInput)), FileFormat(file_format))


class SearchCitations(SearchExport):
    @extend_schema(operation_id="kb_search_citations", parameters=[SearchCitationQuery], responses=CITATIONS)
    @from_standby
    def get(self, request: Request) -> HttpResponse:
        """The first passages that a search finds, for a bibliography."""
        given = query_params(request, SearchCitationQuery)
        return citations_response(self.export(request, given), CitationFormat(given["format"]))


class NotebookExport(NotebookView):
    def export(self, request: Request, notebook_id: int) -> Export:
        """Raises NotFound."""
        owner = self.owner(request)
        notebook = visibility.find(owner, notebook_id)
        return notebook_file(notebook, owner, absolute=absolute(request))


class NotebookFile(NotebookExport):
    @extend_schema(operation_id="kb_notebooks_file", parameters=[FORM], responses=FILES)
    def get(self, request: Request, notebook_id: int, file_format: str) -> HttpResponse:
        """A notebook that the caller may read, with its notes in their order."""
        forbid_query(request)
        return file_response(self.export(request, notebook_id), FileFormat(file_format))


class NotebookCitations(NotebookExport):
    @extend_schema(operation_id="kb_notebooks_citations", parameters=[CitationQuery], responses=CITATIONS)
    def get(self, request: Request, notebook_id: int) -> HttpResponse:
        """What the notes of a notebook cite."""
        form = CitationFormat(query_params(request, CitationQuery)["format"])
        return citations_response(self.export(request, notebook_id), form)
