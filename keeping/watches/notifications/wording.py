"""Which words of provisions a change has changed, in the language of the moment."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from law.comparison.side_by_side import DiffRow, DiffSide, beside
from reading.changes.shown import row_name
from sources import provisions
from sources.models import Change, Source

MAX_PLACES, LONGEST = 3, 80  # of one provision that are said, and characters of each
MAX_PROVISIONS = 3  # of a whole document


def said_of_provisions(change: Change, source: Source) -> str:
    """The words of the first provisions that changed, each with its name."""
    rows = [row for row in change.provisions or () if row["before"] and row["since"]]
    said = [(row_name(row, source), said_of(change, row)) for row in rows[:MAX_PROVISIONS]]
    return " ".join(f"{name}: {words}." for name, words in said if name and words)


def said_of(change: Change, row: Mapping[str, Any]) -> str:
    """What one provision says now and said before, place by place. '' where it is in one version alone."""
    if not (change.before_id and row["before"] and row["since"]):
        return ""
    before, after = (
        provisions.read(pk, eid) for pk, eid in ((change.before_id, row["before"]), (change.source_id, row["since"]))
    )
    if before is None or after is None:
        return ""
    places = list(_places(beside(_own(before), _own(after))))
    said = [_said(one, other) for one, other in places[:MAX_PLACES]]
    return "; ".join([*said, *(["…"] if len(places) > MAX_PLACES else [])])


def _own(passage: provisions.Passage) -> str:
    """Without its number, which another line says."""
    number, text = passage.provision.number, passage.text.strip()
    return text.removeprefix(number).lstrip(". ") if number else text


def _places(rows: Sequence[DiffRow]) -> Iterator[tuple[str, str]]:
    """The words that are replaced, and those in their place. One of the two may be ''."""
    for row in rows:
        before = after = ""
        for run in row.runs:
            if run.only is DiffSide.BOTH:
                if before or after:
                    yield before, after
                before = after = ""
            elif run.only is DiffSide.BEFORE:
                before = run.words
            else:
                after = run.words
        if before or after:
            yield before, after


def _said(before: str, after: str) -> str:
    before, after = (Truncator(" ".join(one.split())).chars(LONGEST) for one in (before, after))
    if not before:
        return _("“%s” is new") % after
    if not after:
        return _("“%s” is gone") % before
    return _("“%(before)s” is now “%(after)s”") % {"before": before, "after": after}
