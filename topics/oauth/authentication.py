"""Who sends a message with an access token, and for which resource: an agent, for its person, in its topic."""

from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from kb_project.web.origins import origin_of
from topics.authentication import KeyHolder
from topics.models import ApiKey, Topic
from topics.oauth import connections
from topics.oauth.models import AgentConnection
from topics.oauth.scopes import scopes_of

MCP = ("mcp", "mcp-without-slash")  # names of the paths
BEARER = "Bearer"


class AgentOfPerson(KeyHolder):
    """As the holder of a reading key that is pinned to the topic, with its scopes. `person` is whom it acts for."""

    def __init__(self, connection: AgentConnection) -> None:
        topic = connection.topic
        super().__init__(ApiKey(name=f"{connection.client} for {connection.user}", topic=topic, admin=False))
        self.connection, self.person = connection, connection.user

    def may_call(self, method: str) -> bool:
        return any(method in scope.methods for scope in scopes_of(self.connection.scope))

    @property
    def client_id(self) -> str:
        return f"user:{self.person.pk}"

    def get_username(self) -> str:
        return str(self.person.get_username())

    @property
    def name_in_log(self) -> str:
        return f"agent {self.connection.pk} for {self.person.get_username()}"


class AccessTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer kba_…`, while `KB_OAUTH` is on."""

    def authenticate(self, request: Request) -> tuple[AgentOfPerson, AgentConnection] | None:
        scheme, _space, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if not settings.KB_OAUTH or scheme.lower() != BEARER.lower() or not token.startswith(connections.ACCESS):
            return None
        connection = connections.of_access_token(token.strip(" "))
        if connection is None:
            raise AuthenticationFailed(_("The access token does not exist, has expired or was revoked."))
        return AgentOfPerson(connection), connection


def topic_of_resource(request: HttpRequest, resource: str) -> Topic | None:
    """The topic whose MCP address this is, here and not on another host."""
    try:
        parts = urlsplit(resource)
        match = resolve(parts.path)
    except (ValueError, Resolver404):
        return None
    here = f"{parts.scheme}://{parts.netloc}".lower() == origin_of(request).lower()
    if not here or parts.query or parts.fragment or match.url_name not in MCP:
        return None
    slug = match.kwargs["topic_slug"]
    return Topic.objects.filter(Q(slug=slug) | Q(former_slugs__slug=slug)).first() if "\0" not in slug else None


def metadata_address(request: HttpRequest) -> str:
    """Where the program that was refused at this MCP address reads how to ask for a token."""
    path = request.path.strip("/")
    return origin_of(request) + reverse("oauth-resource", args=[path.partition("/")[2]])
