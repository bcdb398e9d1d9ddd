"""Requests made up from the OpenAPI document by schemathesis, all its checks, against the served project.

`KB_FUZZ_EXAMPLES=60 pytest tests/contract` makes a long run of it; the number is examples for each operation and phase,
for each kind of caller. See `docs/fuzzing.md`.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.job_states import JobStatus
from kb_project.api.openapi_files import openapi_document
from labels import assign
from tests.factories import make_job, make_label, make_topic
from tests.search.corpus import add_source, section
from topics.keys import issue_key
from topics.models import Topic

pytestmark = pytest.mark.deep

GIVEN = os.environ.get("KB_FUZZ_EXAMPLES", "")
SEED = os.environ.get("KB_FUZZ_SEED", "1")
CONFIG = Path(__file__).with_name("schemathesis.toml")

CALLERS: dict[str, Callable[[Topic], str]] = {
    "admin key": lambda topic: issue_key(name="fuzz", admin=True, by="test")[1],
    "pinned admin key": lambda topic: issue_key(name="fuzz", admin=True, topic=topic, by="test")[1],
    "reader key": lambda topic: issue_key(name="fuzz", admin=False, by="test")[1],
    "nobody": lambda topic: "",
}
# The run of every day is the caller's to whom every path is open; what the others are answered, `test_access` asks.
TRIED = list(CALLERS) if GIVEN else ["admin key"]
MIN_CASES = 1000


@pytest.fixture
def topic(transactional_db: None) -> Topic:
    """Rows behind small ids, so that not every path ends in 404; gives one of the topics they lie in."""
    topic = make_topic(slug="fuzz", name="חוקים <b>")
    label = make_label("ביטוח")
    for number in range(3):
        source = add_source(section("5", "תשלום", "הבנק ישלם ריבית"), topic=topic, title=f"חוק {number}")
        assign.add(source, [label], by="test")
    add_source("The bank pays interest.", title="Rules")
    make_job(status=JobStatus.AWAITING_REVIEW, confirmed=None)
    return topic


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("caller", TRIED)
@pytest.mark.usefixtures("worker")
def test_every_answer_is_as_the_document_says(caller: str, topic: Topic, asgi_server: str, tmp_path: Path) -> None:
    openapi_document.cache_clear()  # other tests of this process serve other paths
    plaintext = CALLERS[caller](topic)
    command: list[Any] = [
        Path(sys.executable).with_name("st"),
        "--config-file",
        CONFIG,
        "run",
        f"{asgi_server}/api/schema/?format=json",
        *(["--header", f"Authorization: Api-Key {plaintext}"] if plaintext else []),
        "--phases",
        "examples,coverage,fuzzing,stateful",
        "--max-examples",
        GIVEN or "2",
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
    print(caller, summary)
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
    tried = re.search(r"(\d+) generated", summary.replace(",", ""))
    assert tried, summary
    assert int(tried[1]) > MIN_CASES, summary
