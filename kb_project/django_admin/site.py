"""The site of Django's admin: its name, its way in and out, and a note of changed passwords."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from kb_project.accounts.login_throttle import LoginForm
from kb_project.accounts.passwords import noting_password


class KnowledgeBaseSite(AdminSite):
    site_header = _("Legal knowledge base")
    site_title = _("Legal knowledge base")
    index_title = _("Administration")
    site_url = "/review/"
    login_form = LoginForm

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        response = super().login(request, extra_context)
        form = (getattr(response, "context_data", None) or {}).get("form")
        if isinstance(form, LoginForm) and form.wait_s is not None:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.wait_s)
        return response

    def logout(  # type: ignore[override]  # it answers a redirect as often as a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response: HttpResponse = super().logout(request, extra_context)
        if request.method == "POST":  # a link of another site must not throw a reviewer's drafts away
            response.headers["Clear-Site-Data"] = '"storage"'  # drafts and answers that a tab has kept
        return response

    def password_change(  # type: ignore[override]  # it answers a redirect as often as a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        with noting_password(request.user.pk, by=request.user.get_username()):
            return super().password_change(request, extra_context)
