"""The OpenAPI document of the whole service is valid, complete and without a warning."""

from pathlib import Path

from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator


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


def test_the_upload_of_a_batch_says_which_jobs_fail_without_a_review() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    described = " ".join(paths["/admin/kb/upload-batch"]["post"]["description"].split())
    assert "cannot be read takes its job from `processing` (stage `classifying`) to `failed`" in described
