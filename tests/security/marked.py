"""A topic with one of everything: whatever is of it has its word in it."""

from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from answers.evaluation import questions
from answers.models import AnswerTrace, EvaluationQuestion, TextCheck
from ingest.documents.trash import throw_away
from ingest.intake.batches import name_batch
from ingest.job_states import JobStatus
from ingest.models import Job, Similar
from ingest.webhooks import editing as webhooks
from ingest.webhooks.models import Delivery, Webhook
from keeping.models import Highlight, Note, Notebook, NoteKind, Survey, Table, TableCell, Watch
from keeping.notebooks import looking
from keeping.notebooks.keep import NewNote, keep
from keeping.notebooks.pinning import CitedWords
from keeping.people import Owner
from keeping.tables import making
from labels import assign
from labels.models import Label
from search.models import SearchCount, Synonym
from search.synonyms import editing as synonyms
from sources.models import Source, StaleReference, TrashedSource
from tests.contract.things import Things
from tests.extraction.pdf.making import english_pdf
from tests.factories import make_job, make_label
from tests.keeping.watches.watchers import watch
from tests.search.corpus import add_document
from tests.sources.changes.laws import work
from topics import edit
from topics.keys import issue_key
from topics.models import OpenTo
from topics.oauth.models import AgentClient, AgentConnection

ACT = """{title}
1. Definitions
In this Act, "{word}" includes its keeper and each {word} house.
2. Fee of a keeper
Every {word} keeper pays a fee of {fee} coins to the {word} council each year.
3. Register
The council keeps a register of {word} houses in which each keeper is named."""
CITING = "1. Application\nThis regulation is made under section 2 of the {title}. The {word} keeper pays at once."


