"""Jobs as they should be: what the rules of the machine change, and what must hold after each of them."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant

from ingest.job_states import DONE, FAILED, QUEUED, UNFINISHED, JobState, Transition
from ingest.jobs.claims import sweep
from ingest.jobs.transitions import WrongState
from ingest.models import Job, JobEvent
from kb_project.errors import ApiError, Conflict
from search.index import engine
from sources.files import storage
from sources.models import Chunk, Source
from tests.factories import make_topic
from tests.ingest.library.documents import stored_keys
from tests.integrity import all_found, found

# Content, and the code it fails with where it cannot be read.
CONTENTS = (
    ("1. הגדרות\nבחוק זה, ספר הוא כל דבר שבדפוס.".encode(), ""),
    (b"Rule 1. A vessel carries two lamps.", ""),
    (b"<!doctype html><html><body><p> </p></body></html>", "empty"),  # told only by reading it
    (b"%PDF-1.7\n/Root" + bytes(range(256)) * 4, "corrupt"),
)
ALLOWED = {(str(start), str(arrow.target)) for arrow in Transition for start in arrow.sources}
picks = st.integers(min_value=0, max_value=10_000)


@dataclass
class Known:
    """A job as it should be. `holder` says whether it was a duplicate when it came."""

    state: JobState
    content: int
    decided: bool
    duplicate: bool = False
    claim: str = ""  # dead, live, or nobody's
    deaths: int = 0
    has_file: bool = True
    source: int | None = None
    reindex: bool = False
    error: str = ""
    batch: bool = False


class ModelOfJobs(RuleBasedStateMachine):
    """What should be, and comparing it with what is. The rules are its subclasses'."""

    taken = 0

    def __init__(self) -> None:
        super().__init__()
        self.topic = make_topic()
        self.directory = tempfile.TemporaryDirectory(prefix="kb-machine-")
        self.jobs: dict[UUID, Known] = {}
        self.sources: dict[int, int] = {}  # the content of each

    def teardown(self) -> None:
        sweep()
        engine().maintain()
        try:
            found = all_found()
            assert found == {}, found
        finally:
            self.directory.cleanup()

    def some(self, pick: int, *states: JobState) -> UUID | None:
        """A job in one of those states, preferably of few that move; any job without states."""
        fitting = [key for key, known in self.jobs.items() if not states or known.state in states]
        return fitting[pick % len(fitting)] if fitting else None

    def held(self, content: int, *, besides: UUID | None = None) -> bool:
        """Whether a source, or a job that may become one, has the content."""
        return content in self.sources.values() or any(
            known.content == content and not known.reindex and key != besides and known.state.status in UNFINISHED
            for key, known in self.jobs.items()
        )

    def twin(self, key: UUID) -> bool:
        job = self.jobs[key]
        return job.duplicate and (
            job.content in self.sources.values()
            or any(
                other.content == job.content
                and not other.reindex
                and other.state.status in UNFINISHED
                and (not other.duplicate or other.decided)
                for place, other in self.jobs.items()
                if place != key
            )
        )

    def row(self, key: UUID) -> tuple[Mapping[str, Any], int]:
        return Job.objects.filter(pk=key).values().get(), JobEvent.objects.filter(job_id=key).count()

    def refused(self, key: UUID, act: Callable[[], object], kind: type[ApiError] = WrongState) -> None:
        before = self.row(key), stored_keys()
        with pytest.raises(kind) as refusal:
            act()
        assert type(refusal.value) is kind or kind is not Conflict
        assert (self.row(key), stored_keys()) == before

    def file(self, content: int) -> Path:
        path = Path(self.directory.name) / f"{content}.txt"
        path.write_bytes(CONTENTS[content][0])
        return path

    def moved(self, key: UUID, state: JobState, **changes: Any) -> None:
        known = self.jobs[key]
        known.state = state
        for name, value in changes.items():
            setattr(known, name, value)

    def can_be_read_again(self, known: Known) -> bool:
        if known.reindex:
            return known.source in self.sources and not self.live_reindex(known.source)
        return known.has_file

    def live_reindex(self, source: int | None) -> UUID | None:
        return next(
            (
                key
                for key, known in self.jobs.items()
                if known.reindex and known.source == source and known.state.status in UNFINISHED
            ),
            None,
        )

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
    def every_stored_file_is_named(self) -> None:
        named = {key for model in (Job, Source) for key in model.objects.values_list("file_key", flat=True)}
        assert set(stored_keys()) <= named

    @invariant()
    def every_source_is_whole(self) -> None:
        rows = Source.objects.filter(topic=self.topic)
        assert {row.pk for row in rows} == self.sources.keys()
        assert all(Chunk.objects.filter(source=row).count() == row.chunk_count > 0 for row in rows)
        assert all(storage.exists(row.file_key) for row in rows)
        for name in ("label_counts", "label_slugs", "sources_without_chunks"):
            assert found(name) == {}
