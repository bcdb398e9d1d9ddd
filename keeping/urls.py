"""Paths of what people keep: notebooks, matters, watches, highlights, exports, tables, surveys.

The address of a file ends as its name does.
"""

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
from keeping.highlights.api import HighlightDetail, Highlights
from keeping.matters import screens as matter_screens
from keeping.matters.api import ItemDetail, Items, Looked
from keeping.notebooks import keep_screens
from keeping.notebooks import screens as notebook_screens
from keeping.notebooks.api import NotebookDetail, Notebooks, NoteDetail, Notes
from keeping.surveys import screens as survey_screens
from keeping.surveys.api import SurveyDetail, SurveyRepeat, Surveys, SurveyWorkbook
from keeping.tables.api import (
    TableCellDecide,
    TableCells,
    TableColumnDetail,
    TableColumns,
    TableDetail,
    TableFile,
    TableFill,
    TableGroups,
    Tables,
    TableTemplates,
)
from keeping.tables.files import TYPES
from keeping.tables.screens import tables
from keeping.watches import screens as watch_screens
from keeping.watches.api import WatchDetail, Watches
from keeping.watches.notifications.feed import feed
from keeping.watches.webhook import screens as webhook_screens
from keeping.watches.webhook.api import WatchWebhookDetail, WatchWebhookSecret


