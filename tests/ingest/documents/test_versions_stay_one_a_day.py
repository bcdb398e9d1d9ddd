"""Every act on one version of three, the last still to come: of no day two are in force, and none loses its days."""

from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest
from django.utils import timezone

from ingest.documents import edit, trash
from ingest.documents.edit import edit_work
from ingest.models import Job
from ingest.stages.run import run_job
from sources.models import Source, Work
from tests.ingest.library.documents import make_versions
from tests.integrity import all_found

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[None, 400], ids=["until further notice", "until a day"])
def versions(tmp_path: Path, request: pytest.FixtureRequest) -> list[Source]:
    today = timezone.localdate()
    ends = request.param and today + timedelta(days=request.param)
    return make_versions(
        tmp_path, today - timedelta(days=900), today - timedelta(days=300), today + timedelta(days=40), ends
    )


def days(versions: list[Source]) -> list[tuple[object, object, int]]:
    now = Source.objects.in_bulk([one.pk for one in versions])
    return [(now[one.pk].valid_from, now[one.pk].valid_to, now[one.pk].work_id) for one in versions if one.pk in now]


@pytest.mark.parametrize("place", range(3))
def test_what_is_thrown_away_comes_back_to_its_days(versions: list[Source], place: int) -> None:
    before = days(versions)
    trash.throw_away(versions[place].pk, by="dana")
    left = days(versions)
    assert len({work for *_, work in left}) == 1
    trash.restore(versions[place].pk, by="dana")
    for job in Job.objects.filter(reindex=True):
        run_job(job.pk)
    assert days(versions) == before
    assert all_found() == {}


@pytest.mark.parametrize("thrown", [(0, 1, 2), (1, 0, 2), (2, 0, 1), (2, 1, 0)])
def test_all_versions_come_back_in_any_order(versions: list[Source], thrown: tuple[int, ...]) -> None:
    before = days(versions)
    for order in permutations(range(3)):
        for place in thrown:
            trash.throw_away(versions[place].pk, by="dana")
        for place in order:
            trash.restore(versions[place].pk, by="dana")
        assert days(versions) == before, order


@pytest.mark.parametrize("place", range(3))
def test_another_title_or_number_of_one_version_splits_nothing(versions: list[Source], place: int) -> None:
    before = days(versions)
    edit.edit(versions[place].pk, {"title": "חוק אחר", "identifier": "ס״ח 7"}, by="dana")
    assert days(versions) == before
    edit_work(before[0][2], {"aliases": ["חוק הקריאה"]}, by="dana")
    assert days(versions) == before
    assert Work.objects.get().title == ("חוק אחר" if place == 2 else versions[2].title)
