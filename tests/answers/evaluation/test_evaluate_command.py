"""`manage.py evaluate`: what it prints, keeps, and refuses."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from answers.evaluation import questions
from answers.models import EvaluationQuestion, EvaluationRun
from sources.models import Source
from tests.answers.evaluation.conftest import LOANS

pytestmark = pytest.mark.django_db


def evaluate(*options: str, topic: str = "general") -> str:
    out = StringIO()
    call_command("evaluate", "--topic", topic, *options, stdout=out)
    return out.getvalue()


def test_it_prints_figures_and_what_changed_since_the_last_run(asked: list[EvaluationQuestion]) -> None:
    first = evaluate()
    assert "3 questions, 2 with an answer" in first
    assert "found@10" in first
    assert "before" not in first
    asked_better = {"question": asked[1].question, "provisions": [], "words": "דמי איחור"}
    questions.change(asked[1].pk, asked_better, by="test")
    EvaluationRun.objects.update(outcomes=[{**EvaluationRun.objects.get().outcomes[0], "rank": 7}])
    second = evaluate()
    assert f"other: {LOANS}  answered, right, rank 7 → answered, right, rank 1" in second
    told = json.loads(evaluate("--json"))
    assert (told["topic"], told["accepted"], told["figures"]["score"]) == ("general", True, 100.0)
    assert told["comparison"]["changes"] == []
    assert told["questions"][0]["status"] == "answered"
    assert EvaluationRun.objects.count() == 3


def test_a_file_is_asked_in_place_of_the_topics_questions(law: Source, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"question": LOANS, "provisions": [{"title": law.title, "eid": "sec_2"}]}))
    told = json.loads(evaluate("--file", str(file), "--json"))
    assert (told["figures"]["found_at_1"], told["accepted"]) == (1.0, False)
    assert not EvaluationQuestion.objects.exists()
    run = EvaluationRun.objects.get()
    assert (run.origin, run.by) == ("questions.jsonl", "manage.py evaluate")


@pytest.mark.parametrize(
    ("options", "topic", "said"),
    [
        ((), "nowhere", "no topic"),
        ((), "general", "no evaluation questions"),
        (("--file", "/nowhere"), "general", "cannot be read"),
    ],
)
def test_what_it_cannot_do_it_says(db: None, options: tuple[str, ...], topic: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        evaluate(*options, topic=topic)


def test_a_script_can_fail_where_answers_became_worse(asked: list[EvaluationQuestion], capsys: Any) -> None:
    call_command("evaluate", "--topic", "general", "--fail-if-worse")
    assert "no earlier run to compare with" in capsys.readouterr().err
    evaluate("--fail-if-worse")
    Source.objects.all().delete()
    with pytest.raises(CommandError, match="points worse than run"):
        evaluate("--fail-if-worse")
    evaluate("--fail-if-worse", "--accept")
    evaluate("--fail-if-worse")


def test_a_file_is_held_against_its_last_run(law: Source, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"question": LOANS, "words": "חמישה ספרים"}))
    evaluate("--file", str(file), "--fail-if-worse")
    law.delete()
    with pytest.raises(CommandError, match=r"100 points worse than the last run of questions\.jsonl"):
        evaluate("--file", str(file), "--fail-if-worse")
