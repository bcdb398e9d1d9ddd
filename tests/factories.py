"""Rows for tests, with what a test does not care about filled in."""

import hashlib
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Group, User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingest.intake.upload import Metadata, accept_upload, receive_path
from ingest.models import Job
from kb_project.configuration.roles import MANAGER
from labels import naming
from labels.models import Label
from sources.models import Source
from topics.models import Topic

LAW = """חוק הספריות הציבוריות לדוגמה, התשפ"ד–2024

1. הגדרות
בחוק זה, "ספרייה" – מקום שבו מושאלים ספרים לציבור.

2. זכות השאלה
כל תושב זכאי לשאול עד חמישה ספרים לתקופה של שלושים ימים.

3. איחור בהחזרה
(א) המאחר בהחזרת ספר ישלם דמי איחור.
(ב) הספרן רשאי לפטור שואל מדמי איחור מטעמים שיירשמו.
"""


def make_topic(*, slug: str = "", name: str = "Consumer law") -> Topic:
    return Topic.objects.create(name=name, slug=slug or f"topic-{uuid4().hex[:8]}")


def first_topic() -> Topic:
    return Topic.objects.get(pk=1)


def make_staff(username: str = "dana", *, role: str | None = MANAGER, **fields: Any) -> User:
    """A staff member in a group of `kb_project.configuration.roles`; with `role=None`, in none."""
    user = User.objects.create_user(username, password="x", **{"is_staff": True, **fields})
    if role:
        user.groups.add(Group.objects.get(name=role))
    return user


def make_source(*, topic: Topic | None = None, kind: str = "law", **fields: Any) -> Source:
    fields.setdefault("title", "A law")
    return Source.objects.create(topic=topic or first_topic(), kind=kind, **fields)


def make_filed_source(**fields: Any) -> Source:
    """A source whose file is stored."""
    key = f"processed/general/law/{uuid4()}-law.txt"
    default_storage.save(key, ContentFile(LAW.encode()))
    return make_source(file_key=key, **fields)


def make_label(name: str) -> Label:
    return naming.get_or_create(name, by="test")[0]


def make_job(*, topic: Topic | None = None, kind: str = "law", **fields: Any) -> Job:
    fields.setdefault("filename", "law.txt")
    fields.setdefault("confirmed", Metadata().as_confirmed(kind))
    fields.setdefault("content_sha256", hashlib.sha256(uuid4().bytes).hexdigest())
    return Job.objects.create(topic=topic or first_topic(), kind=kind, **fields)


def decision_of(job: Job) -> dict[str, Any]:
    """What a person decided about the job; it is a failure when nobody has."""
    assert job.confirmed is not None
    return dict(job.confirmed)


def upload_text(directory: Path, text: str = LAW, *, filename: str = "law.txt", **options: Any) -> Job:
    """A queued job for a text file, made the way an upload makes it."""
    path = directory / filename
    path.write_text(text, encoding="utf-8")
    options.setdefault("metadata", Metadata())
    options.setdefault("topic", first_topic())
    return accept_upload(receive_path(path), kind=options.pop("kind", "law"), by="test", **options)


def place_of(key: str) -> str:
    """The key of a copy of a job's file without the part that no other copy has."""
    return re.sub(r"(?<=/[0-9a-f-]{36})-[0-9a-f]{8}(?=-)", "", key)


def storages_away(settings: Any) -> dict[str, Any]:
    """STORAGES with documents on an S3 server that nobody answers for."""
    options = {"bucket_name": "kb", "endpoint_url": "http://127.0.0.1:9", "access_key": "x", "secret_key": "x"}
    s3 = {"BACKEND": "sources.files.s3_storage.DocumentS3Storage", "OPTIONS": {**options, "region_name": "us-east-1"}}
    return {**settings.STORAGES, "default": s3}
