"""Between what a person confirms and its version the database fails, a worker is killed, or somebody confirms again."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen

import pytest
from django.db import DatabaseError, connection

from ingest.job_states import DONE, EMBEDDING, FAILED
from ingest.jobs.claims import sweep
from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.errors import Conflict
from sources.models import Chunk, Source
from sources.provisions import whole_text
from tests.ingest.consolidation.acts import DAY, make, planned, ports, reform, stored
from tests.ingest.documents.test_killed_between_versions import held, is_at_rest, waiting_for
from tests.ingest.jobs.holders import process_of
from tests.integrity import all_found
from tests.racing import at_once
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
FAILS = """
CREATE FUNCTION kb_test_fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'The disk is full.'; END $$;
CREATE CONSTRAINT TRIGGER kb_test_fails AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION kb_test_fails();
"""


@contextmanager
def failing(table: str) -> Iterator[None]:
    """The database fails when a transaction that inserted into the table is committed."""
    with connection.cursor() as cursor:
        cursor.execute(FAILS.format(table=table))
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION kb_test_fails CASCADE")


def versions_of(act: Source) -> list[Source]:
    return list(Source.objects.filter(work_id=act.work_id).order_by("valid_from"))


def has_nothing_of_it(act: Source) -> bool:
    """Whether the act is as it was before anybody confirmed."""
    [only] = versions_of(act)
    return only.valid_to is None and not Source.objects.filter(consolidation__isnull=False).exists()


def has_all_of_it(act: Source) -> bool:
    """Whether the act ends where one further version begins, which has its text and its history."""
    before, made = versions_of(act)
    return (
        (before.valid_to, made.valid_from, made.valid_to) == (DAY, DAY, None)
        and "45 days" in whole_text(made.pk)
        and made.consolidation is not None
        and Chunk.objects.filter(source=made).count() == made.chunk_count > 0
    )


def test_a_database_that_fails_as_somebody_confirms_leaves_nothing(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    with failing("kb_ingest_job"), pytest.raises(DatabaseError):
        make(amending, version)
    assert not Job.objects.filter(consolidation__isnull=False).exists()
    assert has_nothing_of_it(act)
    stored(make(amending, version))
    assert has_all_of_it(act)


def test_a_database_that_fails_as_the_version_is_stored_leaves_nothing_until_it_is_tried_again(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    job = make(amending, planned(amending, act))
    with failing("kb_source"):
        waiting = run_job(job.pk)
    assert waiting is not None
    assert (waiting.state, waiting.source) == (EMBEDDING, None)
    assert has_nothing_of_it(act)
    stored(job)
    assert has_all_of_it(act)
    assert all_found() == {}


def test_what_is_confirmed_twice_becomes_one_version(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    job = make(amending, version)
    with pytest.raises(Conflict) as refused:
        make(amending, version)
    assert refused.value.code == "duplicate_document"
    stored(job)
    with pytest.raises(Conflict) as refused:
        make(amending, version)
    assert refused.value.code == "changed_meanwhile"
    assert has_all_of_it(act)


def test_what_two_people_confirm_at_once_becomes_one_version(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    outcomes = at_once([lambda: make(amending, version)] * 2)
    [job] = [one for one in outcomes if isinstance(one, Job)]
    [refusal] = [one for one in outcomes if isinstance(one, Conflict)]
    assert refusal.code == "duplicate_document"
    stored(job)
    assert has_all_of_it(act)


def test_of_two_choices_that_wait_the_first_becomes_the_version(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    all_of_it, some_of_it = make(amending, version), make(amending, version, 1)
    stored(all_of_it)
    ended = run_job(some_of_it.pk)
    assert ended is not None
    assert (ended.state, ended.error_code) == (FAILED, "overtaken")
    assert has_all_of_it(act)


@pytest.mark.deep
@pytest.mark.parametrize("moment", ["before it has the act", "before its commit"])
def test_a_killed_worker_leaves_nothing_and_the_next_one_makes_the_version(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path, moment: str
) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    start_worker()
    with ExitStack() as gate:
        with held("kb_work", act.work_id):
            job = make(amending, planned(amending, act))
            process = process_of(job.pk)
            wait_until(lambda: waiting_for("kb_work"))
            if moment == "before its commit":
                gate.enter_context(held("kb_ingest_job", job.pk))
            else:
                process.kill()
        if moment == "before its commit":
            wait_until(lambda: waiting_for("kb_ingest_job"))
            process.kill()
    assert has_nothing_of_it(act)

    def swept() -> bool:
        sweep()  # as beat has it done
        return is_at_rest(job)

    wait_until(swept)
    assert job.state == DONE
    assert has_all_of_it(act)
    assert all_found() == {}
