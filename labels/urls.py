"""Paths of labels, and of sources with their labels."""

from django.urls import include, path

from labels.api.labels import LabelDetail, LabelList, LabelMerge, NearDuplicates, PublicLabelList
from labels.api.sources import SourceDetail, SourceFile, SourceList
from labels.chips import chooser

urlpatterns = [
    path("labels/options/", chooser.options, name="label-options"),
    path("labels/", include("labels.screens.urls")),
    path("admin/kb/labels", LabelList.as_view(), name="admin-labels"),
    path("admin/kb/labels/near-duplicates", NearDuplicates.as_view(), name="admin-label-near-duplicates"),
    path("admin/kb/labels/<int:label_id>", LabelDetail.as_view(), name="admin-label"),
    path("admin/kb/labels/<int:label_id>/merge", LabelMerge.as_view(), name="admin-label-merge"),
    path("kb/labels", PublicLabelList.as_view(), name="kb-labels"),
    path("kb/sources", SourceList.as_view(), name="kb-sources"),
    path("kb/sources/<int:source_id>", SourceDetail.as_view(), name="kb-source"),
    path("kb/sources/<int:source_id>/file", SourceFile.as_view(), name="kb-source-file"),
]
