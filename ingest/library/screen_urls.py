"""Paths of the library's screens."""

from django.urls import path

from ingest.library import list_views, source_views

urlpatterns = [
    path("", list_views.library, name="library"),
    path("labels/", list_views.change_labels, name="library-labels"),
    path("<int:source_id>/", source_views.source, name="library-source"),
    path("<int:source_id>/reindex/", source_views.reindexing, name="library-source-reindex"),
    path("<int:source_id>/delete/", source_views.delete, name="library-source-delete"),
]
