"""Calls of a program to the admin paths."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from ingest.job_states import AWAITING_REVIEW
from ingest.models import Job
from tests.factories import make_job


def upload(client: APIClient, *contents: str | bytes, **fields: Any) -> Any:
    files = [
        SimpleUploadedFile(f"{number}.txt", content.encode() if isinstance(content, str) else content)
        for number, content in enumerate(contents)
    ]
    return client.post("/admin/kb/upload-batch", {"files": files, **fields}, format="multipart")


def awaiting(**fields: Any) -> Job:
    return make_job(status=AWAITING_REVIEW.status, confirmed=None, **fields)


def commit(client: APIClient, job: Job, **fields: Any) -> Any:
    return client.post(f"/admin/kb/jobs/{job.pk}/commit", {"kind": "law", "title": "חוק", **fields}, format="json")
