"""Two topics that only members see, each with one of everything: whatever is of a topic has its word in it."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import Group, User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from answers.evaluation import questions
from answers.models import AnswerTrace, EvaluationQuestion, TextCheck
from ingest.documents.trash import throw_away
from ingest.intake.batches import name_batch
from ingest.job_states import JobStatus
from ingest.models import Job, Similar
from ingest.webhooks import editing as webhooks
from ingest.webhooks.models import Delivery, Webhook
from keeping.models import Highlight, Note, Notebook, NoteKind, Watch
from keeping.notebooks import looking
from keeping.notebooks.keep import NewNote, keep
from keeping.notebooks.pinning import CitedPlace
from keeping.people import Keeper
from labels import assign, naming
from labels.models import Label
from search.models import SearchCount, Synonym
from search.synonyms import editing as synonyms
from sources.models import Chunk, Source, StaleReference, TrashedSource
from tests.contract.requests import Things
from tests.extraction.pdf.making import english_pdf
from tests.factories import make_job, make_label, make_staff
from tests.keeping.watches.watchers import watch
from tests.keeping.watches.watchers import work as work_on_watches
from tests.search.corpus import add_document
from tests.sources.changes.laws import work
from topics import edit
from topics.keys import issue_key
from topics.models import ApiKey, OpenTo, TopicMember, TopicRole
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
        failed = {"status": JobStatus.FAILED, "error_code": "empty", "error_message": f"{self.word} is empty."}
        self.job(**failed)
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
            keeper = Keeper(person=notebook.owner, within=None)
            old, new = (CitedPlace(source_id=one.pk, eid="sec_2") for one in (self.old, self.new))
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
                keep(notebook, note, keeper=keeper)
            looking.work()
        return notebook.notes.get(kind=NoteKind.PROVISION)

    def highlight(self) -> Highlight:
        """Words that everybody marked while they saw the topic: that of one of the readers."""
        place = {"work_id": self.new.work_id, "source": self.new, "eid": "sec_2", "start": 0}
        words = {"exact": f"{self.word} keeper pays", "prefix": "Every ", "note": f"Ask the {self.word}."}
        for person in User.objects.all():
            Highlight.objects.get_or_create(person=person, **place, defaults={"day": timezone.localdate(), **words})
        return Highlight.objects.get(person__username="reader", source=self.new)

    def check(self) -> TextCheck:
        """Somebody's text that was held against the law of the topic."""
        return TextCheck.objects.get_or_create(
            topic=self.topic,
            defaults={"by": self.word, "as_of": timezone.localdate(), "text": self.word, "report": {}},
        )[0]

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


class World:
    """The topics A and B, and six people. `hidden` are the words that each may not see."""

    def __init__(self) -> None:
        self.a, self.b = Marked("aardwolf"), Marked("binturong")
        self.topics = (self.a, self.b)
        self._share_a_label()
        group = Group.objects.create(name="Readers of A")
        reader = User.objects.create_user("reader", password="x")
        reader.groups.add(group)
        TopicMember.objects.create(topic=self.a.topic, group=group, role=TopicRole.READER)
        for role in (TopicRole.REVIEWER, TopicRole.MANAGER):
            person = User.objects.create_user(f"a-{role}", password="x")
            TopicMember.objects.create(topic=self.a.topic, person=person, role=role)
        make_staff("head")
        for topic in self.topics:
            for person in User.objects.exclude(username="somebody"):
                topic.watch(person)
            topic.add_news()
        work_on_watches()
        self.keys = {"key of B": self.b.key_text}

    def _share_a_label(self) -> None:
        """One that both topics carry, each with another name of its own for it."""
        shared = make_label("Pelts")
        for one in self.topics:
            own = make_label(f"{one.word} pelts")
            assign.add(one.new, [shared], by="tests")
            assign.add(one.old, [own], by="tests")
            naming.merge(own.pk, shared.pk, by="tests")

    PEOPLE = ("anonymous", "reader of A", "reviewer of A", "manager of A", "manager of all", "key of B")

    def client(self, who: str) -> Client:
        if who in self.keys:
            return Client(headers={"authorization": f"Api-Key {self.keys[who]}"})
        client = Client()
        accounts = {
            "reader of A": "reader",
            "reviewer of A": "a-reviewer",
            "manager of A": "a-manager",
            "manager of all": "head",
        }
        if who in accounts:
            client.force_login(User.objects.get(username=accounts[who]))
        return client

    def unseen(self, who: str) -> list[Marked]:
        """The topics that somebody may not see."""
        seen = {"anonymous": "", "manager of all": "ab", "key of B": "b"}.get(who, "a")
        return [topic for name, topic in zip("ab", self.topics, strict=True) if name not in seen]

    def hidden(self, who: str) -> list[str]:
        """The words of the topics that somebody may not see."""
        return [topic.word for topic in self.unseen(who)]


