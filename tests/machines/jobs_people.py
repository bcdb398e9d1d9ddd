"""What people do to jobs and to sources, and what of it is refused."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from ingest.commit import commit, discard
from ingest.decisions import Decision, LabelChoice
from ingest.intake.batches import take_in
from ingest.intake.upload import DuplicateDocument, Metadata, accept_upload, receive_path
from ingest.jobs.retry import retry
from ingest.jobs.states import AWAITING_REVIEW, FAILED, QUEUED, Arrow
from ingest.library.edit import delete, edit
from ingest.library.reindex import reindex
from ingest.models import Job
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
