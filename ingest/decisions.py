"""A person's decision about a document, and its stored form."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.errors import Invalid
from labels import locks, naming
from labels.label_set import LabelSet
from labels.models import Label
from law.words.slugs import MAX_NAME_LENGTH, clean_name, slugify
from sources.fields import FIELDS, DocumentFields

MAX_LABELS = 50
RELATIONS = ("replaces", "version_of")
LABELS_LABEL = gettext_lazy("Labels")
FIELD_LABELS = {field.name: field.label for field in FIELDS} | {"labels": LABELS_LABEL}
"""What the screens call the fields of a decision."""


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """An existing label by its slug, or a new one by its name. A stored choice has both."""

    slug: str = ""
    name: str = ""

    @classmethod
    def of_chip(cls, value: str) -> LabelChoice:
        """From `slug:…` or `name:…`, as the label chooser sends it."""
        key, _colon, text = value.partition(":")
        return cls(slug=text) if key == "slug" else cls(name=text)

    @property
    def expected_slug(self) -> str:
        """Its slug, or the one that its name leads to."""
        return self.slug or slugify(self.name)


@dataclass(frozen=True, slots=True)
class Decision(DocumentFields):
    """The fields of a document with its labels, and what it is of what is here, if anything.

    `replaces` is the id of the source that it replaces, `version_of` that of a source of whose work it is another
    version. `undated` says that no day of that version is known. It is not stored.
    """

    labels: tuple[LabelChoice, ...] = ()
    replaces: int | None = None
    version_of: int | None = None
    undated: bool = False

    def check(self) -> None:
        """Raise `Invalid` with a sentence for each faulty field."""
        errors = self.errors()
        if len(self.labels) > MAX_LABELS:
            errors["labels"] = [_("A document can have at most %d labels.") % MAX_LABELS]
        for place, choice in enumerate(self.labels):
            if not choice.slug and not clean_name(choice.name):
                errors[f"labels.{place}.name"] = [_("A label needs a name.")]
            if len(clean_name(choice.name)) > MAX_NAME_LENGTH:
                errors[f"labels.{place}.name"] = [_("Must have at most %d characters.") % MAX_NAME_LENGTH]
        if self.replaces and self.version_of:
            errors["version_of"] = [_("A document either replaces another or is a version of it.")]
        if errors:
            field, sentences = next(iter(errors.items()))
            raise Invalid(f"{field}: {sentences[0]}", errors=errors)

    def as_confirmed(self) -> dict[str, Any]:
        """The value of `Job.confirmed`."""
        labels = [{"slug": choice.slug, "name": choice.name} for choice in self.labels]
        related = {name: getattr(self, name) for name in RELATIONS if getattr(self, name)}
        return self.as_json() | {"labels": labels} | related


def get_or_create_labels(confirmed: Mapping[str, Any], *, by: str) -> list[Label]:
    """The labels of a stored decision, each once. A label that was deleted since is made again by its name.

    If the slug is that of the name, the label is found by its name, which may be new. Call it in the transaction
    that assigns the labels. Until it ends, none of them is merged or deleted.
    """
    choices = confirmed.get("labels")
    if not choices:
        return []
    locks.lock_shared()
    labels: dict[int, Label] = {}
    known = LabelSet((choice["slug"] for choice in choices), names=(choice["name"] for choice in choices))
    for choice in sorted(choices, key=lambda choice: choice["slug"]):
        label = known.find(choice["slug"]) if choice["slug"] != slugify(choice["name"]) else None
        label = label or known.find_named(choice["name"]) or naming.get_or_create(choice["name"], by=by)[0]
        labels.setdefault(label.pk, label)
    return list(labels.values())


def resolve(choices: Iterable[LabelChoice], *, by: str, within: Collection[int] | None = None) -> list[Label]:
    """The labels of the choices, each once, in the given order. New names become labels.

    New labels are made in the order of their slugs, so that two transactions cannot deadlock. Raises `Invalid` for an
    unknown slug. With a topic's id as `within`, for one that is not known there. Needs a transaction. Until it ends,
    none of the labels is merged or deleted.
    """
    locks.lock_shared()
    choices = list(choices)
    slugs, names = (choice.slug for choice in choices), (choice.name for choice in choices if not choice.slug)
    known = LabelSet(filter(None, slugs), names=names, within=within)
    found: dict[int, Label] = {}
    unknown: dict[str, list[str]] = {}
    for place, choice in sorted(enumerate(choices), key=lambda item: item[1].expected_slug):
        if choice.slug:
            label = known.resolve(choice.slug)
        else:
            label = known.find_named(choice.name) or naming.get_or_create(choice.name, by=by, within=within)[0]
        if label is None:
            unknown[f"labels.{place}.slug"] = [_("There is no label “%s”.") % choice.slug]
        else:
            found[place] = label
    if unknown:
        raise Invalid(next(iter(unknown.values()))[0], errors=unknown)
    return list({found[place].pk: found[place] for place in sorted(found)}.values())
