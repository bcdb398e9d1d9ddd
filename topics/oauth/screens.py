"""`/oauth/authorize/`: a person allows an agent. `/account/agents/`: what is allowed, and taking it back."""

from urllib.parse import urlsplit

from authlib.oauth2 import OAuth2Error
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kb_project.screens.access import to_sign_in
from topics.access import principal_of, visible_topics
from topics.oauth import connections
from topics.oauth.models import AgentConnection
from topics.oauth.scopes import scopes_of
from topics.oauth.server import server

CONNECTIONS_A_PAGE = 50
SEES_ALL, REVOKES_ALL = "topics.view_apikey", "topics.change_apikey"  # as of keys


def agents_offered(request: HttpRequest) -> dict[str, bool]:
    """For templates: whether agents can be let in here."""
    return {"agents_offered": settings.KB_OAUTH}


def _person(request: HttpRequest) -> User | None:
    if not settings.KB_OAUTH:
        raise Http404
    return request.user if isinstance(request.user, User) else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def authorize(request: HttpRequest) -> HttpResponse:
    """Ask the person whether this program may enter this topic in their name, for what its scopes say."""
    person = _person(request)
    if person is None:
        return to_sign_in(request)
    try:
        grant = server().get_consent_grant(request, end_user=person)
    except OAuth2Error as error:
        return _refused(request, error)
    client, redirect_uri = grant.request.client, grant.request.payload.redirect_uri
    back = host_of(redirect_uri or client.get_default_redirect_uri())
    if request.method == "POST":
        allowed = person if "allow" in request.POST else None
        answer = server().create_authorization_response(request, grant_user=allowed, grant=grant)
        # A page, since the policy of pages lets no form lead to another host.
        context = {"onward": answer["Location"], "back": back, "allowed": allowed, "section": "agents"}
        return render(request, "oauth/leaving.html", context)
    context = {
        "client": client,
        "topic": grant.request.topic,
        "back": back,
        "looks_like": as_read(back),
        "scopes": scopes_of(grant.request.scope),
        "section": "agents",
    }
    return render(request, "oauth/consent.html", context)


def host_of(uri: str) -> str:
    """The host of an address and its port, as they are looked up: letters beyond ASCII as `xn--…`."""
    netloc = urlsplit(uri).netloc.lower()
    if netloc.isascii():
        return netloc
    host, colon, port = netloc.partition(":")
    try:
        return host.encode("idna").decode("ascii") + colon + port
    except UnicodeError:
        return ascii(netloc)


def as_read(host: str) -> str:
    """How browsers may show a host with `xn--…`, which may look like another. "" for any other."""
    if "xn--" not in host:
        return ""
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host


def _refused(request: HttpRequest, error: OAuth2Error) -> HttpResponse:
    """Said here, and not sent on: else any registered client could use this address to lead people elsewhere."""
    context = {"code": error.error, "said": error.description, "section": "agents"}
    return render(request, "oauth/refused.html", context, status=400)


@never_cache
@require_http_methods(["GET", "HEAD"])
def agents(request: HttpRequest) -> HttpResponse:
    """The person's own connections, or everybody's for who looks after keys."""
    person = _person(request)
    if person is None:
        return to_sign_in(request)
    sees_all = person.has_perm(SEES_ALL)
    shows_all = sees_all and request.GET.get("show") == "all"
    found = connections.live_connections(None if shows_all else person).exclude(access_hash="")
    page = Paginator(found.select_related("client", "user", "topic"), CONNECTIONS_A_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "section": "agents",
        "page": page,
        "seen": set(visible_topics(principal_of(person)).values_list("pk", flat=True)),
        "sees_all": sees_all,
        "shows_all": shows_all,
        "may_revoke": not shows_all or person.has_perm(REVOKES_ALL),
    }
    return render(request, "oauth/agents.html", context)


@require_http_methods(["POST"])
def revoke(request: HttpRequest, connection_id: int) -> HttpResponse:
    person = _person(request)
    if person is None:
        return to_sign_in(request)
    found = AgentConnection.objects.filter(pk=connection_id)
    connection = (found if person.has_perm(REVOKES_ALL) else found.filter(user=person)).first()
    if connection is None:
        raise Http404
    connections.revoke(connection, by=person.get_username())
    messages.success(request, _("The agent can no longer enter."))
    back = redirect("agents")
    if connection.user_id != person.pk:
        back["Location"] += "?show=all"
    return back
