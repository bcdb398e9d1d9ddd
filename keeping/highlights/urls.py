"""Paths of highlights."""

from django.urls import path

from keeping.highlights.api import HighlightDetail, Highlights

urlpatterns = [
    path("kb/highlights", Highlights.as_view(), name="kb-highlights"),
    path("kb/highlights/<int:highlight_id>", HighlightDetail.as_view(), name="kb-highlight"),
]
