"""Paths of search: the API and the public pages."""

from django.urls import path

from search.agent.mcp.http import Mcp
from search.api.akn import SourceAkomaNtoso
from search.api.ask import Ask, AskStream, Feedback
from search.api.compare import Compare
from search.api.evaluation import EvaluationDetail, EvaluationList
from search.api.provisions import ProvisionDetail, Provisions
from search.api.references import References, Resolve
from search.api.search import Search
from search.api.suggest import Suggest
from search.api.synonyms import SynonymDetail, SynonymList
from search.screens.ask_views import ask
from search.screens.browse_views import documents
from search.screens.changes.feed import feed
from search.screens.changes.views import changes
from search.screens.evaluation import file_views, list_views, question_views
from search.screens.feedback_views import give_feedback
from search.screens.insights import insights
from search.screens.reading.compare_views import compare, compare_with_before, provision_history
from search.screens.reading.document_references import cited_by, preview
from search.screens.reading.document_views import (
    document,
    document_contents,
    document_find,
    document_part,
    document_picture,
)
from search.screens.reading.work_views import work
from search.screens.search_views import home
from search.screens.synonyms import files as synonym_files
from search.screens.synonyms import views as synonym_views

urlpatterns = [
    path("kb/search", Search.as_view(), name="kb-search"),
    path("kb/suggest", Suggest.as_view(), name="kb-suggest"),
    path("kb/sources/<int:source_id>/provisions", Provisions.as_view(), name="kb-provisions"),
    path("kb/sources/<int:source_id>/provisions/<str:eid>", ProvisionDetail.as_view(), name="kb-provision"),
    path("kb/sources/<int:source_id>/references", References.as_view(), name="kb-references"),
    path("kb/sources/<int:source_id>/compare/<int:other_id>", Compare.as_view(), name="kb-compare"),
    path("kb/resolve", Resolve.as_view(), name="kb-resolve"),
    path("kb/sources/<int:source_id>.akn.xml", SourceAkomaNtoso.as_view(), name="kb-source-akn"),
    path("kb/ask", Ask.as_view(), name="kb-ask"),
    path("kb/ask/stream", AskStream.as_view(), name="kb-ask-stream"),
    path("kb/answers/<uuid:answer_id>/feedback", Feedback.as_view(), name="kb-answer-feedback"),
    path("admin/kb/synonyms", SynonymList.as_view(), name="admin-synonyms"),
    path("admin/kb/synonyms/<int:synonym_id>", SynonymDetail.as_view(), name="admin-synonym"),
    path("admin/kb/evaluation", EvaluationList.as_view(), name="admin-evaluation"),
    path("admin/kb/evaluation/<int:question_id>", EvaluationDetail.as_view(), name="admin-evaluation-question"),
    path("synonyms/", synonym_views.synonyms, name="synonyms"),
    path("synonyms/new/", synonym_views.create, name="synonym-create"),
    path("synonyms/import/", synonym_files.import_file, name="synonym-import"),
    path("synonyms/export.csv", synonym_files.export, name="synonym-export"),
    path("synonyms/<int:synonym_id>/edit/", synonym_views.change, name="synonym-change"),
    path("synonyms/<int:synonym_id>/delete/", synonym_views.delete, name="synonym-delete"),
    path("insights/", insights, name="insights"),
    path("evaluation/", list_views.evaluation, name="evaluation"),
    path("evaluation/run/", list_views.begin_run, name="evaluation-run"),
    path("evaluation/new/", question_views.create, name="evaluation-create"),
    path("evaluation/import/", file_views.import_file, name="evaluation-import"),
    path("evaluation/export.jsonl", file_views.export, name="evaluation-export"),
    path("evaluation/<int:question_id>/edit/", question_views.change, name="evaluation-change"),
    path("evaluation/<int:question_id>/delete/", question_views.delete, name="evaluation-delete"),
    path("mcp/<str:topic_slug>/", Mcp.as_view(), name="mcp"),
    path("", home, name="home"),
    path("ask/", ask, name="ask"),
    path("answers/feedback/", give_feedback, name="answer-feedback"),
    path("works/<int:work_id>/", work, name="work"),
    path("documents/", documents, name="documents"),
    path("changes/", changes, name="changes"),
    path("changes/feed/", feed, name="changes-feed"),
    path("documents/<int:source_id>/", document, name="document"),
    path("documents/<int:source_id>/part/", document_part, name="document-part"),
    path("documents/<int:source_id>/contents/", document_contents, name="document-contents"),
    path("documents/<int:source_id>/preview/", preview, name="document-preview"),
    path("documents/<int:source_id>/cited-by/", cited_by, name="document-cited-by"),
    path("documents/<int:source_id>/compare/", compare_with_before, name="document-compare-before"),
    path("documents/<int:source_id>/compare/<int:other_id>/", compare, name="document-compare"),
    path("documents/<int:source_id>/history/", provision_history, name="document-history"),
    path("documents/<int:source_id>/find/", document_find, name="document-find"),
    path("documents/<int:source_id>/pages/<int:number>.png", document_picture, name="document-picture"),
]
