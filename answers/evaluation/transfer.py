"""Evaluation questions as JSON lines: written, read, compared, taken over. A line is what the API takes.

`{"question": "…", "provisions": [{"title": "…", "eid": "sec_7"}], "words": "…"}` or `{"question": "…",
"nothing_answers": true}`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from answers.evaluation import questions
from answers.evaluation.fields import FiledQuestion
from answers.evaluation.questions import expected
from answers.models import EvaluationQuestion
from kb_project.errors import Invalid, Refusal
from sources.models import Source
from topics.models import Topic

LARGEST_FILE = 1_000_000  # bytes


@dataclass(frozen=True)
class Row:
    """A line of a file, by its number, with its question."""

    line: int
    entry: EvaluationQuestion


@dataclass(frozen=True)
class Change:
    """What a row does: it changes the question `before`, or makes one where there is none."""

    row: Row
    before: EvaluationQuestion | None


def written(entries: Iterable[EvaluationQuestion]) -> str:
    """The file of questions."""
    entries = list(entries)
    ids = {one["source_id"] for entry in entries for one in entry.provisions}
    titles = dict(Source.objects.filter(pk__in=ids).values_list("pk", "title"))
    return "".join(json.dumps(_line(entry, titles), ensure_ascii=False) + "\n" for entry in entries)


def _line(entry: EvaluationQuestion, titles: Mapping[int, str]) -> dict[str, Any]:
    if entry.nothing_answers:
        return {"question": entry.question, "nothing_answers": True}
    provisions = [{**one, "title": titles.get(one["source_id"], "")} for one in entry.provisions]
    return {"question": entry.question, "provisions": provisions, "words": entry.words}


def read(content: bytes, *, topic: Topic) -> list[Row]:
    """The questions of a file, for a topic. Raises Invalid, which names the line that cannot be read."""
    if len(content) > LARGEST_FILE:
        raise Invalid(_("The file is larger than %d bytes.") % LARGEST_FILE)
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise Invalid(_("The file is not in UTF-8.")) from error
    rows: list[Row] = []
    seen: dict[str, int] = {}
    for row in _rows(lines, topic):
        if len(rows) == questions.MOST_QUESTIONS:
            raise Invalid(_("The file has more than %d lines.") % questions.MOST_QUESTIONS)
        first = seen.setdefault(row.entry.question, row.line)
        if first != row.line:
            raise Invalid(_("Lines %(one)d and %(other)d have the same question.") % {"one": first, "other": row.line})
        rows.append(row)
    return rows


def _rows(lines: Sequence[str], topic: Topic) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Row(number, _entry(line, topic))
        except ValidationError as error:
            raise Invalid(_("Line %(line)d: %(why)s") % {"line": number, "why": _sentence(error.detail)}) from error
        except Refusal as refusal:
            raise Invalid(_("Line %(line)d: %(why)s") % {"line": number, "why": refusal.detail}) from refusal
        except (ValueError, RecursionError) as error:
            raise Invalid(_("Line %d is no JSON object.") % number) from error


def _entry(line: str, topic: Topic) -> EvaluationQuestion:
    serializer = FiledQuestion(data=json.loads(line))
    serializer.is_valid(raise_exception=True)
    given = dict(serializer.validated_data)
    cited = given.pop("provisions", [])
    provisions = [{"source_id": _source_id(one, topic), "eid": one.get("eid", "")} for one in cited]
    entry = EvaluationQuestion(topic=topic)
    questions.set_values(entry, {"words": "", "nothing_answers": False, "provisions": provisions, **given})
    return entry


def _source_id(given: Mapping[str, Any], topic: Topic) -> int:
    """The document that a line means: that of the title; of several the one with the id, else that in force today.

    Raises Invalid.
    """
    if not given.get("title"):
        if "source_id" not in given:
            raise Invalid(_("A provision needs the title or the id of its document."))
        return int(given["source_id"])
    titled = Source.objects.filter(topic=topic, title=given["title"])
    if "source_id" in given and titled.filter(pk=given["source_id"]).exists():
        return int(given["source_id"])
    ids = list(titled.in_force(timezone.localdate()).values_list("pk", flat=True)[:100])
    ids = ids or list(titled.values_list("pk", flat=True)[:100])
    if len(ids) != 1:
        sentence = _("One document of the topic has to have the title “%(title)s”; %(count)d have it.")
        raise Invalid(sentence % {"title": given["title"][:100], "count": len(ids)})
    return int(ids[0])


def _sentence(detail: Any) -> str:
    """The first sentence of what a serializer says, with the name of its field."""
    if isinstance(detail, Mapping):
        name, inner = next(iter(detail.items()))
        return f"{name}: {_sentence(inner)}"
    if isinstance(detail, list):
        return _sentence(next((one for one in detail if one), ""))
    return str(detail)


def compare(rows: Sequence[Row]) -> list[Change]:
    """What the rows change. A question is known by its words; one that the file leaves out stays."""
    topics = {row.entry.topic_id for row in rows}
    known = {entry.question: entry for entry in EvaluationQuestion.objects.filter(topic_id__in=topics)}
    changes = [Change(row, known.get(row.entry.question)) for row in rows]
    return [one for one in changes if not one.before or expected(one.before) != expected(one.row.entry)]


@transaction.atomic
def take_over(rows: Sequence[Row], *, by: str) -> list[Change]:
    """Make the changes, all or none. Raises Invalid, which names the line."""
    changes = compare(rows)
    for change in changes:
        entry = change.row.entry
        values = {**expected(entry), "nothing_answers": entry.nothing_answers}
        try:
            if change.before:
                questions.change(change.before.pk, values, by=by)
            else:
                questions.create(topic=entry.topic, values=values, by=by)
        except Refusal as refusal:
            raise Invalid(_("Line %(line)d: %(why)s") % {"line": change.row.line, "why": refusal.detail}) from refusal
    return changes


def checked(rows: Sequence[Row], *, by: str) -> list[Change]:
    """As `take_over`, and nothing stays: what an import would do, or the refusal it would meet."""
    with transaction.atomic():
        changes = take_over(rows, by=by)
        transaction.set_rollback(True)
    return changes
