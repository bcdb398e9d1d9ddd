"""`/.well-known/security.txt` (RFC 9116): to whom weaknesses are reported. 404 without `KB_SECURITY_CONTACT`."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

LASTS = timedelta(days=180)  # from today: the file is made when it is asked for
CONTACTS = ("mailto:", "https://", "tel:")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    if not settings.KB_SECURITY_CONTACT:
        raise Http404(_("This service names no contact for security."))
    expires = datetime.combine(timezone.now().date() + LASTS, time.min, UTC)
    lines = [f"Contact: {contact}" for contact in settings.KB_SECURITY_CONTACT]
    lines += [f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}", "Preferred-Languages: en, he"]
    if settings.KB_PUBLIC_URL:
        lines.append(f"Canonical: {settings.KB_PUBLIC_URL}{request.path}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def configuration_errors() -> list[str]:
    """A sentence for each contact that is no address that a reader can follow."""
    return [
        f"KB_SECURITY_CONTACT names {contact!r}; it must begin with {', '.join(CONTACTS)}."
        for contact in settings.KB_SECURITY_CONTACT
        if not contact.startswith(CONTACTS) or not contact.isprintable() or " " in contact
    ]