class Marked(Things):
    """The things of a topic. Its word, in small letters or large, is in each text that somebody could see of them."""

    failure_code = "empty"  # of its failed job

    def __init__(self, word: str) -> None:
        self.word = word
        topic = edit.create(name=f"{word.title()} law", slug=f"{word}-old", by="tests")
        edit.edit(
            topic.pk,
            {"slug": f"{word}-law", "open_to": OpenTo.MEMBERS, "system_prompt_addendum": f"Be brief, {word}."},
            by="tests",
        )
        topic.refresh_from_db()
        super().__init__(topic)
        self.title = f"{word.title()} Keepers Act, 2011"
        self.old, self.new = self._versions()
        self.citing = self._filed(CITING.format(title=self.title, word=word), kind="regulation", title=f"{word} rules")
        self.gone = self._trash()
        self.waiting = self._job()
        self._asked()
        work()

    def _versions(self) -> tuple[Source, Source]:
        day = timezone.localdate() - timedelta(days=7)
        old = self._filed(self._act(fee=3), valid_from=date(2011, 1, 1), valid_to=day)
        return old, self._filed(self._act(fee=5), valid_from=day, work_id=old.work_id)

    def _act(self, *, fee: int) -> str:
        return ACT.format(title=self.title, word=self.word, fee=fee)

    def _filed(self, text: str, **fields: Any) -> Source:
        key = f"processed/{self.topic.slug}/law/{uuid4()}-{self.word}.txt"
        default_storage.save(key, ContentFile(text.encode()))
        given = {"kind": "law", "title": self.title, "identifier": f"{self.word}-12", "subject": f"{self.word} care"}
        values: dict[str, Any] = {**given, "file_key": key, "filename": f"{self.word}.txt", **fields}
        source = add_document(text, topic=self.topic, published_at=date(2011, 1, 1), **values)
        assign.add(source, [self._label], by=self.word)
        return source

    def _trash(self) -> TrashedSource:
        source = self._filed(f"1. Nothing\nThe {self.word} keeper rests.", title=f"{self.word} rest")
        throw_away(source.pk, by=self.word)
        return TrashedSource.objects.get(pk=source.pk)

    def _job(self) -> Job:
        job = self.job()
        assert job.batch_id is not None
        name_batch(job.batch_id, f"{self.word} batch", topic_id=self.topic.pk, by=self.word)
        Similar.objects.create(job=job, source=self.new, similarity=0.9)
        failed = {
            "status": JobStatus.FAILED,
            "error_code": self.failure_code,
            "error_message": f"{self.word} is empty.",
        }
        self.failed = self.job(**failed)
        return job

    def _asked(self) -> None:
        """Traces, counts, entries that people made, a key."""
        row: dict[str, Any] = {"by": self.word, "status": "answered", "provider": "x", "model": "", "retrieval_ms": 1}
        asked = {"question": f"What does the {self.word} keeper pay?", "answer": f"{self.word} fee"}
        cited = [{"source_id": self.new.pk, "eid": "sec_2"}]
        trace = AnswerTrace.objects.create(topic=self.topic, took_ms=1, citations=cited, **row, **asked)
        self._answer_id = trace.answer_id
        SearchCount.objects.create(
            day=timezone.localdate(), topic=self.topic, query=f"{self.word} feed", searches=3, unanswered=3
        )
        words = [f"{self.word} keep"]
        self._synonym = synonyms.create(topic=self.topic, words=words, means=[f"{self.word} care"], by=self.word)
        values = {"question": f"Which fee is for a {self.word}?", "words": f"{self.word} council"}
        self._question = questions.create(topic=self.topic, values=values, by=self.word)
        hook = {"url": f"https://{self.word}.example.org/hook", "events": ["source.published"]}
        self._webhook = webhooks.create(topic=self.topic, values=hook, by=self.word)
        self._delivery = webhooks.ping(self._webhook.pk)
        self.key, self.key_text = issue_key(name=f"{self.word} program", topic=self.topic, by="tests")

    @cached_property
    def _label(self) -> Label:
        return make_label(f"{self.word.title()} fees")

    # What `tests.contract.requests` asks about.

    def label(self) -> Label:
        return self._label

    def source(self, **fields: Any) -> Source:
        return self.old if fields else self.new

    def job(self, *, status: str = JobStatus.AWAITING_REVIEW, **fields: Any) -> Job:
        key = f"inbox/{self.topic.slug}/law/{uuid4()}-{self.word}.pdf"
        with TemporaryDirectory() as directory:
            content = english_pdf(Path(directory) / "law.pdf", f"1. The {self.word} keeper pays.").read_bytes()
        default_storage.save(key, ContentFile(content))
        suggested = {
            "title": f"{self.word} proposal",
            "kind": "law",
            "labels": [{"slug": f"{self.word}-new", "name": f"{self.word} new", "existing": False}],
        }
        given = {"confirmed": None, "ai_suggestions": suggested, **fields}
        if (confirmed := given["confirmed"]) is not None:
            given["confirmed"] = {**confirmed, "title": f"{self.word} confirmed"}
        name = f"{self.word}.pdf"
        return make_job(topic=self.topic, status=status, batch_id=uuid4(), file_key=key, filename=name, **given)

    def trashed(self) -> TrashedSource:
        return self.gone

    def synonym(self) -> Synonym:
        return self._synonym

    def evaluation_question(self) -> EvaluationQuestion:
        return self._question

    def answer_id(self) -> UUID:
        return self._answer_id

    def webhook(self) -> Webhook:
        return self._webhook

    def delivery(self) -> Delivery:
        return self._delivery

    def connection(self) -> AgentConnection:
        """An agent that somebody let in."""
        person, _made = User.objects.get_or_create(username="somebody")
        client, _made = AgentClient.objects.get_or_create(
            client_id=self.word, defaults={"name": f"{self.word} agent", "redirect_uris": ["http://localhost/"]}
        )
        return AgentConnection.objects.get_or_create(
            client=client, user=person, topic=self.topic, defaults={"family": self.word, "ends_at": timezone.now()}
        )[0]

    def stale(self) -> StaleReference:
        """A citation of what has changed since."""
        return StaleReference.objects.get_or_create(
            topic=self.topic,
            source=self.new,
            defaults={
                "span_start": 0,
                "span_end": 9,
                "text": f"{self.word} section 2",
                "work_id": self.old.work_id,
                "became": "changed",
            },
        )[0]

    def notebook(self) -> Notebook:
        """Somebody's, which everybody may read who signs in. The topic's law in it is not for all of them."""
        owner, _made = User.objects.get_or_create(username="somebody")
        return Notebook.objects.get_or_create(owner=owner, topic_id=1, name=f"Common {self.topic.pk}")[0]

    def note(self) -> Note:
        """A quote that has changed since, in a notebook with an answer and a search of the same topic."""
        notebook = self.notebook()
        if not notebook.notes.exists():
            owner = Owner(person=notebook.owner, within=None)
            old, new = (CitedWords(source_id=one.pk, eid="sec_2") for one in (self.old, self.new))
            words: dict[str, Any] = {
                "title": f"What does the {self.word} keeper pay?",
                "text": f"A {self.word} fee [1].",
            }
            for note in (
                NewNote(kind=NoteKind.PROVISION, cited=[old], remark="My own words."),
                NewNote(kind=NoteKind.ANSWER, cited=[new], **words),
                NewNote(kind=NoteKind.COMPARISON, cited=[old, new]),
                NewNote(kind=NoteKind.SEARCH, query=f"{self.word} keeper", topic_id=self.topic.pk),
            ):
                keep(notebook, note, owner=owner)
            looking.work()
        return notebook.notes.get(kind=NoteKind.PROVISION)

    def highlight(self) -> Highlight:
        """Words that everybody marked while they saw the topic: that of one of the readers."""
        place = {"work_id": self.new.work_id, "source": self.new, "eid": "sec_2", "start": 0}
        words = {"exact": f"{self.word} keeper pays", "prefix": "Every ", "note": f"Ask the {self.word}."}
        for person in User.objects.all():
            Highlight.objects.get_or_create(person=person, **place, defaults={"day": timezone.localdate(), **words})
        return Highlight.objects.get(person__username="reader", source=self.new)

    def table(self) -> Table:
        """Somebody's table of what the topic's law says, with what was read in it."""
        if made := Table.objects.filter(topic=self.topic).first():
            return made
        columns = [{"title": f"{self.word} fee", "question": f"What does the {self.word} keeper pay?", "type": "text"}]
        table = making.make(f"{self.word} fees", topic=self.topic, by=self.word, filter={}, columns=columns)
        TableCell.objects.filter(table=table).update(
            status="answered", value=f"{self.word} fee", quote=f"{self.word} keeper pays"
        )
        return table

    def survey(self) -> Survey:
        """Somebody's survey of the topic's law, with what it found."""
        row = {"source_id": self.new.pk, "title": self.title, "eid": "sec_2", "number": "2", "heading": "", "page": 1}
        found = {**row, "quote": f"{self.word} keeper pays", "url": "/", "ways": ["words"]}
        report = {"yes": [found], "near": [], "undecided": [], "certificate": None}
        return Survey.objects.get_or_create(
            topic=self.topic, defaults={"by": self.word, "description": f"{self.word} fee", "report": report}
        )[0]

    def cell(self) -> TableCell:
        return TableCell.objects.filter(table=self.table(), row__source=self.new)[0]

    def check(self) -> TextCheck:
        """Somebody's text that was held against the law of the topic."""
        return TextCheck.objects.get_or_create(
            topic=self.topic,
            defaults={"by": self.word, "as_of": timezone.localdate(), "text": self.word, "report": {}},
        )[0]

    def belong_to(self, username: str) -> None:
        """Give somebody the answer and the check, which nobody but their owner may read."""
        AnswerTrace.objects.filter(answer_id=self.answer_id()).update(by=username)
        TextCheck.objects.filter(pk=self.check().pk).update(by=username)

    def watch(self, person: User) -> None:
        """Have somebody watch what there is in the topic, as if they had seen it once."""
        watch(person, topic_id=self.topic.pk)
        watch(person, work_id=self.old.work_id)
        watch(person, work_id=self.old.work_id, eid="sec_2")
        watch(person, label_slug=self.label().slug)
        watch(person, query="fee of a keeper", topic_id=self.topic.pk)

    def watched(self) -> Watch:
        """Somebody's watch of the topic."""
        return Watch.objects.get(topic=self.topic, watcher__person__username="reader")

    def add_news(self) -> None:
        """A document that is news to whoever watches the topic."""
        self._filed(CITING.format(title=self.title, word=self.word), kind="regulation", title=f"{self.word} news")
