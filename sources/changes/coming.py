"""What of a version is going to change on a day that is still to come, as far as the changes are worked out."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from kb_project.errors import TooLarge
from law.comparison.statuses import StandingStatus
from sources.comparison import compare_sources
from sources.models import Change, Source
from sources.provisions import address
from sources.standing import PinnedCitation, WorkReader

_BECOMES = {
    "changed": StandingStatus.CHANGED,
    "moved": StandingStatus.RENUMBERED,
    "removed": StandingStatus.REPEALED,
}


@dataclass(frozen=True, slots=True)
class Coming:
    """What becomes of a place on a day. It is at `eid` of the version `source_id` then.

    `eid` is '' where that version does not have it, and `source_id` None where no version begins on the day.
    """

    day: date
    status: StandingStatus
    source_id: int | None = None
    eid: str = ""

    @property
    def said(self) -> str:
        """In the active language."""
        day = {"day": date_format(self.day)}
        match self.status:
            case StandingStatus.RENUMBERED:
                return _("Will be moved on %(day)s") % day
            case StandingStatus.REPEALED | StandingStatus.NOT_HERE:
                return _("Will be repealed on %(day)s") % day
            case StandingStatus.DEFINITION_CHANGED:
                return _("A definition will change on %(day)s") % day
        return _("Will read otherwise from %(day)s") % day

    @property
    def url(self) -> str:
        """Where it is in the coming version, or '' where there is none."""
        return address(self.source_id, self.eid) if self.source_id else ""


def coming_in(source: Source) -> dict[str, Coming]:
    """What comes first of each provision of a version, by its eid.

    Of one that is not in force any more nothing is. One query, unless the changes of a version are more than are kept.
    """
    today = timezone.localdate()
    if source.days.until <= today:
        return {}
    found: dict[str, Coming] = {}
    later: set[str] = set()  # addresses that a coming version gives to something else
    last = source.pk
    changes = Change.objects.filter(source__work=source.work_id, day__gt=today, ends=False)
    for change in changes.order_by("day"):
        if change.before_id != last:
            continue
        rows = list(_differing(change))
        for became, before, since in rows:
            if before and became in _BECOMES and before not in later:
                found.setdefault(before, Coming(change.day, _BECOMES[became], change.source_id, since))
        later |= {since for _became, before, since in rows if since and since != before}
        last = change.source_id
    return found


def coming_of(source: Source, eid: str) -> Coming | None:
    """What comes first of a provision of a version, all that is inside it included, or of a clause."""
    today = timezone.localdate()
    day = max(today, source.days.first)
    later = Source.objects.filter(Q(valid_from__gt=day) | Q(valid_to__gt=day), work=source.work_id)
    if source.days.until <= today or not later.exists():
        return None
    pin = PinnedCitation(work_id=source.work_id, source_id=source.pk, eid=eid, day=day)
    try:
        return coming_of_citation(WorkReader(source.work_id), pin, day=day)
    except TooLarge:
        return None


def coming_of_citation(reader: WorkReader, pin: PinnedCitation, *, day: date) -> Coming | None:
    """What comes first of what is cited after a day. Raises `TooLarge`."""
    found = reader.coming(pin, day)
    if found is None:
        return None
    begins, standing = found
    version = standing.version if isinstance(standing.version, int) else None
    return Coming(begins, standing.status, version, standing.now.eid if standing.now else "")


def _differing(change: Change) -> Iterator[tuple[str, str, str]]:
    """What became of each provision that a change changes, and its addresses before and since. Of some it keeps few."""
    kept = change.provisions or []
    if change.before_id and kept and sum(change.counts.values()) > len(kept):
        with suppress(TooLarge):  # read anew since, and compared soon
            for one in compare_sources(change.before_id, change.source_id):
                yield one.kind.value, one.before.eid if one.before else "", one.after.eid if one.after else ""
            return
    yield from ((row["change"], row["before"], row["since"]) for row in kept)
