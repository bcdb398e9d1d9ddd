"""Two topics that only members see, who sees them, and what addresses and queries name of one."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

from ingest.models import Similar
from labels import assign, naming
from sources.models import Chunk
from tests.factories import make_label, make_staff
from tests.keeping.watches.watchers import work as work_on_watches
from tests.security.marked import Marked
from topics.models import ApiKey, TopicMember, TopicRole


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
    "table_id": lambda t: t.table().pk,
    "column_id": lambda t: t.cell().column_id,
    "cell_id": lambda t: t.cell().pk,
    "row_id": lambda t: t.cell().row_id,
    "survey_id": lambda t: t.survey().pk,
    "table_format": lambda t: "json",
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
