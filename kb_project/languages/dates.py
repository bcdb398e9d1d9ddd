"""How a language writes dates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class DateWords:
    """`months` are twelve patterns of names separated by `|`, or none.

    `patterns` hold the groups `day`, `month` and `year`, ignoring case and white space. `day_first` says that
    `4/5/2020` is the fourth of May.
    """

    months: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    day_first: bool = False
