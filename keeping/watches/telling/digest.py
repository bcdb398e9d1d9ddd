"""The mail that tells a person what happened to what they watch, as plain text and HTML, in their language."""

from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from itertools import groupby

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import ngettext

from keeping.models import How, Watch, Watcher
from keeping.watches.targets import Reader
from keeping.watches.telling.lines import Lines, NewsLine
from keeping.watches.telling.links import stop_path
from keeping.watches.telling.news import news_of

MOST_LINES = 20  # of one watch; of more the number is said
MOST_IN_ALL = 300
_LETTERS = {How.MAIL_NOW: "n", How.MAIL_DAILY: "d", How.MAIL_WEEKLY: "w"}


@dataclass(frozen=True, slots=True)
class DigestPart:
    """What one watch tells. `more` is how many things are left out, `stop` ends its mails. Addresses are whole."""

    name: str
    url: str
    lines: Sequence[NewsLine]
    more: int
    stop: str


@dataclass(frozen=True, slots=True)
class Digest:
    person_id: int
    message: EmailMultiAlternatives


def compose(watcher: Watcher, *, lines: Lines) -> Digest | None:
    """The mail for what a person is to be told now (`sending`), or None if that is nothing.

    What they may see is asked here, right before it is sent.
    """
    with translation.override(watcher.language):
        parts = _parts(watcher, lines)
        if not parts:
            return None
        return Digest(watcher.pk, _message(watcher, parts))


def _parts(watcher: Watcher, lines: Lines) -> list[DigestPart]:
    reader = Reader(watcher.person)
    upto = watcher.sending_id or 0
    news = news_of(reader, since="mailed", hows=watcher.sending, upto=upto, each=MOST_LINES)
    watches = Watch.objects.defer("seen").in_bulk({one.watch_id for one in news})
    named = reader.name(watches.values())
    said = lines.say([one for one in news if one.watch_id in named], watches, reader=reader)
    parts, room, root = list[DigestPart](), MOST_IN_ALL, watcher.service.rstrip("/")
    for watch_id, group in groupby(said, key=lambda line: line.news.watch_id):
        told = list(group)
        shown = told[: max(room, 0)]
        room -= len(shown)
        target = named[watch_id]
        more = told[0].news.total - len(shown)
        stop = root + stop_path(watcher.pk, watch_id)
        parts.append(DigestPart(target.name, root + target.url, shown, more, stop))
    return parts


def _message(watcher: Watcher, parts: Sequence[DigestPart]) -> EmailMultiAlternatives:
    root, count = watcher.service.rstrip("/"), sum(len(part.lines) + part.more for part in parts)
    stop = root + stop_path(watcher.pk)
    context = {
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
    ways = "".join(_LETTERS[How(how)] for how in watcher.sending)
    return f"<watch.{watcher.pk}.{watcher.sending_id}.{ways}@{domain}>"
