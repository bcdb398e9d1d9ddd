"""What people do to jobs and to sources, and what of it is refused."""

from collections.abc import Callable
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from ingest.decide.commit import commit
from ingest.decide.discard import discard
from ingest.decide.reopen import reopen
from ingest.decide.retry import classify_again, retry
from ingest.decisions import Decision, LabelChoice
from ingest.documents.edit import delete, edit
from ingest.documents.reindex import reindex
from ingest.intake.batches import create_batch
from ingest.intake.upload import Metadata, accept_upload, receive_path
from ingest.job_states import AWAITING_REVIEW, DONE, EMBEDDING, FAILED, QUEUED, Transition
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from kb_project.errors import Conflict, NotFound
from sources.models import Source
from tests.ingest.library.documents import stored_keys
from tests.machines.jobs_model import CONTENTS, Known, ModelOfJobs, picks

LABELS = ("ביטוח", "דין", "harbour")
KINDS = ("law", "circular", "caselaw")


class People(ModelOfJobs):
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
        (job,) = create_batch([(name, blocks)], topic=self.topic, by="machine").jobs
        self.jobs[job.pk] = Known(QUEUED, content, decided=False, duplicate=self.held(content), batch=True)

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, waiting=st.booleans(), knowing=st.booleans(), label=st.sampled_from(LABELS))
    def commit(self, pick: int, waiting: bool, knowing: bool, label: str) -> None:
        key = (waiting and self.some(pick, AWAITING_REVIEW)) or self.some(pick)
        assert key is not None
        decision = Decision(kind="circular", title="חוזר", labels=(LabelChoice(name=label),))

        def act() -> None:
            commit(key, decision, by="machine", allow_duplicate=knowing)

        known = self.jobs[key]
        if known.state not in Transition.COMMIT.sources:
            self.refused(key, act)
        elif known.source is not None:
            self.amended(key, known.source, act)
        elif self.twin(key) and not knowing:
            self.refused(key, act, DuplicateDocument)
        else:
            act()
            self.moved(key, Transition.COMMIT.target, decided=True, claim="", deaths=0)

    def amended(self, key: UUID, source: int, act: Callable[[], None]) -> None:
        """A reopened job is confirmed: its source is edited, and indexed again if that says so."""
        was, indexing = Source.objects.get(pk=source), self.live_reindex(source)
        act()
        self.moved(key, DONE, decided=True)
        if (was.kind, was.title) != ("circular", "חוזר") and indexing is None:
            self.indexed_again(source)

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, decided=st.booleans())
    def reopen(self, pick: int, decided: bool) -> None:
        key = (decided and self.some(pick, DONE, EMBEDDING)) or self.some(pick)
        assert key is not None
        known = self.jobs[key]
        if known.batch and known.state == FAILED and known.error == "discarded":
            self.refused(key, lambda: reopen(key, by="machine"), Conflict)  # its file is gone
        elif known.state not in Transition.REOPEN.sources:
            self.refused(key, lambda: reopen(key, by="machine"))
        elif not known.batch or (known.state == DONE and known.source is None):
            self.refused(key, lambda: reopen(key, by="machine"), Conflict)
        else:
            reopen(key, by="machine")
            self.moved(key, AWAITING_REVIEW, decided=False, claim="", deaths=0)

    @precondition(lambda self: self.jobs)
    @rule(pick=picks)
    def discard(self, pick: int) -> None:
        key = self.some(pick)
        assert key is not None
        known = self.jobs[key]
        if known.state == FAILED and not known.has_file:
            self.refused(key, lambda: discard(key, by="machine"), Conflict)
        elif known.state not in Transition.DISCARD.sources:
            self.refused(key, lambda: discard(key, by="machine"))
        elif known.state == AWAITING_REVIEW and known.source is not None:
            self.refused(key, lambda: discard(key, by="machine"), Conflict)
        else:
            discard(key, by="machine")
            self.moved(key, FAILED, has_file=False, claim="", error="discarded")

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, failed=st.booleans())
    def retry(self, pick: int, failed: bool) -> None:
        key = (failed and self.some(pick, FAILED)) or self.some(pick)
        assert key is not None
        known = self.jobs[key]
        arrow = Transition.RETRY_CONFIRMED if known.decided else Transition.RETRY
        if known.state not in arrow.sources:
            self.refused(key, lambda: retry(key, by="machine"))
        elif not self.can_be_read_again(known):
            self.refused(key, lambda: retry(key, by="machine"), Conflict)
        elif not known.reindex and not known.duplicate and self.held(known.content, besides=key):
            self.refused(key, lambda: retry(key, by="machine"), DuplicateDocument)
        else:
            retry(key, by="machine")
            self.moved(key, arrow.target, deaths=0, error="")

    @precondition(lambda self: self.jobs)
    @rule(pick=picks, waiting=st.booleans())
    def classify_again(self, pick: int, waiting: bool) -> None:
        key = (waiting and self.some(pick, AWAITING_REVIEW)) or self.some(pick)
        assert key is not None
        if self.jobs[key].state not in Transition.CLASSIFY_AGAIN.sources:
            self.refused(key, lambda: classify_again(key, by="machine"))
        elif self.jobs[key].source is not None:
            self.refused(key, lambda: classify_again(key, by="machine"), Conflict)
        else:
            classify_again(key, by="machine")
            self.moved(key, Transition.CLASSIFY_AGAIN.target, deaths=0)

    # what people do to sources

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
            self.indexed_again(source)

    def indexed_again(self, source: int) -> None:
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
        for key, known in self.jobs.items():
            if known.source == source and known.state == AWAITING_REVIEW:
                self.moved(key, FAILED, error="source_deleted")
            if known.source == source:
                known.source, known.has_file = None, False
        with pytest.raises(NotFound):
            delete(source, by="machine")
