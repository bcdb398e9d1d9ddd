"""Paths of the label screens."""

from django.urls import path

from labels.screens import change_views, list_views, merge_views

urlpatterns = [
    path("", list_views.labels, name="labels"),
    path("nearly-the-same/", list_views.pairs, name="label-pairs"),
    path("use/", list_views.use, name="label-use"),
    path("alike/", change_views.alike, name="label-alike"),
    path("new/", change_views.create, name="label-create"),
    path("<int:label_id>/rename/", change_views.rename, name="label-rename"),
    path("<int:label_id>/merge/", merge_views.merge, name="label-merge"),
    path("<int:label_id>/delete/", change_views.delete, name="label-delete"),
]
