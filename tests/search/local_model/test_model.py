"""The model, held against the same computed plainly."""

import threading

import numpy as np
import pytest

from kb_project.configuration.local_model_file import local_model_file
from search.local_model.model import MAX_PIECES, Model, Stop, Stopped
from tests.search.local_model.needed import needs_model
from tests.search.local_model.plain_model import PlainModel

pytestmark = needs_model
TEXTS = (
    "passage: השוכר ימסור למשכיר ערובה, והמשכיר ישיב אותה בתום השכירות (סעיף 10(ב)).",
    'query: מהו "פיקדון" לפי חוק השכירות והשאילה, התשל״א–1971?',
    "passage: 12. (1) The tenant shall pay   a deposit\nnot exceeding three months’ rent; ﬁnes ½ ① Ⅻ.",
    "query: Will my landlord give it back?",
    "passage: הוראה 7\tלעניין EU Regulation 2016/679 (GDPR) — מידע 个人信息 🙂",
    "passage: ",
)


@pytest.fixture(scope="module")
def model() -> Model:
    return Model(local_model_file())


@pytest.fixture(scope="module")
def plain() -> PlainModel:
    return PlainModel(local_model_file())


@pytest.mark.parametrize("text", TEXTS)
def test_the_pieces_are_the_best_way_through_the_text(text: str, model: Model, plain: PlainModel) -> None:
    assert model.pieces(text) == plain.pieces(text)


@pytest.mark.parametrize("text", TEXTS)
def test_vectors_are_near_those_of_32_bits(text: str, model: Model, plain: PlainModel) -> None:
    kind, _, rest = text.partition(": ")
    vector = model.vector(rest, "query" if kind == "query" else "passage")
    assert (vector.shape, vector.dtype) == ((384,), np.float32)
    assert vector @ vector == pytest.approx(1, abs=1e-5)
    assert vector @ plain.vector(text) > 0.995


def test_a_long_text_is_the_mean_of_its_parts(model: Model) -> None:
    text = " ".join(f"section {number}" for number in range(800))
    pieces = model.pieces(f"passage: {text}")
    parts = [pieces[start : start + MAX_PIECES] for start in range(0, len(pieces), MAX_PIECES)]
    assert len(parts) > 2
    mean = sum((len(part) * model._mean([0, *part, 2], None) for part in parts), np.zeros(384))
    assert np.allclose(model.vector(text, "passage"), mean / np.linalg.norm(mean), atol=1e-5)


def test_threads_get_the_vectors_that_one_gets(model: Model) -> None:
    texts, found = [f"The keeper of wagon {number} pays." for number in range(12)], {}

    def embed(number: int) -> None:
        found[number] = model.vector(texts[number], "passage")

    threads = [threading.Thread(target=embed, args=(number,)) for number in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[number], model.vector(text, "passage")) for number, text in enumerate(texts))


def test_one_that_is_stopped_raises(model: Model) -> None:
    stop = Stop()
    stop.ask()
    with pytest.raises(Stopped):
        model.vector("text", "passage", stop=stop)
    assert model.vector("text", "passage", stop=Stop()).any()
