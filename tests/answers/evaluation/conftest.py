"""A law on libraries and questions about it: one that is answered, one that is not, one that nothing answers."""

from typing import Any

import pytest

from answers.evaluation import questions
from answers.models import EvaluationQuestion
from sources.models import Source
from tests.factories import LAW
from tests.search.corpus import add_document

LOANS = "כמה ספרים זכאי תושב לשאול?"
PLANETS = "What is the orbit of Jupiter?"


@pytest.fixture
def law(db: None) -> Source:
    return add_document(LAW, title="חוק הספריות הציבוריות")


@pytest.fixture
def asked(law: Source) -> list[EvaluationQuestion]:
    expected: dict[str, dict[str, Any]] = {
        LOANS: {"provisions": [{"source_id": law.pk, "eid": "sec_2"}], "words": "חמישה ספרים"},
        "מי ישלם דמי איחור?": {"provisions": [{"source_id": law.pk, "eid": "sec_1"}]},  # section 3 answers it
        PLANETS: {"nothing_answers": True},
    }
    return [
        questions.create(topic=law.topic, values={"question": question, **values}, by="test")
        for question, values in expected.items()
    ]
