"""The site of Django's admin: what it is called, where its way out leads, and a note of changed passwords."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from kb_project.password_audit import noting_password


class KnowledgeBaseSite(AdminSite):
    site_header = _("Legal knowledge base")
    site_title = _("Legal knowledge base")
    index_title = _("Administration")
    site_url = "/review/"

    def password_change(  # type: ignore[override]  # it answers a redirect as often as a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        with noting_password(request.user.pk, by=request.user.get_username()):
            return super().password_change(request, extra_context)
