"""Addresses that open something to whoever has them: ending mails without signing in, and the feed of a person.

They are signed, so none is kept, and they are the same each time.
"""

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from keeping.models import Watcher

_STOP = Signer(salt="keeping.watches.stop")
_FEED = Signer(salt="keeping.watches.telling.feed")


def stop_path(person_id: int, watch_id: int | None = None) -> str:
    """Where the mails of a watch of a person are ended, or with None those of all."""
    return reverse("watches-stop", args=[_STOP.sign(f"{person_id}.{watch_id or 0}")])


def read_stop(token: str) -> tuple[int, int | None] | None:
    """Whose mails of which watch the address ends, None for one that nobody made."""
    try:
        person, watch = _STOP.unsign(token).split(".")
    except BadSignature:
        return None
    return int(person), int(watch) or None


def feed_path(watcher: Watcher) -> str:
    """Where the person's feed is, until it is renewed."""
    return reverse("watches-feed", args=[_FEED.sign(f"{watcher.pk}.{watcher.feed_nonce}")])


def read_feed(token: str) -> Watcher | None:
    """Whose feed it is. None for an address that was renewed, and for people who may not sign in."""
    try:
        person, nonce = _FEED.unsign(token).split(".", 1)
    except BadSignature:
        return None
    found = Watcher.objects.select_related("person").filter(person=int(person), person__is_active=True)
    return found.filter(feed_nonce=nonce).first()
