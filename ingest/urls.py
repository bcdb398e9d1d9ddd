"""Paths of ingest."""

from django.urls import include, path

from ingest.api.batches import BatchDetail, BatchUpload, JobCommit, JobDiscard, JobPage
from ingest.api.jobs import JobDetail, JobFile, JobList, JobRetry, Upload
from ingest.api.storage import AdminScanInbox, ScanInbox, StorageArea
from ingest.status.metrics_api import Metrics
from ingest.status.stats_api import Stats
from ingest.status.views import retry_failed, status

urlpatterns = [
    path("admin/kb/upload", Upload.as_view(), name="admin-kb-upload"),
    path("admin/kb/upload-batch", BatchUpload.as_view(), name="admin-kb-upload-batch"),
    path("admin/kb/batch/<uuid:batch_id>", BatchDetail.as_view(), name="admin-kb-batch"),
    path("admin/kb/jobs", JobList.as_view(), name="admin-kb-jobs"),
    path("admin/kb/jobs/<uuid:job_id>", JobDetail.as_view(), name="admin-kb-job"),
    path("admin/kb/jobs/<uuid:job_id>/commit", JobCommit.as_view(), name="admin-kb-job-commit"),
    path("admin/kb/jobs/<uuid:job_id>/discard", JobDiscard.as_view(), name="admin-kb-job-discard"),
    path("admin/kb/jobs/<uuid:job_id>/retry", JobRetry.as_view(), name="admin-kb-job-retry"),
    path("admin/kb/jobs/<uuid:job_id>/file", JobFile.as_view(), name="admin-kb-job-file"),
    path("admin/kb/jobs/<uuid:job_id>/pages/<int:number>.png", JobPage.as_view(), name="admin-kb-job-page"),
    path("admin/kb/storage/<str:area>", StorageArea.as_view(), name="admin-kb-storage"),
    path("admin/kb/stats", Stats.as_view(), name="admin-kb-stats"),
    path("admin/kb/scan-inbox", AdminScanInbox.as_view(), name="admin-kb-scan-inbox"),
    path("scan-inbox", ScanInbox.as_view(), name="scan-inbox"),
    path("metrics", Metrics.as_view(), name="metrics"),
    path("status/", status, name="status"),
    path("status/retry/", retry_failed, name="status-retry"),
    path("", include("ingest.library.urls")),
    path("review/", include("ingest.review.urls")),
    path("library/", include("ingest.library.screen_urls")),
]
