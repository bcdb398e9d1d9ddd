"""What is kept of the check of a text: what was found, and the law that the text cites, looked at from then on.

The check itself is forgotten after `KB_CHECK_DAYS`, with the text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from answers.checking import checks
from answers.checking.verdicts.findings import OUTCOMES, VERDICTS, Outcome, gravest_first, outcome_of
from answers.models import TextCheck
from kb_project.errors import Conflict
from keeping.notebooks.pinning import CitedWords
from keeping.people import Owner
from sources.models import Source

MAX_LINES, MAX_WORDS_LENGTH = 100, 200  # of what is not right, and characters of the words that it is said of
_Places = dict[tuple[int, str], CitedWords]


@dataclass(frozen=True, kw_only=True)
class KeptCheck:
    """`text` has a line for each finding that is wrong or was not judged, with the number of what it leads to."""

    title: str
    text: str
    cited: list[CitedWords]
    topic_id: int | None
    day: date
    asked: Mapping[str, str]


def read(check_id: UUID, owner: Owner, *, most: int) -> KeptCheck:
    """A check of the person's, with at most so many places that it cites.

    Raises NotFound for another's and for one that is forgotten, and Conflict for one that is not done.
    """
    one = checks.find(check_id, by=checks.owner_of(owner.person), within=owner.within)
    if one.report is None:
        raise Conflict(_("The text is still being checked."))
    found = [(kind, at, finding) for kind in VERDICTS for at, finding in enumerate(one.report.get(kind, ()))]
    found.sort(key=lambda row: gravest_first(row[2]))
    places = _places((finding for _kind, _at, finding in found), owner, most=most)
    return KeptCheck(
        title=one.filename or Truncator(one.text.strip().partition("\n")[0]).chars(80) or _("Check of a text"),
        text="\n".join([_counted(one), *_lines(one, found, places)]),
        cited=list(places.values()),
        topic_id=one.topic_id,
        day=one.as_of,
        asked={"check": str(one.pk), "checked_at": one.at.isoformat()},
    )


def _places(found: Iterator[Mapping[str, Any]], owner: Owner, *, most: int) -> _Places:
    """The law that findings lead to, each place once, as far as it is here still and the person sees it."""
    wanted = dict.fromkeys(key for finding in found if (key := _key(finding)))
    here = Source.objects.filter(pk__in={source_id for source_id, _eid in wanted})
    seen = set((here if owner.within is None else here.filter(topic__in=owner.within)).values_list("pk", flat=True))
    kept = [key for key in wanted if key[0] in seen][:most]
    return {
        (source_id, eid): CitedWords(source_id=source_id, eid=eid, n=n, is_verified=True)
        for n, (source_id, eid) in enumerate(kept, 1)
    }


def _key(finding: Mapping[str, Any]) -> tuple[int, str] | None:
    place = next((finding[name] for name in ("at", "to", "cited") if finding.get(name)), None)
    return (place["source_id"], place["eid"]) if place else None


def _counted(one: TextCheck) -> str:
    counts = (one.report or {}).get("counts", {}).get("outcomes", {})
    return " · ".join(f"{name}: {counts[outcome]}" for outcome, name in OUTCOMES.items() if counts.get(outcome))


def _lines(one: TextCheck, found: list[tuple[str, int, Mapping[str, Any]]], places: _Places) -> Iterator[str]:
    """The words of the text alone, not those of the law: who may not see its topic reads these lines perhaps."""
    told = [row for row in found if outcome_of(row[2]) in (Outcome.WRONG, Outcome.NOT_JUDGED)]
    for kind, at, finding in told[:MAX_LINES]:
        words = Truncator(" ".join(one.text[finding["start"] : finding["end"]].split())).chars(MAX_WORDS_LENGTH)
        remark = one.remarks.get(f"{kind}:{at}", "")
        said = f"{_('Rejected:')} {remark}" if remark else str(VERDICTS[kind](finding["verdict"]).label)
        place = places.get(_key(finding) or (0, ""))
        yield f"{words}: {said}{f' [{place.n}]' if place else ''}"
    if len(told) > MAX_LINES:
        yield _("%d more") % (len(told) - MAX_LINES)
