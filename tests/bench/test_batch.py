"""A small batch through the real API with a real worker, and what is said when something does not add up."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from subprocess import Popen

import pytest

from bench.batch import table
from bench.batch_client import BatchApi
from bench.batch_outcome import check_search, check_sources
from bench.batch_review import decide, take_in
from bench.made_up import make_files
from labels.models import Label
from search.index import engine
from tests.factories import make_topic
from topics.keys import issue_key

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_batch_adds_up_and_what_does_not_is_named(
    asgi_server: str,
    start_worker: Callable[..., Popen[bytes]],
    start_classifier: Callable[..., Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start_worker(concurrency=2)
    start_classifier()
    api = BatchApi(asgi_server, issue_key(name="bench", admin=True, by="bench")[1])
    topic_id = make_topic().pk
    files = make_files(good=12, copies=2)
    assert len(files) == 24

    outcome, jobs = take_in(files, api=api, topic_id=topic_id)
    assert outcome.problems == []
    assert outcome.refused == Counter(unsupported_type=2, empty=1)
    assert outcome.failed == Counter(corrupt=4, empty=2, encrypted=1)
    assert (outcome.duplicates, outcome.awaiting) == (2, 14)
    jobs = decide(files, jobs, api=api, outcome=outcome)
    engine().maintain()
    check_sources(files, jobs, api=api, topic_id=topic_id, outcome=outcome)
    check_search(files, jobs, api=api, topic_id=topic_id, outcome=outcome)
    assert outcome.problems == []
    assert (outcome.sources, outcome.found, outcome.labels) == (12, 12, 6)
    assert "| does not add up | 0 |" in table(outcome)

    Label.objects.filter(name="Batch: law").update(usage_count=40)
    check_sources(files, jobs, api=api, topic_id=topic_id, outcome=outcome)
    assert len(outcome.problems) == 1
    assert "batch-law" in outcome.problems[0]
    assert "40" in outcome.problems[0]
    monkeypatch.setattr("bench.batch_outcome.FOLDED_WITHIN_S", 0)
    first, second, *_ = [file for file in files if file.word]
    check_search([replace(first, word=second.word)], jobs, api=api, topic_id=topic_id, outcome=outcome)
    assert outcome.problems[1].startswith(f"{first.name}: {second.word} finds ")
    api.close()


def test_a_file_that_ends_otherwise_than_expected_is_a_problem(
    asgi_server: str, start_classifier: Callable[..., Popen[bytes]]
) -> None:
    start_classifier()
    api = BatchApi(asgi_server, issue_key(name="bench", admin=True, by="bench")[1])
    files = [
        replace(file, code="" if file.code == "encrypted" else "no_such_code", refused=file.name == "noise.pdf")
        if file.code
        else file
        for file in make_files(good=1, copies=0)
    ]
    outcome, _ = take_in(files, api=api, topic_id=make_topic().pk)
    wrong = {file.name for file in files if not file.word}
    assert {problem.split(":")[0] for problem in outcome.problems} == wrong
    api.close()
