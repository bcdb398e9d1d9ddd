"""Requests made up from the OpenAPI document by schemathesis, all its checks, against the served project.

`KB_FUZZ_EXAMPLES=60 pytest tests/contract` makes a long run of it; the number is examples for each operation and phase.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ingest.states import Status
from kb_project.api.views import openapi_document
from labels import assign
from tests.factories import make_job, make_label, make_topic
from tests.search.corpus import add_source, section
from topics.keys import issue_key

EXAMPLES = os.environ.get("KB_FUZZ_EXAMPLES", "2")
SEED = os.environ.get("KB_FUZZ_SEED", "1")
CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.fixture
def something_there(transactional_db: None) -> None:
    """Rows behind small ids, so that not every path ends in 404."""
    topic = make_topic(slug="fuzz", name="חוקים <b>")
    label = make_label("ביטוח")
    for number in range(3):
        source = add_source(section("5", "תשלום", "הבנק ישלם ריבית"), topic=topic, title=f"חוק {number}")
        assign.add(source, [label], by="test")
    add_source("The bank pays interest.", title="Rules")
    make_job(status=Status.AWAITING_REVIEW, confirmed=None)


@pytest.mark.timeout(7200)
@pytest.mark.usefixtures("something_there", "worker")
def test_every_answer_is_as_the_document_says(asgi_server: str, tmp_path: Path) -> None:
    openapi_document.cache_clear()  # other tests of this process serve other paths
    _key, plaintext = issue_key(name="fuzz", admin=True, by="test")
    command: list[Any] = [
        Path(sys.executable).with_name("st"),
        "--config-file",
        CONFIG,
        "run",
        f"{asgi_server}/api/schema/?format=json",
        "--header",
        f"Authorization: Api-Key {plaintext}",
        "--phases",
        "examples,coverage,fuzzing,stateful",
        "--max-examples",
        EXAMPLES,
        "--seed",
        SEED,
        "--request-timeout",
        "60",
        "--continue-on-failure",
        "--warnings",
        "off",
        "--report",
        "ndjson",
        "--report-dir",
        tmp_path,
        "--no-color",
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=7000, cwd=tmp_path)
    summary = run.stdout[run.stdout.rfind("SUMMARY") :]
    print(summary)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
    tried = re.search(r"(\d+) generated", summary.replace(",", ""))
    assert tried, summary
    assert int(tried[1]) > 1000, summary
