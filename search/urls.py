"""Paths of the search API."""

from django.urls import path

from search.api.search import Search

urlpatterns = [
    path("kb/search", Search.as_view(), name="kb-search"),
]
