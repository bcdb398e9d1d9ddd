"""Paths of search: its API, its page, browsing, and synonyms."""

from django.urls import path

from search.api import Search, Suggest
from search.screens.browsing import documents
from search.screens.search import home
from search.shown.law_day import back_to_today
from search.synonyms import screens as synonym_views
from search.synonyms.api import SynonymDetail, SynonymList

urlpatterns = [
    path("kb/search", Search.as_view(), name="kb-search"),
    path("kb/suggest", Suggest.as_view(), name="kb-suggest"),
    path("admin/kb/synonyms", SynonymList.as_view(), name="admin-synonyms"),
    path("admin/kb/synonyms/<int:synonym_id>", SynonymDetail.as_view(), name="admin-synonym"),
    path("synonyms/", synonym_views.synonyms, name="synonyms"),
    path("synonyms/new/", synonym_views.create, name="synonym-create"),
    path("synonyms/import/", synonym_views.import_file, name="synonym-import"),
    path("synonyms/export.csv", synonym_views.export, name="synonym-export"),
    path("synonyms/<int:synonym_id>/edit/", synonym_views.change, name="synonym-change"),
    path("synonyms/<int:synonym_id>/delete/", synonym_views.delete, name="synonym-delete"),
    path("", home, name="home"),
    path("documents/", documents, name="documents"),
    path("day/today/", back_to_today, name="back-to-today"),
]
