"""The roof: every path of the service, app by app."""

from django.contrib import admin
from django.urls import include, path, re_path

from kb_project.api.problem import nothing_here

urlpatterns = [
    path("", include("kb_project.api.urls")),
    path("", include("topics.urls")),
    path("", include("labels.urls")),
    path("", include("search.urls")),
    path("", include("ingest.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    re_path(r"^admin/kb(/|$)", nothing_here),  # else Django's admin would offer a program its login page
    path("admin/", admin.site.urls),
]

handler400 = "kb_project.api.problem.bad_request"
handler403 = "kb_project.api.problem.permission_denied"
handler404 = "kb_project.api.problem.page_not_found"
handler500 = "kb_project.api.problem.server_error"
