"""Paths of the foundation: the API's document, the page to browse it, and the health probes."""

from django.urls import path

from kb_project.api.views import DocsView, SchemaView
from kb_project.observability.health import Healthz, Readyz

urlpatterns = [
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", DocsView.as_view(), name="docs"),
    path("healthz", Healthz.as_view(), name="healthz"),
    path("readyz", Readyz.as_view(), name="readyz"),
]
