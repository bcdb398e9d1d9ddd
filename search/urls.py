"""Paths of search: the API and the public pages."""

from django.urls import path

from answers.agent.mcp.http import Mcp
from answers.asking.api import Ask, AskStream, Feedback
from answers.asking.feedback_views import give_feedback
from answers.asking.screens import ask
from answers.evaluation.api import EvaluationDetail, EvaluationList
from answers.evaluation.screens import files, questions, runs
from answers.insights.screens import insights
from reading.akn.api import SourceAkomaNtoso
from reading.changes.feed import feed
from reading.changes.views import changes
from reading.compare.api import Compare
from reading.compare.screens import compare, compare_with_before, provision_history
from reading.documents.references import cited_by, preview
from reading.documents.screens import document, document_contents, document_find, document_part, document_picture
from reading.provisions.api import ProvisionDetail, Provisions
from reading.references.api import References, Resolve
from reading.works.screens import work
from search.api.search import Search
from search.api.suggest import Suggest
from search.screens.browse_views import documents
from search.screens.search import home
from search.synonyms.api import SynonymDetail, SynonymList
from search.synonyms.screens import files as synonym_files
from search.synonyms.screens import synonyms as synonym_views

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
    path("evaluation/", runs.evaluation, name="evaluation"),
    path("evaluation/run/", runs.begin_run, name="evaluation-run"),
    path("evaluation/new/", questions.create, name="evaluation-create"),
    path("evaluation/import/", files.import_file, name="evaluation-import"),
    path("evaluation/export.jsonl", files.export, name="evaluation-export"),
    path("evaluation/<int:question_id>/edit/", questions.change, name="evaluation-change"),
    path("evaluation/<int:question_id>/delete/", questions.delete, name="evaluation-delete"),
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
