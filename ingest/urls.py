"""Paths of ingest."""

from django.urls import path

from ingest.api import JobDetail, JobFile, JobList, JobRetry, Upload

urlpatterns = [
    path("admin/kb/upload", Upload.as_view(), name="admin-kb-upload"),
    path("admin/kb/jobs", JobList.as_view(), name="admin-kb-jobs"),
    path("admin/kb/jobs/<uuid:job_id>", JobDetail.as_view(), name="admin-kb-job"),
    path("admin/kb/jobs/<uuid:job_id>/retry", JobRetry.as_view(), name="admin-kb-job-retry"),
    path("admin/kb/jobs/<uuid:job_id>/file", JobFile.as_view(), name="admin-kb-job-file"),
]
