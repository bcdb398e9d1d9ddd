"""Paths of the search API."""

from django.urls import path

from search.api.ask import Ask, AskStream
from search.api.search import Search

urlpatterns = [
    path("kb/search", Search.as_view(), name="kb-search"),
    path("kb/ask", Ask.as_view(), name="kb-ask"),
    path("kb/ask/stream", AskStream.as_view(), name="kb-ask-stream"),
]
