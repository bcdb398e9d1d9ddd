"""Synonyms as a CSV file: topic (its slug, empty for all), words, meanings, weight. Read, compared, taken over."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from kb_project.errors import Invalid, Refusal
from law.words.synonyms import DEFAULT_WEIGHT
from search.models import Synonym
from search.synonyms import editing
from search.synonyms.base import split_list
from topics.models import Topic

COLUMNS = ("topic", "words", "means", "weight")
LARGEST_FILE = 500_000  # bytes
MOST_ROWS = 2_000


@dataclass(frozen=True)
class Row:
    """A line of a file, by its number."""

    line: int
    topic: Topic | None
    words: tuple[str, ...]
    means: tuple[str, ...]
    weight: float


@dataclass(frozen=True)
class Change:
    """What a row does: it changes the entry `before`, or makes one where there is none."""

    row: Row
    before: Synonym | None


def written(entries: Iterable[Synonym]) -> str:
    """The file of entries."""
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(COLUMNS)
    for entry in entries:
        slug = entry.topic.slug if entry.topic else ""
        table.writerow([slug, ", ".join(entry.words), ", ".join(entry.means), f"{entry.weight:g}"])
    return file.getvalue()


def read(content: bytes) -> list[Row]:
    """The rows of a file. Raises Invalid, which names the line that cannot be read."""
    if len(content) > LARGEST_FILE:
        raise Invalid(_("The file is larger than %d bytes.") % LARGEST_FILE)
    try:
        lines = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        rows = list(_rows(lines))
    except UnicodeDecodeError as error:
        raise Invalid(_("The file is not in UTF-8.")) from error
    except csv.Error as error:
        raise Invalid(_("The file is no CSV file: %s.") % error) from error
    seen: dict[tuple[int | None, frozenset[str]], int] = {}
    for row in rows:
        first = seen.setdefault((row.topic.pk if row.topic else None, frozenset(row.words)), row.line)
        if first != row.line:
            raise Invalid(_("Lines %(one)d and %(other)d have the same words.") % {"one": first, "other": row.line})
    return rows


def _rows(lines: Iterator[Sequence[str]]) -> Iterator[Row]:
    if tuple(cell.strip().lower() for cell in next(lines, ())) != COLUMNS:
        raise Invalid(_("The first line has to name the columns: %s.") % ", ".join(COLUMNS))
    topics = {topic.slug: topic for topic in Topic.objects.all()}
    for line, cells in enumerate(lines, 2):
        if not any(cell.strip() for cell in cells):
            continue
        if line > MOST_ROWS:
            raise Invalid(_("The file has more than %d lines.") % MOST_ROWS)
        slug, words, means, weight = (*map(str.strip, cells), "", "", "", "")[:4]
        if slug and slug not in topics:
            raise Invalid(_("Line %(line)d: there is no topic “%(slug)s”.") % {"line": line, "slug": slug})
        yield Row(line, topics.get(slug), split_list(words), split_list(means), _weight(weight, line))


def _weight(text: str, line: int) -> float:
    try:
        return float(text) if text else DEFAULT_WEIGHT
    except ValueError as error:
        raise Invalid(_("Line %d: the weight is a number from 0 to 1.") % line) from error


def compare(rows: Sequence[Row]) -> list[Change]:
    """What the rows change. An entry is known by its topic and its words; one that the file leaves out stays."""
    known = {(entry.topic_id, frozenset(entry.words)): entry for entry in Synonym.objects.select_related("topic")}
    changes = [Change(row, known.get((row.topic.pk if row.topic else None, frozenset(row.words)))) for row in rows]
    return [change for change in changes if not (change.before and _same(change.row, change.before))]


def _same(row: Row, entry: Synonym) -> bool:
    return (list(row.means), row.weight) == (entry.means, entry.weight)


@transaction.atomic
def take_over(rows: Sequence[Row], *, by: str) -> list[Change]:
    """Make the changes, all or none. Raises Invalid, which names the line."""
    changes = compare(rows)
    for change in changes:
        row = change.row
        try:
            if change.before:
                editing.change(change.before.pk, {"means": row.means, "weight": row.weight}, by=by)
            else:
                editing.create(topic=row.topic, words=row.words, means=row.means, weight=row.weight, by=by)
        except Refusal as refusal:
            raise Invalid(_("Line %(line)d: %(why)s") % {"line": row.line, "why": refusal.detail}) from refusal
    return changes


def checked(rows: Sequence[Row], *, by: str) -> list[Change]:
    """As `take_over`, and nothing stays: what an import would do, or the refusal it would meet."""
    with transaction.atomic():
        changes = take_over(rows, by=by)
        transaction.set_rollback(True)
    return changes
