"""The OpenAPI document of the whole service is valid, complete and without a warning."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from kb_project import word_files
from keeping.tables.workbook import TYPE as XLSX_TYPE
from sources.files.serving import MEDIA_TYPES


def test_the_document_is_valid_and_made_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_every_path_of_the_main_job_is_described() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    assert {
        "/admin/kb/upload",
        "/admin/kb/jobs",
        "/admin/kb/jobs/{job_id}",
        "/admin/kb/jobs/{job_id}/retry",
        "/admin/kb/jobs/{job_id}/file",
        "/admin/kb/jobs/{job_id}/commit",
        "/admin/kb/jobs/{job_id}/discard",
        "/admin/kb/jobs/{job_id}/pages/{number}.png",
        "/admin/kb/upload-batch",
        "/admin/kb/batch/{batch_id}",
        "/admin/kb/storage/{area}",
        "/admin/kb/topics",
        "/admin/kb/topics/{topic_id}",
        "/admin/kb/stats",
        "/scan-inbox",
        "/kb/search",
        "/kb/topics",
        "/kb/sources",
        "/kb/sources/{source_id}",
        "/kb/sources/{source_id}/file",
        "/healthz",
        "/readyz",
    } <= set(paths)


def test_upload_of_batch_says_which_jobs_fail_without_a_review() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    described = " ".join(paths["/admin/kb/upload-batch"]["post"]["description"].split())
    assert "cannot be read takes its job from `processing` (stage `classifying`) to `failed`" in described


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return made


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, by_method in document["paths"].items():
        for method, operation in by_method.items():
            yield f"{method} {path}", operation


def texts_in(schema: Any, document: dict[str, Any], at: str, above: frozenset[str] = frozenset()) -> Iterator[Any]:
    """Every schema of a text below this one, with where it is."""
    if isinstance(schema, list):
        for one in schema:
            yield from texts_in(one, document, at, above)
    elif isinstance(schema, dict):
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        if name and name not in above:
            yield from texts_in(document["components"]["schemas"][name], document, f"{at} {name}", above | {name})
        if "string" in (schema.get("type") or ()):
            yield at, schema
        for key, inner in schema.items():
            if key == "properties":
                for field, one in inner.items():
                    yield from texts_in(one, document, f"{at}.{field}", above)
            elif key in ("items", "additionalProperties", "oneOf", "anyOf", "allOf"):
                yield from texts_in(inner, document, at, above)


def test_every_text_of_a_request_has_a_bound(document: dict[str, Any]) -> None:
    bounded = {"uuid", "date", "date-time", "binary"}
    unbounded = []
    for name, operation in operations(document):
        schemas = [parameter["schema"] for parameter in operation.get("parameters", ())]
        schemas += [content["schema"] for content in operation.get("requestBody", {}).get("content", {}).values()]
        for at, text in texts_in(schemas, document, name):
            if not {"maxLength", "enum"} & set(text) and text.get("format") not in bounded:
                unbounded.append(at)
    assert unbounded == []


EXPORTED = (
    "/kb/answers/{answer_id}",
    "/kb/notebooks/{notebook_id}",
    "/kb/search",
    "/kb/sources/{source_id}/compare/{other_id}",
    "/kb/sources/{source_id}/provisions/{eid}",
)
BIBLIOGRAPHIES = {
    "application/vnd.citationstyles.csl+json",
    "application/x-bibtex",
    "application/x-research-info-systems",
}


def test_what_is_no_json_says_of_what_type_it_is(document: dict[str, Any]) -> None:
    found = {}
    for name, operation in operations(document):
        for status, response in operation["responses"].items():
            types = set(response.get("content", ()))
            if status == "200" and types != {"application/json"}:
                found[name] = types
    assert found == {
        "get /admin/kb/jobs/{job_id}/file": set(MEDIA_TYPES),
        "get /admin/kb/jobs/{job_id}/pages/{number}.png": {"image/png"},
        "get /kb/checks/{check_id}.docx": {word_files.TYPE},
        **{f"get {path}.{{file_format}}": {word_files.TYPE, "text/markdown"} for path in EXPORTED},
        **{f"get {path}/citations": BIBLIOGRAPHIES for path in EXPORTED},
        "get /kb/sources/{source_id}/file": set(MEDIA_TYPES),
        "get /kb/sources/{source_id}.akn.xml": {"application/akn+xml"},
        "post /kb/ask/stream": {"text/event-stream"},
        "get /changes/feed/": {"application/atom+xml"},
        "get /kb/tables/{table_id}.{table_format}": {"text/csv", "application/json", XLSX_TYPE},
        "get /kb/surveys/{survey_id}.xlsx": {XLSX_TYPE},
        "get /radar/radar.csv": {"text/csv"},
        "get /evaluation/export.jsonl": {"application/x-ndjson"},
        "get /library/export.csv": {"text/csv"},
        "get /synonyms/export.csv": {"text/csv"},
    }
    assert not any("*" in media_type for media_type in MEDIA_TYPES)


def test_files_of_screens_are_described_with_their_parameters_and_who_may_have_them(document: dict[str, Any]) -> None:
    feed, library, listed, questions = (
        document["paths"][path]["get"]
        for path in ("/changes/feed/", "/library/export.csv", "/library/export.json", "/evaluation/export.jsonl")
    )
    taken = {one["name"]: one["schema"] for one in feed["parameters"]}
    assert set(taken) == {"topic", "label", "work", "language"}
    assert taken["language"] == {"type": "string", "enum": ["en", "he"]}
    assert feed["security"] == [{}, {"ApiKey": []}, {"Session": []}]
    taken = {one["name"]: one["schema"] for one in library["parameters"]}
    assert {"q", "topic", "label", "check", "published_from", "sort", "kind"} <= set(taken)
    assert taken["published_from"] == {"type": "string", "format": "date"}
    assert library["security"] == listed["security"] == [{"Session": []}]
    assert listed["parameters"] == library["parameters"]
    source = listed["responses"]["200"]["content"]["application/json"]["schema"]["items"]["$ref"].rpartition("/")[2]
    assert "identifier" in document["components"]["schemas"][source]["properties"]
    assert [one["name"] for one in questions["parameters"]] == ["topic"]


@pytest.mark.django_db
def test_files_of_screens_are_of_the_type_that_is_described(staff_client: Client, document: dict[str, Any]) -> None:
    paths = [name.removeprefix("get ") for name, one in operations(document) if "302" in one["responses"]]
    for path in [*paths, "/changes/feed/", "/radar/radar.csv"]:
        described = document["paths"][path]["get"]["responses"]["200"]["content"]
        answered = staff_client.get(path)
        assert answered.status_code == 200
        assert [answered["Content-Type"].partition(";")[0]] == list(described)
    assert len(paths) == 4


def test_what_is_no_json_is_text_or_bytes(document: dict[str, Any]) -> None:
    """Generated clients parse anything else as JSON."""
    for _, operation in operations(document):
        for response in operation["responses"].values():
            for media_type, content in response.get("content", {}).items():
                assert "json" in media_type or content["schema"].get("type", "string") == "string"


def descriptions(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        part = dict(enumerate(part))
    if isinstance(part, dict):
        for key, inner in part.items():
            if key in ("description", "summary") and isinstance(inner, str):
                yield inner
            else:
                yield from descriptions(inner)


OF_THE_CODE = re.compile(
    r"serializer|prefetch|\bDRF|\bcontract's|\bcontext\b|queryset|`(?!job|source|table)\w+\.[\w.]+`|scope_of`"
)


def test_descriptions_speak_of_the_service_and_not_of_its_code(document: dict[str, Any]) -> None:
    said = [*descriptions(document["paths"]), *descriptions(document["components"])]
    assert len(said) > 300
    assert [sentence for sentence in said if OF_THE_CODE.search(sentence)] == []
