"""Paths of exports. An address ends as the name of its file does."""

from django.urls import path, register_converter

from keeping.exports.api import (
    FORMS,
    AnswerCitations,
    AnswerFile,
    ComparisonCitations,
    ComparisonFile,
    NotebookCitations,
    NotebookFile,
    ProvisionCitations,
    ProvisionFile,
    SearchCitations,
    SearchFile,
)


class FileFormatConverter:
    """The ending of the name of a file that is made."""

    regex = "|".join(FORMS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(FileFormatConverter, "file_format")
_COMPARED = "kb/sources/<int:source_id>/compare/<int:other_id>"
_PROVISION = "kb/sources/<int:source_id>/provisions/<str:eid>"

urlpatterns = [
    path("kb/answers/<uuid:answer_id>.<file_format:file_format>", AnswerFile.as_view(), name="kb-answer-file"),
    path("kb/answers/<uuid:answer_id>/citations", AnswerCitations.as_view(), name="kb-answer-citations"),
    path("kb/notebooks/<int:notebook_id>.<file_format:file_format>", NotebookFile.as_view(), name="kb-notebook-file"),
    path("kb/notebooks/<int:notebook_id>/citations", NotebookCitations.as_view(), name="kb-notebook-citations"),
    path(f"{_PROVISION}.<file_format:file_format>", ProvisionFile.as_view(), name="kb-provision-file"),
    path(f"{_PROVISION}/citations", ProvisionCitations.as_view(), name="kb-provision-citations"),
    path(f"{_COMPARED}.<file_format:file_format>", ComparisonFile.as_view(), name="kb-compare-file"),
    path(f"{_COMPARED}/citations", ComparisonCitations.as_view(), name="kb-compare-citations"),
    path("kb/search.<file_format:file_format>", SearchFile.as_view(), name="kb-search-file"),
    path("kb/search/citations", SearchCitations.as_view(), name="kb-search-citations"),
]
