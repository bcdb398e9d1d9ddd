"""Labels under any sequence of changes: the tables are at every step what a model of sets and names says."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kb_project.errors import ApiError, Invalid
from labels import assign, naming
from labels.models import Label, LabelAlias, SourceLabel
from law.words.slugs import MAX_NAME_LENGTH, clean_name, slugify
from tests.factories import make_source
from tests.integrity import found
from tests.machines.steps import drive, long_enough

pytestmark = [pytest.mark.django_db, long_enough, pytest.mark.deep]

KNOWN = (
    "ביטוח",
    "ביטוח לאומי",
    "בִּיטוּחַ",
    'חוק "הספרים"',
    "חוק הספרים",
    "Insurance",
    "insurance!",
    "INSURANCE",
    "דין",
    "דינ",
    "a",
    "A.",
    "б",
    "🏠",
    "",
    " ",
    "\x00",
    "-",
    "פנסיה—קרן",
    "פנסיה קרן",
    "x" * MAX_NAME_LENGTH,
    "x" * 121,
)
names = st.sampled_from(KNOWN) | st.text(max_size=12) | st.text("אבגדהוםןץ \"'-", min_size=1, max_size=4)
picks = st.integers(min_value=0, max_value=10_000)


@dataclass
class Known:
    """A label as it should be."""

    name: str
    slug: str
    aliases: dict[str, str] = field(default_factory=dict)
    sources: set[int] = field(default_factory=set)


class Labels(RuleBasedStateMachine):
    taken = 0

    def __init__(self) -> None:
        super().__init__()
        self.savepoint = transaction.savepoint()
        self.labels: dict[int, Known] = {}
        self.sources = {source.pk: source for source in (make_source(title=str(n)) for n in range(4))}
        self.ever: set[str] = set()
        self.steps = 0

    def teardown(self) -> None:
        transaction.savepoint_rollback(self.savepoint)

    def some(self, pick: int) -> int:
        return sorted(self.labels)[pick % len(self.labels)]

    def source(self, pick: int) -> Any:
        return self.sources[sorted(self.sources)[pick % len(self.sources)]]

    def holder(self, slug: str) -> int | None:
        """The label that a slug should lead to."""
        owns = (key for key, label in self.labels.items() if slug == label.slug or slug in label.aliases)
        return next(owns, None)

    def refused(self, act: Any) -> None:
        """The act is refused with a sentence; that it changed nothing, the invariants say."""
        with pytest.raises(ApiError) as refusal, transaction.atomic():
            act()
        assert refusal.value.detail

    def made(self, label: Label, name: str) -> None:
        self.labels[label.pk] = Known(clean_name(name), slugify(clean_name(name)))

    @initialize()
    def some_are_in_use(self) -> None:
        for number, name in enumerate(("ביטוח", "Insurance", "דין")):
            self.create(name)
            self.assign(number, [number], "add")

    @rule(name=names)
    def create(self, name: str) -> None:
        if not 0 < len(clean_name(name)) <= MAX_NAME_LENGTH:
            self.refused(lambda: naming.get_or_create(name, by="machine"))
            return
        expected = self.holder(slugify(clean_name(name)))
        label, created = naming.get_or_create(name, by="machine")
        assert created == (expected is None)
        if created:
            self.made(label, name)
        else:
            assert label.pk == expected

    @precondition(lambda self: self.labels)
    @rule(pick=picks, name=names)
    def rename(self, pick: int, name: str) -> None:
        key, wanted = self.some(pick), clean_name(name)
        known, slug = self.labels[key], slugify(wanted)
        fits = 0 < len(wanted) <= MAX_NAME_LENGTH
        if not fits or self.holder(slug) not in (None, key):
            self.refused(lambda: naming.rename(key, name, by="machine"))
            return
        naming.rename(key, name, by="machine")
        if slug != known.slug:
            known.aliases.pop(slug, None)
            known.aliases[known.slug] = known.name
        known.name, known.slug = wanted, slug

    @precondition(lambda self: self.labels)
    @rule(one=picks, other=picks)
    def merge(self, one: int, other: int) -> None:
        key, target = self.some(one), self.some(other)
        if key == target:
            self.refused(lambda: naming.merge(key, target, by="machine"))
            return
        seen = naming.preview(key, target)
        gone, kept = self.labels[key], self.labels[target]
        assert (seen.moving, seen.already) == (len(gone.sources - kept.sources), len(gone.sources & kept.sources))
        naming.merge(key, target, by="machine")
        del self.labels[key]
        kept.sources |= gone.sources
        kept.aliases |= gone.aliases | {gone.slug: gone.name}

    @precondition(lambda self: self.labels)
    @rule(pick=picks)
    def delete(self, pick: int) -> None:
        key = self.some(pick)
        if self.labels[key].sources:
            self.refused(lambda: naming.delete(key, by="machine"))
        else:
            naming.delete(key, by="machine")
            del self.labels[key]

    @rule(pick=picks)
    def act_on_one_that_is_not_there(self, pick: int) -> None:
        key = max([*self.labels, *Label.objects.values_list("pk", flat=True), 0]) + 1 + pick
        self.refused(lambda: naming.delete(key, by="machine"))
        self.refused(lambda: naming.rename(key, "new", by="machine"))
        self.refused(lambda: naming.merge(key, key + 1, by="machine"))

    @precondition(lambda self: self.labels)
    @rule(source=picks, chosen=st.lists(picks, max_size=4), how=st.sampled_from(("add", "remove", "replace")))
    def assign(self, source: int, chosen: list[int], how: str) -> None:
        carrier, keys = self.source(source), {self.some(pick) for pick in chosen}
        labels = list(Label.objects.filter(pk__in=keys))
        getattr(assign, how)(carrier, labels, by="machine")
        for key, known in self.labels.items():
            if how == "remove":
                known.sources -= {carrier.pk} if key in keys else set()
            elif key in keys:
                known.sources.add(carrier.pk)
            elif how == "replace":
                known.sources.discard(carrier.pk)

    @precondition(lambda self: self.labels)
    @rule(source=picks, one=picks, other=picks)
    def assign_one_that_was_merged_since_it_was_read(self, source: int, one: int, other: int) -> None:
        carrier, key, target = self.source(source), self.some(one), self.some(other)
        if key == target:
            return
        read = Label.objects.get(pk=key)
        self.merge(one, other)
        assign.add(carrier, [read], by="machine")
        self.labels[target].sources.add(carrier.pk)

    @precondition(lambda self: self.labels)
    @rule(source=picks, pick=picks)
    def assign_one_that_was_deleted_since_it_was_read(self, source: int, pick: int) -> None:
        key = self.some(pick)
        if self.labels[key].sources:
            return
        read = Label.objects.get(pk=key)
        self.delete(pick)
        with pytest.raises(Invalid), transaction.atomic():
            assign.add(self.source(source), [read], by="machine")
        assert assign.remove(self.source(source), [read], by="machine") == 0

    @rule(chosen=st.lists(names, max_size=4))
    def resolve(self, chosen: list[str]) -> None:
        """Slugs, aliases and new names, as a decision gives them."""
        texts = [clean_name(text) for text in chosen]
        if any(not 0 < len(text) <= MAX_NAME_LENGTH for text in texts):
            self.refused(lambda: self.resolved(chosen))
            return
        labels = self.resolved(texts)
        for label in labels:
            if label.pk not in self.labels:
                self.made(label, label.name)
        keys = [self.holder(text) or self.holder(slugify(text)) for text in texts]
        assert [label.pk for label in labels] == list(dict.fromkeys(keys))

    def resolved(self, texts: list[str]) -> list[Label]:
        labels = [naming.find(text) or naming.get_or_create(text, by="machine")[0] for text in texts]
        return list(dict.fromkeys(labels))

    @rule(source=picks)
    def lose_a_source(self, source: int) -> None:
        carrier = self.source(source)
        names = assign.release(carrier)
        assert names == sorted(known.name for known in self.labels.values() if carrier.pk in known.sources)
        for known in self.labels.values():
            known.sources.discard(carrier.pk)

    @invariant()
    def the_tables_are_as_the_model(self) -> None:
        self.steps += 1
        type(self).taken += 1
        rows = {row["id"]: row for row in Label.objects.values("id", "name", "slug", "usage_count")}
        assert {key: (row["name"], row["slug"], row["usage_count"]) for key, row in rows.items()} == {
            key: (known.name, known.slug, len(known.sources)) for key, known in self.labels.items()
        }
        assert set(LabelAlias.objects.values_list("label_id", "slug", "name")) == {
            (key, slug, name) for key, known in self.labels.items() for slug, name in known.aliases.items()
        }
        assert set(SourceLabel.objects.values_list("label_id", "source_id")) == {
            (key, source) for key, known in self.labels.items() for source in known.sources
        }

    @invariant()
    def a_slug_leads_to_one_label_or_to_none(self) -> None:
        own = [known.slug for known in self.labels.values()]
        aliases = [slug for known in self.labels.values() for slug in known.aliases]
        assert len({*own, *aliases}) == len(own) + len(aliases)
        assert all(slug and slug == slugify(slug) and len(slug) <= 200 for slug in own), own
        self.ever.update(own, aliases)
        for slug in sorted(self.ever)[:: 1 + self.steps % 3]:
            label = naming.find(slug)
            assert (label.pk if label else None) == self.holder(slug)

    @invariant()
    def the_checks_find_nothing(self) -> None:
        assert found("label_counts") == {}
        assert found("label_slugs") == {}


def test_labels_are_what_a_simple_model_says_after_any_changes() -> None:
    drive(Labels, usually=200)
    print(f"{Labels.taken} steps")
