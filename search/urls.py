"""Paths of search: the API and the public pages."""

from django.urls import path

from search.agent.mcp.http import Mcp
from search.api.ask import Ask, AskStream
from search.api.search import Search
from search.screens.ask_views import ask
from search.screens.document_views import document
from search.screens.search_views import home

urlpatterns = [
    path("kb/search", Search.as_view(), name="kb-search"),
    path("kb/ask", Ask.as_view(), name="kb-ask"),
    path("kb/ask/stream", AskStream.as_view(), name="kb-ask-stream"),
    path("mcp/<str:topic_slug>/", Mcp.as_view(), name="mcp"),
    path("", home, name="home"),
    path("ask/", ask, name="ask"),
    path("documents/<int:source_id>/", document, name="document"),
]
