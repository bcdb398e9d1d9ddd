"""Evaluation questions in bodies of the API and as JSON lines. A line is what the API takes.

`{"question": "…", "provisions": [{"title": "…", "eid": "sec_7"}], "words": "…"}` or `{"question": "…",
"nothing_answers": true}`.
"""

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from answers.evaluation import questions
from answers.evaluation.questions import MAX_PROVISIONS, MAX_WORDS_LENGTH, expected
from answers.models import EvaluationQuestion
from kb_project.api.strict import StrictSerializer
from kb_project.database.imports import Import, Row, refused
from kb_project.errors import ApiError, Invalid
from kb_project.isolates import isolated
from search.retrieval import MAX_QUERY_LENGTH
from sources.models import Source
from sources.provisions import MAX_EID_LENGTH
from topics.models import Topic


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


class QuestionImport(Import[EvaluationQuestion, EvaluationQuestion]):
    """The questions of a file for a topic. A question is known by its words."""

    largest = 1_000_000
    most = questions.MAX_QUESTIONS
    twice = gettext_lazy("Lines %(one)d and %(other)d have the same question.")

    def __init__(self, content: bytes, *, topic: Topic) -> None:
        self.topic = topic
        super().__init__(content)

    def parse(self, text: str) -> Iterator[Row[EvaluationQuestion]]:
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                yield Row(number, _entry(line, self.topic))
            except ValidationError as error:
                raise refused(number, _sentence(error.detail)) from error
            except ApiError as refusal:
                raise refused(number, refusal.detail) from refusal
            except (ValueError, RecursionError) as error:
                raise Invalid(_("Line %d is not a JSON object.") % number) from error

    def key_of(self, value: EvaluationQuestion) -> Hashable:
        return value.question

    def known(self) -> Mapping[Hashable, EvaluationQuestion]:
        return {entry.question: entry for entry in EvaluationQuestion.objects.filter(topic=self.topic)}

    def is_same(self, value: EvaluationQuestion, entry: EvaluationQuestion) -> bool:
        return expected(value) == expected(entry)

    def save(self, value: EvaluationQuestion, before: EvaluationQuestion | None, *, by: str) -> None:
        values = {**expected(value), "nothing_answers": value.nothing_answers}
        if before:
            questions.change(before.pk, values, by=by)
        else:
            questions.create(topic=self.topic, values=values, by=by)


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
    """The document that a line means: that of the title. Of several the one with the id, else that in force today.

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
        raise Invalid(sentence % {"title": isolated(given["title"][:100]), "count": len(ids)})
    return int(ids[0])


def _sentence(detail: Any) -> str:
    """The first sentence of what a serializer says, with the name of its field."""
    if isinstance(detail, Mapping):
        name, inner = next(iter(detail.items()))
        return f"{name}: {_sentence(inner)}"
    if isinstance(detail, list):
        return _sentence(next((one for one in detail if one), ""))
    return str(detail)


class ProvisionInput(StrictSerializer):
    source_id = serializers.IntegerField()
    eid = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_EID_LENGTH, help_text="Without it the whole document is right."
    )


class QuestionFields(StrictSerializer):
    question = serializers.CharField(max_length=MAX_QUERY_LENGTH)
    words = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_WORDS_LENGTH, help_text="What the quote must hold."
    )
    nothing_answers = serializers.BooleanField(
        required=False, help_text="Whether no answer is right; then nothing must be cited."
    )


class QuestionInput(QuestionFields):
    provisions = serializers.ListField(
        child=ProvisionInput(), required=False, max_length=MAX_PROVISIONS, help_text="Any of them is right."
    )

    def validate_provisions(self, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """In a PATCH nothing is required of a provision by itself either."""
        if any("source_id" not in one for one in given):
            raise serializers.ValidationError("A provision needs the id of its document.")
        return given


class FiledProvision(ProvisionInput):
    """In a file a document may have its title in place of the id, which differs between installations."""

    source_id = serializers.IntegerField(required=False)
    title = serializers.CharField(required=False, allow_blank=True, max_length=2_000)


class FiledQuestion(QuestionFields):
    provisions = serializers.ListField(child=FiledProvision(), required=False, max_length=MAX_PROVISIONS)
