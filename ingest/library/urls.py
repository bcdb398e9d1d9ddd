"""Admin paths of sources."""

from django.urls import path

from ingest.library.api import AdminSourceDetail, AdminSourceList, AdminSourceReindex

urlpatterns = [
    path("admin/kb/sources", AdminSourceList.as_view(), name="admin-kb-sources"),
    path("admin/kb/sources/<int:source_id>", AdminSourceDetail.as_view(), name="admin-kb-source"),
    path("admin/kb/sources/<int:source_id>/reindex", AdminSourceReindex.as_view(), name="admin-kb-source-reindex"),
]
