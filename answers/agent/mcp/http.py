"""POST /mcp/<topic_slug>/, also without the slash: MCP's streamable HTTP. The address, or the key, says the topic."""

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.utils.http import is_same_domain
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from answers.agent import tools_of, topic_of_slug
from kb_project.api.permissions import PublicOrKey
from kb_project.api.problem import ProblemResponse
from kb_project.api.strict import forbid_query
from kb_project.api.throttles import SearchThrottle
from kb_project.database.standbys.reading import only_reads
from kb_project.errors import NotFound, PermissionDenied, TooLarge, UnsupportedType
from topics.authentication import SCHEME, ApiKeyAuthentication, KeyHolder
from topics.models import Topic
from topics.oauth.authentication import AccessTokenAuthentication, metadata_address
from topics.oauth.connections import ACCESS
from topics.scoping import caller_of, note_search, pinned_elsewhere, visible_topics

MAX_BODY_BYTES = 64 * 1024  # bytes; the longest query has 2,000 characters
MAX_REFUSED_BYTES = 4 * 1024 * 1024  # bytes of which the number is read that the refusal answers to
BEARER = "Bearer"
CODES = {413: -32600, 429: -32029}
"""The code of an error by the status of a problem: an invalid request, and one of those left to servers."""
HANDSHAKES = ("initialize", "ping", "tools/list", "server/discover")
_NOTIFICATIONS = "notifications/"


class KeyOrBearer(ApiKeyAuthentication):
    """`Authorization: Bearer <key>` besides `Api-Key <key>`: the one scheme that every MCP client can send."""

    def authenticate(self, request: Request) -> tuple[KeyHolder, Any] | None:
        scheme, _space, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if settings.KB_OAUTH and text.startswith(ACCESS):
            return None  # a person's
        if scheme.lower() == BEARER.lower():
            request.META["HTTP_AUTHORIZATION"] = f"{SCHEME} {text}"
        return super().authenticate(request)

    def authenticate_header(self, request: Request) -> str:
        """With where to ask for a token, if this service gives any."""
        said = f'{BEARER} realm="kb"'
        return f'{said}, resource_metadata="{metadata_address(request._request)}"' if settings.KB_OAUTH else said


class Mcp(APIView):
    """Stateless: each message is answered by itself, with JSON. There is no stream to GET and no session to DELETE."""

    authentication_classes = [KeyOrBearer, AccessTokenAuthentication]  # never a browser's session
    permission_classes = [PublicOrKey]
    throttle_classes = [SearchThrottle]
    refuses_by_itself_up_to = MAX_REFUSED_BYTES

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        _require_own_origin(request)
        super().initial(request, *args, **kwargs)

    def check_throttles(self, request: Request) -> None:
        """Count what costs a search: many clients shake hands anew for each call, and list the tools each time."""
        if not is_handshake(request.body):
            super().check_throttles(request)

    def handle_exception(self, exc: Exception) -> Any:
        """As usual, but what a session goes on after is an answer to the message: clients end at a status of HTTP."""
        response = super().handle_exception(exc)
        if isinstance(response, ProblemResponse) and response.status_code in CODES:
            return refusal(self.request.body, response) or response
        return response

    @extend_schema(exclude=True)
    def post(self, request: Request, topic_slug: str) -> HttpResponse:
        forbid_query(request)
        only_reads()
        try:
            topic = _topic(request, topic_slug)
        except NotFound:
            if settings.KB_OAUTH and not request.user.is_authenticated:
                raise NotAuthenticated from None  # who signs in may see more, and none is told which there are
            raise
        if request.content_type.partition(";")[0].strip().lower() != "application/json":
            raise UnsupportedType("A message is sent as application/json.")
        if len(request.body) > MAX_BODY_BYTES:
            raise TooLarge(f"A message has at most {MAX_BODY_BYTES:,} bytes.")
        # The protocol's package takes more than a second to import, and few processes ever need it.
        from answers.agent.mcp.exchange import exchange

        return exchange(request._request, tools=tools_of(topic))


def _topic(request: Request, slug: str) -> Topic:
    """The topic that has this slug, or had it.

    Raises PermissionDenied where a key is pinned to another topic, whether or not this one exists, and NotFound.
    """
    topic = topic_of_slug(slug, among=visible_topics(request))
    if topic is None and caller_of(request).key_topic_id is not None:
        raise pinned_elsewhere()
    if topic is None:
        raise NotFound("There is no topic with this slug.")
    note_search(request, topic)
    return topic


def _require_own_origin(request: Request) -> None:
    """Refuse a browser's page of another site, also one whose name was made to lead here, as CSRF protection does.

    The Host header has been held against ALLOWED_HOSTS by then.
    """
    origin = request.META.get("HTTP_ORIGIN")
    if origin is None or origin == f"{request.scheme}://{request.get_host()}":
        return
    scheme, _, host = origin.lower().partition("://")
    for trusted in settings.CSRF_TRUSTED_ORIGINS:
        trusted_scheme, _, pattern = trusted.lower().partition("://")
        if scheme == trusted_scheme and is_same_domain(host, pattern.removeprefix("*")):
            return
    raise PermissionDenied("This Origin is not one of CSRF_TRUSTED_ORIGINS.")


def is_handshake(body: bytes) -> bool:
    """Whether the message is one that begins or keeps up a session and looks for nothing."""
    method = _read(body).get("method")
    return isinstance(method, str) and (method in HANDSHAKES or method.startswith(_NOTIFICATIONS))


def refusal(body: bytes, problem: ProblemResponse) -> JsonResponse | None:
    """The problem as the error that answers the message, or None for a message that has no id to answer to."""
    number = _read(body).get("id")
    if isinstance(number, bool) or not isinstance(number, int | str):
        return None
    said = problem.problem
    error = {"code": CODES[problem.status_code], "message": said["detail"], "data": said}
    response = JsonResponse({"jsonrpc": "2.0", "id": number, "error": error})
    if wait := problem.headers.get("Retry-After"):
        response["Retry-After"] = wait
    return response


def _read(body: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
