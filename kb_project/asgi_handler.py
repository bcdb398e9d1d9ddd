"""Django behind ASGI: one thread to a request, all text is UTF-8, and what cannot be read is refused as a problem."""

from __future__ import annotations

import gc
import logging
from collections.abc import Mapping
from typing import Any

import django
from asgiref.sync import sync_to_async
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http import HttpRequest, HttpResponseBase
from django.urls import get_resolver
from django.utils.http import parse_header_parameters

from kb_project.api.problem import ProblemResponse
from kb_project.startup import refuse_mistakes

logger = logging.getLogger(__name__)


class Utf8Request(ASGIRequest):
    """A request whose Content-Type cannot choose the codec.

    Django takes any codec of Python's for the query string and forms, also those that decode no text, and then fails.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class Utf8Handler(ASGIHandler):
    """ASGIHandler that answers 400 where Django's own would let an exception out to the server."""

    request_class = Utf8Request

    def load_middleware(self, is_async: bool = False) -> None:
        """Builds the synchronous chain: middleware and view then share the request's thread.

        In the asynchronous one each of them may hop to a thread and back, which costs more than a search.
        """
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The whole answer in one hop to the request's thread; a stream is read in the event loop afterwards."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)

    def create_request(
        self, scope: Mapping[str, Any], body_file: Any
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        try:
            return self.request_class(scope, body_file), None
        except (ValueError, LookupError, SuspiciousOperation) as error:
            logger.warning("A request could not be read: %s", error)
            return None, ProblemResponse(400, detail="The address or a header of the request cannot be read.")


def get_application() -> Utf8Handler:
    """As `django.core.asgi.get_asgi_application`; raises ImproperlyConfigured where the settings hold a mistake."""
    django.setup(set_prefix=False)
    refuse_mistakes()
    handler = Utf8Handler()
    get_resolver().url_patterns  # noqa: B018  # imports every view: the first request need not
    # What is loaded by now stays: the garbage collector need not walk through it again and again.
    gc.collect()
    gc.freeze()
    return handler
