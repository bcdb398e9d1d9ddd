"""The gate: what makes answers worse is not taken into use, where it is made, and says why."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from answers.evaluation import gate, questions, runs
from answers.models import EvaluationQuestion, EvaluationRun
from kb_project.errors import Conflict
from search.embedders.spaces import active_space, find_active_space, on_trial
from search.models import EmbeddingSpace, Synonym
from search.synonyms import editing
from sources.models import Source
from tests.answers.evaluation.test_runs import finished
from tests.factories import first_topic
from tests.search.corpus import add_source
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def gated(settings: Any) -> Any:
    settings.KB_EVALUATION_GATE = True
    return settings


def test_a_change_of_settings_needs_a_run_that_is_not_worse(
    gated: Any, asked: list[EvaluationQuestion], law: Source
) -> None:
    call_command("check", databases=["default"])  # nothing was ever accepted
    first = finished()
    gated.KB_SYNONYMS = False
    with pytest.raises(CommandError, match=r"built_in_synonyms\) is not taken into use .* has not been evaluated"):
        call_command("prepare")
    questions.create(topic=law.topic, values={"question": "נוסף", "words": "ספר"}, by="test")
    assert finished().accepted
    call_command("prepare")
    gated.KB_ANSWERER, gated.KB_LLM_MODEL, gated.KB_LLM_BASE_URL = "openai", "a-model", "http://127.0.0.1:9/v1"
    assert not finished().accepted
    with pytest.raises(CommandError, match=r"\(answers\) is not taken .* points worse than run"):
        call_command("prepare")
    gated.KB_EVALUATION_GATE = False
    call_command("prepare")
    assert EvaluationRun.objects.filter(pk=first.pk).exists()


def test_an_embedder_that_makes_answers_worse_is_not_switched_to(gated: Any, asked: list[EvaluationQuestion]) -> None:
    old = active_space()
    accepted = finished()
    accepted.outcomes = [{**outcome, "right": True} for outcome in accepted.outcomes]  # as if it had done better
    accepted.save()
    gated.KB_EMBEDDING_DIMENSION = 64
    with pytest.raises(CommandError, match="points worse"):
        call_command("reembed")
    assert active_space() == old
    tried = runs.finished(1)[0]
    assert tried.configuration["embedder"] != accepted.configuration["embedder"]
    with on_trial(EmbeddingSpace.objects.exclude(pk=old.pk).get()):
        assert find_active_space().fetch() == active_space() != old
    runs.accept(tried)
    call_command("reembed")
    assert active_space() != old


def test_a_change_of_synonyms_that_loses_an_answer_is_refused(gated: Any) -> None:
    law = add_source("Termination of the contract needs notice of a month.", title="Work")
    entry = editing.create(topic=None, words=["kicked out"], means=["termination"], weight=0.9, by="test")
    values = {"question": "kicked out", "provisions": [{"source_id": law.pk}]}
    questions.create(topic=law.topic, values=values, by="test")
    assert finished().outcomes[0]["rank"] == 1
    with pytest.raises(Conflict, match=r"1 of 1 evaluation questions .* kicked out"):
        gate.synonyms_changed(lambda: editing.delete(entry.pk, by="test"))
    key = client_with_key(admin=True)
    refused = key.patch(f"/admin/kb/synonyms/{entry.pk}", {"weight": 0}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")
    assert Synonym.objects.get().weight == 0.9
    assert key.patch(f"/admin/kb/synonyms/{entry.pk}", {"weight": 1}, format="json").status_code == 200
    gated.KB_EVALUATION_GATE = False
    assert key.delete(f"/admin/kb/synonyms/{entry.pk}").status_code == 204


def test_a_topic_without_an_accepted_run_holds_nothing_up(gated: Any, law: Source) -> None:
    assert gate.held_topics() == []
    assert runs.accepted(first_topic().pk) is None
