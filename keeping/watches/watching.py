"""Beginning, changing and ending watches, and marking as read what they told."""

import secrets

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from kb_project.errors import Invalid, NotFound
from keeping.models import Channel, Watch, Watcher, WatchKind
from keeping.watches.kinds import KINDS
from keeping.watches.newest import newest_id
from keeping.watches.targets import WatchTarget
from labels.models import LabelAlias

MAX_WATCHES = 200  # of one person


def watches_of(person: User) -> QuerySet[Watch]:
    """A person's watches, the newest first."""
    return Watch.objects.filter(watcher=person.pk).defer("seen")


def same(person: User, target: WatchTarget) -> QuerySet[Watch]:
    """A person's watch of the target, where they have one. Of a label it may be by a name that the label had."""
    former = LabelAlias.objects.filter(label__slug=target.label_slug).values("slug")
    return watches_of(person).filter(Q(key=target.key) | Q(label_slug__in=former))


def ways(person: User) -> list[Channel]:
    """How a person can be told. By mail only where the service sends any, and where their account has an address."""
    return list(Channel) if settings.EMAIL_URL and person.email else [Channel.PAGE]


def watcher_of(person: User, *, language: str, service: str) -> Watcher:
    """The person as one who watches, made where they are none. `service` is the address of this one as they have it."""
    new = {"language": language, "service": service, "feed_nonce": _nonce()}
    return Watcher.objects.get_or_create(person=person, defaults=new)[0]


def note_watcher(person: User, *, language: str, service: str) -> Watcher:
    """As `watcher_of`. From now on mails are in this language, and lead to this address."""
    watcher = watcher_of(person, language=language, service=service)
    if (watcher.language, watcher.service) != (language, service):
        watcher.language, watcher.service = language, service
        watcher.save(update_fields=["language", "service"])
    return watcher


def begin(watcher: Watcher, target: WatchTarget, channel: Channel) -> tuple[Watch, bool]:
    """Watch something from now on. Returns the watch, and whether it is new: else it tells as it is said now.

    Raises Invalid for a way that is not open, where there are too many, and for a search that cannot be made.
    """
    _require_open(watcher.person, channel)
    watched = same(watcher.person, target)
    if (known := watched.first()) is not None:
        _tell(known, channel)
        return known, False
    newest = newest_id()
    told = dict.fromkeys(("read_id", "mailed_id", "posted_id", "looked_id"), newest)
    watch = Watch(watcher=watcher, how=channel, **told, **target.columns())
    KINDS[target.kind].begin(watch)
    with transaction.atomic():
        Watcher.objects.select_for_update(no_key=True).get(pk=watcher.pk)  # who counts waits for who adds
        _require_room(watcher.person, target.kind)
        if (known := watched.first()) is not None:
            return known, False
        watch.save(force_insert=True)
    return watch, True


def change(person: User, watch_id: int, channel: Channel) -> Watch:
    """Have a watch told otherwise. Raises NotFound, and Invalid for a way that is not open."""
    _require_open(person, channel)
    watch = find(person, watch_id)
    _tell(watch, channel)
    return watch


def end(person: User, watch_id: int) -> Watch:
    """End a watch of one's own. Returns it as it was. Raises NotFound."""
    watch = find(person, watch_id)
    ended = Watch.objects.get(pk=watch.pk)
    watch.delete()
    return ended


def end_mails(person_id: int, watch_id: int | None) -> int:
    """Have one watch of a person, or with None all, tell on the page alone. Returns how many told by mail before."""
    mailed = Watch.objects.filter(watcher=person_id).exclude(how=Channel.PAGE)
    return (mailed if watch_id is None else mailed.filter(pk=watch_id)).update(how=Channel.PAGE)


def mark_read(person: User, upto: int) -> int:
    """Mark what happened up to an event as read. Returns for how many watches that was news."""
    upto = min(upto, newest_id())
    return Watch.objects.filter(watcher=person.pk, read_id__lt=upto).update(read_id=upto)


def renew_feed(person: User) -> None:
    """Give the feed another address. The one before leads nowhere from then on."""
    Watcher.objects.filter(person=person).update(feed_nonce=_nonce())


def _nonce() -> str:
    return secrets.token_urlsafe(16)


def find(person: User, watch_id: int) -> Watch:
    """A watch of one's own. Raises NotFound."""
    watch = watches_of(person).filter(pk=watch_id).first()
    if watch is None:
        raise NotFound(_("You have no such watch."))
    return watch


def _tell(watch: Watch, channel: Channel) -> None:
    """What happened before it told by mail is not mailed."""
    if watch.how == channel:
        return
    if watch.how == Channel.PAGE:
        watch.mailed_id = newest_id()
    watch.how = channel
    watch.save(update_fields=["how", "mailed_id"])


def _require_open(person: User, channel: Channel) -> None:
    if channel in ways(person):
        return
    sends = bool(settings.EMAIL_URL)
    sentence = _("Your account has no e-mail address.") if sends else _("This service sends no mail.")
    raise Invalid(sentence, errors={"how": [sentence]})


def _require_room(person: User, kind: WatchKind) -> None:
    kinds = list(watches_of(person).values_list("kind", flat=True))
    if len(kinds) >= MAX_WATCHES:
        raise Invalid(_("You watch %d things, and no more can be watched.") % MAX_WATCHES)
    most = KINDS[kind].most
    if most is not None and kinds.count(kind) >= most:
        raise Invalid(str(KINDS[kind].too_many) % most)
