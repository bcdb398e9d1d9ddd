"""Paths of labels, and of sources with their labels."""

from django.urls import path

from labels.api.labels import LabelDetail, LabelList, LabelMerge, NearDuplicates, PublicLabelList
from labels.api.sources import SourceDetail, SourceFile, SourceList
from labels.api.works import WorkDetail
from labels.screens import change_views, list_views

urlpatterns = [
    path("labels/", list_views.labels, name="labels"),
    path("labels/options/", list_views.options, name="label-options"),
    path("labels/nearly-the-same/", list_views.pairs, name="label-pairs"),
    path("labels/use/", list_views.use, name="label-use"),
    path("labels/alike/", change_views.alike, name="label-alike"),
    path("labels/new/", change_views.create, name="label-create"),
    path("labels/<int:label_id>/rename/", change_views.rename, name="label-rename"),
    path("labels/<int:label_id>/merge/", change_views.merge, name="label-merge"),
    path("labels/<int:label_id>/delete/", change_views.delete, name="label-delete"),
    path("admin/kb/labels", LabelList.as_view(), name="admin-labels"),
    path("admin/kb/labels/near-duplicates", NearDuplicates.as_view(), name="admin-label-near-duplicates"),
    path("admin/kb/labels/<int:label_id>", LabelDetail.as_view(), name="admin-label"),
    path("admin/kb/labels/<int:label_id>/merge", LabelMerge.as_view(), name="admin-label-merge"),
    path("kb/labels", PublicLabelList.as_view(), name="kb-labels"),
    path("kb/sources", SourceList.as_view(), name="kb-sources"),
    path("kb/sources/<int:source_id>", SourceDetail.as_view(), name="kb-source"),
    path("kb/sources/<int:source_id>/file", SourceFile.as_view(), name="kb-source-file"),
    path("kb/works/<int:work_id>", WorkDetail.as_view(), name="kb-work"),
]
