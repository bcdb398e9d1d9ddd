"""What workers do to jobs, their deaths among it."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from ingest.job_states import AWAITING_REVIEW, CLASSIFYING, DONE, EMBEDDING, FAILED, QUEUED, Transition
from ingest.jobs import claims
from ingest.jobs.claims import sweep
from ingest.models import Job
from ingest.stages.run import run_job
from tests.machines.jobs_model import CONTENTS, ModelOfJobs, picks

UNDER_WAY = (QUEUED, CLASSIFYING, EMBEDDING)
DEAD = f"{claims.here()}:4194305:0000000000aa"  # no process can have that number


class Workers(ModelOfJobs):
    @precondition(lambda self: self.jobs)
    @rule(pick=picks, waiting=st.booleans())
    def work(self, pick: int, waiting: bool) -> None:
        key = (waiting and self.some(pick, *UNDER_WAY)) or self.some(pick)
        assert key is not None
        known = self.jobs[key]
        before = self.row(key)
        done = run_job(key)
        if known.state not in UNDER_WAY or known.claim == "live":
            assert done is None
            assert self.row(key) == before
            return
        if known.claim == "dead" and known.deaths >= claims.MAX_ATTEMPTS:
            assert done is None
            self.moved(key, FAILED, claim="", error="worker_lost")
            return
        assert done is not None
        error = "" if known.reindex else CONTENTS[known.content][1]
        if error:
            self.moved(key, FAILED, claim="", error=error)
        elif not known.decided:
            self.moved(key, AWAITING_REVIEW, claim="")
        else:
            self.moved(key, DONE, claim="", has_file=True, source=done.source_id)
            if not known.reindex:
                assert done.source_id is not None
                assert done.source_id not in self.sources
                self.sources[done.source_id] = known.content
        known.deaths += 1

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, dies=st.booleans())
    def take_and_never_finish(self, pick: int, dies: bool) -> None:
        """A worker claims the job, and dies there or goes on in silence."""
        key = self.some(pick, *UNDER_WAY)
        if key is None:
            return
        known = self.jobs[key]
        job = claims.claim(key)
        if known.claim == "live":
            assert job is None
            return
        if known.claim == "dead" and known.deaths >= claims.MAX_ATTEMPTS:
            assert job is None
            self.moved(key, FAILED, claim="", error="worker_lost")
            return
        assert job is not None
        arrow = Transition.START_EMBEDDING if known.decided else Transition.START_CLASSIFYING
        self.moved(key, arrow.target, claim="live", deaths=known.deaths + 1)
        if dies:
            self.die(key)

    def die(self, key: UUID) -> None:
        Job.objects.filter(pk=key).update(claim=DEAD)
        self.jobs[key].claim = "dead"

    @rule(pick=picks, silent=st.booleans())
    def worker_dies(self, pick: int, silent: bool) -> None:
        """Its process goes, or its heartbeat stops."""
        held = [key for key, known in self.jobs.items() if known.claim == "live"]
        if not held:
            return
        key = held[pick % len(held)]
        if silent:
            Job.objects.filter(pk=key).update(heartbeat_at=timezone.now() - timedelta(days=1))
            self.jobs[key].claim = "dead"
        else:
            self.die(key)

    @rule()
    def sweep(self) -> None:
        sweep()
