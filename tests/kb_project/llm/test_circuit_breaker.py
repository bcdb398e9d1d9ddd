"""Models that are left alone after they failed, but for one try in each pause."""

from typing import Any
from uuid import uuid4

import pytest

from kb_project.llm import chain
from kb_project.llm.protocol import ModelKey
from tests.kb_project.llm.pauses import end_pauses

PAUSE_S = 60


@pytest.fixture
def key() -> ModelKey:
    return ModelKey("openai", "a-model", f"http://{uuid4()}/v1")


def left_alone(key: ModelKey, role: str = "expansion") -> list[bool]:
    return [chain.circuit_is_open(key, role=role, pause_s=PAUSE_S) for _ in range(3)]


def test_one_may_try_after_each_pause_until_the_model_answers(key: ModelKey) -> None:
    end_pauses()  # of other tests
    assert left_alone(key) == [False] * 3
    chain.note_failure(key, role="expansion", pause_s=PAUSE_S)
    for _ in range(2):
        assert left_alone(key) == [True] * 3
        [left_ms] = end_pauses()
        assert 0 < left_ms <= PAUSE_S * 1000
        assert left_alone(key) == [False, True, True]
    chain.note_answer(key, role="expansion")
    assert left_alone(key) == [False] * 3


def test_another_role_and_another_server_are_not_concerned(key: ModelKey) -> None:
    chain.note_failure(key, role="expansion", pause_s=PAUSE_S)
    assert left_alone(key, "answers") == [False] * 3
    assert left_alone(ModelKey(key.provider, key.model, "")) == [False] * 3


def test_without_redis_nobody_is_left_alone(key: ModelKey, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    chain.note_failure(key, role="expansion", pause_s=PAUSE_S)
    chain.note_answer(key, role="expansion")
    assert left_alone(key) == [False] * 3
