"""Which file is the model's."""

from pathlib import Path

import pytest

from kb_project.configuration.local_model_file import local_model_file
from search.local_model.weights_file import SIZE, state_of
from tests.search.local_model.needed import needs_model


def test_one_that_is_not_there(tmp_path: Path) -> None:
    assert state_of(tmp_path / "nothing") == "missing"


@needs_model
def test_the_one_that_is_known(tmp_path: Path) -> None:
    assert state_of(local_model_file()) == "known"


@needs_model
@pytest.mark.parametrize("broken", ["shorter", "changed", "empty"])
def test_one_that_is_broken(broken: str, tmp_path: Path) -> None:
    content = bytearray(local_model_file().read_bytes())
    if broken == "changed":
        content[SIZE // 2] ^= 1
    path = tmp_path / "model.bin"
    path.write_bytes({"shorter": bytes(content[:-1]), "changed": bytes(content), "empty": b""}[broken])
    assert state_of(path) == "other"


@needs_model
def test_one_that_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(bytes(SIZE))
    assert state_of(path) == "other"
    path.write_bytes(local_model_file().read_bytes())
    assert state_of(path) == "known"
