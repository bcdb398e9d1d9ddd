"""The mail that tells a person what happened to what they watch, as plain text and HTML, in their language."""

from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import ngettext

from keeping.models import Channel, Watcher
from keeping.watches.notifications.alarms import alarms
from keeping.watches.notifications.lines import Lines
from keeping.watches.notifications.links import stop_path
from keeping.watches.notifications.parts import ToldPart, parts_of

_LETTERS = {Channel.MAIL_NOW: "n", Channel.MAIL_DAILY: "d", Channel.MAIL_WEEKLY: "w"}


@dataclass(frozen=True, slots=True)
class Digest:
    person_id: int
    message: EmailMultiAlternatives


def compose(watcher: Watcher, *, lines: Lines) -> Digest | None:
    """The mail for what a person is to be told now (`sending`), or None if that is nothing.

    What they may see is asked here, right before it is sent.
    """
    with translation.override(watcher.language):
        upto = watcher.sending_id or 0
        parts = parts_of(watcher, lines=lines, since="mailed", upto=upto, channels=watcher.sending)
        if not parts:
            return None
        return Digest(watcher.pk, _message(watcher, parts))


def _message(watcher: Watcher, parts: Sequence[ToldPart]) -> EmailMultiAlternatives:
    root, told = watcher.service.rstrip("/"), alarms((part.name, line) for part in parts for line in part.lines)
    count = len(told) + sum(part.more for part in parts)
    stop = root + stop_path(watcher.pk)
    context = {
        "alarms": told,
        "parts": parts,
        "root": root,
        "page": root + reverse("watches"),
        "stop": stop,
    }
    subject = ngettext("%d piece of news on what you watch", "%d pieces of news on what you watch", count) % count
    message = EmailMultiAlternatives(
        subject,
        render_to_string("watches/mail.txt", context).strip() + "\n",
        to=[watcher.person.email],
        headers={
            "Message-ID": _message_id(watcher),
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(render_to_string("watches/mail.html", context), "text/html")
    return message


def _message_id(watcher: Watcher) -> str:
    """The same when the same mail is sent again, so that a receiver can tell."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    ways = "".join(_LETTERS[Channel(how)] for how in watcher.sending)
    return f"<watch.{watcher.pk}.{watcher.sending_id}.{ways}@{domain}>"
