"""Paths of labels."""

from django.urls import path

from labels.api import LabelDetail, LabelList, LabelMerge, NearDuplicates, PublicLabelList
from labels.screens import changes, labels

urlpatterns = [
    path("labels/", labels.labels, name="labels"),
    path("labels/options/", labels.options, name="label-options"),
    path("labels/nearly-the-same/", labels.pairs, name="label-pairs"),
    path("labels/use/", labels.use, name="label-use"),
    path("labels/alike/", changes.alike, name="label-alike"),
    path("labels/new/", changes.create, name="label-create"),
    path("labels/<int:label_id>/rename/", changes.rename, name="label-rename"),
    path("labels/<int:label_id>/merge/", changes.merge, name="label-merge"),
    path("labels/<int:label_id>/delete/", changes.delete, name="label-delete"),
    path("admin/kb/labels", LabelList.as_view(), name="admin-labels"),
    path("admin/kb/labels/near-duplicates", NearDuplicates.as_view(), name="admin-label-near-duplicates"),
    path("admin/kb/labels/<int:label_id>", LabelDetail.as_view(), name="admin-label"),
    path("admin/kb/labels/<int:label_id>/merge", LabelMerge.as_view(), name="admin-label-merge"),
    path("kb/labels", PublicLabelList.as_view(), name="kb-labels"),
]
