"""How answers are counted."""

from typing import Any

from bench.answers import HALVES, OFF_TOPIC, AnswerQuality, Half, note, summary, table
from bench.datasets import Query
from bench.metrics import percentiles

ASKED = Query("What is the fine?", frozenset({"a", "b"}), "questions")
ORBIT = Query("What is the orbit of Jupiter?", frozenset(), "off topic")
ANSWERED: dict[str, Any] = {"status": "answered"}
SILENT: dict[str, Any] = {"status": "insufficient_evidence"}


def test_an_answer_holds_when_any_of_its_citations_is_gold() -> None:
    half = Half()
    for answer, units in ((ANSWERED, ["b", "x"]), (ANSWERED, ["x", "a"]), (ANSWERED, ["x"]), (SILENT, [])):
        note(half, ASKED, answer, units=units)
    assert (half.questions, half.answered, half.held, half.held_first) == (4, 3, 2, 1)
    assert (half.off_topic, half.silent) == (0, 0)


def test_answer_to_a_question_about_nothing_in_the_set_is_named() -> None:
    half = Half()
    note(half, ORBIT, ANSWERED, units=["x"])
    note(half, ORBIT, SILENT, units=[])
    assert (half.off_topic, half.silent, half.questions) == (2, 1, 0)
    quality = AnswerQuality("extractive s", {HALVES[0]: half}, 3, 2, 1, percentiles([1.0]))
    assert "2/3 verbatim, 1 dropped" in summary({"heqa": quality})
    assert ORBIT.text in summary({"heqa": quality})
    assert "| heqa | tuned on | 0/0 = 0.0% | 0/0 | 0/0 | 0/0 | 1/2 |" in table({"heqa": quality})


def test_a_hundred_different_questions_are_off_topic() -> None:
    for questions in OFF_TOPIC.values():
        assert len(set(questions)) == 50