class FileFormatConverter:
    """The ending of the name of a file that is made."""

    regex = "|".join(FORMS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class TableFormatConverter(FileFormatConverter):
    """The ending of the name of a table's file."""

    regex = "|".join(TYPES)


register_converter(FileFormatConverter, "file_format")
register_converter(TableFormatConverter, "table_format")
_COMPARED = "kb/sources/<int:source_id>/compare/<int:other_id>"
_PROVISION = "kb/sources/<int:source_id>/provisions/<str:eid>"
_TABLE = "kb/tables/<int:table_id>"

urlpatterns = [
    path("notebooks/", notebook_screens.notebooks, name="notebooks"),
    path("notebooks/new/", notebook_screens.make, name="notebook-make"),
    path("notebooks/keep/", keep_screens.keep_this, name="keep"),
    path("notebooks/<int:notebook_id>/", notebook_screens.notebook, name="notebook"),
    path("notebooks/<int:notebook_id>/edit/", notebook_screens.change, name="notebook-change"),
    path("notebooks/<int:notebook_id>/delete/", notebook_screens.delete, name="notebook-delete"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/move/", notebook_screens.move_note, name="note-move"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/delete/", notebook_screens.delete_note, name="note-delete"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/edit/", keep_screens.change_note, name="note-change"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/today/", keep_screens.today, name="note-today"),
    path("kb/notebooks", Notebooks.as_view(), name="kb-notebooks"),
    path("kb/notebooks/<int:notebook_id>", NotebookDetail.as_view(), name="kb-notebook"),
    path("kb/notebooks/<int:notebook_id>/notes", Notes.as_view(), name="kb-notes"),
    path("kb/notebooks/<int:notebook_id>/notes/<int:note_id>", NoteDetail.as_view(), name="kb-note"),
    path("notebooks/<int:notebook_id>/since/", matter_screens.since, name="notebook-since"),
    path("notebooks/<int:notebook_id>/looked/", matter_screens.looked, name="notebook-looked"),
    path("notebooks/<int:notebook_id>/watches/", matter_screens.add, name="notebook-watch"),
    path("notebooks/<int:notebook_id>/watches/<int:watch_id>/out/", matter_screens.take_out, name="notebook-watch-out"),
    path("kb/notebooks/<int:notebook_id>/items", Items.as_view(), name="kb-notebook-items"),
    path("kb/notebooks/<int:notebook_id>/items/<int:watch_id>", ItemDetail.as_view(), name="kb-notebook-item"),
    path("kb/notebooks/<int:notebook_id>/looked", Looked.as_view(), name="kb-notebook-looked"),
    path("kb/watches", Watches.as_view(), name="kb-watches"),
    path("kb/watches/webhook", WatchWebhookDetail.as_view(), name="kb-watches-webhook"),
    path("kb/watches/webhook/secret", WatchWebhookSecret.as_view(), name="kb-watches-webhook-secret"),
    path("kb/watches/<int:watch_id>", WatchDetail.as_view(), name="kb-watch"),
    path("watches/", watch_screens.watches, name="watches"),
    path("watches/add/", watch_screens.add, name="watches-add"),
    path("watches/read/", watch_screens.read, name="watches-read"),
    path("watches/feed/renew/", watch_screens.renew, name="watches-renew"),
    path("watches/feed/<str:token>/", feed, name="watches-feed"),
    path("watches/webhook/", webhook_screens.change, name="watches-webhook"),
    path("watches/webhook/secret/", webhook_screens.renew_secret, name="watches-webhook-secret"),
    path("watches/webhook/end/", webhook_screens.end, name="watches-webhook-end"),
    path("watches/stop/<str:token>/", watch_screens.stop, name="watches-stop"),
    path("watches/<int:watch_id>/change/", watch_screens.change, name="watches-change"),
    path("watches/<int:watch_id>/end/", watch_screens.end, name="watches-end"),
    path("kb/highlights", Highlights.as_view(), name="kb-highlights"),
    path("kb/highlights/<int:highlight_id>", HighlightDetail.as_view(), name="kb-highlight"),
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
    path("tables/", tables.tables, name="tables"),
    path("tables/new/", tables.make, name="table-make"),
    path("tables/<int:table_id>/", tables.table, name="table"),
    path("tables/<int:table_id>/act/", tables.act, name="table-act"),
    path("tables/<int:table_id>/delete/", tables.delete, name="table-delete"),
    path("tables/<int:table_id>/columns/new/", tables.add_column, name="table-column-add"),
    path("tables/<int:table_id>/columns/<int:column_id>/", tables.change_column, name="table-column"),
    path("tables/<int:table_id>/cells/<int:cell_id>/", tables.cell, name="table-cell"),
    path("kb/tables", Tables.as_view(), name="kb-tables"),
    path("kb/tables/templates", TableTemplates.as_view(), name="kb-table-templates"),
    path(_TABLE, TableDetail.as_view(), name="kb-table"),
    path(f"{_TABLE}.<table_format:table_format>", TableFile.as_view(), name="kb-table-file"),
    path(f"{_TABLE}/columns", TableColumns.as_view(), name="kb-table-columns"),
    path(f"{_TABLE}/columns/<int:column_id>", TableColumnDetail.as_view(), name="kb-table-column"),
    path(f"{_TABLE}/groups", TableGroups.as_view(), name="kb-table-groups"),
    path(f"{_TABLE}/cells", TableCells.as_view(), name="kb-table-cells"),
    path(f"{_TABLE}/cells/<int:cell_id>/decide", TableCellDecide.as_view(), name="kb-table-cell-decide"),
    path(f"{_TABLE}/fill", TableFill.as_view(), name="kb-table-fill"),
    path("surveys/", survey_screens.surveys, name="surveys"),
    path("surveys/new/", survey_screens.make, name="survey-make"),
    path("surveys/<uuid:survey_id>/", survey_screens.survey, name="survey"),
    path("surveys/<uuid:survey_id>/act/", survey_screens.act, name="survey-act"),
    path("surveys/<uuid:survey_id>/delete/", survey_screens.delete, name="survey-delete"),
    path("kb/surveys", Surveys.as_view(), name="kb-surveys"),
    path("kb/surveys/<uuid:survey_id>", SurveyDetail.as_view(), name="kb-survey"),
    path("kb/surveys/<uuid:survey_id>/repeat", SurveyRepeat.as_view(), name="kb-survey-repeat"),
    path("kb/surveys/<uuid:survey_id>.xlsx", SurveyWorkbook.as_view(), name="kb-survey-file"),
]
