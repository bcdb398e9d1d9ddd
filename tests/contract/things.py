"""What the requests of the contract's tests are about, made for each of them."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from answers.evaluation import questions
from answers.models import AnswerTrace, EvaluationQuestion
from ingest.documents.trash import throw_away
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.webhooks import editing as webhooks
from ingest.webhooks.models import Delivery, Webhook
from keeping.models import Highlight, Note, Notebook, Survey, Table, TableCell
from keeping.tables import making
from labels import assign, naming
from labels.models import Label
from search.models import Synonym
from search.synonyms import editing
from sources.models import Source, StaleReference, TrashedSource
from tests.extraction.pdf.making import english_pdf
from tests.factories import make_job
from tests.search.corpus import add_source
from topics.models import Topic

HOOK = {"url": "https://example.org/hook", "events": ["source.published"]}


@dataclass
class Things:
    """Rows in one topic, made anew for each request that wants one."""

    topic: Topic

    def label(self) -> Label:
        """One that is known in the topic, and on no source."""
        return naming.get_or_create_within([self.topic.pk], f"label {uuid4().hex[:8]}", by="test")[0]

    def source(self, **fields: Any) -> Source:
        key = f"processed/{self.topic.slug}/law/{uuid4()}-law.txt"
        default_storage.save(key, ContentFile("1. ספרייה\nבחוק זה ספרייה.".encode()))
        source = add_source(
            "בחוק זה ספרייה.", topic=self.topic, title="חוק", file_key=key, filename="law.txt", **fields
        )
        assign.add(source, [self.label()], by="test")
        return source

    def job(self, *, status: str = JobStatus.AWAITING_REVIEW, **fields: Any) -> Job:
        """A job with a PDF of one page."""
        key = f"inbox/{self.topic.slug}/law/{uuid4()}-law.pdf"
        with TemporaryDirectory() as directory:
            content = english_pdf(Path(directory) / "law.pdf", "1. A library lends books.").read_bytes()
        default_storage.save(key, ContentFile(content))
        fields.setdefault("confirmed", None)
        return make_job(topic=self.topic, status=status, batch_id=uuid4(), file_key=key, filename="law.pdf", **fields)

    def stale(self) -> StaleReference:
        source = self.source()
        place = {"span_start": 0, "span_end": 4, "text": "חוק", "became": "changed"}
        return StaleReference.objects.create(source=source, topic=self.topic, work_id=source.work_id, **place)

    def trashed(self) -> TrashedSource:
        source = self.source()
        throw_away(source.pk, by="test")
        return TrashedSource.objects.get(pk=source.pk)

    def synonym(self) -> Synonym:
        words = [f"w{uuid4().hex}"]
        return editing.create(topic=self.topic, words=words, means=["שוכר"], by="test")

    def evaluation_question(self) -> EvaluationQuestion:
        values = {"question": f"w{uuid4().hex}", "words": "ספרייה"}
        return questions.create(topic=self.topic, values=values, by="test")

    def answer_id(self) -> UUID:
        row = {"by": "test", "question": "?", "status": "answered", "provider": "x", "model": "", "retrieval_ms": 1}
        return AnswerTrace.objects.create(topic=self.topic, took_ms=1, **row).answer_id

    def notebook(self) -> Notebook:
        """Another person's, which whoever sees the topic may read."""
        owner = User.objects.get_or_create(username="keeper")[0]
        return Notebook.objects.get_or_create(owner=owner, topic=self.topic, defaults={"name": "כללי"})[0]

    def note(self) -> Note:
        return Note.objects.get_or_create(
            notebook=self.notebook(), defaults={"kind": "search", "title": "ספרייה", "day": date(2024, 1, 1)}
        )[0]

    def highlight(self) -> Highlight:
        """Another person's."""
        source = self.source()
        given = {"work_id": source.work_id, "source": source, "day": date(2024, 1, 1), "start": 0, "exact": "בחוק"}
        return Highlight.objects.create(person=User.objects.get_or_create(username="member")[0], **given)

    def table(self) -> Table:
        """Another person's, with a cell that was read."""
        source = self.source()
        columns = [{"title": "ספרייה", "question": "מהי ספרייה?", "type": "text"}]
        rows = {"source_ids": [source.pk]}
        table = making.make("לוח", topic=self.topic, by="keeper", filter=rows, columns=columns)
        TableCell.objects.filter(table=table).update(status="answered", value="ספרייה", quote="בחוק זה ספרייה.")
        return table

    def survey(self) -> Survey:
        """Another person's, which could not be made."""
        return Survey.objects.create(topic=self.topic, by="keeper", description="ספרייה", status="failed")

    def cell(self) -> TableCell:
        return TableCell.objects.select_related("row", "column").get(table=self.table())

    def webhook(self) -> Webhook:
        return webhooks.create(topic=self.topic, values=HOOK, by="test")

    def delivery(self) -> Delivery:
        return webhooks.ping(self.webhook().pk)

    def person(self) -> User:
        return User.objects.get_or_create(username="member")[0]

    def upload(self) -> SimpleUploadedFile:
        return SimpleUploadedFile("law.txt", f"1. ספרייה\nבחוק זה {uuid4()}.".encode(), content_type="text/plain")
