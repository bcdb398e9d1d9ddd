"""The day that a text gives itself: one that stands on a line of its own, or nearly so, at its beginning or end."""

from datetime import date

from law.languages.dates import find_dates

_LINES = 15  # from either end
_BESIDE = 40  # characters on the line besides the day


def day_of_text(text: str) -> date | None:
    """The day, or None where no line gives one, or lines give several."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ends = lines if len(lines) <= 2 * _LINES else [*lines[:_LINES], *lines[-_LINES:]]
    days = set()
    for line in ends:
        for found in find_dates(line):
            if len(line) - (found.end - found.start) <= _BESIDE:
                days.add(found.date)
    return days.pop() if len(days) == 1 else None
