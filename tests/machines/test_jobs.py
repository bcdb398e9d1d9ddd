"""Jobs under any sequence of verbs, workers' deaths among them: the arrows of `ingest.states` say what may happen.

Every verb is tried on jobs in every state. Where an arrow starts from the state, the verb must do what a small model
says; where none does, it must refuse and change nothing.
"""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ingest import claims
from ingest.batches import take_in
from ingest.commit import commit
from ingest.decisions import Decision, LabelChoice
from ingest.discard import discard
from ingest.library.edit import edit
from ingest.library.reindex import reindex
from ingest.library.remove import delete
from ingest.models import Job, JobEvent
from ingest.retry import retry
from ingest.states import AWAITING_REVIEW, CLASSIFYING, DONE, EMBEDDING, FAILED, LIVE, QUEUED, Arrow, State
from ingest.sweep import sweep
from ingest.transitions import WrongState
from ingest.upload import DuplicateDocument, Metadata, accept_upload, receive_path
from ingest.work import work
from kb_project.errors import Conflict, NotFound, Refusal
from search.models import Chunk
from search.statistics import fold
from sources import storage
from sources.models import Source
from tests.factories import make_topic
from tests.ingest.library.documents import stored_keys
from tests.integrity import all_found, found
from tests.machines.steps import drive

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(10_800)]

# Content, and the code it fails with where it cannot be read.
CONTENTS = (
    ("1. הגדרות\nבחוק זה, ספר הוא כל דבר שבדפוס.".encode(), ""),
    (b"Rule 1. A vessel carries two lamps.", ""),
    (b" \n\t\n ", "empty"),
    (b"%PDF-1.7\n" + bytes(range(256)) * 4, "corrupt"),
)
LABELS = ("ביטוח", "דין", "harbour")
KINDS = ("law", "circular", "caselaw")
ALLOWED = {(str(start), str(arrow.target)) for arrow in Arrow for start in arrow.sources}
UNDER_WAY = (QUEUED, CLASSIFYING, EMBEDDING)
DEAD = f"{socket.gethostname()}:4194305:0000000000aa"  # no process can have that number
picks = st.integers(min_value=0, max_value=10_000)


@dataclass
class Known:
    """A job as it should be. `holder` says whether it was a duplicate when it came."""

    state: State
    content: int
    decided: bool
    duplicate: bool = False
    claim: str = ""  # dead, live, or nobody's
    deaths: int = 0
    has_file: bool = True
    source: int | None = None
    reindex: bool = False
    error: str = ""


