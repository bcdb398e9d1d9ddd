"""Two people take in versions of one work at the same time, and a worker process is killed between them.

A lock that the test holds stops the workers where it wants them: before the work is theirs, or at the end of the
transaction that publishes. In every order no two versions are in force on one day, and nothing is lost.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from itertools import pairwise
from pathlib import Path
from subprocess import Popen
from typing import Any

import psutil
import pytest
from django.db import connection

from ingest.intake.upload import Metadata
from ingest.job_states import DONE, FAILED
from ingest.jobs.claims import sweep
from ingest.models import Job
from sources.files import storage
from sources.models import Chunk, Source
from tests.factories import LAW, upload_text
from tests.ingest.jobs.holders import process_of
from tests.integrity import all_found
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
FIRST, EARLIER, LATER = date(2015, 3, 1), date(2018, 1, 1), date(2021, 7, 1)
MOMENTS = ("before it has the work", "before its commit", "after its commit")
DAYS = ((EARLIER, EARLIER), (EARLIER, LATER), (LATER, EARLIER))


@contextmanager
def held(table: str, pk: Any) -> Iterator[None]:
    """Keep a row locked, on a connection of its own."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"SELECT FROM {table} WHERE id = %s FOR UPDATE", [pk])
        yield
    finally:
        other.rollback()
        other.close()


def waiting_for(table: str) -> int:
    """How many processes wait for a row of a table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            " AND query LIKE %s",
            [f'SELECT "{table}"%'],
        )
        return int(cursor.fetchone()[0])


def is_at_rest(job: Job) -> bool:
    job.refresh_from_db()
    return job.state in (DONE, FAILED)


def taken_in(directory: Path, title: str) -> Source:
    """A source whose work has no other version yet."""
    job = upload_text(directory, f"{LAW}\n{title}", metadata=Metadata(title=title, valid_from=FIRST))
    wait_until(lambda: is_at_rest(job))
    assert job.source is not None
    return job.source


def take_in_with_a_kill(directory: Path, first: Source, *, victim: int, moment: str, days: Sequence[date]) -> list[Job]:
    """Take in two versions of the work of a source, in this order, and kill the process of one of them."""
    jobs: list[Job] = []
    processes: list[psutil.Process] = []
    with ExitStack() as gate:
        with held("kb_work", first.work_id):
            for number, day in enumerate(days):
                metadata = Metadata(title=first.title, version_of=first.pk, valid_from=day)
                jobs.append(upload_text(directory, f"{LAW}\n{number + 4}. {first.pk}\nנוסף.", metadata=metadata))
                processes.append(process_of(jobs[number].pk))
                wait_until(lambda: waiting_for("kb_work") == len(jobs))
            if moment == "before it has the work":
                processes[victim].kill()
            elif moment == "before its commit":
                gate.enter_context(held("kb_ingest_job", jobs[victim].pk))
            elif victim == 0:
                gate.enter_context(held("kb_ingest_job", jobs[1].pk))
        if moment == "before its commit":
            wait_until(lambda: waiting_for("kb_ingest_job"))
        elif moment == "after its commit":
            wait_until(lambda: is_at_rest(jobs[victim]))
        if moment != "before it has the work":
            processes[victim].kill()
    return jobs


def test_no_order_of_two_commits_and_a_kill_overlaps_or_loses_a_version(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    start_worker(concurrency=2)
    for number, (victim, moment, days) in enumerate(itertools.product((0, 1), MOMENTS, DAYS)):
        first = taken_in(tmp_path, f"Act {number}")
        jobs = take_in_with_a_kill(tmp_path, first, victim=victim, moment=moment, days=days)

        def swept(jobs: list[Job] = jobs) -> bool:
            sweep()  # as beat has it done
            return all(map(is_at_rest, jobs))

        wait_until(swept)
        order = f"{('first', 'second')[victim]} killed {moment}, {days}"
        versions = Source.objects.filter(work_id=first.work_id).order_by("valid_from")
        begins = [FIRST, *sorted(set(days))]
        assert [(one.valid_from, one.valid_to) for one in versions] == [*pairwise([*begins, None])], order
        states = sorted(str(job.state) for job in jobs)
        assert states == sorted(map(str, [DONE, DONE] if len(begins) == 3 else [DONE, FAILED])), order
        for job in jobs:
            if job.state == DONE:
                assert job.source is not None, order
                assert Chunk.objects.filter(source=job.source).count() == job.source.chunk_count > 0, order
            else:
                assert job.error_code == "version_overlap", order
                assert storage.exists(job.file_key), order
    assert all_found() == {}
