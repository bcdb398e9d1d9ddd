"""Paths of the review screens."""

from django.urls import path

from ingest.review import batch_views, document_views, job_views, upload_views

urlpatterns = [
    path("", batch_views.batches, name="review-batches"),
    path("upload/", upload_views.upload, name="review-upload"),
    path("jobs/<uuid:job_id>/", job_views.anywhere, name="review-job-anywhere"),
    path("<uuid:batch_id>/", batch_views.batch, name="review-batch"),
    path("<uuid:batch_id>/act/", batch_views.act, name="review-act"),
    path("<uuid:batch_id>/start/", batch_views.start, name="review-start"),
    path("<uuid:batch_id>/<uuid:job_id>/", job_views.job, name="review-job"),
    path("<uuid:batch_id>/<uuid:job_id>/state/", job_views.state, name="review-job-state"),
    path("<uuid:batch_id>/<uuid:job_id>/pages/", document_views.pages, name="review-job-pages"),
    path("<uuid:batch_id>/<uuid:job_id>/text/", document_views.text, name="review-job-text"),
]
