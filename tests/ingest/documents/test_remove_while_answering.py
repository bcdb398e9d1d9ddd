"""Deleting a source while an answer is made from it."""

import pytest
from rest_framework.test import APIClient

from answers.asking.ask import prepare
from ingest.documents.edit import delete
from kb_project.operations.integrity.registry import checks
from sources.models import Chunk
from sources.scope import Scope
from tests.search.corpus import add_source


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_has_begun_ends_and_nothing_is_found_afterwards() -> None:
    source = add_source("כל תושב זכאי לשאול עד חמישה ספרים.", title="חוק הספריות")
    question = "כמה ספרים זכאי תושב לשאול?"
    prepared = prepare(question, scope=Scope(topic_id=1), topic=None)
    delete(source.pk, by="test")
    assert prepared.answer().citations[0].source_id == source.pk  # what was read before is told to its end
    assert not Chunk.objects.exists()
    for path, body in (("/kb/search", {"query": question}), ("/kb/ask", {"question": question})):
        answer = APIClient().post(path, body, format="json").json()
        assert answer.get("results", []) == answer.get("citations", []) == []
    assert [finding for check in checks() if check.name != "stray_files" for finding in check.findings()] == []
