"""Making, changing and deleting synonyms, also by a CSV file. Each change is in the audit."""

import csv
import io
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project import audit
from kb_project.database.imports import Import, Row
from kb_project.errors import Invalid, NotFound, PermissionDenied
from kb_project.isolates import isolated
from law.words.analysis import terms
from law.words.stored import DEFAULT_WEIGHT
from search.models import Synonym
from search.synonyms import editing
from search.synonyms.base import split_list
from topics.access import Topics
from topics.models import Topic

COLUMNS = ("topic", "words", "means", "weight")
MAX_ENTRIES = 2_000  # of a topic, and of all topics together
MAX_WORDS = 20  # words and phrases of an entry, and meanings
MAX_WORDS_LENGTH = 100  # characters of one of them
EDITABLE = ("words", "means", "weight")


def synonyms_within(within: Collection[int] | None) -> QuerySet[Synonym]:
    """Those that a caller sees who is limited to topics: theirs and those of all topics. Without limits every one."""
    found = Synonym.objects.select_related("topic")
    return found if within is None else found.filter(Q(topic=None) | Q(topic_id__in=within))


def mentioning(typed: str, queryset: QuerySet[Synonym]) -> QuerySet[Synonym]:
    """Those with the text in a word or a meaning."""
    found = queryset.alias(all_words=_joined("words"), all_means=_joined("means"))
    return found.filter(Q(all_words__icontains=typed) | Q(all_means__icontains=typed))


def _joined(name: str) -> Func:
    """A list as one text: a lookup of ArrayField compares whole members."""
    return Func(F(name), Value("\n"), function="array_to_string", output_field=TextField())


@transaction.atomic
def create(
    *, topic: Topic | None, words: Sequence[str], means: Sequence[str], weight: float = DEFAULT_WEIGHT, by: str
) -> Synonym:
    """Make an entry. Raises Invalid for words that cannot be, or that have an entry there already."""
    _hold()
    entry = Synonym(topic=topic, words=list(words), means=list(means), weight=weight)
    if Synonym.objects.filter(topic=topic).count() >= MAX_ENTRIES:
        raise Invalid(_("There are %d synonyms already, which is the most allowed.") % MAX_ENTRIES)
    _require_valid(entry)
    entry.save()
    audit.record(by=by, action="synonym.create", thing=entry, after=_values(entry), topic_id=entry.topic_id)
    return entry


@transaction.atomic
def change(synonym_id: int, changes: Mapping[str, Any], *, by: str, within: Collection[int] | None = None) -> Synonym:
    """Change any of words, means and weight. Raises NotFound, PermissionDenied (`get_own`) and Invalid as `create`."""
    _hold()
    entry = get_own(synonym_id, within=within)
    before = _values(entry)
    for name in EDITABLE:
        if name in changes:
            setattr(entry, name, changes[name])
    _require_valid(entry)
    entry.save(update_fields=EDITABLE)
    audit.record(
        by=by, action="synonym.edit", thing=entry, before=before, after=_values(entry), topic_id=entry.topic_id
    )
    return entry


@transaction.atomic
def delete(synonym_id: int, *, by: str, within: Collection[int] | None = None) -> None:
    """Delete an entry. Raises NotFound and PermissionDenied (`get_own`)."""
    _hold()
    entry = get_own(synonym_id, within=within)
    audit.record(by=by, action="synonym.delete", thing=entry, before=_values(entry), topic_id=entry.topic_id)
    entry.delete()


def get_own(synonym_id: int, *, within: Collection[int] | None) -> Synonym:
    """The entry. Raises NotFound, and PermissionDenied when a limited caller sees it but it is of all topics."""
    entry = synonyms_within(within).filter(pk=synonym_id).first()
    if entry is None:
        raise NotFound(_("There is no such synonym."))
    if within is not None and entry.topic_id is None:
        raise PermissionDenied(_("This synonym is of all topics. A key that is pinned to one cannot change it."))
    return entry


