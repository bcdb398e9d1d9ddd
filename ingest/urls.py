"""Paths of ingest."""

from django.urls import path

from ingest.api.batches import BatchDetail, BatchUpload, JobClassify, JobCommit, JobDiscard, JobPage, JobReopen
from ingest.api.jobs import AdminScanInbox, JobDetail, JobFile, JobList, JobRetry, ScanInbox, StorageArea, Upload
from ingest.consolidation.screens import consolidation
from ingest.library.api import (
    AdminSourceDetail,
    AdminSourceJoin,
    AdminSourceList,
    AdminSourceReindex,
    AdminSourceRestore,
    AdminWorkDetail,
)
from ingest.library.screens import bulk, source, trash, welcome, work
from ingest.library.screens import sources as library_views
from ingest.review.screens import batch, batches, compare, job, job_anywhere, job_updates
from ingest.status.api import Stats
from ingest.status.screens import Metrics, failed, retry_failed, status

urlpatterns = [
    path("admin/kb/upload", Upload.as_view(), name="admin-kb-upload"),
    path("admin/kb/upload-batch", BatchUpload.as_view(), name="admin-kb-upload-batch"),
    path("admin/kb/batch/<uuid:batch_id>", BatchDetail.as_view(), name="admin-kb-batch"),
    path("admin/kb/jobs", JobList.as_view(), name="admin-kb-jobs"),
    path("admin/kb/jobs/<uuid:job_id>", JobDetail.as_view(), name="admin-kb-job"),
    path("admin/kb/jobs/<uuid:job_id>/classify", JobClassify.as_view(), name="admin-kb-job-classify"),
    path("admin/kb/jobs/<uuid:job_id>/commit", JobCommit.as_view(), name="admin-kb-job-commit"),
    path("admin/kb/jobs/<uuid:job_id>/discard", JobDiscard.as_view(), name="admin-kb-job-discard"),
    path("admin/kb/jobs/<uuid:job_id>/reopen", JobReopen.as_view(), name="admin-kb-job-reopen"),
    path("admin/kb/jobs/<uuid:job_id>/retry", JobRetry.as_view(), name="admin-kb-job-retry"),
    path("admin/kb/jobs/<uuid:job_id>/file", JobFile.as_view(), name="admin-kb-job-file"),
    path("admin/kb/jobs/<uuid:job_id>/pages/<int:number>.png", JobPage.as_view(), name="admin-kb-job-page"),
    path("admin/kb/storage/<str:area>", StorageArea.as_view(), name="admin-kb-storage"),
    path("admin/kb/stats", Stats.as_view(), name="admin-kb-stats"),
    path("admin/kb/scan-inbox", AdminScanInbox.as_view(), name="admin-kb-scan-inbox"),
    path("scan-inbox", ScanInbox.as_view(), name="scan-inbox"),
    path("metrics", Metrics.as_view(), name="metrics"),
    path("status/", status, name="status"),
    path("status/failed/", failed, name="status-failed"),
    path("status/retry/", retry_failed, name="status-retry"),
    path("admin/kb/sources", AdminSourceList.as_view(), name="admin-kb-sources"),
    path("admin/kb/sources/<int:source_id>", AdminSourceDetail.as_view(), name="admin-kb-source"),
    path("admin/kb/sources/<int:source_id>/reindex", AdminSourceReindex.as_view(), name="admin-kb-source-reindex"),
    path("admin/kb/sources/<int:source_id>/restore", AdminSourceRestore.as_view(), name="admin-kb-source-restore"),
    path("admin/kb/sources/<int:source_id>/join", AdminSourceJoin.as_view(), name="admin-kb-source-join"),
    path("admin/kb/works/<int:work_id>", AdminWorkDetail.as_view(), name="admin-kb-work"),
    path("review/", batches.batches, name="review-batches"),
    path("review/upload/", batches.upload, name="review-upload"),
    path("review/undo/", batch.undo, name="undo"),
    path("review/jobs/<uuid:job_id>/", job_anywhere.anywhere, name="review-job-anywhere"),
    path("review/<uuid:batch_id>/", batch.batch, name="review-batch"),
    path("review/<uuid:batch_id>/act/", batch.act, name="review-act"),
    path("review/<uuid:batch_id>/name/", batch.name, name="review-batch-name"),
    path("review/<uuid:batch_id>/start/", batch.start, name="review-start"),
    path("review/<uuid:batch_id>/<uuid:job_id>/", job.job, name="review-job"),
    path("review/<uuid:batch_id>/<uuid:job_id>/reopen/", job.reopening, name="review-job-reopen"),
    path("review/<uuid:batch_id>/<uuid:job_id>/state/", job_updates.state, name="review-job-state"),
    path("review/<uuid:batch_id>/<uuid:job_id>/hold/", job_updates.hold, name="review-job-hold"),
    path("review/<uuid:batch_id>/<uuid:job_id>/classify/", job_updates.classify, name="review-job-classify"),
    path("review/<uuid:batch_id>/<uuid:job_id>/compare/<int:source_id>/", compare.compare, name="review-compare"),
    path("review/<uuid:batch_id>/<uuid:job_id>/days/", job_updates.days, name="review-job-days"),
    path("review/<uuid:batch_id>/<uuid:job_id>/pages/", job.pages, name="review-job-pages"),
    path("review/<uuid:batch_id>/<uuid:job_id>/text/", job.text, name="review-job-text"),
    path("review/<uuid:batch_id>/<uuid:job_id>/similar/<int:row>/", compare.similar, name="review-similar"),
    path("welcome/", welcome.welcome, name="welcome"),
    path("welcome/example/", welcome.add_example, name="welcome-example"),
    path("welcome/example/remove/", welcome.remove_example, name="welcome-example-remove"),
    path("library/", library_views.library, name="library"),
    path("library/export.csv", library_views.export, {"form": "csv"}, name="library-csv"),
    path("library/export.json", library_views.export, {"form": "json"}, name="library-json"),
    path("library/act/", bulk.start, name="library-act"),
    path("library/act/on/", bulk.resume, name="library-act-on"),
    path("library/<int:source_id>/", source.source, name="library-source"),
    path("library/<int:source_id>/reindex/", source.reindexing, name="library-source-reindex"),
    path("library/<int:source_id>/work/", work.work, name="library-source-work"),
    path("library/<int:source_id>/consolidation/", consolidation, name="library-consolidation"),
    path("library/<int:source_id>/delete/", source.delete, name="library-source-delete"),
    path("library/<int:source_id>/restore/", trash.restore, name="library-restore"),
    path("library/<int:source_id>/let-go/", trash.let_go, name="library-let-go"),
    path("library/trash/", trash.trash, name="library-trash"),
]
