"""Evaluation questions in files: out, in, and the lines that are refused."""

import json

import pytest
from django.utils import timezone

from answers.evaluation import questions
from answers.evaluation.questions import questions_within
from answers.evaluation.transfer import QuestionImport, written
from answers.models import EvaluationQuestion
from kb_project.errors import Invalid
from sources.models import Source
from tests.factories import LAW, make_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db


def test_what_was_exported_comes_in_again_also_where_ids_differ(asked: list[EvaluationQuestion], law: Source) -> None:
    content = ("\ufeff" + written(questions_within(None))).encode()
    assert QuestionImport(content, topic=law.topic).changes() == []
    other = add_document("1. הגדרות\nספרייה.\n\n2. זכות\nספר.", title=law.title, topic=make_topic())
    assert len(QuestionImport(content, topic=other.topic).checked(by="test")) == 3
    assert EvaluationQuestion.objects.count() == 3
    QuestionImport(content, topic=other.topic).take_over(by="test")
    copied = questions_within([other.topic_id])
    assert [one.provisions[0]["source_id"] for one in copied if one.provisions] == [other.pk, other.pk]
    changed = json.dumps({"question": asked[0].question, "nothing_answers": True}).encode()
    [change] = QuestionImport(changed, topic=law.topic).take_over(by="test")
    assert change.before == asked[0]
    assert questions.get(asked[0].pk).nothing_answers


def test_of_versions_with_one_title_the_one_in_force_is_meant(law: Source) -> None:
    today = timezone.localdate()
    Source.objects.filter(pk=law.pk).update(valid_to=today)
    new = add_document(LAW, title=law.title, work_id=law.work_id, valid_from=today)
    for more, meant in (({}, new.pk), ({"source_id": law.pk}, law.pk)):
        line = {"question": "Why?", "provisions": [{"title": law.title, "eid": "sec_2", **more}]}
        [row] = QuestionImport(json.dumps(line).encode(), topic=law.topic).rows
        assert row.value.provisions == [{"source_id": meant, "eid": "sec_2"}]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"\n{", "Line 2 is not a JSON"),
        (b"[" * 100_000, "Line 1 is not a JSON"),
        (b"[]", "Line 1"),
        (b'{"question": "why", "words": "x", "more": 1}', "Line 1: There is no parameter"),
        (b'{"question": "why"}', "Line 1: Say either"),
        (b'{"question": "why", "words": "x", "nothing_answers": true}', "Line 1: Say either"),
        (b'{"question": "why", "provisions": [{"source_id": 999999}]}', "Line 1: There is no document 999999"),
        (b'{"question": "why", "provisions": [{"eid": "sec_1"}]}', "Line 1: A provision needs"),
        (b'{"question": "why", "provisions": [{"title": "none"}]}', "Line 1: One document"),
        (b'{"question": "why", "provisions": "sec_1"}', "Line 1: provisions"),
        (b'{"question": "why", "words": "x"}\n' * 2, "Lines 1 and 2"),
        (b" " * 1_000_001, "larger"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(law: Source, content: bytes, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        QuestionImport(content, topic=law.topic).checked(by="test")
