"""When each version of a work is in force: how days are given and taken, so that no two versions overlap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

FIRST_DAY, LAST_DAY = date.min, date.max  # where a day is unknown


@dataclass(frozen=True, slots=True)
class Period:
    """From the day `begin` until before the day `end`. None is unknown, and counts as always."""

    begin: date | None = None
    end: date | None = None

    @property
    def first(self) -> date:
        return self.begin or FIRST_DAY

    @property
    def until(self) -> date:
        return self.end or LAST_DAY

    def hold(self, day: date) -> bool:
        return self.first <= day < self.until

    def overlap(self, other: Period) -> bool:
        return self.first < other.until and other.first < self.until

    def within(self, other: Period) -> Period:
        """Those of them that are days of the other too."""
        begins = [day for day in (self.begin, other.begin) if day]
        ends = [day for day in (self.end, other.end) if day]
        return Period(max(begins, default=None), min(ends, default=None))


class Overlap(ValueError):
    """A version would be in force on days of another, whose id is `met`."""

    def __init__(self, met: int) -> None:
        super().__init__(f"version {met} is in force on some of these days")
        self.met = met


class Timeline:
    """The versions of one work, by their ids, and their days."""

    def __init__(self, versions: Mapping[int, Period]) -> None:
        self._versions = dict(versions)

    @property
    def versions(self) -> Mapping[int, Period]:
        return self._versions

    def put(self, version: int, days: Period) -> Period:
        """Take a version in. Returns its days, which end where the next version begins if they have no end.

        The version before it ends where this one begins, if it went on until further notice: it had no end, or one at
        which another version begins or this one ends too. Raises `Overlap` for any other version that is in force on a
        day of this one.
        """
        if days.end is None:
            later = (one.begin for one in self._versions.values() if one.begin and one.begin > days.first)
            days = replace(days, end=min(later, default=None))
        versions = dict(self._versions)
        before = self._before(days)
        if before is not None:
            versions[before] = replace(versions[before], end=days.begin)
        met = [other for other, one in versions.items() if one.overlap(days)]
        if met:
            raise Overlap(min(met, key=lambda other: versions[other].first))
        self._versions = versions | {version: days}
        return days

    def take_out(self, version: int) -> None:
        """Take a version out. The one that ended where it began goes on as long as it did."""
        days = self._versions.pop(version)
        for other, one in self._versions.items():
            if days.begin is not None and one.end == days.begin:
                self._versions[other] = replace(one, end=days.end)

    def following(self, version: int, days: Period) -> Period:
        """Other days for a version that is here. The end is left open where it follows the beginning.

        It does where the beginning alone is another, and the end is a day on which another version begins: nobody meant
        that day by itself.
        """
        was = self._versions[version]
        begins = {one.begin for other, one in self._versions.items() if other != version}
        follows = days.begin != was.begin and days.end == was.end and days.end in begins
        return replace(days, end=None) if follows else days

    def join(self, other: Timeline) -> None:
        """Take in all versions of another work. One that ended where another began may end earlier now.

        Raises `Overlap` for a version of this work that is in force on a day of one that comes in.
        """
        before, begins = self._versions, {one.begin for one in other._versions.values()}
        try:
            for version, days in other._versions.items():
                self.put(version, replace(days, end=None) if days.end in begins else days)
        except Overlap:
            self._versions = before
            raise

    def _before(self, days: Period) -> int | None:
        """The version in whose days these begin, if it may be shortened."""
        begins = {one.begin for one in self._versions.values()}
        for version, one in self._versions.items():
            if days.begin is not None and one.first < days.begin < one.until:
                return version if one.end is None or one.end in begins or one.end == days.end else None
        return None
