"""When passages are embedded, with the model itself."""

import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest

from kb_project.configuration.local_model_file import local_model_file
from search.local_model import passages as module
from search.local_model.model import Model
from search.local_model.passages import PassageVectors
from tests.search.local_model.needed import needs_model
from tests.waiting import wait_until

pytestmark = needs_model
TEXTS = [f"Section {number}. " + "The keeper of the wagon pays what it costs. " * 30 for number in range(6)]


@pytest.fixture(scope="module")
def model() -> Model:
    return Model(local_model_file())


@pytest.fixture
def passages(model: Model) -> PassageVectors:
    return PassageVectors(model, threads=2)


class Asked(threading.Thread):
    """Somebody who waits for vectors."""

    def __init__(self, passages: PassageVectors, texts: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self._passages, self._texts = passages, texts
        self.found: list[np.ndarray] = []
        self.start()

    def run(self) -> None:
        self.found = self._passages.vectors(self._texts)


def are_right(found: Sequence[np.ndarray], model: Model) -> bool:
    return all(np.array_equal(one, model.vector(text, "passage")) for one, text in zip(found, TEXTS, strict=True))


def test_vectors_come_in_the_order_of_their_texts(passages: PassageVectors, model: Model) -> None:
    assert are_right(passages.vectors(TEXTS), model)
    assert passages.vectors([]) == []


def test_a_query_stops_them_and_nothing_is_lost(passages: PassageVectors, model: Model) -> None:
    asked = Asked(passages, TEXTS)
    wait_until(lambda: bool(passages._runs), passing=True)
    with passages.standing_by():
        wait_until(lambda: not passages._runs, passing=True)
        assert asked.is_alive() or are_right(asked.found, model), "all were done before they could be stopped"
    asked.join(60)
    assert are_right(asked.found, model)


def test_nothing_begins_while_somebody_searches(passages: PassageVectors) -> None:
    with passages.standing_by():
        asked = Asked(passages, TEXTS[:1])
        wait_until(lambda: passages._waiting or passages._owed_s > 0)
        for _ in range(10):  # the debt is far from large enough
            assert not passages._runs
            time.sleep(0.02)
    asked.join(60)
    assert len(asked.found) == 1


def test_what_is_owed_for_long_is_embedded_beside_searches(
    passages: PassageVectors, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONG_OWED_S", 0.02)
    with passages.standing_by():
        asked = Asked(passages, TEXTS)
        asked.join(60)
        assert are_right(asked.found, model)


def test_who_asked_for_what_fails_is_told(passages: PassageVectors) -> None:
    with pytest.raises(RuntimeError):
        passages.vectors(["a", "\ud800"])
    assert len(passages.vectors(TEXTS[:1])) == 1
