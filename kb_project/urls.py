"""The roof: every path of the service, app by app."""

from django.contrib import admin
from django.urls import include, path, re_path

from kb_project.api.openapi_files import DocsView, SchemaView
from kb_project.api.problem import nothing_here
from kb_project.operations.probes import Healthz, Readyz
from kb_project.screens.design import design
from kb_project.web.security_txt import security_txt

urlpatterns = [
    path("", include("search.urls")),  # asked most: addresses are tried in this order
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", DocsView.as_view(), name="docs"),
    path("healthz", Healthz.as_view(), name="healthz"),
    path("readyz", Readyz.as_view(), name="readyz"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("design/", design, name="design"),
    path("", include("kb_project.accounts.urls")),
    path("", include("topics.urls")),
    path("", include("topics.oauth.urls")),
    path("", include("ingest.webhooks.urls")),
    path("", include("labels.urls")),
    path("", include("answers.urls")),
    path("", include("keeping.urls")),  # before the addresses of provisions, of which files have an ending
    path("", include("reading.urls")),
    path("", include("ingest.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    re_path(r"^admin/kb(/|$)", nothing_here),  # else Django's admin would offer a program its login page
    path("admin/", admin.site.urls),
]

handler400 = "kb_project.screens.errors.bad_request"
handler403 = "kb_project.screens.errors.permission_denied"
handler404 = "kb_project.screens.errors.page_not_found"
handler500 = "kb_project.screens.errors.server_error"
