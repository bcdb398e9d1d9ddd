"""GET /kb/notebooks/{id}.docx and .md, and what a notebook cites."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from kb_project.api.strict import forbid_query, query_params
from keeping.exports.api import CITATIONS, FILES, FORM, CitationQuery
from keeping.exports.files import CitationFormat, FileFormat, citations_response, file_response
from keeping.exports.notebooks import notebook_file
from keeping.exports.pieces import Export
from keeping.notebooks import visibility
from keeping.notebooks.api import OfPerson


class NotebookExport(OfPerson):
    def export(self, request: Request, notebook_id: int) -> Export:
        """Raises NotFound."""
        keeper = self.keeper(request)
        notebook = visibility.find(keeper, notebook_id)
        return notebook_file(notebook, keeper, absolute=request.build_absolute_uri)


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
