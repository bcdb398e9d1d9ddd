"""Acts on one version of three that came in as people load them. The act of parliament stays one work.

Of each act is asked: on which days each version is in force, whether they are of one work still, and what a search of
today, and of a day of each version, finds.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingest.decide.commit import commit
from ingest.decide.reopen import reopen, withdraw
from ingest.decisions import Decision
from ingest.documents import trash
from ingest.documents.bulk import BulkAction, BulkRun
from ingest.documents.edit import delete, edit
from ingest.documents.moving import move
from ingest.documents.versions import DayRequired
from ingest.job_states import AWAITING_REVIEW, DONE, JobStatus
from ingest.models import Draft, Job
from ingest.stages.run import run_job
from kb_project.errors import ApiError, Conflict
from search.index import engine
from search.retrieval import Scope, retrieve
from sources.models import Source, Work
from sources.work_versions import VersionOverlap
from tests.factories import LAW, first_topic, make_topic, upload_text
from tests.ingest.library.documents import TITLE
from tests.integrity import all_found

pytestmark = pytest.mark.django_db(transaction=True)
TODAY = timezone.localdate()
BEGINS = [TODAY + timedelta(days=days) for days in (-900, -300, 40)]
NUMBERS = ("ראשונה", "שנייה", "שלישית")
PLACES = range(3)


def text_of(number: str) -> str:
    return f"{LAW}\n4. גרסה\nהגרסה ה{number} של החוק.\n"


def batch_job(directory: Path, text: str) -> Job:
    """A job of a batch that awaits review."""
    job = run_job(upload_text(directory, text, metadata=None, batch_id=uuid4(), allow_duplicate=True).pk)
    assert job is not None
    assert job.state == AWAITING_REVIEW
    return job


def confirmed(job: Job, *, runs: bool = True, **decided: Any) -> Job:
    decision = Decision(**{"kind": "law", "title": TITLE, **decided})
    commit(job.pk, decision, by="dana", allow_duplicate=True, allow_similar=True)
    if runs:
        run_waiting()
    job.refresh_from_db()
    return job


def run_waiting() -> None:
    for job in Job.objects.filter(status__in=(JobStatus.QUEUED, JobStatus.PROCESSING)).order_by("created_at"):
        run_job(job.pk)
    engine().maintain()


def loaded(directory: Path, *, last_first: bool = False) -> list[Source]:
    """Three versions, each a version of the one that was loaded first."""
    made: dict[int, Source] = {}
    for place in reversed(PLACES) if last_first else PLACES:
        of: dict[str, Any] = {"version_of": next(iter(made.values())).pk} if made else {}
        done = confirmed(batch_job(directory, text_of(NUMBERS[place])), valid_from=BEGINS[place], **of)
        assert done.source is not None, done.error_message
        made[place] = done.source
    return [made[place] for place in PLACES]


@pytest.fixture(params=[False, True], ids=["first first", "last first"])
def versions(tmp_path: Path, request: pytest.FixtureRequest) -> list[Source]:
    return loaded(tmp_path, last_first=request.param)


def days(ids: Sequence[int]) -> list[tuple[date | None, date | None, int]]:
    now = Source.objects.in_bulk(ids)
    return [(now[pk].valid_from, now[pk].valid_to, now[pk].work_id) for pk in ids if pk in now]


def found_on(day: date, topic_id: int = 1) -> list[str]:
    """What the fourth sections say that a search of a day finds."""
    hits = retrieve("הגרסה של החוק", scope=Scope(topic_id=topic_id, as_of=day), limit=50).hits
    return [number for number in NUMBERS if any(f"הגרסה ה{number}" in hit.text for hit in hits)]


def assert_one_a_day(*, left: Sequence[int] = PLACES, topic_id: int = 1) -> None:
    """The versions that are left are of one work. On each day one is in force, from the first of them on."""
    places = sorted(left)
    sources = list(Source.objects.filter(topic=topic_id).order_by("valid_from"))
    assert [one.valid_from for one in sources] == [BEGINS[place] for place in places]
    assert [one.valid_to for one in sources] == [*[BEGINS[place] for place in places[1:]], None]
    assert [(one.pk, one.topic_id) for one in Work.objects.all()] == [(sources[0].work_id, topic_id)]
    assert {one.work_id for one in sources} == {sources[0].work_id}
    for day in (*BEGINS, TODAY):
        there = [place for place in places if BEGINS[place] <= day]
        assert found_on(day, topic_id) == [NUMBERS[place] for place in there[-1:]]
    assert all_found() == {}


def ids(versions: Sequence[Source]) -> list[int]:
    return [one.pk for one in versions]


def job_of(source: Source) -> Job:
    return Job.objects.get(source=source, reindex=False)


@pytest.mark.parametrize("given", [{}, {"valid_from": "its own"}, {"valid_from": "its own", "valid_to": "its own"}])
@pytest.mark.parametrize("place", PLACES)
def test_a_replaced_version_keeps_its_place(
    versions: list[Source], place: int, given: dict[str, Any], tmp_path: Path
) -> None:
    before = days(ids(versions))
    fields: dict[str, Any] = {name: before[place][("valid_from", "valid_to").index(name)] for name in given}
    done = confirmed(
        batch_job(tmp_path, text_of(NUMBERS[place]) + "5. עוד\nועוד.\n"), replaces=versions[place].pk, **fields
    )
    assert (done.state, done.source_id) == (DONE, versions[place].pk)
    assert days(ids(versions)) == before
    assert_one_a_day()


@pytest.mark.parametrize("given", [{"valid_from": BEGINS[0]}, {"valid_to": TODAY + timedelta(days=9)}, {}])
def test_days_that_a_replacement_does_not_name_stay(given: dict[str, Any], tmp_path: Path) -> None:
    ends = TODAY + timedelta(days=30)
    first = confirmed(batch_job(tmp_path, text_of(NUMBERS[0])), valid_from=BEGINS[0], valid_to=ends).source
    assert first is not None
    confirmed(batch_job(tmp_path, text_of(NUMBERS[1])), replaces=first.pk, **given)
    assert days([first.pk]) == [(BEGINS[0], given.get("valid_to", ends), first.work_id)]


def test_a_replacement_on_days_of_another_version_is_refused(versions: list[Source], tmp_path: Path) -> None:
    before = days(ids(versions))
    job = batch_job(tmp_path, text_of("רביעית"))
    with pytest.raises(VersionOverlap):
        confirmed(job, replaces=versions[0].pk, valid_from=BEGINS[1])
    assert days(ids(versions)) == before
    assert_one_a_day()


@pytest.mark.parametrize(("last_first", "place"), [(False, 2), (True, 0), (True, 1), (True, 2)])
def test_a_version_whose_confirmation_is_undone_comes_back_to_its_place(
    last_first: bool, place: int, tmp_path: Path, staff_client: Client
) -> None:
    versions = loaded(tmp_path, last_first=last_first)
    job = job_of(versions[place])
    withdraw(job.pk, by="dana")
    assert_one_a_day(left=[one for one in PLACES if one != place])
    draft: dict[str, Any] = Draft.objects.get(job=job).decision or {}
    page = staff_client.get(reverse("review-job", args=[job.batch_id, job.pk])).content.decode()
    assert re.search(rf'name="similar" value="version_of:{draft["version_of"]}" checked', page)
    decision = Decision.of(draft, version_of=draft["version_of"])
    commit(job.pk, decision, by="dana", allow_duplicate=True, allow_similar=True)
    run_waiting()
    assert_one_a_day()


@pytest.mark.parametrize("place", [0, 1])
def test_a_confirmation_is_not_undone_when_another_version_has_changed_its_days(tmp_path: Path, place: int) -> None:
    job = job_of(loaded(tmp_path)[place])
    with pytest.raises(Conflict, match="changed since"):
        withdraw(job.pk, by="dana")
    assert_one_a_day()


@pytest.mark.parametrize("place", PLACES)
def test_a_version_that_is_confirmed_anew_keeps_its_days(versions: list[Source], place: int) -> None:
    before, job = days(ids(versions)), job_of(versions[place])
    reopen(job.pk, by="dana")
    with pytest.raises(DayRequired):
        confirmed(job)
    begins, ends, _work_id = before[place]
    confirmed(job, valid_from=begins, valid_to=ends, subject="ספריות")
    assert Source.objects.get(pk=versions[place].pk).subject == "ספריות"
    assert days(ids(versions)) == before
    assert_one_a_day()


@pytest.mark.parametrize("act", [trash.throw_away, delete])
@pytest.mark.parametrize("relation", ["version_of", "replaces"])
def test_what_is_under_way_for_a_version_that_is_deleted_comes_to_the_others(
    versions: list[Source], tmp_path: Path, act: Any, relation: str
) -> None:
    job = batch_job(tmp_path, text_of(NUMBERS[1]) + "5. עוד\nועוד.\n")
    given = {"valid_from": BEGINS[1], "valid_to": BEGINS[2]} if relation == "version_of" else {}
    named = versions[0] if relation == "version_of" else versions[1]
    if relation == "version_of":
        delete(versions[1].pk, by="dana")
    confirmed(job, runs=False, **{relation: named.pk}, **given)
    act(named.pk, by="dana")
    run_waiting()
    assert Work.objects.count() == 1
    assert_one_a_day(left=[1, 2] if relation == "version_of" else PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_a_version_in_the_trash_goes_where_its_work_goes(versions: list[Source], place: int) -> None:
    there = make_topic(slug="housing")
    trash.throw_away(versions[place].pk, by="dana")
    move(versions[place - 1].pk, there, by="dana")
    run_waiting()
    trash.restore(versions[place].pk, by="dana")
    run_waiting()
    assert_one_a_day(topic_id=there.pk)


def test_a_work_is_not_moved_while_a_version_of_it_is_under_way(versions: list[Source], tmp_path: Path) -> None:
    there = make_topic(slug="housing")
    job = confirmed(
        batch_job(tmp_path, text_of("רביעית")), runs=False, version_of=versions[0].pk, valid_from=TODAY - timedelta(9)
    )
    with pytest.raises(Conflict) as refused:
        move(versions[1].pk, there, by="dana")
    assert refused.value.extra == {"job_id": str(job.pk)}
    run_waiting()
    assert {one.topic_id for one in Source.objects.all()} == {1}
    assert move(versions[1].pk, there, by="dana")
    run_waiting()
    assert ({one.topic_id for one in Source.objects.all()}, Work.objects.count()) == ({there.pk}, 1)


def bulk(action: BulkAction, chosen: Sequence[Source], value: str = "") -> BulkRun:
    run = BulkRun(action=action, by="dana", back="/", waiting=ids(chosen), total=len(chosen), value=value)
    while run.waiting:
        run.run_for(longest_s=1)
    run_waiting()
    return run


@pytest.mark.parametrize("some", [slice(1), slice(2), slice(3), slice(1, 2)])
def test_many_at_once_leave_one_version_a_day(versions: list[Source], some: slice) -> None:
    there = make_topic(slug="housing")
    chosen = versions[some]
    assert bulk(BulkAction.KIND, chosen, "regulation").changed == len(chosen)
    assert bulk(BulkAction.REINDEX, chosen).changed == len(chosen)
    assert_one_a_day()
    moved = bulk(BulkAction.MOVE, chosen, str(there.pk))
    assert (moved.changed, moved.refused) == (len(chosen), 0)
    assert_one_a_day(topic_id=there.pk)
    thrown = bulk(BulkAction.DELETE, chosen)
    assert set(thrown.thrown_away) == set(ids(chosen))
    if len(chosen) < 3:
        assert_one_a_day(left=[place for place in PLACES if versions[place] not in chosen], topic_id=there.pk)
    for one in thrown.thrown_away:
        trash.restore(one, by="dana")
    run_waiting()
    assert_one_a_day(topic_id=there.pk)


@pytest.mark.parametrize("place", PLACES)
def test_a_version_that_is_split_off_comes_back_to_its_place(versions: list[Source], place: int) -> None:
    before, sibling = days(ids(versions)), versions[place - 1]
    edit(versions[place].pk, {"version_of": None}, by="dana")
    edit(versions[place].pk, {"version_of": sibling.pk}, by="dana")
    assert days(ids(versions)) == before
    assert_one_a_day()


@pytest.mark.parametrize("place", PLACES)
def test_days_that_do_not_fit_are_refused_and_change_nothing(versions: list[Source], place: int) -> None:
    before = days(ids(versions))
    with pytest.raises(ApiError):
        edit(versions[place].pk, {"valid_from": BEGINS[place - 1]}, by="dana")
    assert days(ids(versions)) == before
    assert first_topic().pk == Work.objects.get().topic_id
