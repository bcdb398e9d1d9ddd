"""docs/first-law.md: what it says of its law is so."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from ingest.stages.run import run_job
from sources.models import Source
from tests.factories import upload_text

TUTORIAL = Path(settings.BASE_DIR) / "docs" / "first-law.md"


@pytest.mark.django_db(transaction=True)
def test_the_law_of_the_tutorial_is_found_and_answers(tmp_path: Path) -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    [law] = re.findall(r"<<'END'\n(.*?)END\n", text, re.DOTALL)
    [query] = re.findall(r'"query": "(.*?)"', text)
    [question] = re.findall(r'"question": "(.*?)"', text)
    run_job(upload_text(tmp_path, law, filename="roof-gardens.txt").pk)
    assert Source.objects.get().title == "Roof Gardens Act 2026"
    [hit] = _post("/kb/search", query=query, limit=1)["results"]
    assert (hit["match"], hit["section"], hit["eid"]) == ("citation", "2", "sec_2")
    assert _post("/kb/search", query="flat roof")["results"][0]["section"] == "2"
    missing = _post("/kb/search", query=query.replace("2", "9", 1))["not_found"]
    assert (missing["number"], [one["number"] for one in missing["nearest"]]) == ("9", ["1", "2", "3"])
    answer = _post("/kb/ask", question=question)
    assert (answer["status"], answer["citations"][0]["section"]) == ("answered", "2")
    assert "within five years" in answer["answer"]


def _post(path: str, **body: object) -> Any:
    answer = APIClient().post(path, {"topic_id": 1, **body}, format="json")
    assert answer.status_code == 200
    return answer.json()
