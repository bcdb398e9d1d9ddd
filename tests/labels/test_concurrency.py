"""Everything that can be done to labels, done at once: nothing breaks but what is documented to be refused.

KB_STRESS_SECONDS, KB_STRESS_THREADS and KB_STRESS_SOURCES make it longer and larger, as for
`KB_STRESS_SECONDS=60 KB_STRESS_THREADS=50 KB_STRESS_SOURCES=200 pytest -s tests/labels/test_concurrency.py`.
"""

import os
import random
import threading
import time
from collections import Counter

import pytest
from django.db import connection, transaction

from ingest.decisions import LabelChoice, resolve
from kb_project.errors import Invalid, NotFound
from kb_project.models import AuditEntry
from labels import assign, locks, naming
from labels.models import Label, SourceLabel
from sources.models import Source
from tests.factories import make_source
from tests.labels.counting import assert_counts_are_right, assert_no_slug_is_both_a_label_and_an_alias

SECONDS = float(os.environ.get("KB_STRESS_SECONDS", "4"))
THREADS = int(os.environ.get("KB_STRESS_THREADS", "8"))
SOURCES = int(os.environ.get("KB_STRESS_SOURCES", "60"))
NAMES = [f"תווית {letter}" for letter in "אבגדהוזחטיכלמנסעפצקר"]
VERBS = ("add", "replace", "remove", "create", "decide", "merge", "rename", "delete", "swap")
OFTEN = ("add", "replace", "create")
DOCUMENTED = (Invalid, NotFound, naming.LabelInUse)


class Person:
    """Does one thing after the other, with labels and sources read a moment ago."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.by = f"person {seed}"
        self.done: Counter[str] = Counter()

    def work(self, until: float) -> None:
        try:
            while time.monotonic() < until:
                verb = self.chance.choice(VERBS + OFTEN)
                try:
                    getattr(self, verb)()
                    self.done[verb] += 1
                except DOCUMENTED as refusal:
                    self.done[f"{verb}: {refusal.code}"] += 1
                except Exception as error:
                    self.done[f"{verb}: {error!r}"] += 1
        finally:
            connection.close()

    def add(self) -> None:
        assign.add(self.source(), self.labels(), by=self.by)

    def replace(self) -> None:
        assign.replace(self.source(), self.labels(), by=self.by)

    def remove(self) -> None:
        assign.remove(self.source(), self.labels(), by=self.by)

    def create(self) -> None:
        """A name of old, which may be an alias by now, or a new one in the place of a label that is gone."""
        gone = Label.objects.count() < len(NAMES)
        naming.get_or_create(self.new_name() if gone else self.chance.choice(NAMES), by=self.by)

    def decide(self) -> None:
        """New names and their assignment in one transaction, as when a source is edited."""
        with transaction.atomic():
            labels = self.named(3)
            assign.add(self.source(), labels, by=self.by)

    def merge(self) -> None:
        label, target = self.labels(least=2)[:2]
        naming.merge(label.pk, target.pk, by=self.by)

    def rename(self) -> None:
        name = self.chance.choice([*NAMES, self.new_name()])
        naming.rename(self.labels(least=1)[0].pk, name, by=self.by)

    def delete(self) -> None:
        naming.delete(self.labels(least=1)[0].pk, by=self.by)

    def swap(self) -> None:
        """A source is deleted, and another made with labels."""
        source = self.source()
        with transaction.atomic():
            assign.release(source)
            Source.objects.filter(pk=source.pk).delete()
        with transaction.atomic():
            locks.lock_shared()
            assign.start_with(make_source(), self.named(2))

    def named(self, count: int) -> list[Label]:
        return resolve([LabelChoice(name=name) for name in self.chance.sample(NAMES, count)], by=self.by)

    def new_name(self) -> str:
        return f"{self.chance.choice(NAMES)} {self.chance.randint(1, 300)}"

    def source(self) -> Source:
        return self.chance.choice(list(Source.objects.all()))

    def labels(self, *, least: int = 0) -> list[Label]:
        labels = list(Label.objects.all())
        if len(labels) < least:
            raise NotFound("Too few labels are left for now.")
        return self.chance.sample(labels, self.chance.randint(least, max(least, min(5, len(labels)))))


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(SECONDS * 3 + 120)
def test_many_who_change_labels_at_once_leave_counts_right() -> None:
    for name in NAMES:
        naming.get_or_create(name, by="setup")
    for _ in range(SOURCES):
        make_source()
    people = [Person(seed) for seed in range(THREADS)]
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=person.work, args=[until]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS + 60)
    assert not any(thread.is_alive() for thread in threads)
    done = sum((person.done for person in people), Counter[str]())
    print(f"\n{THREADS} threads, {SECONDS:g} s, {SOURCES} sources, {done.total()} changes and refusals:", dict(done))
    print(f"left: {Label.objects.count()} labels, {SourceLabel.objects.count()} assignments")

    assert_counts_are_right()
    assert_no_slug_is_both_a_label_and_an_alias()
    documented = {f"{verb}: {code}" for verb in VERBS for code in ("invalid", "not_found", "label_in_use")}
    assert set(done) - documented <= set(VERBS)
    assert done["merge"] == AuditEntry.objects.filter(action="label.merge").count() > 0
    assert done["delete"] == AuditEntry.objects.filter(action="label.delete").count()
