"""Five versions, each of an amending act of its own, taken back one after the other in every order."""

from datetime import date
from itertools import permutations
from pathlib import Path

import pytest
from django.db import transaction

from ingest.documents.trash import throw_away
from sources.models import Source
from sources.provisions import whole_text
from tests.ingest.consolidation.acts import Day, make, planned, stored, take_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

BEGUN = Day("2010-01-01")
DAYS = [Day(f"2025-0{month}-01") for month in range(1, 6)]
TEXT = "\n".join(["Fees Act 2010", *(f"{at}. Fee {at}\nA fee of {at} dollars is paid." for at in range(1, 6))])


def periods(act: Source) -> list[tuple[int, date | None, date | None]]:
    versions = Source.objects.filter(work_id=act.work_id).order_by("valid_from")
    return list(versions.values_list("pk", "valid_from", "valid_to"))


def expected(act: Source, made: dict[int, date]) -> list[tuple[int, date | None, date | None]]:
    """Each version from its day up to that of the next one, the act itself first."""
    days = sorted([(BEGUN, act.pk), *((day, pk) for pk, day in made.items())])
    ends = [*(day for day, _ in days[1:]), None]
    return [(pk, day, end) for (day, pk), end in zip(days, ends, strict=True)]


def test_five_versions_are_taken_back_in_any_order_and_the_days_are_as_before(tmp_path: Path) -> None:
    act = take_in(tmp_path, TEXT, title="Fees Act 2010", valid_from=BEGUN)
    before, base, made = whole_text(act.pk), act, dict[int, date]()
    for number, day in enumerate(DAYS, 1):
        text = (
            f"Fees Reform Act {number}\nS.C. 2025, c. {number}\nAssented to {day.isoformat()}\n"
            f"1. In section {number} of the Fees Act 2010, for “{number} dollars” substitute “99 dollars”."
        )
        amending = take_in(tmp_path, text, title=f"Fees Reform Act {number}", valid_from=day)
        base = stored(make(amending, planned(amending, base)))
        made[base.pk] = day
    assert periods(act) == expected(act, made)
    assert whole_text(base.pk).count("99 dollars") == 5
    texts = {pk: whole_text(pk) for pk in made}
    for order in permutations(made):
        with transaction.atomic():
            left = dict(made)
            for pk in order:
                throw_away(pk, by="dana")
                del left[pk]
                assert periods(act) == expected(act, left), order
                assert all(whole_text(one) == texts[one] for one in left)
            assert whole_text(act.pk) == before
            transaction.set_rollback(True)
    assert periods(act) == expected(act, made)
