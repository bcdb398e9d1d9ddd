"""Who read what of topics that are open to their members alone, written into the audit where `KB_AUDIT_READS` asks.

Words of queries are not kept. A request notes what it reads, and the middleware writes it when the answer is made: what
only reads may be answered from a standby, where nothing can be written.
"""

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import Error, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from kb_project import audit
from topics.models import OpenTo, Topic

logger = logging.getLogger(__name__)


def note_read(request: Request | HttpRequest, action: str, read: Any) -> None:
    """Note that the caller read a thing, which has a `topic`, or searched in a topic, if that is to be written down."""
    if not settings.KB_AUDIT_READS:
        return
    topic = read if isinstance(read, Topic) else read.topic
    if topic.open_to != OpenTo.MEMBERS:
        return
    plain = request._request if isinstance(request, Request) else request
    by = getattr(request.user, "get_username", str)() or "anonymous"
    noted = plain.__dict__.setdefault("_read", {})
    noted[action, read._meta.label, read.pk] = (by, read, topic.pk)


class ReadLog:
    """Middleware: writes what a request noted. An answer is given also where that fails, which the log says."""

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        if noted := request.__dict__.get("_read"):
            try:
                with transaction.atomic():
                    audit.record_all(
                        audit.entry(by=by, action=action, thing=thing, after={"read": True}, topic_id=topic_id)
                        for (action, _, _), (by, thing, topic_id) in noted.items()
                    )
            except Error:
                logger.warning("A read could not be written into the audit", exc_info=True)
        return response
