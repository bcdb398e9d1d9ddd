"""Who may see the public pages, and how often: as `/kb`, with the same counters, but said on a page."""

import math
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from rest_framework.exceptions import AuthenticationFailed

from kb_project.api.throttles import ClientThrottle, PublicThrottle, ReadingThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import Throttled
from kb_project.screens.access import to_sign_in
from kb_project.screens.errors import error_page
from sources.models import Source
from topics.authentication import ApiKeyAuthentication
from topics.reads import note_read
from topics.scoping import within_topics

View = Callable[..., HttpResponseBase]


def public_page(view: View) -> View:
    """A page for everyone, or, with `KB_PUBLIC_REQUIRES_KEY`, for those who are signed in. It is only read."""
    return require_safe(for_readers(from_standby(view)))


def for_readers(view: View) -> View:
    """A view for whoever may read the public pages."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if settings.KB_PUBLIC_REQUIRES_KEY and not request.user.is_authenticated:
            return to_sign_in(request)
        return view(request, *args, **kwargs)

    return wrapper


def public_feed(view: View) -> View:
    """A page that programs fetch: open as `public_page` is, and with an API key to what the key may see.

    They are not led to the sign-in page.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        keys = ApiKeyAuthentication()
        try:
            known = keys.authenticate(request)  # type: ignore[arg-type]  # the headers are all it reads
        except AuthenticationFailed:
            return _key_needed(request, keys)
        if known is not None:
            request.user = known[0]
        if settings.KB_PUBLIC_REQUIRES_KEY and not request.user.is_authenticated:
            return _key_needed(request, keys)
        return from_standby(view)(request, *args, **kwargs)

    return require_safe(wrapper)


def _key_needed(request: HttpRequest, keys: ApiKeyAuthentication) -> HttpResponse:
    page = error_page(request, 401)
    page.headers["WWW-Authenticate"] = keys.authenticate_header(request)  # type: ignore[arg-type]
    return page


def counted(view: View, throttle: type[ClientThrottle] = PublicThrottle) -> View:
    """A page that counts as a request to the API, and that is refused as one."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        count(request, throttle)
        return view(request, *args, **kwargs)

    return wrapper


def count(request: HttpRequest, *throttles: type[ClientThrottle]) -> None:
    """Count the request where the API counts its own. Raises Throttled."""
    refusing = [
        throttle
        for throttle in (one() for one in throttles)
        if not throttle.allow_request(request, None)  # type: ignore[arg-type]  # user and address are all it reads
    ]
    if refusing:
        wait_s = math.ceil(max(throttle.wait() for throttle in refusing))
        sentence = ngettext(
            "Too many requests came from your address. Try again in %d second.",
            "Too many requests came from your address. Try again in %d seconds.",
            wait_s,
        )
        raise Throttled(sentence % wait_s, wait_s=wait_s)


def of_source(view: View) -> View:
    """A public view of a source that the reader may see, counted as a request to the API."""
    return public_page(counted(_with_source(view)))


def part_of_source(view: View) -> View:
    """What the page of a source fetches while it is read. A long law takes many, which leave as many searches."""
    return public_page(counted(_with_source(view), ReadingThrottle))


def _with_source(view: View) -> View:
    @wraps(view)
    def wrapper(request: HttpRequest, source_id: int, **kwargs: object) -> HttpResponseBase:
        sources = within_topics(Source.objects.select_related("topic"), request)
        source = sources.filter(pk=source_id).first()
        if source is None:
            return render(request, "search/document_gone.html", status=404)
        note_read(request, "source.read", source)
        return view(request, source, **kwargs)

    return wrapper
