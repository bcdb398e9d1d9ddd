"""Synonyms as a CSV file: topic (its slug, empty for all), words, meanings, weight."""

import csv
import io
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.database.imports import Import, Row
from kb_project.errors import Invalid
from law.words.stored import DEFAULT_WEIGHT
from search.models import Synonym
from search.synonyms import editing
from search.synonyms.base import split_list
from topics.access import Topics
from topics.models import Topic

COLUMNS = ("topic", "words", "means", "weight")


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
