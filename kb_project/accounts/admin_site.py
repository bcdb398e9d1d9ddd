"""The site of Django's admin: its name, and its way in and out, which is that of all screens."""

from typing import Any

from django.contrib.admin import AdminSite, autodiscover
from django.core.checks import CheckMessage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext_lazy as _


class KnowledgeBaseSite(AdminSite):
    site_header = _("Legal knowledge base")
    site_title = _("Legal knowledge base")
    index_title = _("Stored records")
    site_url = "/review/"
    enable_nav_sidebar = False  # it repeats the first page

    def has_permission(self, request: HttpRequest) -> bool:
        """As ever, by what somebody may do everywhere: the admin knows no topics (`topics.access`)."""
        request.user.is_in_admin = True  # type: ignore[union-attr]
        return super().has_permission(request)

    def check(self, app_configs: Any) -> list[CheckMessage]:
        autodiscover()
        return super().check(app_configs)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Without the redirect to the page of a row: ours are linked directly, and for UUIDs it fails."""
        autodiscover()
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]

    def login(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        from kb_project.accounts.sign_in import SignIn  # imports models, and this module is read before there are any

        return SignIn.as_view()(request)

    def logout(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        from kb_project.accounts.sign_in import SignOut  # as above

        return SignOut.as_view()(request)

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        from kb_project.accounts.passwords.screens import PasswordChange  # as above

        return PasswordChange.as_view()(request)