Values = dict[str, Callable[[Marked], Any]]
IN_PATHS: Values = {
    "topic_id": lambda t: t.topic.pk,
    "topic_slug": lambda t: t.topic.slug,
    "source_id": lambda t: t.new.pk,
    "other_id": lambda t: t.old.pk,
    "work_id": lambda t: t.new.work_id,
    "eid": lambda t: "sec_2",
    "number": lambda t: 1,
    "row": lambda t: Similar.objects.get(job=t.waiting).pk,
    "job_id": lambda t: t.waiting.pk,
    "batch_id": lambda t: t.waiting.batch_id,
    "label_id": lambda t: t.label().pk,
    "synonym_id": lambda t: t.synonym().pk,
    "question_id": lambda t: t.evaluation_question().pk,
    "webhook_id": lambda t: t.webhook().pk,
    "delivery_id": lambda t: t.delivery().pk,
    "answer_id": lambda t: t.answer_id(),
    "file_format": lambda t: "docx",
    "key_id": lambda t: ApiKey.objects.get(topic=t.topic).pk,
    "connection_id": lambda t: t.connection().pk,
    "stale_id": lambda t: t.stale().pk,
    "check_id": lambda t: t.check().pk,
    "notebook_id": lambda t: t.note().notebook_id,
    "note_id": lambda t: t.note().pk,
    "watch_id": lambda t: t.watched().pk,
    "highlight_id": lambda t: t.highlight().pk,
    "factor_id": lambda t: 1,
    "user_id": lambda t: User.objects.get(username="reader").pk,
    "area": lambda t: "processed",
    "uidb64": lambda t: "MQ",
    "token": lambda t: "x-y",
}
"""What an address may name. A new name has to be told here."""

IN_QUERIES: Values = {
    "topic": lambda t: t.topic.pk,
    "topic_id": lambda t: t.topic.pk,
    "label": lambda t: t.label().slug,
    "label_id": lambda t: t.label().pk,
    "label_ids": lambda t: [t.label().pk],
    "ids": lambda t: t.label().pk,
    "work": lambda t: t.new.work_id,
    "work_id": lambda t: t.new.work_id,
    "source_id": lambda t: t.new.pk,
    "source_ids": lambda t: [t.new.pk],
    "version_of": lambda t: t.old.pk,
    "replaces": lambda t: t.old.pk,
    "target_id": lambda t: t.label().pk,
    "trace": lambda t: t.answer_id(),
    "batch": lambda t: t.waiting.batch_id,
    "batch_id": lambda t: t.waiting.batch_id,
    "chunk": lambda t: Chunk.objects.filter(source=t.new).values_list("pk", flat=True)[0],
    "id": lambda t: t.new.pk,
}
"""What a query or a body may name of a topic."""

WORDS = {"q": "keeper", "query": "fee of a keeper", "question": "What fee does a keeper pay?", "text": "section 2"}
