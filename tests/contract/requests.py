"""One good request for every operation of the API, about things that are made for it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from rest_framework.test import APIClient

from ingest.job_states import JobStatus, Stage
from tests.contract.things import HOOK, Things

DECIDED: dict[str, Any] = {
    "status": JobStatus.PROCESSING,
    "processing_stage": Stage.EMBEDDING,
    "confirmed": {"kind": "law", "title": "חוק"},
}


@dataclass(frozen=True)
class Send:
    """The last part of a request: its path, and a body in JSON or, for uploads, as a form."""

    path: str
    body: Any = None
    form: bool = False
    query: dict[str, Any] = field(default_factory=dict)

    def by(self, client: APIClient, method: str) -> int:
        data = self.query if method == "GET" else self.body
        response = getattr(client, method.lower())(
            self.path, data, **({} if method == "GET" else {"format": "multipart" if self.form else "json"})
        )
        return int(response.status_code)


OPERATIONS: dict[str, Callable[[Things], Send]] = {
    "POST /admin/kb/upload": lambda t: Send(
        "/admin/kb/upload", {"file": t.upload(), "kind": "law", "topic_id": t.topic.pk}, form=True
    ),
    "POST /admin/kb/upload-batch": lambda t: Send(
        "/admin/kb/upload-batch", {"files": [t.upload()], "topic_id": t.topic.pk}, form=True
    ),
    "GET /admin/kb/batch/{batch_id}": lambda t: Send(f"/admin/kb/batch/{t.job().batch_id}"),
    "GET /admin/kb/jobs": lambda t: Send("/admin/kb/jobs"),
    "GET /admin/kb/jobs/{job_id}": lambda t: Send(f"/admin/kb/jobs/{t.job().pk}"),
    "GET /admin/kb/jobs/{job_id}/file": lambda t: Send(f"/admin/kb/jobs/{t.job().pk}/file"),
    "GET /admin/kb/jobs/{job_id}/pages/{number}.png": lambda t: Send(f"/admin/kb/jobs/{t.job().pk}/pages/1.png"),
    "POST /admin/kb/jobs/{job_id}/classify": lambda t: Send(
        f"/admin/kb/jobs/{t.job(status=JobStatus.AWAITING_REVIEW).pk}/classify"
    ),
    "POST /admin/kb/jobs/{job_id}/commit": lambda t: Send(
        f"/admin/kb/jobs/{t.job().pk}/commit", {"kind": "law", "title": "חוק"}
    ),
    "POST /admin/kb/jobs/{job_id}/discard": lambda t: Send(f"/admin/kb/jobs/{t.job().pk}/discard"),
    "POST /admin/kb/jobs/{job_id}/reopen": lambda t: Send(f"/admin/kb/jobs/{t.job(**DECIDED).pk}/reopen"),
    "POST /admin/kb/jobs/{job_id}/retry": lambda t: Send(
        f"/admin/kb/jobs/{t.job(status=JobStatus.FAILED, error_code='empty').pk}/retry"
    ),
    "GET /admin/kb/storage/{area}": lambda t: Send("/admin/kb/storage/inbox"),
    "POST /admin/kb/scan-inbox": lambda t: Send("/admin/kb/scan-inbox", {"dry_run": True}),
    "POST /scan-inbox": lambda t: Send("/scan-inbox", {"dry_run": True}),
    "GET /admin/kb/stats": lambda t: Send("/admin/kb/stats"),
    "GET /admin/kb/labels": lambda t: Send("/admin/kb/labels"),
    "POST /admin/kb/labels": lambda t: Send("/admin/kb/labels", {"name": f"new {uuid4()}"}),
    "GET /admin/kb/labels/near-duplicates": lambda t: Send("/admin/kb/labels/near-duplicates"),
    "GET /admin/kb/labels/{label_id}": lambda t: Send(f"/admin/kb/labels/{t.label().pk}"),
    "PATCH /admin/kb/labels/{label_id}": lambda t: Send(f"/admin/kb/labels/{t.label().pk}", {"name": f"x {uuid4()}"}),
    "DELETE /admin/kb/labels/{label_id}": lambda t: Send(f"/admin/kb/labels/{t.label().pk}"),
    "GET /admin/kb/labels/{label_id}/merge": lambda t: Send(
        f"/admin/kb/labels/{t.label().pk}/merge", query={"target_id": t.label().pk}
    ),
    "POST /admin/kb/labels/{label_id}/merge": lambda t: Send(
        f"/admin/kb/labels/{t.label().pk}/merge", {"target_id": t.label().pk}
    ),
    "GET /admin/kb/sources": lambda t: Send("/admin/kb/sources"),
    "GET /admin/kb/sources/{source_id}": lambda t: Send(f"/admin/kb/sources/{t.source().pk}"),
    "PATCH /admin/kb/sources/{source_id}": lambda t: Send(f"/admin/kb/sources/{t.source().pk}", {"subject": "ספריות"}),
    "DELETE /admin/kb/sources/{source_id}": lambda t: Send(f"/admin/kb/sources/{t.source().pk}"),
    "POST /admin/kb/sources/{source_id}/restore": lambda t: Send(f"/admin/kb/sources/{t.trashed().source_id}/restore"),
    "PATCH /admin/kb/works/{work_id}": lambda t: Send(
        f"/admin/kb/works/{t.source().work_id}", {"aliases": ["12 CFR 1072"]}
    ),
    "POST /admin/kb/sources/{source_id}/join": lambda t: Send(
        f"/admin/kb/sources/{t.source().pk}/join", {"version_of": t.source(valid_from="2020-01-01").pk}
    ),
    "POST /admin/kb/sources/{source_id}/reindex": lambda t: Send(f"/admin/kb/sources/{t.source().pk}/reindex"),
    "GET /admin/kb/synonyms": lambda t: Send("/admin/kb/synonyms"),
    "POST /admin/kb/synonyms": lambda t: Send(
        "/admin/kb/synonyms", {"words": [f"w{uuid4().hex}"], "means": ["שוכר"], "topic_id": t.topic.pk}
    ),
    "PATCH /admin/kb/synonyms/{synonym_id}": lambda t: Send(
        f"/admin/kb/synonyms/{t.synonym().pk}", {"means": ["שוכר"]}
    ),
    "DELETE /admin/kb/synonyms/{synonym_id}": lambda t: Send(f"/admin/kb/synonyms/{t.synonym().pk}"),
    "GET /admin/kb/evaluation": lambda t: Send("/admin/kb/evaluation"),
    "POST /admin/kb/evaluation": lambda t: Send(
        "/admin/kb/evaluation", {"question": f"w{uuid4().hex}", "words": "ספרייה", "topic_id": t.topic.pk}
    ),
    "PATCH /admin/kb/evaluation/{question_id}": lambda t: Send(
        f"/admin/kb/evaluation/{t.evaluation_question().pk}", {"words": "ספר"}
    ),
    "DELETE /admin/kb/evaluation/{question_id}": lambda t: Send(f"/admin/kb/evaluation/{t.evaluation_question().pk}"),
    "GET /admin/kb/webhooks": lambda t: Send("/admin/kb/webhooks"),
    "POST /admin/kb/webhooks": lambda t: Send("/admin/kb/webhooks", {**HOOK, "topic_id": t.topic.pk}),
    "GET /admin/kb/webhooks/{webhook_id}": lambda t: Send(f"/admin/kb/webhooks/{t.webhook().pk}"),
    "PATCH /admin/kb/webhooks/{webhook_id}": lambda t: Send(
        f"/admin/kb/webhooks/{t.webhook().pk}", {"events": ["source.deleted"]}
    ),
    "DELETE /admin/kb/webhooks/{webhook_id}": lambda t: Send(f"/admin/kb/webhooks/{t.webhook().pk}"),
    "POST /admin/kb/webhooks/{webhook_id}/secret": lambda t: Send(f"/admin/kb/webhooks/{t.webhook().pk}/secret"),
    "POST /admin/kb/webhooks/{webhook_id}/ping": lambda t: Send(f"/admin/kb/webhooks/{t.webhook().pk}/ping"),
    "GET /admin/kb/webhooks/{webhook_id}/deliveries": lambda t: Send(f"/admin/kb/webhooks/{t.webhook().pk}/deliveries"),
    "POST /admin/kb/webhooks/{webhook_id}/deliveries/{delivery_id}/send": lambda t: Send(
        "/admin/kb/webhooks/{0.webhook_id}/deliveries/{0.pk}/send".format(t.delivery())
    ),
    "GET /admin/kb/topics": lambda t: Send("/admin/kb/topics"),
    "POST /admin/kb/topics": lambda t: Send("/admin/kb/topics", {"name": "חדש", "slug": f"t-{uuid4().hex[:8]}"}),
    "GET /admin/kb/topics/{topic_id}": lambda t: Send(f"/admin/kb/topics/{t.topic.pk}"),
    "PATCH /admin/kb/topics/{topic_id}": lambda t: Send(f"/admin/kb/topics/{t.topic.pk}", {"name": "אחר"}),
    "GET /admin/kb/topics/{topic_id}/members": lambda t: Send(f"/admin/kb/topics/{t.topic.pk}/members"),
    "PUT /admin/kb/topics/{topic_id}/members": lambda t: Send(
        f"/admin/kb/topics/{t.topic.pk}/members",
        [{"person": t.person().username, "role": "reader"}],
    ),
    "GET /kb/account/keys": lambda t: Send("/kb/account/keys"),
    "POST /kb/account/keys": lambda t: Send("/kb/account/keys", {"name": "program", "with_rights": True}),
    "DELETE /kb/account/keys/{key_id}": lambda t: Send("/kb/account/keys/999999"),
    "GET /kb/watches": lambda t: Send("/kb/watches"),
    "POST /kb/watches": lambda t: Send("/kb/watches", {"topic_id": t.topic.pk}),
    "DELETE /kb/watches/{watch_id}": lambda t: Send("/kb/watches/999999"),
    "GET /kb/watches/webhook": lambda t: Send("/kb/watches/webhook"),
    "PUT /kb/watches/webhook": lambda t: Send("/kb/watches/webhook", {"url": "https://example.org/hook"}),
    "DELETE /kb/watches/webhook": lambda t: Send("/kb/watches/webhook"),
    "POST /kb/watches/webhook/secret": lambda t: Send("/kb/watches/webhook/secret"),
    "GET /kb/topics": lambda t: Send("/kb/topics"),
    "GET /kb/sources": lambda t: Send("/kb/sources"),
    "GET /kb/sources/{source_id}": lambda t: Send(f"/kb/sources/{t.source().pk}"),
    "GET /kb/sources/{source_id}/file": lambda t: Send(f"/kb/sources/{t.source().pk}/file"),
    "GET /kb/radar": lambda t: Send("/kb/radar"),
    "PATCH /admin/kb/radar/{stale_id}": lambda t: Send(f"/admin/kb/radar/{t.stale().pk}", {"looked_at": True}),
    "GET /radar/radar.csv": lambda t: Send("/radar/radar.csv"),
    "GET /kb/works/{work_id}": lambda t: Send(f"/kb/works/{t.source().work_id}"),
    "GET /kb/sources/{source_id}.akn.xml": lambda t: Send(f"/kb/sources/{t.source().pk}.akn.xml"),
    "GET /kb/sources/{source_id}/provisions": lambda t: Send(f"/kb/sources/{t.source().pk}/provisions"),
    "GET /kb/sources/{source_id}/provisions/{eid}": lambda t: Send(f"/kb/sources/{t.source().pk}/provisions/sec_1"),
    "GET /kb/sources/{source_id}/provisions/{eid}/similar": lambda t: Send(
        f"/kb/sources/{t.source().pk}/provisions/sec_1/similar"
    ),
    "GET /kb/sources/{source_id}/references": lambda t: Send(f"/kb/sources/{t.source().pk}/references"),
    "GET /kb/sources/{source_id}/compare/{other_id}": lambda t: Send(
        f"/kb/sources/{t.source().pk}/compare/{t.source().pk}"
    ),
    "GET /kb/answers/{answer_id}.{file_format}": lambda t: Send(f"/kb/answers/{t.answer_id()}.docx"),  # of another
    "GET /kb/answers/{answer_id}/citations": lambda t: Send(f"/kb/answers/{t.answer_id()}/citations"),
    "GET /kb/sources/{source_id}/provisions/{eid}.{file_format}": lambda t: Send(
        f"/kb/sources/{t.source().pk}/provisions/sec_2.docx"
    ),
    "GET /kb/sources/{source_id}/provisions/{eid}/citations": lambda t: Send(
        f"/kb/sources/{t.source().pk}/provisions/sec_2/citations"
    ),
    "GET /kb/sources/{source_id}/compare/{other_id}.{file_format}": lambda t: Send(
        f"/kb/sources/{t.source().pk}/compare/{t.source(valid_from='2020-01-01').pk}.docx"
    ),
    "GET /kb/sources/{source_id}/compare/{other_id}/citations": lambda t: Send(
        f"/kb/sources/{t.source().pk}/compare/{t.source(valid_from='2020-01-01').pk}/citations"
    ),
    "GET /kb/search.{file_format}": lambda t: Send(
        "/kb/search.docx", query={"query": "ספרייה keeper", "topic_id": t.topic.pk}
    ),
    "GET /kb/search/citations": lambda t: Send(
        "/kb/search/citations", query={"query": "ספרייה keeper", "topic_id": t.topic.pk}
    ),
    "POST /kb/check": lambda t: Send("/kb/check", {"text": "סעיף 1 לחוק הספריות", "topic_id": t.topic.pk}),
    "GET /kb/checks/{check_id}": lambda t: Send(f"/kb/checks/{uuid4()}"),  # of another caller, as all are
    "GET /kb/checks/{check_id}.docx": lambda t: Send(f"/kb/checks/{uuid4()}.docx"),
    "GET /kb/notebooks": lambda t: Send("/kb/notebooks"),
    "POST /kb/notebooks": lambda t: Send("/kb/notebooks", {"name": "מחברת", "topic_id": t.topic.pk}),
    "GET /kb/notebooks/{notebook_id}": lambda t: Send(f"/kb/notebooks/{t.notebook().pk}"),
    "GET /kb/notebooks/{notebook_id}.{file_format}": lambda t: Send(f"/kb/notebooks/{t.note().notebook_id}.docx"),
    "GET /kb/notebooks/{notebook_id}/citations": lambda t: Send(f"/kb/notebooks/{t.note().notebook_id}/citations"),
    "PATCH /kb/notebooks/{notebook_id}": lambda t: Send(f"/kb/notebooks/{t.notebook().pk}", {"name": "אחרת"}),
    "DELETE /kb/notebooks/{notebook_id}": lambda t: Send(f"/kb/notebooks/{t.notebook().pk}"),
    "POST /kb/notebooks/{notebook_id}/notes": lambda t: Send(
        f"/kb/notebooks/{t.notebook().pk}/notes", {"kind": "search", "query": "ספרייה", "topic_id": t.topic.pk}
    ),
    "GET /kb/notebooks/{notebook_id}/items": lambda t: Send(f"/kb/notebooks/{t.notebook().pk}/items"),
    "POST /kb/notebooks/{notebook_id}/items": lambda t: Send(
        f"/kb/notebooks/{t.notebook().pk}/items", {"kind": "search", "search": {"query": "ספרייה"}}
    ),
    "DELETE /kb/notebooks/{notebook_id}/items/{watch_id}": lambda t: Send(
        f"/kb/notebooks/{t.notebook().pk}/items/999999"
    ),
    "POST /kb/notebooks/{notebook_id}/looked": lambda t: Send(
        f"/kb/notebooks/{t.notebook().pk}/looked", {"upto": 0, "upto_news": 0}
    ),
    "PATCH /kb/notebooks/{notebook_id}/notes/{note_id}": lambda t: Send(
        f"/kb/notebooks/{t.notebook().pk}/notes/{t.note().pk}", {"remark": "נכון"}
    ),
    "DELETE /kb/notebooks/{notebook_id}/notes/{note_id}": lambda t: Send(
        f"/kb/notebooks/{t.notebook().pk}/notes/{t.note().pk}"
    ),
    "GET /kb/highlights": lambda t: Send("/kb/highlights", query={"source_id": t.source().pk}),
    "POST /kb/highlights": lambda t: Send("/kb/highlights", {"source_id": t.source().pk, "exact": "ספרייה"}),
    "PATCH /kb/highlights/{highlight_id}": lambda t: Send(f"/kb/highlights/{t.highlight().pk}", {"note": "נכון"}),
    "DELETE /kb/highlights/{highlight_id}": lambda t: Send(f"/kb/highlights/{t.highlight().pk}"),
    "GET /kb/tables": lambda t: Send("/kb/tables"),
    "POST /kb/tables": lambda t: Send(
        "/kb/tables", {"name": "לוח", "topic_id": t.topic.pk, "columns": [{"title": "מהי ספרייה?"}]}
    ),
    "GET /kb/tables/templates": lambda t: Send("/kb/tables/templates"),
    "GET /kb/tables/{table_id}": lambda t: Send(f"/kb/tables/{t.table().pk}"),
    "PATCH /kb/tables/{table_id}": lambda t: Send(f"/kb/tables/{t.table().pk}", {"paused": True}),
    "DELETE /kb/tables/{table_id}": lambda t: Send(f"/kb/tables/{t.table().pk}"),
    "GET /kb/tables/{table_id}.{table_format}": lambda t: Send(f"/kb/tables/{t.table().pk}.xlsx"),
    "POST /kb/tables/{table_id}/columns": lambda t: Send(f"/kb/tables/{t.table().pk}/columns", {"title": "מתי?"}),
    "PATCH /kb/tables/{table_id}/columns/{column_id}": lambda t: Send(
        "/kb/tables/{0.table_id}/columns/{0.column_id}".format(t.cell()), {"title": "מה?"}
    ),
    "DELETE /kb/tables/{table_id}/columns/{column_id}": lambda t: Send(
        "/kb/tables/{0.table_id}/columns/{0.column_id}".format(t.cell())
    ),
    "GET /kb/tables/{table_id}/cells": lambda t: Send(f"/kb/tables/{t.table().pk}/cells"),
    "GET /kb/tables/{table_id}/groups": lambda t: Send(
        "/kb/tables/{0.table_id}/groups?group_by={0.column_id}".format(t.cell())
    ),
    "POST /kb/tables/{table_id}/cells/{cell_id}/decide": lambda t: Send(
        "/kb/tables/{0.table_id}/cells/{0.pk}/decide".format(t.cell()), {"decision": "confirm"}
    ),
    "POST /kb/tables/{table_id}/fill": lambda t: Send(f"/kb/tables/{t.table().pk}/fill", {}),
    "GET /kb/surveys": lambda t: Send("/kb/surveys"),
    "POST /kb/surveys": lambda t: Send("/kb/surveys", {"description": "חובת דיווח", "topic_id": t.topic.pk}),
    "GET /kb/surveys/{survey_id}": lambda t: Send(f"/kb/surveys/{t.survey().pk}"),
    "PATCH /kb/surveys/{survey_id}": lambda t: Send(f"/kb/surveys/{t.survey().pk}", {"paused": False}),
    "POST /kb/surveys/{survey_id}/repeat": lambda t: Send(f"/kb/surveys/{t.survey().pk}/repeat"),
    "GET /kb/surveys/{survey_id}.xlsx": lambda t: Send(f"/kb/surveys/{t.survey().pk}.xlsx"),
    "DELETE /kb/surveys/{survey_id}": lambda t: Send(f"/kb/surveys/{t.survey().pk}"),
    "POST /kb/consolidate": lambda t: Send(
        "/kb/consolidate", {"acts": ["חוק הספריות\n1. ספרייה\nבחוק זה."], "amending": "סעיף 1 לחוק הספריות – בטל."}
    ),
    "GET /kb/sources/{source_id}/instructions": lambda t: Send(f"/kb/sources/{t.source().pk}/instructions"),
    "POST /kb/resolve": lambda t: Send("/kb/resolve", {"text": "סעיף 1 לחוק הספריות", "topic_id": t.topic.pk}),
    "GET /kb/labels": lambda t: Send("/kb/labels"),
    "GET /kb/suggest": lambda t: Send("/kb/suggest", query={"q": "ספ", "topic_id": t.topic.pk}),
    "POST /kb/search": lambda t: Send("/kb/search", {"query": "ספרייה", "topic_id": t.topic.pk}),
    "POST /kb/ask": lambda t: Send("/kb/ask", {"question": "מהי ספרייה?", "topic_id": t.topic.pk}),
    "POST /kb/ask/stream": lambda t: Send("/kb/ask/stream", {"question": "מהי ספרייה?", "topic_id": t.topic.pk}),
    "POST /kb/answers/{answer_id}/feedback": lambda t: Send(f"/kb/answers/{t.answer_id()}/feedback", {"helpful": True}),
    "GET /changes/feed/": lambda t: Send("/changes/feed/"),
    "GET /library/export.csv": lambda t: Send("/library/export.csv"),
    "GET /library/export.json": lambda t: Send("/library/export.json"),
    "GET /synonyms/export.csv": lambda t: Send("/synonyms/export.csv"),
    "GET /evaluation/export.jsonl": lambda t: Send("/evaluation/export.jsonl"),
    "GET /healthz": lambda t: Send("/healthz"),
}
