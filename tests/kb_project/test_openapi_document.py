"""The OpenAPI document of the whole service is valid, complete and without a warning."""

from __future__ import annotations

from pathlib import Path

from django.core.management import call_command

from kb_project.api.views import openapi_document


def test_the_document_is_valid_and_made_without_a_warning(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_every_path_of_the_main_job_is_described() -> None:
    paths = openapi_document(public_requires_key=False)["paths"]
    assert {
        "/admin/kb/upload",
        "/admin/kb/jobs",
        "/admin/kb/jobs/{job_id}",
        "/admin/kb/jobs/{job_id}/retry",
        "/admin/kb/jobs/{job_id}/file",
        "/kb/search",
        "/kb/topics",
        "/kb/sources",
        "/kb/sources/{source_id}",
        "/kb/sources/{source_id}/file",
        "/healthz",
        "/readyz",
    } <= set(paths)
