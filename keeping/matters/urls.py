"""Paths of matters, below those of their notebooks."""

from django.urls import path

from keeping.matters import screens
from keeping.matters.api import ItemDetail, Items

urlpatterns = [
    path("notebooks/<int:notebook_id>/since/", screens.since, name="notebook-since"),
    path("notebooks/<int:notebook_id>/looked/", screens.looked, name="notebook-looked"),
    path("notebooks/<int:notebook_id>/watches/", screens.add, name="notebook-watch"),
    path("notebooks/<int:notebook_id>/watches/<int:watch_id>/out/", screens.take_out, name="notebook-watch-out"),
    path("kb/notebooks/<int:notebook_id>/items", Items.as_view(), name="kb-notebook-items"),
    path("kb/notebooks/<int:notebook_id>/items/<int:watch_id>", ItemDetail.as_view(), name="kb-notebook-item"),
]