def _hold() -> None:
    """Until the transaction ends nobody else changes synonyms: their number and their words are looked at first."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE kb_synonym IN SHARE ROW EXCLUSIVE MODE")


def _require_valid(entry: Synonym) -> None:
    errors: dict[str, list[str]] = {}
    for name in ("words", "means"):
        cleaned = list(dict.fromkeys(" ".join(text.split()) for text in getattr(entry, name)))
        setattr(entry, name, cleaned)
        if sentence := _fault(cleaned):
            errors[name] = [sentence]
    if not 0 <= entry.weight <= 1:
        errors["weight"] = [_("The weight is a number from 0 to 1.")]
    others = Synonym.objects.filter(topic=entry.topic).exclude(pk=entry.pk)
    if not errors and others.filter(words__contains=entry.words, words__contained_by=entry.words).exists():
        errors["words"] = [_("There is an entry for these words already.")]
    if errors:
        raise Invalid(next(iter(errors.values()))[0], errors=errors)


def _fault(texts: Sequence[str]) -> str | None:
    """The sentence that refuses a list of words or meanings."""
    if not 1 <= len(texts) <= MAX_WORDS:
        return _("Give 1 to %d of them.") % MAX_WORDS
    for text in texts:
        if len(text) > MAX_WORDS_LENGTH:
            return _("“%(text)s…” is longer than %(most)d characters.") % {
                "text": isolated(text[:20]),
                "most": MAX_WORDS_LENGTH,
            }
        # A comma separates them in files and forms. A spreadsheet takes what begins with such a sign for a formula.
        if "," in text or not terms(text) or not (text[0].isalnum() or text[0] in "\"'״“«("):
            return _("“%s” cannot be: begin with a letter or a digit, without commas.") % isolated(text)
    return None


def _values(entry: Synonym) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in EDITABLE}


@dataclass(frozen=True)
class FiledSynonym:
    """What a line of a file says."""

    topic: Topic | None
    words: tuple[str, ...]
    means: tuple[str, ...]
    weight: float


def written(entries: Iterable[Synonym]) -> str:
    """The file of entries."""
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(COLUMNS)
    for entry in entries:
        slug = entry.topic.slug if entry.topic else ""
        table.writerow([slug, ", ".join(entry.words), ", ".join(entry.means), f"{entry.weight:g}"])
    return file.getvalue()


class SynonymImport(Import[FiledSynonym, Synonym]):
    """An entry is known by its topic and its words."""

    largest = 500_000
    most = 2_000
    twice = gettext_lazy("Lines %(one)d and %(other)d have the same words.")

    def __init__(self, content: bytes, *, within: Topics = None) -> None:
        """`within` are the topics that who imports is limited to."""
        self._within = within
        super().__init__(content)

    def parse(self, text: str) -> Iterator[Row[FiledSynonym]]:
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            if tuple(cell.strip().lower() for cell in next(lines, ())) != COLUMNS:
                raise Invalid(_("The first line has to name the columns: %s.") % ", ".join(COLUMNS))
            every = Topic.objects.all() if self._within is None else Topic.objects.filter(pk__in=self._within)
            topics = {topic.slug: topic for topic in every}
            for line, cells in enumerate(lines, 2):
                if any(cell.strip() for cell in cells):
                    yield Row(line, _synonym(line, cells, topics, needs_topic=self._within is not None))
        except csv.Error as error:
            raise Invalid(_("The file is not a CSV file: %s.") % error) from error

    def key_of(self, value: FiledSynonym) -> Hashable:
        return (value.topic.pk if value.topic else None, frozenset(value.words))

    def known(self) -> Mapping[Hashable, Synonym]:
        entries = editing.synonyms_within(self._within)
        return {(entry.topic_id, frozenset(entry.words)): entry for entry in entries}

    def is_same(self, value: FiledSynonym, entry: Synonym) -> bool:
        return (list(value.means), value.weight) == (entry.means, entry.weight)

    def save(self, value: FiledSynonym, before: Synonym | None, *, by: str) -> None:
        if before:
            editing.change(before.pk, {"means": value.means, "weight": value.weight}, by=by)
        else:
            editing.create(topic=value.topic, words=value.words, means=value.means, weight=value.weight, by=by)


def _synonym(line: int, cells: Sequence[str], topics: Mapping[str, Topic], *, needs_topic: bool) -> FiledSynonym:
    slug, words, means, weight = (*map(str.strip, cells), "", "", "", "")[:4]
    if slug not in topics and (slug or needs_topic):
        raise Invalid(_("Line %(line)d: there is no topic “%(slug)s”.") % {"line": line, "slug": slug})
    try:
        weighs = float(weight) if weight else DEFAULT_WEIGHT
    except ValueError as error:
        raise Invalid(_("Line %d: the weight is a number from 0 to 1.") % line) from error
    return FiledSynonym(topics.get(slug), split_list(words), split_list(means), weighs)
