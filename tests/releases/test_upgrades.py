"""Each release's installation becomes one of this version: it answers as before, nothing is amiss, and work goes on."""

import json
from pathlib import Path

import pytest

from tests.kb_project.migrating import Database, applied, database
from tests.releases import KEY, packed, restore, version_of

__all__ = ["database"]  # a fixture

# In a process of its own, on the installation: what people and programs ask, and then a document more.
USE = """
import io, json, sys, django
django.setup()
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from ingest.stages.run import run_job

client = Client(headers={"Authorization": "Api-Key " + sys.argv[1]})

def ask(path, **sent):
    answer = client.post(path, sent, "application/json") if sent else client.get(path)
    return answer.status_code, answer.json()

def findings():
    told = io.StringIO()
    try:
        call_command("check_integrity", "--deep", "--json", stdout=told)
    except CommandError:
        pass  # it says so where it finds something
    checks = json.loads(told.getvalue())["checks"]
    return [one["name"] for one in checks if one["remaining"] or one.get("error")]

[topic_id] = [topic["id"] for topic in ask("/kb/topics")[1]["results"] if topic["slug"] == "harbours"]

def hits(query, **more):
    return ask("/kb/search", query=query, topic_id=topic_id, mode="lexical", **more)[1]["results"]

def passages(query, **more):
    return [(hit["source"]["title"], hit["text"]) for hit in hits(query, **more)]

told = {"findings": findings(), "readyz": sorted(client.get("/readyz").json().get("checks", []))}
told["now"], told["then"] = passages("harbour master"), passages("harbour master", as_of="2022-01-01")
told["answer"] = ask("/kb/ask", question="Who decides about the pier?", topic_id=topic_id)[1]
sources = ask("/kb/sources?limit=100")[1]["results"]
told["sources"] = len(sources)
pages = ("/kb/sources/{}", "/kb/sources/{}/file", "/kb/sources/{}/provisions", "/documents/{}/")
told["pages"] = {client.get(page.format(source["id"])).status_code for source in sources for page in pages}
told["jobs"] = sorted(job["status"] for job in ask("/admin/kb/jobs?limit=100")[1]["results"])
told["alias"] = [label["name"] for label in ask("/admin/kb/labels?q=Jetties")[1]["results"]]
text = b"Buoy Act 2026\\n\\n1. Colour\\nA buoy is painted red.\\n"
upload = {"kind": "law", "topic_id": topic_id, "file": SimpleUploadedFile("buoy.txt", text)}
run_job(client.post("/admin/kb/upload", upload).json()["job_id"])
told["new"] = passages("buoy painted red")
print(json.dumps(told, default=list))
"""


@pytest.mark.deep
@pytest.mark.timeout(300)
@pytest.mark.parametrize("installation", packed(), ids=version_of)
def test_an_installation_of_a_release_is_upgraded(installation: Path, database: Database, tmp_path: Path) -> None:
    with database.connect() as connection:
        restore(installation, connection, tmp_path)
    traces = database.rows("SELECT count(*) FROM kb_answer_trace")
    where = {"KB_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "kb_project.settings"}
    applied(database.manage("migrate", "--no-input", **where))
    applied(database.manage("migrate", "--check", **where))
    noted = "SELECT DISTINCT source_id FROM kb_reference_work WHERE source_id IS NOT NULL ORDER BY 1"
    citing = "SELECT DISTINCT source_id FROM kb_reference WHERE cites ->> 'number' <> '' ORDER BY 1"
    assert database.rows(noted) == database.rows(citing) != []  # read again, for the ranges among them

    done = database.run("-c", USE, KEY, **where)
    applied(done)
    told = json.loads(done.stdout)
    assert told["findings"] == []
    assert "database" not in told["readyz"]  # what else may be missing is a worker: another test may have one
    now, then = (" ".join(text for title, text in told[day] if title == "Pier Act 2021") for day in ("now", "then"))
    assert "decides about the pier after hearing the town" in now
    assert "decides about the pier." in then
    assert "town" not in then
    assert told["answer"]["status"] == "answered"
    assert "harbour master" in told["answer"]["citations"][0]["quote"]
    assert (told["sources"], told["pages"]) == (9, [200])  # those in force
    assert {"awaiting_review", "done", "failed"} <= set(told["jobs"])
    assert told["alias"] == ["Piers"]
    assert told["new"][0][0] == "Buoy Act 2026"
    assert database.rows("SELECT count(*) FROM kb_answer_trace") == [(traces[0][0] + 1,)]
