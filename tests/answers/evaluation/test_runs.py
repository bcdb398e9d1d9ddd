"""Runs: how questions are judged, what a second run says of the first, and what a killed one costs."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from answers.evaluation import questions, runs
from answers.evaluation.figures import figures
from answers.evaluation.judging import judge
from answers.evaluation.tasks import go_on_with_evaluation
from answers.models import AnswerTrace, EvaluationQuestion, EvaluationRun
from kb_project.errors import Invalid
from sources.models import Source
from tests.answers.evaluation.conftest import LOANS
from tests.anthropic_server import Block, cited, in_place_of_claude
from tests.factories import LAW, first_topic
from tests.openai_server import in_settings
from tests.search.corpus import add_document, replace_text

pytestmark = pytest.mark.django_db


def finished() -> EvaluationRun:
    run = runs.begin(first_topic(), by="test")
    assert runs.resume(run.pk)
    run.refresh_from_db()
    return run


def test_questions_are_right_by_what_their_answers_cite(asked: list[EvaluationQuestion]) -> None:
    run = finished()
    right, wrong, silent = run.outcomes
    assert (right["rank"], right["status"], right["right"]) == (1, "answered", True)
    assert (wrong["status"], wrong["right"]) == ("answered", False)
    assert (silent["rank"], silent["status"], silent["right"]) == (None, "insufficient_evidence", True)
    assert AnswerTrace.objects.get(answer_id=right["answer_id"]).by == "evaluation"
    found = asdict(figures(runs.pairs(run)))
    assert (found["questions"], found["with_answer"], found["score"]) == (3, 2, 66.67)
    assert (found["answered"], found["cited"], found["silent"]) == (1.0, 0.5, 1.0)
    assert (found["unsupported"], found["failed"]) == (0, 0)
    assert right["verdicts"]["quotations"] == {"verbatim": 1}
    assert (found["stands"], found["wrong"]) == (1.0, 0)


def test_a_question_is_judged_by_the_version_in_force_today(law: Source) -> None:
    asked = {"question": LOANS, "provisions": [{"source_id": law.pk, "eid": "sec_2"}]}
    entry = questions.create(topic=law.topic, values=asked, by="test")
    today = timezone.localdate()
    Source.objects.filter(pk=law.pk).update(valid_to=today)
    gone = judge(entry)
    assert (gone.rank, gone.status, gone.right) == (None, "insufficient_evidence", False)
    new = add_document(LAW.replace("חמישה", "שישה"), title=law.title, work_id=law.work_id, valid_from=today)
    outcome = judge(entry)
    assert (outcome.rank, outcome.right) == (1, True)
    trace = AnswerTrace.objects.get(answer_id=outcome.answer_id)
    assert {citation["source_id"] for citation in trace.citations} == {new.pk}


@pytest.mark.parametrize(
    ("values", "right"),
    [
        ({"provisions": [{"eid": "sec_2"}], "words": "שישה ספרים"}, False),
        ({"provisions": [{"eid": "sec_3"}, {"eid": "sec_2"}]}, True),
        ({"provisions": [{}]}, True),
        ({"words": "חמישה ספרים"}, True),
        ({"words": "חמישה ספ"}, False),
        ({"nothing_answers": True}, False),
    ],
)
def test_any_provision_suffices_and_words_stand_in_the_quote(law: Source, values: dict[str, Any], right: bool) -> None:
    cited = [{"source_id": law.pk, **one} for one in values.get("provisions", [])]
    question = {"question": LOANS, **values, "provisions": cited}
    entry = questions.create(topic=law.topic, values=question, by="test")
    assert judge(entry).right is right


def test_what_a_model_invents_is_counted_and_its_failure_is_an_outcome(
    asked: list[EvaluationQuestion], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_place_of_claude(settings, monkeypatch) as claude:
        claude.will_stream(Block("עד חמישה ספרים.", [cited(0)]), Block(" כך נוהגים בכל מקום בעולם תמיד."))
        assert judge(asked[0]).unsupported == 1
    with in_place_of_claude(settings, monkeypatch) as claude:
        claude.will_stream(status=400)
        outcome = judge(asked[0])
    assert (outcome.status, outcome.right, outcome.rank) == ("failed", False, 1)


def test_answers_are_checked_as_texts_are(
    asked: list[EvaluationQuestion], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "לפי סעיף 9 לחוק הספריות הציבוריות תושב זכאי לשאול חמישה ספרים."
    with (
        in_settings(settings, monkeypatch, KB_CHECKER="openai") as server,
        in_place_of_claude(settings, monkeypatch) as claude,
    ):
        settings.KB_CHECKER = "openai"
        server.will_say({"verdict": "supports", "words": "לשאול עד חמישה ספרים", "sure": True})
        claude.will_stream(Block(said, [cited(0)]))
        verdicts = judge(asked[0]).verdicts
    assert verdicts["citations"] == {"no_such_provision": 1}
    # Its number leads to section 3. Section 9, which it names, is not there and says nothing of it.
    assert verdicts["statements"] == {"supports": 1, "not_checked": 1}


def test_a_run_whose_checks_are_worse_is_not_accepted(asked: list[EvaluationQuestion]) -> None:
    first = finished()
    second = runs.begin(first_topic(), by="test")
    runs.resume(second.pk, for_s=0)
    outcomes = [{**one, "verdicts": {"citations": {"no_such_provision": 1}}} for one in first.outcomes]
    EvaluationRun.objects.filter(pk=second.pk).update(outcomes=outcomes)
    runs.resume(second.pk)
    second.refresh_from_db()
    assert (second.accepted, second.worse_by) == (False, 0.0)
    said = f"Checks hold 100 points less of it right than of run {first.pk}, the last that was accepted."
    assert runs.verdict(second) == said


def test_runs_before_checks_were_counted_are_compared(asked: list[EvaluationQuestion]) -> None:
    first = finished()
    for outcome in first.outcomes:
        del outcome["verdicts"]
    first.save(update_fields=["outcomes"])
    assert figures(runs.pairs(first)).stands is None
    second = finished()
    assert second.accepted
    assert figures(runs.pairs(second)).stands == 1.0


def test_run_is_compared_with_one_before_over_questions_of_both(asked: list[EvaluationQuestion], law: Source) -> None:
    first = finished()
    assert (first.accepted, first.worse_by) == (True, None)
    questions.delete(asked[1].pk, by="test")
    questions.create(topic=law.topic, values={"question": "מהי ספרייה?", "words": "ספרייה"}, by="test")
    replace_text(law, LAW.replace("2. זכות השאלה\nכל תושב זכאי לשאול עד חמישה ספרים לתקופה של שלושים ימים.", ""))
    second = finished()
    last, comparison = runs.compare_with_previous(second)
    assert last == first
    assert comparison
    assert (comparison.before.questions, comparison.before.score, comparison.after.score) == (2, 100.0, 50.0)
    assert [(change.question, change.better) for change in comparison.changes] == [(LOANS, False)]
    assert (second.accepted, second.worse_by, second.baseline) == (False, 50.0, first.pk)
    assert runs.verdict(second) == f"It is 50 points worse than run {first.pk}, the last that was accepted."
    runs.accept(second)
    assert runs.accepted(law.topic_id) == second


def test_a_run_goes_on_where_it_stopped_and_only_one_process_with_it(asked: list[EvaluationQuestion]) -> None:
    run = runs.begin(first_topic(), by="test")
    assert not runs.resume(run.pk, for_s=0)

    def overtake(_: int) -> None:
        if not EvaluationRun.objects.filter(finished_at__isnull=False).exists():
            go_on_with_evaluation(run.pk)

    assert runs.resume(run.pk, on_progress=overtake)
    run.refresh_from_db()
    assert (len(run.outcomes), run.finished_at is not None) == (3, True)
    assert AnswerTrace.objects.count() == 4  # the second question was asked twice, and kept once


def test_killed_runs_are_forgotten_and_so_many_are_kept(
    asked: list[EvaluationQuestion], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MAX_KEPT", 1)
    first = finished()
    killed = runs.begin(first_topic(), by="test")
    assert runs.under_way(1) == killed
    EvaluationRun.objects.filter(pk=killed.pk).update(progress_at=timezone.now() - timedelta(hours=2))
    assert runs.under_way(1) is None
    assert runs.accepted(1) == first
    last = finished()
    assert list(EvaluationRun.objects.all()) == [last]


def test_without_questions_there_is_no_run(db: None) -> None:
    with pytest.raises(Invalid, match="no evaluation questions"):
        runs.begin(first_topic(), by="test")


def test_an_outcome_is_kept_without_those_before_it(asked: list[EvaluationQuestion]) -> None:
    run = runs.begin(first_topic(), by="test")
    with CaptureQueriesContext(connection) as queries:
        assert runs.resume(run.pk)
    kept = [one["sql"] for one in queries if one["sql"].startswith("UPDATE") and "answer_id" in one["sql"]]
    assert [sql.count("answer_id") for sql in kept] == [1, 1, 1]
    run.refresh_from_db()
    assert len({outcome["answer_id"] for outcome in run.outcomes}) == 3
