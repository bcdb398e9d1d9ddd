"""Middleware of our own."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.decorators import sync_only_middleware

from kb_project.api.problem import is_api_path

API_LANGUAGE = "en"


@sync_only_middleware
def one_thread(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Does nothing, last in the list, but be synchronous: all middleware before it then runs in the view's thread.

    Under ASGI each of Django's would otherwise hop to a thread and back twice, which costs more than a search.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    return middleware


class ScreenLanguage(LocaleMiddleware):
    """Django's choice of a language for the screens; the API speaks English whoever asks.

    So a refusal is said through gettext where it is raised: the screens show it in the reader's language, and programs
    always read the same sentence.
    """

    def process_request(self, request: HttpRequest) -> None:
        if is_api_path(request.path_info):
            translation.activate(API_LANGUAGE)
            request.LANGUAGE_CODE = API_LANGUAGE
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if is_api_path(request.path_info):
            response.headers.setdefault("Content-Language", API_LANGUAGE)
            return response
        return super().process_response(request, response)
