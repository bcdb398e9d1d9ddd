"""What this service calls itself, where somebody else will use the address: an issuer, a link in a mail or a file."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.encoding import iri_to_uri
from rest_framework.request import Request

DEFAULT_PORTS = {"http": "80", "https": "443"}
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
Absolute = Callable[[str], str]
"""From the path of a page to its address."""


def origin_of(request: HttpRequest | Request) -> str:
    """`KB_PUBLIC_URL`, or without it the scheme and host that the request asked, with its port.

    ALLOWED_HOSTS says nothing of ports, and whoever sends a request can name any. Raises DisallowedHost for one that is
    neither that of the scheme nor the one on which the request came, but to this machine's own names.
    """
    if settings.KB_PUBLIC_URL:
        return str(settings.KB_PUBLIC_URL)
    host = request.get_host()
    domain, port = split_domain_port(host)
    if port not in ("", DEFAULT_PORTS[request.scheme or "http"], request.get_port()) and domain not in LOOPBACK:
        raise DisallowedHost(f"The port of the host {host!r} is not this service's (KB_PUBLIC_URL).")
    return f"{request.scheme}://{host}"


def absolute(request: HttpRequest | Request) -> Absolute:
    """What makes the addresses of a file that leaves the house. Raises DisallowedHost, as `origin_of`, at once."""
    origin = origin_of(request)
    return lambda path: iri_to_uri(origin + path) or ""


def configuration_errors() -> list[str]:
    """What is wrong with `KB_PUBLIC_URL`, in sentences."""
    url = settings.KB_PUBLIC_URL
    try:
        parts = urlsplit(url)
        is_origin = parts.scheme in DEFAULT_PORTS and parts.hostname and url == f"{parts.scheme}://{parts.netloc}"
        is_right = not url or (is_origin and "@" not in parts.netloc and parts.port != 0)
    except ValueError:
        is_right = False
    return [] if is_right else [f"KB_PUBLIC_URL is {url!r}; it must be like https://kb.example.org, without a path."]
