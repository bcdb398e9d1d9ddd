"""Beginning, changing and ending watches, and marking as read what they told."""

import secrets

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from kb_project.errors import Invalid, NotFound
from keeping.models import How, Watch, Watcher, WatchKind
from keeping.watches import following, saved_searches
from keeping.watches.newest import newest_id
from keeping.watches.targets import Target
from labels.models import LabelAlias

MOST_WATCHES = 200  # of one person
MOST_SEARCHES = 30  # of them; each is made when something is published


def watches_of(person: User) -> QuerySet[Watch]:
    """A person's watches, the newest first."""
    return Watch.objects.filter(watcher=person.pk).defer("seen")


def same(person: User, target: Target) -> QuerySet[Watch]:
    """A person's watch of the target, where they have one. Of a label it may be by a name that the label had."""
    former = LabelAlias.objects.filter(label__slug=target.label_slug).values("slug")
    return watches_of(person).filter(Q(key=target.key) | Q(label_slug__in=former))


def ways(person: User) -> list[How]:
    """How a person can be told. By mail only where the service sends any, and where their account has an address."""
    return list(How) if settings.EMAIL_URL and person.email else [How.PAGE]


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


def begin(watcher: Watcher, target: Target, how: How) -> tuple[Watch, bool]:
    """Watch something from now on. Returns the watch, and whether it is new: else it tells as it is said now.

    Raises Invalid for a way that is not open, where there are too many, and for a search that cannot be made.
    """
    _require_open(watcher.person, how)
    watched = same(watcher.person, target)
    if (known := watched.first()) is not None:
        _tell(known, how)
        return known, False
    newest = newest_id()
    told = dict.fromkeys(("read_id", "mailed_id", "posted_id", "looked_id"), newest)
    watch = Watch(watcher=watcher, how=how, **told, **target.columns())
    if target.kind is WatchKind.PROVISION and target.work_id:
        watch.source_id = following.version_meant(target.work_id, target.eid)
    if target.kind is WatchKind.SEARCH:
        saved_searches.seed(watch)
    with transaction.atomic():
        Watcher.objects.select_for_update(no_key=True).get(pk=watcher.pk)  # who counts waits for who adds
        _require_room(watcher.person, target.kind)
        if (known := watched.first()) is not None:
            return known, False
        watch.save(force_insert=True)
    return watch, True


def change(person: User, watch_id: int, how: How) -> Watch:
    """Have a watch told otherwise. Raises NotFound, and Invalid for a way that is not open."""
    _require_open(person, how)
    watch = _find(person, watch_id)
    _tell(watch, how)
    return watch


def end(person: User, watch_id: int) -> Watch:
    """End a watch of one's own. Returns it as it was. Raises NotFound."""
    watch = _find(person, watch_id)
    ended = Watch.objects.get(pk=watch.pk)
    watch.delete()
    return ended


def end_mails(person_id: int, watch_id: int | None) -> int:
    """Have one watch of a person, or with None all, tell on the page alone. Returns how many told by mail before."""
    mailed = Watch.objects.filter(watcher=person_id).exclude(how=How.PAGE)
    return (mailed if watch_id is None else mailed.filter(pk=watch_id)).update(how=How.PAGE)


def mark_read(person: User, upto: int) -> int:
    """Mark what happened up to an event as read. Returns for how many watches that was news."""
    upto = min(upto, newest_id())
    return Watch.objects.filter(watcher=person.pk, read_id__lt=upto).update(read_id=upto)


def renew_feed(person: User) -> None:
    """Give the feed another address. The one before leads nowhere from then on."""
    Watcher.objects.filter(person=person).update(feed_nonce=_nonce())


def _nonce() -> str:
    return secrets.token_urlsafe(16)


def _find(person: User, watch_id: int) -> Watch:
    watch = watches_of(person).filter(pk=watch_id).first()
    if watch is None:
        raise NotFound(_("You have no such watch."))
    return watch


def _tell(watch: Watch, how: How) -> None:
    """What happened before it told by mail is not mailed."""
    if watch.how == how:
        return
    if watch.how == How.PAGE:
        watch.mailed_id = newest_id()
    watch.how = how
    watch.save(update_fields=["how", "mailed_id"])


def _require_open(person: User, how: How) -> None:
    if how in ways(person):
        return
    sends = bool(settings.EMAIL_URL)
    sentence = _("Your account has no e-mail address.") if sends else _("This service sends no mail.")
    raise Invalid(sentence, errors={"how": [sentence]})


def _require_room(person: User, kind: WatchKind) -> None:
    kinds = list(watches_of(person).values_list("kind", flat=True))
    if len(kinds) >= MOST_WATCHES:
        raise Invalid(_("You watch %d things, and no more can be watched.") % MOST_WATCHES)
    if kind is WatchKind.SEARCH and kinds.count(WatchKind.SEARCH) >= MOST_SEARCHES:
        raise Invalid(_("You watch %d searches, and no more can be watched.") % MOST_SEARCHES)
