"""Who may send files, and how large: decided by a request's address and headers, before its body is taken in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.settings import api_settings

from kb_project.web.request_body import ORDINARY_BYTES, Allowance, BodyRefused

V = TypeVar("V", bound=Callable[..., Any])


def takes_files(setting: str) -> Callable[[V], V]:
    """Mark a view, function or class, that takes files: as many MB in a request as the setting of this name says."""

    def mark(view: V) -> V:
        view.takes_files = setting  # type: ignore[attr-defined]
        return view

    return mark


def allowance_for(request: HttpRequest) -> Allowance:
    """What a request without its body may send. Raises BodyRefused for other paths, and for who may not upload."""
    view = _view(request)
    setting = getattr(view, "takes_files", None)
    if setting is None:
        raise BodyRefused(413, f"This address takes at most {ORDINARY_BYTES // 1024} KB.")
    needs: Mapping[str, str] = getattr(view, "needs", {})
    permission = needs.get(request.method or "")
    if permission is None:
        raise BodyRefused(405, "This address takes no files by this method.")
    user = _caller(request)
    if not user.is_authenticated:
        raise BodyRefused(401, "Files are taken from staff alone: sign in, or send an admin key.")
    if not (user.is_active and user.is_staff and user.has_perm(permission)):
        raise BodyRefused(403, f"This needs the permission {permission}, which you do not have.")
    megabytes = getattr(settings, setting)
    return Allowance(megabytes * 1024 * 1024 + ORDINARY_BYTES, settings.KB_UPLOAD_TIMEOUT_S)


def _view(request: HttpRequest) -> Any:
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return None
    return getattr(view, "cls", view)  # of DRF's views the class


def _caller(request: HttpRequest) -> Any:
    """The user or key of the headers. The CSRF token, which may be in the body, is looked at later, by the view."""
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    classes: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES  # the stubs say names
    authenticators = [authenticator() for authenticator in classes]
    for authenticator in authenticators:
        authenticator.enforce_csrf = lambda _: None
    request.user = get_user(request)
    try:
        return Request(request, authenticators=authenticators).user
    except APIException as refusal:
        raise BodyRefused(refusal.status_code, str(refusal.detail)) from refusal
