"""What a token is for: the MCP address of a topic, as a resource indicator of RFC 8707 names it."""

from urllib.parse import urlsplit

from django.db.models import Q
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from kb_project.web.origins import origin_of
from topics.models import Topic

MCP = ("mcp", "mcp-without-slash")  # names of the paths


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
