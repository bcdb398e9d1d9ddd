"""Temporary changes: a version for as long as they last, and one in which what was there before returns."""

from pathlib import Path

import pytest

from ingest.job_states import FAILED
from ingest.stages.run import run_job
from kb_project.errors import Invalid
from law.amendments.finding import Failure
from sources.models import Source
from sources.provisions import whole_text
from tests.ingest.consolidation.acts import Day, gardens, make, planned, stored, take_in
from tests.law.amendments.acts import GARDENS

pytestmark = pytest.mark.django_db(transaction=True)

LAW = "חוק הגינות הקהילתיות"
ORDER = f"""\
{LAW} (תיקון – הוראת שעה), התשפ"ה–2025
1. תיקון
בסעיף 3 ל{LAW}, במקום "בלא תשלום" יבוא "תמורת תשלום".
2. תיקון
בסעיף 2(א) ל{LAW}, במקום "30 ימים" יבוא "10 ימים".
3. תחילה ותוקף
תחילתו של חוק זה ביום 1 ביולי 2025 ותוקפו עד יום 31 בדצמבר 2025.
"""
OTHER = f"""\
{LAW} (תיקון מס' 2), התשפ"ה–2025
1. תיקון
בסעיף 4(ב) ל{LAW}, במקום "לשנה" יבוא "לשנתיים".
2. תחילה
תחילתו של חוק זה ביום 1 באוקטובר 2025.
"""


def test_what_was_there_before_returns_and_what_came_meanwhile_stays(tmp_path: Path) -> None:
    act = gardens(tmp_path)
    before = whole_text(act.pk).strip()
    order = take_in(tmp_path, ORDER, title="הוראת שעה", valid_from=Day("2025-07-01"))
    other = take_in(tmp_path, OTHER, title="תיקון מס' 2", valid_from=Day("2025-10-01"))
    version = planned(order, act)
    assert (version.day, version.possible, version.later) == (Day("2025-07-01"), [0, 1], (Day("2026-01-01"),))
    first = stored(make(order, version))
    assert "תמורת תשלום" in whole_text(first.pk)
    second = stored(make(other, planned(other, first)))
    end = planned(order, second)
    assert (end.day, end.possible) == (Day("2026-01-01"), [0, 1])
    assert {edit.number for edit in end.outcomes[0].edits} == {"2", "3"}
    with pytest.raises(Invalid):
        make(order, end, 0)  # without the other, whose words would return too
    last = stored(make(order, end))
    assert whole_text(last.pk).strip() == before.replace("ייבחר לשנה", "ייבחר לשנתיים")
    second.refresh_from_db()
    assert (second.valid_to, last.valid_from) == (Day("2026-01-01"), Day("2026-01-01"))
    assert planned(order, last).day is None


def test_a_text_that_returns_to_the_same_bytes_is_no_duplicate(tmp_path: Path) -> None:
    act = take_in(tmp_path, GARDENS.strip(), title=f'{LAW}, התש"ף–2020', valid_from=Day("2020-01-01"))
    order = take_in(tmp_path, ORDER, title="הוראת שעה", valid_from=Day("2025-07-01"))
    first = stored(make(order, planned(order, act)))
    end = planned(order, first)
    jobs = [make(order, end) for _ in range(2)]
    last = stored(jobs[0])
    assert (last.content_sha256, last.valid_from) == (act.content_sha256, Day("2026-01-01"))
    assert whole_text(last.pk) == whole_text(act.pk)
    again = run_job(jobs[1].pk)
    assert again is not None
    assert (again.state, again.error_code) == (FAILED, "overtaken")
    assert Source.objects.filter(work_id=act.work_id).count() == 3


def test_what_is_not_known_from_before_is_named_and_stays(tmp_path: Path) -> None:
    text = f'{LAW}, התש"ף–2020\n1. שימוש\nהשימוש בגינה יהיה תמורת תשלום.'
    act = take_in(tmp_path, text, title=f'{LAW}, התש"ף–2020', valid_from=Day("2025-08-01"))
    order = take_in(tmp_path, ORDER, title="הוראת שעה", valid_from=Day("2025-07-01"))
    version = planned(order, act)
    assert version.possible == []
    assert {one.failure for one in version.outcomes.values()} == {Failure.RETURNS}


def test_a_corrected_place_that_the_rules_of_today_do_not_read_is_not_known(tmp_path: Path) -> None:
    act = gardens(tmp_path)
    order = take_in(tmp_path, ORDER, title="הוראת שעה", valid_from=Day("2025-07-01"))
    first = stored(make(order, planned(order, act)))
    assert planned(order, first).possible == [0, 1]
    assert first.consolidation is not None
    first.consolidation["changes"][0]["corrected"] = {"place": "somewhere", "old": "", "new": "", "day": None}
    first.save(update_fields=["consolidation"])
    assert {one.failure for one in planned(order, first).outcomes.values()} == {Failure.RETURNS}