class Jobs(RuleBasedStateMachine):
    taken = 0

    def __init__(self) -> None:
        super().__init__()
        self.topic = make_topic()
        self.directory = tempfile.TemporaryDirectory(prefix="kb-machine-")
        self.jobs: dict[UUID, Known] = {}
        self.sources: dict[int, int] = {}  # the content of each

    def teardown(self) -> None:
        sweep()
        fold()
        try:
            assert all_found() == {}
        finally:
            self.directory.cleanup()

    # what the model says

    def some(self, pick: int, *states: State) -> UUID | None:
        """A job in one of those states, preferably of few that move; any job without states."""
        fitting = [key for key, known in self.jobs.items() if not states or known.state in states]
        return fitting[pick % len(fitting)] if fitting else None

    def held(self, content: int, *, besides: UUID | None = None) -> bool:
        """Whether a source, or a job that may become one, has the content."""
        return content in self.sources.values() or any(
            known.content == content and not known.reindex and key != besides and known.state.status in LIVE
            for key, known in self.jobs.items()
        )

    def twin(self, key: UUID) -> bool:
        job = self.jobs[key]
        return job.duplicate and (
            job.content in self.sources.values()
            or any(
                other.content == job.content
                and not other.reindex
                and other.state.status in LIVE
                and (not other.duplicate or other.decided)
                for place, other in self.jobs.items()
                if place != key
            )
        )

    def row(self, key: UUID) -> tuple[dict[str, Any], int]:
        return Job.objects.filter(pk=key).values().get(), JobEvent.objects.filter(job_id=key).count()

    def refused(self, key: UUID, act: Callable[[], object], kind: type[Refusal] = WrongState) -> None:
        before = self.row(key), stored_keys()
        with pytest.raises(kind) as refusal:
            act()
        assert type(refusal.value) is kind or kind is not Conflict
        assert (self.row(key), stored_keys()) == before

    def file(self, content: int) -> Path:
        path = Path(self.directory.name) / f"{content}.txt"
        path.write_bytes(CONTENTS[content][0])
        return path

    def moved(self, key: UUID, state: State, **changes: Any) -> None:
        known = self.jobs[key]
        known.state = state
        for name, value in changes.items():
            setattr(known, name, value)

    # what people do

    @rule(content=st.integers(0, len(CONTENTS) - 1), label=st.sampled_from(LABELS), kind=st.sampled_from(KINDS))
    def upload(self, content: int, label: str, kind: str) -> None:
        def accept() -> Job:
            received, metadata = receive_path(self.file(content)), Metadata(title="חוק", labels=(label,))
            return accept_upload(received, topic=self.topic, kind=kind, metadata=metadata, by="machine")

        if self.held(content):
            before = Job.objects.count(), stored_keys()
            with pytest.raises(DuplicateDocument):
                accept()
            assert (Job.objects.count(), stored_keys()) == before
        else:
            self.jobs[accept().pk] = Known(QUEUED, content, decided=True)

    @rule(content=st.integers(0, len(CONTENTS) - 1))
    def upload_in_a_batch(self, content: int) -> None:
        name, blocks = f"{content}.txt", [CONTENTS[content][0]]
        (job,) = take_in([(name, blocks)], topic=self.topic, by="machine").jobs
        self.jobs[job.pk] = Known(QUEUED, content, decided=False, duplicate=self.held(content))

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, waiting=st.booleans(), knowing=st.booleans(), label=st.sampled_from(LABELS))
    def commit(self, pick: int, waiting: bool, knowing: bool, label: str) -> None:
        key = (waiting and self.some(pick, AWAITING_REVIEW)) or self.some(pick)
        assert key is not None
        decision = Decision(kind="circular", title="חוזר", labels=(LabelChoice(name=label),))

        def act() -> None:
            commit(key, decision, by="machine", allow_duplicate=knowing)

        if self.jobs[key].state not in Arrow.COMMIT.sources:
            self.refused(key, act)
        elif self.twin(key) and not knowing:
            self.refused(key, act, DuplicateDocument)
        else:
            act()
            self.moved(key, Arrow.COMMIT.target, decided=True, claim="", deaths=0)

    @precondition(lambda self: self.jobs)
    @rule(pick=picks)
    def discard(self, pick: int) -> None:
        key = self.some(pick)
        assert key is not None
        known = self.jobs[key]
        if known.state == FAILED and not known.has_file:
            self.refused(key, lambda: discard(key, by="machine"), Conflict)
        elif known.state not in Arrow.DISCARD.sources:
            self.refused(key, lambda: discard(key, by="machine"))
        else:
            discard(key, by="machine")
            self.moved(key, FAILED, has_file=False, claim="", error="discarded")

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, failed=st.booleans())
    def retry(self, pick: int, failed: bool) -> None:
        key = (failed and self.some(pick, FAILED)) or self.some(pick)
        assert key is not None
        known = self.jobs[key]
        arrow = Arrow.RETRY_CONFIRMED if known.decided else Arrow.RETRY
        if known.state not in arrow.sources:
            self.refused(key, lambda: retry(key, by="machine"))
        elif not self.can_be_read_again(known):
            self.refused(key, lambda: retry(key, by="machine"), Conflict)
        elif not known.reindex and not known.duplicate and self.held(known.content, besides=key):
            self.refused(key, lambda: retry(key, by="machine"), DuplicateDocument)
        else:
            retry(key, by="machine")
            self.moved(key, arrow.target, deaths=0, error="")

    def can_be_read_again(self, known: Known) -> bool:
        if known.reindex:
            return known.source in self.sources and not self.live_reindex(known.source)
        return known.has_file

    # what people do to sources

    def live_reindex(self, source: int | None) -> UUID | None:
        return next(
            (
                key
                for key, known in self.jobs.items()
                if known.reindex and known.source == source and known.state.status in LIVE
            ),
            None,
        )

    @precondition(lambda self: self.sources)
    @rule(pick=picks, title=st.sampled_from(("", "שם אחר", "Another name")))
    def index_again(self, pick: int, title: str) -> None:
        """As asked, or because another title says so."""
        source = sorted(self.sources)[pick % len(self.sources)]
        live = self.live_reindex(source)
        if title:
            same = Source.objects.get(pk=source).title == title
            edit(source, {"title": title}, by="machine")
            if same:
                return
        else:
            assert live is None or reindex(source, by="machine").pk == live
        if live is None:
            job = reindex(source, by="machine")
            known = Known(QUEUED, self.sources[source], decided=True, has_file=False, source=source, reindex=True)
            self.jobs[job.pk] = known

    @precondition(lambda self: self.sources)
    @rule(pick=picks)
    def delete_a_source(self, pick: int) -> None:
        source = sorted(self.sources)[pick % len(self.sources)]
        live = self.live_reindex(source)
        delete(source, by="machine")
        del self.sources[source]
        if live:
            self.moved(live, FAILED, claim="", error="source_deleted")
        for known in self.jobs.values():
            if known.source == source:
                known.source, known.has_file = None, False
        with pytest.raises(NotFound):
            delete(source, by="machine")

    # what workers do

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, waiting=st.booleans())
    def work(self, pick: int, waiting: bool) -> None:
        key = (waiting and self.some(pick, *UNDER_WAY)) or self.some(pick)
        assert key is not None
        known = self.jobs[key]
        before = self.row(key)
        done = work(key)
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
        job = claims.take(key)
        if known.claim == "live":
            assert job is None
            return
        if known.claim == "dead" and known.deaths >= claims.MAX_ATTEMPTS:
            assert job is None
            self.moved(key, FAILED, claim="", error="worker_lost")
            return
        assert job is not None
        arrow = Arrow.START_EMBEDDING if known.decided else Arrow.START_CLASSIFYING
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

    # what holds at every step

    @invariant()
    def every_job_is_as_the_model_says(self) -> None:
        type(self).taken += 1
        jobs = {job.pk: job for job in Job.objects.filter(topic=self.topic)}
        assert jobs.keys() == self.jobs.keys()
        for key, known in self.jobs.items():
            job = jobs[key]
            assert job.state == known.state
            assert (job.confirmed is not None, bool(job.claim)) == (known.decided, bool(known.claim))
            assert (job.source_id, job.reindex, job.error_code) == (known.source, known.reindex, known.error)
            assert bool(job.error_message) == bool(known.error)
            assert (job.finished_at is not None) == (known.state in (DONE, FAILED))
            if not known.reindex:
                assert storage.exists(job.file_key) == known.has_file
                assert bool(job.file_key) == known.has_file

    @invariant()
    def every_history_follows_the_arrows(self) -> None:
        for key in list(self.jobs)[-5:]:
            events = list(JobEvent.objects.filter(job_id=key).order_by("id"))
            assert (events[0].from_state or "", events[0].to_state) == ("", str(QUEUED))
            assert all(one.to_state == two.from_state for one, two in pairwise(events))
            assert {(event.from_state, event.to_state) for event in events[1:]} <= ALLOWED
            assert events[-1].to_state == str(self.jobs[key].state)

    @invariant()
    def every_source_is_whole(self) -> None:
        rows = Source.objects.filter(topic=self.topic)
        assert {row.pk for row in rows} == self.sources.keys()
        assert all(Chunk.objects.filter(source=row).count() == row.chunk_count > 0 for row in rows)
        assert all(storage.exists(row.file_key) for row in rows)
        for name in ("label_counts", "label_slugs", "sources_without_chunks"):
            assert found(name) == {}


@pytest.fixture(autouse=True)
def room_to_classify(settings: Any) -> None:
    """Whose turn it is, is tested elsewhere; and tests before left their files, as they share one store."""
    settings.KB_CLASSIFY_CONCURRENCY = 10_000
    for key in stored_keys():
        storage.delete(key)


def test_jobs_go_along_the_arrows_and_nowhere_else() -> None:
    drive(Jobs, usually=50)
    print(f"{Jobs.taken} steps")
