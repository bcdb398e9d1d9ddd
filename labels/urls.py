"""Paths of labels, and of sources with their labels."""

from django.urls import path

from labels import chooser
from labels.source_api import SourceDetail, SourceFile, SourceList

urlpatterns = [
    path("labels/options/", chooser.options, name="label-options"),
    path("kb/sources", SourceList.as_view(), name="kb-sources"),
    path("kb/sources/<int:source_id>", SourceDetail.as_view(), name="kb-source"),
    path("kb/sources/<int:source_id>/file", SourceFile.as_view(), name="kb-source-file"),
]
