"""Middleware where there are standbys: what a request changed is read by every request after its answer."""

import logging
from collections.abc import Callable

from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from kb_project.database.standbys import positions, reading
from kb_project.screens.errors import refused_early

logger = logging.getLogger(__name__)

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")


class StandbyConsistency:
    """Notes how far standbys must come, before the answer to a request that may have changed something is out.

    Where that cannot be noted the answer is 503: the change has been made, and may not be seen yet.
    """

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method in SAFE:
            return self._get_response(request)
        reading.begin_request()
        response = self._get_response(request)
        refused = 400 <= response.status_code < 500
        if not refused and not reading.has_only_read():
            try:
                positions.require_reads_after_now()
            except Error:
                logger.warning("A change could not be noted for the standbys", exc_info=True)
                return refused_early(request, 503, "The change was made, but the database went away. Look at it again.")
        return response
