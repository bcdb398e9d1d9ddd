"""When the versions of a work begin, and when one ends with none in its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from law.timeline import Period


@dataclass(frozen=True, slots=True)
class VersionEvent:
    """A version begins on a day, or `ends` on it and no other begins. `before` is the version before it."""

    version: int
    ends: bool
    day: date
    before: int | None = None


def events_of(versions: Mapping[int, Period]) -> list[VersionEvent]:
    """The events of one work, in the order of its versions. A day that is not known is no event."""
    found: list[VersionEvent] = []
    beginnings = {days.begin for days in versions.values()}
    before = None
    for version, days in sorted(versions.items(), key=lambda one: (one[1].first, one[0])):
        if days.begin is not None:
            found.append(VersionEvent(version, ends=False, day=days.begin, before=before))
        if days.end is not None and days.end not in beginnings:
            found.append(VersionEvent(version, ends=True, day=days.end))
        before = version
    return found
